/* engine.c -- decides what becomes of one fault.
 *
 * The walk of a fault: the golden record says in which cycle a pop first returns a wrong value. There, a copy of the
 * golden machine gets the fault (`bad`), another stays healthy (`good`), and both run side by side. As soon as they
 * agree in all control state, only two things are left that can matter: data that differ, which diff.c follows without a
 * machine, and the next pop that the fault changes, to which both machines jump. Machines that do not come together run
 * on alone: to the end, to a trap, or until their state recurs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "worker.h"

struct fsim_worker *fsim_worker_new(const struct golden *g)
{
    struct fsim_worker *w = fl_alloc(sizeof *w);
    w->g = g;
    w->golden = sm_new(g->img);
    w->good = sm_new(g->img);
    w->bad = sm_new(g->img);
    w->saved = sm_new(g->img);
    return w;
}

void fsim_worker_free(struct fsim_worker *w)
{
    if (!w)
        return;
    sm_free(w->golden);
    sm_free(w->good);
    sm_free(w->bad);
    sm_free(w->saved);
    diff_free(&w->diff);
    lanes_free(w->lanes);
    free(w);
}

void fsim_worker_follow(struct fsim_worker *w, const struct flow *f)
{
    if (f && !w->lanes)
        w->lanes = lanes_new(f, w);
}

void fsim_worker_statistics(const struct fsim_worker *w, struct fsim_statistics *add_to)
{
    add_to->runs += w->stat.runs;
    add_to->instructions += w->stat.instructions;
    add_to->evaluated += w->stat.evaluated + w->diff.evaluated;
}

static void inject(struct sm *m, const struct fsim_fault *f)
{
    struct sm_force force = sm_cell_force(m->img, &f->cell, f->value);
    m->nforces = 0;
    sm_add_force(m, &force);
}

/* ---- how a run ended -------------------------------------------------------------------------------------------- */

static void say_difference(const struct golden *g, int output, uint32_t offset, char reason[64])
{
    snprintf(reason, 64, "%.40s+0x%x", g->img->job->output[output].name, offset);
}

/* The first byte of an output that differs from the golden run's. */
static bool first_difference(const struct golden *g, const struct sm *m, int *output,
                             uint32_t *offset)
{
    const struct job *job = g->img->job;
    for (int i = 0; i < job->noutputs; i++) {
        const struct job_output *o = &job->output[i];
        uint32_t addr = job->buffer[o->buffer].addr + o->offset;
        for (uint32_t at = 0; at < o->size;) {
            uint8_t x[256], y[256];
            uint32_t n = o->size - at < sizeof x ? o->size - at : (uint32_t)sizeof x;
            sm_read_global(m, addr + at, x, n);
            sm_read_global(g->end, addr + at, y, n);
            for (uint32_t b = 0; b < n; b++)
                if (x[b] != y[b]) {
                    *output = i;
                    *offset = at + b;
                    return true;
                }
            at += n;
        }
    }
    return false;
}

void fsim_classify(const struct golden *g, const struct sm *m, struct fsim_result *out)
{
    int output;
    uint32_t offset;
    out->end = sm_cycles(m);
    if (m->s.trap) {
        out->outcome = OUT_CRASH;
        snprintf(out->reason, sizeof out->reason, "%s", sm_trap_name((enum sm_trap)m->s.trap));
    } else if (m->s.deadlock) {
        out->outcome = OUT_HANG;
        out->end = FSIM_NEVER;
        snprintf(out->reason, sizeof out->reason, "deadlock");
    } else if (first_difference(g, m, &output, &offset)) {
        out->outcome = OUT_SDC;
        say_difference(g, output, offset, out->reason);
    } else if (out->end != g->cycles) {
        out->outcome = OUT_PERFORMANCE;
        snprintf(out->reason, sizeof out->reason, "%lld cycles %s",
                 llabs((long long)out->end - (long long)g->cycles),
                 out->end > g->cycles ? "late" : "early");
    } else {
        out->outcome = OUT_MASKED;
        snprintf(out->reason, sizeof out->reason, "logically_masked");
    }
}

