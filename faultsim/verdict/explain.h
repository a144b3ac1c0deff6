/* explain.h -- parts of a fault's story, for those who put the fault into the machine by themselves:
 * explain.c tells all of the stories of cells.
 */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include "runner.h"

/* Both machines in one cycle, from where the faulty one, of any engine, has its fault on: the first
 * wrong result, the first wrong store, where they part in control. */
void explain_walk(struct gpu *healthy, struct dut *faulty, struct fl_buf *out);
/* How it ends; `cycles` is what the fault-free run takes. */
void explain_end(uint64_t cycles, const struct fsim_result *r, struct fl_buf *out);

#endif
