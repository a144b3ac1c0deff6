/* hash.h -- FNV-1a, for telling apart what is not hostile; hex of digests. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define FL_HASH_START 0xcbf29ce484222325u

/* One more word, or byte, into a hash that began as FL_HASH_START. */
static inline uint64_t fl_hash(uint64_t h, uint64_t v)
{
    return (h ^ v) * 0x100000001b3u;
}

static inline uint64_t fl_hash_bytes(uint64_t h, const void *bytes, size_t n)
{
    for (const uint8_t *p = bytes; n; n--)
        h = fl_hash(h, *p++);
    return h;
}

/* Bytes, as of a SHA-256, in hex with a zero at the end: `out` has room for 2 n + 1. */
static inline void fl_hex(const uint8_t *bytes, size_t n, char *out)
{
    for (size_t i = 0; i < n; i++) {
        out[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
        out[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
    }
    out[2 * n] = 0;
}

#endif
