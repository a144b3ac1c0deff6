/* control.h -- the units of an SM's control, as one kind of units (../gate/kind.h): their vectors are what stands at
 * their pins at the edges of the clock of the running RTL, and machines with faults run there (group.h).
 *
 * The units are those of sm_control_pins (sm/pins/pins.h). What the scheduler remembers is an input of its gates, and
 * what it will remember an output. So are the pins of arrays. A netlist holds for one profile.
 */
#ifndef FAULTSIM_CONTROL_H
#define FAULTSIM_CONTROL_H

#include "faultsim/gate/kind.h"

extern const struct unit_kind control_kind;

const char *control_name(int which);
/* -1: no unit is called so. */
int control_find(const char *name, struct fl_err *err);
/* Is it called so, or does it belong to what is: `control`, the units that decide, `ports`, what stands around
 * arrays, `pipeline`, what moves instructions on, `operands`, what stands before and behind the lanes, or `lsu`? */
bool control_is(int which, const char *name);

/* Runs the job once more. -1: the engine has no such unit. */
int control_record(const struct reference *ref, struct trace *t, struct fl_err *err);

#endif
