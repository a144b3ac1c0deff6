/* program.h -- a program as the judge of faults: it runs again for those that the record of its fault-free run cannot decide.
 *
 *     p = program_open(&options, &err);          two fault-free runs, which must do the same; the first is recorded
 *     job_load(program_job(p, 0), ...)           a campaign of the job of its first machine
 *     if (!program_knows(p, r.outcome, idle))    what the record says of a fault is not enough:
 *         program_run(p, id, &r.r);              the program runs with it
 *     program_close(p);                          and its folders go away
 *
 * Every run has the folder that the program was started in, copied, and standard input at its end. It is judged by its exit status, the
 * output files that were named, standard output, and a command of the user's (judge.h): docs/howto/programs.md, "Closed loop".
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stdatomic.h>

#include "faultsim/outcome/runner.h"
#include "sm/job/job.h"

enum { PROGRAM_SECONDS = 10, PROGRAM_MANY_TIMES = 5, PROGRAM_STATUSES = 256 };

struct program_options {
    char *const *argv;
    const char *const *output; /* files in the folder */
    int outputs;
    /* what another exit status than the fault-free one means: an outcome and one more; 0: nobody explained it */
    uint8_t exit_means[PROGRAM_STATUSES];
    const char *check;    /* a command for the shell that judges the outputs; or NULL */
    bool no_stdout;       /* standard output may differ */
    const char *netlists; /* the folder of those of faults of gates; or NULL */
    bool one_machine;     /* refuse a program that uses the device several times */
    bool return_errors;   /* of launches, to the program, which decides: else a run ends there */
    const char
        *ignore;    /* lines of it with this extended regular expression do not count; or NULL */
    double seconds; /* a run may take; 0: PROGRAM_SECONDS */
    const char *profile;        /* or NULL */
    const char *const *without; /* paths that are not copied: what the campaign writes */
    int nwithout;
    const atomic_int *stop; /* or NULL */
};

/* Takes the next word out of such a command that may name a file; NULL: there is none. */
char *program_check_word(char **rest);

/* False: nobody explained it. */
bool program_exit_means(const struct program_options *o, int status, enum fsim_outcome *means);

struct program;

struct program *program_open(const struct program_options *o, struct fl_err *err);
void program_close(struct program *p);
/* From now on it is ended by this. */
void program_stop_by(struct program *p, const atomic_int *stop);

/* Where the recorded job of machine n is, from 0; NULL: it had no more. */
const char *program_job(const struct program *p, int n);
/* Of the job that was loaded from there. */
void program_look_at(struct program *p, const struct job *job);
/* What decides outcomes beside that job, each behind a space: a digest of program, arguments and what it leaves, and options:
 * " program=0123456789abcdef output=sums exit=1=sdc,3=detected". Spaces, commas and
 * all bytes that are no ASCII are written as in addresses, %20. */
void program_options_text(const struct program *p, struct fl_buf *out);
double program_seconds(const struct program *p);          /* a fault-free run, with its copy */
unsigned long long program_runs(const struct program *p); /* with faults, so far */
/* Of them, those that ended with this exit status, which nobody explained. */
unsigned long long program_unexplained(const struct program *p, int status);

/* The recorded run decides this fault: the host has read the same as ever, or will never be asked. `idle`: no instruction reads what the
 * fault changes. */
bool program_knows(const struct program *p, enum fsim_outcome by_record, bool idle);
/* Runs it with the fault. What cannot be judged (no more processes, a full disk, a stop) is an error: false, and then program_failed. */
bool program_run(struct program *p, const char *fault, struct fsim_result *out);
/* ... because the computer was short of something: the campaign can go on. */
bool program_had_trouble(const struct program *p);
bool program_failed(const struct program *p, struct fl_err *err);

#endif
