/* heatmap.c -- see heatmap.h. Columns that do not fit beside each other go into bands below each other. */
#include "heatmap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faultsim/result/csv.h"
#include "figures.h"
#include "svg.h"

enum { CELL_HEIGHT = 22, CELL_LEAST = 40, CELL_MOST = 72, GAP = 8, SHADE = 24 };
enum { KEY = 30 + (SVG_SHADES + 1) * SHADE + 50 }; /* as wide as its scale */

void heatmap_begin(struct heatmap *h, const char *name, const char *scale)
{
    *h = (struct heatmap){.name = fl_strdup(name), .scale = scale, .top = 100};
}

static void label_add(struct heat_label **label, int *n, const char *name, uint64_t count,
                      bool bold)
{
    *label = fl_grow(*label, (size_t)*n + 1, sizeof **label);
    (*label)[(*n)++] = (struct heat_label){fl_strdup(name), count, bold};
}

void heatmap_column(struct heatmap *h, const char *name, uint64_t count)
{
    label_add(&h->column, &h->columns, name, count, false);
}

int heatmap_row(struct heatmap *h, const char *name, bool bold)
{
    label_add(&h->row, &h->rows, name, 0, bold);
    h->cell = fl_grow(h->cell, (size_t)(h->rows * h->columns), sizeof *h->cell);
    for (int c = 0; c < h->columns; c++)
        heatmap_set(h, h->rows - 1, c, (double)NAN, (double)NAN, (double)NAN);
    return h->rows - 1;
}

void heatmap_set(struct heatmap *h, int row, int column, double value, double lo, double hi)
{
    h->cell[row * h->columns + column] = (struct heat_cell){value, lo, hi};
}

void heatmap_free(struct heatmap *h)
{
    for (int i = 0; i < h->rows; i++)
        free(h->row[i].name);
    for (int i = 0; i < h->columns; i++)
        free(h->column[i].name);
    free(h->row);
    free(h->column);
    free(h->cell);
    free(h->name);
    *h = (struct heatmap){0};
}

/* ---- the layout ------------------------------------------------------------------------------ */

struct lay {
    int width, left, cell, columns; /* of labels; of a cell; cells of a band */
    bool above;                     /* labels stand above their rows */
    int head;                       /* lines of the names of columns */
};

static double longest(const struct heat_label *label, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, svg_text_width(label[i].name) * (label[i].bold ? 1.1 : 1));
    return most;
}

static void count_text(uint64_t v, char text[32])
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)v), at = 0;
    for (int i = 0; i < n; i++) {
        if (i && (n - i) % 3 == 0)
            text[at++] = ',';
        text[at++] = digits[i];
    }
    text[at] = 0;
}

static int cell_width(const struct heatmap *h)
{
    double most = longest(h->column, h->columns);
    for (int c = 0; c < h->columns; c++) {
        char text[32];
        count_text(h->column[c].count, text);
        most = fmax(most, svg_text_width(text));
    }
    return (int)fmin(fmax(most + 4, CELL_LEAST), CELL_MOST);
}

static struct lay lay_of(const struct heatmap *h, int width)
{
    struct lay l = {.width = width, .cell = cell_width(h)};
    double label = longest(h->row, h->rows) + GAP;
    l.above = label > 0.35 * width;
    l.left = l.above ? 0 : (int)label;
    l.columns = (width - l.left) / l.cell;
    if (l.columns >= h->columns)
        l.columns = h->columns;
    for (int c = 0; c < h->columns; c++) {
        int lines = svg_text_lines(NULL, 0, 0, SVG_MIDDLE, "", l.cell - 2, h->column[c].name);
        l.head = lines > l.head ? lines : l.head;
    }
    return l;
}

static int heatmap_least(const void *heat)
{
    const struct heatmap *h = heat;
    double label = longest(h->row, h->rows) + GAP, cells = h->columns * cell_width(h);
    return (int)fmax(fmax(label + cells, label / 0.35) + 1, KEY);
}

