/* together.c -- see together.h. */
#include "together.h"

#include <stdlib.h>
#include <string.h>

#include "campaign.h"

static int note(void *context, int part, const struct store_injection *i)
{
    struct together *r = context;
    struct fsim_result result = fsim_result_kept(i);
    if (i->place < 1 || i->place > r->places)
        return 1;
    struct together_fault *f = &r->fault[i->place - 1];
    f->target = result.untestable ? -1 : r->target_of[part];
    f->detected |= (uint64_t)fsim_detected(&result, r->timing) << r->job;
    return 0;
}

static bool read_faults(struct together *r)
{
    const struct result *of = r->result;
    struct fl_err ignored;
    for (int i = 0; i < of->nparts; i++) {
        int t = 0;
        while (t < r->targets && strcmp(r->target[t], of->part[i].target) != 0)
            t++;
        r->target[t] = of->part[i].target;
        r->targets += t == r->targets;
        r->target_of[i] = t;
        r->places += of->part[i].job == 0 ? of->part[i].flips : 0;
    }
    r->fault = fl_alloc((r->places ? r->places : 1) * sizeof *r->fault);
    for (uint64_t i = 0; i < r->places; i++)
        r->fault[i].target = -1;
    for (r->job = 0; r->job < of->njobs; r->job++)
        if (store_list(r->store, r->job, note, r, &ignored) != 0)
            return false;
    for (int t = 0; t < r->targets; t++) {
        struct estimate_found found = {.target = r->target[t]};
        for (uint64_t i = 0; i < r->places; i++)
            found.testable += r->fault[i].target == t;
        struct estimate e = estimate_of(of, &found);
        r->weight[t] = e.drawn && found.testable
                           ? (double)(e.faults - e.untestable) / (double)found.testable
                           : 1;
    }
    return true;
}

struct estimate together_detect(const struct together *r, uint64_t jobs)
{
    struct estimate_found *found = fl_alloc((size_t)r->targets * sizeof *found);
    for (int t = 0; t < r->targets; t++)
        found[t].target = r->target[t];
    for (uint64_t i = 0; i < r->places; i++)
        if (r->fault[i].target >= 0) {
            found[r->fault[i].target].testable++;
            found[r->fault[i].target].detected += (r->fault[i].detected & jobs) != 0;
        }
    int n = 0; /* those with something to detect */
    for (int t = 0; t < r->targets; t++)
        if (found[t].testable)
            found[n++] = found[t];
    struct estimate e = {0};
    if (n)
        e = estimate_sum(r->result, found, n);
    free(found);
    return e;
}

static double gain(const struct together *r, uint64_t before, int job)
{
    double sum = 0;
    for (uint64_t i = 0; i < r->places; i++)
        if (r->fault[i].target >= 0 && !(r->fault[i].detected & before) &&
            (r->fault[i].detected >> job & 1))
            sum += r->weight[r->fault[i].target];
    return sum / (double)(result_cycles(&r->result->job[job]) + 1);
}

void together_greedy(const struct together *r, int order[TOGETHER_JOBS])
{
    uint64_t taken = 0;
    for (int k = 0; k < r->result->njobs; k++) {
        double most = -1;
        for (int j = 0; j < r->result->njobs; j++) {
            double more = taken >> j & 1 ? -1 : gain(r, taken, j);
            if (more > most) {
                most = more;
                order[k] = j;
            }
        }
        taken |= UINT64_C(1) << order[k];
    }
}

bool together_open(const struct store *s, bool timing, struct together *r)
{
    const struct result *of = store_result(s);
    *r = (struct together){.store = s, .result = of, .timing = timing};
    if (of->njobs > TOGETHER_JOBS)
        return false;
    r->target_of = fl_alloc((size_t)of->nparts * sizeof(int));
    r->target = fl_alloc((size_t)(of->nparts + 1) * sizeof(char *));
    r->weight = fl_alloc((size_t)of->nparts * sizeof(double));
    if (read_faults(r))
        return true;
    together_close(r);
    return false;
}

void together_close(struct together *r)
{
    free(r->target_of);
    free(r->target);
    free(r->weight);
    free(r->fault);
    *r = (struct together){0};
}
