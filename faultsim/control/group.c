/* group.c -- see group.h. */
#include "group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "parts.h"

/* Faults of a machine, a bit each, behind the one that answers: bit 0 has it too. */
enum { MEMBERS = 511, FEW = 63, MASKS = 8 };

struct control_runner {
    const struct unit *u;
    struct runner run;
    struct sm_stand_in by;
    struct dut *golden;                    /* travels forward through the fault-free run */
    struct gate_group *few, *many, *gates; /* the last is the one in use */
    uint32_t fault[MEMBERS], n;            /* this machine */
    uint64_t here[MASKS];                  /* those who still are, a bit each, from bit 1 on */
    bool brute;                            /* all gates are evaluated, of units that see data too */
    /* vectors so far, what the first fault answers, and who answers otherwise */
    struct vectors seen;
    uint64_t *answer, *other;
    /* of slow gates: what the machine sees, and saw at the last edge; the fault-free run's */
    bool slow, any;
    uint64_t pair[2 * SM_CONTROL_WORDS], kept[SM_CONTROL_WORDS], past[SM_CONTROL_WORDS];
    struct control_parts *parts;
    struct stand stand; /* of a unit before registers */
    uint32_t stuck;     /* the first fault holds this bit at a value, or UINT32_MAX */
    /* the cycle of that edge, and what it saw at the one before; the cycle for which the gates remember what they were
     * to be in the last, 0: none */
    uint64_t told, before[SM_CONTROL_WORDS], clocked;
    const struct trace *t;
    struct runner_memory memory;
    uint32_t room;
    /* those who left: so many, with hashes of what they answered */
    uint32_t left[MEMBERS], nleft;
    uint64_t answered[MEMBERS];
};

/* ---- the gates ------------------------------------------------------------------------------- */

/* Of slow gates a pair. */
static void evaluate_gates(struct control_runner *r, const uint64_t *in)
{
    if (r->slow) {
        gate_group_eval(r->gates, in + r->u->in_words);
        gate_group_clock(r->gates);
    }
    gate_group_eval(r->gates, in);
}

/* A vector that is new in this run. */
static void evaluate(struct control_runner *r, uint32_t at, const uint64_t *in)
{
    const struct unit *u = r->u;
    if (at >= r->room) {
        r->room = r->room ? 2 * r->room : 256;
        r->answer = fl_grow(r->answer, (size_t)r->room * u->out_words, sizeof *r->answer);
        r->other = fl_grow(r->other, (size_t)r->room * MASKS, sizeof *r->other);
    }
    uint64_t *answer = &r->answer[(size_t)at * u->out_words], *other = &r->other[at * MASKS];
    memset(answer, 0, u->out_words * sizeof *answer);
    memset(other, 0, MASKS * sizeof *other);
    evaluate_gates(r, in);
    for (uint32_t o = 0; o < u->netlist->outputs; o++) {
        const uint64_t *w = gate_group_watched(r->gates, o);
        answer[o / 64] |= (*w & 1) << o % 64;
        for (int k = 0; k < gate_group_words(r->gates); k++)
            other[k] |= w[k] ^ (0 - (*w & 1));
    }
}

/* With what the unit saw before; in the first cycle nothing has moved. */
static const uint64_t *with_past(struct control_runner *r, const uint64_t *in)
{
    const size_t words = r->u->in_words;
    if (!r->slow)
        return in;
    memcpy(r->pair, in, words * sizeof *in);
    if (!r->any)
        memcpy(r->pair + words, in, words * sizeof *in);
    return r->pair;
}

static uint32_t number_of(struct control_runner *r, const uint64_t *in)
{
    bool isnew;
    in = with_past(r, in);
    uint32_t at = vectors_add(&r->seen, in, &isnew);
    if (isnew)
        evaluate(r, at, in);
    return at;
}

static void answer(void *context, const uint64_t *in, uint64_t *out)
{
    struct control_runner *r = context;
    uint32_t at = number_of(r, in);
    memcpy(out, &r->answer[(size_t)at * r->u->out_words], r->u->out_words * sizeof *out);
}

/* Those that answer otherwise than the first at this edge, which has been evaluated. */
static void part_from(struct control_runner *r, uint64_t leave[MASKS])
{
    uint32_t count;
    const uint32_t *output = gate_group_changeable(r->gates, &count);
    for (int k = 0; k < MASKS; k++) {
        r->here[k] &= ~leave[k];
        for (; leave[k]; leave[k] &= leave[k] - 1) {
            uint32_t bit = 64 * (uint32_t)k + (uint32_t)__builtin_ctzll(leave[k]);
            uint64_t h = fl_hash(FL_HASH_START, dut_cycle(r->run.bad));
            for (uint32_t i = 0; i < count; i++)
                h = fl_hash(h, gate_group_watched(r->gates, output[i])[bit / 64] >> bit % 64 & 1);
            r->answered[r->nleft] = h;
            r->left[r->nleft++] = bit - 1;
        }
    }
}

