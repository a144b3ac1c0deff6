/* classes.h -- the classes (class.h) of the faults of a unit, as a list and a table; and errors drawn of each class, at
 * the level of instructions, in the C model: what a campaign of that level would predict.
 */
#ifndef FAULTSIM_CONTROL_CLASSES_H
#define FAULTSIM_CONTROL_CLASSES_H

#include <stdatomic.h>

#include "class.h"
#include "faultsim/context/context.h"

/* Appends a line of CSV for each fault (of `sample` classes of faults drawn by `seed`; 0: of all), as a campaign would
 * draw and order them: job,id,class,field,cycle,warp,pc. `count` is added to. -1: see err; 1: `stop` said so. */
int control_classes(const struct job_context *ctx, const struct engine *engine,
                    const struct unit *u, uint64_t sample, uint64_t seed, const atomic_int *stop,
                    struct fl_buf *csv, uint64_t count[CONTROL_CLASS_COUNT], struct fl_err *err);
/* The first line of such a list. */
extern const char control_classes_head[];

/* Runs up to `most` errors of each class (error.h), drawn by `seed`, and appends a line for each:
 * job,class,error,outcome,reason. */
int control_predict(const struct job_context *ctx, uint64_t most, uint64_t seed,
                    const atomic_int *stop, struct fl_buf *csv,
                    uint64_t count[CONTROL_CLASS_COUNT][OUT_COUNT], struct fl_err *err);
extern const char control_predict_head[];

#endif
