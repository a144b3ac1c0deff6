/* ride.c -- the second stage: the running machine with a faulty unit. See ride.h. */
#include "ride.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A machine that several parties start from. */
struct base {
    struct dut *m;
    int parties;
    struct base *next_free;
};

/* Faults that wait for a machine of their own. */
struct party {
    uint32_t *fault, n;
    struct base *from;
    /* what is known of new vectors where they parted: the first `known`, and the one at hand */
    uint32_t known;
    struct vector vector;
    uint64_t answer;
};

/* No answer: those have VECTOR_OUTPUTS bits. */
#define UNKNOWN UINT64_MAX

struct ride {
    const struct trace *t;
    const struct unit *u;
    struct runner run;
    struct sm *golden; /* travels forward through the golden run */
    struct sm_lane_hook hook;
    uint32_t lanes;
    struct gate_group *narrow, *wide;
    uint64_t *inputs;
    /* the faults at hand, and which of the two groups holds them; NULL: neither */
    uint32_t *fault, n;
    struct gate_group *holds;
    const uint64_t *answer; /* to the trace's vectors; NULL: to be had of the gates alone */
    /* to new vectors, in the order in which they came. What a party adds goes when the next one
     * starts, so that those who parted earlier find what they left */
    struct vector_set seen;
    uint64_t *seen_answer;
    uint32_t seen_room;
    /* of the evaluation at hand: [vector][fault] bits of the outputs that are wrong */
    uint64_t *diff;
    size_t diff_room;
    struct gate_sim *sim; /* of 64 vectors */
    uint64_t *source;
    struct party *party;
    uint32_t parties, party_room;
    struct base *base, *unused; /* of the run at hand, or NULL */
    uint64_t first;             /* exhaustive: the first cycle with a wrong answer */
    struct ride_statistics stat;
};

/* ---- machines to start from ------------------------------------------------------------------ */

/* The runner's saved state is one of this run, whenever an instruction is under way. */
static struct base *keep_base(struct ride *r)
{
    struct base *b = r->base;
    if (!b || dut_cycle(b->m) != dut_cycle(r->run.saved)) {
        struct fl_err err;
        if ((b = r->unused))
            r->unused = b->next_free;
        else {
            b = fl_alloc(sizeof *b);
            b->m = r->run.ref->engine->make(r->run.ref->img, &err);
        }
        dut_copy(b->m, r->run.saved);
        b->parties = 0;
        r->base = b;
    }
    b->parties++;
    return b;
}

static void leave_base(struct ride *r, struct base *b)
{
    if (--b->parties > 0)
        return;
    b->next_free = r->unused;
    r->unused = b;
}

/* ---- answers --------------------------------------------------------------------------------- */

static void remember(struct ride *r, const struct vector *v, uint64_t answer)
{
    uint32_t i = vector_add(&r->seen, v);
    FL_ROOM(r->seen_answer, i, r->seen_room, 256);
    r->seen_answer[i] = answer;
}

/* Bits of the outputs of one group of faults that are wrong. */
static void evaluate_group(struct ride *r, struct gate_group *g, const struct vector *v, uint32_t n,
                           uint64_t *diff)
{
    uint64_t care = vector_care(v);
    memset(diff, 0, n * sizeof *diff);
    gate_group_eval(g, r->inputs);
    for (uint32_t o = 0; o < r->u->netlist->outputs; o++) {
        uint64_t bit = 1ull << r->u->output[o];
        const uint64_t *w = gate_group_watched(g, o);
        uint64_t good = 0 - (w[n / 64] >> n % 64 & 1); /* the bit behind the faults has none */
        for (uint32_t k = 0; care & bit && 64 * k < n; k++) {
            uint64_t wrong = w[k] ^ good;
            if (n < 64 * (k + 1))
                wrong &= (1ull << n % 64) - 1;
            for (; wrong; wrong &= wrong - 1)
                diff[64 * k + (uint32_t)__builtin_ctzll(wrong)] |= bit;
        }
    }
}

