/* compact.h -- which parts of a self-test are worth their time, and in which order: from the
 * detection matrix that faultsim --matrix writes.
 *
 * Order of use: sbst_matrix_load, sbst_compact, then the writers.
 */
#ifndef COMPACT_H
#define COMPACT_H

#include <stdbool.h>
#include <stdint.h>
#include "base/stats.h"

struct sbst_part {
    char *name, *file, *sha256;
    long launches, instructions, cycles, bytes;
    uint64_t *detects; /* a bit per row of the matrix */
};

/* A sample of permanent faults: its rows stand for all testable faults that they were drawn from. */
struct sbst_draw {
    char *name;
    long of; /* testable faults */
    long rows;
};

struct sbst_matrix {
    struct sbst_part *part;
    int nparts;
    long rows;              /* testable faults, or those drawn of them */
    long detected;          /* of the rows, by any part */
    struct sbst_draw *draw; /* none: the rows are all faults */
    int ndraws;
    int *draw_of;   /* [rows], in a sample */
    double faults;  /* that the rows stand for: as many as rows where nothing was drawn */
    double *weight; /* [rows]: faults that a row stands for */
};

/* `sdc_only`: what is not seen in the outputs does not count as detected. */
int sbst_matrix_load(const char *path, bool sdc_only, struct sbst_matrix *out, struct fl_err *err);
/* Without a part that cannot be chosen. The faults stay, those that it alone detects undetected. */
void sbst_matrix_drop(struct sbst_matrix *m, int part);
void sbst_matrix_free(struct sbst_matrix *m);

struct sbst_goal {
    double coverage; /* percent of the testable faults; 0: all that the parts detect together */
    long slot;       /* cycles of a slot, each part takes one; 0: any */
};

struct sbst_plan {
    int *part;     /* numbers of the kept parts, in the order to run them */
    double *found; /* faults that are detected after each; of a sample an estimate, */
    struct stats_interval
        *share; /* and the interval of their share, 95 %; both ends the share itself otherwise */
    int count;
    long cycles;
    bool minimal;    /* proved: no other choice is cheaper */
    bool best_order; /* proved: no other order finds faults sooner */
    double mean;     /* cycles until a fault is detected, over all that are */
};

/* Chooses the cheapest parts that reach the goal: fewest slots if there are slots, then fewest
 * cycles. Orders them so that faults are found as soon as can be. Returns 1 when the goal cannot be
 * reached. */
int sbst_compact(const struct sbst_matrix *m, const struct sbst_goal *goal, struct sbst_plan *out,
                 struct fl_err *err);
void sbst_plan_free(struct sbst_plan *p);

/* The kept parts as a schedule file, docs/reference/schedules.md. */
int sbst_plan_schedule(const struct sbst_matrix *m, const struct sbst_plan *p, struct fl_buf *out,
                       struct fl_err *err);
/* For people: what was kept, what was dropped, what is proved. */
void sbst_plan_print(const struct sbst_matrix *m, const struct sbst_plan *p, struct fl_buf *out);

#endif
