/* story.h -- the story of one faulty gate: the first wrong net, instruction, store; how it ends. */
#ifndef FAULTSIM_GATE_STORY_H
#define FAULTSIM_GATE_STORY_H

#include "faultsim/context/context.h"
#include "unit.h"

/* gate/alu_int.sp3/n12.1:sa0: which unit, which SP (0 where the id names none), and what stands
 * behind. -1: it is written otherwise. */
int story_parse(const char *id, enum vector_unit *unit, int *sp, const char **fault,
                struct fl_err *err);

/* Where the fault is, and what lists call it. */
void story_place(const struct gate_netlist *n, const struct gate_faults *f, const char *unit,
                 uint32_t fault, struct fl_buf *out);

/* `fault` is the number of a fault of the unit, a representative or not. */
int story_tell(const struct job_context *ctx, const struct unit *u, int sp, uint32_t fault,
               struct fl_buf *out, struct fl_err *err);

#endif
