/* vectoradd.c -- the sum of two vectors. */
#include "bench/host.h"

void bench_vectoradd(struct host *h)
{
    uint32_t n = host_size(h, 1000, 50000); /* no whole number of blocks */
    const float *a = host_random_f32(h, "a", n, 1, -1, 1);
    const float *b = host_random_f32(h, "b", n, 2, -1, 1);
    float *c = host_result(h, "c", "f32", n * sizeof *c);
    host_launch(h, "vectoradd", (n + 255) / 256, 1, 256, 1, "a=a b=b c=c n=%u", n);
    for (uint32_t i = 0; i < n; i++)
        c[i] = a[i] + b[i];
}
