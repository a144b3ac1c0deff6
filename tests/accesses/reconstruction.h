/* reconstruction.h -- a second opinion on what a machine reads and writes.
 *
 * The machine reports its accesses while they happen (sm/hook.h). Here the same list is worked out
 * afterwards, from the commit record, the decoded instruction and the stages, by other code.
 */
#ifndef RECONSTRUCTION_H
#define RECONSTRUCTION_H

#include "sm/gpu/access.h"

struct reconstruction { /* zero-initialise; then g, places and timed as sm_watch_start got them */
    struct gpu *g;
    uint64_t places;
    bool timed;
    struct sm_commit c;
    uint64_t fetched[SM_MAX_WARPS], decoded[SM_MAX_WARPS], read[SM_MAX_WARPS],
        executed[SM_MAX_WARPS];
    sm_mask flying;
    uint64_t cycle, slot;
    uint32_t launch;
    int block;
    uint32_t shared0, shared;
    struct sm_accesses *out;
    bool instruction;
};

/* A tick of the watched machine: what it told, and what it must have told. */
void reconstruct_tick(struct reconstruction *k, struct sm_watch *w, struct sm_accesses *told,
                      struct sm_accesses *out);

#endif
