/* backprop.c -- a step of training a neural network. */
#include "bench/host.h"

#include <stdlib.h>

enum { HIDDEN = 16, T = 16 };
static const float target = 0.9f, rate = 0.3f;

static float squash(float x)
{
    return host_div(1.0f, 1.0f + host_exp2(x * -1.44269504f));
}

static void forward(const float *input, const float *weight, float *part)
{
    for (int j = 0; j < HIDDEN; j++) {
        float w[T];
        for (int i = 0; i < T; i++)
            w[i] = weight[i * HIDDEN + j] * input[i];
        for (int half = T / 2; half; half /= 2)
            for (int i = 0; i < half; i++)
                w[i] += w[i + half];
        part[j] = w[0];
    }
}

void bench_backprop(struct host *h)
{
    uint32_t n = host_size(h, 64, 4096), parts = n / T;
    const float *input = host_random_f32(h, "input", n, 1, 0, 1);
    host_random_f32(h, "weight", n * HIDDEN, 2, -0.25f, 0.25f);
    host_random_f32(h, "out_weight", HIDDEN, 3, -1, 1);
    float *weight = host_output(h, "weight", "f32"),
          *out_weight = host_output(h, "out_weight", "f32");
    float *part = host_result(h, "part", "f32", parts * HIDDEN * sizeof *part);
    float *delta = host_result(h, "delta", "f32", HIDDEN * sizeof *delta);
    float *output = host_result(h, "output", "f32", sizeof *output);
    host_launch(h, "forward", parts, 1, HIDDEN, T, "input=input weight=weight part=part");
    host_launch(h, "error", 1, 1, HIDDEN, 1,
                "part=part out_weight=out_weight delta=delta output=output parts=%u target=%.9gf "
                "rate=%.9gf",
                parts, (double)target, (double)rate);
    host_launch(h, "adjust", 1, parts, HIDDEN, T,
                "input=input weight=weight delta=delta rate=%.9gf", (double)rate);

    float hidden[HIDDEN] = {0}, out = 0;
    for (uint32_t p = 0; p < parts; p++) {
        forward(input + p * T, weight + p * T * HIDDEN, part + p * HIDDEN);
        for (int j = 0; j < HIDDEN; j++)
            hidden[j] += part[p * HIDDEN + (uint32_t)j];
    }
    for (int j = 0; j < HIDDEN; j++) {
        hidden[j] = squash(hidden[j]);
        out += hidden[j] * out_weight[j];
    }
    *output = out = squash(out);
    float out_delta = out * (1.0f - out) * (target - out);
    for (int j = 0; j < HIDDEN; j++) {
        delta[j] = hidden[j] * (1.0f - hidden[j]) * (out_delta * out_weight[j]);
        out_weight[j] += rate * out_delta * hidden[j];
    }
    for (uint32_t i = 0; i < n * HIDDEN; i++)
        weight[i] += rate * delta[i % HIDDEN] * input[i / HIDDEN];
}
