/* library.h -- a self-test library: tests of all parts of an SM in one cubin, for a host program to run.
 *
 * Its tests are jobs that sbstgen makes part by part. Here their cubins become one, each job runs once on the C model of the
 * machine, and what a host has to know of it is written: a manifest (library.xml), a table in C (library.c, library.h), and
 * the jobs over the joint cubin, so that a campaign of faultsim judges what a host runs. docs/reference/library.md.
 *
 * Order of use: library_open, library_add for the folder of each part, library_write, library_close.
 */
#ifndef LIBRARY_H
#define LIBRARY_H

#include "sm/job/job.h"

struct library_test {
    char *name, *part, *units; /* units of the control whose gates it tests, or NULL */
    char *stage;               /* its job, over a cubin of its own */
    struct fl_buf text;        /* its job, over the joint cubin */
    struct job *job;           /* the same, read */
    bool *points;              /* of each parameter of each launch: it points into a buffer */
    uint64_t *cycles;          /* of each launch */
    uint64_t total, instructions;
    uint8_t *out; /* the outputs of a fault-free machine, one behind the other */
    char sha256[65];
    const char
        *left; /* why the library does without it, or NULL; a part left as a whole has no job */
};

struct library {
    char *stage; /* a folder for files on their way; gone afterwards */
    int held;    /* the same, opened and locked: another run removes it when this one was killed */
    struct library_test *test;
    int tests;
    struct fl_buf cubin;
    int kernels, bytes; /* of the cubin, bytes of code */
};

struct library_options {
    const char *dir, *profile, *command, *program; /* program: version and revision of sbstgen */
    const char *matrix;                            /* of faultsim --matrix, or NULL */
    uint64_t test_cycles, max_cycles;              /* of all tests, of each; 0: any */
    uint32_t seed;
    const struct fl_files *read; /* what no file goes over */
};

int library_open(struct library *l, const char *dir, struct fl_err *err);
/* A folder for the files of a part. The caller frees it. */
char *library_stage(const struct library *l, const char *part);
/* The jobs in that folder, tests of `part`. */
int library_add(struct library *l, const char *part, struct fl_err *err);
/* A part that the machine is not tested for, and why: text that stays. */
void library_leave(struct library *l, const char *part, const char *why);
/* All files of the library in its folder, and lines that say what was written. */
int library_write(struct library *l, const struct library_options *o, struct fl_buf *report,
                  struct fl_err *err);
void library_close(struct library *l);

/* Whether the files of the library with that manifest are those that sbstgen wrote, for this program and machine. */
int library_check(const char *manifest, struct fl_buf *report, struct fl_err *err);

#endif
