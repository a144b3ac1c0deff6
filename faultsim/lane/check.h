/* check.h -- netlists held against the C model on random instructions and operands. */
#ifndef FAULTSIM_LANE_CHECK_H
#define FAULTSIM_LANE_CHECK_H

#include "lane.h"

/* `vectors` of them, of all operations of the unit and, one in eight, of others, whose answer is 0.
 * -1: the first one that differs is told. */
int check_unit(const struct unit *u, uint64_t vectors, uint64_t seed, struct fl_err *err);

/* All of them, with the same seed: the `vet` of unit_kind. */
int check_all(const struct unit *u, int units, uint64_t vectors, struct fl_err *err);

/* An arithmetic instruction that the decoder makes, each operation as likely as any other; operands
 * that are random, or values that arithmetic finds hard. */
struct check_source {
    uint64_t seed;
    /* of each operation some that random words of its rows decode to */
    struct check_insn {
        struct isa_insn in;
        uint32_t lo, hi;
    } * insn[OP_COUNT];
    uint32_t count[OP_COUNT], room[OP_COUNT];
};
void check_source_start(struct check_source *s, uint64_t seed);
void check_source_end(struct check_source *s);
/* One of an operation of the unit (VECTOR_LANE: of any), or of other units. */
const struct check_insn *check_insn(struct check_source *s, enum vector_unit unit, bool other);
uint32_t check_operand(struct check_source *s);

#endif
