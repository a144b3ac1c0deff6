/* walsh.c -- the Walsh transform in natural order. Inputs are whole numbers, so that no sum is rounded and the
 * order of sums does not matter: the reference splits from the top. */
#include "bench/host.h"

enum { THREADS = 64 };

static void transform(float *v, uint32_t n)
{
    if (n == 1)
        return;
    for (uint32_t i = 0; i < n / 2; i++) {
        float a = v[i], b = v[i + n / 2];
        v[i] = a + b;
        v[i + n / 2] = a - b;
    }
    transform(v, n / 2);
    transform(v + n / 2, n / 2);
}

void bench_walsh(struct host *h)
{
    uint32_t n = host_size(h, 512, 32768);
    float *in = host_words(h, "v", n);
    uint64_t state = 1;
    for (uint32_t i = 0; i < n; i++)
        in[i] = (float)((int)host_random(&state, 256) - 128);
    float *out = host_output(h, "v", "f32");
    for (uint32_t distance = 1; distance < n; distance *= 2)
        host_launch(h, "walsh", n / 2 / THREADS, 1, THREADS, 1, "v=v distance=%u", distance);
    transform(out, n);
}
