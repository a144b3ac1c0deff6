/* golden.c -- records the fault-free run. See golden.h for what is kept and why. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "base/search.h"

enum {
    MAX_CHECKPOINTS = 64,
    MIN_CHECKPOINTS = 8, /* however much they hold */
    MAX_PAGES = 1 << 15, /* of all checkpoints: 128 MB */
};

struct recorder {
    struct golden *g;
    struct sm_commit c;
    uint64_t ticks, interval;
};

static bool full(const struct golden *g)
{
    uint64_t pages = 0;
    for (int i = 0; i < g->ncheckpoints; i++)
        pages += g->checkpoint[i]->memory.ndirty;
    return g->ncheckpoints == MAX_CHECKPOINTS ||
           (pages > MAX_PAGES && g->ncheckpoints >= MIN_CHECKPOINTS);
}

/* At growing distances, so that a run of any length keeps between 32 and 64 of them; fewer when it
 * writes much memory. */
static void note_checkpoint(struct recorder *k, const struct gpu *m)
{
    struct golden *g = k->g;
    if (k->ticks++ % k->interval != 0)
        return;
    if (full(g)) {
        int n = 0;
        for (int i = 0; i < g->ncheckpoints; i++) {
            if (i % 2) {
                gpu_free(g->checkpoint[i]);
                continue;
            }
            g->checkpoint[n] = g->checkpoint[i];
            g->checkpoint_cycle[n++] = g->checkpoint_cycle[i];
        }
        g->ncheckpoints = n;
        k->interval *= 2;
        if ((k->ticks - 1) % k->interval != 0)
            return;
    }
    FL_INVARIANT(g->ncheckpoints ? g->checkpoint_cycle[g->ncheckpoints - 1] < m->sm->s.next
                                 : !m->sm->s.instructions); /* G1 */
    struct gpu *copy = gpu_new(g->img);
    gpu_copy(copy, m);
    g->checkpoint[g->ncheckpoints] = copy;
    g->checkpoint_cycle[g->ncheckpoints++] = m->sm->s.next;
}

static int golden_problem(const struct gpu *m, bool endless, uint64_t max_cycles,
                          struct fl_err *err)
{
    const struct job *job = m->img->job;
    const char *kernel = m->img->kernel[m->img->launch[m->grid.launch].kernel].name;
    if (m->sm->s.trap)
        return fl_fail(err,
                       "%s: the fault-free run traps: %s (%s) at pc 0x%x of kernel %s, warp %d, "
                       "cycle %llu; mend the job "
                       "first (smrun --trace shows the way there)",
                       job->path, sm_trap_name((enum sm_trap)m->sm->s.trap),
                       sm_trap_text((enum sm_trap)m->sm->s.trap), m->sm->s.trap_pc, kernel,
                       m->sm->s.trap_warp, (unsigned long long)m->sm->s.next - 1);
    if (m->sm->s.deadlock)
        return fl_fail(err,
                       "%s: the fault-free run deadlocks at cycle %llu in kernel %s: every warp "
                       "waits at a barrier",
                       job->path, (unsigned long long)m->sm->s.next, kernel);
    if (endless)
        return fl_fail(
            err,
            "%s: the fault-free run loops for ever in kernel %s (its state recurs at cycle %llu)",
            job->path, kernel, (unsigned long long)m->sm->s.next);
    if (m->grid.done == SM_GAVE_UP)
        return fl_fail(err,
                       "%s: the fault-free run reaches the limit of a <repeat> in launch %u; raise "
                       "the limit, or look for what never becomes \"until\"",
                       job->path, m->grid.launch + 1);
    if (!m->grid.done)
        return fl_fail(err,
                       "%s: the fault-free run has not finished after %llu cycles; raise "
                       "--max-cycles if it should",
                       job->path, (unsigned long long)max_cycles);
    return 0;
}

