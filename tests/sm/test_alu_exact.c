/* test_alu_exact.c -- the arithmetic against exact integer arithmetic. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/random.h"
#include "sm/arith/alu.h"
#include "tests/lib/check.h"

enum { LANES = 32 };

/* ---- integers against the definition --------------------------------------------------------- */

/* Shifts one bit at a time. Counts of the width and above clear everything, the C flag included. */
static uint32_t slow_shift(enum isa_op op, int width, bool arithmetic, uint32_t x, uint32_t count,
                           uint8_t *flags)
{
    uint32_t top = 1u << (width - 1), ones = top | (top - 1);
    uint32_t r = x & ones, last = 0, fill = arithmetic ? r & top : 0;
    for (uint32_t n = 0; n < count && n < 40; n++) {
        last = op == OP_SHL ? r & top : r & 1;
        r = op == OP_SHL ? r << 1 & ones : r >> 1 | fill;
    }
    if (count >= (uint32_t)width)
        last = 0;
    bool turned = count == 1 && ((r ^ x) & top);
    *flags = (uint8_t)((r == 0) | (r & top ? SM_CC_S : 0) | (last ? SM_CC_C : 0) |
                       (turned ? SM_CC_O : 0));
    return r;
}

static void shifts_and_their_flags_hold_for_every_count(void)
{
    static const uint32_t values[] = {0,          1,      0x80000000, 0xffffffff,
                                      0x7fffffff, 0x8000, 0x5a5a9c3c, 0xa5a563c3};
    static const uint8_t types[] = {T_U32, T_S32, T_U16, T_S16};
    for (int n = 0; n < 16; n++) {
        uint8_t type = types[n & 3];
        bool half = type == T_U16 || type == T_S16;
        struct isa_insn in = {.op = n & 4 ? OP_SHL : OP_SHR, .type = type, .cc_dst = 0};
        bool arithmetic = in.op == OP_SHR && (type == T_S32 || type == T_S16);
        for (uint32_t v = 0; v < 8; v++) {
            uint32_t a[LANES], b[LANES], d[LANES];
            uint8_t cc[LANES] = {0}, flags[LANES], expected;
            for (uint32_t i = 0; i < LANES; i++) {
                a[i] = values[(v + i) & 7];
                b[i] = n & 8 ? v * 8 : i < 24 ? i * 2 + (v & 1) : (i << v) | (half ? 0 : i << 27);
            }
            if (n & 8)
                in.src[1] = (struct isa_operand){.kind = ISA_I, .value = v * 8};
            sm_alu_select (&in)(&in, a, b, NULL, cc, d, flags);
            for (int i = 0; i < LANES; i++) {
                uint32_t r = slow_shift((enum isa_op)in.op, half ? 16 : 32, arithmetic, a[i], b[i],
                                        &expected);
                CU_ASSERT_EQUAL(d[i], r);
                CU_ASSERT_EQUAL(flags[i], expected);
            }
        }
    }
}

/* The C flag is the 33rd bit of the sum of the operands as the adder gets them; O says that the
 * signed result is wrong. */
static void iadd_flags_follow_from_a_wider_sum(void)
{
    static const uint32_t edges[] = {0,          1,          0x7fffffff, 0x80000000,
                                     0xffffffff, 0x80000001, 0x12345678, 0xfffffffe};
    for (int form = 0; form < 8; form++) {
        struct isa_insn in = {
            .op = OP_IADD, .sat = form & 4, .carry = (form & 3) == 3, .cc_dst = 0};
        in.src[1].neg = (form & 3) == 1;
        in.src[0].neg = (form & 3) == 2;
        for (uint32_t n = 0; n < 64; n += LANES) {
            uint32_t a[LANES], b[LANES], d[LANES];
            uint8_t cc[LANES], flags[LANES];
            for (uint32_t i = 0; i < LANES; i++) {
                a[i] = edges[(n + i) / 8];
                b[i] = edges[i % 8];
                cc[i] = (uint8_t)(i * 5 & 15);
            }
            sm_alu_select (&in)(&in, a, b, NULL, cc, d, flags);
            for (int i = 0; i < LANES; i++) {
                uint32_t x = in.src[0].neg ? ~a[i] : a[i], y = in.src[1].neg ? ~b[i] : b[i];
                uint32_t one = in.carry ? cc[i] >> 2 & 1 : form & 3 ? 1 : 0;
                uint64_t wide = (uint64_t)x + y + one;
                int64_t right = (int64_t)(int32_t)x + (int32_t)y + one;
                bool overflow = right != (int32_t)(uint32_t)wide;
                uint32_t r = (uint32_t)wide;
                if (in.sat && overflow)
                    r = right < 0 ? 0x80000000 : 0x7fffffff;
                CU_ASSERT_EQUAL(d[i], r);
                CU_ASSERT_EQUAL(flags[i],
                                (r == 0) | r >> 31 << 1 | (wide >> 32) << 2 | overflow << 3);
            }
        }
    }
}

