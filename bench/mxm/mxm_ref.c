/* mxm_ref.c -- what kernel mxm must compute: c = a * b, n x n floats, bit for bit. */
#include "bench/bench.h"

#include <stdlib.h>

enum { PARAM_N = 0x1c, MAX_N = 1024 };

int bench_mxm_check(const struct job *job, const uint8_t *const buffer_after[], struct fl_err *err)
{
    uint32_t n;
    if (bench_param(job, PARAM_N, &n, err) != 0)
        return -1;
    if (n > MAX_N)
        return fl_fail(err, "%s: n is %u, but the reference takes at most %d: use a smaller matrix",
                       job->path, n, (int)MAX_N);
    size_t size = (size_t)n * n * sizeof(float);
    int a = bench_buffer(job, "a", size, err);
    int b = a < 0 ? -1 : bench_buffer(job, "b", size, err);
    int c = b < 0 ? -1 : bench_buffer(job, "c", size, err);
    if (c < 0)
        return -1;

    float *expect = fl_alloc(size);
    bench_product(job->buffer[a].init, job->buffer[b].init, n, expect);
    int result = bench_same_floats(job, buffer_after, c, expect, (size_t)n * n, err);
    free(expect);
    return result;
}
