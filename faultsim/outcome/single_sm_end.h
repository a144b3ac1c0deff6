/* single_sm_end.h -- the verdict on a faulty SM that runs without the others of its chip (single_sm.h). The same as that on the
 * chip. */
#ifndef SINGLE_SM_END_H
#define SINGLE_SM_END_H

#include "runner.h"
#include "faultsim/record/single_sm.h"

/* `l` has brought the machine of `r`, which now has its fault, and watches it. Runs it to its end, as
 * run_to_end; where its launch ends in time, on to the end with the others. False: nothing is known, the
 * whole chip must run. `u`: an intermittent fault whose window may reach into a later launch; NULL: all of the
 * fault is in the machine. */
bool single_sm_to_end(struct runner *r, struct single_sm *l, const struct fsim_fault *u,
                      unsigned how, struct fsim_result *out);

#endif
