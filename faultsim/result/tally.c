/* tally.c -- adds tallies up. */
#include "tally.h"

#include <math.h>

void tally_count(struct tally *to, const struct tally *more)
{
    to->counted += more->counted;
    for (int o = 0; o < OUT_COUNT; o++)
        to->outcome[o] += more->outcome[o];
    for (int r = 0; r < REASON_COUNT; r++)
        to->reason[r] += more->reason[r];
    for (int e = 0; e < EXTENT_COUNT; e++)
        to->extent[e] += more->extent[e];
    to->owned_counted += more->owned_counted;
    to->owned_failed += more->owned_failed;
    to->not_run += more->not_run;
    to->ace += more->ace;
    to->groups += more->groups;
    to->runs += more->runs;
}

void tally_add(struct tally *to, const struct tally *more)
{
    to->bits = more->bits;
    to->cycles += more->cycles;
    to->population += more->population;
    to->owned += more->owned;
    to->warp_cycles += more->warp_cycles;
    tally_count(to, more);
}

void tally_wrong(struct tally *t, uint32_t elements, uint32_t unwritten, double by,
                 const struct anatomy *a, uint64_t weight)
{
    if (!elements)
        return;
    t->extent[elements <= 1     ? EXTENT_1
              : elements <= 10  ? EXTENT_TO_10
              : elements <= 100 ? EXTENT_TO_100
                                : EXTENT_ABOVE_100] += weight;
    t->extent[elements && unwritten == elements ? EXTENT_UNWRITTEN
              : isnan(by)                       ? EXTENT_BY_UNKNOWN
              : by <= 1e-4                      ? EXTENT_BY_1E_4
              : by <= 1e-2                      ? EXTENT_BY_1E_2
              : by <= 1                         ? EXTENT_BY_1
                                                : EXTENT_BY_MORE] += weight;
    if (a->writers == WRITERS_UNKNOWN)
        return;
    t->extent[EXTENT_VALUE + anatomy_main_value(a)] += weight;
    if (anatomy_main_bits(a) < ANATOMY_BITS)
        t->extent[EXTENT_BITS + anatomy_main_bits(a)] += weight;
    t->extent[EXTENT_WRITERS + a->writers - 1] += weight;
}

uint64_t tally_failed(const struct tally *t)
{
    return fsim_outcomes_failed(t->outcome);
}

uint64_t tally_unowned(const struct tally *t)
{
    return t->counted - t->owned_counted;
}
