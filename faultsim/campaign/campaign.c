/* campaign.c -- runs campaigns. See campaign.h. */
#include "campaign.h"

#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "faultsim/result/identity.h"
#include "faultsim/result/words.h"

const struct engine *campaign_engine(const struct campaign_options *opt)
{
    return opt->engine ? opt->engine : &engine_c;
}

bool campaign_asked_to_stop(const struct campaign_options *opt)
{
    return opt->stop && atomic_load(opt->stop);
}

/* ---- units of work ----------------------------------------------------------------------------- */

bool campaign_stopped(const struct campaign *c)
{
    return atomic_load(&c->failed) || campaign_asked_to_stop(c->opt);
}

uint64_t campaign_unit_end(const struct campaign *c, uint64_t unit)
{
    return (unit + 1) * c->cut < c->flips ? (unit + 1) * c->cut : c->flips;
}

void campaign_print_dropped(const struct campaign *c)
{
    const struct golden *g = c->ctx->g;
    if (c->ref->golden && !g->flow && flow_is_possible(g->img))
        progress_say(
            c->progress,
            "%s: the data flow of %llu warp instructions is too large for --max-memory and "
            "is not kept: a machine runs for each fault that is read",
            c->ctx->facts.name, (unsigned long long)g->instructions);
}

/* People are told of faults where a part has a list of them, else of units of work. */
static uint64_t reported(uint64_t units, uint64_t flips, uint64_t cut)
{
    return !flips ? units : units * cut < flips ? units * cut : flips;
}

static void fail(struct campaign *c, const struct fl_err *err)
{
    pthread_mutex_lock(&c->lock);
    if (!atomic_exchange(&c->failed, true))
        *c->err = *err;
    pthread_mutex_unlock(&c->lock);
}

static void work_on(struct campaign *c, void *task, struct store_found *found, uint64_t unit)
{
    struct fl_err err = {"stopped"};
    if (!store_wants(c->store, c->stored, unit))
        return;
    store_found_clear(found);
    bool whole = c->kind->unit(task, unit, found);
    if (whole && c->ctx && outputs_too_many(c->ctx->g->outputs))
        whole = words_too_many(&err) == 0;
    if (!whole || store_put(c->store, c->stored, unit, found, &err) != 0)
        fail(c, &err);
    if (whole)
        progress_add(c->progress, c->flips ? campaign_unit_end(c, unit) - unit * c->cut : 1);
}

static void *work(void *campaign)
{
    struct campaign *c = campaign;
    struct store_found found;
    void *task = c->kind->task_new(c);
    store_found_make(&found, c->store, c->stored);
    for (uint64_t u; !campaign_stopped(c) && (u = atomic_fetch_add(&c->next, 1)) < c->last;)
        work_on(c, task, &found, u);
    store_found_free(&found);
    c->kind->task_free(task);
    return NULL;
}

int campaign_units(struct campaign *c, uint64_t from, uint64_t to)
{
    atomic_store(&c->next, from);
    c->last = to;
    fl_threads_run(c->opt->threads, work, c);
    if (!campaign_stopped(c))
        return 0;
    return atomic_load(&c->failed) ? -1 : fl_fail(c->err, "stopped");
}

/* ---- parts ------------------------------------------------------------------------------------- */

static int declare(struct campaign *c, int number, struct result_part *part)
{
    part->job = c->number;
    part->engine = fl_strdup(campaign_engine(c->opt)->name);
    part->method = METHOD_LIST;
    part->confidence = 0.95;
    context_part(c->ctx, part);
    if (c->kind->part(c, number, part) != 0)
        return -1;
    c->units = part->units;
    c->flips = part->flips;
    c->cut = part->cut;
    int next = c->stored + 1;
    const struct result *r = store_result(c->store);
    uint64_t before = next < r->nparts ? store_count_done(c->store, next) : 0;
    if ((c->stored = store_part(c->store, part, c->err)) < 0)
        return -1;
    if (store_count_done(c->store, c->stored) < before)
        progress_say(c->progress, "%s: %s: another version cut its work otherwise: it starts again",
                     c->ctx->facts.name, part->target);
    if (!c->flips)
        c->units = r->part[c->stored].units;
    return 0;
}

static int run_part(struct campaign *c, int number, double weight)
{
    struct result_part part = {.job = c->number};
    if (campaign_asked_to_stop(c->opt))
        return fl_fail(c->err, "stopped");
    int status = declare(c, number, &part);
    if (status == 0) {
        progress_piece(c->progress, part.target, c->flips ? "faults" : "units",
                       reported(store_count_done(c->store, c->stored), c->flips, c->cut),
                       reported(store_share(c->store, c->stored), c->flips, c->cut), weight);
        status = c->kind->run ? c->kind->run(c) : campaign_units(c, 0, c->units);
    }
    result_part_free(&part);
    if (c->kind->leave)
        c->kind->leave(c);
    return status;
}

