/* sfu.c -- the special function unit: a table of three integers per segment and a truncated square.
 *
 * Around each argument the function is c0 + c1*x + c2*x^2, in fixed point, x being the bits of the argument below the
 * segment number. The coefficients in sfu_tables.h were recovered from samples; the sums and their rounding constants
 * follow the description in docs/arithmetic.md. NaN is 7fffffff, denormals are zeros, as everywhere in the SM.
 */
#include "alu_lanes.h"
#include "sfu.h"

/* c0 + c1*x + c2*x^2 around one segment; how the terms are aligned differs from function to function. */
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

static uint32_t exponent_of(uint32_t x)
{
    return x >> 23 & 255;
}

/* The square of a 17-bit number, divided by 2^19. The unit drops the bits of each partial product that lie below bit 18
 * of the full square. Splitting q at bit 9 shows what that leaves: the square of the upper part is not touched, of the
 * mixed products (which count twice) the low bits go, and the square of the lower part vanishes. */
static uint32_t square(uint32_t q)
{
    uint32_t high = q >> 9;
    uint32_t mixed = 0;
    for (int bit = 2; bit < 9; bit++)
        mixed += high >> (9 - bit) & (0 - (q >> bit & 1));
    return (high * high >> 1) + mixed;
}

static int64_t linear(const struct sfu_row *row, int shift, uint32_t x)
{
    return (int64_t)row->c0 * (1 << shift) + (int64_t)row->c1 * x;
}

/* A float with 24-bit mantissa m (or 2^24 after a carry); exponents that are too small flush to zero. */
static uint32_t assemble(int exponent, int64_t m)
{
    int64_t r = (int64_t)exponent * HIDDEN + (m - HIDDEN);
    return r < HIDDEN ? 0 : (uint32_t)r;
}

/* value / 2^one, cut off to 24 significant bits. */
static uint32_t normalise(uint64_t value, int one)
{
    if (value == 0)
        return 0;
    int top = 63 - __builtin_clzll(value);
    uint64_t m = top > 23 ? value >> (top - 23) : value << (23 - top);
    return assemble(top - one + 127, (int64_t)m);
}

uint32_t sm_sfu_rcp(uint32_t x)
{
    uint32_t sign = x & F32_SIGN;
    int exponent = (int)exponent_of(x);
    if (is_nan(x))
        return F32_NAN;
    if (exponent == 255)
        return sign;
    if (exponent == 0)
        return sign | F32_INF;
    uint32_t rest = x & 0xffff;
    const struct sfu_row *row = &rcp_table[x >> 16 & 127];
    int64_t sum = linear(row, 13, rest) + (int64_t)row->c2 * square(2 * rest) + 0x47e7;
    return sign | assemble(253 - exponent, sum >> 15);
}

uint32_t sm_sfu_rsqrt(uint32_t x)
{
    int exponent = (int)exponent_of(x);
    if (is_nan(x))
        return F32_NAN;
    if (exponent == 0)
        return (x & F32_SIGN) | F32_INF;
    if (x & F32_SIGN)
        return F32_NAN;
    if (exponent == 255)
        return 0;
    if ((x & (HIDDEN | FRACTION)) == HIDDEN) /* a power of four */
        return assemble((381 - exponent) / 2, HIDDEN);
    uint32_t rest = x & 0x1ffff;
    const struct sfu_row *row = &rsqrt_table[x >> 17 & 127];
    int64_t sum = linear(row, 14, rest) + (int64_t)row->c2 * square(rest) * 4 + 0x7fff;
    return assemble((380 - exponent) / 2, sum >> 16);
}

uint32_t sm_sfu_lg2(uint32_t x)
{
    int exponent = (int)exponent_of(x);
    if (is_nan(x))
        return F32_NAN;
    if (exponent == 0)
        return F32_SIGN | F32_INF;
    if (x & F32_SIGN)
        return F32_NAN;
    if (exponent == 255)
        return F32_INF;
    if (x == F32_ONE)
        return 0;
    uint32_t rest = x & 0x1ffff;
    const struct sfu_row *row = &lg2_table[x >> 17 & 63];
    int64_t sum = linear(row, 12, rest) + (int64_t)row->c2 * square(rest) * 2 + 0x3345;
    int64_t log = (sum >> 2) + (int64_t)(exponent - 127) * (1ll << 36);
    return log < 0 ? F32_SIGN | normalise((uint64_t)~log, 36) : normalise((uint64_t)log, 36);
}

