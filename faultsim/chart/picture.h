/* picture.h -- a picture as a piece of the page and as a file, whatever it shows.
 *
 * What draws it lays it out for the width that it is given. A page holds layouts for a desk, a small window and a telephone,
 * of which its style sheet shows one; a file of --plots has that of a desk.
 */
#ifndef CHART_PICTURE_H
#define CHART_PICTURE_H

#include "base/fl.h"

struct picture {
    const char *name, *caption; /* of files; below it: HTML */
    const void *of;
    const struct picture_kind {
        void (*svg)(const void *of, int width, struct fl_buf *out);
        int (*least)(const void *of); /* the width from which no layout gets wider */
        void (*csv)(const void *of, struct fl_buf *out);
    } * kind;
};

void picture_html(const struct picture *p, struct fl_buf *out);
/* A file that needs nothing beside it. */
void picture_svg(const struct picture *p, struct fl_buf *out);

#endif
