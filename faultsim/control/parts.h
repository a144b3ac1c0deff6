/* parts.h -- gates of a unit in the running RTL, which are evaluated again only when what they read has changed; and those
 * of a unit that answers in parts (rtl/sm_gates.sv), with one fault: what that changes of each part, over what the RTL
 * answers.
 */
#ifndef FAULTSIM_CONTROL_PARTS_H
#define FAULTSIM_CONTROL_PARTS_H

#include "control.h"

struct control_gates {
    const struct unit *u;
    struct gate_group *group;
    bool known; /* `last` and the group hold something */
    uint64_t *needs, *last,
        *last_past; /* [in_words] the inputs that they read, and what stood there */
};
struct control_gates control_gates_new(const struct unit *u, int width);
void control_gates_free(struct control_gates *g);

/* From now on they have these faults, a bit each. Only gates are evaluated that the faults can change and that reach
 * outputs from number `first` on, `count` of them. `brute`: all gates are. */
void control_gates_take(struct control_gates *g, const uint32_t *fault, uint32_t n, uint32_t first,
                        uint32_t count, bool brute);
/* With these inputs, of which those matter that they read. `past`: of slow gates what stood there in the cycle before,
 * NULL in the first one. False: nothing has changed. */
bool control_gates_see(struct control_gates *g, const uint64_t *past, const uint64_t *in);

struct control_parts;
/* The unit must outlive it. */
struct control_parts *control_parts_new(const struct unit *u);
void control_parts_free(struct control_parts *p);

/* From now on it has this fault, or GATE_NO_FAULT. */
void control_parts_take(struct control_parts *p, uint32_t fault, bool brute);
/* Its outputs from number `first` on, `count` of them, in `out`, where the RTL's stand. */
void control_parts_answer(struct control_parts *p, int first, int count, const uint64_t *past,
                          const uint64_t *in, uint64_t *out);

#endif
