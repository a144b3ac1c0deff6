/* chart.c -- see chart.h. Series differ by pattern as well as by colour, and every bar has its
 * value beside it, so that nothing hangs on colours. */
#include "chart.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "faultsim/result/csv.h"
#include "figures.h"
#include "svg.h"

void chart_begin(struct chart *c, const char *name, const char *caption, const char *axis,
                 bool parts)
{
    *c = (struct chart){
        .name = fl_strdup(name), .caption = fl_strdup(caption), .axis = axis, .parts = parts};
}

void chart_series(struct chart *c, const char *name, const char *colour)
{
    c->series[c->nseries] = name;
    c->colour[c->nseries++] = colour;
}

struct chart_row *chart_row(struct chart *c, const char *label)
{
    c->row = fl_grow(c->row, (size_t)c->nrows + 1, sizeof *c->row);
    struct chart_row *row = &c->row[c->nrows++];
    *row = (struct chart_row){
        .label = fl_strdup(label), .low = (double)NAN, .high = (double)NAN, .head = (double)NAN};
    for (int s = 0; s < CHART_SERIES; s++)
        row->value[s] = (double)NAN;
    return row;
}

void chart_free(struct chart *c)
{
    for (int i = 0; i < c->nrows; i++)
        free(c->row[i].label);
    free(c->row);
    free(c->name);
    free(c->caption);
    *c = (struct chart){0};
}

static bool drawn(double v)
{
    return isfinite(v) && v > 0;
}

static double sum(const struct chart *c, const struct chart_row *r)
{
    double all = 0;
    for (int s = 0; s < c->nseries; s++)
        all += drawn(r->value[s]) ? r->value[s] : 0;
    return all;
}

/* What a whole line stands for. */
static double scale(const struct chart *c)
{
    double most = 0;
    for (int i = 0; i < c->nrows; i++) {
        most = fmax(most, sum(c, &c->row[i]));
        if (drawn(c->row[i].high))
            most = fmax(most, c->row[i].high);
    }
    return fmin(figure_top(most), fmax(most, 100));
}

/* "33.6 % (31.5 to 35.6)" */
static void head(const struct chart *c, const struct chart_row *r, struct fl_buf *out)
{
    double half = isnan(r->low) ? 0 : (r->high - r->low) / 2;
    for (int s = 0; s < c->nseries && isnan(r->low); s++)
        half = fmax(half, r->half[s]);
    figure_percent(out, isnan(r->head) ? sum(c, r) : r->head, half);
    fl_buf_printf(out, " %%");
    if (!isnan(r->low)) {
        fl_buf_printf(out, " (");
        figure_percent(out, r->low, half);
        fl_buf_printf(out, " to ");
        figure_percent(out, r->high, half);
        fl_buf_printf(out, ")");
    }
}

/* "sdc 17.6", or nothing; true: it is there. */
static bool part(const struct chart *c, const struct chart_row *r, int s, struct fl_buf *out)
{
    if (!c->parts || !drawn(r->value[s]))
        return false;
    fl_buf_printf(out, "%s ", c->series[s]);
    figure_percent(out, r->value[s], r->half[s]);
    return true;
}

/* Has it any bar? */
static bool used(const struct chart *c, int s)
{
    for (int i = 0; i < c->nrows; i++)
        if (drawn(c->row[i].value[s]))
            return true;
    return false;
}

/* ---- the page -------------------------------------------------------------------------------- */

/* A series has a class of its name, whose look is added to the style where it is used first. */
static void class_of(const char *series, struct fl_buf *out)
{
    fl_buf_printf(out, "s-");
    for (; *series; series++)
        if (isalnum((unsigned char)*series))
            fl_buf_add(out, series, 1);
}

