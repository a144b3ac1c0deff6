/* figures.h -- figures for people: as many digits as they deserve. What was counted keeps its digits; what was sampled is
 * rounded to where its interval begins to doubt it, so that half the interval has two digits: 33.6 (31.5 to 35.6).
 */
#ifndef REPORT_FIGURES_H
#define REPORT_FIGURES_H

#include "base/fl.h"

/* Text where <, >, & and quotes mean something. */
void figure_escaped(struct fl_buf *out, const char *text);
/* Behind the point of a figure; `half` is half of its interval, 0 when it is exact. */
int figure_decimals(double half);
/* Of a scale that holds v: 1, 2 or 5 times a power of ten; 1 for nothing. */
double figure_top(double v);
/* In percent, without the sign. */
void figure_percent(struct fl_buf *out, double percent, double half);
/* As HTML: 1.235 x 10^18 with a raised exponent, in groups of three. */
void figure_number(struct fl_buf *out, double v, double half);
void figure_count(struct fl_buf *out, uint64_t v);
/* "1 fault", "2 faults": in groups of three. */
void figure_of(struct fl_buf *out, uint64_t n, const char *what);

#endif
