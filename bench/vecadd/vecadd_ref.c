/* vecadd_ref.c -- what kernels vecadd and vadd must compute: c[i] = a[i] + b[i], bit for bit. */
#include "bench/bench.h"

enum { N = 4096 };

int bench_vecadd_check(const struct job *job, const uint8_t *const buffer_after[],
                       struct fl_err *err)
{
    size_t size = N * sizeof(float);
    int a = bench_buffer(job, "a", size, err);
    int b = a < 0 ? -1 : bench_buffer(job, "b", size, err);
    int c = b < 0 ? -1 : bench_buffer(job, "c", size, err);
    if (c < 0)
        return -1;

    float expect[N];
    for (size_t i = 0; i < N; i++)
        expect[i] = bench_fadd(bench_f32(job->buffer[a].init, i),
                               bench_f32(job->buffer[b].init, i));
    return bench_same_floats(job, buffer_after, c, expect, N, err);
}
