/* excitation.c -- carries memories with faults along the fault-free run. See excitation.h. */
#include "excitation.h"

#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "faultsim/faults/layout.h"
#include "faultsim/faults/memory.h"

enum { NONE = -1 };

/* A word in which some fault has bits. */
struct word {
    struct sm_force place;
    uint32_t holds;             /* in the fault-free machine, behind the last tick */
    uint32_t written, accessed; /* touched: number of the tick */
    int32_t first;              /* of its uses, or NONE */
};

/* Bits of a word that belong to a fault. */
struct use {
    uint32_t word, mask, holds;
    uint32_t wrong;      /* bits that have been wrong since `from` of the fault */
    int32_t fault, next; /* next: of the word's uses */
};

struct watched {
    const struct fsim_fault *fault;
    uint32_t use; /* its first one; those of the other cell follow */
    uint8_t n, others;
    bool wrong, done;
    uint32_t dirty;    /* number of the tick */
    uint64_t from, to; /* when it was wrong last; to: FSIM_NEVER while it is */
    struct excitation found;
};

/* What the columns of a word have returned last, for all reads that may still be listed. */
struct latch {
    struct latched {
        uint64_t cycle; /* of the tick; seen from the next one on */
        uint32_t bits;
    } * at;
    uint32_t count, room, now; /* now: with the reads of the tick at hand */
};

struct excitations {
    const struct sm_image *img;
    struct watched *watched; /* in the order of lists */
    long count;
    struct use *use;
    uint32_t nuses, use_room;
    /* of each structure: number of the word of each unit and lane, or NONE */
    int32_t *number[SM_STRUCTURES];
    uint32_t lanes[SM_STRUCTURES];
    struct word *word;
    uint32_t nwords, word_room, *accessed, naccessed;
    int32_t *dirty;
    uint32_t ndirty;
    /* of structures with stuck-open cells: a latch for each lane, field or bank of each SM */
    uint32_t slices[SM_STRUCTURES], latches[SM_STRUCTURES], units[SM_STRUCTURES];
    struct latch *latch[SM_STRUCTURES];
    uint32_t tick;
};

/* ---- the list -------------------------------------------------------------------------------- */

static int32_t *number_of(const struct excitations *e, int structure, uint32_t unit, uint32_t lane)
{
    return &e->number[structure][unit * e->lanes[structure] + lane];
}

static uint32_t word_for(struct excitations *e, int structure, const struct memory_place *p,
                         const struct gpu *m)
{
    if (!e->number[structure]) {
        struct sm_structure s;
        sm_structure_get(e->img, structure, &s);
        e->lanes[structure] = s.lanes == LANES_ROWS ? SM_LANES : 1;
        size_t n = (size_t)sm_all_units(&s) * e->lanes[structure];
        e->number[structure] = fl_alloc(n * sizeof(int32_t));
        memset(e->number[structure], 0xff, n * sizeof(int32_t));
    }
    int32_t *n = number_of(e, structure, p->at.unit,
                           p->lane ? (uint32_t)__builtin_ctz(p->at.mask) : 0);
    if (*n == NONE) {
        FL_ROOM(e->word, e->nwords, e->word_room, 256);
        *n = (int32_t)e->nwords;
        e->word[e->nwords++] = (struct word){
            .place = p->word, .holds = gpu_word_read(m, &p->word), .first = NONE};
    }
    return (uint32_t)*n;
}

static void add_use(struct excitations *e, long fault, int structure, const struct memory_place *p,
                    const struct gpu *m)
{
    uint32_t w = word_for(e, structure, p, m);
    FL_ROOM(e->use, e->nuses, e->use_room, 256);
    e->use[e->nuses] = (struct use){.word = w,
                                    .mask = p->mask,
                                    .holds = e->word[w].holds & p->mask,
                                    .fault = (int32_t)fault,
                                    .next = e->word[w].first};
    e->word[w].first = (int32_t)e->nuses++;
}

