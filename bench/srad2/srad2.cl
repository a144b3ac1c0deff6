// Speckle reducing anisotropic diffusion, a step in two launches on tiles in shared memory. Statistics come from a corner of the picture.
#define T 16

// One block: the variance by the square of the mean, of the first T x T places.
__kernel void statistics(__global const float *image, __global float *q0, int width)
{
    __local float s[T * T], q[T * T];
    uint tid = get_local_id(1) * T + get_local_id(0);
    float v = image[get_local_id(1) * width + get_local_id(0)];
    s[tid] = v;
    q[tid] = v * v;
    for (uint half_n = T * T / 2; half_n; half_n >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (tid < half_n) {
            s[tid] += s[tid + half_n];
            q[tid] += q[tid + half_n];
        }
    }
    if (tid == 0) {
        float mean = s[0] * (1.0f / (T * T));
        *q0 = (q[0] * (1.0f / (T * T)) - mean * mean) / (mean * mean);
    }
}

__kernel void conduct(__global const float *image, __global float *north, __global float *south, __global float *west,
    __global float *east, __global float *c, __global const float *q0, int width, int height)
{
    __local float tile[T][T], result[T][T];
    int tx = get_local_id(0), ty = get_local_id(1), x = get_global_id(0), y = get_global_id(1), i = y * width + x;
    tile[ty][tx] = image[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    float v = tile[ty][tx], n, s, w, e, q = *q0;
    // inside of the tile from shared memory, else from the picture, whose border has itself as neighbour
    n = (ty > 0 ? tile[ty - 1][tx] : image[y > 0 ? i - width : i]) - v;
    s = (ty < T - 1 ? tile[ty + 1][tx] : image[y < height - 1 ? i + width : i]) - v;
    w = (tx > 0 ? tile[ty][tx - 1] : image[x > 0 ? i - 1 : i]) - v;
    e = (tx < T - 1 ? tile[ty][tx + 1] : image[x < width - 1 ? i + 1 : i]) - v;
    float g = (n * n + s * s + w * w + e * e) / (v * v), l = (n + s + w + e) / v;
    float num = 0.5f * g - 0.0625f * (l * l), den = 1.0f + 0.25f * l;
    float r = (num / (den * den) - q) / (q * (1.0f + q));
    float k = 1.0f / (1.0f + r);
    result[ty][tx] = k < 0 ? 0 : k > 1 ? 1 : k;
    barrier(CLK_LOCAL_MEM_FENCE);
    c[i] = result[ty][tx];
    north[i] = n;
    south[i] = s;
    west[i] = w;
    east[i] = e;
}

__kernel void diffuse(__global float *image, __global const float *north, __global const float *south, __global const float *west,
    __global const float *east, __global const float *c, int width, int height, float quarter_lambda)
{
    __local float tile[T][T];
    int tx = get_local_id(0), ty = get_local_id(1), x = get_global_id(0), y = get_global_id(1), i = y * width + x;
    tile[ty][tx] = c[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    float here = tile[ty][tx];
    float below = ty < T - 1 ? tile[ty + 1][tx] : c[y < height - 1 ? i + width : i];
    float right = tx < T - 1 ? tile[ty][tx + 1] : c[x < width - 1 ? i + 1 : i];
    image[i] += quarter_lambda * (here * north[i] + below * south[i] + here * west[i] + right * east[i]);
}
