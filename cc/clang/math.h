/* math.h -- functions of float that the machine does not have, in its additions and products. Both languages have them: the
 * header of the language defines M (how a function is declared), MC (how a table is), and the bits of a float.
 *
 * Errors are measured: docs/kernels.md. Denormals are zero.
 */

M float smcc_scale(float x,
                   int n) /* x * 2^n, in two steps so that neither factor is out of range */
{
    int a = n >> 1;
    return x * smcc_float((unsigned)(a + 127) << 23) * smcc_float((unsigned)(n - a + 127) << 23);
}

/* e^r, |r| below 0.35: the series up to r^7 / 7!. */
M float smcc_exp_near(float r)
{
    float p = 1.0f / 5040;
    p = p * r + 1.0f / 720;
    p = p * r + 1.0f / 120;
    p = p * r + 1.0f / 24;
    p = p * r + 1.0f / 6;
    p = p * r + 0.5f;
    return (p * r * r + r) + 1.0f;
}

M float smcc_clamp(float x, float most) /* a NaN stays */
{
    return x > most ? most : x < -most ? -most : x;
}

/* ln 2 in two parts, the first with so few bits that n times it is exact. */
M float smcc_exp(float x)
{
    float y = smcc_clamp(x, 170.0f), n = smcc_rint(y * 1.44269504f);
    float r = (y - n * 0x1.62ep-1f) - n * 0x1.0bfbe8p-15f;
    return x != x ? x : smcc_scale(smcc_exp_near(r), (int)n);
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
    float s = f / (f + 2.0f), z = s * s, h = f * f * 0.5f;
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
        unsigned a = smcc_two_over_pi[word + i & 7], b = smcc_two_over_pi[word + i + 1 & 7];
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
    float r = smcc_reduce(x, &q), y = smcc_turn(r, q) / smcc_turn(r, q + 1);
    return r != r ? r : smcc_float(smcc_bits(y) ^ (smcc_bits(x) & 0x80000000u));
}
