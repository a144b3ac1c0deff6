/* hotspot.c -- how hot a chip gets. The reference does the whole grid step by step. */
#include "bench/host.h"

#include <stdlib.h>
#include <string.h>

enum { T = 16, STEPS = 2 };
static const float per_cap = 0.341f, per_rx = 0.1f, per_ry = 0.1f, per_rz = 0.0031f,
                   ambient = 80.0f;

static float stepped(const float *temp, float power, int n, int i)
{
    float t = temp[i], west = i % n > 0 ? temp[i - 1] : t, east = i % n < n - 1 ? temp[i + 1] : t;
    float north = i / n > 0 ? temp[i - n] : t, south = i / n < n - 1 ? temp[i + n] : t;
    return t + per_cap * (power + (south + north - 2.0f * t) * per_ry +
                          (east + west - 2.0f * t) * per_rx + (ambient - t) * per_rz);
}

void bench_hotspot(struct host *h)
{
    uint32_t n = host_size(h, 24, 192), launches = host_size(h, 2, 10);
    uint32_t inner = T - 2 * STEPS, blocks = (n + inner - 1) / inner;
    size_t bytes = n * n * sizeof(float);
    const float *power = host_random_f32(h, "power", n * n, 1, 0, 1);
    const float *start = host_random_f32(h, "temp0", n * n, 2, 320, 345);
    float *last = host_output(h, "temp0", "f32"), *before = host_result(h, "temp1", "f32", bytes);
    float *temp = fl_alloc(bytes), *next = fl_alloc(bytes);
    memcpy(temp, start, bytes);
    for (uint32_t l = 0; l < launches; l++) { /* an even number: the last one is in temp0 */
        host_launch(h, "hotspot", blocks, blocks, T, T,
                    "power=power from=temp%u to=temp%u n=%u steps=%u per_cap=%.9gf per_rx=%.9gf "
                    "per_ry=%.9gf per_rz=%.9gf ambient=%.9gf",
                    l % 2, 1 - l % 2, n, STEPS, (double)per_cap, (double)per_rx, (double)per_ry,
                    (double)per_rz, (double)ambient);
        memcpy(l % 2 ? before : last, temp, bytes);
        for (int s = 0; s < STEPS; s++) {
            for (uint32_t i = 0; i < n * n; i++)
                next[i] = stepped(temp, power[i], (int)n, (int)i);
            memcpy(temp, next, bytes);
        }
    }
    memcpy(last, temp, bytes);
    free(temp);
    free(next);
}
