/* campaign.h -- transient campaigns: jobs x targets x a method, on all processors, into a store.
 *
 *   exact    every bit in every cycle: one evaluation for each group of equal flips (exact.c)
 *   sample   flips drawn by seed and number (sample.c)
 *   ace      lifetimes of the golden run alone, after SIFI (ace.c)
 *
 * The walk is that of ../campaign: a part for each method and target, from the units of which come
 * the finds that all reports are made of.
 */
#ifndef AVF_H
#define AVF_H

#include "dest.h"
#include "faultsim/campaign/campaign.h"
#include "faultsim/program/program.h"
#include "faultsim/verdict/transient.h"

enum { AVF_MAX_TARGETS = 32 };

/* Which bits a fault flips: after gpuFI-4's Table IV. */
struct avf_pattern {
    int adjacent;            /* so many neighbouring bits of a word */
    int random;              /* or so many different bits of a word */
    int entries;             /* the same bits in so many entries of the structure */
    bool warp;               /* the same bits in all 32 lanes */
    int blocks;              /* shared: the same bits of so many resident blocks */
    struct fsim_sms same_in; /* all of it in each of these SMs; none: where it is drawn */
    int with;                /* further structure that is hit in the same cycle; -1: none */
    uint64_t window;         /* intermittent: held for so many cycles, FSIM_NO_END; 0: a flip */
};

struct avf_options {
    struct campaign_options run;         /* the engine is of samples and lists */
    const char *target[AVF_MAX_TARGETS]; /* names; "all" is expanded by avf_targets */
    int ntargets;
    bool all;                             /* of each job those that it has */
    bool methods[METHOD_COUNT];           /* which; one after the other */
    enum tally_method method;             /* that of the part that runs */
    const struct fsim_fault *const *list; /* method list: these faults and no targets */
    uint64_t nlist;
    /* Of the only job, open already; NULL: each job is opened when its turn comes. */
    struct job_context *ctx;
    /* sample */
    uint64_t count;            /* flips; 0: from margin and confidence */
    double margin, confidence; /* 0.01, 0.95 */
    bool stop_early; /* at a batch boundary, once Wilson's interval is as narrow as the margin */
    uint64_t seed;
    bool active_only; /* only bits that a block owns, as gpuFI-4 draws them */
    struct avf_pattern pattern;
    enum dest_value value;   /* of targets dest: what the destination gets */
    const struct dest *dest; /* the target of the part that runs, when it is one of those */
    /* both */
    struct context_window window;
    struct program *program; /* judges what the record of its run cannot; or NULL */
    double budget;           /* minutes; 0: none */
    bool sums_only;          /* of samples and lists: no flip has a row of its own in the store */
    size_t access_bytes;     /* of the record; 0: CONTEXT_ACCESS_BYTES. Tests take less */
    enum cache_model cache_model; /* of the jobs' profiles; for what made it */
};

/* The structure of a target: where its flips are. */
int avf_structure(const struct sm_image *img, const char *target);

/* How many flips a sample of the structure takes. */
int avf_sample_size(const struct job_context *l, int structure, const struct avf_options *opt,
                    uint64_t *n, struct fl_err *err);

/* Names the targets: `all` is every structure that has bits in one of the jobs and is in the
 * engine. */
int avf_targets(struct sm_image *const *img, int njobs, struct avf_options *opt,
                struct fl_err *err);
/* The job has the targets, and flips of the pattern can happen in them. */
int avf_check(const struct sm_image *img, const char *path, const struct avf_options *opt,
              struct fl_err *err);

/* Runs the campaign. The store stays open: its result is what reports print. */
int avf_run(const struct job *const *jobs, int njobs, const struct avf_options *opt,
            struct store **out, struct fl_err *err);

/* ---- the methods: for campaign.c and the tests ---------------------------------------------------- */

/* What a thread needs for a unit of work. */
struct avf_task {
    const struct campaign *campaign;
    const struct job_context *ctx;
    const struct avf_options *opt;
    int structure;
    struct fsim_worker *worker;
    struct store_found *found;
    const struct plan *plan; /* method exact: plan.h */
};

bool exact_unit(struct avf_task *k, uint64_t unit); /* false: it was asked to stop on the way */

/* Flips of a unit of work: 50 or fewer, so that all of them to the end of the job are no more than
 * about half a second. */
enum { SAMPLE_UNIT = 50, SAMPLE_BATCH = 1000 };
uint64_t sample_unit_size(const struct job_context *l);
/* The pattern can be drawn in this structure as it was asked for: else every flip would be another
 * one than it says. */
int sample_fits(const struct sm_image *img, int structure, const struct avf_options *opt,
                struct fl_err *err);
/* Flip `number` of the seeded order. False when the target has no bit to hit (--active-only in an
 * idle machine). */
bool sample_draw(const struct job_context *l, int structure, const struct avf_options *opt,
                 uint64_t number, struct fsim_fault *out);
/* Flips [from, to) of that order; false when it was asked to stop on the way: they are not whole
 * then. */
bool sample_flips(struct avf_task *k, uint64_t from, uint64_t to);

/* Of a program: runs it with the fault, unless the record says enough. False: it was asked to stop, or the
 * program has failed. */
bool avf_ask_program(const struct avf_task *k, const struct fsim_fault *u,
                     struct transient_result *r);

void ace_unit(struct avf_task *k); /* the whole target at once */

#endif
