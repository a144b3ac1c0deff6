// A Gaussian blur of columns by a recursive filter (Deriche): down, then up, and added. What comes out is turned, so that the
// second launch does the rows.

__kernel void recursivegaussian(__global const float *in, __global float *down, __global float *out, uint width, uint height,
    float a0, float a1, float a2, float a3, float b1, float b2, float start, float end)
{
    uint x = get_global_id(0);
    float x1 = in[x], y2 = x1 * start, y1 = y2;
    for (uint y = 0; y < height; y++) {
        float v = in[y * width + x], r = a0 * v + a1 * x1 - b1 * y1 - b2 * y2;
        down[y * width + x] = r;
        x1 = v;
        y2 = y1;
        y1 = r;
    }
    float x2 = in[(height - 1) * width + x];
    x1 = x2;
    y1 = y2 = x1 * end;
    for (int y = height - 1; y >= 0; y--) {
        float v = in[y * width + x], r = a2 * x1 + a3 * x2 - b1 * y1 - b2 * y2;
        x2 = x1;
        x1 = v;
        y2 = y1;
        y1 = r;
        out[x * height + y] = down[y * width + x] + r;
    }
}
