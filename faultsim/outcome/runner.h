/* runner.h -- the verdict on a run: a faulty machine goes to its end, and how it ended is held
 * against the fault-free run. The same for every engine; definitions: docs/explain/faults.md, "Faults and
 * outcomes".
 */
#ifndef RUNNER_H
#define RUNNER_H

#include "reference.h"

struct fsim_result {
    enum fsim_outcome outcome;
    bool untestable;           /* proved: no program can detect the fault (prove.h) */
    uint64_t first_activation; /* cycle, or FSIM_NEVER */
    /* cycles of the faulty run when it finished or trapped; FSIM_NEVER for hang and timeout */
    uint64_t end;
    /* outputs that differ: how many elements, how many of them unwritten, by how much at most
     * (outputs.h) */
    uint32_t elements, unwritten;
    double worst, by;
    struct anatomy anatomy;
    uint32_t kept; /* the elements themselves, where they are kept */
    bool beyond; /* the reason of an sdc is the first element beyond a tolerance, not the first that
                  * differs */
    char reason
        /* not_activated, logically_masked, a trap's name, the first output that differs ... */
        [64];
};

struct fsim_statistics {
    uint64_t runs;         /* faults that needed a machine at all */
    uint64_t single_sm;    /* of these, by one SM without the others of its chip */
    uint64_t instructions; /* warp instructions simulated */
    uint64_t evaluated;    /* instructions evaluated alone */
    uint64_t copies;       /* instructions of one lane, evaluated for all bits of a register */
};

/* What a fault remembers beside the machine's state: kept and compared with it. */
struct runner_memory {
    void (*keep)(void *of);
    bool (*same)(const void *of);
    void *of;
    /* Or NULL. It is what it would be at the start of this cycle of the fault-free run. */
    bool (*fault_free)(void *of, uint64_t cycle);
};

/* The faulty machine of a thread, and the room to run it. */
struct runner {
    const struct reference *ref;
    struct dut *bad;
    struct dut *saved;                  /* a state of it that may come back */
    const struct runner_memory *memory; /* or NULL */
    /* the fault acts for the last time in the fault-free run in this cycle; 0: it does not act */
    uint64_t heals_behind;
    const struct fsim_fault
        *held; /* a fault whose cell is held to the end and may differ then, or NULL */
    /* Or NULL. The machine is the fault-free one at the start of this cycle, and the fault acts again later: may bring it to
     * where that is. */
    void (*skip)(void *of, uint64_t cycle);
    void *of;
    uint64_t looks_at; /* where only detection is asked for: when outputs are looked at next */
    struct fsim_statistics stat;
};

/* The reference has made machines before, so these can be made. */
void runner_open(struct runner *r, const struct reference *ref);
void runner_close(struct runner *r);

enum {
    /* a state that comes back may be noticed before 2G */
    LOOK_EARLY = 1,
    /* masked as soon as the state is that of a checkpoint of the fault-free run, behind `heals_behind` */
    MAY_HEAL = 2
};
enum run_end { RUN_ENDED, RUN_HEALED, RUN_RECURS, RUN_LIVELOCKED, RUN_TOO_LONG, RUN_DETECTED };
/* Runs r->bad until it has ended, or it is known how it would. Where only detection is asked for (reference_detect) that
 * is earlier: an output that can no longer become right, or 2G. */
enum run_end run_on(struct runner *r, unsigned how);
/* Runs r->bad to its end; all but the activation. `how`: of the above, none for brute force. */
void run_to_end(struct runner *r, unsigned how, struct fsim_result *out);

/* Parts of that: a run that ended like this, or never; and for those who follow runs without a machine one of so
 * many cycles that left these outputs. */
void run_say_end(const struct reference *ref, const struct dut_end *end, struct fsim_result *out);
void run_say_never(enum run_end how, struct fsim_result *out);
void run_say_outputs(const struct reference *ref, const struct outputs_verdict *v, uint64_t cycles,
                     struct fsim_result *out);

#endif
