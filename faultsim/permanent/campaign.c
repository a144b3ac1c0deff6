/* campaign.c -- campaigns of permanent faults: opens the jobs and their lists, lets part.c work on
 * one structure after the other, and keeps what is found in a store when one is asked for.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "made_stuck_at.h"
#include "part.h"
#include "prove.h"

static bool stopped(const struct fsim_options *opt)
{
    return opt->stop && atomic_load(opt->stop);
}

/* ---- one job --------------------------------------------------------------------------------- */

static int build_list(struct fsim_campaign *c, const struct fsim_wanted *wanted, struct fl_err *err)
{
    for (int i = 0; i < wanted->npatterns; i++)
        if (fsim_list_add(&c->list, c->img, wanted->pattern[i], err) != 0)
            return -1;
    if (wanted->file && fsim_list_read(&c->list, c->img, wanted->file, err) != 0)
        return -1;
    if (c->list.count == 0)
        return fl_fail(err,
                       "the fault list is empty; name faults with --target, --faults or --fault");
    fsim_list_once(&c->list);
    return 0;
}

/* The image and the list: what can be said before anything runs. */
static int open_job(struct fsim_campaign *c, const struct job *job,
                    const struct fsim_wanted *wanted, const struct fsim_options *opt,
                    struct fl_err *err)
{
    int structure[SM_ALL_STRUCTURES];
    c->job_name = job->name;
    c->detect_timing = opt->detect_timing;
    c->engine = opt->engine->name;
    c->list.choice = opt->choice;
    c->img = sm_image_new(job, err);
    if (!c->img || build_list(c, wanted, err) != 0)
        return -1;
    c->result = fl_alloc((size_t)c->list.count * sizeof *c->result);
    c->known = fl_alloc((size_t)c->list.count);
    for (int i = fsim_list_structures(&c->list, structure); i-- > 0;)
        if (engine_has(opt->engine, c->img, structure[i], err) != 0)
            return -1;
    return engine_carries(opt->engine, c->img, &c->list, err);
}

static bool asks_for_all(const struct fsim_wanted *wanted)
{
    for (int i = 0; i < wanted->npatterns; i++)
        if (strcmp(wanted->pattern[i], "all") == 0)
            return true;
    return false;
}

static long count_of(const struct fsim_list *list, int structure)
{
    long n = 0;
    for (long i = 0; i < list->count; i++)
        n += list->fault[i].cell.structure == structure;
    return n;
}

static void leave_out(struct fsim_list *list, int structure)
{
    long n = 0;
    for (long i = 0; i < list->count; i++)
        if (list->fault[i].cell.structure != structure)
            list->fault[n++] = list->fault[i];
    list->count = n;
}

/* Local and constant memory are the job's: of `all`, jobs that have other memories share the
 * rest. */
static void share_structures(struct fsim_campaign *c, int n)
{
    static const int own[] = {SM_S_local, SM_S_const};
    for (size_t k = 0; k < sizeof own / sizeof *own; k++) {
        bool alike = true;
        for (int i = 1; i < n; i++)
            alike &= count_of(&c[i].list, own[k]) == count_of(&c[0].list, own[k]);
        for (int i = 0; i < n && !alike; i++)
            leave_out(&c[i].list, own[k]);
    }
}

/* Faults of the divergence stack need its pops alone. */
static bool stack_alone(const struct fsim_campaign *c)
{
    int structure[SM_ALL_STRUCTURES];
    return fsim_list_structures(&c->list, structure) == 1 && structure[0] == SM_S_dstack;
}

/* The fault-free run, and what else its faults need of it. */
static int golden(struct fsim_campaign *c, const struct fsim_options *opt, bool keep,
                  struct lab *lab, struct fl_err *err)
{
    static const struct lab_window all = {.launch = -1, .to = UINT64_MAX};
    double start = fl_seconds();
    memset(lab, 0, sizeof *lab);
    if (stack_alone(c) && !keep) {
        c->golden = golden_run(c->img, opt->max_cycles, err);
    } else if (lab_open(lab, c->img->job, &all, opt->max_cycles, err) == 0) {
        sm_image_free(c->img); /* the laboratory has one, and its records are of that */
        c->img = lab->img;
        c->golden = lab->g;
        lab->activations = run_activations(lab->g);
    }
    c->golden_seconds = fl_seconds() - start;
    return c->golden ? 0 : -1;
}

static void leave_lab(struct lab *lab)
{
    if (!lab->g)
        return;
    lab->img = NULL; /* the campaign's */
    lab->g = NULL;
    lab_close(lab);
}

