/* sobel.cl -- edges of a picture, and the picture four times as large: images of OpenCL C, which the test `images` launches
 * and checks. */
__constant sampler_t pixels =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

static int4 at(__read_only image2d_t picture, int x, int y)
{
    return convert_int4(read_imageui(picture, pixels, (int2)(x, y)));
}

__kernel void sobel(__read_only image2d_t picture, __global uchar4 *edges)
{
    int x = get_global_id(0), y = get_global_id(1);
    int4 left = at(picture, x - 1, y - 1) + 2 * at(picture, x - 1, y) + at(picture, x - 1, y + 1);
    int4 right = at(picture, x + 1, y - 1) + 2 * at(picture, x + 1, y) + at(picture, x + 1, y + 1);
    int4 above = at(picture, x - 1, y - 1) + 2 * at(picture, x, y - 1) + at(picture, x + 1, y - 1);
    int4 below = at(picture, x - 1, y + 1) + 2 * at(picture, x, y + 1) + at(picture, x + 1, y + 1);
    int4 slope = max(right - left, left - right) + max(below - above, above - below);
    edges[y * get_global_size(0) + x] = convert_uchar4(min(slope / 4, 255));
}

__kernel void zoom(__read_only image2d_t colours, __global float4 *large)
{
    const sampler_t smooth = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
    int x = get_global_id(0), y = get_global_id(1);
    float2 place = (float2)((x + 0.5f) / get_global_size(0), (y + 0.5f) / get_global_size(1));
    large[y * get_global_size(0) + x] = read_imagef(colours, smooth, place);
}
