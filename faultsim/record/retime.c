/* retime.c -- runs of the fault-free machine with other delays. See retime.h. */
#include "retime_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/search.h"

enum { ORDER_EVENTS = 1 << 25, MAX_KEPT = 1 << 20 };

/* The first event that is not before `cycle`. */
static uint32_t event_from(const struct flow *f, uint64_t cycle)
{
    return FL_FIRST(i, 0, f->nevents, f->event[i].cycle >= cycle);
}

/* Blocks that run, by the number that they have in their launch. */
static void index_blocks(struct retiming *p)
{
    const struct sm_image *img = p->g->img;
    uint32_t blocks = 0;
    p->launch_block = fl_alloc((size_t)img->nlaunches * sizeof *p->launch_block);
    for (int i = 0; i < img->nlaunches; i++) {
        p->launch_block[i] = blocks;
        blocks += img->launch[i].blocks;
    }
    p->block_of = fl_alloc((blocks + 1) * sizeof *p->block_of);
    memset(p->block_of, 0xff, (blocks + 1) * sizeof *p->block_of);
    for (uint32_t b = 0; b < p->f->nblocks; b++)
        p->block_of[p->launch_block[p->f->block[b].launch] + p->f->block[b].number] = b;
}

struct retiming *retime_new(const struct golden *g)
{
    struct retiming *p = fl_alloc(sizeof *p);
    p->g = g;
    p->f = g->flow;
    uint32_t orders = ORDER_EVENTS / (p->f->nevents + 1);
    p->orders = orders > ORDERS ? ORDERS : orders < 2 ? 2 : (int)orders;
    p->snapshots = g->img->sms > SNAPSHOTS / 4 ? 4 : SNAPSHOTS / g->img->sms;
    p->golden = gpu_new(g->img);
    p->m = gpu_new(g->img);
    p->mark = fl_alloc((size_t)g->ncheckpoints * sizeof *p->mark);
    for (int i = 0; i < g->ncheckpoints; i++)
        p->mark[i] = event_from(p->f, gpu_cycles(g->checkpoint[i]) - 1);
    p->slots = fl_alloc((size_t)g->img->sms * sizeof *p->slots);
    p->asker = fl_alloc((size_t)g->img->sms * sizeof *p->asker);
    for (int i = 0; i < g->img->sms; i++)
        p->asker[i] = (struct asker){p, &p->slots[i]};
    index_blocks(p);
    p->lone = lone_new(g);
    if (p->lone)
        p->time = fl_alloc((size_t)p->f->nevents * sizeof *p->time + 1);
    return p;
}

static void forget(struct retiming *p)
{
    for (int i = 0; i < BUCKETS; i++)
        for (struct retime_run *r = p->bucket[i], *next; r; r = next) {
            next = r->next;
            free(r->cost);
            free(r);
        }
    memset(p->bucket, 0, sizeof p->bucket);
    for (int i = 0; i < ORDERS; i++)
        p->order[i].of = NULL;
    for (int i = 0; i < SNAPSHOTS; i++)
        p->snapshot[i].of = NULL;
    p->kept = 0;
}

void retime_free(struct retiming *p)
{
    if (!p)
        return;
    forget(p);
    for (int i = 0; i < ORDERS; i++)
        free(p->order[i].at);
    for (int i = 0; i < SNAPSHOTS; i++)
        gpu_free(p->snapshot[i].m), free(p->snapshot[i].slots);
    free(p->mark);
    free(p->slots);
    free(p->asker);
    free(p->launch_block);
    free(p->block_of);
    free(p->time);
    lone_free(p->lone);
    gpu_free(p->golden);
    gpu_free(p->m);
    free(p);
}

void retime_statistics(const struct retiming *p, uint64_t *replays, uint64_t *replayed)
{
    *replays += p->replays;
    *replayed += p->replayed;
}

/* ---- one run --------------------------------------------------------------------------------- */

static uint32_t ask(void *context, int warp, uint32_t cost)
{
    const struct asker *a = context;
    const struct retiming *p = a->p;
    uint32_t event = retime_event(a->p, (int)(a->slots - p->slots), warp);
    uint32_t at = FL_FIRST(i, 0, p->n, p->cost[i].event >= event);
    return at < p->n && p->cost[at].event == event ? p->cost[at].cost : cost;
}

void retime_ask(struct retiming *p, struct gpu *m, int sm)
{
    m->sm[sm].retime = ask;
    m->sm[sm].retime_context = &p->asker[sm];
}

