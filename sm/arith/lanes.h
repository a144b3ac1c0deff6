/* lanes.h -- small loops over the 32 lanes of a warp, written so that the compiler makes vectors of
 * them.
 *
 * They are the same in every build; where SM_CLONES holds, the processor at hand picks AVX2 at run
 * time.
 */
#ifndef SM_LANES_H
#define SM_LANES_H

#include <stdbool.h>
#include <stdint.h>

/* A function is compiled twice, with and without AVX2, and the loader picks: the same bits in half
 * the time. This needs gcc's ifunc support; other compilers and systems get the plain function. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__gnu_linux__) &&   \
    !defined(SM_NO_CLONES)
#define SM_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define SM_CLONES
#endif

/* A function for hosts with a fused multiply-add, called only where lanes_have_fused(). */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(SM_NO_CLONES)
#define SM_FUSED __attribute__((target("avx2,fma")))
static inline bool lanes_have_fused(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#else
#define SM_FUSED
static inline bool lanes_have_fused(void)
{
#ifdef __ARM_FEATURE_FMA
    return true;
#else
    return false;
#endif
}
#endif

/* Before a loop over lanes: no lane reads what another one writes. Two rows are the same or have
 * nothing in common, but the compiler does not know. */
#ifdef __clang__
#define LANES_APART _Pragma("clang loop vectorize(assume_safety)")
#else
#define LANES_APART _Pragma("GCC ivdep")
#endif

/* The same before a long body, which is not repeated: its values would not fit into registers. */
#ifdef __clang__
#define LANES_ROLLED LANES_APART
#else
#define LANES_ROLLED _Pragma("GCC ivdep") _Pragma("GCC unroll 1")
#endif

/* Bit l in element l: `mask & lane_bit[l]` asks for a lane without a variable shift, which SSE2
 * does not have. */
static const uint32_t lane_bit[32] = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,
    1u << 8,  1u << 9,  1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15,
    1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21, 1u << 22, 1u << 23,
    1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31,
};

/* A piece of a row, wherever it stands. */
typedef uint64_t lanes_v2 __attribute__((vector_size(16)));
typedef uint64_t lanes_v4 __attribute__((vector_size(32), aligned(1), may_alias));

/* Two rows of 32 halfwords are the same. */
static inline bool lanes_same16(const uint16_t a[32], const uint16_t b[32])
{
    const lanes_v4 *x = (const lanes_v4 *)a, *y = (const lanes_v4 *)b;
    lanes_v4 d = (x[0] ^ y[0]) | (x[1] ^ y[1]);
    lanes_v2 half = __builtin_shufflevector(d, d, 0, 1) | __builtin_shufflevector(d, d, 2, 3);
    return !(half[0] | half[1]);
}

/* to = a in the lanes of `mask`; the other lanes are like one of them, in their own half if it has one. */
static inline void lanes_among16(uint16_t to[32], const uint16_t a[32], uint32_t mask)
{
    for (int half = 0; half < 32; half += 16) {
        const uint16_t in = (uint16_t)(mask >> half);
        const uint16_t other = in ? a[half + __builtin_ctz(in)] : a[__builtin_ctz(mask)];
        for (int l = 0; l < 16; l++)
            to[half + l] = in & (uint16_t)lane_bit[l] ? a[half + l] : other;
    }
}

/* Passes that half a warp needs for a word at each of these addresses: the largest number of different
 * words that fall in one of the banks, a power of two. */
uint32_t lanes_passes(const uint16_t at[16], uint32_t banks);

/* A row of 32 words. Both may be unaligned: rows of registers, words in a memory. */
static inline void lanes_copy(void *to, const void *from)
{
    const lanes_v4 *x = from;
    lanes_v4 *y = to, x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3];
    y[0] = x0, y[1] = x1, y[2] = x2, y[3] = x3;
}

static inline void lanes_copy_half(void *to, const void *from)
{
    const lanes_v4 *x = from;
    lanes_v4 *y = to, x0 = x[0], x1 = x[1];
    y[0] = x0, y[1] = x1;
}

static inline uint32_t lanes_word(const uint8_t *p)
{
    uint32_t v;
    __builtin_memcpy(&v, p, sizeof v);
    return v;
}

/* to[i] = the 32-bit word at base + at[i], for half a row. In vectors: whoever reads the row next
 * reads it in vectors, and would wait for single words to arrive in the cache. */
static inline void lanes_gather_half(const uint8_t *base, const uint16_t at[16], uint32_t to[16])
{
    typedef uint32_t words __attribute__((vector_size(16), aligned(4), may_alias));
    for (int i = 0; i < 16; i += 4)
        *(words *)(to + i) = (words){lanes_word(base + at[i]), lanes_word(base + at[i + 1]),
                                     lanes_word(base + at[i + 2]), lanes_word(base + at[i + 3])};
}

/* Row after row of the lanes in `mask`; the other lanes keep what they have. */
static inline void lanes_merge(uint32_t row[32], const uint32_t v[32], uint32_t mask)
{
    if (mask == ~0u) {
        lanes_copy(row, v);
    } else {
        for (int l = 0; l < 32; l++)
            row[l] = mask & lane_bit[l] ? v[l] : row[l];
    }
}

/* In each half-warp lane after lane, word after word. */
static inline bool lanes_in_lines(const uint32_t addr[32])
{
    uint32_t uneven = 0;
    for (uint32_t l = 0; l < 16; l++)
        uneven |= (addr[l] ^ (addr[0] + 4 * l)) | (addr[16 + l] ^ (addr[16] + 4 * l));
    return !uneven;
}

/* Bit 31 of each lane, as a word with a bit a lane. */
static inline uint32_t lanes_signs(const uint32_t v[32])
{
    uint32_t bits = 0;
#ifdef __SSE2__
    typedef int v4 __attribute__((vector_size(16), aligned(4), may_alias));
    typedef short v8 __attribute__((vector_size(16)));
    typedef char v16 __attribute__((vector_size(16)));
    const v4 *x = (const v4 *)v; /* narrowing saturates and so keeps signs */
    for (int i = 0; i < 8; i += 4) {
        v8 low = __builtin_ia32_packssdw128(x[i], x[i + 1]);
        v8 high = __builtin_ia32_packssdw128(x[i + 2], x[i + 3]);
        v16 bytes = __builtin_ia32_packsswb128(low, high);
        bits |= (uint32_t)__builtin_ia32_pmovmskb128(bytes) << 4 * i;
    }
#else
    for (int l = 0; l < 32; l++)
        bits |= v[l] >> 31 << l;
#endif
    return bits;
}

/* Bit n of each lane's byte, as a word with a bit a lane. */
static inline uint32_t lanes_bits(const uint8_t byte[32], int n)
{
    uint32_t bits = 0;
#ifdef __SSE2__
    typedef char v16 __attribute__((vector_size(16), aligned(1), may_alias));
    typedef short v8 __attribute__((vector_size(16), aligned(1), may_alias));
    /* the sign bit of each byte is what movemask gathers; shifting 16-bit units moves no bit n from
     * one byte to the other's */
    const v8 *v = (const v8 *)byte;
    bits = (uint32_t)__builtin_ia32_pmovmskb128((v16)(v[0] << (7 - n))) |
           (uint32_t)__builtin_ia32_pmovmskb128((v16)(v[1] << (7 - n))) << 16;
#else
    for (int l = 0; l < 32; l++)
        bits |= (uint32_t)(byte[l] >> n & 1) << l;
#endif
    return bits;
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
