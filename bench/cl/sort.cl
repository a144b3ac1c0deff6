// sort.cl -- bitonic sort of 128 keys a block, 64 threads, as bench/sort has it by hand.
#define THREADS 64
#define KEYS (2 * THREADS)

__kernel void sort(__global uint *keys)
{
    __local uint key[KEYS];
    uint tid = get_local_id(0);
    keys += get_group_id(0) * KEYS;
    key[tid] = keys[tid];
    key[tid + THREADS] = keys[tid + THREADS];
    for (uint run = 2; run <= KEYS; run *= 2)
        for (uint distance = run / 2; distance > 0; distance /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint low = 2 * tid - (tid & (distance - 1));
            uint x = key[low], y = key[low + distance];
            if ((x > y) == ((low & run) == 0)) {
                key[low] = y;
                key[low + distance] = x;
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    keys[tid] = key[tid];
    keys[tid + THREADS] = key[tid + THREADS];
}
