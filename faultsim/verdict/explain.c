/* explain.c -- the fault trace of one fault: when it is first read and by whom, where the run parts from
 * the golden one and a wrong value first reaches memory, how the run ends.
 *
 * Both machines side by side are engine c's; on another engine a fault trace has its beginning and its
 * end.
 */
#include "explain.h"

#include <stdio.h>
#include <string.h>

#include "ladder.h"
#include "rows.h"

/* Of two instructions at one place the lanes that differ; else all of both. */
static void print_both(const struct sm_commit *golden, const struct sm_commit *faulty,
                       struct fl_buf *out)
{
    uint32_t shown = trace_lanes_differ(golden, faulty);
    for (int i = 0; i < 2; i++) {
        fl_buf_printf(out, "  %-7s", i ? "faulty" : "golden");
        sm_commit_print_lanes(i ? faulty : golden, shown, out);
        fl_buf_printf(out, "\n");
    }
}

static bool same_lanes(const uint32_t *a, const uint32_t *b, uint32_t lanes)
{
    return !trace_values_differ(a, b, lanes);
}

static bool same_control(const struct sm_commit *a, const struct sm_commit *b)
{
    return a->kind == b->kind && a->cycle == b->cycle && a->warp == b->warp && a->pc == b->pc &&
           a->active == b->active && a->exec == b->exec && a->pc_after == b->pc_after &&
           a->active_after == b->active_after && a->trap == b->trap;
}

static bool same_registers(const struct sm_commit *a, const struct sm_commit *b)
{
    if (a->nregs != b->nregs)
        return false;
    for (int i = 0; i < a->nregs; i++)
        if (!same_lanes(a->reg[i], b->reg[i], a->reg_mask))
            return false;
    return true;
}

/* What a store to memory wrote, and where. */
static bool same_store(const struct sm_commit *a, const struct sm_commit *b)
{
    if (trace_stores(a) != trace_stores(b) || (trace_stores(a) && a->space != b->space))
        return false;
    if (!trace_stores(a))
        return true;
    for (uint32_t i = 0; i < sm_words(a->bytes); i++)
        if (!same_lanes(a->data[i], b->data[i], a->exec))
            return false;
    return same_lanes(a->addr, b->addr, a->exec);
}

static void print_difference(const struct fsim_result *r, struct fl_buf *out)
{
    fl_buf_printf(out, "%u element%s of the outputs differ%s", r->elements,
                  r->elements == 1 ? "" : "s", r->elements == 1 ? "s" : "");
    if (r->worst > 0)
        fl_buf_printf(out, ", by %.6g at most", r->worst);
    if (r->unwritten)
        fl_buf_printf(out, "; %u of them as before the first launch", r->unwritten);
    fl_buf_printf(out, ".\n");
}

void explain_end(uint64_t cycles, const struct fsim_result *r, struct fl_buf *out)
{
    unsigned long long end = r->end, golden = cycles;
    switch (r->outcome) {
    case OUT_CRASH:
        fl_buf_printf(out, "It ends in a trap: %s, in cycle %llu.\n", r->reason, end - 1);
        break;
    case OUT_SDC:
        if (strcmp(r->reason, "status") == 0) {
            fl_buf_printf(
                out, "It finishes after %llu cycles, without the trap that the job states.\n", end);
            break;
        }
        if (!strstr(r->reason, "+0x")) { /* outputs of SMs */
            fl_buf_printf(out,
                          "It finishes after %llu cycles (golden: %llu); of SMs held against each "
                          "other this is %s.\n",
                          end, golden, r->reason);
            print_difference(r, out);
            break;
        }
        fl_buf_printf(
            out, "It finishes after %llu cycles (golden: %llu); the first output %s is %s.\n", end,
            golden, r->beyond ? "element beyond the tolerance" : "byte that differs", r->reason);
        print_difference(r, out);
        break;
    case OUT_TOLERABLE:
        fl_buf_printf(
            out,
            "It finishes after %llu cycles (golden: %llu); the outputs differ, from %s on, "
            "within what the job tolerates.\n",
            end, golden, r->reason);
        print_difference(r, out);
        break;
    case OUT_DETECTED: /* of programs with their hosts, which have no fault trace */
    case OUT_EXIT: break;
    case OUT_HANG: fl_buf_printf(out, "It never ends: %s.\n", r->reason); break;
    case OUT_TIMEOUT:
        fl_buf_printf(out,
                      "It is unfinished at twice the golden run's %llu cycles, and its state does "
                      "not recur.\n",
                      golden);
        break;
    case OUT_PERFORMANCE:
        fl_buf_printf(out, "All outputs are right; it finishes %s.\n", r->reason);
        break;
    default: fl_buf_printf(out, "All outputs are right, after the same %llu cycles.\n", end);
    }
}

