/* grid.c -- launches and their blocks: which comes next, and what an SM's port tells it. */
#include "internal.h"

#include "sm/hook.h"

static bool next_block(void *chip, int sm, struct sm_order *out)
{
    const struct gpu *g = chip;
    uint32_t block = g->grid.next_block;
    if (g->img->profile.blocks == BLOCKS_FIXED)
        block = g->grid.taken[sm] * (uint32_t)g->sms + (uint32_t)sm;
    *out = (struct sm_order){g->grid.launch, block};
    return block < g->img->launch[g->grid.launch].blocks;
}

static void report_log(const struct gpu *g, int sm, uint32_t block, bool ends)
{
    if (g->log)
        g->log->block(g->log->context, sm, g->grid.launch, block, g->sm[sm].s.next - 1, ends);
}

static void take_block(void *chip, int sm)
{
    struct gpu *g = chip;
    struct sm_order o;
    (void)next_block(g, sm, &o);
    report_log(g, sm, o.block, false);
    if (g->img->profile.blocks == BLOCKS_FIXED)
        g->grid.taken[sm]++;
    else
        g->grid.next_block++;
}

/* No SM has a block of another launch. One that sleeps has had a slot in each beat time since: the next one is
 * the first behind the slot of SM `by` in the order. */
void gpu_begin_launch(struct gpu *g, uint32_t launch, int by)
{
    uint64_t now = g->sm[by].s.next, beats = g->img->beats;
    for (int i = 0; i < g->sms; i++) {
        struct sm_state *s = &g->sm[i].s;
        s->try_block = 1;
        if (!s->deadlock)
            continue;
        uint64_t from = now + (i < by); /* a slot that ends before cycle `from` has been */
        if (s->next < from)
            s->next += (from - s->next + beats - 1) / beats * beats;
        s->deadlock = 0;
    }
    g->grid = (struct gpu_grid){.launch = launch, .awake = g->sms > 1 ? (uint32_t)g->sms : 0};
}

/* Of the memory pages; what the host has read is in no structure. */
static void report_pages(struct sm_hook *k, const struct sm_image *img, uint32_t at, uint32_t size,
                         bool write)
{
    if (at < img->global_bytes)
        sm_report_bytes(k, SM_S_global, at, size, k->cycle, write);
    else if (at >= img->const_offset)
        sm_report_bytes(k, SM_S_const, at - img->const_offset, size, k->cycle, write);
}

/* The host reads the word by which it decides, then does what comes before the next launch. */
static void report_host(struct sm_hook *k, const struct gpu *g, uint32_t next)
{
    const struct sm_image *img = g->img;
    const struct sm_launch *l = &img->launch[g->grid.launch];
    struct sm_steps steps = sm_steps_before(img, next);
    bool instruction = k->instruction;
    k->instruction = false;
    if (l->decides)
        report_pages(k, img, l->word - JOB_BASE, 4, false);
    for (uint32_t i = steps.first; next != SM_HOST_GIVES_UP && i < steps.first + steps.count; i++) {
        const struct sm_step *s = &img->step[i];
        if (s->copies)
            report_pages(k, img, s->from, s->size, false);
        report_pages(k, img, s->to, s->size, true);
    }
    k->instruction = instruction;
}

/* By the SM whose slot ends the launch. */
static void empty_caches(struct gpu *g, int by, enum cache_place place)
{
    for (int c = 0; c < CACHES; c++)
        for (int i = 0; i < (place == CACHE_OF_SM ? g->sms : 1); i++)
            if (g->img->caches.cache[c].is.bytes && profile_cache_place(c) == place)
                sm_empty_cache(&g->sm[by], c, i);
}

/* Between this launch and the next: it reads or writes memory, which no cache knows of. A live host says so when it does. */
static bool host_looks(const struct sm_image *img, uint32_t launch)
{
    return launch + 1 >= (uint32_t)img->nlaunches ? !img->live : gpu_host_between(img, launch);
}

void gpu_host_looks(struct gpu *g)
{
    empty_caches(g, gpu_turn(g), CACHE_OF_CHIP);
}

static bool end_block(void *chip, int sm, uint32_t block)
{
    struct gpu *g = chip;
    struct gpu_grid *grid = &g->grid;
    report_log(g, sm, block, true);
    if (++grid->ended_blocks < g->img->launch[grid->launch].blocks)
        return true;
    empty_caches(g, sm, CACHE_OF_SM);
    if (host_looks(g->img, grid->launch))
        empty_caches(g, sm, CACHE_OF_CHIP);
    uint32_t next = gpu_next_launch(g->img, &g->memory, grid->launch);
    if (g->sm[sm].hook)
        report_host(g->sm[sm].hook, g, next);
    if (next != SM_HOST_GIVES_UP)
        gpu_host(g->img, &g->memory, next);
    if (next < SM_JOB_OVER)
        gpu_begin_launch(g, next, sm);
    else
        grid->done = next == SM_HOST_GIVES_UP ? SM_GAVE_UP : 1;
    return !grid->done;
}

struct sm_port gpu_port(struct gpu *g, int sm)
{
    return (struct sm_port){.memory = &g->memory,
                            .channel = &g->channel[g->img->profile.ports == PORTS_SM ? sm : 0],
                            .counts = g->counts,
                            .number = sm,
                            .chip = g,
                            .next_block = next_block,
                            .take_block = take_block,
                            .end_block = end_block};
}
