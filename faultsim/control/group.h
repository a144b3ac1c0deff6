/* group.h -- faults of a unit of the control in the running RTL, several in one machine.
 *
 * Faults that have answered alike so far are one machine: the first of them answers. At a vector that is
 * new all are evaluated, a bit each; those that answer otherwise leave, and begin again as a group of their
 * own.
 */
#ifndef FAULTSIM_CONTROL_GROUP_H
#define FAULTSIM_CONTROL_GROUP_H

#include "control.h"

extern const struct unit_machine control_machine;

/* What one thread needs; both must outlive it. Of the trace only its unit counts, and of slow gates what that saw. */
struct control_runner;
struct control_runner *control_runner_new(const struct trace *t, const struct reference *ref);
void control_runner_free(struct control_runner *r);

/* The machine of a fault (GATE_NO_FAULT: none) at the start of `cycle` of the fault-free run, for a story.
 * Valid until the next call. */
struct dut *control_start(struct control_runner *r, uint32_t fault, uint64_t cycle);

#endif
