/* campaign.c -- runs a transient campaign: the units of each target on all processors, into the
 * store. */
#include "plan.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "faultsim/result/identity.h"
#include "faultsim/result/made.h"
#include "faultsim/result/stats.h"

/* ---- the engine ------------------------------------------------------------------------------ */

static const struct engine *engine_of(const struct avf_options *opt)
{
    return opt->engine ? opt->engine : &engine_c;
}

/* The structures that a campaign changes are there. */
static int all_in_engine(const struct lab *l, const struct avf_options *opt, struct fl_err *err)
{
    const struct engine *e = engine_of(opt);
    if (opt->pattern.with >= 0 && engine_has(e, l->img, opt->pattern.with, err) != 0)
        return -1;
    for (uint64_t i = 0; i < opt->nlist; i++)
        for (int k = 0; k < opt->list[i].ncells; k++)
            if (engine_has(e, l->img, opt->list[i].cell[k].structure, err) != 0)
                return -1;
    for (int i = 0; !opt->list && i < opt->ntargets; i++)
        if (engine_has(e, l->img, avf_structure(l->img, opt->target[i]), err) != 0)
            return -1;
    return 0;
}

/* ---- one target ------------------------------------------------------------------------------ */

struct pool {
    struct lab *lab;
    const struct reference *ref;
    const struct avf_options *opt;
    struct store *store;
    const char *target;
    int job, structure, part;
    uint64_t units, cut; /* see result.h */
    uint64_t flips;      /* of a sample: how many in all; else 0 */
    atomic_ullong next;
    atomic_bool failed;
    struct progress *progress;
    pthread_mutex_t lock; /* of err */
    struct fl_err *err;
    uint64_t last;    /* units [next, last) are worked on now */
    struct plan plan; /* method exact */
};

static bool one_by_one(const struct pool *p)
{
    return p->opt->method == METHOD_SAMPLE || p->opt->method == METHOD_LIST;
}

/* One behind the last flip of a unit of a sample. */
static uint64_t last_flip(const struct pool *p, uint64_t unit)
{
    return (unit + 1) * p->cut < p->flips ? (unit + 1) * p->cut : p->flips;
}

bool avf_stopped(const struct avf_options *opt)
{
    return opt->stop && atomic_load(opt->stop);
}

static void work_on(struct pool *p, struct avf_task *k, uint64_t unit)
{
    struct fl_err err = {"stopped"};
    bool whole = true;
    if (!store_wants(p->store, p->part, unit))
        return;
    store_found_clear(k->found);
    if (p->opt->method == METHOD_EXACT)
        exact_unit(k, unit);
    else if (one_by_one(p))
        whole = sample_flips(k, unit * p->cut, last_flip(p, unit));
    else
        ace_unit(k);
    if (!whole || store_put(p->store, p->part, unit, k->found, &err) != 0 || avf_stopped(p->opt)) {
        pthread_mutex_lock(&p->lock);
        if (!atomic_exchange(&p->failed, true))
            *p->err = err;
        pthread_mutex_unlock(&p->lock);
    }
    progress_add(p->progress, whole);
}

static void task_start(const struct pool *p, struct store_found *found, struct avf_task *k)
{
    store_found_make(found, p->store, p->part);
    *k = (struct avf_task){.lab = p->lab,
                           .opt = p->opt,
                           .structure = p->structure,
                           .worker = fsim_worker_on(p->ref),
                           .found = found,
                           .timeline = &p->lab->facts.timeline,
                           .plan = &p->plan};
    fsim_worker_follow(k->worker, p->lab->f);
}

static void task_end(struct avf_task *k)
{
    fsim_worker_free(k->worker);
    store_found_free(k->found);
}

static void *work(void *arg)
{
    struct pool *p = arg;
    struct store_found found;
    struct avf_task k;
    task_start(p, &found, &k);
    for (uint64_t u; (u = atomic_fetch_add(&p->next, 1)) < p->last && !atomic_load(&p->failed);)
        work_on(p, &k, u);
    task_end(&k);
    return NULL;
}

/* Units [from, to) on all threads. */
static int run_units(struct pool *p, uint64_t from, uint64_t to)
{
    atomic_store(&p->next, from);
    p->last = to;
    fl_threads_run(p->opt->threads, work, p);
    return atomic_load(&p->failed) ? -1 : 0;
}

