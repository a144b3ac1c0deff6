// Needleman-Wunsch: scores of aligning two sequences. A launch does a diagonal of tiles; in a tile, the threads go along
// its diagonals.
#define T 16

__kernel void needle(__global int *score, __global const int *similar, uint n, int penalty, uint diagonal, uint first)
{
    __local int s[T + 1][T + 1], alike[T][T];
    uint tid = get_local_id(0), bx = first + get_group_id(0), by = diagonal - bx, w = n + 1;
    __global int *corner = score + by * T * w + bx * T;
    for (uint y = 0; y < T; y++)
        alike[y][tid] = similar[(by * T + y) * n + bx * T + tid];
    s[tid + 1][0] = corner[(tid + 1) * w];
    s[0][tid + 1] = corner[tid + 1];
    if (tid == 0)
        s[0][0] = corner[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 0; d < 2 * T - 1; d++) {
        uint y = d - tid;
        if (y < T) // also when d is below tid
            s[y + 1][tid + 1] =
                max(s[y][tid] + alike[y][tid], max(s[y][tid + 1], s[y + 1][tid]) - penalty);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint y = 1; y <= T; y++)
        corner[y * w + tid + 1] = s[y][tid + 1];
}
