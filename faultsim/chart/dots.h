/* dots.h -- shares with their intervals on an axis: a row for each structure, a dot for each series (methods, campaigns).
 *
 *     struct dots d;
 *     dots_begin(&d, "avf", "AVF in %");
 *     dots_series(&d, "exact");
 *     dots_row(&d, "rf: register file");
 *     dots_set(&d, 0, 12.5, 11.1, 13.9);          // in the row that was added last
 *     page_picture(page, d.name, &dots_picture, &d, "..."); dots_free(&d);
 *
 * Where the largest share is many times the smallest one the axis is logarithmic, and says so: small shares are not flat
 * beside large ones. Series differ in the shape of their dots, and each has its figure.
 */
#ifndef CHART_DOTS_H
#define CHART_DOTS_H

#include "base/fl.h"
#include "picture.h"

enum { DOTS_SERIES = 3 };

struct dots {
    char *name;
    const char *axis;
    char *series[DOTS_SERIES];
    int nseries, rows;
    struct dots_row {
        char *label;
        struct dot {
            double value, lo, hi; /* percent; NAN: none; lo = hi: exact */
        } at[DOTS_SERIES];
    } * row;
};

void dots_begin(struct dots *d, const char *name, const char *axis);
void dots_series(struct dots *d, const char *name);
void dots_row(struct dots *d, const char *label);
void dots_set(struct dots *d, int series, double value, double lo, double hi);
void dots_free(struct dots *d);

/* Whether its shares are so different that the axis is logarithmic. */
bool dots_logarithmic(const struct dots *d);

extern const struct picture_kind dots_picture;

#endif
