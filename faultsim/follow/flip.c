/* flip.c -- single flips as differences of data, from the instruction that reads them first. */
#include "base/search.h"
#include "internal.h"
#include "segments.h"

/* A flipped bit of the register file. */
static bool follow_register(struct follower *l, const struct sm_cell *c, uint32_t event,
                            struct fsim_result *out)
{
    struct sm_unit_place p = sm_unit_of(l->g->img, c);
    const struct segments *followed = l->run->ref->followed;
    struct fsim_result r[32];
    if (followed)
        return segments_know(followed, p.unit, __builtin_ctz(p.mask), (uint32_t)c->bit, event, out);
    if (!follow_flips(l, p.unit, __builtin_ctz(p.mask), event, 1u << c->bit, r))
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
static uint64_t written_from(const struct accesses *t, struct sm_cell c, int field, uint64_t from)
{
    c.structure = SM_S_l1d;
    c.index[2] = c.bit = 0;
    c.field = field;
    const struct access_structure *s = &t->s[SM_S_l1d];
    const struct access_unit *u = &s->unit[sm_unit_of(t->g->img, &c).unit];
    const struct access *x = &s->access[u->first];
    uint32_t i = FL_FIRST(k, 0, u->count, x[k].cycle >= from);
    while (i < u->count && !x[i].write)
        i++;
    return i < u->count ? x[i].cycle : FSIM_NEVER;
}

/* A flipped bit of a word in the L1 of the only SM: with the other bits of the word. */
static bool follow_cached(struct follower *l, const struct accesses *t, const struct sm_cell *c,
                          uint32_t event, uint64_t first, struct fsim_result *out)
{
    const struct sm_image *img = l->g->img;
    const struct flow *f = l->f;
    uint32_t unit = sm_unit_of(img, c).unit, at = 0;
    if (!f || img->sms > 1 || t->fit != UINT64_MAX)
        return false;
    for (int i = 0; i < CACHES; i++) /* the L1 alone, and no line of it is ever dirty */
        if (i != CACHE_L1D
                ? img->caches.cache[i].sets > 0
                : img->caches.cache[i].wrong || img->caches.cache[i].is.write == CACHE_BACK)
            return false;
    if (l->cached.unit != unit || l->cached.first != first || !first) {
        l->cached.unit = unit;
        l->cached.first = first;
        l->cached.known = 0;
        uint64_t tag = written_from(t, *c, 0, first), valid = written_from(t, *c, 1, first);
        if (event < f->nevents && address_in(img, f, &f->event[event], c, &at))
            l->cached.known = follow_flips_in_cache(l, (at - JOB_BASE) / 4, event,
                                                    tag < valid ? tag : valid, l->cached.r);
    }
    if (!(l->cached.known >> c->bit & 1))
        return false;
    *out = l->cached.r[c->bit];
    return true;
}

bool follow_flip(struct follower *l, const struct accesses *t, const struct sm_cell *c,
                 uint32_t event, uint64_t first, struct fsim_result *out)
{
    bool known = c->structure == SM_S_rf         ? follow_register(l, c, event, out)
                 : c->structure == SM_S_l1d_data ? follow_cached(l, t, c, event, first, out)
                                                 : false;
    out->first_activation = first;
    return known;
}
