/* part.c -- what permanent faults plug into the driver. See part.h. */
#include "part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "made_stuck_at.h"
#include "prove.h"

enum {
    UNIT = 64,             /* faults of a unit of work, */
    UNIT_COST = 6 << 20,   /* but not more warp instructions than this, about half a second */
    UNIT_OTHER_ENGINE = 2, /* without shortcuts a fault takes long */
};

/* ---- the order ------------------------------------------------------------------------------- */

int permanent_by_activation(const void *a, const void *b)
{
    const struct permanent_key *x = a, *y = b;
    if (x->activation != y->activation)
        return x->activation < y->activation ? -1 : 1;
    return x->fault < y->fault ? -1 : x->fault > y->fault;
}

static bool same_register(const struct fsim_fault *a, const struct fsim_fault *b)
{
    return a->cell.index[0] == b->cell.index[0];
}

/* The bits of a register stand together: they are decided at once. */
static void join_registers(const struct fsim_list *list, struct permanent_key *key, long n)
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
static void put_in_order(struct permanent *p, const struct reference *ref)
{
    const struct fsim_list *list = &p->job->list;
    struct permanent_key *key = fl_alloc((size_t)list->count * sizeof *key);
    long n = 0, last = list->count;
    for (long i = 0; i < list->count; i++) {
        if (list->fault[i].cell.structure != p->structure)
            continue;
        uint64_t first = fsim_first_activation(ref, &list->fault[i]);
        key[first == FSIM_NEVER ? --last : n++] = (struct permanent_key){first, i};
    }
    if (p->structure == SM_S_rf)
        join_registers(list, key, n);
    qsort(key, (size_t)n, sizeof *key, permanent_by_activation);
    p->faults = 0;
    p->order = fl_alloc((size_t)list->count * sizeof *p->order);
    for (long i = 0; i < n; i++)
        p->order[p->faults++] = key[i].fault;
    for (long i = list->count; i-- > last;)
        p->order[p->faults++] = key[i].fault;
    free(key);
}

static uint64_t unit_size(const struct campaign *c)
{
    uint64_t n = c->ref->golden ? UNIT : UNIT_OTHER_ENGINE;
    while (n > 1 && n * c->ctx->g->instructions > UNIT_COST)
        n /= 2;
    return n;
}

static bool acts_later(const struct permanent *p, long fault)
{
    return p->later.acts && p->later.acts[fault] != FSIM_NEVER;
}

/* No more runs of the program than faults that act. */
static void print_price(const struct campaign *c, const struct permanent *p)
{
    uint64_t most = 0;
    double each = program_seconds(p->job->host);
    for (uint64_t i = 0; i < p->faults; i++)
        most += c->opt->exhaustive || acts_later(p, p->order[i]) ||
                fsim_first_activation(c->ref, &p->job->list.fault[p->order[i]]) != FSIM_NEVER;
    char *all = progress_duration(each * (double)most / fl_threads(c->opt->threads));
    progress_say(c->progress,
                 "%s: %s: at most %llu runs of the program, of about %.2g s each, %s in all",
                 c->ctx->facts.name, sm_structure_name(p->structure, NULL),
                 (unsigned long long)most, each, all);
    free(all);
}

/* ---- the store ------------------------------------------------------------------------------- */

static int declare(struct campaign *c, int part, struct result_part *out)
{
    struct permanent *p = c->own;
    p->structure = p->structures[part];
    put_in_order(p, c->ref);
    if (p->job->host)
        print_price(c, p);
    out->model = fl_strdup(fsim_list_model(&p->job->list));
    out->target = fl_strdup(sm_structure_name(p->structure, NULL));
    out->flips = p->faults;
    out->cut = unit_size(c);
    out->units = (p->faults + out->cut - 1) / out->cut;
    return 0;
}

/* Counts a fault, by its place in the order, where it first acts, or in the first launch. */
static void keep(const struct permanent *p, const struct job_context *l, struct store_found *found,
                 uint64_t place)
{
    long fault = p->order[place];
    const struct fsim_fault *f = &p->job->list.fault[fault];
    const struct fsim_result *r = &p->job->result[fault];
    bool acts = r->first_activation != FSIM_NEVER, here = r->first_activation < l->g->cycles;
    char id[FSIM_ID];
    struct campaign_injection i = {
        .id = id,
        .number = place,
        .place = (uint64_t)fault + 1,
        .cycle = here ? r->first_activation : 0,
        .result = r,
        .why = r->untestable                    ? REASON_UNTESTABLE
               : fsim_outcome_fails(r->outcome) ? REASON_FAILS
               : acts                           ? REASON_LOGIC
                                                : REASON_IDLE,
        .owned = residence_owned(l->g->residence, &f->cell, 0, UINT64_MAX),
        .ran = acts,
        .reader = SITE_NONE,
        .writer = SITE_NONE,
        .at = &f->cell};
    if (here && l->whole && sm_access_known(f->cell.structure)) {
        struct access_class g = access_class_at(l->t, &f->cell, i.cycle);
        i.reader = g.site;
        i.writer = g.writer;
    }
    fsim_id(p->job->img, f, id);
    campaign_count(l, found, &i);
}

