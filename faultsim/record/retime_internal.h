/* retime_internal.h -- what the parts of retime.h share: runs that have been made, and the one at hand. retime.c runs
 * the chip, retime_single_sm.c one SM of it.
 */
#ifndef RETIME_INTERNAL_H
#define RETIME_INTERNAL_H

#include "single_sm.h"
#include "retime.h"

enum { ORDERS = 64, SNAPSHOTS = 96, BUCKETS = 1 << 14 };

struct retime_run { /* one that has been made */
    struct retime_run *next;
    struct retime_cost *cost;
    uint32_t n, stop;
    bool good;
    uint64_t cycle;
};

struct order {
    const struct retime_run *of;
    uint64_t used;
    uint32_t *at; /* [event] */
};

struct asker { /* what the `retime` of an SM gets */
    struct retiming *p;
    struct retime_slots *slots;
};

struct snapshot { /* the machine when a run stopped */
    const struct retime_run *of;
    uint64_t used;
    struct gpu *m;
    struct retime_slots *slots;
};

struct retiming {
    const struct golden *g;
    const struct flow *f;   /* of `g` */
    struct gpu *golden, *m; /* the first travels forward through the golden run */
    struct retime_run *bucket[BUCKETS];
    uint32_t kept;
    struct order order[ORDERS];
    int orders; /* kept: fewer of long runs, ORDER_EVENTS in all, two at least */
    struct snapshot snapshot[SNAPSHOTS];
    int snapshots; /* kept: fewer of chips with many SMs */
    uint64_t clock, replays, replayed;
    /* of the run at hand */
    const struct retime_cost *cost;
    uint32_t n;
    struct retime_slots *slots; /* [SM] */
    struct asker *asker;        /* [SM] */
    uint32_t *launch_block;     /* of each launch: its first one in `block_of` */
    uint32_t *block_of;         /* of each block of a launch: its index in flow.block */
    uint32_t *mark;             /* of each checkpoint: the event that comes next */
    struct single_sm *single;   /* NULL: no SM is ever alone */
    uint64_t *time; /* of each event of the SM that is: its cycle; UINT64_MAX: not yet */
};

/* ---- retime.c ---------------------------------------------------------------------------------- */

/* The cycle before whose effects no event has been that a cost touches, nor `stop`. */
uint64_t retime_start(const struct retiming *p, uint32_t stop);
/* The blocks that SM `sm` has then are in its slots; or those of all, SM -1. `from`: the event that comes next. */
void retime_adopt(struct retiming *p, int sm, uint64_t cycle, uint32_t from);
/* Counts the blocks of this launch that an SM takes. */
uint32_t retime_taken(const struct gpu *m, int sm);
/* The block that SM `sm` of `m` has started has the same place as in the golden run, unless places do not
 * matter. */
bool retime_started(struct retiming *p, const struct gpu *m, int sm);
/* What the warp in a slot commits next in the golden run; FLOW_NONE: nothing. */
uint32_t retime_event(struct retiming *p, int sm, int warp);
/* Its memory instructions take what the costs of the run at hand say. */
void retime_ask(struct retiming *p, struct gpu *m, int sm);

/* ---- retime_single_sm.c ---------------------------------------------------------------------------- */

/* As retime_run, by one SM; *order, when wanted, has room for all events. False: the chip must run. */
bool retime_single_sm(struct retiming *p, struct retime_run *r, uint32_t *order);

#endif
