/* fault.h -- faults, their ids, and lists of them by pattern.
 *
 * An id names cells of structures.def and what happens to them:
 *
 *     dstack/w0/le3/spc17:sa1            one cell held at 1 for the whole job
 *     dstack/le3/spc17:sa1               dstack without a warp means warp slot 0
 *     dstack/w0/le1-4/tm*:sa*            a pattern: ranges and * in any number; both stuck values
 *     dstack                             all stuck-at faults of the stack of warp slot 0
 */
#ifndef FAULT_H
#define FAULT_H

#include "sm/structures.h"

struct fsim_fault {
    struct sm_cell cell;
    int value; /* the cell is stuck at this */
};

struct fsim_list {
    struct fsim_fault *fault;
    long count;
};

/* Appends all faults that a pattern names, in the order structure, axes, field, bit, value. Unknown
 * names and numbers out of range are errors that name what there is. */
int fsim_list_add(struct fsim_list *list, const struct sm_image *img, const char *pattern,
                  struct fl_err *err);
/* The cells that such a pattern names, without what happens to them, in the same order: how many
 * there are; the first `room` of them go into `out`. -1: the pattern names none. `shown` is what
 * the user wrote, for messages. */
long fsim_cells(const struct sm_image *img, const char *pattern, const char *shown,
                struct sm_cell *out, long room, struct fl_err *err);
/* A file of patterns, one a line, # starts a comment. */
int fsim_list_read(struct fsim_list *list, const struct sm_image *img, const char *path,
                   struct fl_err *err);
/* Patterns may overlap: keeps the first of equal faults, so that none counts twice. */
void fsim_list_once(struct fsim_list *list);
void fsim_list_free(struct fsim_list *list);

/* The full id of a fault; out has room for FSIM_ID bytes. */
enum { FSIM_ID = 64 };
void fsim_id(const struct sm_image *img, const struct fsim_fault *fault, char out[FSIM_ID]);

#endif
