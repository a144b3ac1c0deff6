/* gpu.c -- chips: made, run, copied, compared; and what outside reads of their memory. */
#include "internal.h"

#include <stdlib.h>

#include "base/hash.h"

static size_t size_of(int sms)
{
    return sizeof(struct gpu) + (size_t)sms * sizeof(struct sm);
}

struct gpu *gpu_new(const struct sm_image *img)
{
    /* pages of zeros from the system: most of an SM is room that few jobs use */
    struct gpu *g = sm_memory_pages(size_of(img->sms));
    g->img = img;
    g->sms = img->sms;
    sm_memory_init(&g->memory, img->initial, img->npages);
    g->memory.transaction = (uint32_t)img->profile.global_transaction;
    g->memory.latency = (uint32_t)img->profile.global_latency;
    struct sm_port port = gpu_port(g);
    for (int i = 0; i < g->sms; i++)
        sm_init(&g->sm[i], img, &port);
    return g;
}

void gpu_free(struct gpu *g)
{
    if (!g)
        return;
    sm_memory_free(&g->memory);
    for (int i = 0; i < g->sms; i++)
        sm_drop(&g->sm[i]);
    sm_memory_give_back(g, size_of(g->sms));
}

/* ---- time ------------------------------------------------------------------------------------ */

void gpu_tick(struct gpu *g)
{
    sm_tick(g->sm);
}

void gpu_run_slots(struct gpu *g, uint64_t cycle, uint64_t slots)
{
    sm_run_slots(g->sm, cycle, slots);
}

void gpu_run(struct gpu *g, uint64_t cycle)
{
    g->sm->stop = cycle;
    gpu_run_slots(g, cycle, UINT64_MAX);
    g->sm->stop = UINT64_MAX;
}

void gpu_step(struct gpu *g)
{
    const struct sm_commit *const *r = (const struct sm_commit *const *)&g->sm->record;
    do
        gpu_tick(g);
    while (!gpu_ended(g) && *r && (*r)->kind == COMMIT_NONE && (*r)->started < 0);
}

/* The slot in which the last block ended has not moved its stages on: that comes now, with a block to start. */
void gpu_go_on(struct gpu *g)
{
    g->grid = (struct gpu_grid){.launch = g->grid.launch + 1};
    for (int i = 0; i < g->sms; i++) {
        g->sm[i].s.over = 0;
        g->sm[i].s.try_block = 1;
        g->sm[i].s.stage[STAGE_W] = NO_WARP;
    }
}

uint64_t gpu_cycles(const struct gpu *g)
{
    return g->sm->s.next;
}

/* ---- cells ----------------------------------------------------------------------------------- */

uint32_t gpu_word_read(const struct gpu *g, const struct sm_force *at)
{
    return sm_word_read(&g->sm[at->place], at);
}

int gpu_cell_read(const struct gpu *g, const struct sm_cell *cell)
{
    return sm_cell_read(&g->sm[cell->place], cell);
}

void gpu_cell_flip(struct gpu *g, const struct sm_cell *cell)
{
    sm_cell_flip(&g->sm[cell->place], cell);
}

void gpu_add_force(struct gpu *g, const struct sm_force *f)
{
    sm_add_force(&g->sm[f->place], f);
}

/* ---- states ---------------------------------------------------------------------------------- */

void gpu_copy(struct gpu *to, const struct gpu *from)
{
    to->grid = from->grid;
    sm_memory_copy(&to->memory, &from->memory);
    for (int i = 0; i < from->sms; i++)
        sm_copy(&to->sm[i], &from->sm[i]);
}

static bool same_grid(const struct gpu *a, const struct gpu *b)
{
    return memcmp(&a->grid, &b->grid, sizeof a->grid) == 0;
}

/* But for the words of memory. */
static bool same_chip(const struct gpu *a, const struct gpu *b)
{
    return same_grid(a, b) && a->memory.port_free == b->memory.port_free;
}

bool gpu_same(const struct gpu *a, const struct gpu *b)
{
    for (int i = 0; i < a->sms; i++)
        if (!sm_same(&a->sm[i], &b->sm[i]))
            return false;
    return same_chip(a, b) && sm_memory_equal(&a->memory, &b->memory);
}

/* Cycles until the port is free, 0 when it is: what of an absolute time matters to the future. */
static uint64_t port_ahead(const struct gpu *g)
{
    uint64_t now = gpu_cycles(g);
    return g->memory.port_free > now ? g->memory.port_free - now : 0;
}

