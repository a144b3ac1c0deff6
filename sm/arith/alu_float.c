/* alu_float.c -- FP32 add, multiply, multiply-add, comparisons, minimum and maximum.
 *
 * The host computes; what differs from IEEE 754 is put around it: denormals are zeros on both
 * sides, there is one NaN, truncating variants are made from the nearest result and the sign of its
 * error, and multiply-add truncates its product. Two exact facts carry this: the product of two
 * floats fits a double, and a double has enough bits (53 >= 2*24 + 2) for the sum of two floats to
 * be rounded twice without harm.
 */
#include "alu_lanes.h"

static inline uint32_t add_nearest(uint32_t a, uint32_t b)
{
    return float_bits(as_float(a) + as_float(b));
}

static inline bool is_finite(uint32_t x)
{
    return (x & F32_INF) != F32_INF;
}

/* A truncated sum is the nearest one, or the next number towards zero when that overshot: when the
 * error, which points from the rounded to the exact sum, points towards zero. The error of a float
 * sum is exact when the larger operand is subtracted first (Dekker); no intermediate overflows. An
 * overflow is one step from the largest finite number. */
static inline uint32_t add_truncated(uint32_t a, uint32_t b)
{
    bool swap = less(a & ~F32_SIGN, b & ~F32_SIGN);
    uint32_t big = swap ? b : a;
    uint32_t small = swap ? a : b;
    uint32_t sum = add_nearest(a, b);
    uint32_t error = float_bits(as_float(small) - (as_float(sum) - as_float(big)));
    uint32_t opposite = (sum ^ error) >> 31;
    uint32_t overshot = is_finite(sum) & ((error & ~F32_SIGN) != 0) & opposite;
    uint32_t overflow = ((sum & ~F32_SIGN) == F32_INF) & is_finite(big);
    return sum - (overshot | overflow);
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

/* Whether a result is flushed is decided after rounding to 24 bits without a lower limit of the
 * exponent. The host has that limit and rounds what is just below 2^-126 up to it, so a quadruple
 * of the result has to tell. */
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

/* As for the sum; the error is scaled up to be in a float's range wherever the product is. */
static inline uint32_t fmul_truncated(uint32_t a, uint32_t b, uint32_t *f)
{
    double exact = (double)as_float(flush(a)) * (double)as_float(flush(b));
    float nearest = (float)exact;
    uint32_t r = float_bits(nearest);
    uint32_t excess = float_bits((float)(((double)nearest - exact) * 0x1p100));
    uint32_t same_sign = ~(r ^ excess) >> 31;
    uint32_t overshot = ((excess & ~F32_SIGN) != 0) & !is_nan(excess) & same_sign;
    r = finish(r - overshot);
    *f = float_flags(r);
    return r;
}

SM_KERNEL(fmul_rn, SIGNS, fmul_nearest(A, B, &f))
SM_KERNEL(fmul_rz, SIGNS, fmul_truncated(A, B, &f))

/* a * b + c. The product keeps 24 significant bits; an overflowing one is infinite, which computing
 * it 2^896 times too large does by itself. With c zero the product is rounded instead, and flushed
 * before c is added: -tiny + 0 is +0. */
static inline uint32_t multiply_add(uint32_t a, uint32_t b, uint32_t c, uint32_t *f)
{
    uint32_t zero = ones_if((c & F32_INF) == 0);
    uint64_t keep = ~0x1fffffffull | (uint64_t)(int32_t)zero;
    double large = (double)as_float(flush(a)) * 0x1p896 * (double)as_float(flush(b));
    double product = as_double(double_bits(large) & keep) * 0x1p-896;
    double sum = product + (double)as_float(flush(c));
    uint32_t r = float_bits((float)sum) &
                 (keep_unless_tiny((float)(sum * 4.0)) | (F32_SIGN & (c | ~zero)));
    r = is_nan(r) ? F32_NAN : r;
    *f = float_flags(r);
    return r;
}

#define PRODUCT_SIGNS                                                                              \
    uint32_t sp = in->src[0].neg ? F32_SIGN : 0;                                                   \
    uint32_t sc = in->src[2].neg ? F32_SIGN : 0

SM_KERNEL(fmad, PRODUCT_SIGNS, multiply_add(a[i] ^ sp, b[i], c[i] ^ sc, &f))
SM_KERNEL(fmad_sat, PRODUCT_SIGNS, clamped(multiply_add(a[i] ^ sp, b[i], c[i] ^ sc, &f), &f))

/* The same for products of middling size, in less than half the time where the host multiplies and adds
 * without rounding between: that gives the error of the rounded product, so whether it overshot.
 * `rare` becomes more than MIDDLING when the product of the magnitudes is not zero and outside 2^-100 ..
 * 2^127: then it or its error may not fit a float, or the sum may be tiny; so it does when the sum is a NaN. A
 * factor below 2^-126 counts as zero; so does c, and then the product stays rounded. */
enum { LEAST = 0x0d800000, MIDDLING = 0x7effffff - LEAST };

static inline uint32_t greater_of(uint32_t x, uint32_t y)
{
    return x > y ? x : y;
}

static inline uint32_t multiply_add_fused(uint32_t a, uint32_t b, uint32_t sign, uint32_t c,
                                          uint32_t *rare)
{
    uint32_t x = a & ~F32_SIGN, y = b & ~F32_SIGN;
    uint32_t zero = sign_fill((x < y ? x : y) - 0x00800000), c_zero = ones_if((c & F32_INF) == 0);
    float nearest = as_float(x) * as_float(y);
    float error = __builtin_fmaf(as_float(x), as_float(y), -nearest);
    uint32_t r = float_bits(nearest);
    const uint32_t above = (r | (zero & LEAST)) - LEAST;
    r = (r + (sign_fill(float_bits(error)) & ~c_zero)) & ~zero;
    r |= (a ^ b ^ sign) & F32_SIGN;
    const float sum = as_float(r) + as_float(c & ~(c_zero & ~F32_SIGN));
    *rare = greater_of(*rare, above | ones_if(sum != sum));
    return float_bits(sum);
}

SM_FUSED static void fmad_fused(const struct isa_insn *in, const uint32_t *a, const uint32_t *b,
                                const uint32_t *c, const uint8_t *cc, uint32_t *d, uint8_t *flags)
{
    PRODUCT_SIGNS;
    uint32_t r[LANES], rare = 0;
    LANES_ROLLED for (int i = 0; i < LANES; i++)
    {
        r[i] = multiply_add_fused(a[i], b[i], sp, c[i] ^ sc, &rare);
    }
    if (rare > MIDDLING || flags)
        fmad(in, a, b, c, cc, d, flags);
    else
        lanes_copy(d, r);
}

/* Floats in an order that a signed integer comparison understands: -0 and 0 are equal, NaN is not
 * considered. */
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
    uint32_t unordered = ones_if(is_nan(a)) | ones_if(is_nan(b));
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
    uint32_t second = sign_fill(rank(flush(c))) | ones_if(is_nan(c));
    uint32_t r = (b & second) | (a & ~second);
    *f = (r & ~F32_SIGN) == 0 ? SM_CC_Z : r >> 31 << 1;
    return r;
}

SM_KERNEL(fcmp, uint32_t sc = in->src[2].neg ? F32_SIGN : 0,
          select_by_float(a[i], b[i], c[i] ^ sc, &f))

sm_alu_fn sm_alu_select_float(const struct isa_insn *in)
{
    bool has_fused = lanes_have_fused();
    switch (in->op) {
    case OP_FADD: return select_fadd(in);
    case OP_FMUL: return in->rnd == RND_RZ ? fmul_rz : fmul_rn;
    case OP_FMAD: return in->sat ? fmad_sat : has_fused ? fmad_fused : fmad;
    case OP_FSET: return fset;
    case OP_FMIN: return fmin_f32;
    case OP_FMAX: return fmax_f32;
    case OP_FCMP: return fcmp;
    default: return NULL;
    }
}
