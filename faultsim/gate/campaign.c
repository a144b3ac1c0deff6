/* campaign.c -- what faulty gates plug into the driver of campaigns. See campaign.h. */
#include "campaign.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serial.h"
#include "check.h"
#include "base/random.h"
#include "faultsim/result/made.h"

enum {
    CUT = 128,          /* faults of a unit of work */
    CUT_EXHAUSTIVE = 8, /* of brute force */
};

static bool exhaustive(const struct gates_options *opt)
{
    return opt->run.exhaustive || campaign_engine(&opt->run) != &engine_c;
}

/* ---- parts ----------------------------------------------------------------------------------- */

int gates_open(const struct job_context *ctx, const struct gates_options *opt,
               struct gates_part **out, int *count, struct fl_err *err)
{
    int sps = opt->sp < 0 ? ctx->img->profile.sps : 1;
    if (opt->sp >= ctx->img->profile.sps)
        return fl_fail(err, "%s: the machine has SPs 0 to %d, and no SP %d", ctx->job->path,
                       ctx->img->profile.sps - 1, opt->sp);
    *count = opt->units * sps;
    *out = fl_alloc((size_t)*count * sizeof **out);
    struct trace *t = fl_alloc((size_t)*count * sizeof *t);
    for (int i = 0; i < *count; i++) {
        t[i].unit = &opt->unit[i / sps];
        t[i].sp = opt->sp < 0 ? i % sps : opt->sp;
    }
    trace_record(ctx->g, t, *count);
    for (int i = 0; i < *count; i++)
        (*out)[i] = (struct gates_part){.ctx = ctx, .trace = t[i]};
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

/* A campaign, with the job and the part that run. */
struct gates {
    const struct gates_options *opt;
    int sps; /* that any of the jobs has */
    struct job_context ctx;
    struct gates_part *parts;
    struct gates_part *part;
    struct fsim_result *result; /* [faults->count] */
    uint32_t *order;            /* classes */
    uint64_t *place;            /* of a class in the job's list, from 1 */
    uint64_t before;            /* faults of the job's parts before this one */
    uint64_t faults;
};

static void put_in_order(struct gates *p)
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

static int declare(struct campaign *c, int part, struct result_part *out)
{
    struct gates *p = c->own;
    p->part = &p->parts[part];
    const struct trace *t = &p->part->trace;
    p->part->response = fl_alloc(t->unit->faults->count * sizeof *p->part->response);
    p->result = fl_alloc(t->unit->faults->count * sizeof *p->result);
    if (response_all(t, c->opt->threads, p->part->response, c->err) != 0)
        return -1;
    put_in_order(p);
    out->model = fl_strdup("gate");
    out->target = fl_format("%s.sp%d", unit_name(t->unit->which), t->sp);
    out->flips = p->faults;
    out->cut = exhaustive(p->opt) ? CUT_EXHAUSTIVE : CUT;
    out->units = (p->faults + out->cut - 1) / out->cut;
    return 0;
}

/* Counts a fault where it first shows, or in the first launch. */
static void keep(const struct gates *p, struct store_found *found, uint64_t place)
{
    const struct unit *u = p->part->trace.unit;
    const struct fsim_result *r = &p->result[p->order[place]];
    bool shows = r->first_activation != FSIM_NEVER;
    char id[UNIT_ID];
    unit_fault_id(u, p->part->trace.sp, u->faults->fault[p->order[place]], id);
    campaign_count(&p->ctx, found,
                   &(struct campaign_injection){.id = id,
                                                .number = place,
                                                .place = p->place[p->order[place]],
                                                .cycle = shows ? r->first_activation : 0,
                                                .result = r,
                                                .why = fsim_outcome_fails(r->outcome) ? REASON_FAILS
                                                       : shows                        ? REASON_LOGIC
                                                                                      : REASON_IDLE,
                                                .owned = true,
                                                .ran = shows,
                                                .reader = SITE_NONE,
                                                .writer = SITE_NONE});
}

/* ---- working --------------------------------------------------------------------------------- */

struct task {
    struct campaign *c;
    const struct gates *p;
    struct concurrent *concurrent; /* engine c */
    struct serial *serial;         /* another */
    struct responder *responder;
    uint64_t *answer; /* [CUT][vectors], or NULL */
};

static bool equal(const struct response *a, const struct response *b)
{
    return a->hash[0] == b->hash[0] && a->hash[1] == b->hash[1];
}

static bool stop(void *campaign)
{
    return campaign_stopped(campaign);
}

/* Faults of the places [from, to), in groups of equal answers. False when it was asked to stop. */
static bool run_groups(struct task *k, uint64_t from, uint64_t to)
{
    const struct gates *p = k->p;
    const struct trace *t = &p->part->trace;
    const uint32_t *fault = t->unit->faults->fault;
    uint32_t first[CUT], group[CUT], n = 0, vectors = t->seen.count; /* places count from `from` */
    for (uint64_t i = from; i < to; i++) {
        const struct response *r = &p->part->response[p->order[i]];
        if (r->first == RESPONSE_NONE) {
            struct fsim_result *out = &p->result[p->order[i]];
            *out = (struct fsim_result){.outcome = OUT_MASKED,
                                        .first_activation = FSIM_NEVER,
                                        .end = k->c->ref->cycles,
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
    struct concurrent_group together[CUT];
    for (uint32_t g = 0; g < n; g++) {
        const struct response *r = &p->part->response[p->order[from + first[g]]];
        together[g] = (struct concurrent_group){&member[members], 0, r->first,
                                                k->answer + (size_t)g * vectors};
        for (uint64_t i = from + first[g]; i < to && equal(&p->part->response[p->order[i]], r); i++)
            member[members + together[g].n++] = fault[p->order[i]];
        members += together[g].n;
    }
    return concurrent_run(k->concurrent, together, n, stop, k->c, p->result);
}

static bool run_alone(struct task *k, uint64_t from, uint64_t to)
{
    const struct gates *p = k->p;
    const struct trace *t = &p->part->trace;
    for (uint64_t i = from; i < to; i++) {
        uint32_t fault = t->unit->faults->fault[p->order[i]];
        uint32_t first = p->part->response[p->order[i]].first;
        struct fsim_result *out = &p->result[p->order[i]];
        if (campaign_stopped(k->c))
            return false;
        if (k->serial)
            serial_run(k->serial, fault, first == RESPONSE_NONE ? FSIM_NEVER : t->first[first],
                       out);
        else
            concurrent_exhaustive(k->concurrent, fault, out);
    }
    return true;
}

static bool work_on(void *task, uint64_t unit, struct store_found *found)
{
    struct task *k = task;
    uint64_t from = unit * k->c->cut, to = campaign_unit_end(k->c, unit);
    if (!(exhaustive(k->p->opt) ? run_alone : run_groups)(k, from, to))
        return false;
    for (uint64_t i = from; i < to; i++)
        keep(k->p, found, i);
    return true;
}

static void *task_new(struct campaign *c)
{
    const struct gates *p = c->own;
    const struct trace *t = &p->part->trace;
    struct task *k = fl_alloc(sizeof *k);
    *k = (struct task){.c = c, .p = p, .responder = responder_new(t->unit)};
    if (c->ref->engine == &engine_c)
        k->concurrent = concurrent_new(t, c->ref);
    else
        k->serial = serial_new(t->unit, t->sp, c->ref);
    return k;
}

static void task_free(void *task)
{
    struct task *k = task;
    concurrent_free(k->concurrent);
    serial_free(k->serial);
    responder_free(k->responder);
    free(k->answer);
    free(k);
}

static void leave(struct campaign *c)
{
    struct gates *p = c->own;
    p->before += p->faults;
    p->faults = 0;
    free(p->order);
    free(p->place);
    free(p->result);
    free(p->part->response); /* the next one has its own */
    p->part->response = NULL;
    p->order = NULL;
    p->place = NULL;
    p->result = NULL;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static int open_job(struct campaign *c)
{
    struct gates *p = c->own;
    p->before = 0;
    if (context_open(&p->ctx, c->job, &context_all_cycles, c->opt->max_cycles, c->err) != 0)
        return -1;
    c->ctx = &p->ctx;
    if (gates_open(c->ctx, p->opt, &p->parts, &c->parts, c->err) != 0)
        return -1;
    return (c->ref = reference_new(campaign_engine(c->opt), c->ctx->g, c->err)) ? 0 : -1;
}

static void close_job(struct campaign *c)
{
    struct gates *p = c->own;
    reference_free(c->ref);
    if (p->parts)
        gates_close(p->parts, c->parts);
    p->parts = NULL;
    if (c->ctx)
        context_close(c->ctx);
}

static int foresee(struct campaign *c, int part, double *weight)
{
    const struct gates *p = c->own;
    *weight = p->parts[part].trace.unit->faults->count;
    return 0;
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
    made_begin(&b, "gate", campaign_engine(&o->run)->name);
    for (int i = 0; i < o->units; i++)
        fl_buf_printf(&b, "%s%s:%s", i ? "," : " netlist=", unit_name(o->unit[i].which),
                      o->unit[i].netlist->digest);
    add_ports(o, &b);
    if (o->sp >= 0)
        fl_buf_printf(&b, " sp=%d", o->sp);
    fl_buf_printf(&b, " engine=%s", campaign_engine(&o->run)->name);
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

static void identity(void *own, struct fl_buf *options, struct fl_buf *size)
{
    const struct gates *p = own;
    char *made = gates_made(p->opt);
    (void)size;
    fl_buf_printf(options, "%s", made);
    free(made);
}

static int accepts(void *own, const char *store, const char *options, struct fl_err *err)
{
    (void)own;
    if (!has_shorter_list(store, options))
        return 0;
    return fl_fail(err,
                   "%s: version 0.2.0 made it, whose lists lack faults of outputs that are read "
                   "inside too; report it as it is, or start again in another file",
                   store);
}

/* A draw is one of classes, the same in each SP. */
static int tell_populations(struct campaign *c)
{
    const struct gates *g = c->own;
    const struct gates_options *opt = g->opt;
    int count = 0;
    struct result_population *p = fl_alloc((size_t)(opt->units * g->sps) * sizeof *p);
    for (int u = 0; u < opt->units && opt->sample; u++)
        for (int sp = 0; sp < g->sps; sp++)
            if (opt->sp < 0 || sp == opt->sp)
                p[count++] = (struct result_population){
                    fl_format("%s.sp%d", unit_name(opt->unit[u].which), sp), (char *)"",
                    opt->unit[u].faults->count, 0};
    int bad = store_populations(c->store, p, count, c->err);
    for (int i = 0; i < count; i++)
        free(p[i].target);
    free(p);
    return bad;
}

/* The store keeps the best that was ever known of its netlists. */
static int check_units(struct campaign *c)
{
    const struct gates_options *opt = ((const struct gates *)c->own)->opt;
    if (!opt->check)
        return 0;
    int known = check_all(opt->unit, opt->units, opt->check, c->err);
    if (known < 0)
        return -1;
    bool better = known > store_get(c->store, "checked", MADE_UNCHECKED);
    return better ? store_set(c->store, "checked", known, c->err) : 0;
}

static int begin(struct campaign *c)
{
    return tell_populations(c) != 0 ? -1 : check_units(c);
}

static const struct campaign_kind kind = {.identity = identity,
                                          .accepts = accepts,
                                          .begin = begin,
                                          .open = open_job,
                                          .close = close_job,
                                          .foresee = foresee,
                                          .part = declare,
                                          .leave = leave,
                                          .task_new = task_new,
                                          .unit = work_on,
                                          .task_free = task_free};

int gates_run(const struct job *const *jobs, int njobs, const struct gates_options *opt,
              struct store **out, struct fl_err *err)
{
    struct gates p = {.opt = opt};
    for (int i = 0; i < njobs; i++)
        p.sps = jobs[i]->profile.sps > p.sps ? jobs[i]->profile.sps : p.sps;
    return campaign_run(&kind, &p, jobs, njobs, &opt->run, out, err);
}
