/* convrelu.c -- a layer of a convolutional network. */
#include "bench/host.h"

#include <math.h>

enum { X = 16, Y = 8 };

void bench_convrelu(struct host *h)
{
    uint32_t from = host_size(h, 2, 8), to = host_size(h, 4, 8), w = host_size(h, 16, 32);
    const float *in = host_random_f32(h, "in", from * w * w, 1, -1, 1);
    const float *weight = host_random_f32(h, "weight", to * from * 9, 2, -0.5f, 0.5f);
    const float *bias = host_random_f32(h, "bias", to, 3, 0.1f, 0.5f);
    float *out = host_result(h, "out", "f32", to * w * w * sizeof *out);
    host_launch(h, "convrelu", w / X * (w / Y), to, X, Y,
                "in=in weight=weight bias=bias out=out width=%u planes=%u", w, from);
    for (uint32_t i = 0; i < to * w * w; i++) {
        uint32_t plane = i / (w * w);
        float sum = bias[plane];
        for (uint32_t k = 0; k < from * 9; k++) {
            uint32_t x = i % w + k % 3 - 1, y = i / w % w + k / 3 % 3 - 1; /* -1 is large */
            if (x < w && y < w)
                sum += in[(k / 9 * w + y) * w + x] * weight[plane * from * 9 + k];
        }
        out[i] = fmaxf(sum, 0.0f);
    }
}
