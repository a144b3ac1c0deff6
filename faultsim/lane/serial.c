/* serial.c -- see serial.h. */
#include "serial.h"

#include <stdio.h>
#include <stdlib.h>

struct serial {
    const struct unit *u;
    struct runner run;
    struct sm_stand_in by;
    struct gate_group *gates; /* bit 0 has the fault */
    uint64_t *inputs;
    bool asked;
    struct vector last; /* evaluated; none unless asked */
};

/* What the others of the lane say is joined with the unit's answer. */
static void answer(void *context, const uint64_t *in, uint64_t *out)
{
    struct serial *a = context;
    struct vector v = vector_in_lane((struct vector){{in[0], in[1], in[2]}}, lane_which(a->u));
    uint64_t result = lane_alone(a->u, &v) ? 0 : *out;
    if (!a->asked || !vector_same(&v, &a->last)) {
        unit_inputs(a->u, v.w, a->inputs);
        gate_group_eval(a->gates, a->inputs);
        a->last = v;
        a->asked = true;
    }
    for (uint32_t o = 0; o < a->u->netlist->outputs; o++)
        result |= (*gate_group_watched(a->gates, o) & 1) << a->u->output[o];
    *out = result;
}

static void *make(const struct trace *t, const struct reference *ref)
{
    const struct unit *u = t->unit;
    struct serial *a = fl_alloc(sizeof *a);
    a->u = u;
    a->by = (struct sm_stand_in){.answer = answer, .context = a};
    a->gates = gate_group_new(u->netlist, 64);
    a->inputs = fl_alloc(unit_input_words(u) * sizeof *a->inputs);
    runner_open(&a->run, ref);
    ref->engine->replace_unit(a->run.bad, &sm_lane_pins, t->sp, &a->by);
    return a;
}

static void done(void *machine)
{
    struct serial *a = machine;
    runner_close(&a->run);
    gate_group_free(a->gates);
    free(a->inputs);
    free(a);
}

static struct dut *start(void *machine, uint32_t fault, uint64_t cycle)
{
    struct serial *a = machine;
    (void)cycle;
    gate_group_set(a->gates, GATE_STUCK, &fault, 1);
    a->asked = false;
    dut_copy(a->run.bad, a->run.ref->checkpoint[0]);
    return a->run.bad;
}

static void run_alone(void *machine, uint32_t fault, uint64_t first, struct fsim_result *out)
{
    struct serial *a = machine;
    start(a, fault, 0);
    *out = (struct fsim_result){.outcome = OUT_MASKED};
    run_to_end(&a->run, 0, out);
    out->first_activation = first;
    if (first == FSIM_NEVER && out->outcome == OUT_MASKED)
        snprintf(out->reason, sizeof out->reason, "not_activated");
}

const struct unit_machine serial_machine = {
    .make = make, .free = done, .alone = run_alone, .start = start};
