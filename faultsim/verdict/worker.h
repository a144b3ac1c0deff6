/* worker.h -- what the engines of permanent (engine.c) and transient faults (transient.c) share: the machines of a thread.
 */
#ifndef WORKER_H
#define WORKER_H

#include "diff.h"
#include "engine.h"
#include "variants.h"

enum {
    STRIDE = 80,     /* cycles between two comparisons */
    NEAR = 4000,     /* a next activation this close is walked to, not jumped to */
    MAX_MISSES = 60, /* comparisons in a row that differ, before the faulty machine runs on alone */
};

struct fsim_worker {
    const struct golden *g;
    struct sm *golden; /* travels forward through the golden run */
    struct sm *good, *bad, *saved;
    struct diff diff;
    struct lanes *lanes; /* for flips of registers; NULL: not to be had */
    struct fsim_statistics stat;
};

/* The outcome of a cell of the divergence stack that is held from the start of cycle `from` to the end of the run, all but
 * the activation. False: no pop from then on returns a value that this changes, and nothing was run. */
bool worker_hold(struct fsim_worker *w, const struct fsim_fault *f, uint64_t from,
                 struct fsim_result *out);
/* Both machines up to `cycle`. */
void worker_run_both(struct fsim_worker *w, uint64_t cycle);
/* Runs `m` to its end and says how it ended; `look_early`: a state that recurs may be noticed before 2G. */
void worker_run_to_end(struct fsim_worker *w, struct sm *m, bool look_early,
                       struct fsim_result *out);
/* The faulty run has the golden one's control state from here on; what remains is data, followed to the end. */
void worker_finish_by_data(struct fsim_worker *w, struct fsim_result *out);

#endif
