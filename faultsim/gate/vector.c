/* vector.c -- the bits on the ports of a lane. See vector.h. */
#include "vector.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"

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

static uint64_t hash(const struct vector *v)
{
    return fl_random_mix(v->w[0] ^ fl_random_mix(v->w[1] ^ fl_random_mix(v->w[2])));
}

/* Where it stands, or where it would. */
static uint32_t place(const struct vector_set *s, const struct vector *v,
                      const struct vector *before)
{
    uint64_t mixed = hash(v) ^ (s->pairs ? 3 * hash(before) : 0);
    uint32_t at = (uint32_t)mixed & (s->slots - 1);
    while (s->slot[at] && !(vector_same(&s->vector[s->slot[at] - 1], v) &&
                            (!s->pairs || vector_same(&s->before[s->slot[at] - 1], before))))
        at = (at + 1) & (s->slots - 1);
    return at;
}

static uint32_t place_of(const struct vector_set *s, uint32_t i)
{
    return place(s, &s->vector[i], s->pairs ? &s->before[i] : NULL);
}

int64_t use_find(const struct vector_set *s, const struct use *u)
{
    return s->slots ? (int64_t)s->slot[place(s, &u->now, &u->before)] - 1 : -1;
}

uint32_t use_add(struct vector_set *s, const struct use *u)
{
    uint32_t had = s->room;
    FL_ROOM(s->vector, s->count, s->room, 256);
    if (s->pairs && s->room > had)
        s->before = fl_grow(s->before, s->room, sizeof *s->before);
    if (2 * s->room > s->slots) {
        s->slots = 2 * s->room;
        free(s->slot);
        s->slot = fl_alloc(s->slots * sizeof *s->slot);
        for (uint32_t i = 0; i < s->count; i++)
            s->slot[place_of(s, i)] = i + 1;
    }
    s->slot[place(s, &u->now, &u->before)] = s->count + 1;
    s->vector[s->count] = u->now;
    if (s->pairs)
        s->before[s->count] = u->before;
    return s->count++;
}

/* The newest first: each then ends its row of slots, and no other is behind it. */
void vector_forget(struct vector_set *s, uint32_t count)
{
    if (count < s->count / 4) {
        memset(s->slot, 0, s->slots * sizeof *s->slot);
        s->count = 0;
        for (; s->count < count; s->count++)
            s->slot[place_of(s, s->count)] = s->count + 1;
    }
    for (; s->count > count; s->count--)
        s->slot[place_of(s, s->count - 1)] = 0;
}

void vector_set_free(struct vector_set *s)
{
    free(s->vector);
    free(s->before);
    free(s->slot);
    *s = (struct vector_set){.pairs = s->pairs};
}
