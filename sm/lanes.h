/* lanes.h -- small loops over the 32 lanes of a warp, written so that the compiler makes vectors of them.
 *
 * They are the same in every build; where SM_CLONES holds, the processor at hand picks AVX2 at run time.
 */
#ifndef SM_LANES_H
#define SM_LANES_H

#include <stdint.h>

/* A function is compiled twice, with and without AVX2, and the loader picks: the same bits in half the time. This needs
 * gcc's ifunc support; other compilers and systems get the plain function. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__gnu_linux__) &&   \
    !defined(SM_NO_CLONES)
#define SM_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define SM_CLONES
#endif

/* Bit l in element l: `mask & lane_bit[l]` asks for a lane without a variable shift, which SSE2 does not have. */
static const uint32_t lane_bit[32] = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,
    1u << 8,  1u << 9,  1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15,
    1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21, 1u << 22, 1u << 23,
    1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31,
};

typedef uint64_t lanes_v2 __attribute__((vector_size(16)));

/* Two rows of 32 halfwords are the same. */
static inline int lanes_same16(const uint16_t a[32], const uint16_t b[32])
{
    lanes_v2 x[4], y[4], d;
    __builtin_memcpy(x, a, sizeof x);
    __builtin_memcpy(y, b, sizeof y);
    d = (x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2]) | (x[3] ^ y[3]);
    return !(d[0] | d[1]);
}

/* out[l] = the 32-bit word at base + at[l]. */
static inline void lanes_gather16(const uint8_t *base, const uint16_t at[32], uint32_t out[32])
{
    for (int l = 0; l < 32; l += 4) {
        __builtin_memcpy(&out[l], base + at[l], 4);
        __builtin_memcpy(&out[l + 1], base + at[l + 1], 4);
        __builtin_memcpy(&out[l + 2], base + at[l + 2], 4);
        __builtin_memcpy(&out[l + 3], base + at[l + 3], 4);
    }
}

/* What the executing lanes have in common; lanes outside `exec` do not count. */
struct lanes_shape {
    uint32_t any;    /* or of all values */
    uint32_t uneven; /* lanes whose value is not first + stride * (lane - first lane) */
    uint32_t other;  /* lanes whose value is not that of the first lane */
};

static inline struct lanes_shape lanes_shape(const uint32_t v[32], uint32_t exec, uint32_t stride)
{
    uint32_t first = (uint32_t)__builtin_ctz(exec), base = v[first] - first * stride,
             same = v[first];
    struct lanes_shape s = {0};
    for (uint32_t l = 0; l < 32; l++) {
        uint32_t in = exec & lane_bit[l];
        s.any |= in ? v[l] : 0;
        s.uneven |= v[l] != base + l * stride ? in : 0;
        s.other |= v[l] != same ? in : 0;
    }
    return s;
}

#endif