/* ---- floats against exact arithmetic --------------------------------------------------------- */

/* Floats where things go wrong: few exponents, mantissas of runs of ones and zeros, and now and
 * then a special one. */
static uint32_t awkward(uint64_t *state, uint32_t exponent)
{
    static const uint32_t special[] = {0,          0x80000000, 1,          0x807fffff, 0x00800000,
                                       0x80800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
                                       0x7fc00000, 0xff800001, 0x3f800000, 0xbf800000};
    uint64_t r = fl_random(state);
    if ((r & 31) == 0)
        return special[(r >> 8) % (sizeof special / sizeof *special)];
    uint32_t fraction = (uint32_t)(r >> 16) & 0x7fffff;
    uint32_t run = 0x7fffff >> (r >> 40) % 24;
    if (r & 64)
        fraction = r & 128 ? run : ~run & 0x7fffff;
    if (r & 256)
        fraction ^= 1;
    exponent = (exponent + (uint32_t)(r >> 48) % 56 - 28) & 255;
    return (uint32_t)(r >> 63) << 31 | (exponent == 255 ? 254 : exponent) << 23 | fraction;
}

/* A number as sign, integer and power of two; m = 0 is a zero. */
struct exact {
    bool negative;
    unsigned __int128 m;
    int e;
};

static bool nan_bits(uint32_t x)
{
    return (x & 0x7fffffff) > 0x7f800000;
}

static bool inf_bits(uint32_t x)
{
    return (x & 0x7fffffff) == 0x7f800000;
}

static struct exact value(uint32_t x)
{
    int exponent = (int)(x >> 23 & 255);
    uint32_t m = exponent ? (x & 0x7fffff) | 0x800000 : 0;
    return (struct exact){x >> 31, m, exponent - 150};
}

static int bits_of(unsigned __int128 m)
{
    int n = 0;
    for (; m; m >>= 1)
        n++;
    return n;
}

static struct exact truncate24(struct exact x)
{
    int drop = bits_of(x.m) - 24;
    return drop > 0 ? (struct exact){x.negative, x.m >> drop, x.e + drop} : x;
}

/* Rounds to 24 bits, then looks at the exponent: too large is infinity (or, truncating, the largest
 * number), too small is zero. */
static uint32_t pack(struct exact x, bool truncating)
{
    uint32_t sign = x.negative ? 0x80000000 : 0;
    if (x.m == 0)
        return sign;
    int drop = bits_of(x.m) - 24;
    unsigned __int128 m = drop > 0 ? x.m >> drop : x.m << -drop;
    if (drop > 0 && !truncating) {
        unsigned __int128 rest = x.m - (m << drop), half = (unsigned __int128)1 << (drop - 1);
        m += rest > half || (rest == half && (m & 1));
    }
    int exponent = x.e + drop + 150;
    if (m >> 24) {
        m >>= 1;
        exponent++;
    }
    if (exponent >= 255)
        return sign | (truncating ? 0x7f7fffff : 0x7f800000);
    return exponent <= 0 ? sign : sign | (uint32_t)exponent << 23 | ((uint32_t)m & 0x7fffff);
}

static struct exact sum(struct exact x, struct exact y)
{
    if (x.e + bits_of(x.m) < y.e + bits_of(y.m)) {
        struct exact swap = x;
        x = y;
        y = swap;
    }
    /* 70 bits below x; what y has below that only says that there is something. */
    struct exact r = {x.negative, x.m << 70, x.e - 70};
    int shift = y.e - r.e;
    unsigned __int128 m = shift >= 0 ? y.m << shift : shift > -100 ? y.m >> -shift : 0;
    bool lost = shift < 0 && (shift <= -100 || m << -shift != y.m);
    m |= lost;
    if (x.negative == y.negative)
        r.m += m;
    else if (m > r.m)
        r = (struct exact){y.negative, m - r.m, r.e};
    else
        r.m -= m;
    if (r.m == 0)
        r.negative = false;
    return r;
}

static uint32_t exact_add(uint32_t a, uint32_t b, bool truncating)
{
    if (nan_bits(a) || nan_bits(b) || (inf_bits(a) && inf_bits(b) && a != b))
        return 0x7fffffff;
    if (inf_bits(a) || inf_bits(b))
        return inf_bits(a) ? a : b;
    struct exact x = value(a), y = value(b);
    if (x.m == 0 || y.m == 0) {
        struct exact r = x.m ? x : y;
        if (x.m == 0 && y.m == 0)
            r.negative = x.negative && y.negative;
        return pack(r, truncating);
    }
    return pack(sum(x, y), truncating);
}

