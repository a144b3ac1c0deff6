/* order.h -- in which order the classes of a unit's faults are worked on: where they first show, those of
 * equal answers together, masked ones last; and which of them: all, a list, a sample.
 */
#ifndef FAULTSIM_GATE_ORDER_H
#define FAULTSIM_GATE_ORDER_H

#include "faultsim/campaign/campaign.h"
#include "response.h"

struct order {
    uint32_t *class; /* [faults] */
    uint64_t *place; /* [all classes] in the job's list, from 1 */
    uint64_t faults;
};

/* Of `count` classes those that are `wanted` (NULL: all), of these so many as `sample`, drawn by `seed`; 0: all. `before`:
 * faults in the job's list before these. Caller frees with order_free, which leaves an empty one. */
void order_choose(struct order *o, uint32_t count, const bool *wanted, uint64_t sample,
                  uint64_t seed, uint64_t before);
/* Puts classes in order, by what they answer. */
void order_sort(uint32_t *class, uint64_t n, const struct response *response);
void order_free(struct order *o);

/* Counts fault number `number` of the order where it first shows, or in the first launch. */
void order_count(const struct order *o, const struct job_context *ctx, struct store_found *found,
                 uint64_t number, const char *id, const struct fsim_result *result);

#endif
