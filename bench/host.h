/* host.h -- what the host side of a workload does: buffers with their contents, launches, and what
 * must have come out at the end. A job.xml is written from it, with the digest of what must come
 * out.
 *
 *     void bench_vectoradd(struct host *h)
 *     {
 *         uint32_t n = host_size(h, 1000, 65536);
 *         const float *a = host_random_f32(h, "a", n, 1, -1, 1);
 *         const float *b = host_random_f32(h, "b", n, 2, -1, 1);
 *         float *c = host_result(h, "c", "f32", n * sizeof *c);
 *         host_launch(h, "vectoradd", (n + 255) / 256, 1, 256, 1, "a=a b=b c=c n=%d", n);
 *         for (uint32_t i = 0; i < n; i++)
 *             c[i] = a[i] + b[i];
 *     }
 *
 * Rules of use: arithmetic is the machine's, bit for bit. Additions and products of floats are
 * those of C, as long as no denormal appears; for what else there is, see the functions at the end.
 * Contents are seeded. A mistake in the call (two buffers of one name, a launch with an unknown one) is a
 * mistake of ours: assert().
 */
#ifndef BENCH_HOST_H
#define BENCH_HOST_H

#include "base/fl.h"

struct host;

/* A workload is bench/NAME/NAME.c with bench_NAME, beside NAME.cl or NAME.sasm. The list is made by
 * the build, by name. */
struct workload {
    const char *name;
    void (*host)(struct host *h);
};
extern const struct workload workload_list[];
extern const int workload_count;

/* Sizes: one for tests and for faults by brute force, one in proportion to those of the papers. */
uint32_t host_size(const struct host *h, uint32_t small, uint32_t paper);

/* The profile of the job, where it is not g80: what kernels need. scripts/workloads compiles them for it. */
void host_machine(struct host *h, const char *profile);

/* A buffer that kernels read. Sizes in elements. */
void *host_words(struct host *h, const char *name, size_t count); /* zeros; the caller fills it */
const uint32_t *host_random_u32(struct host *h, const char *name, size_t count, uint64_t seed,
                                uint32_t min, uint32_t max);
const uint8_t *host_random_u8(struct host *h, const char *name, size_t count, uint64_t seed,
                              uint8_t min, uint8_t max);
const float *host_random_f32(struct host *h, const char *name, size_t count, uint64_t seed,
                             float min, float max);
/* For contents of another kind: a number below `below`, drawn from a seeded state. */
uint32_t host_random(uint64_t *state, uint32_t below);
/* A buffer of `bytes` that kernels write: each word of it 0xffffffff at first, 123.0 where it is of floats. What comes back is what it must
 * hold at the end: the same, until the caller puts in what the kernels do. `type`: what its elements are, f32, u32, s8 ...
 * (docs/reference/job.md, <output>). */
void *host_result(struct host *h, const char *name, const char *type, size_t bytes);
/* A buffer that is there becomes a result too: what comes back is a copy of its contents. */
void *host_output(struct host *h, const char *name, const char *type);
/* How far a result may be from that and still be good enough: "rel:0.001". Not said: not at all. */
void host_tolerate(struct host *h, const char *name, const char *tolerance);

/* The next launch, grid_x * grid_y blocks of block_x * block_y threads. `params` names each parameter of the
 * kernel and its value, with blanks between: a=BUFFER, n=%d, scale=%.9gf (the f makes a float). */
void host_launch(struct host *h, const char *kernel, uint32_t grid_x, uint32_t grid_y,
                 uint32_t block_x, uint32_t block_y, const char *params, ...)
    __attribute__((format(printf, 7, 8)));

/* The launches between the two calls run again until the first word of a buffer is 0, `limit` passes
 * at most: what a host decides. A reference says what that word, too, is at the end. */
void host_repeat(struct host *h, const char *buffer, uint32_t limit);
void host_repeat_end(struct host *h);

/* For those who list workloads. */
struct host *host_new(const struct workload *w, bool paper);
void host_free(struct host *h);
/* job.xml for the kernels in `cubin`. */
void host_job(const struct host *h, const char *cubin, struct fl_buf *out);
/* 0 when each result holds what it must, else the first word that does not. `after` is called for the contents
 * of a buffer. */
int host_check(const struct host *h, const uint8_t *(*after)(void *who, const char *buffer),
               void *who, struct fl_err *err);

/* The machine's special functions, and what smcc makes of them (docs/reference/kernels.md). */
float host_div(float x, float y); /* x / y */
float host_sqrt(float x);
float host_rsqrt(float x); /* native_rsqrt, and its kin */
float host_exp2(float x);
float host_log2(float x);

#endif
