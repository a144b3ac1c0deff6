// c = a * b, n x n floats, through tiles in shared memory.
#define T 8

__kernel void matmul(__global const float *a, __global const float *b, __global float *c, uint n)
{
    __local float tile_a[T][T], tile_b[T][T];
    uint x = get_local_id(0), y = get_local_id(1), col = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (uint k = 0; k < n; k += T) {
        tile_a[y][x] = a[row * n + k + x];
        tile_b[y][x] = b[(k + y) * n + col];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = 0; i < T; i++)
            sum += tile_a[y][i] * tile_b[i][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + col] = sum;
}
