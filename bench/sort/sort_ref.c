/* sort_ref.c -- what kernel sort must compute: every run of 128 keys in ascending order. */
#include "bench/bench.h"

#include <stdlib.h>

enum { KEYS = 128 }; /* keys of one block */

static int ascending(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

int bench_sort_check(const struct job *job, const uint8_t *const buffer_after[], struct fl_err *err)
{
    size_t blocks = job->nlaunches > 0 ? job->launch[0].grid[0] : 0;
    size_t count = blocks * KEYS;
    int keys = bench_buffer(job, "keys", count * sizeof(uint32_t), err);
    if (keys < 0)
        return -1;

    uint32_t *expect = fl_alloc(count * sizeof *expect);
    for (size_t i = 0; i < count; i++)
        expect[i] = bench_u32(job->buffer[keys].init, i);
    for (size_t block = 0; block < blocks; block++)
        qsort(expect + block * KEYS, KEYS, sizeof *expect, ascending);
    int result = bench_same_words(job, buffer_after, keys, expect, count, err);
    free(expect);
    return result;
}
