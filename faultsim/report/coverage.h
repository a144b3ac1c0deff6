/* coverage.h -- the coverage of permanent faults: a table, CSV, XML, a page.
 *
 * A store knows what became of each fault in each job: from that come the rows of jobs, their union,
 * and the columns of structures and fields.
 */
#ifndef COVERAGE_H
#define COVERAGE_H

#include "avf.h"
#include "faultsim/permanent/campaign.h"
#include "faultsim/result/estimate.h"

/* What counts say of all faults, in percent of them (fc) and of those that are testable; ends of an
 * interval that are equal where nothing was drawn. */
struct coverage_share {
    uint64_t population, untestable; /* as counted, where nothing was drawn */
    double fc, fc_lo, fc_hi, testable, lo, hi;
};

int coverage_table(const struct avf_report *a, struct fl_buf *out, struct fl_err *err);
/* A line for each job, and for their union; where there are several targets, one for each behind
 * it. */
int coverage_csv(const struct avf_report *a, struct fl_buf *out, struct fl_err *err);
/* A line for each fault of each job: job,id,outcome,class,first_activation_cycle,end_cycle,reason,
 * elements,by, and what wrong.h adds. */
int coverage_csv_faults(const struct avf_report *a, struct fl_buf *out, struct fl_err *err);
/* Both, after docs/report.rng. */
int coverage_xml(const struct avf_report *a, struct fl_buf *out, struct fl_err *err);
/* As avf_report_html. */
int coverage_html(const struct avf_report *a, struct fl_buf *out, struct fl_err *err);

/* ---- shared by the formats ------------------------------------------------------------------- */

/* What rows are split by. The first slice is everything; a target is followed by its fields. */
struct coverage_slice {
    char *name; /* "all"; "dstack/w0", "alu_int.sp3"; "tm" */
    int part;   /* a part with that target; -1: everything */
    int field;  /* -1: all of the target */
};

struct coverage_row { /* a job, or the union of all */
    const char *name;
    int job;                      /* -1: the union */
    struct fsim_counts *of;       /* [slices] */
    struct coverage_share *share; /* [slices] */
};

struct coverage {
    const struct avf_report *a;
    char *target; /* result_targets */
    bool timing;  /* performance counts as detected */
    bool sampled;
    bool classified;  /* it is known which faults are untestable */
    bool first_stack; /* of dstack there are faults of warp slot 0 alone */
    int slices, targets, rows;
    struct coverage_slice *slice;
    struct coverage_row *row;
};

/* Which job set the size of local and of constant memory, where jobs differ: a sentence each; NULL: they do not. `n`
 * counts from 0. Caller frees. */
char *coverage_size(const struct coverage *c, int n);
/* An outcome that says no more than that the fault is detected, which the count of the detected ones says too. */
static inline bool coverage_counts(enum fsim_outcome o)
{
    return fsim_outcome_detected(o, false) && !fsim_outcome_fails(o);
}
/* The slice of a target, or of all (NULL). */
int coverage_slice(const struct coverage *c, const char *target);
/* -1: the store does not know enough. */
int coverage_open(const struct avf_report *a, struct coverage *c, struct fl_err *err);
void coverage_close(struct coverage *c);

#endif
