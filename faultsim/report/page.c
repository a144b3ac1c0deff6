/* page.c -- what pages are made of: see page.h. Nothing is cut off: a table whose columns do not fit
 * becomes a list of its cells, each with the name of its column. */
#include "page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot.h"
#include "stuck_at.h"
#include "faultsim/result/made.h"

const struct page_outcome page_shown[PAGE_OUTCOMES] = {{OUT_SDC, "sdc", "#c0392b"},
                                                       {OUT_CRASH, "crash", "#7d3c98"},
                                                       {OUT_TIMEOUT, "timeout", "#e08e0b"},
                                                       {OUT_HANG, "hang", "#616a6b"},
                                                       {OUT_PERFORMANCE, "performance", "#2e86c1"},
                                                       {OUT_TOLERABLE, "tolerable", "#27ae60"}};
const char *const page_method_colour[METHOD_COUNT] = {[METHOD_EXACT] = "#1a5276",
                                                      [METHOD_SAMPLE] = "#c0392b",
                                                      [METHOD_LIST] = "#b9770e",
                                                      [METHOD_ACE] = "#7f8c8d"};

static const char style[] =
    "body{font:15px/1.45 sans-serif;color:#222;max-width:84em;margin:2em auto;padding:0 1em}"
    "h1{font-size:1.5em}h2{font-size:1.2em;margin-top:2em;border-bottom:1px solid #ccc}"
    "h3{font-size:1em;margin-top:1.5em}table{border-collapse:collapse;font-size:12px}"
    "td,th{padding:2px 6px;border-bottom:1px solid #ddd;text-align:right;vertical-align:bottom}"
    "td{white-space:nowrap}th{background:#f4f4f4}td.t,th.t,td.c{text-align:left;white-space:normal;"
    "overflow-wrap:anywhere}td.t{min-width:3em}td.c{font-family:monospace;min-width:5em}"
    "figure{margin:1em 0}figure svg{max-width:100%;height:auto}.narrow{display:none}"
    "figcaption{color:#555;max-width:60em}pre{white-space:pre-wrap;overflow-wrap:anywhere}"
    "p{max-width:60em}nav{margin:1em 0}nav a{margin-right:1.2em;white-space:nowrap}"
    "*{print-color-adjust:exact}"
    "@media(max-width:1000px){.wide{display:none}.narrow{display:block}tr:first-child{display:none}"
    "tr,td{display:block}tr{padding:4px 0;border-bottom:2px solid #bbb}"
    "td{border:0;text-align:right!important;padding:0;overflow:auto}td::before{float:left;"
    "margin-right:1em;color:#555;font-family:sans-serif}}"
    "@page{size:A4 landscape;margin:12mm}@media print{body{max-width:none;margin:0;font-size:12px}"
    "table{font-size:9px}td,th{padding:1px 4px}tr,figure{break-inside:avoid}}";

/* ---- pieces of a page ------------------------------------------------------------------------ */

