// mxm64.cl -- c = a * b of 64 x 64 floats through tiles in local memory, as bench/mxm64 has it by hand.
#define N 64
#define T 16

__kernel void mxm64(__global const float *a, __global const float *b, __global float *c)
{
    __local float tile_a[T][T], tile_b[T][T + 1]; // the second one transposed
    int x = get_local_id(0), y = get_local_id(1);
    int col = get_group_id(0) * T + x, row = get_group_id(1) * T + y;
    float sum = 0;
    for (int k = 0; k < N; k += T) {
        tile_a[y][x] = a[row * N + k + x];
        tile_b[x][y] = b[(k + y) * N + col];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < T; i++)
            sum += tile_a[y][i] * tile_b[x][i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * N + col] = sum;
}
