// One step of the fast Walsh transform: sums and differences of pairs.

__kernel void walsh(__global float *v, uint distance)
{
    uint t = get_global_id(0), low = t & (distance - 1), left = ((t - low) << 1) + low;
    float a = v[left], b = v[left + distance];
    v[left] = a + b;
    v[left + distance] = a - b;
}
