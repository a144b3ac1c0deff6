// One step of a bitonic sort: pairs that stand `distance` apart come into the order of their run.

__kernel void bitonicsort(__global uint *key, uint run, uint distance)
{
    uint t = get_global_id(0), low = t & (distance - 1);
    uint left = ((t - low) << 1) + low, right = left + distance;
    uint a = key[left], b = key[right];
    bool ascending = !(left & run);
    if ((a > b) == ascending) {
        key[left] = b;
        key[right] = a;
    }
}
