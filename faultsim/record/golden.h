/* golden.h -- one run of the fault-free machine, recorded so that most faulty runs need not happen.
 *
 *   residence    which launches, blocks and warps are there when
 *   checkpoints  machines at some cycles on the way
 *   activations  when stuck-at faults act; excitations: other faults of memories
 *   writers      who stored each element of the outputs last
 *   flow         what each warp instruction read and wrote: lets a difference that lives only in
 *                data be followed through the instructions that touch it, and no others
 *
 * Invariants:
 *   G1  checkpoints are in time order, the first one at the start of the job
 *   G2  a machine that golden_seek brings to a cycle comes from before it, or from the start of the job
 *
 * Read-only once made: any number of threads share one.
 */
#ifndef GOLDEN_H
#define GOLDEN_H

#include "faultsim/outputs/outputs.h"
#include "faultsim/outputs/writers.h"
#include "activation.h"
#include "excitation.h"
#include "flow.h"

struct golden {
    const struct sm_image *img;
    uint64_t cycles;         /* G: of the whole job */
    uint64_t instructions;   /* warp instructions */
    struct gpu *end;         /* the machine when the job has finished */
    struct outputs *outputs; /* its outputs, and what may differ */
    struct writers *writers; /* of their elements */
    struct residence *residence;
    struct activations *activations;
    struct excitations *excitations; /* NULL: no list of faults has been asked for (run.h) */
    struct flow *flow;               /* its events; NULL: too many */
    struct gpu **checkpoint;         /* in time order, [0] at cycle 0 */
    uint64_t *checkpoint_cycle;
    int ncheckpoints;
};

/* Runs the job, without `flow` (run.h). A trap that the job does not state, a deadlock, an endless loop or more than
 * `max_cycles` cycles are errors of the job. */
struct golden *golden_new(const struct sm_image *img, uint64_t max_cycles, struct fl_err *err);
/* Forgets what belongs to a list of faults. */
void golden_forget(struct golden *g);
void golden_free(struct golden *g);

/* Brings `m` to the state before the effects of `cycle`: from the nearest checkpoint, or by running
 * on. */
void golden_seek(const struct golden *g, struct gpu *m, uint64_t cycle);

#endif
