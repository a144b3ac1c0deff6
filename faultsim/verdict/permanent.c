/* permanent.c -- workers, and what becomes of one permanent fault.
 *
 * The fault-free run says in which cycle a read first finds the other value (for the divergence
 * stack: a pop returns it). There a copy of the fault-free machine gets the fault and runs to its
 * end: runner.c says how that went. Before that cycle the fault changes nothing. The machine gets a
 * fault of a memory in the cycle since which its cells have been wrong.
 */
#include <stdio.h>
#include <stdlib.h>

#include "internal.h"

struct fsim_worker *fsim_worker_on(const struct reference *ref)
{
    struct fl_err err;
    struct fsim_worker *w = fl_alloc(sizeof *w);
    runner_open(&w->run, ref);
    if (ref->golden)
        w->side = side_new(&w->run);
    else
        w->healthy = ref->engine->make(ref->img, &err);
    return w;
}

struct fsim_worker *fsim_worker_new(const struct golden *g)
{
    struct reference *own = reference_of(g);
    struct fsim_worker *w = fsim_worker_on(own);
    w->own = own;
    return w;
}

void fsim_worker_free(struct fsim_worker *w)
{
    if (!w)
        return;
    side_free(w->side);
    dut_free(w->healthy);
    runner_close(&w->run);
    reference_free(w->own);
    free(w);
}

struct variants *fsim_worker_variants(const struct fsim_worker *w)
{
    return w->side ? w->side->variants : NULL;
}

void fsim_worker_statistics(const struct fsim_worker *w, struct fsim_statistics *add_to)
{
    const struct variants *l = fsim_worker_variants(w);
    struct variants_statistics v = {0};
    if (l)
        variants_statistics(l, &v);
    add_to->runs += w->run.stat.runs + v.machines;
    add_to->instructions += w->run.stat.instructions + v.replayed;
    add_to->evaluated += w->run.stat.evaluated + v.instructions;
    add_to->variants += v.evaluated;
}

void permanent_inject(struct runner *r, const struct fsim_fault *f, int latched)
{
    dut_release(r->bad);
    if (f->kind == FSIM_SA)
        dut_hold(r->bad, &f->cell, f->value, true);
    else
        dut_carry(r->bad, f, latched);
}

/* A stuck cell of the divergence stack: each engine knows its pops. */
static bool in_stack(const struct fsim_fault *f)
{
    return f->kind == FSIM_SA && f->cell.structure == SM_S_dstack;
}

/* On a machine of its own, from the cycle on. */
static void hold_alone(struct fsim_worker *w, const struct fsim_fault *f, uint64_t from,
                       int latched, struct fsim_result *out)
{
    w->run.stat.runs++;
    if (w->side) {
        side_seek_bad(w->side, from);
    } else {
        reference_seek(w->run.ref, w->healthy, from);
        dut_copy(w->run.bad, w->healthy);
    }
    permanent_inject(&w->run, f, latched);
    run_to_end(&w->run, LOOK_EARLY, out);
    dut_release(w->run.bad); /* the next one may take the machine for something else */
}

/* Of the divergence stack each engine has its own pops; where else a fault first acts is a fact of
 * the fault-free run, which says nothing of what becomes of it. Where nobody knows who reads the
 * cell, it may act from the first cycle on. */
uint64_t fsim_first_activation(const struct reference *ref, const struct fsim_fault *f)
{
    if (f->kind != FSIM_SA)
        return excitation_of(ref->excitations, f).first;
    if (!sm_access_known(f->cell.structure))
        return 0;
    return in_stack(f) ? pops_activation(ref->pops, ref->img, f, 0)
                       : activation_of(ref->activations, &f->cell, f->value);
}

void fsim_simulate(struct fsim_worker *w, const struct fsim_fault *f, struct fsim_result *out)
{
    const struct reference *ref = w->run.ref;
    bool stack = in_stack(f);
    uint64_t first = fsim_first_activation(ref, f), from = first;
    int latched = 0;
    if (f->kind != FSIM_SA && first != FSIM_NEVER && w->side) {
        struct excitation e = excitation_of(ref->excitations, f);
        from = e.from;
        latched = e.latched;
    }
    *out = (struct fsim_result){
        .outcome = OUT_MASKED, .first_activation = first, .end = ref->cycles};
    if (first == FSIM_NEVER && (stack || w->side))
        snprintf(out->reason, sizeof out->reason, "not_activated");
    else if (stack && w->side)
        side_hold(w->side, f, first, out);
    else
        hold_alone(w, f, stack || w->side ? from : 0, latched, out);
    if (first == FSIM_NEVER && out->outcome == OUT_MASKED)
        snprintf(out->reason, sizeof out->reason, "not_activated");
}

uint32_t fsim_simulate_register(struct fsim_worker *w, const struct sm_cell *of, int value,
                                uint32_t bits, struct fsim_result out[32])
{
    if (!w->side || of->structure != SM_S_rf)
        return 0;
    struct sm_unit_place p = sm_unit_of(w->run.ref->img, of);
    uint32_t known = variants_hold(w->side->variants, p.unit, __builtin_ctz(p.mask), value, bits,
                                   out);
    for (uint32_t left = known; left; left &= left - 1) {
        int b = __builtin_ctz(left);
        struct fsim_fault f = fsim_held(*of, value, 0, FSIM_NO_END);
        f.cell.bit = b;
        out[b].first_activation = fsim_first_activation(w->run.ref, &f);
    }
    return known;
}

/* ---- brute force ----------------------------------------------------------------------------- */

/* Watches the pops of one line-entry: the value that was pushed against the value that came
 * back. */
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
        int field = x->fault->cell.field;
        bool spc = field == SM_FIELD(dstack, spc);
        uint32_t v = spc ? x->spc : field == SM_FIELD(dstack, id) ? x->id : x->tm;
        bool consumed = !spc || (spc_bits >> x->fault->cell.bit & 1);
        if (consumed && (int)(v >> x->fault->cell.bit & 1) != x->fault->value)
            x->first = c->cycle;
    }
}

void fsim_exhaustive(struct fsim_worker *w, const struct fsim_fault *f, struct fsim_result *out)
{
    const struct reference *ref = w->run.ref;
    bool stack = in_stack(f);
    struct dut *m = w->run.bad;
    struct sm_commit c = {0};
    struct watch x = {
        .fault = f, .warp = f->cell.index[0], .le = f->cell.index[1] + 1, .first = FSIM_NEVER};
    *out = (struct fsim_result){.outcome = OUT_MASKED};
    dut_copy(m, ref->checkpoint[0]);
    permanent_inject(&w->run, f, 0);
    while (stack && !dut_ended(m) && x.first == FSIM_NEVER && dut_cycle(m) < 2 * ref->cycles) {
        dut_tick(m, &c);
        watch_commit(&x, &c, profile_spc_bits(&ref->img->profile));
    }
    w->run.stat.runs++;
    w->run.stat.instructions += dut_instructions(m);
    run_to_end(&w->run, 0, out);
    dut_release(m);
    out->first_activation = stack ? x.first : fsim_first_activation(ref, f);
    if (out->first_activation == FSIM_NEVER && out->outcome == OUT_MASKED)
        snprintf(out->reason, sizeof out->reason, "not_activated");
}
