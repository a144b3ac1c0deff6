/* smrun.h -- what the files of the command smrun share: its options, and a job made of them. */
#ifndef SMRUN_H
#define SMRUN_H

#include "sm/job/job.h"

enum { OK = 0, PROBLEM = 1, USAGE = 2 };

struct list { /* the values of an option that may be repeated */
    const char **item;
    int count;
};

enum engine { ENGINE_C, ENGINE_RTL, ENGINE_BOTH };

struct options {
    const char *record;
    char **program;             /* which --record runs, with its arguments */
    struct job_machine machine; /* --profile, --on, --sms */
    const char *file, *trace, *timeline, *kernel, *grid, *block, *shared, *wave, *write_job;
    enum engine engine;
    bool has_engine; /* the line says which */
    struct list param, konst, buffer, dump;
    uint64_t max_cycles;
    uint64_t dump_cycle, break_cycle; /* UINT64_MAX: none */
    uint32_t break_pc;                /* when has_break_pc */
    bool expect, sign, list, measure, binary, has_break_pc;
    FILE *people; /* where the summary goes: standard output, unless an output goes there */
};

/* "--option value: write want". */
int smrun_bad(struct fl_err *err, const char *option, const char *value, const char *want);
/* Splits "NAME=VALUE" at `at`; the name is a copy, or NULL. */
char *smrun_split(const char *text, char at, const char **value);

/* One launch of a kernel as the options state it. *status says whether a failure is the user's
 * command line or the input. */
int smrun_build_job(const struct options *o, struct job *job, int *status, struct fl_err *err);
/* What the host does between the launches, in a line; nothing when it does nothing. */
void smrun_print_host(const struct job *job, struct fl_buf *out);
/* Runs the program and leaves its run in o->record. */
int smrun_record(const struct options *o, char **program, struct fl_err *err);
/* The same as text: a job.xml that is to lie at `path`. */
int smrun_print_job(const struct options *o, const struct job *job, const char *path,
                    struct fl_buf *out, struct fl_err *err);
/* Adds the digest to a job.xml that states none. */
int smrun_sign(const char *path, const uint8_t digest[32], struct fl_err *err);

#endif
