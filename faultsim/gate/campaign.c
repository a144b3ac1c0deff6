/* campaign.c -- runs a campaign of faulty gates. See campaign.h. */
#include "campaign.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alone.h"
#include "check.h"
#include "base/random.h"
#include "base/threads.h"
#include "faultsim/result/identity.h"
#include "faultsim/result/made.h"

enum {
    CUT = 128,          /* faults of a unit of work */
    CUT_EXHAUSTIVE = 8, /* of brute force */
};

static const struct engine *engine_of(const struct gates_options *opt)
{
    return opt->engine ? opt->engine : &engine_c;
}

static bool exhaustive(const struct gates_options *opt)
{
    return opt->exhaustive || engine_of(opt) != &engine_c;
}

static bool asked_to_stop(const struct gates_options *opt)
{
    return opt->stop && atomic_load(opt->stop);
}

/* ---- parts ----------------------------------------------------------------------------------- */

int gates_open(const struct lab *lab, const struct gates_options *opt, struct gates_part **out,
               int *count, struct fl_err *err)
{
    int sps = opt->sp < 0 ? lab->img->profile.sps : 1;
    if (opt->sp >= lab->img->profile.sps)
        return fl_fail(err, "%s: the machine has SPs 0 to %d, and no SP %d", lab->job->path,
                       lab->img->profile.sps - 1, opt->sp);
    *count = opt->units * sps;
    *out = fl_alloc((size_t)*count * sizeof **out);
    struct trace *t = fl_alloc((size_t)*count * sizeof *t);
    for (int i = 0; i < *count; i++) {
        t[i].unit = &opt->unit[i / sps];
        t[i].sp = opt->sp < 0 ? i % sps : opt->sp;
    }
    trace_record(lab->g, t, *count);
    for (int i = 0; i < *count; i++)
        (*out)[i] = (struct gates_part){.lab = lab, .trace = t[i]};
    free(t);
    return 0;
}

void gates_close(struct gates_part *p, int count)
{
    for (int i = 0; i < count; i++) {
        trace_free(&p[i].trace);
        free(p[i].response);
    }
    free(p);
}

/* ---- the order ------------------------------------------------------------------------------- */

struct key {
    struct response r;
    uint32_t class;
};

/* Machines travel forward; faults of equal answers stand together, masked ones last. */
static int by_response(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    if (x->r.first != y->r.first)
        return x->r.first < y->r.first ? -1 : 1;
    for (int i = 0; i < 2; i++)
        if (x->r.hash[i] != y->r.hash[i])
            return x->r.hash[i] < y->r.hash[i] ? -1 : 1;
    return x->class < y->class ? -1 : x->class > y->class;
}

/* Chooses `wanted` of n, the same for a seed: the front of a shuffled list. */
static void draw(uint32_t *class, uint32_t n, uint64_t wanted, uint64_t seed)
{
    for (uint32_t i = 0; i < n; i++)
        class[i] = i;
    for (uint32_t i = 0; i < n && i < wanted; i++) {
        uint32_t k = i + (uint32_t)(fl_random(&seed) % (n - i)), c = class[i];
        class[i] = class[k];
        class[k] = c;
    }
}

struct pool {
    struct gates_part *part;
    const struct reference *ref;
    const struct gates_options *opt;
    struct store *store;
    int number;                 /* in the store */
    struct fsim_result *result; /* [faults->count] */
    uint32_t *order;            /* classes */
    uint64_t *place;            /* of a class in the job's list, from 1 */
    uint64_t before;            /* faults of the parts before this one */
    uint64_t faults, cut, units;
    atomic_ullong next; /* unit */
    atomic_bool failed;
    pthread_mutex_t lock; /* of err */
    struct fl_err *err;
    struct progress *progress;
};

