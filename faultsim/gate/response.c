/* response.c -- the first stage: patterns in parallel, fault after fault. See response.h. */
#include "response.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/threads.h"

struct responder {
    const struct unit *u;
    struct gate_sim *sim;
    uint32_t words, width;
    uint64_t *source;  /* [inputs * words] */
    uint64_t *care;    /* [outputs * words] */
    uint32_t from, to; /* the vectors that are loaded */
};

struct responder *responder_new(const struct unit *u)
{
    struct responder *r = fl_alloc(sizeof *r);
    r->u = u;
    r->sim = gate_sim_new(u->netlist, gate_width(0, NULL));
    r->words = (uint32_t)gate_sim_words(r->sim);
    r->width = 64 * r->words;
    r->source = fl_alloc((size_t)u->netlist->inputs * r->words * sizeof *r->source);
    r->care = fl_alloc((size_t)u->netlist->outputs * r->words * sizeof *r->care);
    return r;
}

void responder_free(struct responder *r)
{
    if (!r)
        return;
    gate_sim_free(r->sim);
    free(r->source);
    free(r->care);
    free(r);
}

/* The block of vectors from number `from` on, below `end`. */
static void load(struct responder *r, const struct vector_set *s, uint32_t from, uint32_t end)
{
    const struct gate_netlist *n = r->u->netlist;
    r->from = from;
    r->to = end - from < r->width ? end : from + r->width;
    memset(r->care, 0, (size_t)n->outputs * r->words * sizeof *r->care);
    for (uint32_t p = 0; p < r->to - from; p++) {
        uint64_t care = vector_care(&s->vector[from + p]);
        for (uint32_t o = 0; o < n->outputs; o++)
            r->care[o * r->words + p / 64] |= (care >> r->u->output[o] & 1) << p % 64;
    }
    unit_load(r->u, r->sim, s->vector + from, s->pairs ? s->before + from : NULL, r->to - from,
              r->source);
}

/* Without a fault the netlist does what the C model does. */
static int check(const struct responder *r, const struct trace *t, struct fl_err *err)
{
    for (uint32_t p = 0; p < r->to - r->from; p++) {
        const struct vector *v = &t->seen.vector[r->from + p];
        uint64_t care = vector_care(v), is = unit_result(r->u, r->sim, p);
        uint64_t good = t->good[r->from + p];
        if (r->u->which != VECTOR_LANE && !vector_bit(v, VECTOR_en))
            good = 0;
        if ((is ^ good) & care)
            return fl_fail(
                err,
                "%s: it answers %09llx, and the C model %09llx, to a=%08x b=%08x c=%08x of "
                "the instruction in cycle %llu; it was made of another rtl/: run "
                "scripts/gates",
                r->u->netlist->file, (unsigned long long)(is & care),
                (unsigned long long)(good & care), (uint32_t)v->w[0], (uint32_t)(v->w[0] >> 32),
                (uint32_t)v->w[1], (unsigned long long)t->first[r->from + p]);
    }
    return 0;
}

void response_add(struct gate_sim *sim, enum gate_model model, uint32_t words, uint32_t from,
                  uint32_t fault, const uint64_t *care, const uint8_t *place, struct response *out,
                  uint64_t any[RESPONSE_WORDS])
{
    const struct gate_diff *d;
    int n = gate_sim_fault(sim, model, fault, &d);
    memset(any, 0, RESPONSE_WORDS * sizeof *any);
    for (int i = 0; i < n; i++)
        for (uint32_t k = 0; k < words; k++) {
            uint64_t wrong = d[i].mask[k] & (care ? care[d[i].watched * words + k] : ~0ull);
            if (!wrong)
                continue;
            uint64_t where = (uint64_t)(from / 64 + k) << (place ? 8 : 16) |
                             (place ? place[d[i].watched] : d[i].watched);
            any[k] |= wrong;
            /* a sum: outputs may come in any order */
            out->hash[0] += fl_random_mix(wrong + fl_random_mix(where));
            out->hash[1] += fl_random_mix(~wrong ^ fl_random_mix(where + FL_RANDOM_STEP));
        }
    for (uint32_t k = 0; k < words; k++) {
        out->vectors += (uint32_t)__builtin_popcountll(any[k]);
        if (any[k] && out->first == RESPONSE_NONE)
            out->first = from + 64 * k + (uint32_t)__builtin_ctzll(any[k]);
    }
}