/* Only what stands there at an edge is ever taken: who answers that otherwise is another machine. */
static void leave_at(struct control_runner *r, const uint64_t *in)
{
    uint64_t leave[MASKS], some = 0;
    const uint32_t at = number_of(r, in); /* may move r->other */
    const uint64_t *other = &r->other[at * MASKS];
    for (int k = 0; k < MASKS; k++)
        some |= leave[k] = other[k] & r->here[k];
    if (!some)
        return;
    evaluate_gates(r, with_past(r, in));
    part_from(r, leave);
}

static void saw(struct control_runner *r, const uint64_t *in, uint64_t cycle)
{
    uint64_t *last = r->pair + r->u->in_words;
    memcpy(r->before, last, r->u->in_words * sizeof *in);
    memcpy(last, in, r->u->in_words * sizeof *in);
    r->told = cycle;
    r->any = true;
}

/* What follows the edge is the logic of the next cycle. */
static void edge(void *context, const uint64_t *in, const uint64_t *own)
{
    struct control_runner *r = context;
    (void)own;
    leave_at(r, in);
    if (r->slow)
        saw(r, in, dut_cycle(r->run.bad));
}

static void keep_past(void *of)
{
    struct control_runner *r = of;
    memcpy(r->kept, r->pair + r->u->in_words, r->u->in_words * sizeof *r->kept);
}

static bool is_past(const void *of)
{
    const struct control_runner *r = of;
    return memcmp(r->kept, r->pair + r->u->in_words, r->u->in_words * sizeof *r->kept) == 0;
}

/* What the unit of the fault-free run saw in the cycle before this one, which is not the first; before registers
 * only what the gates read. */
static const uint64_t *past_at(struct control_runner *r, uint64_t cycle)
{
    const uint64_t *past = vectors_at(&r->t->seen, r->t->at[cycle - 1]);
    if (!r->stand.of)
        return past;
    stand_part(&r->stand, past, r->past);
    return r->past;
}

static bool is_fault_free(void *of, uint64_t cycle)
{
    struct control_runner *r = of;
    return cycle > 0 && memcmp(past_at(r, cycle), r->pair + r->u->in_words,
                               r->u->in_words * sizeof *r->pair) == 0;
}

/* Of a unit that sees data: what it saw in the cycle before `cycle`. */
static const uint64_t *past_of(const struct control_runner *r, uint64_t cycle)
{
    return r->told + 1 == cycle ? r->pair + r->u->in_words : r->before;
}

/* The gates remember what they were to be in the cycle before `cycle`, in which nothing has moved if it is the first. */
static void remember(struct control_runner *r, uint64_t cycle)
{
    if (!r->slow || r->clocked == cycle)
        return;
    r->clocked = cycle;
    if (!cycle) {
        gate_group_reset(r->gates);
        return;
    }
    gate_group_eval(r->gates, past_of(r, cycle));
    gate_group_clock(r->gates);
}

/* What the first fault changes of the outputs of a part. */
static void correct(struct control_runner *r, uint64_t cycle, int first, int count,
                    const uint64_t *in, uint64_t *out)
{
    control_parts_answer(r->parts, first, count, r->slow && cycle ? past_of(r, cycle) : NULL, in,
                         out);
}

/* The machine's own count still stands while what follows an edge is asked for. */
static void answer_part(void *context, int first, int count, const uint64_t *in, uint64_t *out)
{
    struct control_runner *r = context;
    correct(r, r->any ? r->told + 1 : 0, first, count, in, out);
}

static void answer_at_edge(void *context, int first, int count, const uint64_t *in, uint64_t *out)
{
    struct control_runner *r = context;
    correct(r, dut_cycle(r->run.bad), first, count, in, out);
}

/* Those that answer otherwise than the first leave; the gates have been evaluated. */
static void part_by_outputs(struct control_runner *r)
{
    uint64_t leave[MASKS] = {0};
    uint32_t n;
    const uint32_t *output = gate_group_changeable(r->gates, &n);
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t *w = gate_group_watched(r->gates, output[i]);
        for (int k = 0; k < gate_group_words(r->gates); k++)
            leave[k] |= (w[k] ^ (0 - (*w & 1))) & r->here[k];
    }
    part_from(r, leave);
}

