/* host_math.c -- see host_math.h. */
#include "host_math.h"

#include <math.h>
#include <stdint.h>
#include <string.h>
#include "host_true.h"
#include "sm/arith/sfu.h"
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

float host_float(unsigned bits)
{
    float x;
    memcpy(&x, &bits, 4);
    return x;
}

unsigned host_bits(float x)
{
    unsigned bits;
    memcpy(&bits, &x, 4);
    return bits;
}

bool host_math_flush(bool on)
{
#ifdef __SSE2__
    enum { FLUSH_RESULTS = 0x8000, FLUSH_OPERANDS = 0x40 };
    unsigned flags = FLUSH_RESULTS | FLUSH_OPERANDS;
    _mm_setcsr(on ? _mm_getcsr() | flags : _mm_getcsr() & ~flags);
    return true;
#else
    return !on;
#endif
}

static float divide(float x, float y)
{
    return x * host_float(sm_sfu_rcp(host_bits(y)));
}

static float root(float x)
{
    return host_float(sm_sfu_rcp(sm_sfu_rsqrt(host_bits(x))));
}

#define M                 __attribute__((unused)) static
#define MC                static const
#define smcc_bits(x)      host_bits(x)
#define smcc_float(x)     host_float(x)
#define smcc_rint(x)      rintf(x)
#define smcc_mul_hi(x, y) (unsigned)((uint64_t)(unsigned)(x) * (unsigned)(y) >> 32)
#define smcc_clz(x)       (unsigned)__builtin_clz(x)
#define smcc_div(x, y)    divide(x, y)
#define smcc_sqrt(x)      root(x)
#define smcc_u64          uint64_t
#include "cc/headers/math.h"

static float smcc_native_recip(float x)
{
    return host_float(sm_sfu_rcp(host_bits(x)));
}

static float smcc_rsqrt(float x)
{
    return host_float(sm_sfu_rsqrt(host_bits(x)));
}

static float log_gamma(float x)
{
    int sign;
    return smcc_lgamma(x, &sign);
}

#define PI_PART 0.318309886f
static float smcc_asinpi(float x)
{
    return smcc_asin(x) * PI_PART;
}

static float smcc_acospi(float x)
{
    return smcc_acos(x) * PI_PART;
}

static float smcc_atanpi(float x)
{
    return smcc_atan(x) * PI_PART;
}

#define ROW(name)                                                                                  \
    {                                                                                              \
#name, smcc_##name, host_want_##name                                                       \
    }
const struct host_function host_functions[] = {
    ROW(exp),    ROW(exp2),
    ROW(exp10),  ROW(expm1),
    ROW(log),    ROW(log2),
    ROW(log10),  ROW(log1p),
    ROW(sin),    ROW(cos),
    ROW(tan),    ROW(sinpi),
    ROW(cospi),  ROW(tanpi),
    ROW(asin),   ROW(acos),
    ROW(atan),   ROW(asinpi),
    ROW(acospi), ROW(atanpi),
    ROW(sinh),   ROW(cosh),
    ROW(tanh),   ROW(asinh),
    ROW(acosh),  ROW(atanh),
    ROW(cbrt),   ROW(erf),
    ROW(erfc),   {"sqrt", root, host_want_sqrt},
    ROW(rsqrt),  ROW(native_recip),
    ROW(tgamma), {"lgamma", log_gamma, host_want_lgamma}};
const int host_nfunctions = sizeof host_functions / sizeof host_functions[0];

static double atan2_pi(double y, double x)
{
    return atan2(y, x) / M_PI;
}

static float smcc_atan2pi(float y, float x)
{
    return smcc_atan2(y, x) * PI_PART;
}

static float smcc_remainder(float x, float y)
{
    int q;
    return smcc_remquo(x, y, &q);
}

const struct host_function2 host_functions2[] = {{"pow", smcc_pow, pow},
                                                 {"powr", smcc_powr, pow},
                                                 {"atan2", smcc_atan2, atan2},
                                                 {"atan2pi", smcc_atan2pi, atan2_pi},
                                                 {"hypot", smcc_hypot, hypot},
                                                 {"fmod", smcc_fmod, fmod},
                                                 {"remainder", smcc_remainder, remainder}};
const int host_nfunctions2 = sizeof host_functions2 / sizeof host_functions2[0];

double host_ulps(float x, double want)
{
    double size = fabs(want);
    uint64_t bits;
    if (want != want || x != x)
        return (want != want) == (x != x) ? 0 : INFINITY;
    if (size < 0x1p-126) /* may be flushed */
        return x == 0 || fabs(fabs((double)x) - 0x1p-126) == 0 ? 0 : INFINITY;
    if (size >= 0x1.ffffffp127) /* rounds to infinity */
        return fabsf(x) == INFINITY && (x > 0) == (want > 0) ? 0
               : isinf(want)                                 ? INFINITY
                                                             : fabs((double)x - want) * 0x1p-104;
    memcpy(&bits, &size, 8);
    bits = (uint64_t)(2046 + 23 - (int)(bits >> 52)) << 52; /* 1 / (2^exponent * 2^-23) */
    double scale;
    memcpy(&scale, &bits, 8);
    return fabs((isinf(x) ? copysign(0x1p128, (double)x) : (double)x) - want) * scale;
}
