/* lone.c -- which SMs can be alone when, and a machine that is. See lone.h. */
#include "lone.h"

#include <stdlib.h>

#include "base/search.h"

/* ---- shares ---------------------------------------------------------------------------------- */

int lone_sm_of(const struct flow *f, uint32_t event)
{
    return f->instance[f->event[event].instance].sm;
}

uint32_t lone_launch_of(const struct flow *f, uint32_t event)
{
    const struct flow_event *e = &f->event[event];
    return flow_by_host(e) ? e->pc : f->block[f->instance[e->instance].block].launch;
}

static struct lone_share *share_of(const struct lone_shares *s, uint32_t launch, int sm)
{
    return &s->share[launch * (uint32_t)s->f->img->sms + (uint32_t)sm];
}

static void count_events(struct lone_shares *s)
{
    const struct flow *f = s->f;
    uint32_t sms = (uint32_t)f->img->sms, launches = (uint32_t)f->img->nlaunches, n = 0;
    s->event = fl_alloc(f->nevents * sizeof *s->event + 1);
    s->launch_event = fl_alloc((launches + 1) * sizeof *s->launch_event);
    for (uint32_t e = 0; e < f->nevents; e++)
        s->launch_event[lone_launch_of(f, e) + 1] = e + 1;
    for (uint32_t l = 1; l <= launches; l++) /* one that did not run has none */
        if (s->launch_event[l] < s->launch_event[l - 1])
            s->launch_event[l] = s->launch_event[l - 1];
    for (uint32_t b = 0; b < f->nblocks; b++)
        share_of(s, f->block[b].launch, f->block[b].sm)->blocks++;
    for (uint32_t e = 0; e < f->nevents; e++)
        if (!flow_by_host(&f->event[e]))
            share_of(s, lone_launch_of(f, e), lone_sm_of(f, e))->count++;
    for (uint32_t k = 0; k < sms; k++)
        for (uint32_t l = 0; l < launches; l++) {
            struct lone_share *x = share_of(s, l, (int)k);
            x->first = n;
            n += x->count;
            x->count = 0;
        }
    s->rank = fl_alloc(f->nevents * sizeof *s->rank + 1);
    for (uint32_t e = 0; e < f->nevents; e++)
        if (!flow_by_host(&f->event[e])) {
            struct lone_share *x = share_of(s, lone_launch_of(f, e), lone_sm_of(f, e));
            s->rank[e] = x->first + x->count++;
            s->event[s->rank[e]] = e;
        }
}

/* Those of an SM, in the order of `second`. */
static void sort_pairs(struct lone_shares *s)
{
    const struct flow *f = s->f;
    uint32_t sms = (uint32_t)f->img->sms, n = 0;
    s->pair = fl_alloc((f->npairs + 1) * sizeof *s->pair);
    s->pair_of = fl_alloc((sms + 1) * sizeof *s->pair_of);
    uint32_t *count = fl_alloc(sms * sizeof *count);
    for (uint32_t i = 0; i < f->npairs; i++)
        count[lone_sm_of(f, f->pair[i].second)] += lone_sm_of(f, f->pair[i].first) ==
                                                   lone_sm_of(f, f->pair[i].second);
    for (uint32_t k = 0; k < sms; k++) {
        s->pair_of[k] = n;
        n += count[k];
        count[k] = s->pair_of[k];
    }
    s->pair_of[sms] = n;
    for (uint32_t i = 0; i < f->npairs; i++) {
        int sm = lone_sm_of(f, f->pair[i].second);
        if (lone_sm_of(f, f->pair[i].first) == sm)
            s->pair[count[sm]++] = i;
    }
    free(count);
}

/* Two SMs have to do with one word, or one is the only one that has blocks. */
static void find_apart(struct lone_shares *s)
{
    const struct flow *f = s->f;
    uint32_t sms = (uint32_t)f->img->sms;
    for (uint32_t l = 0; l < (uint32_t)f->img->nlaunches; l++) {
        uint32_t busy = 0;
        for (uint32_t k = 0; k < sms; k++)
            busy += share_of(s, l, (int)k)->count > 0;
        for (uint32_t k = 0; k < sms; k++) {
            struct lone_share *x = share_of(s, l, (int)k);
            x->apart = busy > 1 && x->count;
            x->last_other = FLOW_NONE;
            for (uint32_t i = 0; i < sms; i++) {
                const struct lone_share *y = share_of(s, l, (int)i);
                uint32_t last = i != k && y->count ? s->event[y->first + y->count - 1] : 0;
                if (i != k && y->count && (x->last_other == FLOW_NONE || last > x->last_other))
                    x->last_other = last;
            }
        }
    }
    for (uint32_t i = 0; i < f->npairs; i++) {
        uint32_t a = f->pair[i].first, b = f->pair[i].second;
        if (lone_sm_of(f, a) == lone_sm_of(f, b) || lone_launch_of(f, a) != lone_launch_of(f, b))
            continue;
        share_of(s, lone_launch_of(f, a), lone_sm_of(f, a))->apart = false;
        share_of(s, lone_launch_of(f, a), lone_sm_of(f, b))->apart = false;
    }
}

