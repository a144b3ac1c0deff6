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
    p->single = single_sm_new(g);
    if (p->single)
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
    single_sm_free(p->single);
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

uint32_t retime_taken(const struct gpu *m, int sm)
{
    return m->img->profile.blocks == BLOCKS_FIXED ? m->grid.taken[sm] : m->grid.next_block;
}

/* A replay of the chip under way. */
struct replay {
    struct retiming *p;
    struct retime_run *r;
    uint32_t *order; /* [event] its number in the order of this run; FLOW_NONE: it has not come */
    uint32_t from;   /* the first event that is replayed */
    uint32_t next;   /* the next number */
    uint32_t latest; /* the last event of the golden order that has come */
    bool rejoined;   /* from `next` on, events come as in the golden run */
};

static void start(struct replay *x)
{
    const uint32_t events = x->p->f->nevents, from = begin(x->p, x->r->stop);
    x->from = x->next = from;
    x->latest = from ? from - 1 : 0;
    for (uint32_t e = 0; e < from; e++)
        x->order[e] = e;
    memset(x->order + from, 0xff, (events - from) * sizeof *x->order);
    for (int i = 0; i < x->p->m->sms; i++)
        retime_ask(x->p, x->p->m, i);
    x->p->replays++;
}

static void note(struct replay *x, uint32_t event)
{
    x->order[event] = x->next++;
    x->latest = event > x->latest ? event : x->latest;
}

/* Notes the event in Write-back of an SM, if there is one. False: it is the last of this run, or the golden run has none
 * there. */
static bool commit(struct replay *x, int sm)
{
    struct retiming *p = x->p;
    const struct sm_state *s = &p->m->sm[sm].s;
    const int warp = s->stage[STAGE_W];
    if (warp == NO_WARP)
        return true;
    const uint32_t event = retime_event(p, sm, warp);
    x->r->good = event != FLOW_NONE;
    if (!x->r->good)
        return false;
    p->slots[sm].at[warp]++;
    note(x, event);
    if (event == x->r->stop)
        x->r->cycle = s->next - 1;
    return event != x->r->stop;
}

/* A slot of an SM, and what follows from it: steps of the host after a launch, blocks that start. */
static void tick(struct replay *x, int sm)
{
    struct retiming *p = x->p;
    const struct flow *f = p->f;
    struct gpu *m = p->m;
    const uint32_t blocks = retime_taken(m, sm), launch = m->grid.launch;
    gpu_tick_turn(m, sm);
    if (m->grid.launch != launch || m->grid.done)
        while (x->next < f->nevents && flow_by_host(&f->event[x->next]))
            note(x, x->next);
    const uint32_t now = retime_taken(m, sm);
    if (now && (now != blocks || m->grid.launch != launch))
        x->r->good = retime_started(p, m, sm);
}

/* All events up to the latest one have come, and the last cost is among them. */
static bool is_behind_costs(const struct replay *x)
{
    const struct retime_run *r = x->r;
    return x->latest + 1 == x->next && x->latest >= (r->n ? r->cost[r->n - 1].event : 0);
}

/* At a checkpoint with the same next event: if the machine is in step with it, all other events come as in the golden run. */
static bool rejoins(struct replay *x)
{
    const struct retiming *p = x->p;
    const struct golden *g = p->g;
    for (int i = FL_FIRST(k, 0, g->ncheckpoints, p->mark[k] >= x->next);
         i < g->ncheckpoints && p->mark[i] == x->next; i++) {
        if (!in_step(p->m, g->checkpoint[i]))
            continue;
        const uint32_t stop = x->r->stop;
        x->r->cycle = (stop == FLOW_NONE ? g->cycles : p->f->event[stop].cycle) + gpu_cycles(p->m) -
                      gpu_cycles(g->checkpoint[i]);
        for (uint32_t e = x->next; e < p->f->nevents; e++)
            x->order[e] = e;
        return true;
    }
    return false;
}

/* Whether its events, as far as they have come, are those of the golden run with other times, and when it ended. */
static void judge(struct replay *x, uint64_t limit)
{
    struct retime_run *r = x->r;
    const struct flow *f = x->p->f;
    const struct gpu *m = x->p->m;
    if (x->rejoined) {
        r->good = r->cycle <= limit;
    } else if (r->stop == FLOW_NONE) {
        r->cycle = gpu_cycles(m);
        r->good = r->good && m->grid.done && x->next == f->nevents && r->cycle <= limit;
    } else {
        r->good = r->good && x->order[r->stop] != FLOW_NONE;
    }
    r->good = r->good && in_order(f, x->order, x->from, x->rejoined ? x->next : f->nevents);
}

/* Runs the chip with the costs of r. `to_stop`: the machine itself must arrive at r->stop, also where the rest is known. */
static void replay(struct retiming *p, struct retime_run *r, uint32_t *order, bool to_stop)
{
    struct replay x = {.p = p, .r = r, .order = order};
    struct gpu *m = p->m;
    const uint64_t limit = 2 * p->g->cycles;
    p->cost = r->cost;
    p->n = r->n;
    r->good = retime_start(p, r->stop) + 1 >= p->g->checkpoint_cycle[0];
    if (!r->good) /* it starts before the recorded segment */
        return;
    start(&x);
    while (r->good && !x.rejoined && !gpu_ended(m)) {
        const int turn = gpu_turn(m);
        if (m->sm[turn].s.next > limit || !commit(&x, turn))
            break;
        tick(&x, turn);
        x.rejoined = r->good && !to_stop && is_behind_costs(&x) && !gpu_ended(m) && rejoins(&x);
    }
    for (int i = 0; i < m->sms; i++)
        m->sm[i].retime = NULL;
    p->replayed += x.next - x.from;
    judge(&x, limit);
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
        if (!retime_single_sm(p, r, o ? o->at : NULL)) {
            o = o ? o : oldest(p);
            replay(p, r, o->at, false);
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
        replay(p, r, o->at, true);
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
