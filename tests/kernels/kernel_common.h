/* kernel_common.h -- what random kernels call and read, in the words that kernel_opencl.h, kernel_cuda.h and kernel_host.h
 * define: FN a function, GLOBAL, SHARED, PRIVATE and CONSTANT memories, u8 to u64, s8 to s64 and f32 types.
 *
 * Nothing here is undefined, and floats leave as fbits(): one NaN, no denormals, whoever has computed them.
 */

struct inner {
    s16 h;
    u8 c[2];
};
struct rec {
    u32 n;
    f32 x;
    struct inner in[2];
};
struct pack { /* an argument by value */
    u32 n;
    s16 h;
    u8 c;
    s8 d;
    f32 x;
    u32 arr[3];
};
/* words of each thread in `out`, half of them `lin`, and in `mem` */
enum { OUT_WORDS = 8, MEM_WORDS = 32 };

#ifndef OWN_PACK /* what a kernel writes to an argument is its thread's own */
#define PACK q
#define OWN_PACK
#endif
#define ARGUMENTS                                                                                  \
    GLOBAL u32 *out, GLOBAL const u32 *in, GLOBAL u32 *mem, u32 a, s32 b, f32 f, struct pack PACK

CONSTANT u32 table[16] = {1u, 0xffffffffu, 0x80000000u, 3u,     5u,  0x12345678u, 255u, 0x7fffffffu,
                          9u, 10u,         65535u,      65536u, 13u, 0xdeadbeefu, 0u,   77u};
CONSTANT s8 bytes[8] = {0, 1, -1, 127, -128, 5, -77, 64};
CONSTANT u16 halves[8] = {0, 1, 0xffff, 0x8000, 0x7fff, 300, 12345, 9};
CONSTANT struct rec recs[4] = {{1u, 0.5f, {{-1, {2, 3}}, {4, {5, 255}}}},
                               {0xffffffffu, -2.0f, {{32767, {1, 0}}, {-32767, {9, 8}}}},
                               {77u, 1024.0f, {{0, {0, 0}}, {256, {128, 127}}}},
                               {0x80000000u, 0.0f, {{-300, {77, 7}}, {11, {12, 13}}}}};

FN u32 udiv(u32 x, u32 y)
{
    return y ? x / y : 5u;
}
FN u32 urem(u32 x, u32 y)
{
    return y ? x % y : x;
}
FN u32 udiv16(u32 x, u32 y)
{
    return (u32)((u16)x / (u16)((y & 0xffffu) | 1u));
}
FN s32 idiv(s32 x, s32 y)
{
    return y == 0 || (x == (-0x7fffffff - 1) && y == -1) ? x : x / y;
}
FN s32 irem(s32 x, s32 y)
{
    return y == 0 || (x == (-0x7fffffff - 1) && y == -1) ? 3 : x % y;
}
FN u64 uldiv(u64 x, u64 y)
{
    return y ? x / y : 7u;
}
FN u64 ulrem(u64 x, u64 y)
{
    return y ? x % y : x;
}
FN u64 sldiv(u64 x, u64 y)
{
    return y + 1u < 2u ? 9u : (u64)((s64)x / (s64)y);
}
FN u64 slrem(u64 x, u64 y)
{
    return y + 1u < 2u ? 9u : (u64)((s64)x % (s64)y);
}
FN s32 irem16(s32 x, s32 y)
{
    return (s16)x % ((s16)y == 0 ? 9 : (s16)y);
}
FN s32 mul16(s32 x, s32 y)
{
    return (s16)x * (s16)y;
}
#ifndef __CUDACC__ /* CUDA has them */
FN u32 umin(u32 x, u32 y)
{
    return x < y ? x : y;
}
FN u32 umax(u32 x, u32 y)
{
    return x > y ? x : y;
}
#endif
FN s32 imin(s32 x, s32 y)
{
    return x < y ? x : y;
}
FN s32 imax(s32 x, s32 y)
{
    return x > y ? x : y;
}
FN u64 ulmin(u64 x, u64 y)
{
    return x < y ? x : y;
}
FN u64 ulmax(u64 x, u64 y)
{
    return x > y ? x : y;
}
FN u32 uadd_sat(u32 x, u32 y)
{
    return x + y < x ? 0xffffffffu : x + y;
}
FN u32 turn(u32 x, u32 n)
{
    return x << (n & 31u) | x >> ((32u - n) & 31u);
}
FN u32 size_of(s32 x)
{
    return x < 0 ? 0u - (u32)x : (u32)x;
}

FN u32 fbits(f32 x)
{
    u32 n = as_bits(x);
    return x != x ? 0x7fffffffu : (n & 0x7f800000u) == 0u ? n & 0x80000000u : n;
}

/* ---- pointers to what the caller has: all of them are built in ---- */

