/* grid.c -- see grid.h. Equal shades beside each other are one rectangle, and all of a shade one path. */
#include "grid.h"

#include <math.h>
#include <stdlib.h>

#include "faultsim/result/csv.h"
#include "svg.h"

enum { CELL_MOST = 12, KEY = 16, GAP = 6, SHADE = 24 };

static int shade_at(const struct grid *g, int i)
{
    return svg_shade(g->value[i] / g->top);
}

static void shade(const struct grid *g, int q, double cell, struct fl_buf *out)
{
    fl_buf_printf(out, "<path class=\"q%d\" d=\"", q);
    for (int from = 0, to; from < g->count; from = to) {
        for (to = from + 1;
             to < g->count && to % g->columns && shade_at(g, to) == shade_at(g, from); to++)
            ;
        if (shade_at(g, from) == q)
            fl_buf_printf(out, "M%.5g %.5gh%.5gv%.5gh-%.5gz", from % g->columns * cell,
                          KEY + GAP + from / g->columns * cell, (to - from) * cell, cell,
                          (to - from) * cell);
    }
    fl_buf_printf(out, "\"/>\n");
}

static void grid_svg(const void *grid, int width, struct fl_buf *out)
{
    const struct grid *g = grid;
    const double cell = fmin((double)width / g->columns, CELL_MOST);
    const int rows = (g->count + g->columns - 1) / g->columns;
    svg_begin(out, width, KEY + 2 * GAP + (int)ceil(rows * cell), "fail", g->name);
    for (int q = 0; q <= SVG_SHADES; q++)
        fl_buf_printf(out,
                      "<rect x=\"%d\" y=\"0\" width=\"%d\" height=\"12\" class=\"cell q%d\"/>\n",
                      16 + q * SHADE, SHADE, q);
    char *top = fl_format("%.4g %%", g->top);
    svg_text(out, 12, 11, SVG_RIGHT, "m", "0");
    svg_text(out, 22 + (SVG_SHADES + 1) * SHADE, 11, SVG_LEFT, "m", top);
    free(top);
    for (int q = 0; q <= SVG_SHADES; q++)
        shade(g, q, cell, out);
    svg_end(out);
}

static int grid_least(const void *grid)
{
    const struct grid *g = grid;
    return (int)fmax(g->columns * CELL_MOST, (SVG_SHADES + 4) * SHADE);
}

static void grid_csv(const void *grid, struct fl_buf *out)
{
    const struct grid *g = grid;
    fl_buf_printf(out, "row,column,percent\n");
    for (int i = 0; i < g->count; i++) {
        fl_buf_printf(out, "%d,%d", i / g->columns, i % g->columns);
        csv_number(g->value[i], out);
        fl_buf_printf(out, "\n");
    }
}

const struct picture_kind grid_picture = {grid_svg, grid_least, grid_csv};
