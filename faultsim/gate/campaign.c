/* campaign.c -- what faulty gates plug into the driver of campaigns. See campaign.h. */
#include "campaign.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serial.h"
#include "check.h"
#include "order.h"
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

/* A campaign, with the job and the part that run. */
struct gates {
    const struct gates_options *opt;
    int sps; /* that any of the jobs has */
    struct job_context ctx;
    struct gates_part *parts;
    struct gates_part *part;
    struct fsim_result *result; /* [faults->count] */
    struct order order;
    uint64_t before; /* faults of the job's parts before this one */
};

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
    order_make(&p->order, p->part->response, t->unit->faults->count, p->opt->sample, p->opt->seed,
               p->before);
    out->model = fl_strdup("gate");
    out->target = fl_format("%s.sp%d", unit_name(t->unit->which), t->sp);
    out->flips = p->order.faults;
    out->cut = exhaustive(p->opt) ? CUT_EXHAUSTIVE : CUT;
    out->units = (p->order.faults + out->cut - 1) / out->cut;
    return 0;
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
        const struct response *r = &p->part->response[p->order.class[i]];
        if (r->first == RESPONSE_NONE) {
            struct fsim_result *out = &p->result[p->order.class[i]];
            *out = (struct fsim_result){.outcome = OUT_MASKED,
                                        .first_activation = FSIM_NEVER,
                                        .end = k->c->ref->cycles,
                                        .reason = "not_activated"};
        } else if (n == 0 ||
                   !response_same(r, &p->part->response[p->order.class[from + first[n - 1]]])) {
            first[n] = (uint32_t)(i - from);
            group[n++] = fault[p->order.class[i]];
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
        const struct response *r = &p->part->response[p->order.class[from + first[g]]];
        together[g] = (struct concurrent_group){&member[members], 0, r->first,
                                                k->answer + (size_t)g * vectors};
        for (uint64_t i = from + first[g];
             i < to && response_same(&p->part->response[p->order.class[i]], r); i++)
            member[members + together[g].n++] = fault[p->order.class[i]];
        members += together[g].n;
    }
    return concurrent_run(k->concurrent, together, n, stop, k->c, p->result);
}

static bool run_alone(struct task *k, uint64_t from, uint64_t to)
{
    const struct gates *p = k->p;
    const struct trace *t = &p->part->trace;
    for (uint64_t i = from; i < to; i++) {
        uint32_t fault = t->unit->faults->fault[p->order.class[i]];
        uint32_t first = p->part->response[p->order.class[i]].first;
        struct fsim_result *out = &p->result[p->order.class[i]];
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
    const struct gates *p = k->p;
    const struct unit *u = p->part->trace.unit;
    for (uint64_t i = from; i < to; i++) {
        uint32_t class = p->order.class[i];
        char id[UNIT_ID];
        unit_fault_id(u, p->part->trace.sp, u->faults->fault[class], id);
        order_count(&p->order, &p->ctx, found, i, id, &p->result[class]);
    }
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
    p->before += p->order.faults;
    order_free(&p->order);
    free(p->result);
    free(p->part->response); /* the next one has its own */
    p->part->response = NULL;
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
    if (unit_slow(&o->unit[0]))
        fl_buf_printf(&b, " faults=%s", gate_model_name[GATE_TRANSITION]);
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
