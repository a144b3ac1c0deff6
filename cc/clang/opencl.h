/* clang-format off */
/* opencl.h -- the functions of OpenCL C 1.2 that kernels call, for clang; smcc hands it over with every .cl file.
 *
 * Functions of one argument exist for float and for vectors of it. What is not here is not supported: atomics,
 * double, half, events. How far the results are from the true ones: docs/reference/kernels.md. Macros that are not the language's end
 * with the file: a test lists those that stay.
 */
/* what clang says of any machine with PTX, and this one has not */
#undef cl_khr_fp64
#undef cl_khr_global_int32_base_atomics
#undef cl_khr_global_int32_extended_atomics
#undef cl_khr_local_int32_base_atomics
#undef cl_khr_local_int32_extended_atomics
#define F  static inline __attribute__((overloadable, always_inline, nodebug, const, unused))
#define FV static inline __attribute__((overloadable, always_inline, nodebug, unused))

/* ---- types ---- */

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
#define VECTORS(T)                                                                                 \
    typedef T T##2 __attribute__((ext_vector_type(2)));                                            \
    typedef T T##3 __attribute__((ext_vector_type(3)));                                            \
    typedef T T##4 __attribute__((ext_vector_type(4)));                                            \
    typedef T T##8 __attribute__((ext_vector_type(8)));                                            \
    typedef T T##16 __attribute__((ext_vector_type(16)));
VECTORS(char)
VECTORS(uchar)
VECTORS(short)
VECTORS(ushort)
VECTORS(int)
VECTORS(uint)
VECTORS(long) VECTORS(ulong) VECTORS(float)
#undef VECTORS
typedef uint cl_mem_fence_flags;

#define NULL         ((void *)0)
#define CHAR_BIT     8
#define CHAR_MAX     127
#define CHAR_MIN     (-128)
#define SCHAR_MAX    127
#define SCHAR_MIN    (-128)
#define UCHAR_MAX    255
#define SHRT_MAX     32767
#define SHRT_MIN     (-32768)
#define USHRT_MAX    65535
#define INT_MAX      2147483647
#define INT_MIN      (-2147483647 - 1)
#define UINT_MAX     0xffffffffu
#define LONG_MAX     0x7fffffffffffffffL
#define LONG_MIN     (-LONG_MAX - 1)
#define ULONG_MAX    0xffffffffffffffffUL
#define FLT_DIG      6
#define FLT_MANT_DIG 24
#define FLT_MAX_EXP  128
#define FLT_MIN_EXP  (-125)
#define FLT_RADIX    2
#define FLT_MAX      0x1.fffffep127f
#define FLT_MIN      0x1.0p-126f
#define FLT_EPSILON  0x1.0p-23f
#define MAXFLOAT     FLT_MAX
#define HUGE_VALF    __builtin_inff()
#define HUGE_VAL     HUGE_VALF
#define INFINITY     __builtin_inff()
#define NAN          __builtin_nanf("")
#define M_E_F        2.71828182845904523536028747135266250f
#define M_LOG2E_F    1.44269504088896340735992468100189214f
#define M_LOG10E_F   0.434294481903251827651128918916605082f
#define M_LN2_F      0.693147180559945309417232121458176568f
#define M_LN10_F     2.30258509299404568401799145468436421f
#define M_PI_F       3.14159265358979323846264338327950288f
#define M_PI_2_F     1.57079632679489661923132169163975144f
#define M_PI_4_F     0.785398163397448309615660845819875721f
#define M_1_PI_F     0.318309886183790671537767526745028724f
#define M_2_PI_F     0.636619772367581343075535053490057448f
#define M_SQRT2_F    1.41421356237309504880168872420969808f
#define M_SQRT1_2_F  0.707106781186547524400844362104849039f

/* ---- the thread's place, barriers ---- */

F size_t get_local_id(uint d)
{
    return d == 0   ? __nvvm_read_ptx_sreg_tid_x()
           : d == 1 ? __nvvm_read_ptx_sreg_tid_y()
           : d == 2 ? __nvvm_read_ptx_sreg_tid_z()
                    : 0;
}
F size_t get_local_size(uint d)
{
    return d == 0   ? __nvvm_read_ptx_sreg_ntid_x()
           : d == 1 ? __nvvm_read_ptx_sreg_ntid_y()
           : d == 2 ? __nvvm_read_ptx_sreg_ntid_z()
                    : 1;
}
F size_t get_group_id(uint d)
{
    return d == 0 ? __nvvm_read_ptx_sreg_ctaid_x() : d == 1 ? __nvvm_read_ptx_sreg_ctaid_y() : 0;
}
F size_t get_num_groups(uint d)
{
    return d == 0 ? __nvvm_read_ptx_sreg_nctaid_x() : d == 1 ? __nvvm_read_ptx_sreg_nctaid_y() : 1;
}
F size_t get_global_id(uint d) { return get_group_id(d) * get_local_size(d) + get_local_id(d); }
F size_t get_global_size(uint d) { return get_num_groups(d) * get_local_size(d); }
F size_t get_global_offset(uint d) { return 0; }
/* A launch says how large it is, not with how many numbers: the last dimension that has more than one. */
F uint get_work_dim(void)
{
    return get_local_size(2) > 1 ? 3 : get_local_size(1) > 1 || get_num_groups(1) > 1 ? 2 : 1;
}

#define CLK_LOCAL_MEM_FENCE  1
#define CLK_GLOBAL_MEM_FENCE 2
/* In assembly, because clang moves accesses of variables across its own barriers. */
FV void barrier(cl_mem_fence_flags flags) { __asm__ volatile("bar.sync 0;" ::: "memory"); }
FV void mem_fence(cl_mem_fence_flags flags) { __asm__ volatile("membar.gl;" ::: "memory"); }
FV void read_mem_fence(cl_mem_fence_flags flags) { mem_fence(flags); }
FV void write_mem_fence(cl_mem_fence_flags flags) { mem_fence(flags); }
/* What threads hand each other over a barrier, clang would not see in such a pointer's memory. */
#define restrict
#define __restrict
#define __restrict__

/* ---- what the machine has not: a call of it stays one, for which smcc refuses the kernel (lower.c) ---- */

