/* alu_convert.c -- I2I, I2F, F2I and F2F.
 *
 * Every source value (32-bit integers of either sign, f32, f16) is exact in a double, and so are
 * abs, neg, clamping and rounding to an integer there. A conversion is therefore a front end (bits
 * to double), the changes in the middle, and a back end (double to bits); only the last one rounds.
 */
#include "alu_lanes.h"

/* ---- integers to double and back ------------------------------------------------------------- */

/* An integer type in terms of signed words, which vector units can convert: unsigned words are
 * shifted down by 2^31. */
struct integer {
    struct extension extension;
    uint32_t flip;
    double offset;
    double min, max;
    int top; /* 16: flags come from the low half (8-bit results too, extended to it); else 0 */
};

static struct integer integer(int type)
{
    switch (type) {
    case T_U8: return (struct integer){{0xff, 0}, 0, 0, 0, 0xff, 16};
    case T_S8: return (struct integer){{0xff, 0x80}, 0, 0, -0x80, 0x7f, 16};
    case T_U16: return (struct integer){{0xffff, 0}, 0, 0, 0, 0xffff, 16};
    case T_S16: return (struct integer){{0xffff, 0x8000}, 0, 0, -0x8000, 0x7fff, 16};
    case T_S32: return (struct integer){{0xffffffff, 0}, 0, 0, -0x80000000ll, 0x7fffffff, 0};
    default: return (struct integer){{0xffffffff, 0}, 0x80000000u, 0x80000000u, 0, 0xffffffffu, 0};
    }
}

static inline double from_integer(uint32_t x, struct integer t)
{
    return (double)(int32_t)(extend(x, t.extension) ^ t.flip) + t.offset;
}

/* What is outside the type becomes its nearest end. */
static inline double clamp(double v, struct integer t)
{
    v = v < t.min ? t.min : v;
    return v > t.max ? t.max : v;
}

/* v is integral and in range: no NaN, which every source of integers turns into 0 on the way here.
 */
static inline uint32_t to_integer(double v, struct integer t, uint32_t *f)
{
    uint32_t r = (uint32_t)(int32_t)(v - t.offset) ^ t.flip;
    *f = zero_sign(r << t.top);
    return r;
}

/* ---- floats to double ------------------------------------------------------------------------ */

static inline double from_f32(uint32_t x)
{
    return (double)as_float(flush(x));
}

/* Denormal halves are numbers here, unlike denormal floats. The exponent of a half is moved to that
 * of a double. */
static inline double from_f16(uint32_t x)
{
    uint64_t sign = (uint64_t)(x >> 15 & 1) << 63;
    uint32_t fraction = x & 0x3ff, exponent = x >> 10 & 31;
    uint64_t normal = (uint64_t)(exponent + 1008) << 52 | (uint64_t)fraction << 42;
    uint64_t special = 0x7ffull << 52 | (uint64_t)fraction << 42;
    uint64_t denormal = double_bits((double)fraction * 0x1p-24);
    return as_double(sign | (exponent == 31 ? special : exponent ? normal : denormal));
}

/* ---- in the middle --------------------------------------------------------------------------- */

/* abs, then neg, as masks of a double's sign. */
struct wide_sign {
    uint64_t keep, flip;
};

static struct wide_sign wide_sign(const struct isa_operand *o)
{
    return (struct wide_sign){o->abs ? ~(1ull << 63) : ~0ull, o->neg ? 1ull << 63 : 0};
}

static inline double change_sign(double v, struct wide_sign s)
{
    return as_double((double_bits(v) & s.keep) ^ s.flip);
}

/* Whether x < y, for finite numbers, as a mask. A comparison would do, but gcc makes a branch of
 * what depends on it, and the loop stays scalar. */
static inline uint64_t below(double x, double y)
{
    return 0 - (double_bits(x - y + 0.0) >> 63); /* + 0.0: -0 - 0 is -0 */
}

static inline double one_if(uint64_t mask)
{
    return as_double(double_bits(1.0) & mask);
}

/* To an integral value, for |v| < 2^51: adding 1.5 * 2^52 leaves no room for a fraction. Keeps the
 * sign of a zero. */
static inline double round_small(double v, enum isa_round round)
{
    const double shifter = 0x1.8p52;
    const uint64_t sign = 1ull << 63;
    double base = round == RND_RZ ? as_double(double_bits(v) & ~sign) : v;
    double near = base + shifter - shifter;
    if (round == RND_RM || round == RND_RZ)
        near -= one_if(below(base, near));
    if (round == RND_RP)
        near += one_if(below(near, base));
    return as_double((double_bits(near) & ~sign) | (double_bits(v) & sign));
}

