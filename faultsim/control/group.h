/* group.h -- faults of a unit of the control in the running RTL, several in one machine.
 *
 * Faults that have answered alike so far are one machine: the first of them answers. At a vector that is
 * new all are evaluated, a bit each; those that answer otherwise leave, and begin again as a group of their
 * own.
 */
#ifndef FAULTSIM_CONTROL_GROUP_H
#define FAULTSIM_CONTROL_GROUP_H

#include "faultsim/verdict/runner.h"
#include "trace.h"

/* What one thread needs; both must outlive it. */
struct control_runner;
struct control_runner *control_runner_new(const struct control_unit *u,
                                          const struct reference *ref);
void control_runner_free(struct control_runner *r);

/* Of slow gates, before a run that does not begin in cycle 0: what the unit saw; it must outlive the runner. */
void control_runner_past(struct control_runner *r, const struct control_trace *t);

/* Faults that answer all vectors of the fault-free run alike, from cycle `first` on, in which the first
 * answer is wrong; none is behind cycle `last`. Ask in the order of `first`. out[i] becomes the result of
 * fault[i]. False: `stop` said so, and results are missing. */
bool control_run(struct control_runner *r, const uint32_t *fault, uint32_t n, uint64_t first,
                 uint64_t last, bool (*stop)(void *context), void *context,
                 struct fsim_result *out);

/* By brute force: from cycle 0 to the end, without a shortcut. `first` is a fact of the fault-free run. */
void control_run_exhaustive(struct control_runner *r, uint32_t fault, uint64_t first,
                            struct fsim_result *out);

/* The machine of a fault (GATE_NO_FAULT: none) at the start of `cycle` of the fault-free run, for a story.
 * Valid until the next call. */
struct dut *control_start(struct control_runner *r, uint32_t fault, uint64_t cycle);

struct control_statistics {
    struct fsim_statistics runs;
    uint64_t evaluated; /* different vectors, of all runs */
    uint64_t left;      /* faults that left a group */
};
void control_statistics(const struct control_runner *r, struct control_statistics *add_to);

#endif
