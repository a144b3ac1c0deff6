// The sum of a vector: each block adds up its part in a tree, and leaves one number.
#define THREADS 128

__kernel void reduction(__global const uint *in, __global uint *out, uint n)
{
    __local uint part[THREADS];
    uint tid = get_local_id(0), sum = 0;
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        sum += in[i];
    part[tid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint half_n = THREADS / 2; half_n; half_n >>= 1) {
        if (tid < half_n)
            part[tid] += part[tid + half_n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (tid == 0)
        out[get_group_id(0)] = part[0];
}
