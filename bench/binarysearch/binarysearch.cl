// A block looks for its key: each thread has a part of the sorted range, and the one whose part holds the key keeps that.

__kernel void binarysearch(__global const uint *sorted, __global const uint *key, __global uint *place, uint length)
{
    uint wanted = key[get_group_id(0)], threads = get_local_size(0), tid = get_local_id(0);
    uint part = length / threads, at = place[get_group_id(0)] + tid * part;
    barrier(CLK_GLOBAL_MEM_FENCE); // all have read the place
    if (sorted[at] <= wanted && (tid == threads - 1 || wanted < sorted[at + part]))
        place[get_group_id(0)] = at;
}