/* What an earlier run has found. */
static int recall(void *context, const struct store_injection *i)
{
    const struct permanent *p = context;
    long fault = p->order[i->number];
    struct fsim_result *r = &p->job->result[fault];
    if (p->job->known[fault])
        return 0;
    p->job->known[fault] = 1;
    *r = fsim_result_kept(i);
    r->untestable = prove_untestable(p->job->img, &p->job->list.fault[fault]) != NULL;
    return 0;
}

/* A row of an earlier format: one of the columns is not what it must be. */
static int is_incomplete(void *context, const struct store_injection *i)
{
    struct permanent *p = context;
    p->incomplete |= i->untestable == STORE_UNKNOWN ||
                     i->place != (uint64_t)p->order[i->number] + 1;
    return p->incomplete;
}

/* What a store of an earlier format did not keep. */
static int complete(struct campaign *c, struct permanent *p)
{
    p->incomplete = false;
    if (store_injections(c->store, c->stored, is_incomplete, p, c->err) != 0)
        return -1;
    if (!p->incomplete)
        return 0;
    struct store_known *known = fl_alloc(p->faults * sizeof *known);
    for (uint64_t i = 0; i < p->faults; i++)
        known[i] = (struct store_known){
            (uint64_t)p->order[i] + 1,
            prove_untestable(p->job->img, &p->job->list.fault[p->order[i]]) != NULL};
    int bad = store_complete_injections(c->store, c->stored, known, c->err);
    free(known);
    return bad;
}

/* ---- working --------------------------------------------------------------------------------- */

struct task {
    struct campaign *c;
    struct permanent *p;
    struct fsim_worker *w;
};

static void settle(const struct permanent *p, long fault)
{
    p->job->result[fault].untestable = prove_untestable(p->job->img, &p->job->list.fault[fault]) !=
                                       NULL;
    p->job->known[fault] = 1;
}

static bool is_stuck(const struct fsim_fault *f, int value)
{
    return f->kind == FSIM_SA && f->value == value;
}

/* Stuck-at faults of the places [from, to) that are of one register. */
static void decide_register(const struct task *k, uint64_t from, uint64_t to)
{
    const struct permanent *p = k->p;
    const struct fsim_fault *fault = p->job->list.fault;
    for (int value = 0; value < 2; value++) {
        struct fsim_result r[32];
        uint32_t bits = 0;
        for (uint64_t i = from; i < to; i++)
            if (is_stuck(&fault[p->order[i]], value))
                bits |= 1u << fault[p->order[i]].cell.bit;
        bits = bits ? fsim_simulate_register(k->w, &fault[p->order[from]].cell, value, bits, r) : 0;
        for (uint64_t i = from; i < to; i++) {
            long n = p->order[i];
            if (!is_stuck(&fault[n], value) || !(bits >> fault[n].cell.bit & 1))
                continue;
            p->job->result[n] = r[fault[n].cell.bit];
            settle(p, n);
        }
    }
}

static void decide(const struct task *k, long fault)
{
    const struct fsim_fault *f = &k->p->job->list.fault[fault];
    struct fsim_result *r = &k->p->job->result[fault];
    if (k->c->opt->exhaustive)
        fsim_exhaustive(k->w, f, r);
    else
        fsim_simulate(k->w, f, r);
    settle(k->p, fault);
}

/* Runs the program with the fault, unless the record says enough. False: it cannot be judged. */
static bool ask_program(const struct task *k, long fault)
{
    struct fsim_campaign *job = k->p->job;
    struct fsim_result *r = &job->result[fault];
    const bool here = r->first_activation != FSIM_NEVER, later = acts_later(k->p, fault),
               idle = !here && !later, untestable = r->untestable;
    char id[FSIM_ID];
    if (!job->host)
        return true;
    if (!k->c->opt->exhaustive && !later && program_knows(job->host, r->outcome, idle)) {
        r->end += r->outcome == OUT_MASKED || r->outcome == OUT_PERFORMANCE ? k->p->later.cycles
                                                                            : 0;
        return true;
    }
    if (!here && later)
        r->first_activation = k->p->later.acts[fault];
    fsim_id(job->img, &job->list.fault[fault], id);
    bool ran = program_run(job->host, id, r);
    r->untestable = untestable;
    if (r->outcome == OUT_MASKED)
        snprintf(r->reason, sizeof r->reason, idle ? "not_activated" : "logically_masked");
    return ran;
}

