/* serial.h -- a faulty unit in a machine with lanes of its own, the RTL: one fault at a time, by brute force.
 *
 * The gates stand in for the unit. In every cycle, also those whose result no register takes, they get what
 * stands at the ports of the lane of one SP, a beat after the other.
 */
#ifndef FAULTSIM_LANE_SERIAL_H
#define FAULTSIM_LANE_SERIAL_H

#include "lane.h"

extern const struct unit_machine serial_machine;

/* What one thread needs; both must outlive it. */
struct serial;
struct serial *serial_new(const struct trace *t, const struct reference *ref);
void serial_free(struct serial *a);

/* The machine at cycle 0 with this fault or GATE_NO_FAULT. Valid until the next call. */
struct dut *serial_start(struct serial *a, uint32_t fault);

#endif
