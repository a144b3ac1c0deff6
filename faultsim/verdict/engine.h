/* engine.h -- the outcome of one fault, by as little simulation as decides it, or by brute force.
 *
 * Both ways give the same struct fsim_result for every fault; the tests hold them against each other.
 */
#ifndef ENGINE_H
#define ENGINE_H

#include "faultsim/record/golden.h"
#include "faultsim/faults/outcome.h"

struct fsim_result {
    enum fsim_outcome outcome;
    bool untestable;           /* proved: no program can detect the fault (prove.h) */
    uint64_t first_activation; /* cycle, or FSIM_NEVER */
    uint64_t
        end; /* cycles of the faulty run when it finished or trapped; FSIM_NEVER for hang and timeout */
    char reason
        [64]; /* not_activated, logically_masked, a trap's name, the first output that differs ... */
};

/* Room that one thread needs to work; make one per thread. */
struct fsim_worker;
struct fsim_worker *fsim_worker_new(const struct golden *g);
void fsim_worker_free(struct fsim_worker *w);
/* Flips of registers are followed through the data flow from now on; NULL changes nothing. */
struct flow;
void fsim_worker_follow(struct fsim_worker *w, const struct flow *f);

/* From the golden run's records and checkpoints. Fastest when faults come in the order of their first activation. */
void fsim_simulate(struct fsim_worker *w, const struct fsim_fault *f, struct fsim_result *out);
/* From cycle 0 to the end, every fault that is not activated too. */
void fsim_exhaustive(struct fsim_worker *w, const struct fsim_fault *f, struct fsim_result *out);

/* The outcome of a machine that has ended; all but the activation. */
void fsim_classify(const struct golden *g, const struct sm *m, struct fsim_result *out);

/* The story of one fault, in sentences: what it is, when it acts, where the run parts from the golden one, how it ends. */
void fsim_explain(struct fsim_worker *w, const struct fsim_fault *f, struct fl_buf *out);

struct fsim_statistics {
    uint64_t runs;         /* faults that needed a machine at all */
    uint64_t instructions; /* warp instructions simulated, companions included */
    uint64_t evaluated;    /* instructions evaluated alone */
};
void fsim_worker_statistics(const struct fsim_worker *w, struct fsim_statistics *add_to);

#endif
