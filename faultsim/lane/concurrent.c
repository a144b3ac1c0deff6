/* concurrent.c -- the second stage: the running machine with a faulty unit. See concurrent.h.
 *
 * Concurrent fault simulation: a machine stands for all faults that have answered alike so far, and
 * those that answer otherwise diverge into a machine of their own. Many machines run side by side,
 * each in a slot. Whenever one needs the gates it waits; when all wait, the gates of all are
 * evaluated together (batch.h), and all go on. So that a machine can wait in the middle of an
 * instruction, each slot has a stack of its own.
 */
#include "concurrent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "base/search.h"
#include "batch.h"
#include "error_model.h"

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#define FIBER_NEW()       __tsan_create_fiber(0)
#define FIBER_HERE()      __tsan_get_current_fiber()
#define FIBER_SWITCH(to)  __tsan_switch_to_fiber(to, 0)
#define FIBER_FREE(fiber) __tsan_destroy_fiber(fiber)
#else
#define FIBER_NEW()       NULL
#define FIBER_HERE()      NULL
#define FIBER_SWITCH(to)  ((void)(to))
#define FIBER_FREE(fiber) ((void)(fiber))
#endif

enum { STACK = 256 << 10 };

/* A machine that several groups of faults start from, and the slot that keeps it. */
struct base {
    struct dut *m;
    struct unit_past past; /* of the unit there */
    int users;
    struct base *next_free;
};

/* Faults that wait for a machine of their own. */
struct diverged {
    uint32_t *fault, n, first;
    const uint64_t *answer;
    struct base *from;
    /* what they answered where they parted */
    struct use vector;
    uint64_t parted;
};

/* No answer: those have VECTOR_OUTPUTS bits. */
#define UNKNOWN UINT64_MAX

/* A machine under way. */
struct slot {
    struct concurrent *concurrent;
    uint32_t number;
    bool busy;
    ucontext_t context;
    void *stack, *fiber;
    struct runner run;
    struct runner_memory memory;
    struct sm_lane_hook hook;
    struct unit_past past, saved; /* of the unit; saved: at the runner's saved state */
    uint32_t *fault, n;           /* those that are this machine */
    uint32_t first;
    const uint64_t *answer; /* to the trace's vectors; NULL: to be had of the gates alone */
    /* to new vectors */
    struct vectors seen;
    uint64_t *seen_answer;
    uint32_t seen_room;
    /* of this evaluation: [vector][fault] bits of the outputs that are wrong */
    uint64_t *diff;
    size_t diff_room;
    struct base *base;    /* of this run, or NULL */
    uint64_t wrong_since; /* exhaustive: the first cycle with a wrong answer */
};

struct concurrent {
    const struct trace *t;
    const struct unit *u;
    const struct reference *ref;
    struct gpu *golden; /* travels forward through the golden run */
    uint32_t lanes;
    struct slot *slot[BATCH_MEMBERS];
    ucontext_t context; /* of who moves the slots on */
    void *fiber;
    struct batch *batch;
    struct gate_group *wide; /* of many faults, and whose they are */
    const struct slot *holder;
    uint64_t *inputs;
    struct unit_sim sim; /* of 64 vectors */
    struct diverged *diverged;
    uint32_t ndiverged, diverged_room;
    struct base *unused;
    struct responder *responder;
    uint64_t *answer; /* [group][patterns] */
    size_t answer_room;
    struct fsim_result *out;
    struct concurrent_statistics stat;
};

/* ---- machines to start from ------------------------------------------------------------------ */

static void leave_base(struct concurrent *r, struct base *b)
{
    if (!b || --b->users > 0)
        return;
    b->next_free = r->unused;
    r->unused = b;
}

