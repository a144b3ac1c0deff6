/* shares.c -- which SMs of a chip can be alone when. See shares.h. */
#include "shares.h"

#include <stdlib.h>

#include "base/search.h"

int flow_sm_of(const struct flow *f, uint32_t event)
{
    return f->instance[f->event[event].instance].sm;
}

uint32_t flow_launch_of(const struct flow *f, uint32_t event)
{
    const struct flow_event *e = &f->event[event];
    return flow_by_host(e) ? e->pc : f->block[f->instance[e->instance].block].launch;
}

static void count_events(struct sm_shares *s)
{
    const struct flow *f = s->f;
    uint32_t sms = (uint32_t)f->img->sms, launches = (uint32_t)f->img->nlaunches, n = 0;
    s->event = fl_alloc(f->nevents * sizeof *s->event + 1);
    s->launch_event = fl_alloc((launches + 1) * sizeof *s->launch_event);
    for (uint32_t e = 0; e < f->nevents; e++)
        s->launch_event[flow_launch_of(f, e) + 1] = e + 1;
    for (uint32_t l = 1; l <= launches; l++) /* one that did not run has none */
        if (s->launch_event[l] < s->launch_event[l - 1])
            s->launch_event[l] = s->launch_event[l - 1];
    for (uint32_t b = 0; b < f->nblocks; b++)
        sm_share_of(s, f->block[b].launch, f->block[b].sm)->blocks++;
    for (uint32_t e = 0; e < f->nevents; e++)
        if (!flow_by_host(&f->event[e]))
            sm_share_of(s, flow_launch_of(f, e), flow_sm_of(f, e))->count++;
    for (uint32_t k = 0; k < sms; k++)
        for (uint32_t l = 0; l < launches; l++) {
            struct sm_share *x = sm_share_of(s, l, (int)k);
            x->first = n;
            n += x->count;
            x->count = 0;
        }
    s->rank = fl_alloc(f->nevents * sizeof *s->rank + 1);
    for (uint32_t e = 0; e < f->nevents; e++)
        if (!flow_by_host(&f->event[e])) {
            struct sm_share *x = sm_share_of(s, flow_launch_of(f, e), flow_sm_of(f, e));
            s->rank[e] = x->first + x->count++;
            s->event[s->rank[e]] = e;
        }
}

/* Those of an SM, in the order of `second`. */
static void sort_pairs(struct sm_shares *s)
{
    const struct flow *f = s->f;
    uint32_t sms = (uint32_t)f->img->sms, n = 0;
    s->pair = fl_alloc((f->npairs + 1) * sizeof *s->pair);
    s->pair_of = fl_alloc((sms + 1) * sizeof *s->pair_of);
    uint32_t *count = fl_alloc(sms * sizeof *count);
    for (uint32_t i = 0; i < f->npairs; i++)
        count[flow_sm_of(f, f->pair[i].second)] += flow_sm_of(f, f->pair[i].first) ==
                                                   flow_sm_of(f, f->pair[i].second);
    for (uint32_t k = 0; k < sms; k++) {
        s->pair_of[k] = n;
        n += count[k];
        count[k] = s->pair_of[k];
    }
    s->pair_of[sms] = n;
    for (uint32_t i = 0; i < f->npairs; i++) {
        int sm = flow_sm_of(f, f->pair[i].second);
        if (flow_sm_of(f, f->pair[i].first) == sm)
            s->pair[count[sm]++] = i;
    }
    free(count);
}

