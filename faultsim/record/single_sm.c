/* single_sm.c -- a machine with one SM of a chip. See single_sm.h. */
#include "single_sm.h"

#include <stdlib.h>

#include "base/search.h"

/* ---- the machine ----------------------------------------------------------------------------- */

/* It cannot be alone any more. */
static void stop(struct single_sm *l)
{
    l->strayed = true;
    l->m->sm[l->sm].s.over = 1;
}

static void on_block(void *context, int sm, uint32_t launch, uint32_t block, uint64_t cycle,
                     bool ends)
{
    struct single_sm *l = context;
    (void)sm, (void)launch, (void)block;
    if (!ends)
        return;
    if (l->left)
        l->left--;
    else
        stop(l); /* a faulty one may end more than it has */
    l->ended_at = cycle;
}

struct single_sm *single_sm_new(const struct golden *g)
{
    if (!g->flow || !g->flow->shares)
        return NULL;
    struct single_sm *l = fl_alloc(sizeof *l);
    l->g = g;
    l->s = g->flow->shares;
    l->log = (struct gpu_log){on_block, l};
    l->is_stored = fl_alloc(g->img->const_offset / 4 + 1);
    return l;
}

void single_sm_free(struct single_sm *l)
{
    if (!l)
        return;
    single_sm_leave(l);
    gpu_free(l->golden);
    free(l->stored);
    free(l->is_stored);
    free(l);
}

void single_sm_leave(struct single_sm *l)
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

static uint32_t blocks_left(const struct single_sm *l, const struct gpu *from)
{
    uint32_t left = 0;
    for (int i = 0; i < SM_MAX_BLOCKS; i++)
        left += from->sm[l->sm].s.block[i].live;
    if (from->img->profile.blocks == BLOCKS_FIXED)
        left += l->share->blocks - from->grid.taken[l->sm];
    return left;
}

/* The golden run before the cycle, with its blocks settled; NULL: it is not. */
static const struct gpu *before(struct single_sm *l, uint64_t cycle)
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

bool single_sm_seek(struct single_sm *l, struct gpu *m, int sm, uint64_t cycle)
{
    const struct run_launch *launch = l->g->residence->launch;
    const struct sm_store *store = &l->s->store[l->s->store_of[sm]];
    const struct flow *f = l->s->f;
    single_sm_leave(l);
    l->sm = sm;
    l->launch = (uint32_t)(FL_FIRST(i, 1, l->g->img->nlaunches, launch[i].from > cycle) - 1);
    l->share = sm_share_of(l->s, l->launch, sm);
    if (!l->share->isolated || cycle >= launch[l->launch].to)
        return false;
    const struct gpu *from = before(l, cycle);
    if (!from)
        return false;
    l->left = blocks_left(l, from);
    l->ended_at = 0;
    l->strayed = false;
    gpu_drop_forces(m); /* of all that it was */
    gpu_copy_single_sm(m, from, sm);
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

bool single_sm_over(const struct single_sm *l)
{
    const struct sm_state *s = &l->m->sm[l->sm].s;
    return s->deadlock && !s->live && !l->left;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* The event is another SM's, and there is no end of the launch before it. */
static bool of_others(const struct single_sm *l, uint32_t event)
{
    return event < l->s->launch_event[l->launch + 1] && !flow_by_host(&l->s->f->event[event]) &&
           flow_sm_of(l->s->f, event) != l->sm;
}

static bool nobody_else(uint8_t who, int sm)
{
    return !who || who == sm + 1;
}

/* Another SM writes the word, and the machine does not have that. */
static bool others_write(const struct single_sm *l, uint32_t word)
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

static bool others_read(const struct single_sm *l, uint32_t word)
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
static void on_word(void *context, uint32_t word, bool write)
{
    struct single_sm *l = context;
    if (others_write(l, word) || (write && others_read(l, word)))
        stop(l);
    if (!write || l->is_stored[word])
        return;
    FL_ROOM(l->stored, l->nstored, l->room, 256);
    l->stored[l->nstored++] = word;
    l->is_stored[word] = 1;
}

void single_sm_watch(struct single_sm *l)
{
    struct sm *m = &l->m->sm[l->sm];
    m->global = on_word;
    m->global_context = l;
}

bool single_sm_word(const struct single_sm *l, uint32_t event, uint32_t i, uint32_t *word)
{
    const struct sm_store *store = &l->s->store[l->s->store_of[l->sm]];
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

bool single_sm_healed(const struct single_sm *l, const struct gpu *golden)
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
    for (uint32_t i = 0, w; single_sm_word(l, event, i, &w); i++)
        if (memcmp(sm_memory_at(&m->memory, 4 * w), sm_memory_at(&golden->memory, 4 * w), 4) != 0)
            return false;
    for (uint32_t i = 0; i < img->local_bytes; i += SM_PAGE)
        if (memcmp(sm_memory_at(&m->memory, local + i), sm_memory_at(&golden->memory, local + i),
                   SM_PAGE) != 0)
            return false;
    return true;
}
