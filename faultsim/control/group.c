/* group.c -- see group.h. */
#include "group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "parts.h"

/* Faults of a group. The gates are evaluated with a fault a bit: bit 0 the representative's, which the machine has, bits 1 to n those of
 * all members, the representative first. */
enum { MEMBERS = 511, FEW = 63, MASKS = 8 };

/* The input vectors of a unit at the last two edges: transition-delay faults depend on them. */
struct history {
    size_t size; /* of a vector, bytes; 0: the faults do not depend on them */
    bool any;
    uint64_t cycle; /* of `last` */
    uint64_t last[SM_CONTROL_WORDS], before[SM_CONTROL_WORDS];
    uint64_t saved[SM_CONTROL_WORDS];
};

struct diverged {
    uint32_t fault;
    uint64_t answer; /* hash of its outputs at that edge, and of the cycle */
};

struct machine {
    const struct unit *u;
    const struct trace *t;
    struct runner run;
    struct sm_override override;
    struct register_inputs inputs; /* of a unit before registers */
    struct dut *golden;            /* runs forward through the fault-free run */
    struct history past;           /* in this machine */
    struct runner_memory memory;
    uint64_t golden_inputs[SM_CONTROL_WORDS];
    /* the gates with all faults: in a group of few, and of many; the last is one of them */
    struct control_gates few, many, *gates;
    struct control_parts *parts; /* the gates with the representative */
    /* the group */
    uint32_t fault[MEMBERS], n;
    uint64_t members[MASKS]; /* bits of the faults that have answered alike so far */
    struct diverged diverged[MEMBERS];
    uint32_t ndiverged;
    uint32_t stuck; /* the register bit that the representative holds, or UINT32_MAX */
    /* the patterns that the representative answers wrongly */
    struct responder *responder;
    bool *wrong, knows_wrong;
};

/* ---- earlier inputs --------------------------------------------------------------------------- */

static void history_add(struct history *h, const uint64_t *in, uint64_t cycle)
{
    memcpy(h->before, h->last, h->size);
    memcpy(h->last, in, h->size);
    h->cycle = cycle;
    h->any = true;
}

/* The inputs in the cycle before `cycle`, which is that of the last edge or the one after it; NULL: there are none. */
static const uint64_t *history_before(const struct history *h, uint64_t cycle)
{
    return !h->size || !cycle ? NULL : h->cycle + 1 == cycle ? h->last : h->before;
}

static const uint64_t *history_last(const struct history *h)
{
    return h->size && h->any ? h->last : NULL;
}

static void save_history(void *of)
{
    struct history *h = &((struct machine *)of)->past;
    memcpy(h->saved, h->last, h->size);
}

static bool is_saved_history(const void *of)
{
    const struct history *h = &((const struct machine *)of)->past;
    return memcmp(h->saved, h->last, h->size) == 0;
}

/* The inputs of the unit in a cycle of the fault-free run; before registers only those that the gates read. */
static const uint64_t *golden_inputs(struct machine *m, uint64_t cycle)
{
    const uint64_t *in = vectors_at(&m->t->seen, m->t->at[cycle]);
    if (!m->inputs.of)
        return in;
    for (uint32_t i = 0; i < m->u->in_words; i++)
        m->golden_inputs[i] = in[i] & m->gates->needs[i];
    return m->golden_inputs;
}

static bool is_golden_history(void *of, uint64_t cycle)
{
    struct machine *m = of;
    return cycle > 0 && memcmp(golden_inputs(m, cycle - 1), m->past.last, m->past.size) == 0;
}

/* ---- outputs of the representative -------------------------------------------------------------- */

/* The simulator asks before it counts the edge, so the machine's own cycle cannot be used. */
static void override_part(void *context, int first, int count, const uint64_t *in, uint64_t *out)
{
    struct machine *m = context;
    control_parts_answer(m->parts, first, count, history_last(&m->past), in, out);
}

