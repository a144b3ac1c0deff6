/* group.c -- see group.h. */
#include "group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "parts.h"

/* Faults of a machine, a bit each, behind the one that answers: bit 0 has it too. */
enum { MEMBERS = 511, FEW = 63, MASKS = 8 };

struct machine {
    const struct unit *u;
    const struct trace *t;
    struct runner run;
    struct sm_stand_in by;
    struct dut *golden;                     /* travels forward through the fault-free run */
    struct control_gates few, many, *gates; /* the last are those in use */
    uint32_t fault[MEMBERS], n;             /* this machine */
    uint64_t here[MASKS];                   /* those who still are, a bit each, from bit 1 on */
    struct control_parts *parts;
    struct stand stand; /* of a unit before registers */
    uint32_t stuck;     /* the first fault holds this bit at a value, or UINT32_MAX */
    /* of slow gates: what the machine saw at the last edge, in which cycle that was, and what it saw at the one before;
     * what was kept of it; the same of the fault-free run */
    bool slow, any;
    uint64_t last[SM_CONTROL_WORDS], told, before[SM_CONTROL_WORDS];
    uint64_t kept[SM_CONTROL_WORDS], past[SM_CONTROL_WORDS];
    struct runner_memory memory;
    /* where these faults act in the fault-free run, by pattern */
    struct responder *responder;
    bool *wrong, knows;
    /* those who left: so many, with hashes of what they answered */
    uint32_t left[MEMBERS], nleft;
    uint64_t answered[MEMBERS];
};

/* ---- what slow gates saw ----------------------------------------------------------------------- */

static size_t size_of(const struct machine *r)
{
    return r->u->in_words * sizeof(uint64_t);
}

static void saw(struct machine *r, const uint64_t *in, uint64_t cycle)
{
    memcpy(r->before, r->last, size_of(r));
    memcpy(r->last, in, size_of(r));
    r->told = cycle;
    r->any = true;
}

static void keep_past(void *of)
{
    struct machine *r = of;
    memcpy(r->kept, r->last, size_of(r));
}

static bool is_past(const void *of)
{
    const struct machine *r = of;
    return memcmp(r->kept, r->last, size_of(r)) == 0;
}

/* What the unit of the fault-free run saw in the cycle before this one, which is not the first; before registers
 * only what the gates read. */
static const uint64_t *past_at(struct machine *r, uint64_t cycle)
{
    const uint64_t *past = vectors_at(&r->t->seen, r->t->at[cycle - 1]);
    if (!r->stand.of)
        return past;
    for (uint32_t i = 0; i < r->u->in_words; i++)
        r->past[i] = past[i] & r->gates->needs[i];
    return r->past;
}

static bool is_fault_free(void *of, uint64_t cycle)
{
    struct machine *r = of;
    return cycle > 0 && memcmp(past_at(r, cycle), r->last, size_of(r)) == 0;
}

/* In the cycle before `cycle`; NULL: there is none. */
static const uint64_t *past_of(const struct machine *r, uint64_t cycle)
{
    return !r->slow || !cycle ? NULL : r->told + 1 == cycle ? r->last : r->before;
}

/* ---- the gates ------------------------------------------------------------------------------- */

/* The machine's own count still stands while what follows an edge is asked for. */
static void answer(void *context, int first, int count, const uint64_t *in, uint64_t *out)
{
    struct machine *r = context;
    control_parts_answer(r->parts, first, count, past_of(r, r->any ? r->told + 1 : 0), in, out);
}

static void answer_at_edge(void *context, int first, int count, const uint64_t *in, uint64_t *out)
{
    struct machine *r = context;
    control_parts_answer(r->parts, first, count, past_of(r, dut_cycle(r->run.bad)), in, out);
}

/* Only what stands there at an edge is ever taken: who answers that otherwise than the first leaves. */
static void part(struct machine *r)
{
    uint64_t leave[MASKS] = {0};
    uint32_t n;
    const struct gate_group *g = r->gates->group;
    const uint32_t *output = gate_group_changeable(g, &n);
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t *w = gate_group_watched(g, output[i]);
        for (int k = 0; k < gate_group_words(g); k++)
            leave[k] |= (w[k] ^ (0 - (*w & 1))) & r->here[k];
    }
    for (int k = 0; k < MASKS; k++) {
        r->here[k] &= ~leave[k];
        for (; leave[k]; leave[k] &= leave[k] - 1) {
            uint32_t bit = 64 * (uint32_t)k + (uint32_t)__builtin_ctzll(leave[k]);
            uint64_t h = fl_hash(FL_HASH_START, dut_cycle(r->run.bad));
            for (uint32_t i = 0; i < n; i++)
                h = fl_hash(h, gate_group_watched(g, output[i])[bit / 64] >> bit % 64 & 1);
            r->answered[r->nleft] = h;
            r->left[r->nleft++] = bit - 1;
        }
    }
}