static void put_in_order(struct pool *p)
{
    const struct gate_faults *f = p->part->trace.unit->faults;
    uint64_t n = p->opt->sample && p->opt->sample < f->count ? p->opt->sample : f->count;
    struct key *key = fl_alloc(n * sizeof *key);
    p->order = fl_alloc(f->count * sizeof *p->order);
    draw(p->order, f->count, p->opt->sample ? n : 0, p->opt->seed);
    for (uint64_t i = 0; i < n; i++)
        key[i] = (struct key){p->part->response[p->order[i]], p->order[i]};
    qsort(key, n, sizeof *key, by_response);
    p->place = fl_alloc(f->count * sizeof *p->place);
    for (uint64_t i = 0; i < n; i++) {
        p->order[i] = key[i].class;
        p->place[key[i].class] = 1; /* it is one of them */
    }
    for (uint64_t i = 0, next = p->before; i < f->count; i++)
        p->place[i] = next += p->place[i];
    p->faults = n;
    free(key);
}

/* ---- the store ------------------------------------------------------------------------------- */

static int declare(struct pool *p, int job)
{
    const struct lab *l = p->part->lab;
    const struct trace *t = &p->part->trace;
    struct result_part part = {.job = job,
                               .model = fl_strdup("gate"),
                               .target = fl_format("%s.sp%d", unit_name(t->unit->which), t->sp),
                               .engine = fl_strdup(p->ref->engine->name),
                               .method = METHOD_LIST,
                               .confidence = 0.95,
                               .units = p->units,
                               .flips = p->faults,
                               .cut = p->cut};
    lab_part(l, &part);
    p->number = store_part(p->store, &part, p->err);
    result_part_free(&part);
    return p->number < 0 ? -1 : 0;
}

/* Counts a fault where it first shows, or in the first launch. */
static void keep(const struct pool *p, struct store_found *found, uint64_t place)
{
    const struct lab *l = p->part->lab;
    const struct unit *u = p->part->trace.unit;
    const struct fsim_result *r = &p->result[p->order[place]];
    bool shows = r->first_activation != FSIM_NEVER, fails = fsim_outcome_fails(r->outcome);
    uint64_t at = shows ? r->first_activation : 0;
    int launch = lab_launch(l, at);
    struct tally *t = &found->tally[launch];
    char id[UNIT_ID];
    t->counted++;
    t->outcome[r->outcome]++;
    t->reason[fails ? REASON_FAILS : shows ? REASON_LOGIC : REASON_IDLE]++;
    if (r->outcome == OUT_SDC)
        tally_wrong(t, r->elements, r->by, 1);
    t->owned_counted++;
    t->owned_failed += fails;
    t->not_run += !shows;
    t->runs += shows;
    struct moment *m = &found->moment[timeline_bucket(&l->facts.timeline, at)];
    m->outcome[r->outcome]++;
    m->owned_counted++;
    m->owned_failed += fails;
    unit_fault_id(u, p->part->trace.sp, u->faults->fault[p->order[place]], id);
    store_found_inject(found, &(struct store_injection){.number = place,
                                                        .kernel = l->kernel[launch],
                                                        .id = id,
                                                        .outcome = r->outcome,
                                                        .reason = r->reason,
                                                        .first_activation = r->first_activation,
                                                        .end = r->end,
                                                        .ran = shows,
                                                        .elements = r->elements,
                                                        .by = r->by,
                                                        .place = p->place[p->order[place]]});
}

/* ---- working --------------------------------------------------------------------------------- */

struct task {
    struct pool *p;
    struct ride *ride;   /* engine c */
    struct alone *alone; /* another */
    struct responder *responder;
    uint64_t *answer; /* [CUT][vectors], or NULL */
    struct store_found found;
};

static bool equal(const struct response *a, const struct response *b)
{
    return a->hash[0] == b->hash[0] && a->hash[1] == b->hash[1];
}

static bool stopped(const struct pool *p)
{
    return atomic_load(&p->failed) || asked_to_stop(p->opt);
}

static bool stop(void *pool)
{
    return stopped(pool);
}