/* Many faults: vector after vector, a bit each. */
static void evaluate_many(struct ride *r, const struct vector *v, uint32_t count)
{
    uint32_t room = 64 * (uint32_t)gate_group_words(r->wide) - 1;
    struct gate_group *g = r->n < 64 ? r->narrow : r->wide;
    for (uint32_t k = 0; k < count; k++) {
        unit_inputs(r->u, &v[k], r->inputs);
        for (uint32_t from = 0; from < r->n; from += room) {
            uint32_t n = r->n - from < room ? r->n - from : room;
            if (r->holds != g || r->n > room)
                gate_group_set(g, GATE_STUCK, r->fault + from, n);
            evaluate_group(r, g, &v[k], n, &r->diff[k * r->n + from]);
        }
        r->holds = g;
    }
}

/* Few faults: all vectors at once, fault after fault. */
static void evaluate_few(struct ride *r, const struct vector *v, uint32_t count)
{
    const struct gate_netlist *n = r->u->netlist;
    memset(r->diff, 0, (size_t)r->n * count * sizeof *r->diff);
    for (uint32_t i = 0; i < n->inputs; i++) {
        r->source[i] = 0;
        for (uint32_t k = 0; k < count; k++)
            r->source[i] |= (uint64_t)vector_bit(&v[k], r->u->place[i]) << k;
    }
    gate_sim_load(r->sim, r->source, (int)count);
    for (uint32_t i = 0; i < r->n; i++) {
        const struct gate_diff *d;
        int diffs = gate_sim_fault(r->sim, GATE_STUCK, r->fault[i], &d);
        for (int at = 0; at < diffs; at++)
            for (uint64_t left = *d[at].mask; left; left &= left - 1)
                r->diff[(uint32_t)__builtin_ctzll(left) * r->n + i] |=
                    1ull << r->u->output[d[at].watched];
    }
    for (uint32_t k = 0; k < count; k++)
        for (uint32_t i = 0; i < r->n; i++)
            r->diff[k * r->n + i] &= vector_care(&v[k]);
}

struct answer {
    uint64_t diff;
    uint32_t fault;
};

static int by_answer(const void *a, const void *b)
{
    const struct answer *x = a, *y = b;
    if (x->diff != y->diff)
        return x->diff < y->diff ? -1 : 1;
    return x->fault < y->fault ? -1 : x->fault > y->fault;
}

/* Those of one answer leave. */
static void part(struct ride *r, const struct vector *v, const struct answer *a, uint32_t n)
{
    struct party p = {.fault = fl_alloc(n * sizeof *p.fault),
                      .n = n,
                      .from = keep_base(r),
                      .known = r->seen.count,
                      .vector = *v,
                      .answer = a->diff};
    for (uint32_t i = 0; i < n; i++)
        p.fault[i] = a[i].fault;
    FL_ROOM(r->party, r->parties, r->party_room, 64);
    r->party[r->parties++] = p;
    r->stat.splits++;
}

/* The faults at hand do not answer vector k of `count` alike: most of those who do stay. Returns
 * their answer. */
static uint64_t split(struct ride *r, const struct vector *v, uint32_t k, uint32_t count)
{
    struct answer *a = fl_alloc(r->n * sizeof *a);
    const uint64_t *diff = &r->diff[k * r->n];
    uint32_t n = r->n, most = 0, size = 0, stay = 0;
    for (uint32_t i = 0; i < n; i++)
        a[i] = (struct answer){diff[i], r->fault[i]};
    qsort(a, n, sizeof *a, by_answer);
    for (uint32_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && a[end].diff == a[i].diff; end++)
            continue;
        if (end - i > size) {
            most = i;
            size = end - i;
        }
    }
    uint64_t answer = a[most].diff;
    for (uint32_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && a[end].diff == a[i].diff; end++)
            continue;
        if (i != most)
            part(r, v, &a[i], end - i);
    }
    free(a);
    /* their answers to the other vectors move together; rows only get shorter */
    uint64_t *to = r->diff;
    bool *stays = fl_alloc(n);
    for (uint32_t i = 0; i < n; i++)
        stays[i] = diff[i] == answer;
    for (uint32_t row = 0; row < count; row++)
        for (uint32_t i = 0; i < n; i++)
            if (stays[i])
                *to++ = r->diff[row * n + i];
    for (uint32_t i = 0; i < n; i++)
        if (stays[i])
            r->fault[stay++] = r->fault[i];
    free(stays);
    r->n = stay;
    r->holds = NULL;
    return answer;
}