/* ---- two machines side by side --------------------------------------------------------------- */

/* A machine that carries a fault of a memory, or is of another engine than c, ticks as the engine says. */
static void step_bad(struct dut *m, bool carries, struct sm_commit *bad)
{
    if (!carries)
        gpu_step(dut_gpu(m));
    else
        do
            dut_tick(m, bad);
        while (!dut_ended(m) && bad->kind == COMMIT_NONE && bad->started < 0);
}

/* What each machine does behind the last difference. */
static void follow(struct rows *rows, struct gpu *healthy, struct dut *faulty, bool carries,
                   struct sm_commit *good, struct sm_commit *bad)
{
    enum { STEPS = 4000 }; /* the warp may never come again */
    for (int i = 0; i < STEPS && rows_want(rows, TRACE_GOLDEN) && !gpu_ended(healthy); i++) {
        gpu_step(healthy);
        rows_behind(rows, TRACE_GOLDEN, good);
    }
    for (int i = 0; i < STEPS && rows_want(rows, TRACE_FAULTY) && !dut_ended(faulty); i++) {
        step_bad(faulty, carries, bad);
        rows_behind(rows, TRACE_FAULTY, bad);
    }
}

/* Both machines from where the faulty one got its fault, until they part in control or one ends. `pops`:
 * the first commit reads the cell, and what data come of it is not told. */
static void walk(struct gpu *healthy, struct dut *faulty, bool carries, bool pops,
                 struct rows *rows, struct fl_buf *out)
{
    struct sm_commit bad = {0}, good = {0}; /* a block's start fills in little */
    bool register_printed = false, store_printed = false;
    while (gpu_cycles(healthy) < dut_cycle(faulty) && !gpu_ended(healthy))
        gpu_tick(healthy);
    if (!carries)
        gpu_record(dut_gpu(faulty), &bad);
    gpu_record(healthy, &good);
    for (int i = 0; i < 1000000 && !dut_ended(faulty) && !gpu_ended(healthy); i++) {
        gpu_step(healthy);
        step_bad(faulty, carries, &bad);
        enum trace_event event = TRACE_NONE;
        bool control = same_control(&bad, &good) && bad.started == good.started;
        if (pops && i == 0) {
            print_both(&good, &bad, out);
            rows_event(rows, TRACE_POP, &good, &bad, healthy, faulty);
            if (!control) {
                fl_buf_printf(out, "Control differs from there on.\n");
                break;
            }
            continue;
        }
        if (!control)
            event = TRACE_CONTROL;
        else if (pops)
            event = TRACE_NONE;
        else if (!store_printed && !same_store(&bad, &good))
            event = TRACE_STORE;
        else if (!register_printed && !same_registers(&bad, &good))
            event = TRACE_REGISTER;
        if (event == TRACE_NONE) {
            rows_same(rows, &good, &bad);
            continue;
        }
        fl_buf_printf(out, "%s: cycle %llu.\n", trace_event_text(event),
                      (unsigned long long)bad.cycle);
        print_both(&good, &bad, out);
        rows_event(rows, event, &good, &bad, healthy, faulty);
        store_printed |= !same_store(&bad, &good);
        register_printed = true;
        if (!control || store_printed)
            break;
    }
    follow(rows, healthy, faulty, carries, &good, &bad);
    dut_release(faulty);
    if (!carries)
        gpu_record(dut_gpu(faulty), NULL);
    gpu_record(healthy, NULL);
}

void explain_walk(const struct golden *g, struct gpu *healthy, struct dut *faulty,
                  struct fault_trace *t)
{
    struct rows *rows = rows_new(t);
    rows_recall(rows, g, healthy);
    walk(healthy, faulty, faulty->engine != &engine_c, false, rows, &t->text);
    rows_free(rows);
}

/* Both machines are followed side by side in the C model of one SM without caches. */
static bool walks(const struct fsim_worker *w)
{
    return w->run.ref->golden && w->run.ref->img->sms == 1 && !w->run.ref->img->caches.any;
}

static void walk_from(struct fsim_worker *w, const struct attempt *a, bool pops,
                      struct fault_trace *t)
{
    struct gpu *healthy = dut_gpu(ladder_healthy(w, a->from));
    struct rows *rows = rows_new(t);
    rows_recall(rows, w->run.ref->golden, healthy);
    ladder_inject(w, a, a->from);
    walk(healthy, w->run.bad, a->permanent && a->fault->kind != FSIM_SA, pops, rows, &t->text);
    rows_free(rows);
}

