/* fault_trace.h -- the fault trace of one faulty gate: its place, its first wrong answer, the first instruction that differs, how
 * it ends.
 */
#ifndef FAULTSIM_GATE_FAULT_TRACE_H
#define FAULTSIM_GATE_FAULT_TRACE_H

#include "faultsim/context/context.h"
#include "faultsim/faults/trace.h"
#include "kind.h"

/* `fault` is the number of a fault of the unit, a representative or not. */
int gate_trace(const struct job_context *ctx, const struct engine *engine, const struct unit *u,
               int sp, uint32_t fault, struct fault_trace *out, struct fl_err *err);

/* Parts of that, for other faults: how the fault ended, and where; where the net belongs. `injected`: the first cycle
 * with the fault. */
void gate_trace_head(const struct job_context *ctx, const char *id, const struct unit *u,
                     const struct engine *engine, uint64_t injected, const struct fsim_result *r,
                     struct fault_trace *out);
void gate_trace_netlist(const struct unit *u, struct fl_buf *out);
/* From the cycle of its first wrong answer, with that machine at its start, to its end. */
void gate_trace_walk(const struct job_context *ctx, uint64_t cycle, struct dut *faulty,
                     const struct fsim_result *r, struct fault_trace *out);

#endif
