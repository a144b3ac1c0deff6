/* activation.h -- when a stuck-at fault of any cell acts: the reads of a fault-free run that find the
 * other value in the cell. Until the first one the machine with the fault does what the fault-free
 * one does; without one the fault is masked.
 *
 * Of structures that are read in commits all reads are kept, as the commits of any engine tell them;
 * between two of them, machines that agree but for the cell do the same. Of other structures the
 * first read is kept that finds a 0 in a cell, and the first that finds a 1: what the cell held before
 * the instruction that reads it (sm/gpu/access.h lists the reads).
 *
 * Invariant:
 *   A1  the reads that commits tell of a unit are in time order
 */
#ifndef ACTIVATION_H
#define ACTIVATION_H

#include "faultsim/faults/fault.h"
#include "faultsim/faults/outcome.h"
#include "sm/gpu/access.h"

struct activations;

struct activations *activations_new(const struct sm_image *img);
void activations_free(struct activations *a);

/* Of a run from its beginning: what a commit has read. */
void activations_commit(struct activations *a, const struct sm_commit *c);

/* A view of a run (run.h) from its beginning, with the machine before it: the structures of stuck-at
 * faults of the list that are read in stages. Those that it must be told of, bits
 * UINT64_C(1) << SM_S_... */
uint64_t activations_start(struct activations *a, const struct fsim_list *list,
                           const struct gpu *m);
void activations_tick(struct activations *a, const struct sm_watch *w,
                      const struct sm_accesses *seen);
/* Forgets all but what commits have told. */
void activations_forget(struct activations *a);

/* The first cycle >= from in which a read finds the other value; FSIM_NEVER when none does. `from`
 * is 0 for a structure that is read in stages, and the view has seen it. */
uint64_t activation_of(const struct activations *a, const struct sm_cell *cell, int stuck_at,
                       uint64_t from);

#endif