/* What all parts weigh is known before the first takes its hours. */
static int run_parts(struct campaign *c)
{
    double *weight = fl_alloc((size_t)c->parts * sizeof *weight);
    int status = store_job(c->store, c->number, &c->ctx->facts, c->err);
    for (int i = 0; i < c->parts && status == 0; i++) {
        status = campaign_asked_to_stop(c->opt) ? fl_fail(c->err, "stopped")
                                                : c->kind->foresee(c, i, &weight[i]);
        progress_expect(c->progress, weight[i]);
    }
    for (int i = 0; i < c->parts && status == 0; i++)
        status = run_part(c, i, weight[i]);
    free(weight);
    return status;
}

/* ---- jobs -------------------------------------------------------------------------------------- */

static int run_job(struct campaign *c)
{
    progress_job(c->progress, c->job->name);
    if (campaign_asked_to_stop(c->opt))
        return fl_fail(c->err, "stopped");
    c->ctx = NULL;
    c->ref = NULL;
    int status = c->kind->open(c);
    if (status == 0 && c->opt->words)
        outputs_keep(c->ctx->g->outputs, c->opt->words);
    if (status == 0)
        status = run_parts(c);
    c->kind->close(c);
    return status;
}

static int check_names(const struct job *const *jobs, int n, struct fl_err *err)
{
    for (int i = 1; i < n; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(jobs[i]->name, jobs[k]->name) == 0)
                return fl_fail(err,
                               "%s: a second job with the name %s, after %s; leave one out, or "
                               "give it another name",
                               jobs[i]->path, jobs[i]->name, jobs[k]->path);
    return 0;
}

static int open_store(struct campaign *c, const struct job *const *jobs, int n)
{
    const struct campaign_options *opt = c->opt;
    struct result_job *facts = fl_alloc((size_t)n * sizeof *facts);
    struct fl_buf options = {0}, size = {0};
    for (int i = 0; i < n; i++)
        identity_job(jobs[i], &facts[i]);
    c->kind->identity(c->own, &options, &size);
    if (opt->words)
        fl_buf_printf(&options, " " STORE_WORDS);
    struct store_identity id = {.options = (char *)options.data,
                                .size = size.data ? (char *)size.data : "",
                                .shard = opt->shards ? opt->shard : 1,
                                .shards = opt->shards ? opt->shards : 1,
                                .njobs = n,
                                .job = facts};
    int status = 0;
    if (opt->store && opt->resume && c->kind->accepts)
        status = c->kind->accepts(c->own, opt->store, id.options, c->err);
    if (status == 0)
        status = store_open(opt->store, opt->resume, &id, &c->store, c->err);
    for (int i = 0; i < n; i++)
        result_job_free(&facts[i]);
    free(facts);
    fl_buf_free(&options);
    fl_buf_free(&size);
    return status;
}

/* For people. */
static int print_stop(const struct campaign *c)
{
    const struct campaign_options *opt = c->opt;
    const struct result *r = store_result(c->store);
    const char *by = sigabbrev_np(atomic_load(opt->stop)), *what = "faults";
    uint64_t done = 0, all = 0;
    for (int i = 0; i < r->nparts; i++) {
        const struct result_part *p = &r->part[i];
        done += reported(store_count_done(c->store, i), p->flips, p->cut);
        all += reported(store_share(c->store, i), p->flips, p->cut);
        what = p->flips ? what : "units of work";
    }
    if (!opt->store)
        return fl_fail(c->err,
                       "stopped by SIG%s after %llu of %llu %s; nothing is kept without --store F",
                       by, (unsigned long long)done, (unsigned long long)all, what);
    char *go_on = store_go_on(opt->store, opt->shard, opt->shards);
    fl_fail(c->err, "stopped by SIG%s; %llu of the %llu %s so far are done and kept: %s", by,
            (unsigned long long)done, (unsigned long long)all, what, go_on);
    free(go_on);
    return -1;
}

static int run_jobs(struct campaign *c, const struct job *const *jobs, int n)
{
    int status = c->kind->begin ? c->kind->begin(c) : 0;
    for (int i = 0; i < n && status == 0; i++) {
        c->job = jobs[i];
        c->number = i;
        status = run_job(c);
    }
    return status != 0 ? -1 : store_finish(c->store, c->err);
}

int campaign_run(const struct campaign_kind *kind, void *own, const struct job *const *jobs,
                 int njobs, const struct campaign_options *opt, struct store **out,
                 struct fl_err *err)
{
    struct campaign c = {.kind = kind, .own = own, .opt = opt, .err = err, .stored = -1};
    struct fl_err ignored;
    double start = fl_seconds();
    if (check_names(jobs, njobs, err) != 0 || open_store(&c, jobs, njobs) != 0)
        return -1;
    c.progress = store_progress(&opt->progress, opt->store, opt->shard, opt->shards, njobs);
    pthread_mutex_init(&c.lock, NULL);
    int status = run_jobs(&c, jobs, njobs);
    pthread_mutex_destroy(&c.lock);
    bool stopped = status != 0 && campaign_asked_to_stop(opt) && print_stop(&c) != 0;
    if (status == 0)
        store_ran(c.store, fl_seconds() - start, fl_threads(opt->threads), &ignored);
    progress_end(c.progress,
                 stopped  ? "stopped"
                 : status ? "failed"
                          : "done",
                 status ? err->msg : NULL);
    if (status == 0)
        *out = c.store;
    else
        store_close(c.store, stopped ? err : &ignored);
    return status;
}
