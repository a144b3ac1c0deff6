/* source.h -- the text that a kernel was compiled from: messages about a place in it, names as it has them. */
#ifndef CC_SOURCE_H
#define CC_SOURCE_H

#include "ptx.h"

/* file:line:column: error: ..., the line, a caret. Returns -1. */
int cc_source_fail(const struct cc_source *s, const struct ptx_module *m, const struct cc_place *at,
                   struct fl_err *err, const char *message);

/* A file that PTX names by `folder` and `file`, as users know it: the source under the name that they typed, others without the
 * current folder. */
const char *cc_source_shown(const struct cc_source *s, struct cc_arena *arena, const char *folder,
                            const char *file);

/* A name of C++ or of a variable inside a function, as the source has it. */
const char *cc_plain_name(struct cc_arena *arena, const char *name);

#endif
