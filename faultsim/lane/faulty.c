/* faulty.c -- see faulty.h. */
#include "faulty.h"

#include <stdlib.h>

/* What the others of the lane say is joined with the unit's answer. */
static void answer(void *context, const uint64_t *in, uint64_t *out)
{
    struct faulty_lane *a = context;
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

void faulty_lane_open(struct faulty_lane *a, const struct unit *u)
{
    *a = (struct faulty_lane){.by = {.answer = answer, .context = a},
                              .u = u,
                              .gates = gate_group_new(u->netlist, 64),
                              .inputs = fl_alloc(unit_input_words(u) * sizeof *a->inputs)};
}

void faulty_lane_set(struct faulty_lane *a, uint32_t fault)
{
    gate_group_set(a->gates, GATE_STUCK, &fault, 1);
    a->asked = false;
}

void faulty_lane_close(struct faulty_lane *a)
{
    gate_group_free(a->gates);
    free(a->inputs);
}
