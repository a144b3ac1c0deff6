/* golden.c -- records the fault-free run. See golden.h for what is kept and why. */
#include "golden.h"

#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "base/search.h"

enum {
    MAX_CHECKPOINTS = 64,
    MIN_CHECKPOINTS = 8, /* however much they hold */
    MAX_PAGES = 1 << 15, /* of all checkpoints: 128 MB of memory; of a chip with several SMs ... */
    MAX_CHIP_PAGES = 1 << 17 /* ... 512 MB, their states included */
};

struct recorder {
    struct golden *g;
    struct sm_commit c;
    uint64_t ticks, interval;
    uint64_t next; /* of the SM that ticked last, before it did */
};

static bool full(const struct golden *g)
{
    bool chip = g->img->sms > 1;
    uint64_t pages = 0, state = (4ull * g->img->regs_used + g->img->shared_used) / SM_PAGE + 2;
    for (int i = 0; i < g->ncheckpoints; i++)
        pages += g->checkpoint[i]->memory.ndirty + (chip ? state * (uint64_t)g->img->sms : 0);
    return g->ncheckpoints == MAX_CHECKPOINTS ||
           (pages > (chip ? MAX_CHIP_PAGES : MAX_PAGES) && g->ncheckpoints >= MIN_CHECKPOINTS);
}

/* At growing distances, so that a run of any length keeps between 32 and 64 of them; fewer when it
 * writes much memory. */
static void note_checkpoint(struct recorder *k, const struct gpu *m)
{
    struct golden *g = k->g;
    if (k->ticks % k->interval != 0) {
        k->ticks++;
        return;
    }
    uint64_t now = gpu_cycles(m);
    if (now == k->next)
        return; /* an SM has done the cycle that another one is to do */
    k->ticks++;
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
    FL_INVARIANT(g->ncheckpoints ? g->checkpoint_cycle[g->ncheckpoints - 1] < now
                                 : !gpu_instructions(m)); /* G1 */
    struct gpu *copy = gpu_new(g->img);
    gpu_copy(copy, m);
    g->checkpoint[g->ncheckpoints] = copy;
    g->checkpoint_cycle[g->ncheckpoints++] = now;
}

/* A job that says what it leaves (smrun --record does) is what was run, or no campaign is about it. */
static int check_digest(const struct gpu *m, struct fl_err *err)
{
    const struct job *job = m->img->job;
    uint8_t digest[32];
    if (!job->has_digest)
        return 0;
    gpu_outputs_digest(m, digest);
    if (memcmp(digest, job->digest, sizeof digest) == 0)
        return 0;
    return fl_fail(err,
                   "%s: the fault-free run leaves other outputs than its <digest> states; record "
                   "the program again, or take the digest out if the job was changed on purpose",
                   job->path);
}

