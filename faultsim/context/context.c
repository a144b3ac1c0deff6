/* context.c -- opens a job. See context.h. */
#include "context.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "faultsim/faults/layout.h"
#include "faultsim/result/identity.h"

enum {
    GRID = 200,         /* buckets of a timeline, at least */
    MAX_BUCKETS = 2000, /* with an edge wherever a block starts or ends */
};

const struct context_window context_all_cycles = {.launch = -1, .to = UINT64_MAX};

static void fill_kernels(struct job_context *l)
{
    const struct residence *r = l->g->residence;
    for (int i = 0; i < l->img->nlaunches; i++) {
        struct result_kernel *k = &l->facts.kernel[l->kernel[i]];
        l->facts.launch[i].cycles = r->launch[i].to - r->launch[i].from;
        k->cycles += l->facts.launch[i].cycles;
        k->warp_cycles += r->launch[i].warp_cycles;
    }
    uint64_t *shared = fl_alloc((size_t)l->facts.nkernels * sizeof *shared);
    for (uint32_t b = 0; b < r->nblocks; b++) {
        const struct run_block *o = &r->block[b];
        int kernel = l->kernel[o->launch];
        struct result_kernel *k = &l->facts.kernel[kernel];
        k->block_cycles += o->to - o->from;
        k->thread_cycles += (o->to - o->from) * o->warps * SM_LANES;
        shared[kernel] += (o->to - o->from) * o->shared;
    }
    for (int i = 0; i < l->facts.nkernels; i++) {
        struct result_kernel *k = &l->facts.kernel[i];
        if (k->block_cycles)
            k->block_shared = (uint32_t)((shared[i] + k->block_cycles / 2) / k->block_cycles);
    }
    free(shared);
}

static int set_window(struct job_context *l, const struct context_window *w, struct fl_err *err)
{
    l->from = 0;
    l->to = l->g->cycles;
    if (w->launch >= 0) {
        if (w->launch >= l->img->nlaunches)
            return fl_fail(err, "%s: there is no launch %d; its launches are 0 to %d", l->job->path,
                           w->launch, l->img->nlaunches - 1);
        l->from = l->g->residence->launch[w->launch].from;
        l->to = l->g->residence->launch[w->launch].to;
    }
    if (w->from >= l->to)
        return fl_fail(err, "%s: cycle %llu is after the last one, %llu; give a smaller one",
                       l->job->path, (unsigned long long)w->from, (unsigned long long)l->to - 1);
    if (w->to < l->from)
        return fl_fail(err, "%s: cycle %llu is before the first one of launch %d, %llu",
                       l->job->path, (unsigned long long)w->to, w->launch,
                       (unsigned long long)l->from);
    l->from = w->from > l->from ? w->from : l->from;
    l->to = w->to < l->to ? w->to + 1 : l->to;
    l->in_sm = w->in_sm;
    if (!fsim_sms_said(&l->in_sm))
        fsim_sms_read("all", &l->in_sm);
    return fsim_sms_check(&l->in_sm, "in-sm", l->img, err);
}

static void add_change(const struct job_context *l, uint64_t *change, size_t *n, uint64_t cycle)
{
    if (cycle > l->from && cycle < l->to)
        change[(*n)++] = cycle - l->from;
}

/* Of the window: reports show no time in which nothing was hit. */
static void fill_timeline(struct job_context *l)
{
    const struct residence *r = l->g->residence;
    struct timeline *time = &l->facts.timeline;
    size_t n = 0;
    uint64_t *change = fl_alloc((2 * (size_t)r->nblocks + (size_t)l->img->nlaunches) *
                                sizeof *change);
    uint64_t *from = fl_alloc((size_t)l->img->nlaunches * sizeof *from);
    for (uint32_t b = 0; b < r->nblocks; b++) {
        add_change(l, change, &n, r->block[b].from);
        add_change(l, change, &n, r->block[b].to);
    }
    for (int i = 0; i < l->img->nlaunches; i++) {
        from[i] = r->launch[i].from;
        add_change(l, change, &n, from[i]);
    }
    timeline_make(l->to - l->from, GRID, change, n, MAX_BUCKETS, time);
    for (int b = 0; b <= time->buckets; b++)
        time->edge[b] += l->from;
    timeline_launches(time, from, l->kernel, l->img->nlaunches);
    free(from);
    free(change);
}

