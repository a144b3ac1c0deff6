/* atomichistogram.c -- a histogram with atomic additions in global memory. */
#include "bench/host.h"

void bench_atomichistogram(struct host *h)
{
    host_machine(h, "g92");
    uint32_t bytes = host_size(h, 4096, 262144), blocks = host_size(h, 4, 64);
    const uint8_t *image = host_random_u8(h, "image", bytes, 1, 0, 63);
    host_words(h, "bins", 256);
    uint32_t *bins = host_output(h, "bins", "u32");
    host_launch(h, "atomichistogram", blocks, 1, 128, 1, "image=image bins=bins words=%u",
                bytes / 4);
    for (uint32_t i = 0; i < bytes; i++)
        bins[image[i]]++;
}
