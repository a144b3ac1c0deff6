/* pops.c -- the pops of a fault-free run. See pops.h. */
#include "pops.h"

#include <stdlib.h>

#include "base/invariant.h"
#include "base/search.h"

static size_t line_entries(const struct sm_image *img)
{
    return (size_t)img->profile.warps * (size_t)img->profile.stack_entries;
}

struct fsim_pops *pops_new(const struct sm_image *img)
{
    return fl_alloc(line_entries(img) * sizeof(struct fsim_pops));
}

void pops_free(struct fsim_pops *pops, const struct sm_image *img)
{
    for (size_t i = 0; pops && i < line_entries(img); i++)
        free(pops[i].pop);
    free(pops);
}

void pops_note(struct fsim_pops *pops, const struct sm_image *img, const struct sm_commit *c)
{
    uint32_t les = (uint32_t)img->profile.stack_entries;
    for (int i = 0; c->kind != COMMIT_NONE && i < c->nstack; i++) {
        const struct sm_stack_event *e = &c->stack[i];
        if (e->push || e->le > les)
            continue;
        struct fsim_pops *p = &pops[(uint32_t)c->warp * les + e->le - 1u];
        FL_INVARIANT(!p->count || p->pop[p->count - 1].cycle <= c->cycle); /* P1 */
        if ((p->count & (p->count - 1)) == 0)
            p->pop = fl_grow(p->pop, p->count ? 2 * (size_t)p->count : 1, sizeof *p->pop);
        p->pop[p->count++] = (struct fsim_pop){
            .cycle = c->cycle, .tm = e->tm, .spc = e->spc, .id = e->id};
    }
}

static bool changes(const struct fsim_pop *p, const struct fsim_fault *f, uint32_t spc_bits)
{
    bool spc = f->cell.field == SM_FIELD(dstack, spc);
    uint32_t v = spc ? p->spc : f->cell.field == SM_FIELD(dstack, id) ? p->id : p->tm;
    if (spc && !(spc_bits >> f->cell.bit & 1))
        return false;
    return (int)(v >> f->cell.bit & 1) != f->value;
}

uint64_t pops_activation(const struct fsim_pops *pops, const struct sm_image *img,
                         const struct fsim_fault *f, uint64_t from)
{
    const struct fsim_pops *p =
        &pops[f->cell.index[0] * img->profile.stack_entries + f->cell.index[1]];
    uint32_t at = FL_FIRST(i, 0, p->count, p->pop[i].cycle >= from);
    for (; at < p->count; at++)
        if (changes(&p->pop[at], f, profile_spc_bits(&img->profile)))
            return p->pop[at].cycle;
    return FSIM_NEVER;
}