void page_escaped(struct page *p, const char *text)
{
    chart_escaped(&p->html, text);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* A new file; its name has the number of its plot or table, and nothing that a shell minds. */
static struct fl_buf *new_file(struct page_files *f, const char *name, const char *ending)
{
    f->file = fl_grow(f->file, (size_t)f->count + 1, sizeof *f->file);
    struct page_file *it = &f->file[f->count++];
    *it = (struct page_file){.name = fl_format("%02d-%s.%s", f->numbers, name, ending)};
    for (char *s = it->name; *s; s++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.@_", *s))
            *s = '-';
    return &it->text;
}

void page_files_free(struct page_files *f)
{
    for (int i = 0; i < f->count; i++) {
        free(f->file[i].name);
        fl_buf_free(&f->file[i].text);
    }
    free(f->file);
    *f = (struct page_files){0};
}

/* The table at hand as CSV; NULL: no files are wanted. */
static struct fl_buf *csv(struct page *p)
{
    return p->files ? &p->files->file[p->files->count - 1].text : NULL;
}

static void csv_cell(struct page *p, const char *text)
{
    struct fl_buf *out = csv(p);
    if (!out)
        return;
    if (out->size && out->data[out->size - 1] != '\n')
        fl_buf_printf(out, ",");
    report_csv_text(text, out);
}

static void csv_number(struct page *p, double v, const char *format)
{
    char text[40] = "";
    if (!isnan(v))
        snprintf(text, sizeof text, format, v);
    csv_cell(p, text);
}

int page_outcomes(const struct result *r)
{
    return PAGE_OUTCOMES - !result_has(r, OUT_TOLERABLE);
}

/* Where a column is "@", a column for each outcome, with what stands behind the sign. */
static char *columns_of(const struct page *p, const char *columns)
{
    struct fl_buf b = {0};
    const char *at = strchr(columns, '@');
    int before = at ? (int)(at - columns) : (int)strlen(columns);
    int unit = at ? (int)strcspn(at + 1, "|") : 0;
    fl_buf_printf(&b, "%.*s", before, columns);
    for (int o = 0; at && o < p->outcomes; o++)
        fl_buf_printf(&b, "%s%s%.*s", o ? "|" : "", page_shown[o].name, unit, at + 1);
    fl_buf_printf(&b, "%s", at ? at + 1 + unit : "");
    fl_buf_add(&b, "", 1);
    return (char *)b.data;
}

/* A table's head: names between bars; those that start with a star stand left. */
void page_head(struct page *p, const char *text)
{
    char *whole = columns_of(p, text);
    const char *columns = whole;
    p->tables++;
    fl_buf_printf(&p->html, "<table id=\"t%d\">\n<tr>", p->tables);
    if (p->files) {
        p->files->numbers++;
        char *name = fl_format("table-%s", p->section);
        new_file(p->files, name, "csv");
        free(name);
    }
    for (int i = 1; *columns; i++) {
        int n = (int)strcspn(columns, "|"), left = *columns == '*';
        char *name = fl_format("%.*s", n - left, columns + left);
        fl_buf_printf(&p->html, "<th%s>", left ? " class=\"t\"" : "");
        page_escaped(p, name);
        fl_buf_printf(&p->html, "</th>");
        csv_cell(p, name);
        for (char *s = name; *s; s++)
            if (strchr("\"\\<", *s))
                *s = '_';
        fl_buf_printf(&p->style, "#t%d td:nth-child(%d)::before{content:\"%s\"}", p->tables, i,
                      name);
        free(name);
        columns += n + (columns[n] == '|');
    }
    free(whole);
    page_end_row(p);
}

void page_end_table(struct page *p)
{
    fl_buf_printf(&p->html, "</table>\n");
}

void page_begin_row(struct page *p)
{
    fl_buf_printf(&p->html, "<tr>");
}

void page_end_row(struct page *p)
{
    fl_buf_printf(&p->html, "</tr>\n");
    if (csv(p))
        fl_buf_printf(csv(p), "\n");
}

void page_cell_text(struct page *p, const char *class, const char *s)
{
    fl_buf_printf(&p->html, "<td class=\"%s\">", class);
    page_escaped(p, s);
    fl_buf_printf(&p->html, "</td>");
    csv_cell(p, s);
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
    csv_cell(p, digits);
}

void page_cell_unknown(struct page *p)
{
    fl_buf_printf(&p->html, "<td>-</td>");
    csv_cell(p, "");
}

void page_cell_number(struct page *p, double v)
{
    if (isnan(v)) {
        page_cell_unknown(p);
        return;
    }
    csv_number(p, v, "%.9g");
    if (isinf(v))
        fl_buf_printf(&p->html, "<td>&infin;</td>");
    else
        fl_buf_printf(&p->html, "<td>%.4g</td>", v);
}

void page_cell_percent(struct page *p, double v)
{
    if (isnan(v)) {
        page_cell_unknown(p);
        return;
    }
    csv_number(p, 100 * v, "%.9g");
    if (v != 0 && fabs(v) < 0.0000005)
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
    p->section = title;
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

/* ---- bars and plots -------------------------------------------------------------------------- */

void page_chart(struct page *p, struct chart *c)
{
    if (c->nrows)
        chart_html(c, &p->html);
    if (c->nrows && p->files) {
        p->files->numbers++;
        chart_svg(c, new_file(p->files, c->name, "svg"));
        chart_csv(c, new_file(p->files, c->name, "csv"));
    }
    chart_free(c);
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

void page_data(struct page *p, const char *name, size_t from)
{
    if (!p->files)
        return;
    p->files->numbers++;
    struct fl_buf *out = new_file(p->files, name, "dat");
    fl_buf_printf(out, "# cycle, AVF in %%, occupancy in %%\n");
    fl_buf_add(out, p->script.data + from, p->script.size - from);
}

static void new_terminal(struct page *p, int width, int height)
{
    fl_buf_printf(&p->script,
                  "set terminal svg size %d,%d noenhanced font 'sans-serif,12' background 'white' "
                  "name 'plot'\nset output\n",
                  width, height);
}

static void new_gap(struct page *p, const char *class)
{
    fl_buf_printf(&p->html, "<div class=\"%s\">", class);
    p->gap = fl_grow(p->gap, (size_t)p->plots + 1, sizeof *p->gap);
    p->gap[p->plots] = p->html.size;
    fl_buf_printf(&p->html, "</div>\n");
}

void page_begin_plot(struct page *p, const char *ylabel)
{
    fl_buf_printf(&p->html, "<figure>\n");
    new_gap(p, "wide");
    fl_buf_printf(&p->script, "reset\n");
    new_terminal(p, 1000, 300);
    fl_buf_printf(&p->script,
                  "set ylabel '%s'\nset grid y lc rgb '#dddddd'\n"
                  "set key outside top center horizontal\nset border 3\nset tics nomirror\n"
                  "set yrange [0:*]\n",
                  ylabel);
}

void page_end_plot(struct page *p, const char *name, const char *caption)
{
    p->plots++;
    new_gap(p, "narrow");
    new_terminal(p, 370, 300);
    fl_buf_printf(&p->script, "set xtics rotate by -40 left\nreplot\n");
    p->plots++;
    fl_buf_printf(&p->html, "<figcaption>");
    page_escaped(p, caption);
    fl_buf_printf(&p->html, "</figcaption></figure>\n");
    if (p->files) {
        p->svg = fl_grow(p->svg, (size_t)p->plots, sizeof *p->svg);
        new_file(p->files, name, "svg");
        p->svg[p->plots - 2] = p->files->count - 1; /* the wide one */
    }
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
                  "<meta name=\"viewport\" content=\"width=device-width\">\n"
                  "<title>%s</title>\n<style>%s%s\n@media(max-width:1000px){",
                  avf_title(p->a), style, chart_style);
    fl_buf_add(out, p->style.data, p->style.size);
    fl_buf_printf(out, "}</style></head>\n<body>\n");
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

void page_what_made_it(struct page *p)
{
    const struct result *r = p->a->result;
    struct fl_buf lines = {0};
    for (int j = 0; j < r->njobs; j++)
        if (made_note(r->job[j].outputs)) {
            fl_buf_printf(&p->html, "<p><strong>");
            page_escaped(p, r->job[j].name);
            fl_buf_printf(&p->html, ": ");
            page_escaped(p, made_note(r->job[j].outputs));
            fl_buf_printf(&p->html, ".</strong></p>\n");
        }
    for (int i = 0; i < r->nparts; i++)
        if (r->part[i].active_only) {
            fl_buf_printf(&p->html, "<p><strong>");
            page_escaped(p, avf_owned_only);
            fl_buf_printf(&p->html, "</strong></p>\n");
            break;
        }
    made_csv(p->a->made, r->job, r->njobs, &lines);
    fl_buf_add(&lines, "", 1);
    fl_buf_printf(&p->html, "<details><summary>what made this</summary><pre>");
    page_escaped(p, (char *)lines.data);
    fl_buf_printf(&p->html, "</pre></details>\n");
    fl_buf_free(&lines);
}

int page_draw(struct page *p, struct fl_buf *out, struct fl_err *missing, struct fl_err *err)
{
    struct fl_err why = {""};
    missing->msg[0] = 0;
    struct fl_buf *plot = fl_alloc((size_t)p->plots * sizeof *plot);
    int drawn = avf_plot(&p->script, plot, p->plots, &why);
    for (int i = 0; i < p->plots && drawn == 0 && p->files; i += 2)
        fl_buf_add(&p->files->file[p->svg[i]].text, plot[i].data, plot[i].size);
    if (drawn > 0)
        *missing = why;
    if (drawn < 0)
        fl_fail(err, "%s", why.msg);
    else
        page_put_together(p, drawn == 0 ? plot : NULL, out);
    for (int i = 0; i < p->plots && drawn == 0; i++)
        fl_buf_free(&plot[i]);
    free(plot);
    free(p->gap);
    free(p->svg);
    fl_buf_free(&p->style);
    fl_buf_free(&p->html);
    fl_buf_free(&p->contents);
    fl_buf_free(&p->script);
    return drawn < 0 ? -1 : 0;
}
