/* deepdivergence.c -- a stress of the divergence stack. The reference follows one thread at a time. */
#include "bench/host.h"

enum { THREADS = 64, LEVELS = 16 };

static uint32_t level(uint32_t acc, uint32_t lane, uint32_t k)
{
    if (lane > k) {
        acc = acc * 9 + 1 + k;
        acc = k + 1 < LEVELS ? level(acc, lane, k + 1) : acc;
    } else
        acc += 0x1001 * (1 + k);
    return acc ^ acc >> 7;
}

void bench_deepdivergence(struct host *h)
{
    uint32_t blocks = host_size(h, 2, 64), rounds = host_size(h, 4, 32);
    const uint32_t *in = host_random_u32(h, "in", blocks * THREADS, 1, 0, UINT32_MAX);
    uint32_t *out = host_result(h, "out", "u32", blocks * THREADS * sizeof *out);
    host_launch(h, "deepdivergence", blocks, 1, THREADS, 1, "in=in out=out rounds=%u", rounds);
    for (uint32_t i = 0; i < blocks * THREADS; i++) {
        out[i] = in[i];
        for (uint32_t r = 0; r < rounds; r++)
            out[i] = level(out[i], (i % THREADS + 5 * r) % 32, 0);
    }
}
