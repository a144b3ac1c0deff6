// One level of a breadth-first search: a thread for each vertex of the frontier. The first to reach a vertex gives it its level
// and puts it into the next frontier.
extern "C" __global__ void frontier(const unsigned *first, const unsigned *edge, int *level, const unsigned *from, unsigned *to,
    unsigned *count, int now)
{
    int step = gridDim.x * blockDim.x, n = count[now];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        unsigned v = from[i];
        for (unsigned e = first[v]; e < first[v + 1]; e++) {
            unsigned w = edge[e];
            if (atomicCAS(&level[w], -1, now + 1) == -1)
                to[atomicAdd(&count[now + 1], 1)] = w;
        }
    }
}