static void note_user(const struct flow *f, uint8_t *who, uint32_t event)
{
    if (flow_by_host(&f->event[event]))
        return;
    uint8_t sm = (uint8_t)(lone_sm_of(f, event) + 1);
    *who = *who == 0 || *who == sm ? sm : LONE_SEVERAL;
}

static int earlier_store(const void *a, const void *b)
{
    const struct lone_store *x = a, *y = b;
    return x->event < y->event ? -1 : x->event > y->event;
}

static void find_stores(struct lone_shares *s)
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
                count[lone_sm_of(f, e)]++;
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
                s->store[count[lone_sm_of(f, e)]++] = (struct lone_store){e, w};
        }
    for (uint32_t k = 0; k < sms; k++)
        qsort(&s->store[s->store_of[k]], s->store_of[k + 1] - s->store_of[k], sizeof *s->store,
              earlier_store);
    free(count);
}

struct lone_shares *lone_shares_new(const struct flow *f)
{
    if (f->img->sms == 1 || f->img->profile.ports != PORTS_SM)
        return NULL;
    struct lone_shares *s = fl_alloc(sizeof *s);
    s->f = f;
    s->share = fl_alloc((size_t)f->img->sms * (size_t)f->img->nlaunches * sizeof *s->share);
    count_events(s);
    find_apart(s);
    sort_pairs(s);
    find_stores(s);
    return s;
}

bool lone_is_last(const struct lone_shares *s, uint32_t launch)
{
    const struct flow *f = s->f;
    return s->launch_event[launch + 1] == f->nevents && !flow_by_host(&f->event[f->nevents - 1]);
}

void lone_shares_free(struct lone_shares *s)
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

/* ---- the machine ----------------------------------------------------------------------------- */

/* It cannot be alone any more. */
static void stop(struct lone *l)
{
    l->strayed = true;
    l->m->sm[l->sm].s.over = 1;
}

static void block_told(void *context, int sm, uint32_t launch, uint32_t block, uint64_t cycle,
                       bool ends)
{
    struct lone *l = context;
    (void)sm, (void)launch, (void)block;
    if (!ends)
        return;
    if (l->left)
        l->left--;
    else
        stop(l); /* a faulty one may end more than it has */
    l->ended_at = cycle;
}

struct lone *lone_new(const struct golden *g)
{
    if (!g->flow || !g->flow->shares)
        return NULL;
    struct lone *l = fl_alloc(sizeof *l);
    l->g = g;
    l->s = g->flow->shares;
    l->log = (struct gpu_log){block_told, l};
    l->is_stored = fl_alloc(g->img->const_offset / 4 + 1);
    return l;
}

void lone_free(struct lone *l)
{
    if (!l)
        return;
    lone_leave(l);
    gpu_free(l->golden);
    free(l->stored);
    free(l->is_stored);
    free(l);
}

void lone_leave(struct lone *l)
{
    if (!l->m)
        return;
    l->m->log = NULL;
    l->m->sm[l->sm].global = NULL;
    l->m = NULL;
    while (l->nstored)
        l->is_stored[l->stored[--l->nstored]] = 0;
}

/* It has the launch, and has handed out its blocks for good. */
static bool settled(const struct gpu *m, uint32_t launch)
{
    return m->grid.launch == launch && !m->grid.done &&
           (m->img->profile.blocks == BLOCKS_FIXED ||
            m->grid.next_block == m->img->launch[launch].blocks);
}

static uint32_t blocks_left(const struct lone *l, const struct gpu *from)
{
    uint32_t left = 0;
    for (int i = 0; i < SM_MAX_BLOCKS; i++)
        left += from->sm[l->sm].s.block[i].live;
    if (from->img->profile.blocks == BLOCKS_FIXED)
        left += l->share->blocks - from->grid.taken[l->sm];
    return left;
}

/* The golden run before the cycle, with its blocks settled; NULL: it is not. */
static const struct gpu *before(struct lone *l, uint64_t cycle)
{
    const struct golden *g = l->g;
    int at = FL_FIRST(i, 1, g->ncheckpoints, g->checkpoint_cycle[i] > cycle + 1) - 1;
    if (settled(g->checkpoint[at], l->launch))
        return g->checkpoint[at];
    if (!l->golden)
        l->golden = gpu_new(g->img);
    golden_seek(g, l->golden, cycle);
    return settled(l->golden, l->launch) ? l->golden : NULL;
}