#define NO __attribute__((overloadable))
#define ATOMICS(A, S, T)                                                                           \
    NO T A##add(volatile S T *p, T x);                                                      \
    NO T A##sub(volatile S T *p, T x);                                                      \
    NO T A##xchg(volatile S T *p, T x);                                                     \
    NO T A##min(volatile S T *p, T x);                                                      \
    NO T A##max(volatile S T *p, T x);                                                      \
    NO T A##and(volatile S T *p, T x);                                                      \
    NO T A##or(volatile S T *p, T x);                                                       \
    NO T A##xor(volatile S T *p, T x);                                                      \
    NO T A##inc(volatile S T *p);                                                           \
    NO T A##dec(volatile S T *p);                                                           \
    NO T A##cmpxchg(volatile S T *p, T x, T y);
ATOMICS(atomic_, __global, int) ATOMICS(atomic_, __global, uint)
ATOMICS(atomic_, __local, int) ATOMICS(atomic_, __local, uint)
ATOMICS(atom_, __global, int) ATOMICS(atom_, __global, uint)
ATOMICS(atom_, __local, int) ATOMICS(atom_, __local, uint)
ATOMICS(atom_, __global, long) ATOMICS(atom_, __global, ulong)
ATOMICS(atom_, __local, long) ATOMICS(atom_, __local, ulong)
NO float atomic_xchg(volatile __global float *p, float x);
NO float atomic_xchg(volatile __local float *p, float x);
#undef ATOMICS

#define CLK_NORMALIZED_COORDS_FALSE 0
#define CLK_NORMALIZED_COORDS_TRUE  1
#define CLK_ADDRESS_NONE            0
#define CLK_ADDRESS_CLAMP_TO_EDGE   2
#define CLK_ADDRESS_CLAMP           4
#define CLK_ADDRESS_REPEAT          6
#define CLK_ADDRESS_MIRRORED_REPEAT 8
#define CLK_FILTER_NEAREST          16
#define CLK_FILTER_LINEAR           32
#define IMAGE(T, C, F)                                                                             \
    NO float4 read_imagef(__read_only T i, sampler_t s, F at);                               \
    NO int4 read_imagei(__read_only T i, sampler_t s, F at);                                 \
    NO uint4 read_imageui(__read_only T i, sampler_t s, F at);                               \
    NO float4 read_imagef(__read_only T i, sampler_t s, C at);                               \
    NO int4 read_imagei(__read_only T i, sampler_t s, C at);                                 \
    NO uint4 read_imageui(__read_only T i, sampler_t s, C at);                               \
    NO float4 read_imagef(__read_only T i, C at);                                            \
    NO int4 read_imagei(__read_only T i, C at);                                              \
    NO uint4 read_imageui(__read_only T i, C at);
#define IMAGE_OUT(T, C)                                                                            \
    NO int get_image_width(__write_only T i);                                                \
    NO int get_image_height(__write_only T i);                                               \
    NO void write_imagef(__write_only T i, C at, float4 x);                                  \
    NO void write_imagei(__write_only T i, C at, int4 x);                                    \
    NO void write_imageui(__write_only T i, C at, uint4 x);
#define IMAGE_SIZE(T)                                                                              \
    NO int get_image_width(__read_only T i);                                                 \
    NO int get_image_height(__read_only T i);
IMAGE(image1d_t, int, float)
IMAGE(image2d_array_t, int4, float4) IMAGE(image1d_array_t, int2, float2)
IMAGE_OUT(image1d_t, int) IMAGE_OUT(image2d_t, int2)
IMAGE_OUT(image2d_array_t, int4) IMAGE_OUT(image1d_array_t, int2)
IMAGE_SIZE(image1d_t) IMAGE_SIZE(image2d_array_t) IMAGE_SIZE(image1d_array_t)
NO int2 get_image_dim(__write_only image2d_t i);
NO float4 read_imagef(__read_only image3d_t i, sampler_t s, float4 at);
NO float4 read_imagef(__read_only image3d_t i, sampler_t s, int4 at);
#undef IMAGE_OUT
#undef IMAGE_SIZE
#undef IMAGE

/* ---- images of two dimensions: an instruction that images.c knows, and PTX does not ---- */