/* Without a record, what decides flips is recorded before they are simulated. The record of a
 * window of cycles is none for cells that are held beyond it. */
static bool needs_watches(const struct pool *p)
{
    return p->opt->pattern.window ? !p->lab->whole : !p->lab->recorded;
}

static void watch_flips(const struct pool *p, uint64_t from, uint64_t to, struct lab_watches *w)
{
    struct upset u;
    for (uint64_t i = from; i < to; i++)
        if (sample_draw(p->lab, p->structure, p->opt, i, &u))
            lab_watch(p->lab, w, &u);
}

/* The same of a sample; watches, so many at a time as fit. */
static int run_flips(struct pool *p, uint64_t from, uint64_t to)
{
    if (!needs_watches(p))
        return run_units(p, from, to);
    while (from < to) {
        struct lab_watches w = {0};
        uint64_t end = from;
        for (; end < to && w.count < LAB_WATCHES; end++)
            if (store_wants(p->store, p->part, end))
                watch_flips(p, end * p->cut, last_flip(p, end), &w);
        if ((w.count && lab_record(p->lab, &w, p->err) != 0) || run_units(p, from, end) != 0)
            return -1;
        from = end;
    }
    return 0;
}

/* The interval of the flips so far is as narrow as asked for. */
static bool narrow(const struct pool *p)
{
    struct tally t;
    store_sum(p->store, p->part, &t);
    struct stats_interval i = stats_wilson(tally_failed(&t), t.counted, p->opt->confidence);
    return t.counted && (i.hi - i.lo) / 2 <= p->opt->margin;
}

/* The store has a sample of fewer flips. When its last unit was not full and is done, the rest of
 * that unit is simulated first. A sample that stopped early grows too, and stops again where it
 * did: nothing is asked that was not asked then. */
static int grow(struct pool *p)
{
    const struct result_part *there = &store_result(p->store)->part[p->part];
    uint64_t from = there->flips, to = last_flip(p, there->units - 1);
    struct store_found rest;
    struct lab_watches w = {0};
    struct avf_task k;
    if (from == p->flips)
        return 0;
    if (from == to || !store_done(p->store, p->part, there->units - 1))
        return store_grow(p->store, p->part, p->flips, NULL, p->err);
    if (needs_watches(p)) {
        watch_flips(p, from, to, &w);
        if (lab_record(p->lab, &w, p->err) != 0)
            return -1;
    }
    task_start(p, &rest, &k);
    int bad = sample_flips(&k, from, to) ? store_grow(p->store, p->part, p->flips, &rest, p->err)
                                         : fl_fail(p->err, "stopped");
    task_end(&k);
    return bad;
}

/* Flips in batches of the seeded order: whether to stop is asked between batches only, and never
 * with flips of a later batch in the sums (a resumed campaign has them), so that the answer depends
 * neither on threads nor on kills. */
static int run_sample(struct pool *p)
{
    uint64_t batch = SAMPLE_BATCH / p->cut;
    if (grow(p) != 0)
        return -1;
    if (!p->opt->stop_early)
        return run_flips(p, 0, p->units);
    for (uint64_t at = 0; at < p->units;) {
        uint64_t to = at + batch < p->units ? at + batch : p->units;
        if (run_flips(p, at, to) != 0)
            return -1;
        at = to;
        if (at < p->units && store_count_done(p->store, p->part) == at && narrow(p))
            return store_stop(p->store, p->part, at, p->err);
    }
    return 0;
}

/* ---- declaring it ---------------------------------------------------------------------------- */

static const char *model_of(const struct avf_options *o)
{
    return o->pattern.window ? "intermittent" : "transient";
}

