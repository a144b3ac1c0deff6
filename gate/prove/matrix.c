/* matrix.c -- all faults through all patterns, nothing dropped. See matrix.h. */
#include "matrix.h"

#include <stdlib.h>
#include <string.h>

#include "gate/sim.h"

struct gate_ports gate_ports_of(const struct gate_netlist *n)
{
    struct gate_ports p = {.of = fl_alloc(n->outputs * sizeof *p.of)};
    for (uint32_t o = 0; o < n->outputs; o++) {
        char *name = fl_strdup(n->output_name[o]);
        name[strcspn(name, "[")] = 0;
        uint32_t k = 0;
        while (k < p.count && strcmp(p.name[k], name) != 0)
            k++;
        if (k == p.count) {
            p.name = fl_grow(p.name, p.count + 1, sizeof *p.name);
            p.name[p.count++] = fl_strdup(name);
        }
        p.of[o] = k;
        free(name);
    }
    return p;
}

void gate_ports_free(struct gate_ports *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        free(p->name[i]);
    free(p->name);
    free(p->of);
    *p = (struct gate_ports){0};
}

/* Patterns [from, from + 64) as sources, and those one earlier; the first of all is its own. */
static void block(const struct gate_patterns *p, uint32_t from, uint64_t *before, uint64_t *now)
{
    gate_patterns_block(p, from, 1, now);
    for (uint32_t s = 0; s < p->sources; s++)
        before[s] = now[s] << 1 |
                    (from ? p->word[(size_t)(from / 64 - 1) * p->sources + s] >> 63 : now[s] & 1);
}

uint64_t *gate_matrix(const struct gate_netlist *n, const struct gate_faults *f,
                      const struct gate_patterns *p, const struct gate_ports *ports,
                      const struct gate_constraints *c)
{
    struct gate_sim *sim = gate_sim_new(n, 64);
    uint32_t words = (p->count + 63) / 64, *order = fl_alloc(f->count * sizeof *order);
    uint64_t *out = fl_alloc((size_t)f->count * ports->count * words * sizeof *out);
    uint64_t *now = fl_alloc_line(p->sources * sizeof *now),
             *before = fl_alloc_line(p->sources * sizeof *now);
    uint64_t *watched = fl_alloc(n->outputs * sizeof *watched);
    memcpy(order, f->fault, f->count * sizeof *order);
    memset(watched, 0xff, n->outputs * sizeof *watched);
    gate_sim_order(sim, order, f->count);
    for (uint32_t w = 0; w < words; w++) {
        int count = p->count - 64 * w < 64 ? (int)(p->count - 64 * w) : 64;
        block(p, 64 * w, before, now);
        gate_sim_load(sim, f->model == GATE_TRANSITION ? before : now, count);
        if (f->model == GATE_TRANSITION)
            gate_sim_load_second(sim, now, count);
        if (c)
            gate_constraints_watched(c, n->outputs, now, watched);
        for (uint32_t o = 0; p->strobe && o < n->outputs; o++)
            watched[o] = (c ? watched[o] : UINT64_MAX) & p->strobe[(size_t)w * p->watched + o];
        for (uint32_t i = 0; i < f->count; i++) {
            const struct gate_diff *d;
            int diffs = gate_sim_fault(sim, f->model, order[i], &d);
            for (int k = 0; k < diffs; k++)
                if (d[k].watched < n->outputs)
                    out[((size_t)f->class_of[order[i]] * ports->count + ports->of[d[k].watched]) *
                            words +
                        w] |= *d[k].mask & watched[d[k].watched];
        }
    }
    gate_sim_free(sim);
    free(order);
    free(now);
    free(before);
    free(watched);
    return out;
}
