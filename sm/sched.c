/* sched.c -- picks the warp that enters the pipeline in this slot.
 *
 * Round robin over ready warps. A warp is ready when it has threads left, is not at a barrier, and its last
 * instruction has left Write-back.
 */
#include "machine.h"

int sched_pick(const struct sm *m)
{
    const struct sm_state *s = &m->s;
    int n = m->img->warps_used; /* no warp beyond ever holds threads */
    for (int i = 1, w = s->last_warp; i <= n; i++) {
        w = w + 1 >= n ? 0 : w + 1;
        if (s->warp[w].live && !s->warp[w].busy && !s->warp[w].waiting)
            return w;
    }
    return NO_WARP;
}
