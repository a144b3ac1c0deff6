/* cache.h -- the caches of a chip: real lines, tags, valid, dirty and replacement bits.
 *
 * They stand in the memory pages behind all else, so that copies and comparisons of memory are
 * those of caches too, and machines without caches pay nothing. A line is found by its address: 32
 * bits behind the cache_base() of its space, those of global memory, or the offset in the local memory
 * of all SMs, in that of constants or in the code. Bits beyond those of a tag are dropped.
 *
 * Walk: a request that leaves Execute, an instruction that enters it with a constant, or a warp
 * that may be picked for Fetch, asks
 * cache_probe() which level answers, which is all that time depends on; nothing changes. In its
 * Write-back, or at the end of Fetch, cache_access() does all there is to do, through all levels at once: look up, choose a victim, write it back, fill, read or write. cache_empty() is the
 * end of a launch.
 *
 * Rules that hold for any bits, whatever faults did to them:
 *   - of several ways that match, the lowest counts;
 *   - the victim is the lowest way that is not valid; else by the replacement bits: lru and fifo the
 *     lowest of the ways with the largest age, plru the lowest whose bit is 0, or way 0;
 *   - lru: an access, fifo: a fill gives its way age 0 and adds one to the ages below the old one;
 *     plru: an access sets its way's bit, and clears all others when that was the last 0;
 *   - of a line that goes back or is fetched, bytes that no buffer holds are dropped, and read 0.
 *
 * In place of these caches, those of gpuFI-4 can stand (CACHE_MODEL_GPUFI). Hits, misses, victims and
 * dirty bits are the same, but no line holds data: words are read and written in memory at once. In
 * the place of a line stands what differs, which is zero but for faults:
 *   - of a data bit that was flipped: what each load that hits the line gets otherwise. It ends when
 *     the line leaves; in l1d, when a store hits that quarter of the line (a sector there); in l2,
 *     when a store hits the line in both;
 *   - of a tag, which has the bits of a 64-bit address above the line, those of the set too.
 */
#ifndef SM_CACHE_H
#define SM_CACHE_H

#include "sm/job/profile.h"
#include "sm/memory/memory.h"

static inline uint64_t cache_base(enum cache_space space)
{
    return (uint64_t)space << 32;
}

/* What a way holds beside its line. */
struct cache_entry {
    uint32_t tag;
    uint16_t age; /* lru, fifo; plru: one bit */
    uint8_t valid, dirty;
};

/* A cache of the profile as it lies in the memory pages: that of sm0 at `at`, each `each` bytes. The
 * entries of a set stand side by side, `stride` of them, then come the lines. */
struct cache_shape {
    struct profile_cache is;
    enum cache_place place;
    uint32_t sets, stride, at, each, lines; /* lines: offset of the first one in an instance */
    uint32_t tag_bits, age_bits;
    uint64_t base; /* of the addresses that it may hold: tags count from there */
    /* gpuFI-4's: offset of the first struct cache_wrong in an instance, which lie as entries do, and
     * its bits; else 0 */
    uint32_t wrong, wrong_bits;
};

/* gpuFI-4's: the bits in which a tag differs from what was fetched, from the lowest above the line on. */
struct cache_wrong {
    uint32_t low, high;
};

struct cache_map {
    bool any, chip, instructions; /* there is one; one of the chip; one for instructions */
    struct cache_shape cache[CACHES];
    int first[CACHE_ASKERS]; /* where requests go first, or CACHE_MEMORY */
};

/* Lays them out from page `at` on, returns the end. */
uint32_t cache_lay_out(struct cache_map *map, const struct profile *p, uint32_t at);
/* What a chip begins with: nothing valid, way n of age n. */
void cache_reset(const struct cache_map *map, int sms, uint8_t *pages);

/* Offsets in the memory pages, of cache `c` of an SM. */
static inline uint32_t cache_entry_at(const struct cache_shape *c, int sm, uint32_t set,
                                      uint32_t way)
{
    uint32_t at = c->at + (c->place == CACHE_OF_SM ? (uint32_t)sm * c->each : 0);
    return at + (set * c->stride + way) * (uint32_t)sizeof(struct cache_entry);
}

static inline uint32_t cache_line_at(const struct cache_shape *c, int sm, uint32_t set,
                                     uint32_t way)
{
    uint32_t at = c->at + (c->place == CACHE_OF_SM ? (uint32_t)sm * c->each : 0);
    return at + c->lines + (set * c->is.ways + way) * c->is.line;
}

static inline uint32_t cache_wrong_at(const struct cache_shape *c, int sm, uint32_t set,
                                      uint32_t way)
{
    uint32_t at = c->at + (c->place == CACHE_OF_SM ? (uint32_t)sm * c->each : 0);
    return at + c->wrong + (set * c->stride + way) * (uint32_t)sizeof(struct cache_wrong);
}

struct cache_count {
    uint64_t hits, misses, write_backs;
};

/* What an access reads and writes of a cache, reported by the code that does it. Only bits that matter: those
 * of which one alone, had it another value, would make a difference. */
enum cache_part { CACHE_TAG, CACHE_VALID, CACHE_AGE, CACHE_DIRTY, CACHE_HIGH, CACHE_DATA };
struct cache_hook {
    /* word: of a line; else 0 */
    void (*cell)(void *context, int cache, int sm, enum cache_part part, uint32_t set, uint32_t way,
                 uint32_t word, uint32_t mask, bool write);
    /* bytes of the memory pages */
    void (*memory)(void *context, uint32_t at, uint32_t size, bool write);
    void *context;
};

/* The caches as an SM sees them. */
struct cache_view {
    const struct cache_map *map;
    struct sm_memory *memory;
    int sm;
    struct cache_count *count; /* [CACHES] */
    /* Of `size` bytes at an address, those that a buffer holds: how many, from which on, and where
     * they stand in the memory pages. */
    uint32_t (*find)(const void *image, uint64_t addr, uint32_t size, uint32_t *from, uint32_t *at);
    const void *image;
    const struct cache_hook *hook; /* NULL: nothing is reported */
    /* Cells are held: called after each change. NULL: none is. */
    void (*hold)(void *context);
    void *context;
};

/* Which level answers a request to the line of an address, from cache `c` on: a cache or
 * CACHE_MEMORY. */
int cache_probe(const struct cache_view *v, int c, uint64_t addr, bool store);
/* Reads or writes those of `size` bytes at `addr` whose mask is 1, not 0; they lie in one line of `c`. What is read
 * without a hook needs no mask, and has all bytes, of caches that hold data. */
void cache_access(const struct cache_view *v, int c, uint64_t addr, uint32_t size, uint8_t *bytes,
                  const uint8_t *mask, bool store);
/* The same at the first level from `c` on that all SMs share, which may be memory; caches of the SM lose the line. */
void cache_access_shared(const struct cache_view *v, int c, uint64_t addr, uint32_t size,
                         uint8_t *bytes, const uint8_t *mask, bool store);
/* Its number. */
static inline int cache_shared(const struct cache_map *map, int c)
{
    while (c != CACHE_MEMORY && map->cache[c].place == CACHE_OF_SM)
        c = map->cache[c].is.next;
    return c;
}
/* The word that a load through cache `c` would find at an address. Changes and reports nothing. */
uint32_t cache_peek(const struct cache_view *v, int c, uint64_t addr);
/* Its dirty lines go back, in the order of sets and ways, and no line is valid any more. */
void cache_empty(const struct cache_view *v, int c);

#endif
