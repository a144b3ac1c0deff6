/* allwarps.c -- a stress of the scheduler and the barriers. */
#include "bench/host.h"

enum { THREADS = 256, WARPS = THREADS / 32 };

static void block(const uint32_t *in, uint32_t *out, uint32_t rounds)
{
    uint32_t word[THREADS];
    for (uint32_t t = 0; t < THREADS; t++)
        out[t] = in[t];
    for (uint32_t r = 0; r < rounds; r++) {
        for (uint32_t t = 0; t < THREADS; t++)
            word[t] = out[t];
        for (uint32_t t = 0; t < THREADS; t++) {
            out[t] = (out[t] << 7 | out[t] >> 25) + word[(t + 32) % THREADS];
            for (uint32_t i = 0; t / 32 == r % WARPS && i < 4; i++)
                out[t] ^= out[t] << 3 ^ i;
        }
    }
}

void bench_allwarps(struct host *h)
{
    uint32_t blocks = host_size(h, 3, 48), rounds = host_size(h, 16, 64);
    const uint32_t *in = host_random_u32(h, "in", blocks * THREADS, 1, 0, UINT32_MAX);
    uint32_t *out = host_result(h, "out", "u32", blocks * THREADS * sizeof *out);
    host_launch(h, "allwarps", blocks, 1, THREADS, 1, "in=in out=out rounds=%u", rounds);
    for (uint32_t b = 0; b < blocks; b++)
        block(in + b * THREADS, out + b * THREADS, rounds);
}
