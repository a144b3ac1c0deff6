// Floyd-Warshall: ways that go over vertex k.

__kernel void floyd(__global uint *distance, uint n, uint k)
{
    uint x = get_global_id(0), y = get_global_id(1);
    uint over = distance[y * n + k] + distance[k * n + x];
    if (over < distance[y * n + x])
        distance[y * n + x] = over;
}
