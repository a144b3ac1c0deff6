/* bfs.c -- breadth-first search in a random graph. The reference walks with a queue. */
#include "bench/host.h"

#include <stdlib.h>

enum { THREADS = 128 };

/* Edges of vertex v are edge[first[v]] to edge[first[v + 1] - 1]: 1 to 2 * mean - 1 of them. */
static uint32_t *graph(struct host *h, uint32_t n, uint32_t mean, uint32_t *first)
{
    uint64_t state = 1;
    for (uint32_t v = 0; v < n; v++)
        first[v + 1] = first[v] + 1 + host_random(&state, 2 * mean - 1);
    uint32_t *edge = host_words(h, "edge", first[n]);
    for (uint32_t e = 0; e < first[n]; e++)
        edge[e] = host_random(&state, n);
    return edge;
}

void bench_bfs(struct host *h)
{
    uint32_t n = host_size(h, 128, 16384), head = 0, tail = 0;
    uint32_t *first = host_words(h, "first", n + 1), *edge = graph(h, n, 3, first);
    uint32_t *frontier = host_words(h, "frontier", n), *visited = host_words(h, "visited", n);
    host_words(h, "marked", n);
    uint32_t *more = host_result(h, "more", "u32", sizeof *more);
    uint32_t *first_level = host_words(h, "level", n), *queue = fl_alloc(n * sizeof *queue);

    frontier[0] = visited[0] = 1;
    for (uint32_t v = 1; v < n; v++)
        first_level[v] = UINT32_MAX;
    uint32_t *level = host_output(h, "level", "u32");
    queue[tail++] = 0;
    for (; head < tail; head++) {
        uint32_t v = queue[head];
        for (uint32_t e = first[v]; e < first[v + 1]; e++) {
            if (level[edge[e]] != UINT32_MAX)
                continue;
            level[edge[e]] = level[v] + 1;
            queue[tail++] = edge[e];
        }
    }
    free(queue);
    *more = 0;
    uint32_t blocks = (n + THREADS - 1) / THREADS;
    host_repeat(h, "more", 64);
    host_launch(h, "expand", blocks, 1, THREADS, 1,
                "first=first edge=edge frontier=frontier marked=marked visited=visited level=level "
                "more=more n=%u",
                n);
    host_launch(h, "advance", blocks, 1, THREADS, 1,
                "frontier=frontier marked=marked visited=visited more=more n=%u", n);
    host_repeat_end(h);
}