bool gpu_chip_recurs(const struct gpu *a, const struct gpu *b)
{
    return same_grid(a, b) && port_ahead(a) == port_ahead(b);
}

bool gpu_recurs(const struct gpu *a, const struct gpu *b)
{
    for (int i = 0; i < a->sms; i++)
        if (!sm_recurs(&a->sm[i], &b->sm[i]))
            return false;
    return gpu_chip_recurs(a, b) && sm_memory_equal(&a->memory, &b->memory);
}

bool gpu_same_control(const struct gpu *a, const struct gpu *b, const struct sm_force *cell)
{
    for (int i = 0; i < a->sms; i++)
        if (!sm_same_control(&a->sm[i], &b->sm[i], cell))
            return false;
    return same_chip(a, b);
}

bool gpu_same_living(const struct gpu *a, const struct gpu *b)
{
    for (int i = 0; i < a->sms; i++)
        if (!sm_same_living(&a->sm[i], &b->sm[i]))
            return false;
    return same_chip(a, b);
}

uint64_t gpu_hash(const struct gpu *g)
{
    uint64_t h = fl_hash_bytes(FL_HASH_START, &g->grid, sizeof g->grid);
    h = fl_hash_bytes(h, &g->memory.port_free, sizeof g->memory.port_free);
    for (int i = 0; i < g->sms; i++)
        h = sm_hash(&g->sm[i], h);
    for (uint32_t i = 0; i < g->memory.npages; i++)
        h = fl_hash_bytes(h, g->memory.page[i], SM_PAGE);
    return h;
}

/* ---- memory, from outside -------------------------------------------------------------------- */

void gpu_read_global(const struct gpu *g, uint32_t addr, void *out, uint32_t size)
{
    sm_memory_read(&g->memory, addr - JOB_BASE, out, size);
}

void gpu_write_global(struct gpu *g, uint32_t addr, const void *bytes, uint32_t size)
{
    sm_memory_write(&g->memory, addr - JOB_BASE, bytes, size);
}

static uint8_t *output_bytes(const struct gpu *g, int i)
{
    uint32_t size = g->img->job->output[i].size;
    uint8_t *p = fl_alloc(size);
    sm_memory_read(&g->memory, sm_output_at(g->img, i), p, size);
    return p;
}

void gpu_outputs_digest(const struct gpu *g, uint8_t digest[32])
{
    int n = g->img->job->noutputs;
    struct job_range *range = fl_alloc((size_t)n * sizeof *range);
    for (int i = 0; i < n; i++)
        range[i] = (struct job_range){output_bytes(g, i), g->img->job->output[i].size};
    job_sha256(range, n, digest);
    for (int i = 0; i < n; i++)
        free((void *)(uintptr_t)range[i].data);
    free(range);
}

bool gpu_outputs_equal(const struct gpu *a, const struct gpu *b)
{
    return gpu_same_outputs(a->img, &a->memory, &b->memory);
}

bool gpu_same_outputs(const struct sm_image *img, const struct sm_memory *a,
                      const struct sm_memory *b)
{
    const struct job *job = img->job;
    for (int i = 0; i < job->noutputs; i++) {
        uint32_t at = sm_output_at(img, i), size = job->output[i].size;
        while (size) {
            uint32_t n = SM_PAGE - at % SM_PAGE;
            n = n > size ? size : n;
            const uint8_t *p = sm_memory_at(a, at), *q = sm_memory_at(b, at);
            if (p != q && memcmp(p, q, n) != 0)
                return false;
            at += n;
            size -= n;
        }
    }
    return true;
}

void gpu_print(const struct gpu *g, struct fl_buf *out)
{
    const struct sm_state *s = &g->sm->s;
    fl_buf_printf(out, "state after %llu warp instructions, in launch %u: ",
                  (unsigned long long)s->instructions, g->grid.launch + 1);
    if (s->trap)
        fl_buf_printf(out, "trap %s\n", sm_trap_name((enum sm_trap)s->trap));
    else if (gpu_ended(g))
        fl_buf_printf(out, "%s\n",
                      g->grid.done == SM_GAVE_UP ? "the host gave up"
                      : g->grid.done             ? "finished"
                                                 : "deadlock");
    else
        fl_buf_printf(out, "its slot ends with cycle %llu\n", (unsigned long long)s->next - 1);
    for (int i = 0; i < g->sms; i++)
        sm_print_warps(&g->sm[i], out);
}
