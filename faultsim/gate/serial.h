/* serial.h -- a faulty unit in a machine with lanes of its own, the RTL: one fault at a time, by brute force.
 *
 * The gates stand in for the unit. In every cycle, also those whose result no register takes, they get what
 * stands at the ports of the lane of one SP, a beat after the other.
 */
#ifndef FAULTSIM_GATE_SERIAL_H
#define FAULTSIM_GATE_SERIAL_H

#include "faultsim/verdict/runner.h"
#include "unit.h"

/* What one thread needs; both must outlive it. */
struct serial;
struct serial *serial_new(const struct unit *u, int sp, const struct reference *ref);
void serial_free(struct serial *a);

/* From cycle 0 to the end. `first`: the cycle of the first wrong answer, a fact of the fault-free run
 * (trace.h), or FSIM_NEVER. */
void serial_run(struct serial *a, uint32_t fault, uint64_t first, struct fsim_result *out);

/* The machine at cycle 0 with this fault or GATE_NO_FAULT. Valid until the next call. */
struct dut *serial_start(struct serial *a, uint32_t fault);

#endif
