/* campaign.c -- what faulty gates plug into the driver of campaigns. See campaign.h. */
#include "campaign.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faultsim/result/made.h"
#include "faultsim/verdict/verdict.h"
#include "order.h"

enum { MOST = 128 /* faults of a unit of work, of any kind */ };

static const struct unit_kind *kind_of(const struct gates_options *opt)
{
    return opt->unit[0].kind;
}

static const struct unit_machine *machine_of(const struct gates_options *opt)
{
    return kind_of(opt)->machine(campaign_engine(&opt->run));
}

static bool exhaustive(const struct gates_options *opt)
{
    return opt->run.exhaustive || opt->errors || !machine_of(opt)->groups;
}

/* A campaign, with the job and the part that run. */
struct gates {
    const struct gates_options *opt;
    int sps; /* that any of the jobs has; 1 of units that an SM has one of */
    struct job_context ctx;
    struct trace *traces; /* [parts] */
    const bool **wanted;  /* [parts] by the list, or NULL */
    int traced;           /* those before this part are recorded */
    struct trace *trace;
    struct response *response;  /* [faults->count] */
    struct fsim_result *result; /* [faults->count] */
    struct order order;
    uint64_t before;         /* faults of the job's parts before this one */
    struct earlier *earlier; /* [parts] with --drop; NULL: nothing of earlier jobs counts */
    struct earlier *of;      /* the part's */
};

/* ---- what earlier jobs have detected ----------------------------------------------------------- */

/* With --drop all jobs have the order of the first, so that a fault is in the unit of work of the same number in each:
 * what decides whether it is dropped is in the same shard, and no unit depends on how far another one is. */
struct earlier {
    uint32_t *class; /* [faults] that order */
    int *by;         /* [classes] the job that has detected it, from 1; 0: none has */
};

struct detections {
    const struct gates *p;
    int job;
};

static int note_detection(void *context, const struct store_injection *i)
{
    const struct detections *d = context;
    int *by = &d->p->of->by[d->p->of->class[i->number]];
    if (!*by && fsim_outcome_detected(i->outcome, false))
        *by = d->job;
    return 0;
}

/* The order of the first job, and what the job before this one has added. */
static int take_earlier(struct campaign *c, int part)
{
    struct gates *p = c->own;
    const struct detections d = {p, c->number};
    memcpy(p->order.class, p->of->class, p->order.faults * sizeof *p->order.class);
    return store_commit(c->store, c->err) != 0 ||
                   store_injections(c->store, (c->number - 1) * c->parts + part, note_detection,
                                    (void *)&d, c->err) != 0
               ? -1
               : 0;
}

static void keep_order(struct gates *p)
{
    p->of->class = fl_alloc(p->order.faults * sizeof *p->of->class);
    memcpy(p->of->class, p->order.class, p->order.faults * sizeof *p->of->class);
    p->of->by = fl_alloc(p->trace->unit->faults->count * sizeof *p->of->by);
}

static int dropped_by(const struct gates *p, uint32_t class)
{
    return p->of ? p->of->by[class] : 0;
}

/* ---- the store ------------------------------------------------------------------------------- */

/* What those that are to be simulated answer. */
static int respond(struct campaign *c)
{
    struct gates *p = c->own;
    uint32_t *class = fl_alloc(p->order.faults * sizeof *class);
    uint64_t n = 0;
    for (uint64_t i = 0; i < p->order.faults; i++)
        if (!dropped_by(p, p->order.class[i]))
            class[n++] = p->order.class[i];
    int bad = response_of(p->trace, class, n, c->opt->threads, p->response, c->err);
    free(class);
    return bad;
}

static int declare(struct campaign *c, int part, struct result_part *out)
{
    struct gates *p = c->own;
    const struct unit_kind *kind = kind_of(p->opt);
    const struct unit *u = p->traces[part].unit;
    const uint32_t count = u->faults->count;
    const bool first = c->number == 0;
    if (part >= p->traced) {
        int n = kind->one_run ? c->parts - part : 1;
        if (kind->record(c->ctx->g, c->ref, &p->traces[part], n, c->err) != 0)
            return -1;
        p->traced = part + n;
    }
    p->trace = &p->traces[part];
    p->response = fl_alloc(count * sizeof *p->response);
    p->result = fl_alloc(count * sizeof *p->result);
    order_choose(&p->order, count, p->wanted[part], p->opt->sample, p->opt->seed, p->before);
    p->of = p->earlier && !first ? &p->earlier[part] : NULL;
    if ((p->of && take_earlier(c, part) != 0) || respond(c) != 0)
        return -1;
    if (!p->of)
        order_sort(p->order.class, p->order.faults, p->response);
    if (p->earlier && first) {
        p->of = &p->earlier[part];
        keep_order(p);
    }
    out->model = fl_strdup("gate");
    out->target = unit_target(u, p->trace->sp);
    out->flips = p->order.faults;
    out->cut = (uint64_t)(exhaustive(p->opt) ? kind->cut_alone : kind->cut);
    out->units = (p->order.faults + out->cut - 1) / out->cut;
    return 0;
}

