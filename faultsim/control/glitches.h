/* glitches.h -- campaigns of glitches: jobs x units of an SM's control, into a store.
 *
 * All glitches of a unit are its gates x the cycles of the job. Without a sample all of them are decided, those of
 * a cycle that give the same answer as one; a sample is drawn from them, each with a row of its own.
 */
#ifndef FAULTSIM_CONTROL_GLITCHES_H
#define FAULTSIM_CONTROL_GLITCHES_H

#include "faultsim/gate/campaign.h"

/* As gates_run: its `sample` is of glitches. */
int glitches_run(const struct job *const *jobs, int njobs, const struct gates_options *opt,
                 struct store **out, struct fl_err *err);

#endif
