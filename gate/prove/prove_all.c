/* prove_all.c -- every fault of a list: patterns for those that have one, proofs for the others. */
#include "prove.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "base/random.h"
#include "gate/cover.h"
#include "gate/sim.h"

enum { RANDOM = 10240, BLOCK = 64 };

struct all {
    const struct gate_netlist *n;
    const struct gate_constraints *c;
    struct gate_sim *sim;
    enum gate_model model;
    uint32_t sources;
    uint32_t *fault, *class, count; /* what is left */
    struct gate_hit *hit;
    uint64_t *watched, *value; /* [nets] where relations name outputs */
    uint8_t *verdict, *bytes[2];
    uint32_t *vector;
    struct gate_patterns *patterns;
    uint32_t room;
};

static void set(struct gate_patterns *p, uint32_t pattern, const uint8_t *source)
{
    for (uint32_t i = 0; i < p->sources; i++)
        p->word[(size_t)(pattern / 64) * p->sources + i] |= (uint64_t)source[i] << pattern % 64;
}

/* Appends a vector; its number. */
static uint32_t append(struct all *a, const uint8_t *source)
{
    struct gate_patterns *p = a->patterns;
    if (p->count == a->room) {
        p->word = fl_grow(p->word, a->room / 64 + 1, (size_t)p->sources * sizeof *p->word);
        memset(p->word + (size_t)(a->room / 64) * p->sources, 0, p->sources * sizeof *p->word);
        a->room += 64;
    }
    set(p, p->count, source);
    return p->count++;
}

/* Where the faults that are left show; where outputs are not always watched, with what is. */
static void detect(struct all *a, const uint64_t *source)
{
    if (!a->c || !a->c->watches) {
        gate_sim_detect(a->sim, a->model, a->fault, a->count, a->hit);
        return;
    }
    const uint64_t *value = source;
    for (uint32_t i = 0; a->c->inner && i < a->n->nets; i++) {
        a->value[i] = *gate_sim_value(a->sim, i);
        value = a->value;
    }
    gate_constraints_watched(a->c, a->n->outputs, value, a->watched);
    for (uint32_t i = 0; i < a->count; i++) {
        const struct gate_diff *d;
        int diffs = gate_sim_fault(a->sim, a->model, a->fault[i], &d);
        uint64_t shows = 0;
        for (int k = 0; k < diffs; k++)
            shows |= *d[k].mask &
                     (d[k].watched < a->n->outputs ? a->watched[d[k].watched] : UINT64_MAX);
        a->hit[i] = (struct gate_hit){shows ? __builtin_ctzll(shows) : -1,
                                      __builtin_popcountll(shows)};
    }
}

/* A block of `count` vectors (in pairs with those before them), sources as the simulator takes
 * them; vectors that detect something are kept. Returns how many faults it detects. */
static uint32_t drop(struct all *a, const uint64_t *before, const uint64_t *source, int count)
{
    uint32_t kept = 0, found = 0, number[BLOCK];
    memset(number, 0xff, sizeof number);
    gate_sim_load(a->sim, before ? before : source, count);
    if (before)
        gate_sim_load_second(a->sim, source, count);
    detect(a, source);
    for (uint32_t i = 0; i < a->count; i++) {
        int k = a->hit[i].first;
        if (k >= 0 && number[k] == UINT32_MAX) {
            for (int half = before ? 0 : 1; half < 2; half++) {
                for (uint32_t s = 0; s < a->sources; s++)
                    a->bytes[0][s] = (half ? source : before)[s] >> k & 1;
                number[k] = append(a, a->bytes[0]);
            }
        }
        if (k >= 0) {
            a->verdict[a->class[i]] = GATE_TESTABLE;
            a->vector[a->class[i]] = number[k];
            found++;
        } else {
            a->fault[kept] = a->fault[i];
            a->class[kept++] = a->class[i];
        }
    }
    a->count = kept;
    return found;
}

/* Random vectors that keep to the constraints; how many there are of `count`. */
static int draw(struct all *a, uint64_t *seed, uint64_t *to, int count)
{
    int have = 0;
    memset(to, 0, a->sources * sizeof *to);
    for (int i = 0; i < count; i++) {
        for (uint32_t s = 0; s < a->sources; s++)
            a->bytes[0][s] = (uint8_t)(fl_random(seed) >> 63);
        if (a->c && gate_constraints_broken(a->c, a->bytes[0]) >= 0)
            continue;
        for (uint32_t s = 0; s < a->sources; s++)
            to[s] |= (uint64_t)a->bytes[0][s] << have;
        have++;
    }
    return have;
}

