/* worker_rtl.h -- what the engines of permanent (engine_rtl.c) and transient faults (transient_rtl.c) share in the RTL: the
 * fault-free run, and the machines of a thread.
 */
#ifndef WORKER_RTL_H
#define WORKER_RTL_H

#include "engine_rtl.h"
#include "rtl/twin/smrtl.h"

enum { RTL_CHECKPOINTS = 64 };

struct fsim_rtl {
    struct golden
        golden; /* image, cycles, pops and end of the RTL's own run; nothing else is filled in */
    struct smrtl *end;
    int ncheckpoints; /* machines on the way, [0] at cycle 0 */
    struct smrtl *checkpoint[RTL_CHECKPOINTS];
};

struct fsim_rtl_worker {
    const struct fsim_rtl *r;
    struct smrtl *golden, *bad, *saved;
    struct fsim_statistics stat;
};

/* The golden machine to the start of `cycle`: from where it is, or from a checkpoint. */
void worker_rtl_seek(struct fsim_rtl_worker *w, uint64_t cycle);
/* The faulty machine to its end; `may_heal`: masked as soon as it is the golden one again. */
void worker_rtl_run_to_end(struct fsim_rtl_worker *w, bool may_heal, struct fsim_result *out);

#endif
