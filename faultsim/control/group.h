/* group.h -- faults of a unit of the control in the running RTL, several in one machine.
 *
 * Faults that have answered alike so far are one machine: the first of them answers. At each edge all are evaluated, a bit
 * each, if what they read has changed; those that answer otherwise leave, and begin again as a group of their own.
 */
#ifndef FAULTSIM_CONTROL_GROUP_H
#define FAULTSIM_CONTROL_GROUP_H

#include "control.h"

/* Machines start in any cycle, of stuck gates also without a trace. */
extern const struct unit_machine control_machine;

#endif
