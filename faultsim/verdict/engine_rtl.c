/* engine_rtl.c -- decides what becomes of one fault by running the RTL with the cell held.
 *
 * The golden machine travels forward through the fault-free run. Where a pop first returns a value that the fault
 * changes, a copy of it gets the fault and runs on alone: to the end, to a trap, or until its state comes back.
 */
#include "engine_rtl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "worker_rtl.h"

static void note_pops(struct golden *g, const struct sm_commit *c)
{
    int les = g->img->profile.stack_entries;
    for (int i = 0; c->kind != COMMIT_NONE && i < c->nstack; i++) {
        const struct sm_stack_event *e = &c->stack[i];
        if (e->push || e->le > les)
            continue;
        struct fsim_pops *p = &g->pops[c->warp * les + e->le - 1];
        if ((p->count & (p->count - 1)) == 0)
            p->pop = fl_grow(p->pop, p->count ? 2 * p->count : 1, sizeof *p->pop);
        p->pop[p->count++] = (struct fsim_pop){
            .cycle = c->cycle, .tm = e->tm, .spc = e->spc, .id = e->id};
    }
}

struct fsim_rtl *fsim_rtl_new(const struct golden *g, struct fl_err *err)
{
    struct smrtl *m = smrtl_new(g->img, err);
    if (!m)
        return NULL;
    struct fsim_rtl *r = fl_alloc(sizeof *r);
    struct sm_commit c;
    memset(&c, 0, sizeof c);
    uint64_t stride = g->cycles / RTL_CHECKPOINTS + 1;
    r->end = m;
    r->golden.img = g->img;
    r->golden.pops = fl_alloc((size_t)g->img->profile.warps *
                              (size_t)g->img->profile.stack_entries * sizeof *r->golden.pops);
    smrtl_record(m, &c);
    while (!smrtl_ended(m) && smrtl_cycles(m) <= g->cycles) {
        if (smrtl_cycles(m) == (uint64_t)r->ncheckpoints * stride) {
            struct smrtl *copy = smrtl_new(g->img, err);
            smrtl_copy(copy, m);
            r->checkpoint[r->ncheckpoints++] = copy;
        }
        smrtl_tick(m);
        note_pops(&r->golden, &c);
    }
    smrtl_record(m, NULL);
    r->golden.cycles = smrtl_cycles(m);
    r->golden.end = (struct sm *)(uintptr_t)smrtl_state(m);
    if (!r->golden.end->s.done || r->golden.cycles != g->cycles ||
        !sm_outputs_equal(r->golden.end, g->end)) {
        fl_fail(
            err,
            "%s: the RTL does not run the job as the C model does; smrun --engine both shows where",
            g->img->job->path);
        fsim_rtl_free(r);
        return NULL;
    }
    return r;
}

void fsim_rtl_free(struct fsim_rtl *r)
{
    if (!r)
        return;
    for (int i = 0; i < r->golden.img->profile.warps * r->golden.img->profile.stack_entries; i++)
        free(r->golden.pops[i].pop);
    free(r->golden.pops);
    for (int i = 0; i < r->ncheckpoints; i++)
        smrtl_free(r->checkpoint[i]);
    smrtl_free(r->end);
    free(r);
}

struct fsim_rtl_worker *fsim_rtl_worker_new(const struct fsim_rtl *r)
{
    struct fl_err err;
    struct fsim_rtl_worker *w = fl_alloc(sizeof *w);
    w->r = r;
    w->golden = smrtl_new(r->golden.img, &err); /* fsim_rtl_new has made one like these */
    w->bad = smrtl_new(r->golden.img, &err);
    w->saved = smrtl_new(r->golden.img, &err);
    return w;
}

void fsim_rtl_worker_free(struct fsim_rtl_worker *w)
{
    if (!w)
        return;
    smrtl_free(w->golden);
    smrtl_free(w->bad);
    smrtl_free(w->saved);
    free(w);
}

void fsim_rtl_statistics(const struct fsim_rtl_worker *w, struct fsim_statistics *add_to)
{
    add_to->runs += w->stat.runs;
    add_to->instructions += w->stat.instructions;
}

