/* urng.c -- noise over an image of four bytes a pixel. The reference multiplies in 64 bits. */
#include "bench/host.h"

enum { THREADS = 64, TABLE = 16 };

static int32_t next(int32_t s)
{
    return (int32_t)((int64_t)s * 16807 % INT32_MAX);
}

static int32_t draw(int32_t seed)
{
    int32_t table[TABLE], s = seed;
    for (int t = TABLE + 7; t >= 0; t--) {
        s = next(s);
        if (t < TABLE)
            table[t] = s;
    }
    return table[table[0] >> 27 & (TABLE - 1)];
}

void bench_urng(struct host *h)
{
    uint32_t n = host_size(h, 16 * 16, 192 * 192);
    const float strength = 55.0f;
    const uint8_t *in = host_random_u8(h, "in", n * 4, 1, 0, 255);
    uint8_t *out = host_result(h, "out", "u8", n * 4);
    host_launch(h, "urng", n / THREADS, 1, THREADS, 1, "in=in out=out strength=%.9gf",
                (double)strength);
    for (uint32_t i = 0; i < n * 4; i++) {
        const uint8_t *p = &in[i / 4 * 4];
        int32_t r = draw(1 + (p[0] + p[1] + p[2] + p[3]) / 4);
        int sum = in[i] + (int)(((float)r * 0x1p-31f - 0.5f) * strength);
        out[i] = (uint8_t)(sum < 0 ? 0 : sum > 255 ? 255 : sum);
    }
}
