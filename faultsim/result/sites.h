/* sites.h -- where in the code and when in the job flips fail: the counts behind "which line fails"
 * and the curves over time. The engine fills them, the store keeps them, the report prints them.
 *
 * Weights are those of tally.h: bit-cycles (exact, ace) or injections (sample).
 */
#ifndef SITES_H
#define SITES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "faultsim/faults/outcome.h"

/* ---- over code ------------------------------------------------------------------------------- */

/* Flips that an instruction reads, by the one at `pc` that reads them first, and once more by the
 * one that had written the value: what became of them. Flips that no instruction reads have no site; values
 * that no instruction wrote have no writer. */
enum site_role { SITE_READER, SITE_WRITER, SITE_ROLES };
struct site {
    enum site_role role;
    int kernel; /* index in the job's list of kernels (result.h) */
    uint32_t pc;
    int reg; /* register file: the number n of $rn; else -1 */
    uint64_t outcome[OUT_COUNT];
};

struct sites { /* zero-initialise; a hash table over (role, kernel, pc, reg) */
    struct site *site;
    int count, room;
    int *slot; /* index + 1 in site[], 0: free */
    int nslots;
};

void sites_count(struct sites *s, enum site_role role, int kernel, uint32_t pc, int reg,
                 enum fsim_outcome o, uint64_t weight);
void sites_add(struct sites *to, const struct sites *more);
/* By role, kernel, pc, reg: for printing; counting goes on as before. */
void sites_sort(struct sites *s);
const char *sites_role_name(enum site_role role); /* reader, writer */
void sites_clear(struct sites *s);                /* keeps its room */
void sites_free(struct sites *s);

/* ---- over time ------------------------------------------------------------------------------- */

/* Bucket b has the cycles [edge[b], edge[b + 1]). All targets of a job share one timeline; it
 * covers the cycles in which flips happen: a window, or the job. */
struct timeline {
    int buckets;
    uint64_t *edge; /* [buckets + 1] */
    int *kernel;    /* [buckets]: index of the kernel that runs; NULL: always kernel 0 */
    bool steady;    /* the occupancy changes at edges only, so that means of ratios are exact */
};

/* one bucket of one target. All members are uint64_t: timeline_spread relies on it */
struct moment {
    uint64_t owned; /* bit-cycles that belonged to a resident block or warp */
    /* exact: OUT_MASKED may stay 0, since it is what the others leave over */
    uint64_t outcome[OUT_COUNT];
    uint64_t owned_counted; /* flips counted that hit an owned bit */
    uint64_t owned_failed;  /* of these, those that failed */
    uint64_t ace;
};

/* Cuts `cycles` into at most `grid` equal buckets, and in addition at each `change` (a cycle in
 * which a block starts or ends; any order, repeats allowed) unless that would make more than `max`
 * buckets: then not steady. */
void timeline_make(uint64_t cycles, int grid, const uint64_t *change, size_t nchanges, int max,
                   struct timeline *out);
/* Says which kernel runs in each bucket, from the launches' first cycles (in order). Give these to
 * timeline_make as changes too. */
void timeline_launches(struct timeline *t, const uint64_t *from, const int *kernel, int nlaunches);
void timeline_copy(struct timeline *to, const struct timeline *from);
void timeline_free(struct timeline *t);
int timeline_bucket(const struct timeline *t, uint64_t cycle);
/* Adds weight x (cycles of the bucket in [from, to)) to a member of each moment:
 * &moment[0].outcome[OUT_SDC]. */
void timeline_spread(const struct timeline *t, uint64_t from, uint64_t to, uint64_t weight,
                     uint64_t *member_of_first);

#endif
