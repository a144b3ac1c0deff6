/* concurrent.h -- faults of a unit in the running machine, several in one.
 *
 * Faults that have answered alike so far are one machine. At a vector that the fault-free run did
 * not hold all of them are evaluated, a bit each, those of many machines together; those that answer
 * differently go on in machines of their own, from a state that was kept before. How a run ends is
 * for faultsim/verdict to say.
 */
#ifndef FAULTSIM_LANE_CONCURRENT_H
#define FAULTSIM_LANE_CONCURRENT_H

#include "lane.h"

/* By groups quickest many at once. By brute force every answer is had of the gates, the first wrong one too; so is every
 * answer of a machine that is started. The reference is of engine c. */
extern const struct unit_machine concurrent_machine;

struct concurrent_statistics {
    struct fsim_statistics runs;
    uint64_t evaluated; /* vectors that the trace does not hold */
    uint64_t splits;
};
void concurrent_statistics(const void *machine, struct concurrent_statistics *add_to);

#endif