/* The runner's saved state is one of this run, whenever an instruction is under way. */
static struct base *keep_base(struct slot *s)
{
    struct concurrent *r = s->concurrent;
    struct base *b = s->base;
    if (!b || dut_cycle(b->m) != dut_cycle(s->run.saved)) {
        struct fl_err err;
        leave_base(r, b);
        if ((b = r->unused))
            r->unused = b->next_free;
        else {
            b = fl_alloc(sizeof *b);
            b->m = r->ref->engine->make(r->ref->img, &err);
        }
        dut_copy(b->m, s->run.saved);
        b->past = s->saved;
        b->users = 1;
        s->base = b;
    }
    b->users++;
    return b;
}

/* ---- answers --------------------------------------------------------------------------------- */

static void remember(struct slot *s, const struct use *v, uint64_t answer)
{
    bool isnew;
    const uint32_t i = use_add(&s->seen, v, &isnew);
    FL_ROOM(s->seen_answer, i, s->seen_room, 256);
    s->seen_answer[i] = answer;
}

/* Bits of the outputs of one group of faults that are wrong. */
static void evaluate_group(struct concurrent *r, struct gate_group *g, const struct use *v,
                           uint32_t n, uint64_t *diff)
{
    uint64_t care = vector_care(&v->now);
    memset(diff, 0, n * sizeof *diff);
    if (unit_slow(r->u)) {
        unit_inputs(r->u, v->before.w, r->inputs);
        gate_group_reset(g);
        gate_group_eval(g, r->inputs);
        gate_group_clock(g);
    }
    unit_inputs(r->u, v->now.w, r->inputs);
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
static void evaluate_many(struct slot *s, const struct use *v, uint32_t count)
{
    struct concurrent *r = s->concurrent;
    uint32_t room = 64 * (uint32_t)gate_group_words(r->wide) - 1;
    for (uint32_t k = 0; k < count; k++) {
        for (uint32_t from = 0; from < s->n; from += room) {
            uint32_t n = s->n - from < room ? s->n - from : room;
            if (r->holder != s || s->n > room)
                gate_group_set(r->wide, r->u->faults->model, s->fault + from, n);
            evaluate_group(r, r->wide, &v[k], n, &s->diff[k * s->n + from]);
        }
        r->holder = s;
    }
}

/* One fault: all vectors at once. */
static void evaluate_one(struct slot *s, const struct use *v, uint32_t count)
{
    struct concurrent *r = s->concurrent;
    const struct gate_diff *d;
    const uint64_t *now[SM_LANES], *before[SM_LANES];
    for (uint32_t k = 0; k < count; k++) {
        now[k] = v[k].now.w;
        before[k] = v[k].before.w;
    }
    memset(s->diff, 0, count * sizeof *s->diff);
    unit_sim_load(&r->sim, now, before, count);
    int diffs = gate_sim_fault(r->sim.sim, r->u->faults->model, s->fault[0], &d);
    for (int at = 0; at < diffs; at++)
        for (uint64_t left = unit_sim_wrong(&r->sim, &d[at], 0); left; left &= left - 1)
            s->diff[__builtin_ctzll(left)] |= 1ull << r->u->output[d[at].watched];
}

/* Away from the slot, to who moves them all on, until that comes back. */
static void wait_here(struct slot *s)
{
    FIBER_SWITCH(s->concurrent->fiber);
    swapcontext(&s->context, &s->concurrent->context);
}

static void evaluate(struct slot *s, const struct use *v, uint32_t count)
{
    if ((size_t)s->n * count > s->diff_room) {
        s->diff_room = (size_t)s->n * count;
        s->diff = fl_grow(s->diff, s->diff_room, sizeof *s->diff);
    }
    if (!s->answer)
        evaluate_one(s, v, count);
    else if (s->n > BATCH_FAULTS)
        evaluate_many(s, v, count);
    else {
        batch_ask(s->concurrent->batch, s->number, v, count, s->diff);
        wait_here(s);
    }
    s->concurrent->stat.evaluated += count;
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
static void part(struct slot *s, const struct use *v, const struct answer *a, uint32_t n)
{
    struct concurrent *r = s->concurrent;
    struct diverged p = {.fault = fl_alloc(n * sizeof *p.fault),
                         .n = n,
                         .first = s->first,
                         .answer = s->answer,
                         .from = keep_base(s),
                         .vector = *v,
                         .parted = a->diff};
    for (uint32_t i = 0; i < n; i++)
        p.fault[i] = a[i].fault;
    FL_ROOM(r->diverged, r->ndiverged, r->diverged_room, 64);
    r->diverged[r->ndiverged++] = p;
    r->stat.splits++;
}

/* The faults of the slot are these; the batch knows. */
static void slot_faults(struct slot *s, uint32_t n)
{
    struct concurrent *r = s->concurrent;
    s->n = n;
    batch_set(r->batch, s->number, s->fault, n <= BATCH_FAULTS ? n : 0);
    if (r->holder == s)
        r->holder = NULL;
}

/* The faults of a machine do not answer vector k of `count` alike: most of those who do stay. Returns
 * their answer. */
static uint64_t split(struct slot *s, const struct use *v, uint32_t k, uint32_t count)
{
    struct answer *a = fl_alloc(s->n * sizeof *a);
    const uint64_t *diff = &s->diff[k * s->n];
    uint32_t n = s->n, most = 0, size = 0, stay = 0;
    for (uint32_t i = 0; i < n; i++)
        a[i] = (struct answer){diff[i], s->fault[i]};
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
            part(s, v, &a[i], end - i);
    }
    free(a);
    /* their answers to the other vectors move together; rows only get shorter */
    uint64_t *to = s->diff;
    bool *stays = fl_alloc(n);
    for (uint32_t i = 0; i < n; i++)
        stays[i] = diff[i] == answer;
    for (uint32_t row = 0; row < count; row++)
        for (uint32_t i = 0; i < n; i++)
            if (stays[i])
                *to++ = s->diff[row * n + i];
    for (uint32_t i = 0; i < n; i++)
        if (stays[i])
            s->fault[stay++] = s->fault[i];
    free(stays);
    slot_faults(s, stay);
    return answer;
}

/* New vectors, each once: the gates answer. */
static void answer_new(struct slot *s, const struct use *v, uint32_t count, uint64_t *answer)
{
    evaluate(s, v, count);
    for (uint32_t k = 0; k < count; k++) {
        bool alike = true;
        for (uint32_t i = 1; i < s->n; i++)
            alike &= s->diff[k * s->n + i] == s->diff[k * s->n];
        answer[k] = alike ? s->diff[k * s->n] : split(s, &v[k], k, count);
        if (s->answer)
            remember(s, &v[k], answer[k]);
    }
}

/* The vector has been answered before, by the trace or since. */
static bool knows(const struct slot *s, const struct use *v, uint64_t *answer)
{
    int64_t i = s->answer ? use_find(&s->concurrent->t->seen, v) : -1;
    if (i >= 0) {
        *answer = s->answer[i];
        return true;
    }
    i = s->answer ? use_find(&s->seen, v) : -1;
    if (i >= 0)
        *answer = s->seen_answer[i];
    return i >= 0;
}

/* The unit of one SP in place of the C arithmetic. */
static void compute(void *context, const struct isa_insn *in, uint32_t exec, const uint32_t *a,
                    const uint32_t *b, const uint32_t *c, const uint8_t *cc, uint32_t *d,
                    uint8_t *flags)
{
    struct slot *s = context;
    const struct unit *u = s->concurrent->u;
    uint32_t lanes = exec & s->concurrent->lanes, count = 0, of[SM_LANES];
    if (!lanes)
        return;
    const struct error_model *errors = s->fault[0] == GATE_NO_FAULT ? NULL : u->errors;
    struct vector insn = vector_of(in, lane_which(u));
    struct use new[SM_LANES];
    uint64_t written = vector_written(in), wrong[SM_LANES], answer[SM_LANES];
    for (uint32_t left = lanes; left; left &= left - 1) {
        int l = __builtin_ctz(left);
        struct vector v = vector_with_operands(insn, a[l], b[l], c[l], cc[l] & SM_CC_C);
        v = lane_vector(u, v, written, lane_answer(d, flags, l));
        struct use use = lane_next(u, &s->past, v);
        of[l] = count;
        if (errors) {
            wrong[l] = error_model_wrong(errors, s->fault[0], &v, lane_answer(d, flags, l));
            continue;
        }
        if (knows(s, &use, &wrong[l]))
            continue;
        for (of[l] = 0; of[l] < count && !use_same(&new[of[l]], &use);)
            of[l]++;
        if (of[l] == count)
            new[count++] = use;
        wrong[l] = UNKNOWN;
    }
    if (count)
        answer_new(s, new, count, answer);
    for (; lanes; lanes &= lanes - 1) {
        int l = __builtin_ctz(lanes);
        uint64_t bits = wrong[l] == UNKNOWN ? answer[of[l]] : wrong[l];
        if (bits && s->wrong_since == FSIM_NEVER)
            s->wrong_since = dut_cycle(s->run.bad);
        d[l] ^= (uint32_t)bits;
        if (flags)
            flags[l] ^= (uint8_t)(bits >> VECTOR_D_BITS);
    }
}

/* ---- slots ----------------------------------------------------------------------------------- */

static void keep_past(void *slot)
{
    struct slot *s = slot;
    s->saved = s->past;
}

static bool is_past(const void *slot)
{
    const struct slot *s = slot;
    return s->past.any == s->saved.any && vector_same(&s->past.inputs, &s->saved.inputs);
}

static struct slot *slot_at(struct concurrent *r, uint32_t number)
{
    struct slot *s = r->slot[number];
    if (s)
        return s;
    s = r->slot[number] = fl_alloc(sizeof *s);
    s->concurrent = r;
    s->number = number;
    s->stack = fl_alloc(STACK);
    s->fiber = FIBER_NEW();
    s->fault = fl_alloc(r->u->faults->count * sizeof *s->fault);
    s->hook = (struct sm_lane_hook){compute, s};
    s->seen = lane_uses(r->u);
    s->memory = (struct runner_memory){.keep = keep_past, .same = is_past, .of = s};
    runner_open(&s->run, r->ref);
    s->run.memory = &s->memory;
    dut_gpu(s->run.bad)->sm->lanes = &s->hook;
    return s;
}

static void slot_free(struct slot *s)
{
    if (!s)
        return;
    runner_close(&s->run);
    vectors_free(&s->seen);
    FIBER_FREE(s->fiber);
    free(s->seen_answer);
    free(s->diff);
    free(s->fault);
    free(s->stack);
    free(s);
}

/* These faults take the slot; its machine is for the caller to set. */
static void take(struct slot *s, const uint32_t *fault, uint32_t n, uint32_t first,
                 const uint64_t *answer, const struct unit_past *past)
{
    s->past = past ? *past : (struct unit_past){.any = false};
    memcpy(s->fault, fault, n * sizeof *fault);
    slot_faults(s, n);
    s->first = first;
    s->answer = answer;
    s->wrong_since = FSIM_NEVER;
    vectors_empty(&s->seen);
}

/* The machine of a slot goes to its end, on the slot's stack. */
static void run_to_end_of(struct slot *s)
{
    struct concurrent *r = s->concurrent;
    uint64_t cycle = r->t->first[s->first];
    struct fsim_result result = {.first_activation = cycle};
    s->run.stat.runs++;
    run_to_end(&s->run, LOOK_EARLY, &result);
    result.first_activation = cycle;
    for (uint32_t i = 0; i < s->n; i++)
        r->out[r->u->faults->class_of[s->fault[i]]] = result;
    leave_base(r, s->base);
    s->base = NULL;
    slot_faults(s, 0);
    s->busy = false;
    wait_here(s); /* for good */
}

/* makecontext hands on numbers. */
static void run_from(unsigned low, unsigned high)
{
    run_to_end_of((struct slot *)((uintptr_t)low | (uintptr_t)high << 16 << 16));
}

/* Until it waits or has ended. */
static void move_on(struct slot *s)
{
    FIBER_SWITCH(s->fiber);
    swapcontext(&s->concurrent->context, &s->context);
}

static void start(struct slot *s)
{
    getcontext(&s->context);
    s->context.uc_stack.ss_sp = s->stack;
    s->context.uc_stack.ss_size = STACK;
    s->context.uc_link = NULL;
    makecontext(&s->context, (void (*)(void))run_from, 2, (unsigned)(uintptr_t)s,
                (unsigned)((uintptr_t)s >> 16 >> 16));
    s->busy = true;
    move_on(s);
}

static void start_diverged(struct concurrent *r, struct slot *s)
{
    struct diverged p = r->diverged[--r->ndiverged];
    take(s, p.fault, p.n, p.first, p.answer, &p.from->past);
    remember(s, &p.vector, p.parted);
    dut_copy(s->run.bad, p.from->m);
    leave_base(r, p.from);
    free(p.fault);
    start(s);
}

/* Of slow gates: what was before the instruction with which a pattern first comes; NULL: nothing. */
static const struct unit_past *past_at(const struct concurrent *r, uint32_t pattern)
{
    return unit_slow(r->u) && pattern < r->t->noted ? &r->t->behind[pattern] : NULL;
}

static void start_group(struct concurrent *r, struct slot *s, const struct fault_group *g,
                        const uint64_t *answer)
{
    const uint32_t first = g->response->first;
    take(s, g->fault, g->n, first, answer, past_at(r, first));
    golden_seek(r->ref->golden, r->golden, r->t->first[first]);
    gpu_copy(dut_gpu(s->run.bad), r->golden);
    start(s);
}

/* Seats as they were before anything started. */
static void leave_all(struct concurrent *r)
{
    for (uint32_t i = 0; i < BATCH_MEMBERS && r->slot[i]; i++) {
        leave_base(r, r->slot[i]->base);
        r->slot[i]->base = NULL;
        r->slot[i]->busy = false;
        slot_faults(r->slot[i], 0);
    }
    while (r->ndiverged > 0) {
        leave_base(r, r->diverged[--r->ndiverged].from);
        free(r->diverged[r->ndiverged].fault);
    }
}

static bool asked(bool (*stop)(void *context), void *context)
{
    return stop && stop(context);
}

/* What each group answers to the patterns of the trace. */
static void ask_for_answers(struct concurrent *r, const struct fault_group *group, uint32_t groups)
{
    const size_t patterns = trace_patterns(r->t), room = groups * patterns;
    uint32_t *fault = fl_alloc(groups * sizeof *fault);
    if (room > r->answer_room)
        r->answer = fl_grow(r->answer, r->answer_room = room, sizeof *r->answer);
    for (uint32_t g = 0; g < groups; g++)
        fault[g] = *group[g].fault;
    responder_answers(r->responder, fault, groups, r->answer);
    free(fault);
}

static bool run_groups(void *machine, const struct fault_group *group, uint32_t groups,
                       bool (*stop)(void *context), void *context, struct fsim_result *out)
{
    struct concurrent *r = machine;
    uint32_t next = 0, busy;
    ask_for_answers(r, group, groups);
    r->out = out;
    r->fiber = FIBER_HERE();
    do {
        busy = 0;
        for (uint32_t i = 0; i < BATCH_MEMBERS; i++) {
            struct slot *s = r->slot[i];
            if (s && s->busy && !asked(stop, context))
                move_on(s);
            while ((!s || !s->busy) && (r->ndiverged || next < groups) && !asked(stop, context)) {
                s = slot_at(r, i);
                if (r->ndiverged)
                    start_diverged(r, s);
                else {
                    start_group(r, s, &group[next],
                                r->answer + (size_t)next * trace_patterns(r->t));
                    next++;
                }
            }
            busy += s && s->busy;
        }
        if (asked(stop, context)) {
            leave_all(r);
            return false;
        }
        batch_answer(r->batch);
    } while (busy);
    return true;
}

/* ---- one alone ------------------------------------------------------------------------------- */

static void run_alone(void *machine, uint32_t fault, uint64_t first, struct fsim_result *out)
{
    struct concurrent *r = machine;
    struct slot *s = slot_at(r, 0);
    (void)first;
    take(s, &fault, 1, 0, NULL, NULL);
    dut_copy(s->run.bad, r->ref->checkpoint[0]);
    *out = (struct fsim_result){.outcome = OUT_MASKED};
    s->run.stat.runs++;
    run_to_end(&s->run, 0, out);
    out->first_activation = s->wrong_since;
    if (s->wrong_since == FSIM_NEVER && out->outcome == OUT_MASKED)
        snprintf(out->reason, sizeof out->reason, "not_activated");
    slot_faults(s, 0);
}

static struct dut *start_at(void *machine, uint32_t fault, uint64_t cycle)
{
    struct concurrent *r = machine;
    const struct trace *t = r->t;
    struct slot *s = slot_at(r, 0);
    const uint32_t pattern = (uint32_t)FL_FIRST(i, 0, (int)t->noted, t->first[i] >= cycle);
    take(s, &fault, 1, 0, NULL, past_at(r, pattern));
    golden_seek(r->ref->golden, r->golden, cycle);
    gpu_copy(dut_gpu(s->run.bad), r->golden);
    return s->run.bad;
}

/* ---- made ------------------------------------------------------------------------------------ */

static void *make(const struct trace *t, const struct reference *ref)
{
    struct concurrent *r = fl_alloc(sizeof *r);
    r->t = t;
    r->u = t->unit;
    r->ref = ref;
    r->lanes = lane_mask(ref->img, t->sp);
    r->golden = gpu_new(ref->img);
    r->batch = batch_new(r->u, (uint32_t)__builtin_popcount(r->lanes));
    r->wide = gate_group_new(r->u->netlist, gate_width(0, NULL));
    r->inputs = fl_alloc(unit_input_words(r->u) * sizeof *r->inputs);
    r->sim = unit_sim_new(r->u, 64);
    r->responder = responder_new(t);
    return r;
}

static void done(void *machine)
{
    struct concurrent *r = machine;
    for (uint32_t i = 0; i < BATCH_MEMBERS; i++)
        slot_free(r->slot[i]);
    for (struct base *b = r->unused, *next; b; b = next) {
        next = b->next_free;
        dut_free(b->m);
        free(b);
    }
    gpu_free(r->golden);
    batch_free(r->batch);
    gate_group_free(r->wide);
    unit_sim_free(&r->sim);
    free(r->inputs);
    free(r->diverged);
    responder_free(r->responder);
    free(r->answer);
    free(r);
}

void concurrent_statistics(const void *machine, struct concurrent_statistics *add_to)
{
    const struct concurrent *r = machine;
    for (uint32_t i = 0; i < BATCH_MEMBERS && r->slot[i]; i++) {
        add_to->runs.runs += r->slot[i]->run.stat.runs;
        add_to->runs.instructions += r->slot[i]->run.stat.instructions;
    }
    add_to->evaluated += r->stat.evaluated;
    add_to->splits += r->stat.splits;
}

const struct unit_machine concurrent_machine = {
    .make = make, .free = done, .groups = run_groups, .alone = run_alone, .start = start_at};
