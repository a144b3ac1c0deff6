/* upset.h -- transient and intermittent faults: their ids, and how they come about in a machine.
 *
 *     rf/p517/b12@1834:flip                       one bit, flipped at the start of cycle 1834
 *     rf/p517/b12@1834:flip+rf/p517/b13@1834:flip several, in any structures
 *     rf/p517/b12@1800-1900:sa1                   held at 1 in cycles 1800 to 1900 (intermittent)
 *     rf/p517/b12@1800-:sa1                       held at 1 from cycle 1800 on, to the end of the
 *                                                 faulty run
 *     rf/w2/t5/r3/b12@1834:flip                   the same kind of thing by owner: warp slot 2,
 *                                                 lane 5, $r3
 *
 * All parts of one upset have the same cycles and the same kind. Cycles count from 0 at the start
 * of the job, over all launches. A flip takes effect before the reads of its cycle. An instruction
 * that has taken its operands already does not see it: the flip then waits until that instruction
 * has left, and is lost if it writes the cell. What is held from cycle 0 on without an end is a
 * stuck-at fault.
 */
#ifndef UPSET_H
#define UPSET_H

#include "fault.h"
#include "sm/gpu/gpu.h"

enum { UPSET_MAX_CELLS = SM_MAX_FORCES };
#define UPSET_NO_END UINT64_MAX

struct upset {
    int kind, value; /* FSIM_FLIP, or FSIM_SA at `value` (fault.h) */
    /* cycles, both included; a flip has from == to, an open window to == UPSET_NO_END */
    uint64_t from, to;
    int ncells;
    struct sm_cell cell[UPSET_MAX_CELLS];
};

/* A by-owner id needs to know who owns what: `owner` gives the physical register of $r0, lane 0 of
 * a warp slot in a cycle, -1 when the slot is empty; NULL: such ids are refused. */
typedef int (*upset_owner)(void *context, int warp, uint64_t cycle, int *regs);

int upset_parse(const struct sm_image *img, const char *text, upset_owner owner, void *context,
                struct upset *out, struct fl_err *err);
void upset_print(const struct sm_image *img, const struct upset *u, struct fl_buf *out);

/* Runs `m`, a machine before the effects of cycle u->from or earlier, to the start of that cycle,
 * and brings the fault about; an intermittent one is carried on to its end. Returns with nothing
 * pending, at a later cycle if it had to wait. What is held without an end is still held then:
 * m->force[].
 */
void upset_bring(struct gpu *m, const struct upset *u);

#endif
