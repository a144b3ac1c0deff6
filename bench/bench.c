/* bench.c -- the list of workloads, and what their references share. */
#include "bench.h"

#include <float.h>
#include <math.h>
#include <string.h>

const struct bench bench_list[] = {
    {"mxm", bench_mxm_check},     {"sort", bench_sort_check},   {"fft", bench_fft_check},
    {"edge", bench_edge_check},   {"mxm64", bench_mxm64_check}, {"vecadd", bench_vecadd_check},
    {"vadd", bench_vecadd_check},
};
const int bench_count = (int)(sizeof bench_list / sizeof bench_list[0]);

int bench_buffer(const struct job *job, const char *name, size_t size, struct fl_err *err)
{
    for (int i = 0; i < job->nbuffers; i++) {
        if (strcmp(job->buffer[i].name, name) != 0)
            continue;
        if (job->buffer[i].size < size)
            return fl_fail(
                err, "%s: buffer '%s' holds %u bytes, but this kernel uses %zu: make it larger",
                job->path, name, (unsigned)job->buffer[i].size, size);
        return i;
    }
    return fl_fail(err, "%s: no buffer '%s', which the reference of this kernel needs: add it",
                   job->path, name);
}

int bench_param(const struct job *job, uint32_t offset, uint32_t *value, struct fl_err *err)
{
    *value = 0;
    if (job->nlaunches > 0) {
        const struct job_launch *launch = &job->launch[0];
        for (int i = 0; i < launch->nparams; i++) {
            if (launch->param[i].offset == offset) {
                *value = launch->param[i].value;
                return 0;
            }
        }
    }
    return fl_fail(
        err, "%s: the first launch gives no parameter at 0x%x, which this kernel reads: add it",
        job->path, (unsigned)offset);
}

uint32_t bench_u32(const uint8_t *bytes, size_t index)
{
    const uint8_t *p = bytes + 4 * index;
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint32_t bits(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

float bench_f32(const uint8_t *bytes, size_t index)
{
    uint32_t u = bench_u32(bytes, index);
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

int bench_same_words(const struct job *job, const uint8_t *const buffer_after[], int buffer,
                     const uint32_t *expect, size_t count, struct fl_err *err)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t found = bench_u32(buffer_after[buffer], i);
        if (found != expect[i])
            return fl_fail(err,
                           "%s: word %zu of buffer '%s' is 0x%08x, but the reference says 0x%08x",
                           job->name, i, job->buffer[buffer].name, found, expect[i]);
    }
    return 0;
}

int bench_same_floats(const struct job *job, const uint8_t *const buffer_after[], int buffer,
                      const float *expect, size_t count, struct fl_err *err)
{
    for (size_t i = 0; i < count; i++) {
        float found = bench_f32(buffer_after[buffer], i);
        if (bits(found) != bits(expect[i]))
            return fl_fail(err,
                           "%s: float %zu of buffer '%s' is %.9g (0x%08x), but the reference says "
                           "%.9g (0x%08x)",
                           job->name, i, job->buffer[buffer].name, (double)found, bits(found),
                           (double)expect[i], bits(expect[i]));
    }
    return 0;
}

static float flush(float x)
{
    return fabsf(x) < FLT_MIN ? copysignf(0.0f, x) : x;
}

float bench_fadd(float a, float b)
{
    return flush(flush(a) + flush(b));
}

float bench_fmul(float a, float b)
{
    return flush(flush(a) * flush(b));
}

float bench_fmad(float a, float b, float c)
{
    a = flush(a);
    b = flush(b);
    c = flush(c);
    double product = (double)a * (double)b; /* 48 bits: exact */
    /* With a zero in play there is nothing to add, and the machine rounds the product as a
     * multiplication does. */
    if (product == 0.0 || c == 0.0f)
        return flush(a * b + c);
    uint64_t u;
    memcpy(&u, &product, sizeof u);
    u &= ~((UINT64_C(1) << 29) - 1); /* 53 significant bits -> 24 */
    memcpy(&product, &u, sizeof product);
    return flush((float)product + c);
}

void bench_product(const uint8_t *a, const uint8_t *b, size_t n, float *c)
{
    for (size_t row = 0; row < n; row++) {
        for (size_t col = 0; col < n; col++) {
            float sum = 0.0f;
            for (size_t k = 0; k < n; k++)
                sum = bench_fmad(bench_f32(a, row * n + k), bench_f32(b, k * n + col), sum);
            c[row * n + col] = sum;
        }
    }
}
