/* golden.c -- records the fault-free run. See golden.h for what is kept and why. */
#include "golden.h"

#include <stdlib.h>
#include <string.h>

#include "base/search.h"
enum {
    MAX_CHECKPOINTS = 64,
    MIN_CHECKPOINTS = 8, /* however much they hold */
    MAX_PAGES = 1 << 15, /* of all checkpoints: 128 MB */
    MAX_EVENTS = 1 << 20
};

struct recorder {
    struct golden *g;
    struct sm_watch w;
    struct sm_accesses seen;
    uint32_t *chain_room;
    uint32_t event_room, value_room;
    uint64_t ticks, interval;
    bool keep_events;
};

static uint32_t keep_row(struct recorder *k, const uint32_t row[SM_LANES])
{
    struct golden *g = k->g;
    FL_ROOM(g->values, g->nvalues, k->value_room, 1024);
    memcpy(g->values[g->nvalues], row, sizeof *g->values);
    return g->nvalues++;
}

static struct fsim_event *new_event(struct recorder *k)
{
    struct golden *g = k->g;
    FL_ROOM(g->event, g->nevents, k->event_room, 1024);
    g->event[g->nevents] = (struct fsim_event){.cycle = k->w.c.cycle};
    return &g->event[g->nevents++];
}

/* Notes that the newest event reads or writes a row; one entry when it does both. */
static void touch(struct recorder *k, uint32_t row, bool write, uint32_t value)
{
    struct golden *g = k->g;
    struct fsim_chain *c = &g->chain[row];
    uint32_t event = g->nevents - 1;
    if (!c->count || c->access[c->count - 1].event != event) {
        if (c->count == k->chain_room[row]) {
            k->chain_room[row] = c->count ? 2 * c->count : 4;
            c->access = fl_grow(c->access, k->chain_room[row], sizeof *c->access);
        }
        c->access[c->count++] = (struct fsim_access){.event = event};
    }
    struct fsim_access *a = &c->access[c->count - 1];
    a->read |= !write;
    a->write |= write;
    if (write)
        a->value = value;
}

/* An event's rows of registers, read and written, and the words of global memory. Shared memory is
 * left out: diff.c follows no difference into it. Rows written hold what stands in the machine now;
 * `value` is the number of the first. */
static void note_accesses(struct recorder *k, bool instruction, uint32_t first_row, uint32_t value)
{
    struct golden *g = k->g;
    for (uint32_t i = 0; i < k->seen.count; i++) {
        const struct sm_access *a = &k->seen.access[i];
        if (a->instruction != instruction)
            continue;
        if (a->structure == SM_S_global)
            (a->write ? g->last_store : g->last_load)[a->unit] = g->nevents;
        else
            touch(k, a->unit, a->write, a->write ? value + a->unit - first_row : 0);
    }
}

static void note_instruction(struct recorder *k)
{
    const struct sm_commit *c = &k->w.c;
    struct fsim_event *e = new_event(k);
    e->uop = c->uop;
    e->exec = c->exec;
    e->base = c->reg_base;
    e->regs = c->regs;
    e->kernel = (uint16_t)k->g->img->launch[c->launch].kernel;
    for (int i = 0; i < c->nregs; i++) {
        uint32_t v = keep_row(k, c->reg[i]);
        if (i == 0)
            e->value = v;
    }
    note_accesses(k, true, c->reg_row / SM_LANES, e->value);
    if (c->store && c->space == ISA_G && c->exec)
        e->value = keep_row(k, c->addr);
}

/* A block's start writes $r0, an event for each warp. */
static void note_block(struct recorder *k)
{
    const struct gpu *m = k->w.g;
    const struct sm_block *b = &m->sm->s.block[k->w.c.started];
    for (int i = 0; i < b->warps; i++) {
        const struct sm_warp *w = &m->sm->s.warp[b->warp0 + i];
        new_event(k)->exec = w->active;
        if (w->regs)
            touch(k, w->reg_base / SM_LANES, true, keep_row(k, &m->sm->s.rf[w->reg_base]));
    }
}

/* What the host reads between launches decides what comes next: no difference is followed into it.
 * It stands behind the event that ended the launch. */
