/* dots.c -- see dots.h. */
#include "dots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "faultsim/result/csv.h"
#include "figures.h"
#include "svg.h"

enum { LEFT = 26, FIGURES = 168, LINE = 18, GAP = 8, DECADES = 6, SPREAD = 200, WIDEST = 980 };

void dots_begin(struct dots *d, const char *name, const char *axis)
{
    *d = (struct dots){.name = fl_strdup(name), .axis = axis};
}

void dots_series(struct dots *d, const char *name)
{
    d->series[d->nseries++] = fl_strdup(name);
}

void dots_row(struct dots *d, const char *label)
{
    d->row = fl_grow(d->row, (size_t)d->rows + 1, sizeof *d->row);
    d->row[d->rows++] = (struct dots_row){.label = fl_strdup(label)};
    for (int s = 0; s < DOTS_SERIES; s++)
        dots_set(d, s, (double)NAN, (double)NAN, (double)NAN);
}

void dots_set(struct dots *d, int series, double value, double lo, double hi)
{
    d->row[d->rows - 1].at[series] = (struct dot){value, lo, hi};
}

void dots_free(struct dots *d)
{
    for (int i = 0; i < d->rows; i++)
        free(d->row[i].label);
    for (int s = 0; s < d->nseries; s++)
        free(d->series[s]);
    free(d->row);
    free(d->name);
    *d = (struct dots){0};
}

/* ---- the axis -------------------------------------------------------------------------------- */

/* From `from` to `to`; logarithmic from a power of ten to another. */
struct axis {
    bool log, below; /* something is below its end */
    double from, to;
    int left, width;
};

static struct axis axis_of(const struct dots *d, int width)
{
    double least = INFINITY, most = 0;
    for (int r = 0; r < d->rows; r++)
        for (int s = 0; s < d->nseries; s++) {
            const struct dot *at = &d->row[r].at[s];
            if (isnan(at->value))
                continue;
            most = fmax(most, fmax(at->value, at->hi));
            least = at->value > 0 ? fmin(least, at->value) : least;
        }
    struct axis a = {.left = LEFT, .width = width - LEFT - FIGURES, .to = figure_top(most)};
    a.to = most > 50 && most <= 100 ? 100 : a.to;
    if (most > SPREAD * least) {
        int top = (int)ceil(log10(most)), bottom = (int)floor(log10(least));
        bottom = bottom < top - DECADES ? top - DECADES : bottom;
        a = (struct axis){true, false, pow(10, bottom), pow(10, top), LEFT, a.width};
    }
    for (int r = 0; r < d->rows && a.log; r++)
        for (int s = 0; s < d->nseries; s++)
            a.below |= d->row[r].at[s].value < a.from;
    return a;
}

bool dots_logarithmic(const struct dots *d)
{
    return axis_of(d, WIDEST).log;
}

/* What is below a logarithmic axis stands at its end, whose figure says so. */
static double x_of(const struct axis *a, double v)
{
    double at = a->log ? (v <= a->from ? 0 : log10(v / a->from) / log10(a->to / a->from))
                       : (v - a->from) / (a->to - a->from);
    return a->left + a->width * fmin(fmax(at, 0), 1);
}

/* Caller frees. */
static char *title_of(const struct dots *d, const struct axis *a)
{
    return fl_format("%s%s", d->axis, a->log ? ", logarithmic" : "");
}

static void tick(const struct axis *a, double v, int top, int bottom, struct fl_buf *out)
{
    char text[32];
    snprintf(text, sizeof text, "%s%.4g", a->below && v <= a->from ? "\u2264" : "", v);
    fl_buf_printf(out, "<path class=\"grid\" d=\"M%.4g %dV%d\"/>\n", x_of(a, v), top, bottom);
    svg_text(out, x_of(a, v), bottom + 14, SVG_MIDDLE, "m", text);
}

static void draw_axis(const struct dots *d, const struct axis *a, int top, int bottom,
                      struct fl_buf *out)
{
    double each = a->log ? log10(a->to / a->from) : 4;
    /* labels that would touch are left out */
    int step = a->width / each < 50 ? 2 : 1;
    for (int i = 0; i <= (int)(each + 0.5); i += step)
        tick(a, a->log ? a->from * pow(10, i) : a->to * i / each, top, bottom, out);
    fl_buf_printf(out, "<path class=\"axis\" d=\"M%d %dh%d\"/>\n", a->left, bottom, a->width);
    char *title = title_of(d, a);
    svg_text_lines(out, 0, bottom + 30, SVG_LEFT, "m", a->left + a->width + FIGURES, title);
    free(title);
}

/* ---- dots ------------------------------------------------------------------------------------ */

