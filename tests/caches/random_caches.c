/* random_caches.c -- see random_caches.h. */
#include "random_caches.h"

#include "tests/lib/machine.h"

static uint32_t below(uint64_t *seed, uint32_t n)
{
    return machine_random(seed) % n;
}

static struct profile_cache random_cache(uint64_t *seed, bool back)
{
    struct profile_cache c = {.line = 16u << below(seed, 4), .ways = 2 + below(seed, 4)};
    c.bytes = c.line * c.ways * (1 + below(seed, 4));
    c.replacement = (int)below(seed, 3);
    c.write = back ? (int)below(seed, 2) : CACHE_THROUGH;
    c.allocate = (int)below(seed, 2);
    c.on_store = c.write == CACHE_THROUGH && c.allocate == CACHE_READ ? (int)below(seed, 2)
                                                                      : CACHE_UPDATE;
    c.spaces = 1 + below(seed, 3);
    c.latency = 1 + below(seed, 20);
    c.next = CACHE_MEMORY;
    return c;
}

static struct profile_cache read_only(uint64_t *seed, uint32_t spaces)
{
    struct profile_cache c = random_cache(seed, false);
    c.allocate = c.on_store = 0;
    c.spaces = spaces;
    return c;
}

/* What an SM has goes to the L2, which then has their spaces too. */
static void put_behind(struct profile *p, int l1)
{
    struct profile_cache *l2 = &p->cache[CACHE_L2];
    l2->spaces |= p->cache[l1].spaces;
    p->cache[l1].next = CACHE_L2;
    if (l2->line < p->cache[l1].line) {
        l2->line = p->cache[l1].line;
        l2->bytes = 2 * l2->line * l2->ways;
    }
}

/* Drawn beside the others, which stay what they were without it. */
static void add_instructions(uint64_t seed, struct profile *p)
{
    if (below(&seed, 3))
        return;
    p->cache[CACHE_L1I] = read_only(&seed, 1u << CACHE_CODE);
    p->cache[CACHE_L1I].latency = below(&seed, 2) ? 0 : below(&seed, 20);
    if (p->cache[CACHE_L2].bytes && below(&seed, 3))
        put_behind(p, CACHE_L1I);
}

void random_caches(uint64_t *seed, struct profile *p)
{
    uint32_t which = 1 + below(seed, 15);
    if (which & 1)
        p->cache[CACHE_L1D] = random_cache(seed, p->sms == 1);
    if (which & 2)
        p->cache[CACHE_L2] = random_cache(seed, true);
    if (which & 4)
        p->cache[CACHE_L1C] = read_only(seed, 1u << CACHE_CONSTANT);
    if (which & 2 && which & 1)
        put_behind(p, CACHE_L1D);
    if (which & 2 && which & 4 && below(seed, 4))
        put_behind(p, CACHE_L1C);
    if (which & 8)
        p->cache[CACHE_L1T] = read_only(seed, 1u << CACHE_GLOBAL);
    if (which & 8 && which & 2 && (p->cache[CACHE_L2].spaces >> CACHE_GLOBAL & 1 || below(seed, 2)))
        put_behind(p, CACHE_L1T); /* nobody goes round what may hold newer words */
    add_instructions(*seed, p);
}
