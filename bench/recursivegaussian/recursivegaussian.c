/* recursivegaussian.c -- a Gaussian blur by a recursive filter: R. Deriche, "Recursively implementing the Gaussian and
 * its derivatives", INRIA report 1893, 1993. */
#include "bench/host.h"

#include <math.h>
#include <stdlib.h>

enum { THREADS = 32 };

struct filter {
    float a0, a1, a2, a3, b1, b2, start, end;
};

static struct filter filter_of(double sigma)
{
    double alpha = 1.695 / sigma, e = exp(-alpha), e2 = e * e;
    double k = (1 - e) * (1 - e) / (1 + 2 * alpha * e - e2);
    double a0 = k, a1 = k * (alpha - 1) * e, a2 = k * (alpha + 1) * e, a3 = -k * e2;
    double all = 1 - 2 * e + e2;
    return (struct filter){(float)a0,
                           (float)a1,
                           (float)a2,
                           (float)a3,
                           (float)(-2 * e),
                           (float)e2,
                           (float)((a0 + a1) / all),
                           (float)((a2 + a3) / all)};
}

static void blur(const struct filter *f, const float *in, float *out, uint32_t width,
                 uint32_t height)
{
    float *down = fl_alloc(height * sizeof *down); /* a column */
    for (uint32_t x = 0; x < width; x++) {
        float x1 = in[x], y1 = x1 * f->start, y2 = y1;
        for (uint32_t y = 0; y < height; y++) {
            float v = in[y * width + x];
            float r = f->a0 * v + f->a1 * x1 - f->b1 * y1 - f->b2 * y2;
            down[y] = r;
            x1 = v;
            y2 = y1;
            y1 = r;
        }
        float x2 = in[(height - 1) * width + x];
        x1 = x2;
        y1 = y2 = x1 * f->end;
        for (uint32_t y = height; y-- > 0;) {
            float r = f->a2 * x1 + f->a3 * x2 - f->b1 * y1 - f->b2 * y2;
            x2 = x1;
            x1 = in[y * width + x];
            y2 = y1;
            y1 = r;
            out[x * height + y] = down[y] + r;
        }
    }
    free(down);
}

static void launch(struct host *h, const struct filter *f, const char *in, const char *out,
                   uint32_t width, uint32_t height)
{
    host_launch(h, "recursivegaussian", width / THREADS, 1, THREADS, 1,
                "in=%s down=down out=%s width=%u height=%u a0=%.9gf a1=%.9gf a2=%.9gf a3=%.9gf "
                "b1=%.9gf b2=%.9gf start=%.9gf end=%.9gf",
                in, out, width, height, (double)f->a0, (double)f->a1, (double)f->a2, (double)f->a3,
                (double)f->b1, (double)f->b2, (double)f->start, (double)f->end);
}

void bench_recursivegaussian(struct host *h)
{
    uint32_t width = host_size(h, 32, 256), height = host_size(h, 32, 128);
    const float *in = host_random_f32(h, "in", width * height, 1, 0, 255);
    host_words(h, "down", width * height);
    float *turned = host_result(h, "turned", "f32", width * height * sizeof *turned);
    float *out = host_result(h, "out", "f32", width * height * sizeof *out);
    struct filter f = filter_of(3.0);
    launch(h, &f, "in", "turned", width, height);
    launch(h, &f, "turned", "out", height, width);
    blur(&f, in, turned, width, height);
    blur(&f, turned, out, height, width);
}
