// An image and a mask of odd width; beyond the border there is nothing.

__kernel void convolution(__global const uint *in, __global const float *mask, __global uint *out, int width, int height, int reach)
{
    int x = get_global_id(0), y = get_global_id(1), across = 2 * reach + 1;
    float sum = 0;
    for (int dy = -reach; dy <= reach; dy++)
        for (int dx = -reach; dx <= reach; dx++)
            if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height)
                sum += (float)in[(y + dy) * width + x + dx] * mask[(dy + reach) * across + dx + reach];
    out[y * width + x] = (uint)(sum + 0.5f);
}
