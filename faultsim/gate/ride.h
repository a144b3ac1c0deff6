/* ride.h -- faults of a unit in the running machine, several in one.
 *
 * Faults that have answered alike so far are one machine. At a vector that the fault-free run did
 * not hold all of them are evaluated, a bit each, those of many machines together; those that answer
 * differently go on in machines of their own, from a state that was kept before. How a run ends is
 * for faultsim/verdict to say.
 */
#ifndef FAULTSIM_GATE_RIDE_H
#define FAULTSIM_GATE_RIDE_H

#include "faultsim/verdict/runner.h"
#include "trace.h"

/* What one thread needs; both must outlive it. `ref` is of engine c. */
struct ride;
struct ride *ride_new(const struct trace *t, const struct reference *ref);
void ride_free(struct ride *r);

/* Faults that answer all vectors of the trace alike. */
struct ride_group {
    const uint32_t *fault;
    uint32_t n, first;      /* first: the vector with the first wrong answer */
    const uint64_t *answer; /* response.h */
};
/* All of them, quickest many at once in the order of `first`. out[class] becomes the result of each
 * fault. False: `stop`, which is asked now and then, said so, and results are missing. */
bool ride_run(struct ride *r, const struct ride_group *group, uint32_t groups,
              bool (*stop)(void *context), void *context, struct fsim_result *out);
/* One fault alone from cycle 0 on, every answer by its gates. */
void ride_exhaustive(struct ride *r, uint32_t fault, struct fsim_result *out);

/* The machine of one fault at the start of `cycle` of the fault-free run, for a story; every answer
 * is had of its gates. Valid until the next call. */
struct dut *ride_start(struct ride *r, uint32_t fault, uint64_t cycle);

struct ride_statistics {
    struct fsim_statistics runs;
    uint64_t evaluated; /* vectors that the trace does not hold */
    uint64_t splits;
};
void ride_statistics(const struct ride *r, struct ride_statistics *add_to);

#endif