/* Faults of the places [from, to), in groups of equal answers. False when it was asked to stop. */
static bool ride_groups(struct task *k, uint64_t from, uint64_t to)
{
    const struct pool *p = k->p;
    const struct trace *t = &p->part->trace;
    const uint32_t *fault = t->unit->faults->fault;
    uint32_t first[CUT], group[CUT], n = 0, vectors = t->seen.count; /* places count from `from` */
    for (uint64_t i = from; i < to; i++) {
        const struct response *r = &p->part->response[p->order[i]];
        if (r->first == RESPONSE_NONE) {
            struct fsim_result *out = &p->result[p->order[i]];
            *out = (struct fsim_result){.outcome = OUT_MASKED,
                                        .first_activation = FSIM_NEVER,
                                        .end = p->ref->cycles,
                                        .reason = "not_activated"};
        } else if (n == 0 || !equal(r, &p->part->response[p->order[from + first[n - 1]]])) {
            first[n] = (uint32_t)(i - from);
            group[n++] = fault[p->order[i]];
        }
    }
    if (n == 0)
        return true;
    if (!k->answer)
        k->answer = fl_alloc((size_t)CUT * vectors * sizeof *k->answer);
    responder_answers(k->responder, &t->seen, 0, vectors, group, n, k->answer, vectors);
    uint32_t member[CUT], members = 0;
    struct ride_group together[CUT];
    for (uint32_t g = 0; g < n; g++) {
        const struct response *r = &p->part->response[p->order[from + first[g]]];
        together[g] = (struct ride_group){&member[members], 0, r->first,
                                          k->answer + (size_t)g * vectors};
        for (uint64_t i = from + first[g]; i < to && equal(&p->part->response[p->order[i]], r); i++)
            member[members + together[g].n++] = fault[p->order[i]];
        members += together[g].n;
    }
    return ride_run(k->ride, together, n, stop, k->p, p->result);
}

static bool run_alone(struct task *k, uint64_t from, uint64_t to)
{
    const struct pool *p = k->p;
    const struct trace *t = &p->part->trace;
    for (uint64_t i = from; i < to; i++) {
        uint32_t fault = t->unit->faults->fault[p->order[i]];
        uint32_t first = p->part->response[p->order[i]].first;
        struct fsim_result *out = &p->result[p->order[i]];
        if (stopped(p))
            return false;
        if (k->alone)
            alone_run(k->alone, fault, first == RESPONSE_NONE ? FSIM_NEVER : t->first[first], out);
        else
            ride_exhaustive(k->ride, fault, out);
    }
    return true;
}

static void fail(struct pool *p, const struct fl_err *err)
{
    pthread_mutex_lock(&p->lock);
    if (!atomic_exchange(&p->failed, true))
        *p->err = *err;
    pthread_mutex_unlock(&p->lock);
}

static bool work_on(struct task *k, uint64_t unit)
{
    struct pool *p = k->p;
    uint64_t from = unit * p->cut, to = from + p->cut < p->faults ? from + p->cut : p->faults;
    struct fl_err err;
    if (!store_wants(p->store, p->number, unit))
        return true;
    if (!(exhaustive(p->opt) ? run_alone : ride_groups)(k, from, to))
        return false;
    store_found_clear(&k->found);
    for (uint64_t i = from; i < to; i++)
        keep(p, &k->found, i);
    progress_add(p->progress, to - from);
    if (store_put(p->store, p->number, unit, &k->found, &err) == 0)
        return true;
    fail(p, &err);
    return false;
}

static void *work(void *arg)
{
    struct pool *p = arg;
    const struct trace *t = &p->part->trace;
    struct task k = {.p = p, .responder = responder_new(t->unit)};
    if (p->ref->engine == &engine_c)
        k.ride = ride_new(t, p->ref);
    else
        k.alone = alone_new(t->unit, t->sp, p->ref);
    store_found_make(&k.found, p->store, p->number);
    for (uint64_t u; (u = atomic_fetch_add(&p->next, 1)) < p->units && work_on(&k, u);)
        continue;
    store_found_free(&k.found);
    ride_free(k.ride);
    alone_free(k.alone);
    responder_free(k.responder);
    free(k.answer);
    return NULL;
}

