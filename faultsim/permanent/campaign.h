/* campaign.h -- one job against one fault list: golden run, threads, results, counts.
 *
 * The result of a fault depends on the job and the fault alone: not on the number of threads, nor
 * on the order.
 */
#ifndef CAMPAIGN_H
#define CAMPAIGN_H

#include <stdatomic.h>

#include "faultsim/verdict/verdict.h"

struct fsim_options {
    int threads; /* 0: one for each processor */
    bool exhaustive;
    const struct engine *engine; /* NULL: engine c */
    bool detect_timing;          /* performance counts as detected */
    bool progress;               /* a line on stderr, when that is a terminal */
    uint64_t max_cycles;         /* of the golden run */
    /* Not 0: stop after the faults at hand, by this signal. NULL: nobody asks. */
    const atomic_int *stop;
};

struct fsim_counts {
    long faults, untestable, detected, not_activated;
    /* of the faults that are neither untestable nor not activated; performance counts that are
     * detected by timing are in `detected` only */
    long by_outcome[OUT_COUNT];
};

struct fsim_campaign {
    const char *job_name;
    struct sm_image *img;
    struct golden *golden;
    struct fsim_list list;
    struct fsim_result *result; /* [list.count] */
    const char *engine;         /* "c" or "rtl" */
    bool detect_timing;
    double golden_seconds, seconds; /* for the terminal, never for exports */
    struct fsim_statistics stat;
};

/* Runs the campaign over `list`, which it takes over. On error nothing is kept. */
int fsim_campaign_run(struct fsim_campaign *c, const struct job *job, const char *const *patterns,
                      int npatterns, const char *faults_file, const struct fsim_options *opt,
                      struct fl_err *err);
void fsim_campaign_free(struct fsim_campaign *c);

bool fsim_detected(const struct fsim_result *r, bool detect_timing);
/* Which class of the test field: "detected", "not detected", "undetectable-untestable". */
const char *fsim_class(const struct fsim_result *r, bool detect_timing);
/* Counts all results, or those of one field (>= 0) of their structure. */
void fsim_count(const struct fsim_list *list, const struct fsim_result *r, bool detect_timing,
                int field, struct fsim_counts *out);

/* The union of campaigns over the same list: each fault with its strongest outcome, in the order
 * sdc, crash, hang, timeout, performance, masked. `result` has room for the list. */
void fsim_union(const struct fsim_campaign *c, int n, struct fsim_result *result);

#endif
