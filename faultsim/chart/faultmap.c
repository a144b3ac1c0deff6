/* faultmap.c -- see faultmap.h. Halves beside each other that are alike are one stroke: a map of thousands of faults is no longer
 * than a table of them. */
#include "faultmap.h"

#include <math.h>
#include <stdlib.h>

#include "faultsim/result/csv.h"
#include "figures.h"
#include "svg.h"

enum { TALL = 5, GAP = 6, EVERY = 8, WIDEST = 10 };

void faultmap_begin(struct faultmap *m, const char *name)
{
    *m = (struct faultmap){.name = fl_strdup(name), .nclasses = 1};
}

int faultmap_class(struct faultmap *m, const char *name, const char *colour, double opacity)
{
    m->class[m->nclasses] = (struct faultmap_class){name, colour, opacity, 0};
    return m->nclasses++;
}

void faultmap_column(struct faultmap *m, const char *name, bool labelled)
{
    m->column = fl_grow(m->column, (size_t)m->columns + 1, sizeof *m->column);
    m->column[m->columns++] = (struct faultmap_column){fl_strdup(name), labelled};
}

static size_t at(const struct faultmap *m, int row, int column, int half)
{
    return ((size_t)row * (size_t)m->columns + (size_t)column) * FAULTMAP_HALVES + (size_t)half;
}

void faultmap_row(struct faultmap *m, const char *label)
{
    m->row = fl_grow(m->row, (size_t)m->rows + 1, sizeof *m->row);
    m->row[m->rows++] = fl_strdup(label);
    m->cell = fl_grow(m->cell, at(m, m->rows, 0, 0), 1);
    for (size_t i = at(m, m->rows - 1, 0, 0); i < at(m, m->rows, 0, 0); i++)
        m->cell[i] = 0;
}

void faultmap_set(struct faultmap *m, int row, int column, int half, int class)
{
    unsigned char *cell = &m->cell[at(m, row, column, half)];
    m->class[*cell].faults--;
    m->class[class].faults++;
    *cell = (unsigned char)class;
}

void faultmap_free(struct faultmap *m)
{
    for (int i = 0; i < m->rows; i++)
        free(m->row[i]);
    for (int i = 0; i < m->columns; i++)
        free(m->column[i].name);
    free(m->row);
    free(m->column);
    free(m->cell);
    free(m->name);
    *m = (struct faultmap){0};
}

/* ---- the picture ------------------------------------------------------------------------------- */

struct lay {
    double left, half, top; /* of labels; a half of a cell; of the first row */
};

static double longest_row(const struct faultmap *m)
{
    double most = 0;
    for (int r = 0; r < m->rows; r++)
        most = fmax(most, svg_text_width(m->row[r]));
    return most + GAP;
}

static double half_width(const struct faultmap *m, double left, int width)
{
    double half = (width - left) / (m->columns * FAULTMAP_HALVES);
    return fmin(half, WIDEST / 2.0);
}

static int faultmap_least(const void *map)
{
    const struct faultmap *m = map;
    return (int)(longest_row(m) + m->columns * WIDEST) + 1;
}

/* Classes in full colour differ in their dashes too, the last one, which is the strongest, has none. */
static const char *dash_of(const struct faultmap *m, int class)
{
    static const char *const dash[] = {"", "3 1", "1 1", "2 1", "5 1", "2 2", "4 2", "7 1"};
    enum { DASHES = sizeof dash / sizeof *dash };
    return m->class[class].opacity < 1 ? "" : dash[(m->nclasses - 1 - class) % DASHES];
}

static void dashes(const struct faultmap *m, int class, struct fl_buf *out)
{
    const char *dash = dash_of(m, class);
    if (*dash)
        fl_buf_printf(out, " stroke-dasharray=\"%s\"", dash);
}

