/* sfu.c -- the special function unit: a table of three integers per segment and a truncated square.
 *
 * Around each argument the function is c0 + c1*x + c2*x^2, in fixed point, x being the bits of the
 * argument below the segment number. The coefficients in sfu_tables.h were recovered from samples;
 * the sums and their rounding constants follow the description in docs/reference/arithmetic.md. NaN is
 * 7fffffff, denormals are zeros, as everywhere in the SM.
 *
 * Each function computes its ordinary result for any bits and then replaces it where the argument
 * is a special one: no branches, so that the lanes of a warp are computed side by side.
 */
#include "alu_lanes.h"
#include "sfu.h"

struct sfu_row {
    int32_t c0, c1, c2;
};

#include "sfu_tables.h"

#define FRACTION    0x7fffffu
#define HIDDEN      0x800000u
#define FIXED_SIGN  0x80000000u
#define FIXED_NONE  0x40000000u /* no number: infinity when bit 23 is set, else NaN */
#define FIXED_INF   0x40800000u
#define FIXED_ONE   0x00800000u
#define TWO_OVER_PI 0xa2f983u /* times 2^24 */

static inline uint32_t exponent_of(uint32_t x)
{
    return x >> 23 & 255;
}

/* The square of a 17-bit number, divided by 2^19. The unit drops the bits of each partial product
 * that lie below bit 18 of the full square. Splitting q at bit 9 shows what that leaves: the square
 * of the upper part is not touched, of the mixed products (which count twice) the low bits go, and
 * the square of the lower part vanishes. */
static inline uint32_t square(uint32_t q)
{
    uint32_t high = q >> 9;
    uint32_t mixed = 0;
    for (int bit = 2; bit < 9; bit++)
        mixed += high >> (9 - bit) & (0 - (q >> bit & 1));
    return (high * high >> 1) + mixed;
}

/* c0 + c1*x + c2*s; the shifts say how the terms are aligned. */
static inline int64_t polynomial(const struct sfu_row *row, int c0_shift, uint32_t x, uint32_t s)
{
    return (int64_t)row->c0 * (1 << c0_shift) + (int64_t)row->c1 * (int32_t)x +
           (int64_t)row->c2 * (int32_t)s;
}

/* A float with 24-bit mantissa m (or 2^24 after a carry); exponents that are too small flush to
 * zero. */
static inline uint32_t assemble(uint32_t exponent, int64_t m)
{
    uint32_t above = (exponent << 23) + (uint32_t)m -
                     2 * HIDDEN; /* what there is above the least float */
    return (above + HIDDEN) & ~sign_fill(above);
}

/* value / 2^one, cut off to 24 significant bits; value < 2^52. A double does the shifting: its
 * exponent and the upper part of its fraction are the float, but for the bias, which a zero does
 * not have. */
static inline uint32_t normalise(uint64_t value, uint32_t one)
{
    uint64_t bits = double_bits(as_double(value | 0x433ull << 52) - 0x1p52);
    uint32_t unbiased = (uint32_t)(bits >> 29) - ((1023 - 127 + one) << 23);
    return unbiased & (0 - ((uint32_t)(bits >> 61 | bits >> 62) & 1));
}

static inline uint32_t reciprocal(uint32_t x)
{
    uint32_t exponent = exponent_of(x), rest = x & 0xffff;
    int64_t sum = polynomial(&rcp_table[x >> 16 & 127], 13, rest, square(2 * rest)) + 0x47e7;
    uint32_t r = assemble(253 - exponent, sum >> 15);
    r = replace(r, mask_below(exponent, 1), F32_INF);
    r |= x & F32_SIGN;
    return replace(r, mask_nan(x), F32_NAN); /* infinity needs no case: its exponent makes a zero */
}

