/* residence.h -- which launch runs when, which blocks are resident, and what of the machine is theirs.
 */
#ifndef RESIDENCE_H
#define RESIDENCE_H

#include "sm/gpu/access.h"

struct run_block { /* in order of `from` */
    int sm;
    /* Cycles [from, to): it starts in the cycle before, and its last warp ends in the last of them. */
    uint64_t from, to;
    uint32_t launch, number;
    uint16_t warp0, warps;
    uint32_t reg0, regs;
    uint32_t shared0, shared;
    uint8_t slot;
    /* in the data flow (flow.h), where that is: its first warp instance and first shared word */
    uint32_t first_instance, word0;
};

struct run_launch {
    uint64_t from, to;    /* cycles [from, to); they tile the job */
    uint64_t warp_cycles; /* cycles x resident warps with threads left */
};

struct run_live { /* so many resident warps have threads left, from this cycle on */
    uint64_t from;
    uint32_t warps;
};

struct residence {
    const struct sm_image *img;
    uint64_t cycles; /* of the job */
    struct run_block *block;
    uint32_t nblocks, block_room;
    struct run_launch *launch; /* [img->nlaunches] */
    struct run_live *live;
    uint32_t nlive, live_room;
    /* while the run is noted: of each slot of each SM the index in `block`; warps with threads left */
    int32_t (*open)[SM_MAX_BLOCKS];
    uint32_t *warps, all_warps;
};

struct residence *residence_new(const struct sm_image *img);
void residence_free(struct residence *r);
/* A tick of a run from its beginning, of SM `sm`. `block`, `launch`, `cycle`: of its warp in Write-back, of the
 * chip and of the machine before it. */
void residence_tick(struct residence *r, const struct gpu *m, int sm, const struct sm_commit *c,
                    int block, uint32_t launch, uint64_t cycle);
void residence_end(struct residence *r, uint64_t cycles);

/* Cycles x resident warps with threads left, in cycles [from, to). */
uint64_t residence_warp_cycles(const struct residence *r, uint64_t from, uint64_t to);
/* Structures without owners belong to the machine at all times. */
bool residence_has_owners(const struct residence *r, int structure);
/* The units that a block owns of a structure, as up to one span [first, first + count), and how
 * many bits these are. */
struct run_span {
    uint32_t first, count;
    uint64_t bits;
};
struct run_span residence_span(const struct residence *r, int structure,
                               const struct run_block *block);
/* Does the cell belong to a resident block (or live warp) in one of the cycles from .. to?
 * Structures without owners always do. */
bool residence_owned(const struct residence *r, const struct sm_cell *cell, uint64_t from,
                     uint64_t to);

#endif
