/* quasirandom.c -- Sobol sequences. The direction numbers start as in S. Joe, F. Y. Kuo, "Constructing
 * Sobol sequences with better two-dimensional projections", SIAM J. Sci. Comput. 30, 2008. */
#include "bench/host.h"

enum { BITS = 32, MOST_DIMENSIONS = 8, THREADS = 64 };

/* A primitive polynomial of that degree, its inner coefficients as bits, and the first numbers. */
static const struct {
    uint32_t degree, inner, m[5];
} start[MOST_DIMENSIONS] = {
    {0, 0, {0}},       {1, 0, {1}},          {2, 1, {1, 3}},        {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}}, {4, 1, {1, 1, 3, 3}}, {4, 4, {1, 3, 5, 13}}, {5, 2, {1, 1, 5, 5, 17}},
};

static void directions(uint32_t dimension, uint32_t v[BITS])
{
    uint32_t s = start[dimension].degree;
    for (uint32_t b = 0; b < BITS; b++) {
        if (s == 0 || b < s) {
            v[b] = (s == 0 ? 1 : start[dimension].m[b]) << (31 - b);
            continue;
        }
        v[b] = v[b - s] ^ v[b - s] >> s;
        for (uint32_t k = 1; k < s; k++)
            v[b] ^= start[dimension].inner >> (s - 1 - k) & 1 ? v[b - k] : 0;
    }
}

void bench_quasirandom(struct host *h)
{
    uint32_t dimensions = host_size(h, 4, MOST_DIMENSIONS), n = host_size(h, 64, 4096);
    uint32_t *v = host_words(h, "direction", dimensions * BITS);
    float *out = host_result(h, "out", "f32", dimensions * n * sizeof *out);
    host_launch(h, "quasirandom", n / THREADS, dimensions, THREADS, 1,
                "direction=direction out=out");
    for (uint32_t d = 0; d < dimensions; d++) {
        uint32_t x = 0;
        directions(d, &v[d * BITS]);
        for (uint32_t i = 0; i < n; i++) { /* from one point to the next: the bits that change */
            for (uint32_t bit = 0; i && bit < BITS; bit++)
                x ^= (i ^ (i - 1)) >> bit & 1 ? v[d * BITS + bit] : 0;
            out[d * n + i] = (float)x * 0x1p-32f;
        }
    }
}
