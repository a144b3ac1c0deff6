/* allops.c -- a stress of every operation. The reference does without the model's arithmetic but for the special functions. */
#include "bench/host.h"

#include <math.h>
#include <string.h>

#include "bench/bench.h"
#include "sm/arith/sfu.h"

enum { THREADS = 64 };

static uint32_t bits(float x)
{
    uint32_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

static uint32_t mixed(uint32_t acc, const uint32_t *r, size_t count)
{
    for (size_t i = 0; i < count; i++)
        acc = acc * 9 ^ r[i];
    return acc;
}

static uint32_t mix_integers(uint32_t acc, uint32_t a, uint32_t b)
{
    int64_t sa = (int32_t)a, sb = (int32_t)b, far = sa > sb ? sa - sb : sb - sa;
    uint32_t r[] = {
        a - b,
        (a & 0xffff) * (b >> 16),
        (uint32_t)((uint64_t)(a & 0xffffff) * (b & 0xffffff)),
        (a >> 16) * (b & 0xffff) + a,
        (uint32_t)far + a,
        sa < sb ? a : b,
        a > b ? a : b,
        sa <= sb ? UINT32_MAX : 0,
        a << 7,
        (uint32_t)(sb >> 9),
        a & b,
        (uint32_t)(int16_t)(a & 0xffff),
    };
    return mixed(acc, r, sizeof r / sizeof r[0]);
}

/* Z, S, carry and overflow of a + b from bit 0 on. The predicate EQ asks for Z without S. */
static uint32_t mix_flags(uint32_t acc, uint32_t a, uint32_t b)
{
    uint32_t sum = a + b;
    uint32_t flags = (sum == 0) | sum >> 31 << 1 | (uint32_t)(sum < a) << 2 |
                     ((a ^ sum) & (b ^ sum)) >> 31 << 3;
    uint32_t r[] = {flags, (b & 3) == 1 ? 0xaa : 0x55};
    return mixed(acc, r, 2);
}

static uint32_t mix_memory(uint32_t acc, const uint32_t *block, uint32_t b, uint32_t t)
{
    uint32_t other = (t + 17) % THREADS;
    uint32_t r[] = {block[other], 4 * other + 0x24, b, 6, t % 32};
    return mixed(acc, r, sizeof r / sizeof r[0]);
}

static uint32_t mix_floats(uint32_t acc, uint32_t a, uint32_t b, float u, float v)
{
    uint32_t r[] = {
        bits(u + v),
        bits(u * v),
        bits(bench_fmad(u, v, u)),
        bits(fminf(u, v)),
        bits(fmaxf(u, -v)),
        u < v ? UINT32_MAX : 0,
        u - v >= 0 ? a : b,
        (uint32_t)(int32_t)v,
        bits((float)(int32_t)a),
        bits(floorf(u)),
        sm_sfu_rcp(bits(u)),
        sm_sfu_rsqrt(bits(v)),
        sm_sfu_lg2(bits(u)),
        sm_sfu_ex2(sm_sfu_preex2(bits(v))),
        sm_sfu_sin(sm_sfu_presin(bits(u))),
        sm_sfu_cos(sm_sfu_presin(bits(v))),
    };
    return mixed(acc, r, sizeof r / sizeof r[0]);
}

static uint32_t go(uint32_t acc, uint32_t a, uint32_t b)
{
    if (!(a & 31))
        acc += 0x123;
    int32_t turns = (int32_t)(b & 15);
    do
        acc = acc * 2 + 5;
    while (--turns > 0);
    return a < b ? acc : acc + 0x777;
}

void bench_allops(struct host *h)
{
    uint32_t n = THREADS * host_size(h, 2, 64);
    const uint32_t *a = host_random_u32(h, "a", n, 1, 0, UINT32_MAX);
    const uint32_t *b = host_random_u32(h, "b", n, 2, 0, UINT32_MAX);
    const float *u = host_random_f32(h, "u", n, 3, 0.5f, 4);
    const float *v = host_random_f32(h, "v", n, 4, 0.5f, 4);
    uint32_t *out = host_result(h, "out", "u32", n * sizeof *out);
    host_launch(h, "allops", n / THREADS, 1, THREADS, 1, "a=a b=b u=u v=v out=out");
    for (uint32_t i = 0; i < n; i++) {
        uint32_t t = i % THREADS, acc = mix_flags(mix_integers(1, a[i], b[i]), a[i], b[i]);
        acc = mix_memory(acc, a + (i - t), b[i], t);
        out[i] = go(mix_floats(acc, a[i], b[i], u[i], v[i]), a[i], b[i]);
    }
}
