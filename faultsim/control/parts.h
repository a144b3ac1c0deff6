/* parts.h -- a unit that answers in parts (rtl/sm_gates.sv), with one fault: what that changes of each part, over what the
 * RTL answers.
 *
 * Of a part only gates are evaluated that the fault can change and that reach it, and what these read; again only
 * when what they read has changed.
 */
#ifndef FAULTSIM_CONTROL_PARTS_H
#define FAULTSIM_CONTROL_PARTS_H

#include "control.h"

struct control_parts;
/* The unit must outlive it. */
struct control_parts *control_parts_new(const struct unit *u);
void control_parts_free(struct control_parts *p);

/* From now on it has this fault, or GATE_NO_FAULT. `brute`: all gates are evaluated, whenever it is asked. */
void control_parts_take(struct control_parts *p, uint32_t fault, bool brute);

/* Its outputs from number `first` on, `count` of them, in `out`, where the RTL's stand. Of `in` those matter that
 * they hang on; `past`: of a slow gate what stood there in the cycle before, NULL in the first one. */
void control_parts_answer(struct control_parts *p, int first, int count, const uint64_t *past,
                          const uint64_t *in, uint64_t *out);

#endif
