/* retime_single_sm.c -- other delays in one SM of a chip, whose time is its own (single_sm.h). See retime.h.
 *
 * All costs are of one SM and one launch. Its instructions are replayed without the others, from a
 * checkpoint, until they are in step with the fault-free run again, some cycles apart, or until its part of
 * the launch is over. The others keep their times. Where the launch then ends in another cycle, and
 * something comes behind it, the chip must be replayed.
 */
#include <stdlib.h>

#include "base/search.h"
#include "retime_internal.h"

#define NOT_YET UINT64_MAX

/* One replay. Ranks count the events of all SMs, by SM (sm_shares.event). */
struct single_retiming {
    struct retiming *p;
    const struct sm_shares *s;
    const struct sm_share *share;
    int sm;
    struct gpu *m;
    uint32_t from, end;    /* ranks of the events of the launch that are to come */
    uint32_t done, latest; /* how many have; the last rank of them, + 1 */
    uint32_t *seq;         /* they in their new order; room for all */
    bool joined;
    uint64_t late; /* modulo 2^64: from there on */
};

static bool of_one_launch(const struct retiming *p, const struct retime_run *r)
{
    const struct flow *f = p->f;
    int sm = flow_sm_of(f, r->cost[0].event);
    uint32_t launch = flow_launch_of(f, r->cost[0].event);
    for (uint32_t i = 0; i < r->n; i++)
        if (flow_sm_of(f, r->cost[i].event) != sm || flow_launch_of(f, r->cost[i].event) != launch)
            return false;
    return r->stop == FLOW_NONE ||
           (!flow_by_host(&f->event[r->stop]) && flow_sm_of(f, r->stop) == sm &&
            flow_launch_of(f, r->stop) == launch);
}

static bool begin(struct single_retiming *a, const struct retime_run *r)
{
    struct retiming *p = a->p;
    uint64_t cycle = retime_start(p, r->stop);
    a->s = p->f->shares;
    a->sm = flow_sm_of(p->f, r->cost[0].event);
    if (!single_sm_seek(p->single, p->m, a->sm, cycle) ||
        p->single->launch != flow_launch_of(p->f, r->cost[0].event))
        return false;
    a->m = p->m;
    a->share = p->single->share;
    a->end = a->share->first + a->share->count;
    a->from = FL_FIRST(i, a->share->first, a->end, a->s->event[i] >= p->single->from_event);
    a->done = 0;
    a->latest = a->from;
    retime_adopt(p, a->sm, cycle, p->single->from_event);
    for (uint32_t i = a->from; i < a->end; i++)
        p->time[a->s->event[i]] = NOT_YET;
    return true;
}

/* At a checkpoint: does the golden run tell the rest of the launch from here on? */
static bool rejoins(struct single_retiming *a)
{
    const struct golden *g = a->p->g;
    uint32_t next = a->from + a->done;
    if (next == a->end)
        return false;
    const struct sm *m = &a->m->sm[a->sm];
    uint32_t before = next > a->from ? a->s->event[next - 1] : a->p->single->from_event - 1;
    for (int i = FL_FIRST(k, 0, g->ncheckpoints, a->p->mark[k] > before);
         i < g->ncheckpoints && a->p->mark[i] <= a->s->event[next]; i++) {
        const struct gpu *c = g->checkpoint[i];
        const struct sm *x = &c->sm[a->sm];
        uint64_t free = a->m->channel[a->sm].free, golden = c->channel[a->sm].free;
        if (c->grid.launch != a->m->grid.launch ||
            c->grid.taken[a->sm] != a->m->grid.taken[a->sm] || !retime_in_step(m, x) ||
            (free > m->s.next ? free - m->s.next : 0) !=
                (golden > x->s.next ? golden - x->s.next : 0))
            continue;
        a->late = m->s.next - x->s.next;
        return true;
    }
    return false;
}

/* False: data do not stay golden. */
static bool run(struct single_retiming *a, const struct retime_run *r)
{
    struct retiming *p = a->p;
    struct sm *m = &a->m->sm[a->sm];
    uint32_t last = p->f->shares->rank[r->cost[r->n - 1].event];
    uint64_t limit = 2 * p->g->cycles;
    bool good = true;
    retime_ask(p, a->m, a->sm);
    while (good && !gpu_ended(a->m) && m->s.next <= limit) {
        int w = m->s.stage[STAGE_W];
        uint32_t taken = retime_taken(a->m, a->sm);
        if (w != NO_WARP) {
            uint32_t event = retime_event(p, a->sm, w);
            if (event == FLOW_NONE) {
                good = false;
                break;
            }
            p->slots[a->sm].at[w]++;
            p->time[event] = m->s.next - 1;
            a->seq[a->done++] = event;
            a->latest = a->s->rank[event] >= a->latest ? a->s->rank[event] + 1 : a->latest;
            if (event == r->stop)
                break;
        }
        gpu_tick(a->m);
        if (retime_taken(a->m, a->sm) != taken)
            good = retime_started(p, a->m, a->sm);
        if (good && a->latest == a->from + a->done && a->latest > last && (a->joined = rejoins(a)))
            break;
    }
    m->retime = NULL;
    p->replayed += a->done;
    return good;
}

