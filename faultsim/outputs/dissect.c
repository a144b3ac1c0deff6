/* dissect.c -- see dissect.h. */
#include "dissect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- values and bits ------------------------------------------------------------------------- */

static enum anatomy_value value_of(const struct job_output *o, uint32_t right, uint32_t wrong)
{
    enum { SIGN = 1, EXPONENT = 2, MANTISSA = 4 };
    const uint32_t size = wrong & 0x7fffffff, differs = right ^ wrong;
    if (!o->typed || o->element != ELEMENT_F32)
        return VALUE_OTHER;
    if (size >= 0x7f800000)
        return size > 0x7f800000 ? VALUE_NAN : VALUE_INF;
    if (size == 0)
        return VALUE_ZERO;
    switch ((differs >> 31 ? SIGN : 0) | (differs & 0x7f800000 ? EXPONENT : 0) |
            (differs & 0x7fffff ? MANTISSA : 0)) {
    case SIGN: return VALUE_SIGN;
    case EXPONENT: return VALUE_EXPONENT;
    case MANTISSA: return VALUE_MANTISSA;
    default: return VALUE_FIELDS;
    }
}

static enum anatomy_bits bits_of(uint32_t differs)
{
    const int n = __builtin_popcount(differs);
    return n == 1 ? BITS_1 : n <= 4 ? BITS_2_4 : n <= 8 ? BITS_5_8 : BITS_MORE;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The lower of two in the middle: it is one of them. */
static double median_of(const struct dissected *d, uint32_t n)
{
    double *by = fl_alloc(n * sizeof *by), median = NAN;
    uint32_t known = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!d[i].unwritten && !isnan(d[i].by))
            by[known++] = d[i].by;
    qsort(by, known, sizeof *by, by_size);
    if (known)
        median = by[(known - 1) / 2];
    free(by);
    return median;
}

/* ---- where ----------------------------------------------------------------------------------- */

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    while (b) {
        const uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* In one output: what divides all distances of three elements or more, else what the fewest distances, up to 16, add up to
 * that come back all the time. */
static uint32_t period_of(const struct dissected *d, uint32_t n)
{
    enum { MOST_GAPS = 16 };
    uint32_t divides = 0;
    if (n < 3 || d[0].e.output != d[n - 1].e.output)
        return 0;
    for (uint32_t i = 1; i < n; i++)
        divides = common_divisor(divides, d[i].e.index - d[i - 1].e.index);
    if (divides > 1)
        return divides;
    for (uint32_t gaps = 1; gaps <= MOST_GAPS && 2 * gaps < n; gaps++) {
        const uint32_t period = d[gaps].e.index - d[0].e.index;
        uint32_t i = 0;
        while (i + gaps < n && d[i + gaps].e.index - d[i].e.index == period)
            i++;
        if (i + gaps == n)
            return period;
    }
    return 0;
}

struct common { /* to the writers so far */
    const struct writer *first;
    bool thread, lane, sp, instruction, warp, block;
};

static void meet(struct common *c, const struct writer *w, uint32_t sps)
{
    const struct writer *f = c->first;
    if (!f) {
        *c = (struct common){w, true, true, true, true, true, true};
        return;
    }
    c->lane &= w->lane == f->lane;
    c->sp &= w->lane % sps == f->lane % sps;
    c->block &= w->launch == f->launch && w->block == f->block;
    c->warp &= c->block && w->warp == f->warp;
    c->instruction &= c->warp && w->pc == f->pc;
    c->thread &= c->warp && c->lane;
}

void dissect(const struct writers *w, const struct dissected *d, uint32_t n, struct anatomy *out)
{
    const struct sm_image *img = writers_image(w);
    struct common c = {0};
    *out = (struct anatomy){.median = median_of(d, n), .period = period_of(d, n)};
    for (uint32_t i = 0; i < n; i++) {
        const struct outputs_element *e = &d[i].e;
        const struct writer *by = writers_of(w, e->output, e->index);
        if (by->lane < SM_LANES) {
            meet(&c, by, (uint32_t)img->profile.sps);
            out->lanes |= 1u << by->lane;
        }
        if (d[i].unwritten)
            continue;
        out->value[value_of(&img->job->output[e->output], e->right, e->wrong)]++;
        out->bits[bits_of(e->right ^ e->wrong)]++;
        out->up += (uint64_t)__builtin_popcount(e->wrong & ~e->right);
        out->down += (uint64_t)__builtin_popcount(e->right & ~e->wrong);
    }
    out->writers = n == 1                                         ? WRITERS_WORD
                   : !c.first                                     ? WRITERS_MIXED
                   : c.thread                                     ? WRITERS_THREAD
                   : 100 * (uint64_t)n >= 95 * writers_written(w) ? WRITERS_ALL
                   : c.lane                                       ? WRITERS_LANE
                   : c.sp                                         ? WRITERS_SP
                   : c.instruction                                ? WRITERS_INSTRUCTION
                   : c.warp                                       ? WRITERS_WARP
                   : c.block                                      ? WRITERS_BLOCK
                                                                  : WRITERS_MIXED;
}
