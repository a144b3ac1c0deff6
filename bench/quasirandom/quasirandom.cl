// A Sobol sequence: row y of the grid is a dimension, thread i makes its point i.
#define BITS 32

__kernel void quasirandom(__global const uint *direction, __global float *out)
{
    __local uint v[BITS];
    uint i = get_global_id(0), tid = get_local_id(0), x = 0;
    if (tid < BITS)
        v[tid] = direction[get_group_id(1) * BITS + tid];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint bit = 0; bit < BITS; bit++)
        x ^= i >> bit & 1 ? v[bit] : 0;
    out[get_group_id(1) * get_global_size(0) + i] = (float)x * 0x1p-32f;
}
