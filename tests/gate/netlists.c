/* netlists.c -- see netlists.h. */
#include "netlists.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "tests/lib/check.h"

struct gate_netlist *netlists_read(const char *name, const char *text)
{
    struct gate_netlist *n = NULL;
    struct fl_err err = {""};
    if (gate_read_text(name, text, &n, &err))
        fprintf(stderr, "%s\n%s", err.msg, text);
    CU_ASSERT_FATAL(n != NULL);
    return n;
}

static void random_cover(struct fl_buf *b, uint64_t *seed, uint32_t pins)
{
    static const char *const two[] = {"11 1", "11 0", "00 1", "00 0", "01 1", "10 0", "10 1\n01 1"};
    uint32_t kind = (uint32_t)(fl_random(seed) % 8);
    if (pins == 2 && kind < 7) {
        fl_buf_printf(b, "%s\n", two[kind]);
    } else if (pins == 3 && kind < 4) {
        fl_buf_printf(b, "%s\n", kind & 1 ? "1-0 1\n-11 1" : "01- 0\n1-0 0");
    } else if (pins == 1) {
        fl_buf_printf(b, "%d %d\n", kind & 1, kind >> 1 & 1);
    } else if (pins > GATE_TABLE_PINS || kind == 7) { /* AND or OR of literals */
        for (uint32_t row = 0; row < (kind & 1 ? pins : 1); row++) {
            for (uint32_t p = 0; p < pins; p++)
                fl_buf_printf(b, "%c", kind & 1 && p != row ? '-' : '0' + ((pins + p) & 1));
            fl_buf_printf(b, " %d\n", kind >> 1 & 1);
        }
    } else { /* anything */
        for (uint32_t i = 0; i < 1u << pins; i++)
            if (fl_random(seed) & 1) {
                for (uint32_t p = 0; p < pins; p++)
                    fl_buf_printf(b, "%d", i >> p & 1);
                fl_buf_printf(b, " 1\n");
            }
    }
}

struct fl_buf netlists_random_text(uint64_t seed, uint32_t inputs, uint32_t gates, uint32_t flops)
{
    struct fl_buf b = {0};
    uint32_t nets = inputs + flops + gates;
    fl_buf_printf(&b, ".model random\n.inputs");
    for (uint32_t i = 0; i < inputs; i++)
        fl_buf_printf(&b, "%s x%u", i % 8 == 7 ? " \\\n" : "", i);
    fl_buf_printf(&b, "\n.outputs x%u", nets - 1);
    for (uint32_t i = 0; i < nets; i++)
        if (fl_random(&seed) % 6 == 0)
            fl_buf_printf(&b, " x%u", i);
    fl_buf_printf(&b, "\n");
    for (uint32_t i = 0; i < flops; i++)
        fl_buf_printf(&b, ".latch x%u x%u %u\n", (uint32_t)(fl_random(&seed) % nets), inputs + i,
                      (uint32_t)(fl_random(&seed) % 4));
    for (uint32_t i = inputs + flops; i < nets; i++) {
        uint32_t k = (uint32_t)(fl_random(&seed) % 16);
        uint32_t pins = k == 0 ? 1 : k < 9 ? 2 : k < 12 ? 3 : k < 15 ? k - 8 : 7, window = i;
        if (fl_random(&seed) % 64 == 0)
            pins = 0;
        if (window > 24 && fl_random(&seed) % 4)
            window = 24; /* mostly near ones: depth */
        fl_buf_printf(&b, ".names");
        for (uint32_t p = 0; p < pins; p++)
            fl_buf_printf(&b, " x%u", i - 1 - (uint32_t)(fl_random(&seed) % window));
        fl_buf_printf(&b, " x%u\n", i);
        if (pins)
            random_cover(&b, &seed, pins);
        else
            fl_buf_printf(&b, "%s", fl_random(&seed) & 1 ? "1\n" : "");
    }
    fl_buf_printf(&b, ".end\n");
    return b;
}

struct gate_netlist *netlists_random(uint64_t seed, uint32_t inputs, uint32_t gates, uint32_t flops)
{
    struct fl_buf b = netlists_random_text(seed, inputs, gates, flops);
    struct gate_netlist *n = netlists_read("random.blif", (const char *)b.data);
    fl_buf_free(&b);
    return n;
}

struct naive naive_new(const struct gate_netlist *n, enum gate_model model, uint32_t fault)
{
    struct naive m = {n, model, fault, fl_alloc(n->nets), fl_alloc(n->flops), NULL, NULL,
                      0, 0,     true};
    m.watched = fl_alloc(n->outputs + n->flops);
    m.pin = fl_alloc(n->most_pins);
    for (uint32_t f = 0; f < n->flops; f++)
        m.flop[f] = n->cell[n->inputs + f].table & 1;
    return m;
}

void naive_free(struct naive *m)
{
    free(m->net);
    free(m->flop);
    free(m->watched);
    free(m->pin);
}

static uint8_t with_fault(struct naive *m, uint32_t site, uint8_t v)
{
    uint8_t stuck = GATE_STUCK_AT(m->fault);
    if (m->fault == UINT32_MAX || GATE_SITE(m->fault) != site)
        return v;
    m->now = v;
    if (m->model == GATE_STUCK)
        return stuck;
    return !m->first && v != m->last && v != stuck ? m->last : v;
}

void naive_eval(struct naive *m, const uint8_t *input)
{
    const struct gate_netlist *n = m->n;
    for (uint32_t i = 0; i < n->nets; i++) {
        const struct gate_cell *c = &n->cell[i];
        uint8_t v = 0;
        if (c->kind == GATE_INPUT) {
            v = input[i];
        } else if (c->kind == GATE_FLOP) {
            v = m->flop[i - n->inputs];
        } else {
            for (uint32_t p = 0; p < c->pins; p++)
                m->pin[p] = with_fault(m, n->nets + c->first + p,
                                       m->net[GATE_NET(n->literal[c->first + p])]);
            v = gate_value(n, i, m->pin);
        }
        m->net[i] = with_fault(m, i, v);
    }
    for (uint32_t o = 0; o < n->outputs; o++)
        m->watched[o] = n->port_of[o] == GATE_NO_PORT
                            ? m->net[n->output[o]]
                            : with_fault(m, n->nets + n->pins + n->port_of[o],
                                         m->net[n->output[o]]);
    for (uint32_t f = 0; f < n->flops; f++) {
        uint32_t pin = n->cell[n->inputs + f].first;
        m->watched[n->outputs + f] = with_fault(m, n->nets + pin,
                                                m->net[GATE_NET(n->literal[pin])]);
    }
}

void naive_clock(struct naive *m)
{
    memcpy(m->flop, m->watched + m->n->outputs, m->n->flops);
    m->last = m->now;
    m->first = false;
}
