/* verdict.h -- what becomes of one fault, by as little simulation as decides it, or by brute force.
 *
 * Both ways give the same struct fsim_result for every fault, on every engine; the tests hold them
 * against each other.
 */
#ifndef VERDICT_H
#define VERDICT_H

#include "faultsim/faults/trace.h"
#include "faultsim/outcome/runner.h"

/* The rungs of the ladder by which a fault is decided (ladder.h); their names for --skip-rung. */
enum rung { RUNG_RECORD, RUNG_FOLLOW, RUNG_SM, RUNG_CHECKPOINT, RUNG_BRUTE_FORCE, RUNGS };
enum { ALL_BUT_BRUTE_FORCE = (1 << RUNG_BRUTE_FORCE) - 1 };
const char *fsim_rung_name(int rung);
static inline bool fsim_skips(const struct reference *ref, enum rung rung)
{
    return ref->skip >> rung & 1;
}

/* Room that one thread needs to work; make one per thread. */
struct fsim_worker;
/* On any engine. `ref` must outlive it. */
struct fsim_worker *fsim_worker_on(const struct reference *ref);
/* On engine c. */
struct fsim_worker *fsim_worker_new(const struct golden *g);
void fsim_worker_free(struct fsim_worker *w);
void fsim_worker_statistics(const struct fsim_worker *w, struct fsim_statistics *add_to);

/* When the fault first acts: FSIM_NEVER when nothing reads the other value. The golden record must
 * have seen it (run.h), but for what is read in commits. */
uint64_t fsim_first_activation(const struct reference *ref, const struct fsim_fault *f);
/* A permanent fault, from the fault-free run's activations and checkpoints. Fastest when faults come in the
 * order of their first activation. */
void fsim_simulate(struct fsim_worker *w, const struct fsim_fault *f, struct fsim_result *out);
/* The faults that hold bits of one register (any cell of which is `of`) at `value`, at once. Returns
 * the bits whose outcome is known; the others are fsim_simulate's. */
uint32_t fsim_simulate_register(struct fsim_worker *w, const struct sm_cell *of, int value,
                                uint32_t bits, struct fsim_result out[32]);
/* From cycle 0 to the end, every fault that is not activated too. */
void fsim_exhaustive(struct fsim_worker *w, const struct fsim_fault *f, struct fsim_result *out);

/* The trace of one fault, which begins empty: what it is, when it acts, where the run parts from the
 * golden one, how it ends; `exhaustive`: its outcome by brute force. */
void fsim_explain(struct fsim_worker *w, const struct fsim_fault *f, bool exhaustive,
                  struct fault_trace *t);

#endif