/* Bits, cycles and owners, known before any flip. */
static int declare(struct pool *p, const char *target, struct fl_err *err)
{
    const struct lab *l = p->lab;
    const struct timeline *time = &l->facts.timeline;
    struct sm_structure s;
    sm_structure_get(l->img, p->structure, &s);
    uint64_t bits = p->opt->list || p->opt->dest ? 0 : (uint64_t)sm_structure_bits(&s);
    struct result_part part = {.job = p->job,
                               .model = fl_strdup(model_of(p->opt)),
                               .target = fl_strdup(target),
                               .engine = fl_strdup(p->ref->engine->name),
                               .method = p->opt->method,
                               .confidence = p->opt->confidence,
                               .active_only = p->opt->method == METHOD_SAMPLE &&
                                              p->opt->active_only,
                               .sums_only = one_by_one(p) && p->opt->sums_only,
                               .units = p->units,
                               .flips = p->flips,
                               .cut = p->cut};
    struct lab_piece piece;
    lab_part(l, &part);
    for (int i = 0; i < l->facts.nlaunches; i++) {
        part.tally[i].bits = bits;
        part.tally[i].population = bits * part.tally[i].cycles;
    }
    bool owners = touch_has_owners(l->t, p->structure) && bits;
    if (!owners) {
        for (int i = 0; i < l->facts.nlaunches; i++)
            part.tally[i].owned = part.tally[i].population;
        timeline_spread(time, l->from, l->to, bits, &part.moment[0].owned);
    }
    for (uint32_t b = 0; owners && b < l->t->nblocks; b++) {
        const struct touch_block *o = &l->t->block[b];
        uint64_t own = touch_span_of(l->t, p->structure, o).bits;
        for (uint64_t from = o->from; o->to > o->from && lab_piece(l, &from, o->to - 1, &piece);) {
            part.tally[piece.launch].owned += own * (piece.to - piece.from);
            timeline_spread(time, piece.from, piece.to, own, &part.moment[0].owned);
        }
    }
    p->part = store_part(p->store, &part, err);
    result_part_free(&part);
    return p->part < 0 ? -1 : 0;
}

static int population_of(const struct lab *l, int structure, uint64_t *population,
                         struct fl_err *err)
{
    struct sm_structure s;
    sm_structure_get(l->img, structure, &s);
    return stats_population((uint64_t)sm_structure_bits(&s), l->to - l->from, population, err);
}

int avf_sample_size(const struct lab *l, int structure, const struct avf_options *opt, uint64_t *n,
                    struct fl_err *err)
{
    uint64_t population;
    if (opt->dest)
        population = dest_population(opt->dest);
    else if (population_of(l, structure, &population, err) != 0)
        return -1;
    *n = opt->count;
    return *n ? 0 : stats_sample_size(population, opt->margin, opt->confidence, 0.5, n, err);
}

static int count_units(struct pool *p, struct fl_err *err)
{
    const struct avf_options *opt = p->opt;
    p->flips = 0;
    switch (opt->method) {
    case METHOD_EXACT:
        plan_make(p->lab, p->structure, opt->exhaustive, &p->plan);
        p->units = p->plan.units;
        p->cut = plan_digest(&p->plan);
        break;
    case METHOD_ACE: p->units = p->cut = 1; break;
    case METHOD_COUNT: break;
    case METHOD_SAMPLE:
    case METHOD_LIST:
        p->flips = opt->nlist;
        if (!opt->list && avf_sample_size(p->lab, p->structure, opt, &p->flips, err) != 0)
            return -1;
        p->cut = sample_unit_size(p->lab);
        p->units = (p->flips + p->cut - 1) / p->cut;
    }
    return 0;
}

/* ---- how long it will take ------------------------------------------------------------------- */

