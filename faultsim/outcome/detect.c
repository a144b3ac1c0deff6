/* detect.c -- see detect.h. */
#include "detect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An output, and the launch before which the host takes it for the last time. */
struct taken {
    uint32_t launch;
    int output;
};

struct detection {
    const struct sm_image *img;
    const struct outputs *outputs;
    struct taken *taken; /* in the order of time */
    int n;
};

/* UINT32_MAX: no step before a launch takes it. */
static uint32_t last_taken(const struct sm_image *img, int output)
{
    const uint32_t at = sm_output_at(img, output);
    for (uint32_t l = (uint32_t)img->nlaunches + 1; l-- > 0;) {
        const struct sm_steps steps = sm_steps_before(img, l);
        for (uint32_t i = steps.first; i < steps.first + steps.count; i++)
            if (img->step[i].copies && img->step[i].to == at)
                return l;
    }
    return UINT32_MAX;
}

static int by_time(const void *a, const void *b)
{
    const struct taken *x = a, *y = b;
    return x->launch != y->launch ? (x->launch > y->launch) - (x->launch < y->launch)
                                  : x->output - y->output;
}

struct detection *detection_new(const struct sm_image *img, const struct outputs *outputs)
{
    struct detection *d = fl_alloc(sizeof *d);
    *d = (struct detection){img, outputs, fl_alloc((size_t)img->job->noutputs * sizeof *d->taken),
                            0};
    for (int i = 0; i < img->job->noutputs; i++) {
        const struct job_output *o = &img->job->output[i];
        const uint32_t launch = o->taken && outputs_decides(outputs, i) ? last_taken(img, i)
                                                                        : UINT32_MAX;
        if (launch != UINT32_MAX)
            d->taken[d->n++] = (struct taken){launch, i};
    }
    qsort(d->taken, (size_t)d->n, sizeof *d->taken, by_time);
    return d;
}

void detection_free(struct detection *d)
{
    if (d)
        free(d->taken);
    free(d);
}

bool detection_decides(const struct detection *d)
{
    return d->n && d->taken[0].launch < (uint32_t)d->img->nlaunches;
}

bool detection_wrong(const struct detection *d, const struct dut_end *now, char what[64])
{
    /* what the host takes behind the last launch it takes when the job is done */
    const uint32_t launch = now->how == DUT_DONE ? UINT32_MAX : now->launch;
    for (int i = 0; i < d->n && d->taken[i].launch <= launch; i++) {
        const int output = d->taken[i].output;
        uint32_t offset;
        if (now->how != DUT_DONE && d->taken[i].launch == (uint32_t)d->img->nlaunches)
            break;
        if (!outputs_differ(d->outputs, now->memory, output, &offset))
            continue;
        snprintf(what, 64, "output:%.40s+0x%x", d->img->job->output[output].name, offset);
        return true;
    }
    return false;
}
