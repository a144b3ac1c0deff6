/* retime.c -- runs of the fault-free machine with other delays. See retime.h. */
#include "retime.h"

#include <stdlib.h>
#include <string.h>

#include "base/search.h"
enum { ORDERS = 64, ORDER_EVENTS = 1 << 25, SNAPSHOTS = 96, BUCKETS = 1 << 14, MAX_KEPT = 1 << 20 };

struct run { /* one that has been made */
    struct run *next;
    struct retime_cost *cost;
    uint32_t n, stop;
    bool good;
    uint64_t cycle;
};

struct order {
    const struct run *of;
    uint64_t used;
    uint32_t *at; /* [event] */
};

struct snapshot { /* the machine when a run stopped */
    const struct run *of;
    uint64_t used;
    struct gpu *m;
    uint32_t instance[SM_MAX_WARPS];
};

struct retiming {
    const struct golden *g;
    const struct flow *f;   /* of `g` */
    struct gpu *golden, *m; /* the first travels forward through the golden run */
    struct run *bucket[BUCKETS];
    uint32_t kept;
    struct order order[ORDERS];
    int orders; /* kept: fewer of long runs, ORDER_EVENTS in all, two at least */
    struct snapshot snapshot[SNAPSHOTS];
    uint64_t clock, replays, replayed;
    /* of the run at hand */
    const struct retime_cost *cost;
    uint32_t n;
    uint32_t instance[SM_MAX_WARPS],
        at[SM_MAX_WARPS];         /* of each warp: its instance, its next event there */
    int64_t block[SM_MAX_BLOCKS]; /* in flow.block, or -1 */
    uint32_t next_block;          /* in flow.block */
    uint32_t *mark;               /* of each checkpoint: the event that comes next */
};

/* The first event that is not before `cycle`. */
static uint32_t event_from(const struct flow *f, uint64_t cycle)
{
    return FL_FIRST(i, 0, f->nevents, f->event[i].cycle >= cycle);
}

struct retiming *retime_new(const struct golden *g)
{
    struct retiming *p = fl_alloc(sizeof *p);
    p->g = g;
    p->f = g->flow;
    uint32_t orders = ORDER_EVENTS / (p->f->nevents + 1);
    p->orders = orders > ORDERS ? ORDERS : orders < 2 ? 2 : (int)orders;
    p->golden = gpu_new(g->img);
    p->m = gpu_new(g->img);
    p->mark = fl_alloc((size_t)g->ncheckpoints * sizeof *p->mark);
    for (int i = 0; i < g->ncheckpoints; i++)
        p->mark[i] = event_from(p->f, g->checkpoint[i]->sm->s.next - 1);
    return p;
}

