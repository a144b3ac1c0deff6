/* glitch.c -- see glitch.h. */
#include "glitch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "faultsim/verdict/verdict.h"

/* What a register is made of can be struck too: pipe/... of faultsim transient. */
static bool is_gate(const struct unit *u, uint32_t net)
{
    return u->netlist->cell[net].kind > GATE_CONST && !registers_has(u->registers, u->netlist, net);
}

uint32_t *glitch_gates(const struct unit *u, uint32_t *count)
{
    uint32_t *gate = fl_alloc(u->netlist->nets * sizeof *gate);
    *count = 0;
    for (uint32_t i = 0; i < u->netlist->nets; i++)
        if (is_gate(u, i))
            gate[(*count)++] = i;
    return gate;
}

void glitch_id(const struct unit *u, uint32_t net, uint64_t cycle, char out[UNIT_ID])
{
    snprintf(out, UNIT_ID, "gate/%s/n%u@%llu:glitch", u->name, net, (unsigned long long)cycle);
}

int glitch_parse(const struct unit *u, const char *id, uint32_t *net, uint64_t *cycle,
                 struct fl_err *err)
{
    unsigned long long at;
    int end = 0;
    if (sscanf(id, "n%9u@%18llu:glitch%n", net, &at, &end) != 2 || !end || id[end])
        return fl_fail(err, "'%s' is no single-event transient; write n12@345:glitch", id);
    if (*net >= u->netlist->nets || !is_gate(u, *net))
        return fl_fail(err, "'%s': the netlist has no gate n%u", id, *net);
    *cycle = at;
    return 0;
}

/* ---- answers --------------------------------------------------------------------------------- */

/* The gates of a set, two bits each: its net stuck at 0, and at 1. One of them changes nothing, the other is
 * the glitch. Of the bits behind them the last never has a fault. */
enum { WIDTH = 512, OF_SET = WIDTH / 2 - 1, SET_WORDS = WIDTH / 64 };

struct key {
    uint64_t hash[2];
    uint32_t net;
};

static int by_hash(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    for (int i = 0; i < 2; i++)
        if (x->hash[i] != y->hash[i])
            return x->hash[i] < y->hash[i] ? -1 : 1;
    return x->net < y->net ? -1 : x->net > y->net;
}

static struct gate_group *set_of(const struct unit *u, const uint32_t *gate, uint32_t n)
{
    uint32_t fault[2 * OF_SET];
    struct gate_group *g = gate_group_new(u->netlist, WIDTH);
    for (uint32_t i = 0; i < 2 * n; i++)
        fault[i] = GATE_FAULT(gate[i / 2], i & 1);
    gate_group_set(g, GATE_STUCK, fault, 2 * n);
    return g;
}

/* Adds to the hashes of a set what its glitches change. */
static void add_changes(struct gate_group *set, const struct gate_netlist *n, const uint64_t *in,
                        struct key *key)
{
    gate_group_eval(set, in);
    for (uint32_t o = 0; o < n->outputs; o++) {
        const uint64_t *w = gate_group_watched(set, o), good = 0 - (w[SET_WORDS - 1] >> 63);
        for (uint32_t k = 0; k < SET_WORDS; k++)
            for (uint64_t left = w[k] ^ good; left; left &= left - 1) {
                uint64_t *h = key[(64 * k + (uint32_t)__builtin_ctzll(left)) / 2].hash;
                h[0] += fl_random_mix(o + FL_RANDOM_STEP); /* a sum: in any order */
                h[1] += fl_random_mix(~(uint64_t)o);
            }
    }
}

