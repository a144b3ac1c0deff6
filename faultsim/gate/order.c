/* order.c -- see order.h. */
#include "order.h"

#include <stdlib.h>

#include "base/random.h"

struct key {
    struct response r;
    uint32_t class;
};

/* Machines travel forward; faults of equal answers stand together, masked ones last. */
static int by_response(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    if (x->r.first != y->r.first)
        return x->r.first < y->r.first ? -1 : 1;
    for (int i = 0; i < 2; i++)
        if (x->r.hash[i] != y->r.hash[i])
            return x->r.hash[i] < y->r.hash[i] ? -1 : 1;
    return x->class < y->class ? -1 : x->class > y->class;
}

/* Chooses `wanted` of n, the same for a seed: the front of a shuffled list. */
static void draw(uint32_t *class, uint64_t n, uint64_t wanted, uint64_t seed)
{
    for (uint64_t i = 0; i < n && i < wanted; i++) {
        uint64_t k = i + fl_random(&seed) % (n - i);
        uint32_t c = class[i];
        class[i] = class[k];
        class[k] = c;
    }
}

void order_choose(struct order *o, uint32_t count, const bool *wanted, uint64_t sample,
                  uint64_t seed, uint64_t before)
{
    *o = (struct order){.class = fl_alloc(count * sizeof *o->class),
                        .place = fl_alloc(count * sizeof *o->place)};
    for (uint32_t i = 0; i < count; i++)
        if (!wanted || wanted[i])
            o->class[o->faults++] = i;
    draw(o->class, o->faults, sample, seed);
    o->faults = sample && sample < o->faults ? sample : o->faults;
    for (uint64_t i = 0; i < o->faults; i++)
        o->place[o->class[i]] = 1; /* it is one of them */
    for (uint64_t i = 0, next = before; i < count; i++)
        o->place[i] = next += o->place[i];
}

void order_sort(uint32_t *class, uint64_t n, const struct response *response)
{
    struct key *key = fl_alloc(n * sizeof *key);
    for (uint64_t i = 0; i < n; i++)
        key[i] = (struct key){response[class[i]], class[i]};
    qsort(key, n, sizeof *key, by_response);
    for (uint64_t i = 0; i < n; i++)
        class[i] = key[i].class;
    free(key);
}

void order_free(struct order *o)
{
    free(o->class);
    free(o->place);
    *o = (struct order){0};
}

void order_count(const struct order *o, const struct job_context *ctx, struct store_found *found,
                 uint64_t number, const char *id, const struct fsim_result *r)
{
    bool shows = r->first_activation != FSIM_NEVER;
    campaign_count(ctx, found,
                   &(struct campaign_injection){.id = id,
                                                .number = number,
                                                .place = o->place[o->class[number]],
                                                .cycle = shows ? r->first_activation : 0,
                                                .result = r,
                                                .why = fsim_outcome_fails(r->outcome) ? REASON_FAILS
                                                       : shows                        ? REASON_LOGIC
                                                                                      : REASON_IDLE,
                                                .owned = true,
                                                .ran = shows,
                                                .reader = SITE_NONE,
                                                .writer = SITE_NONE});
}