/* The same for any v that comes from a float: from 2^40 on it has no fraction. */
static inline double to_integral(double v, enum isa_round round)
{
    uint64_t small = 0 - (uint64_t)(v > -0x1p40 && v < 0x1p40);
    double r = round_small(v, round);
    return as_double((double_bits(r) & small) | (double_bits(v) & ~small));
}

/* ---- double to float ------------------------------------------------------------------------- */

static inline uint32_t to_f32(double v, enum isa_round round)
{
    float nearest = (float)v;
    uint32_t r = float_bits(nearest);
    uint32_t negative = sign_fill(r);
    uint32_t high = (uint32_t)below(v, nearest), low = (uint32_t)below(nearest, v);
    if (round == RND_RZ)
        r += (low & negative) | (high & ~negative); /* -1 is a step towards zero */
    if (round == RND_RM)
        r += high & (negative ? 1 : -1u);
    if (round == RND_RP)
        r += low & (negative ? -1u : 1);
    return r;
}

/* The value in units of `ulp`, made integral, is the encoding: a carry moves into the exponent by
 * itself. Very small values leave no trace, not even when rounding away from zero: the vectors show
 * that up to 2^-36, and the contrary from 2^-28; where the border lies between them is a guess. (No
 * compiler uses f16 here.) */
static inline uint32_t to_f16(double v, enum isa_round round)
{
    uint64_t bits = double_bits(v);
    uint32_t sign = (uint32_t)(bits >> 63) << 15;
    uint32_t exponent = (uint32_t)(bits >> 52) & 0x7ff; /* biased by 1023 */
    if (v != v)
        return 0x7fff;
    if (exponent == 0x7ff)
        return sign | 0x7c00;
    if (exponent < 1023 - 32)
        return sign;
    uint32_t field = exponent > 1009 ? exponent - 1009 : 0; /* lowest normal exponent: 2^-14 */
    double ulp = as_double((uint64_t)((field ? exponent : 1009) - 10) << 52);
    double units = to_integral(v / ulp, round);
    uint32_t r = (uint32_t)(units < 0 ? -units : units) + (field << 10);
    bool to_limit = round == RND_RZ || (round == RND_RM && !sign) || (round == RND_RP && sign);
    if (r >= 0x7c00)
        r = to_limit ? 0x7bff : 0x7c00;
    return sign | r;
}

/* ---- kernels --------------------------------------------------------------------------------- */

static inline uint32_t finished(uint32_t r, bool sat, uint32_t *f)
{
    r = finish(r);
    r = sat ? saturate(r) : r;
    *f = float_flags(r);
    return r;
}

#define SOURCE_INTEGER                                                                             \
    struct integer from = integer(in->stype);                                                      \
    struct wide_sign sign = wide_sign(&in->src[0])
#define INTEGER change_sign(from_integer(a[i], from), sign)

static inline uint32_t widen(uint32_t a, struct extension e, int top, uint32_t *f)
{
    uint32_t r = extend(a, e);
    *f = zero_sign(r << top);
    return r;
}

SM_KERNEL(i2i_widen, struct extension e = integer(in->stype).extension;
          int top = integer(in->type).top, widen(a[i], e, top, &f))
SM_KERNEL(i2i, SOURCE_INTEGER;
          struct integer to = integer(in->type), to_integer(clamp(INTEGER, to), to, &f))

/* Values that pass unchanged need no clamping. */
static sm_alu_fn select_i2i(const struct isa_insn *in)
{
    struct integer from = integer(in->stype), to = integer(in->type);
    bool fits = from.min >= to.min && from.max <= to.max;
    return fits && !in->src[0].neg && !in->src[0].abs ? i2i_widen : i2i;
}

/* A negated zero is -0. */
#define I2F(round) finished(to_f32(INTEGER, round), in->sat, &f)

SM_KERNEL(i2f_rn, SOURCE_INTEGER, I2F(RND_RN))
SM_KERNEL(i2f_rm, SOURCE_INTEGER, I2F(RND_RM))
SM_KERNEL(i2f_rp, SOURCE_INTEGER, I2F(RND_RP))
SM_KERNEL(i2f_rz, SOURCE_INTEGER, I2F(RND_RZ))

#define SOURCE_FLOAT struct wide_sign sign = wide_sign(&in->src[0])
#define F32          change_sign(from_f32(a[i]), sign)
#define F16          change_sign(from_f16(a[i]), sign)
/* NaN becomes 0: what is above infinity, found by subtraction and not by a comparison, see below().
 */
static inline uint32_t number(uint32_t x, uint32_t infinity, uint32_t sign)
{
    return x & ~sign_fill(infinity - (x & (sign - 1)));
}

#define F32_NUMBER change_sign(from_f32(number(a[i], F32_INF, F32_SIGN)), sign)
#define F16_NUMBER change_sign(from_f16(number(a[i], 0x7c00, 0x8000)), sign)
#define F2I                                                                                        \
    SOURCE_FLOAT;                                                                                  \
    struct integer to = integer(in->type)

