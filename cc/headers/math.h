/* math.h -- functions of float that the machine does not have, in its additions and products. Both languages have them, and
 * so has tests/cc/math_errors.c, which measures them on the host: who includes it defines M (how a function is declared), MC
 * (how a table is), and what the machine has: bits of a float, its rounding, division, square root, products of integers.
 *
 * Errors: docs/reference/kernels.md. Denormals are zero. Constants in two parts have few bits in the first, so that its products are
 * exact; so has a number's top. Polynomials without a name of a series are near the best ones of their degree (Chebyshev).
 */

M float smcc_scale(float x,
                   int n) /* x * 2^n, in two steps so that neither factor is out of range */
{
    int a = n >> 1;
    return x * smcc_float((unsigned)(a + 127) << 23) * smcc_float((unsigned)(n - a + 127) << 23);
}

M float smcc_abs(float x)
{
    return smcc_float(smcc_bits(x) & 0x7fffffffu);
}

M float smcc_signed(float x, float like) /* the sign turned where `like` is negative */
{
    return smcc_float(smcc_bits(x) ^ (smcc_bits(like) & 0x80000000u));
}

M float smcc_top(float x) /* its first 12 bits: products of two such are exact */
{
    return smcc_float(smcc_bits(x) & 0xfffff000u);
}

/* sqrt(t) in two parts. */
M float smcc_root(float t, float *lo)
{
    float s = smcc_sqrt(t), h = smcc_top(s);
    *lo = t > 0 ? smcc_div(t - h * h, s + h) : 0.0f;
    return h;
}

/* x / y, near the rounded quotient: what the machine's leaves is divided again. */
M float smcc_quotient(float x, float y)
{
    float q = smcc_div(x, y), h = smcc_top(q), d = smcc_top(y);
    float left = ((x - h * d) - h * (y - d)) - (q - h) * y;
    return smcc_abs(q) < 0x1p100f ? q + smcc_div(left, y) : q;
}

/* e^r - 1, |r| below 0.4: the series up to r^7 / 7!. */
M float smcc_exp_less(float r)
{
    float p = 1.0f / 5040;
    p = p * r + 1.0f / 720;
    p = p * r + 1.0f / 120;
    p = p * r + 1.0f / 24;
    p = p * r + 1.0f / 6;
    p = p * r + 0.5f;
    return p * r * r + r;
}

M float smcc_exp_near(float r)
{
    return smcc_exp_less(r) + 1.0f;
}

M float smcc_clamp(float x, float most) /* a NaN stays */
{
    return x > most ? most : x < -most ? -most : x;
}

/* e^(x + lo) * 2^k, lo below 0.05. ln 2 is in two parts. */
M float smcc_exp_by(float x, float lo, int k)
{
    float y = smcc_clamp(x, 170.0f), n = smcc_rint(y * 1.44269504f);
    float r = ((y - n * 0x1.62ep-1f) - n * 0x1.0bfbe8p-15f) + lo;
    return x != x ? x : smcc_scale(smcc_exp_near(r), (int)n + k);
}

M float smcc_exp(float x)
{
    return smcc_exp_by(x, 0.0f, 0);
}

M float smcc_expm1(float x)
{
    float y = smcc_clamp(x, 89.0f), n = smcc_rint(y * 1.44269504f);
    float p = smcc_exp_less((y - n * 0x1.62ep-1f) - n * 0x1.0bfbe8p-15f);
    float half_power = smcc_float(n < -26.0f ? 0u : (unsigned)((int)n + 126) << 23);
    float r = 2.0f * (half_power * p + (half_power - 0.5f));
    return x != x ? x : x > 88.8f ? smcc_float(0x7f800000u) : n == 0 ? p : r;
}

M float smcc_exp2(float x)
{
    float y = smcc_clamp(x, 250.0f), n = smcc_rint(y);
    return x != x ? x : smcc_scale(smcc_exp_near((y - n) * 0.693147181f), (int)n);
}

M float smcc_exp10(float x)
{
    float y = smcc_clamp(x, 75.0f), n = smcc_rint(y * 3.32192809f);
    float r = (y - n * 0x1.344p-2f) - n * 0x1.3509f8p-18f; /* log10(2) */
    return x != x ? x : smcc_scale(smcc_exp_near(r * 2.30258509f), (int)n);
}

