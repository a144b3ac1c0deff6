/* alu_lanes.h -- the shape that all lane loops share, and the helpers that they are made of.
 *
 * An operation is a static inline lane function that returns the result and leaves the condition
 * code in *f, plus one SM_KERNEL line that makes a warp function of it. Written so that gcc turns
 * the loops into vector code: conditions are masks or plain selects, what is the same for all lanes
 * is computed in the kernel's setup, lane functions do not branch.
 */
#ifndef SM_ALU_LANES_H
#define SM_ALU_LANES_H

#include <string.h>
#include "alu.h"
#include "lanes.h" /* SM_CLONES */

enum { LANES = 32 };

/* name: the function; SETUP: statements before the loop (use `in`); LANE: an expression in a[i],
 * b[i], c[i], cc[i] that sets f. The two loops are one text; the second drops what only the flags
 * need. */
#define SM_KERNEL(name, SETUP, LANE)                                                               \
    SM_CLONES static void name(const struct isa_insn *in, const uint32_t *a, const uint32_t *b,    \
                               const uint32_t *c, const uint8_t *cc, uint32_t *d, uint8_t *flags)  \
    {                                                                                              \
        (void)in, (void)a, (void)b, (void)c, (void)cc;                                             \
        SETUP;                                                                                     \
        if (flags) {                                                                               \
            LANES_APART for (int i = 0; i < LANES; i++)                                            \
            {                                                                                      \
                uint32_t f = 0;                                                                    \
                d[i] = (LANE);                                                                     \
                flags[i] = (uint8_t)f;                                                             \
            }                                                                                      \
        } else {                                                                                   \
            LANES_APART for (int i = 0; i < LANES; i++)                                            \
            {                                                                                      \
                uint32_t f = 0;                                                                    \
                d[i] = (LANE);                                                                     \
                (void)f;                                                                           \
            }                                                                                      \
        }                                                                                          \
    }

static inline uint32_t ones_if(bool condition)
{
    return condition ? 0xffffffffu : 0;
}

/* Signed comparison of machine words; the conversion is modulo 2^32 on every compiler this project
 * knows. */
static inline bool less(uint32_t x, uint32_t y)
{
    return (int32_t)x < (int32_t)y;
}

static inline uint32_t sign_fill(uint32_t x)
{
    return 0 - (x >> 31);
}

#define F32_SIGN 0x80000000u
#define F32_INF  0x7f800000u
#define F32_NAN  0x7fffffffu
#define F32_ONE  0x3f800000u

/* value where the mask is set, else r. For chains of special cases: of the ?: operator gcc makes
 * branches there. */
static inline uint32_t replace(uint32_t r, uint32_t mask, uint32_t value)
{
    return (r & ~mask) | (value & mask);
}

/* Masks by subtraction, for numbers below 2^31. */
static inline uint32_t mask_below(uint32_t x, uint32_t limit)
{
    return sign_fill(x - limit);
}

static inline uint32_t mask_nan(uint32_t x)
{
    return sign_fill(F32_INF - (x & ~F32_SIGN));
}

/* Z and S of a 32-bit result. */
static inline uint32_t zero_sign(uint32_t r)
{
    return (uint32_t)(r == 0) | r >> 31 << 1;
}

/* An operand's width and signedness as two constants of the loop: keep `mask`, then sign-extend
 * from bit `sign`. */
struct extension {
    uint32_t mask, sign;
};

static inline uint32_t extend(uint32_t x, struct extension e)
{
    return ((x & e.mask) ^ e.sign) - e.sign;
}

static inline bool is_signed(int type)
{
    return type == T_S8 || type == T_S16 || type == T_S32;
}

static inline bool is_half(int type)
{
    return type == T_U16 || type == T_S16;
}

static inline float as_float(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static inline uint32_t float_bits(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static inline double as_double(uint64_t bits)
{
    double f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static inline uint64_t double_bits(double f)
{
    uint64_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* Denormals count as zeros of their sign, on the way in and on the way out. */
static inline uint32_t flush(uint32_t x)
{
    return x & (ones_if((x & F32_INF) != 0) | F32_SIGN);
}

static inline bool is_nan(uint32_t x)
{
    return less(F32_INF, x & ~F32_SIGN);
}

/* What leaves a float unit: one NaN, no denormals. */
static inline uint32_t finish(uint32_t r)
{
    return is_nan(r) ? F32_NAN : flush(r);
}

/* Clamp to 0..1 of a finished result; a NaN stays. The negative half, -0 included, becomes +0. */
static inline uint32_t saturate(uint32_t r)
{
    uint32_t positive = r & ~sign_fill(r);
    return less(F32_ONE, positive) && !is_nan(r) ? F32_ONE : positive;
}

/* Z and S of a finished float. Both together mean NaN, so -0 is zero without a sign. */
static inline uint32_t float_flags(uint32_t r)
{
    uint32_t f = (r & ~F32_SIGN) == 0 ? SM_CC_Z : r >> 31 << 1;
    return is_nan(r) ? SM_CC_Z | SM_CC_S : f;
}

/* abs, then neg, of a float operand as two constants of the loop. */
struct sign_change {
    uint32_t keep, flip;
};

static inline struct sign_change sign_change(const struct isa_operand *o)
{
    return (struct sign_change){o->abs ? ~F32_SIGN : 0xffffffffu, o->neg ? F32_SIGN : 0};
}

static inline uint32_t apply(uint32_t x, struct sign_change s)
{
    return (x & s.keep) ^ s.flip;
}

#endif
