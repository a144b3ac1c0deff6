/* variants.h -- differences of data, followed without a machine: the flips of all 32 bits of a register,
 * or all of them held, at once.
 *
 * The arithmetic of the model works on 32 lanes. Here the lanes are 32 *variants* of one thread: in
 * variant b, bit b of the register was flipped before an instruction read it. What differs from the
 * fault-free run is followed from there through registers, flags, address registers, and through
 * words of memory into the threads that load them. A predicate or an address that comes out
 * differently is followed too, as long as every warp executes the same instructions under the same
 * masks. Addresses change how long an access takes: the machine then runs once with the golden data
 * and the changed delays, for all variants that share them, and what it does in which order is
 * checked against the data flow.
 *
 * A variant that parts in a branch goes on in a machine of its own, from there. What cannot be
 * followed exactly (too many differences, above all) is left to others.
 *
 * Invariants, beside those of flow.h:
 *   V1  an event is looked at once, behind all that come before it
 *   V2  a place enters a track before any event behind the one at hand has been passed
 */
#ifndef VARIANTS_H
#define VARIANTS_H

#include "faultsim/record/golden.h"
#include "alone.h"

struct variants; /* one for each thread */
/* `run`, of engine c: whose machine takes a variant to its end; `lone`: as one SM, where it can be. */
struct variants *variants_new(const struct golden *g, struct runner *run, struct lone *lone);
void variants_free(struct variants *l);

/* The flips of the bits in `bits` of lane `lane` of physical row `row`, which the instruction
 * of event `event` reads first. Returns the bits whose outcome is known; theirs is in out[bit],
 * first_activation apart. */
uint32_t variants_flip(struct variants *l, uint32_t row, int lane, uint32_t event, uint32_t bits,
                       struct fsim_result out[32]);

/* The flips of all bits of a word of global memory as a line of the only SM's L1 holds it, which writes through: from
 * event `event` on, which reads it there, to the cycle `until` in which the line leaves, FSIM_NEVER. Those that change
 * an access of memory are not known. */
uint32_t variants_flip_cached(struct variants *l, uint32_t word, uint32_t event, uint64_t until,
                              struct fsim_result out[32]);

/* The same of a register that is held at `value` from the start of the job to its end, in variant b
 * its bit b, whoever owns it. */
uint32_t variants_hold(struct variants *l, uint32_t row, int lane, int value, uint32_t bits,
                       struct fsim_result out[32]);

/* A flip of a register that is followed through segments of the flow (flow.h), one after the other: what differs
 * at the end of one goes into the next. */
struct variants_item {
    uint32_t instance; /* FLOW_NONE: a word of memory */
    uint32_t number;   /* place or word */
    uint32_t lane, value;
};
struct variants_passage {
    uint32_t row, bit, event; /* event: that reads it first, counted from the start of the job */
    int lane;
    bool started;
    uint32_t from;              /* where what differs does: an event of the segment at hand */
    struct variants_item *item; /* freed by whoever has made the passage */
    uint32_t items, room;
    int64_t delay; /* cycles */
    /* what has been taken for granted of the rest of the run */
    bool late, parted;
    uint64_t forgot
        [STALE_KINDS]; /* first event behind which nobody may read what a place was left with */
};
enum variants_passed { PASSES_ON, PASSED_KNOWN, PASSED_UNKNOWN };
/* Through the segment at hand, `g`'s flow; PASSED_KNOWN: the outcome is *out, if variants_confirm says so when the
 * last segment has been recorded. */
enum variants_passed variants_pass(struct variants *l, struct variants_passage *p,
                                   struct fsim_result *out);
bool variants_confirm(const struct flow *f, const struct variants_passage *p);

struct variants_statistics {
    uint64_t evaluated; /* instructions of one lane, 32 variants at once */
    uint64_t machines;  /* variants that a machine took over where they part */
    uint64_t replays;   /* runs of the machine with changed delays */
    uint64_t replayed;  /* warp instructions of these */
};
void variants_statistics(const struct variants *l, struct variants_statistics *add_to);

#endif
