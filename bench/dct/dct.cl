// The discrete cosine transform of blocks of 8 x 8 numbers: basis * x * basis transposed.
#define T 8

__kernel void dct(__global const float *in, __global float *out, __global const float *basis, uint width)
{
    __local float m[T][T], x[T][T], half_done[T][T];
    uint i = get_local_id(0), j = get_local_id(1), at = get_global_id(1) * width + get_global_id(0);
    float sum = 0;
    m[j][i] = basis[j * T + i];
    x[j][i] = in[at];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < T; k++)
        sum += m[j][k] * x[k][i];
    half_done[j][i] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = 0;
    for (uint k = 0; k < T; k++)
        sum += half_done[j][k] * m[i][k];
    out[at] = sum;
}
