/* clang-format off */
/* opencl.h -- the functions of OpenCL C 1.2 that kernels call, for clang; smcc hands it over with every .cl file.
 *
 * What is not here is not supported: double, arithmetic of half. Functions that few programs call stand at the end
 * under SMCC_RARE: clang reads them when it has missed a name, because thousands of forms take it as long as the rest. All forms of
 * a name stand on one side. How far the results are from the true ones: docs/reference/kernels.md. Macros that are not the language's end
 * with the file: a test lists those that stay.
 */
/* what clang says of any machine with PTX, and this one has not */
#undef cl_khr_fp64
#if SMCC_MINOR < 1
#undef cl_khr_global_int32_base_atomics
#undef cl_khr_global_int32_extended_atomics
#endif
#if SMCC_MINOR >= 2
#define cl_khr_int64_base_atomics 1
#else
#undef cl_khr_local_int32_base_atomics
#undef cl_khr_local_int32_extended_atomics
#endif
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
#define FP_ILOGB0    (-INT_MAX)
#define FP_ILOGBNAN  INT_MAX
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

/* ---- atomic operations, of compute capability 1.1 and 1.2 ---- */

#define ATOMIC(f, S, T, does) FV T f(volatile S T *p, T x) { return does(p, x); }
#define ATOMIC_BASE(A, S, T)                                                                       \
    ATOMIC(A##add, S, T, __sync_fetch_and_add) ATOMIC(A##sub, S, T, __sync_fetch_and_sub)          \
    ATOMIC(A##xchg, S, T, __sync_swap)                                                             \
    FV T A##inc(volatile S T *p) { return __sync_fetch_and_add(p, (T)1); }                         \
    FV T A##dec(volatile S T *p) { return __sync_fetch_and_sub(p, (T)1); }                         \
    FV T A##cmpxchg(volatile S T *p, T x, T y) { return __sync_val_compare_and_swap(p, x, y); }
#define ATOMIC_EXTENDED(A, S, T, least, most)                                                      \
    ATOMIC(A##and, S, T, __sync_fetch_and_and) ATOMIC(A##or, S, T, __sync_fetch_and_or)            \
    ATOMIC(A##xor, S, T, __sync_fetch_and_xor)                                                     \
    ATOMIC(A##min, S, T, least) ATOMIC(A##max, S, T, most)
#define ATOMICS(A, S)                                                                              \
    ATOMIC_BASE(A, S, int) ATOMIC_EXTENDED(A, S, int, __sync_fetch_and_min, __sync_fetch_and_max)  \
    ATOMIC_BASE(A, S, uint) ATOMIC_EXTENDED(A, S, uint, __sync_fetch_and_umin, __sync_fetch_and_umax)
#if SMCC_MINOR >= 1
ATOMICS(atomic_, __global) ATOMICS(atomic_, __local) ATOMICS(atom_, __global) ATOMICS(atom_, __local)
#define EXCHANGE(S)                                                                                \
    FV float atomic_xchg(volatile S float *p, float x)                                             \
    {                                                                                              \
        return __builtin_astype(__sync_swap((volatile S int *)p, __builtin_astype(x, int)), float); \
    }
EXCHANGE(__global) EXCHANGE(__local)
#undef EXCHANGE
#endif
#if SMCC_MINOR >= 2
ATOMIC_BASE(atom_, __global, long) ATOMIC_BASE(atom_, __global, ulong)
ATOMIC_BASE(atom_, __local, long) ATOMIC_BASE(atom_, __local, ulong)
#endif
#undef ATOMICS
#undef ATOMIC_EXTENDED
#undef ATOMIC_BASE
#undef ATOMIC

/* ---- what the machine has not: a call of it stays one, for which smcc refuses the kernel (refuse.c) ---- */

#define NO __attribute__((overloadable))
#define ATOMIC_BASE(A, S, T)                                                                       \
    NO T A##add(volatile S T *p, T x);                                                             \
    NO T A##sub(volatile S T *p, T x);                                                             \
    NO T A##xchg(volatile S T *p, T x);                                                            \
    NO T A##inc(volatile S T *p);                                                                  \
    NO T A##dec(volatile S T *p);                                                                  \
    NO T A##cmpxchg(volatile S T *p, T x, T y);
#define ATOMIC_EXTENDED(A, S, T)                                                                   \
    NO T A##min(volatile S T *p, T x);                                                             \
    NO T A##max(volatile S T *p, T x);                                                             \
    NO T A##and(volatile S T *p, T x);                                                             \
    NO T A##or(volatile S T *p, T x);                                                              \
    NO T A##xor(volatile S T *p, T x);
#define ATOMICS(A, S, T) ATOMIC_BASE(A, S, T) ATOMIC_EXTENDED(A, S, T)
#if SMCC_MINOR < 1
ATOMICS(atomic_, __global, int) ATOMICS(atomic_, __global, uint)
ATOMICS(atomic_, __local, int) ATOMICS(atomic_, __local, uint)
ATOMICS(atom_, __global, int) ATOMICS(atom_, __global, uint)
ATOMICS(atom_, __local, int) ATOMICS(atom_, __local, uint)
NO float atomic_xchg(volatile __global float *p, float x);
NO float atomic_xchg(volatile __local float *p, float x);
#endif
#if SMCC_MINOR < 2
ATOMIC_BASE(atom_, __global, long) ATOMIC_BASE(atom_, __global, ulong)
ATOMIC_BASE(atom_, __local, long) ATOMIC_BASE(atom_, __local, ulong)
#endif
ATOMIC_EXTENDED(atom_, __global, long) ATOMIC_EXTENDED(atom_, __global, ulong)
ATOMIC_EXTENDED(atom_, __local, long) ATOMIC_EXTENDED(atom_, __local, ulong)
#undef ATOMICS
#undef ATOMIC_EXTENDED
#undef ATOMIC_BASE

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

/* ---- the bits of a value as another type: as_T of every type and width, made by embed.cmake ---- */

/* SMCC_AS */

/* ---- conversions ---- */

#define CONVERT1(T, S)                                                                             \
    F T convert_##T(S x) { return (T)x; }                                                          \
    F T##2 convert_##T##2(S##2 x) { return __builtin_convertvector(x, T##2); }                     \
    F T##3 convert_##T##3(S##3 x) { return __builtin_convertvector(x, T##3); }                     \
    F T##4 convert_##T##4(S##4 x) { return __builtin_convertvector(x, T##4); }                     \
    F T##8 convert_##T##8(S##8 x) { return __builtin_convertvector(x, T##8); }                     \
    F T##16 convert_##T##16(S##16 x) { return __builtin_convertvector(x, T##16); }
#define OF_INTEGERS(M, ...)                                                                        \
    M(__VA_ARGS__, char) M(__VA_ARGS__, uchar) M(__VA_ARGS__, short) M(__VA_ARGS__, ushort)        \
    M(__VA_ARGS__, int) M(__VA_ARGS__, uint) M(__VA_ARGS__, long) M(__VA_ARGS__, ulong)
#define CONVERT(T) OF_INTEGERS(CONVERT1, T) CONVERT1(T, float)
CONVERT(char) CONVERT(uchar) CONVERT(short) CONVERT(ushort)
CONVERT(int) CONVERT(uint) CONVERT(long) CONVERT(ulong) CONVERT(float)
#undef CONVERT1
#undef CONVERT
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
#define SELECT1(T, C)                                                                              \
    F T##2 select(T##2 a, T##2 b, C##2 c) { return c < (C##2)0 ? b : a; }                          \
    F T##3 select(T##3 a, T##3 b, C##3 c) { return c < (C##3)0 ? b : a; }                          \
    F T##4 select(T##4 a, T##4 b, C##4 c) { return c < (C##4)0 ? b : a; }                          \
    F T##8 select(T##8 a, T##8 b, C##8 c) { return c < (C##8)0 ? b : a; }                          \
    F T##16 select(T##16 a, T##16 b, C##16 c) { return c < (C##16)0 ? b : a; }
#define SELECT(T, S, U)                                                                            \
    SELECT1(T, S)                                                                                  \
    F T##2 select(T##2 a, T##2 b, U##2 c) { return select(a, b, as_##S##2(c)); }                   \
    F T##3 select(T##3 a, T##3 b, U##3 c) { return select(a, b, as_##S##3(c)); }                   \
    F T##4 select(T##4 a, T##4 b, U##4 c) { return select(a, b, as_##S##4(c)); }                   \
    F T##8 select(T##8 a, T##8 b, U##8 c) { return select(a, b, as_##S##8(c)); }                   \
    F T##16 select(T##16 a, T##16 b, U##16 c) { return select(a, b, as_##S##16(c)); }
SELECT(char, char, uchar) SELECT(uchar, char, uchar)
SELECT(short, short, ushort) SELECT(ushort, short, ushort)
SELECT(int, int, uint) SELECT(uint, int, uint) SELECT(float, int, uint)
SELECT(long, long, ulong) SELECT(ulong, long, ulong)
#undef SELECT
#undef SELECT1
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
V1(uchar, abs, uchar) V1(ushort, abs, ushort) V1(uint, abs, uint) V1(ulong, abs, ulong)
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
F uchar add_sat(uchar x, uchar y) { return (uchar)clamp(x + y, 0, UCHAR_MAX); }
F char add_sat(char x, char y) { return (char)clamp(x + y, CHAR_MIN, CHAR_MAX); }
F ushort add_sat(ushort x, ushort y) { return (ushort)clamp(x + y, 0, USHRT_MAX); }
F short add_sat(short x, short y) { return (short)clamp(x + y, SHRT_MIN, SHRT_MAX); }
F uchar sub_sat(uchar x, uchar y) { return (uchar)clamp(x - y, 0, UCHAR_MAX); }
F char sub_sat(char x, char y) { return (char)clamp(x - y, CHAR_MIN, CHAR_MAX); }
F ushort sub_sat(ushort x, ushort y) { return (ushort)clamp(x - y, 0, USHRT_MAX); }
F short sub_sat(short x, short y) { return (short)clamp(x - y, SHRT_MIN, SHRT_MAX); }
#define SATURATED(T) V2(T, add_sat, T, T) V2(T, sub_sat, T, T)
SATURATED(char) SATURATED(uchar) SATURATED(short) SATURATED(ushort)
SATURATED(int) SATURATED(uint) SATURATED(long) SATURATED(ulong)
#undef SATURATED
F short upsample(char h, uchar l) { return (short)((h << 8) | l); }
F ushort upsample(uchar h, uchar l) { return (ushort)((h << 8) | l); }
F int upsample(short h, ushort l) { return (int)((uint)h << 16 | l); }
F uint upsample(ushort h, ushort l) { return (uint)h << 16 | l; }
F long upsample(int h, uint l) { return (long)((ulong)h << 32 | l); }
F ulong upsample(uint h, uint l) { return (ulong)h << 32 | l; }
V2(short, upsample, char, uchar) V2(ushort, upsample, uchar, uchar)
V2(int, upsample, short, ushort) V2(uint, upsample, ushort, ushort)
V2(long, upsample, int, uint) V2(ulong, upsample, uint, uint)
#define BITSELECT(T, B)                                                                            \
    F T bitselect(T a, T b, T c) { return as_##T((B)((as_##B(a) & ~as_##B(c)) | (as_##B(b) & as_##B(c)))); } \
    V3(T, bitselect, T, T, T)
BITSELECT(char, char) BITSELECT(uchar, uchar) BITSELECT(short, short) BITSELECT(ushort, ushort)
BITSELECT(int, int) BITSELECT(uint, uint) BITSELECT(long, long) BITSELECT(ulong, ulong)
BITSELECT(float, int)
#undef BITSELECT
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
    F int all(T##8 x) { return all(x.lo) & all(x.hi); }                                            \
    F int any(T##16 x) { return any(x.lo) | any(x.hi); }                                           \
    F int all(T##16 x) { return all(x.lo) & all(x.hi); }
ANY(char) ANY(short) ANY(int) ANY(long)
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
/* A scalar is 0 or 1, an element of a vector 0 or -1. */
#define RELATIONS(T, B)                                                                            \
    F B isnan(T x) { return x != x; }                                                              \
    F B isinf(T x) { return (as_##B(x) & 0x7fffffff) == 0x7f800000; }                              \
    F B isfinite(T x) { return (as_##B(x) & 0x7f800000) != 0x7f800000; }                           \
    F B isnormal(T x)                                                                              \
    {                                                                                              \
        B e = as_##B(x) & 0x7f800000;                                                              \
        return (e != 0) & (e != 0x7f800000);                                                       \
    }                                                                                              \
    F B signbit(T x) { return as_##B(x) < 0; }                                                     \
    F B isequal(T x, T y) { return x == y; }                                                       \
    F B isnotequal(T x, T y) { return x != y; }                                                    \
    F B isgreater(T x, T y) { return x > y; }                                                      \
    F B isgreaterequal(T x, T y) { return x >= y; }                                                \
    F B isless(T x, T y) { return x < y; }                                                         \
    F B islessequal(T x, T y) { return x <= y; }                                                   \
    F B islessgreater(T x, T y) { return (x < y) | (x > y); }                                      \
    F B isordered(T x, T y) { return (x == x) & (y == y); }                                        \
    F B isunordered(T x, T y) { return (x != x) | (y != y); }
RELATIONS(float, int) RELATIONS(float2, int2) RELATIONS(float3, int3)
RELATIONS(float4, int4) RELATIONS(float8, int8) RELATIONS(float16, int16)
#undef RELATIONS
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
V1(float, nan, uint) V1(int, ilogb, float) F1(logb)
/* one edge or one weight for all */
#define ONE_FOR_ALL(T)                                                                             \
    F T step(float e, T x) { return step((T)(e), x); }                                             \
    F T mix(T x, T y, float a) { return mix(x, y, (T)(a)); }
ONE_FOR_ALL(float2) ONE_FOR_ALL(float3) ONE_FOR_ALL(float4) ONE_FOR_ALL(float8) ONE_FOR_ALL(float16)
#undef ONE_FOR_ALL
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
#define HALF(f) F float half_##f(float x) { return native_##f(x); } F1(half_##f)
HALF(recip) HALF(rsqrt) HALF(sqrt)
#undef HALF
F float half_divide(float x, float y) { return native_divide(x, y); }
F2(half_divide)
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
MATH1(cbrt) MATH1(erf) MATH1(erfc) MATH1(tgamma)
MATH2(atan2) MATH2(hypot) MATH2(pow) MATH2(powr) MATH2(fmod) MATH2(nextafter)
MATHN(pown) MATHN(rootn) MATHN(ldexp)
F float2 ldexp(float2 x, int n) { return ldexp(x, (int2)(n)); }
F float3 ldexp(float3 x, int n) { return ldexp(x, (int3)(n)); }
F float4 ldexp(float4 x, int n) { return ldexp(x, (int4)(n)); }
F float8 ldexp(float8 x, int n) { return ldexp(x, (int8)(n)); }
F float16 ldexp(float16 x, int n) { return ldexp(x, (int16)(n)); }
#define HALF(f) F float half_##f(float x) { return f(x); } F1(half_##f)
HALF(sin) HALF(cos) HALF(tan) HALF(exp) HALF(exp2) HALF(exp10) HALF(log) HALF(log2) HALF(log10)
#undef HALF
F float half_powr(float x, float y) { return powr(x, y); }
F2(half_powr)
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
F float lgamma(float x)
{
    int sign;
    return smcc_lgamma(x, &sign);
}
F1(lgamma)
/* what returns a second value */
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
    FV float lgamma_r(float x, S int *sign)                                                        \
    {                                                                                              \
        int n;                                                                                     \
        float r = smcc_lgamma(x, &n);                                                              \
        *sign = n;                                                                                 \
        return r;                                                                                  \
    }                                                                                              \
    FV float remquo(float x, float y, S int *q)                                                    \
    {                                                                                              \
        int n;                                                                                     \
        float r = smcc_remquo(x, y, &n);                                                           \
        *q = n;                                                                                    \
        return r;                                                                                  \
    }
SECOND(__private) SECOND(__global) SECOND(__local)
#undef SECOND
#define SECOND_OF(f, P, S, N, H, LOW, HIGH)                                                        \
    FV float##N f(float##N x, S P##N *second)                                                      \
    {                                                                                              \
        P##H a, b;                                                                                 \
        float##N r = (float##N)(f(x.LOW, &a), f(x.HIGH, &b));                                      \
        *second = (P##N)(a, b);                                                                    \
        return r;                                                                                  \
    }
#define SECOND_OF2(f, P, S, N, H, LOW, HIGH)                                                       \
    FV float##N f(float##N x, float##N y, S P##N *second)                                          \
    {                                                                                              \
        P##H a, b;                                                                                 \
        float##N r = (float##N)(f(x.LOW, y.LOW, &a), f(x.HIGH, y.HIGH, &b));                       \
        *second = (P##N)(a, b);                                                                    \
        return r;                                                                                  \
    }
/* Three elements are four of which one is nobody's. */
#define SECOND3(f, P, S)                                                                           \
    FV float3 f(float3 x, S P##3 *second)                                                          \
    {                                                                                              \
        P##4 all;                                                                                  \
        float4 r = f((float4)(x, 0.0f), &all);                                                     \
        *second = all.xyz;                                                                         \
        return r.xyz;                                                                              \
    }
#define SECONDS(f, P, S)                                                                           \
    SECOND_OF(f, P, S, 2, , x, y) SECOND_OF(f, P, S, 4, 2, lo, hi) SECOND3(f, P, S)                \
    SECOND_OF(f, P, S, 8, 4, lo, hi) SECOND_OF(f, P, S, 16, 8, lo, hi)
#define SECONDS_OF(S)                                                                              \
    SECONDS(sincos, float, S) SECONDS(modf, float, S) SECONDS(fract, float, S) SECONDS(frexp, int, S) SECONDS(lgamma_r, int, S) \
    SECOND_OF2(remquo, int, S, 2, , x, y) SECOND_OF2(remquo, int, S, 4, 2, lo, hi)                 \
    FV float3 remquo(float3 x, float3 y, S int3 *second)                                           \
    {                                                                                              \
        int4 all;                                                                                  \
        float4 r = remquo((float4)(x, 0.0f), (float4)(y, 1.0f), &all);                             \
        *second = all.xyz;                                                                         \
        return r.xyz;                                                                              \
    }                                                                                              \
    SECOND_OF2(remquo, int, S, 8, 4, lo, hi) SECOND_OF2(remquo, int, S, 16, 8, lo, hi)
SECONDS_OF(__private) SECONDS_OF(__global) SECONDS_OF(__local)
#undef SECONDS_OF
#undef SECONDS
#undef SECOND3
#undef SECOND_OF2
#undef SECOND_OF
#undef SCALED
#undef MATHN
#undef MATH2
#undef MATH1

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
#define SMOOTHSTEP(T) F T smoothstep(float a, float b, T x) { return smoothstep((T)(a), (T)(b), x); }
SMOOTHSTEP(float2) SMOOTHSTEP(float3) SMOOTHSTEP(float4) SMOOTHSTEP(float8) SMOOTHSTEP(float16)
#undef SMOOTHSTEP

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
VMEMORY(char) VMEMORY(uchar) VMEMORY(short) VMEMORY(ushort)
VMEMORY(int) VMEMORY(uint) VMEMORY(long) VMEMORY(ulong) VMEMORY(float)
#undef VMEMORY
#undef VLOAD
#undef VSTORE


/* ---- functions that few programs call, and many: smcc reads them when clang misses a name ---- */

#ifdef SMCC_RARE
/* ---- conversions that clamp ---- */

/* vectors of a conversion whose name ends in o */
#define CONVERT_V(T, o, S)                                                                         \
    F T##2 convert_##T##2##o(S##2 x) { return (T##2)(convert_##T##o(x.x), convert_##T##o(x.y)); }  \
    F T##3 convert_##T##3##o(S##3 x)                                                               \
    {                                                                                              \
        return (T##3)(convert_##T##o(x.x), convert_##T##o(x.y), convert_##T##o(x.z));              \
    }                                                                                              \
    F T##4 convert_##T##4##o(S##4 x)                                                               \
    {                                                                                              \
        return (T##4)(convert_##T##2##o(x.lo), convert_##T##2##o(x.hi));                           \
    }                                                                                              \
    F T##8 convert_##T##8##o(S##8 x)                                                               \
    {                                                                                              \
        return (T##8)(convert_##T##4##o(x.lo), convert_##T##4##o(x.hi));                           \
    }                                                                                              \
    F T##16 convert_##T##16##o(S##16 x)                                                            \
    {                                                                                              \
        return (T##16)(convert_##T##8##o(x.lo), convert_##T##8##o(x.hi));                          \
    }
/* clamped, from integers: the limits as numbers of the wide type of the source */
#define SAT(T, S, WIDE, LEAST, MOST)                                                               \
    F T convert_##T##_sat(S x)                                                                     \
    {                                                                                              \
        WIDE v = x;                                                                                \
        return (T)(v < (WIDE)(LEAST) ? (WIDE)(LEAST) : v > (WIDE)(MOST) ? (WIDE)(MOST) : v);       \
    }                                                                                              \
    CONVERT_V(T, _sat, S)
#define SATS(T, INT_LEAST, INT_MOST, LONG_LEAST, LONG_MOST, UINT_MOST, ULONG_MOST)                 \
    SAT(T, char, int, INT_LEAST, INT_MOST) SAT(T, short, int, INT_LEAST, INT_MOST)                 \
    SAT(T, int, int, INT_LEAST, INT_MOST) SAT(T, long, long, LONG_LEAST, LONG_MOST)                \
    SAT(T, uchar, uint, 0, UINT_MOST) SAT(T, ushort, uint, 0, UINT_MOST)                           \
    SAT(T, uint, uint, 0, UINT_MOST) SAT(T, ulong, ulong, 0, ULONG_MOST)
SATS(char, CHAR_MIN, CHAR_MAX, CHAR_MIN, CHAR_MAX, CHAR_MAX, CHAR_MAX)
SATS(uchar, 0, UCHAR_MAX, 0, UCHAR_MAX, UCHAR_MAX, UCHAR_MAX)
SATS(short, SHRT_MIN, SHRT_MAX, SHRT_MIN, SHRT_MAX, SHRT_MAX, SHRT_MAX)
SATS(ushort, 0, USHRT_MAX, 0, USHRT_MAX, USHRT_MAX, USHRT_MAX)
SATS(int, INT_MIN, INT_MAX, INT_MIN, INT_MAX, INT_MAX, INT_MAX)
SATS(uint, 0, INT_MAX, 0, UINT_MAX, UINT_MAX, UINT_MAX)
SATS(long, INT_MIN, INT_MAX, LONG_MIN, LONG_MAX, UINT_MAX, LONG_MAX)
SATS(ulong, 0, INT_MAX, 0, LONG_MAX, UINT_MAX, ULONG_MAX)
#undef SATS
#undef SAT

/* ---- conversions of float that say how they round; the machine's clamp by themselves, and a NaN gives 0 ---- */

F int convert_int_sat(float x) { return smcc_to_i_rz(x); }
F uint convert_uint_sat(float x) { return smcc_to_u_rz(x); }
#define SMALL(T) F T convert_##T##_sat(float x) { return convert_##T##_sat(convert_int_sat(x)); }
SMALL(char) SMALL(uchar) SMALL(short) SMALL(ushort)
#undef SMALL
F long convert_long_sat(float x)
{
    return x >= 0x1p63f ? LONG_MAX : x < -0x1p63f ? LONG_MIN : x != x ? 0 : (long)x;
}
F ulong convert_ulong_sat(float x) { return x >= 0x1p64f ? ULONG_MAX : x > 0.0f ? (ulong)x : 0; }
#define CLAMPED(T) CONVERT_V(T, _sat, float)
CLAMPED(char) CLAMPED(uchar) CLAMPED(short) CLAMPED(ushort)
CLAMPED(int) CLAMPED(uint) CLAMPED(long) CLAMPED(ulong)
#undef CLAMPED
#define ROUND(T, o, S, f)                                                                          \
    F T convert_##T##o(S x) { return f(x); }                                                       \
    CONVERT_V(T, o, S)
/* between types where nothing is rounded */
#define EXACT(T, o, S) ROUND(T, o, S, convert_##T)
#define ROUNDS(o, r)                                                                               \
    ROUND(int, o, float, smcc_to_i_##r) ROUND(uint, o, float, smcc_to_u_##r)                       \
    ROUND(float, o, int, smcc_i_##r) ROUND(float, o, uint, smcc_u_##r)                             \
    ROUND(float, o, long, smcc_l_##r) ROUND(float, o, ulong, smcc_ul_##r)                          \
    EXACT(float, o, char) EXACT(float, o, uchar) EXACT(float, o, short) EXACT(float, o, ushort)    \
    EXACT(float, o, float) OF_INTEGERS(EXACT, int, o) OF_INTEGERS(EXACT, uint, o)
ROUNDS(_rte, rn) ROUNDS(_rtz, rz) ROUNDS(_rtn, rd) ROUNDS(_rtp, ru)
#undef ROUNDS
#undef EXACT
#undef ROUND
/* The others are macros, made by embed.cmake: convert_T_rte(x) is convert_T(smcc_rte(x)). */
#define WHOLE1(r, T, f)                                                                        \
    F T smcc_##r(T x) { return f(x) ; }                                                            \
    F T##2 smcc_##r(T##2 x) { return f(x) ; }                                                      \
    F T##3 smcc_##r(T##3 x) { return f(x) ; }                                                      \
    F T##4 smcc_##r(T##4 x) { return f(x) ; }                                                      \
    F T##8 smcc_##r(T##8 x) { return f(x) ; }                                                      \
    F T##16 smcc_##r(T##16 x) { return f(x) ; }
#define WHOLE_INTEGER(r, T) WHOLE1(r, T, )
#define WHOLE(r, f) WHOLE1(r, float, f) OF_INTEGERS(WHOLE_INTEGER, r)
WHOLE(rte, rint) WHOLE(rtz, trunc) WHOLE(rtn, floor) WHOLE(rtp, ceil)
#undef WHOLE
#undef WHOLE_INTEGER
#undef WHOLE1
#undef CONVERT_V
/* SMCC_CONVERT */

/* ---- multiply, add and clamp ---- */

F int mad_sat(int x, int y, int z) { return convert_int_sat((long)x * y + z); }
F uint mad_sat(uint x, uint y, uint z) { return convert_uint_sat((ulong)x * y + z); }
F char mad_sat(char x, char y, char z) { return convert_char_sat(x * y + z); }
F uchar mad_sat(uchar x, uchar y, uchar z) { return convert_uchar_sat(x * y + z); }
F short mad_sat(short x, short y, short z) { return convert_short_sat(x * y + z); }
F ushort mad_sat(ushort x, ushort y, ushort z) { return convert_ushort_sat((uint)x * y + z); }
F ulong mad_sat(ulong x, ulong y, ulong z)
{
    return mul_hi(x, y) ? ULONG_MAX : add_sat(x * y, z);
}
F long mad_sat(long x, long y, long z)
{
    ulong low = (ulong)x * (ulong)y, sum = low + (ulong)z;
    long high = mul_hi(x, y) + (z >> 63) + (sum < low);
    return high == (long)sum >> 63 ? (long)sum : high < 0 ? LONG_MIN : LONG_MAX;
}
#define SATURATED(T) V3(T, mad_sat, T, T, T)
SATURATED(char) SATURATED(uchar) SATURATED(short) SATURATED(ushort)
SATURATED(int) SATURATED(uint) SATURATED(long) SATURATED(ulong)
#undef SATURATED

/* ---- half: in memory alone ---- */

/* Of the number's own bits, because the machine's operations take denormals for zero. */
F float smcc_of_half(uint h)
{
    uint m = h & 0x7fff;
    float x = m < 0x400    ? (float)(int)m * 0x1p-24f
              : m < 0x7c00 ? as_float((m << 13) + 0x38000000u)
                           : as_float(m << 13 | 0x7f800000u);
    return as_float(as_uint(x) | (h & 0x8000) << 16);
}
/* `away` and `even`: a result between two halves goes away from zero, or to the nearer one. */
F ushort smcc_to_half(float x, bool even, bool away)
{
    uint sign = as_uint(x) >> 16 & 0x8000, m = as_uint(x) & 0x7fffffff;
    if (m > 0x7f800000u)
        return (ushort)(sign | 0x7e00);
    if (m >= 0x47800000u) /* 65536 and more */
        return (ushort)(sign | (m == 0x7f800000u || even || away ? 0x7c00 : 0x7bff));
    uint drop = m >= 0x38800000u ? 13 : min(126 - (m >> 23), 31u);
    uint whole = m >= 0x38800000u ? m - 0x38000000u : m >> 23 ? (m & 0x7fffff) | 0x800000 : m;
    uint r = whole >> drop, rest = whole & ((1u << drop) - 1), half_way = 1u << (drop - 1);
    bool up = even ? rest > half_way || (rest == half_way && (r & 1)) : away && rest;
    return (ushort)(sign | (r + up));
}
F ushort smcc_half_rte(float x) { return smcc_to_half(x, true, false); }
F ushort smcc_half_rtz(float x) { return smcc_to_half(x, false, false); }
F ushort smcc_half_rtp(float x) { return smcc_to_half(x, false, as_int(x) >= 0); }
F ushort smcc_half_rtn(float x) { return smcc_to_half(x, false, as_int(x) < 0); }
V1(float, smcc_of_half, uint)
#define LOAD_HALF(S)                                                                               \
    FV float vload_half(size_t i, const S half *p) { return smcc_of_half(((const S ushort *)p)[i]); } \
    LOAD_HALVES(2, 2, S) LOAD_HALVES(3, 4, S) LOAD_HALVES(4, 4, S) LOAD_HALVES(8, 8, S) LOAD_HALVES(16, 16, S)
#define LOAD_HALVES(N, STEP, S)                                                                    \
    FV float##N vload_half##N(size_t i, const S half *p)                                           \
    {                                                                                              \
        return smcc_of_half(convert_uint##N(vload##N(i, (const S ushort *)p)));                    \
    }                                                                                              \
    FV float##N vloada_half##N(size_t i, const S half *p)                                          \
    {                                                                                              \
        return smcc_of_half(convert_uint##N(vload##N(0, (const S ushort *)p + STEP * i)));         \
    }
LOAD_HALF(__global) LOAD_HALF(__local) LOAD_HALF(__constant) LOAD_HALF(__private)
#undef LOAD_HALF
#undef LOAD_HALVES
#define STORE_HALVES(N, STEP, o, r, S)                                                             \
    FV void vstore_half##N##o(float##N x, size_t i, S half *p)                                     \
    {                                                                                              \
        vstore##N(smcc_half_##r(x), i, (S ushort *)p);                                             \
    }                                                                                              \
    FV void vstorea_half##N##o(float##N x, size_t i, S half *p)                                    \
    {                                                                                              \
        vstore##N(smcc_half_##r(x), 0, (S ushort *)p + STEP * i);                                  \
    }
#define STORE_HALF(o, r, S)                                                                        \
    FV void vstore_half##o(float x, size_t i, S half *p) { ((S ushort *)p)[i] = smcc_half_##r(x); } \
    STORE_HALVES(2, 2, o, r, S) STORE_HALVES(3, 4, o, r, S) STORE_HALVES(4, 4, o, r, S)            \
    STORE_HALVES(8, 8, o, r, S) STORE_HALVES(16, 16, o, r, S)
#define STORES_HALF(o, r)                                                                          \
    STORE_HALF(o, r, __global) STORE_HALF(o, r, __local) STORE_HALF(o, r, __private)
V1(ushort, smcc_half_rte, float) V1(ushort, smcc_half_rtz, float)
V1(ushort, smcc_half_rtp, float) V1(ushort, smcc_half_rtn, float)
STORES_HALF(, rte) STORES_HALF(_rte, rte) STORES_HALF(_rtz, rtz) STORES_HALF(_rtp, rtp) STORES_HALF(_rtn, rtn)
#undef STORES_HALF
#undef STORE_HALF
#undef STORE_HALVES

/* ---- elements in another order ---- */

#define SHUFFLE2(T, U, M)                                                                          \
    F T##2 shuffle(T##M x, U##2 k) { return (T##2)(x[k.x & (M - 1)], x[k.y & (M - 1)]); }          \
    F T smcc_pick(T##M x, T##M y, U k) { return k & M ? y[k & (M - 1)] : x[k & (M - 1)]; }         \
    F T##2 shuffle2(T##M x, T##M y, U##2 k)                                                        \
    {                                                                                              \
        return (T##2)(smcc_pick(x, y, k.x), smcc_pick(x, y, k.y));                                 \
    }
#define SHUFFLE_N(T, U, M, N)                                                                      \
    F T##N shuffle(T##M x, U##N k) { return (T##N)(shuffle(x, k.lo), shuffle(x, k.hi)); }          \
    F T##N shuffle2(T##M x, T##M y, U##N k)                                                        \
    {                                                                                              \
        return (T##N)(shuffle2(x, y, k.lo), shuffle2(x, y, k.hi));                                 \
    }
#define SHUFFLE_M(T, U, M) SHUFFLE2(T, U, M) SHUFFLE_N(T, U, M, 4) SHUFFLE_N(T, U, M, 8) SHUFFLE_N(T, U, M, 16)
#define SHUFFLE(T, U) SHUFFLE_M(T, U, 2) SHUFFLE_M(T, U, 4) SHUFFLE_M(T, U, 8) SHUFFLE_M(T, U, 16)
SHUFFLE(char, uchar) SHUFFLE(uchar, uchar) SHUFFLE(short, ushort) SHUFFLE(ushort, ushort)
SHUFFLE(int, uint) SHUFFLE(uint, uint) SHUFFLE(float, uint) SHUFFLE(long, ulong) SHUFFLE(ulong, ulong)
#undef SHUFFLE
#undef SHUFFLE_M
#undef SHUFFLE_N
#undef SHUFFLE2

/* ---- copies by all threads of a block, done when they are called; waiting is a barrier ---- */

#define COPY(T, TO, FROM)                                                                          \
    FV event_t async_work_group_strided_copy(TO T *to, const FROM T *from, size_t n, size_t stride, event_t e) \
    {                                                                                              \
        const uint threads = get_local_size(0) * get_local_size(1) * get_local_size(2);            \
        uint i = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0); \
        for (; i < n; i += threads)                                                                \
            to[i * TO##_STEP] = from[i * FROM##_STEP];                                             \
        return e;                                                                                  \
    }                                                                                              \
    FV event_t async_work_group_copy(TO T *to, const FROM T *from, size_t n, event_t e)            \
    {                                                                                              \
        return async_work_group_strided_copy(to, from, n, 1, e);                                   \
    }
#define __local_STEP 1
#define __global_STEP stride
#define COPIES1(T) COPY(T, __local, __global) COPY(T, __global, __local)
#define COPIES(T) COPIES1(T) COPIES1(T##2) COPIES1(T##3) COPIES1(T##4) COPIES1(T##8) COPIES1(T##16)
COPIES(char) COPIES(uchar) COPIES(short) COPIES(ushort)
COPIES(int) COPIES(uint) COPIES(long) COPIES(ulong) COPIES(float)
#undef COPIES
#undef COPIES1
#undef COPY
#undef __local_STEP
#undef __global_STEP
FV void wait_group_events(int n, event_t *events) { barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); }
FV void prefetch(const __global void *p, size_t n) {}

/* ---- printf: each argument goes to an array of words; there are no functions with any number of arguments ---- */

#define SMCC_CONSTANT __constant
#undef M
#define M static inline __attribute__((always_inline, nodebug, unused))
/* SMCC_PRINT */
enum { SMCC_MOST = 160 }; /* words of a record */
M uint smcc_word(uint *w, uint n, uint kind, uint x)
{
    if (n + 2 > SMCC_MOST)
        return SMCC_MOST + 1;
    w[n] = kind;
    w[n + 1] = x;
    return n + 2;
}
M uint smcc_long(uint *w, uint n, ulong x)
{
    n = smcc_word(w, n, 2, (uint)x);
    if (n >= SMCC_MOST)
        return SMCC_MOST + 1;
    w[n] = (uint)(x >> 32);
    return n + 1;
}
#define PUT1(T, ...) FV uint smcc_put(uint *w, uint n, T x) { return __VA_ARGS__; }
#define PUT(T, N)                                                                                  \
    FV uint smcc_put(uint *w, uint n, T##N x)                                                      \
    {                                                                                              \
        _Pragma("unroll") for (int i = 0; i < N; i++)                                              \
            n = smcc_put(w, n, x[i]);                                                              \
        return n;                                                                                  \
    }
#define PUTS(T, ...) PUT1(T, __VA_ARGS__) PUT(T, 2) PUT(T, 3) PUT(T, 4) PUT(T, 8) PUT(T, 16)
PUTS(char, smcc_word(w, n, 1, (uint)x)) PUTS(uchar, smcc_word(w, n, 1, x))
PUTS(short, smcc_word(w, n, 1, (uint)x)) PUTS(ushort, smcc_word(w, n, 1, x))
PUTS(int, smcc_word(w, n, 1, (uint)x)) PUTS(uint, smcc_word(w, n, 1, x))
PUTS(long, smcc_long(w, n, (ulong)x)) PUTS(ulong, smcc_long(w, n, x))
PUTS(float, smcc_word(w, n, 3, as_uint(x)))
PUT1(const __constant void *, smcc_word(w, n, 5, (uint)(size_t)x))
PUT1(const volatile __global void *, smcc_word(w, n, 5, (uint)(size_t)x))
PUT1(const volatile __local void *, smcc_word(w, n, 1, (uint)(size_t)x))
PUT1(const volatile __private void *, smcc_word(w, n, 1, (uint)(size_t)x))
#undef PUTS
#undef PUT
#undef PUT1
M int smcc_print(uint *w, uint n, const __constant char *format)
{
    w[0] = 0xa5000000u;
    w[1] = (uint)(size_t)format;
    return n <= SMCC_MOST && smcc_record(w, n) ? 0 : -1;
}
#undef SMCC_CONSTANT
/* these stay: what stands in a macro is looked up where it is used */
#define SMCC_EACH4(...) __VA_ARGS__
#define SMCC_EACH3(...) SMCC_EACH4(SMCC_EACH4(SMCC_EACH4(__VA_ARGS__)))
#define SMCC_EACH2(...) SMCC_EACH3(SMCC_EACH3(SMCC_EACH3(__VA_ARGS__)))
#define SMCC_EACH1(...) SMCC_EACH2(SMCC_EACH2(SMCC_EACH2(__VA_ARGS__)))
#define SMCC_NEXT() SMCC_PUT
#define SMCC_NONE
#define SMCC_PUT(x, ...)                                                                           \
    smcc_n = smcc_put(smcc_w, smcc_n, x);                                                          \
    __VA_OPT__(SMCC_NEXT SMCC_NONE()(__VA_ARGS__))
#define printf(format, ...)                                                                        \
    ({                                                                                             \
        uint smcc_w[SMCC_MOST], smcc_n = 2;                                                        \
        __VA_OPT__(SMCC_EACH1(SMCC_PUT(__VA_ARGS__)))                                              \
        smcc_print(smcc_w, smcc_n, format);                                                        \
    })
#endif
#undef OF_INTEGERS
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