/* As long as they find something. */
static void by_random(struct all *a, uint64_t seed)
{
    uint64_t *first = fl_alloc(a->sources * sizeof *first),
             *second = fl_alloc(a->sources * sizeof *second);
    int idle = 0;
    for (int k = 0; k < RANDOM / BLOCK && idle < 4 && a->count; k++) {
        int have = draw(a, &seed, first, BLOCK), pairs = have;
        if (a->model == GATE_TRANSITION) {
            int other = draw(a, &seed, second, BLOCK);
            pairs = other < have ? other : have;
        }
        if (pairs == 0 || drop(a, a->model == GATE_TRANSITION ? first : NULL,
                               a->model == GATE_TRANSITION ? second : first, pairs) == 0)
            idle++;
        else
            idle = 0;
    }
    free(first);
    free(second);
}

/* Patterns in pairs with those before them, where that matters. */
static void by_patterns(struct all *a, const struct gate_patterns *p)
{
    uint64_t *now = fl_alloc(a->sources * sizeof *now), *before = NULL;
    if (a->model == GATE_TRANSITION)
        before = fl_alloc(a->sources * sizeof *before);
    for (uint32_t at = 0; at < p->count && a->count; at += BLOCK) {
        int count = p->count - at < BLOCK ? (int)(p->count - at) : BLOCK;
        for (uint32_t s = 0; before && s < a->sources; s++) /* the first has none: it is its own */
            before[s] = p->word[(size_t)(at / 64) * a->sources + s] << 1 |
                        (at ? p->word[(size_t)(at / 64 - 1) * a->sources + s] >> 63
                            : p->word[s] & 1);
        gate_patterns_block(p, at, 1, now);
        drop(a, before, now, count);
    }
    free(now);
    free(before);
}

/* The vector of the solver, and with it whatever else it detects. The simulator does not know what a netlist that is used makes when
 * an output is watched: then the solver's word counts for the last fault, which is asked about. */
static void by_vector(struct all *a)
{
    uint32_t asked = a->fault[a->count - 1], class = a->class[a->count - 1];
    uint64_t *first = fl_alloc(a->sources * sizeof *first),
             *second = fl_alloc(a->sources * sizeof *second);
    for (uint32_t s = 0; s < a->sources; s++) {
        second[s] = a->bytes[0][s];
        first[s] = a->bytes[1][s];
    }
    drop(a, a->model == GATE_TRANSITION ? first : NULL, second, 1);
    if (a->count && a->fault[a->count - 1] == asked && a->c && a->c->uses && a->c->watches) {
        for (int half = a->model == GATE_TRANSITION ? 1 : 0; half >= 0; half--)
            a->vector[class] = append(a, a->bytes[half]);
        a->verdict[class] = GATE_TESTABLE;
        a->count--;
    }
    free(first);
    free(second);
}

int gate_prove_all(const struct gate_netlist *n, const struct gate_faults *f,
                   const struct gate_constraints *c, const struct gate_patterns *first,
                   int conflicts, uint64_t seed, uint8_t *verdict, uint32_t *vector,
                   struct gate_patterns *patterns, struct progress *progress, struct fl_err *err)
{
    struct gate_prover *p;
    if (gate_prover_new(n, f->model, c, conflicts, &p, err))
        return -1;
    struct all a = {.n = n,
                    .c = c,
                    .sim = gate_sim_new(n, BLOCK),
                    .model = f->model,
                    .sources = n->inputs + n->flops,
                    .fault = fl_alloc(f->count * sizeof *a.fault),
                    .class = fl_alloc(f->count * sizeof *a.class),
                    .count = f->count,
                    .hit = fl_alloc(f->count * sizeof *a.hit),
                    .verdict = verdict,
                    .vector = vector,
                    .patterns = patterns};
    a.watched = fl_alloc(n->outputs * sizeof *a.watched);
    a.value = fl_alloc(n->nets * sizeof *a.value);
    a.bytes[0] = fl_alloc(a.sources);
    a.bytes[1] = fl_alloc(a.sources);
    *patterns = (struct gate_patterns){.sources = a.sources};
    memcpy(a.fault, f->fault, f->count * sizeof *a.fault);
    gate_sim_order(a.sim, a.fault, a.count);
    for (uint32_t i = 0; i < a.count; i++) {
        a.class[i] = f->class_of[a.fault[i]];
        vector[i] = GATE_NEVER;
    }
    if (first)
        by_patterns(&a, first);
    else if (
        !c ||
        !(c->uses ||
          (c->inner &&
           c->lines))) /* a random vector is hardly one that a netlist makes, and who could tell */
        by_random(&a, seed);
    progress_add(progress, f->count - a.count);
    while (a.count) {
        uint32_t class = a.class[a.count - 1], left = a.count;
        enum gate_verdict v = gate_prove(p, a.fault[a.count - 1], a.bytes[0], a.bytes[1]);
        if (v == GATE_TESTABLE) {
            by_vector(&a);
            assert(a.count < left); /* the simulator agrees with the solver */
        } else {
            verdict[class] = (uint8_t)v;
            a.count--;
        }
        progress_add(progress, left - a.count);
    }
    gate_prover_free(p);
    gate_sim_free(a.sim);
    free(a.fault);
    free(a.class);
    free(a.hit);
    free(a.watched);
    free(a.value);
    free(a.bytes[0]);
    free(a.bytes[1]);
    return 0;
}