static void force(struct smrtl *m, const struct fsim_fault *f)
{
    struct smrtl_le mask = {0}, none = {0};
    uint32_t bit = 1u << f->cell.bit;
    if (f->cell.field == 0)
        mask.tm = bit;
    else if (f->cell.field == 1)
        mask.id = (uint8_t)bit;
    else
        mask.spc = bit;
    smrtl_force_le(m, f->cell.index[0], f->cell.index[1], mask, f->value ? mask : none);
}

static bool reads_clock(const struct sm_commit *c)
{
    return c->kind == COMMIT_INSTRUCTION && c->uop && c->uop->in.op == OP_S2R && c->exec &&
           c->uop->in.src[0].value == SREG_CLOCK;
}

void worker_rtl_seek(struct fsim_rtl_worker *w, uint64_t cycle)
{
    const struct fsim_rtl *r = w->r;
    uint64_t now = smrtl_cycles(w->golden);
    int best = r->ncheckpoints;
    while (--best > 0 && smrtl_cycles(r->checkpoint[best]) > cycle)
        ;
    if (now > cycle || now < smrtl_cycles(r->checkpoint[best]))
        smrtl_copy(w->golden, r->checkpoint[best]);
    smrtl_run(w->golden, cycle);
}

/* As worker_run_to_end of engine.c: unfinished at 2G, it hangs when its state comes back by 4G, else it is a timeout; a state
 * that comes back earlier proves the same. States are compared behind instructions and pops only: a stack pointer that is held may
 * make a warp pop for ever. */
void worker_rtl_run_to_end(struct fsim_rtl_worker *w, bool may_heal, struct fsim_result *out)
{
    const struct fsim_rtl *r = w->r;
    const uint64_t limit = 2 * w->r->golden.cycles;
    uint64_t power = 32, since = 0, reads = 0, saved_reads = 0;
    struct smrtl *m = w->bad;
    struct sm_commit c;
    bool recurs = false, late = false;
    int next = may_heal ? 0 : r->ncheckpoints;
    memset(&c, 0, sizeof c);
    smrtl_record(m, &c);
    smrtl_copy(w->saved, m);
    while (!smrtl_ended(m) && !recurs && smrtl_cycles(m) < 2 * limit) {
        while (next < r->ncheckpoints && smrtl_cycles(r->checkpoint[next]) < smrtl_cycles(m))
            next++;
        if (next < r->ncheckpoints && smrtl_cycles(r->checkpoint[next]) == smrtl_cycles(m) &&
            smrtl_same(m, r->checkpoint[next], false)) {
            smrtl_record(m, NULL);
            fsim_classify(&r->golden, r->golden.end, out);
            return;
        }
        smrtl_tick(m);
        if (c.kind != COMMIT_INSTRUCTION && c.kind != COMMIT_UNWIND)
            continue;
        w->stat.instructions += c.kind == COMMIT_INSTRUCTION;
        reads += reads_clock(&c);
        recurs = reads == saved_reads && smrtl_same(m, w->saved, true);
        bool keep = !late && ++since == power;
        if (!late && smrtl_cycles(m) >= limit) /* from here on, one state is waited for */
            keep = late = true;
        if (keep && !recurs) {
            smrtl_copy(w->saved, m);
            saved_reads = reads;
            power *= 2;
            since = 0;
        }
    }
    smrtl_record(m, NULL);
    bool in_time = smrtl_ended(m) && (smrtl_cycles(m) <= limit || smrtl_state(m)->s.deadlock);
    if (recurs || !in_time) {
        out->outcome = recurs ? OUT_HANG : OUT_TIMEOUT;
        out->end = FSIM_NEVER;
        snprintf(out->reason, sizeof out->reason, "%s",
                 recurs ? "state_recurs" : "no_recurrence_by_4G");
    } else {
        fsim_classify(&w->r->golden, smrtl_state(m), out);
    }
}

void fsim_rtl_simulate(struct fsim_rtl_worker *w, const struct fsim_fault *f,
                       struct fsim_result *out)
{
    const struct golden *g = &w->r->golden;
    uint64_t first = golden_activation(g, f, 0);
    *out = (struct fsim_result){.outcome = OUT_MASKED, .first_activation = first, .end = g->cycles};
    if (first == FSIM_NEVER) {
        snprintf(out->reason, sizeof out->reason, "not_activated");
        return;
    }
    w->stat.runs++;
    worker_rtl_seek(w, first);
    smrtl_copy(w->bad, w->golden);
    force(w->bad, f);
    worker_rtl_run_to_end(w, false, out);
}
