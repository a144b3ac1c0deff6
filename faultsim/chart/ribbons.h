/* ribbons.h -- where injected faults go: to those that are activated, and on to outcomes.
 *
 *     struct ribbons f;
 *     ribbons_begin(&f, "flow", "injected", "activated");
 *     ribbons_add(&f, "sdc", "#d55e00", 12, true);       // by way of the activated ones
 *     ribbons_add(&f, "not activated", "#999999", 88, false);
 *     page_picture(page, f.name, &ribbons_picture, &f, "..."); ribbons_free(&f);
 */
#ifndef CHART_RIBBONS_H
#define CHART_RIBBONS_H

#include "base/fl.h"
#include "picture.h"

enum { RIBBONS_ENDS = 16 };

struct ribbons {
    char *name;
    const char *all, *some; /* what is left, and what is in the middle */
    int ends;
    struct ribbons_end {
        const char *name, *colour;
        double count;
        bool by_way; /* of what is in the middle; these come first */
    } end[RIBBONS_ENDS];
};

void ribbons_begin(struct ribbons *f, const char *name, const char *all, const char *some);
/* An end of nothing is none. */
void ribbons_add(struct ribbons *f, const char *name, const char *colour, double count,
                 bool by_way);
void ribbons_free(struct ribbons *f);

extern const struct picture_kind ribbons_picture;

#endif
