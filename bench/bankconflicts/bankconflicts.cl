// Shared memory with strides from 1 to 32 words: without conflicts at first, then 2, 4, 8 and 16 threads in a bank. Then all
// threads read the same word, and each a word that its number decides.
#define THREADS 64
#define WORDS (THREADS * 32)

__kernel void bankconflicts(__global const uint *in, __global uint *out)
{
    __local uint word[WORDS];
    uint tid = get_local_id(0), mix = get_global_id(0);
    for (uint i = tid; i < WORDS; i += THREADS)
        word[i] = in[i] + mix;
    for (uint stride = 1; stride <= 32; stride *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint v = word[tid * stride] * 5 + stride;
        mix = mix * 31 + v;
        barrier(CLK_LOCAL_MEM_FENCE);
        word[tid * stride] = v ^ mix;
    }
    for (uint k = 0; k < 8; k++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        mix = mix * 31 + word[k * 32] + word[tid * (k + 3) * 7 & (WORDS - 1)];
    }
    out[get_global_id(0)] = mix;
}
