/* parts.c -- see parts.h. */
#include "parts.h"

#include <stdlib.h>
#include <string.h>

struct control_gates control_gates_new(const struct unit *u, int width)
{
    const size_t size = u->in_words * sizeof(uint64_t);
    return (struct control_gates){.u = u,
                                  .group = gate_group_new(u->netlist, width),
                                  .needs = fl_alloc(size),
                                  .last = fl_alloc(size),
                                  .last_past = fl_alloc(size)};
}

void control_gates_free(struct control_gates *g)
{
    gate_group_free(g->group);
    free(g->needs);
    free(g->last);
    free(g->last_past);
}

void control_gates_take(struct control_gates *g, const uint32_t *fault, uint32_t n, uint32_t first,
                        uint32_t count, bool brute)
{
    uint32_t inputs;
    gate_group_set(g->group, g->u->faults->model, fault, n);
    if (!brute)
        gate_group_focus(g->group, first, first + count);
    const uint32_t *input = gate_group_inputs(g->group, &inputs);
    memset(g->needs, 0, g->u->in_words * sizeof *g->needs);
    for (uint32_t i = 0; i < inputs; i++)
        g->needs[input[i] / 64] |= 1ull << input[i] % 64;
    g->known = false;
}

static bool has_changed(const struct control_gates *g, const uint64_t *past, const uint64_t *in)
{
    uint64_t other = 0;
    for (uint32_t i = 0; i < g->u->in_words; i++)
        other |= g->needs[i] & ((in[i] ^ g->last[i]) | (past ? past[i] ^ g->last_past[i] : 0));
    return other;
}

bool control_gates_see(struct control_gates *g, const uint64_t *past, const uint64_t *in)
{
    const size_t size = g->u->in_words * sizeof *in;
    const bool slow = unit_slow(g->u), first = slow && !past;
    past = slow ? past : NULL;
    if (g->known && !has_changed(g, past, in))
        return false;
    if (first)
        gate_group_reset(g->group);
    if (past) {
        gate_group_eval(g->group, past);
        gate_group_clock(g->group);
        memcpy(g->last_past, past, size);
    }
    gate_group_eval(g->group, in);
    memcpy(g->last, in, size);
    g->known = !first;
    return true;
}

/* ---- parts ----------------------------------------------------------------------------------- */

struct part {
    uint32_t first, count, words; /* outputs; of 64 */
    bool ready;                   /* for the fault at hand */
    struct control_gates gates;   /* that these hang on; of brute force only what they saw */
    uint64_t *mask, *value; /* [words] the outputs that the fault can change, and what they are */
};

struct control_parts {
    const struct unit *u;
    uint32_t fault;
    bool brute, ready;
    struct control_gates all; /* brute force: parts that see the same share them */
    struct part *part;
    int count;
};

struct control_parts *control_parts_new(const struct unit *u)
{
    struct control_parts *p = fl_alloc(sizeof *p);
    p->u = u;
    p->all = control_gates_new(u, 64);
    return p;
}

void control_parts_free(struct control_parts *p)
{
    if (!p)
        return;
    for (int i = 0; i < p->count; i++) {
        control_gates_free(&p->part[i].gates);
        free(p->part[i].mask);
        free(p->part[i].value);
    }
    control_gates_free(&p->all);
    free(p->part);
    free(p);
}

void control_parts_take(struct control_parts *p, uint32_t fault, bool brute)
{
    p->fault = fault;
    p->brute = brute;
    p->ready = false;
    for (int i = 0; i < p->count; i++)
        p->part[i].ready = false;
}

static struct part *part_at(struct control_parts *p, uint32_t first, uint32_t count)
{
    for (int i = 0; i < p->count; i++)
        if (p->part[i].first == first && p->part[i].count == count)
            return &p->part[i];
    const uint32_t words = (count + 63) / 64;
    p->part = fl_grow(p->part, (size_t)p->count + 1, sizeof *p->part);
    struct part *part = &p->part[p->count++];
    *part = (struct part){.first = first,
                          .count = count,
                          .words = words,
                          .gates = control_gates_new(p->u, 64),
                          .mask = fl_alloc(words * sizeof *part->mask),
                          .value = fl_alloc(words * sizeof *part->value)};
    return part;
}

/* Gathers the outputs that the fault can change: which they are, or what they are. */
static void gather(const struct part *part, const struct gate_group *gates, bool which,
                   uint64_t *to)
{
    uint32_t n;
    const uint32_t *output = gate_group_changeable(gates, &n);
    memset(to, 0, part->words * sizeof *to);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t at = output[i] - part->first;
        if (at < part->count) /* without a focus there are others */
            to[at / 64] |= (which ? 1 : *gate_group_watched(gates, output[i]) & 1) << at % 64;
    }
}

/* Brute force evaluates the gates for all parts that see the same once, and none again that sees what it saw. */
static bool see_part(struct control_parts *p, struct part *part, const uint64_t *past,
                     const uint64_t *in)
{
    struct control_gates *g = &part->gates;
    const size_t size = p->u->in_words * sizeof *in;
    past = unit_slow(p->u) ? past : NULL;
    if (!p->brute)
        return control_gates_see(g, past, in);
    if (g->known && !has_changed(g, past, in))
        return false;
    control_gates_see(&p->all, past, in);
    memcpy(g->last, in, size);
    if (past)
        memcpy(g->last_past, past, size);
    g->known = p->all.known;
    return true;
}

void control_parts_answer(struct control_parts *p, int first, int count, const uint64_t *past,
                          const uint64_t *in, uint64_t *out)
{
    struct part *part = part_at(p, (uint32_t)first, (uint32_t)count);
    struct control_gates *gates = p->brute ? &p->all : &part->gates;
    uint32_t n;
    if (!part->ready) {
        if (!p->brute || !p->ready)
            control_gates_take(gates, &p->fault, 1, part->first, part->count, p->brute);
        memmove(part->gates.needs, gates->needs, p->u->in_words * sizeof *gates->needs);
        part->gates.known = false;
        gather(part, gates->group, true, part->mask);
        part->ready = p->ready = true;
    }
    gate_group_changeable(gates->group, &n);
    if (n && see_part(p, part, past, in))
        gather(part, gates->group, false, part->value);
    for (uint32_t w = 0; w < part->words && n; w++)
        out[w] = (out[w] & ~part->mask[w]) | part->value[w];
}
