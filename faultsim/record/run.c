/* run.c -- one run, several observers. See run.h. */
#include "run.h"

#include <stdlib.h>

struct touches *run_record(const struct golden *g, const struct touch_wanted *wanted,
                           size_t max_bytes, uint64_t *fit, struct flow **flow)
{
    struct gpu *m = gpu_new(g->img);
    struct sm_watch w;
    struct sm_accesses seen = {0};
    struct touch_recorder *t = touch_recorder_new(g, wanted, max_bytes);
    struct flow_recorder *f = flow ? flow_recorder_new(g) : NULL;
    sm_watch_start(&w, m, (1u << SM_STRUCTURES) - 1 + (f ? 1u << SM_S_global : 0), true);
    while (!gpu_ended(m) && !touch_recorder_full(t)) {
        sm_watch_tick(&w, &seen);
        touch_recorder_tick(t, &w, &seen);
        if (f)
            flow_recorder_tick(f, &w, &seen);
    }
    if (fit)
        *fit = m->sm->s.next;
    gpu_free(m);
    free(seen.access);
    struct touches *touches = touch_recorder_end(t);
    if (f)
        *flow = flow_recorder_end(f, touches);
    return touches;
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
