/* constraints.h -- what the ports of a unit can hold in any program, as relations for the proofs of
 * gate/prove/prove.h.
 *
 * The decoder makes each control word of an arithmetic instruction; there are some thousands, so
 * all of them are made: every row of the instruction table with every value of the bits that choose
 * among them. What an operand can be follows from where it comes from: a half register or an
 * operand in memory is extended, one that the instruction does not have is 0. The relations are
 * those of all words together, and no other control word keeps to them.
 */
#ifndef FAULTSIM_LANE_CONSTRAINTS_H
#define FAULTSIM_LANE_CONSTRAINTS_H

#include "gate/prove/constrain.h"
#include "lane.h"

/* The bits of a row that choose what the ports get. All other bits are 0, or 1 in immediates, whose
 * widest value counts; that they change nothing else is held by random words (constraints_hold). */
struct isa_row;
uint64_t constraints_choosers(const struct isa_row *row, uint64_t *immediates);

/* The text of a file that gate_constraints_read takes. Returns the number of control words. */
uint32_t constraints_print(const struct unit *u, struct fl_buf *out);

/* Vectors of `count` instructions that the decoder makes of random words of all rows, with random
 * operands as they are fetched. -1: one does not keep to the constraints, or writes an output that they
 * do not watch; the message has the line and the instruction. `set` gets the vectors; it may be NULL. */
int constraints_hold(const struct unit *u, const struct gate_constraints *c, uint64_t count,
                     uint64_t seed, struct vectors *set, struct fl_err *err);
/* The same for all that a unit saw in runs. */
int constraints_hold_in(const struct trace *t, const struct gate_constraints *c,
                        struct fl_err *err);

/* Vectors as a file of patterns for the unit's netlist. */
void constraints_patterns(const struct unit *u, const struct vectors *set, struct fl_buf *out);

#endif
