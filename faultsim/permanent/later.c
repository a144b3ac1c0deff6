/* later.c -- a program that uses the device several times: of each further use, recorded as a job of its own, which faults act in it.
 *
 * A fault that acts in none of them is decided as if there were the first use alone; for the others the program runs.
 */
#include "part.h"

#include <stdlib.h>

#include "faultsim/record/run.h"

int permanent_later_load(struct later *l, const struct program *host, struct fl_err *err)
{
    const char *path;
    for (int i = 1; host && (path = program_job(host, i)); i++) {
        l->job = fl_grow(l->job, (size_t)i, sizeof *l->job);
        if (job_load(path, NULL, &l->job[i - 1], err) != 0)
            return -1;
        l->jobs = i;
    }
    return 0;
}

void permanent_later_free(struct later *l)
{
    for (int i = 0; i < l->jobs; i++)
        job_free(l->job[i]);
    free(l->job);
    free(l->acts);
    *l = (struct later){0};
}

/* In one of them, which begins in cycle *from of the program, and ends in another. */
static int run_job(struct later *l, int n, const struct fsim_campaign *c, uint64_t *from,
                   uint64_t max_cycles, struct fl_err *err)
{
    struct sm_image *img = sm_image_with_cells(l->job[n], &c->sizes.least, err);
    struct golden *g = img ? golden_new(img, max_cycles, err) : NULL;
    if (g) {
        record_run(g, &(struct record_wanted){.faults = &c->list});
        struct reference *ref = reference_of(g);
        for (long i = 0; i < c->list.count; i++) {
            uint64_t first = fsim_first_activation(ref, &c->list.fault[i]);
            if (first != FSIM_NEVER && l->acts[i] == FSIM_NEVER)
                l->acts[i] = *from + first;
        }
        *from += g->cycles;
        l->cycles += g->cycles;
        reference_free(ref);
    }
    golden_free(g);
    sm_image_free(img);
    return g ? 0 : -1;
}

int permanent_later_run(struct later *l, const struct fsim_campaign *c, uint64_t cycles,
                        uint64_t max_cycles, struct fl_err *err)
{
    int bad = 0;
    if (!l->jobs)
        return 0;
    l->acts = fl_alloc((size_t)c->list.count * sizeof *l->acts);
    for (long i = 0; i < c->list.count; i++)
        l->acts[i] = FSIM_NEVER;
    for (int n = 0; n < l->jobs && !bad; n++)
        bad = run_job(l, n, c, &cycles, max_cycles, err);
    return bad;
}
