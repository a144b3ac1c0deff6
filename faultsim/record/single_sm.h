/* single_sm.h -- one SM of a chip alone, where what it does is no concern of the others.
 *
 * With a port for each SM, and blocks that are fixed or all handed out, an SM takes its time from itself
 * alone. In a launch in which the fault-free run has no word that one SM writes and another one reads or
 * writes, its data are its own too. Then it runs without the others, fault-free or faulty, from a
 * checkpoint to the end of its part of the launch; a faulty one for as long as it keeps away from words
 * of others, which the machine tells.
 */
#ifndef SINGLE_SM_H
#define SINGLE_SM_H

#include "golden.h"
#include "shares.h"

struct single_sm { /* one for each thread */
    const struct golden *g;
    const struct sm_shares *s;
    struct gpu *m; /* the machine; NULL: none at present */
    int sm;
    uint32_t launch;
    const struct sm_share *share;
    uint32_t lacks_from; /* others' stores from this event on are not in the machine's memory */
    uint32_t from_event; /* the first one that has not been when the machine was brought ... */
    uint32_t from_store; /* ... and the first of the SM's stores */
    uint32_t left;       /* blocks that were to end then */
    uint64_t ended_at;   /* the cycle in which the last one did that has */
    bool strayed;        /* it has come to a word of another SM, and stands still */
    uint32_t *stored;    /* words that it has written since it was watched */
    uint32_t nstored, room;
    uint8_t *is_stored; /* [word] */
    struct gpu *golden; /* travels through the golden run, where no checkpoint will do; or NULL */
    struct gpu_log log;
};

struct single_sm *single_sm_new(const struct golden *g); /* NULL: no SM is ever alone */
void single_sm_free(struct single_sm *l);

/* `m` becomes SM `sm` alone (gpu_copy_single_sm) in the state before the effects of `cycle`, as the golden run has
 * it. False: it cannot be alone then. */
bool single_sm_seek(struct single_sm *l, struct gpu *m, int sm, uint64_t cycle);
/* What it does from here on may be wrong: the words that it reads and writes are watched. */
void single_sm_watch(struct single_sm *l);
/* The machine is anybody's again. */
void single_sm_leave(struct single_sm *l);

/* All of its blocks of the launch have ended. */
bool single_sm_over(const struct single_sm *l);
/* Word i of those in which the memory of the machine may differ from that of the golden run when this has done
 * all events below `event`; some come twice. False: there is no such word. */
bool single_sm_word(const struct single_sm *l, uint32_t event, uint32_t i, uint32_t *word);
/* The machine is in the state of the golden run, which stands before the effects of its cycle. */
bool single_sm_healed(const struct single_sm *l, const struct gpu *golden);

#endif