/* Says what an exact campaign of one target will be, and refuses one over the budget. */
static int predict(const struct pool *p, const char *target, struct fl_err *err)
{
    double minutes = p->plan.seconds / fl_threads(p->opt->threads) / p->opt->shards / 60;
    unsigned long long groups = p->plan.groups, reads = p->plan.reads;
    if (p->opt->budget > 0 && minutes > p->opt->budget)
        return fl_fail(
            err,
            "%s: %s: an exact campaign of %llu groups, %llu of them read, would take about %.3g "
            "minutes, over the budget of %g; draw flips instead (--sample 10000, or --margin "
            "0.01), raise --budget, or take fewer cycles (--launch, --cycles)",
            p->lab->job->path, target, groups, reads, minutes, p->opt->budget);
    char *about = progress_duration(60 * minutes);
    progress_say(p->progress, "%s: %s: %llu groups, %llu of them read; about %s",
                 p->lab->facts.name, target, groups, reads, about);
    free(about);
    return 0;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static bool in_a_job(struct sm_image *const *img, int njobs, int structure, const struct engine *e)
{
    for (int j = 0; j < njobs; j++) {
        struct sm_structure s;
        struct fl_err ignored;
        sm_structure_get(img[j], structure, &s);
        if (sm_structure_bits(&s) > 0 && engine_has(e, img[j], structure, &ignored) == 0)
            return true;
    }
    return false;
}

int avf_targets(struct sm_image *const *img, int njobs, struct avf_options *opt, struct fl_err *err)
{
    const char *asked[AVF_MAX_TARGETS];
    int n = opt->ntargets;
    memcpy(asked, opt->target, sizeof asked);
    opt->ntargets = 0;
    for (int i = 0; i < n; i++) {
        bool all = strcmp(asked[i], "all") == 0, found = false;
        struct fl_buf names = {0};
        if (dest_is(asked[i])) {
            if (!dest_name(asked[i]))
                return fl_fail(err,
                               "there is no target '%s'; there are dest, dest/gp, dest/fp32, "
                               "dest/int, dest/ld, dest/pr and dest/other",
                               asked[i]);
            opt->target[opt->ntargets++] = dest_name(asked[i]);
            continue;
        }
        opt->all |= all;
        for (int s = 0; s < SM_ALL_STRUCTURES; s++) {
            struct sm_structure st;
            sm_structure_get(img[0], s, &st);
            fl_buf_printf(&names, "%s%s", s ? ", " : "", st.name);
            if (!all && strcmp(st.name, asked[i]) != 0)
                continue;
            found = true;
            if (all && !in_a_job(img, njobs, s, engine_of(opt)))
                continue;
            bool twice = false;
            for (int k = 0; k < opt->ntargets; k++)
                twice |= strcmp(opt->target[k], st.name) == 0;
            if (!twice && opt->ntargets < AVF_MAX_TARGETS)
                opt->target[opt->ntargets++] = st.name;
        }
        if (!found)
            fl_fail(err, "there is no target '%s'; there are all, dest, %s", asked[i],
                    (char *)names.data);
        fl_buf_free(&names);
        if (!found)
            return -1;
    }
    return 0;
}

int avf_structure(const struct sm_image *img, const char *target)
{
    return dest_is(target) ? dest_structure(target) : sm_structure_find(img, target);
}

static int check_dest(const struct avf_options *opt, const char *path, struct fl_err *err)
{
    const struct avf_pattern *p = &opt->pattern;
    if (opt->methods[METHOD_EXACT] || opt->methods[METHOD_ACE])
        return fl_fail(
            err, "%s: destinations are drawn (--sample N), with neither --exact nor --ace", path);
    if (p->adjacent || p->random || p->entries || p->warp || p->blocks || p->with >= 0 ||
        p->window || opt->active_only)
        return fl_fail(err,
                       "%s: of a destination --value says what it gets; leave patterns of several "
                       "bits, --hold and --active-only out",
                       path);
    return 0;
}

int avf_check(const struct sm_image *img, const char *path, const struct avf_options *opt,
              struct fl_err *err)
{
    for (int i = 0; i < opt->ntargets && !opt->list; i++) {
        struct sm_structure s;
        struct fl_err why;
        int structure = avf_structure(img, opt->target[i]);
        sm_structure_get(img, structure, &s);
        if (dest_is(opt->target[i])) {
            if (check_dest(opt, path, err) != 0)
                return -1;
            continue;
        }
        bool there = sm_structure_bits(&s) > 0;
        if (!there && !opt->all)
            return fl_fail(err, "%s: no kernel of this job has %s memory; leave the target %s out",
                           path, s.name, s.name);
        bool needs_accesses = opt->methods[METHOD_EXACT] || opt->methods[METHOD_ACE];
        if (there && needs_accesses && !sm_access_known(structure))
            return fl_fail(err,
                           "%s: who reads and writes %s is not known, so neither --exact nor --ace "
                           "can be; sample it (--sample N)",
                           path, s.name);
        if (there && opt->methods[METHOD_SAMPLE] && sample_fits(img, structure, opt, &why) != 0)
            return fl_fail(err, "%s: %s: %s", path, s.name, why.msg);
    }
    return 0;
}

/* How many faults, and a hash of them (FNV-1a, a word at a time, as in plan.c). */
static void list_text(const struct avf_options *o, struct fl_buf *out)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (uint64_t i = 0; i < o->nlist; i++) {
        const struct upset *u = &o->list[i];
        for (int k = 0; k < u->ncells; k++) {
            const struct sm_cell *c = &u->cell[k];
            const uint64_t v[] = {i,
                                  u->kind,
                                  u->from,
                                  u->to,
                                  (uint64_t)c->structure << 32 | (uint64_t)c->field << 16 |
                                      (uint64_t)c->bit,
                                  (uint64_t)c->index[0],
                                  (uint64_t)c->index[1] << 32 | (uint64_t)c->index[2]};
            for (size_t w = 0; w < sizeof v / sizeof *v; w++)
                h = (h ^ v[w]) * 0x100000001b3u;
        }
    }
    fl_buf_printf(out, " list=%llu,%016llx", (unsigned long long)o->nlist, (unsigned long long)h);
}

