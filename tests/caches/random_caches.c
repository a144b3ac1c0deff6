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

void random_caches(uint64_t *seed, struct profile *p)
{
    struct profile_cache *l1 = &p->cache[CACHE_L1D], *l2 = &p->cache[CACHE_L2];
    uint32_t which = 1 + below(seed, 3);
    if (which & 1)
        *l1 = random_cache(seed, p->sms == 1);
    if (which & 2)
        *l2 = random_cache(seed, true);
    if (which == 3) {
        l2->spaces |= l1->spaces;
        l1->next = CACHE_L2;
        if (l2->line < l1->line) {
            l2->line = l1->line;
            l2->bytes = 2 * l2->line * l2->ways;
        }
    }
}