static int by_fault(const void *a, const void *b)
{
    return fsim_compare(((const struct watched *)a)->fault, ((const struct watched *)b)->fault);
}

struct excitation excitation_of(const struct excitations *e, const struct fsim_fault *f)
{
    struct watched key = {.fault = f};
    const struct watched *w = bsearch(&key, e->watched, (size_t)e->count, sizeof *w, by_fault);
    return w->found;
}

void excitations_free(struct excitations *e)
{
    if (!e)
        return;
    for (int i = 0; i < SM_STRUCTURES; i++) {
        free(e->number[i]);
        for (uint32_t k = 0; k < e->latches[i]; k++)
            free(e->latch[i][k].at);
        free(e->latch[i]);
    }
    free(e->watched);
    free(e->use);
    free(e->word);
    free(e->accessed);
    free(e->dirty);
    free(e);
}

/* ---- one fault, one tick --------------------------------------------------------------------- */

static void gather(const struct excitations *e, const struct watched *f, struct memory_bits *cell,
                   struct memory_bits *other)
{
    for (int i = 0; i < f->n + f->others; i++) {
        const struct use *u = &e->use[f->use + (uint32_t)i];
        const struct word *w = &e->word[u->word];
        struct memory_bits *b = i < f->n ? &cell[i] : &other[i - f->n];
        *b = (struct memory_bits){u->mask, u->holds,
                                  w->accessed == e->tick ? w->written & u->mask : 0,
                                  w->holds & u->mask};
    }
}

/* Bits of use i that do not show what the fault-free ones hold. */
static uint32_t wrong_bits(const struct watched *f, int i, const struct memory_bits *cell,
                           const struct memory_bits *other)
{
    if (i < f->n)
        return memory_shows(f->fault, &cell[i], &other[i]) ^ cell[i].value;
    i -= f->n;
    return memory_both(f->fault) ? other[i].holds ^ other[i].value : 0;
}

/* Keeps what the cells hold now; `cycle`: of the tick that made it so. */
static void keep(struct excitations *e, struct watched *f, const struct memory_bits *cell,
                 const struct memory_bits *other, uint64_t cycle, uint64_t settled)
{
    struct use *use = &e->use[f->use];
    bool wrong = false, anew;
    for (int i = 0; i < f->n + f->others; i++) {
        use[i].holds = i < f->n ? cell[i].holds : other[i - f->n].holds;
        wrong |= wrong_bits(f, i, cell, other) != 0;
    }
    /* reads to come may still have seen what was wrong before: then it counts as one time */
    anew = wrong && !f->wrong && (f->from == FSIM_NEVER || f->to <= settled);
    if (anew)
        f->from = cycle;
    if (wrong != f->wrong)
        f->to = wrong ? FSIM_NEVER : cycle;
    f->wrong = wrong;
    for (int i = 0; i < f->n + f->others; i++)
        use[i].wrong = (anew ? 0 : use[i].wrong) | wrong_bits(f, i, cell, other);
}

/* ---- the run --------------------------------------------------------------------------------- */

/* A stuck-open cell depends on all rows of its column. */
static void take_columns(struct excitations *e, int structure, const struct gpu *m)
{
    struct layout l = layout_of(e->img, structure);
    uint32_t lanes = l.lanes > 1 ? SM_LANES : 1;
    e->slices[structure] = l.lanes > 1 ? SM_LANES : (uint32_t)(l.banks * l.s.nfields);
    e->latches[structure] = e->slices[structure] * (uint32_t)l.s.places;
    e->units[structure] = sm_units(&l.s);
    e->latch[structure] = fl_alloc(e->latches[structure] * sizeof(struct latch));
    for (uint32_t u = 0; u < sm_all_units(&l.s); u++)
        for (uint32_t k = 0; k < lanes; k++) {
            struct sm_cell c = sm_unit_cell(e->img, structure, u, lanes > 1 ? (int)k : 0, 0);
            struct memory_place p = {
                .at = {u, 1u << k, 0}, .lane = lanes > 1, .word = sm_cell_force(e->img, &c, 0)};
            word_for(e, structure, &p, m);
        }
}

