/* ladder.c -- the table of rungs, and the machines that three of them need. See ladder.h. */
#include "ladder.h"

#include <stdlib.h>
#include <string.h>

#include "base/search.h"

/* ---- machines -------------------------------------------------------------------------------- */

static void inject(struct dut *m, const struct attempt *a)
{
    const struct fsim_fault *f = a->fault;
    if (!a->permanent)
        dut_inject(m, f);
    else if (f->kind == FSIM_SA)
        dut_hold(m, &f->cell, f->value, true);
    else
        dut_carry(m, f, a->latched);
}

struct dut *ladder_healthy(struct fsim_worker *w, uint64_t cycle)
{
    const struct reference *ref = w->run.ref;
    if (ref->golden)
        golden_seek(ref->golden, dut_gpu(w->healthy), cycle);
    else
        reference_seek(ref, w->healthy, cycle);
    return w->healthy;
}

/* The faulty machine as the fault-free one is at the start of `cycle`. A second fault between the same two checkpoints pays
 * for a healthy machine there. */
static void seek_healthy(struct fsim_worker *w, uint64_t cycle)
{
    const struct reference *ref = w->run.ref;
    const int at = FL_FIRST(i, 1, ref->ncheckpoints, dut_cycle(ref->checkpoint[i]) > cycle);
    if (at == w->interval) {
        dut_copy(w->run.bad, ladder_healthy(w, cycle));
        return;
    }
    w->interval = at;
    dut_copy(w->run.bad, ref->checkpoint[at - 1]);
    dut_run(w->run.bad, cycle);
}

void ladder_inject(struct fsim_worker *w, const struct attempt *a, uint64_t cycle)
{
    seek_healthy(w, cycle);
    inject(w->run.bad, a);
}

/* The first read from this cycle on that finds the other value; FSIM_NEVER. */
static uint64_t next_activation(const struct fsim_worker *w, const struct fsim_fault *f,
                                uint64_t cycle)
{
    return activation_of(w->run.ref->committed, &f->cell, f->value, cycle);
}

/* Where all but the held cell is fault-free, to the next read that finds the other value. */
static void skip_to_read(void *of, uint64_t cycle)
{
    struct fsim_worker *w = of;
    const struct reference *ref = w->run.ref;
    const struct fsim_fault *f = w->run.held;
    const struct attempt again = {.fault = f, .permanent = true};
    const uint64_t next = next_activation(w, f, cycle);
    if (next - cycle > ref->cycles / (uint64_t)ref->ncheckpoints)
        ladder_inject(w, &again, next);
}

/* What ends a run early. */
static unsigned looks(struct fsim_worker *w, const struct attempt *a)
{
    const struct fsim_fault *f = a->fault;
    if (!read_in_commits(f) || f->to != FSIM_NO_END || f->cells > 1)
        return f->to == FSIM_NO_END ? LOOK_EARLY : LOOK_EARLY | MAY_HEAL;
    w->run.held = f;
    w->run.skip = skip_to_read;
    w->run.of = w;
    for (uint64_t at = a->from; (at = next_activation(w, f, at)) != FSIM_NEVER; at++)
        w->run.heals_behind = at;
    return LOOK_EARLY | MAY_HEAL;
}

/* All cells are of one SM, and of no other's concern. */
static bool of_one_sm(const struct sm_image *img, const struct fsim_fault *f)
{
    struct sm_structure x;
    sm_structure_get(img, f->cell.structure, &x);
    bool one = x.places > 1;
    for (int i = 1; i < f->cells; i++) {
        sm_structure_get(img, f[i].cell.structure, &x);
        one &= x.places > 1 && f[i].cell.place == f->cell.place;
    }
    return one;
}

/* ---- rungs ----------------------------------------------------------------------------------- */

static bool by_record(struct fsim_worker *w, const struct attempt *a, struct fsim_result *out)
{
    out->outcome = OUT_MASKED;
    out->end = w->run.ref->cycles;
    return a->inert;
}

