/* transpose.c -- rows become columns. */
#include "bench/host.h"

enum { T = 16 };

void bench_transpose(struct host *h)
{
    uint32_t width = host_size(h, 64, 512), height = host_size(h, 32, 256);
    const uint32_t *in = host_random_u32(h, "in", width * height, 1, 0, UINT32_MAX);
    uint32_t *out = host_result(h, "out", "u32", width * height * sizeof *out);
    host_launch(h, "transpose", width / T, height / T, T, T, "in=in out=out width=%u height=%u",
                width, height);
    for (uint32_t i = 0; i < width * height; i++)
        out[i % width * height + i / width] = in[i];
}
