/* scalarprod.c -- the scalar products of pairs of vectors. */
#include "bench/host.h"

enum { THREADS = 64 };

void bench_scalarprod(struct host *h)
{
    uint32_t n = host_size(h, 300, 4096), pairs = host_size(h, 8, 64);
    const float *a = host_random_f32(h, "a", pairs * n, 1, -1, 1);
    const float *b = host_random_f32(h, "b", pairs * n, 2, -1, 1);
    float *c = host_result(h, "c", "f32", pairs * sizeof *c);
    host_launch(h, "scalarprod", pairs, 1, THREADS, 1, "a=a b=b c=c n=%u", n);
    for (uint32_t p = 0; p < pairs; p++) {
        float part[THREADS] = {0};
        for (uint32_t i = 0; i < n; i++)
            part[i % THREADS] += a[p * n + i] * b[p * n + i];
        for (uint32_t half = THREADS / 2; half; half /= 2)
            for (uint32_t t = 0; t < half; t++)
                part[t] += part[t + half];
        c[p] = part[0];
    }
}