#define READ(f, T, REG, KIND)                                                                      \
    F T##4 f(__read_only image2d_t i, sampler_t s, float2 at)                                      \
    {                                                                                              \
        T x, y, z, w;                                                                              \
        __asm__("image.2d." KIND ".f32.v4 {%0,%1,%2,%3}, [%4, {%5,%6}], %7;"                       \
                : "=" REG(x), "=" REG(y), "=" REG(z), "=" REG(w)                                   \
                : "r"(__builtin_astype(i, int)), "f"(at.x), "f"(at.y), "r"(__builtin_astype(s, int))); \
        return (T##4)(x, y, z, w);                                                                 \
    }                                                                                              \
    F T##4 f(__read_only image2d_t i, sampler_t s, int2 at)                                        \
    {                                                                                              \
        T x, y, z, w;                                                                              \
        __asm__("image.2d." KIND ".s32.v4 {%0,%1,%2,%3}, [%4, {%5,%6}], %7;"                       \
                : "=" REG(x), "=" REG(y), "=" REG(z), "=" REG(w)                                   \
                : "r"(__builtin_astype(i, int)), "f"((float)at.x), "f"((float)at.y),               \
                  "r"(__builtin_astype(s, int)));                                                  \
        return (T##4)(x, y, z, w);                                                                 \
    }                                                                                              \
    F T##4 f(__read_only image2d_t i, int2 at)                                                     \
    {                                                                                              \
        T x, y, z, w;                                                                              \
        __asm__("image.2d." KIND ".s32.v4 {%0,%1,%2,%3}, [%4, {%5,%6}], %7;"                       \
                : "=" REG(x), "=" REG(y), "=" REG(z), "=" REG(w)                                   \
                : "r"(__builtin_astype(i, int)), "f"((float)at.x), "f"((float)at.y), "r"(0));      \
        return (T##4)(x, y, z, w);                                                                 \
    }
#define SIZE(f, WHICH)                                                                             \
    F int f(__read_only image2d_t i)                                                               \
    {                                                                                              \
        int x;                                                                                     \
        __asm__("image." WHICH " %0, %1;" : "=r"(x) : "r"(__builtin_astype(i, int)));               \
        return x;                                                                                  \
    }
SIZE(get_image_width, "width")
SIZE(get_image_height, "height")
#undef SIZE
F int2 get_image_dim(__read_only image2d_t i)
{
    return (int2)(get_image_width(i), get_image_height(i));
}
READ(read_imagef, float, "f", "float")
READ(read_imagei, int, "r", "int")
READ(read_imageui, uint, "r", "uint")
#undef READ

/* ---- vectors of a function, half by half ---- */

#define V1(R, f, T)                                                                                \
    F R##2 f(T##2 x) { return (R##2)(f(x.x), f(x.y)); }                                            \
    F R##3 f(T##3 x) { return (R##3)(f(x.x), f(x.y), f(x.z)); }                                    \
    F R##4 f(T##4 x) { return (R##4)(f(x.lo), f(x.hi)); }                                          \
    F R##8 f(T##8 x) { return (R##8)(f(x.lo), f(x.hi)); }                                          \
    F R##16 f(T##16 x) { return (R##16)(f(x.lo), f(x.hi)); }
#define V2(R, f, T, U)                                                                             \
    F R##2 f(T##2 x, U##2 y) { return (R##2)(f(x.x, y.x), f(x.y, y.y)); }                          \
    F R##3 f(T##3 x, U##3 y) { return (R##3)(f(x.x, y.x), f(x.y, y.y), f(x.z, y.z)); }             \
    F R##4 f(T##4 x, U##4 y) { return (R##4)(f(x.lo, y.lo), f(x.hi, y.hi)); }                      \
    F R##8 f(T##8 x, U##8 y) { return (R##8)(f(x.lo, y.lo), f(x.hi, y.hi)); }                      \
    F R##16 f(T##16 x, U##16 y) { return (R##16)(f(x.lo, y.lo), f(x.hi, y.hi)); }
#define V3(R, f, T, U, W)                                                                          \
    F R##2 f(T##2 x, U##2 y, W##2 z) { return (R##2)(f(x.x, y.x, z.x), f(x.y, y.y, z.y)); }        \
    F R##3 f(T##3 x, U##3 y, W##3 z)                                                               \
    {                                                                                              \
        return (R##3)(f(x.x, y.x, z.x), f(x.y, y.y, z.y), f(x.z, y.z, z.z));                       \
    }                                                                                              \
    F R##4 f(T##4 x, U##4 y, W##4 z)                                                               \
    {                                                                                              \
        return (R##4)(f(x.lo, y.lo, z.lo), f(x.hi, y.hi, z.hi));                                   \
    }                                                                                              \
    F R##8 f(T##8 x, U##8 y, W##8 z)                                                               \
    {                                                                                              \
        return (R##8)(f(x.lo, y.lo, z.lo), f(x.hi, y.hi, z.hi));                                   \
    }                                                                                              \
    F R##16 f(T##16 x, U##16 y, W##16 z)                                                           \
    {                                                                                              \
        return (R##16)(f(x.lo, y.lo, z.lo), f(x.hi, y.hi, z.hi));                                  \
    }
/* the second argument may be one number for all */
#define V2S(f, T)                                                                                  \
    F T##2 f(T##2 x, T y) { return f(x, (T##2)(y)); }                                              \
    F T##3 f(T##3 x, T y) { return f(x, (T##3)(y)); }                                              \
    F T##4 f(T##4 x, T y) { return f(x, (T##4)(y)); }                                              \
    F T##8 f(T##8 x, T y) { return f(x, (T##8)(y)); }                                              \
    F T##16 f(T##16 x, T y) { return f(x, (T##16)(y)); }
#define V3S(f, T)                                                                                  \
    F T##2 f(T##2 x, T y, T z) { return f(x, (T##2)(y), (T##2)(z)); }                              \
    F T##3 f(T##3 x, T y, T z) { return f(x, (T##3)(y), (T##3)(z)); }                              \
    F T##4 f(T##4 x, T y, T z) { return f(x, (T##4)(y), (T##4)(z)); }                              \
    F T##8 f(T##8 x, T y, T z) { return f(x, (T##8)(y), (T##8)(z)); }                              \
    F T##16 f(T##16 x, T y, T z) { return f(x, (T##16)(y), (T##16)(z)); }

/* ---- the bits of a value as another type ---- */

#define AS(T, S)                                                                                   \
    F T as_##T(S x) { return __builtin_astype(x, T); }
#define ASN(A, B, C)                                                                               \
    AS(A, A) AS(A, B) AS(A, C) AS(B, A) AS(B, B) AS(B, C) AS(C, A) AS(C, B) AS(C, C)
ASN(int, uint, float)
ASN(int2, uint2, float2)
ASN(int3, uint3, float3)
ASN(int4, uint4, float4)
ASN(int8, uint8, float8)
ASN(int16, uint16, float16)
AS(char, uchar) AS(uchar, char) AS(short, ushort) AS(ushort, short) AS(long, ulong) AS(ulong, long)
AS(char4, uchar4) AS(uchar4, char4) AS(int, uchar4) AS(uint, uchar4) AS(uchar4, int) AS(uchar4, uint)
AS(int, char4) AS(uint, char4) AS(char4, int) AS(char4, uint)
AS(ushort2, uint) AS(uint, ushort2) AS(short2, int) AS(int, short2)
AS(ulong, uint2) AS(uint2, ulong) AS(long, int2) AS(int2, long) AS(uint2, long) AS(ulong, int2)
#undef AS
#undef ASN

/* ---- conversions ---- */

#define CONVERT1(T, S)                                                                             \
    F T convert_##T(S x) { return (T)x; }                                                          \
    F T##2 convert_##T##2(S##2 x) { return __builtin_convertvector(x, T##2); }                     \
    F T##3 convert_##T##3(S##3 x) { return __builtin_convertvector(x, T##3); }                     \
    F T##4 convert_##T##4(S##4 x) { return __builtin_convertvector(x, T##4); }                     \
    F T##8 convert_##T##8(S##8 x) { return __builtin_convertvector(x, T##8); }                     \
    F T##16 convert_##T##16(S##16 x) { return __builtin_convertvector(x, T##16); }
#define CONVERT(T)                                                                                 \
    CONVERT1(T, char) CONVERT1(T, uchar) CONVERT1(T, short) CONVERT1(T, ushort)                    \
    CONVERT1(T, int) CONVERT1(T, uint) CONVERT1(T, long) CONVERT1(T, ulong) CONVERT1(T, float)
CONVERT(char) CONVERT(uchar) CONVERT(short) CONVERT(ushort)
CONVERT(int) CONVERT(uint) CONVERT(long) CONVERT(ulong) CONVERT(float)
#undef CONVERT1
#undef CONVERT
/* clamped */
#define SAT(T, S, LEAST, MOST)                                                                     \
    F T convert_##T##_sat(S x)                                                                     \
    {                                                                                              \
        return (T)(x < (S)(LEAST) ? (S)(LEAST) : x > (S)(MOST) ? (S)(MOST) : x);                   \
    }                                                                                              \
    V1(T, convert_##T##_sat, S)
#define SATV(T, S)                                                                                 \
    F T##2 convert_##T##2_sat(S##2 x) { return convert_##T##_sat(x); }                             \
    F T##3 convert_##T##3_sat(S##3 x) { return convert_##T##_sat(x); }                             \
    F T##4 convert_##T##4_sat(S##4 x) { return convert_##T##_sat(x); }                             \
    F T##8 convert_##T##8_sat(S##8 x) { return convert_##T##_sat(x); }                             \
    F T##16 convert_##T##16_sat(S##16 x) { return convert_##T##_sat(x); }
SAT(char, int, CHAR_MIN, CHAR_MAX) SAT(uchar, int, 0, UCHAR_MAX)
SAT(short, int, SHRT_MIN, SHRT_MAX) SAT(ushort, int, 0, USHRT_MAX)
SAT(char, uint, 0, CHAR_MAX) SAT(uchar, uint, 0, UCHAR_MAX)
SAT(short, uint, 0, SHRT_MAX) SAT(ushort, uint, 0, USHRT_MAX)
SATV(char, int) SATV(uchar, int) SATV(short, int) SATV(ushort, int)
SATV(char, uint) SATV(uchar, uint) SATV(short, uint) SATV(ushort, uint)
F int convert_int_sat(uint x) { return x > INT_MAX ? INT_MAX : (int)x; }
F uint convert_uint_sat(int x) { return x < 0 ? 0 : (uint)x; }

/* ---- integers ---- */

#define INTEGER(T, U, S)                                                                           \
    F T min(T x, T y) { return x < y ? x : y; }                                                    \
    V2(T, min, T, T) V2S(min, T)                                                                   \
    F T max(T x, T y) { return x > y ? x : y; }                                                    \
    V2(T, max, T, T) V2S(max, T)                                                                   \
    F T clamp(T x, T a, T b) { return min(max(x, a), b); }                                         \
    V3(T, clamp, T, T, T) V3S(clamp, T)                                                            \
    F T rotate(T x, T n)                                                                           \
    {                                                                                              \
        const U w = sizeof(T) * 8;                                                                 \
        U k = (U)n & (w - 1);                                                                      \
        return (T)(U)(((U)x << k) | ((U)x >> ((w - k) & (w - 1))));                                \
    }                                                                                              \
    V2(T, rotate, T, T)                                                                            \
    F U abs_diff(T x, T y) { return x > y ? (U)x - (U)y : (U)y - (U)x; }                           \
    V2(U, abs_diff, T, T)                                                                          \
    F T hadd(T x, T y) { return (x >> 1) + (y >> 1) + (x & y & 1); }                               \
    V2(T, hadd, T, T)                                                                              \
    F T rhadd(T x, T y) { return (x >> 1) + (y >> 1) + ((x | y) & 1); }                            \
    V2(T, rhadd, T, T)                                                                             \
    F T popcount(T x) { return (T)__builtin_popcount((uint)(U)x); }                                \
    V1(T, popcount, T)                                                                             \
    F T clz(T x)                                                                                   \
    {                                                                                              \
        return (U)x ? (T)(__builtin_clz((uint)(U)x) - (32 - (int)sizeof(T) * 8))                   \
                    : (T)(sizeof(T) * 8);                                                          \
    }                                                                                              \
    V1(T, clz, T)                                                                                  \
    F T select(T a, T b, U c) { return c ? b : a; }                                                \
    F T select(T a, T b, S c) { return c ? b : a; }
INTEGER(char, uchar, char)
INTEGER(uchar, uchar, char)
INTEGER(short, ushort, short)
INTEGER(ushort, ushort, short)
INTEGER(int, uint, int)
INTEGER(uint, uint, int)
#undef INTEGER
#define SELECT(T, S)                                                                               \
    F T##2 select(T##2 a, T##2 b, S##2 c) { return c < (S##2)0 ? b : a; }                          \
    F T##3 select(T##3 a, T##3 b, S##3 c) { return c < (S##3)0 ? b : a; }                          \
    F T##4 select(T##4 a, T##4 b, S##4 c) { return c < (S##4)0 ? b : a; }                          \
    F T##8 select(T##8 a, T##8 b, S##8 c) { return c < (S##8)0 ? b : a; }                          \
    F T##16 select(T##16 a, T##16 b, S##16 c) { return c < (S##16)0 ? b : a; }
SELECT(char, char)
SELECT(uchar, char) SELECT(short, short) SELECT(ushort, short) SELECT(int, int) SELECT(uint, int)
SELECT(float, int)
#undef SELECT
F ulong mul_hi(ulong x, ulong y)
{
    uint a = (uint)x, b = (uint)(x >> 32), c = (uint)y, d = (uint)(y >> 32);
    ulong p = (ulong)a * d + ((ulong)a * c >> 32), q = (ulong)b * c + (uint)p;
    return (ulong)b * d + (p >> 32) + (q >> 32);
}
F long mul_hi(long x, long y)
{
    ulong h = mul_hi((ulong)x, (ulong)y);
    return (long)(h - (x < 0 ? (ulong)y : 0) - (y < 0 ? (ulong)x : 0));
}
#define LONG(T, U)                                                                                 \
    F T min(T x, T y) { return x < y ? x : y; }                                                    \
    V2(T, min, T, T) V2S(min, T)                                                                   \
    F T max(T x, T y) { return x > y ? x : y; }                                                    \
    V2(T, max, T, T) V2S(max, T)                                                                   \
    F T clamp(T x, T a, T b) { return min(max(x, a), b); }                                         \
    V3(T, clamp, T, T, T) V3S(clamp, T)                                                            \
    F T rotate(T x, T n) { return (T)(((U)x << (n & 63)) | ((U)x >> ((64 - n) & 63))); }           \
    V2(T, rotate, T, T)                                                                            \
    F T popcount(T x) { return popcount((uint)x) + popcount((uint)((U)x >> 32)); }                 \
    V1(T, popcount, T)                                                                             \
    F T clz(T x) { return (U)x >> 32 ? clz((uint)((U)x >> 32)) : 32 + clz((uint)x); }              \
    V1(T, clz, T)                                                                                  \
    F U abs_diff(T x, T y) { return x > y ? (U)x - (U)y : (U)y - (U)x; }                           \
    V2(U, abs_diff, T, T)                                                                          \
    F T hadd(T x, T y) { return (x >> 1) + (y >> 1) + (x & y & 1); }                               \
    V2(T, hadd, T, T)                                                                              \
    F T rhadd(T x, T y) { return (x >> 1) + (y >> 1) + ((x | y) & 1); }                            \
    V2(T, rhadd, T, T)                                                                             \
    F T select(T a, T b, U c) { return c ? b : a; }                                                \
    F T select(T a, T b, long c) { return c ? b : a; }
LONG(long, ulong)
LONG(ulong, ulong)
#undef LONG
F uchar abs(char x) { return x < 0 ? -x : x; }
F ushort abs(short x) { return x < 0 ? -x : x; }
F uint abs(int x) { return x < 0 ? 0u - (uint)x : (uint)x; }
F ulong abs(long x) { return x < 0 ? 0ul - (ulong)x : (ulong)x; }
F uchar abs(uchar x) { return x; }
F ushort abs(ushort x) { return x; }
F uint abs(uint x) { return x; }
F ulong abs(ulong x) { return x; }
V1(uchar, abs, char) V1(ushort, abs, short) V1(uint, abs, int) V1(ulong, abs, long)
F int mul24(int x, int y) { return __nvvm_mul24_i(x, y); }
F uint mul24(uint x, uint y) { return __nvvm_mul24_ui(x, y); }
V2(int, mul24, int, int) V2(uint, mul24, uint, uint)
F int mad24(int x, int y, int z) { return mul24(x, y) + z; }
F uint mad24(uint x, uint y, uint z) { return mul24(x, y) + z; }
V3(int, mad24, int, int, int) V3(uint, mad24, uint, uint, uint)
F int mul_hi(int x, int y) { return __nvvm_mulhi_i(x, y); }
F uint mul_hi(uint x, uint y) { return __nvvm_mulhi_ui(x, y); }
F char mul_hi(char x, char y) { return (char)((int)x * y >> 8); }
F uchar mul_hi(uchar x, uchar y) { return (uchar)((uint)x * y >> 8); }
F short mul_hi(short x, short y) { return (short)((int)x * y >> 16); }
F ushort mul_hi(ushort x, ushort y) { return (ushort)((uint)x * y >> 16); }
#define HIGH(T, U)                                                                                 \
    V2(T, mul_hi, T, T)                                                                            \
    F T mad_hi(T x, T y, T z) { return (T)((U)mul_hi(x, y) + (U)z); }                              \
    V3(T, mad_hi, T, T, T)
HIGH(char, uint) HIGH(uchar, uint) HIGH(short, uint) HIGH(ushort, uint) HIGH(int, uint) HIGH(uint, uint)
HIGH(long, ulong) HIGH(ulong, ulong)
#undef HIGH
F uint add_sat(uint x, uint y) { return x + y < x ? UINT_MAX : x + y; }
F uint sub_sat(uint x, uint y) { return x < y ? 0 : x - y; }
F int add_sat(int x, int y)
{
    int s = (int)((uint)x + (uint)y);
    return ((x ^ s) & (y ^ s)) < 0 ? (x < 0 ? INT_MIN : INT_MAX) : s;
}
F int sub_sat(int x, int y)
{
    int s = (int)((uint)x - (uint)y);
    return ((x ^ y) & (x ^ s)) < 0 ? (x < 0 ? INT_MIN : INT_MAX) : s;
}
F ulong add_sat(ulong x, ulong y) { return x + y < x ? ULONG_MAX : x + y; }
F ulong sub_sat(ulong x, ulong y) { return x < y ? 0 : x - y; }
F long add_sat(long x, long y)
{
    long s = (long)((ulong)x + (ulong)y);
    return ((x ^ s) & (y ^ s)) < 0 ? (x < 0 ? LONG_MIN : LONG_MAX) : s;
}
F long sub_sat(long x, long y)
{
    long s = (long)((ulong)x - (ulong)y);
    return ((x ^ y) & (x ^ s)) < 0 ? (x < 0 ? LONG_MIN : LONG_MAX) : s;
}
F uchar add_sat(uchar x, uchar y) { return convert_uchar_sat((int)x + y); }
F char add_sat(char x, char y) { return convert_char_sat((int)x + y); }
F ushort add_sat(ushort x, ushort y) { return convert_ushort_sat((int)x + y); }
F short add_sat(short x, short y) { return convert_short_sat((int)x + y); }
F uchar sub_sat(uchar x, uchar y) { return convert_uchar_sat((int)x - y); }
F char sub_sat(char x, char y) { return convert_char_sat((int)x - y); }
F ushort sub_sat(ushort x, ushort y) { return convert_ushort_sat((int)x - y); }
F short sub_sat(short x, short y) { return convert_short_sat((int)x - y); }
V2(int, add_sat, int, int)
V2(uint, add_sat, uint, uint)
V2(int, sub_sat, int, int)
V2(uint, sub_sat, uint, uint)
V2(uchar, add_sat, uchar, uchar) V2(uchar, sub_sat, uchar, uchar)
F short upsample(char h, uchar l) { return (short)((h << 8) | l); }
F ushort upsample(uchar h, uchar l) { return (ushort)((h << 8) | l); }
F int upsample(short h, ushort l) { return (int)((uint)h << 16 | l); }
F uint upsample(ushort h, ushort l) { return (uint)h << 16 | l; }
F long upsample(int h, uint l) { return (long)((ulong)h << 32 | l); }
F ulong upsample(uint h, uint l) { return (ulong)h << 32 | l; }
F int bitselect(int a, int b, int c) { return (a & ~c) | (b & c); }
F uint bitselect(uint a, uint b, uint c) { return (a & ~c) | (b & c); }
F float bitselect(float a, float b, float c)
{
    return as_float(bitselect(as_uint(a), as_uint(b), as_uint(c)));
}
V3(int, bitselect, int, int, int)
V3(uint, bitselect, uint, uint, uint)
V3(float, bitselect, float, float, float)
#define ANY(T)                                                                                     \
    F int any(T x) { return x < 0; }                                                               \
    F int all(T x) { return x < 0; }                                                               \
    F int any(T##2 x) { return any(x.x) | any(x.y); }                                              \
    F int all(T##2 x) { return all(x.x) & all(x.y); }                                              \
    F int any(T##3 x) { return any(x.xy) | any(x.z); }                                             \
    F int all(T##3 x) { return all(x.xy) & all(x.z); }                                             \
    F int any(T##4 x) { return any(x.lo) | any(x.hi); }                                            \
    F int all(T##4 x) { return all(x.lo) & all(x.hi); }                                            \
    F int any(T##8 x) { return any(x.lo) | any(x.hi); }                                            \
    F int all(T##8 x) { return all(x.lo) & all(x.hi); }
ANY(char)
ANY(short)
ANY(int)
#undef ANY

/* ---- float: exact ---- */

#define F1(f) V1(float, f, float)
#define F2(f) V2(float, f, float, float)
F float fabs(float x) { return as_float(as_uint(x) & 0x7fffffffu); }
F1(fabs)
F float copysign(float x, float y)
{
    return as_float((as_uint(x) & 0x7fffffffu) | (as_uint(y) & 0x80000000u));
}
F2(copysign)
F float floor(float x) { return __nvvm_floor_f(x); }
F1(floor)
F float ceil(float x) { return __nvvm_ceil_f(x); }
F1(ceil)
F float trunc(float x) { return __nvvm_trunc_f(x); }
F1(trunc)
F float rint(float x) { return __builtin_rintf(x); }
F1(rint)
F float round(float x)
{
    float t = trunc(x);
    return fabs(x - t) >= 0.5f ? t + copysign(1.0f, x) : t;
}
F1(round)
F float fmin(float x, float y) { return __nvvm_fmin_f(x, y); }
F2(fmin) V2S(fmin, float)
F float fmax(float x, float y) { return __nvvm_fmax_f(x, y); }
F2(fmax) V2S(fmax, float)
F float min(float x, float y) { return y < x ? y : x; }
F2(min) V2S(min, float)
F float max(float x, float y) { return x < y ? y : x; }
F2(max) V2S(max, float)
F float clamp(float x, float a, float b) { return fmin(fmax(x, a), b); }
V3(float, clamp, float, float, float) V3S(clamp, float)
F float mad(float a, float b, float c) { return a * b + c; }
V3(float, mad, float, float, float)
F float fdim(float x, float y) { return x <= y ? 0.0f : x - y; }
F2(fdim)
F float maxmag(float x, float y)
{
    return fabs(x) > fabs(y) ? x : fabs(y) > fabs(x) ? y : fmax(x, y);
}
F2(maxmag)
F float minmag(float x, float y)
{
    return fabs(x) < fabs(y) ? x : fabs(y) < fabs(x) ? y : fmin(x, y);
}
F2(minmag)
F float select(float a, float b, int c) { return c ? b : a; }
F float select(float a, float b, uint c) { return c ? b : a; }
F int isnan(float x) { return x != x; }
F int isinf(float x) { return (as_uint(x) & 0x7fffffffu) == 0x7f800000u; }
F int isfinite(float x) { return (as_uint(x) & 0x7f800000u) != 0x7f800000u; }
F int isnormal(float x)
{
    uint e = as_uint(x) & 0x7f800000u;
    return e != 0 && e != 0x7f800000u;
}
F int signbit(float x) { return as_uint(x) >> 31; }
F int isequal(float x, float y) { return x == y; }
F int isnotequal(float x, float y) { return x != y; }
F int isgreater(float x, float y) { return x > y; }
F int isgreaterequal(float x, float y) { return x >= y; }
F int isless(float x, float y) { return x < y; }
F int islessequal(float x, float y) { return x <= y; }
F int islessgreater(float x, float y) { return x < y || x > y; }
F int isordered(float x, float y) { return x == x && y == y; }
F int isunordered(float x, float y) { return x != x || y != y; }
F float sign(float x) { return x > 0 ? 1.0f : x < 0 ? -1.0f : x == 0 ? x : 0.0f; }
F1(sign)
F float step(float e, float x) { return x < e ? 0.0f : 1.0f; }
F2(step)
F float mix(float x, float y, float a) { return x + (y - x) * a; }
V3(float, mix, float, float, float)
F float degrees(float x) { return x * 57.295779513082321f; }
F1(degrees)
F float radians(float x) { return x * 0.017453292519943295f; }
F1(radians)
F float nan(uint x) { return as_float(0x7fc00000u | (x & 0x3fffffu)); }
F int ilogb(float x)
{
    int e = (int)(as_uint(x) >> 23 & 255);
    return e == 0 ? -INT_MAX : e == 255 ? INT_MAX : e - 127;
}
F float logb(float x)
{
    int e = ilogb(x);
    return e == -INT_MAX ? -INFINITY : e == INT_MAX ? x * x : (float)e;
}
/* ---- float: the machine's own ---- */

F float native_recip(float x) { return 1.0f / x; }
F1(native_recip)
F float native_divide(float x, float y) { return x * native_recip(y); }
F2(native_divide)
F float native_rsqrt(float x) { return __nvvm_rsqrt_approx_f(x); }
F1(native_rsqrt)
F float native_sqrt(float x) { return __nvvm_sqrt_approx_f(x); }
F1(native_sqrt)
F float native_exp2(float x) { return __nvvm_ex2_approx_f(x); }
F1(native_exp2)
F float native_log2(float x) { return __nvvm_lg2_approx_f(x); }
F1(native_log2)
F float native_sin(float x) { return __nvvm_sin_approx_f(x); }
F1(native_sin)
F float native_cos(float x) { return __nvvm_cos_approx_f(x); }
F1(native_cos)
F float native_tan(float x) { return native_sin(x) * native_recip(native_cos(x)); }
F1(native_tan)
F float native_exp(float x) { return native_exp2(x * M_LOG2E_F); }
F1(native_exp)
F float native_exp10(float x) { return native_exp2(x * 3.32192809488736235f); }
F1(native_exp10)
F float native_log(float x) { return native_log2(x) * M_LN2_F; }
F1(native_log)
F float native_log10(float x) { return native_log2(x) * 0.30102999566398120f; }
F1(native_log10)
F float native_powr(float x, float y) { return native_exp2(y * native_log2(x)); }
F2(native_powr)
F float half_recip(float x) { return native_recip(x); }
F1(half_recip)
F float half_divide(float x, float y) { return native_divide(x, y); }
F2(half_divide)
F float half_rsqrt(float x) { return native_rsqrt(x); }
F1(half_rsqrt)
F float half_sqrt(float x) { return native_sqrt(x); }
F1(half_sqrt)
F float sqrt(float x) { return __nvvm_sqrt_approx_f(x); }
F1(sqrt)
F float rsqrt(float x) { return native_rsqrt(x); }
F1(rsqrt)

/* ---- float: made of these (math.h) ---- */

#define M                 FV
#define MC                static __constant const
#define smcc_bits(x)      as_uint(x)
#define smcc_float(x)     as_float(x)
#define smcc_rint(x)      rint(x)
#define smcc_mul_hi(x, y) mul_hi((uint)(x), (uint)(y))
#define smcc_clz(x)       clz((uint)(x))
#define smcc_div(x, y)    ((x) / (y))
#define smcc_sqrt(x)      __nvvm_sqrt_approx_f(x)
#define smcc_u64          ulong
#define smcc_s64          long
/* SMCC_MATH */
#define MATH1(f) F float f(float x) { return smcc_##f(x); } F1(f)
#define MATH2(f) F float f(float x, float y) { return smcc_##f(x, y); } F2(f)
#define MATHN(f) F float f(float x, int n) { return smcc_##f(x, n); } V2(float, f, float, int)
#define SCALED(f, g) F float f(float x) { return smcc_##g(x) * 0.318309886f; } F1(f)
MATH1(exp) MATH1(exp2) MATH1(exp10) MATH1(expm1) MATH1(log) MATH1(log2) MATH1(log10) MATH1(log1p)
MATH1(sin) MATH1(cos) MATH1(tan) MATH1(sinpi) MATH1(cospi) MATH1(tanpi)
MATH1(asin) MATH1(acos) MATH1(atan) SCALED(asinpi, asin) SCALED(acospi, acos) SCALED(atanpi, atan)
MATH1(sinh) MATH1(cosh) MATH1(tanh) MATH1(asinh) MATH1(acosh) MATH1(atanh)
MATH1(cbrt) MATH1(erf) MATH1(erfc)
MATH2(atan2) MATH2(hypot) MATH2(pow) MATH2(powr) MATH2(fmod) MATH2(nextafter)
MATHN(pown) MATHN(rootn) MATHN(ldexp)
F float atan2pi(float y, float x) { return smcc_atan2(y, x) * 0.318309886f; }
F2(atan2pi)
F float remainder(float x, float y)
{
    int q;
    return smcc_remquo(x, y, &q);
}
F2(remainder)
#ifdef SMCC_FMAD
F float fma(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
#else
F float fma(float a, float b, float c) { return smcc_fma(a, b, c, smcc_rn); }
#endif
V3(float, fma, float, float, float)
/* what returns a second value; of scalars only */
#define SECOND(S)                                                                                  \
    FV float sincos(float x, S float *c) { *c = cos(x); return sin(x); }                           \
    FV float modf(float x, S float *whole)                                                         \
    {                                                                                              \
        *whole = trunc(x);                                                                         \
        return copysign(isinf(x) ? 0.0f : x - trunc(x), x);                                        \
    }                                                                                              \
    FV float fract(float x, S float *whole)                                                        \
    {                                                                                              \
        *whole = floor(x);                                                                         \
        return isinf(x) ? copysign(0.0f, x) : x != x ? x : fmin(x - floor(x), 0x1.fffffep-1f);     \
    }                                                                                              \
    FV float frexp(float x, S int *e)                                                              \
    {                                                                                              \
        int n;                                                                                     \
        float r = smcc_frexp(x, &n);                                                               \
        *e = n;                                                                                    \
        return r;                                                                                  \
    }                                                                                              \
    FV float remquo(float x, float y, S int *q)                                                    \
    {                                                                                              \
        int n;                                                                                     \
        float r = smcc_remquo(x, y, &n);                                                           \
        *q = n;                                                                                    \
        return r;                                                                                  \
    }
SECOND(__global) SECOND(__local) SECOND(__private)
#undef SECOND
#undef SCALED
#undef MATHN
#undef MATH2
#undef MATH1

/* ---- conversions of float that say how they round; the machine's clamp by themselves, and a NaN gives 0 ---- */

F int convert_int_sat(float x) { return smcc_to_i_rz(x); }
F uint convert_uint_sat(float x) { return smcc_to_u_rz(x); }
#define SATF(T)                                                                                    \
    F T convert_##T##_sat(float x) { return convert_##T##_sat(convert_int_sat(x)); }               \
    V1(T, convert_##T##_sat, float) SATV(T, float)
SATF(char)
SATF(uchar)
SATF(short)
SATF(ushort)
#undef SATF
#undef SATV
#undef SAT
#define ROUND(T, o, S, f)                                                                          \
    F T convert_##T##_##o(S x) { return f(x); }                                                    \
    F T##2 convert_##T##2_##o(S##2 x) { return (T##2)(f(x.x), f(x.y)); }                           \
    F T##3 convert_##T##3_##o(S##3 x) { return (T##3)(f(x.x), f(x.y), f(x.z)); }                   \
    F T##4 convert_##T##4_##o(S##4 x) { return (T##4)(f(x.x), f(x.y), f(x.z), f(x.w)); }           \
    F T##8 convert_##T##8_##o(S##8 x)                                                              \
    {                                                                                              \
        return (T##8)(convert_##T##4_##o(x.lo), convert_##T##4_##o(x.hi));                         \
    }                                                                                              \
    F T##16 convert_##T##16_##o(S##16 x)                                                           \
    {                                                                                              \
        return (T##16)(convert_##T##8_##o(x.lo), convert_##T##8_##o(x.hi));                        \
    }
#define ROUNDS(o, r)                                                                               \
    ROUND(int, o, float, smcc_to_i_##r) ROUND(uint, o, float, smcc_to_u_##r)                       \
    ROUND(float, o, int, smcc_i_##r) ROUND(float, o, uint, smcc_u_##r)                             \
    ROUND(float, o, long, smcc_l_##r) ROUND(float, o, ulong, smcc_ul_##r)
ROUNDS(rte, rn) ROUNDS(rtz, rz) ROUNDS(rtn, rd) ROUNDS(rtp, ru)
#undef ROUNDS
#undef ROUND

/* ---- geometry ---- */

F float dot(float x, float y) { return x * y; }
F float dot(float2 x, float2 y) { return x.x * y.x + x.y * y.y; }
F float dot(float3 x, float3 y) { return x.x * y.x + x.y * y.y + x.z * y.z; }
F float dot(float4 x, float4 y) { return x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w; }
F float3 cross(float3 x, float3 y) { return x.yzx * y.zxy - x.zxy * y.yzx; }
F float4 cross(float4 x, float4 y) { return (float4)(cross(x.xyz, y.xyz), 0.0f); }
#define GEOMETRY(T)                                                                                \
    F float length(T x) { return sqrt(dot(x, x)); }                                                \
    F float distance(T x, T y) { return length(x - y); }                                           \
    F T normalize(T x) { return x * rsqrt(dot(x, x)); }                                            \
    F float fast_length(T x) { return length(x); }                                                 \
    F float fast_distance(T x, T y) { return length(x - y); }                                      \
    F T fast_normalize(T x) { return normalize(x); }
GEOMETRY(float)
GEOMETRY(float2)
GEOMETRY(float3)
GEOMETRY(float4)
#undef GEOMETRY
F float smoothstep(float a, float b, float x)
{
    float t = clamp((x - a) / (b - a), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}
V3(float, smoothstep, float, float, float)

/* ---- vectors in memory, element by element: no alignment is asked for ---- */

#define VLOAD(T, S)                                                                                \
    FV T##2 vload2(size_t i, const S T *p)                                                         \
    {                                                                                              \
        p += 2 * i;                                                                                \
        return (T##2)(p[0], p[1]);                                                                 \
    }                                                                                              \
    FV T##3 vload3(size_t i, const S T *p)                                                         \
    {                                                                                              \
        p += 3 * i;                                                                                \
        return (T##3)(p[0], p[1], p[2]);                                                           \
    }                                                                                              \
    FV T##4 vload4(size_t i, const S T *p)                                                         \
    {                                                                                              \
        p += 4 * i;                                                                                \
        return (T##4)(p[0], p[1], p[2], p[3]);                                                     \
    }                                                                                              \
    FV T##8 vload8(size_t i, const S T *p)                                                         \
    {                                                                                              \
        return (T##8)(vload4(2 * i, p), vload4(2 * i + 1, p));                                     \
    }                                                                                              \
    FV T##16 vload16(size_t i, const S T *p)                                                       \
    {                                                                                              \
        return (T##16)(vload8(2 * i, p), vload8(2 * i + 1, p));                                    \
    }
#define VSTORE(T, S)                                                                               \
    FV void vstore2(T##2 x, size_t i, S T *p)                                                      \
    {                                                                                              \
        p += 2 * i;                                                                                \
        p[0] = x.x;                                                                                \
        p[1] = x.y;                                                                                \
    }                                                                                              \
    FV void vstore3(T##3 x, size_t i, S T *p)                                                      \
    {                                                                                              \
        p += 3 * i;                                                                                \
        p[0] = x.x;                                                                                \
        p[1] = x.y;                                                                                \
        p[2] = x.z;                                                                                \
    }                                                                                              \
    FV void vstore4(T##4 x, size_t i, S T *p)                                                      \
    {                                                                                              \
        p += 4 * i;                                                                                \
        p[0] = x.x;                                                                                \
        p[1] = x.y;                                                                                \
        p[2] = x.z;                                                                                \
        p[3] = x.w;                                                                                \
    }                                                                                              \
    FV void vstore8(T##8 x, size_t i, S T *p)                                                      \
    {                                                                                              \
        vstore4(x.lo, 2 * i, p);                                                                   \
        vstore4(x.hi, 2 * i + 1, p);                                                               \
    }                                                                                              \
    FV void vstore16(T##16 x, size_t i, S T *p)                                                    \
    {                                                                                              \
        vstore8(x.lo, 2 * i, p);                                                                   \
        vstore8(x.hi, 2 * i + 1, p);                                                               \
    }
#define VMEMORY(T)                                                                                 \
    VLOAD(T, __global)                                                                             \
    VLOAD(T, __local)                                                                              \
    VLOAD(T, __constant)                                                                           \
    VLOAD(T, __private) VSTORE(T, __global) VSTORE(T, __local) VSTORE(T, __private)
VMEMORY(char)
VMEMORY(uchar) VMEMORY(short) VMEMORY(ushort) VMEMORY(int) VMEMORY(uint) VMEMORY(float)
#undef VMEMORY
#undef VLOAD
#undef VSTORE
#undef NO
#undef V1
#undef V2
#undef V3
#undef V2S
#undef V3S
#undef F1
#undef F2
#undef F
#undef FV
#undef M
#undef MC
#undef smcc_bits
#undef smcc_float
#undef smcc_rint
#undef smcc_mul_hi
#undef smcc_clz
#undef smcc_div
#undef smcc_sqrt
#undef smcc_u64
#undef smcc_s64
