// How often each of 64 values is there. The machine has no atomics: each thread has bins of its own, bytes in shared memory.
#define BINS 64
#define THREADS 64

__kernel void histogram(__global const uchar *pixel, __global uint *part, uint each)
{
    __local uchar count[BINS][THREADS];
    uint tid = get_local_id(0), base = get_group_id(0) * THREADS * each;
    for (uint b = 0; b < BINS; b++)
        count[b][tid] = 0;
    for (uint i = 0; i < each; i++)
        count[pixel[base + i * THREADS + tid] >> 2][tid]++;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0;
    for (uint t = 0; t < THREADS; t++)
        sum += count[tid][(t + tid) & (THREADS - 1)];
    part[get_group_id(0) * BINS + tid] = sum;
}

__kernel void merge(__global const uint *part, __global uint *bins, uint parts)
{
    uint sum = 0, bin = get_local_id(0);
    for (uint p = 0; p < parts; p++)
        sum += part[p * BINS + bin];
    bins[bin] = sum;
}
