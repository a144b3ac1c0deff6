/* metrics.c -- from counts to AVF, FIT and the rest. */
#include "metrics.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/stats.h"

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

/* ---- rates ----------------------------------------------------------------------------------- */

static const struct metrics_technology technology[] = {
    {"12nm", 1.8e-6,
     "gpuFI-4's rate for RTX 2060 and Quadro GV100, from G. Li et al., SC 2017, "
     "doi 10.1145/3126908.3126964, and others"},
    {"28nm", 1.2e-5,
     "gpuFI-4's rate for GTX Titan, from A. Neale and M. Sachdev, IEEE Trans. Nucl. Sci. 63(3), "
     "2016, doi 10.1109/TNS.2016.2547963, and others"},
    {"sifi", 1e-3,
     "1 mFIT per bit, the rate that SIFI assumes, IOLTS 2017, doi 10.1109/IOLTS.2017.8046209"},
};

const struct metrics_technology *metrics_technologies(int *count)
{
    *count = (int)(sizeof technology / sizeof *technology);
    return technology;
}

const struct metrics_technology *metrics_technology(const char *name)
{
    for (size_t i = 0; i < sizeof technology / sizeof *technology; i++)
        if (strcmp(technology[i].name, name) == 0)
            return &technology[i];
    return NULL;
}

double metrics_fit(double avf, double fit_per_bit, uint64_t bits)
{
    return fit_per_bit > 0 && bits ? avf * fit_per_bit * (double)bits : NAN; /* a list: no bits */
}

double metrics_eit(double clock_mhz, uint64_t cycles)
{
    const double seconds = 3.6e12; /* in 1e9 hours */
    return ratio(seconds * clock_mhz * 1e6, (double)cycles);
}

double metrics_epf(double eit, double fit)
{
    return fit == 0 ? INFINITY : eit / fit;
}

/* ---- figures --------------------------------------------------------------------------------- */

#define FIGURE(name)                                                                               \
    {                                                                                              \
#name, offsetof(struct metrics, name)                                                      \
    }
const struct metrics_figure metrics_figure[METRICS_FIGURES] = {
    FIGURE(avf),         FIGURE(avf_lo),      FIGURE(avf_hi),    FIGURE(avf_util),
    FIGURE(avf_util_lo), FIGURE(avf_util_hi), FIGURE(occupancy), FIGURE(warp_occupancy),
    FIGURE(fit),         FIGURE(eit),         FIGURE(epf)};

/* ---- one row --------------------------------------------------------------------------------- */

void metrics_of(const struct tally_row *row, const struct metrics_setting *set, struct metrics *out)
{
    const struct tally *t = &row->t;
    double failed = (double)tally_failed(t), population = (double)t->population;
    out->occupancy = ratio((double)t->owned, population);
    out->warp_occupancy = ratio((double)t->warp_cycles, (double)t->cycles * set->warps);
    bool sample = row->method == METHOD_SAMPLE;
    struct stats_interval all = {NAN, NAN}, owned = {NAN, NAN};
    out->avf = out->avf_util = NAN;
    switch (row->method) {
    case METHOD_EXACT: out->avf = ratio(failed, population); break;
    case METHOD_SAMPLE: out->avf = ratio(failed, (double)t->counted); break;
    case METHOD_ACE: out->avf = ratio((double)t->ace, population); break;
    case METHOD_LIST:
    case METHOD_COUNT: break;
    }
    if (row->method == METHOD_ACE)
        out->avf_util = ratio((double)t->ace, (double)t->owned);
    else if (row->method != METHOD_LIST)
        out->avf_util = t->owned_counted ? (double)t->owned_failed / (double)t->owned_counted
                                         : ratio(out->avf, out->occupancy);
    if (sample) {
        all = stats_wilson(tally_failed(t), t->counted, row->confidence);
        owned = stats_wilson(t->owned_failed, t->owned_counted, row->confidence);
    }
    if (row->active_only)
        out->avf = all.lo = all.hi = NAN;
    out->avf_lo = sample ? all.lo : out->avf;
    out->avf_hi = sample ? all.hi : out->avf;
    out->avf_util_lo = sample ? owned.lo : out->avf_util;
    out->avf_util_hi = sample ? owned.hi : out->avf_util;
    out->fit = metrics_fit(out->avf, set->fit_per_bit, t->bits) *
               ratio((double)t->cycles, (double)row->run_cycles);
    out->eit = metrics_eit(set->clock_mhz, row->run_cycles);
    out->epf = metrics_epf(out->eit, out->fit);
}

double metrics_speedup(const struct tally *t)
{
    return ratio((double)t->counted, (double)t->owned_counted);
}

/* ---- gpuFI-4: derating ----------------------------------------------------------------------- */

double metrics_df_reg(const struct result_job *job, int kernel)
{
    const struct result_kernel *k = &job->kernel[kernel];
    double threads = ratio((double)k->thread_cycles, (double)k->cycles);
    return ratio(k->regs_per_thread * threads, job->regs);
}

