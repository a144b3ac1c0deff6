/* part.h -- the faults of one structure in one job, decided on all processors: a part of a campaign.
 *
 * The faults stand in the order in which they first act, cut into units of work. A unit counts in
 * the store fully or not at all.
 */
#ifndef PART_H
#define PART_H

#include "campaign.h"

/* All structures of the list, one after the other; `ref` is the job's fault-free run, `store` may
 * be NULL: then `lab` may be empty, when all faults are of the divergence stack. */
int part_run_all(struct fsim_campaign *c, int job, const struct lab *lab,
                 const struct reference *ref, const struct fsim_options *opt,
                 struct progress *progress, struct store *store, struct fl_err *err);

#endif
