/* edge_ref.c -- what kernel edge must compute: Sobel edges of a 64 x 32 image, a byte a pixel,
 * exactly.
 *
 * Inside: m = |gx| + |gy|; an edge (m > threshold) becomes min(m, 255), anything else m / 4. The
 * border, where the operator has no neighbours, keeps the image.
 */
#include "bench/bench.h"

#include <stdlib.h>

enum { WIDTH = 64, HEIGHT = 32, PARAM_THRESHOLD = 0x18 };

static uint8_t pixel(const uint8_t *image, int x, int y, int threshold)
{
    const uint8_t *p = image + y * WIDTH + x;
    if (x == 0 || x == WIDTH - 1 || y == 0 || y == HEIGHT - 1)
        return *p;
    const uint8_t *up = p - WIDTH, *down = p + WIDTH;
    int gx = (up[1] + 2 * p[1] + down[1]) - (up[-1] + 2 * p[-1] + down[-1]);
    int gy = (down[-1] + 2 * down[0] + down[1]) - (up[-1] + 2 * up[0] + up[1]);
    int m = abs(gx) + abs(gy);
    if (m > threshold)
        return (uint8_t)(m < 255 ? m : 255);
    return (uint8_t)(m / 4);
}

int bench_edge_check(const struct job *job, const uint8_t *const buffer_after[], struct fl_err *err)
{
    uint32_t threshold;
    if (bench_param(job, PARAM_THRESHOLD, &threshold, err) != 0)
        return -1;
    int image = bench_buffer(job, "image", WIDTH * HEIGHT, err);
    int edges = image < 0 ? -1 : bench_buffer(job, "edges", WIDTH * HEIGHT, err);
    if (edges < 0)
        return -1;
    /* 8 * 255 is the largest m of all: a threshold above it makes every pixel weak, whatever its
     * exact value. */
    int limit = threshold < 8 * 255 ? (int)threshold : 8 * 255;
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            uint8_t found = buffer_after[edges][y * WIDTH + x];
            uint8_t expect = pixel(job->buffer[image].init, x, y, limit);
            if (found != expect)
                return fl_fail(
                    err, "%s: pixel (%d, %d) of buffer 'edges' is %d, but the reference says %d",
                    job->name, x, y, found, expect);
        }
    }
    return 0;
}
