/* outcome.h -- what becomes of a run with a fault in it: one word for each end, and why a transient
 * fault was masked. Definitions: docs/explain/faults.md, "Faults and outcomes".
 */
#ifndef OUTCOME_H
#define OUTCOME_H

#include <stdbool.h>
#include <stdint.h>

/* A cycle that does not come. */
#define FSIM_NEVER UINT64_MAX

enum fsim_outcome {
    OUT_MASKED,
    OUT_PERFORMANCE,
    OUT_SDC,
    OUT_CRASH,
    OUT_TIMEOUT,
    OUT_HANG,
    OUT_TOLERABLE, /* outputs differ within what the job tolerates: neither masked nor a failure */
    OUT_DETECTED, /* a program with its host noticed: the exit status says so, as the user explained it */
    OUT_EXIT, /* ... ended with an exit status that nobody explained: a DUE */
    OUT_DROPPED, /* no outcome: an earlier job of the campaign has detected the fault, so it was not simulated */
    OUT_COUNT
};

/* What an outcome means, a row each in outcome.c: no other file asks which one it is to find that out. */
const char *fsim_outcome_name(enum fsim_outcome o);
/* Faults that were not simulated are counted like an outcome, and have none. */
bool fsim_outcome_none(enum fsim_outcome o);
/* A failure of the program: sdc, or a DUE (crash, timeout, hang, exit). */
bool fsim_outcome_fails(enum fsim_outcome o);
/* A self-test sees it: a failure, what the program noticed, or with `timing` performance too. */
bool fsim_outcome_detected(enum fsim_outcome o, bool timing);
/* Tables and exports have it only where some fault ended so. */
bool fsim_outcome_optional(enum fsim_outcome o);
/* Of what several programs make of a fault, the highest counts. */
int fsim_outcome_strength(enum fsim_outcome o);
/* How many of those counted failed; how many there are. */
uint64_t fsim_outcomes_failed(const uint64_t outcome[OUT_COUNT]);
uint64_t fsim_outcomes_counted(const uint64_t outcome[OUT_COUNT]);

/* Why a transient fault was masked, or that it was not. */
enum tally_reason {
    /* no instruction touches the cell again */
    REASON_IDLE,
    /* before any read */
    REASON_OVERWRITTEN,
    /* read, but the outputs and the cycles are right */
    REASON_LOGIC,
    /* not masked */
    REASON_FAILS,
    /* permanent faults: proved that no program can tell */
    REASON_UNTESTABLE,
    REASON_COUNT
};

#endif