static void edge_of_data(void *context, const uint64_t *in, const uint64_t *own)
{
    struct control_runner *r = context;
    (void)own;
    if (r->n > 1) {
        remember(r, dut_cycle(r->run.bad));
        gate_group_eval(r->gates, in);
        part_by_outputs(r);
    }
    if (r->slow)
        saw(r, in, dut_cycle(r->run.bad));
}

/* ---- registers: what the gates make of them is written behind the edge ------------------------- */

static void before_registers(void *context)
{
    struct control_runner *r = context;
    stand_hold(&r->stand);
}

static void edge_of_registers(void *context, const uint64_t *seen, const uint64_t *own)
{
    struct control_runner *r = context;
    (void)own;
    stand_see(&r->stand, seen);
    remember(r, dut_cycle(r->run.bad));
    gate_group_eval(r->gates, r->stand.in);
    if (r->n > 1)
        part_by_outputs(r);
    if (r->slow)
        saw(r, r->stand.in, dut_cycle(r->run.bad));
}

static bool behind_registers(void *context)
{
    struct control_runner *r = context;
    uint32_t n;
    const uint32_t *output = gate_group_changeable(r->gates, &n);
    bool any = false;
    for (uint32_t i = 0; i < n; i++)
        any |= spot_set(stand_takes(&r->stand, output[i]),
                        *gate_group_watched(r->gates, output[i]) & 1);
    return any;
}

/* The machine as it is without the fault, but for a register that has never held anything else. */
static void begin(struct control_runner *r)
{
    dut_copy(r->run.bad, r->golden);
    if (r->stuck != UINT32_MAX && spot_set(&r->stand.spot[r->stuck], GATE_STUCK_AT(r->fault[0])))
        r->run.ref->engine->replace_unit(r->run.bad, &sm_control_pins[r->u->which], 0, &r->by);
}

/* Of a unit that sees data: only where the faults can change something; at edges, only where some may leave, or where
 * it counts what they see. */
static void ask_for_parts(struct control_runner *r, uint32_t fault)
{
    uint32_t n;
    if (!r->brute)
        gate_group_focus(r->gates, 0, r->u->netlist->outputs);
    const uint32_t *output = gate_group_changeable(r->gates, &n);
    r->by.from = n ? (int)output[0] : 0;
    r->by.to = n ? (int)output[n - 1] + 1 : 0;
    if (!r->u->registers) {
        control_parts_take(r->parts, fault, r->brute);
        r->by.edge = r->slow || r->n > 1 ? edge_of_data : NULL;
    }
}

/* `fault`: of one machine, which begins in this cycle. */
static void take(struct control_runner *r, const uint32_t *fault, uint32_t n, uint64_t cycle)
{
    uint32_t with[MEMBERS + 1], bit;
    r->n = n;
    r->nleft = 0;
    memcpy(r->fault, fault, n * sizeof *fault);
    for (uint32_t i = 0; i < n; i++)
        with[i + 1] = registers_fault(r->u->registers, r->u->netlist, fault[i], &bit);
    with[0] = registers_fault(r->u->registers, r->u->netlist, fault[0], &r->stuck);
    r->gates = n <= FEW ? r->few : r->many;
    gate_group_set(r->gates, r->u->faults->model, with, n + 1);
    r->stand.gates = r->gates;
    if (r->u->sees_data)
        ask_for_parts(r, with[0]);
    memset(r->here, 0, sizeof r->here);
    for (uint32_t i = 1; i <= n; i++)
        r->here[i / 64] |= 1ull << i % 64;
    vectors_empty(&r->seen);
    r->any = false;
    r->clocked = 0;
    memset(r->stand.in, 0, sizeof r->stand.in);
    if (r->slow && cycle)
        saw(r, past_at(r, cycle), cycle - 1);
}

struct control_runner *control_runner_new(const struct trace *t, const struct reference *ref)
{
    const struct unit *u = t->unit;
    struct fl_err err;
    struct control_runner *r = fl_alloc(sizeof *r);
    r->t = t;
    r->u = u;
    r->by = u->sees_data ? (struct sm_stand_in){.part = answer_part,
                                                .write = answer_at_edge,
                                                .inputs = (int)u->netlist->inputs,
                                                .context = r}
                         : (struct sm_stand_in){.answer = answer, .context = r, .edge = edge};
    r->parts = control_parts_new(u);
    r->few = gate_group_new(u->netlist, 64);
    r->many = gate_group_new(u->netlist, 512);
    r->slow = unit_slow(u);
    r->memory = (struct runner_memory){
        .keep = keep_past, .same = is_past, .of = r, .fault_free = is_fault_free};
    r->seen.words = (r->slow + 1u) * u->in_words;
    runner_open(&r->run, ref);
    r->run.memory = r->slow ? &r->memory : NULL;
    r->golden = ref->engine->make(ref->img, &err); /* as the others */
    if (u->registers) {
        r->by = (struct sm_stand_in){.context = r,
                                     .edge = edge_of_registers,
                                     .before = before_registers,
                                     .behind = behind_registers};
        r->stand.of = u->registers;
        r->stand.spot = registers_in(u->registers, r->run.bad, &err); /* as of the fault-free run */
    }
    take(r, &(uint32_t){GATE_NO_FAULT}, 1, 0);
    ref->engine->replace_unit(r->run.bad, &sm_control_pins[u->which], 0, &r->by);
    return r;
}

