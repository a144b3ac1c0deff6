// Speckle reducing anisotropic diffusion, in global memory: the picture is taken out of its logarithm, goes through steps of
// diffusion, and is put back. Statistics of the whole picture say how much a step smooths.
#define THREADS 64

__kernel void extract(__global float *image)
{
    uint i = get_global_id(0);
    image[i] = native_exp2(image[i] * (M_LOG2E_F / 255.0f));
}

// Sums of the picture and of its squares, a pair for each block.
__kernel void sums(__global const float *image, __global float *part, __global float *squares)
{
    __local float s[THREADS], q[THREADS];
    uint tid = get_local_id(0);
    float v = image[get_global_id(0)];
    s[tid] = v;
    q[tid] = v * v;
    for (uint half_n = THREADS / 2; half_n; half_n >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (tid < half_n) {
            s[tid] += s[tid + half_n];
            q[tid] += q[tid + half_n];
        }
    }
    if (tid == 0) {
        part[get_group_id(0)] = s[0];
        squares[get_group_id(0)] = q[0];
    }
}

// The variance by the square of the mean.
__kernel void statistics(__global const float *part, __global const float *squares, __global float *q0, uint parts, float per_n)
{
    float s = 0, q = 0;
    for (uint p = 0; p < parts; p++) {
        s += part[p];
        q += squares[p];
    }
    float mean = s * per_n;
    *q0 = (q * per_n - mean * mean) / (mean * mean);
}

// Differences to the four neighbours, and how well a place conducts.
__kernel void conduct(__global const float *image, __global float4 *slope, __global float *c, __global const float *q0, int width,
    int height)
{
    int x = get_global_id(0), y = get_global_id(1), i = y * width + x;
    float v = image[i], q = *q0;
    float n = image[y > 0 ? i - width : i] - v, s = image[y < height - 1 ? i + width : i] - v;
    float w = image[x > 0 ? i - 1 : i] - v, e = image[x < width - 1 ? i + 1 : i] - v;
    float g = (n * n + s * s + w * w + e * e) / (v * v), l = (n + s + w + e) / v;
    float num = 0.5f * g - 0.0625f * (l * l), den = 1.0f + 0.25f * l;
    float r = (num / (den * den) - q) / (q * (1.0f + q));
    float k = 1.0f / (1.0f + r);
    slope[i] = (float4)(n, s, w, e);
    c[i] = k < 0 ? 0 : k > 1 ? 1 : k;
}

__kernel void diffuse(__global float *image, __global const float4 *slope, __global const float *c, int width, int height,
    float quarter_lambda)
{
    int x = get_global_id(0), y = get_global_id(1), i = y * width + x;
    float4 d = slope[i];
    float here = c[i], south = c[y < height - 1 ? i + width : i], east = c[x < width - 1 ? i + 1 : i];
    image[i] += quarter_lambda * (here * d.x + south * d.y + here * d.z + east * d.w);
}

__kernel void compress(__global float *image)
{
    uint i = get_global_id(0);
    image[i] = native_log2(image[i]) * (M_LN2_F * 255.0f);
}
