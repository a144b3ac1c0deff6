// Breadth-first search, a level in two launches: the frontier marks its neighbours, the marked ones become the frontier.

__kernel void expand(__global const uint *first, __global const uint *edge, __global uint *frontier,
                     __global uint *marked, __global const uint *visited, __global uint *level, __global uint *more, uint n)
{
    uint v = get_global_id(0);
    if (v == 0)
        *more = 0;
    if (v < n && frontier[v]) {
        frontier[v] = 0;
        for (uint e = first[v]; e < first[v + 1]; e++) {
            uint to = edge[e];
            if (!visited[to]) {
                level[to] = level[v] + 1;
                marked[to] = 1;
            }
        }
    }
}

__kernel void advance(__global uint *frontier, __global uint *marked, __global uint *visited, __global uint *more, uint n)
{
    uint v = get_global_id(0);
    if (v < n && marked[v]) {
        frontier[v] = 1;
        visited[v] = 1;
        marked[v] = 0;
        *more = 1;
    }
}
