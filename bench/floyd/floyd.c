/* floyd.c -- shortest ways between all pairs of vertices. The reference makes ways longer by one
 * edge at a time, until none gets shorter. */
#include "bench/host.h"

enum { T = 8, FAR = 1 << 20 };

void bench_floyd(struct host *h)
{
    uint32_t n = host_size(h, 16, 96);
    uint32_t *edge = host_words(h, "distance", n * n);
    uint64_t state = 1;
    for (uint32_t i = 0; i < n * n; i++) /* a quarter of the edges is there */
        edge[i] = i % n == i / n ? 0 : host_random(&state, 4) ? FAR : 1 + host_random(&state, 100);
    uint32_t *distance = host_output(h, "distance", "u32");
    for (uint32_t k = 0; k < n; k++)
        host_launch(h, "floyd", n / T, n / T, T, T, "distance=distance n=%u k=%u", n, k);
    for (bool shorter = true; shorter;) {
        shorter = false;
        for (uint32_t i = 0; i < n * n; i++)
            for (uint32_t via = 0; via < n; via++) {
                uint32_t over = distance[i / n * n + via] + edge[via * n + i % n];
                if (over >= distance[i])
                    continue;
                distance[i] = over;
                shorter = true;
            }
    }
}
