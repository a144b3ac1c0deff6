/* internal.h -- what compose.c and inside.c share: text of units with its braces filled in. */
#ifndef MARCH_INTERNAL_H
#define MARCH_INTERNAL_H

#include "march.h"

/* What the braces of a line mean. */
struct march_names {
    const struct march_program *p;
    int cell, flag;
    const char *x, *y; /* operands: read, written */
};

/* The lines of a part of a unit; those that name {k} once for each cell where `each`. Returns how
 * many are instructions, or -1. */
int march_write_lines(struct march_program *p, struct march_names *n, const char *text, bool each,
                      struct fl_err *err);
int march_write_body(struct march_program *p, struct fl_err *err);

/* inside.c */
int march_write_inside(struct march_program *p, struct fl_err *err);
void march_rename(const struct march_program *p, const char *line, struct fl_buf *out);

#endif
