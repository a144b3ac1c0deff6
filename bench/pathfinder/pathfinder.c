/* pathfinder.c -- what the cheapest way to each place of the last row of a grid costs; a step goes
 * down, or down and one aside. */
#include "bench/host.h"

#include <stdlib.h>
#include <string.h>

enum { THREADS = 128, ROWS = 10 };

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

void bench_pathfinder(struct host *h)
{
    uint32_t cols = host_size(h, 200, 10000), rows = host_size(h, 20, 100);
    const uint32_t *first = host_random_u32(h, "cost0", cols, 1, 0, 9);
    const uint32_t *wall = host_random_u32(h, "wall", rows * cols, 2, 0, 9);
    uint32_t *last = rows / ROWS % 2 ? NULL
                                     : host_output(h, "cost0", "u32"); /* launches take turns */
    uint32_t *other = host_result(h, "cost1", "u32", cols * sizeof *other);
    uint32_t *cost = fl_alloc(cols * sizeof *cost), *next = fl_alloc(cols * sizeof *cost);
    uint32_t inner = THREADS - 2 * ROWS;
    for (uint32_t row = 0; row < rows; row += ROWS)
        host_launch(h, "pathfinder", (cols + inner - 1) / inner, 1, THREADS, 1,
                    "wall=wall from=cost%u to=cost%u cols=%u row=%u rows=%u", row / ROWS % 2,
                    1 - row / ROWS % 2, cols, row, ROWS);

    memcpy(cost, first, cols * sizeof *cost);
    for (uint32_t row = 0; row < rows; row++) {
        for (uint32_t c = 0; c < cols; c++) {
            uint32_t best = cost[c];
            best = c > 0 ? least(best, cost[c - 1]) : best;
            best = c + 1 < cols ? least(best, cost[c + 1]) : best;
            next[c] = best + wall[row * cols + c];
        }
        memcpy(cost, next, cols * sizeof *cost);
        if (row + 1 == rows - ROWS)
            memcpy(last ? other : last, cost, cols * sizeof *cost);
    }
    memcpy(last ? last : other, cost, cols * sizeof *cost);
    free(cost);
    free(next);
}
