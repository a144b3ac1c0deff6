/* kernel_host.h -- the words of random kernels (kernel_common.h) in plain C, and what runs them: the reference.
 *
 * Each thread of a block has a stack of its own; they run one after the other, from barrier to barrier. A kernel for warps in
 * lock step has a stack a warp, and each of its statements is done for all threads of the warp before the next one: first
 * all loads, then all stores. Floats are computed with denormals as zero, as the machine has them.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <xmmintrin.h>

typedef int8_t s8;
typedef uint8_t u8;
typedef int16_t s16;
typedef uint16_t u16;
typedef int32_t s32;
typedef uint32_t u32;
typedef int64_t s64;
typedef uint64_t u64;
typedef float f32;
typedef float f64;
typedef struct {
    u32 x, y, z, w;
} __attribute__((aligned(16))) u32x4;
typedef struct {
    f32 x, y, z, w;
} __attribute__((aligned(16))) f32x4;
typedef struct {
    u16 x, y;
} __attribute__((aligned(4))) u16x2;
typedef struct {
    u8 x, y, z, w;
} __attribute__((aligned(4))) u8x4;

/* ---- where threads are ---- */

enum { MOST_THREADS = 512, STACK = 65536 };
static ucontext_t item[MOST_THREADS], back;
static u32 here, size[3], group[2], groups[2];
static bool done[MOST_THREADS];

static void meet(void)
{
    swapcontext(&item[here], &back);
}

#define FN static
#define GLOBAL
#define SHARED static
#define PRIVATE
#define CONSTANT                 static const
#define KERNEL(name)             static void name(ARGUMENTS)
#define KERNEL_OF(name, x, y, z) static void name(ARGUMENTS)
#define LX                       (here % size[0])
#define LY                       (here / size[0] % size[1])
#define LZ                       (here / size[0] / size[1])
#define DX                       size[0]
#define DY                       size[1]
#define DZ                       size[2]
#define BX                       group[0]
#define BY                       group[1]
#define GX                       groups[0]
#define GY                       groups[1]
#define BARRIER                  meet()

/* ---- arithmetic ---- */

static u32 as_bits(f32 x)
{
    u32 n;
    memcpy(&n, &x, 4);
    return n;
}
static f32 as_float(u32 n)
{
    f32 x;
    memcpy(&x, &n, 4);
    return x;
}
static u32 umulhi(u32 x, u32 y)
{
    return (u32)((u64)x * y >> 32);
}
static s32 imulhi(s32 x, s32 y)
{
    return (s32)((s64)x * y >> 32);
}
static u64 ulmulhi(u64 x, u64 y)
{
    return (u64)((unsigned __int128)x * y >> 64);
}
static u32 ones(u32 x)
{
    return (u32)__builtin_popcount(x);
}
static u32 zeros(u32 x)
{
    return x ? (u32)__builtin_clz(x) : 32;
}
static s32 isub_sat(s32 x, s32 y)
{
    s64 d = (s64)x - y;
    return d > INT32_MAX ? INT32_MAX : d < INT32_MIN ? INT32_MIN : (s32)d;
}
static f32 flushed(f32 x)
{
    return (as_bits(x) & 0x7f800000u) == 0 ? as_float(as_bits(x) & 0x80000000u) : x;
}
static s32 f2i(f32 x)
{
    return x != x ? 0 : x >= 0x1p31f ? INT32_MAX : x < -0x1p31f ? INT32_MIN : (s32)x;
}
static u32 f2u(f32 x)
{
    return x != x || x <= 0 ? 0 : x >= 0x1p32f ? UINT32_MAX : (u32)x;
}
/* A NaN loses against a number, and -0 is below 0 (docs/reference/arithmetic.md). */
static f32 lesser(f32 x, f32 y, bool is)
{
    return x != x          ? y
           : y != y        ? x
           : x == y        ? (as_bits(x) >> 31 == is ? x : y)
           : (x < y) == is ? x
                           : y;
}
static f32 least(f32 x, f32 y)
{
    return lesser(flushed(x), flushed(y), true);
}
static f32 most(f32 x, f32 y)
{
    return lesser(flushed(x), flushed(y), false);
}
#define f_floor(x)          floorf(flushed(x))
#define f_ceil(x)           ceilf(flushed(x))
#define f_trunc(x)          truncf(flushed(x))
#define f_rint(x)           rintf(flushed(x))
#define f_abs(x)            fabsf(x)
#define MAKE_U4(...)        ((u32x4){__VA_ARGS__})
#define MAKE_F4(...)        ((f32x4){__VA_ARGS__})
#define MAKE_H2(x, y)       ((u16x2){(u16)(x), (u16)(y)})
#define MAKE_C4(x, y, z, w) ((u8x4){(u8)(x), (u8)(y), (u8)(z), (u8)(w)})
static u32x4 ADD_U4(u32x4 x, u32x4 y)
{
    return MAKE_U4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}
static u32x4 XOR_U4(u32x4 x, u32x4 y)
{
    return MAKE_U4(x.x ^ y.x, x.y ^ y.y, x.z ^ y.z, x.w ^ y.w);
}
static f32x4 MUL_F4(f32x4 x, f32x4 y)
{
    return MAKE_F4(x.x * y.x, x.y * y.y, x.z * y.z, x.w * y.w);
}

/* ---- warps in lock step ---- */

