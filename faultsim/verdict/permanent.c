/* permanent.c -- workers, and what becomes of one permanent fault.
 *
 * The fault-free run says in which cycle a read first finds the other value. There a copy of the fault-free machine gets the fault and runs to its
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
    /* with caches: nothing but flips of what they hold is followed, where there is a flow */
    if (ref->golden && (!ref->img->caches.any || ref->golden->flow))
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
    add_to->alone += w->run.stat.alone;
    add_to->instructions += w->run.stat.instructions + v.replayed;
    add_to->evaluated += w->run.stat.evaluated;
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

/* A stuck cell of which the commits of each engine tell who reads it. */
static bool by_commits(const struct fsim_fault *f)
{
    return f->kind == FSIM_SA && sm_read_moment(f->cell.structure) == READ_IN_COMMIT;
}

/* The faulty machine becomes the fault-free one at the start of this cycle. */
static void fault_free_at(struct fsim_worker *w, uint64_t cycle)
{
    if (w->side) {
        side_seek_whole(w->side, cycle);
    } else {
        reference_seek(w->run.ref, w->healthy, cycle);
        dut_copy(w->run.bad, w->healthy);
    }
}

/* The last read of the fault-free run, from cycle `at` on, that finds the other value. */
static uint64_t last_activation(const struct reference *ref, const struct fsim_fault *f,
                                uint64_t at)
{
    uint64_t last = 0;
    for (; at != FSIM_NEVER; at = activation_of(ref->committed, &f->cell, f->value, last + 1))
        last = at;
    return last;
}

/* Where all but the held cell is fault-free, to the next read that finds the other value. */
static void skip_to_read(void *of, uint64_t cycle)
{
    struct fsim_worker *w = of;
    const struct reference *ref = w->run.ref;
    const struct fsim_fault *f = w->run.held;
    const uint64_t next = activation_of(ref->committed, &f->cell, f->value, cycle);
    if (next - cycle <= ref->cycles / (uint64_t)ref->ncheckpoints)
        return;
    fault_free_at(w, next);
    permanent_inject(&w->run, f, 0);
}

/* On a machine of its own, from the cycle on. */
static void hold_alone(struct fsim_worker *w, const struct fsim_fault *f, uint64_t from,
                       int latched, struct fsim_result *out)
{
    unsigned how = LOOK_EARLY;
    w->run.stat.runs++;
    if (w->side && side_seek_bad(w->side, f, from)) {
        permanent_inject(&w->run, f, latched);
        bool known = alone_to_end(&w->run, w->side->lone, NULL, how, out);
        dut_release(w->run.bad);
        if (known)
            return;
    }
    fault_free_at(w, from);
    permanent_inject(&w->run, f, latched);
    if (by_commits(f) && out->first_activation != FSIM_NEVER) {
        how |= MAY_HEAL;
        w->run.held = f;
        w->run.heals_behind = last_activation(w->run.ref, f, out->first_activation);
        w->run.skip = skip_to_read;
        w->run.of = w;
    }
    run_to_end(&w->run, how, out);
    w->run.held = NULL;
    w->run.heals_behind = 0;
    w->run.skip = NULL;
    dut_release(w->run.bad); /* the next one may take the machine for something else */
}

/* What is read in commits, each engine knows of its own run; where else a fault first acts is a fact
 * of the fault-free run, which says nothing of what becomes of it. Where nobody knows who reads the
 * cell, or what it holds in the middle of a tick, it may act from the first cycle on. */
uint64_t fsim_first_activation(const struct reference *ref, const struct fsim_fault *f)
{
    if (sm_is_cache(f->cell.structure))
        return 0;
    if (f->kind != FSIM_SA)
        return excitation_of(ref->excitations, f).first;
    if (!sm_access_known(f->cell.structure))
        return 0;
    return activation_of(by_commits(f) ? ref->committed : ref->activations, &f->cell, f->value, 0);
}

void fsim_simulate(struct fsim_worker *w, const struct fsim_fault *f, struct fsim_result *out)
{
    const struct reference *ref = w->run.ref;
    bool own = ref->golden || by_commits(f); /* `first` is of the engine's own run */
    uint64_t first = fsim_first_activation(ref, f), from = first;
    int latched = 0;
    if (f->kind != FSIM_SA && first != FSIM_NEVER && ref->golden &&
        !sm_is_cache(f->cell.structure)) {
        struct excitation e = excitation_of(ref->excitations, f);
        from = e.from;
        latched = e.latched;
    }
    *out = (struct fsim_result){
        .outcome = OUT_MASKED, .first_activation = first, .end = ref->cycles};
    if (first == FSIM_NEVER && own)
        snprintf(out->reason, sizeof out->reason, "not_activated");
    else
        hold_alone(w, f, own ? from : 0, latched, out);
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

void fsim_exhaustive(struct fsim_worker *w, const struct fsim_fault *f, struct fsim_result *out)
{
    const struct reference *ref = w->run.ref;
    struct dut *m = w->run.bad;
    *out = (struct fsim_result){.outcome = OUT_MASKED};
    dut_copy(m, ref->checkpoint[0]);
    permanent_inject(&w->run, f, 0);
    w->run.stat.runs++;
    run_to_end(&w->run, 0, out);
    dut_release(m);
    out->first_activation = fsim_first_activation(ref, f);
    if (out->first_activation == FSIM_NEVER && out->outcome == OUT_MASKED)
        snprintf(out->reason, sizeof out->reason, "not_activated");
}
