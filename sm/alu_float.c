/* alu_float.c -- FP32 add, multiply, multiply-add, comparisons, minimum and maximum.
 *
 * The host computes; what differs from IEEE 754 is put around it: denormals are zeros on both sides, there is one NaN,
 * truncating variants are made from the nearest result and the sign of its error, and multiply-add truncates its product.
 * Two exact facts carry this: the product of two floats fits a double, and a double has enough bits (53 >= 2*24 + 2) for
 * the sum of two floats to be rounded twice without harm.
 */
#include "alu_lanes.h"

/* One step towards zero. From infinity that is the largest finite number. */
static inline uint32_t step_to_zero(uint32_t r, bool wanted)
{
    return r - wanted;
}

static inline uint32_t add_nearest(uint32_t a, uint32_t b)
{
    return float_bits(as_float(a) + as_float(b));
}

/* The error of a sum is exact in float when the larger operand is subtracted first (Dekker). Ordered by magnitude, so
 * that no intermediate overflows. */
static inline uint32_t add_truncated(uint32_t a, uint32_t b)
{
    bool swap = less(a & ~F32_SIGN, b & ~F32_SIGN);
    uint32_t big = swap ? b : a;
    uint32_t small = swap ? a : b;
    uint32_t sum = add_nearest(a, b);
    float error = as_float(small) - (as_float(sum) - as_float(big));
    bool overshot = ((sum >> 31 ^ float_bits(error) >> 31) != 0) & (error < 0.0f || error > 0.0f);
    bool overflow = ((sum & ~F32_SIGN) == F32_INF) & less(big & ~F32_SIGN, F32_INF);
    return step_to_zero(sum, overshot | overflow);
}

static inline uint32_t fadd_nearest(uint32_t a, uint32_t b, uint32_t *f)
{
    uint32_t r = finish(add_nearest(flush(a), flush(b)));
    *f = float_flags(r);
    return r;
}

static inline uint32_t fadd_truncated(uint32_t a, uint32_t b, uint32_t *f)
{
    uint32_t r = finish(add_truncated(flush(a), flush(b)));
    *f = float_flags(r);
    return r;
}

static inline uint32_t clamped(uint32_t r, uint32_t *f)
{
    r = saturate(r);
    *f = float_flags(r);
    return r;
}

#define SIGNS struct sign_change sa = sign_change(&in->src[0]), sb = sign_change(&in->src[1])
#define A     apply(a[i], sa)
#define B     apply(b[i], sb)

SM_KERNEL(fadd_plain, , fadd_nearest(a[i], b[i], &f))
SM_KERNEL(fadd_rn, SIGNS, fadd_nearest(A, B, &f))
SM_KERNEL(fadd_rz, SIGNS, fadd_truncated(A, B, &f))
SM_KERNEL(fadd_rn_sat, SIGNS, clamped(fadd_nearest(A, B, &f), &f))
SM_KERNEL(fadd_rz_sat, SIGNS, clamped(fadd_truncated(A, B, &f), &f))

static sm_alu_fn select_fadd(const struct isa_insn *in)
{
    if (in->rnd == RND_RZ)
        return in->sat ? fadd_rz_sat : fadd_rz;
    if (in->sat)
        return fadd_rn_sat;
    bool plain = !in->src[0].neg && !in->src[1].neg && !in->src[0].abs && !in->src[1].abs;
    return plain ? fadd_plain : fadd_rn;
}

/* Whether a result is flushed is decided after rounding to 24 bits without a lower limit of the exponent. The host has
 * that limit and rounds what is just below 2^-126 up to it, so a quadruple of the result has to tell. */
#define TINY 0x01800000u /* 2^-124 */

static inline uint32_t keep_unless_tiny(float quadruple)
{
    return ones_if(!less(float_bits(quadruple) & ~F32_SIGN, TINY));
}

static inline uint32_t fmul_nearest(uint32_t a, uint32_t b, uint32_t *f)
{
    float x = as_float(flush(a)), y = as_float(flush(b));
    uint32_t r = float_bits(x * y) & (keep_unless_tiny(x * 4.0f * y) | F32_SIGN);
    r = is_nan(r) ? F32_NAN : r;
    *f = float_flags(r);
    return r;
}

static inline uint32_t fmul_truncated(uint32_t a, uint32_t b, uint32_t *f)
{
    double exact = (double)as_float(flush(a)) * (double)as_float(flush(b));
    float nearest = (float)exact;
    double size = as_double(double_bits(exact) & ~(1ull << 63));
    double nearest_size = as_double(double_bits((double)nearest) & ~(1ull << 63));
    bool overshot = (nearest_size > size);
    uint32_t r = finish(step_to_zero(float_bits(nearest), overshot));
    *f = float_flags(r);
    return r;
}

SM_KERNEL(fmul_rn, SIGNS, fmul_nearest(A, B, &f))
SM_KERNEL(fmul_rz, SIGNS, fmul_truncated(A, B, &f))

