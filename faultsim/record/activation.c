/* activation.c -- notes which value reads find in a cell, and when. See activation.h. */
#include "activation.h"

#include <stdlib.h>

#include "base/invariant.h"
#include "base/search.h"

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

/* What a commit has found in a unit. */
struct read {
    uint64_t cycle;
    uint32_t mask, value;
};

struct reads {
    struct read *read;
    uint32_t count;
};

struct activations {
    const struct sm_image *img;
    uint32_t units[SM_STRUCTURES], words[SM_STRUCTURES]; /* words: of a unit */
    struct reads *reads[SM_STRUCTURES];                  /* [unit], of what is read in commits */
    struct word *word[SM_STRUCTURES];                    /* of the others, once somebody asks */
};

struct activations *activations_new(const struct sm_image *img)
{
    struct activations *a = fl_alloc(sizeof *a);
    a->img = img;
    for (int i = 0; i < SM_STRUCTURES; i++) {
        struct sm_structure s;
        sm_structure_get(img, i, &s);
        a->units[i] = sm_all_units(&s);
        a->words[i] = s.lanes == LANES_ROWS ? SM_LANES : 1;
        if (sm_read_moment(i) == READ_IN_COMMIT)
            a->reads[i] = fl_alloc(a->units[i] * sizeof *a->reads[i] + 1);
    }
    return a;
}

void activations_forget(struct activations *a)
{
    for (int i = 0; i < SM_STRUCTURES; i++) {
        for (size_t k = 0; a->word[i] && k < (size_t)a->units[i] * a->words[i]; k++)
            free(a->word[i][k].found);
        free(a->word[i]);
        a->word[i] = NULL;
    }
}

void activations_free(struct activations *a)
{
    if (!a)
        return;
    activations_forget(a);
    for (int i = 0; i < SM_STRUCTURES; i++) {
        for (uint32_t u = 0; a->reads[i] && u < a->units[i]; u++)
            free(a->reads[i][u].read);
        free(a->reads[i]);
    }
    free(a);
}

static uint64_t first_in(const struct reads *r, int bit, int stuck_at, uint64_t from)
{
    uint32_t at = FL_FIRST(i, 0, r->count, r->read[i].cycle >= from);
    for (; at < r->count; at++)
        if ((r->read[at].mask >> bit & 1) && (int)(r->read[at].value >> bit & 1) != stuck_at)
            return r->read[at].cycle;
    return FSIM_NEVER;
}

uint64_t activation_of(const struct activations *a, const struct sm_cell *cell, int stuck_at,
                       uint64_t from)
{
    struct sm_unit_place p = sm_unit_of(a->img, cell);
    int s = cell->structure;
    if (a->reads[s])
        return first_in(&a->reads[s][p.unit], cell->bit, stuck_at, from);
    FL_INVARIANT(a->word[s] && !from);
    uint32_t lane = a->words[s] > 1 ? (uint32_t)__builtin_ctz(p.mask) : 0;
    const struct found *f = a->word[s][p.unit * a->words[s] + lane].found;
    return f && (f->value[!stuck_at] >> cell->bit & 1) ? f->cycle[!stuck_at][cell->bit]
                                                       : FSIM_NEVER;
}

/* ---- the run --------------------------------------------------------------------------------- */

void activations_commit(struct activations *a, const struct sm_commit *c)
{
    struct sm_commit_read list[SM_COMMIT_READS];
    int n = sm_commit_reads(a->img, c, list);
    for (int i = 0; i < n; i++) {
        struct reads *r = &a->reads[list[i].structure][list[i].unit];
        FL_INVARIANT(!r->count || r->read[r->count - 1].cycle <= c->cycle); /* A1 */
        if ((r->count & (r->count - 1)) == 0)
            r->read = fl_grow(r->read, r->count ? 2 * (size_t)r->count : 1, sizeof *r->read);
        r->read[r->count++] = (struct read){c->cycle, list[i].mask, list[i].value};
    }
}

static void start(struct activations *a, int structure, const struct gpu *m)
{
    struct sm_structure s;
    uint32_t n = a->words[structure];
    sm_structure_get(a->img, structure, &s);
    a->word[structure] = fl_alloc(((size_t)a->units[structure] * n + 1) * sizeof(struct word));
    for (uint32_t u = 0; u < a->units[structure]; u++)
        for (uint32_t k = 0; k < n; k++) {
            struct sm_cell c = sm_unit_cell(a->img, structure, u, n > 1 ? (int)k : 0, 0);
            int bits = s.field[c.field].bits;
            struct word *w = &a->word[structure][u * n + k];
            *w = (struct word){.place = sm_cell_force(a->img, &c, 0),
                               .bits = bits == BITS ? ~0u : (1u << bits) - 1};
            w->holds = gpu_word_read(m, &w->place);
        }
}

uint64_t activations_start(struct activations *a, const struct fsim_list *list, const struct gpu *m)
{
    uint64_t places = 0;
    for (long i = 0; i < list->count; i++) {
        int s = list->fault[i].cell.structure;
        if (list->fault[i].kind != FSIM_SA || sm_read_moment(s) != READ_IN_STAGES)
            continue;
        if (!a->word[s])
            start(a, s, m);
        places |= UINT64_C(1) << s;
    }
    return places;
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
    /* the pipeline has moved on since */
    case SM_S_ir: find(w, x->unit % 2 ? c->hi : c->lo, x->mask, x->cycle); break;
    case SM_S_exec: find(w, c->exec, x->mask, x->cycle); break;
    default:
        if (a->words[x->structure] > 1)
            find_row(w, x);
        else
            find(w, w->holds, x->mask, x->cycle);
    }
}

static bool is_asked(const struct activations *a, const struct sm_access *x)
{
    return x->structure < SM_STRUCTURES && a->word[x->structure];
}

void activations_tick(struct activations *a, const struct sm_watch *w,
                      const struct sm_accesses *seen)
{
    for (uint32_t i = 0; i < seen->count; i++)
        if (!seen->access[i].write && is_asked(a, &seen->access[i]))
            read_at(a, &w->c, &seen->access[i]);
    /* whoever changes a cell without writing the whole of it reads it too */
    for (uint32_t i = 0; i < seen->count; i++) {
        const struct sm_access *x = &seen->access[i];
        if (!is_asked(a, x))
            continue;
        uint32_t n = a->words[x->structure];
        for (struct word *k = &a->word[x->structure][x->unit * n]; n--; k++)
            k->holds = gpu_word_read(w->g, &k->place);
    }
}
