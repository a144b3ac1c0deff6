/* layernorm.c -- normalization of each row to a mean of 0 and a variance of 1. */
#include "bench/host.h"

enum { THREADS = 64 };

static float total(float part[THREADS])
{
    for (uint32_t half = THREADS / 2; half; half /= 2)
        for (uint32_t i = 0; i < half; i++)
            part[i] += part[i + half];
    return part[0];
}

void bench_layernorm(struct host *h)
{
    const float epsilon = 1e-5f;
    uint32_t rows = host_size(h, 16, 128), width = host_size(h, 64, 512);
    float share = 1.0f / (float)width;
    const float *in = host_random_f32(h, "in", rows * width, 1, -2, 3);
    const float *gain = host_random_f32(h, "gain", width, 2, 0.5f, 1.5f);
    const float *bias = host_random_f32(h, "bias", width, 3, -0.5f, 0.5f);
    float *out = host_result(h, "out", "f32", rows * width * sizeof *out);
    host_launch(h, "layernorm", rows, 1, THREADS, 1,
                "in=in gain=gain bias=bias out=out width=%u share=%.9gf epsilon=%.9gf", width,
                (double)share, (double)epsilon);
    for (uint32_t r = 0; r < rows; r++) {
        const float *x = in + r * width;
        float sum[THREADS] = {0}, squares[THREADS] = {0};
        for (uint32_t i = 0; i < width; i++)
            sum[i % THREADS] += x[i];
        float mean = total(sum) * share;
        for (uint32_t i = 0; i < width; i++)
            squares[i % THREADS] += (x[i] - mean) * (x[i] - mean);
        float scale = host_rsqrt(total(squares) * share + epsilon);
        for (uint32_t i = 0; i < width; i++)
            out[r * width + i] = (x[i] - mean) * scale * gain[i] + bias[i];
    }
}