static void take(struct excitations *e, const struct fsim_list *list, const struct gpu *m)
{
    e->watched = fl_alloc((size_t)(list->count + 1) * sizeof *e->watched);
    for (long i = 0; i < list->count; i++)
        if (list->fault[i].kind != FSIM_SA)
            e->watched[e->count++] = (struct watched){
                .fault = &list->fault[i], .from = FSIM_NEVER, .found = {FSIM_NEVER, FSIM_NEVER, 0}};
    qsort(e->watched, (size_t)e->count, sizeof *e->watched, by_fault);
    for (long i = 0; i < e->count; i++) {
        struct memory_bits cell[MEMORY_WORDS] = {0}, other[MEMORY_WORDS] = {0};
        struct watched *f = &e->watched[i];
        struct memory_places p;
        memory_find(e->img, f->fault, &p);
        f->use = e->nuses;
        f->n = (uint8_t)p.n;
        f->others = (uint8_t)p.others;
        for (int k = 0; k < p.n + p.others; k++)
            add_use(e, i, f->fault->cell.structure, k < p.n ? &p.cell[k] : &p.other[k - p.n], m);
        if (f->fault->kind == FSIM_SOF) {
            if (!e->latch[f->fault->cell.structure])
                take_columns(e, f->fault->cell.structure, m);
            continue;
        }
        gather(e, f, cell, other);
        memory_start(f->fault, &p, cell, other);
        keep(e, f, cell, other, 0, 0);
    }
    e->accessed = fl_alloc((e->nwords + 1) * sizeof *e->accessed);
    e->dirty = fl_alloc((size_t)(e->count + 1) * sizeof *e->dirty);
}

/* Before the reads of `cycle`. */
static uint32_t latched(const struct latch *l, uint64_t cycle)
{
    uint32_t i = l->count;
    while (i > 0 && l->at[i - 1].cycle >= cycle)
        i--;
    return i > 0 ? l->at[i - 1].bits : 0;
}

/* Of what has settled only the last counts. */
static void keep_latched(struct latch *l, uint64_t cycle, uint64_t settled)
{
    uint32_t old = 0;
    if (l->now == latched(l, FSIM_NEVER))
        return;
    while (old + 1 < l->count && l->at[old + 1].cycle <= settled)
        old++;
    l->count -= old;
    if (old)
        memmove(l->at, l->at + old, l->count * sizeof *l->at);
    FL_ROOM(l->at, l->count, l->room, 8);
    l->at[l->count++] = (struct latched){cycle, l->now};
}

static void first_access(struct excitations *e, uint32_t n)
{
    if (e->word[n].accessed == e->tick)
        return;
    e->word[n].accessed = e->tick;
    e->word[n].written = 0;
    e->accessed[e->naccessed++] = n;
}

/* The read comes in `cycle`, and sees what ticks of earlier cycles made; `tick` is the cycle of
 * this one, `wrong` the bits in which a stuck-open cell returns something else. */
static void read_word(struct excitations *e, uint32_t n, uint32_t mask, uint32_t wrong,
                      uint64_t cycle, uint64_t tick)
{
    for (int32_t *at = &e->word[n].first; *at != NONE;) {
        struct use *u = &e->use[*at];
        struct watched *f = &e->watched[u->fault];
        if (!f->done && f->fault->kind == FSIM_SOF && (mask & u->mask & wrong)) {
            f->done = true;
            f->found = (struct excitation){cycle,
                                           f->fault->cell.structure == SM_S_const ? tick : cycle,
                                           !(e->word[n].holds & u->mask)};
        }
        if (!f->done && (mask & u->wrong) && cycle > f->from && cycle <= f->to) {
            f->done = true;
            f->found = (struct excitation){cycle, f->from, 0};
        }
        if (f->done)
            *at = u->next;
        else
            at = &u->next;
    }
}

