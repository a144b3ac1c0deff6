/* srad2.c -- speckle reducing anisotropic diffusion, the second way. */
#include "bench/host.h"

#include <math.h>

enum { T = 16, N, S, W, E };
static const float quarter_lambda = 0.125f;
static const char *const side[] = {[N] = "north", [S] = "south", [W] = "west", [E] = "east"};

struct picture {
    int width, height;
    float *v, *c, *q0, *slope[E + 1];
};

static void statistics(const struct picture *p)
{
    float s[T * T], q[T * T];
    for (int t = 0; t < T * T; t++) {
        s[t] = p->v[t / T * p->width + t % T];
        q[t] = s[t] * s[t];
    }
    for (int half = T * T / 2; half; half /= 2)
        for (int t = 0; t < half; t++) {
            s[t] += s[t + half];
            q[t] += q[t + half];
        }
    float mean = s[0] * (1.0f / (T * T));
    *p->q0 = host_div(q[0] * (1.0f / (T * T)) - mean * mean, mean * mean);
}

/* The place beside i on that side; at the border, i. */
static int beside(const struct picture *p, int i, int where)
{
    int x = i % p->width, y = i / p->width;
    switch (where) {
    case N: return y > 0 ? i - p->width : i;
    case S: return y < p->height - 1 ? i + p->width : i;
    case W: return x > 0 ? i - 1 : i;
    default: return x < p->width - 1 ? i + 1 : i;
    }
}

static void conduct(const struct picture *p, int i)
{
    float v = p->v[i], q = *p->q0, d[E + 1];
    for (int s = N; s <= E; s++)
        p->slope[s][i] = d[s] = p->v[beside(p, i, s)] - v;
    float g = host_div(d[N] * d[N] + d[S] * d[S] + d[W] * d[W] + d[E] * d[E], v * v);
    float l = host_div(d[N] + d[S] + d[W] + d[E], v);
    float num = 0.5f * g - 0.0625f * (l * l), den = 1.0f + 0.25f * l;
    float r = host_div(host_div(num, den * den) - q, q * (1.0f + q));
    float k = host_div(1.0f, 1.0f + r);
    p->c[i] = k < 0 ? 0 : k > 1 ? 1 : k;
}

static void diffuse(const struct picture *p, int i)
{
    float here = p->c[i], below = p->c[beside(p, i, S)], right = p->c[beside(p, i, E)];
    p->v[i] += quarter_lambda * (here * p->slope[N][i] + below * p->slope[S][i] +
                                 here * p->slope[W][i] + right * p->slope[E][i]);
}

static void step(struct host *h, const struct picture *p)
{
    uint32_t across = (uint32_t)p->width / T, down = (uint32_t)p->height / T;
    int n = p->width * p->height;
    host_launch(h, "statistics", 1, 1, T, T, "image=image q0=q0 width=%d", p->width);
    host_launch(h, "conduct", across, down, T, T,
                "image=image north=north south=south west=west east=east c=c q0=q0 width=%d "
                "height=%d",
                p->width, p->height);
    host_launch(h, "diffuse", across, down, T, T,
                "image=image north=north south=south west=west east=east c=c width=%d height=%d "
                "quarter_lambda=%.9gf",
                p->width, p->height, (double)quarter_lambda);
    statistics(p);
    for (int i = 0; i < n; i++)
        conduct(p, i);
    for (int i = 0; i < n; i++)
        diffuse(p, i);
}

void bench_srad2(struct host *h)
{
    uint32_t width = host_size(h, 32, 128), height = host_size(h, 16, 128);
    uint32_t steps = host_size(h, 2, 8), n = width * height;
    struct picture p = {.width = (int)width, .height = (int)height};
    float *image = host_words(h, "image", n);
    uint64_t state = 1;
    for (uint32_t i = 0; i < n; i++)
        image[i] = expf((float)host_random(&state, 256) / 255.0f);
    p.v = host_output(h, "image", "f32");
    p.c = host_result(h, "c", "f32", n * sizeof *p.c);
    for (int s = N; s <= E; s++)
        p.slope[s] = host_result(h, side[s], "f32", n * sizeof(float));
    p.q0 = host_result(h, "q0", "f32", sizeof *p.q0);
    for (uint32_t s = 0; s < steps; s++)
        step(h, &p);
}