/* x = 2^e * (1 + f), f from -0.3 to 0.42; returns log(1 + f) by the series of the inverse hyperbolic tangent. */
M float smcc_log_near(float x, float *e)
{
    unsigned bits = smcc_bits(x) - 0x3f3504f3u; /* 1/2 * sqrt(2) */
    *e = (float)((int)bits >> 23);
    float f = smcc_float((bits & 0x7fffffu) + 0x3f3504f3u) - 1.0f;
    float s = smcc_div(f, f + 2.0f), z = s * s, h = f * f * 0.5f;
    float p = 2.0f / 11;
    p = p * z + 2.0f / 9;
    p = p * z + 2.0f / 7;
    p = p * z + 2.0f / 5;
    p = p * z + 2.0f / 3;
    return f - (h - s * (h + p * z));
}

/* What logarithms have outside of the positive numbers. */
M float smcc_log_end(float x, float y)
{
    if (x != x || x == smcc_float(0x7f800000u))
        return x;
    return x > 0 ? y : x < 0 ? smcc_float(0x7fffffffu) : smcc_float(0xff800000u);
}

M float smcc_log(float x)
{
    float e, l = smcc_log_near(x, &e);
    return smcc_log_end(x, e * 0x1.62ep-1f + (e * 0x1.0bfbe8p-15f + l));
}

M float smcc_log1p(float x)
{
    float u = 1.0f + x, e, l = smcc_log_near(u, &e), left = x > 1 ? 1.0f - (u - x) : x - (u - 1.0f);
    return smcc_log_end(u, e * 0x1.62ep-1f + (e * 0x1.0bfbe8p-15f + (l + smcc_div(left, u))));
}

M float smcc_log2(float x)
{
    float e, l = smcc_log_near(x, &e);
    return smcc_log_end(x, e + l * 1.44269504f);
}

M float smcc_log10(float x)
{
    float e, l = smcc_log_near(x, &e);
    return smcc_log_end(x, e * 0x1.344p-2f + (e * 0x1.3509f8p-18f + l * 0.434294482f));
}

/* 2 / pi, from bit 2^31 on: 32 zeros first. */
MC unsigned smcc_two_over_pi[8] = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1,
                                   0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};

/* |x| = q * pi/2 + r, |r| up to pi/4, q modulo 4. Of 2/pi those 96 bits are multiplied that matter: the bits above make whole
 * turns, the bits below are too small for a float's 24 bits, even where the result is close to zero (Payne and Hanek, 1983). */
M float smcc_reduce(float x, unsigned *q)
{
    unsigned bits = smcc_bits(x) & 0x7fffffffu;
    if (bits < 0x3f490fdbu) {
        *q = 0;
        return smcc_float(bits);
    }
    unsigned m = (bits & 0x7fffffu) | 0x800000u, at = (bits >> 23) - 120, word = at >> 5 & 7,
             k = at & 31;
    unsigned w[3];
    for (unsigned i = 0; i < 3; i++) {
        unsigned a = smcc_two_over_pi[(word + i) & 7], b = smcc_two_over_pi[(word + i + 1) & 7];
        w[i] = k ? a << k | b >> (32 - k) : a;
    }
    unsigned p2 = m * w[2], l1 = m * w[1], p1 = l1 + smcc_mul_hi(m, w[2]);
    unsigned p0 = m * w[0] + smcc_mul_hi(m, w[1]) + (p1 < l1);
    *q = (p0 + 0x20000000u) >> 30;
    unsigned hi = p0 << 2 | p1 >> 30, lo = p1 << 2 | p2 >> 30, sign = hi & 0x80000000u;
    if (sign) {
        hi = ~hi + (lo == 0);
        lo = 0u - lo;
    }
    unsigned n = hi ? smcc_clz(hi) : 32 + (lo ? smcc_clz(lo) : 31);
    hi = n > 31 ? lo << (n - 32) : n ? hi << n | lo >> (32 - n) : hi;
    float r = (float)hi * 1.57079633f * smcc_float((127 - 32 - n) << 23);
    return bits >= 0x7f800000u ? smcc_float(0x7fffffffu) : smcc_float(smcc_bits(r) | sign);
}

M float smcc_sin_near(float r)
{
    float z = r * r, p = 1.0f / 362880;
    p = p * z - 1.0f / 5040;
    p = p * z + 1.0f / 120;
    p = p * z - 1.0f / 6;
    return p * z * r + r;
}

