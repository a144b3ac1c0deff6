/* part.c -- runs the faults of a structure on all processors. See part.h. */
#include "part.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "prove.h"

enum {
    UNIT = 64,             /* faults of a unit of work, */
    UNIT_COST = 6 << 20,   /* but not more warp instructions than this, about half a second */
    UNIT_OTHER_ENGINE = 2, /* without shortcuts a fault takes long */
    NOT_STORED = -1
};

struct part {
    struct fsim_campaign *c;
    const struct lab *lab;
    const struct reference *ref;
    const struct fsim_options *opt;
    struct store *store;
    int structure, number; /* number: in the store */
    long *order;           /* fault numbers */
    uint64_t faults, cut, units;
    atomic_ullong next; /* unit */
    atomic_bool failed;
    bool incomplete;      /* the store has rows that lack something */
    pthread_mutex_t lock; /* of c->stat and err */
    struct fl_err *err;
    struct progress *progress;
};

static bool stopped(const struct part *p)
{
    return atomic_load(&p->failed) || (p->opt->stop && atomic_load(p->opt->stop));
}

/* ---- the order ------------------------------------------------------------------------------- */

struct key {
    uint64_t activation; /* of the fault; in the register file: the first of its register's */
    long fault;
};

static int by_activation(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    if (x->activation != y->activation)
        return x->activation < y->activation ? -1 : 1;
    return x->fault < y->fault ? -1 : x->fault > y->fault;
}

static bool same_register(const struct fsim_fault *a, const struct fsim_fault *b)
{
    return a->cell.index[0] == b->cell.index[0];
}

/* The bits of a register stand together: they are decided at once. */
static void join_registers(const struct fsim_list *list, struct key *key, long n)
{
    for (long i = 0, end; i < n; i = end) {
        uint64_t first = FSIM_NEVER;
        for (end = i;
             end < n && same_register(&list->fault[key[i].fault], &list->fault[key[end].fault]);
             end++)
            first = key[end].activation < first ? key[end].activation : first;
        for (long k = i; k < end; k++)
            key[k].activation = first;
    }
}

/* Machines travel forward. Those that never act come last, and are answered at once. */
static void put_in_order(struct part *p)
{
    const struct fsim_list *list = &p->c->list;
    struct key *key = fl_alloc((size_t)list->count * sizeof *key);
    long n = 0, last = list->count;
    for (long i = 0; i < list->count; i++) {
        if (list->fault[i].cell.structure != p->structure)
            continue;
        uint64_t first = fsim_first_activation(p->ref, &list->fault[i]);
        key[first == FSIM_NEVER ? --last : n++] = (struct key){first, i};
    }
    if (p->structure == SM_S_rf)
        join_registers(list, key, n);
    qsort(key, (size_t)n, sizeof *key, by_activation);
    p->order = fl_alloc((size_t)list->count * sizeof *p->order);
    for (long i = 0; i < n; i++)
        p->order[p->faults++] = key[i].fault;
    for (long i = list->count; i-- > last;)
        p->order[p->faults++] = key[i].fault;
    free(key);
}

static uint64_t unit_size(const struct part *p)
{
    uint64_t n = p->ref->golden ? UNIT : UNIT_OTHER_ENGINE;
    while (n > 1 && n * p->c->golden->instructions > UNIT_COST)
        n /= 2;
    return n;
}

/* ---- the store ------------------------------------------------------------------------------- */

