/* attention.c -- causal attention of several heads. */
#include "bench/host.h"

#include <math.h>

enum { T = 32, D = 8 };

static float exponential(float x)
{
    return host_exp2(x * 1.4426950409f);
}

/* One query, over all keys up to its own place. */
static void attend(const float *query, const float *key, const float *value, uint32_t keys,
                   float scale, float *out)
{
    float best = -1e30f, weight = 0, sum[D] = {0};
    for (uint32_t k = 0; k < keys; k++) {
        float score = 0;
        for (uint32_t d = 0; d < D; d++)
            score += query[d] * scale * key[k * D + d];
        float next = fmaxf(best, score), shrink = exponential(best - next);
        float p = exponential(score - next);
        best = next;
        weight = weight * shrink + p;
        for (uint32_t d = 0; d < D; d++)
            sum[d] = sum[d] * shrink + p * value[k * D + d];
    }
    for (uint32_t d = 0; d < D; d++)
        out[d] = host_div(sum[d], weight);
}

void bench_attention(struct host *h)
{
    const float scale = 0.353553391f; /* 1 / sqrt(D) */
    uint32_t heads = host_size(h, 2, 8), length = host_size(h, 32, 128), n = heads * length * D;
    const float *query = host_random_f32(h, "query", n, 1, -2, 2);
    const float *key = host_random_f32(h, "key", n, 2, -2, 2);
    const float *value = host_random_f32(h, "value", n, 3, -1, 1);
    float *out = host_result(h, "out", "f32", n * sizeof *out);
    host_launch(h, "attention", length / T, heads, T, 1,
                "query=query key=key value=value out=out length=%u scale=%.9gf", length,
                (double)scale);
    for (uint32_t i = 0; i < heads * length; i++) {
        uint32_t first = i / length * length * D;
        attend(query + i * D, key + first, value + first, i % length + 1, scale, out + i * D);
    }
}