struct all {
    const struct trace *t;
    struct response *out;
    const uint32_t *order; /* faults, those of one region together */
    uint32_t *class_of;
    atomic_uint next;
    atomic_bool failed;
    pthread_mutex_t lock;
    struct fl_err *err;
};

enum { CHUNK = 2048 };

static void *work(void *context)
{
    struct all *a = context;
    const struct unit *u = a->t->unit;
    struct responder *r = responder_new(u);
    uint64_t any[RESPONSE_WORDS];
    uint32_t n = u->faults->count;
    for (uint32_t from;
         !atomic_load(&a->failed) && (from = atomic_fetch_add(&a->next, CHUNK)) < n;) {
        uint32_t to = from + CHUNK < n ? from + CHUNK : n;
        for (uint32_t v = 0; v < a->t->seen.count; v = r->to) {
            struct fl_err why;
            load(r, &a->t->seen, v, a->t->seen.count);
            if (from == 0 && check(r, a->t, &why) != 0) {
                pthread_mutex_lock(&a->lock);
                *a->err = why;
                pthread_mutex_unlock(&a->lock);
                atomic_store(&a->failed, true);
                break;
            }
            for (uint32_t i = from; i < to; i++)
                response_add(r->sim, u->faults->model, r->words, r->from, a->order[i], r->care,
                             u->output, &a->out[a->class_of[a->order[i]]], any);
        }
    }
    responder_free(r);
    return NULL;
}

int response_all(const struct trace *t, int threads, struct response *out, struct fl_err *err)
{
    const struct gate_faults *f = t->unit->faults;
    struct responder *r = responder_new(t->unit);
    uint32_t *order = fl_alloc(f->count * sizeof *order);
    struct all a = {.t = t, .out = out, .order = order, .class_of = f->class_of, .err = err};
    for (uint32_t i = 0; i < f->count; i++)
        out[i] = (struct response){.first = RESPONSE_NONE};
    memcpy(order, f->fault, f->count * sizeof *order);
    gate_sim_order(r->sim, order, f->count);
    responder_free(r);
    pthread_mutex_init(&a.lock, NULL);
    fl_threads_run(threads, work, &a);
    pthread_mutex_destroy(&a.lock);
    free(order);
    return atomic_load(&a.failed) ? -1 : 0;
}

void responder_answers(struct responder *r, const struct vector_set *vectors, uint32_t from,
                       uint32_t count, const uint32_t *fault, uint32_t n, uint64_t *answer,
                       size_t stride)
{
    for (uint32_t i = 0; i < n; i++)
        memset(&answer[i * stride], 0, count * sizeof *answer);
    for (uint32_t v = from; v < from + count; v = r->to) {
        load(r, vectors, v, from + count);
        for (uint32_t i = 0; i < n; i++) {
            const struct gate_diff *d;
            uint64_t *at = &answer[i * stride + v - from];
            int diffs = gate_sim_fault(r->sim, r->u->faults->model, fault[i], &d);
            for (int k = 0; k < diffs; k++)
                for (uint32_t w = 0; w < r->words; w++)
                    for (uint64_t left = d[k].mask[w] & r->care[d[k].watched * r->words + w]; left;
                         left &= left - 1)
                        at[64 * w + (uint32_t)__builtin_ctzll(left)] |=
                            1ull << r->u->output[d[k].watched];
        }
    }
}
