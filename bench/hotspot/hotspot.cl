// How hot a chip gets: a difference equation on a grid, `steps` steps a launch. A block of 16 x 16 threads also computes a border
// for itself that is one narrower after each step.
#define T 16

__kernel void hotspot(__global const float *power, __global const float *from, __global float *to, int n, int steps,
    float per_cap, float per_rx, float per_ry, float per_rz, float ambient)
{
    __local float temp[T][T];
    int tx = get_local_id(0), ty = get_local_id(1), inner = T - 2 * steps;
    int x = (int)get_group_id(0) * inner + tx - steps, y = (int)get_group_id(1) * inner + ty - steps;
    bool inside = x >= 0 && x < n && y >= 0 && y < n;
    float heat = 0, next = 0;
    if (inside) {
        heat = power[y * n + x];
        temp[ty][tx] = from[y * n + x];
    }
    // over the border of the chip it is as warm as here
    int west = x > 0 ? tx - 1 : tx, east = x < n - 1 ? tx + 1 : tx;
    int north = y > 0 ? ty - 1 : ty, south = y < n - 1 ? ty + 1 : ty;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 0; s < steps; s++) {
        bool whole = inside && tx > s && tx < T - 1 - s && ty > s && ty < T - 1 - s;
        if (whole) {
            float t = temp[ty][tx];
            next = t + per_cap * (heat + (temp[south][tx] + temp[north][tx] - 2.0f * t) * per_ry +
                                  (temp[ty][east] + temp[ty][west] - 2.0f * t) * per_rx + (ambient - t) * per_rz);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (whole)
            temp[ty][tx] = next;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (inside && tx >= steps && tx < T - steps && ty >= steps && ty < T - steps)
        to[y * n + x] = temp[ty][tx];
}