static int declare(struct part *p, int job)
{
    const struct lab *l = p->lab;
    struct result_part part = {.job = job,
                               .model = fl_strdup(fsim_list_model(&p->c->list)),
                               .target = fl_strdup(sm_structure_name(p->structure, NULL)),
                               .engine = fl_strdup(p->opt->engine->name),
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

/* Counts a fault, by its place in the order, where it first acts, or in the first launch. */
static void keep(const struct part *p, struct store_found *found, uint64_t place)
{
    const struct lab *l = p->lab;
    long fault = p->order[place];
    const struct fsim_fault *f = &p->c->list.fault[fault];
    const struct fsim_result *r = &p->c->result[fault];
    bool acts = r->first_activation != FSIM_NEVER, fails = fsim_outcome_fails(r->outcome);
    uint64_t at = acts ? r->first_activation : 0;
    int launch = lab_launch(l, at);
    struct tally *t = &found->tally[launch];
    struct moment *m = &found->moment[timeline_bucket(&l->facts.timeline, at)];
    bool owned = touch_owned(l->t, &f->cell, 0, UINT64_MAX);
    char id[FSIM_ID];
    t->counted++;
    t->outcome[r->outcome]++;
    t->reason[r->untestable ? REASON_UNTESTABLE
              : fails       ? REASON_FAILS
              : acts        ? REASON_LOGIC
                            : REASON_IDLE]++;
    if (r->outcome == OUT_SDC)
        tally_wrong(t, r->elements, r->by, 1);
    t->owned_counted += owned;
    t->owned_failed += owned && fails;
    t->not_run += !acts;
    t->runs += acts;
    m->outcome[r->outcome]++;
    m->owned_counted += owned;
    m->owned_failed += owned && fails;
    if (acts && l->whole && sm_access_known(f->cell.structure)) {
        struct touch_group g = touch_group_at(l->t, &f->cell, at);
        int row = f->cell.structure == SM_S_rf ? (int)sm_unit_of(l->img, &f->cell).unit : -1;
        lab_count_site(l, &found->sites, SITE_READER, g.site, row, r->outcome, 1);
        lab_count_site(l, &found->sites, SITE_WRITER, g.writer, row, r->outcome, 1);
    }
    fsim_id(p->c->img, f, id);
    store_found_inject(found, &(struct store_injection){.number = place,
                                                        .kernel = l->kernel[launch],
                                                        .id = id,
                                                        .outcome = r->outcome,
                                                        .reason = r->reason,
                                                        .first_activation = r->first_activation,
                                                        .end = r->end,
                                                        .ran = acts,
                                                        .elements = r->elements,
                                                        .by = r->by,
                                                        .place = (uint64_t)fault + 1,
                                                        .untestable = r->untestable});
}

/* What an earlier run has found. */
static int recall(void *context, const struct store_injection *i)
{
    struct part *p = context;
    long fault = p->order[i->number];
    struct fsim_result *r = &p->c->result[fault];
    if (p->c->known[fault])
        return 0;
    *r = (struct fsim_result){.outcome = i->outcome,
                              .first_activation = i->first_activation,
                              .end = i->end,
                              .elements = i->elements,
                              .by = i->by};
    snprintf(r->reason, sizeof r->reason, "%s", i->reason);
    r->untestable = prove_untestable(p->c->img, &p->c->list.fault[fault]) != NULL;
    p->c->known[fault] = 1;
    return 0;
}

/* A row of an earlier format: one of the columns is not what it must be. */
static int is_incomplete(void *context, const struct store_injection *i)
{
    struct part *p = context;
    p->incomplete |= i->untestable == STORE_UNKNOWN ||
                     i->place != (uint64_t)p->order[i->number] + 1;
    return p->incomplete;
}

/* What a store of an earlier format did not keep. */
static int complete(struct part *p)
{
    if (store_injections(p->store, p->number, is_incomplete, p, p->err) != 0)
        return -1;
    if (!p->incomplete)
        return 0;
    struct store_known *known = fl_alloc(p->faults * sizeof *known);
    for (uint64_t i = 0; i < p->faults; i++)
        known[i] = (struct store_known){
            (uint64_t)p->order[i] + 1,
            prove_untestable(p->c->img, &p->c->list.fault[p->order[i]]) != NULL};
    int bad = store_complete_injections(p->store, p->number, known, p->err);
    free(known);
    return bad;
}

/* ---- working --------------------------------------------------------------------------------- */

static void settle(const struct part *p, long fault)
{
    p->c->result[fault].untestable = prove_untestable(p->c->img, &p->c->list.fault[fault]) != NULL;
    p->c->known[fault] = 1;
}

static bool is_stuck(const struct fsim_fault *f, int value)
{
    return f->kind == FSIM_SA && f->value == value;
}

/* Stuck-at faults of the places [from, to) that are of one register. */
static void decide_register(const struct part *p, struct fsim_worker *w, uint64_t from, uint64_t to)
{
    const struct fsim_fault *fault = p->c->list.fault;
    for (int value = 0; value < 2; value++) {
        struct fsim_result r[32];
        uint32_t bits = 0;
        for (uint64_t i = from; i < to; i++)
            if (is_stuck(&fault[p->order[i]], value))
                bits |= 1u << fault[p->order[i]].cell.bit;
        bits = bits ? fsim_simulate_register(w, &fault[p->order[from]].cell, value, bits, r) : 0;
        for (uint64_t i = from; i < to; i++) {
            long n = p->order[i];
            if (!is_stuck(&fault[n], value) || !(bits >> fault[n].cell.bit & 1))
                continue;
            p->c->result[n] = r[fault[n].cell.bit];
            settle(p, n);
        }
    }
}

static void decide(const struct part *p, struct fsim_worker *w, long fault)
{
    const struct fsim_fault *f = &p->c->list.fault[fault];
    struct fsim_result *r = &p->c->result[fault];
    if (p->opt->exhaustive)
        fsim_exhaustive(w, f, r);
    else
        fsim_simulate(w, f, r);
    settle(p, fault);
}

/* Places from `i` on, below `to`, of faults that may be decided at once with the first. */
static uint64_t together(const struct part *p, uint64_t i, uint64_t to)
{
    const struct fsim_fault *fault = p->c->list.fault;
    uint64_t end = i + 1;
    if (p->structure != SM_S_rf || p->opt->exhaustive)
        return end;
    while (end < to && same_register(&fault[p->order[i]], &fault[p->order[end]]) &&
           fsim_first_activation(p->ref, &fault[p->order[end]]) != FSIM_NEVER)
        end++;
    return end;
}

/* A store keeps whole units: what was decided of one that is left is not kept. */
static bool leave(struct part *p, uint64_t from, uint64_t to)
{
    for (uint64_t i = from; i < to && p->store; i++)
        p->c->known[p->order[i]] = 0;
    return false;
}

/* False when it was asked to stop on the way. */
static bool work_on(struct part *p, struct fsim_worker *w, struct store_found *found, uint64_t unit)
{
    uint64_t from = unit * p->cut, to = from + p->cut < p->faults ? from + p->cut : p->faults;
    struct fl_err err;
    if (p->store && !store_wants(p->store, p->number, unit))
        return true;
    for (uint64_t i = from, end; i < to; i = end) {
        end = together(p, i, to);
        if (end > i + 1)
            decide_register(p, w, i, end);
        for (uint64_t k = i; k < end; k++) {
            if (stopped(p))
                return leave(p, from, to);
            if (!p->c->known[p->order[k]])
                decide(p, w, p->order[k]);
        }
    }
    progress_add(p->progress, to - from);
    if (!p->store)
        return true;
    store_found_clear(found);
    for (uint64_t i = from; i < to; i++)
        keep(p, found, i);
    if (store_put(p->store, p->number, unit, found, &err) == 0)
        return true;
    pthread_mutex_lock(&p->lock);
    if (!atomic_exchange(&p->failed, true))
        *p->err = err;
    pthread_mutex_unlock(&p->lock);
    return false;
}

static void *work(void *arg)
{
    struct part *p = arg;
    struct fsim_worker *w = fsim_worker_on(p->ref);
    struct store_found found;
    if (p->store)
        store_found_make(&found, p->store, p->number);
    fsim_worker_follow(w, p->lab->f);
    for (uint64_t u; (u = atomic_fetch_add(&p->next, 1)) < p->units && work_on(p, w, &found, u);)
        continue;
    pthread_mutex_lock(&p->lock);
    fsim_worker_statistics(w, &p->c->stat);
    pthread_mutex_unlock(&p->lock);
    fsim_worker_free(w);
    if (p->store)
        store_found_free(&found);
    return NULL;
}

static int run_threads(struct part *p)
{
    uint64_t done = p->store ? store_count_done(p->store, p->number) * p->cut : 0;
    progress_piece(p->progress, sm_structure_name(p->structure, NULL), "faults",
                   done < p->faults ? done : p->faults, p->faults, (double)p->faults);
    fl_threads_run(p->opt->threads, work, p);
    if (!stopped(p))
        return 0;
    return atomic_load(&p->failed) ? -1 : fl_fail(p->err, "stopped");
}

static int run(struct part *p, int job)
{
    put_in_order(p);
    p->cut = unit_size(p);
    p->units = (p->faults + p->cut - 1) / p->cut;
    if (p->store && (declare(p, job) != 0 || complete(p) != 0))
        return -1;
    if (run_threads(p) != 0)
        return -1;
    return p->store ? store_injections(p->store, p->number, recall, p, p->err) : 0;
}

int part_run_all(struct fsim_campaign *c, int job, const struct lab *lab,
                 const struct reference *ref, const struct fsim_options *opt,
                 struct progress *progress, struct store *store, struct fl_err *err)
{
    int structure[SM_ALL_STRUCTURES], n = fsim_list_structures(&c->list, structure), status = 0;
    for (int i = 0; i < n && status == 0; i++) {
        struct part p = {.c = c,
                         .lab = lab,
                         .ref = ref,
                         .opt = opt,
                         .progress = progress,
                         .store = store,
                         .structure = structure[i],
                         .number = NOT_STORED,
                         .err = err};
        pthread_mutex_init(&p.lock, NULL);
        status = run(&p, job);
        pthread_mutex_destroy(&p.lock);
        free(p.order);
    }
    return status;
}
