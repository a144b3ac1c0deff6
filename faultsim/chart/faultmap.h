/* faultmap.h -- a structure as a map: a cell for each bit, its left half the fault that holds it at 0, its right half that at 1.
 *
 *     struct faultmap m;
 *     faultmap_begin(&m, "map-dstack");
 *     int sdc = faultmap_class(&m, "sdc", "#d55e00", 1);
 *     faultmap_column(&m, "tm31", true);          // with its name above it
 *     faultmap_row(&m, "w0 le1");
 *     faultmap_set(&m, 0, 0, 1, sdc);             // row, column, half
 *     page_picture(page, m.name, &faultmap_picture, &m, "..."); faultmap_free(&m);
 */
#ifndef CHART_FAULTMAP_H
#define CHART_FAULTMAP_H

#include "base/fl.h"
#include "picture.h"

enum { FAULTMAP_CLASSES = 16, FAULTMAP_HALVES = 2 };

struct faultmap {
    char *name;
    int nclasses, rows, columns; /* class 0: no fault */
    struct faultmap_class {
        const char *name, *colour;
        double opacity;
        long faults; /* that are of it */
    } class[FAULTMAP_CLASSES];
    char **row;
    struct faultmap_column {
        char *name;
        bool labelled; /* the picture names it where there is room */
    } * column;
    unsigned char *cell; /* row by row, a byte for each half */
};

void faultmap_begin(struct faultmap *m, const char *name);
int faultmap_class(struct faultmap *m, const char *name, const char *colour, double opacity);
/* All columns come before the first row. */
void faultmap_column(struct faultmap *m, const char *name, bool labelled);
void faultmap_row(struct faultmap *m, const char *label);
void faultmap_set(struct faultmap *m, int row, int column, int half, int class);
void faultmap_free(struct faultmap *m);

extern const struct picture_kind faultmap_picture;

#endif
