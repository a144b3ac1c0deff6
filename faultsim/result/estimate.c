/* estimate.c -- from a sample of permanent faults to all of them. See estimate.h. */
#include "estimate.h"

#include <stdlib.h>
#include <string.h>

static double confidence_of(const struct result *r)
{
    return r->nparts ? r->part[0].confidence : 0.95;
}

size_t estimate_draw(const struct result *r, const char *target)
{
    switch (result_model(r)->drawn) {
    case DRAWN_AT_ONCE: return 0;
    case DRAWN_BY_UNIT: return strcspn(target, ".");
    default: return strlen(target);
    }
}

static bool drawn_together(const struct result *r, const char *a, const char *b)
{
    size_t n = estimate_draw(r, a);
    return n == estimate_draw(r, b) && strncmp(a, b, n) == 0;
}

/* NULL: any. */
static bool is(const char *wanted, const char *name)
{
    return !wanted || strcmp(wanted, name) == 0;
}

static struct estimate population(const struct result *r, const char *target, const char *field)
{
    struct estimate e = {.drawn = r->npopulations > 0};
    for (int i = 0; i < r->npopulations; i++)
        if (is(target, r->population[i].target) && is(field, r->population[i].field)) {
            e.faults += r->population[i].faults;
            e.untestable += r->population[i].untestable;
        }
    return e;
}

static void set_share(struct estimate *e, uint64_t detected, uint64_t testable, double confidence)
{
    e->share = testable ? (double)detected / (double)testable : 0;
    e->at = e->drawn && e->faults > e->untestable
                ? stats_wilson_of(detected, testable, e->faults - e->untestable, confidence)
                : (struct stats_interval){e->share, e->share};
}

struct estimate estimate_of(const struct result *r, const struct estimate_found *found)
{
    struct estimate e = population(r, found->target, found->field);
    set_share(&e, found->detected, found->testable, confidence_of(r));
    return e;
}

static double weight(const struct estimate *e)
{
    return (double)(e->faults - e->untestable);
}

/* Adds a target of the same draw. */
static void add(struct estimate *to, const struct estimate *e)
{
    double a = weight(to), b = weight(e);
    to->faults += e->faults;
    to->untestable += e->untestable;
    if (a + b == 0)
        return;
    to->share = (a * to->share + b * e->share) / (a + b);
    to->at.lo = (a * to->at.lo + b * e->at.lo) / (a + b);
    to->at.hi = (a * to->at.hi + b * e->at.hi) / (a + b);
}

/* One sample over all targets. */
static struct estimate pool(const struct result *r, const struct estimate_found *found, int n)
{
    struct estimate e = population(r, NULL, NULL);
    uint64_t detected = 0, testable = 0;
    for (int i = 0; i < n; i++) {
        detected += found[i].detected;
        testable += found[i].testable;
    }
    set_share(&e, detected, testable, confidence_of(r));
    return e;
}

struct estimate estimate_sum(const struct result *r, const struct estimate_found *found, int n)
{
    struct estimate sum = {.drawn = r->npopulations > 0};
    if (!sum.drawn || n == 1 || result_model(r)->drawn == DRAWN_AT_ONCE)
        return pool(r, found, n);
    struct stats_share *share = fl_alloc((size_t)n * sizeof *share);
    int draws = 0;
    for (int i = 0; i < n; i++) {
        struct estimate draw = {0};
        bool seen = false;
        for (int k = 0; k < n; k++)
            if (drawn_together(r, found[i].target, found[k].target)) {
                struct estimate e = estimate_of(r, &found[k]);
                seen |= k < i;
                add(&draw, &e);
            }
        if (seen)
            continue;
        share[draws++] = (struct stats_share){weight(&draw), draw.share, draw.at};
        add(&sum, &draw);
    }
    sum.at = stats_sum(share, draws);
    if (weight(&sum) > 0) {
        sum.at.lo /= weight(&sum);
        sum.at.hi /= weight(&sum);
    }
    free(share);
    return sum;
}

double estimate_of_all(const struct estimate *e, double share)
{
    return e->faults ? share * weight(e) / (double)e->faults : 0;
}
