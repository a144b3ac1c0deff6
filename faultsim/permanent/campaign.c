/* campaign.c -- runs a fault list on all processors and counts what became of the faults. */
#include "campaign.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/threads.h"
#include "prove.h"

struct shared {
    struct fsim_campaign *c;
    const struct fsim_options *opt;
    long *order; /* fault numbers in the order of first activation */
    long todo;
    atomic_long next, finished;
    pthread_mutex_t lock; /* of c->stat */
    const struct reference *ref;
    long chunk; /* faults that a thread takes at a time */
    double start;
};

static bool stopped(const struct fsim_options *opt)
{
    return opt->stop && atomic_load(opt->stop);
}

static void *work(void *arg)
{
    struct shared *s = arg;
    struct fsim_worker *w = fsim_worker_on(s->ref);
    for (;;) {
        long from = atomic_fetch_add(&s->next, s->chunk);
        if (from >= s->todo || stopped(s->opt))
            break;
        for (long i = from; i < s->todo && i < from + s->chunk && !stopped(s->opt); i++) {
            long f = s->order[i];
            if (s->opt->exhaustive)
                fsim_exhaustive(w, &s->c->list.fault[f], &s->c->result[f]);
            else
                fsim_simulate(w, &s->c->list.fault[f], &s->c->result[f]);
            atomic_fetch_add(&s->finished, 1);
        }
    }
    pthread_mutex_lock(&s->lock);
    fsim_worker_statistics(w, &s->c->stat);
    pthread_mutex_unlock(&s->lock);
    fsim_worker_free(w);
    return NULL;
}

/* A line of progress; false when there is no more to tell. */
static bool show_progress(void *context)
{
    const struct shared *s = context;
    long done = atomic_load(&s->finished);
    double spent = fl_seconds() - s->start,
           left = done ? spent * (double)(s->todo - done) / (double)done : 0;
    if (done >= s->todo || stopped(s->opt))
        return false;
    fprintf(stderr, "\r%s: %ld of %ld faults, %.0f s left   ", s->c->job_name, done, s->todo, left);
    return true;
}

struct key {
    uint64_t activation;
    long fault;
};

static int by_activation(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    if (x->activation != y->activation)
        return x->activation < y->activation ? -1 : 1;
    return x->fault < y->fault ? -1 : x->fault > y->fault;
}

static long *work_order(const struct fsim_campaign *c)
{
    struct key *key = fl_alloc((size_t)c->list.count * sizeof *key);
    long *order = fl_alloc((size_t)c->list.count * sizeof *order);
    for (long i = 0; i < c->list.count; i++)
        key[i] = (struct key){golden_activation(c->golden, &c->list.fault[i], 0), i};
    qsort(key, (size_t)c->list.count, sizeof *key, by_activation);
    for (long i = 0; i < c->list.count; i++)
        order[i] = key[i].fault;
    free(key);
    return order;
}

/* How many faults were simulated. */
static long run_threads(struct fsim_campaign *c, const struct fsim_options *opt,
                        const struct reference *ref)
{
    struct shared s = {.c = c,
                       .opt = opt,
                       .order = work_order(c),
                       .todo = c->list.count,
                       .ref = ref,
                       /* without shortcuts a fault takes long */
                       .chunk = ref->golden ? 32 : 1};
    pthread_mutex_init(&s.lock, NULL);
    bool show = opt->progress && isatty(STDERR_FILENO);
    s.start = fl_seconds();
    fl_threads_run(opt->threads, work, &s, show ? show_progress : NULL);
    if (show)
        fprintf(stderr, "\r%*s\r", 78, "");
    pthread_mutex_destroy(&s.lock);
    free(s.order);
    return atomic_load(&s.finished);
}

static int build_list(struct fsim_campaign *c, const char *const *patterns, int npatterns,
                      const char *faults_file, struct fl_err *err)
{
    for (int i = 0; i < npatterns; i++)
        if (fsim_list_add(&c->list, c->img, patterns[i], err) != 0)
            return -1;
    if (faults_file && fsim_list_read(&c->list, c->img, faults_file, err) != 0)
        return -1;
    if (c->list.count == 0)
        return fl_fail(err,
                       "the fault list is empty; name faults with --target, --faults or --fault");
    fsim_list_once(&c->list);
    for (long i = 0; i < c->list.count; i++)
        if (c->list.fault[i].cell.structure != SM_S_dstack)
            return fl_fail(err,
                           "stuck-at faults are those of dstack; leave the others out of the list");
    return 0;
}