static void look(const struct chart *c, int s, struct fl_buf *style)
{
    static const char *const stripe[CHART_SERIES] = {"",
                                                     "45deg,%1$s 0 4px,var(--p) 4px 6px",
                                                     "90deg,%1$s 0 2px,var(--p) 2px 4px",
                                                     "0deg,%1$s 0 2px,var(--p) 2px 4px",
                                                     "-45deg,%1$s 0 2px,var(--p) 2px 6px",
                                                     "90deg,%1$s 0 1px,var(--p) 1px 5px",
                                                     "0deg,%1$s 0 1px,var(--p) 1px 4px",
                                                     "45deg,%1$s 0 1px,var(--p) 1px 4px",
                                                     "-45deg,%1$s 0 4px,var(--p) 4px 6px",
                                                     "-45deg,%1$s 0 1px,var(--p) 1px 5px"};
    struct fl_buf rule = {0};
    fl_buf_printf(&rule, "\n.");
    class_of(c->series[s], &rule);
    fl_buf_printf(&rule, "{border-color:%s;background:", c->colour[s]);
    if (!s)
        fl_buf_printf(&rule, "%s", c->colour[s]);
    else {
        const char *at = stripe[s], *colour = strstr(at, "%1$s");
        fl_buf_printf(&rule, "repeating-linear-gradient(%.*s%s%s)", (int)(colour - at), at,
                      c->colour[s], colour + 4);
    }
    fl_buf_printf(&rule, "}");
    if (!style->size || !memmem(style->data, style->size, rule.data, rule.size))
        fl_buf_add(style, rule.data, rule.size);
    fl_buf_free(&rule);
}

static void piece(const struct chart *c, int s, struct fl_buf *out)
{
    fl_buf_printf(out, "<i class=\"");
    class_of(c->series[s], out);
    fl_buf_printf(out, "\"");
}

static void bar(const struct chart *c, const struct chart_row *r, double most, struct fl_buf *out)
{
    fl_buf_printf(out, "<div class=\"bar\">");
    for (int s = 0; s < c->nseries; s++)
        if (drawn(r->value[s])) {
            piece(c, s, out);
            fl_buf_printf(out, " style=\"width:%.4g%%\"></i>", 100 * r->value[s] / most);
        }
    if (!isnan(r->low)) /* both its ends are seen, and inside of the bar, however narrow it is */
        fl_buf_printf(out, "<u style=\"left:min(%.4g%%,100%% - 3px);width:%.4g%%\"></u>",
                      100 * r->low / most, 100 * (r->high - r->low) / most);
    fl_buf_printf(out, "</div>");
}

static void key(const struct chart *c, struct fl_buf *out, struct fl_buf *style)
{
    fl_buf_printf(out, "<div class=\"key\">");
    for (int s = 0; s < c->nseries; s++)
        if (used(c, s)) {
            look(c, s, style);
            fl_buf_printf(out, "<span>");
            piece(c, s, out);
            fl_buf_printf(out, "></i>%s</span>", c->series[s]);
        }
    fl_buf_printf(out, "</div>\n");
}

static void figures(const struct chart *c, const struct chart_row *r, struct fl_buf *out)
{
    struct fl_buf one = {0};
    const char *before = " ";
    fl_buf_printf(out, "<div class=\"v\"><b>");
    head(c, r, out);
    fl_buf_printf(out, "</b>");
    for (int s = 0; s < c->nseries; s++, one.size = 0)
        if (part(c, r, s, &one)) {
            fl_buf_printf(out, "%s%.*s", before, (int)one.size, (const char *)one.data);
            before = ", ";
        }
    fl_buf_printf(out, "</div>");
    fl_buf_free(&one);
}

void chart_html(const struct chart *c, struct fl_buf *out, struct fl_buf *style)
{
    double most = scale(c);
    size_t longest = strlen(c->axis);
    for (int i = 0; i < c->nrows; i++)
        longest = strlen(c->row[i].label) > longest ? strlen(c->row[i].label) : longest;
    fl_buf_printf(out, "<figure>\n");
    key(c, out, style);
    fl_buf_printf(out, "<div class=\"chart\" style=\"--l:%zuch\">\n", longest + 1);
    for (int i = 0; i < c->nrows; i++) {
        fl_buf_printf(out, "<div class=\"r\"><div class=\"l\">");
        figure_escaped(out, c->row[i].label);
        fl_buf_printf(out, "</div>");
        bar(c, &c->row[i], most, out);
        figures(c, &c->row[i], out);
        fl_buf_printf(out, "</div>\n");
    }
    fl_buf_printf(out,
                  "<div class=\"r\"><div class=\"l\">%s</div><div class=\"ax\"><b>0</b><b>%.4g</b>"
                  "<b>%.4g</b></div></div>\n</div>\n<figcaption>",
                  c->axis, most / 2, most);
    figure_escaped(out, c->caption);
    fl_buf_printf(out, "</figcaption></figure>\n");
}

