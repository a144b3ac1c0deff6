/* story.c -- the story of one faulty gate. See story.h. */
#include "story.h"

#include <stdlib.h>
#include <string.h>

#include "faultsim/verdict/explain.h"
#include "response.h"
#include "concurrent.h"

int story_parse(const char *id, enum vector_unit *unit, int *sp, const char **fault,
                struct fl_err *err)
{
    char name[16];
    int used = 0;
    *sp = 0;
    if (sscanf(id, "gate/%15[a-z_]%n", name, &used) == 1 && used) {
        const char *rest = id + used;
        if (sscanf(rest, ".sp%d%n", sp, &used) == 1)
            rest += used;
        if (*rest == '/') {
            int which = unit_find(name, err);
            *unit = which < 0 ? VECTOR_INT : (enum vector_unit)which;
            *fault = rest + 1;
            return which < 0 ? -1 : 0;
        }
    }
    return fl_fail(err, "'%.100s' names no gate; write it like gate/alu_int.sp3/n120.1:sa0", id);
}

/* ---- inside the netlist ---------------------------------------------------------------------- */

enum { NO_FAULT = UINT32_MAX };

/* What a faulty site carries; `before`: all nets before, of a slow one, which keeps what it had there. */
static uint8_t forced(const struct unit *u, uint32_t fault, const uint8_t *before, uint8_t value)
{
    uint8_t keeps = GATE_STUCK_AT(fault);
    return !before || before[gate_site_net(u->netlist, GATE_SITE(fault))] == keeps ? keeps : value;
}

/* All nets for one vector; `fault` may be NO_FAULT. */
static void evaluate(const struct unit *u, const struct vector *v, uint32_t fault,
                     const uint8_t *before, uint8_t *net)
{
    const struct gate_netlist *n = u->netlist;
    uint8_t *pin = fl_alloc(n->most_pins);
    for (uint32_t i = 0; i < n->nets; i++) {
        const struct gate_cell *c = &n->cell[i];
        for (uint32_t p = 0; p < c->pins; p++) {
            pin[p] = net[GATE_NET(n->literal[c->first + p])];
            if (fault != NO_FAULT && GATE_SITE(fault) == n->nets + c->first + p)
                pin[p] = forced(u, fault, before, pin[p]);
        }
        net[i] = i < n->inputs ? vector_bit(v, u->place[i]) : gate_value(n, i, pin);
        if (fault != NO_FAULT && GATE_SITE(fault) == i)
            net[i] = forced(u, fault, before, net[i]);
    }
    free(pin);
}

static void tell_nets(const struct unit *u, const struct use *v, uint32_t fault, struct fl_buf *out)
{
    const struct gate_netlist *n = u->netlist;
    uint8_t *good = fl_alloc(n->nets), *bad = fl_alloc(n->nets), *before = fl_alloc(n->nets);
    const uint8_t *had = unit_slow(u) ? before : NULL;
    uint32_t wrong = 0, first = 0;
    evaluate(u, &v->before, NO_FAULT, NULL, before);
    evaluate(u, &v->now, NO_FAULT, NULL, good);
    evaluate(u, &v->now, fault, had, bad);
    for (uint32_t i = 0; i < n->nets; i++)
        if (good[i] != bad[i] && wrong++ == 0)
            first = i;
    if (wrong)
        fl_buf_printf(out,
                      "First wrong net: n%u (%s), %d instead of %d; %u nets are wrong, and at the "
                      "outputs",
                      first, n->name[first], bad[first], good[first], wrong);
    else
        fl_buf_printf(out, "No net is wrong, and at the outputs");
    for (uint32_t o = 0; o < n->outputs; o++) {
        bool site = n->port_of[o] != GATE_NO_PORT &&
                    GATE_SITE(fault) == n->nets + n->pins + n->port_of[o];
        if (site ? good[n->output[o]] != forced(u, fault, had, good[n->output[o]])
                 : good[n->output[o]] != bad[n->output[o]])
            fl_buf_printf(out, " %s", n->output_name[o]);
    }
    fl_buf_printf(out, ".\n");
    free(before);
    free(good);
    free(bad);
}

