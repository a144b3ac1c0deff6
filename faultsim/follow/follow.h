/* follow.h -- data-flow propagation: the outcome of faults in registers and in words of an L1, without a machine.
 *
 * Takes the data flow of the fault-free run (record/flow.h) and a fault: a flip that an event of the flow reads first, or a
 * register that is held. Gives the outcome that the machine would have, or says that it is not known; then
 * a lower rung of the ladder decides. Follows the flips of all 32 bits of a register at once: in *copy* b, bit b
 * was flipped. The 32 lanes of the model's arithmetic are the copies of one thread, and what differs
 * goes from event to event through registers, flags, address registers and words of memory. Where addresses
 * change the time of an access, the fault-free run is replayed once with these delays (record/retime.h), for all copies
 * that share them, and the order of accesses is checked. A copy that diverges in a branch goes on in a machine of its own
 * (outcome/runner.h). Too many differences make a copy unknown.
 *
 * Invariants, beside those of flow.h:
 *   V1  an event is looked at once, behind all that come before it
 *   V2  a place enters a track before any event behind the one at hand has been passed
 */
#ifndef FOLLOW_H
#define FOLLOW_H

#include "faultsim/record/accesses.h"
#include "faultsim/outcome/single_sm_end.h"

struct follower; /* one for each thread */
/* `run`, of engine c: whose machine takes a copy to its end; `single`: as one SM, where it can be. */
struct follower *follower_new(const struct golden *g, struct runner *run, struct single_sm *single);
void follower_free(struct follower *l);

/* The flip of a bit of a register, or of a word in the L1 of the only SM, which the instruction of event `event` (flow.h)
 * reads first, in cycle `first`. True: the outcome is *out, whose first_activation is `first` in any case. */
bool follow_flip(struct follower *l, const struct accesses *t, const struct sm_cell *c,
                 uint32_t event, uint64_t first, struct fsim_result *out);

/* The flips of the bits in `bits` of lane `lane` of physical row `row`, which the instruction
 * of event `event` reads first. Returns the bits whose outcome is known; theirs is in out[bit],
 * first_activation apart. */
uint32_t follow_flips(struct follower *l, uint32_t row, int lane, uint32_t event, uint32_t bits,
                      struct fsim_result out[32]);

/* The flips of all bits of a word of global memory as a line of the only SM's L1 holds it, which writes through: from
 * event `event` on, which reads it there, to the cycle `until` in which the line leaves, FSIM_NEVER. Those that change
 * an access of memory are not known. */
uint32_t follow_flips_in_cache(struct follower *l, uint32_t word, uint32_t event, uint64_t until,
                               struct fsim_result out[32]);

/* The same of a register that is held at `value` from the start of the job to its end, in copy b
 * its bit b, whoever owns it. */
uint32_t follow_held(struct follower *l, uint32_t row, int lane, int value, uint32_t bits,
                     struct fsim_result out[32]);

/* A flip of a register that is followed through segments of the flow (flow.h), one after the other: what differs
 * at the end of one goes into the next. */
struct follow_item {
    uint32_t instance; /* FLOW_NONE: a word of memory */
    uint32_t number;   /* place or word */
    uint32_t lane, value;
};
struct follow_passage {
    uint32_t row, bit, event; /* event: that reads it first, counted from the start of the job */
    int lane;
    bool started;
    uint32_t from;            /* where what differs does: an event of the segment at hand */
    struct follow_item *item; /* freed by whoever has made the passage */
    uint32_t items, room;
    int64_t delay; /* cycles */
    /* what has been taken for granted of the rest of the run */
    bool late, diverged;
    bool left_behind; /* something that differs may lie where nobody is now */
    uint64_t forgot
        [STALE_KINDS]; /* first event behind which nobody may read what a place was left with */
};
enum follow_passed { PASSES_ON, PASSED_KNOWN, PASSED_UNKNOWN };
/* Through the segment at hand, `g`'s flow; PASSED_KNOWN: the outcome is *out, if follow_confirm says so when the
 * last segment has been recorded. */
enum follow_passed follow_pass(struct follower *l, struct follow_passage *p,
                               struct fsim_result *out);
bool follow_confirm(const struct flow *f, const struct follow_passage *p);

struct follow_statistics {
    uint64_t evaluated; /* instructions of one lane, 32 copies at once */
    uint64_t machines;  /* copies that a machine took over where they diverge */
    uint64_t replays;   /* runs of the machine with changed delays */
    uint64_t replayed;  /* warp instructions of these */
};
void follow_statistics(const struct follower *l, struct follow_statistics *add_to);

#endif
