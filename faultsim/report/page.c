/* page.c -- what the page of avf_html.c is made of: tables, and plots by gnuplot. */
#include "page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct page_outcome page_shown[PAGE_SHOWN] = {{OUT_SDC, "sdc", "#c0392b"},
                                                    {OUT_CRASH, "crash", "#7d3c98"},
                                                    {OUT_TIMEOUT, "timeout", "#e08e0b"},
                                                    {OUT_HANG, "hang", "#616a6b"},
                                                    {OUT_PERFORMANCE, "performance", "#2e86c1"}};
const char *const page_method_colour[METHOD_COUNT] = {[METHOD_EXACT] = "#1a5276",
                                                      [METHOD_SAMPLE] = "#c0392b",
                                                      [METHOD_LIST] = "#b9770e",
                                                      [METHOD_ACE] = "#7f8c8d"};

static const char style[] =
    "body{font:15px/1.45 sans-serif;color:#222;max-width:76em;margin:2em auto;padding:0 1em}"
    "h1{font-size:1.5em}h2{font-size:1.2em;margin-top:2em;border-bottom:1px solid #ccc}"
    "h3{font-size:1em;margin-top:1.5em}table{border-collapse:collapse;font-size:13px}"
    "td,th{padding:2px 8px;border-bottom:1px solid #ddd;text-align:right;white-space:nowrap}"
    "th{background:#f4f4f4}td.t,th.t{text-align:left}td.c{font-family:monospace;text-align:left}"
    ".wide{overflow-x:auto}figure{margin:1em "
    "0;overflow-x:auto}figcaption{color:#555;max-width:60em}"
    "p{max-width:60em}nav{margin:1em 0}nav a{margin-right:1.2em;white-space:nowrap}";

/* ---- pieces of a page ------------------------------------------------------------------------ */

void page_escaped(struct page *p, const char *s)
{
    for (; *s; s++) {
        switch (*s) {
        case '<': fl_buf_printf(&p->html, "&lt;"); break;
        case '>': fl_buf_printf(&p->html, "&gt;"); break;
        case '&': fl_buf_printf(&p->html, "&amp;"); break;
        case '"': fl_buf_printf(&p->html, "&quot;"); break;
        default: fl_buf_add(&p->html, s, 1);
        }
    }
}

/* A table's head: names between bars; those that start with a star stand left. */
void page_head(struct page *p, const char *columns)
{
    fl_buf_printf(&p->html, "<div class=\"wide\"><table>\n<tr>");
    while (*columns) {
        size_t n = strcspn(columns, "|");
        bool left = *columns == '*';
        fl_buf_printf(&p->html, "<th%s>%.*s</th>", left ? " class=\"t\"" : "", (int)(n - left),
                      columns + left);
        columns += n + (columns[n] == '|');
    }
    fl_buf_printf(&p->html, "</tr>\n");
}

void page_end_table(struct page *p)
{
    fl_buf_printf(&p->html, "</table></div>\n");
}

void page_begin_row(struct page *p)
{
    fl_buf_printf(&p->html, "<tr>");
}

void page_end_row(struct page *p)
{
    fl_buf_printf(&p->html, "</tr>\n");
}

void page_cell_text(struct page *p, const char *class, const char *s)
{
    fl_buf_printf(&p->html, "<td class=\"%s\">", class);
    page_escaped(p, s);
    fl_buf_printf(&p->html, "</td>");
}

/* In groups of three, which narrow spaces part. */
void page_cell_count(struct page *p, uint64_t v)
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)v);
    fl_buf_printf(&p->html, "<td>");
    for (int i = 0; i < n; i++)
        fl_buf_printf(&p->html, "%s%c", i && (n - i) % 3 == 0 ? "&#8239;" : "", digits[i]);
    fl_buf_printf(&p->html, "</td>");
}

void page_cell_unknown(struct page *p)
{
    fl_buf_printf(&p->html, "<td>-</td>");
}

void page_cell_number(struct page *p, double v)
{
    if (isnan(v))
        page_cell_unknown(p);
    else if (isinf(v))
        fl_buf_printf(&p->html, "<td>&infin;</td>");
    else
        fl_buf_printf(&p->html, "<td>%.4g</td>", v);
}

void page_cell_percent(struct page *p, double v)
{
    if (isnan(v))
        page_cell_unknown(p);
    else if (v != 0 && fabs(v) < 0.0000005)
        fl_buf_printf(&p->html, "<td>&lt;&#8239;0.0001</td>"); /* not nothing */
    else
        fl_buf_printf(&p->html, "<td>%.4f</td>", 100 * v);
}