/* At an edge all of them see this. What follows is the logic of the next cycle. */
static void see(struct machine *r, const uint64_t *in, bool ask)
{
    const uint64_t cycle = dut_cycle(r->run.bad);
    if (ask && control_gates_see(r->gates, past_of(r, cycle), in) && r->n > 1)
        part(r);
    if (r->slow)
        saw(r, in, cycle);
}

static void edge(void *context, const uint64_t *in, const uint64_t *own)
{
    struct machine *r = context;
    (void)own;
    see(r, in, r->n > 1);
}

/* ---- registers: what the gates make of them is written behind the edge ------------------------- */

static void before_registers(void *context)
{
    struct machine *r = context;
    stand_hold(&r->stand);
}

static void edge_of_registers(void *context, const uint64_t *seen, const uint64_t *own)
{
    struct machine *r = context;
    (void)own;
    stand_see(&r->stand, seen);
    see(r, r->stand.in, true);
}

static bool behind_registers(void *context)
{
    struct machine *r = context;
    uint32_t n;
    const uint32_t *output = gate_group_changeable(r->gates->group, &n);
    bool any = false;
    for (uint32_t i = 0; i < n; i++)
        any |= spot_set(stand_takes(&r->stand, output[i]),
                        *gate_group_watched(r->gates->group, output[i]) & 1);
    return any;
}

/* ---- where the fault-free run is right ----------------------------------------------------------- */

static uint32_t pattern_at(const struct trace *t, uint64_t cycle)
{
    const uint64_t pair = t->at[cycle] | (uint64_t)t->at[cycle ? cycle - 1 : 0] << 32;
    return t->pair.words ? (uint32_t)vectors_find(&t->pair, &pair) : t->at[cycle];
}

/* From a cycle in which the machine is the fault-free one to the next in which the faults act. */
static void skip(void *of, uint64_t cycle)
{
    struct machine *r = of;
    const struct trace *t = r->t;
    const uint64_t worth = r->run.ref->cycles / (uint64_t)r->run.ref->ncheckpoints;
    uint64_t next = cycle;
    if (!r->responder)
        r->responder = responder_new(t);
    if (!r->wrong)
        r->wrong = fl_alloc(trace_patterns(t) * sizeof *r->wrong);
    if (!r->knows)
        responder_wrong(r->responder, r->fault[0], r->wrong);
    r->knows = true;
    while (next < t->cycles && !r->wrong[pattern_at(t, next)])
        next++;
    if (next == t->cycles || next - cycle <= worth)
        return;
    if (r->slow)
        saw(r, past_at(r, next), next - 1);
    reference_seek(r->run.ref, r->golden, next);
    dut_copy(r->run.bad, r->golden);
}

/* ---- machines -------------------------------------------------------------------------------- */

/* These faults are one machine, which begins in this cycle as it is without the fault, but for a register that has never
 * held anything else. */
