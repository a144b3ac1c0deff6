/* compare.h -- two campaigns side by side: outcomes, differences, and whether they can be chance.
 *
 * Both are of one machine and, of one fault model, of one list of faults; their jobs may differ, which is what a comparison is for: jobs of the same
 * name belong together, else those of the same number. Which test tells a difference from chance:
 *
 *     exact        both campaigns have all faults: no test, the difference is what it is
 *     list         faults that were chosen stand for themselves: no test
 *     McNemar      samples of the same faults: exact test of those that fail in one campaign alone
 *     proportions  samples of different faults: test of two proportions
 *     stratified   samples of several structures together: their differences, weighted with the faults that they stand for
 *     models       campaigns of different fault models, transient and permanent ones for example: both shares of each structure
 *                  that both have, and no difference, as they are shares of different faults
 *
 * Intervals of differences: of the same faults after A. Agresti, Y. Min, "Simple improved confidence intervals for comparing
 * matched proportions", Statistics in Medicine 24(5), 2005; of different ones by MOVER (stats_sum). Of many tests some find a
 * difference by chance, so significance is after Holm: S. Holm, "A simple sequentially rejective multiple test procedure",
 * Scandinavian Journal of Statistics 6(2), 1979.
 */
#ifndef COMPARE_H
#define COMPARE_H

#include "faultsim/report/avf.h"
#include "faultsim/report/coverage.h"

enum { COMPARE_A, COMPARE_B, COMPARE_SIDES };

struct compare {
    const struct avf_report *side[COMPARE_SIDES];
    struct coverage coverage[COMPARE_SIDES]; /* of permanent faults */
    bool permanent[COMPARE_SIDES];
    bool models; /* they differ */
    double confidence;
    int rows;
    struct compare_row {
        int job[COMPARE_SIDES]; /* -1: the union of all jobs */
        const char *target;     /* NULL: all */
        enum compare_test {
            COMPARE_EXACT,
            COMPARE_LIST,
            COMPARE_MCNEMAR,
            COMPARE_PROPORTIONS,
            COMPARE_STRATIFIED,
            COMPARE_MODELS
        } test;
        struct compare_side {
            uint64_t n;                  /* faults, or bits x cycles, that were counted */
            uint64_t outcome[OUT_COUNT]; /* masked: those that were never activated too */
            double share, lo, hi;        /* in percent: detected of testable faults, or AVF */
        } of[COMPARE_SIDES];
        bool paired;                   /* the same faults, one by one */
        uint64_t alone[COMPARE_SIDES]; /* that fail in one campaign alone; of paired ones */
        double difference, lo, hi;     /* B - A, in points of percent; NAN: none, no interval */
        double p, holm;                /* of no difference; NAN: no test */
    } * row;
};

/* `file`: what messages call them. -1: of different machines, models or lists of faults. */
int compare_open(const struct avf_report *a, const struct avf_report *b,
                 const char *const file[COMPARE_SIDES], struct compare *out, struct fl_err *err);
void compare_close(struct compare *c);

void compare_table(const struct compare *c, struct fl_buf *out);
void compare_csv(const struct compare *c, struct fl_buf *out);
int compare_html(const struct compare *c, struct fl_buf *out, struct fl_err *err);

/* ---- shared by the formats ---- */

extern const char *const compare_test_name[];
/* "fft", "A fft, B fft-tmr", "union". Caller frees. */
char *compare_job_name(const struct compare *c, const struct compare_row *row);
bool compare_significant(const struct compare *c, const struct compare_row *row);
/* What the shares of a side are: "AVF of transient faults". Caller frees. */
char *compare_measure(const struct compare *c, int side);

#endif
