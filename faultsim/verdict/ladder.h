/* ladder.h -- the rungs by which the outcome of a fault is decided, the cheapest first: the record of the fault-free run,
 * data-flow propagation, one SM of a chip, a machine from a checkpoint, brute force. Each gives the outcome of
 * the last; a rung that cannot decide a fault leaves it to the next.
 */
#ifndef LADDER_H
#define LADDER_H

#include "transient.h"
#include "faultsim/follow/follow.h"

/* A fault on its way down the ladder. */
struct attempt {
    const struct fsim_fault *fault;
    bool permanent;
    bool inert;    /* by the record: no read of the fault-free run finds another value */
    uint64_t from; /* up to the start of this cycle the faulty machine is the fault-free one */
    int latched;   /* see dut_carry */
    const struct accesses *accesses;
    uint32_t site; /* of a flip in the cycle of its first read; else SITE_NONE */
};

/* The machines of a thread. */
struct fsim_worker {
    struct runner run;
    struct dut *healthy; /* travels forward through the fault-free run */
    int interval;        /* the checkpoint behind the last fault that took a machine; 0: none has */
    struct reference *own;     /* made with the worker, or NULL */
    struct follower *follower; /* of engine c where data can be followed, else NULL */
    struct single_sm *single;  /* one SM of a chip without the others; NULL: never */
};

/* The rung that decided. `out` has the first activation. */
enum rung ladder_decide(struct fsim_worker *w, const struct attempt *a, struct fsim_result *out);
/* The last rung alone. */
void ladder_brute_force(struct fsim_worker *w, const struct attempt *a, struct fsim_result *out);

/* The fault-free machine at the start of `cycle`; the faulty one from there. */
struct dut *ladder_healthy(struct fsim_worker *w, uint64_t cycle);
void ladder_inject(struct fsim_worker *w, const struct attempt *a, uint64_t cycle);

/* A cell that is held at a value, whose reads each engine knows from the commits of its own run. Where other faults first act is a fact
 * of the fault-free run of engine c, and no other engine's outcome follows from it. */
bool read_in_commits(const struct fsim_fault *f);

#endif
