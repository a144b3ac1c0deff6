/* watch.h -- one fault in a machine of a program's run, a limit of its cycles, and what faultsim is told of it (faultsim/machine/live.h). */
#ifndef HOST_WATCH_H
#define HOST_WATCH_H

#include "faultsim/machine/engine.h"
#include "faultsim/machine/live.h"
#include "gates.h"

struct watch {
    struct live *live;        /* NULL: nobody reads it */
    uint64_t golden;          /* cycles of the longest machine of the fault-free run; 0: no limit */
    uint64_t reported;        /* cycles of this machine that the report has */
    bool returns;             /* errors of launches, to the program */
    bool permanent;           /* the fault is in each machine, from its first cycle on */
    bool waits;               /* the fault has not come yet */
    bool brought;             /* one with a cycle has */
    bool open;                /* what is held for some cycles goes on in the next launch */
    bool never_ends;          /* the last launch, whose machine has not ended */
    struct dut *dut;          /* that runs, with what it carries; NULL before the first launch */
    struct live_gates *gates; /* the fault is one of theirs; NULL: it is in cells */
    struct fsim_fault fault[FSIM_CELLS];
};

/* What the environment asks for. `on_rtl`: then there is no fault. */
int watch_open(struct watch *w, const struct sm_image *img, bool on_rtl, struct fl_err *err);
void watch_close(struct watch *w);
/* Runs a launch of the C model to its end. */
void watch_run(struct watch *w, struct gpu *g);
/* The host asks how long something took: no recorded job knows what it does then. */
void watch_time(struct watch *w);

#endif
