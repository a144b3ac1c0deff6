// Every warp slot has a warp, which hands a word on to the next warp of its block, round after round. Warps of a block wait for each other
// at a barrier, in each round another one does more than its part.
#define THREADS 256
#define WARPS (THREADS / 32)

__kernel void allwarps(__global const uint *in, __global uint *out, uint rounds)
{
    __local uint word[THREADS];
    uint tid = get_local_id(0), warp = tid >> 5, mine = in[get_global_id(0)];
    for (uint r = 0; r < rounds; r++) {
        word[tid] = mine;
        barrier(CLK_LOCAL_MEM_FENCE);
        mine = (mine << 7 | mine >> 25) + word[(tid + 32) & (THREADS - 1)];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (warp == (r & (WARPS - 1)))
            for (uint i = 0; i < 4; i++)
                mine ^= mine << 3 ^ i;
    }
    out[get_global_id(0)] = mine;
}
