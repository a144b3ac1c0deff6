/* heatmap.h -- a table as colours: a row for each test or job, a column for each structure.
 *
 *     struct heatmap h;
 *     heatmap_begin(&h, "coverage", "det");
 *     heatmap_column(&h, "dstack", 96768);
 *     int row = heatmap_row(&h, "union", true);
 *     heatmap_set(&h, row, 0, 99.2, 98.1, 99.6);     // percent, with its interval
 *     page_picture(page, h.name, &heatmap_picture, &h, "..."); heatmap_free(&h);
 *
 * Each cell has its figure, so that nothing hangs on colours.
 */
#ifndef CHART_HEATMAP_H
#define CHART_HEATMAP_H

#include "base/fl.h"
#include "picture.h"

struct heatmap {
    char *name;
    const char *scale; /* "det" or "fail": svg.c */
    double top;        /* percent of the darkest */
    int rows, columns;
    struct heat_label {
        char *name;
        uint64_t count; /* below a column */
        bool bold;      /* a row that joins the others */
    } * row, *column;
    struct heat_cell {
        double value, lo, hi; /* NAN: none */
    } * cell;                 /* row by row; room for all columns */
};

void heatmap_begin(struct heatmap *h, const char *name, const char *scale);
/* All columns come before the first row. */
void heatmap_column(struct heatmap *h, const char *name, uint64_t count);
int heatmap_row(struct heatmap *h, const char *name, bool bold);
void heatmap_set(struct heatmap *h, int row, int column, double value, double lo, double hi);
void heatmap_free(struct heatmap *h);

extern const struct picture_kind heatmap_picture;

#endif