static uint32_t exact_multiply(uint32_t a, uint32_t b, bool truncating)
{
    struct exact x = value(a), y = value(b);
    uint32_t sign = (a ^ b) & 0x80000000;
    bool infinite = inf_bits(a) || inf_bits(b);
    if (nan_bits(a) || nan_bits(b) || (infinite && (x.m == 0 || y.m == 0)))
        return 0x7fffffff;
    if (infinite)
        return sign | 0x7f800000;
    return pack((struct exact){sign != 0, x.m * y.m, x.e + y.e}, truncating);
}

static uint32_t exact_multiply_add(uint32_t a, uint32_t b, uint32_t c)
{
    struct exact x = value(a), y = value(b), z = value(c);
    uint32_t rounded = exact_multiply(a, b, false);
    struct exact product = truncate24((struct exact){((a ^ b) >> 31) != 0, x.m * y.m, x.e + y.e});
    bool overflow = product.m && product.e + bits_of(product.m) > 128;
    if (nan_bits(rounded) || inf_bits(a) || inf_bits(b))
        return exact_add(rounded, c, false);
    if (overflow)
        return exact_add(((a ^ b) & 0x80000000) | 0x7f800000, c, false);
    if (nan_bits(c) || inf_bits(c) || product.m == 0 || z.m == 0)
        return exact_add(rounded, c, false);
    return pack(sum(product, z), false);
}

/* Operands whose products stay away from the limits of the format, but zeros and denormals: hosts that multiply and add
 * without rounding between take a way of their own there. */
