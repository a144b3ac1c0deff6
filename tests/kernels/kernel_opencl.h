/* kernel_opencl.h -- the words of random kernels (kernel_common.h) in OpenCL C. */
typedef char s8;
typedef uchar u8;
typedef short s16;
typedef ushort u16;
typedef int s32;
typedef uint u32;
typedef long s64;
typedef ulong u64;
typedef float f32;
typedef float f64;
typedef uint4 u32x4;
typedef float4 f32x4;
typedef ushort2 u16x2;
typedef uchar4 u8x4;
#define FN           static
#define GLOBAL       __global
#define SHARED       __local
#define PRIVATE      __private
#define CONSTANT     __constant
#define KERNEL(name) __kernel void name(ARGUMENTS)
#ifndef POCL
#define KERNEL_OF(name, x, y, z)                                                                   \
    __kernel __attribute__((reqd_work_group_size(x, y, z))) void name(ARGUMENTS)
#else /* as pocl_run runs it */
#define KERNEL_OF(name, x, y, z)                                                                   \
    __kernel __attribute__((reqd_work_group_size((x) == 1 ? (y) * (z) : (x), (x) == 1 ? 1 : (y),   \
                                                 (x) == 1 ? 1 : (z)))) void                        \
    name(ARGUMENTS)
#endif
#define LX                  (u32) get_local_id(0)
#define LY                  (u32) get_local_id(1)
#define LZ                  (u32) get_local_id(2)
#define DX                  (u32) get_local_size(0)
#define DY                  (u32) get_local_size(1)
#define DZ                  (u32) get_local_size(2)
#define BX                  (u32) get_group_id(0)
#define BY                  (u32) get_group_id(1)
#define GX                  (u32) get_num_groups(0)
#define GY                  (u32) get_num_groups(1)
#define BARRIER             barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define as_bits(x)          as_uint(x)
#define umulhi(x, y)        mul_hi((u32)(x), (u32)(y))
#define imulhi(x, y)        mul_hi((s32)(x), (s32)(y))
#define ulmulhi(x, y)       mul_hi((u64)(x), (u64)(y))
#define ones(x)             popcount((u32)(x))
#define zeros(x)            clz((u32)(x))
#define isub_sat(x, y)      sub_sat((s32)(x), (s32)(y))
#define MAKE_U4(x, y, z, w) ((uint4)(x, y, z, w))
#define MAKE_F4(x, y, z, w) ((float4)(x, y, z, w))
#define MAKE_H2(x, y)       ((ushort2)((u16)(x), (u16)(y)))
#define MAKE_C4(x, y, z, w) ((uchar4)((u8)(x), (u8)(y), (u8)(z), (u8)(w)))
#define ADD_U4(x, y)        ((x) + (y))
#define XOR_U4(x, y)        ((x) ^ (y))
#define MUL_F4(x, y)        ((x) * (y))
#ifdef POCL /* it would fuse a * b + c, and flushes no operand of the others */
#pragma OPENCL FP_CONTRACT OFF
/* pocl 3.1 hands all threads the same structure: one reads what another has written to its argument */
#define PACK     all_q
#define OWN_PACK struct pack q = all_q;
static s32 f2i(f32 x)
{
    return x != x ? 0 : x >= 0x1p31f ? INT_MAX : x < -0x1p31f ? INT_MIN : (s32)x;
}
static u32 f2u(f32 x)
{
    return x != x || x <= 0.0f ? 0 : x >= 0x1p32f ? UINT_MAX : (u32)x;
}
static f32 flushed(f32 x)
{
    u32 n = as_uint(x);
    return (n & 0x7f800000u) == 0u ? as_float(n & 0x80000000u) : x;
}
static f32 less(f32 x, f32 y, bool is)
{
    x = flushed(x), y = flushed(y);
    return x != x          ? y
           : y != y        ? x
           : x == y        ? (as_uint(x) >> 31 != 0u) == is ? x : y
           : (x < y) == is ? x
                           : y;
}
#define least(x, y) less(x, y, true)
#define most(x, y)  less(x, y, false)
#define f_floor(x)  floor(flushed(x))
#define f_ceil(x)   ceil(flushed(x))
#define f_trunc(x)  trunc(flushed(x))
#define f_rint(x)   rint(flushed(x))
#define f_abs(x)    fabs(x)
#else
#define f2i(x)      convert_int_sat((f32)(x))
#define f2u(x)      convert_uint_sat((f32)(x))
#define least(x, y) fmin((f32)(x), (f32)(y))
#define most(x, y)  fmax((f32)(x), (f32)(y))
#define f_floor(x)  floor((f32)(x))
#define f_ceil(x)   ceil((f32)(x))
#define f_trunc(x)  trunc((f32)(x))
#define f_rint(x)   rint((f32)(x))
#define f_abs(x)    fabs((f32)(x))
#endif
#include "kernel_common.h"