void glitch_answers_make(const struct trace *t, const uint32_t *gate, uint32_t gates,
                         struct glitch_answers *out)
{
    const struct unit *u = t->unit;
    const uint32_t sets = (gates + OF_SET - 1) / OF_SET;
    struct gate_group **set = fl_alloc(sets * sizeof *set);
    struct key *key = fl_alloc(gates * sizeof *key);
    uint32_t count = 0, room = 0;
    *out = (struct glitch_answers){.start = fl_alloc((t->seen.count + 1) * sizeof *out->start)};
    for (uint32_t s = 0; s < sets; s++)
        set[s] = set_of(u, gate + s * OF_SET,
                        gates - s * OF_SET < OF_SET ? gates - s * OF_SET : OF_SET);
    for (uint32_t v = 0; v < t->seen.count; v++) {
        for (uint32_t i = 0; i < gates; i++)
            key[i] = (struct key){{0, 0}, gate[i]};
        for (uint32_t s = 0; s < sets; s++)
            add_changes(set[s], u->netlist, vectors_at(&t->seen, v), key + s * OF_SET);
        qsort(key, gates, sizeof *key, by_hash);
        for (uint32_t i = 0; i < gates; i++) {
            if (!key[i].hash[0] && !key[i].hash[1])
                continue;
            if (!u->sees_data && count > out->start[v] &&
                memcmp(key[i].hash, key[i - 1].hash, sizeof key->hash) == 0) {
                out->answer[count - 1].gates++;
                continue;
            }
            if (count == room) {
                room = room ? 2 * room : 1024;
                out->answer = fl_grow(out->answer, room, sizeof *out->answer);
            }
            out->answer[count++] = (struct glitch_answer){key[i].net, 1};
        }
        out->start[v + 1] = count;
    }
    for (uint32_t s = 0; s < sets; s++)
        gate_group_free(set[s]);
    free(set);
    free(key);
}

void glitch_answers_free(struct glitch_answers *a)
{
    free(a->start);
    free(a->answer);
    *a = (struct glitch_answers){0};
}

/* ---- the running machine --------------------------------------------------------------------- */

enum { KEPT = 16 };

struct glitch_runner {
    const struct trace *t;
    struct runner run;
    struct sm_override by;
    struct dut *golden, *next;     /* the fault-free run, and one cycle further */
    struct gate_group *gates;      /* bits 0 and 1: the net stuck at 0, and at 1 */
    uint64_t cycle;                /* in which the glitch is */
    bool on, seen;                 /* it is now; its answer was wrong where it was taken */
    struct register_inputs inputs; /* of a unit before registers */
    /* machines a cycle behind glitches of this cycle, and what became of them: nothing is faulty any more, so equal
     * states end alike */
    struct {
        struct dut *m;
        struct fsim_result result;
    } kept[KEPT];
    uint64_t kept_of;
    int nkept;
};

/* Of the two one is what the fault-free gates say, so their difference is what the glitch changes. */
static uint64_t changes(const struct glitch_runner *r, uint32_t output)
{
    uint64_t w = *gate_group_watched(r->gates, output);
    return (w ^ w >> 1) & 1;
}

static bool changes_any(struct glitch_runner *r, const uint64_t *in)
{
    gate_group_eval(r->gates, in);
    for (uint32_t o = 0; o < r->t->unit->netlist->outputs; o++)
        if (changes(r, o))
            return true;
    return false;
}

/* Over what the unit itself says. */
static void change(struct glitch_runner *r, int first, int count, const uint64_t *in, uint64_t *out)
{
    gate_group_eval(r->gates, in);
    for (int i = 0; i < count; i++)
        out[i / 64] ^= changes(r, (uint32_t)(first + i)) << i % 64;
}

static void answer(void *context, int first, int count, const uint64_t *in, uint64_t *out)
{
    struct glitch_runner *r = context;
    if (r->on)
        change(r, first, count, in, out);
}

/* `on` may be that of the next cycle already, and the machine's own count is not. */
static void answer_at_edge(void *context, int first, int count, const uint64_t *in, uint64_t *out)
{
    struct glitch_runner *r = context;
    if (dut_cycle(r->run.bad) == r->cycle)
        change(r, first, count, in, out);
}