void explain_begin(const char *id, uint64_t injected, uint64_t cycles, const struct fsim_result *r,
                   struct fault_trace *t)
{
    t->id = fl_strdup(id);
    t->outcome = r->outcome;
    t->reason = fl_strdup(r->reason);
    t->injected = injected;
    t->activated = r->first_activation;
    t->end = r->end;
    t->cycles = cycles;
    t->kept = r->kept;
    fl_buf_printf(&t->text, "%s: %s (%s)", id, fsim_outcome_name(r->outcome), r->reason);
}

static void begin_trace(const char *id, const struct fsim_worker *w, uint64_t injected,
                        const struct fsim_result *r, struct fault_trace *t)
{
    explain_begin(id, injected, w->run.ref->cycles, r, t);
    if (!walks(w))
        fl_buf_printf(&t->text, ", in the %s", w->run.ref->engine->text);
    fl_buf_printf(&t->text, "\n");
}

void fsim_explain(struct fsim_worker *w, const struct fsim_fault *f, bool exhaustive,
                  struct fault_trace *t)
{
    const struct reference *ref = w->run.ref;
    struct fl_buf *out = &t->text;
    bool stuck = f->kind == FSIM_SA, pops = read_in_commits(f);
    struct fsim_result r;
    char id[FSIM_ID];
    (exhaustive ? fsim_exhaustive : fsim_simulate)(w, f, &r);
    fsim_id(ref->img, f, id);
    begin_trace(id, w, 0, &r, t);
    if (r.first_activation == FSIM_NEVER) {
        fl_buf_printf(out,
                      pops ? "No pop in the %llu cycles of the job returns a value that this "
                             "fault changes: it is never activated.\n"
                           : "Nobody reads another value in the %llu cycles of the job: it is "
                             "never activated.\n",
                      (unsigned long long)ref->cycles);
        return;
    }
    if (walks(w) && !stuck) {
        struct excitation e = excitation_of(ref->excitations, f);
        fl_buf_printf(out,
                      "Its cells are wrong from cycle %llu on. First activation: cycle %llu of "
                      "%llu.\n",
                      (unsigned long long)e.from, (unsigned long long)r.first_activation,
                      (unsigned long long)ref->cycles);
        walk_from(w, &(struct attempt){f, .permanent = true, .from = e.from, .latched = e.latched},
                  false, t);
    } else if (walks(w)) {
        fl_buf_printf(out, "First activation: cycle %llu of %llu.%s\n",
                      (unsigned long long)r.first_activation, (unsigned long long)ref->cycles,
                      pops ? " The pop there, golden and faulty:" : "");
        walk_from(w, &(struct attempt){f, .permanent = true, .from = r.first_activation}, pops, t);
    }
    explain_end(ref->cycles, &r, out);
}

void transient_explain(struct fsim_worker *w, const struct accesses *t, const struct fsim_fault *u,
                       bool exhaustive, struct fault_trace *trace)
{
    const struct reference *ref = w->run.ref;
    struct fl_buf *out = &trace->text, id = {0};
    struct transient_result r;
    (exhaustive ? transient_exhaustive : transient_simulate)(w, t, u, &r);
    fsim_print(ref->img, u, &id);
    fl_buf_add(&id, "", 1);
    begin_trace((char *)id.data, w, u->from, &r.r, trace);
    fl_buf_free(&id);
    if (!walks(w)) {
        explain_end(ref->cycles, &r.r, out);
        return;
    }
    if (r.why < REASON_LOGIC) {
        fl_buf_printf(out,
                      r.why == REASON_OVERWRITTEN
                          ? "It is overwritten before anybody reads it: no run can tell.\n"
                          : "Nobody reads or writes the cell in the rest of the %llu cycles.\n",
                      (unsigned long long)ref->cycles);
        return;
    }
    if (r.r.first_activation != FSIM_NEVER)
        fl_buf_printf(out, "First read: it is seen up to cycle %llu of %llu",
                      (unsigned long long)r.r.first_activation, (unsigned long long)ref->cycles);
    if (r.site != SITE_NONE)
        fl_buf_printf(out, ", by the instruction at pc 0x%x of warp %d that leaves in cycle %llu",
                      t->site[r.site].pc, t->site[r.site].warp,
                      (unsigned long long)t->site[r.site].cycle);
    if (r.r.first_activation != FSIM_NEVER)
        fl_buf_printf(out, ".\n");
    walk_from(w, &(struct attempt){u, .from = u->from}, false, trace);
    explain_end(ref->cycles, &r.r, out);
}
