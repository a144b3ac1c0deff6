/* stats.c -- sampling: sizes, intervals, draws. */
#include "stats.h"

#include <math.h>

#include "base/random.h"
/* ---- sizes and intervals --------------------------------------------------------------------- */

static double normal(double x) /* P(standard normal <= x); erfc keeps its digits in the tail */
{
    return 0.5 * erfc(-x / sqrt(2.0));
}

double stats_quantile(double p)
{
    /* Bisection needs no table of coefficients, and is asked once a report. 40 standard deviations
     * are beyond any double but 0 and 1; the upper half is taken from the lower, where small
     * probabilities keep their digits. */
    if (p > 0.5)
        return -stats_quantile(1.0 - p);
    double low = -40, high = 0;
    for (int i = 0; i < 200 && low < high; i++) {
        double mid = low + (high - low) / 2;
        if (mid == low || mid == high)
            break;
        if (normal(mid) < p)
            low = mid;
        else
            high = mid;
    }
    return high;
}

double stats_t(double confidence)
{
    return -stats_quantile((1.0 - confidence) / 2);
}

int stats_sample_size(uint64_t population, double margin, double confidence, double p, uint64_t *n,
                      struct fl_err *err)
{
    /* Written so that NaN is refused too. */
    if (!(margin > 0 && margin < 1))
        return fl_fail(
            err, "a margin of %g is not possible: give one between 0 and 1, 0.01 for 1%%", margin);
    if (!(confidence > 0 && confidence < 1))
        return fl_fail(
            err, "a confidence of %g is not possible: give one between 0 and 1, 0.95 for 95%%",
            confidence);
    if (!(p > 0 && p < 1))
        return fl_fail(err, "an expected AVF of %g is not possible: give one between 0 and 1", p);
    double t = stats_t(confidence), all = (double)population;
    double need = ceil(all / (1 + margin * margin * (all - 1) / (t * t * p * (1 - p))));
    if (need >= all)
        return fl_fail(err,
                       "a margin of %g at confidence %g needs all of the %llu flips there are: use "
                       "--exact, or a wider margin",
                       margin, confidence, (unsigned long long)population);
    *n = (uint64_t)need;
    return 0;
}

double stats_margin(uint64_t n, uint64_t population, double confidence, double p)
{
    double t = stats_t(confidence), all = (double)population, some = (double)n;
    if (n == 0)
        return 1;
    if (n >= population)
        return 0;
    return t * sqrt(p * (1 - p) / some * (all - some) / (all - 1));
}

/* Of hit + miss, which need not be whole. */
static struct stats_interval wilson(double hit, double miss, double confidence)
{
    double t = stats_t(confidence), all = hit + miss, middle = (hit + t * t / 2) / (all + t * t);
    double half = t / (all + t * t) * sqrt(hit * miss / all + t * t / 4);
    /* Exact ends: rounding must not make "none failed" a lower bound above 0. */
    return (struct stats_interval){hit > 0 ? middle - half : 0, miss > 0 ? middle + half : 1};
}

struct stats_interval stats_wilson(uint64_t k, uint64_t n, double confidence)
{
    return n ? wilson((double)k, (double)(n - k), confidence) : (struct stats_interval){0, 1};
}

struct stats_interval stats_wilson_of(uint64_t k, uint64_t n, uint64_t population,
                                      double confidence)
{
    double all = (double)population, hit = (double)k, miss = (double)(n - k);
    if (n >= population)
        return (struct stats_interval){hit / (double)n, hit / (double)n};
    if (n == 0)
        return (struct stats_interval){0, 1};
    double worth = (all - 1) / (all - (double)n); /* of each, in draws with replacement */
    struct stats_interval w = wilson(worth * hit, worth * miss, confidence);
    return (struct stats_interval){fmax(floor(w.lo * all), hit) / all,
                                   fmin(ceil(w.hi * all), all - miss) / all};
}

struct stats_interval stats_sum(const struct stats_share *s, int n)
{
    double sum = 0, below = 0, above = 0;
    for (int i = 0; i < n; i++) {
        double lo = s[i].weight * (s[i].share - s[i].at.lo);
        double hi = s[i].weight * (s[i].at.hi - s[i].share);
        sum += s[i].weight * s[i].share;
        below += lo * lo;
        above += hi * hi;
    }
    return (struct stats_interval){sum - sqrt(below), sum + sqrt(above)};
}

int stats_population(uint64_t bits, uint64_t cycles, uint64_t *population, struct fl_err *err)
{
    unsigned __int128 all = (unsigned __int128)bits * cycles;
    /* The store's integers have 63 bits. */
    if (all > INT64_MAX)
        return fl_fail(err,
                       "%llu bits in %llu cycles are more flips than fit 63 bits: restrict the "
                       "campaign with --cycles or --target",
                       (unsigned long long)bits, (unsigned long long)cycles);
    *population = (uint64_t)all;
    return 0;
}

/* ---- draws ----------------------------------------------------------------------------------- */

struct stats_stream stats_stream_of(uint64_t seed, uint64_t number)
{
    /* Mixed twice, so that streams of neighbouring numbers or seeds do not start as shifts of each
     * other. */
    return (struct stats_stream){fl_random_mix(fl_random_mix(seed + FL_RANDOM_STEP) + number)};
}

uint64_t stats_next(struct stats_stream *s)
{
    return fl_random(&s->state);
}

uint64_t stats_below(struct stats_stream *s, uint64_t n)
{
    /* The top of the 128-bit product is in [0, n); the products whose low half is below 2^64 mod n
     * are thrown away, so that every result has equally many left. */
    uint64_t excess = -n % n;
    for (;;) {
        unsigned __int128 product = (unsigned __int128)stats_next(s) * n;
        if ((uint64_t)product >= excess)
            return (uint64_t)(product >> 64);
    }
}

uint64_t stats_draw(uint64_t seed, uint64_t number, uint64_t population)
{
    struct stats_stream s = stats_stream_of(seed, number);
    return stats_below(&s, population);
}