M float smcc_cos_near(float r)
{
    float z = r * r, p = -1.0f / 3628800;
    p = p * z + 1.0f / 40320;
    p = p * z - 1.0f / 720;
    p = p * z + 1.0f / 24;
    return (p * z * z - 0.5f * z) + 1.0f;
}

/* A quarter turn further for the cosine. */
M float smcc_turn(float r, unsigned q)
{
    float y = q & 1 ? smcc_cos_near(r) : smcc_sin_near(r);
    return smcc_float(smcc_bits(y) ^ (q & 2) << 30);
}

M float smcc_sin(float x)
{
    unsigned q;
    float r = smcc_reduce(x, &q), y = smcc_turn(r, q);
    return r != r ? r : smcc_float(smcc_bits(y) ^ (smcc_bits(x) & 0x80000000u));
}

M float smcc_cos(float x)
{
    unsigned q;
    float r = smcc_reduce(x, &q);
    return r != r ? r : smcc_turn(r, q + 1);
}

M float smcc_tan(float x)
{
    unsigned q;
    float r = smcc_reduce(x, &q), y = smcc_quotient(smcc_turn(r, q), smcc_turn(r, q + 1));
    return r != r ? r : smcc_float(smcc_bits(y) ^ (smcc_bits(x) & 0x80000000u));
}

/* sin(pi x) and its kin: whole half turns go exactly. */
M float smcc_half_turns(float x, unsigned *q)
{
    float a = smcc_abs(x), n = a < 0x1p24f ? smcc_rint(2.0f * a) : 0.0f;
    float r = a < 0x1p24f ? a - 0.5f * n : a * 0.0f; /* NaN of infinity */
    *q = (unsigned)(int)n;
    return a < 0x1p-20f ? r * 3.14159274f : r * 3.140625f + r * 0x1.fb5444p-11f;
}

M float smcc_sinpi(float x)
{
    unsigned q;
    float r = smcc_half_turns(x, &q);
    return r != r ? r : smcc_signed(smcc_turn(r, q), x);
}

M float smcc_cospi(float x)
{
    unsigned q;
    float r = smcc_half_turns(x, &q);
    return r != r ? r : smcc_turn(r, q + 1);
}

M float smcc_tanpi(float x)
{
    unsigned q;
    float r = smcc_half_turns(x, &q), c = smcc_turn(r, q + 1);
    return r != r ? r : smcc_signed(smcc_quotient(smcc_turn(r, q), c == 0 ? 0.0f : c), x);
}

/* ---- inverse trigonometric functions ---- */

M float smcc_nan(void)
{
    return smcc_float(0x7fffffffu);
}

/* (asin(x) - x) / x, z = x^2 up to 1/4 */
M float smcc_asin_near(float z)
{
    float p = 0.033690847f;
    p = p * z + 0.017149238f;
    p = p * z + 0.031100663f;
    p = p * z + 0.044599402f;
    p = p * z + 0.075000945f;
    p = p * z + 0.16666667f;
    return p * z;
}

/* base - 2 asin(sqrt((1 - a) / 2)), which is asin(a) for base pi/2 and acos(-a) for pi: base in two parts */
M float smcc_asin_far(float a, float base, float base_lo)
{
    float t = (1.0f - a) * 0.5f, lo, h = smcc_root(t, &lo);
    return base - (2.0f * h + (2.0f * (lo + (h + lo) * smcc_asin_near(t)) - base_lo));
}

M float smcc_asin(float x)
{
    float a = smcc_abs(x), far = smcc_asin_far(a, 1.57079637f, -4.37113883e-8f);
    float y = a <= 0.5f ? a + a * smcc_asin_near(a * a) : far;
    return a <= 1.0f ? smcc_signed(y, x) : smcc_nan();
}

M float smcc_acos(float x)
{
    float a = smcc_abs(x), z = x * x;
    float y = 1.57079637f - (x + (x * smcc_asin_near(z) + 4.37113883e-8f));
    if (a > 0.5f)
        y = x > 0 ? smcc_abs(smcc_asin_far(a, 0.0f, 0.0f))
                  : smcc_asin_far(a, 3.14159274f, -8.74227766e-8f);
    return a <= 1.0f ? y : smcc_nan();
}

