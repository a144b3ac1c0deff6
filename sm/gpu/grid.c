/* grid.c -- launches and their blocks: which comes next, and what an SM's port tells it. */
#include "internal.h"

#include "sm/sink.h"

static bool next_block(void *chip, struct sm_order *out)
{
    const struct gpu *g = chip;
    *out = (struct sm_order){g->grid.launch, g->grid.next_block};
    return g->grid.next_block < g->img->launch[g->grid.launch].blocks;
}

static void take_block(void *chip)
{
    struct gpu *g = chip;
    g->grid.next_block++;
}

/* Of the memory pages; what the host has read is in no structure. */
static void tell_pages(struct sm_sink *k, const struct sm_image *img, uint32_t at, uint32_t size,
                       bool write)
{
    if (at < img->global_bytes)
        sm_tell_bytes(k, SM_S_global, at, size, k->cycle, write);
    else if (at >= img->const_offset)
        sm_tell_bytes(k, SM_S_const, at - img->const_offset, size, k->cycle, write);
}

/* The host reads the word by which it decides, then does what comes before the next launch. */
static void tell_host(struct sm_sink *k, const struct gpu *g, uint32_t next)
{
    const struct sm_image *img = g->img;
    const struct sm_launch *l = &img->launch[g->grid.launch];
    struct sm_steps steps = sm_steps_before(img, next);
    bool instruction = k->instruction;
    k->instruction = false;
    if (l->decides)
        tell_pages(k, img, l->word - JOB_BASE, 4, false);
    for (uint32_t i = steps.first; next != SM_HOST_GIVES_UP && i < steps.first + steps.count; i++) {
        const struct sm_step *s = &img->step[i];
        if (s->copies)
            tell_pages(k, img, s->from, s->size, false);
        tell_pages(k, img, s->to, s->size, true);
    }
    k->instruction = instruction;
}

static bool end_block(void *chip)
{
    struct gpu *g = chip;
    struct gpu_grid *grid = &g->grid;
    if (++grid->ended_blocks < g->img->launch[grid->launch].blocks)
        return true;
    uint32_t next = gpu_next_launch(g->img, &g->memory, grid->launch);
    if (g->sm->sink)
        tell_host(g->sm->sink, g, next);
    if (next != SM_HOST_GIVES_UP)
        gpu_host(g->img, &g->memory, next);
    if (next < SM_JOB_OVER)
        *grid = (struct gpu_grid){.launch = next};
    else
        grid->done = next == SM_HOST_GIVES_UP ? SM_GAVE_UP : 1;
    return !grid->done;
}

struct sm_port gpu_port(struct gpu *g)
{
    return (struct sm_port){.memory = &g->memory,
                            .chip = g,
                            .next_block = next_block,
                            .take_block = take_block,
                            .end_block = end_block};
}
