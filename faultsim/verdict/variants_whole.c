/* variants_whole.c -- one machine that differs from the fault-free one in data alone: what differs is
 * collected, followed without a machine, and put into one again.
 *
 * When two machines agree in all control state (masks, PCs, stacks, flags, address registers,
 * scheduler, pipeline), they execute the same instructions in the same cycles until one of these
 * turns a differing value into a decision or an address. Up to there places are where the golden
 * run has them, also those that a warp leaves behind: who owns them next has the difference.
 */
#include "base/invariant.h"
#include "base/search.h"
#include "variants_internal.h"

/* ---- whose place ----------------------------------------------------------------------------- */

static bool owns(const struct flow_instance *l, uint32_t row)
{
    return row - l->base < l->regs;
}

/* The instance that owns a row in this cycle, or owned it last; FLOW_NONE. */
static uint32_t owner_of(const struct flow *f, uint32_t row, uint64_t cycle)
{
    uint32_t b = FL_FIRST(i, 0, f->nblocks, f->block[i].from > cycle);
    for (uint32_t l = b < f->nblocks ? f->block[b].first_instance : f->ninstances; l-- > 0;)
        if (owns(&f->instance[l], row))
            return l;
    return FLOW_NONE;
}

/* The instance that owns a place of this one next, before the stop. */
static uint32_t heir_of(const struct variants *l, uint32_t instance, uint32_t place)
{
    const struct flow *f = l->f;
    for (uint32_t i = instance + 1;
         i < f->ninstances && f->block[f->instance[i].block].from <= l->stop; i++)
        if (place < PLACE_CC ? owns(&f->instance[i], f->instance[instance].base + place)
                             : f->instance[i].slot == f->instance[instance].slot &&
                                   f->instance[i].sm == f->instance[instance].sm)
            return i;
    return FLOW_NONE;
}

/* A warp's start writes $r0 and nothing else. */
static void start_of_instance(const struct variants *l, uint32_t instance, struct place *p)
{
    const struct flow_instance *x = &l->f->instance[instance];
    if (p->place != 0)
        return;
    for (uint32_t lanes = x->active; lanes; lanes &= lanes - 1)
        p->x.v[__builtin_ctz(lanes)] = l->f->value[x->r0][__builtin_ctz(lanes)];
    p->mask &= ~x->active;
}

void variants_inherit(struct variants *l, uint32_t instance)
{
    for (bool again = true; again;) {
        struct track *t = find_track(l, instance);
        again = false;
        for (uint32_t i = 0; t && i < t->n && !again; i++) {
            struct place p = t->place[i];
            uint32_t heir = heir_of(l, instance, p.place),
                     row = l->f->instance[instance].base + p.place;
            if (heir == FLOW_NONE)
                continue;
            again = true;
            t->place[i] = t->place[--t->n];
            if (!t->n)
                variants_drop_track(l, t);
            if (p.place < PLACE_CC)
                p.place = (uint8_t)(row - l->f->instance[heir].base);
            start_of_instance(l, heir, &p);
            if ((t = find_track(l, heir)))
                t->at = 0; /* none of its events has come yet */
            variants_add_place(l, heir, 0, &p);
            variants_next_visit(l, heir);
        }
    }
}

/* ---- collecting ------------------------------------------------------------------------------ */

static bool collect_page(struct variants *l, const struct gpu *a, const struct gpu *b, uint32_t p,
                         uint32_t event)
{
    uint32_t x[SM_PAGE / 4], y[SM_PAGE / 4], v[VARIANTS];
    if (a->memory.page[p] == b->memory.page[p])
        return true;
    memcpy(x, a->memory.page[p], SM_PAGE);
    memcpy(y, b->memory.page[p], SM_PAGE);
    for (uint32_t i = 0; i < SM_PAGE / 4; i++) {
        uint32_t word = p * (SM_PAGE / 4) + i;
        if (x[i] == y[i])
            continue;
        /* event 0 has no predecessor to stand behind; local memory is kept by owner */
        if (!event || word >= l->g->img->const_offset / 4)
            return false;
        fill(v, x[i]);
        variants_set_word(l, word, event - 1, v, y[i]);
    }
    return true;
}

/* `row` of an SM. */
static bool collect_row(struct variants *l, const struct sm *faulty, const struct sm *good,
                        uint32_t row, uint32_t event, uint64_t cycle)
{
    const struct flow *f = l->f;
    const uint32_t *v = &faulty->s.rf[row * SM_LANES];
    struct place p = {.mask = variants_rows_differ(v, &good->s.rf[row * SM_LANES])};
    row += (uint32_t)(faulty->port.number * l->g->img->profile.regs) / SM_LANES;
    uint32_t instance = owner_of(f, row, cycle);
    if (instance == FLOW_NONE)
        return false;
    const struct flow_instance *x = &f->instance[instance];
    p.place = (uint8_t)(row - x->base);
    memcpy(p.x.v, v, sizeof p.x.v);
    variants_add_place(l, instance,
                       FL_FIRST(i, 0, x->count, f->instance_event[x->first + i] >= event), &p);
    return true;
}

