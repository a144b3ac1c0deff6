/* rows.h -- which commits of both machines a trace keeps: those of the warp that differs, around each difference.
 *
 *     struct rows *r = rows_new(trace);
 *     rows_recall(r, golden, healthy);             // what the warp did before: of the fault-free run
 *     rows_same(r, &good, &bad);                   // both machines did the same
 *     rows_event(r, TRACE_REGISTER, &good, &bad, healthy, faulty);
 *     rows_behind(r, TRACE_FAULTY, &bad);          // behind a divergence each machine goes its own way
 *     rows_free(r);
 */
#ifndef VERDICT_ROWS_H
#define VERDICT_ROWS_H

#include "faultsim/faults/trace.h"
#include "faultsim/machine/engine.h"
#include "faultsim/record/golden.h"

struct rows;
struct rows *rows_new(struct fault_trace *t);
void rows_free(struct rows *r);

/* What the fault-free machine committed last. */
void rows_recall(struct rows *r, const struct golden *g, const struct gpu *healthy);
void rows_same(struct rows *r, const struct sm_commit *good, const struct sm_commit *bad);
/* Stacks are read in machines of engine c. */
void rows_event(struct rows *r, enum trace_event event, const struct sm_commit *good,
                const struct sm_commit *bad, const struct gpu *healthy, struct dut *faulty);
/* Whether commits of this machine are still wanted, behind an event; one of them. */
bool rows_want(const struct rows *r, int machine);
void rows_behind(struct rows *r, int machine, const struct sm_commit *c);

#endif