static void tick(struct recorder *k, struct gpu *m)
{
    int w = m->sm->s.stage[STAGE_W], block = w == NO_WARP ? 0 : m->sm->s.warp[w].block;
    uint32_t launch = m->grid.launch;
    uint64_t cycle = m->sm->s.next - 1;
    /* Where a launch may end in this slot, the slots behind it are the next launch's. */
    bool last = m->grid.ended_blocks + 1 == m->img->launch[launch].blocks;
    m->sm->stop = w != NO_WARP && last && mask_count(m->sm->s.live) == 1 ? 0 : UINT64_MAX;
    gpu_tick(m);
    residence_tick(k->g->residence, m, &k->c, block, launch, cycle);
    activations_commit(k->g->activations, &k->c);
}

struct golden *golden_new(const struct sm_image *img, uint64_t max_cycles, struct fl_err *err)
{
    if (img->sms > 1) {
        fl_fail(err, "%s: faults are injected into a chip of one SM; give --sms 1", img->job->path);
        return NULL;
    }
    struct golden *g = fl_alloc(sizeof *g);
    struct recorder k = {.g = g, .interval = 64};
    g->img = img;
    g->residence = residence_new(img);
    g->activations = activations_new(img);
    g->checkpoint = fl_alloc(MAX_CHECKPOINTS * sizeof *g->checkpoint);
    g->checkpoint_cycle = fl_alloc(MAX_CHECKPOINTS * sizeof *g->checkpoint_cycle);

    struct gpu *m = gpu_new(img), *saved = gpu_new(img);
    uint64_t power = 1024, since = 0;
    bool endless = false;
    m->sm->record = &k.c;
    while (!gpu_ended(m) && !endless && m->sm->s.next <= max_cycles) {
        note_checkpoint(&k, m);
        uint64_t before = m->sm->s.instructions;
        tick(&k, m);
        /* Brent: a state saved at doubling distances comes back soon after an endless loop is
         * entered */
        if (m->sm->s.instructions != before && !gpu_ended(m)) {
            if (++since == power) {
                gpu_copy(saved, m);
                power *= 2;
                since = 0;
            } else if (power > 1024) {
                endless = gpu_recurs(m, saved);
            }
        }
    }
    m->sm->record = NULL;
    gpu_free(saved);
    g->end = m;
    g->cycles = gpu_cycles(m);
    g->instructions = m->sm->s.instructions;
    if (golden_problem(m, endless, max_cycles, err) != 0 || !(g->outputs = outputs_new(m, err))) {
        golden_free(g);
        return NULL;
    }
    residence_end(g->residence, g->cycles);
    return g;
}

struct golden *golden_run(const struct sm_image *img, uint64_t max_cycles, struct fl_err *err)
{
    struct golden *g = golden_new(img, max_cycles, err);
    if (g)
        run_record(g, &(struct run_wanted){.flow = true});
    return g;
}

void golden_forget(struct golden *g)
{
    activations_forget(g->activations);
    excitations_free(g->excitations);
    g->excitations = NULL;
}

void golden_free(struct golden *g)
{
    if (!g)
        return;
    flow_free(g->flow);
    activations_free(g->activations);
    excitations_free(g->excitations);
    residence_free(g->residence);
    for (int i = 0; i < g->ncheckpoints; i++)
        gpu_free(g->checkpoint[i]);
    free(g->checkpoint);
    free(g->checkpoint_cycle);
    outputs_free(g->outputs);
    gpu_free(g->end);
    free(g);
}

void golden_seek(const struct golden *g, struct gpu *m, uint64_t cycle)
{
    /* the last checkpoint whose pending tick is not later than `cycle` */
    int lo = FL_FIRST(i, 1, g->ncheckpoints, g->checkpoint_cycle[i] > cycle + 1) - 1;
    bool behind = m->sm->s.next <= cycle + 1 && m->sm->s.next >= g->checkpoint_cycle[lo];
    if (!behind)
        gpu_copy(m, g->checkpoint[lo]);
    FL_INVARIANT(!lo || m->sm->s.next <= cycle + 1); /* G2 */
    gpu_run(m, cycle);
}
