/* run.c -- one run, several views. See run.h. */
#include "run.h"

#include <stdlib.h>

/* The structures whose accesses are wanted, a bit each. */
static uint64_t structures_of(const struct access_wanted *wanted)
{
    uint64_t some = 0;
    if (!wanted || wanted->window)
        return (UINT64_C(1) << SM_STRUCTURES) - 1;
    for (uint64_t i = 0; i < wanted->nwatches; i++)
        some |= UINT64_C(1) << wanted->watch[i].structure;
    return some;
}

struct accesses *record_run(struct golden *g, const struct record_wanted *wanted)
{
    struct gpu *m = gpu_new(g->img);
    struct sm_watch w;
    struct sm_accesses seen = {0};
    struct flow_recorder *flow = NULL;
    struct access_recorder *accesses = NULL;
    uint64_t acts = 0, excites = 0, places = 0;
    if (flow_fits(g->instructions, wanted->flow_bytes) &&
        (flow = flow_recorder_new(g->residence, wanted->flow_bytes)))
        places = flow_places;
    if (wanted->access_bytes) {
        accesses = access_recorder_new(g, wanted->accesses, wanted->access_bytes);
        places |= structures_of(wanted->accesses);
    }
    if (wanted->faults) {
        golden_forget(g);
        acts = activations_start(g->activations, wanted->faults, m);
        g->excitations = excitations_new(wanted->faults, m, &excites);
    }
    sm_watch_start(&w, m, places | acts | excites, accesses || acts || excites);
    while (!gpu_ended(m) &&
           (acts || excites || flow || (accesses && !access_recorder_full(accesses)))) {
        sm_watch_tick(&w, &seen);
        if (flow && !flow_recorder_tick(flow, &w, &seen)) {
            flow_recorder_drop(flow);
            flow = NULL;
        }
        if (accesses)
            access_recorder_tick(accesses, &w, &seen);
        if (acts)
            activations_tick(g->activations, &w, &seen);
        if (excites)
            excitations_tick(g->excitations, &w, &seen);
    }
    sm_watch_end(&w);
    gpu_free(m);
    free(seen.access);
    if (flow)
        g->flow = flow_recorder_end(flow);
    return accesses ? access_recorder_end(accesses) : NULL;
}

struct golden *golden_run(const struct sm_image *img, uint64_t max_cycles, struct fl_err *err)
{
    struct golden *g = golden_new(img, max_cycles, err);
    if (g)
        record_run(g, &(struct record_wanted){.flow_bytes = FLOW_BYTES});
    return g;
}