/* Of all bits of a structure in all cycles of the window, those whose next access is a read. */
static double live_share(const struct job_context *l, int structure)
{
    const struct access_structure *s = &l->t->s[structure];
    uint64_t cycles = l->to - l->from;
    struct sm_structure geometry;
    double live = 0;
    sm_structure_get(l->img, structure, &geometry);
    for (uint32_t unit = 0; unit < s->units; unit++) {
        const struct access_unit *u = &s->unit[unit];
        int bits = geometry.field[unit % (uint32_t)geometry.nfields].bits;
        uint32_t all = bits == 32 ? ~0u : (1u << bits) - 1;
        bool alike = true; /* words of lines are mostly read and written as a whole */
        if (!u->count || !context_has_unit(l, structure, unit))
            continue;
        for (uint32_t i = 0; i < u->count; i++)
            alike &= (s->access[u->first + i].mask & all) == all;
        for (int i = 0; i < (alike ? 1 : bits); i++) {
            struct access_walk w;
            struct access_class g;
            uint64_t of_bit = 0;
            access_walk_start(&w, l->t, structure,
                              (struct sm_unit_place){unit, 1u << i, ACCESS_WHOLE});
            while (access_walk_next(&w, &g) && g.from < l->to) {
                uint64_t from = g.from > l->from ? g.from : l->from;
                uint64_t to = g.to < l->to ? g.to + 1 : l->to;
                of_bit += g.end == CLASS_READ && from < to ? to - from : 0;
            }
            live += (double)of_bit * (alike ? bits : 1);
        }
    }
    return live / ((double)context_bits(l, structure) * (double)cycles);
}

static void fill_caches(struct job_context *l)
{
    for (int i = 0; i < CACHES; i++) {
        const struct cache_count *n = &l->g->end->counts[i];
        if (!l->img->caches.cache[i].is.bytes)
            continue;
        l->facts.cache[i] = (struct result_cache){
            true, {(double)n->hits, (double)n->misses, (double)n->write_backs, NAN, NAN}};
        for (int k = 0; k < 2 && l->recorded; k++)
            l->facts.cache[i].figure[CACHE_LIVE + k] = live_share(l,
                                                                  SM_CACHE_STRUCTURES + 2 * i + k);
    }
}

/* The accesses of the window, when those of the whole run are too many. */
static void record_window(struct job_context *l)
{
    struct access_wanted wanted = {.window = true, .from = l->from, .to = l->to};
    accesses_free(l->t);
    l->t = record_run(
        l->g, &(struct record_wanted){.access_bytes = l->room.accesses, .accesses = &wanted});
    l->recorded = l->t->fit == UINT64_MAX;
    l->fits = l->t->fit > l->from ? l->t->fit - l->from : 1;
}

struct context_room context_room_of(size_t max_memory)
{
    struct context_room room = {CONTEXT_ACCESS_BYTES, FLOW_BYTES};
    if (max_memory && max_memory / 4 < room.accesses)
        room.accesses = max_memory / 4 + 1; /* 0: nobody asks for them */
    if (max_memory && max_memory / 2 < room.flow)
        room.flow = max_memory / 2;
    return room;
}

int context_open_in(struct job_context *l, const struct job *job,
                    const struct sm_image_cells *least, const struct context_window *window,
                    const struct fsim_list *faults, uint64_t max_cycles, struct context_room room,
                    struct fl_err *err)
{
    memset(l, 0, sizeof *l);
    l->room = room;
    l->job = job;
    l->img = least ? sm_image_with_cells(job, least, err) : sm_image_new(job, err);
    if (!l->img || !(l->g = golden_new(l->img, max_cycles, err))) {
        context_close(l);
        return -1;
    }
    l->t = record_run(l->g, &(struct record_wanted){.flow_bytes = room.flow,
                                                    .faults = faults,
                                                    .access_bytes = room.accesses});
    l->fits = l->t->fit;
    l->recorded = l->whole = l->fits == UINT64_MAX;
    identity_job(job, &l->facts);
    l->facts.instructions = l->g->instructions;
    l->kernel = fl_alloc((size_t)l->img->nlaunches * sizeof *l->kernel);
    for (int i = 0; i < l->img->nlaunches; i++)
        l->kernel[i] = l->facts.launch[i].kernel;
    fill_kernels(l);
    if (set_window(l, window, err) != 0) {
        context_close(l);
        return -1;
    }
    fill_timeline(l);
    if (!l->recorded && (l->from > 0 || l->to < l->g->cycles))
        record_window(l);
    fill_caches(l);
    return 0;
}

int context_open(struct job_context *l, const struct job *job, const struct context_window *window,
                 uint64_t max_cycles, struct fl_err *err)
{
    return context_open_in(l, job, NULL, window, NULL, max_cycles, context_room_of(0), err);
}

void context_watch(const struct job_context *l, struct context_watches *w,
                   const struct fsim_fault *u)
{
    for (int i = 0; i < u->cells; i++) {
        if (!sm_access_known(u[i].cell.structure))
            continue;
        FL_ROOM(w->watch, w->count, w->room, 256);
        w->watch[w->count++] = (struct access_watch){.from = u->from,
                                                     .to = u->to,
                                                     .structure = u[i].cell.structure,
                                                     .place = sm_unit_of(l->img, &u[i].cell)};
    }
}