/* atan(t), |t| up to tan(pi/8) */
M float smcc_atan_near(float t)
{
    float z = t * t, p = -0.064518413f;
    p = p * z + 0.10743705f;
    p = p * z - 0.14263953f;
    p = p * z + 0.1999954f;
    p = p * z - 0.33333332f;
    return t + t * (p * z);
}

/* The angle of (x, y) in the first half of the first quadrant: 0 <= y <= x, both finite, x above 0. */
M float smcc_angle(float y, float x)
{
    float t = smcc_div(y, x);
    bool far = t > 0.414213562f;
    t = smcc_atan_near(far ? smcc_div(y - x, y + x) : t);
    return far ? 0.785398185f + (t - 2.18556941e-8f) : t;
}

M float smcc_atan(float x)
{
    float a = smcc_abs(x),
          r = a > 1.0f ? smcc_angle(1.0f, smcc_clamp(a, 0x1p100f)) : smcc_angle(a, 1.0f);
    r = a > 1.0f ? 1.57079637f - (r + 4.37113883e-8f) : a < 0x1p-12f ? a : r;
    return x != x ? x : smcc_signed(r, x);
}

M float smcc_atan2(float y, float x)
{
    float a = smcc_abs(x), b = smcc_abs(y), most = a > b ? a : b, least = a > b ? b : a;
    float k = most > 0x1p60f ? 0x1p-60f : most < 0x1p-60f ? 0x1p60f : 1.0f;
    bool both = least == smcc_float(0x7f800000u); /* infinities have the angle of (1, 1) */
    bool none = most == 0 || (!both && most == smcc_float(0x7f800000u));
    float r = none ? 0.0f : smcc_angle(both ? 1.0f : least * k, both ? 1.0f : most * k);
    if (b > a)
        r = 1.57079637f - (r + 4.37113883e-8f);
    if (smcc_bits(x) >> 31)
        r = 3.14159274f - (r + 8.74227766e-8f);
    return x != x || y != y ? smcc_nan() : smcc_signed(r, y);
}

/* ---- hyperbolic functions ---- */

M float smcc_sinh(float x)
{
    float a = smcc_abs(x), z = x * x, e = smcc_exp_by(a, 0.0f, -1), p = 1.0f / 39916800;
    p = p * z + 1.0f / 362880;
    p = p * z + 1.0f / 5040;
    p = p * z + 1.0f / 120;
    p = p * z + 1.0f / 6;
    float y = a < 1.0f ? a + a * (p * z) : e - smcc_div(0.25f, e);
    return smcc_signed(y, x);
}

M float smcc_cosh(float x)
{
    float e = smcc_exp_by(smcc_abs(x), 0.0f, -1);
    return e + smcc_div(0.25f, e);
}

M float smcc_tanh(float x)
{
    float a = smcc_abs(x), z = x * x, p = 0.0022695017f;
    p = p * z - 0.0083231871f;
    p = p * z + 0.0217625029f;
    p = p * z - 0.0539584617f;
    p = p * z + 0.133333001f;
    p = p * z - 0.333333331f;
    float far = 1.0f - smcc_div(2.0f, smcc_exp(2.0f * smcc_clamp(a, 10.0f)) + 1.0f);
    return x != x ? x : smcc_signed(a < 0.63f ? a + a * (p * z) : far, x);
}

M float smcc_asinh(float x)
{
    float a = smcc_abs(x), z = a * a;
    float y = smcc_log1p(a + smcc_div(z, 1.0f + smcc_sqrt(1.0f + z)));
    return smcc_signed(a > 0x1p14f ? smcc_log(a) + 0.693147181f : y, x);
}

M float smcc_acosh(float x)
{
    float t = x - 1.0f, lo, h = smcc_root(2.0f * t + t * t, &lo);
    float y = smcc_log1p(t + (h + lo));
    return !(x >= 1.0f) ? smcc_nan() : x > 0x1p14f ? smcc_log(x) + 0.693147181f : y;
}

M float smcc_atanh(float x)
{
    float a = smcc_abs(x), t = a + a;
    float y = 0.5f * smcc_log1p(a < 0.5f ? t + smcc_div(t * a, 1.0f - a) : smcc_div(t, 1.0f - a));
    return a <= 1.0f ? smcc_signed(y, x) : smcc_nan();
}