static void adopt(struct retiming *p, uint32_t block, uint32_t from)
{
    const struct flow *f = p->f;
    const struct run_block *b = &f->block[block];
    struct retime_slots *s = &p->slots[b->sm];
    for (uint32_t i = 0; i < b->warps; i++) {
        const struct flow_instance *l = &f->instance[b->first_instance + i];
        s->instance[b->warp0 + i] = b->first_instance + i;
        s->at[b->warp0 + i] = FL_FIRST(e, 0, l->count, f->instance_event[l->first + e] >= from);
    }
}

uint64_t retime_start(const struct retiming *p, uint32_t stop)
{
    const struct flow *f = p->f;
    uint64_t cycle = stop == FLOW_NONE ? UINT64_MAX : f->event[stop].cycle;
    for (uint32_t i = 0; i < p->n; i++) { /* the first one can have been fetched then */
        const struct flow_event *e = &f->event[p->cost[i].event];
        const struct flow_instance *l = &f->instance[e->instance];
        uint64_t c = e->at ? f->event[f->instance_event[l->first + e->at - 1]].cycle + 1
                           : f->block[l->block].from;
        cycle = c < cycle ? c : cycle;
    }
    return cycle;
}

void retime_adopt(struct retiming *p, int sm, uint64_t cycle, uint32_t from)
{
    const struct flow *f = p->f;
    uint32_t missing = 0;
    for (int k = 0; k < p->m->sms; k++)
        for (int i = 0; (sm < 0 || sm == k) && i < SM_MAX_BLOCKS; i++)
            missing += p->m->sm[k].s.block[i].live;
    for (uint32_t b = FL_FIRST(i, 0, f->nblocks, f->block[i].from > cycle); b-- > 0 && missing;) {
        if (f->block[b].to <= cycle || (sm >= 0 && f->block[b].sm != sm))
            continue;
        adopt(p, b, from);
        missing--;
    }
}

/* The machine as the golden run has it at the start; the first event that comes then. */
static uint32_t begin(struct retiming *p, uint32_t stop)
{
    uint64_t cycle = retime_start(p, stop);
    uint32_t lo = event_from(p->f, cycle);
    golden_seek(p->g, p->golden, cycle);
    gpu_copy(p->m, p->golden);
    retime_adopt(p, -1, cycle, lo);
    return lo;
}

uint32_t retime_event(struct retiming *p, int sm, int warp)
{
    const struct retime_slots *s = &p->slots[sm];
    const struct flow_instance *l = &p->f->instance[s->instance[warp]];
    return s->at[warp] < l->count ? p->f->instance_event[l->first + s->at[warp]] : FLOW_NONE;
}

bool retime_started(struct retiming *p, const struct gpu *m, int sm)
{
    const struct flow *f = p->f;
    const struct sm_launch *l = &m->img->launch[m->grid.launch];
    bool fixed = m->img->profile.blocks == BLOCKS_FIXED;
    uint32_t number = fixed ? (m->grid.taken[sm] - 1) * (uint32_t)m->sms + (uint32_t)sm
                            : m->grid.next_block - 1,
             block = p->block_of[p->launch_block[m->grid.launch] + number];
    if (block == FLOW_NONE)
        return false;
    const struct run_block *b = &f->block[block];
    for (int i = 0; i < SM_MAX_BLOCKS; i++) {
        const struct sm_block *s = &m->sm[sm].s.block[i];
        if (!s->live || s->y * l->grid[0] + s->x != number)
            continue;
        bool same = sm == b->sm && i == b->slot && s->warp0 == b->warp0 && s->reg0 == b->reg0 &&
                    s->shared0 == b->shared0;
        if (!same && (f->uninitialised || f->physid))
            return false;
        for (uint32_t w = 0; w < b->warps; w++) {
            p->slots[sm].instance[s->warp0 + w] = b->first_instance + w;
            p->slots[sm].at[s->warp0 + w] = 0;
        }
        return true;
    }
    return false;
}

/* Of the pairs whose second event is one of [from, to). */
static bool in_order(const struct flow *f, const uint32_t *order, uint32_t from, uint32_t to)
{
    uint32_t at = FL_FIRST(i, 0, f->npairs, f->pair[i].second >= from), wrong = 0;
    for (; at < f->npairs && f->pair[at].second < to; at++)
        wrong |= order[f->pair[at].first] > order[f->pair[at].second];
    return !wrong;
}

