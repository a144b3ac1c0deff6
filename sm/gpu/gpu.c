/* gpu.c -- chips: made, run, copied, compared; and what outside reads of their memory. */
#include "internal.h"

#include <stdlib.h>

#include "base/hash.h"

static size_t size_of(int sms)
{
    return sizeof(struct gpu) + (size_t)sms * sizeof(struct sm);
}

int gpu_channels(const struct gpu *g)
{
    return g->img->profile.ports == PORTS_SM ? g->sms : g->img->profile.partitions;
}

struct gpu *gpu_new(const struct sm_image *img)
{
    /* pages of zeros from the system: most of an SM is room that few jobs use */
    struct gpu *g = sm_memory_pages(size_of(img->sms));
    g->img = img;
    g->sms = img->sms;
    sm_memory_init(&g->memory, img->initial, img->npages);
    g->grid.awake = g->sms > 1 ? (uint32_t)g->sms : 0;
    for (int i = 0; i < gpu_channels(g); i++)
        g->channel[i] = (struct sm_channel){
            .transaction = (uint32_t)img->profile.global_transaction,
            .latency = (uint32_t)img->profile.global_latency};
    for (int i = 0; i < g->sms; i++) {
        struct sm_port port = gpu_port(g, i);
        sm_init(&g->sm[i], img, &port);
    }
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

/* Those that run. */
static int first_sm(const struct gpu *g)
{
    return g->single ? g->single - 1 : 0;
}

static int end_sm(const struct gpu *g)
{
    return g->single ? g->single : g->sms;
}

/* ---- time ------------------------------------------------------------------------------------ */

int gpu_find_turn(const struct gpu *g)
{
    if (g->single)
        return g->single - 1;
    if (gpu_ended(g))
        return g->grid.last;
    int first = -1;
    for (int i = 0; i < g->sms; i++)
        if (!g->sm[i].s.deadlock && (first < 0 || g->sm[i].s.next < g->sm[first].s.next))
            first = i;
    return first;
}

/* The SM that was the last one to fall asleep. */
static int last_asleep(const struct gpu *g)
{
    int last = 0;
    for (int i = 1; i < g->sms; i++) {
        const struct sm_state *s = &g->sm[i].s, *t = &g->sm[last].s;
        last = s->next - s->slot >= t->next - t->slot ? i : last;
    }
    return last;
}

static void falls_asleep(struct gpu *g)
{
    if (!--g->grid.awake)
        g->grid.last = last_asleep(g);
}

/* A slot of SM `i` is over: does the job end with it? */
static void after_slot(struct gpu *g, int i)
{
    const struct sm_state *s = &g->sm[i].s;
    if (s->trap || s->over) {
        g->grid.awake = 0;
        g->grid.last = i;
    } else if (s->deadlock) {
        falls_asleep(g);
    }
}

void gpu_tick_chip(struct gpu *g, int turn)
{
    sm_tick(&g->sm[turn]);
    if (!g->single)
        after_slot(g, turn);
}

/* The SMs that can go on, as a heap: the first in the order on top. */
struct turns {
    const struct gpu *g;
    int count;
    uint8_t sm[SM_MAX_SMS];
};

static bool comes_before(const struct gpu *g, int a, int b)
{
    uint64_t x = g->sm[a].s.next, y = g->sm[b].s.next;
    return x < y || (x == y && a < b);
}

static void sift_down(struct turns *t, int at)
{
    for (int child; (child = 2 * at + 1) < t->count; at = child) {
        if (child + 1 < t->count && comes_before(t->g, t->sm[child + 1], t->sm[child]))
            child++;
        if (!comes_before(t->g, t->sm[child], t->sm[at]))
            return;
        uint8_t up = t->sm[child];
        t->sm[child] = t->sm[at];
        t->sm[at] = up;
    }
}

static void collect(struct turns *t, const struct gpu *g)
{
    *t = (struct turns){.g = g};
    for (int i = 0; i < g->sms; i++)
        if (!g->sm[i].s.deadlock)
            t->sm[t->count++] = (uint8_t)i;
    for (int i = t->count / 2; i-- > 0;)
        sift_down(t, i);
}

/* Each SM runs ahead to a slot in which it may touch what all share; those are done in order. */
static void run_together(struct gpu *g, uint64_t cycle)
{
    struct turns t;
    bool shares_channel = g->img->profile.ports == PORTS_CHIP || g->img->caches.chip;
    for (int i = 0; i < g->sms && !gpu_ended(g); i++)
        if (!g->sm[i].s.deadlock && sm_run_ahead(&g->sm[i], cycle, shares_channel))
            falls_asleep(g);
    collect(&t, g);
    while (!gpu_ended(g) && g->sm[t.sm[0]].s.next <= cycle) {
        int i = t.sm[0];
        struct sm *m = &g->sm[i];
        uint32_t launch = g->grid.launch;
        sm_run_slots(m, cycle, 1);
        after_slot(g, i);
        if (gpu_ended(g))
            return;
        if (!m->s.deadlock && sm_run_ahead(m, cycle, shares_channel))
            falls_asleep(g);
        if (g->grid.launch != launch) { /* others woke up */
            collect(&t, g);
            continue;
        }
        if (m->s.deadlock) /* it fell asleep */
            t.sm[0] = t.sm[--t.count];
        sift_down(&t, 0);
    }
}

void gpu_run_slots(struct gpu *g, uint64_t cycle, uint64_t slots)
{
    if (g->sms == 1)
        sm_run_slots(g->sm, cycle, slots);
    else if (g->single)
        sm_run_slots(&g->sm[g->single - 1], cycle, slots);
    else if (slots == UINT64_MAX)
        run_together(g, cycle);
    else
        for (; slots && !gpu_ended(g) && g->sm[gpu_turn(g)].s.next <= cycle; slots--)
            gpu_tick(g);
}

void gpu_run(struct gpu *g, uint64_t cycle)
{
    for (int i = first_sm(g); i < end_sm(g); i++)
        g->sm[i].stop = cycle;
    gpu_run_slots(g, cycle, UINT64_MAX);
    for (int i = first_sm(g); i < end_sm(g); i++)
        g->sm[i].stop = UINT64_MAX;
}

void gpu_step(struct gpu *g)
{
    const struct sm_commit *r;
    do
        r = g->sm[gpu_tick(g)].record;
    while (!gpu_ended(g) && r && r->kind == COMMIT_NONE && r->started < 0);
}

/* The slot in which the last block ended has not moved its stages on: that comes now, with a block to start. */
void gpu_go_on(struct gpu *g)
{
    g->sm[gpu_turn(g)].s.over = 0;
    g->sm[gpu_turn(g)].s.stage[STAGE_W] = NO_WARP;
    gpu_begin_launch(g, g->grid.launch + 1, gpu_turn(g));
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
    g->changed = cell->place;
    sm_cell_flip(&g->sm[cell->place], cell);
}

void gpu_add_force(struct gpu *g, const struct sm_force *f)
{
    g->changed = f->place;
    if (!f->chip)
        sm_add_force(&g->sm[f->place], f);
    for (int i = 0; f->chip && i < g->sms; i++) /* each of them may write it */
        sm_add_force(&g->sm[i], f);
}

void gpu_drop_forces(struct gpu *g)
{
    for (int i = first_sm(g); i < end_sm(g); i++)
        g->sm[i].nforces = 0;
}

void gpu_copy_forces(struct gpu *to, const struct gpu *from)
{
    for (int i = first_sm(from); i < end_sm(from); i++) {
        to->sm[i].nforces = from->sm[i].nforces;
        memcpy(to->sm[i].force, from->sm[i].force,
               (size_t)from->sm[i].nforces * sizeof *from->sm[i].force);
    }
}

bool gpu_has_forces(const struct gpu *g)
{
    bool some = false;
    for (int i = first_sm(g); i < end_sm(g); i++)
        some |= g->sm[i].nforces > 0;
    return some;
}

void gpu_record(struct gpu *g, struct sm_commit *c)
{
    for (int i = 0; i < g->sms; i++)
        g->sm[i].record = c;
}

/* ---- states ---------------------------------------------------------------------------------- */

void gpu_copy(struct gpu *to, const struct gpu *from)
{
    if (from->single) {
        gpu_copy_single_sm(to, from, from->single - 1);
        return;
    }
    to->single = 0;
    to->grid = from->grid;
    sm_memory_copy(&to->memory, &from->memory);
    for (int i = 0; i < gpu_channels(from); i++)
        to->channel[i] = from->channel[i];
    for (int i = 0; i < from->sms; i++)
        sm_copy(&to->sm[i], &from->sm[i]);
}

void gpu_copy_single_sm(struct gpu *to, const struct gpu *from, int sm)
{
    to->single = sm + 1;
    to->grid = from->grid;
    if (!from->single)
        to->grid.ended_blocks = 0; /* the others' are of no concern */
    sm_memory_copy(&to->memory, &from->memory);
    to->channel[sm] = from->channel[sm];
    sm_copy(&to->sm[sm], &from->sm[sm]);
}

/* What of the grid this chip has. */
static size_t grid_size(const struct gpu *g)
{
    bool fixed = g->img->profile.blocks == BLOCKS_FIXED;
    return offsetof(struct gpu_grid, taken) + (fixed ? (size_t)g->sms * sizeof *g->grid.taken : 0);
}

static bool same_grid(const struct gpu *a, const struct gpu *b)
{
    return memcmp(&a->grid, &b->grid, grid_size(a)) == 0;
}

/* But for the words of memory. */
static bool same_chip(const struct gpu *a, const struct gpu *b)
{
    for (int i = 0; i < gpu_channels(a); i++)
        if (a->channel[i].free != b->channel[i].free)
            return false;
    return same_grid(a, b);
}

/* SM number i of a walk that begins with SM `first`. */
static int from_first(const struct gpu *g, int first, int i)
{
    return first + i < g->sms ? first + i : first + i - g->sms;
}

bool gpu_same(const struct gpu *a, const struct gpu *b)
{
    if (!same_chip(a, b))
        return false;
    for (int k = 0; k < a->sms; k++) {
        int i = from_first(a, a->changed, k);
        if (!sm_same(&a->sm[i], &b->sm[i]))
            return false;
    }
    return sm_memory_equal(&a->memory, &b->memory);
}

/* Cycles until a channel is free, 0 when it is: what of an absolute time matters to the future. */
static uint64_t channel_ahead(const struct gpu *g, int i, uint64_t now)
{
    return g->channel[i].free > now ? g->channel[i].free - now : 0;
}

bool gpu_chip_recurs(const struct gpu *a, const struct gpu *b)
{
    uint64_t x = gpu_cycles(a), y = gpu_cycles(b);
    for (int i = first_sm(a); i < (a->single ? a->single : gpu_channels(a)); i++)
        if (channel_ahead(a, i, x) != channel_ahead(b, i, y))
            return false;
    return same_grid(a, b);
}

/* A sleeping SM has a slot in each beat time. */
bool gpu_in_phase(const struct gpu *a, const struct gpu *b)
{
    uint64_t x = gpu_cycles(a), y = gpu_cycles(b);
    uint32_t beats = a->img->beats;
    if (a->single) /* the others sleep, or will */
        return (x - y) % beats == 0;
    for (int i = 0; a->sms > 1 && i < a->sms; i++) {
        uint64_t p = a->sm[i].s.next - x,
                 q = b->sm[i].s.next - y; /* modulo 2^64, a multiple of beats */
        if (a->sm[i].s.deadlock ? p % beats != q % beats : p != q)
            return false;
    }
    return true;
}

bool gpu_recurs(const struct gpu *a, const struct gpu *b)
{
    int turn = gpu_turn(a); /* the others may sleep, and be equal */
    for (int k = 0; k < (a->single ? 1 : a->sms); k++) {
        int i = from_first(a, turn, k);
        if (!sm_recurs(&a->sm[i], &b->sm[i]))
            return false;
    }
    return gpu_in_phase(a, b) && gpu_chip_recurs(a, b) && sm_memory_equal(&a->memory, &b->memory);
}

uint64_t gpu_hash(const struct gpu *g)
{
    uint64_t h = fl_hash_bytes(FL_HASH_START, &g->grid, grid_size(g));
    for (int i = 0; i < gpu_channels(g); i++)
        h = fl_hash_bytes(h, &g->channel[i].free, sizeof g->channel[i].free);
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
    fl_buf_printf(out, "state after %llu warp instructions, in launch %u: ",
                  (unsigned long long)gpu_instructions(g), g->grid.launch + 1);
    if (gpu_trap(g))
        fl_buf_printf(out, "trap %s\n", sm_trap_name(gpu_trap(g)));
    else if (gpu_ended(g))
        fl_buf_printf(out, "%s\n",
                      g->grid.done == SM_GAVE_UP ? "the host gave up"
                      : g->grid.done             ? "finished"
                                                 : "deadlock");
    else
        fl_buf_printf(out, "its slot ends with cycle %llu\n",
                      (unsigned long long)gpu_cycles(g) - 1);
    for (int i = 0; i < g->sms; i++) {
        if (g->sms > 1)
            fl_buf_printf(out, "sm%d\n", i);
        sm_print_warps(&g->sm[i], out);
    }
}