static int run_job(struct fsim_campaign *c, int number, const struct fsim_options *opt,
                   struct progress *progress, struct store *store, struct fl_err *err)
{
    struct lab lab;
    struct reference *ref = NULL;
    struct excitations *excitations = NULL;
    progress_job(progress, c->job_name);
    progress_expect(progress, (double)c->list.count);
    if (stopped(opt) || golden(c, opt, store != NULL, &lab, err) != 0)
        return -1;
    double start = fl_seconds();
    int status = store ? store_job(store, number, &lab.facts, err) : 0;
    if (status == 0 && !(ref = reference_new(opt->engine, c->golden, err)))
        status = -1;
    if (status == 0) {
        excitations = excitations_new(c->golden, &c->list);
        ref->activations = lab.activations;
        ref->excitations = excitations;
        status = part_run_all(c, number, &lab, ref, opt, progress, store, err);
    }
    reference_free(ref);
    excitations_free(excitations);
    leave_lab(&lab);
    c->seconds = fl_seconds() - start;
    return status;
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* For people. */
static int tell_stop(const struct fsim_campaign *c, int n, const struct fsim_options *opt,
                     struct fl_err *err)
{
    const char *by = sigabbrev_np(atomic_load(opt->stop));
    long done = 0, all = 0;
    for (int i = 0; i < n; i++) {
        for (long f = 0; f < c[i].list.count; f++)
            done += c[i].known[f];
        all += c[i].list.count;
    }
    if (!opt->store)
        return fl_fail(
            err, "stopped by SIG%s after %ld of %ld faults; nothing is kept without --store F", by,
            done, all);
    char *go_on = store_go_on(opt->store, opt->shard, opt->shards);
    fl_fail(err, "stopped by SIG%s; %ld of %ld faults are done and kept: %s", by, done, all, go_on);
    free(go_on);
    return -1;
}

static int open_store(const struct fsim_campaign *c, int n, const struct fsim_options *opt,
                      struct store **out, struct fl_err *err)
{
    struct made made;
    made_stuck_at(c, n, "", &made);
    struct store_identity id = {.options = made.line,
                                .size = "",
                                .shard = opt->shards ? opt->shard : 1,
                                .shards = opt->shards ? opt->shards : 1,
                                .njobs = n,
                                .job = made.job};
    int status = store_open(opt->store, opt->resume, &id, out, err);
    made_free(&made);
    return status;
}

static int run_jobs(struct fsim_campaign *c, int n, const struct fsim_options *opt,
                    struct store *store, struct fl_err *err)
{
    struct fl_err ignored;
    struct progress *progress = store_progress(&opt->progress, opt->store, opt->shard, opt->shards,
                                               n);
    double start = fl_seconds();
    int status = 0;
    for (int i = 0; i < n && status == 0; i++)
        status = run_job(&c[i], i, opt, progress, store, err);
    if (status == 0 && store)
        status = store_finish(store, err);
    if (status == 0 && store)
        store_ran(store, fl_seconds() - start, fl_threads(opt->threads), &ignored);
    bool by_signal = status != 0 && stopped(opt) && tell_stop(c, n, opt, err) != 0;
    progress_end(progress,
                 by_signal ? "stopped"
                 : status  ? "failed"
                           : "done",
                 status ? err->msg : NULL);
    return status;
}

int fsim_campaigns_run(const struct job *const *jobs, int n, const struct fsim_wanted *wanted,
                       const struct fsim_options *options, struct fsim_campaign *c,
                       struct store **out, struct fl_err *err)
{
    struct fsim_options opt = *options;
    struct store *store = NULL;
    int status = 0;
    opt.engine = opt.engine ? opt.engine : &engine_c;
    memset(c, 0, (size_t)n * sizeof *c);
    for (int i = 0; i < n && status == 0; i++)
        status = open_job(&c[i], jobs[i], wanted, &opt, err);
    if (status == 0 && asks_for_all(wanted))
        share_structures(c, n);
    for (int i = 1; i < n && status == 0; i++)
        if (c[i].list.count != c[0].list.count)
            status = fl_fail(err,
                             "%s and %s have different fault lists; give jobs of one profile, or "
                             "run them apart",
                             jobs[0]->path, jobs[i]->path);
    for (int i = 1; i < n && status == 0 && out; i++)
        for (int k = 0; k < i && status == 0; k++)
            if (strcmp(jobs[i]->name, jobs[k]->name) == 0)
                status = fl_fail(err,
                                 "%s: the job %s is there already, %s; reports could not tell them "
                                 "apart: leave one out, or give it another name",
                                 jobs[i]->path, jobs[i]->name, jobs[k]->path);
    if (status == 0 && out)
        status = open_store(c, n, &opt, &store, err);
    if (status == 0)
        status = run_jobs(c, n, &opt, store, err);
    if (status != 0) {
        struct fl_err ignored;
        if (store)
            store_close(store, stopped(&opt) ? err : &ignored);
        for (int i = 0; i < n; i++)
            fsim_campaign_free(&c[i]);
    } else if (out) {
        *out = store;
    }
    return status;
}

int fsim_campaign_run(struct fsim_campaign *c, const struct job *job, const char *const *patterns,
                      int npatterns, const char *faults_file, const struct fsim_options *opt,
                      struct fl_err *err)
{
    struct fsim_wanted wanted = {patterns, npatterns, faults_file};
    return fsim_campaigns_run(&job, 1, &wanted, opt, c, NULL, err);
}

void fsim_campaign_free(struct fsim_campaign *c)
{
    golden_free(c->golden);
    fsim_list_free(&c->list);
    free(c->result);
    free(c->known);
    sm_image_free(c->img);
    *c = (struct fsim_campaign){0};
}

bool fsim_campaign_whole(const struct fsim_campaign *c)
{
    return memchr(c->known, 0, (size_t)c->list.count) == NULL;
}
