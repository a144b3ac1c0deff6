/* softmax.c -- scores to probabilities, row by row. */
#include "bench/host.h"

#include <math.h>

enum { THREADS = 64 };

static float exponential(float x)
{
    return host_exp2(x * 1.4426950409f);
}

void bench_softmax(struct host *h)
{
    uint32_t rows = host_size(h, 8, 128), width = host_size(h, 128, 512);
    const float *in = host_random_f32(h, "in", rows * width, 1, -4, 4);
    float *out = host_result(h, "out", "f32", rows * width * sizeof *out);
    host_launch(h, "softmax", rows, 1, THREADS, 1, "in=in out=out width=%u", width);
    for (uint32_t r = 0; r < rows; r++) {
        const float *x = in + r * width;
        float best = x[0], part[THREADS] = {0};
        for (uint32_t i = 1; i < width; i++)
            best = fmaxf(best, x[i]);
        for (uint32_t i = 0; i < width; i++)
            part[i % THREADS] += exponential(x[i] - best);
        for (uint32_t half = THREADS / 2; half; half /= 2)
            for (uint32_t i = 0; i < half; i++)
                part[i] += part[i + half];
        float scale = host_div(1, part[0]);
        for (uint32_t i = 0; i < width; i++)
            out[r * width + i] = exponential(x[i] - best) * scale;
    }
}
