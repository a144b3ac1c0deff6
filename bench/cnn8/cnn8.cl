// The network of cnn in whole numbers: weights and values of 8 bits, sums of 32, which are scaled by a shift and cut to 8 bits.
#define K 3
#define THREADS 32

__kernel void convolve(__global const char *in, __global const char *weight, __global const int *bias, __global char *out,
    uint width, uint channels, uint planes, uint shift)
{
    uint i = get_global_id(0), w = width - K + 1, plane = get_group_id(1), to = plane % planes;
    if (i >= w * w)
        return;
    uint x = i % w, y = i / w;
    __global const char *picture = in + plane / planes * channels * width * width;
    int sum = bias[to];
    for (uint c = 0; c < channels; c++)
        for (uint ky = 0; ky < K; ky++)
            for (uint kx = 0; kx < K; kx++)
                sum += picture[(c * width + y + ky) * width + x + kx] * weight[((to * channels + c) * K + ky) * K + kx];
    out[plane * w * w + i] = (char)clamp((sum + (1 << shift >> 1)) >> shift, 0, 127);
}

__kernel void pool(__global const char *in, __global char *out, uint width)
{
    uint i = get_global_id(0), w = width / 2, plane = get_group_id(1);
    if (i >= w * w)
        return;
    __global const char *from = in + (plane * width + i / w * 2) * width + i % w * 2;
    out[plane * w * w + i] = max(max(from[0], from[1]), max(from[width], from[width + 1]));
}

// A block for each class (x) and picture (y).
__kernel void dense(__global const char *in, __global const char *weight, __global int *out, uint n)
{
    __local int part[THREADS];
    uint tid = get_local_id(0), class = get_group_id(0), picture = get_group_id(1);
    int sum = 0;
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

__kernel void choose(__global const int *score, __global uint *label, uint classes)
{
    uint picture = get_global_id(0), best = 0;
    for (uint c = 1; c < classes; c++)
        if (score[picture * classes + c] > score[picture * classes + best])
            best = c;
    label[picture] = best;
}