static void fmad_of_middling_operands_is_no_other_one(void)
{
    struct isa_insn in = {.op = OP_FMAD, .type = T_F32, .cc_dst = -1};
    sm_alu_fn fn = sm_alu_select(&in);
    uint64_t state = 77;
    uint8_t cc[LANES] = {0};
    int wrong = 0;
    for (int n = 0; n < (SANITIZED ? 6000 : 20000); n++) {
        uint32_t v[3][LANES], d[LANES];
        for (int i = 0; i < LANES; i++) {
            uint64_t r = fl_random(&state);
            uint32_t e = 100 + (uint32_t)(r >> 58) % 50, f = 100 + (uint32_t)(r >> 52) % 50;
            uint32_t exponent[3] = {e, f, e + f - 127 + (uint32_t)(r >> 46) % 64 - 32};
            for (int k = 0; k < 3; k++) {
                uint64_t q = fl_random(&state);
                uint32_t fraction = (uint32_t)q & 0x7fffff &
                                    (q & 1 << 30 ? ~0u << (q >> 35) % 23 : ~0u);
                v[k][i] = (uint32_t)(q >> 32) << 31 | (q >> 60 ? exponent[k] : 0) << 23 |
                          ((q >> 58) % 4 ? fraction : 0);
            }
        }
        in.src[0].neg = n & 1;
        in.src[2].neg = n >> 1 & 1;
        fn(&in, v[0], v[1], v[2], cc, d, NULL);
        for (int i = 0; i < LANES; i++) {
            uint32_t a = v[0][i] ^ (uint32_t)in.src[0].neg << 31;
            uint32_t c = v[2][i] ^ (uint32_t)in.src[2].neg << 31;
            uint32_t expected = exact_multiply_add(a, v[1][i], c);
            if (d[i] != expected && wrong++ < 5)
                printf("\n    %08x %08x %08x gives %08x, expected %08x", a, v[1][i], c, d[i],
                       expected);
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

static int compare_float(enum isa_op op, enum isa_round round, int batches)
{
    struct isa_insn in = {.op = (uint16_t)op, .type = T_F32, .rnd = (uint8_t)round, .cc_dst = -1};
    sm_alu_fn fn = sm_alu_select(&in);
    uint64_t state = (uint64_t)op * 4 + round;
    uint8_t cc[LANES] = {0};
    int wrong = 0;
    for (int n = 0; n < batches; n++) {
        uint32_t a[LANES], b[LANES], c[LANES], d[LANES];
        /* Exponents such that the product, the addend and the limits of the format meet. */
        uint32_t ea = (uint32_t)fl_random(&state) & 255, eb = (uint32_t)fl_random(&state) & 255;
        if (op == OP_FADD)
            eb = ea;
        for (int i = 0; i < LANES; i++) {
            a[i] = awkward(&state, ea);
            b[i] = awkward(&state, eb);
            c[i] = awkward(&state, ea + eb < 127 ? 1 : ea + eb - 127 > 254 ? 254 : ea + eb - 127);
        }
        fn(&in, a, b, c, cc, d, NULL);
        for (int i = 0; i < LANES; i++) {
            bool rz = round == RND_RZ;
            uint32_t expected = op == OP_FADD   ? exact_add(a[i], b[i], rz)
                                : op == OP_FMUL ? exact_multiply(a[i], b[i], rz)
                                                : exact_multiply_add(a[i], b[i], c[i]);
            if (d[i] != expected && wrong++ < 5)
                printf("\n    %s %d: %08x %08x %08x gives %08x, expected %08x", isa_op_name(op),
                       round, a[i], b[i], c[i], d[i], expected);
        }
    }
    return wrong;
}

static void fadd_is_the_exact_sum_rounded_once(void)
{
    CU_ASSERT_EQUAL(compare_float(OP_FADD, RND_RN, 10000), 0);
}

static void fadd_trunc_is_the_exact_sum_truncated(void)
{
    CU_ASSERT_EQUAL(compare_float(OP_FADD, RND_RZ, 10000), 0);
}

static void fmul_is_the_exact_product_rounded_once(void)
{
    CU_ASSERT_EQUAL(compare_float(OP_FMUL, RND_RN, 10000), 0);
}

static void fmul_trunc_is_the_exact_product_truncated(void)
{
    CU_ASSERT_EQUAL(compare_float(OP_FMUL, RND_RZ, 10000), 0);
}

static void fmad_truncates_its_product_to_24_bits_and_rounds_the_sum(void)
{
    CU_ASSERT_EQUAL(compare_float(OP_FMAD, RND_RN, SANITIZED ? 6000 : 20000), 0);
}

/* The host rounds 2^-126 - 2^-150 up to 2^-126; here rounding does not see the lower limit of the
 * exponent. */
static void a_product_just_below_the_smallest_float_is_flushed(void)
{
    struct isa_insn in = {.op = OP_FMUL, .type = T_F32, .cc_dst = 0};
    uint32_t a[LANES], b[LANES], d[LANES];
    uint8_t cc[LANES] = {0}, flags[LANES];
    for (uint32_t i = 0; i < LANES; i++) {
        a[i] = 0x3f800000 - 16 + i;
        b[i] = (i & 1) << 31 | (0x00800000 + (i >> 2));
    }
    a[0] = 0x3effffff;
    b[0] = 0x01000000;
    sm_alu_select (&in)(&in, a, b, NULL, cc, d, flags);
    CU_ASSERT_EQUAL(d[0], 0);
    CU_ASSERT_EQUAL(flags[0], SM_CC_Z);
    for (int i = 0; i < LANES; i++)
        CU_ASSERT_EQUAL(d[i], exact_multiply(a[i], b[i], false));
}

/* An intermediate of the error term that overflowed would make NaN of the error, and nothing would
 * be truncated. */
static void fadd_trunc_holds_next_to_the_largest_float(void)
{
    struct isa_insn in = {.op = OP_FADD, .type = T_F32, .rnd = RND_RZ, .cc_dst = -1};
    uint32_t a[LANES], b[LANES], d[LANES];
    uint8_t cc[LANES] = {0};
    for (uint32_t i = 0; i < LANES; i++) {
        a[i] = (i & 1) << 31 | (0x7f7fffff - (i >> 3));
        b[i] = (i & 2) << 30 |
               (0x73000000 + (i >> 2) * 0x00400000); /* about half a unit of the last place */
    }
    sm_alu_select (&in)(&in, a, b, NULL, cc, d, NULL);
    for (int i = 0; i < LANES; i++)
        CU_ASSERT_EQUAL(d[i], exact_add(a[i], b[i], true));
}

int main(void)
{
    return CHECK_RUN("alu_exact", CHECK(fadd_is_the_exact_sum_rounded_once),
                     CHECK(fadd_trunc_is_the_exact_sum_truncated),
                     CHECK(fmul_is_the_exact_product_rounded_once),
                     CHECK(fmul_trunc_is_the_exact_product_truncated),
                     CHECK(fmad_truncates_its_product_to_24_bits_and_rounds_the_sum),
                     CHECK(fmad_of_middling_operands_is_no_other_one),
                     CHECK(shifts_and_their_flags_hold_for_every_count),
                     CHECK(iadd_flags_follow_from_a_wider_sum),
                     CHECK(a_product_just_below_the_smallest_float_is_flushed),
                     CHECK(fadd_trunc_holds_next_to_the_largest_float));
}