static void never_ends(struct fsim_result *out, enum fsim_outcome outcome)
{
    out->outcome = outcome;
    out->end = FSIM_NEVER;
    snprintf(out->reason, sizeof out->reason, "%s",
             outcome == OUT_HANG ? "state_recurs" : "no_recurrence_by_4G");
}

/* Runs to the end. Unfinished at 2G: a hang when the state at 2G comes back by 4G, else a timeout. A state that comes
 * back earlier proves the same, since its period is then shorter than 2G; looking for one is Brent's algorithm. */
void worker_run_to_end(struct fsim_worker *w, struct sm *m, bool look_early,
                       struct fsim_result *out)
{
    /* slots between two looks: when a run recurs, so do its states some slots apart */
    enum { TOGETHER = 4 };
    const uint64_t limit = 2 * w->g->cycles;
    uint64_t power = 32, since = 0, start = m->s.instructions;
    bool recurs = false;
    if (look_early)
        sm_copy(w->saved, m);
    while (!sm_ended(m) && m->s.next <= limit && !recurs) {
        uint64_t before = m->s.instructions;
        sm_run_slots(m, limit, look_early ? TOGETHER : UINT64_MAX);
        if (!look_early || m->s.instructions == before)
            continue;
        recurs = sm_recurs(m, w->saved);
        if (++since == power) {
            sm_copy(w->saved, m);
            power *= 2;
            since = 0;
        }
    }
    bool unfinished = !sm_ended(m) && !recurs;
    if (unfinished) {
        sm_copy(w->saved, m);
        while (!sm_ended(m) && m->s.next <= 2 * limit && !recurs) {
            sm_tick(m); /* any tick: the saved state need not be one behind an instruction */
            recurs = sm_recurs(m, w->saved);
        }
    }
    w->stat.instructions += m->s.instructions - start;
    if (recurs)
        never_ends(out, OUT_HANG);
    else if (unfinished && !m->s.deadlock)
        never_ends(out, OUT_TIMEOUT);
    else
        fsim_classify(w->g, m, out);
}

/* ---- side by side ----------------------------------------------------------------------------------------------- */

/* All control state equal, but for the faulty cell: the one bit, not the word it stands in. */
static bool aligned(struct sm *bad, struct sm *good)
{
    const struct sm_force *f = &bad->force[0];
    uint8_t *cell = (uint8_t *)&good->s + f->offset;
    uint32_t mine = 0, held;
    memcpy(&mine, cell, f->width);
    held = (mine & ~f->mask) | f->value;
    memcpy(cell, &held, f->width);
    bool same = sm_same_control(bad, good);
    memcpy(cell, &mine, f->width);
    return same;
}

void worker_run_both(struct fsim_worker *w, uint64_t cycle)
{
    uint64_t before = w->bad->s.instructions + w->good->s.instructions;
    sm_run(w->bad, cycle);
    sm_run(w->good, cycle);
    w->stat.instructions += w->bad->s.instructions + w->good->s.instructions - before;
}

/* The faulty run has the golden one's control state from here on; what remains is data. */
void worker_finish_by_data(struct fsim_worker *w, struct fsim_result *out)
{
    int output;
    uint32_t offset;
    out->end = w->g->cycles;
    if (diff_output(&w->diff, w->g, &output, &offset)) {
        out->outcome = OUT_SDC;
        say_difference(w->g, output, offset, out->reason);
    } else {
        out->outcome = OUT_MASKED;
        snprintf(out->reason, sizeof out->reason, "logically_masked");
    }
}

