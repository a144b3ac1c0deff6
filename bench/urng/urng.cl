// Noise over an image: each pixel draws from a generator of its own, seeded with its grey: Park and Miller's, shuffled as
// Bays and Durham do, with a table in shared memory.
#define THREADS 64
#define TABLE 16

static int next(int s) // 16807 * s modulo 2^31 - 1, without overflow (Schrage)
{
    int k = s / 127773;
    s = 16807 * (s - k * 127773) - 2836 * k;
    return s < 0 ? s + 0x7fffffff : s;
}

__kernel void urng(__global const uint *in, __global uint *out, float strength)
{
    __local int table[TABLE][THREADS];
    uint i = get_global_id(0), tid = get_local_id(0), p = in[i];
    int s = 1 + (int)(((p & 255) + (p >> 8 & 255) + (p >> 16 & 255) + (p >> 24)) >> 2);
    for (int t = TABLE + 7; t >= 0; t--) {
        s = next(s);
        if (t < TABLE)
            table[t][tid] = s;
    }
    int draw = table[0][tid];
    s = next(s);
    int t = draw >> 27 & TABLE - 1;
    draw = table[t][tid];
    table[t][tid] = s;
    int noise = (int)(((float)draw * 0x1p-31f - 0.5f) * strength);
    uint result = 0;
    for (uint shift = 0; shift < 32; shift += 8)
        result |= (uint)clamp((int)(p >> shift & 255) + noise, 0, 255) << shift;
    out[i] = result;
}
