/* campaign.h -- the driver of all campaigns: jobs x parts x units of work, on all processors, into a
 * store; how a campaign stops, goes on and tells how far it is.
 *
 * A kind of campaign (../permanent, ../transient, ../gate) plugs in with a table of functions. The
 * walk, with what the kind does on the right:
 *
 *     the store is opened                          identity, accepts, begin
 *     for each job                                 open: its job context, and how many parts it has
 *         for each part: what it weighs            foresee
 *         for each part: it is declared            part: what it is, its order, its units
 *             units of work on all threads         run; task_new, unit, task_free
 *             it is over                           leave
 *         the next job                             close
 *
 * A unit of work counts in the store fully or not at all. What a unit finds depends on the job and
 * the part alone: not on threads, nor on the order, nor on how often the campaign was stopped.
 */
#ifndef FAULTSIM_CAMPAIGN_H
#define FAULTSIM_CAMPAIGN_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/progress.h"
#include "faultsim/context/context.h"
#include "faultsim/store/store.h"
#include "faultsim/outcome/runner.h"

/* What every kind is asked in the same way. */
struct campaign_options {
    int threads;                 /* 0: one for each processor */
    const struct engine *engine; /* NULL: c */
    bool exhaustive;             /* by brute force: every fault from cycle 0 */
    uint32_t skip_rungs;         /* of the ladder, a bit each (faultsim/verdict/verdict.h) */
    uint64_t words; /* the store keeps elements that differ, up to so many in each job; 0: none */
    uint64_t max_cycles; /* of the golden run */
    size_t max_memory;   /* of the records of a job, about; 0: context_room_of */
    struct progress_options progress;
    /* Not 0: the signal that stops the campaign, behind the units of work that run. NULL: none can. */
    const atomic_int *stop;
    const char *store; /* the campaign's file; NULL: in memory */
    bool resume;
    int shard, shards;   /* 1 of 2; shards 0: all of it */
    const char *program; /* version and revision, for exports (made.h); NULL: they name none */
};

const struct engine *campaign_engine(const struct campaign_options *opt);
bool campaign_asked_to_stop(const struct campaign_options *opt);

struct campaign_kind;

struct campaign {
    const struct campaign_kind *kind;
    void *own; /* the kind's */
    const struct campaign_options *opt;
    struct store *store;
    struct progress *progress;
    struct fl_err *err;
    /* the job that runs, and what `open` fills in */
    const struct job *job;
    int number;
    struct job_context *ctx;
    struct reference *ref;
    int parts;
    /* the part that runs: what `part` said of it */
    int stored; /* its number in the store; parts are declared one after the other */
    uint64_t units, flips, cut;
    /* the driver's own */
    atomic_ullong next; /* unit; those below `last` are worked on */
    uint64_t last;
    atomic_bool failed;
    pthread_mutex_t lock; /* of err, and for the kind's sums */
};

/* Calls that return an int fill in c->err and return -1. */
struct campaign_kind {
    /* Everything that decides a result, and how large samples are, as two lines (made.h). */
    void (*identity)(void *own, struct fl_buf *options, struct fl_buf *size);
    /* Optional: may this store go on? */
    int (*accepts)(void *own, const char *store, const char *options, struct fl_err *err);
    int (*begin)(struct campaign *c); /* optional: the store is open */
    int (*open)(struct campaign *c);
    void (*close)(struct campaign *c); /* after a failed `open`, too */
    int (*foresee)(struct campaign *c, int part, double *weight);
    /* `out` has its job, engine, METHOD_LIST at 95 %, and sums with the cycles of each launch. */
    int (*part)(struct campaign *c, int part, struct result_part *out);
    int (*run)(struct campaign *c);    /* optional: campaign_units of all */
    void (*leave)(struct campaign *c); /* optional; after a failed `part`, too */
    /* Of a thread. */
    void *(*task_new)(struct campaign *c);
    /* False: it was asked to stop on the way. */
    bool (*unit)(void *task, uint64_t unit, struct store_found *found);
    void (*task_free)(void *task);
};

/* Runs the campaign. The store stays open: its result is what reports print. Jobs have names of
 * their own. */
int campaign_run(const struct campaign_kind *kind, void *own, const struct job *const *jobs,
                 int njobs, const struct campaign_options *opt, struct store **out,
                 struct fl_err *err);

/* ---- for kinds --------------------------------------------------------------------------------- */

/* Units [from, to) of the part that runs, on all threads; those that are done are left out. */
int campaign_units(struct campaign *c, uint64_t from, uint64_t to);
/* For people: faults run on machines because the data flow takes more memory than it may (campaign_options.max_memory). */
void campaign_print_dropped(const struct campaign *c);
/* Units of work should end: a signal came, or a thread failed. */
bool campaign_stopped(const struct campaign *c);
/* One behind the last injection of a unit. */
uint64_t campaign_unit_end(const struct campaign *c, uint64_t unit);

/* What became of one injection. */
struct campaign_injection {
    const char *id;  /* NULL: it gets no row of its own */
    uint64_t number; /* in the order of the part */
    uint64_t place;  /* in the list that exports print, from 1; else 0 */
    uint64_t cycle;  /* in which it counts */
    const struct fsim_result *result;
    enum tally_reason why;
    bool owned, ran;          /* an owner can read it; a machine ran for it */
    uint32_t reader, writer;  /* sites, or SITE_NONE */
    const struct sm_cell *at; /* of those; a register's has a row. NULL: no cell */
};
void campaign_count(const struct job_context *l, struct store_found *found,
                    const struct campaign_injection *i);

#endif
