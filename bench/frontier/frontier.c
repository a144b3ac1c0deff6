/* frontier.c -- breadth-first search that keeps the vertices of a level in a list. */
#include <stdlib.h>

#include "bench/host.h"

void bench_frontier(struct host *h)
{
    enum { DEGREE = 4, LEVELS = 32 };
    host_machine(h, "g92");
    uint32_t n = host_size(h, 256, 8192), blocks = host_size(h, 2, 32), deepest = 0;
    uint64_t seed = 7;
    uint32_t *first = host_words(h, "first", n + 1), *edge = host_words(h, "edge", DEGREE * n);
    uint32_t *from = host_words(h, "even", n), *queue = fl_alloc(n * sizeof *queue);
    host_words(h, "odd", n);
    uint32_t *level = host_words(h, "level", n), *count = host_words(h, "count", LEVELS + 1);
    for (uint32_t v = 0, e = 0; v < n; v++) {
        for (uint32_t k = host_random(&seed, DEGREE + 1); k > 0; k--)
            edge[e++] = host_random(&seed, n);
        first[v + 1] = e;
        level[v] = UINT32_MAX;
    }
    level[0] = from[0] = 0;
    count[0] = 1;
    level = host_output(h, "level", "s32");
    count = host_output(h, "count", "u32");
    for (uint32_t head = 0, tail = queue[0] = 0; head <= tail; head++) {
        uint32_t v = queue[head];
        for (uint32_t e = first[v]; e < first[v + 1]; e++)
            if (level[edge[e]] == UINT32_MAX) {
                deepest = level[edge[e]] = level[v] + 1;
                count[deepest]++;
                queue[++tail] = edge[e];
            }
    }
    for (uint32_t now = 0; now < deepest; now++)
        host_launch(h, "frontier", blocks, 1, 64, 1,
                    "first=first edge=edge level=level from=%s to=%s count=count now=%u",
                    now % 2 ? "odd" : "even", now % 2 ? "even" : "odd", now);
    free(queue);
}