uint32_t sm_sfu_ex2(uint32_t x)
{
    if (x & FIXED_NONE)
        return !(x & FIXED_ONE) ? F32_NAN : x & FIXED_SIGN ? 0 : F32_INF;
    int whole = (int)(x >> 23 & 127);
    uint32_t fraction = x & FRACTION;
    if (x & FIXED_SIGN) {
        /* 2^-(w + f) = 2^(-w - 1) * 2^(1 - f), and 1 - f is nearly the complement of f. */
        whole = fraction ? -whole - 1 : -whole;
        fraction = fraction ? fraction ^ FRACTION : 0;
    }
    uint32_t rest = fraction & 0x1ffff;
    const struct sfu_row *row = &ex2_table[fraction >> 17];
    int64_t sum = linear(row, 13, rest) + (int64_t)row->c2 * square(rest) + 0x77e2;
    return assemble(127 + whole, sum >> 15);
}

/* sin(pi/2 * (quadrant + fraction)), up to the sign. */
static uint32_t quarter_wave(uint32_t quadrant, uint32_t fraction)
{
    if (quadrant & 1)
        fraction ^= FRACTION;
    uint32_t rest = fraction & 0x1ffff;
    const struct sfu_row *row = &sin_table[fraction >> 17];
    int64_t sum = linear(row, 11, rest) + (int64_t)row->c2 * square(rest);
    return normalise((uint64_t)sum, 37);
}

uint32_t sm_sfu_sin(uint32_t x)
{
    if (x & FIXED_NONE)
        return F32_NAN;
    uint32_t quadrant = x >> 23 & 3;
    return ((x & FIXED_SIGN) ^ quadrant >> 1 << 31) | quarter_wave(quadrant, x & FRACTION);
}

uint32_t sm_sfu_cos(uint32_t x)
{
    if (x & FIXED_NONE)
        return F32_NAN;
    uint32_t quadrant = ((x >> 23) + 1) & 3;
    return quadrant >> 1 << 31 | quarter_wave(quadrant, x & FRACTION);
}

/* The argument of sin and cos in quarter turns. The product with 2/pi keeps its upper 32 bits; of a large argument only
 * the position in the turn is left, and what the product dropped is missing there. */
uint32_t sm_sfu_presin(uint32_t x)
{
    uint32_t sign = x & FIXED_SIGN;
    int exponent = (int)exponent_of(x);
    if (exponent == 255)
        return sign | (is_nan(x) ? FIXED_NONE : FIXED_INF);
    if (exponent == 0)
        return sign;
    uint64_t product = (uint64_t)((x & FRACTION) | HIDDEN) * TWO_OVER_PI >>
                       16; /* 31 fraction bits at exponent 127 */
    int shift = exponent - 127 - 8;
    uint64_t turns = shift >= 32   ? 0
                     : shift >= 0  ? product << shift
                     : shift > -64 ? product >> -shift
                                   : 0;
    return sign | (uint32_t)(turns & 0x1ffffff);
}

uint32_t sm_sfu_preex2(uint32_t x)
{
    uint32_t sign = x & FIXED_SIGN;
    int exponent = (int)exponent_of(x);
    if (is_nan(x))
        return sign | FIXED_NONE;
    if (exponent >= 127 + 7)
        return sign | FIXED_INF;
    uint32_t m = exponent ? (x & FRACTION) | HIDDEN : 0;
    int shift = exponent - 127;
    return sign | (shift >= 0 ? m << shift : shift > -32 ? m >> -shift : 0);
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

SM_KERNEL(rcp, SIGN, with_flags(sm_sfu_rcp(apply(a[i], sign)), &f))
SM_KERNEL(rsqrt, SIGN, with_flags(sm_sfu_rsqrt(apply(a[i], sign)), &f))
SM_KERNEL(lg2, SIGN, with_flags(sm_sfu_lg2(apply(a[i], sign)), &f))
SM_KERNEL(ex2, SIGN, with_flags(sm_sfu_ex2(apply(a[i], sign)), &f))
SM_KERNEL(ex2_sat, SIGN, with_flags(saturate(sm_sfu_ex2(apply(a[i], sign))), &f))
SM_KERNEL(sine, SIGN, with_flags(sm_sfu_sin(apply(a[i], sign)), &f))
SM_KERNEL(cosine, SIGN, with_flags(sm_sfu_cos(apply(a[i], sign)), &f))
SM_KERNEL(presin, SIGN, fixed_flags(sm_sfu_presin(apply(a[i], sign)), &f))
SM_KERNEL(preex2, SIGN, fixed_flags(sm_sfu_preex2(apply(a[i], sign)), &f))

sm_alu_fn sm_alu_select_sfu(const struct isa_insn *in)
{
    switch (in->op) {
    case OP_RCP: return rcp;
    case OP_RSQ: return rsqrt;
    case OP_LG2: return lg2;
    case OP_EX2: return in->sat ? ex2_sat : ex2;
    case OP_SIN: return sine;
    case OP_COS: return cosine;
    case OP_RRO: return in->subop == RRO_SINCOS ? presin : preex2;
    default: return NULL;
    }
}
