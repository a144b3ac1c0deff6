/* follow.c -- single flips as differences of data, from the instruction that reads them first. */
#include "base/search.h"
#include "ladder.h"
#include "segments.h"

/* A flipped bit of the register file. */
static bool follow_register(struct fsim_worker *w, const struct sm_cell *c, uint32_t event,
                            struct fsim_result *out)
{
    struct sm_unit_place p = sm_unit_of(w->run.ref->img, c);
    struct fsim_result r[32];
    if (w->run.ref->followed)
        return segments_know(w->run.ref->followed, p.unit, __builtin_ctz(p.mask), (uint32_t)c->bit,
                             event, out);
    if (!variants_flip(w->variants, p.unit, __builtin_ctz(p.mask), event, 1u << c->bit, r))
        return false;
    *out = r[c->bit];
    return true;
}

/* The address of the word of a line that a load finds in the L1; false: more than one could be it. */
static bool address_in(const struct sm_image *img, const struct flow *f, const struct flow_event *e,
                       const struct sm_cell *c, uint32_t *address)
{
    const struct cache_shape *shape = &img->caches.cache[CACHE_L1D];
    uint32_t line = shape->is.line, found = 0;
    if (!e->uop || e->uop->unit != UNIT_LOAD || !e->uop->memory || e->uop->memory->kind != ISA_G)
        return false;
    for (uint32_t lanes = e->exec; lanes; lanes &= lanes - 1)
        for (uint32_t k = 0; k < sm_words(isa_type_bytes(e->uop->memory->type)); k++) {
            uint32_t at = flow_address(f, e, e->uop->memory, e->row[ROW_ADDRESS],
                                       __builtin_ctz(lanes)) /
                              4 * 4 +
                          4 * k;
            if (at / line % shape->sets != (uint32_t)c->index[0] ||
                at % line / 4 != (uint32_t)c->index[2] || at == *address)
                continue;
            *address = at;
            found++;
        }
    return found == 1;
}

/* The first cycle from `from` on in which a field of a line's entry is written, or FSIM_NEVER. */
static uint64_t written_from(const struct touches *t, struct sm_cell c, int field, uint64_t from)
{
    c.structure = SM_S_l1d;
    c.index[2] = c.bit = 0;
    c.field = field;
    const struct touch_structure *s = &t->s[SM_S_l1d];
    const struct touch_unit *u = &s->unit[sm_unit_of(t->g->img, &c).unit];
    const struct touch *x = &s->touch[u->first];
    uint32_t i = FL_FIRST(k, 0, u->count, x[k].cycle >= from);
    while (i < u->count && !x[i].write)
        i++;
    return i < u->count ? x[i].cycle : FSIM_NEVER;
}

/* A flipped bit of a word in the L1 of the only SM: with the other bits of the word. */
static bool follow_cached(struct fsim_worker *w, const struct touches *t, const struct sm_cell *c,
                          uint32_t event, struct fsim_result *out)
{
    const struct sm_image *img = w->run.ref->img;
    const struct flow *f = w->run.ref->golden->flow;
    uint64_t first = out->first_activation;
    uint32_t unit = sm_unit_of(img, c).unit, at = 0;
    if (!f || img->sms > 1 || img->caches.cache[CACHE_L1D].wrong || t->fit != UINT64_MAX)
        return false;
    if (w->cached.unit != unit || w->cached.first != first || !first) {
        w->cached.unit = unit;
        w->cached.first = first;
        w->cached.known = 0;
        uint64_t tag = written_from(t, *c, 0, first), valid = written_from(t, *c, 1, first);
        if (event < f->nevents && address_in(img, f, &f->event[event], c, &at))
            w->cached.known = variants_flip_cached(w->variants, (at - JOB_BASE) / 4, event,
                                                   tag < valid ? tag : valid, w->cached.r);
    }
    if (!(w->cached.known >> c->bit & 1))
        return false;
    *out = w->cached.r[c->bit];
    return true;
}

bool follow_flip(struct fsim_worker *w, const struct attempt *a, struct fsim_result *out)
{
    const struct sm_cell *c = &a->fault->cell;
    uint64_t first = out->first_activation;
    if (!w->variants || a->site == SITE_NONE)
        return false;
    uint32_t event = a->touches->site[a->site].event;
    bool known = false;
    if (c->structure == SM_S_rf)
        known = follow_register(w, c, event, out);
    else if (c->structure == SM_S_l1d_data)
        known = follow_cached(w, a->touches, c, event, out);
    out->first_activation = first;
    return known;
}
