/* unknown.h -- faults from power-up, when flip-flops hold unknown values: simulation with three values.
 *
 * A fault is detected where an output of the fault-free machine is known and that of the faulty machine has the other value
 * whatever flip-flops held at power-up, as far as three values tell; it is possibly detected where the faulty machine's is
 * unknown. An output of the fault-free machine that is unknown detects nothing.
 */
#ifndef GATE_UNKNOWN_H
#define GATE_UNKNOWN_H

#include "cover.h"

/* Faults in groups of 511 with a machine without a fault, cycle by cycle. */
struct gate_unknown;
struct gate_unknown *gate_unknown_new(const struct gate_netlist *n, enum gate_model model);
void gate_unknown_free(struct gate_unknown *u);
enum { GATE_UNKNOWN_MOST = 511 };

/* The machines of a group, at power-up. */
void gate_unknown_begin(struct gate_unknown *u, const uint32_t *fault, uint32_t count);
/* Runs them through patterns [from, to) and notes what is found in the entries of their classes: first, times (1 at most with
 * `drop`), possible. */
void gate_unknown_run(struct gate_unknown *u, const struct gate_patterns *p, uint32_t from,
                      uint32_t to, bool drop, const uint32_t *class, struct gate_found *found);
/* What flip-flop k of machine i may hold: bit v for v; machine GATE_UNKNOWN_MOST has no fault. Flip-flop number `flops` is what
 * the site of its fault had in the cycle before, for transition faults. */
int gate_unknown_flop(const struct gate_unknown *u, uint32_t k, uint32_t i);
/* Machines some flip-flop of which may hold other values than that of the machine without a fault. */
void gate_unknown_differ(const struct gate_unknown *u, uint64_t differs[8]);
void gate_unknown_set(struct gate_unknown *u, uint32_t k, uint32_t i, int may);

/* The fault-free machine: how many of the observed outputs are unknown, and from which pattern on no flip-flop is. */
struct gate_unknowns {
    uint64_t all, unknown;
    uint32_t
        known_from; /* patterns before all flip-flops are known; GATE_NEVER: some are unknown to the end */
};
/* So many patterns, `most` at most, make all its flip-flops known. */
uint32_t gate_unknown_patterns(const struct gate_netlist *n, const struct gate_patterns *p,
                               uint32_t most);
struct gate_unknowns gate_unknowns_of(const struct gate_netlist *n, const struct gate_patterns *p);
/* Which of its outputs are known, as the strobes of patterns.h: [(count + 63) / 64][outputs]; fl_alloc. */
uint64_t *gate_unknown_known(const struct gate_netlist *n, const struct gate_patterns *p);
/* Which values nets of the fault-free machine have: bit v of [net]; fl_alloc. */
uint8_t *gate_unknown_values(const struct gate_netlist *n, const struct gate_patterns *p);

#endif
