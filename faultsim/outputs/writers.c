/* writers.c -- see writers.h. */
#include "writers.h"

#include <stdlib.h>
#include <string.h>

#include "base/search.h"

const struct writer writer_none = {UINT32_MAX, UINT32_MAX, UINT16_MAX, UINT8_MAX, UINT8_MAX};

struct range { /* of an output, in the memory pages */
    uint32_t from, to;
    int output;
};

struct writers {
    const struct sm_image *img;
    uint32_t *until;     /* [outputs]: stores of this launch and of later ones come too late */
    uint32_t widest;     /* bytes of the largest output */
    struct range *range; /* by `from` */
    struct writer **of;  /* [outputs][elements] */
    uint64_t written;
};

static uint32_t element_size(const struct job_output *o)
{
    return o->typed ? (uint32_t)job_element_size(o->element) : 4;
}

/* The launch behind which the host takes it. */
static uint32_t taken_before(const struct sm_image *img, int output)
{
    uint32_t launch = img->job->output[output].taken ? 0 : UINT32_MAX;
    for (uint32_t l = 0; launch != UINT32_MAX && l <= (uint32_t)img->nlaunches; l++) {
        const struct sm_steps s = sm_steps_before(img, l);
        for (uint32_t i = s.first; i < s.first + s.count; i++)
            if (img->step[i].copies && img->step[i].to == img->taken[output])
                launch = l;
    }
    return launch;
}

static int by_address(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

struct writers *writers_new(const struct sm_image *img)
{
    const struct job *job = img->job;
    const size_t n = (size_t)job->noutputs;
    struct writers *w = fl_alloc(sizeof *w);
    w->img = img;
    w->until = fl_alloc(n * sizeof *w->until);
    w->range = fl_alloc(n * sizeof *w->range);
    w->of = fl_alloc(n * sizeof *w->of);
    for (int i = 0; i < job->noutputs; i++) {
        const struct job_output *o = &job->output[i];
        const uint32_t from = job->buffer[o->buffer].addr + o->offset - JOB_BASE;
        const uint32_t size = element_size(o), elements = (from % size + o->size + size - 1) / size;
        w->until[i] = taken_before(img, i);
        w->range[i] = (struct range){from, from + o->size, i};
        w->widest = o->size > w->widest ? o->size : w->widest;
        w->of[i] = fl_alloc(elements * sizeof **w->of);
        for (uint32_t e = 0; e < elements; e++)
            w->of[i][e] = writer_none;
    }
    qsort(w->range, n, sizeof *w->range, by_address);
    return w;
}

void writers_free(struct writers *w)
{
    if (!w)
        return;
    for (int i = 0; i < w->img->job->noutputs; i++)
        free(w->of[i]);
    free(w->of);
    free(w->until);
    free(w->range);
    free(w);
}

/* Bytes [from, to) of the memory pages. */
static void note(struct writers *w, uint32_t from, uint32_t to, const struct writer *by)
{
    const int n = w->img->job->noutputs;
    for (int i = FL_FIRST(k, 0, n, w->range[k].from >= to) - 1;
         i >= 0 && w->range[i].from + w->widest > from; i--) {
        const struct range *r = &w->range[i];
        const uint32_t size = element_size(&w->img->job->output[r->output]);
        if (r->to <= from || by->launch >= w->until[r->output])
            continue;
        const uint32_t first = from > r->from ? from : r->from, last = to < r->to ? to : r->to;
        for (uint32_t e = first / size; e <= (last - 1) / size; e++) {
            struct writer *now = &w->of[r->output][e - r->from / size];
            w->written += now->lane == writer_none.lane;
            *now = *by;
        }
    }
}

void writers_commit(struct writers *w, const struct sm_commit *c, int warp0)
{
    if (c->kind != COMMIT_INSTRUCTION || c->space != ISA_G || !c->store)
        return;
    struct writer by = {.block = c->block_y * w->img->launch[c->launch].grid[0] + c->block_x,
                        .pc = c->pc,
                        .launch = (uint16_t)c->launch,
                        .warp = (uint8_t)(c->warp - warp0)};
    for (int lane = 0; lane < SM_LANES; lane++) {
        const uint32_t at = c->addr[lane] - JOB_BASE;
        by.lane = (uint8_t)lane;
        if (c->exec >> lane & 1)
            note(w, at, at + c->bytes, &by);
    }
}

const struct sm_image *writers_image(const struct writers *w)
{
    return w->img;
}

uint64_t writers_written(const struct writers *w)
{
    return w->written;
}

const struct writer *writers_of(const struct writers *w, int output, uint32_t element)
{
    return &w->of[output][element];
}
