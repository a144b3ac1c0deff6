/* grid.h -- many shares as colours without figures, such as those of all elements of an output.
 *
 *     struct grid g = {.name = "map-c", .columns = 64, .count = 4096, .value = share, .top = 100};
 *     page_picture(page, g.name, &grid_picture, &g, "...");
 */
#ifndef CHART_GRID_H
#define CHART_GRID_H

#include "picture.h"

struct grid {
    const char *name;
    int columns, count;  /* cells of a row, of all */
    const double *value; /* percent, row by row */
    double top;          /* percent of the darkest */
};

extern const struct picture_kind grid_picture;

#endif
