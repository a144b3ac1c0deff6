/* campaign.c -- what faulty gates of the control plug into the driver of campaigns. See campaign.h. */
#include "campaign.h"

#include <stdio.h>
#include <stdlib.h>

#include "faultsim/gate/order.h"
#include "faultsim/result/made.h"
#include "group.h"

enum {
    CUT = 64,           /* faults of a unit of work */
    CUT_EXHAUSTIVE = 4, /* of brute force */
};

/* A campaign, with the job and the part that run. */
struct controls {
    const struct controls_options *opt;
    struct job_context ctx;
    const struct control_unit *unit;
    struct control_trace trace;
    struct response *response;  /* [faults->count] */
    uint64_t *last;             /* [faults->count] cycle of the last wrong answer */
    struct fsim_result *result; /* [faults->count] */
    struct order order;
    uint64_t before; /* faults of the job's parts before this one */
};

/* ---- parts ----------------------------------------------------------------------------------- */

char *control_target(const struct control_unit *u)
{
    return fl_format("gate/%s", control_unit_name(u->which));
}

static int declare(struct campaign *c, int part, struct result_part *out)
{
    struct controls *p = c->own;
    p->unit = &p->opt->unit[part];
    const uint32_t count = p->unit->faults->count;
    if (control_trace_record(c->ref, p->unit, &p->trace, c->err) != 0)
        return -1;
    p->response = fl_alloc(count * sizeof *p->response);
    p->last = fl_alloc(count * sizeof *p->last);
    p->result = fl_alloc(count * sizeof *p->result);
    if (control_respond(&p->trace, p->response, p->last, c->err) != 0)
        return -1;
    order_make(&p->order, p->response, count, p->opt->sample, p->opt->seed, p->before);
    out->model = fl_strdup("gate");
    out->target = control_target(p->unit);
    out->flips = p->order.faults;
    out->cut = p->opt->run.exhaustive ? CUT_EXHAUSTIVE : CUT;
    out->units = (p->order.faults + out->cut - 1) / out->cut;
    return 0;
}

static void leave(struct campaign *c)
{
    struct controls *p = c->own;
    p->before += p->order.faults;
    order_free(&p->order);
    control_trace_free(&p->trace);
    free(p->response);
    free(p->last);
    free(p->result);
    p->response = NULL;
    p->last = NULL;
    p->result = NULL;
}

/* ---- working --------------------------------------------------------------------------------- */

struct task {
    struct campaign *c;
    const struct controls *p;
    struct control_runner *runner;
};

static bool stop(void *campaign)
{
    return campaign_stopped(campaign);
}

static const struct response *response_at(const struct controls *p, uint64_t place)
{
    return &p->response[p->order.class[place]];
}

/* Faults of the places [from, to) that answer as the first of them does, as one. Returns the place behind
 * them; `from` when it was asked to stop. */
static uint64_t run_group(struct task *k, uint64_t from, uint64_t to)
{
    const struct controls *p = k->p;
    const struct response *r = response_at(p, from);
    struct fsim_result found[CUT];
    uint32_t fault[CUT], n = 0;
    uint64_t last = 0;
    do {
        uint32_t class = p->order.class[from + n];
        fault[n++] = p->unit->faults->fault[class];
        last = p->last[class];
    } while (from + n < to && response_same(response_at(p, from + n), r));
    if (!control_run(k->runner, fault, n, p->trace.first[r->first], last, stop, k->c, found))
        return from;
    for (uint32_t i = 0; i < n; i++)
        p->result[p->order.class[from + i]] = found[i];
    return from + n;
}

static bool work_on(void *task, uint64_t unit, struct store_found *found)
{
    struct task *k = task;
    const struct controls *p = k->p;
    const uint64_t start = unit * k->c->cut, to = campaign_unit_end(k->c, unit);
    for (uint64_t from = start, next; from < to; from = next) {
        const struct response *r = response_at(p, from);
        uint32_t class = p->order.class[from], fault = p->unit->faults->fault[class];
        next = from + 1;
        if (campaign_stopped(k->c))
            return false;
        if (p->opt->run.exhaustive)
            control_run_exhaustive(
                k->runner, fault, r->first == RESPONSE_NONE ? FSIM_NEVER : p->trace.first[r->first],
                &p->result[class]);
        else if (r->first == RESPONSE_NONE)
            p->result[class] = (struct fsim_result){.outcome = OUT_MASKED,
                                                    .first_activation = FSIM_NEVER,
                                                    .end = k->c->ref->cycles,
                                                    .reason = "not_activated"};
        else if ((next = run_group(k, from, to)) == from)
            return false;
    }
    for (uint64_t i = start; i < to; i++) {
        uint32_t class = p->order.class[i];
        char id[CONTROL_ID];
        control_fault_id(p->unit, p->unit->faults->fault[class], id);
        order_count(&p->order, &p->ctx, found, i, id, &p->result[class]);
    }
    return true;
}

