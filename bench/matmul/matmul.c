/* matmul.c -- the product of two matrices. */
#include "bench/host.h"

enum { T = 8 };

void bench_matmul(struct host *h)
{
    uint32_t n = host_size(h, 24, 160);
    const float *a = host_random_f32(h, "a", n * n, 1, -1, 1);
    const float *b = host_random_f32(h, "b", n * n, 2, -1, 1);
    float *c = host_result(h, "c", "f32", n * n * sizeof *c);
    host_launch(h, "matmul", n / T, n / T, T, T, "a=a b=b c=c n=%u", n);
    for (uint32_t i = 0; i < n * n; i++) {
        float sum = 0;
        for (uint32_t k = 0; k < n; k++)
            sum += a[i / n * n + k] * b[k * n + i % n];
        c[i] = sum;
    }
}
