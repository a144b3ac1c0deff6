/* chart.h -- bars with their values: as a piece of the page, as an SVG file, as CSV.
 *
 *     struct chart c;
 *     chart_begin(&c, "outcomes", "Outcomes of the flips.", "share in %", true);
 *     chart_series(&c, "sdc", "#d55e00");
 *     struct chart_row *row = chart_row(&c, "fft rf");
 *     row->value[0] = 17.6;
 *     page_chart(page, &c);                  // and frees it
 */
#ifndef FAULTSIM_CHART_H
#define FAULTSIM_CHART_H

#include "base/fl.h"

enum { CHART_SERIES = 11 };

struct chart_row {
    char *label;
    double value[CHART_SERIES]; /* percent, behind each other; NAN: none */
    double low, high;           /* the interval of all of them together, or NAN */
    double head;                /* what is said first, in percent; NAN: the sum of the values */
    double half[CHART_SERIES];  /* of the interval of each value, for its digits; 0: exact */
};

struct chart {
    char *name, *caption; /* of files; below the bars */
    const char *axis;     /* what bars show, with its unit: "AVF in %" */
    bool parts;           /* the series are parts of a whole, and each is told */
    const char *series[CHART_SERIES], *colour[CHART_SERIES];
    int nseries;
    struct chart_row *row;
    int nrows;
};

void chart_begin(struct chart *c, const char *name, const char *caption, const char *axis,
                 bool parts);
void chart_series(struct chart *c, const char *name, const char *colour);
/* A new row without values; the label is copied. */
struct chart_row *chart_row(struct chart *c, const char *label);
void chart_free(struct chart *c);

/* `style` gets the CSS of the series that it lacks yet. */
void chart_html(const struct chart *c, struct fl_buf *out, struct fl_buf *style);
void chart_svg(const struct chart *c, struct fl_buf *out);
void chart_csv(const struct chart *c, struct fl_buf *out);

#endif
