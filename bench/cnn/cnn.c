/* cnn.c -- pictures through a small convolutional network in floats. */
#include "bench/host.h"

#include <math.h>

enum { K = 3, THREADS = 32, PLANES1 = 4, PLANES2 = 8, CLASSES = 10 };

static void convolve(const float *in, const float *weight, const float *bias, float *out,
                     uint32_t width, uint32_t channels, uint32_t planes)
{
    uint32_t w = width - K + 1;
    for (uint32_t i = 0; i < planes * w * w; i++) {
        uint32_t x = i % w, y = i / w % w, to = i / (w * w);
        float sum = bias[to];
        for (uint32_t k = 0; k < channels * K * K; k++)
            sum += in[(k / (K * K) * width + y + k / K % K) * width + x + k % K] *
                   weight[to * channels * K * K + k];
        out[i] = fmaxf(sum, 0.0f);
    }
}

static void pool(const float *in, float *out, uint32_t width, uint32_t planes)
{
    uint32_t w = width / 2;
    for (uint32_t i = 0; i < planes * w * w; i++) {
        const float *from = in + (i / (w * w) * width + i / w % w * 2) * width + i % w * 2;
        out[i] = fmaxf(fmaxf(from[0], from[1]), fmaxf(from[width], from[width + 1]));
    }
}

static void dense(const float *in, const float *weight, float *out, uint32_t n)
{
    for (uint32_t c = 0; c < CLASSES; c++) {
        float part[THREADS] = {0};
        for (uint32_t i = 0; i < n; i++)
            part[i % THREADS] += in[i] * weight[c * n + i];
        for (uint32_t half = THREADS / 2; half; half /= 2)
            for (uint32_t t = 0; t < half; t++)
                part[t] += part[t + half];
        out[c] = part[0];
    }
}

static uint32_t largest(const float *score)
{
    uint32_t best = 0;
    for (uint32_t c = 1; c < CLASSES; c++)
        best = score[c] > score[best] ? c : best;
    return best;
}

static uint32_t blocks(uint32_t threads)
{
    return (threads + THREADS - 1) / THREADS;
}

void bench_cnn(struct host *h)
{
    uint32_t pictures = host_size(h, 1, 4), width = host_size(h, 12, 28);
    uint32_t w1 = width - K + 1, half = w1 / 2, w2 = half - K + 1, n = PLANES2 * w2 * w2;
    const float *in = host_random_f32(h, "in", pictures * width * width, 1, 0, 1);
    const float *weight1 = host_random_f32(h, "weight1", PLANES1 * K * K, 2, -0.5f, 0.5f);
    const float *bias1 = host_random_f32(h, "bias1", PLANES1, 3, -0.1f, 0.1f);
    const float *weight2 = host_random_f32(h, "weight2", PLANES2 * PLANES1 * K * K, 4, -0.5f, 0.5f);
    const float *bias2 = host_random_f32(h, "bias2", PLANES2, 5, -0.1f, 0.1f);
    const float *weight3 = host_random_f32(h, "weight3", CLASSES * n, 6, -0.5f, 0.5f);
    float *map1 = host_result(h, "map1", "f32", pictures * PLANES1 * w1 * w1 * sizeof *map1);
    float *pooled = host_result(h, "pooled", "f32",
                                pictures * PLANES1 * half * half * sizeof *pooled);
    float *map2 = host_result(h, "map2", "f32", pictures * n * sizeof *map2);
    float *score = host_result(h, "score", "f32", pictures * CLASSES * sizeof *score);
    uint32_t *label = host_result(h, "label", "u32", pictures * sizeof *label);
    static const char *const inner[] = {"map1", "pooled", "map2", "score"};
    for (int i = 0; i < 4; i++)
        host_tolerate(h, inner[i], "abs:1e30"); /* as long as the label is right */

    host_launch(h, "convolve", blocks(w1 * w1), pictures * PLANES1, THREADS, 1,
                "in=in weight=weight1 bias=bias1 out=map1 width=%u channels=1 planes=%u", width,
                PLANES1);
    host_launch(h, "pool", blocks(half * half), pictures * PLANES1, THREADS, 1,
                "in=map1 out=pooled width=%u", w1);
    host_launch(h, "convolve", blocks(w2 * w2), pictures * PLANES2, THREADS, 1,
                "in=pooled weight=weight2 bias=bias2 out=map2 width=%u channels=%u planes=%u", half,
                PLANES1, PLANES2);
    host_launch(h, "dense", CLASSES, pictures, THREADS, 1, "in=map2 weight=weight3 out=score n=%u",
                n);
    host_launch(h, "choose", 1, 1, pictures, 1, "score=score label=label classes=%u", CLASSES);

    for (uint32_t p = 0; p < pictures; p++) {
        float *m1 = map1 + p * PLANES1 * w1 * w1, *m2 = map2 + p * n;
        float *small = pooled + p * PLANES1 * half * half;
        convolve(in + p * width * width, weight1, bias1, m1, width, 1, PLANES1);
        pool(m1, small, w1, PLANES1);
        convolve(small, weight2, bias2, m2, half, PLANES1, PLANES2);
        dense(m2, weight3, score + p * CLASSES, n);
        label[p] = largest(score + p * CLASSES);
    }
}
