/* story.h -- the story of one faulty gate of the control: its place, its first wrong answer, the first
 * instruction that differs, how it ends.
 */
#ifndef FAULTSIM_CONTROL_STORY_H
#define FAULTSIM_CONTROL_STORY_H

#include "faultsim/context/context.h"
#include "faultsim/machine/engine.h"
#include "unit.h"

/* `fault` is the number of a fault of the unit, a representative or not. */
int control_story(const struct job_context *ctx, const struct engine *engine,
                  const struct control_unit *u, uint32_t fault, struct fl_buf *out,
                  struct fl_err *err);
/* The same of a glitch of the gate of a net. */
int glitch_story(const struct job_context *ctx, const struct engine *engine,
                 const struct control_unit *u, uint32_t net, uint64_t cycle, struct fl_buf *out,
                 struct fl_err *err);

#endif
