/* ace.c -- SIFI's lifetime analysis: which bits may matter in which cycles, from the golden run
 * alone.
 *
 * A bit's life goes from the start of the block that owns it to that block's end. Un-ACE are the
 * cycles between a read and the write that follows, and between two writes; all others count as
 * ACE: from the start to the first write, from a write to a read, from the last access to the end
 * (SIFI, section III; equations 7 to 10).
 */
#include "campaign.h"

/* [from, to) may matter, for `bits` bits of an SM. */
static void add(struct avf_task *k, int sm, uint64_t from, uint64_t to, uint64_t bits)
{
    struct context_piece p;
    if (from >= to)
        return;
    for (uint64_t at = from; context_piece(k->ctx, &at, to - 1, &p);) {
        struct tally *own = store_found_sm(k->found, sm, p.launch);
        k->found->tally[p.launch].ace += bits * (p.to - p.from);
        if (own)
            own->ace += bits * (p.to - p.from);
        timeline_spread(&k->ctx->facts.timeline, p.from, p.to, bits, &k->found->moment[0].ace);
    }
}

/* The life of some bits of an SM that are accessed alike, in [from, to). */
static void life(struct avf_task *k, int sm, struct access_walk w, uint64_t from, uint64_t to,
                 uint64_t bits)
{
    struct access_class g;
    uint64_t start = from; /* of the stretch since the last access */
    bool born = true;      /* nothing has accessed the bits yet */
    while (access_walk_next(&w, &g) && g.from < to) {
        if (g.to < from)
            continue;
        bool accessed = g.end != CLASS_NOTHING && g.to < to;
        if (!accessed || g.end == CLASS_READ || born)
            add(k, sm, start, accessed ? g.to + 1 : to, bits);
        if (!accessed)
            return;
        born = false;
        start = g.to + 1;
    }
    add(k, sm, start, to, bits);
}

static void lives(struct avf_task *k, int sm, uint32_t unit, int index, int bits, uint8_t part)
{
    const struct residence *r = k->ctx->g->residence;
    struct access_walk w;
    access_walk_start(&w, k->ctx->t, k->structure, (struct sm_unit_place){unit, 1u << index, part});
    if (!residence_has_owners(r, k->structure)) {
        life(k, sm, w, 0, r->cycles, (uint64_t)bits);
        return;
    }
    for (uint32_t b = 0; b < r->nblocks; b++) {
        struct run_span s = residence_span(r, k->structure, &r->block[b]);
        if (unit - s.first < s.count)
            life(k, sm, w, r->block[b].from, r->block[b].to, (uint64_t)bits);
    }
}

void ace_unit(struct avf_task *k)
{
    const struct access_structure *s = &k->ctx->t->s[k->structure];
    struct sm_structure geometry;
    sm_structure_get(k->ctx->img, k->structure, &geometry);
    for (uint32_t unit = 0; unit < s->units; unit++) {
        if (!context_has_unit(k->ctx, k->structure, unit))
            continue;
        int sm = (int)(unit / sm_units(&geometry));
        int bits = geometry.field[s->rows ? 0 : unit % (uint32_t)geometry.nfields].bits;
        for (int i = 0; i < (s->rows ? SM_LANES : bits); i++) {
            if (!s->rows) {
                lives(k, sm, unit, i, 1, ACCESS_WHOLE);
            } else {
                lives(k, sm, unit, i, 16, ACCESS_LOW_HALF);
                if (bits > 16)
                    lives(k, sm, unit, i, bits - 16, ACCESS_HIGH_HALF);
            }
        }
    }
}
