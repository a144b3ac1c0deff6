/* transient_rtl.h -- the outcome of one transient or intermittent fault, simulated in the RTL.
 *
 * The cell changes at the start of the fault's first cycle, whatever the machine is doing; who sees it is up to the
 * hardware. Nothing is pruned but the end: a machine that is the fault-free one again is masked. Outcomes and reasons
 * are those of transient.h; tests/test_transient_rtl.c holds both engines against each other, fault by fault.
 */
#ifndef TRANSIENT_RTL_H
#define TRANSIENT_RTL_H

#include "engine_rtl.h"
#include "transient.h"

/* An error for a structure that is in the C model only. */
int transient_rtl_has(const struct fsim_rtl *r, int structure, struct fl_err *err);

/* Fastest when faults come in the order of their cycles. */
void transient_rtl_simulate(struct fsim_rtl_worker *w, const struct touches *t,
                            const struct upset *u, struct transient_result *out);

/* What became of it, in sentences. */
void transient_rtl_explain(struct fsim_rtl_worker *w, const struct touches *t,
                           const struct upset *u, struct fl_buf *out);

#endif