static u32 first_mask(void)
{
    u32 left = size[0] * size[1] * size[2] - 32 * here;
    return left >= 32 ? 0xffffffffu : (1u << left) - 1;
}
#define tid  (here * 32u + lane)
#define reg0 reg0_[lane]
#define reg1 reg1_[lane]
#define reg2 reg2_[lane]
#define reg3 reg3_[lane]
#define LANES                                                                                      \
    for (u32 lane = 0; lane < 32; lane++)                                                          \
        if (mask >> lane & 1u)
#define EACH(...)                                                                                  \
    LANES                                                                                          \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }
#define SET(to, from)                                                                              \
    {                                                                                              \
        u32 now[32];                                                                               \
        LANES now[lane] = from;                                                                    \
        LANES to = now[lane];                                                                      \
    }
#define WARP_BEGIN                                                                                 \
    u32 mask = first_mask(), reg0_[32], reg1_[32], reg2_[32], reg3_[32];                           \
    EACH(reg0 = in[tid]; reg1 = a + tid * 3u; reg2 = in[(tid * 5u) & 63u]; reg3 = home)
#define home ((BX + GX * BY) * (size[0] * size[1] * size[2]) + tid)
#define SPLIT(c)                                                                                   \
    u32 yes = 0;                                                                                   \
    LANES if (c) yes |= 1u << lane;
#define IF(c)                                                                                      \
    {                                                                                              \
        const u32 were = mask;                                                                     \
        SPLIT(c) mask = yes;
#define ELSE mask = were & ~yes;
#define ENDIF                                                                                      \
    mask = were;                                                                                   \
    }
#define WHILE(c)                                                                                   \
    {                                                                                              \
        const u32 were = mask;                                                                     \
        for (;;) {                                                                                 \
            SPLIT(c) mask = yes;                                                                   \
            if (!mask)                                                                             \
                break;
#define BREAK_IF(c)                                                                                \
    {                                                                                              \
        SPLIT(c) mask &= ~yes;                                                                     \
    }
#define ENDWHILE                                                                                   \
    }                                                                                              \
    mask = were;                                                                                   \
    }
#define MEET meet();
#include "kernel_common.h"

/* ---- all kernels of a file ---- */

struct kernel_row {
    void (*run)(ARGUMENTS);
    u32 size[3], groups[2];
    bool warps; /* in lock step */
};

static struct {
    const struct kernel_row *row;
    u32 *out, *in, *mem, a;
    s32 b;
    f32 f;
    struct pack q;
} now;

static void run_item(void)
{
    now.row->run(now.out, now.in, now.mem, now.a, now.b, now.f, now.q);
    done[here] = true;
    swapcontext(&item[here], &back);
}

static void run_block(u32 n)
{
    static char stack[MOST_THREADS][STACK];
    for (u32 i = 0; i < n; i++) {
        getcontext(&item[i]);
        item[i].uc_stack.ss_sp = stack[i];
        item[i].uc_stack.ss_size = STACK;
        done[i] = false;
        makecontext(&item[i], run_item, 0);
    }
    for (u32 left = n; left;)
        for (here = 0; here < n; here++)
            if (!done[here]) {
                swapcontext(&back, &item[here]);
                left -= done[here];
            }
}

static u32 *words_of(const char *name, size_t n)
{
    FILE *file = fopen(name, "rb");
    u32 *words = malloc(4 * n);
    if (!file || !words || fread(words, 4, n, file) != n)
        abort();
    fclose(file);
    return words;
}

/* in.bin and mem.bin become host.out and host.mem. */
static int run_all(const struct kernel_row *rows, u32 n, size_t in_words, u32 a, u32 b, u32 f,
                   const u32 q[sizeof(struct pack) / 4])
{
    size_t all = 0, at = 0;
    for (u32 k = 0; k < n; k++)
        all += rows[k].size[0] * rows[k].size[1] * rows[k].size[2] * rows[k].groups[0] *
               rows[k].groups[1];
    u32 *out = calloc(all, 4 * OUT_WORDS), *mem = words_of("mem.bin", all * MEM_WORDS);
    _mm_setcsr(_mm_getcsr() | 0x8040); /* denormals are zero */
    now.in = words_of("in.bin", in_words);
    now.a = a;
    now.b = (s32)b;
    now.f = as_float(f);
    memcpy(&now.q, q, sizeof now.q);
    for (u32 k = 0; k < n; k++) {
        u32 threads = rows[k].size[0] * rows[k].size[1] * rows[k].size[2];
        now.row = &rows[k];
        memcpy(size, rows[k].size, sizeof size);
        memcpy(groups, rows[k].groups, sizeof groups);
        now.out = out + at * OUT_WORDS;
        now.mem = mem + at * MEM_WORDS;
        for (group[1] = 0; group[1] < groups[1]; group[1]++)
            for (group[0] = 0; group[0] < groups[0]; group[0]++)
                run_block(rows[k].warps ? (threads + 31) / 32 : threads);
        at += threads * groups[0] * groups[1];
    }
    FILE *files[2] = {fopen("host.out", "wb"), fopen("host.mem", "wb")};
    fwrite(out, 4 * OUT_WORDS, all, files[0]);
    fwrite(mem, 4 * MEM_WORDS, all, files[1]);
    return fclose(files[0]) | fclose(files[1]);
}
