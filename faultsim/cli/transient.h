/* transient.h -- faultsim --model transient|intermittent, merge, report. */
#ifndef TRANSIENT_MAIN_H
#define TRANSIENT_MAIN_H

#include <stdio.h>

#include "sm/job/job.h"
#include "faultsim/result/made.h"

/* On stderr: a job that compares nothing. */
static inline void warn_of_outputs(const struct job *job)
{
    if (made_note(job->noutputs))
        fprintf(stderr, "faultsim: warning: %s: %s\n", job->path, made_note(job->noutputs));
}

int transient_main(int argc, char **argv); /* exit status */

#endif