/* ---- roots ---- */

/* The bits of x divided by 3 are near its cube root; Halley's step, twice, the second from 12 bits, whose square is exact. */
M float smcc_cbrt(float x)
{
    float a = smcc_abs(x), k = a > 0x1p99f ? 0x1p-60f : a < 0x1p-99f ? 0x1p60f : 1.0f;
    float back = a > 0x1p99f ? 0x1p20f : a < 0x1p-99f ? 0x1p-20f : 1.0f;
    bool plain = a >= 0x1p-126f && a < smcc_float(0x7f800000u);
    a *= k;
    float t = smcc_float(smcc_bits(a) / 3 + 709958130u), c = t * t * t;
    t = smcc_top(t * smcc_div(a + a + c, a + c + c));
    float r = smcc_div(a, t * t);
    t += t * smcc_div(r - t, t + t + r);
    return plain ? smcc_signed(t * back, x) : x;
}

M float smcc_hypot(float x, float y)
{
    float a = smcc_abs(x), b = smcc_abs(y), most = a > b ? a : b, least = a > b ? b : a, lo;
    float k = most > 0x1p60f ? 0x1p-70f : most < 0x1p-40f ? 0x1p100f : 1.0f;
    float back = most > 0x1p60f ? 0x1p70f : most < 0x1p-40f ? 0x1p-100f : 1.0f;
    float m = most * k, l = least * k, h = smcc_top(m);
    h = smcc_root(h * h + ((m - h) * (m + h) + l * l), &lo);
    if (a == smcc_float(0x7f800000u) || b == smcc_float(0x7f800000u))
        return smcc_float(0x7f800000u);
    return x != x || y != y ? smcc_nan() : (h + lo) * back;
}

/* ---- powers ---- */

/* log2(x) in two parts, x above 0 and finite. s = f / (2 + f) is known to twice the bits, and with it the logarithm. */
M float smcc_log2_two(float x, float *lo)
{
    unsigned bits = smcc_bits(x) - 0x3f3504f3u;
    float e = (float)((int)bits >> 23), f = smcc_float((bits & 0x7fffffu) + 0x3f3504f3u) - 1.0f;
    float d = f + 2.0f, dh = smcc_top(d), dl = (d - dh) + (f - (d - 2.0f));
    float s = smcc_div(f, d), sh = smcc_top(s), sl = smcc_div((f - sh * dh) - sh * dl, d),
          z = s * s;
    float p = 0.233329128f;
    p = p * z + 0.285507308f;
    p = p * z + 0.400001226f;
    p = p * z + 0.666666666f;
    float l = 2.0f * sl + s * (p * z);             /* the logarithm to the base e is 2 sh + l */
    float hi = 2.0f * sh * 0x1.714p0f, t = e + hi; /* log2(e) in two parts */
    l = (hi - (t - e)) + (2.0f * sh * 0x1.47652cp-12f + l * 1.44269504f);
    hi = t + l;
    *lo = l - (hi - t);
    return hi;
}

/* 2^((y + y_lo) * (hi + lo)), the product up to some billions; y has 12 bits */
M float smcc_exp2_product(float y, float y_lo, float hi, float lo)
{
    float h = smcc_top(hi), l = (hi - h) + lo, p = y * h, q = y * l + y_lo * (h + l);
    float n = smcc_rint(smcc_clamp(p + q, 250.0f)), r = smcc_clamp((p - n) + q, 1.0f);
    return smcc_scale(smcc_exp_near(r * 0.693147181f), (int)n);
}

/* |x|^(y + y_lo), without what the sign of x and NaN bring */
M float smcc_power(float x, float y, float y_lo)
{
    float a = smcc_abs(x), lo, hi = smcc_log2_two(a, &lo);
    bool up = y > 0;
    if (a < 0x1p-126f)
        return up ? 0.0f : smcc_float(0x7f800000u);
    if (a == smcc_float(0x7f800000u))
        return up ? a : 0.0f;
    return smcc_exp2_product(y, y_lo, hi, lo);
}

M float smcc_powr(float x, float y)
{
    float a = smcc_abs(x), z = smcc_abs(y), inf = smcc_float(0x7f800000u),
          t = smcc_clamp(y, 0x1p40f), h = smcc_top(t);
    bool bad = x < 0 || x != x || y != y || (z < 0x1p-126f && (a < 0x1p-126f || a == inf)) ||
               (z == inf && a == 1.0f);
    return bad ? smcc_nan() : z < 0x1p-126f ? 1.0f : smcc_power(x, h, t - h);
}