/* Cycles from now until `t`, 0 when it has passed. */
static uint64_t ahead(uint64_t now, uint64_t t)
{
    return t > now ? t - now : 0;
}

bool retime_in_step(const struct sm *a, const struct sm *b)
{
    const struct sm_state *x = &a->s, *y = &b->s;
    size_t from = offsetof(struct sm_state, trap), to = offsetof(struct sm_state, nrequests);
    if (memcmp((const char *)x + from, (const char *)y + from, to - from) != 0 ||
        x->nrequests != y->nrequests)
        return false;
    for (int i = 0; i < x->nrequests; i++)
        if (x->request[i].warp != y->request[i].warp ||
            ahead(x->next, x->request[i].ready) != ahead(y->next, y->request[i].ready))
            return false;
    for (int i = 0; i < a->img->warps_used; i++)
        if (mask_has(x->live, i) &&
            memcmp(&x->warp[i], &y->warp[i], offsetof(struct sm_warp, tm)) != 0)
            return false;
    return memcmp(x->block, y->block, (size_t)a->img->blocks_used * sizeof *x->block) == 0;
}

/* The same of all SMs, some cycles apart. */
static bool in_step(const struct gpu *a, const struct gpu *b)
{
    for (int i = 0; i < a->sms; i++)
        if (!retime_in_step(&a->sm[i], &b->sm[i]))
            return false;
    return gpu_in_phase(a, b) && gpu_chip_recurs(a, b);
}

/* At the event of a checkpoint: does the golden run tell the rest from here on? */
static bool rejoins(struct retiming *p, struct retime_run *r, uint32_t next, uint32_t *order)
{
    const struct golden *g = p->g;
    const struct gpu *m = p->m;
    int at = FL_FIRST(i, 0, g->ncheckpoints, p->mark[i] >= next);
    for (; at < g->ncheckpoints && p->mark[at] == next; at++) {
        const struct gpu *c = g->checkpoint[at];
        if (!in_step(m, c))
            continue;
        uint64_t end = r->stop == FLOW_NONE ? g->cycles : p->f->event[r->stop].cycle;
        r->cycle = end + gpu_cycles(m) - gpu_cycles(c);
        for (uint32_t e = next; e < p->f->nevents; e++)
            order[e] = e;
        return true;
    }
    return false;
}

uint32_t retime_taken(const struct gpu *m, int sm)
{
    return m->img->profile.blocks == BLOCKS_FIXED ? m->grid.taken[sm] : m->grid.next_block;
}

/* `whole`: the machine need not be at `stop` afterwards. */
static void replay(struct retiming *p, struct retime_run *r, uint32_t *order, bool whole)
{
    const struct flow *f = p->f;
    struct gpu *m = p->m;
    p->cost = r->cost;
    p->n = r->n;
    r->good = retime_start(p, r->stop) + 1 >= p->g->checkpoint_cycle[0];
    if (!r->good) /* before the segment that is known */
        return;
    uint32_t from = begin(p, r->stop), next = from;
    uint32_t last = r->n ? r->cost[r->n - 1].event : 0, latest = from ? from - 1 : 0;
    uint64_t limit = 2 * p->g->cycles;
    bool joined = false;
    for (uint32_t e = 0; e < from; e++)
        order[e] = e;
    memset(order + from, 0xff, (f->nevents - from) * sizeof *order);
    for (int i = 0; i < m->sms; i++)
        retime_ask(p, m, i);
    p->replays++;
    while (r->good && !gpu_ended(m)) {
        int turn = gpu_turn(m), w = m->sm[turn].s.stage[STAGE_W];
        if (m->sm[turn].s.next > limit)
            break;
        uint32_t blocks = retime_taken(m, turn), launch = m->grid.launch;
        if (w != NO_WARP) {
            uint32_t event = retime_event(p, turn, w);
            if (event == FLOW_NONE) {
                r->good = false;
                break;
            }
            p->slots[turn].at[w]++;
            order[event] = next++;
            latest = event > latest ? event : latest;
            if (event == r->stop) {
                r->cycle = m->sm[turn].s.next - 1;
                break;
            }
        }
        gpu_tick_turn(m, turn);
        for (; (m->grid.launch != launch || m->grid.done) && next < f->nevents &&
               flow_by_host(&f->event[next]);
             latest = next++)
            order[next] = next;
        if ((retime_taken(m, turn) != blocks || m->grid.launch != launch) && retime_taken(m, turn))
            r->good = retime_started(p, m, turn);
        /* everything up to the latest event has come, and the last cost is behind */
        if (r->good && whole && latest + 1 == next && latest >= last && !gpu_ended(m) &&
            (joined = rejoins(p, r, next, order)))
            break;
    }
    for (int i = 0; i < m->sms; i++)
        m->sm[i].retime = NULL;
    p->replayed += next - from;
    if (joined) {
        r->good = r->cycle <= limit;
    } else if (r->stop == FLOW_NONE) {
        r->good = r->good && m->grid.done && next == f->nevents && gpu_cycles(m) <= limit;
        r->cycle = gpu_cycles(m);
    } else {
        r->good = r->good && order[r->stop] != FLOW_NONE;
    }
    /* what comes once the golden run tells the rest is behind all that came before */
    r->good = r->good && in_order(f, order, from, joined ? next : f->nevents);
}