/* New vectors, each once: the gates answer. */
static void answer_new(struct ride *r, const struct vector *v, uint32_t count, uint64_t *answer)
{
    enum { FEW = 24 }; /* a fault alone takes about as long as one more vector for all */
    if ((size_t)r->n * count > r->diff_room) {
        r->diff_room = (size_t)r->n * count;
        r->diff = fl_grow(r->diff, r->diff_room, sizeof *r->diff);
    }
    (r->n <= FEW ? evaluate_few : evaluate_many)(r, v, count);
    r->stat.evaluated += count;
    for (uint32_t k = 0; k < count; k++) {
        bool alike = true;
        for (uint32_t i = 1; i < r->n; i++)
            alike &= r->diff[k * r->n + i] == r->diff[k * r->n];
        answer[k] = alike ? r->diff[k * r->n] : split(r, &v[k], k, count);
        if (r->answer)
            remember(r, &v[k], answer[k]);
    }
}

/* The vector has been answered before, by the trace or since. */
static bool knows(const struct ride *r, const struct vector *v, uint64_t *answer)
{
    int64_t i = r->answer ? vector_find(&r->t->seen, v) : -1;
    if (i >= 0) {
        *answer = r->answer[i];
        return true;
    }
    i = r->answer ? vector_find(&r->seen, v) : -1;
    if (i >= 0)
        *answer = r->seen_answer[i];
    return i >= 0;
}

/* The unit of one SP in place of the C arithmetic. */
static void compute(void *context, const struct isa_insn *in, uint32_t exec, const uint32_t *a,
                    const uint32_t *b, const uint32_t *c, const uint8_t *cc, uint32_t *d,
                    uint8_t *flags)
{
    struct ride *r = context;
    uint32_t lanes = exec & r->lanes, count = 0, of[SM_LANES];
    if (!lanes)
        return;
    struct vector insn = vector_of(in, r->u->which), new[SM_LANES];
    uint64_t written = vector_written(in), wrong[SM_LANES], answer[SM_LANES];
    for (uint32_t left = lanes; left; left &= left - 1) {
        int l = __builtin_ctz(left);
        struct vector v = vector_with_operands(insn, a[l], b[l], c[l], cc[l] & SM_CC_C);
        v = unit_vector(r->u, v, written, trace_result(d, flags, l));
        of[l] = count;
        if (knows(r, &v, &wrong[l]))
            continue;
        for (of[l] = 0; of[l] < count && !vector_same(&new[of[l]], &v);)
            of[l]++;
        if (of[l] == count)
            new[count++] = v;
        wrong[l] = UNKNOWN;
    }
    if (count)
        answer_new(r, new, count, answer);
    for (; lanes; lanes &= lanes - 1) {
        int l = __builtin_ctz(lanes);
        uint64_t bits = wrong[l] == UNKNOWN ? answer[of[l]] : wrong[l];
        if (bits && r->first == FSIM_NEVER)
            r->first = dut_cycle(r->run.bad);
        d[l] ^= (uint32_t)bits;
        if (flags)
            flags[l] ^= (uint8_t)(bits >> VECTOR_D_BITS);
    }
}

/* ---- runs ------------------------------------------------------------------------------------ */