M float smcc_pow(float x, float y)
{
    float a = smcc_abs(x), z = smcc_abs(y), t = smcc_clamp(y, 0x1p40f), h = smcc_top(t);
    bool whole = z >= 0x1p24f || smcc_rint(y) == y, odd = whole && z < 0x1p24f && ((int)y & 1);
    bool special = a < 0x1p-126f || a == smcc_float(0x7f800000u);
    float r = smcc_power(x, h, t - h);
    if (x == 1.0f || z < 0x1p-126f)
        return 1.0f;
    if (x != x || y != y || (x < 0 && !whole && !special))
        return smcc_nan();
    return odd ? smcc_signed(r, x) : r;
}

M float smcc_pown(float x, int n)
{
    float h = smcc_top((float)n), r = smcc_power(x, h, (float)(n - (int)h));
    return n == 0 ? 1.0f : x != x ? x : n & 1 ? smcc_signed(r, x) : r;
}

M float smcc_rootn(float x, int n)
{
    float a = smcc_abs(x), lo, hi = smcc_log2_two(a, &lo), d = (float)n, dh = smcc_top(d);
    float q = smcc_top(smcc_div(hi, d)), rest = ((hi - q * dh) - q * (d - dh)) + lo;
    float r = smcc_exp2_product(1.0f, 0.0f, q, smcc_div(rest, d));
    if (a < 0x1p-126f || a == smcc_float(0x7f800000u))
        r = (a < 1.0f) == (n > 0) ? 0.0f : smcc_float(0x7f800000u);
    if (n == 0 || x != x || (x < 0 && !(n & 1)))
        return smcc_nan();
    return n & 1 ? smcc_signed(r, x) : r;
}

/* ---- the error function ---- */

/* e^(a^2) erfc(a) in t = 2 / (2 + a), a from 1 to 10; the square in two parts */
M float smcc_erfc_far(float a)
{
    float b = a > 10.0f ? 10.0f : a, h = smcc_top(b), t = smcc_div(2.0f, 2.0f + b),
          p = -0.0717686131f;
    p = p * t + 0.342516723f;
    p = p * t - 0.598807913f;
    p = p * t + 0.397114182f;
    p = p * t - 0.103969891f;
    p = p * t + 0.234344407f;
    p = p * t + 0.234963717f;
    p = p * t + 0.2836399f;
    p = p * t + 0.28197892f;
    p = p * t + 3.80508505e-6f;
    return p * smcc_exp_by(-h * h, -(b - h) * (b + h), 0);
}

M float smcc_erf_near(float x) /* |x| up to 1 */
{
    float z = x * x, p = 7.8758751e-5f;
    p = p * z - 0.000801686429f;
    p = p * z + 0.00518908742f;
    p = p * z - 0.026854212f;
    p = p * z + 0.112835947f;
    p = p * z - 0.376126267f;
    p = p * z + 0.128379166f;
    return smcc_abs(x) < 0x1p-20f ? x * 1.12837917f : x + x * p;
}

M float smcc_erf(float x)
{
    float a = smcc_abs(x), y = a < 1.0f ? smcc_erf_near(a) : 1.0f - smcc_erfc_far(a);
    return x != x ? x : smcc_signed(y, x);
}

M float smcc_erfc(float x)
{
    float a = smcc_abs(x), far = smcc_erfc_far(a);
    return x != x ? x : a < 1.0f ? 1.0f - smcc_erf_near(x) : x > 0 ? far : 2.0f - far;
}

/* ---- inverses of the error function: a first value from Winitzki's formula, then two of Halley's steps ---- */

M float smcc_erf_inverse_near(float q) /* of 1 - x, from 0 to 1: to some thousandths */
{
    float l = smcc_log(q * (2.0f - q)), u = 4.33074675f + 0.5f * l;
    return smcc_sqrt(smcc_sqrt(u * u - l * 6.80272109f) - u);
}

/* y with erfc(y) = q, q from 0 to 1. */
M float smcc_erfc_inverse_near(float q)
{
    float y = smcc_erf_inverse_near(q);
    for (int i = 0; i < 2; i++) {
        float d = smcc_div((smcc_erfc(y) - q) * 0.886226925f, smcc_exp(-y * y));
        y += smcc_div(d, 1.0f - d * y);
    }
    return y;
}

