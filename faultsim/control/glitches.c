/* glitches.c -- what glitches plug into the driver of campaigns. See glitches.h. */
#include "glitches.h"

#include <stdlib.h>

#include "faultsim/result/made.h"
#include "faultsim/verdict/verdict.h"
#include "base/stats.h"
#include "glitch.h"

enum {
    CUT = 64,   /* glitches of a unit of work */
    CYCLES = 16 /* and when there is no sample: cycles */
};

/* A campaign, with the job and the part that run. */
struct glitches {
    const struct gates_options *opt;
    struct job_context ctx;
    struct trace trace;
    uint32_t *gate, gates;
    struct glitch_answers answers; /* without a sample */
};

/* ---- parts ----------------------------------------------------------------------------------- */

static int declare(struct campaign *c, int part, struct result_part *out)
{
    struct glitches *p = c->own;
    const struct gates_options *opt = p->opt;
    const struct unit *u = &opt->unit[part];
    const struct result_job *job = &p->ctx.facts;
    uint64_t population;
    p->trace = (struct trace){.unit = u, .sp = -1};
    if (control_record(c->ref, &p->trace, c->err) != 0 || trace_check(&p->trace, c->err) != 0)
        return -1;
    p->gate = glitch_gates(u, &p->gates);
    if (stats_population(p->gates, c->ref->cycles, &population, c->err) != 0)
        return -1;
    out->model = fl_strdup("glitch");
    out->target = unit_target(u, -1);
    for (int i = 0; i < job->nlaunches; i++) {
        struct tally *t = &out->tally[i];
        t->bits = p->gates;
        t->owned = t->population = t->bits * t->cycles;
    }
    timeline_spread(&job->timeline, 0, c->ref->cycles, p->gates, &out->moment[0].owned);
    out->method = opt->sample ? METHOD_SAMPLE : METHOD_EXACT;
    out->flips = opt->sample;
    out->cut = opt->sample ? CUT : CYCLES;
    out->units = ((opt->sample ? opt->sample : c->ref->cycles) + out->cut - 1) / out->cut;
    if (!opt->sample)
        glitch_answers_make(&p->trace, p->gate, p->gates, &p->answers);
    return 0;
}

static void leave(struct campaign *c)
{
    struct glitches *p = c->own;
    trace_free(&p->trace);
    glitch_answers_free(&p->answers);
    free(p->gate);
    p->gate = NULL;
}

/* ---- working --------------------------------------------------------------------------------- */

struct task {
    struct campaign *c;
    const struct glitches *p;
    struct glitch_runner *runner;
};

static enum tally_reason why(const struct fsim_result *r)
{
    return fsim_outcome_fails(r->outcome)      ? REASON_FAILS
           : r->first_activation == FSIM_NEVER ? REASON_IDLE
                                               : REASON_LOGIC;
}

static void decide(struct task *k, uint32_t net, uint64_t cycle, struct fsim_result *r)
{
    glitch_run(k->runner, net, cycle, r);
}

struct drawn {
    uint64_t number, cycle;
    uint32_t net;
};

static int by_cycle(const void *a, const void *b)
{
    const struct drawn *x = a, *y = b;
    return x->cycle != y->cycle ? (x->cycle > y->cycle) - (x->cycle < y->cycle)
                                : (x->number > y->number) - (x->number < y->number);
}

static bool work_on_sample(struct task *k, uint64_t unit, struct store_found *found)
{
    const struct glitches *p = k->p;
    const uint64_t start = unit * CUT, to = campaign_unit_end(k->c, unit);
    struct drawn drawn[CUT];
    const uint64_t cycles = k->c->ref->cycles;
    for (uint64_t i = start; i < to; i++) {
        uint64_t at = stats_draw(p->opt->seed, i, p->gates * cycles);
        drawn[i - start] = (struct drawn){i, at % cycles, p->gate[at / cycles]};
    }
    qsort(drawn, to - start, sizeof *drawn, by_cycle);
    for (uint64_t i = 0; i < to - start; i++) {
        struct fsim_result r;
        char id[UNIT_ID];
        if (campaign_stopped(k->c))
            return false;
        decide(k, drawn[i].net, drawn[i].cycle, &r);
        glitch_id(p->trace.unit, drawn[i].net, drawn[i].cycle, id);
        campaign_count(&p->ctx, found,
                       &(struct campaign_injection){.id = id,
                                                    .number = drawn[i].number,
                                                    .cycle = drawn[i].cycle,
                                                    .result = &r,
                                                    .why = why(&r),
                                                    .owned = true,
                                                    .ran = r.first_activation != FSIM_NEVER,
                                                    .reader = SITE_NONE,
                                                    .writer = SITE_NONE});
    }
    return true;
}

