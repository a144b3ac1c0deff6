/* estimate.h -- what a sample of permanent faults says of all faults that it was drawn from.
 *
 * The denominator is what can be detected: faults that are proved untestable are counted, all of them, in the population,
 * and what is drawn and not untestable is a sample, without replacement, of the rest. So a share of testable faults has an
 * interval (stats_wilson_of), and the share of all faults is that times a number that is known.
 *
 * Of several targets together:
 *
 *     stuck-at   each target has its own draw: MOVER over them, weighted with their testable faults
 *     memory     one draw over all: one sample, of all that is testable
 *     gate       the SPs of a unit share a draw, units do not: within a unit intervals add up, which
 *                is safe whatever the SPs have in common; MOVER over units
 *
 * A campaign that was not drawn stands for itself: its shares have no interval.
 */
#ifndef ESTIMATE_H
#define ESTIMATE_H

#include "result.h"
#include "base/stats.h"

struct estimate {
    bool drawn;
    uint64_t faults, untestable; /* of the population; 0 when nothing was drawn */
    double share;                /* of what is testable, that is detected; 0 when nothing is */
    struct stats_interval at;
};

/* What was found of a target, or of one of its fields (NULL: all of it): so many of `testable`
 * faults that were injected and are not untestable. */
struct estimate_found {
    const char *target, *field;
    uint64_t detected, testable;
};
struct estimate estimate_of(const struct result *r, const struct estimate_found *found);
/* Of all targets together. */
struct estimate estimate_sum(const struct result *r, const struct estimate_found *found, int n);

/* How many letters of the name of a target say with which others it was drawn: those that share them. */
size_t estimate_draw(const struct result *r, const char *target);

/* A share of testable faults, as one of all. */
double estimate_of_all(const struct estimate *e, double share);

#endif
