/* lud.c -- LU decomposition without pivots. The reference has no tiles. */
#include "bench/host.h"

enum { T = 16 };

void bench_lud(struct host *h)
{
    uint32_t n = host_size(h, 32, 128), tiles = n / T;
    float *m = host_words(h, "m", n * n);
    uint64_t state = 1;
    for (uint32_t i = 0; i < n * n; i++) /* a heavy diagonal needs no pivots */
        m[i] = (float)host_random(&state, 1024) / 1024.0f + (i / n == i % n ? (float)n : 0.0f);
    float *lu = host_output(h, "m", "f32");
    for (uint32_t t = 0; t < tiles; t++) {
        uint32_t rest = tiles - t - 1;
        host_launch(h, "diagonal", 1, 1, T, 1, "m=m n=%u at=%u", n, t * T);
        if (rest == 0)
            break;
        host_launch(h, "perimeter", rest, 1, 2 * T, 1, "m=m n=%u at=%u", n, t * T);
        host_launch(h, "inner", rest, rest, T, T, "m=m n=%u at=%u", n, t * T);
    }
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t y = k + 1; y < n; y++) {
            float l = lu[y * n + k] = host_div(lu[y * n + k], lu[k * n + k]);
            for (uint32_t x = k + 1; x < n; x++)
                lu[y * n + x] -= l * lu[k * n + x];
        }
}
