/* compact.h -- which parts of a self-test are worth their time, and in which order: from the
 * detection matrix that faultsim --matrix writes.
 *
 * Order of use: sbst_matrix_load, sbst_compact, then the writers.
 */
#ifndef COMPACT_H
#define COMPACT_H

#include <stdbool.h>
#include <stdint.h>
#include "base/fl.h"

struct sbst_part {
    char *name, *file, *sha256;
    long launches, instructions, cycles, bytes;
    uint64_t *detects; /* a bit per row of the matrix */
};

struct sbst_matrix {
    struct sbst_part *part;
    int nparts;
    long rows;     /* testable faults */
    long detected; /* by any part */
};

/* `sdc_only`: what is not seen in the outputs does not count as detected. */
int sbst_matrix_load(const char *path, bool sdc_only, struct sbst_matrix *out, struct fl_err *err);
void sbst_matrix_free(struct sbst_matrix *m);

struct sbst_goal {
    double coverage; /* percent of the testable faults; 0: all that the parts detect together */
    long slot;       /* cycles of a slot, each part takes one; 0: any */
};

struct sbst_plan {
    int *part;   /* numbers of the kept parts, in the order to run them */
    long *found; /* faults that are detected after each */
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

/* The kept parts as a schedule file, docs/reference/formats.md. */
void sbst_plan_schedule(const struct sbst_matrix *m, const struct sbst_plan *p, struct fl_buf *out);
/* For people: what was kept, what was dropped, what is proved. */
void sbst_plan_tell(const struct sbst_matrix *m, const struct sbst_plan *p, struct fl_buf *out);

#endif
