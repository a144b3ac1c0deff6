// The scalar products of pairs of vectors, a pair each block.
#define THREADS 64

__kernel void scalarprod(__global const float *a, __global const float *b, __global float *c, uint n)
{
    __local float part[THREADS];
    uint tid = get_local_id(0), base = get_group_id(0) * n;
    float sum = 0;
    for (uint i = tid; i < n; i += THREADS)
        sum += a[base + i] * b[base + i];
    part[tid] = sum;
    for (uint half_n = THREADS / 2; half_n; half_n >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (tid < half_n)
            part[tid] += part[tid + half_n];
    }
    if (tid == 0)
        c[get_group_id(0)] = part[0];
}