static inline uint32_t reciprocal_root(uint32_t x)
{
    uint32_t exponent = exponent_of(x), rest = x & 0x1ffff;
    int64_t sum = polynomial(&rsqrt_table[x >> 17 & 127], 14, rest, square(rest) << 2) + 0x7fff;
    uint32_t r = assemble((380 - exponent) >> 1, sum >> 16);
    uint32_t power_of_four = mask_below((x & (HIDDEN | FRACTION)) ^ HIDDEN, 1);
    r = replace(r, power_of_four, (381 - exponent) >> 1 << 23);
    r &= mask_below(exponent, 255);
    r = replace(r, sign_fill(x), F32_NAN);
    r = replace(r, mask_below(exponent, 1), (x & F32_SIGN) | F32_INF);
    return replace(r, mask_nan(x), F32_NAN);
}

static inline uint32_t logarithm(uint32_t x)
{
    uint32_t exponent = exponent_of(x), rest = x & 0x1ffff;
    int64_t sum = polynomial(&lg2_table[x >> 17 & 63], 12, rest, square(rest) << 1) + 0x3345;
    int64_t log = (sum >> 2) + (int64_t)((int32_t)exponent - 127) * (1ll << 36);
    uint64_t negative = 0 - ((uint64_t)log >>
                             63); /* the magnitude is the complement, not the negative */
    uint32_t r = normalise((uint64_t)log ^ negative, 36) | ((uint32_t)negative & F32_SIGN);
    r &= ~mask_below((x & ~F32_SIGN) ^ F32_ONE, 1);
    r = replace(r, ~mask_below(exponent, 255), F32_INF);
    r = replace(r, sign_fill(x), F32_NAN);
    r = replace(r, mask_below(exponent, 1), F32_SIGN | F32_INF);
    return replace(r, mask_nan(x), F32_NAN);
}

static inline uint32_t power_of_two(uint32_t x)
{
    /* 2^-(w + f) = 2^(-w - 1) * 2^(1 - f), and 1 - f is nearly the complement of f. A zero fraction
     * stays as it is. */
    uint32_t whole = x >> 23 & 127, fraction = x & FRACTION;
    uint32_t negative = sign_fill(x), flip = negative & ~mask_below(fraction, 1);
    whole = (whole ^ negative) - negative + flip;
    fraction ^= flip & FRACTION;
    uint32_t rest = fraction & 0x1ffff;
    int64_t sum = polynomial(&ex2_table[fraction >> 17], 13, rest, square(rest)) + 0x77e2;
    uint32_t r = assemble(127 + whole, sum >> 15);
    uint32_t none = 0 - (x >> 30 & 1), infinite = none & (0 - (x >> 23 & 1));
    r = replace(r, none, F32_NAN);
    return replace(r, infinite, F32_INF & ~negative);
}

/* sin(pi/2 * (quadrant + fraction)), quadrant being the bits from 23 on. */
static inline uint32_t wave(uint32_t quarters)
{
    uint32_t fraction = (quarters ^ (0 - (quarters >> 23 & 1))) & FRACTION;
    uint32_t rest = fraction & 0x1ffff;
    int64_t sum = polynomial(&sin_table[fraction >> 17], 11, rest, square(rest));
    return normalise((uint64_t)sum, 37) | (quarters >> 24 & 1) << 31;
}

static inline uint32_t sine(uint32_t x)
{
    return replace(wave(x) ^ (x & FIXED_SIGN), 0 - (x >> 30 & 1), F32_NAN);
}

static inline uint32_t cosine(uint32_t x)
{
    return replace(wave(x + HIDDEN), 0 - (x >> 30 & 1), F32_NAN);
}

/* x << n, or >> when n is negative; nothing is left when n is out of -31..31. */
static inline uint32_t shifted(uint32_t x, uint32_t n)
{
    uint32_t right = sign_fill(n), distance = (n ^ right) - right;
    uint32_t r = replace(x << (distance & 31), right, x >> (distance & 31));
    return r & mask_below(distance, 32);
}