static void pattern_text(const struct avf_pattern *p, struct fl_buf *out)
{
    /* Before 0.2 what is drawn besides the place hung on the place: such a store must not go on. Flips of one bit
     * are the same as then. */
    if (p->adjacent || p->random || p->entries || p->blocks || p->with >= 0 || p->window)
        fl_buf_printf(out, " draws=2");
    if (p->adjacent || p->random)
        fl_buf_printf(out, " bits=%s:%d", p->adjacent ? "adjacent" : "random",
                      p->adjacent ? p->adjacent : p->random);
    if (p->entries)
        fl_buf_printf(out, " entries=%d", p->entries);
    if (p->warp)
        fl_buf_printf(out, " lanes");
    if (p->blocks)
        fl_buf_printf(out, " blocks=%d", p->blocks);
    if (p->with >= 0)
        fl_buf_printf(out, " with=%s", sm_structure_name(p->with, NULL));
    if (p->window == UPSET_NO_END)
        fl_buf_printf(out, " hold=end");
    else if (p->window)
        fl_buf_printf(out, " hold=%llu", (unsigned long long)p->window);
}

/* Everything that decides a result, as a text that two runs must share: made.h. */
static void options_text(const struct avf_options *o, struct fl_buf *out)
{
    const char *comma = "";
    made_begin(out, model_of(o), engine_of(o)->name);
    fl_buf_printf(out, " method=");
    for (int m = 0; m < METHOD_COUNT; m++)
        if (o->methods[m]) {
            fl_buf_printf(out, "%s%s", comma, tally_method_name((enum tally_method)m));
            comma = ",";
        }
    for (int i = 0; i < o->ntargets && !o->list; i++)
        fl_buf_printf(out, "%s%s", i ? "," : " target=", o->target[i]);
    fl_buf_printf(out, " engine=%s", engine_of(o)->name);
    if (o->window.launch >= 0)
        fl_buf_printf(out, " launch=%d", o->window.launch);
    if (o->window.from || o->window.to != UINT64_MAX)
        fl_buf_printf(out, " cycles=%llu-%llu", (unsigned long long)o->window.from,
                      (unsigned long long)o->window.to);
    if (o->list)
        list_text(o, out);
    if (o->methods[METHOD_SAMPLE]) {
        fl_buf_printf(out, " confidence=%g seed=%llu", o->confidence, (unsigned long long)o->seed);
        if (o->stop_early)
            fl_buf_printf(out, " stop-early=%g", o->margin);
        if (o->active_only)
            fl_buf_printf(out, " active-only");
        if (o->value != DEST_BIT)
            fl_buf_printf(out, " value=%s", o->value == DEST_ZERO ? "zero" : "random");
        pattern_text(&o->pattern, out);
    }
    if (o->exhaustive)
        fl_buf_printf(out, " exhaustive");
}

/* What may grow. */
static void size_text(const struct avf_options *o, struct fl_buf *out)
{
    if (!o->methods[METHOD_SAMPLE])
        fl_buf_add(out, "", 1);
    else if (o->count)
        fl_buf_printf(out, "flips=%llu", (unsigned long long)o->count);
    else
        fl_buf_printf(out, "margin=%g", o->margin);
}