/* Places from `i` on, below `to`, of faults that may be decided at once with the first. */
static uint64_t together(const struct task *k, uint64_t i, uint64_t to)
{
    const struct permanent *p = k->p;
    const struct fsim_fault *fault = p->job->list.fault;
    uint64_t end = i + 1;
    if (p->structure != SM_S_rf || k->c->opt->exhaustive)
        return end;
    while (end < to && same_register(&fault[p->order[i]], &fault[p->order[end]]) &&
           fsim_first_activation(k->c->ref, &fault[p->order[end]]) != FSIM_NEVER)
        end++;
    return end;
}

static bool work_on(void *task, uint64_t unit, struct store_found *found)
{
    const struct task *k = task;
    const struct permanent *p = k->p;
    uint64_t from = unit * k->c->cut, to = campaign_unit_end(k->c, unit);
    for (uint64_t i = from, end; i < to; i = end) {
        end = together(k, i, to);
        if (end > i + 1)
            decide_register(k, i, end);
        for (uint64_t n = i; n < end; n++) {
            if (campaign_stopped(k->c))
                return false;
            if (!p->job->known[p->order[n]])
                decide(k, p->order[n]);
            if (!ask_program(k, p->order[n]))
                return false;
        }
    }
    for (uint64_t i = from; i < to; i++)
        keep(p, k->c->ctx, found, i);
    return true;
}

static void *task_new(struct campaign *c)
{
    struct task *k = fl_alloc(sizeof *k);
    *k = (struct task){c, c->own, fsim_worker_on(c->ref)};
    return k;
}

static void task_free(void *task)
{
    struct task *k = task;
    pthread_mutex_lock(&k->c->lock);
    fsim_worker_statistics(k->w, &k->p->job->stat);
    pthread_mutex_unlock(&k->c->lock);
    fsim_worker_free(k->w);
    free(k);
}

static int run(struct campaign *c)
{
    struct permanent *p = c->own;
    if (complete(c, p) != 0 || campaign_units(c, 0, c->units) != 0)
        return -1;
    return store_injections(c->store, c->stored, recall, p, c->err);
}

static void leave(struct campaign *c)
{
    struct permanent *p = c->own;
    free(p->order);
    p->order = NULL;
}

/* ---- a job ------------------------------------------------------------------------------------ */

static void identity(void *own, struct fl_buf *options, struct fl_buf *size)
{
    const struct permanent *p = own;
    (void)size;
    made_options_stuck_at(p->jobs, "", options);
}

static int open_job(struct campaign *c)
{
    struct permanent *p = c->own;
    struct fsim_campaign *job = p->job = &p->jobs[c->number];
    if (context_open_in(&p->ctx, c->job, &job->sizes.least, &context_all_cycles, &job->list,
                        c->opt->max_cycles, context_room_of(c->opt->max_memory), c->err) != 0)
        return -1;
    c->ctx = &p->ctx;
    sm_image_free(job->img); /* the job context has one, and its records are of that */
    job->img = c->ctx->img;
    job->golden = c->ctx->g;
    if (!(c->ref = reference_new(campaign_engine(c->opt), c->ctx->g, c->err)))
        return -1;
    c->ref->skip = c->opt->skip_rungs;
    if (permanent_later_run(&p->later, job, c->ctx->g->cycles, c->opt->max_cycles, c->err) != 0)
        return -1;
    campaign_print_dropped(c);
    c->parts = fsim_list_structures(&job->list, p->structures);
    return 0;
}

static void close_job(struct campaign *c)
{
    reference_free(c->ref);
    if (!c->ctx)
        return;
    golden_forget(c->ctx->g);
    c->ctx->img = NULL; /* the list's */
    c->ctx->g = NULL;
    context_close(c->ctx);
}

static int foresee(struct campaign *c, int part, double *weight)
{
    const struct permanent *p = c->own;
    for (long i = 0; i < p->job->list.count; i++)
        *weight += p->job->list.fault[i].cell.structure == p->structures[part];
    return 0;
}

/* What a sample was drawn from: the same in all jobs. */
static int begin(struct campaign *c)
{
    const struct fsim_list *list = &((const struct permanent *)c->own)->jobs[0].list;
    struct result_population *p = NULL;
    int n = 0;
    for (int s = 0; s < SM_ALL_STRUCTURES && list->population; s++) {
        const char *field[SM_MAX_FIELDS];
        int fields = sm_structure_letters(s, false, field);
        for (int f = 0; f < fields; f++) {
            const struct fsim_population *from = &list->population[s][f];
            if (!from->faults)
                continue;
            p = fl_grow(p, (size_t)n + 1, sizeof *p);
            p[n++] = (struct result_population){(char *)sm_structure_name(s, NULL),
                                                (char *)field[f], from->faults, from->untestable};
        }
    }
    int bad = store_populations(c->store, p, n, c->err);
    free(p);
    return bad;
}

const struct campaign_kind permanent_kind = {.identity = identity,
                                             .begin = begin,
                                             .open = open_job,
                                             .close = close_job,
                                             .foresee = foresee,
                                             .part = declare,
                                             .run = run,
                                             .leave = leave,
                                             .task_new = task_new,
                                             .unit = work_on,
                                             .task_free = task_free};
