/* process.h -- runs a program in a folder, for so long, and says how it ended. */
#ifndef PROCESS_H
#define PROCESS_H

#include <stdatomic.h>

#include "base/fl.h"
#include "orphans.h"
#include "room.h"

struct process {
    char *const *argv; /* looked up in PATH, as a shell does */
    char *const *env;
    const char *folder;     /* it runs there */
    const char *writes;     /* another folder that it may write into; or NULL */
    const char *out, *said; /* files for its standard output and error */
    double seconds;         /* it may take */
    uint64_t bytes;         /* a file that it writes may have */
    const atomic_int *stop; /* not 0: it is ended; NULL: nobody asks */
    struct orphans *orphans;
};

struct process_end {
    enum { PROCESS_EXITED, PROCESS_BY_SIGNAL, PROCESS_TOO_LONG, PROCESS_STOPPED } how;
    int code; /* the status, or the signal */
    double seconds;
    struct room least; /* that was left meanwhile */
};

/* -1: it could not be started. Whatever it has started in turn ends with it. */
int process_run(const struct process *p, struct process_end *end, struct fl_err *err);

#endif
