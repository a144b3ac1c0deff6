/* host.c -- what the host does between two launches: which one comes next, and the bytes that it
 * writes and copies. What it reads goes to pages that only it has, so a copy of the memory has that
 * too.
 */
#include "gpu.h"

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

static void copy(struct sm_memory *memory, const struct sm_step *s)
{
    uint8_t bytes[SM_PAGE];
    for (uint32_t at = 0, n; at < s->size; at += n) {
        n = s->size - at < SM_PAGE ? s->size - at : SM_PAGE;
        sm_memory_read(memory, s->from + at, bytes, n);
        sm_memory_write(memory, s->to + at, bytes, n);
    }
}

static void fill(struct sm_memory *memory, const struct sm_step *s)
{
    uint8_t bytes[SM_PAGE];
    for (uint32_t i = 0; i < SM_PAGE; i++)
        bytes[i] = (uint8_t)(s->value >> 8 * (i % 4));
    for (uint32_t at = 0; at < s->size; at += SM_PAGE)
        sm_memory_write(memory, s->to + at, bytes, s->size - at < SM_PAGE ? s->size - at : SM_PAGE);
}

void gpu_host(const struct sm_image *img, struct sm_memory *memory, uint32_t launch)
{
    struct sm_steps steps = sm_steps_before(img, launch);
    for (uint32_t i = steps.first; i < steps.first + steps.count; i++) {
        const struct sm_step *s = &img->step[i];
        if (s->copies)
            copy(memory, s);
        else if (s->data)
            sm_memory_write(memory, s->to, s->data, s->size);
        else
            fill(memory, s);
    }
}
