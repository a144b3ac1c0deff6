/* scheduler.h -- picks the warp that enters the pipeline in this slot.
 *
 * Round robin over ready warps. A warp is ready when it has threads left, is not at a barrier, and
 * its last instruction has left Write-back.
 */
#ifndef SM_SCHEDULER_H
#define SM_SCHEDULER_H

#include "machine.h"

static inline sm_mask sched_ready(const struct sm_state *s, sm_mask busy)
{
    return s->live & ~busy & ~s->waiting;
}

/* Those after the warp picked last come first. */
static inline int sched_pick(sm_mask ready, int last_warp)
{
    sm_mask behind = ready & ~(sm_mask)1 << (last_warp & (SM_MAX_WARPS - 1));
    return !ready ? NO_WARP : mask_first(behind ? behind : ready);
}

#endif