/* Every flip, and lifetimes, take all touches of the cycles. */
static int needs_record(const struct pool *p, struct fl_err *err)
{
    const struct lab *l = p->lab;
    if (l->recorded || one_by_one(p) || p->opt->exhaustive)
        return 0;
    return fl_fail(err,
                   "%s: the record of cycles %llu-%llu takes more than %zu MB; draw flips instead "
                   "(--sample 10000, or --margin 0.01), or take fewer cycles (--cycles, --launch): "
                   "about %llu fit",
                   l->job->path, (unsigned long long)l->from, (unsigned long long)l->to - 1,
                   LAB_TOUCH_BYTES >> 20, (unsigned long long)l->fits);
}

/* What is known before any flip; a campaign that cannot be is refused here. */
static int prepare(struct pool *p, const char *target, struct fl_err *err)
{
    p->target = target;
    p->structure = p->opt->list ? 0 : avf_structure(p->lab->img, target);
    return needs_record(p, err) != 0 ? -1 : count_units(p, err);
}

/* What the target costs, in the unit of plan.h. Most flips of a sample are pruned, or run over a
 * small part of the job. */
static double weight(const struct pool *p)
{
    enum { FLIPS_OF_A_RUN = 50 };
    double run = (double)p->lab->g->instructions;
    return p->opt->method == METHOD_EXACT ? (double)p->plan.total
           : one_by_one(p)                ? (double)p->flips * run / FLIPS_OF_A_RUN
                                          : run;
}

static int foresee(struct pool *p, const char *target, struct fl_err *err)
{
    int status = prepare(p, target, err);
    if (status == 0 && p->opt->method == METHOD_EXACT && !p->opt->exhaustive)
        status = predict(p, target, err);
    progress_expect(p->progress, weight(p));
    plan_free(&p->plan);
    return status;
}

static int run_target(struct pool *p, const char *target, struct fl_err *err)
{
    int status = prepare(p, target, err);
    if (status == 0)
        status = declare(p, target, err);
    if (status == 0) {
        progress_piece(p->progress, target, "units", store_count_done(p->store, p->part),
                       store_share(p->store, p->part), weight(p));
        status = one_by_one(p) ? run_sample(p) : run_units(p, 0, p->units);
    }
    plan_free(&p->plan);
    return status;
}

/* Of `all`, a job has what it has. */
static bool has_target(const struct lab *l, const struct avf_options *opt, int i)
{
    struct sm_structure s;
    if (opt->list)
        return true;
    sm_structure_get(l->img, avf_structure(l->img, opt->target[i]), &s);
    return sm_structure_bits(&s) > 0;
}

static int each_target(struct pool *p, struct avf_options *now,
                       int (*what)(struct pool *p, const char *target, struct fl_err *err),
                       struct fl_err *err)
{
    for (int m = 0; m < METHOD_COUNT; m++) {
        now->method = (enum tally_method)m;
        for (int i = 0; now->methods[m] && i < now->ntargets; i++) {
            struct dest *dest = NULL;
            if (!has_target(p->lab, now, i))
                continue;
            if (!now->list && dest_is(now->target[i]) &&
                !(dest = dest_new(p->lab, now->target[i], now->value, err)))
                return -1;
            now->dest = dest;
            int status = avf_stopped(now) ? -1 : what(p, now->target[i], err);
            now->dest = NULL;
            dest_free(dest);
            if (status != 0)
                return -1;
        }
    }
    return 0;
}

/* For people; `s` is NULL when there was no time to open it. */
static int tell_stop(const struct avf_options *opt, const struct store *s, struct fl_err *err)
{
    const char *by = sigabbrev_np(atomic_load(opt->stop));
    uint64_t done = 0, units = 0;
    if (!opt->store)
        return fl_fail(err, "stopped by SIG%s; nothing is kept without --store F", by);
    for (int p = 0; p < store_result(s)->nparts; p++) {
        done += store_count_done(s, p);
        units += store_share(s, p);
    }
    char *go_on = store_go_on(opt->store, opt->shard, opt->shards);
    fl_fail(err, "stopped by SIG%s; %llu of the %llu units of work so far are done and kept: %s",
            by, (unsigned long long)done, (unsigned long long)units, go_on);
    free(go_on);
    return -1;
}

