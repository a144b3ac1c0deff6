/* plan.h -- cuts the work of an exact campaign into units that take equally long, as far as that
 * can be told before.
 *
 * All flips of a target stand in one line, by word (a access_unit), then by the cycle in which their
 * group ends, then by lane or bit, then by bit of the lane's word. A unit of work is a stretch of
 * that line. Some groups, drawn at random for each instruction and register that reads, are decided
 * beforehand; what they cost says where to cut.
 *
 * Costs are counted, not timed: about a warp instruction of the model each. So the same job is cut
 * alike on every machine, and shards agree.
 */
#ifndef PLAN_H
#define PLAN_H

#include "campaign.h"

struct plan_place {
    uint64_t cycle;
    uint32_t unit;
    uint8_t index, bit; /* as sm_unit_cell takes them; bit 0 where index is the bit */
};
int plan_compare(const struct plan_place *a, const struct plan_place *b);

struct plan {
    struct plan_place *cut; /* [units + 1]: unit of work n is [cut[n], cut[n + 1]) */
    uint64_t *cost;         /* [units] */
    uint64_t units;
    uint64_t groups, reads; /* of equal flips, a bit each; those that are read */
    uint64_t total;         /* cost */
    double seconds;         /* of one processor; of this computer, and not in the digest */
};

enum { PLAN_UNIT_COST = 3 << 20 }; /* of a unit: about a fifth of a second */

/* Method exact; `exhaustive`: every flip is a run of its own. */
void plan_make(const struct job_context *l, int structure, bool exhaustive, struct plan *out);
void plan_free(struct plan *p);
/* Of a program (ask.c): says how many runs of it there are at most, and how long they take. `bits`: that an exact
 * campaign decides. */
void avf_print_price(const struct campaign *c, int structure, const struct avf_options *opt,
                     const char *target, uint64_t flips, uint64_t bits);

/* Two plans with the same digest are the same. */
uint64_t plan_digest(const struct plan *p);

#endif
