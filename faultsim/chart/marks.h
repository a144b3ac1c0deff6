/* marks.h -- moments of a run on its axis of cycles, each with its name and its cycle.
 *
 *     struct marks m;
 *     marks_begin(&m, "timeline", 24728);         // cycles of the run
 *     marks_add(&m, "activated", 11503);
 *     page_picture(page, m.name, &marks_picture, &m, "..."); marks_free(&m);
 */
#ifndef CHART_MARKS_H
#define CHART_MARKS_H

#include "base/fl.h"
#include "picture.h"

enum { MARKS_MOST = 12 };

struct marks {
    char *name;
    uint64_t to;
    int count;
    struct mark {
        char *label;
        uint64_t at;
    } mark[MARKS_MOST];
};

void marks_begin(struct marks *m, const char *name, uint64_t to);
/* In the order of time. */
void marks_add(struct marks *m, const char *label, uint64_t at);
void marks_free(struct marks *m);

extern const struct picture_kind marks_picture;

#endif
