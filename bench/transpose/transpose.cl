// Rows become columns, through tiles in shared memory, so that both sides are coalesced.
#define T 16

__kernel void transpose(__global const uint *in, __global uint *out, uint width, uint height)
{
    __local uint tile[T][T + 1];
    uint x = get_local_id(0), y = get_local_id(1), left = get_group_id(0) * T, top = get_group_id(1) * T;
    tile[y][x] = in[(top + y) * width + left + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(left + y) * height + top + x] = tile[x][y];
}
