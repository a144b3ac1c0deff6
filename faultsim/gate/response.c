/* response.c -- the first stage: patterns in parallel, fault after fault. See response.h. */
#include "response.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/threads.h"
#include "kind.h"

struct responder {
    const struct trace *t;
    struct unit_sim sim;
    uint32_t from, to;             /* the patterns that are loaded */
    uint64_t until[UNIT_PATTERNS]; /* the last cycle of any of a word's patterns up to this one */
};

struct responder *responder_new(const struct trace *t)
{
    struct responder *r = fl_alloc(sizeof *r);
    r->t = t;
    r->sim = unit_sim_new(t->unit, gate_width(0, NULL));
    return r;
}

void responder_free(struct responder *r)
{
    unit_sim_free(&r->sim);
    free(r);
}

/* The block of patterns from number `from` on. */
static void load(struct responder *r, uint32_t from)
{
    r->from = from;
    r->to = trace_load(r->t, &r->sim, from);
    for (uint32_t p = 0; p < r->to - from; p++) {
        const uint64_t last = r->t->last[from + p], before = p % 64 ? r->until[p - 1] : 0;
        r->until[p] = last > before ? last : before;
    }
}

/* Adds what a fault answers to the patterns that are loaded. */
static void add(struct responder *r, uint32_t fault, struct response *out)
{
    const struct unit *u = r->t->unit;
    const struct gate_diff *d;
    uint64_t any[UNIT_PATTERNS / 64] = {0};
    int n = gate_sim_fault(r->sim.sim, u->faults->model, fault, &d);
    for (int i = 0; i < n; i++)
        for (uint32_t k = 0; k < r->sim.words; k++) {
            uint64_t wrong = unit_sim_wrong(&r->sim, &d[i], k);
            if (!wrong)
                continue;
            uint64_t where = (uint64_t)(r->from / 64 + k) << u->kind->place_bits |
                             u->output[d[i].watched];
            any[k] |= wrong;
            /* a sum: outputs may come in any order */
            out->hash[0] += fl_random_mix(wrong + fl_random_mix(where));
            out->hash[1] += fl_random_mix(~wrong ^ fl_random_mix(where + FL_RANDOM_STEP));
        }
    for (uint32_t k = 0; k < r->sim.words; k++) {
        if (any[k] && out->first == RESPONSE_NONE)
            out->first = r->from + 64 * k + (uint32_t)__builtin_ctzll(any[k]);
        for (uint64_t left = any[k]; left;) {
            const uint32_t bit = 63 - (uint32_t)__builtin_clzll(left), p = 64 * k + bit;
            if (r->until[p] <= out->last)
                break;
            if (r->t->last[r->from + p] > out->last)
                out->last = r->t->last[r->from + p];
            left ^= 1ull << bit;
        }
    }
}

/* A register that is stuck at what it does not start with is wrong from the start. Returns the fault that does in the
 * netlist what this one does. */
static uint32_t begin(const struct trace *t, uint32_t fault, struct response *out)
{
    const struct registers *r = t->unit->registers;
    uint32_t bit;
    const uint32_t in_netlist = registers_fault(r, t->unit->netlist, fault, &bit);
    *out = (struct response){.first = RESPONSE_NONE};
    if (bit != UINT32_MAX && vectors_bit(t->seen.word, r->input + bit) != GATE_STUCK_AT(fault)) {
        out->first = 0;
        out->hash[0] = fl_random_mix(fault + FL_RANDOM_STEP);
    }
    return in_netlist;
}

struct response responder_response(struct responder *r, uint32_t fault)
{
    struct response out;
    fault = begin(r->t, fault, &out);
    for (uint32_t from = 0; from < trace_patterns(r->t); from = r->to) {
        load(r, from);
        add(r, fault, &out);
    }
    return out;
}

