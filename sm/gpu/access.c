/* access.c -- follows a machine tick by tick, with what it reports; where cells stand in words and
 * rows. See access.h.
 */
#include "access.h"

#include <stdlib.h>
#include <string.h>

/* ---- following a machine --------------------------------------------------------------------- */

void sm_watch_start(struct sm_watch *w, struct gpu *g, uint64_t places, bool timed)
{
    *w = (struct sm_watch){.g = g, .timed = timed};
    w->hook = fl_alloc((size_t)g->sms * sizeof *w->hook);
    for (int i = 0; i < g->sms; i++) {
        w->hook[i].places = places;
        w->hook[i].timed = timed;
        g->sm[i].record = &w->c;
        g->sm[i].hook = &w->hook[i];
    }
    for (int i = 0; g->sms > 1 && i < SM_STRUCTURES; i++) {
        struct sm_structure s;
        sm_structure_get(g->img, i, &s);
        for (int k = 1; k < s.places; k++)
            w->hook[k].first[i] = sm_units(&s) * (uint32_t)k;
    }
}

void sm_watch_end(struct sm_watch *w)
{
    for (int i = 0; i < w->g->sms; i++) {
        w->g->sm[i].record = NULL;
        w->g->sm[i].hook = NULL;
        w->g->sm[i].stop = UINT64_MAX;
    }
    free(w->hook);
    w->hook = NULL;
}

/* An SM that sleeps accesses nothing before it is woken up, in the cycle of a later tick. */
static uint64_t settled(const struct sm_watch *w)
{
    uint64_t first = UINT64_MAX;
    for (int i = 0; i < w->g->sms; i++) {
        const struct sm_hook *k = &w->hook[i];
        const struct sm_state *s = &w->g->sm[i].s;
        uint64_t slot = s->next - s->slot;
        if (s->deadlock)
            continue;
        first = slot < first ? slot : first;
        for (sm_mask m = k->flying; m; m &= m - 1) {
            uint64_t fetched = k->fetched[mask_first(m)];
            first = fetched < first ? fetched : first;
        }
    }
    return first ? first - 1 : 0;
}

void sm_watch_tick(struct sm_watch *w, struct sm_accesses *out)
{
    int turn = gpu_turn(w->g);
    struct sm *m = &w->g->sm[turn];
    struct sm_hook *k = &w->hook[turn];
    m->stop = w->timed ? 0 : UINT64_MAX;
    w->cycle = k->cycle = m->s.next - 1;
    k->slot = m->s.next - m->s.slot;
    w->settled = settled(w);
    k->out = out;
    out->count = 0;
    gpu_tick(w->g);
}

/* ---- cells and units ------------------------------------------------------------------------- */

uint32_t sm_units(const struct sm_structure *s)
{
    uint32_t elements = 1;
    for (int i = 0; i < s->naxes; i++)
        elements *= (uint32_t)s->axis[i].count;
    return s->lanes == LANES_ROWS ? elements / SM_LANES : elements * (uint32_t)s->nfields;
}

struct sm_unit_place sm_unit_of(const struct sm_image *img, const struct sm_cell *cell)
{
    struct sm_structure s;
    sm_structure_get(img, cell->structure, &s);
    uint32_t element = 0;
    for (int i = 0; i < s.naxes; i++)
        element = element * (uint32_t)s.axis[i].count + (uint32_t)cell->index[i];
    uint32_t first = cell->place ? (uint32_t)cell->place * sm_units(&s) : 0;
    if (s.lanes == LANES_ROWS)
        return (struct sm_unit_place){first + element / SM_LANES, 1u << element % SM_LANES,
                                      cell->bit < 16 ? ACCESS_LOW_HALF : ACCESS_HIGH_HALF};
    return (struct sm_unit_place){first + element * (uint32_t)s.nfields + (uint32_t)cell->field,
                                  1u << cell->bit % 32, ACCESS_WHOLE};
}

struct sm_cell sm_unit_cell(const struct sm_image *img, int structure, uint32_t unit, int index,
                            int bit)
{
    struct sm_structure s;
    sm_structure_get(img, structure, &s);
    struct sm_cell c = {.structure = structure, .bit = bit};
    if (s.places > 1) {
        c.place = (int)(unit / sm_units(&s));
        unit %= sm_units(&s);
    }
    uint32_t element = unit * SM_LANES + (uint32_t)index;
    if (s.lanes != LANES_ROWS) {
        c.field = (int)(unit % (uint32_t)s.nfields);
        c.bit = index;
        element = unit / (uint32_t)s.nfields;
    }
    for (int i = s.naxes; i-- > 0;) {
        c.index[i] = (int)(element % (uint32_t)s.axis[i].count);
        element /= (uint32_t)s.axis[i].count;
    }
    return c;
}

bool sm_access_covers(const struct sm_access *a, int structure, const struct sm_unit_place *p)
{
    return a->structure == structure && a->unit == p->unit && (a->mask & p->mask) &&
           (a->part & p->part);
}

/* ---- what a commit found ---------------------------------------------------------------------- */

int sm_commit_reads(const struct sm_image *img, const struct sm_commit *c,
                    struct sm_commit_read out[SM_COMMIT_READS])
{
    uint32_t les = (uint32_t)img->profile.stack_entries;
    uint32_t warp = (uint32_t)(c->warp + sm_commit_place(c) * img->profile.warps);
    int n = 0;
    for (int i = 0; c->kind != COMMIT_NONE && i < c->nstack; i++) {
        const struct sm_stack_event *e = &c->stack[i];
        if (e->push || e->le > les)
            continue;
        uint32_t unit = (warp * les + e->le - 1u) * 3;
        out[n++] = (struct sm_commit_read){SM_S_dstack, unit, ~0u, e->tm};
        out[n++] = (struct sm_commit_read){SM_S_dstack, unit + 1, 3, e->id};
        out[n++] = (struct sm_commit_read){SM_S_dstack, unit + 2, profile_spc_bits(&img->profile),
                                           e->spc};
    }
    return n;
}
