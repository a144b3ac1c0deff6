/* steps.h -- curves over time that go in steps: as a piece of the page, as an SVG file, as figures.
 *
 *     struct steps s;
 *     steps_begin(&s, "time-fft-rf", "fft, rf", 0, 39360);
 *     int avf = steps_curve(&s, "AVF, exact", "#0072b2", false);
 *     steps_add(&s, avf, 0, 500, 12.5);      // cycles 0 to 499; percent
 *     page_steps(page, &s);                  // and frees it
 *
 * Curves of the upper frame have a scale of their own, those of the lower one (occupancy, lifetimes) 0 to 100 %: so that few
 * failures are not flat beside them.
 */
#ifndef REPORT_STEPS_H
#define REPORT_STEPS_H

#include "base/fl.h"

enum { STEPS_CURVES = 6 };

struct steps {
    char *name, *title;
    const char *axis; /* of the upper frame; "AVF in %" */
    uint64_t from, to;
    struct steps_curve {
        char *title;
        const char *colour;
        bool lower;
        struct step {
            uint64_t from, to;
            double y, lo, hi; /* an interval where hi > lo: a band */
        } * step;
        int nsteps, room;
    } curve[STEPS_CURVES];
    int ncurves;
};

void steps_begin(struct steps *s, const char *name, const char *title, uint64_t from, uint64_t to);
/* The title is copied. */
int steps_curve(struct steps *s, const char *title, const char *colour, bool lower);
/* In the order of time; NAN leaves a gap. */
void steps_add(struct steps *s, int curve, uint64_t from, uint64_t to, double percent);
/* The same with an interval: a sample's. */
void steps_add_sampled(struct steps *s, int curve, uint64_t from, uint64_t to, double percent,
                       double lo, double hi);
void steps_free(struct steps *s);

void steps_html(const struct steps *s, struct fl_buf *out);
void steps_svg(const struct steps *s, struct fl_buf *out);
void steps_dat(const struct steps *s, struct fl_buf *out);

#endif