static void strokes(const struct faultmap *m, const struct lay *l, int class, struct fl_buf *out)
{
    const struct faultmap_class *c = &m->class[class];
    int halves = m->columns * FAULTMAP_HALVES;
    if (!c->faults)
        return;
    fl_buf_printf(out, "<path stroke=\"%s\" stroke-opacity=\"%g\" stroke-width=\"%d\"", c->colour,
                  c->opacity, TALL - 1);
    dashes(m, class, out);
    fl_buf_printf(out, " d=\"");
    for (int r = 0; r < m->rows; r++)
        for (int from = 0, to; from < halves; from = to) {
            const unsigned char *row = &m->cell[at(m, r, 0, 0)];
            for (to = from + 1; to < halves && row[to] == row[from]; to++)
                ;
            if (row[from] == class)
                fl_buf_printf(out, "M%.5g %.5gh%.4g", l->left + from * l->half,
                              l->top + r * TALL + TALL / 2.0, (to - from) * l->half);
        }
    fl_buf_printf(out, "\"/>\n");
}

/* Which colour is which, with how many faults; in lines where they do not fit beside each other. The next y. */
static int key(const struct faultmap *m, int width, struct fl_buf *out)
{
    double x = 0;
    int y = 12;
    for (int c = 1; c < m->nclasses; c++) {
        if (!m->class[c].faults)
            continue;
        char *text = fl_format("%s %ld", m->class[c].name, m->class[c].faults);
        double wide = svg_text_width(text) + 34;
        if (x > 0 && x + wide > width) {
            x = 0;
            y += SVG_TEXT_LINE;
        }
        if (out) {
            fl_buf_printf(out, "<path stroke=\"%s\" stroke-opacity=\"%g\" stroke-width=\"11\"",
                          m->class[c].colour, m->class[c].opacity);
            dashes(m, c, out);
            fl_buf_printf(out, " d=\"M%.4g %dh16\"/>", x, y - 4);
            svg_text(out, x + 20, y, SVG_LEFT, "m", text);
        }
        free(text);
        x += wide;
    }
    return y + GAP;
}

/* Names of columns, in the lowest line in which a name touches none before it; how many lines. With out NULL nothing is
 * written. */
static int heads(const struct faultmap *m, const struct lay *l, int width, struct fl_buf *out)
{
    enum { LINES = 3 };
    double end[LINES] = {0};
    int lines = 1;
    for (int c = 0; c < m->columns; c++) {
        double wide = svg_text_width(m->column[c].name);
        double x = fmin(l->left + c * FAULTMAP_HALVES * l->half, width - wide);
        int line = 0;
        while (line < LINES && x < end[line])
            line++;
        if (!m->column[c].labelled || line == LINES)
            continue;
        if (out)
            svg_text(out, x, l->top - 4 - SVG_TEXT_LINE * line, SVG_LEFT, "m", m->column[c].name);
        end[line] = x + wide + GAP;
        lines = line + 1 > lines ? line + 1 : lines;
    }
    return lines;
}

static void faultmap_svg(const void *map, int width, struct fl_buf *out)
{
    const struct faultmap *m = map;
    struct lay l = {.left = longest_row(m)};
    l.half = half_width(m, l.left, width);
    l.top = key(m, width, NULL) + SVG_TEXT_LINE * heads(m, &l, width, NULL) + 4;
    svg_begin(out, width, (int)l.top + m->rows * TALL + 2 * GAP, "map", m->name);
    key(m, width, out);
    heads(m, &l, width, out);
    for (int r = 0; r < m->rows; r += EVERY)
        svg_text(out, l.left - GAP, l.top + r * TALL + 8, SVG_RIGHT, "m", m->row[r]);
    for (int c = 1; c < m->nclasses; c++)
        strokes(m, &l, c, out);
    svg_end(out);
}

static void faultmap_csv(const void *map, struct fl_buf *out)
{
    const struct faultmap *m = map;
    fl_buf_printf(out, "row,column,stuck_at,outcome\n");
    for (int r = 0; r < m->rows; r++)
        for (int c = 0; c < m->columns; c++)
            for (int h = 0; h < FAULTMAP_HALVES; h++)
                if (m->cell[at(m, r, c, h)]) {
                    csv_text(m->row[r], out);
                    fl_buf_printf(out, ",%s,%d,%s\n", m->column[c].name, h,
                                  m->class[m->cell[at(m, r, c, h)]].name);
                }
}

const struct picture_kind faultmap_picture = {faultmap_svg, faultmap_least, faultmap_csv};
