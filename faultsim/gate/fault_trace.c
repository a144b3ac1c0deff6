/* fault_trace.c -- the fault trace of one faulty gate. See fault_trace.h. */
#include "fault_trace.h"

#include <stdlib.h>

#include "faultsim/verdict/explain.h"

/* Where the fault is, and what lists call it. */
static void place(const struct unit *u, uint32_t fault, struct fl_buf *out)
{
    const struct gate_netlist *n = u->netlist;
    const struct gate_faults *f = u->faults;
    const bool slow = f->model == GATE_TRANSITION;
    uint32_t net = gate_site_net(n, GATE_SITE(fault)), at;
    enum gate_place place = gate_site(n, GATE_SITE(fault), &at);
    uint32_t class = f->class_of[fault], members = f->members[class];
    char id[GATE_ID_ROOM], is[32];
    snprintf(is, sizeof is, slow ? "slow to %s" : "stuck at %s",
             GATE_STUCK_AT(fault) ? slow ? "fall" : "1"
             : slow               ? "rise"
                                  : "0");
    if (n->places) /* a place with a name of its own */
        fl_buf_printf(out, "%s is %s; it carries net n%u.", n->place[n->place_of[fault] / 2].name,
                      is, net);
    else if (place == GATE_AT_NET)
        fl_buf_printf(out, "Net n%u, which the netlist calls %s, is %s.", net, n->name[net], is);
    else if (place == GATE_AT_PIN)
        fl_buf_printf(
            out,
            "Net n%u (%s), as the gate of net n%u, which the netlist calls %s, reads it, is %s.",
            net, n->name[net], n->pin_cell[at], n->name[n->pin_cell[at]], is);
    else
        fl_buf_printf(out, "Output %s, a branch of net n%u (%s) with other readers, is %s.",
                      n->output_name[at], net, n->name[net], is);
    if (members > 1)
        fl_buf_printf(out, " No input tells it from %u other fault%s; lists call them %s.",
                      members - 1, members > 2 ? "s" : "",
                      gate_fault_id(n, f->model, f->fault[class], id));
    gate_trace_netlist(u, out);
}

void gate_trace_netlist(const struct unit *u, struct fl_buf *out)
{
    fl_buf_printf(out, "\nThe netlist of %s is that of SHA-256 %s.\n", u->name, u->netlist->digest);
}

void gate_trace_head(const struct job_context *ctx, const char *id, const struct unit *u,
                     const struct engine *engine, uint64_t injected, const struct fsim_result *r,
                     struct fault_trace *out)
{
    explain_begin(id, injected, ctx->g->cycles, r, out);
    if (!u->kind->of_sp) /* those of an SP may be of either engine */
        fl_buf_printf(&out->text, ", in the %s", engine->text);
    fl_buf_printf(&out->text, "\n");
}

void gate_trace_walk(const struct job_context *ctx, uint64_t cycle, struct dut *faulty,
                     const struct fsim_result *r, struct fault_trace *out)
{
    struct gpu *healthy = gpu_new(ctx->img);
    golden_seek(ctx->g, healthy, cycle);
    explain_walk(ctx->g, healthy, faulty, out);
    explain_end(ctx->g->cycles, r, &out->text);
    gpu_free(healthy);
}

static void print_run(const struct job_context *ctx, const struct reference *ref,
                      const struct trace *t, const struct response *response, uint32_t fault,
                      const char *id, struct fault_trace *out)
{
    const struct unit *u = t->unit;
    const struct unit_machine *on = u->kind->machine(ref->engine);
    const struct fault_group group = {&fault, 1, response};
    struct fsim_result *all = fl_alloc(u->faults->count * sizeof *all);
    const struct fsim_result *r = &all[u->faults->class_of[fault]];
    void *machine = on->make(t, ref);
    on->groups(machine, &group, 1, NULL, NULL, all);
    const uint64_t first = response_cycle(response, t);
    gate_trace_head(ctx, id, u, ref->engine, 0, r, out);
    place(u, fault, &out->text);
    u->kind->first_wrong(t, response->first, ctx->g->cycles, fault, &out->text);
    gate_trace_walk(ctx, first, on->start(machine, fault, first), r, out);
    on->free(machine);
    free(all);
}

int gate_trace(const struct job_context *ctx, const struct engine *engine, const struct unit *u,
               int sp, uint32_t fault, struct fault_trace *out, struct fl_err *err)
{
    char id[UNIT_ID];
    if (sp >= ctx->img->profile.sps)
        return fl_fail(err, "%s: the machine has SPs 0 to %d, and no SP %d", ctx->job->path,
                       ctx->img->profile.sps - 1, sp);
    struct reference *ref = reference_new(engine, ctx->g, err);
    struct trace t = {.unit = u, .sp = sp};
    int bad = !ref || u->kind->record(ctx->g, ref, &t, 1, err) != 0 || trace_check(&t, err) != 0;
    unit_fault_id(u, sp, fault, id);
    if (!bad) {
        struct responder *responder = responder_new(&t);
        const struct response response = responder_response(
            responder, u->faults->fault[u->faults->class_of[fault]]);
        responder_free(responder);
        if (response.first == RESPONSE_NONE) {
            const struct fsim_result never = {.outcome = OUT_MASKED,
                                              .first_activation = FSIM_NEVER,
                                              .end = ctx->g->cycles,
                                              .reason = "not_activated"};
            gate_trace_head(ctx, id, u, engine, 0, &never, out);
            place(u, fault, &out->text);
            fl_buf_printf(
                &out->text,
                "All %u different inputs that the unit gets in the %llu cycles of the job are "
                "answered rightly: it is never seen.\n",
                trace_patterns(&t), (unsigned long long)ctx->g->cycles);
        } else {
            print_run(ctx, ref, &t, &response, fault, id, out);
        }
    }
    trace_free(&t);
    reference_free(ref);
    return bad ? -1 : 0;
}
