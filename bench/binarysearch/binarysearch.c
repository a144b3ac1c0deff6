/* binarysearch.c -- where keys stand in a sorted array. The reference goes through it from the
 * start. */
#include "bench/host.h"

enum { THREADS = 64 };

void bench_binarysearch(struct host *h)
{
    uint32_t n = host_size(h, THREADS * THREADS, THREADS * THREADS * THREADS);
    uint32_t keys = host_size(h, 8, 256);
    uint32_t *sorted = host_words(h, "sorted", n), *key = host_words(h, "key", keys);
    uint64_t state = 1;
    for (uint32_t i = 1; i < n; i++)
        sorted[i] = sorted[i - 1] + 1 + host_random(&state, 16);
    for (uint32_t k = 0; k < keys; k++) /* some are there, some lie between two that are */
        key[k] = host_random(&state, sorted[n - 1]);
    host_words(h, "place", keys);
    uint32_t *place = host_output(h, "place", "u32");
    for (uint32_t length = n; length > 1; length /= THREADS)
        host_launch(h, "binarysearch", keys, 1, THREADS, 1,
                    "sorted=sorted key=key place=place length=%u", length);
    for (uint32_t k = 0; k < keys; k++)
        while (place[k] + 1 < n && sorted[place[k] + 1] <= key[k])
            place[k]++;
}