/* The argument of sin and cos in quarter turns. The product with 2/pi keeps its upper 32 bits; of a
 * large argument only the position in the turn is left, and what the product dropped is missing
 * there. */
static inline uint32_t reduce_turns(uint32_t x)
{
    uint32_t exponent = exponent_of(x);
    uint32_t product = (uint32_t)((uint64_t)((x & FRACTION) | HIDDEN) * TWO_OVER_PI >> 16);
    uint32_t r = shifted(product, exponent - 127 - 8) & 0x1ffffff & ~mask_below(exponent, 1);
    r = replace(r, ~mask_below(exponent, 255), FIXED_INF);
    return replace(r, mask_nan(x), FIXED_NONE) | (x & FIXED_SIGN);
}

static inline uint32_t reduce_power(uint32_t x)
{
    uint32_t exponent = exponent_of(x);
    uint32_t r = shifted((x & FRACTION) | HIDDEN, exponent - 127) & ~mask_below(exponent, 1);
    r = replace(r, ~mask_below(exponent, 127 + 7), FIXED_INF);
    return replace(r, mask_nan(x), FIXED_NONE) | (x & FIXED_SIGN);
}

uint32_t sm_sfu_rcp(uint32_t x)
{
    return reciprocal(x);
}

uint32_t sm_sfu_rsqrt(uint32_t x)
{
    return reciprocal_root(x);
}

uint32_t sm_sfu_lg2(uint32_t x)
{
    return logarithm(x);
}

uint32_t sm_sfu_ex2(uint32_t x)
{
    return power_of_two(x);
}

uint32_t sm_sfu_sin(uint32_t x)
{
    return sine(x);
}

uint32_t sm_sfu_cos(uint32_t x)
{
    return cosine(x);
}

uint32_t sm_sfu_presin(uint32_t x)
{
    return reduce_turns(x);
}

uint32_t sm_sfu_preex2(uint32_t x)
{
    return reduce_power(x);
}

#define SIGN struct sign_change sign = sign_change(&in->src[0])

static inline uint32_t with_flags(uint32_t r, uint32_t *f)
{
    *f = float_flags(r);
    return r;
}

static inline uint32_t fixed_flags(uint32_t r, uint32_t *f)
{
    *f = zero_sign(r);
    return r;
}

SM_KERNEL(rcp_lanes, SIGN, with_flags(reciprocal(apply(a[i], sign)), &f))
SM_KERNEL(rsqrt_lanes, SIGN, with_flags(reciprocal_root(apply(a[i], sign)), &f))
SM_KERNEL(lg2_lanes, SIGN, with_flags(logarithm(apply(a[i], sign)), &f))
SM_KERNEL(ex2_lanes, SIGN, with_flags(power_of_two(apply(a[i], sign)), &f))
SM_KERNEL(ex2_sat_lanes, SIGN, with_flags(saturate(power_of_two(apply(a[i], sign))), &f))
SM_KERNEL(sin_lanes, SIGN, with_flags(sine(apply(a[i], sign)), &f))
SM_KERNEL(cos_lanes, SIGN, with_flags(cosine(apply(a[i], sign)), &f))
SM_KERNEL(presin_lanes, SIGN, fixed_flags(reduce_turns(apply(a[i], sign)), &f))
SM_KERNEL(preex2_lanes, SIGN, fixed_flags(reduce_power(apply(a[i], sign)), &f))

sm_alu_fn sm_alu_select_sfu(const struct isa_insn *in)
{
    switch (in->op) {
    case OP_RCP: return rcp_lanes;
    case OP_RSQ: return rsqrt_lanes;
    case OP_LG2: return lg2_lanes;
    case OP_EX2: return in->sat ? ex2_sat_lanes : ex2_lanes;
    case OP_SIN: return sin_lanes;
    case OP_COS: return cos_lanes;
    case OP_RRO: return in->subop == RRO_SINCOS ? presin_lanes : preex2_lanes;
    default: return NULL;
    }
}
