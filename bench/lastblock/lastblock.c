/* lastblock.c -- the sum of a vector in one launch; the last block adds the sums of all. */
#include "bench/host.h"

void bench_lastblock(struct host *h)
{
    enum { THREADS = 128 };
    host_machine(h, "g92");
    uint32_t n = host_size(h, 4000, 100000), blocks = host_size(h, 8, 64);
    const float *in = host_random_f32(h, "in", n, 1, 0, 1);
    host_words(h, "tickets", 1);
    float *parts = host_result(h, "parts", "f32", blocks * sizeof *parts),
          *sum = host_result(h, "sum", "f32", sizeof *sum);
    host_output(h, "tickets", "u32"); /* 0 again: the next launch may follow */
    host_launch(h, "lastblock", blocks, 1, THREADS, 1,
                "in=in parts=parts tickets=tickets sum=sum n=%u", n);
    *sum = 0;
    for (uint32_t b = 0; b < blocks; b++) {
        float s[THREADS] = {0};
        for (uint32_t t = 0; t < THREADS; t++)
            for (uint32_t i = b * THREADS + t; i < n; i += blocks * THREADS)
                s[t] += in[i];
        for (uint32_t d = THREADS / 2; d > 0; d /= 2)
            for (uint32_t t = 0; t < d; t++)
                s[t] += s[t + d];
        *sum += parts[b] = s[0];
    }
}