static void override_at_edge(void *context, int first, int count, const uint64_t *in, uint64_t *out)
{
    struct machine *m = context;
    const uint64_t *past = history_before(&m->past, dut_cycle(m->run.bad));
    control_parts_answer(m->parts, first, count, past, in, out);
}

/* ---- members that diverge ------------------------------------------------------------------------ */

static void diverge(struct machine *m, uint32_t bit, const uint32_t *output, uint32_t outputs)
{
    struct diverged *d = &m->diverged[m->ndiverged++];
    d->fault = m->fault[bit - 1];
    d->answer = fl_hash(FL_HASH_START, dut_cycle(m->run.bad));
    for (uint32_t i = 0; i < outputs; i++) {
        const uint64_t *faults = gate_group_watched(m->gates->group, output[i]);
        d->answer = fl_hash(d->answer, faults[bit / 64] >> bit % 64 & 1);
    }
}

/* The circuit takes outputs at edges alone: members whose outputs now differ from the representative's leave the group. */
static void compare_members(struct machine *m)
{
    const struct gate_group *g = m->gates->group;
    uint64_t differ[MASKS] = {0};
    uint32_t n;
    const uint32_t *output = gate_group_changeable(g, &n);
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t *faults = gate_group_watched(g, output[i]);
        const uint64_t representative = 0 - (faults[0] & 1);
        for (int k = 0; k < gate_group_words(g); k++)
            differ[k] |= (faults[k] ^ representative) & m->members[k];
    }
    for (int k = 0; k < MASKS; k++) {
        m->members[k] &= ~differ[k];
        for (; differ[k]; differ[k] &= differ[k] - 1)
            diverge(m, 64 * (uint32_t)k + (uint32_t)__builtin_ctzll(differ[k]), output, n);
    }
}

static void at_edge(struct machine *m, const uint64_t *in, bool evaluate)
{
    const uint64_t cycle = dut_cycle(m->run.bad);
    if (evaluate && control_gates_see(m->gates, history_before(&m->past, cycle), in) && m->n > 1)
        compare_members(m);
    if (m->past.size)
        history_add(&m->past, in, cycle);
}

static void edge(void *context, const uint64_t *in, const uint64_t *own)
{
    struct machine *m = context;
    (void)own;
    at_edge(m, in, m->n > 1);
}

/* ---- a unit before registers: its outputs are written to the registers after the edge --------------- */

static void before_registers(void *context)
{
    struct machine *m = context;
    register_inputs_hold(&m->inputs);
}

static void edge_of_registers(void *context, const uint64_t *seen, const uint64_t *own)
{
    struct machine *m = context;
    (void)own;
    register_inputs_see(&m->inputs, seen);
    at_edge(m, m->inputs.in, true);
}

static bool write_registers(void *context)
{
    struct machine *m = context;
    uint32_t n;
    const uint32_t *output = gate_group_changeable(m->gates->group, &n);
    bool any = false;
    for (uint32_t i = 0; i < n; i++)
        any |= spot_set(register_inputs_taker(&m->inputs, output[i]),
                        *gate_group_watched(m->gates->group, output[i]) & 1);
    return any;
}

/* ---- cycles without an effect -------------------------------------------------------------------- */

static uint32_t pattern_at(const struct trace *t, uint64_t cycle)
{
    const uint64_t pair = t->at[cycle] | (uint64_t)t->at[cycle ? cycle - 1 : 0] << 32;
    return t->pair.words ? (uint32_t)vectors_find(&t->pair, &pair) : t->at[cycle];
}

static const bool *wrong_patterns(struct machine *m)
{
    if (!m->responder) {
        m->responder = responder_new(m->t);
        m->wrong = fl_alloc(trace_patterns(m->t) * sizeof *m->wrong);
    }
    if (!m->knows_wrong)
        responder_wrong(m->responder, m->fault[0], m->wrong);
    m->knows_wrong = true;
    return m->wrong;
}