/* From and to, of samples alone: others know their AVF. */
void page_cell_interval(struct page *p, enum tally_method method, double lo, double hi)
{
    page_cell_percent(p, method == METHOD_SAMPLE ? lo : (double)NAN);
    page_cell_percent(p, method == METHOD_SAMPLE ? hi : (double)NAN);
}

void page_heading(struct page *p, int level, const char *title)
{
    if (level == 2) {
        p->headings++;
        fl_buf_printf(&p->contents, "<a href=\"#s%d\">%s</a>\n", p->headings, title);
        fl_buf_printf(&p->html, "<h2 id=\"s%d\">", p->headings);
    } else {
        fl_buf_printf(&p->html, "<h%d>", level);
    }
    page_escaped(p, title);
    fl_buf_printf(&p->html, "</h%d>\n", level);
}

/* ---- pieces of a plot ------------------------------------------------------------------------ */

/* In gnuplot's strings: what would end one or start an escape is replaced. */
void page_harmless(char *s)
{
    for (; *s; s++)
        if (*s == '"' || *s == '\'' || *s == '\\' || (unsigned char)*s < ' ')
            *s = '_';
}

void page_label(struct page *p, const char *text)
{
    char *s = fl_strdup(text);
    page_harmless(s);
    fl_buf_printf(&p->script, "\"%s\"", s);
    free(s);
}

void page_value(struct page *p, double v)
{
    if (isnan(v) || isinf(v))
        fl_buf_printf(&p->script, " NaN");
    else
        fl_buf_printf(&p->script, " %.9g", v);
}

void page_begin_data(struct page *p)
{
    fl_buf_printf(&p->script, "$d%d << END_OF_DATA\n", p->plots);
}

void page_end_data(struct page *p)
{
    fl_buf_printf(&p->script, "END_OF_DATA\n");
}

/* Of a histogram, which gnuplot refuses when a whole series is NaN: what is not known has no
 * bar. */
void page_bar(struct page *p, double v)
{
    page_value(p, isnan(v) || isinf(v) ? 0 : v);
}

/* Leaves the gap; the script goes on with `set` commands and one `plot` of $d<number>. */
void page_begin_plot(struct page *p, int width, int height, const char *ylabel)
{
    fl_buf_printf(&p->html, "<figure>\n");
    p->gap = fl_grow(p->gap, (size_t)p->plots + 1, sizeof *p->gap);
    p->gap[p->plots] = p->html.size;
    fl_buf_printf(&p->script,
                  "reset\nset terminal svg size %d,%d noenhanced font 'sans-serif,12' background "
                  "'white' name 'plot'\nset output\nset ylabel '%s'\nset grid y lc rgb '#dddddd'\n"
                  "set key outside top center horizontal\nset border 3\nset tics nomirror\n"
                  "set style fill solid 0.9 noborder\nset yrange [0:*]\nset boxwidth 0.8\n",
                  width, height, ylabel);
}

void page_end_plot(struct page *p, const char *caption)
{
    p->plots++;
    fl_buf_printf(&p->html, "\n<figcaption>");
    page_escaped(p, caption);
    fl_buf_printf(&p->html, "</figcaption></figure>\n");
}

int page_width_for(int bars, int each)
{
    int w = 160 + bars * each;
    return w < 700 ? 700 : w > 6000 ? 6000 : w;
}

bool page_same_bits(const struct result_part *a, const struct result_part *b)
{
    return a->job == b->job && strcmp(a->target, b->target) == 0 &&
           strcmp(a->engine, b->engine) == 0;
}

/* The page with its gaps filled; plot NULL: they stay empty. */
void page_put_together(const struct page *p, const struct fl_buf *plot, struct fl_buf *out)
{
    size_t at = 0;
    fl_buf_printf(out,
                  "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                  "<title>%s</title>\n<style>%s</style></head>\n<body>\n",
                  avf_title(p->a), style);
    fl_buf_add(out, p->html.data, p->contents_at);
    fl_buf_printf(out, "<nav>%s</nav>\n", (char *)p->contents.data);
    at = p->contents_at;
    for (int i = 0; i < p->plots; i++) {
        fl_buf_add(out, p->html.data + at, p->gap[i] - at);
        at = p->gap[i];
        if (plot)
            fl_buf_add(out, plot[i].data, plot[i].size);
        else
            fl_buf_printf(out, "(no plot: gnuplot was not installed)");
    }
    fl_buf_add(out, p->html.data + at, p->html.size - at);
    fl_buf_printf(out, "</body></html>\n");
}
