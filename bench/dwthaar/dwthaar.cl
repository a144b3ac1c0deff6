// The Haar wavelet transform: means and differences of neighbours, then of the means, in a block down to one number.
#define MOST 256

__kernel void dwthaar(__global const float *in, __global float *out, __global float *mean)
{
    __local float v[2 * MOST];
    uint tid = get_local_id(0), threads = get_local_size(0), base = get_group_id(0) * 2 * threads;
    v[tid] = in[base + tid];
    v[tid + threads] = in[base + tid + threads];
    for (uint active = threads; active; active >>= 1) {
        float a = 0, b = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (tid < active) {
            a = v[2 * tid];
            b = v[2 * tid + 1];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (tid < active) {
            v[tid] = (a + b) * M_SQRT1_2_F;
            out[(get_num_groups(0) + get_group_id(0)) * active + tid] = (a - b) * M_SQRT1_2_F;
        }
    }
    if (tid == 0)
        mean[get_group_id(0)] = v[0];
}