static void copy_golden(struct machine *m, uint64_t cycle)
{
    if (m->past.size && cycle)
        history_add(&m->past, golden_inputs(m, cycle - 1), cycle - 1);
    reference_seek(m->run.ref, m->golden, cycle);
    dut_copy(m->run.bad, m->golden);
}

/* From a cycle in which the machine is in the fault-free state to the next one with a wrong output; not worth it for less than
 * the distance of two checkpoints. */
static void skip(void *of, uint64_t cycle)
{
    struct machine *m = of;
    const struct reference *ref = m->run.ref;
    const bool *wrong = wrong_patterns(m);
    uint64_t next = cycle;
    while (next < m->t->cycles && !wrong[pattern_at(m->t, next)])
        next++;
    if (next < m->t->cycles && next - cycle > ref->cycles / (uint64_t)ref->ncheckpoints)
        copy_golden(m, next);
}

/* ---- machines -------------------------------------------------------------------------------- */

static void override_unit(struct machine *m)
{
    m->run.ref->engine->replace_unit(m->run.bad, &sm_control_pins[m->u->which], 0, &m->override);
}

static void take_group(struct machine *m, const uint32_t *fault, uint32_t n, bool brute)
{
    const struct unit *u = m->u;
    uint32_t with[MEMBERS + 1], bit;
    m->n = n;
    m->ndiverged = 0;
    m->knows_wrong = false;
    memcpy(m->fault, fault, n * sizeof *fault);
    memset(m->members, 0, sizeof m->members);
    with[0] = registers_fault(u->registers, u->netlist, fault[0], &m->stuck);
    for (uint32_t i = 1; i <= n; i++) {
        with[i] = registers_fault(u->registers, u->netlist, fault[i - 1], &bit);
        m->members[i / 64] |= 1ull << i % 64;
    }
    m->gates = n <= FEW ? &m->few : &m->many;
    control_gates_take(m->gates, with, n + 1, 0, u->netlist->outputs, brute);
    control_parts_take(m->parts, with[0], brute);
}

/* Asks the machine only for what is needed: outputs that the faults can change; edges where members can diverge, or inputs must
 * be kept. */
static void focus(struct machine *m)
{
    uint32_t n;
    const uint32_t *output = gate_group_changeable(m->gates->group, &n);
    m->override.from = n ? (int)output[0] : 0;
    m->override.to = n ? (int)output[n - 1] + 1 : 0;
    if (m->u->registers)
        register_inputs_focus(&m->inputs, m->gates->group);
    else
        m->override.edge = m->past.size || m->n > 1 ? edge : NULL;
}

/* The machine of a group, in the fault-free state of this cycle, but for a register bit that has been stuck since the start. */
static struct dut *start(struct machine *m, const uint32_t *fault, uint32_t n, uint64_t cycle,
                         bool brute)
{
    take_group(m, fault, n, brute);
    focus(m);
    m->past.any = false;
    copy_golden(m, cycle);
    if (m->stuck != UINT32_MAX && spot_set(&m->inputs.spot[m->stuck], GATE_STUCK_AT(fault[0])))
        override_unit(m);
    return m->run.bad;
}

static void *make(const struct trace *t, const struct reference *ref)
{
    struct fl_err err; /* such machines have been made before */
    struct machine *m = fl_alloc(sizeof *m);
    const struct unit *u = m->u = t->unit;
    m->t = t;
    m->parts = control_parts_new(u);
    m->few = control_gates_new(u, 64);
    m->many = control_gates_new(u, 512);
    m->past.size = unit_slow(u) ? u->in_words * sizeof(uint64_t) : 0;
    m->memory = (struct runner_memory){
        .keep = save_history, .same = is_saved_history, .of = m, .fault_free = is_golden_history};
    runner_open(&m->run, ref);
    m->run.memory = m->past.size ? &m->memory : NULL;
    m->run.skip = skip;
    m->run.of = m;
    m->golden = ref->engine->make(ref->img, &err);
    m->override = (struct sm_override){.part = override_part,
                                       .write = override_at_edge,
                                       .inputs = (int)u->netlist->inputs,
                                       .context = m};
    if (u->registers) {
        m->override = (struct sm_override){.edge = edge_of_registers,
                                           .before = before_registers,
                                           .behind = write_registers,
                                           .context = m};
        register_inputs_open(&m->inputs, u->registers, m->run.bad, &err);
    }
    start(m, &(uint32_t){GATE_NO_FAULT}, 1, 0, false);
    override_unit(m);
    return m;
}

