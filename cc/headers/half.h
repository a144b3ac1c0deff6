/* clang-format off */
/* half.h -- cuda_fp16.h for clang: half in memory, and its conversions, on both sides. What computes with it is declared, and refuses the
 * kernel that calls it.
 */
#pragma once
#define HD static inline __attribute__((host, device, always_inline, nodebug, unused))
/* Of the number's own bits, because the machine's operations take denormals for zero. */
HD float smcc_of_half(unsigned h)
{
    unsigned m = h & 0x7fff;
    float x = m < 0x400 ? (float)(int)m * 0x1p-24f : __builtin_bit_cast(float, m < 0x7c00 ? (m << 13) + 0x38000000u : m << 13 | 0x7f800000u);
    return __builtin_bit_cast(float, __builtin_bit_cast(unsigned, x) | (h & 0x8000) << 16);
}
/* `away` and `even`: a result between two halves goes away from zero, or to the nearer one. */
HD unsigned short smcc_to_half(float x, bool even, bool away)
{
    unsigned sign = __builtin_bit_cast(unsigned, x) >> 16 & 0x8000, m = __builtin_bit_cast(unsigned, x) & 0x7fffffff;
    if (m >= 0x47800000u && m <= 0x7f800000u) /* 65536 and more */
        return (unsigned short)(sign | (m == 0x7f800000u || even || away ? 0x7c00 : 0x7bff));
    unsigned drop = m >= 0x38800000u ? 13 : 126 - (m >> 23) < 31 ? 126 - (m >> 23) : 31;
    unsigned whole = m >= 0x38800000u ? m - 0x38000000u : m >> 23 ? (m & 0x7fffff) | 0x800000 : m;
    unsigned r = whole >> drop, rest = whole & ((1u << drop) - 1), half_way = 1u << (drop - 1);
    bool up = even ? rest > half_way || (rest == half_way && (r & 1)) : away && rest;
    return (unsigned short)(m > 0x7f800000u ? 0x7fff : sign | (r + up));
}
#define SMCC_MEMBER __attribute__((host, device, always_inline, nodebug))
struct __align__(2) __half {
    unsigned short smcc_bits;
    __half() = default;
    template <class T> SMCC_MEMBER __half(T x) : smcc_bits(smcc_to_half((float)x, true, false)) {}
    SMCC_MEMBER operator float() const { return smcc_of_half(smcc_bits); }
};
struct __align__(4) __half2 {
    __half x, y;
    __half2() = default;
    SMCC_MEMBER __half2(__half a, __half b) : x(a), y(b) {}
};
typedef __half half; typedef __half2 half2;
HD __half __ushort_as_half(unsigned short x) { return __builtin_bit_cast(__half, x); }
HD __half __short_as_half(short x) { return __builtin_bit_cast(__half, x); }
HD unsigned short __half_as_ushort(__half h) { return h.smcc_bits; } HD short __half_as_short(__half h) { return (short)h.smcc_bits; }
HD float __half2float(__half h) { return h; }
HD __half __float2half(float x) { return x; } HD __half __float2half_rn(float x) { return x; } HD __half __double2half(double x) { return (float)x; }
HD __half __float2half_rz(float x) { return __ushort_as_half(smcc_to_half(x, false, false)); }
HD __half __float2half_ru(float x) { return __ushort_as_half(smcc_to_half(x, false, !(__builtin_bit_cast(unsigned, x) >> 31))); }
HD __half __float2half_rd(float x) { return __ushort_as_half(smcc_to_half(x, false, __builtin_bit_cast(unsigned, x) >> 31)); }
#define SMCC_INTEGER(name, T) HD __half __##name##2half_rn(T x) { return x; } HD T __half2##name##_rz(__half h) { return (T)(float)h; }
SMCC_INTEGER(int, int) SMCC_INTEGER(uint, unsigned) SMCC_INTEGER(short, short) SMCC_INTEGER(ushort, unsigned short)
HD float2 __half22float2(__half2 a) { return make_float2(a.x, a.y); }
HD float __low2float(__half2 a) { return a.x; } HD float __high2float(__half2 a) { return a.y; }
HD __half __low2half(__half2 a) { return a.x; } HD __half __high2half(__half2 a) { return a.y; }
#define SMCC_PAIR(f, A, x, B, y) HD __half2 f(A B) { return __half2(x, y); }
#define SMCC_AND(...) , __VA_ARGS__
SMCC_PAIR(make_half2, __half a, a, SMCC_AND(__half b), b) SMCC_PAIR(__halves2half2, __half a, a, SMCC_AND(__half b), b)
SMCC_PAIR(__half2half2, __half a, a, , a) SMCC_PAIR(__float2half2_rn, float a, a, , a) SMCC_PAIR(__float22half2_rn, float2 a, a.x, , a.y)
SMCC_PAIR(__floats2half2_rn, float a, a, SMCC_AND(float b), b) SMCC_PAIR(__low2half2, __half2 a, a.x, , a.x)
SMCC_PAIR(__high2half2, __half2 a, a.y, , a.y)
SMCC_PAIR(__lows2half2, __half2 a, a.x, SMCC_AND(__half2 b), b.x) SMCC_PAIR(__highs2half2, __half2 a, a.y, SMCC_AND(__half2 b), b.y)
SMCC_PAIR(__lowhigh2highlow, __half2 a, a.y, , a.x)
#define SMCC_COMPUTES(f, R)                                                                             \
    template <class... More> __device__ R f(__half x, More... y);                                  \
    template <class... More> __device__ __half2 f##2(__half2 x, More... y);
SMCC_COMPUTES(__hadd, __half) SMCC_COMPUTES(__hsub, __half) SMCC_COMPUTES(__hmul, __half) SMCC_COMPUTES(__hdiv, __half) SMCC_COMPUTES(__hfma, __half)
SMCC_COMPUTES(__hneg, __half) SMCC_COMPUTES(__habs, __half) SMCC_COMPUTES(__hmax, __half) SMCC_COMPUTES(__hmin, __half)
SMCC_COMPUTES(__heq, bool) SMCC_COMPUTES(__hne, bool) SMCC_COMPUTES(__hlt, bool) SMCC_COMPUTES(__hle, bool) SMCC_COMPUTES(__hgt, bool) SMCC_COMPUTES(__hge, bool)
#define SMCC_OP __device__ inline __attribute__((always_inline, nodebug))
#define SMCC_OPERATOR(o, f) SMCC_OP __half operator o(__half x, __half y) { return f(x, y); } \
    SMCC_OP __half2 operator o(__half2 x, __half2 y) { return f##2(x, y); }
SMCC_OPERATOR(+, __hadd) SMCC_OPERATOR(-, __hsub) SMCC_OPERATOR(*, __hmul) SMCC_OPERATOR(/, __hdiv)
#undef HD