bool lone_bring(struct lone *l, struct gpu *m, int sm, uint64_t cycle)
{
    const struct run_launch *launch = l->g->residence->launch;
    const struct lone_store *store = &l->s->store[l->s->store_of[sm]];
    const struct flow *f = l->s->f;
    lone_leave(l);
    l->sm = sm;
    l->launch = (uint32_t)(FL_FIRST(i, 1, l->g->img->nlaunches, launch[i].from > cycle) - 1);
    l->share = share_of(l->s, l->launch, sm);
    if (!l->share->apart || cycle >= launch[l->launch].to)
        return false;
    const struct gpu *from = before(l, cycle);
    if (!from)
        return false;
    l->left = blocks_left(l, from);
    l->ended_at = 0;
    l->strayed = false;
    gpu_drop_forces(m); /* of all that it was */
    gpu_copy_alone(m, from, sm);
    l->m = m;
    m->log = &l->log;
    gpu_run(m, cycle);
    /* it has come from a checkpoint on without the others */
    l->lacks_from = FL_FIRST(e, 0, f->nevents, f->event[e].cycle + 1 >= gpu_cycles(from));
    l->from_event = FL_FIRST(e, 0, f->nevents, f->event[e].cycle >= cycle);
    l->from_store = FL_FIRST(i, 0, l->s->store_of[sm + 1] - l->s->store_of[sm],
                             store[i].event >= l->from_event);
    return true;
}

bool lone_over(const struct lone *l)
{
    const struct sm_state *s = &l->m->sm[l->sm].s;
    return s->deadlock && !s->live && !l->left;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* The event is another SM's, and there is no end of the launch before it. */
static bool of_others(const struct lone *l, uint32_t event)
{
    return event < l->s->launch_event[l->launch + 1] && !flow_by_host(&l->s->f->event[event]) &&
           lone_sm_of(l->s->f, event) != l->sm;
}

static bool nobody_else(uint8_t who, int sm)
{
    return !who || who == sm + 1;
}

/* Another SM writes the word, and the machine does not have that. */
static bool others_write(const struct lone *l, uint32_t word)
{
    const struct flow_chain *c = &l->s->f->chain[word];
    const struct flow_write *w = &l->s->f->write[c->write];
    if (nobody_else(l->s->writer[word], l->sm))
        return false;
    uint32_t i = FL_FIRST(k, 0, c->writes, w[k].event >= l->lacks_from);
    while (i < c->writes && w[i].event < l->s->launch_event[l->launch + 1] &&
           !of_others(l, w[i].event))
        i++;
    return i < c->writes && of_others(l, w[i].event);
}

static bool others_read(const struct lone *l, uint32_t word)
{
    const struct flow_chain *c = &l->s->f->chain[word];
    const uint32_t *r = &l->s->f->read[c->read];
    if (nobody_else(l->s->reader[word], l->sm))
        return false;
    uint32_t i = FL_FIRST(k, 0, c->reads, r[k] >= l->from_event);
    while (i < c->reads && r[i] < l->s->launch_event[l->launch + 1] && !of_others(l, r[i]))
        i++;
    return i < c->reads && of_others(l, r[i]);
}

/* The machine is about to read or write a word. */
static void word_told(void *context, uint32_t word, bool write)
{
    struct lone *l = context;
    if (others_write(l, word) || (write && others_read(l, word)))
        stop(l);
    if (!write || l->is_stored[word])
        return;
    FL_ROOM(l->stored, l->nstored, l->room, 256);
    l->stored[l->nstored++] = word;
    l->is_stored[word] = 1;
}

void lone_watch(struct lone *l)
{
    struct sm *m = &l->m->sm[l->sm];
    m->global = word_told;
    m->global_context = l;
}

bool lone_word(const struct lone *l, uint32_t event, uint32_t i, uint32_t *word)
{
    const struct lone_store *store = &l->s->store[l->s->store_of[l->sm]];
    if (i < l->nstored) {
        *word = l->stored[i];
        return true;
    }
    i += l->from_store - l->nstored;
    if (i >= l->s->store_of[l->sm + 1] - l->s->store_of[l->sm] || store[i].event >= event)
        return false;
    *word = store[i].word;
    return true;
}

bool lone_healed(const struct lone *l, const struct gpu *golden)
{
    const struct gpu *m = l->m;
    const struct flow *f = l->s->f;
    const struct sm_image *img = m->img;
    uint64_t now = gpu_cycles(golden) - 1;
    uint32_t local = img->local_offset + (uint32_t)l->sm * img->local_bytes;
    if (golden->grid.launch != l->launch || golden->grid.done ||
        m->channel[l->sm].free != golden->channel[l->sm].free ||
        m->grid.taken[l->sm] != golden->grid.taken[l->sm] ||
        !sm_same(&m->sm[l->sm], &golden->sm[l->sm]))
        return false;
    uint32_t event = FL_FIRST(e, 0, f->nevents, f->event[e].cycle >= now);
    for (uint32_t i = 0, w; lone_word(l, event, i, &w); i++)
        if (memcmp(sm_memory_at(&m->memory, 4 * w), sm_memory_at(&golden->memory, 4 * w), 4) != 0)
            return false;
    for (uint32_t i = 0; i < img->local_bytes; i += SM_PAGE)
        if (memcmp(sm_memory_at(&m->memory, local + i), sm_memory_at(&golden->memory, local + i),
                   SM_PAGE) != 0)
            return false;
    return true;
}