static struct dut *begin(struct machine *r, const uint32_t *fault, uint32_t n, uint64_t cycle,
                         bool brute)
{
    const struct unit *u = r->u;
    uint32_t with[MEMBERS + 1], bit, count;
    r->n = n;
    r->nleft = 0;
    r->knows = false;
    memcpy(r->fault, fault, n * sizeof *fault);
    for (uint32_t i = 0; i < n; i++)
        with[i + 1] = registers_fault(u->registers, u->netlist, fault[i], &bit);
    with[0] = registers_fault(u->registers, u->netlist, fault[0], &r->stuck);
    r->gates = n <= FEW ? &r->few : &r->many;
    control_gates_take(r->gates, with, n + 1, 0, u->netlist->outputs, brute);
    control_parts_take(r->parts, with[0], brute);
    if (u->registers)
        stand_focus(&r->stand, r->gates->group);
    /* only parts in which the faults can change something; edges, only where some may leave, or where it counts what they
     * see */
    const uint32_t *output = gate_group_changeable(r->gates->group, &count);
    r->by.from = count ? (int)output[0] : 0;
    r->by.to = count ? (int)output[count - 1] + 1 : 0;
    if (!u->registers)
        r->by.edge = r->slow || n > 1 ? edge : NULL;
    memset(r->here, 0, sizeof r->here);
    for (uint32_t i = 1; i <= n; i++)
        r->here[i / 64] |= 1ull << i % 64;
    r->any = false;
    if (r->slow && cycle)
        saw(r, past_at(r, cycle), cycle - 1);
    reference_seek(r->run.ref, r->golden, cycle);
    dut_copy(r->run.bad, r->golden);
    if (r->stuck != UINT32_MAX && spot_set(&r->stand.spot[r->stuck], GATE_STUCK_AT(fault[0])))
        r->run.ref->engine->replace_unit(r->run.bad, &sm_control_pins[u->which], 0, &r->by);
    return r->run.bad;
}

static void *make(const struct trace *t, const struct reference *ref)
{
    const struct unit *u = t->unit;
    struct fl_err err;
    struct machine *r = fl_alloc(sizeof *r);
    r->u = u;
    r->t = t;
    r->by = (struct sm_stand_in){
        .part = answer, .write = answer_at_edge, .inputs = (int)u->netlist->inputs, .context = r};
    r->parts = control_parts_new(u);
    r->few = control_gates_new(u, 64);
    r->many = control_gates_new(u, 512);
    r->slow = unit_slow(u);
    r->memory = (struct runner_memory){
        .keep = keep_past, .same = is_past, .of = r, .fault_free = is_fault_free};
    runner_open(&r->run, ref);
    r->run.memory = r->slow ? &r->memory : NULL;
    r->run.skip = skip;
    r->run.of = r;
    r->golden = ref->engine->make(ref->img, &err); /* as the others */
    if (u->registers) {
        r->by = (struct sm_stand_in){.context = r,
                                     .edge = edge_of_registers,
                                     .before = before_registers,
                                     .behind = behind_registers};
        stand_open(&r->stand, u->registers, r->run.bad, &err); /* as of the recorded machine */
    }
    begin(r, &(uint32_t){GATE_NO_FAULT}, 1, 0, false);
    ref->engine->replace_unit(r->run.bad, &sm_control_pins[u->which], 0, &r->by);
    return r;
}

static void done(void *machine)
{
    struct machine *r = machine;
    runner_close(&r->run);
    dut_free(r->golden);
    control_parts_free(r->parts);
    control_gates_free(&r->few);
    control_gates_free(&r->many);
    stand_close(&r->stand);
    if (r->responder)
        responder_free(r->responder);
    free(r->wrong);
    free(r);
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* Those of one answer at one edge stand together. */
static void sort_left(struct machine *r)
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
static bool run(struct machine *r, const uint32_t *fault, uint32_t n,
                const struct response *response, bool (*stop)(void *context), void *context,
                struct fsim_result *out)
{
    if (n > MEMBERS)
        return run(r, fault, MEMBERS, response, stop, context, out) &&
               run(r, fault + MEMBERS, n - MEMBERS, response, stop, context, out);
    if (stop && stop(context))
        return false;
    const uint64_t first = response_cycle(response, r->t);
    struct fsim_result result = {.outcome = OUT_MASKED, .first_activation = first};
    begin(r, fault, n, first, false);
    r->run.heals_behind = response->last;
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

static void run_alone(void *machine, uint32_t fault, uint64_t first, struct fsim_result *out)
{
    struct machine *r = machine;
    begin(r, &fault, 1, 0, true);
    *out = (struct fsim_result){.outcome = OUT_MASKED};
    run_to_end(&r->run, 0, out);
    out->first_activation = first;
    if (first == FSIM_NEVER && out->outcome == OUT_MASKED)
        snprintf(out->reason, sizeof out->reason, "not_activated");
}

static struct dut *start(void *machine, uint32_t fault, uint64_t cycle)
{
    return begin(machine, &fault, 1, cycle, false);
}

const struct unit_machine control_machine = {
    .make = make, .free = done, .groups = run_groups, .alone = run_alone, .start = start};
