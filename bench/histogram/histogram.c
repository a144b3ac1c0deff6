/* histogram.c -- how often the upper six bits of a pixel have each value. */
#include "bench/host.h"

#include <string.h>

enum { BINS = 64, THREADS = 64 };

void bench_histogram(struct host *h)
{
    uint32_t each = host_size(h, 32, 128), blocks = host_size(h, 4, 32); /* a byte counts to 255 */
    uint32_t n = blocks * THREADS * each;
    const uint8_t *pixel = host_random_u8(h, "pixel", n, 1, 0, 255);
    uint32_t *part = host_result(h, "part", "u32", blocks * BINS * sizeof *part);
    uint32_t *bins = host_result(h, "bins", "u32", BINS * sizeof *bins);
    host_launch(h, "histogram", blocks, 1, THREADS, 1, "pixel=pixel part=part each=%u", each);
    host_launch(h, "merge", 1, 1, BINS, 1, "part=part bins=bins parts=%u", blocks);
    memset(part, 0, blocks * BINS * sizeof *part);
    memset(bins, 0, BINS * sizeof *bins);
    for (uint32_t i = 0; i < n; i++) {
        part[i / (THREADS * each) * BINS + pixel[i] / 4]++;
        bins[pixel[i] / 4]++;
    }
}
