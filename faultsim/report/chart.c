/* chart.c -- see chart.h. Series differ by pattern as well as by colour, and every bar has its
 * value beside it, so that nothing hangs on colours. */
#include "chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stuck_at.h"

const char chart_style[] =
    ".chart{display:grid;grid-template-columns:fit-content(22em) minmax(8em,1fr) "
    "fit-content(24em);gap:1px 10px;font-size:12px;line-height:1.35;align-items:center}"
    ".chart .l{overflow-wrap:anywhere}.chart code{color:#555}.chart .v{overflow-wrap:anywhere}"
    ".bar{display:flex;position:relative;height:11px;background:#f2f2f2}"
    ".bar i,.key i{box-sizing:border-box;border:1px solid}.key i{display:inline-block;width:2em;"
    "height:10px;margin:0 4px 0 12px}.bar u{position:absolute;top:3px;height:5px;"
    "box-sizing:border-box;border:solid #000;border-width:0 1px;background:linear-gradient(#000,"
    "#000) center/100% 1px no-repeat}.key{font-size:12px;margin:.4em 0}"
    "@media(max-width:1000px){.chart{grid-template-columns:1fr}.chart .v{margin-bottom:4px}}";

void chart_begin(struct chart *c, const char *name, const char *caption, bool stacked)
{
    *c = (struct chart){.name = fl_strdup(name), .caption = fl_strdup(caption), .stacked = stacked};
}

void chart_series(struct chart *c, const char *name, const char *colour)
{
    c->series[c->nseries] = name;
    c->colour[c->nseries++] = colour;
}

struct chart_row *chart_row(struct chart *c, const char *label, const char *detail)
{
    c->row = fl_grow(c->row, (size_t)c->nrows + 1, sizeof *c->row);
    struct chart_row *row = &c->row[c->nrows++];
    *row = (struct chart_row){fl_strdup(label), detail ? fl_strdup(detail) : NULL, {0}, {0}, {0}};
    for (int s = 0; s < CHART_SERIES; s++)
        row->value[s] = row->low[s] = row->high[s] = (double)NAN;
    return row;
}

void chart_free(struct chart *c)
{
    for (int i = 0; i < c->nrows; i++) {
        free(c->row[i].label);
        free(c->row[i].detail);
    }
    free(c->row);
    free(c->name);
    free(c->caption);
    *c = (struct chart){0};
}

void chart_escaped(struct fl_buf *out, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '<': fl_buf_printf(out, "&lt;"); break;
        case '>': fl_buf_printf(out, "&gt;"); break;
        case '&': fl_buf_printf(out, "&amp;"); break;
        case '"': fl_buf_printf(out, "&quot;"); break;
        default: fl_buf_add(out, text, 1);
        }
}

static bool drawn(double v)
{
    return isfinite(v) && v > 0;
}

/* What a whole line stands for. */
static double scale(const struct chart *c)
{
    double most = 0;
    for (int i = 0; i < c->nrows; i++) {
        double sum = 0;
        for (int s = 0; s < c->nseries; s++) {
            const struct chart_row *r = &c->row[i];
            double v = drawn(r->high[s]) ? r->high[s] : drawn(r->value[s]) ? r->value[s] : 0;
            sum += v;
            most = fmax(most, c->stacked ? sum : v);
        }
    }
    return most > 0 ? most : 1;
}