/* Two SMs have to do with one word, or one is the only one that has blocks. */
static void find_isolated(struct sm_shares *s)
{
    const struct flow *f = s->f;
    uint32_t sms = (uint32_t)f->img->sms;
    for (uint32_t l = 0; l < (uint32_t)f->img->nlaunches; l++) {
        uint32_t busy = 0;
        for (uint32_t k = 0; k < sms; k++)
            busy += sm_share_of(s, l, (int)k)->count > 0;
        for (uint32_t k = 0; k < sms; k++) {
            struct sm_share *x = sm_share_of(s, l, (int)k);
            x->isolated = busy > 1 && x->count;
            x->last_other = FLOW_NONE;
            for (uint32_t i = 0; i < sms; i++) {
                const struct sm_share *y = sm_share_of(s, l, (int)i);
                uint32_t last = i != k && y->count ? s->event[y->first + y->count - 1] : 0;
                if (i != k && y->count && (x->last_other == FLOW_NONE || last > x->last_other))
                    x->last_other = last;
            }
        }
    }
    for (uint32_t i = 0; i < f->npairs; i++) {
        uint32_t a = f->pair[i].first, b = f->pair[i].second;
        if (flow_sm_of(f, a) == flow_sm_of(f, b) || flow_launch_of(f, a) != flow_launch_of(f, b))
            continue;
        sm_share_of(s, flow_launch_of(f, a), flow_sm_of(f, a))->isolated = false;
        sm_share_of(s, flow_launch_of(f, a), flow_sm_of(f, b))->isolated = false;
    }
}

static void note_user(const struct flow *f, uint8_t *who, uint32_t event)
{
    if (flow_by_host(&f->event[event]))
        return;
    uint8_t sm = (uint8_t)(flow_sm_of(f, event) + 1);
    *who = *who == 0 || *who == sm ? sm : SM_SEVERAL;
}

static int earlier_store(const void *a, const void *b)
{
    const struct sm_store *x = a, *y = b;
    return x->event < y->event ? -1 : x->event > y->event;
}

static void find_stores(struct sm_shares *s)
{
    const struct flow *f = s->f;
    uint32_t words = f->img->const_offset / 4, sms = (uint32_t)f->img->sms, n = 0;
    s->writer = fl_alloc(words + 1);
    s->reader = fl_alloc(words + 1);
    s->store_of = fl_alloc((sms + 1) * sizeof *s->store_of);
    uint32_t *count = fl_alloc(sms * sizeof *count);
    for (uint32_t w = 0; w < words; w++) {
        const struct flow_chain *c = &f->chain[w];
        for (uint32_t i = 0; i < c->reads; i++)
            note_user(f, &s->reader[w], f->read[c->read + i]);
        for (uint32_t i = 0; i < c->writes; i++) {
            uint32_t e = f->write[c->write + i].event;
            note_user(f, &s->writer[w], e);
            if (!flow_by_host(&f->event[e]))
                count[flow_sm_of(f, e)]++;
        }
    }
    for (uint32_t k = 0; k < sms; k++) {
        s->store_of[k] = n;
        n += count[k];
        count[k] = s->store_of[k];
    }
    s->store_of[sms] = n;
    s->store = fl_alloc((n + 1) * sizeof *s->store);
    for (uint32_t w = 0; w < words; w++)
        for (uint32_t i = 0; i < f->chain[w].writes; i++) {
            uint32_t e = f->write[f->chain[w].write + i].event;
            if (!flow_by_host(&f->event[e]))
                s->store[count[flow_sm_of(f, e)]++] = (struct sm_store){e, w};
        }
    for (uint32_t k = 0; k < sms; k++)
        qsort(&s->store[s->store_of[k]], s->store_of[k + 1] - s->store_of[k], sizeof *s->store,
              earlier_store);
    free(count);
}

struct sm_shares *sm_shares_new(const struct flow *f)
{
    if (f->img->sms == 1 || f->img->profile.ports != PORTS_SM || f->img->caches.any)
        return NULL;
    struct sm_shares *s = fl_alloc(sizeof *s);
    s->f = f;
    s->share = fl_alloc((size_t)f->img->sms * (size_t)f->img->nlaunches * sizeof *s->share);
    count_events(s);
    find_isolated(s);
    sort_pairs(s);
    find_stores(s);
    return s;
}

bool sm_share_is_last(const struct sm_shares *s, uint32_t launch)
{
    const struct flow *f = s->f;
    return s->launch_event[launch + 1] == f->nevents && !flow_by_host(&f->event[f->nevents - 1]);
}

void sm_shares_free(struct sm_shares *s)
{
    if (!s)
        return;
    free(s->share);
    free(s->event);
    free(s->rank);
    free(s->pair);
    free(s->pair_of);
    free(s->launch_event);
    free(s->store);
    free(s->store_of);
    free(s->writer);
    free(s->reader);
    free(s);
}
