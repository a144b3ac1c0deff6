/* sched.c -- picks the warp that enters the pipeline in this slot.
 *
 * Round robin over ready warps. A warp is ready when it has threads left, is not at a barrier, and its last
 * instruction has left Write-back.
 */
#include "machine.h"

int sched_pick(const struct sm *m)
{
    uint32_t ready = m->s.live & ~m->s.busy & ~m->s.waiting;
    if (!ready)
        return NO_WARP;
    uint32_t behind = ready & ~((2u << (m->s.last_warp & 31)) -
                                1); /* those after the warp picked last come first */
    return __builtin_ctz(behind ? behind : ready);
}
