/* source.h -- the text that a kernel was compiled from, and messages about a place in it. */
#ifndef CC_SOURCE_H
#define CC_SOURCE_H

#include "ptx.h"

struct cc_source {
    const char *name; /* as the user called it */
    bool is_ptx;
    const char *ptx; /* the PTX itself */
};

/* file:line:column: error: ..., the line, a caret. Returns -1. */
int cc_source_fail(const struct cc_source *s, const struct ptx_module *m, const struct cc_place *at,
                   struct fl_err *err, const char *message);

#endif
