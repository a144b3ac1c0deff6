/* gaussian.c -- Gaussian elimination without pivots: a * x = b becomes a system whose matrix is upper triangular. */
#include "bench/host.h"

enum { THREADS = 32, T = 8 };

void bench_gaussian(struct host *h)
{
    uint32_t n = host_size(h, 12, 64);
    float *matrix = host_words(h, "a", n * n);
    uint64_t state = 1;
    for (uint32_t i = 0; i < n * n; i++)
        matrix[i] = (float)host_random(&state, 1024) / 1024.0f + (i / n == i % n ? (float)n : 0.0f);
    host_random_f32(h, "b", n, 2, 0, 1);
    host_words(h, "m", n * n);
    float *a = host_output(h, "a", "f32"), *b = host_output(h, "b", "f32"),
          *m = host_output(h, "m", "f32");
    for (uint32_t k = 0; k + 1 < n; k++) {
        uint32_t rows = n - k - 1;
        host_launch(h, "multipliers", (rows + THREADS - 1) / THREADS, 1, THREADS, 1,
                    "a=a m=m n=%u k=%u", n, k);
        host_launch(h, "eliminate", (rows + T) / T, (rows + T - 1) / T, T, T,
                    "a=a b=b m=m n=%u k=%u", n, k);
        for (uint32_t row = k + 1; row < n; row++) {
            float f = m[row * n + k] = host_div(a[row * n + k], a[k * n + k]);
            for (uint32_t col = k; col < n; col++)
                a[row * n + col] -= f * a[k * n + col];
            b[row] -= f * b[k];
        }
    }
}
