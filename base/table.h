/* table.h -- tables and sentences for a terminal of FL_COLUMNS columns.
 *
 *     struct fl_table t = {0};
 *     fl_table_title(&t, "Outcomes (percent)");
 *     fl_table_columns(&t, "*job|*target|faults|?hang|AVF %|<source");
 *     fl_table_cell(&t, "%s", job);                     // cell by cell, row by row
 *     fl_table_print(&t, &out);
 *
 * A head begins with a star where its column names the rows (such columns come first), with "<" where it is text, with "?"
 * where zeros say nothing. A column or row without content ("", "-") is left out. A table that is too wide gets heads of
 * several lines, then a line above it for names that are the same in every row; then rows become columns, or long names go on in
 * the next line; where that does not fit either, it is printed in blocks of columns, and each repeats the names of the rows.
 */
#ifndef FL_TABLE_H
#define FL_TABLE_H

#include "fl.h"

enum { FL_COLUMNS = 80 };

struct fl_table { /* zero-initialise it */
    char *title;
    char *kind;  /* of each column: '*', '<', '?', or ' ' */
    char **cell; /* the heads, then row by row */
    int columns, cells, room;
};

/* Sentences above the table; a table without rows has none. */
void fl_table_title(struct fl_table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* All columns come before the first row: several with bars between them, or one whose head may hold a bar. */
void fl_table_columns(struct fl_table *t, const char *heads);
void fl_table_column(struct fl_table *t, char kind, const char *head);
void fl_table_cell(struct fl_table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The table, after an empty line where `out` holds something before it; then it is empty. False: it has no rows. */
bool fl_table_print(struct fl_table *t, struct fl_buf *out);

/* A paragraph: lines are broken at spaces. */
void fl_wrap(struct fl_buf *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