static void note_host(struct recorder *k)
{
    for (uint32_t i = 0; i < k->seen.count; i++) {
        const struct sm_access *a = &k->seen.access[i];
        if (!a->instruction && a->structure == SM_S_global)
            k->g->last_load[a->unit] = k->g->nevents + 1;
    }
}

static void note_events(struct recorder *k)
{
    if (k->w.c.kind == COMMIT_INSTRUCTION && k->w.c.uop)
        note_instruction(k);
    note_host(k);
    if (k->w.c.started >= 0)
        note_block(k);
}

static void drop_events(struct golden *g)
{
    for (int i = 0; g->chain && i < g->img->regs_used / SM_LANES; i++)
        free(g->chain[i].access);
    free(g->chain);
    free(g->event);
    free(g->values);
    free(g->last_load);
    free(g->last_store);
    g->chain = NULL;
    g->event = NULL;
    g->values = NULL;
    g->last_load = g->last_store = NULL;
    g->nevents = 0;
}

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

struct golden *golden_run(const struct sm_image *img, uint64_t max_cycles, struct fl_err *err)
{
    struct golden *g = fl_alloc(sizeof *g);
    struct recorder k = {.g = g, .interval = 64, .keep_events = true};
    uint32_t rows = (uint32_t)img->regs_used / SM_LANES, words = img->mem_bytes / 4 + 1;
    g->img = img;
    g->pops = pops_new(img);
    g->checkpoint = fl_alloc(MAX_CHECKPOINTS * sizeof *g->checkpoint);
    g->checkpoint_cycle = fl_alloc(MAX_CHECKPOINTS * sizeof *g->checkpoint_cycle);
    g->chain = fl_alloc(rows * sizeof *g->chain);
    k.chain_room = fl_alloc(rows * sizeof *k.chain_room);
    g->last_load = fl_alloc(words * sizeof *g->last_load);
    g->last_store = fl_alloc(words * sizeof *g->last_store);

    struct gpu *m = gpu_new(img), *saved = gpu_new(img);
    uint64_t power = 1024, since = 0;
    bool endless = false;
    sm_watch_start(&k.w, m, 1u << SM_S_rf | 1u << SM_S_global, false);
    while (!gpu_ended(m) && !endless && m->sm->s.next <= max_cycles) {
        note_checkpoint(&k, m);
        uint64_t before = m->sm->s.instructions;
        sm_watch_tick(&k.w, &k.seen);
        pops_note(g->pops, img, &k.w.c);
        if (k.keep_events) {
            note_events(&k);
            if (g->nevents >= MAX_EVENTS) {
                k.keep_events = false;
                k.w.sink.places = 0;
                drop_events(g);
            }
        }
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
    sm_watch_end(&k.w);
    free(k.seen.access);
    gpu_free(saved);
    free(k.chain_room);
    g->end = m;
    g->cycles = gpu_cycles(m);
    g->instructions = m->sm->s.instructions;
    if (golden_problem(m, endless, max_cycles, err) != 0 || !(g->outputs = outputs_new(m, err))) {
        golden_free(g);
        return NULL;
    }
    return g;
}

void golden_free(struct golden *g)
{
    if (!g)
        return;
    drop_events(g);
    pops_free(g->pops, g->img);
    for (int i = 0; i < g->ncheckpoints; i++)
        gpu_free(g->checkpoint[i]);
    free(g->checkpoint);
    free(g->checkpoint_cycle);
    outputs_free(g->outputs);
    gpu_free(g->end);
    free(g);
}

uint64_t golden_activation(const struct golden *g, const struct fsim_fault *f, uint64_t from)
{
    return pops_activation(g->pops, g->img, f, from);
}

void golden_seek(const struct golden *g, struct gpu *m, uint64_t cycle)
{
    /* the last checkpoint whose pending tick is not later than `cycle` */
    int lo = FL_FIRST(i, 1, g->ncheckpoints, g->checkpoint_cycle[i] > cycle + 1) - 1;
    bool behind = m->sm->s.next <= cycle + 1 && m->sm->s.next >= g->checkpoint_cycle[lo];
    if (!behind)
        gpu_copy(m, g->checkpoint[lo]);
    gpu_run(m, cycle);
}
