/* kind.h -- the two kinds of units: those of a lane, and those of an SM's control. What differs between them is here:
 * who supplies the patterns (the C model's lanes, or the running RTL), and who runs machines with faults.
 */
#ifndef FAULTSIM_GATE_KIND_H
#define FAULTSIM_GATE_KIND_H

#include "faultsim/outcome/runner.h"
#include "response.h"

/* Faults that answer all patterns of the fault-free run alike. */
struct fault_group {
    const uint32_t *fault;
    uint32_t n;
    const struct response *response;
};

/* Who runs machines with faults; each thread has one. */
struct unit_machine {
    /* The trace and the reference must outlive it. */
    void *(*make)(const struct trace *t, const struct reference *ref);
    void (*free)(void *machine);
    /* Groups in the order of their first wrong answers. out[class] becomes the result of each fault. False: `stop`,
     * which is asked now and then, said so, and results are missing. NULL: each fault runs alone. */
    bool (*groups)(void *machine, const struct fault_group *group, uint32_t groups,
                   bool (*stop)(void *context), void *context, struct fsim_result *out);
    /* One fault by brute force: from cycle 0 to the end, without a shortcut. `first`: the cycle of its first wrong
     * answer in the fault-free run, or FSIM_NEVER. */
    void (*alone)(void *machine, uint32_t fault, uint64_t first, struct fsim_result *out);
    /* The machine of a fault (GATE_NO_FAULT: none) at the start of a cycle of the fault-free run in which a pattern first
     * comes, or of cycle 0. Valid until the next call. */
    struct dut *(*start)(void *machine, uint32_t fault, uint64_t cycle);
};

struct unit_kind {
    /* The SHA-256 of its sources in rtl/, of machines of compute capability 1.0 or of those above it. */
    const char *(*rtl)(int which, bool above);
    int count;
    const char *(*name)(int which);
    /* -1: no unit is called so. */
    int (*find)(const char *name, struct fl_err *err);
    /* Is it called so, or does it belong to what is? */
    bool (*is)(int which, const char *name);
    bool of_sp;          /* each SP has these units */
    bool one_run;        /* records the traces of all parts at once */
    int cut, cut_alone;  /* faults of a unit of work; of brute force */
    unsigned place_bits; /* of the number of an output, in hashes */

    /* Where pins stand, and what else there is to know of the unit. */
    int (*open)(struct unit *u, const char *path, struct fl_err *err);
    /* Runs the job once more for traces that have their units and SPs. */
    int (*record)(const struct golden *g, const struct reference *ref, struct trace *t, int n,
                  struct fl_err *err);
    /* The outputs that count where this vector is; NULL: all. */
    uint64_t (*care)(const uint64_t *vector);
    /* Patterns from number `from` on are loaded: refuses a netlist that answers otherwise than the machine did. */
    int (*check)(const struct trace *t, const struct unit_sim *sim, uint32_t from,
                 struct fl_err *err);
    /* How it is known before a run that these are the RTL (made.h), so many random vectors tried; -1. */
    int (*vet)(const struct unit *u, int units, uint64_t vectors, struct fl_err *err);

    const struct unit_machine *(*machine)(const struct engine *e);
    /* For a fault trace: where the machine runs, and the first wrong answer, to this pattern. */
    void (*first_wrong)(const struct trace *t, uint32_t pattern, uint64_t cycles, uint32_t fault,
                        struct fl_buf *out);
};

#endif
