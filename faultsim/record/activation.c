/* activation.c -- notes which value each read finds in each cell, and when first. See
 * activation.h. */
#include "activation.h"

#include <stdlib.h>
#include <string.h>

enum { BITS = 32 };

/* What reads have found in a word. */
struct found {
    uint32_t value[2];       /* bits that a read has found 0, and 1 */
    uint64_t last;           /* the latest of the cycles below that are known */
    uint64_t cycle[2][BITS]; /* of the first read that found a 0, or a 1 */
};

struct word {
    struct sm_force place;
    uint32_t bits;  /* that the field has */
    uint32_t holds; /* before the tick at hand */
    struct found *found;
};

struct activations {
    const struct sm_image *img;
    struct word *word[SM_STRUCTURES];
    uint32_t units[SM_STRUCTURES], words[SM_STRUCTURES]; /* words: of a unit */
};

/* ---- words ----------------------------------------------------------------------------------- */

struct activations *activations_new(const struct sm_image *img)
{
    struct activations *a = fl_alloc(sizeof *a);
    a->img = img;
    for (int i = 0; i < SM_STRUCTURES; i++) {
        struct sm_structure s;
        sm_structure_get(img, i, &s);
        a->units[i] = sm_units(&s);
        a->words[i] = s.lanes == LANES_ROWS ? SM_LANES : 1;
        a->word[i] = fl_alloc(((size_t)a->units[i] * a->words[i] + 1) * sizeof *a->word[i]);
        for (uint32_t u = 0; u < a->units[i]; u++)
            for (uint32_t k = 0; k < a->words[i]; k++) {
                struct sm_cell c = sm_unit_cell(img, i, u, a->words[i] > 1 ? (int)k : 0, 0);
                int bits = s.field[c.field].bits;
                a->word[i][u * a->words[i] + k] = (struct word){
                    .place = sm_cell_force(img, &c, 0),
                    .bits = bits == BITS ? ~0u : (1u << bits) - 1};
            }
    }
    return a;
}

void activations_free(struct activations *a)
{
    if (!a)
        return;
    for (int i = 0; i < SM_STRUCTURES; i++) {
        for (size_t k = 0; k < (size_t)a->units[i] * a->words[i]; k++)
            free(a->word[i][k].found);
        free(a->word[i]);
    }
    free(a);
}

static struct word *word_of(const struct activations *a, const struct sm_cell *cell)
{
    struct sm_unit_place p = sm_unit_of(a->img, cell);
    uint32_t lane = a->words[cell->structure] > 1 ? (uint32_t)__builtin_ctz(p.mask) : 0;
    return &a->word[cell->structure][p.unit * a->words[cell->structure] + lane];
}

uint64_t activation_of(const struct activations *a, const struct sm_cell *cell, int stuck_at)
{
    const struct found *f = word_of(a, cell)->found;
    return f && (f->value[!stuck_at] >> cell->bit & 1) ? f->cycle[!stuck_at][cell->bit]
                                                       : FSIM_NEVER;
}

/* ---- the run --------------------------------------------------------------------------------- */

void activations_start(struct activations *a, const struct gpu *m)
{
    for (int i = 0; i < SM_STRUCTURES; i++)
        for (size_t k = 0; k < (size_t)a->units[i] * a->words[i]; k++)
            a->word[i][k].holds = gpu_word_read(m, &a->word[i][k].place);
}

/* The read finds `value` in the bits of `mask`. Reads of several warps are not listed in order. */
static void find(struct word *w, uint32_t value, uint32_t mask, uint64_t cycle)
{
    mask &= w->bits;
    if (!w->found)
        w->found = fl_alloc(sizeof *w->found);
    struct found *f = w->found;
    for (int v = 0; v < 2; v++) {
        uint32_t bits = (v ? value : ~value) & mask;
        if (cycle >= f->last)
            bits &= ~f->value[v];
        for (; bits; bits &= bits - 1) {
            int b = __builtin_ctz(bits);
            if (!(f->value[v] >> b & 1) || cycle < f->cycle[v][b])
                f->cycle[v][b] = cycle;
            f->value[v] |= 1u << b;
            f->last = cycle > f->last ? cycle : f->last;
        }
    }
}

/* A pop: what it returned may have been pushed in the same tick. */
static void find_popped(struct activations *a, const struct sm_commit *c, const struct sm_access *x)
{
    uint32_t le = x->unit / 3 % (uint32_t)a->img->profile.stack_entries, field = x->unit % 3;
    for (int i = 0; i < c->nstack; i++) {
        const struct sm_stack_event *e = &c->stack[i];
        if (!e->push && e->le == le + 1)
            find(&a->word[SM_S_dstack][x->unit],
                 field == SM_FIELD(dstack, tm)   ? e->tm
                 : field == SM_FIELD(dstack, id) ? e->id
                                                 : e->spc,
                 x->mask, x->cycle);
    }
}

static void find_row(struct word *row, const struct sm_access *x)
{
    for (uint32_t lanes = x->mask; lanes; lanes &= lanes - 1) {
        struct word *w = &row[__builtin_ctz(lanes)];
        find(w, w->holds, sm_part_bits(x->part), x->cycle);
    }
}

static void read_at(struct activations *a, const struct sm_commit *c, const struct sm_access *x)
{
    struct word *w = &a->word[x->structure][x->unit * a->words[x->structure]];
    switch (x->structure) {
    case SM_S_dstack: find_popped(a, c, x); break;
    /* the pipeline has moved on since */
    case SM_S_ir: find(w, x->unit ? c->hi : c->lo, x->mask, x->cycle); break;
    case SM_S_exec: find(w, c->exec, x->mask, x->cycle); break;
    default:
        if (a->words[x->structure] > 1)
            find_row(w, x);
        else
            find(w, w->holds, x->mask, x->cycle);
    }
}

void activations_tick(struct activations *a, const struct sm_watch *w,
                      const struct sm_accesses *seen)
{
    for (uint32_t i = 0; i < seen->count; i++)
        if (!seen->access[i].write && seen->access[i].structure < SM_STRUCTURES)
            read_at(a, &w->c, &seen->access[i]);
    /* whoever changes a cell without writing the whole of it reads it too */
    for (uint32_t i = 0; i < seen->count; i++) {
        const struct sm_access *x = &seen->access[i];
        if (x->structure >= SM_STRUCTURES)
            continue;
        uint32_t n = a->words[x->structure];
        for (struct word *k = &a->word[x->structure][x->unit * n]; n--; k++)
            k->holds = gpu_word_read(w->g, &k->place);
    }
}
