// The Mandelbrot set, in tiles of 16 x 8 points. A block takes the next tile of a queue until none is left, because tiles take from 1 to
// `limit` steps: which block computes which tile depends on the order of the blocks, the image does not.
extern "C" __global__ void workqueue(unsigned *queue, int *image, int width, int tiles, int limit, float left, float top, float step)
{
    __shared__ int tile;
    const int across = width / 16;
    for (;;) {
        if (threadIdx.x == 0)
            tile = (int)atomicAdd(queue, 1);
        __syncthreads();
        int mine = tile;
        __syncthreads();
        if (mine >= tiles)
            return;
        int x = mine % across * 16 + threadIdx.x % 16, y = mine / across * 8 + threadIdx.x / 16, n = 0;
        float a = left + x * step, b = top + y * step, r = 0, i = 0;
        while (n < limit && r * r + i * i < 4) {
            float next = r * r - i * i + a;
            i = 2 * r * i + b;
            r = next;
            n++;
        }
        image[y * width + x] = n;
    }
}
