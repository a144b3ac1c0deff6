/* vector.h -- what the ports of a lane carry: the bits that an arithmetic instruction puts on them,
 * as rtl/sm_execute.sv feeds sm_lane and sm_lane its units.
 *
 * A vector is one cycle of one lane: three words with a place for each bit of each port, and the
 * 36 outputs (d, flags) that an instruction takes (`care`). Two vectors that are equal get the same
 * answer from any faulty unit, as lanes hold no state.
 */
#ifndef FAULTSIM_LANE_VECTOR_H
#define FAULTSIM_LANE_VECTOR_H

#include "faultsim/gate/vectors.h"
#include "sm/gpu/gpu.h"
#include "sm/pins/pins.h"

enum { VECTOR_WORDS = SM_LANE_WORDS, VECTOR_OUTPUTS = SM_LANE_OUT, VECTOR_D_BITS = SM_LANE_D };

/* The inputs of a lane (sm/pins/pins.h), and what is made in sm_lane. */
#define VECTOR_PORTS(X)                                                                            \
    SM_LANE_INPUTS(X)                                                                              \
    X(en, SM_LANE_IN, 1)                                                                           \
    X(truncate, SM_LANE_IN + 1, 1)                                                                 \
    X(ex2, SM_LANE_IN + 2, 1)

enum vector_port {
#define X(name, first, width) VECTOR_##name = first,
    VECTOR_PORTS(X)
#undef X
        VECTOR_CARE = 156 /* care: the last 36 bits */
};

struct vector {
    uint64_t w[VECTOR_WORDS];
};

/* The units of a lane, in the order of sm_lane.sv, and the lane itself. */
enum vector_unit { VECTOR_INT, VECTOR_FP, VECTOR_CVT, VECTOR_SFU, VECTOR_LANE, VECTOR_UNITS };

/* Arithmetic, which takes the lane's answer: moves go past it. */
bool vector_reaches(const struct isa_insn *in);

/* Which unit does an operation; VECTOR_UNITS: it is no arithmetic. */
enum vector_unit vector_unit_of(enum isa_op op);

/* The bits that are the same for all lanes; `en` is that of the unit. */
struct vector vector_of(const struct isa_insn *in, enum vector_unit unit);
/* What sm_lane makes of its ports for the unit: `en` and the ports behind it, which are 0 in v. */
struct vector vector_in_lane(struct vector v, enum vector_unit unit);

/* The outputs that the instruction writes somewhere: bits of d, flags behind them. */
uint64_t vector_written(const struct isa_insn *in);

static inline uint64_t vector_care(const struct vector *v)
{
    return v->w[2] >> (VECTOR_CARE - 128);
}

static inline struct vector vector_with_care(struct vector v, uint64_t care)
{
    v.w[2] |= care << (VECTOR_CARE - 128);
    return v;
}

static inline bool vector_bit(const struct vector *v, unsigned place)
{
    return vectors_bit(v->w, place);
}

static inline enum isa_op vector_op(const struct vector *v)
{
    return (enum isa_op)(v->w[1] >> (VECTOR_op - 64) & 63);
}

static inline struct vector vector_with_operands(struct vector v, uint32_t a, uint32_t b,
                                                 uint32_t c, bool carry)
{
    sm_lane_operands(v.w, a, b, c, carry);
    return v;
}

static inline bool vector_same(const struct vector *x, const struct vector *y)
{
    return !((x->w[0] ^ y->w[0]) | (x->w[1] ^ y->w[1]) | (x->w[2] ^ y->w[2]));
}

/* What a unit settles at: the inputs alone. */
static inline struct vector vector_without_care(struct vector v)
{
    v.w[2] &= (1ull << (VECTOR_CARE - 128)) - 1;
    return v;
}

/* A vector, and behind which inputs it comes: slow gates answer by both. */
struct use {
    struct vector now, before;
};
static inline bool use_same(const struct use *x, const struct use *y)
{
    return vector_same(&x->now, &y->now) && vector_same(&x->before, &y->before);
}

/* In sets of vectors (../gate/vectors.h), of vectors or of uses. */
static inline const struct vector *vector_at(const struct vectors *s, uint32_t number)
{
    return (const struct vector *)vectors_at(s, number);
}
static inline int64_t use_find(const struct vectors *s, const struct use *u)
{
    return vectors_find(s, (const uint64_t *)u);
}
static inline uint32_t use_add(struct vectors *s, const struct use *u, bool *isnew)
{
    return vectors_add(s, (const uint64_t *)u, isnew);
}

#endif
