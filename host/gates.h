/* gates.h -- a fault of the gates of a lane in a program's machines: its netlist answers in place of the lanes of one SP. */
#ifndef HOST_GATES_H
#define HOST_GATES_H

#include "faultsim/machine/engine.h"

struct live_gates;

/* gate/alu_int.sp3/n120.1:sa0, of a netlist in the folder that LIVE_NETLISTS names. NULL: see err. */
struct live_gates *live_gates_open(const char *id, int sps, struct fl_err *err);
void live_gates_put(struct live_gates *g, struct dut *m);
void live_gates_free(struct live_gates *g);

#endif
