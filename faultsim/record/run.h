/* run.h -- the views of the fault-free run: one run, slot by slot where cycles of reads matter, whose
 * list of accesses (sm/gpu/access.h) each view is told tick by tick.
 *
 *   flow         what each event read and wrote, with the values
 *   activations  when stuck-at faults first act
 *   excitations  when other faults of memories first act
 *   accesses      when cells are read and written
 *
 * The golden run (golden.h) comes first: it says that the job ends, and how long it is.
 */
#ifndef RECORD_RUN_H
#define RECORD_RUN_H

#include "accesses.h"

struct record_wanted {
    size_t flow_bytes; /* what g->flow may take, or there is none; 0: nobody asks for it */
    const struct fsim_list *faults; /* to g->activations and g->excitations; or NULL. Must stay */
    size_t access_bytes;            /* what accesses may take; 0: there are none */
    const struct access_wanted *accesses; /* which of them; NULL: all */
};

/* The accesses, or NULL. */
struct accesses *record_run(struct golden *g, const struct record_wanted *wanted);
/* golden_new and the flow. */
struct golden *golden_run(const struct sm_image *img, uint64_t max_cycles, struct fl_err *err);

#endif
