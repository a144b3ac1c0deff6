/* schedule.h -- a schedule of self-test parts (docs/reference/formats.md) as cells that can be read and set. */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include <stdint.h>

#include "base/fl.h"

/* Columns that are found by their names, in any order among others. */
enum schedule_column {
    SCHEDULE_JOB,
    SCHEDULE_INSTRUCTIONS,
    SCHEDULE_CYCLES,
    SCHEDULE_SHA256,
    SCHEDULE_COLUMNS
};

struct schedule {
    char *path;
    char **cell; /* lines * columns, the names first */
    int lines, columns, cells;
    int at[SCHEDULE_COLUMNS];
};

/* Lines count from 1, as in messages; the parts begin with line 2. After a failure there is nothing to free. */
int schedule_load(const char *path, struct schedule *s, struct fl_err *err);
const char *schedule_get(const struct schedule *s, int line, enum schedule_column column);
void schedule_set(struct schedule *s, int line, enum schedule_column column, uint64_t value);
/* In place of the file that was read, which stays as it was after a failure. */
int schedule_write(const struct schedule *s, struct fl_err *err);
void schedule_free(struct schedule *s);

#endif
