/* unit.h -- a unit of the lanes as gates: its netlist, its faults, and which of its pins is which
 * bit of a vector.
 *
 * Beside UNIT.blif lies UNIT.proved when scripts/gates has proved the netlist equal to the RTL: a line
 * `netlist SHA256` of the file and a line `rtl SHA256` of the sources of the lane, one behind the other.
 */
#ifndef FAULTSIM_GATE_UNIT_H
#define FAULTSIM_GATE_UNIT_H

#include "gate/sim.h"
#include "vector.h"

struct unit {
    enum vector_unit which;
    struct gate_netlist *netlist;
    struct gate_faults *faults;
    uint8_t *place;     /* of each input, in a vector */
    uint8_t *output;    /* of each output: bit of d, or VECTOR_D_BITS + bit of flags */
    struct vector used; /* the places that are inputs, and all of care */
    const char *doubt;  /* why it is not known to be the RTL of this build; NULL: it is proved */
};

/* "alu_int" ...; NULL: no such unit. */
const char *unit_name(enum vector_unit which);
/* -1: no unit is called so. */
int unit_find(const char *name, struct fl_err *err);

/* Reads the netlist of a unit, a file that scripts/gates has made. Refuses one whose ports are not
 * those of the unit, and one with flip-flops. Its faults are stuck-at faults. */
int unit_open(const char *path, enum vector_unit which, struct unit *out, struct fl_err *err);
/* Faults of another model. */
void unit_choose(struct unit *u, enum gate_model model);
void unit_close(struct unit *u);

/* Why the netlist in this file is not known to be made of the RTL with this SHA-256, by the proof beside it;
 * NULL: it is. */
const char *unit_doubt(const char *path, const char *rtl);

/* No other unit of the lane says anything: those that are not enabled give zeros. */
static inline bool unit_alone(const struct unit *u, const struct vector *v)
{
    return u->which == VECTOR_LANE || vector_bit(v, VECTOR_en);
}

/* What instruction and operands put on the unit's inputs; `good`: what the C model makes of it in
 * this lane, d below, flags from bit VECTOR_D_BITS on. `insn` is vector_of the instruction. What
 * other units of the lane hold at 1 hides what this one says: they are joined by an OR. */
static inline struct vector unit_vector(const struct unit *u, struct vector insn, uint64_t written,
                                        uint64_t good)
{
    bool alone = unit_alone(u, &insn);
    for (int i = 0; i < VECTOR_WORDS; i++)
        insn.w[i] &= u->used.w[i];
    return vector_with_care(insn, alone ? written : written & ~good);
}

/* The netlist's inputs, input i in bit i % 64 of word i / 64. */
void unit_inputs(const struct unit *u, const struct vector *v, uint64_t *inputs);
static inline uint32_t unit_input_words(const struct unit *u)
{
    return (u->netlist->inputs + 63) / 64;
}

/* Slow gates answer by what the unit had before, too. */
static inline bool unit_slow(const struct unit *u)
{
    return u->faults->model == GATE_TRANSITION;
}

/* What a unit has behind it: the inputs of its last use. */
struct unit_past {
    struct vector inputs;
    bool any;
};
/* The next use: a vector behind those inputs. Behind nothing is behind its own inputs, where no gate
 * moves. */
static inline struct use unit_next(const struct unit *u, struct unit_past *p, struct vector v)
{
    struct use use = {.now = v};
    if (unit_slow(u)) {
        v = vector_without_care(v);
        use.before = p->any ? p->inputs : v;
        *p = (struct unit_past){v, true};
    }
    return use;
}

/* So many vectors become patterns of a simulator, in pairs behind those of `before` unless that is
 * NULL; `source` has room for its words of each input. */
void unit_load(const struct unit *u, struct gate_sim *sim, const struct vector *v,
               const struct vector *before, uint32_t count, uint64_t *source);
/* d and flags that the unit without a fault gives to a pattern. */
uint64_t unit_result(const struct unit *u, struct gate_sim *sim, uint32_t pattern);

/* gate/UNIT.spN/n12.1:sa0, without .spN when sp is -1; `out` has room for UNIT_ID. */
enum { UNIT_ID = 64 };
void unit_fault_id(const struct unit *u, int sp, uint32_t fault, char out[UNIT_ID]);

#endif