/* The logic behind the registers follows the edge: it is that of the next cycle. */
static void edge(void *context, const uint64_t *in, const uint64_t *own)
{
    struct glitch_runner *r = context;
    (void)own;
    if (r->on)
        r->seen = changes_any(r, in);
    r->on = dut_cycle(r->run.bad) + 1 == r->cycle;
}

/* ---- registers: the answer is what they have taken ---------------------------------------------- */

static void before_registers(void *context)
{
    struct glitch_runner *r = context;
    if (r->on)
        register_inputs_hold(&r->inputs);
}

static void edge_of_registers(void *context, const uint64_t *seen, const uint64_t *own)
{
    struct glitch_runner *r = context;
    (void)own;
    if (r->on) {
        register_inputs_see(&r->inputs, seen);
        gate_group_eval(r->gates, r->inputs.in);
    }
}

static bool behind_registers(void *context)
{
    struct glitch_runner *r = context;
    uint32_t n;
    const uint32_t *output = gate_group_changeable(r->gates, &n);
    for (uint32_t i = 0; r->on && i < n; i++)
        if (changes(r, output[i])) {
            const struct spot *s = register_inputs_taker(&r->inputs, output[i]);
            r->seen |= spot_set(s, !spot_is(s));
        }
    const bool struck = r->on;
    r->on = dut_cycle(r->run.bad) == r->cycle;
    return struck && r->seen;
}

/* ---- runs ---------------------------------------------------------------------------------------- */

struct glitch_runner *glitch_runner_new(const struct trace *t, const struct reference *ref)
{
    struct fl_err err;
    struct glitch_runner *r = fl_alloc(sizeof *r);
    *r = (struct glitch_runner){.t = t,
                                .by = {.part = answer,
                                       .write = answer_at_edge,
                                       .context = r,
                                       .edge = edge,
                                       .to = (int)t->unit->netlist->outputs,
                                       .inputs = (int)t->unit->netlist->inputs},
                                .cycle = FSIM_NEVER,
                                .gates = gate_group_new(t->unit->netlist, 64)};
    runner_open(&r->run, ref);
    if (t->unit->registers) {
        r->by = (struct sm_override){.context = r,
                                     .edge = edge_of_registers,
                                     .before = before_registers,
                                     .behind = behind_registers};
        register_inputs_open(&r->inputs, t->unit->registers, r->run.bad, &err);
    }
    r->golden = ref->engine->make(ref->img, &err); /* as the others */
    r->next = ref->engine->make(ref->img, &err);
    for (int i = 0; i < KEPT; i++)
        r->kept[i].m = ref->engine->make(ref->img, &err);
    ref->engine->replace_unit(r->run.bad, &sm_control_pins[t->unit->which], 0, &r->by);
    return r;
}

void glitch_runner_free(struct glitch_runner *r)
{
    if (!r)
        return;
    runner_close(&r->run);
    dut_free(r->golden);
    dut_free(r->next);
    for (int i = 0; i < KEPT; i++)
        dut_free(r->kept[i].m);
    gate_group_free(r->gates);
    register_inputs_close(&r->inputs);
    free(r);
}

/* The machine at the start of cycle `from` of the fault-free run, where `of` stands. */
static void start(struct glitch_runner *r, const struct dut *of, uint32_t net, uint64_t from,
                  uint64_t cycle)
{
    const uint32_t fault[] = {GATE_FAULT(net, 0), GATE_FAULT(net, 1)};
    gate_group_set(r->gates, GATE_STUCK, fault, 2);
    if (r->inputs.of) {
        gate_group_focus(r->gates, 0, r->t->unit->netlist->outputs);
        register_inputs_focus(&r->inputs, r->gates);
    }
    r->cycle = cycle;
    r->on = from == cycle;
    r->seen = false;
    dut_copy(r->run.bad, of);
}

