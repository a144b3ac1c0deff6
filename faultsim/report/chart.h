/* chart.h -- bars with their values: as a piece of the page, as an SVG file, as CSV.
 *
 *     struct chart c;
 *     chart_begin(&c, "outcomes", "What became of the flips", true);
 *     chart_series(&c, "sdc", "#c0392b");
 *     struct chart_row *row = chart_row(&c, "fft rf", NULL);
 *     row->value[0] = 17.6;
 *     page_chart(p, &c);                     // and frees it
 */
#ifndef FAULTSIM_CHART_H
#define FAULTSIM_CHART_H

#include "base/fl.h"

enum { CHART_SERIES = 7 };

struct chart_row {
    char *label, *detail;                         /* detail: code, or NULL */
    double value[CHART_SERIES];                   /* percent; NAN: no bar */
    double low[CHART_SERIES], high[CHART_SERIES]; /* an interval, or NAN */
};

struct chart {
    char *name, *caption; /* of files; below the bars */
    bool stacked;         /* the bars of a row stand in one line, else below each other */
    const char *series[CHART_SERIES], *colour[CHART_SERIES];
    int nseries;
    struct chart_row *row;
    int nrows;
};

void chart_begin(struct chart *c, const char *name, const char *caption, bool stacked);
void chart_series(struct chart *c, const char *name, const char *colour);
/* A new row without values; label and detail are copied. */
struct chart_row *chart_row(struct chart *c, const char *label, const char *detail);
void chart_free(struct chart *c);

void chart_html(const struct chart *c, struct fl_buf *out);
void chart_svg(const struct chart *c, struct fl_buf *out);
void chart_csv(const struct chart *c, struct fl_buf *out);
extern const char chart_style[]; /* CSS for chart_html */

/* Text where <, >, & and quotes mean something. */
void chart_escaped(struct fl_buf *out, const char *text);

#endif