FN u32 bump(PRIVATE u32 *x, u32 by)
{
    *x += by;
    return *x >> 1;
}
FN void swap_if(PRIVATE u32 *x, PRIVATE u32 *y, u32 when)
{
    u32 was = *x;
    if (!(when & 1u))
        return;
    *x = *y;
    *y = was;
}
FN u32 find(PRIVATE const u32 *p, u32 n, u32 what)
{
    for (u32 i = 0; i < n; i++)
        if ((p[i] & 15u) == (what & 15u))
            return i;
    return n;
}
FN u32 collatz(u32 x, PRIVATE u32 *steps)
{
    while (x > 1u) {
        if (++*steps > 25u)
            return x;
        x = x & 1u ? 3u * x + 1u : x >> 1;
    }
    return *steps;
}
FN u32 walk(GLOBAL u32 *at, s32 step, u32 n)
{
    u32 sum = 0;
    for (; n; n--, at += step) {
        if ((*at & 7u) == 3u)
            continue;
        sum += *at;
        *at = sum ^ n;
    }
    return sum;
}
FN struct rec mixed(struct rec r, u32 by)
{
    r.n ^= by;
    r.in[by & 1u].h = (s16)(r.in[~by & 1u].h + (s16)by);
    r.in[0].c[by >> 1 & 1u] = (u8)(by >> 8);
    return r;
}
FN u32 folded(struct rec r)
{
    return r.n ^ fbits(r.x) ^ (u32)r.in[0].h << 16 ^ (u32)r.in[1].h ^ (u32)r.in[0].c[0] << 3 ^
           (u32)r.in[0].c[1] << 5 ^ (u32)r.in[1].c[0] << 7 ^ (u32)r.in[1].c[1] << 9;
}
FN u32 folded_pack(struct pack q)
{
    return q.n + (u32)q.h * 3u + q.c * 5u + (u32)q.d * 7u + fbits(q.x) + q.arr[0] + q.arr[1] * 2u +
           q.arr[2] * 4u;
}

/* Doubles in memory, at an even word. */
#ifdef __CUDA__
FN void put_f64(GLOBAL u32 *to, f64 x)
{
    *(f64_of_words *)to = x == x ? x : (f64)0;
}
FN f64 get_f64(GLOBAL u32 *from)
{
    return *(f64_of_words *)from;
}
#else
FN void put_f64(GLOBAL u32 *to, f64 x)
{
    u32 n = fbits(x), e = n >> 23 & 255u;
    n = x == x && e ? n : x == x ? n & 0x80000000u : 0u;
    to[0] = e ? n << 29 : 0u;
    to[1] = (n & 0x80000000u) | (!(n & 0x7fffffffu) ? 0u
                                                    : ((n & 0x7fffffffu) >> 3) +
                                                          (e == 255u ? 0x70000000u : 0x38000000u));
}
FN f64 get_f64(GLOBAL u32 *from)
{
    u64 n = (u64)(from[1] & 0x7fffffffu) << 32 | from[0], cut = n - 0x3800000000000000ull;
    u32 r = (u32)(cut >> 29), rest = from[0] & 0x1fffffffu;
    r += rest > 0x10000000u || (rest == 0x10000000u && (r & 1u)) ? 1u : 0u;
    r = n < 0x3810000000000000ull    ? 0u
        : n >= 0x47f0000000000000ull ? (n > 0x7ff0000000000000ull ? 0x7fffffffu : 0x7f800000u)
                                     : r;
    return as_float(r | (r == 0x7fffffffu ? 0u : from[1] & 0x80000000u));
}
#endif

/* What a thread ends with. */
#define RESULTS                                                                                    \
    out[gid * 4u] = u0 ^ p[u1 & 7u];                                                               \
    out[gid * 4u + 1u] = u1 + (u32)i0 * 3u;                                                        \
    out[gid * 4u + 2u] = u2 ^ (u32)i1 ^ (u32)i2 ^ fbits(f0);                                       \
    out[gid * 4u + 3u] = (u32)(w0 >> 32) ^ (u32)w1 ^ (u32)h0 ^ (u32)c0 << 7 ^ p[3] ^ fbits(f1);

/* The place of a thread and what it begins with; all names that random expressions use. */
#define BEGIN                                                                                      \
    u32 lid = LX + DX * (LY + DY * LZ), threads = DX * DY * DZ, block = BX + GX * BY,              \
        blocks = GX * GY, gid = block * threads + lid, total = blocks * threads, p[8];             \
    GLOBAL u32 *own = mem + gid * 32u, *lin = out + total * 4u;                                    \
    u32 u0 = in[lid], u1 = in[gid & 31u] ^ gid, u2 = a + lid;                                      \
    s32 i0 = (s32)in[(lid * 7u) & 63u], i1 = b, i2 = (s32)lid - 20;                                \
    s16 h0 = (s16)u1;                                                                              \
    u8 c0 = (u8)(u0 >> 3);                                                                         \
    u64 w0 = (u64)u0 << 20 ^ u1, w1 = (u64)(s64)i1 * 77u;                                          \
    f32 f0 = as_float(in[1024u + (gid & 1023u)]), f1 = (f32)(s32)lid * 0.25f - f;                  \
    OWN_PACK                                                                                       \
    for (u32 k = 0; k < 8u; k++)                                                                   \
        p[k] = k * u1;

/* ---- warps in lock step: on the machine, a warp is; on the host, each of these goes through all threads (kernel_host.h) ---- */

#define PEER(n) ((tid & ~31u) + ((n)&31u)) /* a thread of the same warp */
#ifndef EACH
#define WARP_BEGIN                                                                                 \
    u32 tid = LX + DX * (LY + DY * LZ), home = (BX + GX * BY) * (DX * DY * DZ) + tid;              \
    u32 reg0 = in[tid], reg1 = a + tid * 3u, reg2 = in[(tid * 5u) & 63u], reg3 = home;
#define EACH(...)     __VA_ARGS__;
#define SET(to, from) to = from;
#define IF(c)         if (c) {
#define ELSE                                                                                       \
    }                                                                                              \
    else                                                                                           \
    {
#define ENDIF    }
#define WHILE(c) while (c) {
#define BREAK_IF(c)                                                                                \
    if (c)                                                                                         \
        break;
#define ENDWHILE }
#define MEET     BARRIER;
#endif
#define WARP_RESULTS                                                                               \
    EACH(out[home * 4u] = reg0)                                                                    \
    EACH(out[home * 4u + 1u] = reg1)                                                               \
    EACH(out[home * 4u + 2u] = reg2) EACH(out[home * 4u + 3u] = reg3)
