/* block.c -- the blocks of an SM: gives them warps, registers and shared memory, ends them, keeps
 * their barriers.
 *
 * Blocks start in the order in which the port hands them out, at most one in a slot, in the lowest free contiguous warp slots, registers
 * and shared memory. A start writes $r0, the header and the parameters in s[], and the warps'
 * control state; everything else keeps what the last block left there.
 */
#include "internal.h"

struct span {
    uint32_t start, size;
};

/* Lowest gap of `need` below `limit` between at most SM_MAX_BLOCKS spans; -1 when there is none. */
static int64_t lowest_gap(const struct span *used, int n, uint32_t need, uint32_t limit)
{
    uint32_t at = 0;
    for (bool moved = true; moved;) {
        moved = false;
        for (int i = 0; i < n; i++) {
            if (used[i].size && at < used[i].start + used[i].size && used[i].start < at + need) {
                at = used[i].start + used[i].size;
                moved = true;
            }
        }
    }
    return (uint64_t)at + need <= limit ? (int64_t)at : -1;
}

static void start_warp(struct sm *m, const struct sm_launch *l, int b, int index)
{
    struct sm_block *blk = &m->s.block[b];
    struct sm_warp *w = &m->s.warp[blk->warp0 + index];
    const struct sm_kernel *k = &m->img->kernel[l->kernel];
    uint32_t first = (uint32_t)index * SM_LANES;
    int threads = l->threads - (int)first;
    w->pc = 0;
    w->active = threads >= SM_LANES ? ~0u : (1u << threads) - 1;
    w->ts[0] = w->ts[1] = ~w->active; /* lanes without a thread: exited */
    m->s.live |= mask_of(blk->warp0 + index);
    w->block = (int8_t)b;
    w->regs = (uint16_t)k->regs;
    w->reg_base = (uint16_t)((int)blk->reg0 + index * SM_LANES * k->regs);
    w->sp = 0;
    if (k->regs)
        lanes_merge(&m->s.rf[w->reg_base], l->r0 + first, w->active);
}

/* What the warps of a block and its shared memory begin with. */
static void report_start(struct sm *m, const struct sm_launch *l, int slot)
{
    struct sm_hook *k = m->hook;
    const struct sm_block *b = &m->s.block[slot];
    for (uint32_t i = b->warp0; i < (uint32_t)b->warp0 + b->warps; i++) {
        const struct sm_warp *w = &m->s.warp[i];
        sm_report_word(k, SM_S_pc, i, k->cycle, true, ~0u);
        sm_report_word(k, SM_S_mask, i, k->cycle, true, ~0u);
        sm_report_word(k, SM_S_dsp, i, k->cycle, true, ~0u);
        sm_report_word(k, SM_S_tstate, 2 * i, k->cycle, true, ~0u);
        sm_report_word(k, SM_S_tstate, 2 * i + 1, k->cycle, true, ~0u);
        sm_report_row(m, w, 0, k->cycle, true, w->active, ACCESS_WHOLE);
    }
    sm_report_bytes(k, SM_S_shared, b->shared0, l->params_end, k->cycle, true);
    for (int i = 0; i < m->img->profile.barriers; i++)
        sm_report_arrivals(m, slot, (uint32_t)i, true);
    for (uint32_t i = 0; profile_has_locks(&m->img->profile) && i < b->shared / 4; i++)
        sm_report_word(k, SM_S_lock, b->shared0 / 4 + i, k->cycle, true, 1);
}

/* Is there a block to start, now or when there is room for it? */
static bool block_waits(const struct sm *m)
{
    struct sm_order o;
    return m->port.next_block(m->port.chip, m->port.number, &o);
}

