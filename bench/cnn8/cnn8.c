/* cnn8.c -- pictures through a small convolutional network in whole numbers of 8 bits. */
#include "bench/host.h"

enum { K = 3, THREADS = 32, PLANES1 = 4, PLANES2 = 8, CLASSES = 10, SHIFT = 8 };

static int32_t most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static void convolve(const int8_t *in, const int8_t *weight, const int32_t *bias, int8_t *out,
                     uint32_t width, uint32_t channels, uint32_t planes)
{
    uint32_t w = width - K + 1;
    for (uint32_t i = 0; i < planes * w * w; i++) {
        uint32_t x = i % w, y = i / w % w, to = i / (w * w);
        int32_t sum = bias[to];
        for (uint32_t k = 0; k < channels * K * K; k++)
            sum += in[(k / (K * K) * width + y + k / K % K) * width + x + k % K] *
                   weight[to * channels * K * K + k];
        sum = most(sum + (1 << SHIFT >> 1), 0) >> SHIFT; /* the rectifier comes first */
        out[i] = (int8_t)(sum > 127 ? 127 : sum);
    }
}

static void pool(const int8_t *in, int8_t *out, uint32_t width, uint32_t planes)
{
    uint32_t w = width / 2;
    for (uint32_t i = 0; i < planes * w * w; i++) {
        const int8_t *from = in + (i / (w * w) * width + i / w % w * 2) * width + i % w * 2;
        out[i] = (int8_t)most(most(from[0], from[1]), most(from[width], from[width + 1]));
    }
}

static void dense(const int8_t *in, const int8_t *weight, int32_t *out, uint32_t n)
{
    for (uint32_t c = 0; c < CLASSES; c++) {
        out[c] = 0;
        for (uint32_t i = 0; i < n; i++)
            out[c] += in[i] * weight[c * n + i];
    }
}

static uint32_t largest(const int32_t *score)
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

/* Each byte is one of -128 to 127. */
static const int8_t *numbers(struct host *h, const char *name, size_t count, uint64_t seed)
{
    return (const int8_t *)host_random_u8(h, name, count, seed, 0, 255);
}

void bench_cnn8(struct host *h)
{
    uint32_t pictures = host_size(h, 1, 4), width = host_size(h, 12, 28);
    uint32_t w1 = width - K + 1, half = w1 / 2, w2 = half - K + 1, n = PLANES2 * w2 * w2;
    const int8_t *in = numbers(h, "in", pictures * width * width, 1);
    const int8_t *weight1 = numbers(h, "weight1", PLANES1 * K * K, 2);
    const int8_t *weight2 = numbers(h, "weight2", PLANES2 * PLANES1 * K * K, 3);
    const int8_t *weight3 = numbers(h, "weight3", CLASSES * n, 4);
    int32_t *bias1 = host_words(h, "bias1", PLANES1), *bias2 = host_words(h, "bias2", PLANES2);
    uint64_t state = 5;
    for (int i = 0; i < PLANES1; i++)
        bias1[i] = (int32_t)host_random(&state, 2000) - 1000;
    for (int i = 0; i < PLANES2; i++)
        bias2[i] = (int32_t)host_random(&state, 2000) - 1000;
    int8_t *map1 = host_result(h, "map1", "s8", pictures * PLANES1 * w1 * w1);
    int8_t *pooled = host_result(h, "pooled", "s8", pictures * PLANES1 * half * half);
    int8_t *map2 = host_result(h, "map2", "s8", pictures * n);
    int32_t *score = host_result(h, "score", "s32", pictures * CLASSES * sizeof *score);
    uint32_t *label = host_result(h, "label", "u32", pictures * sizeof *label);
    static const char *const inner[] = {"map1", "pooled", "map2", "score"};
    for (int i = 0; i < 4; i++)
        host_tolerate(h, inner[i], "abs:1e30"); /* as long as the label is right */

    host_launch(h, "convolve", blocks(w1 * w1), pictures * PLANES1, THREADS, 1,
                "in=in weight=weight1 bias=bias1 out=map1 width=%u channels=1 planes=%u shift=%u",
                width, PLANES1, SHIFT);
    host_launch(h, "pool", blocks(half * half), pictures * PLANES1, THREADS, 1,
                "in=map1 out=pooled width=%u", w1);
    host_launch(
        h, "convolve", blocks(w2 * w2), pictures * PLANES2, THREADS, 1,
        "in=pooled weight=weight2 bias=bias2 out=map2 width=%u channels=%u planes=%u shift=%u",
        half, PLANES1, PLANES2, SHIFT);
    host_launch(h, "dense", CLASSES, pictures, THREADS, 1, "in=map2 weight=weight3 out=score n=%u",
                n);
    host_launch(h, "choose", 1, 1, pictures, 1, "score=score label=label classes=%u", CLASSES);

    for (uint32_t p = 0; p < pictures; p++) {
        int8_t *m1 = map1 + p * PLANES1 * w1 * w1, *m2 = map2 + p * n;
        int8_t *small = pooled + p * PLANES1 * half * half;
        convolve(in + p * width * width, weight1, bias1, m1, width, 1, PLANES1);
        pool(m1, small, w1, PLANES1);
        convolve(small, weight2, bias2, m2, half, PLANES1, PLANES2);
        dense(m2, weight3, score + p * CLASSES, n);
        label[p] = largest(score + p * CLASSES);
    }
}
