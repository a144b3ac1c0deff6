/* vector.c -- the bits on the ports of a lane. See vector.h. */
#include "vector.h"

bool vector_reaches(const struct isa_insn *in)
{
    return in->op != OP_MOV && in->op != OP_MVC && sm_alu_select(in) != NULL;
}

enum vector_unit vector_unit_of(enum isa_op op)
{
    switch (op) {
    case OP_MOV:
    case OP_MVC:
    case OP_IADD:
    case OP_IMUL:
    case OP_IMAD:
    case OP_ISAD:
    case OP_IMIN:
    case OP_IMAX:
    case OP_ISET:
    case OP_SHL:
    case OP_SHR:
    case OP_LOP: return VECTOR_INT;
    case OP_FADD:
    case OP_FMUL:
    case OP_FMAD:
    case OP_FMIN:
    case OP_FMAX:
    case OP_FSET:
    case OP_FCMP: return VECTOR_FP;
    case OP_I2I:
    case OP_I2F:
    case OP_F2I:
    case OP_F2F: return VECTOR_CVT;
    case OP_RRO:
    case OP_RCP:
    case OP_RSQ:
    case OP_LG2:
    case OP_SIN:
    case OP_COS:
    case OP_EX2: return VECTOR_SFU;
    default: return VECTOR_UNITS;
    }
}

static uint32_t get(const struct vector *v, enum vector_port place, unsigned width)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < width; i++)
        value |= (uint32_t)vector_bit(v, place + i) << i;
    return value;
}

struct vector vector_of(const struct isa_insn *in, enum vector_unit unit)
{
    struct vector v;
    sm_lane_insn(in, v.w);
    return vector_in_lane(v, unit);
}

struct vector vector_in_lane(struct vector v, enum vector_unit unit)
{
    sm_pin_put(v.w, VECTOR_en, 1, vector_unit_of((enum isa_op)get(&v, VECTOR_op, 6)) == unit);
    sm_pin_put(v.w, VECTOR_truncate, 1, get(&v, VECTOR_rnd, 2) == RND_RZ);
    sm_pin_put(v.w, VECTOR_ex2, 1, get(&v, VECTOR_subop, 3) == RRO_EX2);
    return v;
}

uint64_t vector_written(const struct isa_insn *in)
{
    uint64_t d = in->dst.kind == ISA_R ? 0xffffffff : in->dst.kind == ISA_RH ? 0xffff : 0;
    return d | (in->cc_dst >= 0 ? 15ull << VECTOR_D_BITS : 0);
}
