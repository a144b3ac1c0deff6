/* registers.h -- the registers that a unit stands before: what they hold is an input of its netlist, NAME.q, and
 * what they take is an output, NAME.d, made by a multiplexer a bit that keeps what is there unless the register is
 * enabled.
 *
 * The registers themselves stay in the RTL. These multiplexers are a part of them, and no place for a fault but for
 * what comes in to be taken. A register whose output is stuck is one that takes nothing else, and never held
 * anything else.
 */
#ifndef FAULTSIM_GATE_REGISTERS_H
#define FAULTSIM_GATE_REGISTERS_H

#include "faultsim/machine/engine.h"
#include "gate/sim.h"
#include "sm/pins/pins.h"

struct held_register {
    char *path; /* in the RTL, below the SM: "pipe.x_a_q" */
    uint32_t input, output, bits;
};

/* The bits of all of them are inputs in a row. */
struct registers {
    struct held_register *reg;
    uint32_t count, input, bits;
    uint32_t *taken;    /* [bits] the output that each bit takes */
    uint32_t *input_of; /* [outputs] and the other way */
};

/* Those of a netlist, of the instance `of` in the RTL; NULL: it has none. -1: see err. */
int registers_find(const struct gate_netlist *n, const char *of, struct registers **out,
                   struct fl_err *err);
void registers_free(struct registers *r);
/* Is the net the multiplexer of a register? */
bool registers_has(const struct registers *r, const struct gate_netlist *n, uint32_t net);
/* Without those inside of registers. What is slow at the output of one does not show in what it takes: there is none
 * of these either. */
struct gate_faults *registers_faults(const struct registers *r, const struct gate_netlist *n,
                                     const struct gate_faults *f);
/* The fault that does in the netlist what this one does to the machine; `*bit`: which bit it also changes at
 * the start of a run, or UINT32_MAX. */
uint32_t registers_fault(const struct registers *r, const struct gate_netlist *n, uint32_t fault,
                         uint32_t *bit);

/* Where a bit stands in a machine. */
struct spot {
    uint8_t *byte, mask;
};
static inline bool spot_is(const struct spot *s)
{
    return *s->byte & s->mask;
}
/* Returns whether it was the other value. */
static inline bool spot_set(const struct spot *s, bool value)
{
    const bool other = spot_is(s) != value;
    if (other)
        *s->byte ^= s->mask;
    return other;
}

/* Inputs of one word that gates read, and where they come from: bits of a byte of a register, or of a word of the pins,
 * all moved by as much. */
struct slice {
    const uint8_t *byte; /* NULL: of the pins */
    uint32_t pins, word;
    int shift;
    uint64_t mask; /* in the word of the inputs */
};
struct slices {
    struct slice *slice;
    uint32_t count, room;
};

/* Gates that stand before the registers of a machine. Of the unit's inputs they gather what they read. */
struct register_inputs {
    const struct registers *of; /* or NULL: it does not */
    struct spot *spot;          /* [bits] */
    struct slices held, pins;
    uint64_t in[SM_CONTROL_WORDS]; /* what is not read is 0 */
};
/* -1: the machine has not these registers. */
int register_inputs_open(struct register_inputs *s, const struct registers *of, struct dut *m,
                         struct fl_err *err);
void register_inputs_close(struct register_inputs *s);
/* The gates as they are focused now; of what they read nothing is known yet. */
void register_inputs_focus(struct register_inputs *s, const struct gate_group *gates);
/* Before an edge: what registers hold. Then at it: what stands at the pins. */
void register_inputs_hold(struct register_inputs *s);
void register_inputs_see(struct register_inputs *s, const uint64_t *seen);
static inline struct spot *register_inputs_taker(const struct register_inputs *s, uint32_t output)
{
    return &s->spot[s->of->input_of[output] - s->of->input];
}

#endif