static int run_job(struct store *store, struct progress *progress, const struct job *job,
                   int number, const struct avf_options *opt, struct fl_err *err)
{
    struct lab own, *l = opt->lab ? opt->lab : &own;
    size_t room = opt->touch_bytes ? opt->touch_bytes : LAB_TOUCH_BYTES;
    progress_job(progress, job->name);
    if (avf_stopped(opt) ||
        (l == &own && lab_open_in(l, job, &opt->window, opt->max_cycles, room, err) != 0))
        return -1;
    struct avf_options now = *opt;
    struct reference *ref = NULL;
    int status = all_in_engine(l, opt, err);
    if (status == 0 && !(ref = reference_new(engine_of(opt), l->g, err)))
        status = -1;
    struct pool p = {.lab = l,
                     .ref = ref,
                     .opt = &now,
                     .store = store,
                     .job = number,
                     .progress = progress,
                     .err = err};
    pthread_mutex_init(&p.lock, NULL);
    if (status == 0)
        status = store_job(store, number, &l->facts, err);
    if (status == 0) /* all of them, before the first takes its hours */
        status = each_target(&p, &now, foresee, err);
    if (status == 0)
        status = each_target(&p, &now, run_target, err);
    pthread_mutex_destroy(&p.lock);
    reference_free(ref);
    if (l == &own)
        lab_close(l);
    return status;
}

static int check_jobs(const struct job *const *jobs, int njobs, const struct avf_options *opt,
                      struct fl_err *err)
{
    int bad = 0;
    for (int i = 0; i < njobs && !bad; i++) {
        struct sm_image *img = sm_image_new(jobs[i], err);
        bad = !img || avf_check(img, jobs[i]->path, opt, err) != 0;
        sm_image_free(img);
        for (int k = 0; k < i && !bad; k++)
            if (strcmp(jobs[i]->name, jobs[k]->name) == 0)
                bad = fl_fail(err,
                              "%s: the job %s is there already, %s; reports could not tell them "
                              "apart: leave one out, or give it another name",
                              jobs[i]->path, jobs[i]->name, jobs[k]->path);
    }
    return bad ? -1 : 0;
}

int avf_run(const struct job *const *jobs, int njobs, const struct avf_options *opt,
            struct store **out, struct fl_err *err)
{
    if (check_jobs(jobs, njobs, opt, err) != 0)
        return -1;
    struct result_job *facts = fl_alloc((size_t)njobs * sizeof *facts);
    struct fl_buf options = {0}, size = {0};
    double start = fl_seconds();
    for (int i = 0; i < njobs; i++)
        identity_job(jobs[i], &facts[i]);
    options_text(opt, &options);
    size_text(opt, &size);
    struct store_identity id = {.options = (char *)options.data,
                                .size = (char *)size.data,
                                .shard = opt->shard,
                                .shards = opt->shards,
                                .njobs = njobs,
                                .job = facts};
    int status = store_open(opt->store, opt->resume, &id, out, err);
    if (status == 0) {
        struct progress *progress = store_progress(&opt->progress, opt->store, opt->shard,
                                                   opt->shards, njobs);
        for (int i = 0; i < njobs && status == 0; i++)
            status = run_job(*out, progress, jobs[i], i, opt, err);
        struct fl_err ignored;
        if (status == 0)
            status = store_finish(*out, err);
        if (status == 0)
            store_ran(*out, fl_seconds() - start, fl_threads(opt->threads), &ignored);
        bool stopped = status != 0 && avf_stopped(opt) && tell_stop(opt, *out, err) != 0;
        if (status != 0) {
            store_close(*out, stopped ? err : &ignored);
            *out = NULL;
        }
        progress_end(progress,
                     stopped  ? "stopped"
                     : status ? "failed"
                              : "done",
                     status ? err->msg : NULL);
    }
    for (int i = 0; i < njobs; i++)
        result_job_free(&facts[i]);
    free(facts);
    fl_buf_free(&options);
    fl_buf_free(&size);
    return status;
}
