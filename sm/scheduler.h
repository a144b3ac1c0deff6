/* scheduler.h -- picks the warp that enters the pipeline in this slot.
 *
 * Round robin over ready warps. A warp is ready when it has threads left, is not at a barrier, and
 * its last instruction has left Write-back.
 */
#ifndef SM_SCHEDULER_H
#define SM_SCHEDULER_H

#include "machine.h"

static inline uint32_t sched_ready(const struct sm_state *s, uint32_t busy)
{
    return s->live & ~busy & ~s->waiting;
}

/* Those after the warp picked last come first. */
static inline int sched_pick(uint32_t ready, int last_warp)
{
    uint32_t behind = ready & ~((2u << (last_warp & 31)) - 1);
    return !ready ? NO_WARP : __builtin_ctz(behind ? behind : ready);
}

#endif