int context_record(struct job_context *l, struct context_watches *w, struct fl_err *err)
{
    struct access_wanted wanted = {.watch = w->watch, .nwatches = w->count};
    struct accesses *t = record_run(
        l->g, &(struct record_wanted){.access_bytes = CONTEXT_ACCESS_BYTES, .accesses = &wanted});
    free(w->watch);
    *w = (struct context_watches){0};
    accesses_free(l->t);
    l->t = t;
    if (t->fit != UINT64_MAX)
        return fl_fail(err,
                       "%s: the accesses that %llu flips need take more than %zu MB; draw fewer "
                       "flips, or take fewer cycles (--cycles, --launch)",
                       l->job->path, (unsigned long long)wanted.nwatches,
                       CONTEXT_ACCESS_BYTES >> 20);
    return 0;
}

void context_part(const struct job_context *l, struct result_part *part)
{
    struct context_piece piece;
    part->tally = fl_alloc((size_t)l->facts.nlaunches * sizeof *part->tally);
    part->moment = fl_alloc((size_t)l->facts.timeline.buckets * sizeof *part->moment);
    for (uint64_t from = l->from; context_piece(l, &from, l->to - 1, &piece);) {
        part->tally[piece.launch].cycles += piece.to - piece.from;
        part->tally[piece.launch].warp_cycles += residence_warp_cycles(l->g->residence, piece.from,
                                                                       piece.to);
    }
}

void context_close(struct job_context *l)
{
    accesses_free(l->t);
    golden_free(l->g);
    sm_image_free(l->img);
    if (l->kernel)
        result_job_free(&l->facts);
    free(l->kernel);
    memset(l, 0, sizeof *l);
}

int context_launch(const struct job_context *l, uint64_t cycle)
{
    return FL_FIRST(i, 1, l->img->nlaunches, l->g->residence->launch[i].from > cycle) - 1;
}

uint64_t context_bits(const struct job_context *l, int structure)
{
    struct sm_structure s;
    int in[SM_MAX_SMS];
    sm_structure_get(l->img, structure, &s);
    return (uint64_t)sm_structure_bits(&s) * (uint64_t)fsim_sms_list(&l->in_sm, &s, in);
}

struct sm_cell context_cell(const struct job_context *l, int structure, uint64_t number)
{
    struct layout of = layout_of(l->img, structure);
    int in[SM_MAX_SMS];
    uint64_t of_sm = (uint64_t)sm_structure_bits(&of.s), bit = number % of_sm;
    fsim_sms_list(&l->in_sm, &of.s, in);
    return layout_cell(&of, in[number / of_sm], (int)(bit / (uint64_t)of.bits),
                       (int)(bit % (uint64_t)of.bits));
}

bool context_has_unit(const struct job_context *l, int structure, uint32_t unit)
{
    struct sm_structure s;
    if (l->img->sms == 1)
        return true;
    sm_structure_get(l->img, structure, &s);
    return s.places == 1 || fsim_sms_has(&l->in_sm, (int)(unit / sm_units(&s)));
}

void context_count_site(const struct job_context *l, struct sites *to, enum site_role role,
                        uint32_t site, int row, enum fsim_outcome o, uint64_t weight)
{
    if (site == SITE_NONE || weight == 0)
        return;
    const struct access_site *s = &l->t->site[site];
    int rows = l->img->profile.regs / SM_LANES; /* of an SM */
    sites_count(to, role, l->kernel[s->launch], s->pc,
                row < 0 ? -1 : row % rows - s->reg_base / SM_LANES, o, weight);
}

int context_owner(void *ctx, int sm, int warp, uint64_t cycle, int *regs)
{
    const struct job_context *l = ctx;
    const struct residence *r = l->g->residence;
    for (uint32_t b = 0; b < r->nblocks && r->block[b].from <= cycle; b++) {
        const struct run_block *o = &r->block[b];
        int at = warp - o->warp0;
        if (o->sm != sm || cycle >= o->to || at < 0 || at >= o->warps)
            continue;
        *regs = l->img->kernel[l->img->launch[o->launch].kernel].regs;
        return o->reg0 + at * SM_LANES * *regs;
    }
    return -1;
}

bool context_piece(const struct job_context *l, uint64_t *from, uint64_t to,
                   struct context_piece *out)
{
    uint64_t at = *from > l->from ? *from : l->from;
    if (at > to || at >= l->to)
        return false;
    int launch = context_launch(l, at);
    uint64_t end = l->g->residence->launch[launch].to;
    end = end < l->to ? end : l->to;
    end = end < to + 1 ? end : to + 1;
    *out = (struct context_piece){at, end, launch};
    *from = end;
    return true;
}
