/* schedule.c -- a schedule of self-test parts: its cells, and the costs of a run written into them. For parts whose cost no
 * generator knows. The columns are named in the first line; those that are not asked for stay as they are.
 */
#include "schedule.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[SCHEDULE_COLUMNS] = {"job", "instructions", "cycles", "sha256"};

static char **cell_at(const struct schedule *s, int line, int column)
{
    return &s->cell[(line - 1) * s->columns + column];
}

/* The cells of a line behind those that are there; how many. */
static int add_cells(struct schedule *s, char *line, int have)
{
    int n = 0;
    for (char *cell; (cell = strsep(&line, ",")); n++) {
        s->cell = fl_grow(s->cell, (size_t)(have + n) + 1, sizeof *s->cell);
        s->cell[have + n] = fl_strdup(cell);
    }
    return n;
}

static int find_columns(struct schedule *s, struct fl_err *err)
{
    for (int c = 0; c < SCHEDULE_COLUMNS; c++) {
        s->at[c] = -1;
        for (int i = 0; i < s->columns; i++)
            if (strcmp(*cell_at(s, 1, i), names[c]) == 0)
                s->at[c] = i;
        if (s->at[c] < 0)
            return fl_fail(err, "%s:1: no column '%s'; give a schedule that sbstgen has written",
                           s->path, names[c]);
    }
    return 0;
}

int schedule_load(const char *path, struct schedule *s, struct fl_err *err)
{
    struct fl_buf text = {0};
    int bad = fl_read_text(path, &text, err), cells = 0;
    *s = (struct schedule){.path = fl_strdup(path)};
    char *rest = bad ? NULL : (char *)text.data;
    for (char *line; !bad && rest && *rest && (line = strsep(&rest, "\n"));) {
        int n = add_cells(s, line, cells);
        cells += n;
        s->lines++;
        if (s->lines == 1) {
            s->columns = n;
            bad = find_columns(s, err);
        } else if (n != s->columns) {
            bad = fl_fail(err, "%s:%d: %d cells, and the first line names %d columns", path,
                          s->lines, n, s->columns);
        }
    }
    s->cells = cells;
    if (!bad && s->lines < 2)
        bad = fl_fail(err, "%s: no part; give a schedule that sbstgen has written", path);
    if (bad)
        schedule_free(s);
    fl_buf_free(&text);
    return bad;
}

const char *schedule_get(const struct schedule *s, int line, enum schedule_column column)
{
    return *cell_at(s, line, s->at[column]);
}

void schedule_set(struct schedule *s, int line, enum schedule_column column, uint64_t value)
{
    char **cell = cell_at(s, line, s->at[column]);
    free(*cell);
    *cell = fl_format("%" PRIu64, value);
}

int schedule_write(const struct schedule *s, struct fl_err *err)
{
    struct fl_buf text = {0};
    for (int line = 1; line <= s->lines; line++)
        for (int i = 0; i < s->columns; i++)
            fl_buf_printf(&text, "%s%s", *cell_at(s, line, i), i + 1 < s->columns ? "," : "\n");
    int bad = fl_write_file(s->path, text.data, text.size, err);
    fl_buf_free(&text);
    return bad;
}

void schedule_free(struct schedule *s)
{
    for (int i = 0; i < s->cells; i++)
        free(s->cell[i]);
    free(s->cell);
    free(s->path);
    *s = (struct schedule){0};
}
