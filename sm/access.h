/* access.h -- who reads and writes which cells, and when: one list for everything that watches a
 * run.
 *
 * An access is a word of a structure (a field of an element, or, where 32 lanes stand in a row, a
 * whole row), the bits or lanes of it that matter, and a cycle. What an executed instruction, a
 * further pop of it and the machine's own events (fetch, the start of a block) access is listed
 * here and nowhere else; what they do stands in exec.c.
 *
 * A read's cycle is the last one whose flip it still sees: operands are taken at the end of Read,
 * words at the end of Fetch, constants at the end of Execute, shared memory in the first cycle of
 * Write-back, the rest in its last cycle. A write's cycle is the last one whose flip it erases.
 * More reads than there are may be listed, never fewer.
 *
 * Walk: a struct sm_watch follows one machine; sm_watch_tick() lets it work for a tick and lists
 * what that accessed. The values stand in the machine and in the commit record.
 */
#ifndef SM_ACCESS_H
#define SM_ACCESS_H

#include "sm/gpu/gpu.h"
#include "structures.h"

enum { ACCESS_WHOLE = 3, ACCESS_LOW_HALF = 1, ACCESS_HIGH_HALF = 2 };

/* Beside all structures: global memory, in 32-bit words from JOB_BASE on. */
enum { SM_S_global = SM_ALL_STRUCTURES, SM_PLACES };
_Static_assert(SM_PLACES <= 64, "struct sm_watch has a bit for each place");

struct sm_access {
    uint64_t cycle;
    uint32_t unit; /* word, or row, of the structure */
    uint32_t mask; /* bits of the word; in a structure by rows: lanes */
    uint8_t structure;
    bool write;
    /* by rows: which half of each lane's word */
    uint8_t part;
    /* whether the instruction at hand does it; else the machine: a fetch, the start of a block */
    bool instruction;
};

struct sm_accesses { /* zero-initialise; free `access` */
    struct sm_access *access;
    uint32_t count, room;
};

struct sm_watch {
    struct gpu *g;
    struct sm_commit c; /* of the last tick */
    uint64_t places;
    bool timed;
    /* of the instruction each warp has in the pipeline: the cycles in which it left Fetch, Decode,
     * Read and Execute */
    uint64_t fetched[SM_MAX_WARPS], decoded[SM_MAX_WARPS], read[SM_MAX_WARPS],
        executed[SM_MAX_WARPS];
    sm_mask flying; /* warps with an instruction behind Fetch */
    /* of the last tick: its last cycle, the first one of the slot that it ended, the launch that
     * ran in it */
    uint64_t cycle, slot;
    uint32_t launch;
    /* of the warp that committed */
    int block;
    uint32_t shared0, shared;
    /* what this tick and later ones list happens after this cycle: an instruction under way
     * accesses nothing before it leaves Fetch */
    uint64_t settled;
    struct sm_accesses *out;
    bool instruction;
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
bool sm_access_known(int structure);

/* How many words, or rows, a structure has. */
uint32_t sm_units(const struct sm_structure *s);
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

/* The warp whose instruction has taken the cell as an operand, or another one beside it, and has
 * had no effect yet: a flip at the start of `cycle`, where `g` stands, is not seen by it and waits
 * until it has left. Else NO_WARP. */
int sm_taken_by(struct gpu *g, const struct sm_cell *cell, uint64_t cycle);

#endif
