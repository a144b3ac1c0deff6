/* scheduler.h -- picks the warp that enters the pipeline in this slot.
 *
 * Round robin over ready warps. A warp is ready when it has threads left, is not at a barrier, and its last
 * instruction has left Write-back.
 */
#ifndef SM_SCHEDULER_H
#define SM_SCHEDULER_H

#include "sm.h"

static inline uint32_t sched_ready(const struct sm_state *s)
{
    return s->live & ~s->busy & ~s->waiting;
}

static inline int sched_pick(const struct sm_state *s)
{
    uint32_t ready = sched_ready(s);
    if (!ready)
        return NO_WARP;
    uint32_t behind = ready & ~((2u << (s->last_warp & 31)) -
                                1); /* those after the warp picked last come first */
    return __builtin_ctz(behind ? behind : ready);
}

#endif