SM_KERNEL(f2i_rn, F2I, to_integer(round_small(clamp(F32_NUMBER, to), RND_RN), to, &f))
SM_KERNEL(f2i_rm, F2I, to_integer(round_small(clamp(F32_NUMBER, to), RND_RM), to, &f))
SM_KERNEL(f2i_rp, F2I, to_integer(round_small(clamp(F32_NUMBER, to), RND_RP), to, &f))
SM_KERNEL(f2i_rz, F2I, to_integer(round_small(clamp(F32_NUMBER, to), RND_RZ), to, &f))
SM_KERNEL(f2i_f16, F2I, to_integer(round_small(clamp(F16_NUMBER, to), in->rnd), to, &f))

/* f32 to f32 and f16 to f32 are exact, or rounded to an integral value. */
static inline uint32_t float_to_f32(double v, const struct isa_insn *in, uint32_t *f)
{
    if (in->rint)
        v = to_integral(v, in->rnd);
    return finished(float_bits((float)v), in->sat, f);
}

static inline uint32_t float_to_f16(double v, const struct isa_insn *in, uint32_t *f)
{
    if (in->rint)
        v = to_integral(v, in->rnd);
    if (in->sat) {
        v = v < 0.0 ? 0.0 : v;
        v = v > 1.0 ? 1.0 : v;
        v = v == 0.0 ? 0.0 : v;
    }
    uint32_t r = to_f16(v, in->rnd);
    *f = (r & 0x7fff) == 0 ? SM_CC_Z : r >> 15 << 1;
    *f = v != v ? SM_CC_Z | SM_CC_S : *f;
    return r;
}

/* Integers come to f16 through 31 bits: bit 31 of the magnitude is lost, and so is what rounds up
 * to 2^31. (The vectors show the loss from 7fffffe0 on and none at 7fffff80; the border between
 * them is a guess.) */
static inline uint32_t integer_to_f16(double v, const struct isa_insn *in, uint32_t *f)
{
    double sign = v < 0.0 ? -1.0 : 1.0;
    double size = v * sign;
    size = size >= 0x1p31 ? size - 0x1p31 : size;
    size = size >= 0x1p31 - 32.0 ? 0.0 : size;
    return float_to_f16(size * sign, in, f);
}

SM_KERNEL(i2f_f16, SOURCE_INTEGER, integer_to_f16(INTEGER, in, &f))
SM_KERNEL(f2f_f32_f32, SOURCE_FLOAT, float_to_f32(F32, in, &f))
SM_KERNEL(f2f_f32_f16, SOURCE_FLOAT, float_to_f32(F16, in, &f))
SM_KERNEL(f2f_f16_f32, SOURCE_FLOAT, float_to_f16(F32, in, &f))
SM_KERNEL(f2f_f16_f16, SOURCE_FLOAT, float_to_f16(F16, in, &f))

static bool is_integer(int type)
{
    return type <= T_S32;
}

static sm_alu_fn select_i2f(const struct isa_insn *in)
{
    if (!is_integer(in->stype))
        return NULL;
    if (in->type == T_F16)
        return i2f_f16;
    if (in->type != T_F32)
        return NULL;
    switch (in->rnd) {
    case RND_RM: return i2f_rm;
    case RND_RP: return i2f_rp;
    case RND_RZ: return i2f_rz;
    default: return i2f_rn;
    }
}

static sm_alu_fn select_f2i(const struct isa_insn *in)
{
    if (!is_integer(in->type))
        return NULL;
    if (in->stype == T_F16)
        return f2i_f16;
    if (in->stype != T_F32)
        return NULL;
    switch (in->rnd) {
    case RND_RM: return f2i_rm;
    case RND_RP: return f2i_rp;
    case RND_RZ: return f2i_rz;
    default: return f2i_rn;
    }
}

static sm_alu_fn select_f2f(const struct isa_insn *in)
{
    if (in->type == T_F32)
        return in->stype == T_F32 ? f2f_f32_f32 : in->stype == T_F16 ? f2f_f32_f16 : NULL;
    if (in->type == T_F16)
        return in->stype == T_F32 ? f2f_f16_f32 : in->stype == T_F16 ? f2f_f16_f16 : NULL;
    return NULL;
}

sm_alu_fn sm_alu_select_convert(const struct isa_insn *in)
{
    switch (in->op) {
    case OP_I2I: return is_integer(in->type) && is_integer(in->stype) ? select_i2i(in) : NULL;
    case OP_I2F: return select_i2f(in);
    case OP_F2I: return select_f2i(in);
    case OP_F2F: return select_f2f(in);
    default: return NULL;
    }
}
