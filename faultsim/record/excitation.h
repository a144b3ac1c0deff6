/* excitation.h -- when faults of memories first act: the memories with the faults, carried along
 * beside the fault-free run.
 *
 * Until a read finds another value than the fault-free machine's, the machine with the fault does
 * what the fault-free one does, so one run tells of all faults what each cell would hold. It ends in
 * that read, or there is none and the fault is masked.
 *
 * A read looks back: it happens some cycles before its instruction acts (sm/gpu/access.h), and may have
 * come before the cell went wrong. What is kept is the time since which the cell has been wrong, and
 * where that is not clear, more: a fault that acts later or never is simulated all the same.
 */
#ifndef EXCITATION_H
#define EXCITATION_H

#include "faultsim/faults/fault.h"
#include "faultsim/faults/outcome.h"
#include "sm/gpu/access.h"

struct excitation {
    uint64_t first; /* cycle of the read; FSIM_NEVER */
    /* a cycle at whose start the cells at fault hold what the fault-free ones hold, with no other
     * read between */
    uint64_t from;
    int latched; /* what the column of a stuck-open cell has returned last then */
};

struct excitations;
/* Of all faults of the list that are not stuck-at. The list must stay. A view of a run (run.h) from
 * its beginning, with the machine before it; `places`: those that it must be told of. */
struct excitations *excitations_new(const struct fsim_list *list, const struct gpu *m,
                                    uint64_t *places);
void excitations_tick(struct excitations *e, const struct sm_watch *w,
                      const struct sm_accesses *seen);
/* Of a fault of that list. */
struct excitation excitation_of(const struct excitations *e, const struct fsim_fault *f);
void excitations_free(struct excitations *e);

#endif