void story_place(const struct gate_netlist *n, const struct gate_faults *f, const char *unit,
                 uint32_t fault, struct fl_buf *out)
{
    const bool slow = f->model == GATE_TRANSITION;
    uint32_t net = gate_site_net(n, GATE_SITE(fault)), at;
    enum gate_place place = gate_site(n, GATE_SITE(fault), &at);
    uint32_t class = f->class_of[fault], members = 0;
    char id[GATE_ID_ROOM], is[32];
    for (uint32_t i = 0; i < f->all; i++)
        members += f->class_of[i] == class;
    snprintf(is, sizeof is, slow ? "slow to %s" : "stuck at %s",
             GATE_STUCK_AT(fault) ? slow ? "fall" : "1"
             : slow               ? "rise"
                                  : "0");
    if (place == GATE_AT_NET)
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
    fl_buf_printf(out, "\nThe netlist of %s is that of SHA-256 %s.\n", unit, n->digest);
}

/* ---- in the machine -------------------------------------------------------------------------- */

int story_tell(const struct job_context *ctx, const struct unit *u, int sp, uint32_t fault,
               struct fl_buf *out, struct fl_err *err)
{
    char id[UNIT_ID];
    if (sp >= ctx->img->profile.sps)
        return fl_fail(err, "%s: the machine has SPs 0 to %d, and no SP %d", ctx->job->path,
                       ctx->img->profile.sps - 1, sp);
    struct trace t = {.unit = u, .sp = sp};
    trace_record(ctx->g, &t, 1);
    struct fsim_result *all = fl_alloc(u->faults->count * sizeof *all), *r;
    uint64_t *answer = fl_alloc(t.seen.count * sizeof *answer);
    struct responder *responder = responder_new(u);
    responder_answers(responder, &t.seen, 0, t.seen.count, &fault, 1, answer, t.seen.count);
    responder_free(responder);
    uint32_t first = 0;
    while (first < t.seen.count && !answer[first])
        first++;
    unit_fault_id(u, sp, fault, id);
    if (first == t.seen.count) {
        fl_buf_printf(out, "%s: masked (not_activated)\n", id);
        story_place(u->netlist, u->faults, unit_name(u->which), fault, out);
        fl_buf_printf(
            out,
            "All %u different inputs that the unit gets in the %llu cycles of the job are "
            "answered rightly: it is never seen.\n",
            t.seen.count, (unsigned long long)ctx->g->cycles);
    } else {
        const struct vector *v = &t.seen.vector[first];
        const struct use use = {*v, unit_slow(u) ? t.seen.before[first] : *v};
        struct reference *ref = reference_of(ctx->g);
        struct concurrent *concurrent = concurrent_new(&t, ref);
        struct gpu *healthy = gpu_new(ctx->img);
        concurrent_run(concurrent, &(struct concurrent_group){&fault, 1, first, answer}, 1, NULL,
                       NULL, all);
        r = &all[u->faults->class_of[fault]];
        fl_buf_printf(out, "%s: %s (%s)\n", id, fsim_outcome_name(r->outcome), r->reason);
        story_place(u->netlist, u->faults, unit_name(u->which), fault, out);
        fl_buf_printf(
            out,
            "First wrong answer: cycle %llu of %llu, to %s of a=%08x b=%08x c=%08x: wrong "
            "are d %08x, flags %x.\n",
            (unsigned long long)r->first_activation, (unsigned long long)ctx->g->cycles,
            isa_op_name(vector_op(v)), (uint32_t)v->w[0], (uint32_t)(v->w[0] >> 32),
            (uint32_t)v->w[1], (uint32_t)answer[first], (unsigned)(answer[first] >> VECTOR_D_BITS));
        tell_nets(u, &use, fault, out);
        golden_seek(ctx->g, healthy, r->first_activation);
        explain_walk(healthy,
                     concurrent_start(concurrent, fault, r->first_activation,
                                      unit_slow(u) ? &t.behind[first] : NULL),
                     out);
        explain_end(ctx->g->cycles, r, out);
        gpu_free(healthy);
        concurrent_free(concurrent);
        reference_free(ref);
    }
    free(answer);
    free(all);
    trace_free(&t);
    return 0;
}