/* "17.6 sdc, 15.95 crash": of series `only`, or of all that have a value (-1). */
static void values(const struct chart *c, const struct chart_row *r, int only, struct fl_buf *out)
{
    const char *comma = "";
    for (int s = 0; s < c->nseries; s++) {
        if ((only >= 0 && s != only) || isnan(r->value[s]) || (c->stacked && r->value[s] == 0))
            continue;
        fl_buf_printf(out, "%s%.4g", comma, r->value[s]);
        if (!isnan(r->low[s]))
            fl_buf_printf(out, " (%.4g to %.4g)", r->low[s], r->high[s]);
        if (c->nseries > 1)
            fl_buf_printf(out, " %s", c->series[s]);
        comma = ", ";
    }
    if (!*comma)
        fl_buf_printf(out, "0");
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

static void pattern(const struct chart *c, int s, struct fl_buf *out)
{
    static const char *const stripe[CHART_SERIES] = {"",
                                                     "45deg,%1$s 0 4px,#fff 4px 6px",
                                                     "90deg,%1$s 0 2px,#fff 2px 4px",
                                                     "0deg,%1$s 0 2px,#fff 2px 4px",
                                                     "-45deg,%1$s 0 2px,#fff 2px 6px",
                                                     "90deg,%1$s 0 1px,#fff 1px 5px"};
    fl_buf_printf(out, "border-color:%s;background:", c->colour[s]);
    if (!s)
        fl_buf_printf(out, "%s", c->colour[s]);
    else {
        const char *at = stripe[s], *colour = strstr(at, "%1$s");
        fl_buf_printf(out, "repeating-linear-gradient(%.*s%s%s)", (int)(colour - at), at,
                      c->colour[s], colour + 4);
    }
}

static void bar(const struct chart *c, const struct chart_row *r, int from, int to, double most,
                struct fl_buf *out)
{
    fl_buf_printf(out, "<div class=\"bar\">");
    for (int s = from; s < to; s++)
        if (drawn(r->value[s])) {
            fl_buf_printf(out, "<i style=\"width:%.3f%%;", 100 * r->value[s] / most);
            pattern(c, s, out);
            fl_buf_printf(out, "\"></i>");
        }
    if (!c->stacked && !isnan(r->low[from]))
        fl_buf_printf(out, "<u style=\"left:%.3f%%;width:%.3f%%\"></u>", 100 * r->low[from] / most,
                      100 * (r->high[from] - r->low[from]) / most);
    fl_buf_printf(out, "</div><div class=\"v\">");
    values(c, r, c->stacked ? -1 : from, out);
    fl_buf_printf(out, "</div>\n");
}

void chart_html(const struct chart *c, struct fl_buf *out)
{
    double most = scale(c);
    fl_buf_printf(out, "<figure>\n<div class=\"key\">in %%; a whole line is %.4g", most);
    for (int s = 0; s < c->nseries && c->nseries > 1; s++) {
        if (!used(c, s))
            continue;
        fl_buf_printf(out, "<i style=\"");
        pattern(c, s, out);
        fl_buf_printf(out, "\"></i>%s", c->series[s]);
    }
    fl_buf_printf(out, "</div>\n<div class=\"chart\">\n");
    for (int i = 0; i < c->nrows; i++) {
        const struct chart_row *r = &c->row[i];
        bool first = true;
        for (int s = 0; s < (c->stacked ? 1 : c->nseries); s++) {
            if (!c->stacked && isnan(r->value[s]))
                continue;
            fl_buf_printf(out, "<div class=\"l\">");
            if (first)
                chart_escaped(out, r->label);
            if (first && r->detail) {
                fl_buf_printf(out, " <code>");
                chart_escaped(out, r->detail);
                fl_buf_printf(out, "</code>");
            }
            fl_buf_printf(out, "</div>");
            bar(c, r, s, c->stacked ? c->nseries : s + 1, most, out);
            first = false;
        }
    }
    fl_buf_printf(out, "</div>\n<figcaption>");
    chart_escaped(out, c->caption);
    fl_buf_printf(out, "</figcaption></figure>\n");
}

/* ---- files ----------------------------------------------------------------------------------- */

void chart_svg(const struct chart *c, struct fl_buf *out)
{
    enum { LEFT = 300, BARS = 460, WIDTH = 1100, LINE = 18, TOP = 50 };
    static const char *const hatch[CHART_SERIES] = {"",       "M0 6L6 0", "M3 0V6",
                                                    "M0 3H6", "M0 0L6 6", "M0 3H6M3 0V6"};
    double most = scale(c);
    int lines = 0, y = TOP;
    for (int i = 0; i < c->nrows; i++)
        for (int s = 0; s < (c->stacked ? 1 : c->nseries); s++)
            lines += c->stacked || !isnan(c->row[i].value[s]);
    fl_buf_printf(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                  "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n<title>",
                  WIDTH, TOP + LINE * lines + 10, WIDTH, TOP + LINE * lines + 10);
    chart_escaped(out, c->caption);
    fl_buf_printf(out, "</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n<defs>");
    for (int s = 0; s < c->nseries; s++)
        fl_buf_printf(out,
                      "<pattern id=\"p%d\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\""
                      "><rect width=\"6\" height=\"6\" fill=\"%s\"/><path d=\"%s\" "
                      "stroke=\"#fff\"/></pattern>",
                      s, c->colour[s], hatch[s]);
    fl_buf_printf(out, "</defs>\n<text x=\"10\" y=\"18\">");
    chart_escaped(out, c->caption);
    fl_buf_printf(out, " In percent.</text>\n");
    for (int s = 0, x = 10; s < c->nseries && c->nseries > 1; s++)
        if (used(c, s)) {
            fl_buf_printf(out,
                          "<rect x=\"%d\" y=\"28\" width=\"20\" height=\"11\" "
                          "fill=\"url(#p%d)\" stroke=\"%s\"/><text x=\"%d\" "
                          "y=\"38\">%s</text>\n",
                          x, s, c->colour[s], x + 25, c->series[s]);
            x += 130;
        }
    for (int i = 0; i < c->nrows; i++) {
        const struct chart_row *r = &c->row[i];
        double x = LEFT;
        bool named = false;
        for (int s = 0; s < c->nseries; s++) {
            bool ends = !c->stacked || s + 1 == c->nseries;
            if (!c->stacked && isnan(r->value[s]))
                continue;
            if (!named) {
                fl_buf_printf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", LEFT - 8,
                              y + 13);
                chart_escaped(out, r->label);
                fl_buf_printf(out, r->detail ? " " : "%s", "");
                chart_escaped(out, r->detail ? r->detail : "");
                fl_buf_printf(out, "</text>\n");
            }
            named = true;
            if (drawn(r->value[s])) {
                double w = BARS * r->value[s] / most;
                fl_buf_printf(out,
                              "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"12\" "
                              "fill=\"url(#p%d)\" stroke=\"%s\"/>\n",
                              x, y + 3, w, s, c->colour[s]);
                x += c->stacked ? w : 0;
            }
            if (!c->stacked && !isnan(r->low[s]))
                fl_buf_printf(out,
                              "<path d=\"M%.1f %dv8m0 -4H%.1fm0 -4v8\" stroke=\"#000\" "
                              "fill=\"none\"/>\n",
                              LEFT + BARS * r->low[s] / most, y + 5,
                              LEFT + BARS * r->high[s] / most);
            if (ends) {
                fl_buf_printf(out, "<text x=\"%d\" y=\"%d\">", LEFT + BARS + 8, y + 13);
                values(c, r, c->stacked ? -1 : s, out);
                fl_buf_printf(out, "</text>\n");
                y += LINE;
            }
        }
    }
    fl_buf_printf(out, "</svg>\n");
}

void chart_csv(const struct chart *c, struct fl_buf *out)
{
    fl_buf_printf(out, "label,detail");
    for (int s = 0; s < c->nseries; s++)
        fl_buf_printf(out, c->stacked ? ",%1$s" : ",%1$s,%1$s from,%1$s to", c->series[s]);
    fl_buf_printf(out, "\n");
    for (int i = 0; i < c->nrows; i++) {
        const struct chart_row *r = &c->row[i];
        report_csv_text(r->label, out);
        fl_buf_printf(out, ",");
        report_csv_text(r->detail ? r->detail : "", out);
        for (int s = 0; s < c->nseries; s++) {
            const double v[] = {r->value[s], r->low[s], r->high[s]};
            for (int k = 0; k < (c->stacked ? 1 : 3); k++) {
                fl_buf_printf(out, ",");
                if (!isnan(v[k]))
                    fl_buf_printf(out, "%.9g", v[k]);
            }
        }
        fl_buf_printf(out, "\n");
    }
}
