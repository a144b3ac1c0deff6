/* kernel_cuda.h -- the words of random kernels (kernel_common.h) in CUDA C. */
typedef signed char s8;
typedef unsigned char u8;
typedef short s16;
typedef unsigned short u16;
typedef int s32;
typedef unsigned u32;
typedef long long s64;
typedef unsigned long long u64;
typedef float f32;
typedef double f64;
typedef double __attribute__((may_alias)) f64_of_words;
typedef uint4 u32x4;
typedef float4 f32x4;
typedef ushort2 u16x2;
typedef uchar4 u8x4;
#define FN static inline __device__
#define GLOBAL
#define SHARED __shared__
#define PRIVATE
#define CONSTANT                 __constant__
#define KERNEL(name)             __global__ void name(ARGUMENTS)
#define KERNEL_OF(name, x, y, z) __global__ void __launch_bounds__((x) * (y) * (z)) name(ARGUMENTS)
#define LX                       threadIdx.x
#define LY                       threadIdx.y
#define LZ                       threadIdx.z
#define DX                       blockDim.x
#define DY                       blockDim.y
#define DZ                       blockDim.z
#define BX                       blockIdx.x
#define BY                       blockIdx.y
#define GX                       gridDim.x
#define GY                       gridDim.y
#define BARRIER                  __syncthreads()
#define as_bits(x)               __float_as_uint(x)
#define as_float(x)              __uint_as_float(x)
#define umulhi(x, y)             __umulhi(x, y)
#define imulhi(x, y)             __mulhi(x, y)
#define ulmulhi(x, y)            __umul64hi(x, y)
#define ones(x)                  (u32) __popc(x)
#define zeros(x)                 (u32) __clz((s32)(x))
FN s32 isub_sat(s32 x, s32 y)
{
    s64 d = (s64)x - y;
    return d > 0x7fffffff ? 0x7fffffff : d < -0x7fffffff - 1ll ? -0x7fffffff - 1 : (s32)d;
}
#define f2i(x)              __float2int_rz(x)
#define f2u(x)              __float2uint_rz(x)
#define least(x, y)         fminf(x, y)
#define most(x, y)          fmaxf(x, y)
#define f_floor(x)          floorf(x)
#define f_ceil(x)           ceilf(x)
#define f_trunc(x)          truncf(x)
#define f_rint(x)           rintf(x)
#define f_abs(x)            fabsf(x)
#define MAKE_U4(x, y, z, w) make_uint4(x, y, z, w)
#define MAKE_F4(x, y, z, w) make_float4(x, y, z, w)
#define MAKE_H2(x, y)       make_ushort2((u16)(x), (u16)(y))
#define MAKE_C4(x, y, z, w) make_uchar4((u8)(x), (u8)(y), (u8)(z), (u8)(w))
FN u32x4 ADD_U4(u32x4 x, u32x4 y)
{
    return make_uint4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}
FN u32x4 XOR_U4(u32x4 x, u32x4 y)
{
    return make_uint4(x.x ^ y.x, x.y ^ y.y, x.z ^ y.z, x.w ^ y.w);
}
FN f32x4 MUL_F4(f32x4 x, f32x4 y)
{
    return make_float4(x.x * y.x, x.y * y.y, x.z * y.z, x.w * y.w);
}
#include "kernel_common.h"