static void leave(struct campaign *c)
{
    struct gates *p = c->own;
    p->before += p->order.faults;
    order_free(&p->order);
    if (p->trace)
        trace_free(p->trace);
    free(p->result);
    free(p->response);
    p->trace = NULL;
    p->response = NULL;
    p->result = NULL;
}

/* ---- working --------------------------------------------------------------------------------- */

struct task {
    struct campaign *c;
    const struct gates *p;
    const struct unit_machine *on;
    void *machine;
};

static bool stop(void *campaign)
{
    return campaign_stopped(campaign);
}

static uint32_t fault_of(const struct gates *p, uint32_t class)
{
    return p->trace->unit->faults->fault[class];
}

/* ---- the ladder of units: a rung leaves those in `class` that it cannot decide, and is false when it was asked to stop ---- */

static bool by_record(struct task *k, uint32_t *class, uint32_t *n)
{
    const struct gates *p = k->p;
    uint32_t left = 0;
    for (uint32_t i = 0; i < *n; i++)
        if (p->response[class[i]].first == RESPONSE_NONE)
            p->result[class[i]] = (struct fsim_result){.outcome = OUT_MASKED,
                                                       .first_activation = FSIM_NEVER,
                                                       .end = k->c->ref->cycles,
                                                       .reason = "not_activated"};
        else
            class[left++] = class[i];
    *n = left;
    return true;
}

/* In groups of equal answers, each from its first wrong one. */
static bool from_checkpoint(struct task *k, uint32_t *class, uint32_t *n)
{
    const struct gates *p = k->p;
    struct fault_group group[MOST];
    uint32_t fault[MOST], groups = 0, left = 0;
    for (uint32_t i = 0; i < *n; i++) {
        const struct response *r = &p->response[class[i]];
        fault[i] = fault_of(p, class[i]);
        if (r->first == RESPONSE_NONE)
            class[left++] = class[i];
        else if (groups && response_same(r, group[groups - 1].response))
            group[groups - 1].n++;
        else
            group[groups++] = (struct fault_group){&fault[i], 1, r};
    }
    *n = left;
    return groups == 0 || k->on->groups(k->machine, group, groups, stop, k->c, p->result);
}

static bool by_brute_force(struct task *k, uint32_t *class, uint32_t *n)
{
    const struct gates *p = k->p;
    for (; *n; ++class, --*n) {
        if (campaign_stopped(k->c))
            return false;
        k->on->alone(k->machine, fault_of(p, *class),
                     response_cycle(&p->response[*class], p->trace), &p->result[*class]);
    }
    return true;
}

static bool (*const ladder[RUNGS])(struct task *k, uint32_t *class,
                                   uint32_t *n) = {[RUNG_RECORD] = by_record,
                                                   [RUNG_CHECKPOINT] = from_checkpoint,
                                                   [RUNG_BRUTE_FORCE] = by_brute_force};

static bool decide(struct task *k, const uint32_t *class, uint32_t n)
{
    uint32_t left[MOST];
    memcpy(left, class, n * sizeof *left);
    for (enum rung i = RUNG_RECORD; n && i < RUNGS; i++)
        if (ladder[i] && !fsim_skips(k->c->ref, i) && !ladder[i](k, left, &n))
            return false;
    return true;
}

/* ---- units of work --------------------------------------------------------------------------- */

/* Runs the program with the fault, unless the record of its run says enough: as of cells (../permanent/part.c). A record of the first of
 * several machines says nothing of the others. */
static bool ask_program(const struct task *k, uint32_t class)
{
    const struct gates *p = k->p;
    struct program *host = p->opt->host;
    struct fsim_result *r = &p->result[class];
    const bool several = program_job(host, 1) != NULL,
               idle = !several && r->first_activation == FSIM_NEVER;
    char id[UNIT_ID];
    if (!p->opt->run.exhaustive && !several && program_knows(host, r->outcome, idle))
        return true;
    unit_fault_id(p->trace->unit, p->trace->sp, fault_of(p, class), id);
    bool ran = program_run(host, id, r);
    if (r->outcome == OUT_MASKED)
        snprintf(r->reason, sizeof r->reason, idle ? "not_activated" : "logically_masked");
    return ran;
}

