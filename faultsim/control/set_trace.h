/* set_trace.h -- the fault trace of one SET: its gate, the first instruction that differs, how it ends. */
#ifndef FAULTSIM_CONTROL_SET_TRACE_H
#define FAULTSIM_CONTROL_SET_TRACE_H

#include "faultsim/context/context.h"
#include "faultsim/faults/trace.h"
#include "control.h"

int glitch_trace(const struct job_context *ctx, const struct engine *engine, const struct unit *u,
                 uint32_t net, uint64_t cycle, struct fault_trace *out, struct fl_err *err);

#endif