/* ---- runs that were made before -------------------------------------------------------------- */

static struct retime_run *find(struct retiming *p, const struct retime_cost *cost, uint32_t n,
                               uint32_t stop)
{
    uint64_t h = stop;
    for (uint32_t i = 0; i < n; i++)
        h = (h ^ cost[i].event ^ (uint64_t)cost[i].cost << 32) * 0x9e3779b97f4a7c15u;
    struct retime_run **at = &p->bucket[h >> 40 & (BUCKETS - 1)];
    for (struct retime_run *r = *at; r; r = r->next)
        if (r->n == n && r->stop == stop && (!n || memcmp(r->cost, cost, n * sizeof *cost) == 0))
            return r;
    struct retime_run *r = fl_alloc(sizeof *r);
    *r = (struct retime_run){.next = *at, .n = n, .stop = stop};
    r->cost = fl_alloc(n * sizeof *cost);
    if (n)
        memcpy(r->cost, cost, n * sizeof *cost);
    p->kept += n;
    return *at = r;
}

static struct order *oldest(struct retiming *p)
{
    struct order *o = &p->order[0];
    for (int i = 1; i < p->orders; i++)
        if (p->order[i].used < o->used)
            o = &p->order[i];
    if (!o->at)
        o->at = fl_alloc(p->f->nevents * sizeof *o->at);
    return o;
}

bool retime_run(struct retiming *p, const struct retime_cost *cost, uint32_t n, uint32_t stop,
                uint64_t *cycle, const uint32_t **order)
{
    struct order *o = NULL;
    if (p->f->clock)
        return false;
    if (p->kept > MAX_KEPT)
        forget(p);
    struct retime_run *r = find(p, cost, n, stop);
    for (int i = 0; i < ORDERS && !o; i++)
        if (p->order[i].of == r)
            o = &p->order[i];
    if (!r->cycle || (order && r->good && !o)) {
        o = order ? oldest(p) : NULL;
        if (!retime_alone(p, r, o ? o->at : NULL)) {
            o = o ? o : oldest(p);
            replay(p, r, o->at, true);
        }
        if (o)
            o->of = r;
        if (!r->cycle)
            r->cycle = 1; /* 0 is for those never made */
    }
    if (o)
        o->used = ++p->clock;
    if (order)
        *order = o ? o->at : NULL;
    *cycle = r->cycle;
    return r->good;
}

const struct gpu *retime_machine(struct retiming *p, const struct retime_cost *cost, uint32_t n,
                                 uint32_t stop, const struct retime_slots **slots)
{
    if (n && p->f->clock)
        return NULL;
    if (p->kept > MAX_KEPT)
        forget(p);
    struct retime_run *r = find(p, cost, n, stop);
    struct snapshot *s = &p->snapshot[0];
    for (int i = 0; i < p->snapshots && s->of != r; i++)
        if (p->snapshot[i].of == r || p->snapshot[i].used < s->used)
            s = &p->snapshot[i];
    if (r->cycle && !r->good)
        return NULL;
    if (s->of != r) {
        struct order *o = oldest(p);
        o->of = r;
        o->used = ++p->clock;
        replay(p, r, o->at, false);
        r->cycle |= !r->cycle;
        if (!r->good)
            return NULL;
        size_t size = (size_t)p->g->img->sms * sizeof *s->slots;
        if (!s->m) {
            s->m = gpu_new(p->g->img);
            s->slots = fl_alloc(size);
        }
        gpu_copy(s->m, p->m);
        memcpy(s->slots, p->slots, size);
        s->of = r;
    }
    s->used = ++p->clock;
    *slots = s->slots;
    return s->m;
}
