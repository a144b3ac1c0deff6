/* set_trace.c -- See set_trace.h. */
#include "set_trace.h"

#include "faultsim/gate/fault_trace.h"
#include "glitch.h"

static void print_glitch(const struct job_context *ctx, const struct reference *ref,
                         const struct trace *t, uint32_t net, uint64_t cycle,
                         struct fault_trace *out)
{
    const struct unit *u = t->unit;
    struct glitch_runner *runner = glitch_runner_new(t, ref);
    struct fsim_result result;
    char id[UNIT_ID];
    glitch_id(u, net, cycle, id);
    glitch_run(runner, net, cycle, &result);
    gate_trace_head(ctx, id, u, ref->engine, cycle, &result, out);
    fl_buf_printf(&out->text, "Net n%u, which the netlist calls %s, is inverted in cycle %llu.",
                  net, u->netlist->name[net], (unsigned long long)cycle);
    gate_trace_netlist(u, &out->text);
    if (result.first_activation == FSIM_NEVER)
        fl_buf_printf(&out->text,
                      "What the unit sees in that cycle is answered rightly all the same.\n");
    else
        gate_trace_walk(ctx, cycle, glitch_start(runner, net, cycle), &result, out);
    glitch_runner_free(runner);
}

int glitch_trace(const struct job_context *ctx, const struct engine *engine, const struct unit *u,
                 uint32_t net, uint64_t cycle, struct fault_trace *out, struct fl_err *err)
{
    struct reference *ref = reference_new(engine, ctx->g, err);
    struct trace t = {.unit = u, .sp = -1};
    int bad = !ref || control_record(ref, &t, err) != 0 || trace_check(&t, err) != 0;
    if (!bad && cycle >= t.cycles)
        bad = fl_fail(
            err, "%s: the job takes %llu cycles, so there is no cycle %llu; give a smaller one",
            ctx->job->path, (unsigned long long)t.cycles, (unsigned long long)cycle);
    if (!bad)
        print_glitch(ctx, ref, &t, net, cycle, out);
    trace_free(&t);
    reference_free(ref);
    return bad ? -1 : 0;
}
