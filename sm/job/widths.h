/* widths.h -- how many bits the RTL has for what a profile counts: rtlcfg writes them into its
 * package, sm/registers.def lists the registers by them.
 *
 * As many as are needed, and no fewer than the RTL of the G80 has: so smaller machines have the same
 * registers, and the ids of their bits are the same.
 */
#ifndef WIDTHS_H
#define WIDTHS_H

#include "profile.h"

/* Bits that tell `n` numbers apart, `least` of them at least. */
static inline int width_of(int n, int least)
{
    while (1 << least < n)
        least++;
    return least;
}

/* A warp slot; slots, and where a block behind the last one would end. */
static inline int width_warp(const struct profile *p)
{
    return width_of(p->warps, 5);
}

static inline int width_warp_count(const struct profile *p)
{
    return width_of(p->warps + SM_MAX_BLOCK_WARPS + 1, 6);
}

/* A row of 32 registers; rows. */
static inline int width_row(const struct profile *p)
{
    return width_of(p->regs / SM_LANES, 8);
}

static inline int width_row_count(const struct profile *p)
{
    return width_of(p->regs / SM_LANES + 1, 9);
}

/* An address in shared memory; bytes of it. */
static inline int width_shared_addr(const struct profile *p)
{
    return width_of(p->shared_bytes, 14);
}

static inline int width_shared(const struct profile *p)
{
    return width_of(p->shared_bytes + 1, 15);
}

/* A resident block. */
static inline int width_slot(const struct profile *p)
{
    return width_of(p->blocks_per_sm, 3);
}

/* A place in the memory queue; how many are taken. */
static inline int width_place(const struct profile *p)
{
    return width_of(profile_queue(p), 5);
}

static inline int width_place_count(const struct profile *p)
{
    return width_of(profile_queue(p) + 1, 6);
}

#endif