/* So many glitches of a cycle came out so. */
static void count(const struct job_context *ctx, struct store_found *found, uint64_t cycle,
                  uint64_t glitches, const struct fsim_result *r)
{
    struct tally *t = &found->tally[context_launch(ctx, cycle)];
    struct moment *m = &found->moment[timeline_bucket(&ctx->facts.timeline, cycle)];
    const bool fails = fsim_outcome_fails(r->outcome);
    t->counted += glitches;
    t->outcome[r->outcome] += glitches;
    t->reason[why(r)] += glitches;
    t->owned_counted += glitches;
    t->owned_failed += fails ? glitches : 0;
    if (r->outcome != OUT_MASKED)
        m->outcome[r->outcome] += glitches;
    m->owned_failed += fails ? glitches : 0;
    if (r->outcome == OUT_SDC)
        tally_wrong(t, r->elements, r->unwritten, r->by, &r->anatomy, glitches);
}

static void every_gate(struct task *k, uint64_t cycle, struct store_found *found)
{
    const struct glitches *p = k->p;
    for (uint32_t i = 0; i < p->gates && !campaign_stopped(k->c); i++) {
        struct fsim_result r;
        decide(k, p->gate[i], cycle, &r);
        count(&p->ctx, found, cycle, 1, &r);
    }
}

static void by_answers(struct task *k, uint64_t cycle, struct store_found *found)
{
    const struct glitches *p = k->p;
    const struct fsim_result idle = {.outcome = OUT_MASKED, .first_activation = FSIM_NEVER};
    const uint32_t *start = &p->answers.start[p->trace.at[cycle]];
    struct tally *t = &found->tally[context_launch(&p->ctx, cycle)];
    const uint64_t runs = glitch_runs(k->runner);
    uint64_t left = p->gates;
    for (uint32_t i = start[0]; i < start[1] && !campaign_stopped(k->c); i++) {
        const struct glitch_answer *a = &p->answers.answer[i];
        struct fsim_result r;
        decide(k, a->net, cycle, &r);
        count(&p->ctx, found, cycle, a->gates, &r);
        left -= a->gates;
        t->groups++;
    }
    t->runs += glitch_runs(k->runner) - runs;
    if (left)
        count(&p->ctx, found, cycle, left, &idle);
}

static bool work_on(void *task, uint64_t unit, struct store_found *found)
{
    struct task *k = task;
    const struct glitches *p = k->p;
    if (p->opt->sample)
        return work_on_sample(k, unit, found);
    const uint64_t from = unit * CYCLES, cycles = k->c->ref->cycles;
    for (uint64_t c = from; c < from + CYCLES && c < cycles; c++)
        (fsim_skips(k->c->ref, RUNG_RECORD) ? every_gate : by_answers)(k, c, found);
    return !campaign_stopped(k->c);
}

static void *task_new(struct campaign *c)
{
    const struct glitches *p = c->own;
    struct task *k = fl_alloc(sizeof *k);
    *k = (struct task){.c = c, .p = p, .runner = glitch_runner_new(&p->trace, c->ref)};
    return k;
}

static void task_free(void *task)
{
    struct task *k = task;
    glitch_runner_free(k->runner);
    free(k);
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static int open_job(struct campaign *c)
{
    struct glitches *p = c->own;
    return gates_open_job(c, &p->ctx, p->opt);
}

static int foresee(struct campaign *c, int part, double *weight)
{
    const struct glitches *p = c->own;
    *weight = p->opt->unit[part].netlist->nets;
    return 0;
}

static void identity(void *own, struct fl_buf *options, struct fl_buf *size)
{
    const struct gates_options *o = ((const struct glitches *)own)->opt;
    (void)size;
    gates_identity(o, "glitch", o->sample ? " method=sample" : " method=exact", options);
}

static int begin(struct campaign *c)
{
    return gates_checked(c, ((const struct glitches *)c->own)->opt);
}

static const struct campaign_kind kind = {.identity = identity,
                                          .begin = begin,
                                          .open = open_job,
                                          .close = gates_close_job,
                                          .foresee = foresee,
                                          .part = declare,
                                          .leave = leave,
                                          .task_new = task_new,
                                          .unit = work_on,
                                          .task_free = task_free};

int glitches_run(const struct job *const *jobs, int njobs, const struct gates_options *opt,
                 struct store **out, struct fl_err *err)
{
    struct glitches p = {.opt = opt};
    return campaign_run(&kind, &p, jobs, njobs, &opt->run, out, err);
}
