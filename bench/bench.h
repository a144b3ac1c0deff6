/* bench.h -- the workloads: kernels with inputs, and the C reference that says what each must
 * compute.
 *
 * A reference works from the same data as the machine: the job's initial buffers and parameters.
 * Integers must agree exactly. So must floats: a reference follows the kernel's order of
 * operations, and its arithmetic is the machine's (bench_fadd and its sisters below), so a single
 * wrong bit is found.
 *
 * Rules of use: a check returns 0, or -1 with the first difference in `err`; buffer_after[i] holds
 * job->buffer[i].size bytes, the state of buffer i after the last launch.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stddef.h>
#include <stdint.h>
#include "sm/job/job.h"

typedef int bench_check(const struct job *job, const uint8_t *const buffer_after[],
                        struct fl_err *err);

struct bench {
    const char *name; /* bench/<name>/<name>.sasm, .job.xml and _ref.c */
    bench_check *check;
};
extern const struct bench bench_list[];
extern const int bench_count;

bench_check bench_mxm_check, bench_sort_check, bench_fft_check, bench_edge_check, bench_mxm64_check,
    bench_vecadd_check;

/* What the references share. */

/* Index of the buffer called `name`, which must hold at least `size` bytes; -1 and a message
 * otherwise. */
int bench_buffer(const struct job *job, const char *name, size_t size, struct fl_err *err);
/* The 32-bit parameter at byte `offset` of s[] of the job's first launch; 0 and -1 as the result
 * when there is none. */
int bench_param(const struct job *job, uint32_t offset, uint32_t *value, struct fl_err *err);

uint32_t bench_u32(const uint8_t *bytes, size_t index); /* element of a little-endian array */
float bench_f32(const uint8_t *bytes, size_t index);

/* 0 when buffer `buffer` holds `count` 32-bit words equal to `expect`, else -1 and the first
 * difference. */
int bench_same_words(const struct job *job, const uint8_t *const buffer_after[], int buffer,
                     const uint32_t *expect, size_t count, struct fl_err *err);
int bench_same_floats(const struct job *job, const uint8_t *const buffer_after[], int buffer,
                      const float *expect, size_t count, struct fl_err *err);

/* Single-precision arithmetic of the machine for finite operands: denormal operands and results are
 * zero, add and multiply round to nearest even, and the product inside a multiply-add is cut off
 * after 24 significant bits. Exact as long as that product is within the range of normal numbers,
 * which the workloads' inputs keep. */
float bench_fadd(float a, float b);
float bench_fmul(float a, float b);
float bench_fmad(float a, float b, float c); /* a * b + c */

/* C = A * B for n x n matrices of floats by row, in the order of operations of kernels mxm and
 * mxm64. */
void bench_product(const uint8_t *a, const uint8_t *b, size_t n, float *c);

#endif
