/* workqueue.c -- the Mandelbrot set, whose tiles blocks take from a queue. */
#include "bench/host.h"

static uint32_t steps(float a, float b, uint32_t limit)
{
    float r = 0, i = 0;
    for (uint32_t n = 0; n < limit; n++) {
        if (r * r + i * i >= 4)
            return n;
        float next = r * r - i * i + a;
        i = 2 * r * i + b;
        r = next;
    }
    return limit;
}

void bench_workqueue(struct host *h)
{
    host_machine(h, "g92");
    const float left = -2, top = -1.25f;
    const uint32_t width = host_size(h, 48, 256), height = host_size(h, 32, 192),
                   blocks = host_size(h, 6, 64), limit = host_size(h, 32, 128),
                   tiles = width * height / 128;
    const float step = 3.0f / (float)width;
    host_words(h, "queue", 1);
    uint32_t *image = host_result(h, "image", "s32", width * height * sizeof *image),
             *queue = host_output(h, "queue", "u32");
    host_launch(
        h, "workqueue", blocks, 1, 128, 1,
        "queue=queue image=image width=%u tiles=%u limit=%u left=%.9gf top=%.9gf step=%.9gf", width,
        tiles, limit, (double)left, (double)top, (double)step);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            image[y * width + x] = steps(left + (float)x * step, top + (float)y * step, limit);
    *queue = tiles + blocks; /* each block finds it empty once */
}
