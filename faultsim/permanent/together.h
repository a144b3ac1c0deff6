/* together.h -- what jobs of a campaign of permanent faults detect together, of any choice of them, and in which order they detect
 * most in the least time. The jobs have one list of faults.
 */
#ifndef TOGETHER_H
#define TOGETHER_H

#include "faultsim/result/estimate.h"
#include "faultsim/store/store.h"

enum { TOGETHER_JOBS = 64 }; /* a bit each */

struct together {
    const struct store *store;
    const struct result *result;
    bool timing; /* performance counts as detected */
    int job, targets;
    int *target_of; /* [parts]: number of its target */
    const char **target;
    double *weight; /* [targets]: faults that one of them stands for: of a sample more than one */
    uint64_t places;
    struct together_fault {
        uint64_t detected; /* by job j: bit j */
        int target;        /* -1: untestable, or not there */
    } * fault;
};

/* False: there are too many jobs, or the store does not know which faults are the same. */
bool together_open(const struct store *s, bool timing, struct together *r);
void together_close(struct together *r);
/* Of those jobs, a bit each; of testable faults. */
struct estimate together_detect(const struct together *r, uint64_t jobs);
/* All jobs: next the one that detects most new faults in a cycle. */
void together_greedy(const struct together *r, int order[TOGETHER_JOBS]);

#endif
