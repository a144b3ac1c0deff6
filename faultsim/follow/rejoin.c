/* rejoin.c -- machines of copies that have diverged, and whose control is the fault-free one again: what
 * differs is data alone, and is followed without a machine from there.
 *
 * The control agrees at a checkpoint of the fault-free run, or some cycles earlier or later: the same warps have the
 * same masks, stacks and stages, and memory answers after the same time. Then the machine does what the fault-free
 * one does for as long as no difference decides otherwise, so many cycles apart.
 */
#include "base/search.h"
#include "internal.h"

enum { TRIES = 4, MOST_DELAY = 2000, MOST_ITEMS = 128 }; /* checkpoints; cycles */

static bool same_stacks(const struct sm *a, const struct sm *b)
{
    for (sm_mask left = b->s.live; left; left &= left - 1) {
        const struct sm_warp *x = &a->s.warp[mask_first(left)], *y = &b->s.warp[mask_first(left)];
        size_t n = y->sp;
        if (n > (size_t)b->img->profile.stack_entries ||
            memcmp(x->tm, y->tm, n * sizeof *x->tm) != 0 ||
            memcmp(x->spc, y->spc, n * sizeof *x->spc) != 0 || memcmp(x->id, y->id, n) != 0)
            return false;
    }
    return true;
}

static bool agrees(const struct gpu *m, const struct gpu *c)
{
    return retime_in_step(&m->sm[0], &c->sm[0]) && m->sm[0].s.slot == c->sm[0].s.slot &&
           same_stacks(&m->sm[0], &c->sm[0]) && gpu_in_phase(m, c) && gpu_chip_recurs(m, c);
}

/* On to where the control agrees with that of the checkpoint, and the cycles that this is late; false: it does not. */
static bool runs_to(struct runner *run, const struct gpu *c, uint64_t most_delay, int64_t *delay)
{
    struct gpu *m = dut_gpu(run->bad);
    const uint64_t at = gpu_cycles(c);
    if (gpu_cycles(m) + most_delay < at)
        dut_advance(run->bad, at - most_delay, true);
    while (!gpu_ended(m) && gpu_cycles(m) <= at + most_delay) {
        if (agrees(m, c)) {
            *delay = (int64_t)(gpu_cycles(m) - at);
            return true;
        }
        dut_tick(run->bad, NULL);
    }
    return false;
}

/* ---- what differs ---------------------------------------------------------------------------- */

static bool add_item(struct follow_passage *p, uint32_t instance, uint32_t number, int lane,
                     uint32_t value)
{
    FL_ROOM(p->item, p->items, p->room, 16);
    p->item[p->items++] = (struct follow_item){instance, number, (uint32_t)lane, value};
    return p->items <= MOST_ITEMS;
}

static bool add_words(struct follow_passage *p, const void *a, const void *b, uint32_t bytes,
                      uint32_t first)
{
    const uint8_t *x = a, *y = b;
    bool few = true;
    if (memcmp(x, y, bytes) == 0)
        return true;
    for (uint32_t at = 0; at < bytes && few; at += 4)
        if (memcmp(x + at, y + at, 4) != 0)
            few = add_item(p, FLOW_NONE, first + at / 4, 0, lanes_word(x + at));
    return few;
}

static bool add_warp(struct follow_passage *p, const struct sm *a, const struct sm *b, int wi,
                     uint32_t instance)
{
    const struct sm_warp *x = &a->s.warp[wi], *y = &b->s.warp[wi];
    bool few = true;
    for (uint32_t r = 0; r < y->regs; r++) {
        const uint32_t *v = register_row(a, x, r), *w = register_row(b, y, r);
        for (int l = 0; l < SM_LANES && few; l++)
            few = v[l] == w[l] || add_item(p, instance, r, l, v[l]);
    }
    for (uint32_t c = 0; c < 4; c++)
        for (int l = 0; l < SM_LANES && few; l++) {
            uint32_t v = sm_lane_flags(&x->cc[c], l);
            few = v == sm_lane_flags(&y->cc[c], l) || add_item(p, instance, PLACE_CC + c, l, v);
        }
    for (uint32_t i = 1; i < 5; i++)
        for (int l = 0; l < SM_LANES && few; l++)
            few = x->a[i][l] == y->a[i][l] || add_item(p, instance, PLACE_A + i, l, x->a[i][l]);
    return few;
}