static void done(void *machine)
{
    struct machine *m = machine;
    runner_close(&m->run);
    dut_free(m->golden);
    control_parts_free(m->parts);
    control_gates_free(&m->few);
    control_gates_free(&m->many);
    register_inputs_close(&m->inputs);
    if (m->responder)
        responder_free(m->responder);
    free(m->wrong);
    free(m);
}

/* ---- runs ------------------------------------------------------------------------------------ */

static void sort_by_answer(struct diverged *d, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        const struct diverged x = d[i];
        uint32_t at = i;
        for (; at > 0 && x.answer < d[at - 1].answer; at--)
            d[at] = d[at - 1];
        d[at] = x;
    }
}

/* Faults with equal answers to all patterns of the fault-free run. Those that diverge form new groups, by their answers at that edge,
 * which run from the start. */
static bool run(struct machine *m, const uint32_t *fault, uint32_t n,
                const struct response *response, bool (*stop)(void *context), void *context,
                struct fsim_result *out)
{
    if (n > MEMBERS)
        return run(m, fault, MEMBERS, response, stop, context, out) &&
               run(m, fault + MEMBERS, n - MEMBERS, response, stop, context, out);
    if (stop && stop(context))
        return false;
    const uint64_t first = response_cycle(response, m->t);
    struct fsim_result result = {.outcome = OUT_MASKED};
    start(m, fault, n, first, false);
    m->run.heals_behind = response->last;
    run_to_end(&m->run, LOOK_EARLY | MAY_HEAL, &result);
    result.first_activation = first;
    for (uint32_t i = 0; i < n; i++)
        out[m->u->faults->class_of[fault[i]]] = result;
    const uint32_t count = m->ndiverged;
    struct diverged *diverged = fl_alloc(count * sizeof *diverged + 1);
    uint32_t *again = fl_alloc(count * sizeof *again + 1);
    bool complete = true;
    memcpy(diverged, m->diverged, count * sizeof *diverged); /* the next run overwrites them */
    sort_by_answer(diverged, count);
    for (uint32_t i = 0, end; complete && i < count; i = end) {
        for (end = i; end < count && diverged[end].answer == diverged[i].answer; end++)
            again[end] = diverged[end].fault;
        complete = run(m, again + i, end - i, response, stop, context, out);
    }
    free(diverged);
    free(again);
    return complete;
}

static bool run_groups(void *machine, const struct fault_group *group, uint32_t groups,
                       bool (*stop)(void *context), void *context, struct fsim_result *out)
{
    for (const struct fault_group *g = group; g < group + groups; g++)
        if (!run(machine, g->fault, g->n, g->response, stop, context, out))
            return false;
    return true;
}

static void run_alone(void *machine, uint32_t fault, uint64_t first, struct fsim_result *out)
{
    struct machine *m = machine;
    start(m, &fault, 1, 0, true);
    *out = (struct fsim_result){.outcome = OUT_MASKED};
    run_to_end(&m->run, 0, out);
    out->first_activation = first;
    if (first == FSIM_NEVER && out->outcome == OUT_MASKED)
        snprintf(out->reason, sizeof out->reason, "not_activated");
}

static struct dut *start_alone(void *machine, uint32_t fault, uint64_t cycle)
{
    return start(machine, &fault, 1, cycle, false);
}

const struct unit_machine control_machine = {
    .make = make, .free = done, .groups = run_groups, .alone = run_alone, .start = start_alone};
