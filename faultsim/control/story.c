/* story.c -- see story.h. */
#include "story.h"

#include <stdlib.h>

#include "faultsim/gate/story.h"
#include "faultsim/verdict/explain.h"
#include "glitch.h"
#include "group.h"

/* The outputs that are wrong at the first vector that shows the fault. */
static void tell_answer(const struct control_trace *t, uint32_t at, uint32_t fault,
                        struct fl_buf *out)
{
    const struct gate_netlist *n = t->unit->netlist;
    struct gate_group *g = gate_group_new(n, 64);
    const char *before = "";
    uint32_t bit;
    fault = control_registers_fault(t->unit->registers, n, fault, &bit);
    gate_group_set(g, t->unit->faults->model, &fault, 1);
    if (control_unit_slow(t->unit)) {
        gate_group_eval(g, control_pattern(t, at, true));
        gate_group_clock(g);
    }
    gate_group_eval(g, control_pattern(t, at, false));
    fl_buf_printf(out, "First wrong answer: cycle %llu:", (unsigned long long)t->first[at]);
    for (uint32_t o = 0; o < n->outputs; o++) {
        uint64_t w = *gate_group_watched(g, o); /* bit 1 has no fault */
        if ((w ^ w >> 1) & 1) {
            fl_buf_printf(out, "%s %s is %d", before, n->output_name[o], (int)(w & 1));
            before = ",";
        }
    }
    fl_buf_printf(out, ".\n");
    gate_group_free(g);
}

static void tell_run(const struct job_context *ctx, const struct reference *ref,
                     const struct control_trace *t, const struct response *r, uint64_t last,
                     uint32_t fault, const char *id, struct fl_buf *out)
{
    const struct control_unit *u = t->unit;
    const uint64_t first = t->first[r->first];
    struct control_runner *runner = control_runner_new(u, ref);
    control_runner_past(runner, t);
    struct gpu *healthy = gpu_new(ctx->img);
    struct fsim_result result;
    control_run(runner, &fault, 1, first, last, NULL, NULL, &result);
    fl_buf_printf(out, "%s: %s (%s), in the %s\n", id, fsim_outcome_name(result.outcome),
                  result.reason, ref->engine->text);
    story_place(u->netlist, u->faults, control_unit_name(u->which), fault, out);
    tell_answer(t, r->first, fault, out);
    golden_seek(ctx->g, healthy, first);
    explain_walk(healthy, control_start(runner, fault, first), out);
    explain_end(ctx->g->cycles, &result, out);
    gpu_free(healthy);
    control_runner_free(runner);
}

int control_story(const struct job_context *ctx, const struct engine *engine,
                  const struct control_unit *u, uint32_t fault, struct fl_buf *out,
                  struct fl_err *err)
{
    const uint32_t class = u->faults->class_of[fault];
    struct response *response = fl_alloc(u->faults->count * sizeof *response);
    uint64_t *last = fl_alloc(u->faults->count * sizeof *last);
    struct reference *ref = reference_new(engine, ctx->g, err);
    struct control_trace t = {.unit = u};
    char id[CONTROL_ID];
    int bad = !ref || control_trace_record(ref, u, &t, err) != 0 ||
              control_respond(&t, response, last, err) != 0;
    control_fault_id(u, fault, id);
    if (!bad && response[class].first == RESPONSE_NONE) {
        fl_buf_printf(out, "%s: masked (not_activated), in the %s\n", id, engine->text);
        story_place(u->netlist, u->faults, control_unit_name(u->which), fault, out);
        fl_buf_printf(out,
                      "All %u different inputs that the unit gets in the %llu cycles of the job "
                      "are answered rightly: it is never seen.\n",
                      control_patterns(&t), (unsigned long long)ctx->g->cycles);
    } else if (!bad) {
        tell_run(ctx, ref, &t, &response[class], last[class], fault, id, out);
    }
    control_trace_free(&t);
    reference_free(ref);
    free(response);
    free(last);
    return bad ? -1 : 0;
}

static void tell_glitch(const struct job_context *ctx, const struct reference *ref,
                        const struct control_trace *t, uint32_t net, uint64_t cycle,
                        struct fl_buf *out)
{
    const struct gate_netlist *n = t->unit->netlist;
    struct glitch_runner *runner = glitch_runner_new(t, ref);
    struct gpu *healthy = gpu_new(ctx->img);
    struct fsim_result result;
    char id[CONTROL_ID];
    glitch_id(t->unit, net, cycle, id);
    glitch_run(runner, net, cycle, &result);
    fl_buf_printf(out, "%s: %s (%s), in the %s\n", id, fsim_outcome_name(result.outcome),
                  result.reason, ref->engine->text);
    fl_buf_printf(
        out,
        "Net n%u, which the netlist calls %s, is inverted in cycle %llu.\nThe netlist of %s "
        "is that of SHA-256 %s.\n",
        net, n->name[net], (unsigned long long)cycle, control_unit_name(t->unit->which), n->digest);
    if (result.first_activation == FSIM_NEVER) {
        fl_buf_printf(out, "What the unit sees in that cycle is answered rightly all the same.\n");
    } else {
        golden_seek(ctx->g, healthy, cycle);
        explain_walk(healthy, glitch_start(runner, net, cycle), out);
        explain_end(ctx->g->cycles, &result, out);
    }
    gpu_free(healthy);
    glitch_runner_free(runner);
}

int glitch_story(const struct job_context *ctx, const struct engine *engine,
                 const struct control_unit *u, uint32_t net, uint64_t cycle, struct fl_buf *out,
                 struct fl_err *err)
{
    struct reference *ref = reference_new(engine, ctx->g, err);
    struct control_trace t = {.unit = u};
    int bad = !ref || control_trace_record(ref, u, &t, err) != 0 ||
              control_trace_check(&t, err) != 0;
    if (!bad && cycle >= t.cycles)
        bad = fl_fail(err, "%s: it takes %llu cycles, and has no cycle %llu", ctx->job->path,
                      (unsigned long long)t.cycles, (unsigned long long)cycle);
    if (!bad)
        tell_glitch(ctx, ref, &t, net, cycle, out);
    control_trace_free(&t);
    reference_free(ref);
    return bad ? -1 : 0;
}