static int row_height(const struct heatmap *h, const struct lay *l, int row)
{
    int lines = l->above
                    ? svg_text_lines(NULL, 0, 0, SVG_LEFT, "", l->width / 1.1, h->row[row].name)
                    : 0;
    return CELL_HEIGHT + 2 + SVG_TEXT_LINE * lines;
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* What is not nothing is not 0, and what is not all is not 100. */
static void figure(double v, char text[16])
{
    if (isnan(v))
        snprintf(text, 16, "-");
    else if (v == 0)
        snprintf(text, 16, "0");
    else if (v < 0.01)
        snprintf(text, 16, "<0.01");
    else if (v < 1)
        snprintf(text, 16, "%.2f", v);
    else if (v < 10)
        snprintf(text, 16, "%.1f", v);
    else if (v < 99.5 || v == 100)
        snprintf(text, 16, "%.0f", v);
    else
        snprintf(text, 16, "%.1f", floor(v * 10) / 10);
}

static void cell(const struct heatmap *h, int row, int column, double x, double y, int width,
                 struct fl_buf *out)
{
    const struct heat_cell *v = &h->cell[row * h->columns + column];
    char text[16];
    figure(v->value, text);
    fl_buf_printf(out,
                  "<rect x=\"%.4g\" y=\"%.4g\" width=\"%d\" height=\"%d\" class=\"cell q%d\"/>", x,
                  y, width - 2, CELL_HEIGHT, svg_shade(v->value / h->top));
    fl_buf_printf(out, "<text x=\"%.4g\" y=\"%.4g\" text-anchor=\"middle\"%s>", x + width / 2.0 - 1,
                  y + 15.5, h->row[row].bold ? " class=\"b\"" : "");
    figure_escaped(out, text);
    fl_buf_printf(out, "<title>");
    figure_escaped(out, h->row[row].name);
    fl_buf_printf(out, ", ");
    figure_escaped(out, h->column[column].name);
    if (isnan(v->value))
        fl_buf_printf(out, ": none");
    else
        fl_buf_printf(out, ": %.4g %%", v->value);
    if (v->hi > v->lo)
        fl_buf_printf(out, " (%.4g to %.4g)", v->lo, v->hi);
    fl_buf_printf(out, "</title></text>\n");
}

static void heads(const struct heatmap *h, const struct lay *l, int from, int y, struct fl_buf *out)
{
    for (int c = from; c < from + l->columns && c < h->columns; c++) {
        double x = l->left + (c - from) * l->cell + l->cell / 2.0 - 1;
        char text[32];
        svg_text_lines(out, x, y + 12, SVG_MIDDLE, "", l->cell - 2, h->column[c].name);
        count_text(h->column[c].count, text);
        svg_text(out, x, y + 12 + SVG_TEXT_LINE * l->head, SVG_MIDDLE, "m", text);
    }
}

static int row_of(const struct heatmap *h, const struct lay *l, int row, int from, int y,
                  struct fl_buf *out)
{
    const char *class = h->row[row].bold ? "b" : "";
    int height = row_height(h, l, row), top = y + height - CELL_HEIGHT - 2;
    if (l->above)
        svg_text_lines(out, 0, y + 12, SVG_LEFT, class, l->width / 1.1, h->row[row].name);
    else
        svg_text(out, l->left - GAP, top + 15.5, SVG_RIGHT, class, h->row[row].name);
    for (int c = from; c < from + l->columns && c < h->columns; c++)
        cell(h, row, c, l->left + (c - from) * l->cell, top, l->cell, out);
    return y + height;
}

/* The scale, as a row of its shades. */
static void key(const struct heatmap *h, int y, struct fl_buf *out)
{
    char *top = fl_format("%g %%", h->top);
    svg_text(out, 18, y + 11, SVG_RIGHT, "m", "0");
    svg_text(out, 30 + (SVG_SHADES + 1) * SHADE, y + 11, SVG_LEFT, "m", top);
    free(top);
    for (int q = 0; q <= SVG_SHADES; q++)
        fl_buf_printf(out,
                      "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"12\" class=\"cell q%d\"/>\n",
                      24 + q * SHADE, y, SHADE, q);
}

static void heatmap_svg(const void *heat, int width, struct fl_buf *out)
{
    const struct heatmap *h = heat;
    struct lay l = lay_of(h, width);
    int bands = (h->columns + l.columns - 1) / l.columns, head = SVG_TEXT_LINE * (l.head + 1) + 4;
    int band = head + GAP, y = 0;
    for (int r = 0; r < h->rows; r++)
        band += row_height(h, &l, r);
    svg_begin(out, width, bands * band + 20, h->scale, h->name);
    for (int b = 0; b < bands; b++, y += GAP) {
        heads(h, &l, b * l.columns, y, out);
        y += head;
        for (int r = 0; r < h->rows; r++)
            y = row_of(h, &l, r, b * l.columns, y, out);
    }
    key(h, y, out);
    svg_end(out);
}

static void heatmap_csv(const void *heat, struct fl_buf *out)
{
    const struct heatmap *h = heat;
    fl_buf_printf(out, "row,column,count,percent,from,to\n");
    for (int r = 0; r < h->rows; r++)
        for (int c = 0; c < h->columns; c++) {
            const struct heat_cell *v = &h->cell[r * h->columns + c];
            csv_text(h->row[r].name, out);
            fl_buf_printf(out, ",");
            csv_text(h->column[c].name, out);
            fl_buf_printf(out, ",%llu", (unsigned long long)h->column[c].count);
            csv_number(v->value, out);
            csv_number(v->lo, out);
            csv_number(v->hi, out);
            fl_buf_printf(out, "\n");
        }
}

const struct picture_kind heatmap_picture = {heatmap_svg, heatmap_least, heatmap_csv};
