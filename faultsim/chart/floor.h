/* floor.h -- the structures of an SM where they belong, from fetch to memory, each in the shade of its share. It is a sketch: sizes
 * say nothing.
 *
 *     struct floor_plan f;
 *     floor_begin(&f, "floor", "det", 100);
 *     floor_set(&f, "rf", 99.5);                  // percent; false: the sketch has no such structure
 *     page_picture(page, f.name, &floor_picture, &f, "..."); floor_free(&f);
 */
#ifndef CHART_FLOOR_H
#define CHART_FLOOR_H

#include "base/fl.h"
#include "picture.h"

enum { FLOOR_MOST = 40 };

struct floor_plan {
    char *name;
    const char *scale; /* "det" or "fail": svg.c */
    double top;        /* percent of the darkest */
    int known;         /* structures with a share */
    double share[FLOOR_MOST];
};

void floor_begin(struct floor_plan *f, const char *name, const char *scale, double top);
bool floor_set(struct floor_plan *f, const char *structure, double percent);
void floor_free(struct floor_plan *f);

extern const struct picture_kind floor_picture;

#endif
