/* complete.h -- what a store of an earlier format did not say of its faults, proved again. */
#ifndef COMPLETE_H
#define COMPLETE_H

#include "faultsim/store/store.h"

/* Says of each fault whether it is untestable, where a store of an earlier format, just read, only
 * counted how many are: by the proofs, which need the profile alone. Nothing changes when they find
 * another number (another profile of that name), nor does the file. */
int complete_read(struct store *s, struct fl_err *err);

#endif