uint64_t glitch_runs(const struct glitch_runner *r)
{
    return r->run.stat.runs;
}

struct dut *glitch_start(struct glitch_runner *r, uint32_t net, uint64_t cycle)
{
    reference_seek(r->run.ref, r->golden, cycle);
    start(r, r->golden, net, cycle, cycle);
    return r->run.bad;
}

/* By what the unit saw in that cycle of the fault-free run. */
static bool shows(struct glitch_runner *r, uint32_t net, uint64_t cycle)
{
    const struct trace *t = r->t;
    const uint32_t fault[] = {GATE_FAULT(net, 0), GATE_FAULT(net, 1)};
    gate_group_set(r->gates, GATE_STUCK, fault, 2);
    return changes_any(r, vectors_at(&t->seen, t->at[cycle]));
}

/* To one cycle behind `cycle`; the golden machine stays before it for other glitches there. */
static void seek(struct glitch_runner *r, uint64_t cycle)
{
    if (dut_cycle(r->golden) == cycle && dut_cycle(r->next) == cycle + 1)
        return;
    if (dut_cycle(r->next) == cycle) {
        struct dut *m = r->golden;
        r->golden = r->next;
        r->next = m;
    }
    reference_seek(r->run.ref, r->golden, cycle);
    dut_copy(r->next, r->golden);
    dut_run(r->next, cycle + 1);
}

/* The same state came of another glitch of the cycle. */
static bool was_there(struct glitch_runner *r, uint64_t cycle, struct fsim_result *out)
{
    for (int i = 0; i < r->nkept && r->kept_of == cycle; i++)
        if (dut_same(r->run.bad, r->kept[i].m, false)) {
            *out = r->kept[i].result;
            return true;
        }
    return false;
}

static void run_and_keep(struct glitch_runner *r, uint64_t cycle, struct fsim_result *out)
{
    if (r->kept_of != cycle)
        r->nkept = 0;
    r->kept_of = cycle;
    const bool keep = !dut_ended(r->run.bad) && r->nkept < KEPT;
    if (keep)
        dut_copy(r->kept[r->nkept].m, r->run.bad);
    r->run.heals_behind = cycle;
    run_to_end(&r->run, LOOK_EARLY | MAY_HEAL, out);
    r->run.stat.runs++;
    if (keep)
        r->kept[r->nkept++].result = *out;
}

static void by_brute_force(struct glitch_runner *r, uint32_t net, uint64_t cycle,
                           struct fsim_result *out)
{
    start(r, r->run.ref->checkpoint[0], net, 0, cycle);
    run_to_end(&r->run, 0, out);
}

static void from_checkpoint(struct glitch_runner *r, uint32_t net, uint64_t cycle,
                            struct fsim_result *out)
{
    seek(r, cycle);
    start(r, r->golden, net, cycle, cycle);
    dut_run(r->run.bad, cycle + 1);
    if (!dut_ended(r->run.bad) && dut_same(r->run.bad, r->next, false))
        run_say_outputs(r->run.ref, &(struct outputs_verdict){0}, r->run.ref->cycles, out);
    else if (dut_ended(r->run.bad) || !was_there(r, cycle, out))
        run_and_keep(r, cycle, out);
}

void glitch_run(struct glitch_runner *r, uint32_t net, uint64_t cycle, struct fsim_result *out)
{
    const struct reference *ref = r->run.ref;
    *out = (struct fsim_result){.outcome = OUT_MASKED, .end = ref->cycles};
    r->seen = false;
    if (fsim_skips(ref, RUNG_RECORD) || shows(r, net, cycle))
        (fsim_skips(ref, RUNG_CHECKPOINT) ? by_brute_force : from_checkpoint)(r, net, cycle, out);
    out->first_activation = r->seen ? cycle : FSIM_NEVER;
    if (!r->seen && out->outcome == OUT_MASKED)
        snprintf(out->reason, sizeof out->reason, "not_activated");
}
