/* batch.h -- the gates of a unit for many machines at once: each has faults of its own and asks about
 * vectors of its own; every fault with every vector is one bit of a word.
 */
#ifndef FAULTSIM_LANE_BATCH_H
#define FAULTSIM_LANE_BATCH_H

#include "lane.h"

struct batch;

enum {
    BATCH_MEMBERS = 64,
    BATCH_FAULTS = 31 /* of a member: with the fault-free unit half a word */
};

/* A member asks about at most `vectors` at once. */
struct batch *batch_new(const struct unit *u, uint32_t vectors);
void batch_free(struct batch *c);

/* Member number `member` has these faults from now on, at most BATCH_FAULTS, which stay the
 * caller's; none: it leaves. */
void batch_set(struct batch *c, uint32_t member, const uint32_t *fault, uint32_t n);
/* It wants to know of each vector and fault which outputs are wrong, care applied: diff[vector * n +
 * fault]. Both arrays stay until batch_answer. */
void batch_ask(struct batch *c, uint32_t member, const struct use *v, uint32_t count,
               uint64_t *diff);
/* Answers all who have asked. */
void batch_answer(struct batch *c);

#endif