static void forget(struct retiming *p)
{
    for (int i = 0; i < BUCKETS; i++)
        for (struct run *r = p->bucket[i], *next; r; r = next) {
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
        gpu_free(p->snapshot[i].m);
    free(p->mark);
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
    struct retiming *p = context;
    const struct flow_instance *l = &p->f->instance[p->instance[warp]];
    uint32_t event = p->at[warp] < l->count ? p->f->instance_event[l->first + p->at[warp]]
                                            : FLOW_NONE;
    uint32_t at = FL_FIRST(i, 0, p->n, p->cost[i].event >= event);
    return at < p->n && p->cost[at].event == event ? p->cost[at].cost : cost;
}

static void adopt(struct retiming *p, uint32_t block, uint32_t from)
{
    const struct flow *f = p->f;
    const struct run_block *b = &f->block[block];
    for (uint32_t i = 0; i < b->warps; i++) {
        const struct flow_instance *l = &f->instance[b->first_instance + i];
        uint32_t warp = b->warp0 + i;
        p->instance[warp] = b->first_instance + i;
        p->at[warp] = FL_FIRST(e, 0, l->count, f->instance_event[l->first + e] >= from);
    }
}

/* The machine as the golden run has it before the first event that a cost touches can have been
 * fetched, and before `stop`; the first event that comes then. */
static uint32_t begin(struct retiming *p, uint32_t stop)
{
    const struct flow *f = p->f;
    uint64_t cycle = stop == FLOW_NONE ? UINT64_MAX : f->event[stop].cycle;
    for (uint32_t i = 0; i < p->n; i++) {
        const struct flow_event *e = &f->event[p->cost[i].event];
        const struct flow_instance *l = &f->instance[e->instance];
        uint64_t c = e->at ? f->event[f->instance_event[l->first + e->at - 1]].cycle + 1
                           : f->block[l->block].from;
        cycle = c < cycle ? c : cycle;
    }
    uint32_t lo = event_from(f, cycle);
    golden_seek(p->g, p->golden, cycle);
    gpu_copy(p->m, p->golden);
    for (int i = 0; i < SM_MAX_BLOCKS; i++)
        p->block[i] = -1;
    uint32_t blo = FL_FIRST(b, 0, f->nblocks, f->block[b].from > cycle);
    p->next_block = blo;
    uint32_t missing = 0;
    for (int i = 0; i < SM_MAX_BLOCKS; i++)
        missing += p->m->sm->s.block[i].live;
    for (uint32_t b = blo; b-- > 0 && missing;) {
        const struct run_block *fb = &f->block[b];
        if (!p->m->sm->s.block[fb->slot].live || p->block[fb->slot] >= 0)
            continue;
        p->block[fb->slot] = b;
        missing--;
        adopt(p, b, lo);
    }
    return lo;
}

/* A block has started: the next one of the golden run, in the same place unless places do not
 * matter. */
static bool started(struct retiming *p)
{
    const struct flow *f = p->f;
    const struct gpu *m = p->m;
    if (p->next_block == f->nblocks)
        return false;
    const struct run_block *b = &f->block[p->next_block];
    const struct sm_launch *l = &m->img->launch[m->grid.launch];
    for (int i = 0; i < SM_MAX_BLOCKS; i++) {
        const struct sm_block *s = &m->sm->s.block[i];
        if (!s->live || s->y * l->grid[0] + s->x != b->number || m->grid.launch != b->launch)
            continue;
        bool same = i == b->slot && s->warp0 == b->warp0 && s->reg0 == b->reg0 &&
                    s->shared0 == b->shared0;
        if (!same && (f->uninitialised || f->physid))
            return false;
        for (uint32_t w = 0; w < b->warps; w++) {
            p->instance[s->warp0 + w] = b->first_instance + w;
            p->at[s->warp0 + w] = 0;
        }
        p->next_block++;
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
static uint64_t ahead(const struct gpu *m, uint64_t t)
{
    return t > m->sm->s.next ? t - m->sm->s.next : 0;
}

/* Two machines whose warps have committed the same events: will they do the same from here on, some
 * cycles apart? Data are golden in both. */
static bool in_step(const struct gpu *a, const struct gpu *b)
{
    const struct sm_state *x = &a->sm->s, *y = &b->sm->s;
    size_t from = offsetof(struct sm_state, trap), to = offsetof(struct sm_state, nrequests);
    if (memcmp((const char *)x + from, (const char *)y + from, to - from) != 0 ||
        x->nrequests != y->nrequests || !gpu_chip_recurs(a, b))
        return false;
    for (int i = 0; i < x->nrequests; i++)
        if (x->request[i].warp != y->request[i].warp ||
            ahead(a, x->request[i].ready) != ahead(b, y->request[i].ready))
            return false;
    for (int i = 0; i < a->img->warps_used; i++)
        if (mask_has(x->live, i) &&
            memcmp(&x->warp[i], &y->warp[i], offsetof(struct sm_warp, tm)) != 0)
            return false;
    return memcmp(x->block, y->block, (size_t)a->img->blocks_used * sizeof *x->block) == 0;
}

/* At the event of a checkpoint: does the golden run tell the rest from here on? */
static bool rejoins(struct retiming *p, struct run *r, uint32_t next, uint32_t *order)
{
    const struct golden *g = p->g;
    const struct gpu *m = p->m;
    int at = FL_FIRST(i, 0, g->ncheckpoints, p->mark[i] >= next);
    for (; at < g->ncheckpoints && p->mark[at] == next; at++) {
        const struct gpu *c = g->checkpoint[at];
        if (!in_step(m, c))
            continue;
        uint64_t end = r->stop == FLOW_NONE ? g->cycles : p->f->event[r->stop].cycle;
        r->cycle = end + m->sm->s.next - c->sm->s.next;
        for (uint32_t e = next; e < p->f->nevents; e++)
            order[e] = e;
        return true;
    }
    return false;
}

/* `whole`: the machine need not be at `stop` afterwards. */
static void replay(struct retiming *p, struct run *r, uint32_t *order, bool whole)
{
    const struct flow *f = p->f;
    struct gpu *m = p->m;
    p->cost = r->cost;
    p->n = r->n;
    uint32_t from = begin(p, r->stop), next = from;
    uint32_t last = r->n ? r->cost[r->n - 1].event : 0, latest = from ? from - 1 : 0;
    uint64_t limit = 2 * p->g->cycles;
    bool joined = false;
    for (uint32_t e = 0; e < from; e++)
        order[e] = e;
    memset(order + from, 0xff, (f->nevents - from) * sizeof *order);
    m->sm->retime = ask;
    m->sm->retime_context = p;
    r->good = true;
    p->replays++;
    while (r->good && !gpu_ended(m) && m->sm->s.next <= limit) {
        int w = m->sm->s.stage[STAGE_W];
        uint32_t blocks = m->grid.next_block, launch = m->grid.launch;
        if (w != NO_WARP) {
            const struct flow_instance *l = &f->instance[p->instance[w]];
            if (p->at[w] >= l->count) {
                r->good = false;
                break;
            }
            uint32_t event = f->instance_event[l->first + p->at[w]++];
            order[event] = next++;
            latest = event > latest ? event : latest;
            if (event == r->stop) {
                r->cycle = m->sm->s.next - 1;
                break;
            }
        }
        gpu_tick(m);
        for (; (m->grid.launch != launch || m->grid.done) && next < f->nevents &&
               flow_by_host(&f->event[next]);
             latest = next++)
            order[next] = next;
        if (m->grid.next_block != blocks || m->grid.launch != launch)
            if (m->grid.next_block)
                r->good = started(p);
        /* everything up to the latest event has come, and the last cost is behind */
        if (r->good && whole && latest + 1 == next && latest >= last && !gpu_ended(m) &&
            (joined = rejoins(p, r, next, order)))
            break;
    }
    m->sm->retime = NULL;
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

static struct run *find(struct retiming *p, const struct retime_cost *cost, uint32_t n,
                        uint32_t stop)
{
    uint64_t h = stop;
    for (uint32_t i = 0; i < n; i++)
        h = (h ^ cost[i].event ^ (uint64_t)cost[i].cost << 32) * 0x9e3779b97f4a7c15u;
    struct run **at = &p->bucket[h >> 40 & (BUCKETS - 1)];
    for (struct run *r = *at; r; r = r->next)
        if (r->n == n && r->stop == stop && (!n || memcmp(r->cost, cost, n * sizeof *cost) == 0))
            return r;
    struct run *r = fl_alloc(sizeof *r);
    *r = (struct run){.next = *at, .n = n, .stop = stop};
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
    struct run *r = find(p, cost, n, stop);
    for (int i = 0; i < ORDERS && !o; i++)
        if (p->order[i].of == r)
            o = &p->order[i];
    if (!r->cycle || (order && r->good && !o)) {
        o = oldest(p);
        o->of = r;
        replay(p, r, o->at, true);
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
                                 uint32_t stop, const uint32_t **instance_of)
{
    if (n && p->f->clock)
        return NULL;
    if (p->kept > MAX_KEPT)
        forget(p);
    struct run *r = find(p, cost, n, stop);
    struct snapshot *s = &p->snapshot[0];
    for (int i = 0; i < SNAPSHOTS && s->of != r; i++)
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
        if (!s->m)
            s->m = gpu_new(p->g->img);
        gpu_copy(s->m, p->m);
        memcpy(s->instance, p->instance, sizeof s->instance);
        s->of = r;
    }
    s->used = ++p->clock;
    *instance_of = s->instance;
    return s->m;
}
