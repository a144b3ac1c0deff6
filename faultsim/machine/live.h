/* live.h -- what a program's run tells of itself while it goes on. The runtime library in the program writes it (host/watch.c), faultsim
 * reads it (faultsim/program): a file that both map, so that it is there whatever has ended the program.
 *
 * The environment says what to tell and what to do:
 */
#ifndef LIVE_H
#define LIVE_H

#include <stdint.h>

/* The id of a fault of this run; a permanent one is in each machine of the process. */
#define LIVE_FAULT "FAULTLINE_FAULT"
/* The folder of the netlist, for a fault of gates (gate/alu_int.sp3/n120.1:sa0). */
#define LIVE_NETLISTS "FAULTLINE_NETLISTS"
/* A file of the size of struct live. */
#define LIVE_REPORT "FAULTLINE_REPORT"
/* Cycles of the longest machine of the fault-free run. After twice as many the run ends, and so it does when the device has trapped or waits for ever. */
#define LIVE_CYCLES "FAULTLINE_CYCLES"
/* Set: not so. Such a launch returns its error to the program, which decides. */
#define LIVE_ERRORS "FAULTLINE_RETURN_ERRORS"

struct live {
    uint64_t cycles;  /* so far, of all machines; as many as the job of such a run has */
    uint64_t longest; /* of them, of the machine that has most */
    uint32_t launches;
    uint32_t devices;   /* with launches: so many times a device was started, at cycle 0 */
    uint32_t how;       /* enum live_end */
    uint32_t trap;      /* enum sm_trap */
    uint32_t brought;   /* the fault has happened */
    uint32_t asks_time; /* the host has: what it does then is in no recorded job */
};

enum live_end {
    LIVE_GOES_ON,
    LIVE_TRAPPED,
    LIVE_DEADLOCKED,
    LIVE_RECURS,
    LIVE_LIVELOCKED,
    LIVE_TOO_LONG
};

#endif