static int run_part(struct pool *p, int job)
{
    const struct trace *t = &p->part->trace;
    char name[UNIT_ID];
    snprintf(name, sizeof name, "%s.sp%d", unit_name(t->unit->which), t->sp);
    p->part->response = fl_alloc(t->unit->faults->count * sizeof *p->part->response);
    p->result = fl_alloc(t->unit->faults->count * sizeof *p->result);
    if (response_all(t, p->opt->threads, p->part->response, p->err) != 0)
        return -1;
    put_in_order(p);
    p->cut = exhaustive(p->opt) ? CUT_EXHAUSTIVE : CUT;
    p->units = (p->faults + p->cut - 1) / p->cut;
    if (declare(p, job) != 0)
        return -1;
    uint64_t done = store_count_done(p->store, p->number) * p->cut;
    progress_piece(p->progress, name, "faults", done < p->faults ? done : p->faults, p->faults,
                   (double)p->faults);
    fl_threads_run(p->opt->threads, work, p);
    if (!stopped(p))
        return 0;
    return atomic_load(&p->failed) ? -1 : fl_fail(p->err, "stopped");
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static int run_job(struct store *store, struct progress *progress, const struct job *job,
                   int number, const struct gates_options *opt, struct fl_err *err)
{
    static const struct lab_window all = {.launch = -1, .to = UINT64_MAX};
    struct lab lab;
    struct gates_part *part = NULL;
    int n = 0;
    progress_job(progress, job->name);
    if (asked_to_stop(opt))
        return fl_fail(err, "stopped");
    if (lab_open(&lab, job, &all, opt->max_cycles, err) != 0)
        return -1;
    int status = store_job(store, number, &lab.facts, err);
    if (status == 0)
        status = gates_open(&lab, opt, &part, &n, err);
    for (int i = 0; i < n && status == 0; i++)
        progress_expect(progress, part[i].trace.unit->faults->count);
    struct reference *ref = status == 0 ? reference_new(engine_of(opt), lab.g, err) : NULL;
    status = ref ? status : -1;
    uint64_t before = 0;
    for (int i = 0; i < n && status == 0; i++) {
        struct pool p = {.part = &part[i],
                         .before = before,
                         .ref = ref,
                         .opt = opt,
                         .store = store,
                         .err = err,
                         .progress = progress};
        pthread_mutex_init(&p.lock, NULL);
        status = run_part(&p, number);
        pthread_mutex_destroy(&p.lock);
        before += p.faults;
        free(p.order);
        free(p.place);
        free(p.result);
        free(part[i].response); /* the next one has its own */
        part[i].response = NULL;
    }
    reference_free(ref);
    gates_close(part, n);
    lab_close(&lab);
    return status;
}

/* Outputs with faults of their own. A netlist that has none has the list of version 0.2.0, and its
 * stores go on. */
#define PORTS " ports="
static void add_ports(const struct gates_options *o, struct fl_buf *b)
{
    const char *before = PORTS;
    for (int i = 0; i < o->units; i++)
        if (o->unit[i].netlist->ports) {
            fl_buf_printf(b, "%s%s:%u", before, unit_name(o->unit[i].which),
                          o->unit[i].netlist->ports);
            before = ",";
        }
}

char *gates_made(const struct gates_options *o)
{
    struct fl_buf b = {0};
    made_begin(&b, "gate", engine_of(o)->name);
    for (int i = 0; i < o->units; i++)
        fl_buf_printf(&b, "%s%s:%s", i ? "," : " netlist=", unit_name(o->unit[i].which),
                      o->unit[i].netlist->digest);
    add_ports(o, &b);
    if (o->sp >= 0)
        fl_buf_printf(&b, " sp=%d", o->sp);
    fl_buf_printf(&b, " engine=%s", engine_of(o)->name);
    if (o->sample)
        fl_buf_printf(&b, " sample=%llu seed=%llu", (unsigned long long)o->sample,
                      (unsigned long long)o->seed);
    if (exhaustive(o))
        fl_buf_printf(&b, " exhaustive");
    return (char *)b.data;
}

/* Version 0.2.0 knew no faults of outputs that are read inside too. */
static bool has_shorter_list(const char *store, const char *options)
{
    struct fl_err ignored;
    struct store *s;
    const char *ports = strstr(options, PORTS);
    if (!ports || store_read(store, &s, &ignored) != 0)
        return false;
    const char *behind = ports + 1 + strcspn(ports + 1, " ");
    char *shorter = fl_format("%.*s%s", (int)(ports - options), options, behind);
    bool same = strcmp(store_options(s), shorter) == 0;
    free(shorter);
    store_close(s, &ignored);
    return same;
}

/* The store keeps the best that was ever known of its netlists. */
static int check_units(struct store *s, const struct gates_options *opt, struct fl_err *err)
{
    if (!opt->check)
        return 0;
    int known = check_all(opt->unit, opt->units, opt->check, err);
    if (known < 0)
        return -1;
    bool better = known > store_get(s, "checked", MADE_UNCHECKED);
    return better ? store_set(s, "checked", known, err) : 0;
}

static int open_store(const struct job *const *jobs, int n, const struct gates_options *opt,
                      struct store **out, struct fl_err *err)
{
    struct result_job *facts = fl_alloc((size_t)n * sizeof *facts);
    char *options = gates_made(opt);
    for (int i = 0; i < n; i++)
        identity_job(jobs[i], &facts[i]);
    struct store_identity id = {.options = options,
                                .size = "",
                                .shard = opt->shards ? opt->shard : 1,
                                .shards = opt->shards ? opt->shards : 1,
                                .njobs = n,
                                .job = facts};
    int status = opt->resume && has_shorter_list(opt->store, options)
                     ? fl_fail(err,
                               "%s: version 0.2.0 made it, whose lists lack faults of outputs that "
                               "are read inside too; report it as it is, or start again in another "
                               "file",
                               opt->store)
                     : store_open(opt->store, opt->resume, &id, out, err);
    for (int i = 0; i < n; i++)
        result_job_free(&facts[i]);
    free(facts);
    free(options);
    return status;
}

/* For people. */
static void tell_stop(const struct gates_options *opt, struct fl_err *err)
{
    const char *by = sigabbrev_np(atomic_load(opt->stop));
    char *go_on = opt->store ? store_go_on(opt->store, opt->shard, opt->shards) : NULL;
    if (go_on)
        fl_fail(err, "stopped by SIG%s; what is done is kept: %s", by, go_on);
    else
        fl_fail(err, "stopped by SIG%s; nothing is kept without --store F", by);
    free(go_on);
}

int gates_run(const struct job *const *jobs, int njobs, const struct gates_options *opt,
              struct store **out, struct fl_err *err)
{
    struct fl_err ignored;
    struct store *store = NULL;
    if (open_store(jobs, njobs, opt, &store, err) != 0)
        return -1;
    struct progress *progress = store_progress(&opt->progress, opt->store, opt->shard, opt->shards,
                                               njobs);
    double start = fl_seconds();
    int status = check_units(store, opt, err);
    for (int i = 0; i < njobs && status == 0; i++)
        status = run_job(store, progress, jobs[i], i, opt, err);
    if (status == 0)
        status = store_finish(store, err);
    if (status == 0)
        store_ran(store, fl_seconds() - start, fl_threads(opt->threads), &ignored);
    bool by_signal = status != 0 && asked_to_stop(opt);
    if (by_signal)
        tell_stop(opt, err);
    progress_end(progress,
                 by_signal ? "stopped"
                 : status  ? "failed"
                           : "done",
                 status ? err->msg : NULL);
    if (status != 0)
        store_close(store, by_signal ? err : &ignored);
    else
        *out = store;
    return status;
}
