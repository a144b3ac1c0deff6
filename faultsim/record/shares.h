/* shares.h -- the shares of the SMs of a chip in its launches: which of them can be replayed alone (single_sm.h). Facts of the record, which all
 * threads read.
 */
#ifndef SHARES_H
#define SHARES_H

#include "flow.h"

struct sm_share {  /* of an SM in a launch */
    bool isolated; /* no other SM's concern; it has blocks, and others too */
    uint32_t blocks;
    uint32_t first, count; /* its events, in sm_shares.event */
    uint32_t last_other;   /* the last event of all others */
};

struct sm_store {
    uint32_t event, word;
};

struct sm_shares {
    const struct flow *f;
    struct sm_share *share; /* [launch * sms + SM] */
    uint32_t *event;        /* by SM, in order */
    uint32_t *rank;         /* of each event: where it is in `event` */
    uint32_t *pair;         /* both events are of one SM: numbers in flow.pair, by SM, in order */
    uint32_t *pair_of;      /* of each SM: its first one in `pair`; [sms]: of all how many */
    struct sm_store *store; /* of global memory: by SM, in order of events */
    uint32_t *store_of;     /* of each SM: its first one; [sms]: of all how many */
    uint32_t *launch_event; /* of each launch: its first event; [nlaunches]: of all how many */
    /* of each word of global memory: who writes and who reads it, in any launch: 0 nobody, SM + 1, or
     * SM_SEVERAL */
    uint8_t *writer, *reader;
};
enum { SM_SEVERAL = 255 };
_Static_assert((int)SM_MAX_SMS < (int)SM_SEVERAL, "an SM, + 1, is a byte beside it");

static inline struct sm_share *sm_share_of(const struct sm_shares *s, uint32_t launch, int sm)
{
    return &s->share[launch * (uint32_t)s->f->img->sms + (uint32_t)sm];
}

/* The last launch, behind which the host does nothing. */
bool sm_share_is_last(const struct sm_shares *s, uint32_t launch);
int flow_sm_of(const struct flow *f, uint32_t event);
uint32_t flow_launch_of(const struct flow *f, uint32_t event);

/* NULL: this chip's SMs are never alone. */
struct sm_shares *sm_shares_new(const struct flow *f);
void sm_shares_free(struct sm_shares *s);

#endif
