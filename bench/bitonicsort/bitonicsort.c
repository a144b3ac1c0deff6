/* bitonicsort.c -- keys in ascending order. The reference is the C library's. */
#include "bench/host.h"

#include <stdlib.h>

enum { THREADS = 64 };

static int ascending(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

void bench_bitonicsort(struct host *h)
{
    uint32_t n = host_size(h, 128, 16384);
    host_random_u32(h, "key", n, 1, 0, 999);
    uint32_t *key = host_output(h, "key", "u32");
    for (uint32_t run = 2; run <= n; run *= 2)
        for (uint32_t distance = run / 2; distance; distance /= 2)
            host_launch(h, "bitonicsort", n / 2 / THREADS, 1, THREADS, 1,
                        "key=key run=%u distance=%u", run, distance);
    qsort(key, n, sizeof *key, ascending);
}