static void drop(const struct gates *p, uint32_t class, int by)
{
    struct fsim_result *r = &p->result[class];
    *r = (struct fsim_result){
        .outcome = OUT_DROPPED, .first_activation = FSIM_NEVER, .end = FSIM_NEVER};
    snprintf(r->reason, sizeof r->reason, "detected_by_job_%d", by);
}

/* Before its first wrong answer the machine is the fault-free one. */
static void show(struct task *k, uint32_t class)
{
    const struct gates *p = k->p;
    const struct fsim_result *r = &p->result[class];
    if (!fsim_outcome_detected(r->outcome, false))
        return;
    struct dut *m = k->on->start(k->machine, fault_of(p, class),
                                 response_cycle(&p->response[class], p->trace));
    dut_run(m, 2 * k->c->ref->cycles);
    const struct dut_end end = dut_end(m);
    p->opt->shown(p->opt->of, k->c->number, p->order.place[class], r, k->c->ref->img, &end);
}

static bool work_on(void *task, uint64_t unit, struct store_found *found)
{
    struct task *k = task;
    const struct gates *p = k->p;
    const uint64_t from = unit * k->c->cut, to = campaign_unit_end(k->c, unit);
    uint32_t class[MOST], n = 0;
    for (uint64_t i = from; i < to; i++) {
        const uint32_t c = p->order.class[i];
        if (dropped_by(p, c))
            drop(p, c, dropped_by(p, c));
        else
            class[n++] = c;
    }
    if (p->of)
        order_sort(class, n, p->response);
    if (!decide(k, class, n))
        return false;
    for (uint32_t i = 0; i < n && p->opt->host; i++)
        if (campaign_stopped(k->c) || !ask_program(k, class[i]))
            return false;
    for (uint32_t i = 0; i < n && p->opt->shown; i++) {
        if (campaign_stopped(k->c))
            return false;
        show(k, class[i]);
    }
    for (uint64_t i = from; i < to; i++) {
        const uint32_t c = p->order.class[i];
        char id[UNIT_ID];
        unit_fault_id(p->trace->unit, p->trace->sp, fault_of(p, c), id);
        order_count(&p->order, &p->ctx, found, i, id, &p->result[c]);
    }
    return true;
}

static void *task_new(struct campaign *c)
{
    const struct gates *p = c->own;
    struct task *k = fl_alloc(sizeof *k);
    *k = (struct task){.c = c, .p = p, .on = machine_of(p->opt)};
    k->machine = k->on->make(p->trace, c->ref);
    return k;
}

static void task_free(void *task)
{
    struct task *k = task;
    k->on->free(k->machine);
    free(k);
}

/* ---- jobs ------------------------------------------------------------------------------------ */

int gates_open_job(struct campaign *c, struct job_context *ctx, const struct gates_options *o)
{
    if (context_open(ctx, c->job, &context_all_cycles, c->opt->max_cycles, c->err) != 0)
        return -1;
    c->ctx = ctx;
    const int sps = kind_of(o)->of_sp ? ctx->img->profile.sps : 1;
    if (o->sp >= sps)
        return fl_fail(c->err, "%s: the machine has SPs 0 to %d, and no SP %d", c->job->path,
                       sps - 1, o->sp);
    c->parts = o->units * (o->sp < 0 ? sps : 1);
    if (!(c->ref = reference_new(campaign_engine(c->opt), ctx->g, c->err)))
        return -1;
    c->ref->skip = exhaustive(o) ? ALL_BUT_BRUTE_FORCE : c->opt->skip_rungs;
    if (o->detect)
        reference_detect(c->ref);
    return 0;
}

static int open_job(struct campaign *c)
{
    struct gates *p = c->own;
    const struct gates_options *o = p->opt;
    p->before = 0;
    p->traced = 0;
    if (gates_open_job(c, &p->ctx, o) != 0)
        return -1;
    if (o->right) {
        struct gates_right *right = &o->right[c->number];
        right->instructions = p->ctx.g->instructions;
        right->cycles = p->ctx.g->cycles;
        gpu_outputs_digest(p->ctx.g->end, right->digest);
    }
    const int each = c->parts / o->units, all = c->parts;
    p->traces = fl_alloc((size_t)all * sizeof *p->traces);
    p->wanted = fl_alloc((size_t)all * sizeof *p->wanted);
    c->parts = 0;
    for (int i = 0; i < all; i++) {
        const int sp = !kind_of(o)->of_sp ? -1 : o->sp < 0 ? i % each : o->sp;
        const bool *wanted = o->list ? fault_list_of(o->list, i / each, sp) : NULL;
        if (o->list && !wanted)
            continue; /* no part of it */
        p->traces[c->parts] = (struct trace){.unit = &o->unit[i / each], .sp = sp};
        p->wanted[c->parts++] = wanted;
    }
    return 0;
}