/* A word of the access that the list knows. */
static void access_word(struct excitations *e, const struct sm_access *x, uint32_t lane,
                        uint32_t mask, bool writes, uint64_t tick)
{
    int32_t n = *number_of(e, x->structure, x->unit, lane);
    if (n == NONE)
        return;
    first_access(e, (uint32_t)n);
    if (writes) {
        e->word[n].written |= mask;
        return;
    }
    uint32_t holds = e->word[n].holds, wrong = 0;
    if (e->latch[x->structure]) {
        uint32_t sm = x->unit / e->units[x->structure], unit = x->unit % e->units[x->structure];
        uint32_t slice = e->lanes[x->structure] > 1 ? lane : unit % e->slices[x->structure];
        slice += sm * e->slices[x->structure];
        struct latch *l = &e->latch[x->structure][slice];
        l->now = (l->now & ~mask) | (holds & mask);
        wrong = holds ^ latched(l, x->structure == SM_S_const ? tick : x->cycle);
    }
    read_word(e, (uint32_t)n, mask, wrong, x->cycle, tick);
}

static void accesses(struct excitations *e, const struct sm_accesses *seen, bool writes,
                     uint64_t tick)
{
    for (uint32_t i = 0; i < seen->count; i++) {
        const struct sm_access *x = &seen->access[i];
        if (x->write != writes || x->structure >= SM_STRUCTURES || !e->number[x->structure])
            continue;
        if (e->lanes[x->structure] == 1) {
            access_word(e, x, 0, x->mask, writes, tick);
            continue;
        }
        for (uint32_t lanes = x->mask; lanes; lanes &= lanes - 1)
            access_word(e, x, (uint32_t)__builtin_ctz(lanes), sm_part_bits(x->part), writes, tick);
    }
}

void excitations_tick(struct excitations *e, const struct sm_watch *w,
                      const struct sm_accesses *seen)
{
    e->tick++;
    e->naccessed = e->ndirty = 0;
    accesses(e, seen, false, w->cycle);
    accesses(e, seen, true, w->cycle);
    for (int i = 0; i < SM_STRUCTURES; i++)
        for (uint32_t k = 0; k < e->latches[i]; k++)
            keep_latched(&e->latch[i][k], w->cycle, w->settled);
    for (uint32_t i = 0; i < e->naccessed; i++) {
        struct word *word = &e->word[e->accessed[i]];
        uint32_t now = gpu_word_read(w->g, &word->place);
        word->written |= now ^ word->holds;
        word->holds = now;
        for (int32_t u = word->written ? word->first : NONE; u != NONE; u = e->use[u].next) {
            struct watched *f = &e->watched[e->use[u].fault];
            if (!f->done && f->fault->kind != FSIM_SOF && f->dirty != e->tick &&
                (e->use[u].mask & word->written)) {
                f->dirty = e->tick;
                e->dirty[e->ndirty++] = e->use[u].fault;
            }
        }
    }
    for (uint32_t i = 0; i < e->ndirty; i++) {
        struct memory_bits cell[MEMORY_WORDS] = {0}, other[MEMORY_WORDS] = {0};
        struct watched *f = &e->watched[e->dirty[i]];
        gather(e, f, cell, other);
        memory_tick(f->fault, f->n, cell, other);
        keep(e, f, cell, other, w->cycle, w->settled);
    }
}

struct excitations *excitations_new(const struct fsim_list *list, const struct gpu *m,
                                    uint64_t *places)
{
    struct excitations *e = fl_alloc(sizeof *e);
    e->img = m->img;
    take(e, list, m);
    *places = 0;
    for (int i = 0; i < SM_STRUCTURES; i++)
        *places |= (uint64_t)(e->number[i] != NULL) << i;
    return e;
}