struct ride *ride_new(const struct trace *t, const struct reference *ref)
{
    struct ride *r = fl_alloc(sizeof *r);
    r->t = t;
    r->u = t->unit;
    r->hook = (struct sm_lane_hook){compute, r};
    r->lanes = trace_lanes(ref->img, t->sp);
    r->golden = sm_new(ref->img);
    r->narrow = gate_group_new(r->u->netlist, 64);
    r->wide = gate_group_new(r->u->netlist, gate_width(0, NULL));
    r->inputs = fl_alloc(unit_input_words(r->u) * sizeof *r->inputs);
    r->fault = fl_alloc(r->u->faults->count * sizeof *r->fault);
    r->sim = gate_sim_new(r->u->netlist, 64);
    r->source = fl_alloc(r->u->netlist->inputs * sizeof *r->source);
    runner_open(&r->run, ref);
    dut_sm(r->run.bad)->lanes = &r->hook;
    return r;
}

void ride_free(struct ride *r)
{
    if (!r)
        return;
    for (struct base *b = r->unused, *next; b; b = next) {
        next = b->next_free;
        dut_free(b->m);
        free(b);
    }
    runner_close(&r->run);
    sm_free(r->golden);
    gate_group_free(r->narrow);
    gate_group_free(r->wide);
    gate_sim_free(r->sim);
    free(r->source);
    vector_set_free(&r->seen);
    free(r->seen_answer);
    free(r->inputs);
    free(r->fault);
    free(r->diff);
    free(r->party);
    free(r);
}

static void take(struct ride *r, const uint32_t *fault, uint32_t n)
{
    memcpy(r->fault, fault, n * sizeof *fault);
    r->n = n;
    r->holds = NULL;
}

/* The machine is where the faults at hand start. */
static void finish(struct ride *r, uint64_t first, struct fsim_result *result)
{
    *result = (struct fsim_result){.first_activation = first};
    r->base = NULL;
    r->run.stat.runs++;
    run_to_end(&r->run, LOOK_EARLY, result);
    result->first_activation = first;
}

static void note(const struct ride *r, const struct fsim_result *result, struct fsim_result *out)
{
    for (uint32_t i = 0; i < r->n; i++)
        out[r->u->faults->class_of[r->fault[i]]] = *result;
}

void ride_run(struct ride *r, const uint32_t *fault, uint32_t n, uint32_t first,
              const uint64_t *answer, struct fsim_result *out)
{
    uint64_t cycle = r->t->first[first];
    struct fsim_result result;
    r->answer = answer;
    take(r, fault, n);
    golden_seek(r->run.ref->golden, r->golden, cycle);
    sm_copy(dut_sm(r->run.bad), r->golden);
    finish(r, cycle, &result);
    note(r, &result, out);
    while (r->parties > 0) {
        struct party p = r->party[--r->parties];
        vector_forget(&r->seen, p.known);
        remember(r, &p.vector, p.answer);
        take(r, p.fault, p.n);
        dut_copy(r->run.bad, p.from->m);
        leave_base(r, p.from);
        finish(r, cycle, &result);
        note(r, &result, out);
        free(p.fault);
    }
    vector_forget(&r->seen, 0);
}

void ride_exhaustive(struct ride *r, uint32_t fault, struct fsim_result *out)
{
    r->answer = NULL;
    r->first = FSIM_NEVER;
    take(r, &fault, 1);
    dut_copy(r->run.bad, r->run.ref->checkpoint[0]);
    *out = (struct fsim_result){.outcome = OUT_MASKED};
    r->run.stat.runs++;
    run_to_end(&r->run, 0, out);
    out->first_activation = r->first;
    if (r->first == FSIM_NEVER && out->outcome == OUT_MASKED)
        snprintf(out->reason, sizeof out->reason, "not_activated");
}

struct dut *ride_start(struct ride *r, uint32_t fault, uint64_t cycle)
{
    r->answer = NULL;
    take(r, &fault, 1);
    golden_seek(r->run.ref->golden, r->golden, cycle);
    sm_copy(dut_sm(r->run.bad), r->golden);
    return r->run.bad;
}

void ride_statistics(const struct ride *r, struct ride_statistics *add_to)
{
    add_to->runs.runs += r->run.stat.runs;
    add_to->runs.instructions += r->run.stat.instructions;
    add_to->evaluated += r->stat.evaluated;
    add_to->splits += r->stat.splits;
}
