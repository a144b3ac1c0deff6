/* golden.h -- one run of the fault-free machine, recorded so that most faulty runs need not happen.
 *
 *   pops         of every line-entry (pops.h)
 *   checkpoints  machines at some cycles on the way
 *   events       what each warp instruction read and wrote: lets a difference that lives only in
 *                data be followed through the instructions that touch it, and no others (diff.h)
 *
 * Read-only once made: any number of threads share one.
 */
#ifndef GOLDEN_H
#define GOLDEN_H

#include "sm/access.h"
#include "outputs.h"
#include "pops.h"

struct fsim_event {
    uint64_t cycle;
    const struct sm_uop *uop; /* NULL: the start of a warp, which writes $r0 */
    uint32_t exec;
    /* index in values of the first row written, or of a store's addresses; unused otherwise */
    uint32_t value;
    uint16_t base; /* physical register of $r0, lane 0 */
    uint16_t regs;
    uint16_t kernel;
};

/* One access of an event to a row of 32 registers. */
struct fsim_access {
    uint32_t event;
    uint32_t value; /* index in values of the row's contents after a write */
    bool read, write;
};

struct fsim_chain { /* all accesses to a row, in time order */
    struct fsim_access *access;
    uint32_t count;
};

struct golden {
    const struct sm_image *img;
    uint64_t cycles;         /* G: of the whole job */
    uint64_t instructions;   /* warp instructions */
    struct gpu *end;         /* the machine when the job has finished */
    struct outputs *outputs; /* its outputs, and what may differ */
    struct fsim_pops *pops;  /* [warp * LEs + le] */
    struct gpu **checkpoint; /* in time order, [0] at cycle 0 */
    uint64_t *checkpoint_cycle;
    int ncheckpoints;
    /* for diff.h; nevents is 0 when the run was too long to keep them */
    struct fsim_event *event;
    uint32_t nevents;
    uint32_t (*values)[SM_LANES];
    uint32_t nvalues;
    struct fsim_chain *chain; /* [physical register / 32] */
    uint32_t *last_load,
        *last_store; /* per 32-bit word of the memory pages: last event that did so, + 1 */
};

/* Runs the job. A trap, a deadlock, an endless loop or more than `max_cycles` cycles are errors of
 * the job. */
struct golden *golden_run(const struct sm_image *img, uint64_t max_cycles, struct fl_err *err);
void golden_free(struct golden *g);

/* As pops_activation. */
uint64_t golden_activation(const struct golden *g, const struct fsim_fault *f, uint64_t from);

/* Brings `m` to the state before the effects of `cycle`: from the nearest checkpoint, or by running
 * on. */
void golden_seek(const struct golden *g, struct gpu *m, uint64_t cycle);

#endif
