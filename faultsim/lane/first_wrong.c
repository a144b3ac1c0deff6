/* first_wrong.c -- see first_wrong.h. */
#include "first_wrong.h"

#include <stdlib.h>

enum { NO_FAULT = UINT32_MAX };

/* What a faulty site carries; `before`: all nets before, of a slow one, which keeps what it had there. */
static uint8_t forced(const struct unit *u, uint32_t fault, const uint8_t *before, uint8_t value)
{
    uint8_t keeps = GATE_STUCK_AT(fault);
    return !before || before[gate_site_net(u->netlist, GATE_SITE(fault))] == keeps ? keeps : value;
}

/* All nets for one vector; `fault` may be NO_FAULT. */
static void evaluate(const struct unit *u, const uint64_t *v, uint32_t fault, const uint8_t *before,
                     uint8_t *net)
{
    const struct gate_netlist *n = u->netlist;
    uint8_t *pin = fl_alloc(n->most_pins);
    for (uint32_t i = 0; i < n->nets; i++) {
        const struct gate_cell *c = &n->cell[i];
        for (uint32_t p = 0; p < c->pins; p++) {
            pin[p] = net[GATE_NET(n->literal[c->first + p])];
            if (fault != NO_FAULT && GATE_SITE(fault) == n->nets + c->first + p)
                pin[p] = forced(u, fault, before, pin[p]);
        }
        net[i] = i < n->inputs ? vectors_bit(v, u->place[i]) : gate_value(n, i, pin);
        if (fault != NO_FAULT && GATE_SITE(fault) == i)
            net[i] = forced(u, fault, before, net[i]);
    }
    free(pin);
}

/* Whether output `o` is wrong. */
static bool is_wrong(const struct unit *u, uint32_t o, uint32_t fault, const uint8_t *had,
                     const uint8_t *good, const uint8_t *bad)
{
    const struct gate_netlist *n = u->netlist;
    const uint8_t right = good[n->output[o]];
    const bool site = n->port_of[o] != GATE_NO_PORT &&
                      GATE_SITE(fault) == n->nets + n->pins + n->port_of[o];
    return right != (site ? forced(u, fault, had, right) : bad[n->output[o]]);
}

static void print_nets(const struct gate_netlist *n, const uint8_t *good, const uint8_t *bad,
                       struct fl_buf *out)
{
    uint32_t wrong = 0, first = 0;
    for (uint32_t i = 0; i < n->nets; i++)
        if (good[i] != bad[i] && wrong++ == 0)
            first = i;
    if (wrong)
        fl_buf_printf(out,
                      "First wrong net: n%u (%s), %d instead of %d; %u nets are wrong, and at the "
                      "outputs",
                      first, n->name[first], bad[first], good[first], wrong);
    else
        fl_buf_printf(out, "No net is wrong, and at the outputs");
}

void lane_first_wrong(const struct trace *t, uint32_t pattern, uint64_t cycles, uint32_t fault,
                      struct fl_buf *out)
{
    const struct unit *u = t->unit;
    const struct gate_netlist *n = u->netlist;
    const struct vector *v = lane_seen(t, pattern);
    uint8_t *good = fl_alloc(n->nets), *bad = fl_alloc(n->nets), *before = fl_alloc(n->nets);
    const uint8_t *had = unit_slow(u) ? before : NULL;
    uint64_t wrong = 0;
    if (had)
        evaluate(u, trace_pattern(t, pattern, true), NO_FAULT, NULL, before);
    evaluate(u, v->w, NO_FAULT, NULL, good);
    evaluate(u, v->w, fault, had, bad);
    for (uint32_t o = 0; o < n->outputs; o++)
        wrong |= (uint64_t)is_wrong(u, o, fault, had, good, bad) << u->output[o];
    wrong &= vector_care(v);
    fl_buf_printf(out,
                  "First wrong answer: cycle %llu of %llu, to %s of a=%08x b=%08x c=%08x: wrong "
                  "are d %08x, flags %x.\n",
                  (unsigned long long)t->first[pattern], (unsigned long long)cycles,
                  isa_op_name(vector_op(v)), (uint32_t)v->w[0], (uint32_t)(v->w[0] >> 32),
                  (uint32_t)v->w[1], (uint32_t)wrong, (unsigned)(wrong >> VECTOR_D_BITS));
    print_nets(n, good, bad, out);
    for (uint32_t o = 0; o < n->outputs; o++)
        if (is_wrong(u, o, fault, had, good, bad))
            fl_buf_printf(out, " %s", n->output_name[o]);
    fl_buf_printf(out, ".\n");
    free(before);
    free(good);
    free(bad);
}
