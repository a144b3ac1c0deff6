/* run.c -- one run, several observers. See run.h. */
#include "run.h"

#include <stdlib.h>

struct touches *run_record(const struct golden *g, const struct touch_wanted *wanted,
                           size_t max_bytes, uint64_t *fit)
{
    struct gpu *m = gpu_new(g->img);
    struct sm_watch w;
    struct sm_accesses seen = {0};
    struct touch_recorder *t = touch_recorder_new(g, wanted, max_bytes);
    sm_watch_start(&w, m, (1u << SM_STRUCTURES) - 1, true);
    while (!gpu_ended(m) && !touch_recorder_full(t)) {
        sm_watch_tick(&w, &seen);
        touch_recorder_tick(t, &w, &seen);
    }
    if (fit)
        *fit = m->sm->s.next;
    gpu_free(m);
    free(seen.access);
    return touch_recorder_end(t);
}

struct activations *run_activations(const struct golden *g)
{
    struct gpu *m = gpu_new(g->img);
    struct sm_watch w;
    struct sm_accesses seen = {0};
    struct activations *a = activations_new(g->img);
    sm_watch_start(&w, m, (1u << SM_STRUCTURES) - 1, true);
    activations_start(a, m);
    while (!gpu_ended(m)) {
        sm_watch_tick(&w, &seen);
        activations_tick(a, &w, &seen);
    }
    gpu_free(m);
    free(seen.access);
    return a;
}
