/* bankconflicts.c -- a stress of shared memory. */
#include "bench/host.h"

enum { THREADS = 64, WORDS = THREADS * 32 };

static void block(const uint32_t *in, uint32_t first, uint32_t mix[THREADS])
{
    uint32_t word[WORDS];
    for (uint32_t i = 0; i < WORDS; i++)
        word[i] = in[i] + first + i % THREADS;
    for (uint32_t t = 0; t < THREADS; t++)
        mix[t] = first + t;
    for (uint32_t stride = 1; stride <= 32; stride *= 2)
        for (uint32_t t = 0; t < THREADS; t++) {
            uint32_t v = word[t * stride] * 5 + stride;
            mix[t] = mix[t] * 31 + v;
            word[t * stride] = v ^ mix[t];
        }
    for (uint32_t t = 0; t < THREADS; t++)
        for (uint32_t k = 0; k < 8; k++)
            mix[t] = mix[t] * 31 + word[k * 32] + word[t * (k + 3) * 7 % WORDS];
}

void bench_bankconflicts(struct host *h)
{
    uint32_t blocks = host_size(h, 2, 64);
    const uint32_t *in = host_random_u32(h, "in", WORDS, 1, 0, UINT32_MAX);
    uint32_t *out = host_result(h, "out", "u32", blocks * THREADS * sizeof *out);
    host_launch(h, "bankconflicts", blocks, 1, THREADS, 1, "in=in out=out");
    for (uint32_t b = 0; b < blocks; b++)
        block(in, b * THREADS, out + b * THREADS);
}
