/* fft_ref.c -- what kernel fft must compute: 64-point discrete Fourier transforms of complex
 * floats.
 *
 * Two checks. The transform is recomputed with the kernel's own butterflies, twiddle table and
 * arithmetic, and must agree bit for bit. That alone would accept a wrong table or a wrong
 * butterfly, so the result is also held against the sum that defines the transform, in double
 * precision: |difference| <= 1e-5 * (sum of the inputs' magnitudes). Six stages of rounding to 24
 * bits, with truncated products, stay below 1e-6 of it.
 */
#include "bench/bench.h"

#include <math.h>
#include <stdlib.h>

enum { N = 64, LOG2_N = 6 };

struct complex_float {
    float re, im;
};

/* The twiddle table as the program has it: e^(-2 pi i k / N) for k < N / 2, the first constants of
 * c1[]. */
static int twiddles(const struct job *job, struct complex_float w[N / 2], struct fl_err *err)
{
    const struct job_launch *launch = job->nlaunches > 0 ? &job->launch[0] : NULL;
    const struct cubin_kernel *kernel = launch ? &job->cubin->kernel[launch->kernel_index] : NULL;
    if (!kernel || kernel->const1_size < N / 2 * 2 * sizeof(float))
        return fl_fail(
            err, "%s: the first launch must start kernel fft, whose twiddle factors lie in c1[]",
            job->path);
    for (size_t k = 0; k < N / 2; k++)
        w[k] = (struct complex_float){bench_f32(kernel->const1, 2 * k),
                                      bench_f32(kernel->const1, 2 * k + 1)};
    return 0;
}

/* Decimation in frequency: N / 2 butterflies a stage in natural order, results in bit-reversed
 * places. */
static void transform(struct complex_float x[N], const struct complex_float w[N / 2])
{
    for (size_t half = N / 2, step = 1; half > 0; half /= 2, step *= 2) {
        for (size_t i = 0; i < N; i++) {
            if (i & half)
                continue;
            struct complex_float a = x[i], b = x[i + half];
            struct complex_float d = {bench_fadd(a.re, -b.re), bench_fadd(a.im, -b.im)};
            size_t k = i & (half - 1);
            x[i] = (struct complex_float){bench_fadd(a.re, b.re), bench_fadd(a.im, b.im)};
            x[i + half] = d;
            if (k != 0) { /* the kernel does not multiply by 1 */
                struct complex_float t = w[k * step];
                x[i + half].re = bench_fmad(d.re, t.re, -bench_fmul(d.im, t.im));
                x[i + half].im = bench_fmad(d.re, t.im, bench_fmul(d.im, t.re));
            }
        }
    }
}

static size_t reversed(size_t i)
{
    size_t r = 0;
    for (int bit = 0; bit < LOG2_N; bit++)
        r |= (i >> bit & 1) << (LOG2_N - 1 - bit);
    return r;
}

static int near_definition(const struct job *job, size_t which, const struct complex_float in[N],
                           const struct complex_float out[N], struct fl_err *err)
{
    double scale = 0.0;
    for (size_t i = 0; i < N; i++)
        scale += hypot((double)in[i].re, (double)in[i].im);
    for (size_t k = 0; k < N; k++) {
        double re = 0.0, im = 0.0;
        for (size_t i = 0; i < N; i++) {
            double angle = -2.0 * acos(-1.0) * (double)(i * k % N) / N;
            re += (double)in[i].re * cos(angle) - (double)in[i].im * sin(angle);
            im += (double)in[i].re * sin(angle) + (double)in[i].im * cos(angle);
        }
        if (!(hypot((double)out[k].re - re, (double)out[k].im - im) <= 1e-5 * scale))
            return fl_fail(
                err, "%s: transform %zu: X[%zu] is %.9g%+.9gi, but the definition gives %.9g%+.9gi",
                job->name, which, k, (double)out[k].re, (double)out[k].im, re, im);
    }
    return 0;
}

static int check_one(const struct job *job, size_t which, const uint8_t *const buffer_after[],
                     int signal, int spectrum, float *expect, struct fl_err *err)
{
    struct complex_float w[N / 2], in[N], x[N], out[N];
    if (twiddles(job, w, err) != 0)
        return -1;
    for (size_t i = 0; i < N; i++) {
        const uint8_t *init = job->buffer[signal].init;
        in[i].re = bench_f32(init, 2 * (which * N + i));
        in[i].im = bench_f32(init, 2 * (which * N + i) + 1);
        x[i] = in[i];
        out[i].re = bench_f32(buffer_after[spectrum], 2 * (which * N + i));
        out[i].im = bench_f32(buffer_after[spectrum], 2 * (which * N + i) + 1);
    }
    transform(x, w);
    for (size_t i = 0; i < N; i++) {
        size_t place = 2 * (which * N + reversed(i));
        expect[place] = x[i].re;
        expect[place + 1] = x[i].im;
    }
    return near_definition(job, which, in, out, err);
}

int bench_fft_check(const struct job *job, const uint8_t *const buffer_after[], struct fl_err *err)
{
    size_t count = job->nlaunches > 0 ? job->launch[0].grid[0] : 0;
    size_t size = count * N * sizeof(struct complex_float);
    int signal = bench_buffer(job, "signal", size, err);
    int spectrum = signal < 0 ? -1 : bench_buffer(job, "spectrum", size, err);
    if (spectrum < 0)
        return -1;

    float *expect = fl_alloc(size);
    int result = 0;
    for (size_t which = 0; which < count && result == 0; which++)
        result = check_one(job, which, buffer_after, signal, spectrum, expect, err);
    if (result == 0)
        result = bench_same_floats(job, buffer_after, spectrum, expect, size / sizeof(float), err);
    free(expect);
    return result;
}
