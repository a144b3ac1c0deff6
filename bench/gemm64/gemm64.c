/* gemm64.c -- the matrix product of a dense layer. */
#include "bench/host.h"

void bench_gemm64(struct host *h)
{
    enum { T = 16 };
    const float alpha = 1.25f, beta = 0.5f;
    uint32_t n = host_size(h, 64, 256);
    const float *a = host_random_f32(h, "a", n * n, 1, -1, 1);
    const float *b = host_random_f32(h, "b", n * n, 2, -1, 1);
    host_random_f32(h, "c", n * n, 3, -1, 1);
    float *c = host_output(h, "c", "f32");
    host_launch(h, "gemm64", n / T, n / T, T, T, "a=a b=b c=c n=%u alpha=%.9gf beta=%.9gf", n,
                (double)alpha, (double)beta);
    for (uint32_t i = 0; i < n * n; i++) {
        float sum = 0;
        for (uint32_t k = 0; k < n; k++)
            sum += a[i / n * n + k] * b[k * n + i % n];
        c[i] = alpha * sum + beta * c[i];
    }
}