M float smcc_erfinv(float x)
{
    float a = smcc_abs(x), y = smcc_erf_inverse_near(1.0f - a);
    if (x != x || a > 1.0f)
        return smcc_nan();
    if (a == 1.0f)
        return smcc_signed(smcc_float(0x7f800000u), x);
    if (a >= 0.5f)
        return smcc_signed(smcc_erfc_inverse_near(1.0f - a), x);
    for (int i = 0; i < 2; i++) {
        float d = (smcc_erf(y) - a) * 0.886226925f * smcc_exp(y * y);
        y -= smcc_div(d, 1.0f + d * y);
    }
    return a < 0x1p-12f ? x * 0.886226925f : smcc_signed(y, x);
}

M float smcc_erfcinv(float x)
{
    if (x != x || x < 0.0f || x > 2.0f)
        return smcc_nan();
    if (x == 0.0f || x == 2.0f)
        return smcc_float(x == 0.0f ? 0x7f800000u : 0xff800000u);
    return x < 0.5f ? smcc_erfc_inverse_near(x) : smcc_erfinv(1.0f - x);
}

/* ---- the gamma function: polynomials are interpolations at Chebyshev's nodes, of gamma(1.5 + t) and of
 * log(gamma(x)) / ((x - 1) * (x - 2)) at x = 1.75 + t ---- */

M float smcc_gamma_near(float x) /* from 1 to 2 */
{
    float t = x - 1.5f;
    float p = -0x1.799e72p-6f;
    p = p * t + 0x1.1b2cep-5f;
    p = p * t - 0x1.2c3f1ap-5f;
    p = p * t + 0x1.cf8db6p-5f;
    p = p * t - 0x1.3e0a9ap-4f;
    p = p * t + 0x1.289d14p-3f;
    p = p * t - 0x1.b776a8p-4f;
    p = p * t + 0x1.a8c352p-2f;
    p = p * t + 0x1.08ea7ep-5f;
    p = p * t + 0x1.c5bf8ap-1f;
    return p;
}

/* y * x * (x + 1) ... up to the last factor below `end`; the factors are exact. */
M float smcc_rising(float y, float x, float end)
{
    for (; x < end - 0.5f; x += 1.0f)
        y *= x;
    return y;
}

M float smcc_tgamma(float x)
{
    float a = smcc_abs(x), sine = smcc_sinpi(a), up = a < 1.0f ? a + 1.0f : a;
    if (x != x || (x < 0.0f && sine == 0.0f))
        return smcc_nan();
    if (a < 0x1p-24f || a > 44.0f)
        return a < 0x1p-24f ? smcc_div(1.0f, x) : x > 0.0f ? smcc_float(0x7f800000u) : 0.0f * x;
    float near = up - (float)((int)up - 1), y = smcc_rising(smcc_gamma_near(near), near, up);
    y = a < 1.0f ? smcc_div(y, a) : y;
    return x > 0.0f ? y : smcc_div(smcc_div(-3.14159265f, a * sine), y * 0x1p-30f) * 0x1p-30f;
}

M float smcc_lgamma_near(float x) /* from 0.5 to 3 */
{
    float t = x - 1.75f;
    float p = 0x1.5811b2p-15f;
    p = p * t - 0x1.3a12c2p-14f;
    p = p * t - 0x1.1bf00ap-13f;
    p = p * t + 0x1.021116p-12f;
    p = p * t + 0x1.37262ep-12f;
    p = p * t - 0x1.1c9082p-11f;
    p = p * t - 0x1.65ce4cp-14f;
    p = p * t + 0x1.2a9594p-13f;
    p = p * t + 0x1.5b0c86p-11f;
    p = p * t - 0x1.4ddaa8p-10f;
    p = p * t + 0x1.0eb0b8p-9f;
    p = p * t - 0x1.1159eap-8f;
    p = p * t + 0x1.1fb2ap-7f;
    p = p * t - 0x1.38488ep-6f;
    p = p * t + 0x1.6cb5e8p-5f;
    p = p * t - 0x1.e9654ep-4f;
    p = p * t + 0x1.ccf152p-2f;
    return p * (x - 1.0f) * (x - 2.0f);
}

