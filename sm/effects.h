/* effects.h -- what instructions do to stacks and barriers, for exec.c and the shortcuts of quick/. */
#ifndef SM_EFFECTS_H
#define SM_EFFECTS_H

#include "machine.h"

/* Lanes whose thread state is `active`: what a pop lets through. */
static inline uint32_t active_threads(const struct sm_warp *w)
{
    return ~(w->ts[0] | w->ts[1]);
}

/* stack.c; `stall`: grows by the cycles that it takes */
void stack_push(struct sm *m, int w, enum sm_le_id id, uint32_t tm, uint32_t spc, uint32_t *stall);
void stack_join(struct sm *m, int w, uint32_t *stall);

/* block.c */
void block_barrier(struct sm *m, int w, int barrier, bool arrive, bool wait);

#endif