static int whole(const struct fsim_campaign *c, const struct fsim_options *opt, long done,
                 struct fl_err *err)
{
    return done == c->list.count
               ? 0
               : fl_fail(err,
                         "stopped by SIG%s after %ld of %ld faults of %s; nothing is kept of a "
                         "campaign of stuck-at faults",
                         sigabbrev_np(atomic_load(opt->stop)), done, c->list.count, c->job_name);
}

static int run_engine(struct fsim_campaign *c, const struct engine *e,
                      const struct fsim_options *opt, struct fl_err *err)
{
    struct reference *ref = reference_new(e, c->golden, err);
    if (!ref)
        return -1;
    long done = run_threads(c, opt, ref);
    reference_free(ref);
    return whole(c, opt, done, err);
}

int fsim_campaign_run(struct fsim_campaign *c, const struct job *job, const char *const *patterns,
                      int npatterns, const char *faults_file, const struct fsim_options *opt,
                      struct fl_err *err)
{
    const struct engine *e = opt->engine ? opt->engine : &engine_c;
    memset(c, 0, sizeof *c);
    c->job_name = job->name;
    c->detect_timing = opt->detect_timing;
    c->engine = e->name;
    c->img = sm_image_new(job, err);
    if (!c->img || build_list(c, patterns, npatterns, faults_file, err) != 0)
        goto failed;
    double t = fl_seconds();
    c->golden = golden_run(c->img, opt->max_cycles, err);
    if (!c->golden)
        goto failed;
    c->golden_seconds = fl_seconds() - t;
    t = fl_seconds();
    c->result = fl_alloc((size_t)c->list.count * sizeof *c->result);
    if (run_engine(c, e, opt, err) != 0)
        goto failed;
    for (long i = 0; i < c->list.count; i++)
        c->result[i].untestable = prove_untestable(c->img, &c->list.fault[i]) != NULL;
    c->seconds = fl_seconds() - t;
    return 0;
failed:
    fsim_campaign_free(c);
    return -1;
}

void fsim_campaign_free(struct fsim_campaign *c)
{
    golden_free(c->golden);
    fsim_list_free(&c->list);
    free(c->result);
    sm_image_free(c->img);
    *c = (struct fsim_campaign){0};
}

/* ---- counting -------------------------------------------------------------------------------- */

bool fsim_detected(const struct fsim_result *r, bool detect_timing)
{
    switch (r->outcome) {
    case OUT_SDC:
    case OUT_CRASH:
    case OUT_TIMEOUT:
    case OUT_HANG: return true;
    case OUT_PERFORMANCE: return detect_timing;
    default: return false;
    }
}

const char *fsim_class(const struct fsim_result *r, bool detect_timing)
{
    if (r->untestable)
        return "undetectable-untestable";
    return fsim_detected(r, detect_timing) ? "detected" : "not detected";
}

void fsim_count(const struct fsim_list *list, const struct fsim_result *r, bool detect_timing,
                int field, struct fsim_counts *out)
{
    *out = (struct fsim_counts){0};
    for (long i = 0; i < list->count; i++) {
        if (field >= 0 && list->fault[i].cell.field != field)
            continue;
        out->faults++;
        if (r[i].untestable) {
            out->untestable++;
        } else if (r[i].outcome == OUT_MASKED && r[i].first_activation == FSIM_NEVER) {
            out->not_activated++;
        } else if (r[i].outcome == OUT_PERFORMANCE && detect_timing) {
            out->detected++;
        } else {
            out->by_outcome[r[i].outcome]++;
            out->detected += fsim_detected(&r[i], false);
        }
    }
}

static int strength(enum fsim_outcome o)
{
    static const int rank[] = {[OUT_MASKED] = 0, [OUT_PERFORMANCE] = 1, [OUT_TIMEOUT] = 2,
                               [OUT_HANG] = 3,   [OUT_CRASH] = 4,       [OUT_SDC] = 5};
    return rank[o];
}

void fsim_union(const struct fsim_campaign *c, int n, struct fsim_result *result)
{
    for (long i = 0; i < c[0].list.count; i++) {
        result[i] = c[0].result[i];
        for (int k = 1; k < n; k++) {
            const struct fsim_result *r = &c[k].result[i];
            int a = strength(r->outcome), b = strength(result[i].outcome);
            /* a masked fault that some job activated is masked, not "not activated" */
            if (a > b || (a == b && result[i].first_activation == FSIM_NEVER &&
                          r->first_activation != FSIM_NEVER))
                result[i] = *r;
        }
    }
}
