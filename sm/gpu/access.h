/* access.h -- follows a machine tick by tick, and lists what it reads and writes (sm/hook.h); the words
 * and rows that accesses name, and the cells in them.
 *
 * Walk: a struct sm_watch follows one machine; sm_watch_tick() lets it work for a tick and lists
 * what that accessed. The values stand in the machine and in the commit record.
 */
#ifndef SM_ACCESS_H
#define SM_ACCESS_H

#include "gpu.h"
#include "sm/hook.h"

struct sm_watch {
    struct gpu *g;
    struct sm_commit c;   /* of the last tick */
    struct sm_hook *hook; /* of each SM */
    bool timed;
    uint64_t cycle; /* of the last tick */
    /* what this tick and later ones list happens after this cycle: an instruction under way
     * accesses nothing before it leaves Fetch */
    uint64_t settled;
};

/* Watches `g` from here on; exact for machines at the start of their job, else only for what is
 * written: instructions that are under way have left stages unseen. `places`: what to list, bits
 * UINT64_C(1) << SM_S_... `timed`: slot by slot, so that all cycles are exact; else those of reads are not, and
 * idle slots are passed at once. */
void sm_watch_start(struct sm_watch *w, struct gpu *g, uint64_t places, bool timed);
/* One tick, recorded in w->c; what it accessed replaces what the list held. */
void sm_watch_tick(struct sm_watch *w, struct sm_accesses *out);
void sm_watch_end(struct sm_watch *w);

/* Whether the accesses to a structure are listed at all. */
static inline bool sm_access_known(int structure)
{
    return sm_read_moment(structure) != READ_UNREPORTED;
}

/* What a commit of any machine found where structures are read in commits: words, the bits of them
 * that it took. How many. */
struct sm_commit_read {
    int structure;
    uint32_t unit, mask, value;
};
enum { SM_COMMIT_READS = 3 * SM_MAX_STACK_EVENTS };
int sm_commit_reads(const struct sm_image *img, const struct sm_commit *c,
                    struct sm_commit_read out[SM_COMMIT_READS]);

/* How many words, or rows, a structure has in an SM; in all. */
uint32_t sm_units(const struct sm_structure *s);
static inline uint32_t sm_all_units(const struct sm_structure *s)
{
    return sm_units(s) * (uint32_t)s->places;
}
/* Where a cell stands: its unit, its bit in masks (a lane in structures by rows), and the half of
 * the word. */
struct sm_unit_place {
    uint32_t unit, mask;
    uint8_t part;
};
struct sm_unit_place sm_unit_of(const struct sm_image *img, const struct sm_cell *cell);
/* The cell that has this bit of a unit's masks; by rows `index` is the lane and `bit` the bit of
 * its word, else the bit is `index` itself. */
struct sm_cell sm_unit_cell(const struct sm_image *img, int structure, uint32_t unit, int index,
                            int bit);
bool sm_access_covers(const struct sm_access *a, int structure, const struct sm_unit_place *p);

#endif
