/* explain.h -- parts of a fault trace, for those who put the fault into the machine by themselves:
 * explain.c tells all of the fault traces of cells.
 */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include "faultsim/faults/trace.h"
#include "faultsim/outcome/runner.h"

/* What a trace begins with: the fault, its outcome, its cycles; `cycles` is what the fault-free run takes. */
void explain_begin(const char *id, uint64_t injected, uint64_t cycles, const struct fsim_result *r,
                   struct fault_trace *t);
/* Both machines in one cycle, from where the faulty one, of any engine, has its fault on: the first
 * wrong result, the first wrong store, where they part in control. */
void explain_walk(const struct golden *g, struct gpu *healthy, struct dut *faulty,
                  struct fault_trace *t);
/* How it ends; `cycles` is what the fault-free run takes. */
void explain_end(uint64_t cycles, const struct fsim_result *r, struct fl_buf *out);

#endif
