/* transient.h -- the outcome of one transient or intermittent fault, by as little simulation as
 * decides it, or by brute force. Both give the same result; the tests hold them against each other.
 *
 * When a fault is first read, by whom, and why it is masked should it be, are facts of the
 * fault-free run: every engine takes them from the accesses. What becomes of the fault, only engine
 * c's shortcuts take from there: should brute force or another engine find that a fault fails which
 * nobody reads, that is their outcome.
 */
#ifndef TRANSIENT_H
#define TRANSIENT_H

#include "faultsim/record/accesses.h"
#include "faultsim/follow/follow.h"
#include "verdict.h"

struct transient_result {
    struct fsim_result
        r; /* first_activation: the cycle of the first read, as accesses.h counts it */
    enum tally_reason why;
    bool ran;        /* a machine or single lanes were evaluated for it */
    uint32_t site;   /* who reads it first; SITE_NONE */
    uint32_t writer; /* of what is read there, as access_class.writer */
};

/* `t` may be NULL: then nobody knows who reads it, and every fault is simulated from its cycle
 * on. */
void transient_simulate(struct fsim_worker *w, const struct accesses *t, const struct fsim_fault *u,
                        struct transient_result *out);
/* The flips of `bits` of a lane's word of a row of the register file, which the instruction of event `event` (flow.h)
 * reads first, at once. Returns the bits whose outcome is known, first_activation apart; the others are
 * transient_simulate's. */
uint32_t transient_simulate_register(struct fsim_worker *w, uint32_t row, int lane, uint32_t event,
                                     uint32_t bits, struct fsim_result out[32]);
/* Of a flip of one bit of a register that is read: what segments.h needs. */
bool transient_passage(const struct accesses *t, const struct fsim_fault *u,
                       struct follow_passage *out);
/* From cycle 0 to the end. */
void transient_exhaustive(struct fsim_worker *w, const struct accesses *t,
                          const struct fsim_fault *u, struct transient_result *out);

/* Settles `why` and the reason, from the outcome. */
void transient_judge(struct transient_result *out);
/* Somebody may read it. */
bool transient_is_read(const struct accesses *t, const struct fsim_fault *u);

/* The trace of one of them; `exhaustive`: its outcome by brute force. */
void transient_explain(struct fsim_worker *w, const struct accesses *t, const struct fsim_fault *u,
                       bool exhaustive, struct fault_trace *trace);

#endif