/* A disc, an open square, a diamond. */
static void shape(int series, double x, double y, struct fl_buf *out)
{
    static const char *const path[DOTS_SERIES] = {"m-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z",
                                                  "m-4 -4h8v8h-8z",
                                                  "m0 -5.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z"};
    fl_buf_printf(out, "<path class=\"dot%d\" d=\"M%.5g %.5g%s\"/>", series, x, y, path[series]);
}

static void figure_of_dot(const struct dot *at, char text[64])
{
    double half = (at->hi - at->lo) / 2;
    int n = at->value == 0 || half > 0 ? figure_decimals(half)
            : at->value < 0.01         ? 4
            : at->value < 1            ? 3
                                       : 2;
    if (at->value == 0 && !(half > 0))
        snprintf(text, 64, "0");
    else if (half > 0)
        snprintf(text, 64, "%.*f (%.*f to %.*f)", n, at->value, n, at->lo, n, at->hi);
    else if (at->value < 0.0001)
        snprintf(text, 64, "%.1e", at->value);
    else
        snprintf(text, 64, "%.*f", n, at->value);
}

static void draw_dot(const struct axis *a, int series, const struct dot *at, int y,
                     struct fl_buf *out)
{
    char text[64];
    double x = x_of(a, at->value);
    if (isnan(at->value))
        return;
    if (at->hi > at->lo)
        fl_buf_printf(out, "<path class=\"err%d\" d=\"M%.5g %dv8m0 -4H%.5gm0 -4v8\"/>", series,
                      x_of(a, at->lo), y - 4, x_of(a, at->hi));
    shape(series, x, y, out);
    figure_of_dot(at, text);
    svg_text(out, a->left + a->width + 12, y + 4, SVG_LEFT, "", text);
}

/* Which shape is which; in lines where they do not fit beside each other. */
static int key(const struct dots *d, int width, struct fl_buf *out)
{
    double x = 8;
    int y = 10;
    for (int s = 0; s < d->nseries && d->nseries > 1; s++) {
        double wide = svg_text_width(d->series[s]) + 34;
        if (x > 8 && x + wide > width) {
            x = 8;
            y += LINE;
        }
        if (out) {
            shape(s, x, y, out);
            svg_text_lines(out, x + 12, y + 4, SVG_LEFT, "m", width - 24, d->series[s]);
        }
        x += wide;
    }
    return d->nseries > 1 ? y + LINE : 0;
}

static int series_of(const struct dots *d, const struct dots_row *r)
{
    int n = 0;
    for (int s = 0; s < d->nseries; s++)
        n += !isnan(r->at[s].value);
    return n ? n : 1;
}

static int dots_least(const void *dots)
{
    (void)dots;
    return WIDEST; /* an axis uses the room that there is */
}

static void dots_svg(const void *dots, int width, struct fl_buf *out)
{
    const struct dots *d = dots;
    struct axis a = axis_of(d, width);
    int top = key(d, width, NULL), y = top, bottom = top;
    for (int r = 0; r < d->rows; r++)
        bottom += SVG_TEXT_LINE *
                      svg_text_lines(NULL, 0, 0, SVG_LEFT, "", width - 8.0, d->row[r].label) +
                  LINE * series_of(d, &d->row[r]) + GAP;
    char *title = title_of(d, &a);
    int lines = svg_text_lines(NULL, 0, 0, SVG_LEFT, "", width, title);
    free(title);
    svg_begin(out, width, bottom + 20 + SVG_TEXT_LINE * lines, "dots", d->name);
    key(d, width, out);
    draw_axis(d, &a, top, bottom, out);
    for (int r = 0; r < d->rows; r++) {
        y += SVG_TEXT_LINE *
             svg_text_lines(out, 0, y + 12, SVG_LEFT, "b", (width - 8) / 1.1, d->row[r].label);
        for (int s = 0; s < d->nseries; s++)
            if (!isnan(d->row[r].at[s].value)) {
                draw_dot(&a, s, &d->row[r].at[s], y + LINE / 2, out);
                y += LINE;
            }
        y += GAP;
    }
    svg_end(out);
}

static void dots_csv(const void *dots, struct fl_buf *out)
{
    const struct dots *d = dots;
    fl_buf_printf(out, "label,series,percent,from,to\n");
    for (int r = 0; r < d->rows; r++)
        for (int s = 0; s < d->nseries; s++) {
            const struct dot *at = &d->row[r].at[s];
            if (isnan(at->value))
                continue;
            csv_text(d->row[r].label, out);
            fl_buf_printf(out, ",");
            csv_text(d->series[s], out);
            csv_number(at->value, out);
            csv_number(at->lo, out);
            csv_number(at->hi, out);
            fl_buf_printf(out, "\n");
        }
}

const struct picture_kind dots_picture = {dots_svg, dots_least, dots_csv};