double metrics_df_smem(const struct result_job *job, int kernel)
{
    const struct result_kernel *k = &job->kernel[kernel];
    double blocks = ratio((double)k->block_cycles, (double)k->cycles);
    return ratio(k->block_shared * blocks, job->shared_bytes);
}

/* kernel -1: all */
static double mean_over_cycles(const struct result_job *job, const struct result_part *part,
                               int kernel)
{
    const struct timeline *t = &job->timeline;
    double sum = 0, cycles = 0;
    if (part->method == METHOD_SAMPLE || part->method == METHOD_LIST)
        return NAN;
    for (int b = 0; b < t->buckets; b++) {
        const struct moment *m = &part->moment[b];
        uint64_t hit = part->method == METHOD_ACE ? m->ace : m->owned_failed;
        double width = (double)(t->edge[b + 1] - t->edge[b]);
        if ((kernel >= 0 && (t->kernel ? t->kernel[b] : 0) != kernel) || m->owned == 0)
            continue;
        sum += (double)hit / (double)m->owned * width;
        cycles += width;
    }
    return ratio(sum, cycles);
}

bool metrics_derate(const struct result_job *job, const struct result_part *part, int kernel,
                    struct metrics_derated *out)
{
    struct tally t;
    result_tally(job, part, kernel, &t);
    uint64_t hit = part->method == METHOD_ACE ? t.ace : tally_failed(&t);
    bool rf = strcmp(part->target, "rf") == 0, shared = strcmp(part->target, "shared") == 0;
    if (!(rf || shared) || t.cycles != job->kernel[kernel].cycles)
        return false;
    out->fr = mean_over_cycles(job, part, kernel);
    out->df = rf ? metrics_df_reg(job, kernel) : metrics_df_smem(job, kernel);
    out->avf = out->fr * out->df;
    out->physical = ratio((double)hit, (double)t.population);
    out->off = out->avf - out->physical;
    return !isnan(out->off);
}

double metrics_util_mean(const struct result_job *job, const struct result_part *part)
{
    return mean_over_cycles(job, part, -1);
}

/* ---- the chip -------------------------------------------------------------------------------- */

static bool in_chip(const struct result_part *p, int job, const char *engine,
                    enum tally_method method)
{
    return p->job == job && p->method == method && strcmp(p->engine, engine) == 0;
}

/* AVF of kernel k (-1: all) of each target in an SM (-1: all), weighted with its bits. */
static void weigh_targets(const struct result *r, int job, const char *engine,
                          enum tally_method method, int sm, int k, struct metrics_chip *out)
{
    const struct result_job *j = &r->job[job];
    struct metrics_setting set = {.clock_mhz = j->clock_mhz, .warps = j->warps};
    struct stats_share *share = fl_alloc((size_t)r->nparts * sizeof *share);
    int n = 0;
    double avf = 0, bits = 0;
    for (int p = 0; p < r->nparts; p++) {
        const struct result_part *part = &r->part[p];
        struct tally_row row = {
            .method = method, .active_only = part->active_only, .confidence = part->confidence};
        struct metrics m;
        if (!in_chip(part, job, engine, method) || sm >= part->sms)
            continue;
        result_sm_tally(j, part, sm, k, &row.t);
        metrics_of(&row, &set, &m);
        share[n++] = (struct stats_share){(double)row.t.bits, m.avf, {m.avf_lo, m.avf_hi}};
        avf += m.avf * (double)row.t.bits;
        bits += (double)row.t.bits;
    }
    struct stats_interval sum = stats_sum(share, n);
    out->avf = ratio(avf, bits);
    out->avf_lo = method == METHOD_SAMPLE ? ratio(sum.lo, bits) : out->avf;
    out->avf_hi = method == METHOD_SAMPLE ? ratio(sum.hi, bits) : out->avf;
    out->bits = (uint64_t)bits;
    free(share);
}

void metrics_chip_of(const struct result *r, int job, const char *engine, enum tally_method method,
                     double fit_per_bit, struct metrics_chip *out)
{
    metrics_sm_of(r, job, engine, method, -1, fit_per_bit, out);
}

void metrics_sm_of(const struct result *r, int job, const char *engine, enum tally_method method,
                   int sm, double fit_per_bit, struct metrics_chip *out)
{
    const struct result_job *j = &r->job[job];
    double sum = 0;
    uint64_t cycles = 0, run = 0;
    int part = 0; /* any: all have the same cycles */
    while (part + 1 < r->nparts && !in_chip(&r->part[part], job, engine, method))
        part++;
    for (int k = 0; k < j->nkernels; k++) {
        struct metrics_chip one;
        struct tally t;
        result_tally(j, &r->part[part], k, &t);
        weigh_targets(r, job, engine, method, sm, k, &one);
        if (t.cycles)
            sum += one.avf * (double)t.cycles;
        cycles += t.cycles;
        run += j->kernel[k].cycles;
    }
    weigh_targets(r, job, engine, method, sm, -1, out);
    out->wavf = ratio(sum, (double)cycles);
    out->fit = metrics_fit(out->avf, fit_per_bit, out->bits) * ratio((double)cycles, (double)run);
    out->eit = metrics_eit(j->clock_mhz, run);
    out->epf = metrics_epf(out->eit, out->fit);
}
