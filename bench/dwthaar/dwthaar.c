/* dwthaar.c -- the Haar wavelet transform of a signal, in two launches: each block down to a mean, then the means. */
#include "bench/host.h"

#include <stdlib.h>
#include <string.h>

void bench_dwthaar(struct host *h)
{
    uint32_t threads = host_size(h, 128, 256), blocks = host_size(h, 4, 128);
    uint32_t n = 2 * threads * blocks;
    const float *in = host_random_f32(h, "in", n, 1, -1, 1);
    float *mean = host_result(h, "mean", "f32", blocks * sizeof *mean);
    float *out = host_result(h, "out", "f32", n * sizeof *out);
    host_launch(h, "dwthaar", blocks, 1, threads, 1, "in=in out=out mean=mean");
    host_launch(h, "dwthaar", 1, 1, blocks / 2, 1, "in=mean out=out mean=out");

    float *v = fl_alloc(n * sizeof *v);
    memcpy(v, in, n * sizeof *v);
    for (uint32_t half = n / 2; half; half /= 2) {
        for (uint32_t i = 0; i < half; i++) {
            float a = v[2 * i], b = v[2 * i + 1];
            v[i] = (a + b) * 0.70710678f;
            out[half + i] = (a - b) * 0.70710678f;
        }
        if (half == blocks)
            memcpy(mean, v, blocks * sizeof *v);
    }
    out[0] = v[0];
    free(v);
}
