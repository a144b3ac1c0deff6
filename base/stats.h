/* stats.h -- how many flips to draw, which ones, and what their outcomes say about all flips.
 *
 * Two different things: the number of flips comes from Leveugle's formula, before any is known; the
 * interval of an AVF comes from the flips themselves, after Wilson.
 */
#ifndef STATS_H
#define STATS_H

#include "base/fl.h"

/* x with P(standard normal <= x) = p, for 0 < p < 1. */
double stats_quantile(double p);
/* The t of two-sided confidence: 0.95 -> 1.95996. */
double stats_t(double confidence);

/* Leveugle et al., "Statistical fault injection", DATE 2009: n = N / (1 + e^2 (N - 1) / (t^2 p (1 -
 * p))), rounded up. `p` is the expected share of failures; 0.5 is the safe choice. Refused: numbers
 * out of range, and a margin that needs every flip there is. */
int stats_sample_size(uint64_t population, double margin, double confidence, double p, uint64_t *n,
                      struct fl_err *err);
/* The same formula the other way: the margin of n flips. */
double stats_margin(uint64_t n, uint64_t population, double confidence, double p);

/* Wilson's score interval of k failures in n flips. n = 0: 0 to 1. */
struct stats_interval {
    double lo, hi;
};
struct stats_interval stats_wilson(uint64_t k, uint64_t n, double confidence);

/* The same of n that were drawn without replacement from `population`: the variance is that of the
 * hypergeometric distribution, (population - n) / (population - 1) as large. The ends are whole
 * numbers of the population, rounded outwards: else the interval of few failures, or of all but a
 * few, would hold the truth in as few as 80 % of all samples. What was drawn bounds them; when all
 * were, no interval is left. */
struct stats_interval stats_wilson_of(uint64_t k, uint64_t n, uint64_t population,
                                      double confidence);

/* The interval of the weighted sum of independent shares, from the interval of each: MOVER, the
 * method of variance estimates recovery (G. Y. Zou, A. Donner, "Construction of confidence limits
 * about effect measures: a general approach", Statistics in Medicine 27(10), 2008, doi
 * 10.1002/sim.3095). */
struct stats_share {
    double weight, share;
    struct stats_interval at;
};
struct stats_interval stats_sum(const struct stats_share *s, int n);

/* bits x cycles; refused when it does not fit 64 bits. */
int stats_population(uint64_t bits, uint64_t cycles, uint64_t *population, struct fl_err *err);

/* Flip number `number` of the seeded order: an unbiased index in [0, population), independent of
 * all others (so one may come twice). It depends on its arguments alone: a shard or a resumed
 * campaign draws its flips without those before. */
uint64_t stats_draw(uint64_t seed, uint64_t number, uint64_t population);

/* The same as a stream, for choices inside one flip (which further bits): splitmix64. */
struct stats_stream {
    uint64_t state;
};
struct stats_stream stats_stream_of(uint64_t seed, uint64_t number);
uint64_t stats_next(struct stats_stream *s);
uint64_t stats_below(struct stats_stream *s, uint64_t n); /* unbiased, in [0, n); n > 0 */
/* What splitmix64 puts out for a state (Steele, Lea, Flood 2014): one to one, and every bit of z
 * moves half of the bits. */

#endif
