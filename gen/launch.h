/* launch.h -- a launch as files for FlexGripPlus, and the dump of its simulation held against
 * them. */
#ifndef SBST_LAUNCH_H
#define SBST_LAUNCH_H

#include "sbst.h"

enum launch_kind {
    LAUNCH_PROGRAM,
    LAUNCH_ENTITY,
    LAUNCH_CONSTANT,
    LAUNCH_GLOBAL,
    LAUNCH_TEXT,
    LAUNCH_FILES
};
/* Their names, in a folder for each launch: NAME.launch1. */
extern const char *const launch_file[LAUNCH_FILES];

/* `number` counts from 1. */
int launch_write(const struct sbst_program *p, const struct cubin *cubin, int number,
                 enum launch_kind kind, struct fl_buf *out, struct fl_err *err);

/* Holds the dumps of all launches, in order, against the words in the folders beside the job. Tells
 * in `out` which words differ and, with a dictionary of faultsim (may be NULL), which faults leave
 * them. Returns 0 when none differs, 1 when some do, -1 when a file is not what it should be.
 * `root` has docs/. */
int launch_verify(const char *job, const char *const *dump, int ndumps, const char *dictionary,
                  struct fl_buf *out, struct fl_err *err);

#endif
