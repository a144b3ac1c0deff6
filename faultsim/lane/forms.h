/* forms.h -- an instruction for each control word of a unit, with operands that a self-test can give.
 *
 * A control word has many instructions. Here it has one: all operands in registers (R1, R2, R3, or their lower
 * halves), the result in R16, the flags in C0, the carry that comes in from C2, which a self-test keeps at 0, or
 * C3, which it keeps at 1 (every operation sees it, also those that ignore it), and the first operand in shared memory where the same control
 * word allows that, with an address that goes on by itself: then it costs no instruction to fetch it.
 */
#ifndef FAULTSIM_LANE_FORMS_H
#define FAULTSIM_LANE_FORMS_H

#include "lane.h"

enum form_operand { FORM_NONE, FORM_WORD, FORM_HALF, FORM_FIXED /* an immediate */ };

struct form {
    struct isa_insn in;
    struct vector word; /* what it puts on the unit's inputs, operands left out */
    uint64_t written;   /* outputs: bits of d, flags behind them */
    uint8_t operand[3]; /* enum form_operand of a, b, c */
    bool memory;        /* `a` comes from shared memory */
    bool
        immediate; /* b is `value`; the carry comes from C0, as the form has no other; c, if any, from R16 */
    uint32_t value;
    char text[2][96]; /* as sasm reads it; by the carry that comes in */
};

struct forms {
    struct form
        *form; /* [count], number i for word i of `words`; behind them those with immediates */
    uint32_t count, room;
    struct vectors words;
};

/* All of a unit. */
struct forms forms_of(const struct unit *u);
void forms_free(struct forms *f);

/* The form whose control word the vector has, or -1; also where the form cannot give its operands. */
int64_t forms_find(const struct forms *f, const struct unit *u, const struct vector *v);

/* Adds the form of the control word with b as an immediate, for values that no half register holds. The number of
 * the form, which may be there already, or -1. */
int64_t forms_immediate(struct forms *f, const struct unit *u, const struct vector *v);

#endif