static bool collect_sm(struct variants *l, const struct sm *faulty, const struct sm *good,
                       uint32_t event, uint64_t cycle)
{
    const struct sm_image *img = l->g->img;
    if (memcmp(faulty->s.shared, good->s.shared, img->shared_used) != 0)
        return false;
    for (int i = 0; i < img->warps_used; i++) {
        size_t from = offsetof(struct sm_warp, cc), size = sizeof(struct sm_warp) - from;
        if (memcmp((const char *)&faulty->s.warp[i] + from, (const char *)&good->s.warp[i] + from,
                   size) != 0)
            return false;
    }
    for (uint32_t row = 0; row < (uint32_t)img->regs_used / SM_LANES; row++)
        if (memcmp(&faulty->s.rf[row * SM_LANES], &good->s.rf[row * SM_LANES],
                   SM_LANES * sizeof(uint32_t)) != 0 &&
            (!l->f || !collect_row(l, faulty, good, row, event, cycle)))
            return false;
    return true;
}

static bool collect(struct variants *l, const struct gpu *faulty, const struct gpu *good,
                    uint64_t cycle)
{
    const struct flow *f = l->f;
    uint32_t event = f ? FL_FIRST(e, 0, f->nevents, f->event[e].cycle >= cycle) : 0;
    for (int i = 0; i < faulty->sms; i++)
        if (!collect_sm(l, &faulty->sm[i], &good->sm[i], event, cycle))
            return false;
    for (uint32_t i = 0; i < faulty->memory.ndirty; i++)
        if (!collect_page(l, faulty, good, faulty->memory.dirty[i], event))
            return false;
    for (uint32_t i = 0; i < good->memory.ndirty; i++)
        if (!collect_page(l, faulty, good, good->memory.dirty[i], event))
            return false;
    return true;
}

/* ---- following ------------------------------------------------------------------------------- */

/* All words that differ are of global memory. Others are kept by owner: what becomes of them behind
 * its end is not followed. */
static bool all_global(const struct variants *l)
{
    uint32_t n = 0;
    while (n < l->nwords && l->word[n].number < l->g->img->const_offset / 4)
        n++;
    return n == l->nwords;
}

bool variants_follow_machine(struct variants *l, const struct gpu *faulty, const struct gpu *good,
                             uint64_t cycle, uint64_t stop)
{
    l->whole = true;
    l->subject.held = false;
    l->stop = stop;
    for (int i = 0; i < faulty->sms; i++)
        FL_INVARIANT(faulty->sm[i].s.next == good->sm[i].s.next &&
                     faulty->sm[i].s.live == good->sm[i].s.live); /* V3 */
    variants_start(l, ~0u);
    if (!collect(l, faulty, good, cycle))
        return false;
    uint32_t instance[MAX_TRACKS], n = l->ntracks;
    for (uint32_t i = 0; i < n; i++)
        instance[i] = l->track[i].instance;
    for (uint32_t i = 0; i < n; i++)
        variants_next_visit(l, instance[i]);
    variants_walk(l);
    bool stale = l->f && (l->f->stale[STALE_SHARED] || l->f->stale[STALE_LOCAL]);
    return l->alive && (all_global(l) || (stop == FSIM_NEVER && !stale));
}

void variants_judge_machine(struct variants *l, struct outputs_verdict *out)
{
    variants_judge_outputs(l, 0, out);
}

bool variants_apply(const struct variants *l, struct gpu *m)
{
    for (uint32_t i = 0; i < l->ntracks; i++) {
        const struct track *t = &l->track[i];
        const struct flow_instance *instance = &l->f->instance[t->instance];
        uint32_t rows = (uint32_t)l->g->img->profile.regs / SM_LANES; /* of an SM */
        for (uint32_t k = 0; k < t->n; k++)
            for (uint32_t lanes = t->place[k].mask; lanes; lanes &= lanes - 1)
                variants_put(&m->sm[instance->sm], instance->slot, instance->base % rows,
                             t->place[k].place, __builtin_ctz(lanes),
                             t->place[k].x.v[__builtin_ctz(lanes)]);
    }
    for (uint32_t i = 0; i < l->nwords; i++)
        if (l->word[i].number < l->g->img->const_offset / 4)
            memcpy(sm_memory_writable(&m->memory, l->word[i].number * 4), l->word[i].x.v, 4);
    return all_global(l);
}