/* ---- files ----------------------------------------------------------------------------------- */

enum {
    WIDTH = 1100,
    EDGE = 10,
    BARS = 420,
    LABELS = 360, /* most of all */
    LINE = 18
};

struct lay {
    double left, right, room; /* of bars; where figures begin, and what they have */
    int top, bottom;          /* of bars */
};

static void file_text(struct fl_buf *line, double x, double y, struct fl_buf *out)
{
    if (out)
        fl_buf_printf(out, "<text x=\"%.4g\" y=\"%.4g\">%.*s</text>\n", x, y, (int)line->size,
                      (const char *)line->data);
    line->size = 0;
}

/* The figures of a row in as many lines as they need; how many. With out NULL nothing is written. */
static int file_figures(const struct chart *c, const struct chart_row *r, const struct lay *l,
                        double y, struct fl_buf *out)
{
    struct fl_buf line = {0}, next = {0};
    const char *before = " ";
    int lines = 1;
    head(c, r, &line);
    for (int s = 0; s < c->nseries; s++, next.size = 0) {
        if (!part(c, r, s, &next))
            continue;
        char *both = fl_format("%.*s%s%.*s,", (int)line.size, (const char *)line.data, before,
                               (int)next.size, (const char *)next.data);
        bool fits = svg_text_width(both) <= l->room;
        free(both);
        fl_buf_printf(&line, "%s", fits ? before : *before == ',' ? "," : "");
        if (!fits)
            file_text(&line, l->right, y + LINE * (lines++ - 1), out);
        fl_buf_add(&line, next.data, next.size);
        before = ", ";
    }
    file_text(&line, l->right, y + LINE * (lines - 1), out);
    fl_buf_free(&line);
    fl_buf_free(&next);
    return lines;
}

static int row_lines(const struct chart *c, const struct chart_row *r, const struct lay *l)
{
    int label = svg_text_lines(NULL, 0, 0, SVG_RIGHT, "", l->left - 2 * EDGE, r->label);
    int lines = file_figures(c, r, l, 0, NULL);
    return label > lines ? label : lines;
}

/* Which pattern is which, in lines where they do not fit beside each other. The next y. */
static int file_key(const struct chart *c, int y, struct fl_buf *out)
{
    double x = EDGE;
    for (int s = 0; s < c->nseries; s++) {
        double wide = svg_text_width(c->series[s]) + 50;
        if (!used(c, s))
            continue;
        if (x > EDGE && x + wide > WIDTH) {
            x = EDGE;
            y += LINE;
        }
        if (out) {
            fl_buf_printf(out,
                          "<rect x=\"%.4g\" y=\"%d\" width=\"24\" height=\"12\" "
                          "fill=\"url(#p%d)\" stroke=\"%s\"/>",
                          x, y - 10, s, c->colour[s]);
            svg_text(out, x + 30, y, SVG_LEFT, "", c->series[s]);
        }
        x += wide;
    }
    return y + LINE;
}

static struct lay lay_of(const struct chart *c)
{
    struct lay l = {0};
    double longest = svg_text_width(c->axis);
    for (int i = 0; i < c->nrows; i++)
        longest = fmax(longest, svg_text_width(c->row[i].label));
    l.left = fmin(longest + 2 * EDGE, LABELS);
    l.right = l.left + BARS + EDGE;
    l.room = WIDTH - EDGE - l.right;
    l.top = file_key(
        c, LINE * (1 + svg_text_lines(NULL, 0, 0, SVG_LEFT, "", WIDTH - 2 * EDGE, c->caption)),
        NULL);
    l.bottom = l.top;
    for (int i = 0; i < c->nrows; i++)
        l.bottom += LINE * row_lines(c, &c->row[i], &l);
    return l;
}