bool worker_hold(struct fsim_worker *w, const struct fsim_fault *f, uint64_t from,
                 struct fsim_result *out)
{
    const struct golden *g = w->g;
    uint64_t now = golden_activation(g, f, from);
    if (now == FSIM_NEVER) {
        out->outcome = OUT_MASKED;
        out->end = g->cycles;
        return false;
    }
    w->stat.runs++;
    golden_seek(g, w->golden, now);
    sm_copy(w->good, w->golden);
    sm_copy(w->bad, w->golden);
    inject(w->bad, f);
    for (int misses = 0; misses < MAX_MISSES;) {
        now += STRIDE;
        worker_run_both(w, now);
        if (sm_ended(w->bad) || sm_ended(w->good))
            break;
        if (!aligned(w->bad, w->good)) {
            misses++;
            continue;
        }
        uint64_t next = golden_activation(g, f, now);
        if (next != FSIM_NEVER && next - now < NEAR) {
            misses = 0;
            continue;
        }
        if (!diff_collect(&w->diff, g, w->bad, w->good, now) || !diff_follow(&w->diff, g, next)) {
            misses++;
            continue;
        }
        misses = 0;
        if (next == FSIM_NEVER) {
            worker_finish_by_data(w, out);
            return true;
        }
        /* on to the next pop that the fault changes */
        golden_seek(g, w->good, next);
        sm_copy(w->bad, w->good);
        diff_apply(&w->diff, w->bad);
        now = next;
        inject(w->bad, f);
    }
    worker_run_to_end(w, w->bad, true, out);
    return true;
}

void fsim_simulate(struct fsim_worker *w, const struct fsim_fault *f, struct fsim_result *out)
{
    *out = (struct fsim_result){.first_activation = golden_activation(w->g, f, 0)};
    if (!worker_hold(w, f, 0, out))
        snprintf(out->reason, sizeof out->reason, "not_activated");
}

/* ---- brute force ------------------------------------------------------------------------------------------------ */

/* Watches the pops of one line-entry: the value that was pushed against the value that came back. */
struct watch {
    const struct fsim_fault *fault;
    int warp, le;
    uint32_t tm, spc;
    uint8_t id;
    uint64_t first;
};

static void watch_commit(struct watch *x, const struct sm_commit *c, uint32_t spc_bits)
{
    for (int i = 0; i < c->nstack && x->first == FSIM_NEVER; i++) {
        const struct sm_stack_event *e = &c->stack[i];
        if (c->warp != x->warp || e->le != x->le)
            continue;
        if (e->push) { /* the event has what the push wrote, before the cell took its own value */
            x->tm = e->tm;
            x->spc = e->spc;
            x->id = e->id;
            continue;
        }
        uint32_t v = x->fault->cell.field == 0 ? x->tm : x->fault->cell.field == 1 ? x->id : x->spc;
        bool consumed = x->fault->cell.field != 2 || (spc_bits >> x->fault->cell.bit & 1);
        if (consumed && (int)(v >> x->fault->cell.bit & 1) != x->fault->value)
            x->first = c->cycle;
    }
}

void fsim_exhaustive(struct fsim_worker *w, const struct fsim_fault *f, struct fsim_result *out)
{
    struct sm_commit c;
    struct watch x = {
        .fault = f, .warp = f->cell.index[0], .le = f->cell.index[1] + 1, .first = FSIM_NEVER};
    *out = (struct fsim_result){.outcome = OUT_MASKED};
    sm_copy(w->bad, w->g->checkpoint[0]);
    inject(w->bad, f);
    w->bad->record = &c;
    while (!sm_ended(w->bad) && x.first == FSIM_NEVER && w->bad->s.next <= 2 * w->g->cycles) {
        sm_tick(w->bad);
        watch_commit(&x, &c, profile_spc_bits(&w->g->img->profile));
    }
    w->bad->record = NULL;
    w->stat.runs++;
    w->stat.instructions += w->bad->s.instructions;
    worker_run_to_end(w, w->bad, false, out);
    out->first_activation = x.first;
    if (x.first == FSIM_NEVER && out->outcome == OUT_MASKED)
        snprintf(out->reason, sizeof out->reason, "not_activated");
}