void responder_wrong(struct responder *r, uint32_t fault, bool *wrong)
{
    const uint32_t patterns = trace_patterns(r->t);
    struct response out;
    fault = begin(r->t, fault, &out);
    memset(wrong, 0, patterns * sizeof *wrong);
    for (uint32_t from = 0; from < patterns; from = r->to) {
        const struct gate_diff *d;
        load(r, from);
        const int n = gate_sim_fault(r->sim.sim, r->t->unit->faults->model, fault, &d);
        for (int i = 0; i < n; i++)
            for (uint32_t k = 0; k < r->sim.words; k++)
                for (uint64_t left = unit_sim_wrong(&r->sim, &d[i], k); left; left &= left - 1)
                    wrong[from + 64 * k + (uint32_t)__builtin_ctzll(left)] = true;
    }
}

void responder_answers(struct responder *r, const uint32_t *fault, uint32_t n, uint64_t *answer)
{
    const size_t patterns = trace_patterns(r->t);
    memset(answer, 0, n * patterns * sizeof *answer);
    for (uint32_t from = 0; from < patterns; from = r->to) {
        load(r, from);
        for (uint32_t i = 0; i < n; i++) {
            const struct gate_diff *d;
            uint64_t *at = &answer[i * patterns + from];
            int diffs = gate_sim_fault(r->sim.sim, r->t->unit->faults->model, fault[i], &d);
            for (int k = 0; k < diffs; k++)
                for (uint32_t w = 0; w < r->sim.words; w++)
                    for (uint64_t left = unit_sim_wrong(&r->sim, &d[k], w); left; left &= left - 1)
                        at[64 * w + (uint32_t)__builtin_ctzll(left)] |=
                            1ull << r->t->unit->output[d[k].watched];
        }
    }
}

/* ---- all of them ----------------------------------------------------------------------------- */

struct all {
    const struct trace *t;
    struct response *out;
    uint32_t *order, faults; /* in the netlist, those of one region together */
    uint32_t *class_of;      /* of these */
    uint32_t chunk;          /* a thread takes so many at once, and loads all patterns for them */
    atomic_uint next;
};

enum { CHUNKS = 4 /* of a thread */ };

static void *work(void *context)
{
    struct all *a = context;
    struct responder *r = responder_new(a->t);
    const uint32_t n = a->faults;
    for (uint32_t from; (from = atomic_fetch_add(&a->next, a->chunk)) < n;) {
        const uint32_t to = n - from < a->chunk ? n : from + a->chunk;
        for (uint32_t p = 0; p < trace_patterns(a->t); p = r->to) {
            load(r, p);
            for (uint32_t i = from; i < to; i++)
                add(r, a->order[i], &a->out[a->class_of[a->order[i]]]);
        }
    }
    responder_free(r);
    return NULL;
}

int response_of(const struct trace *t, const uint32_t *class, uint64_t n, int threads,
                struct response *out, struct fl_err *err)
{
    const struct gate_faults *f = t->unit->faults;
    if (trace_check(t, err) != 0)
        return -1;
    struct all a = {.t = t,
                    .out = out,
                    .faults = class ? (uint32_t)n : f->count,
                    .class_of = fl_alloc(f->all * sizeof *a.class_of)};
    a.order = fl_alloc(a.faults * sizeof *a.order);
    a.chunk = 1 + a.faults / (uint32_t)(CHUNKS * fl_threads(threads));
    for (uint32_t i = 0; i < a.faults; i++) {
        const uint32_t c = class ? class[i] : i;
        a.order[i] = begin(t, f->fault[c], &out[c]);
        a.class_of[a.order[i]] = c;
    }
    struct responder *r = responder_new(t);
    gate_sim_order(r->sim.sim, a.order, a.faults);
    responder_free(r);
    fl_threads_run(threads, work, &a);
    free(a.order);
    free(a.class_of);
    return 0;
}

int response_all(const struct trace *t, int threads, struct response *out, struct fl_err *err)
{
    return response_of(t, NULL, 0, threads, out, err);
}