/* The events that are still to come: as late as the golden run's, or not at all. */
static void add_rest(struct single_retiming *a)
{
    for (uint32_t i = a->from + a->done; a->joined && i < a->end; i++) {
        uint32_t event = a->s->event[i];
        a->p->time[event] = a->p->f->event[event].cycle + a->late;
        a->seq[i - a->from] = event;
    }
}

/* No two accesses of the SM to one word have changed places; up to where it has joined the golden run. */
static bool in_order(const struct single_retiming *a)
{
    const struct flow *f = a->p->f;
    const struct sm_shares *s = a->s;
    uint32_t end = s->pair_of[a->sm + 1], from = a->from < a->end ? s->event[a->from] : FLOW_NONE,
             to = a->joined ? s->event[a->from + a->done]
                            : s->launch_event[a->p->single->launch + 1];
    for (uint32_t i = FL_FIRST(k, s->pair_of[a->sm], end, f->pair[s->pair[k]].second >= from);
         i < end && f->pair[s->pair[i]].second < to; i++) {
        const struct flow_pair *x = &f->pair[s->pair[i]];
        if (x->first >= from && a->p->time[x->first] > a->p->time[x->second])
            return false;
    }
    return true;
}

/* A number for each event, growing in time, the others' among this SM's. */
static void number(const struct single_retiming *a, uint64_t stop, uint32_t *order)
{
    const struct flow *f = a->p->f;
    uint32_t first = a->p->single->from_event, end = a->s->launch_event[a->p->single->launch + 1],
             next = first, mine = 0, count = a->joined ? a->end - a->from : a->done;
    for (uint32_t e = 0; e < f->nevents; e++)
        order[e] = e < first || (e >= end && stop == UINT64_MAX) ? e : FLOW_NONE;
    for (uint32_t e = first; e < end; e++) {
        const struct flow_event *x = &f->event[e];
        if (!flow_by_host(x) && flow_sm_of(f, e) == a->sm)
            continue;
        bool host = flow_by_host(x);
        int sm = host ? 0 : flow_sm_of(f, e);
        while (mine < count && (host || a->p->time[a->seq[mine]] < x->cycle ||
                                (a->p->time[a->seq[mine]] == x->cycle && a->sm < sm)))
            order[a->seq[mine++]] = next++;
        if (x->cycle < stop || (x->cycle == stop && sm < a->sm))
            order[e] = next++;
    }
    while (mine < count)
        order[a->seq[mine++]] = next++;
}

/* When the whole job ends, all of the SM's events of the launch having come. False: the chip tells. */
static bool end_of_job(const struct single_retiming *a, uint64_t *cycle)
{
    const struct golden *g = a->p->g;
    const struct flow *f = g->flow;
    uint32_t last = a->s->event[a->end - 1], others = a->share->last_other;
    uint64_t mine = 0;
    for (uint32_t i = a->from; i < a->end; i++)
        mine = a->p->time[a->s->event[i]] > mine ? a->p->time[a->s->event[i]] : mine;
    uint64_t theirs = f->event[others].cycle;
    if (sm_share_is_last(a->s, a->p->single->launch)) {
        *cycle = 1 + (mine > theirs ? mine : theirs);
        return true;
    }
    *cycle = g->cycles;
    if (a->joined && a->late == 0)
        return true;
    return a->joined && a->late % g->img->beats == 0 && last < others &&
           (mine < theirs || (mine == theirs && a->sm < flow_sm_of(f, others)));
}

bool retime_single_sm(struct retiming *p, struct retime_run *r, uint32_t *order)
{
    struct single_retiming a = {.p = p};
    uint64_t stop = UINT64_MAX;
    p->cost = r->cost;
    p->n = r->n;
    if (!p->single || !r->n || !of_one_launch(p, r) || !begin(&a, r))
        return false;
    a.seq = fl_alloc((a.end - a.from + 1) * sizeof *a.seq);
    p->replays++;
    r->good = run(&a, r);
    if (r->good) {
        add_rest(&a);
        bool all = a.joined || a.from + a.done == a.end, known = true;
        if (r->stop != FLOW_NONE)
            r->good = (r->cycle = stop = p->time[r->stop]) != NOT_YET;
        else
            r->good = all && (a.joined || single_sm_over(p->single));
        if (r->good && r->stop == FLOW_NONE)
            known = end_of_job(&a, &r->cycle);
        r->good = r->good && r->cycle <= 2 * p->g->cycles && in_order(&a);
        if (known && r->good && order)
            number(&a, r->stop == FLOW_NONE || a.joined ? UINT64_MAX : stop, order);
        if (!known) {
            free(a.seq);
            single_sm_leave(p->single);
            return false;
        }
    }
    free(a.seq);
    single_sm_leave(p->single);
    return true;
}
