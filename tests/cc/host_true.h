/* host_true.h -- the functions of host_math.h as the C library has them in double, for many numbers. */
#ifndef HOST_TRUE_H
#define HOST_TRUE_H

/* clang-format off */
#define HOST_TRUE(WANT) \
    WANT(exp, exp(x)) \
    WANT(exp2, exp2(x)) \
    WANT(exp10, pow(10, x)) \
    WANT(expm1, expm1(x)) \
    WANT(log, log(x)) \
    WANT(log2, log2(x)) \
    WANT(log10, log10(x)) \
    WANT(log1p, log1p(x)) \
    WANT(sin, sin(x)) \
    WANT(cos, cos(x)) \
    WANT(tan, tan(x)) \
    WANT(sinpi, sin_pi(x)) \
    WANT(cospi, cos_pi(x)) \
    WANT(tanpi, sin_pi(x) / cos_pi(x)) \
    WANT(asin, asin(x)) \
    WANT(acos, acos(x)) \
    WANT(atan, atan(x)) \
    WANT(asinpi, asin(x) / M_PI) \
    WANT(acospi, acos(x) / M_PI) \
    WANT(atanpi, atan(x) / M_PI) \
    WANT(sinh, sinh(x)) \
    WANT(cosh, cosh(x)) \
    WANT(tanh, tanh(x)) \
    WANT(asinh, asinh(x)) \
    WANT(acosh, acosh(x)) \
    WANT(atanh, atanh(x)) \
    WANT(cbrt, cbrt(x)) \
    WANT(erf, erf(x)) \
    WANT(erfc, erfc(x)) \
    WANT(tgamma, tgamma(x)) \
    WANT(lgamma, lgamma(x)) \
    WANT(sqrt, sqrt(x)) \
    WANT(rsqrt, 1 / sqrt(x)) \
    WANT(native_recip, 1 / x)
/* clang-format on */

#define HOST_DECLARE(name, value) void host_want_##name(const double *in, double *out, int n);
HOST_TRUE(HOST_DECLARE)
#undef HOST_DECLARE

#endif
