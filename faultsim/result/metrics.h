/* metrics.h -- from counts to AVF, FIT, EIT, EPF and the figures of gpuFI-4 and SIFI.
 *
 *   gpuFI-4   D. Sartzetakis, G. Papadimitriou, D. Gizopoulos, "gpuFI-4: A Microarchitecture-Level
 *             Framework for Assessing the Cross-Layer Resilience of Nvidia GPUs"
 *   SIFI      A. Vallero, D. Gizopoulos, S. Di Carlo, "SIFI: AMD Southern Islands GPU
 *             microarchitectural level fault injector", IOLTS 2017, doi 10.1109/IOLTS.2017.8046209
 *
 * What is not known (no injection, no rate per bit) is NAN; reports leave it empty.
 */
#ifndef METRICS_H
#define METRICS_H

#include "result.h"

/* ---- one row --------------------------------------------------------------------------------- */

struct metrics_setting {
    double fit_per_bit; /* FIT of one bit; 0: not known */
    double clock_mhz;
    int warps; /* slots of the machine */
};

struct metrics {
    double avf, avf_lo, avf_hi; /* lo = hi = avf unless sampled; then Wilson's interval */
    double avf_util;            /* of owned bits alone, with an interval likewise */
    double avf_util_lo, avf_util_hi;
    double occupancy;      /* owned bit-cycles / all */
    double warp_occupancy; /* mean warps with threads / slots */
    /* Of a machine that runs this launch, kernel or job over and over. In a window of cycles:
     * failures by flips in the window alone, so that the FITs of windows add up; EIT is of whole
     * runs. */
    double fit; /* failures in 1e9 hours */
    double eit; /* runs in 1e9 hours */
    double epf; /* runs for one failure; INFINITY when nothing fails */
};

/* All of them by name, in the order of exports. */
enum { METRICS_FIGURES = 11 };
extern const struct metrics_figure {
    const char *name;
    size_t at; /* in struct metrics */
} metrics_figure[METRICS_FIGURES];
static inline double metrics_get(const struct metrics *m, int figure)
{
    return *(const double *)((const char *)m + metrics_figure[figure].at);
}

/* AVF = failed / population; method ace: bit-cycles that may matter / population. AVF_util = failed
 * owned flips / owned flips; AVF_util x occupancy = AVF (SIFI's equation 1) as long as no flip of
 * an unowned bit fails. What was drawn among owned bits has an AVF_util and no AVF; a list has
 * neither. */
void metrics_of(const struct tally_row *row, const struct metrics_setting *set,
                struct metrics *out);

/* SIFI (6): injections / injections into owned bits: how many times fewer flips are simulated
 * because those that no owner can read are not. What else was answered without a run does not
 * count. NAN when no flip hit an owned bit. */
double metrics_speedup(const struct tally *t);

/* ---- rates ----------------------------------------------------------------------------------- */

struct metrics_technology {
    const char *name;
    double fit_per_bit;
    const char *source;
};
const struct metrics_technology *metrics_technologies(int *count);
const struct metrics_technology *metrics_technology(const char *name); /* NULL: no such */

double metrics_fit(double avf, double fit_per_bit, uint64_t bits);
double metrics_eit(double clock_mhz, uint64_t cycles); /* 1e9 hours x clock / cycles */
double metrics_epf(double eit, double fit);            /* SIFI (3) */

/* ---- gpuFI-4: derating ----------------------------------------------------------------------- */

/* (registers of a thread x mean resident threads) / registers; (shared bytes of a block x mean
 * resident blocks) / bytes. With what the machine gives to a block, whole warps of threads and
 * bytes rounded up, each is the occupancy of its structure. */
double metrics_df_reg(const struct result_job *job, int kernel);
double metrics_df_smem(const struct result_job *job, int kernel);

struct metrics_derated {
    double fr;       /* failure ratio among owned bits, as gpuFI-4 draws them */
    double df;       /* rf and shared; 1 for other targets: gpuFI-4 derates none */
    double avf;      /* fr x df: what gpuFI-4 would report */
    double physical; /* the AVF */
    double off;      /* avf - physical */
};
/* False when there is nothing to tell: a sample (its buckets hold too few flips for a mean of
 * ratios), nothing owned, or flips in some cycles of the kernel only, while df is that of all. */
bool metrics_derate(const struct result_job *job, const struct result_part *part, int kernel,
                    struct metrics_derated *out);
/* The same mean of ratios over the whole job: SIFI's AVF_util after equation 10. NAN for a
 * sample. */
double metrics_util_mean(const struct result_job *job, const struct result_part *part);

/* ---- the chip -------------------------------------------------------------------------------- */

/* All targets of one job, engine and method together. */
struct metrics_chip {
    double avf, avf_lo, avf_hi; /* weighted with bits; the interval is that of stats_sum */
    uint64_t bits;
    double fit, eit, epf; /* SIFI (2): the sum over the targets */
    /* gpuFI-4: AVF of each kernel, weighted with its cycles. Equal to avf if every flip counts */
    double wavf;
};
void metrics_chip_of(const struct result *r, int job, const char *engine, enum tally_method method,
                     double fit_per_bit, struct metrics_chip *out);
/* The same of an SM alone: targets that belong to no SM are left out. bits 0: no fault could be in it. */
void metrics_sm_of(const struct result *r, int job, const char *engine, enum tally_method method,
                   int sm, double fit_per_bit, struct metrics_chip *out);

#endif