/* Starts the next block if there is room for it. */
void block_start(struct sm *m)
{
    struct sm_state *s = &m->s;
    struct sm_order o;
    s->try_block = 0; /* until a block ends */
    if (!m->port.next_block(m->port.chip, m->port.number, &o))
        return;
    const struct sm_launch *l = &m->img->launch[o.launch];
    const struct profile *p = &m->img->profile;
    struct span warps[SM_MAX_BLOCKS], regs[SM_MAX_BLOCKS], shared[SM_MAX_BLOCKS];
    int n = 0, slot = -1, threads = 0;
    for (int i = 0; i < p->blocks_per_sm; i++) {
        const struct sm_block *b = &s->block[i];
        if (!b->live) {
            slot = slot < 0 ? i : slot;
            continue;
        }
        warps[n] = (struct span){b->warp0, b->warps};
        regs[n] = (struct span){b->reg0, b->regs};
        shared[n] = (struct span){b->shared0, b->shared};
        threads += l->threads; /* all resident blocks are of this launch */
        n++;
    }
    int64_t w0 = lowest_gap(warps, n, (uint32_t)l->warps, (uint32_t)p->warps);
    int64_t r0 = lowest_gap(regs, n, (uint32_t)l->regs, (uint32_t)p->regs);
    int64_t s0 = lowest_gap(shared, n, l->shared, (uint32_t)p->shared_bytes);
    if (slot < 0 || w0 < 0 || r0 < 0 || s0 < 0 || threads + l->threads > p->threads_per_sm)
        return;
    struct sm_block *b = &s->block[slot];
    uint32_t x = o.block % l->grid[0], y = o.block / l->grid[0];
    s->launch = o.launch;
    m->kernel = &m->img->kernel[l->kernel];
    *b = (struct sm_block){.live = 1,
                           .warp0 = (uint8_t)w0,
                           .warps = (uint8_t)l->warps,
                           .reg0 = (uint32_t)r0,
                           .regs = (uint32_t)l->regs,
                           .shared0 = (uint32_t)s0,
                           .shared = l->shared,
                           .x = x,
                           .y = y};
    uint16_t header[8] = {
        (uint16_t)s->launch,  (uint16_t)l->block[0], (uint16_t)l->block[1], (uint16_t)l->block[2],
        (uint16_t)l->grid[0], (uint16_t)l->grid[1],  (uint16_t)x,           (uint16_t)y};
    if (profile_has_locks(p))
        memset(&s->lock[b->shared0 / 4], 0, b->shared / 4);
    memcpy(&s->shared[b->shared0], header, sizeof header);
    memcpy(&s->shared[b->shared0 + sizeof header], l->params + sizeof header,
           l->params_end - sizeof header);
    for (int i = 0; i < l->warps; i++)
        start_warp(m, l, slot, i);
    if (sm_hooked(m))
        report_start(m, l, slot);
    m->port.take_block(m->port.chip, m->port.number);
    s->try_block = block_waits(m);
    if (m->record) {
        m->record->started = slot;
        if (m->record->kind ==
            COMMIT_NONE) /* else the record's launch is that of the instruction */
            m->record->launch = s->launch;
    }
}

/* A barrier opens when every warp of the block has arrived or ended; the arrivals of that barrier
 * start anew. */
static void open_barrier(struct sm *m, struct sm_block *b, int barrier)
{
    struct sm_warp *w = &m->s.warp[b->warp0];
    sm_mask live = m->s.live >> b->warp0 & mask_below(b->warps);
    if (live & ~b->arrived[barrier])
        return;
    b->arrived[barrier] = 0;
    for (int i = 0; i < b->warps; i++)
        if (w[i].barrier == barrier)
            m->s.waiting &= ~mask_of(b->warp0 + i);
}

void block_barrier(struct sm *m, int wi, int barrier, bool arrive, bool wait)
{
    struct sm_warp *w = &m->s.warp[wi];
    struct sm_block *b = &m->s.block[w->block];
    if (sm_hooked(m))
        sm_report_arrivals(m, w->block, (uint32_t)barrier, false);
    if (arrive)
        b->arrived[barrier] |= mask_of(wi - b->warp0);
    if (wait) {
        w->barrier = (uint8_t)barrier;
        m->s.waiting |= mask_of(wi);
    }
    open_barrier(m, b, barrier);
}

void block_warp_ended(struct sm *m, int wi)
{
    struct sm_state *s = &m->s;
    struct sm_warp *w = &s->warp[wi];
    struct sm_block *b = &s->block[w->block];
    s->live &= ~mask_of(wi);
    b->ended++;
    for (int i = 0; sm_hooked(m) && i < m->img->profile.barriers; i++)
        sm_report_arrivals(m, w->block, (uint32_t)i, false);
    if (b->ended < b->warps) {
        for (int i = 0; i < m->img->profile.barriers; i++)
            if (b->arrived[i])
                open_barrier(m, b, i);
        return;
    }
    b->live = 0;
    if (m->port.end_block(m->port.chip, m->port.number,
                          b->x + b->y * m->img->launch[s->launch].grid[0]))
        s->try_block = block_waits(m);
    else
        s->over = 1;
}