static void *task_new(struct campaign *c)
{
    const struct controls *p = c->own;
    struct task *k = fl_alloc(sizeof *k);
    *k = (struct task){.c = c, .p = p, .runner = control_runner_new(p->unit, c->ref)};
    control_runner_past(k->runner, &p->trace);
    return k;
}

static void task_free(void *task)
{
    struct task *k = task;
    control_runner_free(k->runner);
    free(k);
}

/* ---- jobs ------------------------------------------------------------------------------------ */

int control_open_job(struct campaign *c, struct job_context *ctx, const struct controls_options *o)
{
    if (context_open(ctx, c->job, &context_all_cycles, c->opt->max_cycles, c->err) != 0)
        return -1;
    c->ctx = ctx;
    c->parts = o->units;
    return (c->ref = reference_new(campaign_engine(c->opt), c->ctx->g, c->err)) ? 0 : -1;
}

static int open_job(struct campaign *c)
{
    struct controls *p = c->own;
    p->before = 0;
    return control_open_job(c, &p->ctx, p->opt);
}

void control_close_job(struct campaign *c)
{
    reference_free(c->ref);
    if (c->ctx)
        context_close(c->ctx);
}

static int foresee(struct campaign *c, int part, double *weight)
{
    const struct controls *p = c->own;
    *weight = p->opt->unit[part].faults->count;
    return 0;
}

void control_identity(const struct controls_options *o, const char *model, const char *method,
                      struct fl_buf *options)
{
    made_begin(options, model, campaign_engine(&o->run)->name);
    fl_buf_printf(options, "%s", method);
    for (int i = 0; i < o->units; i++)
        fl_buf_printf(options, "%s%s:%s",
                      i ? "," : " netlist=", control_unit_name(o->unit[i].which),
                      o->unit[i].netlist->digest);
    if (control_unit_slow(&o->unit[0]))
        fl_buf_printf(options, " faults=%s", gate_model_name[GATE_TRANSITION]);
    fl_buf_printf(options, " engine=%s", campaign_engine(&o->run)->name);
    if (o->sample)
        fl_buf_printf(options, " sample=%llu seed=%llu", (unsigned long long)o->sample,
                      (unsigned long long)o->seed);
    if (o->run.exhaustive)
        fl_buf_printf(options, " exhaustive");
}

static void identity(void *own, struct fl_buf *options, struct fl_buf *size)
{
    (void)size;
    control_identity(((const struct controls *)own)->opt, "gate", "", options);
}

/* Each netlist is held against the RTL on all that it sees in the run; some are proved. */
int control_checked(struct campaign *c, const struct controls_options *opt)
{
    int known = MADE_PROVED;
    for (int i = 0; i < opt->units; i++)
        known = opt->unit[i].doubt ? MADE_BY_VECTORS : known;
    bool better = known > store_get(c->store, "checked", MADE_UNCHECKED);
    return better ? store_set(c->store, "checked", known, c->err) : 0;
}

static int begin(struct campaign *c)
{
    const struct controls_options *opt = ((const struct controls *)c->own)->opt;
    struct result_population *p = fl_alloc((size_t)opt->units * sizeof *p);
    int count = opt->sample ? opt->units : 0;
    for (int i = 0; i < opt->units; i++)
        p[i] = (struct result_population){control_target(&opt->unit[i]), (char *)"",
                                          opt->unit[i].faults->count, 0};
    int bad = store_populations(c->store, p, count, c->err);
    for (int i = 0; i < opt->units; i++)
        free(p[i].target);
    free(p);
    return bad ? bad : control_checked(c, opt);
}

static const struct campaign_kind kind = {.identity = identity,
                                          .begin = begin,
                                          .open = open_job,
                                          .close = control_close_job,
                                          .foresee = foresee,
                                          .part = declare,
                                          .leave = leave,
                                          .task_new = task_new,
                                          .unit = work_on,
                                          .task_free = task_free};

int controls_run(const struct job *const *jobs, int njobs, const struct controls_options *opt,
                 struct store **out, struct fl_err *err)
{
    struct controls p = {.opt = opt};
    return campaign_run(&kind, &p, jobs, njobs, &opt->run, out, err);
}
