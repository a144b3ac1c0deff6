/* chart.c -- see chart.h. Series differ by pattern as well as by colour, and every bar has its
 * value beside it, so that nothing hangs on colours. */
#include "chart.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "faultsim/result/csv.h"
#include "figures.h"

void chart_begin(struct chart *c, const char *name, const char *caption, bool parts)
{
    *c = (struct chart){.name = fl_strdup(name), .caption = fl_strdup(caption), .parts = parts};
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

/* "sdc 17.6, crash 16.0" */
static void parts(const struct chart *c, const struct chart_row *r, struct fl_buf *out)
{
    const char *comma = "";
    for (int s = 0; s < c->nseries && c->parts; s++) {
        if (!drawn(r->value[s]))
            continue;
        fl_buf_printf(out, "%s%s ", comma, c->series[s]);
        figure_percent(out, r->value[s], r->half[s]);
        comma = ", ";
    }
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
    if (!isnan(r->low))
        fl_buf_printf(out, "<u style=\"left:%.4g%%;width:%.4g%%\"></u>", 100 * r->low / most,
                      100 * (r->high - r->low) / most);
    fl_buf_printf(out, "</div>");
}

static void key(const struct chart *c, double most, struct fl_buf *out, struct fl_buf *style)
{
    fl_buf_printf(out, "<div class=\"key\">");
    for (int s = 0; s < c->nseries; s++)
        if (used(c, s)) {
            look(c, s, style);
            fl_buf_printf(out, "<span>");
            piece(c, s, out);
            fl_buf_printf(out, "></i>%s</span>", c->series[s]);
        }
    fl_buf_printf(out, "<span>a whole line is %.4g&#8239;%%</span></div>\n", most);
}

void chart_html(const struct chart *c, struct fl_buf *out, struct fl_buf *style)
{
    double most = scale(c);
    size_t longest = 0;
    for (int i = 0; i < c->nrows; i++)
        longest = strlen(c->row[i].label) > longest ? strlen(c->row[i].label) : longest;
    fl_buf_printf(out, "<figure>\n");
    key(c, most, out, style);
    fl_buf_printf(out, "<div class=\"chart\" style=\"--l:%zuch\">\n", longest + 1);
    for (int i = 0; i < c->nrows; i++) {
        fl_buf_printf(out, "<div class=\"r\"><div class=\"l\">");
        figure_escaped(out, c->row[i].label);
        fl_buf_printf(out, "</div>");
        bar(c, &c->row[i], most, out);
        fl_buf_printf(out, "<div class=\"v\"><b>");
        head(c, &c->row[i], out);
        fl_buf_printf(out, "</b> ");
        parts(c, &c->row[i], out);
        fl_buf_printf(out, "</div></div>\n");
    }
    fl_buf_printf(out, "</div>\n<figcaption>");
    figure_escaped(out, c->caption);
    fl_buf_printf(out, "</figcaption></figure>\n");
}

/* ---- files ----------------------------------------------------------------------------------- */

enum { SVG_LEFT = 260, SVG_BARS = 420, SVG_WIDTH = 1100, SVG_LINE = 18, SVG_TOP = 50 };

static void svg_begin(const struct chart *c, struct fl_buf *out)
{
    static const char *const hatch[CHART_SERIES] = {
        "",       "M0 6L6 0",       "M3 0V6",       "M0 3H6",        "M0 0L6 6", "M0 3H6M3 0V6",
        "M0 1H6", "M0 6L6 0M3 0V6", "M1 0V6M4 0V6", "M0 0L6 6M0 3H6"};
    int x = SVG_LEFT, height = SVG_TOP + SVG_LINE * c->nrows + 10;
    fl_buf_printf(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                  "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n"
                  "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n<defs>",
                  SVG_WIDTH, height, SVG_WIDTH, height);
    for (int s = 0; s < c->nseries; s++)
        fl_buf_printf(out,
                      "<pattern id=\"p%d\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\""
                      "><rect width=\"6\" height=\"6\" fill=\"%s\"/><path d=\"%s\" "
                      "stroke=\"#fff\"/></pattern>",
                      s, c->colour[s], hatch[s]);
    fl_buf_printf(out, "</defs>\n<text x=\"10\" y=\"18\">");
    figure_escaped(out, c->caption);
    fl_buf_printf(out, " In percent.</text>\n");
    for (int s = 0; s < c->nseries; s++)
        if (used(c, s)) {
            fl_buf_printf(out,
                          "<rect x=\"%d\" y=\"28\" width=\"24\" height=\"12\" fill=\"url(#p%d)\" "
                          "stroke=\"%s\"/><text x=\"%d\" y=\"38\">%s</text>\n",
                          x, s, c->colour[s], x + 30, c->series[s]);
            x += 60 + 8 * (int)strlen(c->series[s]);
        }
}

static void svg_row(const struct chart *c, const struct chart_row *r, int y, double most,
                    struct fl_buf *out)
{
    double x = SVG_LEFT;
    fl_buf_printf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", SVG_LEFT - 8, y + 13);
    figure_escaped(out, r->label);
    fl_buf_printf(out, "</text>\n");
    for (int s = 0; s < c->nseries; s++)
        if (drawn(r->value[s])) {
            double w = SVG_BARS * r->value[s] / most;
            fl_buf_printf(out,
                          "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"12\" "
                          "fill=\"url(#p%d)\" stroke=\"%s\"/>\n",
                          x, y + 3, w, s, c->colour[s]);
            x += w;
        }
    if (!isnan(r->low))
        fl_buf_printf(
            out, "<path d=\"M%.1f %dv8m0 -4H%.1fm0 -4v8\" stroke=\"#000\" fill=\"none\"/>\n",
            SVG_LEFT + SVG_BARS * r->low / most, y + 5, SVG_LEFT + SVG_BARS * r->high / most);
    fl_buf_printf(out, "<text x=\"%d\" y=\"%d\">", SVG_LEFT + SVG_BARS + 8, y + 13);
    head(c, r, out);
    fl_buf_printf(out, " ");
    parts(c, r, out);
    fl_buf_printf(out, "</text>\n");
}

void chart_svg(const struct chart *c, struct fl_buf *out)
{
    svg_begin(c, out);
    for (int i = 0; i < c->nrows; i++)
        svg_row(c, &c->row[i], SVG_TOP + SVG_LINE * i, scale(c), out);
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
