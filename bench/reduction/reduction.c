/* reduction.c -- the sum of a vector, in two launches: a number for each block, then one for all. */
#include "bench/host.h"

enum { THREADS = 128 };

void bench_reduction(struct host *h)
{
    uint32_t n = host_size(h, 3000, 300000), blocks = host_size(h, 6, 48), all = 0;
    const uint32_t *in = host_random_u32(h, "in", n, 1, 0, UINT32_MAX);
    uint32_t *part = host_result(h, "part", "u32", blocks * sizeof *part);
    uint32_t *sum = host_result(h, "sum", "u32", sizeof *sum);
    host_launch(h, "reduction", blocks, 1, THREADS, 1, "in=in out=part n=%u", n);
    host_launch(h, "reduction", 1, 1, THREADS, 1, "in=part out=sum n=%u", blocks);
    for (uint32_t b = 0; b < blocks; b++)
        part[b] = 0;
    for (uint32_t i = 0; i < n; i++) {
        part[i / THREADS % blocks] += in[i];
        all += in[i];
    }
    *sum = all;
}