/* ---- the story of one fault ------------------------------------------------------------------------------------- */

static void tell_commit(const struct golden *g, const char *who, const struct sm_commit *c,
                        struct fl_buf *out)
{
    fl_buf_printf(out, "  %-7s", who);
    sm_commit_print(g->img, c, out);
    fl_buf_printf(out, "\n");
}

static bool commits_equal(const struct sm_commit *a, const struct sm_commit *b)
{
    return a->kind == b->kind && a->cycle == b->cycle && a->warp == b->warp && a->pc == b->pc &&
           a->active == b->active && a->exec == b->exec && a->pc_after == b->pc_after &&
           a->active_after == b->active_after && a->trap == b->trap;
}

void fsim_explain(struct fsim_worker *w, const struct fsim_fault *f, struct fl_buf *out)
{
    const struct golden *g = w->g;
    struct fsim_result r;
    struct sm_commit bad, good;
    char id[FSIM_ID];
    fsim_simulate(w, f, &r);
    fsim_id(g->img, f, id);
    fl_buf_printf(out, "%s: %s (%s)\n", id, fsim_outcome_name(r.outcome), r.reason);
    if (r.first_activation == FSIM_NEVER) {
        fl_buf_printf(
            out,
            "No pop in the %llu cycles of the job returns a value that this fault changes: "
            "it is never activated.\n",
            (unsigned long long)g->cycles);
        return;
    }
    fl_buf_printf(out, "First activation: cycle %llu of %llu. The pop there, golden and faulty:\n",
                  (unsigned long long)r.first_activation, (unsigned long long)g->cycles);
    golden_seek(g, w->golden, r.first_activation);
    sm_copy(w->good, w->golden);
    sm_copy(w->bad, w->golden);
    inject(w->bad, f);
    w->bad->record = &bad;
    w->good->record = &good;
    bool first = true;
    for (int i = 0; i < 1000000 && !sm_ended(w->bad) && !sm_ended(w->good); i++) {
        sm_step(w->good);
        sm_step(w->bad);
        bool equal = commits_equal(&bad, &good);
        if (first) {
            tell_commit(g, "golden", &good, out);
            tell_commit(g, "faulty", &bad, out);
        }
        if (!equal) {
            if (!first) {
                fl_buf_printf(out, "First divergence of control: cycle %llu.\n",
                              (unsigned long long)bad.cycle);
                tell_commit(g, "golden", &good, out);
                tell_commit(g, "faulty", &bad, out);
            } else {
                fl_buf_printf(out, "Control differs from there on.\n");
            }
            break;
        }
        first = false;
    }
    w->bad->record = w->good->record = NULL;
    switch (r.outcome) {
    case OUT_CRASH:
        fl_buf_printf(out, "It ends in a trap: %s, in cycle %llu.\n", r.reason,
                      (unsigned long long)r.end - 1);
        break;
    case OUT_SDC:
        fl_buf_printf(out,
                      "It finishes after %llu cycles (golden: %llu); the first output byte that "
                      "differs is %s.\n",
                      (unsigned long long)r.end, (unsigned long long)g->cycles, r.reason);
        break;
    case OUT_HANG: fl_buf_printf(out, "It never ends: %s.\n", r.reason); break;
    case OUT_TIMEOUT:
        fl_buf_printf(out,
                      "It is unfinished at twice the golden run's %llu cycles, and its state does "
                      "not recur.\n",
                      (unsigned long long)g->cycles);
        break;
    case OUT_PERFORMANCE:
        fl_buf_printf(out, "All outputs are right; it finishes %s.\n", r.reason);
        break;
    default:
        fl_buf_printf(out, "All outputs are right, after the same %llu cycles.\n",
                      (unsigned long long)r.end);
        break;
    }
}
