/* dct.c -- the discrete cosine transform of blocks of 8 x 8 numbers. The reference follows the
 * kernel; it is also held against the definition, in double. */
#include "bench/host.h"

#include <assert.h>
#include <math.h>

enum { T = 8 };

static double cosine(uint32_t frequency, uint32_t at)
{
    double scale = sqrt((frequency ? 2.0 : 1.0) / T);
    return scale * cos((2 * at + 1) * frequency * acos(-1.0) / (2 * T));
}

static double by_definition(const float *in, uint32_t width, uint32_t v, uint32_t u)
{
    double sum = 0;
    for (uint32_t y = 0; y < T; y++)
        for (uint32_t x = 0; x < T; x++)
            sum += (double)in[y * width + x] * cosine(v, y) * cosine(u, x);
    return sum;
}

static void transform(const float *in, const float *basis, float *out, uint32_t width)
{
    float half[T][T];
    for (uint32_t i = 0; i < T * T; i++) {
        uint32_t x = i % T, y = i / T;
        float sum = 0;
        for (uint32_t k = 0; k < T; k++)
            sum += basis[y * T + k] * in[k * width + x];
        half[y][x] = sum;
    }
    for (uint32_t i = 0; i < T * T; i++) {
        uint32_t x = i % T, y = i / T;
        float sum = 0;
        for (uint32_t k = 0; k < T; k++)
            sum += half[y][k] * basis[x * T + k];
        out[y * width + x] = sum;
        assert(fabs((double)sum - by_definition(in, width, y, x)) < 1e-3);
    }
}

void bench_dct(struct host *h)
{
    uint32_t width = host_size(h, 32, 256), height = host_size(h, 16, 128);
    const float *in = host_random_f32(h, "in", width * height, 1, -128, 127);
    float *basis = host_words(h, "basis", T * T);
    for (uint32_t i = 0; i < T * T; i++)
        basis[i] = (float)cosine(i / T, i % T);
    float *out = host_result(h, "out", "f32", width * height * sizeof *out);
    host_launch(h, "dct", width / T, height / T, T, T, "in=in out=out basis=basis width=%u", width);
    for (uint32_t y = 0; y < height; y += T)
        for (uint32_t x = 0; x < width; x += T)
            transform(in + y * width + x, basis, out + y * width + x, width);
}
