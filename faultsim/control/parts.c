/* parts.c -- see parts.h. */
#include "parts.h"

#include <stdlib.h>
#include <string.h>

struct part {
    int first, count;
    bool ready; /* for the fault at hand */
    bool known; /* `last` and the gates hold something */
    struct gate_group *gates;
    uint64_t *needs, *last; /* [in_words] the inputs that they read, and what stood there */
};

struct control_parts {
    const struct unit *u;
    uint32_t fault;
    bool brute;
    struct part *part;
    int count;
};

struct control_parts *control_parts_new(const struct unit *u)
{
    struct control_parts *p = fl_alloc(sizeof *p);
    p->u = u;
    return p;
}

void control_parts_free(struct control_parts *p)
{
    if (!p)
        return;
    for (int i = 0; i < p->count; i++) {
        gate_group_free(p->part[i].gates);
        free(p->part[i].needs);
        free(p->part[i].last);
    }
    free(p->part);
    free(p);
}

void control_parts_take(struct control_parts *p, uint32_t fault, bool brute)
{
    p->fault = fault;
    p->brute = brute;
    for (int i = 0; i < p->count; i++)
        p->part[i].ready = p->part[i].known = false;
}

static struct part *part_at(struct control_parts *p, int first, int count)
{
    for (int i = 0; i < p->count; i++)
        if (p->part[i].first == first && p->part[i].count == count)
            return &p->part[i];
    p->part = fl_grow(p->part, (size_t)p->count + 1, sizeof *p->part);
    struct part *part = &p->part[p->count++];
    *part = (struct part){.first = first,
                          .count = count,
                          .gates = gate_group_new(p->u->netlist, 64),
                          .needs = fl_alloc(p->u->in_words * sizeof *part->needs),
                          .last = fl_alloc(p->u->in_words * sizeof *part->last)};
    return part;
}

static void make_ready(struct control_parts *p, struct part *part)
{
    uint32_t n;
    gate_group_set(part->gates, p->u->faults->model, &p->fault, 1);
    if (!p->brute)
        gate_group_focus(part->gates, (uint32_t)part->first, (uint32_t)(part->first + part->count));
    const uint32_t *input = gate_group_inputs(part->gates, &n);
    memset(part->needs, 0, p->u->in_words * sizeof *part->needs);
    for (uint32_t i = 0; i < n; i++)
        part->needs[input[i] / 64] |= 1ull << input[i] % 64;
    part->ready = true;
}

/* Whether what the gates read has changed; then it is kept. */
static bool has_changed(struct part *part, uint32_t words, const uint64_t *in)
{
    uint64_t other = part->known ? 0 : 1;
    for (uint32_t i = 0; i < words; i++)
        other |= part->needs[i] & (in[i] ^ part->last[i]);
    if (other)
        memcpy(part->last, in, words * sizeof *in);
    part->known = true;
    return other;
}

static void evaluate(const struct control_parts *p, const struct part *part, const uint64_t *past,
                     const uint64_t *in)
{
    if (unit_slow(p->u)) {
        gate_group_reset(part->gates);
        if (past) {
            gate_group_eval(part->gates, past);
            gate_group_clock(part->gates);
        }
    }
    gate_group_eval(part->gates, in);
}

void control_parts_answer(struct control_parts *p, int first, int count, const uint64_t *past,
                          const uint64_t *in, uint64_t *out)
{
    struct part *part = part_at(p, first, count);
    uint32_t n;
    if (!part->ready)
        make_ready(p, part);
    const uint32_t *output = gate_group_changeable(part->gates, &n);
    if (!n)
        return;
    if (p->brute || unit_slow(p->u) || has_changed(part, p->u->in_words, in))
        evaluate(p, part, past, in);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t at = output[i] - (uint32_t)first;
        if (output[i] < (uint32_t)first || at >= (uint32_t)count)
            continue; /* without a focus there are others */
        const uint64_t bit = *gate_group_watched(part->gates, output[i]) & 1;
        out[at / 64] = (out[at / 64] & ~(1ull << at % 64)) | bit << at % 64;
    }
}