void gates_close_job(struct campaign *c)
{
    reference_free(c->ref);
    if (c->ctx)
        context_close(c->ctx);
}

static void close_job(struct campaign *c)
{
    struct gates *p = c->own;
    for (int i = 0; p->traces && i < c->parts; i++)
        trace_free(&p->traces[i]);
    free(p->traces);
    free(p->wanted);
    p->traces = NULL;
    p->wanted = NULL;
    gates_close_job(c);
}

static int foresee(struct campaign *c, int part, double *weight)
{
    const struct gates *p = c->own;
    *weight = p->traces[part].unit->faults->count;
    return 0;
}

/* Outputs of a lane's units with faults of their own. A netlist that has none has the list of version 0.2.0, and its
 * stores go on. */
#define PORTS " ports="
static void add_ports(const struct gates_options *o, struct fl_buf *b)
{
    const char *before = PORTS;
    for (int i = 0; i < o->units && kind_of(o)->of_sp; i++)
        if (o->unit[i].netlist->ports) {
            fl_buf_printf(b, "%s%s:%u", before, o->unit[i].name, o->unit[i].netlist->ports);
            before = ",";
        }
}

void gates_identity(const struct gates_options *o, const char *model, const char *method,
                    struct fl_buf *out)
{
    made_begin(out, model, campaign_engine(&o->run)->name);
    fl_buf_printf(out, "%s", method);
    for (int i = 0; i < o->units; i++)
        fl_buf_printf(out, "%s%s:%s", i ? "," : " netlist=", o->unit[i].name,
                      o->unit[i].netlist->digest);
    add_ports(o, out);
    if (kind_of(o)->of_sp && o->sp >= 0)
        fl_buf_printf(out, " sp=%d", o->sp);
    if (unit_slow(&o->unit[0]))
        fl_buf_printf(out, " faults=%s", gate_model_name[GATE_TRANSITION]);
    fl_buf_printf(out, " engine=%s", campaign_engine(&o->run)->name);
    if (o->sample)
        fl_buf_printf(out, " sample=%llu seed=%llu", (unsigned long long)o->sample,
                      (unsigned long long)o->seed);
    if (o->list)
        fault_list_identity(o->list, out);
    if (o->drop)
        fl_buf_printf(out, " drop");
    if (o->detect)
        fl_buf_printf(out, " detect");
    if (o->errors)
        fl_buf_printf(out, " errors=%s", o->errors);
    else if (exhaustive(o))
        fl_buf_printf(out, " exhaustive");
    if (o->host)
        program_options_text(o->host, out);
}

char *gates_made(const struct gates_options *o)
{
    struct fl_buf b = {0};
    gates_identity(o, "gate", "", &b);
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
    (void)size;
    gates_identity(((const struct gates *)own)->opt, "gate", "", options);
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
static int print_populations(struct campaign *c)
{
    const struct gates *g = c->own;
    const struct gates_options *opt = g->opt;
    int count = 0;
    struct result_population *p = fl_alloc((size_t)(opt->units * g->sps) * sizeof *p);
    for (int u = 0; u < opt->units && opt->sample; u++)
        for (int sp = 0; sp < g->sps; sp++)
            if (opt->sp < 0 || sp == opt->sp)
                p[count++] = (struct result_population){unit_target(&opt->unit[u], sp), (char *)"",
                                                        opt->unit[u].faults->count, 0};
    int bad = store_populations(c->store, p, count, c->err);
    for (int i = 0; i < count; i++)
        free(p[i].target);
    free(p);
    return bad;
}

int gates_checked(struct campaign *c, const struct gates_options *opt)
{
    int known = kind_of(opt)->vet(opt->unit, opt->units, opt->check, c->err);
    if (known < 0)
        return -1;
    bool better = known > store_get(c->store, "checked", MADE_UNCHECKED);
    return better ? store_set(c->store, "checked", known, c->err) : 0;
}

static int begin(struct campaign *c)
{
    const struct gates *p = c->own;
    return print_populations(c) != 0 ? -1 : gates_checked(c, p->opt);
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
    struct gates p = {.opt = opt, .sps = 1};
    for (int i = 0; i < njobs && kind_of(opt)->of_sp; i++)
        p.sps = jobs[i]->profile.sps > p.sps ? jobs[i]->profile.sps : p.sps;
    const int parts = opt->units * p.sps;
    if (opt->drop)
        p.earlier = fl_alloc((size_t)parts * sizeof *p.earlier);
    int status = campaign_run(&kind, &p, jobs, njobs, &opt->run, out, err);
    for (int i = 0; opt->drop && i < parts; i++) {
        free(p.earlier[i].class);
        free(p.earlier[i].by);
    }
    free(p.earlier);
    return status;
}
