/* side.c -- the shortcuts of engine c.
 *
 * Where a fault first acts, a copy of the golden machine gets the fault (`bad`) and runs to its end, as on any engine
 * (runner.c); of a chip, one SM without the others where that is exact (alone.h).
 *
 * Of flips, the touches of the cell say whether anybody reads it before it is written again; if
 * not, it is masked without a run. A flipped register is followed as a difference in data, from the
 * instruction that reads it first.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "internal.h"

struct side *side_new(struct runner *run)
{
    const struct golden *g = run->ref->golden;
    struct side *s = fl_alloc(sizeof *s);
    *s = (struct side){.g = g,
                       .run = run,
                       .bad = dut_gpu(run->bad),
                       .golden = gpu_new(g->img),
                       .lone = lone_new(g)};
    s->variants = variants_new(g, run, s->lone);
    return s;
}

void side_free(struct side *s)
{
    if (!s)
        return;
    gpu_free(s->golden);
    variants_free(s->variants);
    lone_free(s->lone);
    free(s);
}

void side_seek_whole(struct side *s, uint64_t cycle)
{
    golden_seek(s->g, s->golden, cycle);
    gpu_copy(s->bad, s->golden);
}

/* All cells are of one SM, and of no other's concern. */
static bool of_one_sm(const struct side *s, const struct fsim_fault *f)
{
    bool one = true;
    for (int i = 0; i < f->cells; i++) {
        struct sm_structure x;
        sm_structure_get(s->g->img, f[i].cell.structure, &x);
        one &= x.places > 1 && f[i].cell.place == f->cell.place;
    }
    return one;
}

bool side_seek_bad(struct side *s, const struct fsim_fault *f, uint64_t cycle)
{
    if (s->lone && of_one_sm(s, f) && lone_bring(s->lone, s->bad, f->cell.place, cycle)) {
        lone_watch(s->lone);
        return true;
    }
    side_seek_whole(s, cycle);
    return false;
}

/* ---- transient and intermittent faults ------------------------------------------------------- */

/* One flipped bit of the register file, as data. */
static bool follow_register(struct side *s, const struct touches *t, const struct sm_cell *c,
                            uint32_t site, struct transient_result *out)
{
    struct sm_unit_place p = sm_unit_of(s->g->img, c);
    struct fsim_result r[32];
    uint64_t first = out->r.first_activation;
    if (!variants_flip(s->variants, p.unit, __builtin_ctz(p.mask), t->site[site].event,
                       1u << c->bit, r))
        return false;
    out->r = r[c->bit];
    out->r.first_activation = first;
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

/* A flipped bit of a word in the L1 of the only SM, as data: with the other bits of the word. */
static bool follow_cached(struct side *s, const struct touches *t, const struct sm_cell *c,
                          uint32_t site, struct transient_result *out)
{
    const struct sm_image *img = s->g->img;
    const struct flow *f = s->g->flow;
    uint64_t first = out->r.first_activation;
    uint32_t unit = sm_unit_of(img, c).unit, at = 0, event = t->site[site].event;
    if (!f || img->sms > 1 || img->caches.cache[CACHE_L1D].wrong || t->fit != UINT64_MAX)
        return false;
    if (s->cached.unit != unit || s->cached.first != first || !first) {
        s->cached.unit = unit;
        s->cached.first = first;
        s->cached.known = 0;
        uint64_t tag = written_from(t, *c, 0, first), valid = written_from(t, *c, 1, first);
        if (event < f->nevents && address_in(img, f, &f->event[event], c, &at))
            s->cached.known = variants_flip_cached(s->variants, (at - JOB_BASE) / 4, event,
                                                   tag < valid ? tag : valid, s->cached.r);
    }
    if (!(s->cached.known >> c->bit & 1))
        return false;
    out->r = s->cached.r[c->bit];
    out->r.first_activation = first;
    return true;
}

static void simulate_from(struct side *s, const struct fsim_fault *u, struct fsim_result *out)
{
    unsigned how = u->to == FSIM_NO_END ? LOOK_EARLY : LOOK_EARLY | MAY_HEAL;
    s->run->stat.runs++;
    if (side_seek_bad(s, u, u->from)) {
        dut_bring(s->run->bad, u);
        if (alone_to_end(s->run, s->lone, u, how, out))
            return;
        side_seek_whole(s, u->from);
    }
    dut_bring(s->run->bad, u);
    run_to_end(s->run, how, out);
}

void side_bring(struct side *s, const struct touches *t, const struct fsim_fault *u, bool at_read,
                struct transient_result *out)
{
    bool cached = at_read && out->site != SITE_NONE && u->cell.structure == SM_S_l1d_data;
    if (cached && follow_cached(s, t, &u->cell, out->site, out))
        return;
    else if (!at_read || out->site == SITE_NONE || u->cell.structure != SM_S_rf ||
             !follow_register(s, t, &u->cell, out->site, out))
        simulate_from(s, u, &out->r);
}
