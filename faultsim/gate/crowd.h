/* crowd.h -- the gates of a unit for many machines at once: each has faults of its own and asks about
 * vectors of its own; every fault with every vector is one bit of a word.
 */
#ifndef FAULTSIM_GATE_CROWD_H
#define FAULTSIM_GATE_CROWD_H

#include "unit.h"

struct crowd;

enum {
    CROWD_MEMBERS = 64,
    CROWD_FAULTS = 31 /* of a member: with the fault-free unit half a word */
};

/* A member asks about at most `vectors` at once. */
struct crowd *crowd_new(const struct unit *u, uint32_t vectors);
void crowd_free(struct crowd *c);

/* Member number `member` has these faults from now on, at most CROWD_FAULTS, which stay the
 * caller's; none: it leaves. */
void crowd_set(struct crowd *c, uint32_t member, const uint32_t *fault, uint32_t n);
/* It wants to know of each vector and fault which outputs are wrong, care applied: diff[vector * n +
 * fault]. Both arrays stay until crowd_answer. */
void crowd_ask(struct crowd *c, uint32_t member, const struct vector *v, uint32_t count,
               uint64_t *diff);
/* Answers all who have asked. */
void crowd_answer(struct crowd *c);

#endif
