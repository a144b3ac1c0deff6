// edge.cl -- Sobel edges of a 64 x 32 image, a byte a pixel, as bench/edge has it by hand.
#define WIDTH 64
#define HEIGHT 32

__kernel void edge(__global const uchar *image, __global uchar *edges, uint threshold)
{
    int x = get_global_id(0), y = get_global_id(1);
    __global const uchar *p = image + y * WIDTH + x;
    uint v = *p;
    if (x > 0 && x < WIDTH - 1 && y > 0 && y < HEIGHT - 1) {
        int nw = p[-WIDTH - 1], n = p[-WIDTH], ne = p[-WIDTH + 1], w = p[-1], e = p[1];
        int sw = p[WIDTH - 1], s = p[WIDTH], se = p[WIDTH + 1];
        int gx = ne + 2 * e + se - nw - 2 * w - sw;
        int gy = sw + 2 * s + se - nw - 2 * n - ne;
        v = abs(gx) + abs(gy);
        v = v > threshold ? min(v, 255u) : v / 4;
    }
    edges[y * WIDTH + x] = v;
}
