/* campaign.h -- permanent faults: jobs against a fault list, each with its fault-free run, its
 * results and counts.
 *
 * The result of a fault depends on the job and the fault alone: not on the number of threads, nor
 * on the order, nor on how often the campaign was stopped and went on.
 */
#ifndef CAMPAIGN_H
#define CAMPAIGN_H

#include "faultsim/campaign/campaign.h"
#include "faultsim/program/program.h"
#include "faultsim/verdict/verdict.h"

struct fsim_options {
    struct campaign_options run;
    bool detect_timing;        /* performance counts as detected */
    struct fsim_choice choice; /* of faults of memories; zeros: stuck-at faults */
    struct program *host;      /* judges what the record of its run cannot; or NULL */
};

struct fsim_wanted { /* patterns, and a file of such */
    const char *const *pattern;
    int npatterns;
    const char *file;
};

struct fsim_counts {
    long faults, untestable, detected, not_activated;
    /* of the faults that are neither untestable nor not activated; performance counts that are
     * detected by timing are in `detected` only */
    long by_outcome[OUT_COUNT];
};

/* Local and constant memory have the size of the largest job of a campaign, so that its list does not depend on the
 * others; a job that addresses less of them detects no fault of the rest. */
struct fsim_sizes {
    struct sm_image_cells least;
    int local_of, const_of; /* the job that has so much, from 1; 0: all jobs have the same */
    bool traps;             /* a job is to end in a trap */
};
/* -1: a job has no image, or more than fits the SMs. */
int fsim_sizes_find(const struct job *const *jobs, int njobs, struct fsim_sizes *out,
                    struct fl_err *err);

struct fsim_campaign {
    const char *job_name;
    struct fsim_sizes sizes; /* of all jobs */
    struct sm_image *img;
    struct golden *golden;
    struct fsim_list list;
    struct fsim_result *result; /* [list.count] */
    char *known;                /* [list.count]: 1 where there is a result; all, but of a shard */
    const char *engine;         /* "c" or "rtl" */
    const char *program;        /* campaign_options */
    struct program *host;       /* fsim_options */
    bool detect_timing;
    struct fsim_statistics stat;
};

/* Runs the jobs, which have lists of one length, into c[njobs]. What the store has already is not run
 * again; with `out` it stays open. On error no campaign is left, but what the store's file has stays
 * there. */
int fsim_campaigns_run(const struct job *const *jobs, int njobs, const struct fsim_wanted *wanted,
                       const struct fsim_options *opt, struct fsim_campaign *c, struct store **out,
                       struct fl_err *err);
void fsim_campaign_free(struct fsim_campaign *c);

/* What a store keeps of a fault, as the campaign had it. */
struct fsim_result fsim_result_kept(const struct store_injection *i);
bool fsim_detected(const struct fsim_result *r, bool detect_timing);
/* Which class of the test field: "detected", "not detected", "undetectable-untestable",
 * "dropped". */
const char *fsim_class(const struct fsim_result *r, bool detect_timing);
void fsim_counts_add(struct fsim_counts *to, const struct fsim_result *r, bool detect_timing);
/* "stuck-at", or "memory". */
const char *fsim_list_model(const struct fsim_list *list);
/* The structures that the list has faults of, in the order of structures.def; how many. */
int fsim_list_structures(const struct fsim_list *list, int out[SM_ALL_STRUCTURES]);

/* Their names with commas between: what was injected into, as result_targets says it of a store.
 * Caller frees. */
char *fsim_list_targets(const struct fsim_list *list);

/* In the order sdc, crash, hang, timeout, tolerable, performance, masked; a masked fault that some
 * job activated is masked, not "not activated". */
bool fsim_stronger(const struct fsim_result *a, const struct fsim_result *b);
/* The union of campaigns over the same list: each fault with its strongest outcome. `result` has room for the list. */
void fsim_union(const struct fsim_campaign *c, int n, struct fsim_result *result);

#endif
