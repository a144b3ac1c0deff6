/* floor.c -- see floor.h. */
#include "floor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faultsim/result/csv.h"
#include "svg.h"

/* Each row is six wide. Rows of caches are there where one of them has a share. */
static const struct {
    const char *name;
    int row, column, wide;
} place[] = {
    {"sched", 0, 0, 1},    {"pc", 0, 1, 1},   {"l1i", 0, 2, 1},      {"l1i_data", 0, 3, 1},
    {"ir", 0, 4, 2},       {"mask", 1, 0, 1}, {"exec", 1, 1, 1},     {"tstate", 1, 2, 1},
    {"barrier", 1, 3, 1},  {"dsp", 1, 4, 2},  {"dstack", 2, 0, 6},   {"rf", 3, 0, 6},
    {"cc", 4, 0, 3},       {"areg", 4, 3, 3}, {"shared", 5, 0, 2},   {"local", 5, 2, 2},
    {"const", 5, 4, 2},    {"l1d", 6, 0, 1},  {"l1d_data", 6, 1, 1}, {"l1c", 6, 2, 1},
    {"l1c_data", 6, 3, 1}, {"l1t", 6, 4, 1},  {"l1t_data", 6, 5, 1}, {"l2", 7, 0, 2},
    {"l2_data", 7, 2, 4},
};
enum { PLACES = sizeof place / sizeof *place, COLUMNS = 6, CACHES_FROM = 6, ROWS = 8, TALL = 40 };
_Static_assert(PLACES <= (int)FLOOR_MOST, "room for each");

static const char *const row_name[ROWS] = {
    "fetch and decode",    "warps",    "divergence",       "registers",
    "flags and addresses", "memories", "caches of the SM", "cache of the chip"};

void floor_begin(struct floor_plan *f, const char *name, const char *scale, double top)
{
    *f = (struct floor_plan){.name = fl_strdup(name), .scale = scale, .top = top};
    for (int i = 0; i < FLOOR_MOST; i++)
        f->share[i] = (double)NAN;
}

bool floor_set(struct floor_plan *f, const char *structure, double percent)
{
    for (int i = 0; i < PLACES; i++)
        if (strcmp(place[i].name, structure) == 0 && !isnan(percent)) {
            f->known += isnan(f->share[i]);
            f->share[i] = percent;
            return true;
        }
    return false;
}

void floor_free(struct floor_plan *f)
{
    free(f->name);
    *f = (struct floor_plan){0};
}

static bool has_row(const struct floor_plan *f, int row)
{
    bool any = row < CACHES_FROM;
    for (int i = 0; i < PLACES; i++)
        any |= place[i].row == row && !isnan(f->share[i]);
    return any;
}

static int floor_least(const void *plan)
{
    (void)plan;
    return 640;
}

/* What has no share is an empty box. */
static void box(const struct floor_plan *f, int i, double y, double unit, struct fl_buf *out)
{
    double x = place[i].column * unit, wide = place[i].wide * unit - 3, mid = x + wide / 2;
    bool known = !isnan(f->share[i]);
    int shade = known ? svg_shade(f->share[i] / f->top) : 0;
    for (int line = 0; line < 1 + known; line++) {
        char text[32];
        if (line) /* the shade of a text is that of the box before it */
            snprintf(text, sizeof text, f->share[i] > 0 && f->share[i] < 1 ? "%.2g %%" : "%.3g %%",
                     f->share[i]);
        fl_buf_printf(out,
                      "<rect x=\"%.5g\" y=\"%.5g\" width=\"%.5g\" height=\"%d\" class=\"%s q%d\"/>",
                      line ? x + 1 : x, line ? y + TALL / 2.0 : y, line ? wide - 2 : wide,
                      line ? TALL / 2 - 3 : TALL - 2, line ? "half" : "cell", shade);
        svg_text(out, mid, y + (known ? 15 : 23) + (line ? 17 : 0), SVG_MIDDLE, known ? "" : "m",
                 line ? text : place[i].name);
    }
}

static void floor_svg(const void *plan, int width, struct fl_buf *out)
{
    const struct floor_plan *f = plan;
    int y = 0, rows = 0;
    for (int r = 0; r < ROWS; r++)
        rows += has_row(f, r);
    svg_begin(out, width, rows * (TALL + SVG_TEXT_LINE), f->scale, f->name);
    for (int r = 0; r < ROWS; r++) {
        if (!has_row(f, r))
            continue;
        svg_text(out, 0, y + 12, SVG_LEFT, "m", row_name[r]);
        y += SVG_TEXT_LINE;
        for (int i = 0; i < PLACES; i++)
            if (place[i].row == r && (r >= 1 || !strchr(place[i].name, '1') || !isnan(f->share[i])))
                box(f, i, y, width / (double)COLUMNS, out);
        y += TALL;
    }
    svg_end(out);
}

static void floor_csv(const void *plan, struct fl_buf *out)
{
    const struct floor_plan *f = plan;
    fl_buf_printf(out, "structure,percent\n");
    for (int i = 0; i < PLACES; i++)
        if (!isnan(f->share[i])) {
            fl_buf_printf(out, "%s", place[i].name);
            csv_number(f->share[i], out);
            fl_buf_printf(out, "\n");
        }
}

const struct picture_kind floor_picture = {floor_svg, floor_least, floor_csv};