static bool by_data_flow(struct fsim_worker *w, const struct attempt *a, struct fsim_result *out)
{
    return w->follower && a->site != SITE_NONE &&
           follow_flip(w->follower, a->accesses, &a->fault->cell, a->accesses->site[a->site].event,
                       out->first_activation, out);
}

static bool by_one_sm(struct fsim_worker *w, const struct attempt *a, struct fsim_result *out)
{
    const struct fsim_fault *f = a->fault;
    if (!w->single || !of_one_sm(w->run.ref->img, f) ||
        !single_sm_seek(w->single, dut_gpu(w->run.bad), f->cell.place, a->from))
        return false;
    single_sm_watch(w->single);
    inject(w->run.bad, a);
    return single_sm_to_end(&w->run, w->single, a->permanent ? NULL : f,
                            f->to == FSIM_NO_END ? LOOK_EARLY : LOOK_EARLY | MAY_HEAL, out);
}

static bool from_checkpoint(struct fsim_worker *w, const struct attempt *a, struct fsim_result *out)
{
    ladder_inject(w, a, a->from);
    run_to_end(&w->run, looks(w, a), out);
    w->run.held = NULL;
    w->run.heals_behind = 0;
    w->run.skip = NULL;
    return true;
}

static bool by_brute_force(struct fsim_worker *w, const struct attempt *a, struct fsim_result *out)
{
    dut_copy(w->run.bad, w->run.ref->checkpoint[0]);
    inject(w->run.bad, a);
    run_to_end(&w->run, 0, out);
    return true;
}

static const struct {
    const char *name;
    bool (*decide)(struct fsim_worker *w, const struct attempt *a, struct fsim_result *out);
} ladder[RUNGS] = {[RUNG_RECORD] = {"record", by_record},
                   [RUNG_FOLLOW] = {"follow", by_data_flow},
                   [RUNG_SM] = {"sm", by_one_sm},
                   [RUNG_CHECKPOINT] = {"checkpoint", from_checkpoint},
                   [RUNG_BRUTE_FORCE] = {"exhaustive", by_brute_force}};

const char *fsim_rung_name(int rung)
{
    return ladder[rung].name;
}

enum rung ladder_decide(struct fsim_worker *w, const struct attempt *a, struct fsim_result *out)
{
    enum rung i = RUNG_RECORD;
    while (fsim_skips(w->run.ref, i) || !ladder[i].decide(w, a, out))
        i++;
    w->run.stat.runs += i > RUNG_FOLLOW;
    dut_release(w->run.bad); /* the next one may take the machine for something else */
    return i;
}

void ladder_brute_force(struct fsim_worker *w, const struct attempt *a, struct fsim_result *out)
{
    by_brute_force(w, a, out);
    w->run.stat.runs++;
    dut_release(w->run.bad);
}

/* ---- workers --------------------------------------------------------------------------------- */

struct fsim_worker *fsim_worker_on(const struct reference *ref)
{
    struct fl_err err;
    struct fsim_worker *w = fl_alloc(sizeof *w);
    runner_open(&w->run, ref);
    w->healthy = ref->engine->make(ref->img, &err);
    if (ref->golden) {
        w->single = single_sm_new(ref->golden);
        w->follower = follower_new(ref->golden, &w->run, w->single);
    }
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
    follower_free(w->follower);
    single_sm_free(w->single);
    dut_free(w->healthy);
    runner_close(&w->run);
    reference_free(w->own);
    free(w);
}

void fsim_worker_statistics(const struct fsim_worker *w, struct fsim_statistics *add_to)
{
    struct follow_statistics v = {0};
    if (w->follower)
        follow_statistics(w->follower, &v);
    add_to->runs += w->run.stat.runs + v.machines;
    add_to->single_sm += w->run.stat.single_sm;
    add_to->instructions += w->run.stat.instructions + v.replayed;
    add_to->evaluated += w->run.stat.evaluated;
    add_to->copies += v.evaluated;
}
