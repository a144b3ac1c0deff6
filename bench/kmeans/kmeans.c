/* kmeans.c -- clusters of points. */
#include "bench/host.h"

#include <float.h>

enum { THREADS = 64 };

struct points {
    uint32_t n, features, k;
    const float *at; /* by feature */
};

static uint32_t nearest(const struct points *p, const float *centre, uint32_t i)
{
    uint32_t best = 0;
    float least = FLT_MAX;
    for (uint32_t c = 0; c < p->k; c++) {
        float sum = 0;
        for (uint32_t f = 0; f < p->features; f++) {
            float d = p->at[f * p->n + i] - centre[c * p->features + f];
            sum += d * d;
        }
        if (sum < least) {
            least = sum;
            best = c;
        }
    }
    return best;
}

static bool assign(const struct points *p, const float *centre, uint32_t *member)
{
    bool changed = false;
    for (uint32_t i = 0; i < p->n; i++) {
        uint32_t c = nearest(p, centre, i);
        changed |= c != member[i];
        member[i] = c;
    }
    return changed;
}

static void move(const struct points *p, float *centre, const uint32_t *member)
{
    for (uint32_t i = 0; i < p->k * p->features; i++) {
        float sum = 0;
        uint32_t count = 0;
        for (uint32_t j = 0; j < p->n; j++) {
            if (member[j] != i / p->features)
                continue;
            sum += p->at[i % p->features * p->n + j];
            count++;
        }
        if (count)
            centre[i] = host_div(sum, (float)count);
    }
}

static void launch_assign(struct host *h, const struct points *p)
{
    host_launch(h, "assign", (p->n + THREADS - 1) / THREADS, 1, THREADS, 1,
                "point=point centre=centre member=member changed=changed n=%u features=%u k=%u",
                p->n, p->features, p->k);
}

void bench_kmeans(struct host *h)
{
    struct points p = {host_size(h, 64, 2048), host_size(h, 2, 8), host_size(h, 3, 5), NULL};
    p.at = host_random_f32(h, "point", p.n * p.features, 1, 0, 10);
    float *first = host_words(h, "centre", p.k * p.features);
    for (uint32_t i = 0; i < p.k * p.features; i++) /* the first points are the first centres */
        first[i] = p.at[i % p.features * p.n + i / p.features];
    float *centre = host_output(h, "centre", "f32");
    uint32_t *member = host_result(h, "member", "u32", p.n * sizeof *member);
    uint32_t *changed = host_result(h, "changed", "u32", sizeof *changed);
    launch_assign(h, &p);
    host_repeat(h, "changed", 64);
    host_launch(h, "move", p.k, 1, p.features, 1,
                "point=point centre=centre member=member changed=changed n=%u features=%u", p.n,
                p.features);
    launch_assign(h, &p);
    host_repeat_end(h);
    assign(&p, centre, member);
    do
        move(&p, centre, member);
    while (assign(&p, centre, member));
    *changed = 0;
}