/* a * b + c. The product keeps 24 significant bits, the rest is cut off, and an overflowing product is an infinity; with
 * c zero it is rounded instead, and flushed before c is added, so that -tiny + 0 is +0. */
static inline uint32_t multiply_add(uint32_t a, uint32_t b, uint32_t c, uint32_t *f)
{
    double addend = (double)as_float(flush(c));
    double exact = (double)as_float(flush(a)) * (double)as_float(flush(b));
    uint64_t cut = double_bits(exact) & ~0x1fffffffull;
    uint64_t infinite = (cut & 1ull << 63) | 0x7ffull << 52;
    double size = as_double(cut & ~(1ull << 63));
    double product = as_double(size >= 0x1p128 ? infinite : cut);
    double sum = (addend < 0.0) | (addend > 0.0) ? product + addend : exact + addend;
    uint32_t sign = F32_SIGN & (c | ones_if((c & F32_INF) != 0));
    uint32_t r = float_bits((float)sum) & (keep_unless_tiny((float)(sum * 4.0)) | sign);
    r = is_nan(r) ? F32_NAN : r;
    *f = float_flags(r);
    return r;
}

#define PRODUCT_SIGNS                                                                              \
    uint32_t sp = in->src[0].neg ? F32_SIGN : 0;                                                   \
    uint32_t sc = in->src[2].neg ? F32_SIGN : 0

SM_KERNEL(fmad, PRODUCT_SIGNS, multiply_add(a[i] ^ sp, b[i], c[i] ^ sc, &f))
SM_KERNEL(fmad_sat, PRODUCT_SIGNS, clamped(multiply_add(a[i] ^ sp, b[i], c[i] ^ sc, &f), &f))

/* Floats in an order that a signed integer comparison understands: -0 and 0 are equal, NaN is not considered. */
static inline uint32_t rank(uint32_t flushed)
{
    uint32_t size = flushed & ~F32_SIGN;
    uint32_t negative = sign_fill(flushed);
    return (size ^ negative) - negative;
}

struct float_outcomes {
    uint32_t lt, eq, gt, un;
};

static inline uint32_t compare_floats(uint32_t a, uint32_t b, struct float_outcomes t, uint32_t *f)
{
    uint32_t x = rank(flush(a)), y = rank(flush(b));
    uint32_t unordered = ones_if(is_nan(a) | is_nan(b));
    uint32_t r = (ones_if(less(x, y)) & t.lt) | (ones_if(x == y) & t.eq) |
                 (ones_if(less(y, x)) & t.gt);
    r = (r & ~unordered) | (t.un & unordered);
    *f = zero_sign(r);
    return r;
}

SM_KERNEL(fset, SIGNS; struct float_outcomes t = ((struct float_outcomes){
                           ones_if(in->cmp & CMP_LT), ones_if(in->cmp &CMP_EQ),
                           ones_if(in->cmp &CMP_GT), ones_if(in->cmp &CMP_UN)}),
                       compare_floats(A, B, t, &f))

/* The same with -0 below 0. */
static inline uint32_t strict_rank(uint32_t flushed)
{
    return flushed ^ (sign_fill(flushed) & ~F32_SIGN);
}

/* A NaN loses against a number. */
static inline uint32_t lesser(uint32_t a, uint32_t b, uint32_t flip, uint32_t *f)
{
    uint32_t x = flush(a), y = flush(b);
    bool second = less(strict_rank(y) ^ flip, strict_rank(x) ^ flip);
    uint32_t r = second ? y : x;
    r = is_nan(x) ? y : is_nan(y) ? x : r;
    r = finish(r);
    *f = float_flags(r);
    return r;
}

/* Complementing both ranks turns the order round. */
SM_KERNEL(fmin_f32, SIGNS, lesser(A, B, 0, &f))
SM_KERNEL(fmax_f32, SIGNS, lesser(A, B, 0xffffffffu, &f))

/* a where c >= 0, else b: moved, not computed, so a and b keep their bits; a NaN in c picks b. */
static inline uint32_t select_by_float(uint32_t a, uint32_t b, uint32_t c, uint32_t *f)
{
    bool first = !less(rank(flush(c)), 0) & !is_nan(c);
    uint32_t r = first ? a : b;
    *f = (r & ~F32_SIGN) == 0 ? SM_CC_Z : r >> 31 << 1;
    return r;
}

SM_KERNEL(fcmp, uint32_t sc = in->src[2].neg ? F32_SIGN : 0,
          select_by_float(a[i], b[i], c[i] ^ sc, &f))

sm_alu_fn sm_alu_select_float(const struct isa_insn *in)
{
    switch (in->op) {
    case OP_FADD: return select_fadd(in);
    case OP_FMUL: return in->rnd == RND_RZ ? fmul_rz : fmul_rn;
    case OP_FMAD: return in->sat ? fmad_sat : fmad;
    case OP_FSET: return fset;
    case OP_FMIN: return fmin_f32;
    case OP_FMAX: return fmax_f32;
    case OP_FCMP: return fcmp;
    default: return NULL;
    }
}
