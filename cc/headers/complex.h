/* clang-format off */
/* complex.h -- cuComplex.h for clang: complex numbers as pairs, on both sides. Absolute value and quotient scale their operands first, so
 * that squares of large numbers do not overflow.
 */
#pragma once
#define HD static inline __attribute__((host, device, always_inline, nodebug, unused))
typedef float2 cuFloatComplex; typedef double2 cuDoubleComplex; typedef cuFloatComplex cuComplex;
#define SMCC_COMPLEX(T, C, make, s, absolute, root)                                                                     \
    HD C make(T r, T i) { C c; c.x = r; c.y = i; return c; }                                                            \
    HD T cuCreal##s(C a) { return a.x; }                                                                                \
    HD T cuCimag##s(C a) { return a.y; }                                                                                \
    HD C cuConj##s(C a) { return make(a.x, -a.y); }                                                                     \
    HD C cuCadd##s(C a, C b) { return make(a.x + b.x, a.y + b.y); }                                                     \
    HD C cuCsub##s(C a, C b) { return make(a.x - b.x, a.y - b.y); }                                                     \
    HD C cuCmul##s(C a, C b) { return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }                             \
    HD C cuCfma##s(C a, C b, C c) { return cuCadd##s(cuCmul##s(a, b), c); }                                             \
    HD C cuCdiv##s(C a, C b)                                                                                            \
    {                                                                                                                   \
        T scale = 1 / (absolute(b.x) + absolute(b.y)), ar = a.x * scale, ai = a.y * scale, br = b.x * scale,            \
          bi = b.y * scale, square = br * br + bi * bi;                                                                 \
        return make((ar * br + ai * bi) / square, (ai * br - ar * bi) / square);                                        \
    }                                                                                                                   \
    HD T cuCabs##s(C a)                                                                                                 \
    {                                                                                                                   \
        T x = absolute(a.x), y = absolute(a.y), large = x > y ? x : y, small = x > y ? y : x;                           \
        if (large == 0 || large > (T)3e38f)                                                                             \
            return x + y;                                                                                               \
        T part = small / large;                                                                                         \
        return large * root(1 + part * part);                                                                           \
    }
SMCC_COMPLEX(float, cuFloatComplex, make_cuFloatComplex, f, fabsf, sqrtf)
SMCC_COMPLEX(double, cuDoubleComplex, make_cuDoubleComplex, , fabs, sqrt)
HD cuComplex make_cuComplex(float r, float i) { return make_cuFloatComplex(r, i); }
HD cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex c) { return make_cuDoubleComplex(c.x, c.y); }
HD cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex c) { return make_cuFloatComplex((float)c.x, (float)c.y); }
#undef SMCC_COMPLEX
#undef HD
