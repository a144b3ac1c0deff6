/* concurrent.h -- faults of a unit in the running machine, several in one.
 *
 * Faults that have answered alike so far are one machine. At a vector that the fault-free run did
 * not hold all of them are evaluated, a bit each, those of many machines together; those that answer
 * differently go on in machines of their own, from a state that was kept before. How a run ends is
 * for faultsim/verdict to say.
 */
#ifndef FAULTSIM_GATE_CONCURRENT_H
#define FAULTSIM_GATE_CONCURRENT_H

#include "faultsim/verdict/runner.h"
#include "trace.h"

/* What one thread needs; both must outlive it. `ref` is of engine c. */
struct concurrent;
struct concurrent *concurrent_new(const struct trace *t, const struct reference *ref);
void concurrent_free(struct concurrent *r);

/* Faults that answer all vectors of the trace alike. */
struct concurrent_group {
    const uint32_t *fault;
    uint32_t n, first;      /* first: the vector with the first wrong answer */
    const uint64_t *answer; /* response.h */
};
/* All of them, quickest many at once in the order of `first`. out[class] becomes the result of each
 * fault. False: `stop`, which is asked now and then, said so, and results are missing. */
bool concurrent_run(struct concurrent *r, const struct concurrent_group *group, uint32_t groups,
                    bool (*stop)(void *context), void *context, struct fsim_result *out);
/* One fault alone from cycle 0 on, every answer by its gates. */
void concurrent_exhaustive(struct concurrent *r, uint32_t fault, struct fsim_result *out);

/* The machine of one fault at the start of `cycle` of the fault-free run, for a story; every answer
 * is had of its gates. `past`: of the unit there; NULL: none. Valid until the next call. */
struct dut *concurrent_start(struct concurrent *r, uint32_t fault, uint64_t cycle,
                             const struct unit_past *past);

struct concurrent_statistics {
    struct fsim_statistics runs;
    uint64_t evaluated; /* vectors that the trace does not hold */
    uint64_t splits;
};
void concurrent_statistics(const struct concurrent *r, struct concurrent_statistics *add_to);

#endif