/* Stirling's series from 8 on; the sign of gamma(x) in *sign. */
M float smcc_lgamma(float x, int *sign)
{
    float a = smcc_abs(x), sine = smcc_sinpi(a), y;
    *sign = x < 0.0f && sine != 0.0f && !((int)a & 1) ? -1 : 1;
    if (x != x || a == smcc_float(0x7f800000u))
        return x * x;
    if (x <= 0.0f && sine == 0.0f)
        return smcc_float(0x7f800000u);
    if (a < 0x1p-24f)
        return -smcc_log(a);
    if (a >= 8.0f) {
        float r = smcc_div(1.0f, a);
        y = (a - 0.5f) * (smcc_log(a) - 1.0f) +
            (r * (0.0833333333f - r * r * 0.00277777778f) + 0.418938533f);
    } else if (a >= 3.0f) {
        float near = a - (float)((int)a - 2);
        y = smcc_log(smcc_rising(1.0f, near, a)) + smcc_lgamma_near(near);
    } else
        y = a < 0.5f ? smcc_lgamma_near(a + 1.0f) - smcc_log(a) : smcc_lgamma_near(a);
    return x > 0.0f ? y : smcc_log(smcc_div(3.14159265f, a * smcc_abs(sine))) - y;
}

/* ---- remainders, exact ---- */

/* |x| modulo |y| and the quotient's low bits, eight at a time. */
M float smcc_mod(float x, float y, unsigned *quotient)
{
    unsigned a = smcc_bits(x) & 0x7fffffffu, b = smcc_bits(y) & 0x7fffffffu, q = 0;
    *quotient = 0;
    if (a >= 0x7f800000u || b > 0x7f800000u || b < 0x800000u)
        return smcc_nan();
    if (a < b || a < 0x800000u)
        return smcc_float(a);
    unsigned r = (a & 0x7fffffu) | 0x800000u, m = (b & 0x7fffffu) | 0x800000u,
             n = (a >> 23) - (b >> 23);
    if (r >= m) {
        r -= m;
        q = 1;
    }
    while (n) {
        unsigned k = n < 8 ? n : 8, d = (r << k) / m;
        r = (r << k) - d * m;
        q = q << k | d;
        n -= k;
    }
    *quotient = q;
    unsigned shift = r ? smcc_clz(r) - 8 : 0, e = b >> 23;
    return r && e > shift ? smcc_float(((r << shift) & 0x7fffffu) | (e - shift) << 23) : 0.0f;
}

M float smcc_fmod(float x, float y)
{
    unsigned q;
    return smcc_signed(smcc_mod(x, y, &q), x);
}

M float smcc_remquo(float x, float y, int *quotient)
{
    unsigned q;
    float b = smcc_abs(y), r = smcc_mod(x, y, &q), other = b - r;
    if (b < smcc_float(0x7f800000u) && (r > other || (r == other && q & 1))) {
        r -= b;
        q++;
    }
    *quotient = (smcc_bits(x) ^ smcc_bits(y)) >> 31 ? -(int)(q & 127) : (int)(q & 127);
    return smcc_signed(r, x);
}

/* ---- bits of a number ---- */

/* x * 2^n in four steps, so that none is out of range. */
M float smcc_ldexp(float x, int n)
{
    n = n < -300 ? -300 : n > 300 ? 300 : n;
    return smcc_scale(smcc_scale(x, n >> 1), n - (n >> 1));
}

M float smcc_frexp(float x, int *e)
{
    unsigned a = smcc_bits(x) & 0x7fffffffu;
    bool plain = a >= 0x800000u && a < 0x7f800000u;
    *e = plain ? (int)(a >> 23) - 126 : 0;
    return plain ? smcc_float((smcc_bits(x) & 0x807fffffu) | 0x3f000000u) : x;
}

M float smcc_nextafter(float x, float y)
{
    unsigned b = smcc_bits(x);
    if (x != x || y != y)
        return smcc_nan();
    if (x == y)
        return y;
    if (smcc_abs(x) < 0x1p-126f)
        return smcc_signed(0x1p-126f, y);
    float r = smcc_float((x < y) == (b >> 31 == 0) ? b + 1 : b - 1);
    return smcc_abs(r) < 0x1p-126f ? smcc_signed(0.0f, x) : r;
}
