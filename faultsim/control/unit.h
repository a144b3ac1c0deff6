/* unit.h -- a unit of an SM's control as gates: its netlist and its faults.
 *
 * The units are those of sm_control_pins (sm/pins/pins.h), without state of their own: what the scheduler
 * remembers is an input of its gates, and what it will remember an output. So are the pins of arrays. A netlist holds for one profile.
 */
#ifndef FAULTSIM_CONTROL_UNIT_H
#define FAULTSIM_CONTROL_UNIT_H

#include "registers.h"
#include "sm/pins/pins.h"

struct control_unit {
    enum sm_control which;
    struct gate_netlist *netlist; /* at most SM_CONTROL_BITS inputs and outputs, no flip-flop */
    struct gate_faults *faults;
    uint32_t in_words, out_words; /* of 64 bits: a vector, an answer */
    /* Or NULL. Its outputs are what these take, and nothing else. */
    struct control_registers *registers;
    /* It sees data, so that hardly a vector comes twice: nothing is kept, only what faults can change is
     * evaluated, over what the RTL answers. */
    bool sees_data;
    const char *doubt; /* why it is not known to be the RTL of this build; NULL: it is proved */
};

const char *control_unit_name(enum sm_control which);
/* -1: no unit is called so. */
int control_unit_find(const char *name);
/* Is it called so, or does it belong to what is: `control`, the units that decide, `ports`, what stands around
 * arrays, or `pipeline`, what moves instructions on? */
bool control_unit_is(enum sm_control which, const char *name);

/* Reads the netlist of a unit, a file that scripts/gates has made. */
int control_unit_open(const char *path, enum sm_control which, struct control_unit *out,
                      struct fl_err *err);
/* Which faults it has; at first they are stuck-at. */
void control_unit_choose(struct control_unit *u, enum gate_model model);
/* Its answer hangs on what it saw in the cycle before, too. */
static inline bool control_unit_slow(const struct control_unit *u)
{
    return u->faults->model == GATE_TRANSITION;
}
void control_unit_close(struct control_unit *u);

/* gate/flow/n12.1:sa0 */
enum { CONTROL_ID = 64 };
void control_fault_id(const struct control_unit *u, uint32_t fault, char out[CONTROL_ID]);

#endif