/* A block that is there, in the record. */
static const struct run_block *block_of(const struct flow *f, const struct gpu *c, int slot)
{
    const struct sm_block *s = &c->sm[0].s.block[slot];
    const uint32_t number = s->y * f->img->launch[c->grid.launch].grid[0] + s->x;
    for (uint32_t b = f->nblocks; b-- > 0;)
        if (f->block[b].launch == c->grid.launch && f->block[b].number == number)
            return &f->block[b];
    return NULL;
}

static bool add_block(struct follower *l, struct follow_passage *p, const struct gpu *m,
                      const struct gpu *c, int slot)
{
    const struct sm *a = &m->sm[0], *b = &c->sm[0];
    const struct run_block *block = block_of(l->f, c, slot);
    if (!block || !add_words(p, a->s.shared + block->shared0, b->s.shared + block->shared0,
                             block->shared, block->word0))
        return false;
    for (uint32_t w = 0; w < block->warps; w++) {
        const int wi = block->warp0 + (int)w;
        const uint32_t instance = block->first_instance + w;
        const struct flow_instance *i = &l->f->instance[instance];
        const uint32_t local = l->g->img->kernel[i->kernel].local_bytes * SM_LANES;
        struct track t = {.instance = instance};
        const uint32_t first = p->items;
        if (!mask_has(b->s.live, wi))
            continue;
        if (!add_warp(p, a, b, wi, instance) || p->items - first > MAX_PLACES)
            return false;
        for (uint32_t k = first; k < p->items; k++)
            t.place[t.n++] = (struct place){.place = (uint8_t)p->item[k].number,
                                            .lane = (uint8_t)p->item[k].lane,
                                            .mask = lane_bit[p->bit]};
        t.at = FL_FIRST(e, 0, i->count, l->f->instance_event[i->first + e] >= p->from);
        if (follow_decides(l, &t, lane_bit[p->bit]))
            return false; /* what it takes has been settled with what differs */
        for (uint32_t at = 0; at < local; at += 4) {
            const uint32_t from = l->g->img->local_offset + (uint32_t)wi * local + at;
            const uint32_t v = lanes_word(sm_memory_at(&m->memory, from));
            if (v != lanes_word(sm_memory_at(&c->memory, from)) &&
                !add_item(p, FLOW_NONE, i->local + at / 4, 0, v))
                return false;
        }
    }
    return true;
}

static bool add_all(struct follower *l, struct follow_passage *p, const struct gpu *m,
                    const struct gpu *c)
{
    bool few = true;
    for (int i = 0; i < SM_MAX_BLOCKS && few; i++)
        few = !c->sm[0].s.block[i].live || add_block(l, p, m, c, i);
    for (uint32_t page = 0; page * SM_PAGE < l->g->img->const_offset && few; page++)
        if (m->memory.page[page] != c->memory.page[page])
            few = add_words(p, m->memory.page[page], c->memory.page[page], SM_PAGE,
                            page * (SM_PAGE / 4));
    return few;
}

bool follow_rejoin(struct follower *l, uint32_t event, int v)
{
    const struct flow *f = l->f;
    const struct golden *g = l->g;
    struct follow_passage *p = &l->back[v];
    if (g->img->sms > 1 || g->img->caches.any || l->subject.held || !l->returns)
        return false;
    for (int i = FL_FIRST(k, 0, g->ncheckpoints,
                          g->checkpoint_cycle[k] > f->event[event].cycle + 1),
             tries = 0;
         i < g->ncheckpoints && tries < TRIES && !gpu_ended(dut_gpu(l->run->bad)); i++, tries++) {
        const struct gpu *c = g->checkpoint[i];
        const uint64_t step = i ? g->checkpoint_cycle[i] - g->checkpoint_cycle[i - 1] : 0;
        int64_t delay;
        if (!runs_to(l->run, c, step / 2 < MOST_DELAY ? step / 2 : MOST_DELAY, &delay) ||
            (delay && f->clock))
            continue;
        p->items = 0;
        p->row = l->subject.row;
        p->lane = l->subject.lane;
        p->bit = (uint32_t)v;
        p->started = true;
        p->late = delay != 0;
        p->diverged = p->left_behind = true;
        p->delay = delay;
        p->from = FL_FIRST(e, 0, f->nevents, f->event[e].cycle >= gpu_cycles(c) - 1);
        for (int k = 0; k < STALE_KINDS; k++) /* what is left where nobody is now */
            p->forgot[k] = f->before + p->from;
        if (p->from < f->nevents && add_all(l, p, dut_gpu(l->run->bad), c)) {
            l->returned |= lane_bit[v];
            l->returns--;
            return true;
        }
    }
    return false;
}
