/* residence.c -- notes launches, blocks and live warps of a run. See residence.h. */
#include "residence.h"

#include <stdlib.h>

struct residence *residence_new(const struct sm_image *img)
{
    struct residence *r = fl_alloc(sizeof *r);
    r->img = img;
    r->launch = fl_alloc((size_t)img->nlaunches * sizeof *r->launch);
    r->open = fl_alloc((size_t)img->sms * sizeof *r->open);
    r->warps = fl_alloc((size_t)img->sms * sizeof *r->warps);
    return r;
}

void residence_free(struct residence *r)
{
    if (!r)
        return;
    free(r->block);
    free(r->launch);
    free(r->live);
    free(r->open);
    free(r->warps);
    free(r);
}

static void note_block(struct residence *r, const struct gpu *m, int sm, const struct sm_commit *c)
{
    const struct sm_block *b = &m->sm[sm].s.block[c->started];
    FL_ROOM(r->block, r->nblocks, r->block_room, 64);
    r->open[sm][c->started] = (int32_t)r->nblocks;
    r->block[r->nblocks++] = (struct run_block){
        .sm = sm,
        .from = c->cycle + 1,
        .to = UINT64_MAX,
        .launch = m->grid.launch,
        .number = b->y * m->img->launch[m->grid.launch].grid[0] + b->x,
        .warp0 = b->warp0,
        .warps = b->warps,
        .reg0 = b->reg0,
        .regs = b->regs,
        .shared0 = b->shared0,
        .shared = b->shared,
        .slot = (uint8_t)c->started};
}

void residence_tick(struct residence *r, const struct gpu *m, int sm, const struct sm_commit *c,
                    int block, uint32_t launch, uint64_t cycle)
{
    const struct sm_state *s = &m->sm[sm].s;
    uint32_t own = (uint32_t)mask_count(s->live), live;
    /* the slot may have a new block already */
    if ((c->kind == COMMIT_INSTRUCTION || c->kind == COMMIT_UNWIND) && c->ended &&
        (!s->block[block].live || c->started == block))
        r->block[r->open[sm][block]].to = cycle + 1;
    if (c->started >= 0)
        note_block(r, m, sm, c);
    for (uint32_t l = launch; l < m->grid.launch; l++) /* passes that did not happen last no time */
        r->launch[l].to = r->launch[l + 1].from = cycle + 1;
    live = r->all_warps += own - r->warps[sm];
    r->warps[sm] = own;
    if (!r->nlive || r->live[r->nlive - 1].warps != live) {
        FL_ROOM(r->live, r->nlive, r->live_room, 64);
        r->live[r->nlive++] = (struct run_live){cycle + 1, live};
    }
    uint64_t passed = s->next - 1 - cycle;
    r->launch[launch].warp_cycles += passed < UINT32_MAX ? own * passed : 0;
}

void residence_end(struct residence *r, uint64_t cycles)
{
    r->cycles = cycles;
    r->launch[r->img->nlaunches - 1].to = cycles;
    for (uint32_t b = 0; b < r->nblocks; b++)
        if (r->block[b].to > cycles)
            r->block[b].to = cycles;
}

/* ---- asking ---------------------------------------------------------------------------------- */

uint64_t residence_warp_cycles(const struct residence *r, uint64_t from, uint64_t to)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < r->nlive; i++) {
        uint64_t a = r->live[i].from, b = i + 1 < r->nlive ? r->live[i + 1].from : r->cycles;
        a = a > from ? a : from;
        b = b < to ? b : to;
        if (a < b)
            sum += (b - a) * r->live[i].warps;
    }
    return sum;
}

bool residence_has_owners(const struct residence *r, int structure)
{
    struct sm_structure s;
    sm_structure_get(r->img, structure, &s);
    return s.owner != OWNER_MACHINE;
}

struct run_span residence_span(const struct residence *r, int structure, const struct run_block *b)
{
    const struct sm_image *img = r->img;
    uint32_t local = img->kernel[img->launch[b->launch].kernel].local_bytes / 4 * SM_LANES;
    struct sm_structure s;
    sm_structure_get(img, structure, &s);
    uint32_t units = sm_units(&s), first = (uint32_t)b->sm * units, per_slot;
    uint64_t bits = (uint64_t)sm_structure_bits(&s);
    switch (s.owner) {
    case OWNER_REGISTERS:
        return (struct run_span){first + b->reg0 / (uint32_t)SM_LANES, b->regs / (uint32_t)SM_LANES,
                                 32ull * b->regs};
    case OWNER_SHARED:
        return (struct run_span){first + b->shared0 / 4, b->shared / 4,
                                 b->shared / 4 * (uint64_t)s.field[0].bits};
    case OWNER_LOCAL:
        return (struct run_span){first + b->warp0 * local, b->warps * local,
                                 32ull * b->warps * local};
    case OWNER_BLOCK:
        per_slot = units / (uint32_t)img->profile.blocks_per_sm;
        return (struct run_span){first + b->slot * per_slot, per_slot,
                                 bits / (uint32_t)img->profile.blocks_per_sm};
    case OWNER_WARP:
        per_slot = units / (uint32_t)img->profile.warps;
        return (struct run_span){first + b->warp0 * per_slot, b->warps * per_slot,
                                 bits / (uint32_t)img->profile.warps * b->warps};
    default: return (struct run_span){0};
    }
}

bool residence_owned(const struct residence *r, const struct sm_cell *cell, uint64_t from,
                     uint64_t to)
{
    uint32_t unit = sm_unit_of(r->img, cell).unit;
    if (!residence_has_owners(r, cell->structure))
        return true;
    for (uint32_t b = 0; b < r->nblocks && r->block[b].from <= to; b++) {
        struct run_span s = residence_span(r, cell->structure, &r->block[b]);
        if (from < r->block[b].to && unit - s.first < s.count)
            return true;
    }
    return false;
}
