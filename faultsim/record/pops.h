/* pops.h -- each pop of every line-entry in a fault-free run, with the value that was stored there:
 * tells for any stuck-at fault of the divergence stack, without a run, when it is first activated,
 * and when next.
 */
#ifndef POPS_H
#define POPS_H

#include "sm/gpu/gpu.h"
#include "faultsim/faults/fault.h"
#include "faultsim/faults/outcome.h"

struct fsim_pop {
    uint64_t cycle;
    uint32_t tm, spc; /* as stored in the fault-free machine */
    uint8_t id;
};

struct fsim_pops { /* of one line-entry. Invariant P1: in time order */
    struct fsim_pop *pop;
    uint32_t count;
};

/* Those of all line-entries: [warp * LEs + le]. */
struct fsim_pops *pops_new(const struct sm_image *img);
void pops_free(struct fsim_pops *pops, const struct sm_image *img);
/* Adds those of a commit. */
void pops_note(struct fsim_pops *pops, const struct sm_image *img, const struct sm_commit *c);

/* The first cycle >= from in which a pop returns a value that the fault changes; FSIM_NEVER when
 * there is none. What a pop ignores of SPC (profile_spc_bits) is never consumed. */
uint64_t pops_activation(const struct fsim_pops *pops, const struct sm_image *img,
                         const struct fsim_fault *f, uint64_t from);

#endif