void control_runner_free(struct control_runner *r)
{
    if (!r)
        return;
    runner_close(&r->run);
    dut_free(r->golden);
    control_parts_free(r->parts);
    gate_group_free(r->few);
    gate_group_free(r->many);
    vectors_free(&r->seen);
    free(r->answer);
    free(r->other);
    free(r->stand.spot);
    free(r);
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* Those of one answer at one edge stand together. */
static void sort_left(struct control_runner *r)
{
    for (uint32_t i = 1; i < r->nleft; i++)
        for (uint32_t k = i; k > 0 && r->answered[k] < r->answered[k - 1]; k--) {
            uint64_t h = r->answered[k];
            uint32_t f = r->left[k];
            r->answered[k] = r->answered[k - 1];
            r->left[k] = r->left[k - 1];
            r->answered[k - 1] = h;
            r->left[k - 1] = f;
        }
}

/* Faults that answer all vectors of the fault-free run alike. */
static bool run(struct control_runner *r, const uint32_t *fault, uint32_t n,
                const struct response *response, bool (*stop)(void *context), void *context,
                struct fsim_result *out)
{
    if (n > MEMBERS)
        return run(r, fault, MEMBERS, response, stop, context, out) &&
               run(r, fault + MEMBERS, n - MEMBERS, response, stop, context, out);
    if (stop && stop(context))
        return false;
    const uint64_t first = response_cycle(response, r->t);
    reference_seek(r->run.ref, r->golden, first);
    take(r, fault, n, first);
    begin(r);
    r->run.heals_behind = response->last;
    struct fsim_result result = {.outcome = OUT_MASKED, .first_activation = first};
    run_to_end(&r->run, LOOK_EARLY | MAY_HEAL, &result);
    result.first_activation = first;
    for (uint32_t i = 0; i < n; i++)
        out[r->u->faults->class_of[fault[i]]] = result;
    /* who left begins again, with those who gave the same answer there */
    uint32_t again[MEMBERS], count = r->nleft;
    uint64_t answered[MEMBERS];
    sort_left(r);
    for (uint32_t i = 0; i < count; i++)
        again[i] = fault[r->left[i]];
    memcpy(answered, r->answered, count * sizeof *answered);
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && answered[end] == answered[i]; end++)
            continue;
        if (!run(r, again + i, end - i, response, stop, context, out))
            return false;
    }
    return true;
}

static bool run_groups(void *machine, const struct fault_group *group, uint32_t groups,
                       bool (*stop)(void *context), void *context, struct fsim_result *out)
{
    for (const struct fault_group *g = group; g < group + groups; g++)
        if (!run(machine, g->fault, g->n, g->response, stop, context, out))
            return false;
    return true;
}

struct dut *control_start(struct control_runner *r, uint32_t fault, uint64_t cycle)
{
    reference_seek(r->run.ref, r->golden, cycle);
    take(r, &fault, 1, cycle);
    begin(r);
    return r->run.bad;
}

static void run_alone(void *machine, uint32_t fault, uint64_t first, struct fsim_result *out)
{
    struct control_runner *r = machine;
    r->brute = true;
    control_start(r, fault, 0);
    *out = (struct fsim_result){.outcome = OUT_MASKED};
    run_to_end(&r->run, 0, out);
    r->brute = false;
    out->first_activation = first;
    if (first == FSIM_NEVER && out->outcome == OUT_MASKED)
        snprintf(out->reason, sizeof out->reason, "not_activated");
}

static struct dut *start_at(void *machine, uint32_t fault, uint32_t pattern)
{
    struct control_runner *r = machine;
    return control_start(r, fault, r->t->first[pattern]);
}

static void *make(const struct trace *t, const struct reference *ref)
{
    return control_runner_new(t, ref);
}

static void done(void *machine)
{
    control_runner_free(machine);
}

const struct unit_machine control_machine = {
    .make = make, .free = done, .groups = run_groups, .alone = run_alone, .start = start_at};
