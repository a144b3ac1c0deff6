/* retime.h -- the fault-free run with other delays: when it ends, and in which order its events come.
 *
 * The machine runs with golden data; some of its memory instructions take as long as a faulty one
 * would. As long as no two accesses to one word change places, all data stay those of the golden
 * run, and only times differ.
 */
#ifndef RETIME_H
#define RETIME_H

#include "golden.h"

struct retime_cost { /* what struct sm's `retime` is to say for an event */
    uint32_t event, cost;
};

struct retiming;                                     /* one for each thread; remembers runs */
struct retiming *retime_new(const struct golden *g); /* whose flow is there */
void retime_free(struct retiming *p);

/* Runs with the costs, n >= 1 in ascending order of events, to the Write-back of event `stop`
 * (FLOW_NONE: to the end). *cycle: of that Write-back, or the cycles of the whole job. *order, when
 * wanted: a number for each event, growing in time; valid until the next call. False when data
 * would not stay golden, or nothing is known. */
bool retime_run(struct retiming *p, const struct retime_cost *cost, uint32_t n, uint32_t stop,
                uint64_t *cycle, const uint32_t **order);
/* What the warp slots of an SM hold: an instance, and its next event there. */
struct retime_slots {
    uint32_t instance[SM_MAX_WARPS], at[SM_MAX_WARPS];
};
/* The machine then, with golden data and `stop` in Write-back before its effects; (*slots)[i] are those of
 * SM i. With n = 0 the golden run's own. NULL as above; valid until the next call. */
const struct gpu *retime_machine(struct retiming *p, const struct retime_cost *cost, uint32_t n,
                                 uint32_t stop, const struct retime_slots **slots);
/* An SM of two machines whose warps have committed the same events: will it do the same from here on? Data are
 * golden in both. */
bool retime_in_step(const struct sm *a, const struct sm *b);
void retime_statistics(const struct retiming *p, uint64_t *replays, uint64_t *replayed);

#endif