static void file_begin(const struct chart *c, const struct lay *l, struct fl_buf *out)
{
    static const char *const hatch[CHART_SERIES] = {
        "",       "M0 6L6 0",       "M3 0V6",       "M0 3H6",        "M0 0L6 6", "M0 3H6M3 0V6",
        "M0 1H6", "M0 6L6 0M3 0V6", "M1 0V6M4 0V6", "M0 0L6 6M0 3H6"};
    int height = l->bottom + 2 * LINE + EDGE;
    fl_buf_printf(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                  "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"%d\">\n"
                  "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n<defs>",
                  WIDTH, height, WIDTH, height, SVG_TEXT);
    for (int s = 0; s < c->nseries; s++)
        fl_buf_printf(out,
                      "<pattern id=\"p%d\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\""
                      "><rect width=\"6\" height=\"6\" fill=\"%s\"/><path d=\"%s\" "
                      "stroke=\"#fff\"/></pattern>",
                      s, c->colour[s], hatch[s]);
    fl_buf_printf(out, "</defs>\n");
    int lines = svg_text_lines(out, EDGE, LINE, SVG_LEFT, "", WIDTH - 2 * EDGE, c->caption);
    file_key(c, LINE * (1 + lines), out);
}

/* The scale: a line down the bars for each quarter, its figure below, and what it is of. */
static void file_axis(const struct chart *c, const struct lay *l, double most, struct fl_buf *out)
{
    enum { PARTS = 4 };
    for (int i = 0; i <= PARTS; i++) {
        double x = l->left + BARS * i / (double)PARTS;
        char *text = fl_format("%.4g", most * i / PARTS);
        fl_buf_printf(out, "<path d=\"M%.4g %dV%d\" stroke=\"#d4d4d4\"/>\n", x, l->top,
                      l->bottom + 4);
        svg_text(out, x, l->bottom + LINE, SVG_MIDDLE, "", text);
        free(text);
    }
    svg_text(out, l->left + BARS / 2.0, l->bottom + 2 * LINE, SVG_MIDDLE, "", c->axis);
}

static void file_row(const struct chart *c, const struct chart_row *r, const struct lay *l, int y,
                     double most, struct fl_buf *out)
{
    double x = l->left;
    svg_text_lines(out, l->left - EDGE, y + 13, SVG_RIGHT, "", l->left - 2 * EDGE, r->label);
    for (int s = 0; s < c->nseries; s++)
        if (drawn(r->value[s])) {
            double w = BARS * r->value[s] / most;
            fl_buf_printf(out,
                          "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"12\" "
                          "fill=\"url(#p%d)\" stroke=\"%s\"/>\n",
                          x, y + 3, w, s, c->colour[s]);
            x += w;
        }
    if (!isnan(r->low))
        fl_buf_printf(out,
                      "<path d=\"M%.1f %dv8m0 -4H%.1fm0 -4v8\" stroke=\"#000\" fill=\"none\"/>\n",
                      l->left + BARS * r->low / most, y + 5, l->left + BARS * r->high / most);
    file_figures(c, r, l, y + 13, out);
}

void chart_svg(const struct chart *c, struct fl_buf *out)
{
    struct lay l = lay_of(c);
    double most = scale(c);
    int y = l.top;
    file_begin(c, &l, out);
    file_axis(c, &l, most, out);
    for (int i = 0; i < c->nrows; i++) {
        file_row(c, &c->row[i], &l, y, most, out);
        y += LINE * row_lines(c, &c->row[i], &l);
    }
    fl_buf_printf(out, "</svg>\n");
}

void chart_csv(const struct chart *c, struct fl_buf *out)
{
    fl_buf_printf(out, "label");
    for (int s = 0; s < c->nseries; s++)
        fl_buf_printf(out, ",%s", c->series[s]);
    fl_buf_printf(out, ",from,to\n");
    for (int i = 0; i < c->nrows; i++) {
        const struct chart_row *r = &c->row[i];
        csv_text(r->label, out);
        for (int s = 0; s < c->nseries; s++)
            csv_number(r->value[s], out);
        csv_number(r->low, out);
        csv_number(r->high, out);
        fl_buf_printf(out, "\n");
    }
}
