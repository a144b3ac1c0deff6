// The cheapest way down a grid, `rows` rows a launch. A block computes a triangle more at either side, so that it needs no
// neighbour until the next launch.
#define THREADS 128
#define FAR 0x7fffffff

__kernel void pathfinder(__global const uint *wall, __global const uint *from, __global uint *to, int cols, int row, int rows)
{
    __local uint cost[THREADS];
    int tid = get_local_id(0), col = (int)get_group_id(0) * (THREADS - 2 * rows) + tid - rows;
    bool inside = col >= 0 && col < cols;
    cost[tid] = inside ? from[col] : FAR;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < rows; r++) {
        bool whole = inside && tid > r && tid < THREADS - 1 - r; // its neighbours are those of row r
        uint best = 0;
        if (whole)
            best = min(cost[tid], min(cost[tid - 1], cost[tid + 1])) + wall[(row + r) * cols + col];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (whole)
            cost[tid] = best;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (inside && tid >= rows && tid < THREADS - rows)
        to[col] = cost[tid];
}
