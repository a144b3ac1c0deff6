/* needle.c -- Needleman-Wunsch: the best score of aligning each start of one sequence with each
 * start of another. */
#include "bench/host.h"

#include <stdlib.h>

enum { T = 16, LETTERS = 20, PENALTY = 10 };

static int32_t most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

void bench_needle(struct host *h)
{
    uint32_t n = host_size(h, 48, 512), w = n + 1, tiles = n / T;
    int32_t *similar = host_words(h, "similar", n * n), *start = host_words(h, "score", w * w);
    int8_t alike[LETTERS][LETTERS];
    uint64_t state = 1;
    for (int a = 0; a < LETTERS; a++) /* a letter is like itself */
        for (int b = 0; b < LETTERS; b++)
            alike[a][b] = (int8_t)((a == b ? 5 : -4) + (int)host_random(&state, 5));
    uint8_t *across = fl_alloc(n), *down = fl_alloc(n);
    for (uint32_t i = 0; i < n; i++) { /* half of the letters are the same in both */
        across[i] = (uint8_t)host_random(&state, LETTERS);
        down[i] = host_random(&state, 2) ? across[i] : (uint8_t)host_random(&state, LETTERS);
    }
    for (uint32_t i = 0; i < n * n; i++)
        similar[i] = alike[down[i / n]][across[i % n]];
    for (uint32_t i = 0; i < w; i++)
        start[i] = start[i * w] = -(int32_t)i * PENALTY;
    free(across);
    free(down);

    int32_t *score = host_output(h, "score", "s32");
    for (uint32_t d = 0; d < 2 * tiles - 1; d++) {
        uint32_t first = d < tiles ? 0 : d - tiles + 1, last = d < tiles ? d : tiles - 1;
        host_launch(h, "needle", last - first + 1, 1, T, 1,
                    "score=score similar=similar n=%u penalty=%u diagonal=%u first=%u", n, PENALTY,
                    d, first);
    }
    for (uint32_t y = 1; y < w; y++)
        for (uint32_t x = 1; x < w; x++) {
            int32_t *s = &score[y * w + x];
            *s = most(s[-(int64_t)w - 1] + similar[(y - 1) * n + x - 1],
                      most(s[-(int64_t)w], s[-1]) - PENALTY);
        }
}
