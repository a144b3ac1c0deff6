// k-means: points go to the nearest centre, centres to the mean of their points, until no point changes.

__kernel void assign(__global const float *point, __global const float *centre, __global uint *member, __global uint *changed,
    uint n, uint features, uint k)
{
    uint i = get_global_id(0), best = 0;
    float least = MAXFLOAT;
    if (i >= n)
        return;
    for (uint c = 0; c < k; c++) {
        float sum = 0;
        for (uint f = 0; f < features; f++) {
            float d = point[f * n + i] - centre[c * features + f];
            sum += d * d;
        }
        if (sum < least) {
            least = sum;
            best = c;
        }
    }
    if (member[i] != best) {
        member[i] = best;
        *changed = 1;
    }
}

// A thread for each feature of each centre: the machine has no atomics to add with.
__kernel void move(__global const float *point, __global float *centre, __global const uint *member, __global uint *changed,
    uint n, uint features)
{
    uint f = get_local_id(0), c = get_group_id(0), count = 0;
    float sum = 0;
    for (uint i = 0; i < n; i++)
        if (member[i] == c) {
            sum += point[f * n + i];
            count++;
        }
    if (count)
        centre[c * features + f] = sum / (float)count;
    if (f == 0 && c == 0)
        *changed = 0;
}
