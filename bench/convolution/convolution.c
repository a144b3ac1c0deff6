/* convolution.c -- an image and a mask. */
#include "bench/host.h"

enum { TX = 16, TY = 8 };

void bench_convolution(struct host *h)
{
    int width = (int)host_size(h, 32, 256), height = (int)host_size(h, 16, 128);
    int reach = (int)host_size(h, 1, 2), across = 2 * reach + 1;
    const uint32_t *in = host_random_u32(h, "in", (size_t)(width * height), 1, 0, 255);
    const float *mask = host_random_f32(h, "mask", (size_t)(across * across), 2, 0, 0.125f);
    uint32_t *out = host_result(h, "out", "u32", (size_t)(width * height) * sizeof *out);
    host_launch(h, "convolution", (uint32_t)(width / TX), (uint32_t)(height / TY), TX, TY,
                "in=in mask=mask out=out width=%d height=%d reach=%d", width, height, reach);
    for (int i = 0; i < width * height; i++) {
        float sum = 0;
        for (int m = 0; m < across * across; m++) {
            int x = i % width + m % across - reach, y = i / width + m / across - reach;
            if (x >= 0 && x < width && y >= 0 && y < height)
                sum += (float)in[y * width + x] * mask[m];
        }
        out[i] = (uint32_t)(sum + 0.5f);
    }
}