static int golden_problem(const struct gpu *m, bool endless, uint64_t max_cycles,
                          struct fl_err *err)
{
    const struct job *job = m->img->job;
    const char *kernel = m->img->kernel[m->img->launch[m->grid.launch].kernel].name;
    const char *stated = job->launch[job->nlaunches - 1].trap;
    const struct sm_state *s = gpu_end_state(m);
    if (gpu_ended_rightly(m))
        return 0;
    if (s->trap)
        return fl_fail(
            err,
            "%s: the fault-free run traps: %s (%s) at pc 0x%x of kernel %s, warp %d, cycle %llu; "
            "correct the job first (smrun --trace shows the instructions before the trap)%s%s",
            job->path, sm_trap_name((enum sm_trap)s->trap), sm_trap_text((enum sm_trap)s->trap),
            s->trap_pc, kernel, s->trap_warp, (unsigned long long)s->next - 1,
            m->img->traps ? "; its last launch states " : "", m->img->traps ? stated : "");
    if (m->grid.done == 1)
        return fl_fail(err,
                       "%s: the fault-free run ends, and its last launch states trap=\"%s\"; "
                       "correct the job first",
                       job->path, stated);
    if (gpu_deadlocked(m))
        return fl_fail(err,
                       "%s: the fault-free run deadlocks at cycle %llu in kernel %s: every warp "
                       "waits at a barrier; correct the job first",
                       job->path, (unsigned long long)s->next, kernel);
    if (endless)
        return fl_fail(err,
                       "%s: the fault-free run never ends in kernel %s (its state recurs at cycle "
                       "%llu); correct the job first",
                       job->path, kernel, (unsigned long long)s->next);
    if (m->grid.done == SM_GAVE_UP)
        return fl_fail(err,
                       "%s: the fault-free run reaches the limit of a <repeat> in launch %u; raise "
                       "the limit, or find out why its word never becomes \"until\"",
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
    int turn = gpu_turn(m);
    struct sm *sm = &m->sm[turn];
    int w = sm->s.stage[STAGE_W], block = w == NO_WARP ? 0 : sm->s.warp[w].block;
    int warp0 = w == NO_WARP ? 0 : (int)sm->s.block[block].warp0;
    uint32_t launch = m->grid.launch;
    uint64_t cycle = sm->s.next - 1;
    k->next = sm->s.next;
    /* Where a launch may end in this slot, the slots behind it are the next launch's. And an SM that runs ahead
     * of the others takes operands before the cycle of a checkpoint has come. */
    bool last = m->grid.ended_blocks + 1 == m->img->launch[launch].blocks;
    bool ends = w != NO_WARP && last && mask_count(sm->s.live) == 1;
    sm->stop = ends || m->sms > 1 ? 0 : UINT64_MAX;
    gpu_tick(m);
    residence_tick(k->g->residence, m, turn, &k->c, block, launch, cycle);
    activations_commit(k->g->activations, &k->c);
    writers_commit(k->g->writers, &k->c, warp0);
}

struct golden *golden_new(const struct sm_image *img, uint64_t max_cycles, struct fl_err *err)
{
    struct golden *g = fl_alloc(sizeof *g);
    struct recorder k = {.g = g, .interval = 64};
    g->img = img;
    g->residence = residence_new(img);
    g->activations = activations_new(img);
    g->writers = writers_new(img);
    g->checkpoint = fl_alloc(MAX_CHECKPOINTS * sizeof *g->checkpoint);
    g->checkpoint_cycle = fl_alloc(MAX_CHECKPOINTS * sizeof *g->checkpoint_cycle);

    struct gpu *m = gpu_new(img), *saved = gpu_new(img);
    uint64_t power = 1024, since = 0;
    bool endless = false;
    gpu_record(m, &k.c);
    while (!gpu_ended(m) && !endless && gpu_cycles(m) <= max_cycles) {
        note_checkpoint(&k, m);
        tick(&k, m);
        /* Brent: a state saved at doubling distances comes back soon after an endless loop is
         * entered */
        if (k.c.kind == COMMIT_INSTRUCTION && !gpu_ended(m)) {
            if (++since == power) {
                gpu_copy(saved, m);
                power *= 2;
                since = 0;
            } else if (power > 1024) {
                endless = gpu_recurs(m, saved);
            }
        }
    }
    gpu_record(m, NULL);
    gpu_free(saved);
    g->end = m;
    g->cycles = gpu_cycles(m);
    g->instructions = gpu_instructions(m);
    if (golden_problem(m, endless, max_cycles, err) != 0 ||
        !(g->outputs = outputs_new(m, g->writers, err)) || check_digest(m, err) != 0) {
        golden_free(g);
        return NULL;
    }
    residence_end(g->residence, g->cycles);
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
    writers_free(g->writers);
    gpu_free(g->end);
    free(g);
}

void golden_seek(const struct golden *g, struct gpu *m, uint64_t cycle)
{
    /* the last checkpoint whose pending tick is not later than `cycle` */
    int lo = FL_FIRST(i, 1, g->ncheckpoints, g->checkpoint_cycle[i] > cycle + 1) - 1;
    uint64_t next = gpu_cycles(m);
    bool behind = next <= cycle + 1 && next >= g->checkpoint_cycle[lo];
    if (!behind)
        gpu_copy(m, g->checkpoint[lo]);
    FL_INVARIANT(!lo || gpu_cycles(m) <= cycle + 1); /* G2 */
    gpu_run(m, cycle);
}
