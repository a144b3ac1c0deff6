/* grid.c -- launches and their blocks: which comes next, and what an SM's port tells it. */
#include "internal.h"

#include "sm/sink.h"

uint32_t gpu_next_launch(const struct sm_image *img, const struct sm_memory *memory,
                         uint32_t launch)
{
    const struct sm_launch *l = &img->launch[launch];
    uint32_t next = launch + 1, value = 0;
    if (l->decides)
        memcpy(&value, sm_memory_at(memory, l->word - JOB_BASE), sizeof value);
    if (l->decides && value == l->until)
        next = l->over;
    else if (l->last_pass)
        return SM_HOST_GIVES_UP;
    return next < (uint32_t)img->nlaunches ? next : SM_JOB_OVER;
}

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

/* The host reads a word of global memory. */
static void tell_host(struct sm_sink *k, uint32_t addr)
{
    bool instruction = k->instruction;
    k->instruction = false;
    sm_tell_bytes(k, SM_S_global, addr - JOB_BASE, 4, k->cycle, false);
    k->instruction = instruction;
}

static bool end_block(void *chip)
{
    struct gpu *g = chip;
    struct gpu_grid *grid = &g->grid;
    const struct sm_launch *l = &g->img->launch[grid->launch];
    if (++grid->ended_blocks < l->blocks)
        return true;
    if (l->decides && g->sm->sink)
        tell_host(g->sm->sink, l->word);
    uint32_t next = gpu_next_launch(g->img, &g->memory, grid->launch);
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
