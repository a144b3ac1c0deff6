/* activation.h -- when a stuck-at fault of any cell first acts: the first read of the fault-free
 * run that finds the other value in the cell. Until then the machine with the fault does what the
 * fault-free one does; without such a read the fault is masked.
 *
 * Values: what the cell held before the instruction that reads it (sm/access.h lists the reads; of
 * the divergence stack, what the pop returned). Kept for cells that are read, two cycles each.
 */
#ifndef ACTIVATION_H
#define ACTIVATION_H

#include "faultsim/faults/fault.h"
#include "golden.h"

struct activations;

/* The cycle; FSIM_NEVER when the run gives the fault nothing to change. */
uint64_t activation_of(const struct activations *a, const struct sm_cell *cell, int stuck_at);
void activations_free(struct activations *a);

/* An observer of a fault-free run (run.h) from its beginning. `w` has been started on the
 * machine. */
struct activations *activations_new(const struct sm_image *img);
void activations_start(struct activations *a, const struct gpu *m);
void activations_tick(struct activations *a, const struct sm_watch *w,
                      const struct sm_accesses *seen);

#endif
