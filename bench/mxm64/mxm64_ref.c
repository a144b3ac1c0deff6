/* mxm64_ref.c -- what kernel mxm64 must compute: c = a * b, 64 x 64 floats, bit for bit.
 *
 * Tiling changes where the operands wait, not the order in which a thread adds its products: the
 * reference of the plain multiplication serves as it is.
 */
#include "bench/bench.h"

#include <stdlib.h>

enum { N = 64 };

int bench_mxm64_check(const struct job *job, const uint8_t *const buffer_after[],
                      struct fl_err *err)
{
    size_t size = (size_t)N * N * sizeof(float);
    int a = bench_buffer(job, "a", size, err);
    int b = a < 0 ? -1 : bench_buffer(job, "b", size, err);
    int c = b < 0 ? -1 : bench_buffer(job, "c", size, err);
    if (c < 0)
        return -1;

    float *expect = fl_alloc(size);
    bench_product(job->buffer[a].init, job->buffer[b].init, N, expect);
    int result = bench_same_floats(job, buffer_after, c, expect, (size_t)N * N, err);
    free(expect);
    return result;
}
