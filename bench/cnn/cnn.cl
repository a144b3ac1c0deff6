// A small convolutional network in floats: convolution 3 x 3 and rectifier, maximum of 2 x 2, again, sums of all, the largest.
// Row y of the grid is a plane: a channel of the output, for each picture.
#define K 3
#define THREADS 32

__kernel void convolve(__global const float *in, __global const float *weight, __global const float *bias, __global float *out,
    uint width, uint channels, uint planes)
{
    uint i = get_global_id(0), w = width - K + 1, plane = get_group_id(1), to = plane % planes;
    if (i >= w * w)
        return;
    uint x = i % w, y = i / w;
    __global const float *picture = in + plane / planes * channels * width * width;
    float sum = bias[to];
    for (uint c = 0; c < channels; c++)
        for (uint ky = 0; ky < K; ky++)
            for (uint kx = 0; kx < K; kx++)
                sum += picture[(c * width + y + ky) * width + x + kx] * weight[((to * channels + c) * K + ky) * K + kx];
    out[plane * w * w + i] = fmax(sum, 0.0f);
}

__kernel void pool(__global const float *in, __global float *out, uint width)
{
    uint i = get_global_id(0), w = width / 2, plane = get_group_id(1);
    if (i >= w * w)
        return;
    __global const float *from = in + (plane * width + i / w * 2) * width + i % w * 2;
    out[plane * w * w + i] = fmax(fmax(from[0], from[1]), fmax(from[width], from[width + 1]));
}

// A block for each class (x) and picture (y).
__kernel void dense(__global const float *in, __global const float *weight, __global float *out, uint n)
{
    __local float part[THREADS];
    uint tid = get_local_id(0), class = get_group_id(0), picture = get_group_id(1);
    float sum = 0;
    for (uint i = tid; i < n; i += THREADS)
        sum += in[picture * n + i] * weight[class * n + i];
    part[tid] = sum;
    for (uint half_n = THREADS / 2; half_n; half_n >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (tid < half_n)
            part[tid] += part[tid + half_n];
    }
    if (tid == 0)
        out[picture * get_num_groups(0) + class] = part[0];
}

__kernel void choose(__global const float *score, __global uint *label, uint classes)
{
    uint picture = get_global_id(0), best = 0;
    for (uint c = 1; c < classes; c++)
        if (score[picture * classes + c] > score[picture * classes + best])
            best = c;
    label[picture] = best;
}
