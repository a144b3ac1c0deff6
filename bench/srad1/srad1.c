/* srad1.c -- speckle reducing anisotropic diffusion: Y. Yu, S. T. Acton, IEEE Trans. Image Processing 11, 2002. */
#include "bench/host.h"

#include <stdlib.h>

enum { THREADS = 64, T = 8 };
static const float quarter_lambda = 0.125f;

struct picture {
    int width, height;
    float *v, *slope, *c;
    float *part, *squares, *q0;
};

static void statistics(struct picture *p)
{
    int n = p->width * p->height;
    float s = 0, q = 0;
    for (int b = 0; b < n / THREADS; b++) {
        float sum[THREADS], square[THREADS];
        for (int t = 0; t < THREADS; t++) {
            sum[t] = p->v[b * THREADS + t];
            square[t] = sum[t] * sum[t];
        }
        for (int half = THREADS / 2; half; half /= 2)
            for (int t = 0; t < half; t++) {
                sum[t] += sum[t + half];
                square[t] += square[t + half];
            }
        s += p->part[b] = sum[0];
        q += p->squares[b] = square[0];
    }
    float per_n = 1.0f / (float)n, mean = s * per_n;
    *p->q0 = host_div(q * per_n - mean * mean, mean * mean);
}

static void conduct(struct picture *p, int i)
{
    int x = i % p->width, y = i / p->width;
    float v = p->v[i], q = *p->q0;
    float n = p->v[y > 0 ? i - p->width : i] - v;
    float s = p->v[y < p->height - 1 ? i + p->width : i] - v;
    float w = p->v[x > 0 ? i - 1 : i] - v, e = p->v[x < p->width - 1 ? i + 1 : i] - v;
    float g = host_div(n * n + s * s + w * w + e * e, v * v), l = host_div(n + s + w + e, v);
    float num = 0.5f * g - 0.0625f * (l * l), den = 1.0f + 0.25f * l;
    float r = host_div(host_div(num, den * den) - q, q * (1.0f + q));
    float k = host_div(1.0f, 1.0f + r), *slope = &p->slope[4 * i];
    slope[0] = n;
    slope[1] = s;
    slope[2] = w;
    slope[3] = e;
    p->c[i] = k < 0 ? 0 : k > 1 ? 1 : k;
}

static void diffuse(struct picture *p, int i)
{
    int x = i % p->width, y = i / p->width;
    const float *d = &p->slope[4 * i];
    float here = p->c[i], south = p->c[y < p->height - 1 ? i + p->width : i];
    float east = p->c[x < p->width - 1 ? i + 1 : i];
    p->v[i] += quarter_lambda * (here * d[0] + south * d[1] + here * d[2] + east * d[3]);
}

void bench_srad1(struct host *h)
{
    uint32_t width = host_size(h, 16, 128), height = host_size(h, 16, 128);
    uint32_t steps = host_size(h, 2, 8), n = width * height, parts = n / THREADS;
    host_random_f32(h, "image", n, 1, 0, 255);
    struct picture p = {.width = (int)width, .height = (int)height};
    p.v = host_output(h, "image", "f32");
    p.slope = host_result(h, "slope", "f32", 4 * n * sizeof *p.slope);
    p.c = host_result(h, "c", "f32", n * sizeof *p.c);
    p.part = host_result(h, "part", "f32", parts * sizeof *p.part);
    p.squares = host_result(h, "squares", "f32", parts * sizeof *p.squares);
    p.q0 = host_result(h, "q0", "f32", sizeof *p.q0);

    host_launch(h, "extract", parts, 1, THREADS, 1, "image=image");
    for (uint32_t i = 0; i < n; i++)
        p.v[i] = host_exp2(p.v[i] * (1.44269504f / 255.0f));
    for (uint32_t s = 0; s < steps; s++) {
        host_launch(h, "sums", parts, 1, THREADS, 1, "image=image part=part squares=squares");
        host_launch(h, "statistics", 1, 1, 1, 1,
                    "part=part squares=squares q0=q0 parts=%u per_n=%.9gf", parts,
                    (double)(1.0f / (float)n));
        host_launch(h, "conduct", width / T, height / T, T, T,
                    "image=image slope=slope c=c q0=q0 width=%u height=%u", width, height);
        host_launch(h, "diffuse", width / T, height / T, T, T,
                    "image=image slope=slope c=c width=%u height=%u quarter_lambda=%.9gf", width,
                    height, (double)quarter_lambda);
        statistics(&p);
        for (uint32_t i = 0; i < n; i++)
            conduct(&p, (int)i);
        for (uint32_t i = 0; i < n; i++)
            diffuse(&p, (int)i);
    }
    host_launch(h, "compress", parts, 1, THREADS, 1, "image=image");
    for (uint32_t i = 0; i < n; i++)
        p.v[i] = host_log2(p.v[i]) * (0.693147181f * 255.0f);
}
