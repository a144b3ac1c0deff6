/* page.c -- what pages are made of: see page.h. Nothing is cut off: a table whose columns do not fit
 * becomes a list of its rows, each figure with the name of its column. */
#include "page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faultsim/chart/svg.h"
#include "faultsim/result/made.h"
#include "base/stats.h"
#include "faultsim/result/csv.h"
#include "sm/structures.h"

/* Colours that the colour-blind can tell apart (Okabe and Ito), on white and on black. */
static const struct page_outcome order[PAGE_OUTCOMES] = {
    {OUT_SDC, "#d55e00"},      {OUT_CRASH, "#0072b2"},     {OUT_EXIT, "#cc79a7"},
    {OUT_TIMEOUT, "#e69f00"},  {OUT_HANG, "#777777"},      {OUT_PERFORMANCE, "#56b4e9"},
    {OUT_DETECTED, "#b8ac00"}, {OUT_TOLERABLE, "#009e73"}, {OUT_DROPPED, "#e8dcc8"}};

/* The variables: paper, text, muted text, lines, shades, and the colour of heat. */
static const char style[] =
    ":root{--p:#fff;--t:#1b1b1b;--m:#595959;--l:#d4d4d4;--s:#f2f2f2;--h:213 94 0;"
    "color-scheme:light dark}\n"
    "@media screen and (prefers-color-scheme:dark){:root{--p:#15171a;--t:#e6e6e6;--m:#a8a8a8;"
    "--l:#3b3f45;--s:#24272c}a{color:#8ab4f8}}\n"
    "body{font:16px/1.5 system-ui,sans-serif;color:var(--t);background:var(--p);max-width:76em;"
    "margin:1.5em auto;padding:0 1em}*{box-sizing:border-box;print-color-adjust:exact}\n"
    "h1{font-size:1.6em;line-height:1.25;margin:0 0 .5em}h2{font-size:1.25em;margin:1.8em 0 .6em;"
    "border-bottom:1px solid var(--l)}h3{font-size:1em;margin:1.4em 0 .4em}"
    "h1,h2,h3,p,summary{overflow-wrap:anywhere}p{max-width:46em;margin:.5em 0}\n"
    "p.n,figcaption,caption{color:var(--m);font-size:14px}nav{margin:1em 0;line-height:2}"
    "nav a{margin-right:1.2em;white-space:nowrap}summary{cursor:pointer;margin:.5em 0}\n"
    "figure{margin:.5em 0 1em}.key,.legend,.time figcaption{font-size:14px;display:flex;"
    "flex-wrap:wrap;gap:2px 14px;align-items:center;color:var(--m);margin:.3em 0}"
    ".key i,.time i{display:inline-block;width:1.8em;height:11px;margin-right:5px;"
    "border-width:1px;border-style:solid}.time i{height:0;border:0;vertical-align:middle}\n"
    ".r{display:grid;grid-template-columns:minmax(4em,min(var(--l),16em)) 1fr 23em;gap:0 12px;"
    "align-items:center;padding:2px 0;font-size:14px}.l,.v{overflow-wrap:anywhere}"
    ".v{color:var(--m)}.v b{color:var(--t)}.bar{display:flex;position:relative;height:14px;"
    "background:var(--s)}.bar i{border-width:1px 0;border-style:solid;flex:none}.bar "
    "u{position:absolute;top:3px;"
    "height:8px;border:solid var(--t);border-width:0 1.5px;background:linear-gradient(var(--t),"
    "var(--t)) center/100% 1.5px no-repeat}.ax{display:grid;grid-template-columns:repeat(3,1fr);"
    "border-top:1px solid var(--m);color:var(--m);font-size:13px}.ax b{font-weight:400;"
    "text-align:center}.ax b:first-child{text-align:left}.ax b:last-child{text-align:right}\n"
    "svg.pic{display:block}.tel,.mid,.desk{display:none}\n"
    "@media(min-width:1030px){.desk,.up{display:block}}"
    "@media(min-width:690px) and (max-width:1029px){.mid,.tel.up{display:block}}"
    "@media(max-width:689px){.tel{display:block}}\n"
    ".times{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26em),1fr));"
    "gap:0 2em}.time b{color:var(--t);font-weight:600}.plot,.x{display:grid;"
    "grid-template-columns:3.6em minmax(0,1fr);gap:6px;font-size:13px}.plot svg{width:100%;"
    "height:130px;background:linear-gradient(var(--l),var(--l)) 0 50%/100% 1px no-repeat;"
    "border:solid var(--l);border-width:1px 0}.plot.low{margin-top:6px}.plot.low svg{height:56px}"
    ".plot path{fill:none;stroke-width:1.6;vector-effect:non-scaling-stroke}.y{display:flex;"
    "flex-direction:column;justify-content:space-between;text-align:right;line-height:1}"
    ".y b,.x b{font-weight:400!important;color:var(--m)!important}.low .y b:nth-child(2)"
    "{display:none}.x{display:flex;justify-content:space-between;padding-left:calc(3.6em + 6px)}\n"
    "table{border-collapse:collapse;font-size:14px;margin:.5em 0}caption{text-align:left;"
    "padding:2px 0}td,th{padding:3px 8px;border-bottom:1px solid var(--l);text-align:right;"
    "vertical-align:bottom}th{background:var(--s)}td{white-space:nowrap}td.t,th.t{text-align:left;"
    "white-space:normal;overflow-wrap:anywhere;min-width:7em}.w td,.w th{padding:3px "
    "5px;font-size:13px}\n"
    ".code{width:100%}.code td,.code th{padding:1px 6px;border:0;border-bottom:1px solid "
    "var(--s);vertical-align:top;width:1%}.code td:first-child{color:var(--m)}"
    ".code .c{width:auto;text-align:left;white-space:pre-wrap;overflow-wrap:anywhere;"
    "font-family:ui-monospace,monospace;font-size:13px}"
    ".code .f td{color:var(--m);text-align:left}.legend i{width:1.4em;height:1em}.legend span{"
    "display:flex}pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:13px}\n"
    "@media(max-width:700px){body{margin:1em auto}.r{grid-template-columns:1fr;"
    "padding:5px 0}.code td,.code th{"
    "padding:1px 3px;font-size:13px}.code .c{font-size:12px}}\n"
    "@page{size:A4 landscape;margin:12mm}@media print{body{max-width:none;margin:0;"
    "font-size:12px}table,.r,.key{font-size:11px}.w td,.w th{font-size:9.5px;padding:2px 3px}"
    "tr,figure,.r{break-inside:avoid}h2,h3,summary{break-after:avoid}nav{display:none}}\n";

/* Of tables that do not fit: a row is a paragraph, its text bold. */
static const char list_style[] =
    "{table.%1$s,.%1$s tbody,.%1$s caption{display:block}.%1$s tr{display:flex;flex-wrap:wrap;"
    "gap:0 14px;padding:5px 0;border-bottom:1px solid var(--l)}.%1$s tr:first-child{display:none}"
    ".%1$s td{border:0;padding:0;font-size:14px}.%1$s td.t{font-weight:600}.%1$s td.u{display:none}"
    ".%1$s td:not(.t)::before{color:var(--m);margin-right:5px}}\n";

/* ---- files ----------------------------------------------------------------------------------- */

struct fl_buf *page_file(struct page *p, const char *name, const char *ending, bool another)
{
    struct page_files *f = p->files;
    if (!f)
        return NULL;
    f->numbers += another;
    f->file = fl_grow(f->file, (size_t)f->count + 1, sizeof *f->file);
    struct page_file *it = &f->file[f->count++];
    *it = (struct page_file){.name = fl_format("%02d-%s.%s", f->numbers, name, ending)};
    for (char *s = it->name; *s; s++) /* nothing that a shell minds */
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

/* The table that is being made, as CSV: the file that was begun last. */
static void csv_cell(struct page *p, const char *text)
{
    if (!p->files)
        return;
    struct fl_buf *out = &p->files->file[p->files->count - 1].text;
    if (out->size && out->data[out->size - 1] != '\n')
        fl_buf_printf(out, ",");
    csv_text(text, out);
}

static void cell_number(struct page *p, double v)
{
    char text[40] = "";
    if (!isnan(v))
        snprintf(text, sizeof text, "%.9g", v);
    csv_cell(p, text);
}

/* ---- what is injected ------------------------------------------------------------------------ */

static void jobs_of(const struct result *r, struct fl_buf *out)
{
    enum { NAMED = 3 };
    if (r->njobs > NAMED)
        fl_buf_printf(out, "%d jobs", r->njobs);
    for (int j = 0; j < r->njobs && r->njobs <= NAMED; j++)
        fl_buf_printf(out, "%s%s", !j ? "" : j + 1 < r->njobs ? ", " : " and ", r->job[j].name);
}

/* "Stuck-at faults in fft and sort". Caller frees. */
static char *title_of(const struct page *p)
{
    struct fl_buf b = {0};
    if (p->title)
        return fl_strdup(p->title);
    fl_buf_printf(&b, "%s in ", result_model(p->a->result)->title);
    jobs_of(p->a->result, &b);
    if (p->other) {
        const struct result_model *a = result_model(p->a->result),
                                  *other = result_model(p->other->result);
        if (a == other)
            fl_buf_printf(&b, " (A) compared with ");
        else
            fl_buf_printf(&b, " (A) beside %c%s in ", other->title[0] | 0x20, other->title + 1);
        jobs_of(p->other->result, &b);
        fl_buf_printf(&b, " (B)");
    }
    fl_buf_add(&b, "", 1);
    return (char *)b.data;
}

const struct page_outcome *page_outcome_at(int i)
{
    return &order[i];
}

static void show_outcomes(struct page *p)
{
    for (int i = 0; i < PAGE_OUTCOMES; i++) {
        if (!avf_shows(p->a, order[i].outcome))
            continue;
        p->shown[p->outcomes++] = order[i];
        p->failing += fsim_outcome_fails(order[i].outcome);
    }
}

bool page_same_bits(const struct result_part *a, const struct result_part *b)
{
    return a->job == b->job && strcmp(a->target, b->target) == 0 &&
           strcmp(a->engine, b->engine) == 0;
}

bool page_stands_for(const struct result *r, int part)
{
    for (int i = 0; i < r->nparts; i++)
        if (i != part && page_same_bits(&r->part[i], &r->part[part]) &&
            r->part[i].method < r->part[part].method)
            return false;
    return true;
}

char *page_part_name(const struct page *p, const struct result_part *part, bool with_method)
{
    bool method = with_method && p->several_methods;
    return fl_format("%s%s%s%s%s", p->several_jobs ? p->a->result->job[part->job].name : "",
                     p->several_jobs ? " " : "", part->target, method ? ", " : "",
                     method ? tally_method_name(part->method) : "");
}

/* ---- the page -------------------------------------------------------------------------------- */

void page_escaped(struct page *p, const char *text)
{
    figure_escaped(&p->html, text);
}

void page_say(struct page *p, const char *html)
{
    fl_buf_printf(&p->html, "<p class=\"n\">%s</p>\n", html);
}

int page_structure(const struct page *p, int part)
{
    const struct result *r = p->a->result;
    for (int i = 0; i < part; i++)
        if (strcmp(r->part[i].target, r->part[part].target) == 0)
            return -1;
    return sm_structure_find(NULL, r->part[part].target);
}

void page_targets(struct page *p)
{
    const struct result *r = p->a->result;
    const char *before = "<p class=\"n\">";
    for (int i = 0; i < r->nparts; i++) {
        const char *text = NULL;
        int structure = page_structure(p, i);
        if (structure < 0)
            continue;
        sm_structure_name(structure, &text);
        fl_buf_printf(&p->html, "%s<b>%s</b>: ", before, r->part[i].target);
        page_escaped(p, text);
        before = "; ";
    }
    if (*before == ';')
        fl_buf_printf(&p->html, ".</p>\n");
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

int page_open(struct page *p, const struct avf_report *a, struct fl_err *err)
{
    *p = (struct page){.a = a, .several_jobs = a->result->njobs > 1, .files = a->files};
    show_outcomes(p);
    return a->result->nparts
               ? 0
               : fl_fail(err, "there is nothing to report: the campaign has no targets");
}

void page_open_titled(struct page *p, const char *title, const char *made)
{
    *p = (struct page){.title = title, .made = made};
}

void page_begin(struct page *p)
{
    char *title = title_of(p);
    page_heading(p, 1, title);
    p->section = "summary";
    free(title);
}

static void strong(struct page *p, const char *text)
{
    fl_buf_printf(&p->html, "<p><strong>");
    page_escaped(p, text);
    fl_buf_printf(&p->html, "</strong></p>\n");
}

void page_notes(struct page *p)
{
    const struct result *r = p->a->result;
    if (made_caches(p->a->made))
        strong(p, made_caches(p->a->made));
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
            strong(p, avf_owned_only);
            break;
        }
}

void page_contents(struct page *p)
{
    p->contents_at = p->html.size;
}

static void what_made_it(struct page *p)
{
    struct fl_buf lines = {0};
    page_heading(p, 2, "Provenance");
    if (p->a)
        made_csv(p->a->made, p->a->result->job, p->a->result->njobs, &lines);
    else
        made_csv(p->made, NULL, 0, &lines);
    if (p->other)
        made_csv(p->other->made, p->other->result->job, p->other->result->njobs, &lines);
    fl_buf_add(&lines, "", 1);
    fl_buf_printf(&p->html, "<details><summary>options, programs, digests</summary><pre>");
    page_escaped(p, (char *)lines.data);
    fl_buf_printf(&p->html, "</pre></details>\n");
    fl_buf_free(&lines);
}

static void put_together(const struct page *p, struct fl_buf *out)
{
    char *title = title_of(p);
    fl_buf_printf(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    figure_escaped(out, title);
    free(title);
    fl_buf_printf(out, "</title>\n<style>\n%s", style);
    svg_style(out, true);
    fl_buf_printf(out, "@media(max-width:700px)");
    fl_buf_printf(out, list_style, "m");
    fl_buf_printf(out, "@media screen and (max-width:1150px)");
    fl_buf_printf(out, list_style, "w");
    fl_buf_add(out, p->style.data, p->style.size);
    for (int step = 1; step <= 9; step++)
        fl_buf_printf(out, "\n.h%d .c,.legend .h%d{background:rgb(var(--h)/.%02d)}", step, step,
                      8 * step);
    fl_buf_printf(out, "\n</style></head>\n<body>\n");
    fl_buf_add(out, p->html.data, p->contents_at);
    fl_buf_printf(out, "<nav>");
    fl_buf_add(out, p->contents.data, p->contents.size);
    fl_buf_printf(out, "</nav>\n");
    fl_buf_add(out, p->html.data + p->contents_at, p->html.size - p->contents_at);
    fl_buf_printf(out, "</body></html>\n");
}

void page_end(struct page *p, struct fl_buf *out)
{
    what_made_it(p);
    put_together(p, out);
    fl_buf_free(&p->style);
    fl_buf_free(&p->html);
    fl_buf_free(&p->contents);
}

/* ---- tables ---------------------------------------------------------------------------------- */

struct page_cell {
    char *html;
    bool unknown;
};

struct page_table {
    struct page_column {
        char *name;
        bool text;  /* stands left */
        bool shown; /* else it says nothing, or the same in each row */
    } * column;
    int ncolumns;
    struct page_cell *cell; /* row by row */
    int ncells, room;
};

/* Where a column is "@", a column for each outcome, with what stands behind the sign. */
static char *columns_of(const struct page *p, const char *columns)
{
    struct fl_buf b = {0};
    const char *at = strchr(columns, '@');
    int before = at ? (int)(at - columns) : (int)strlen(columns);
    int unit = at ? (int)strcspn(at + 1, "|") : 0;
    fl_buf_printf(&b, "%.*s", before, columns);
    for (int o = 0; at && o < p->outcomes; o++)
        fl_buf_printf(&b, "%s%s%.*s", o ? "|" : "", fsim_outcome_name(p->shown[o].outcome), unit,
                      at + 1);
    fl_buf_printf(&b, "%s", at ? at + 1 + unit : "");
    fl_buf_add(&b, "", 1);
    return (char *)b.data;
}

void page_head(struct page *p, const char *text)
{
    char *whole = columns_of(p, text);
    struct page_table *t = p->table = fl_alloc(sizeof *t);
    char *name = fl_format("table-%s", p->section);
    page_file(p, name, "csv", true);
    free(name);
    for (const char *column = whole; *column;) {
        int n = (int)strcspn(column, "|"), left = *column == '*';
        t->column = fl_grow(t->column, (size_t)t->ncolumns + 1, sizeof *t->column);
        name = fl_format("%.*s", n - left, column + left);
        t->column[t->ncolumns++] = (struct page_column){.name = name, .text = left};
        csv_cell(p, name);
        column += n + (column[n] == '|');
    }
    free(whole);
    page_end_row(p);
}

void page_end_row(struct page *p)
{
    if (p->files)
        fl_buf_printf(&p->files->file[p->files->count - 1].text, "\n");
}

/* Its HTML, which becomes the table's. */
static void add_cell(struct page *p, struct fl_buf *html, bool unknown)
{
    struct page_table *t = p->table;
    fl_buf_add(html, "", 1);
    FL_ROOM(t->cell, t->ncells, t->room, 64);
    t->cell[t->ncells++] = (struct page_cell){(char *)html->data, unknown};
}

void page_cell_text(struct page *p, const char *s)
{
    struct fl_buf b = {0};
    figure_escaped(&b, s);
    add_cell(p, &b, !*s);
    csv_cell(p, s);
}

void page_cell_count(struct page *p, uint64_t v)
{
    struct fl_buf b = {0};
    char digits[24];
    figure_count(&b, v);
    add_cell(p, &b, false);
    snprintf(digits, sizeof digits, "%llu", (unsigned long long)v);
    csv_cell(p, digits);
}

void page_cell_unknown(struct page *p)
{
    struct fl_buf b = {0};
    fl_buf_printf(&b, "-");
    add_cell(p, &b, true);
    csv_cell(p, "");
}

void page_cell_number(struct page *p, double v, double half)
{
    struct fl_buf b = {0};
    if (isnan(v)) {
        page_cell_unknown(p);
        return;
    }
    figure_number(&b, v, half);
    add_cell(p, &b, false);
    cell_number(p, v);
}

void page_cell_share(struct page *p, double v, double half)
{
    struct fl_buf b = {0};
    if (isnan(v)) {
        page_cell_unknown(p);
        return;
    }
    figure_percent(&b, 100 * v, 100 * half);
    add_cell(p, &b, false);
    cell_number(p, 100 * v);
}

double page_half(enum tally_method method, double lo, double hi)
{
    return method == METHOD_SAMPLE && hi > lo ? (hi - lo) / 2 : 0;
}

double page_doubt(enum tally_method method, uint64_t k, uint64_t n, double confidence)
{
    if (method != METHOD_SAMPLE)
        return 0;
    struct stats_interval i = stats_wilson(k, n, confidence);
    return page_half(method, i.lo, i.hi);
}

void page_cell_part(struct page *p, const struct tally_row *row, uint64_t k)
{
    page_cell_share(p, (double)k / (double)row->t.counted,
                    page_doubt(row->method, k, row->t.counted, row->confidence));
}

void page_cell_interval(struct page *p, enum tally_method method, double lo, double hi)
{
    double half = page_half(method, lo, hi);
    page_cell_share(p, method == METHOD_SAMPLE ? lo : (double)NAN, half);
    page_cell_share(p, method == METHOD_SAMPLE ? hi : (double)NAN, half);
}

static const struct page_cell *cell_at(const struct page_table *t, int row, int column)
{
    return &t->cell[row * t->ncolumns + column];
}

static bool same_in_all(const struct page_table *t, int column)
{
    for (int row = 1; row * t->ncolumns < t->ncells; row++)
        if (strcmp(cell_at(t, 0, column)->html, cell_at(t, row, column)->html) != 0)
            return false;
    return true;
}

/* Which columns are shown. The first figure always is; of a table of one row each figure but 0. */
static int choose(struct page_table *t)
{
    int shown = 0, rows = t->ncells / t->ncolumns;
    bool figure = false;
    for (int c = 0; c < t->ncolumns; c++) {
        struct page_column *column = &t->column[c];
        const struct page_cell *first = cell_at(t, 0, c);
        bool zero = strcmp(first->html, "0") == 0;
        column->shown = !same_in_all(t, c) || (!first->unknown && !column->text && !figure) ||
                        (!first->unknown && rows == 1 && !column->text && !zero);
        figure |= !column->text;
        shown += column->shown;
    }
    return shown;
}

/* "job fft · method exact · SPs 8 · timeout %, hang %: 0" */
static void caption(const struct page_table *t, struct fl_buf *out)
{
    const char *before = "<caption>";
    bool zeros = false;
    for (int c = 0; c < t->ncolumns; c++) {
        const struct page_cell *first = cell_at(t, 0, c);
        if (t->column[c].shown || first->unknown || strcmp(first->html, "all") == 0)
            continue;
        zeros |= strcmp(first->html, "0") == 0;
        if (strcmp(first->html, "0") == 0)
            continue;
        fl_buf_printf(out, "%s%s <b>%s</b>", before, t->column[c].name, first->html);
        before = " &middot; ";
    }
    for (int c = 0; c < t->ncolumns && zeros; c++)
        if (!t->column[c].shown && strcmp(cell_at(t, 0, c)->html, "0") == 0) {
            fl_buf_printf(out, "%s%s", before, t->column[c].name);
            before = ", ";
        }
    fl_buf_printf(out, "%s", zeros ? ": <b>0</b>" : "");
    fl_buf_printf(out, "%s", *before == '<' ? "" : "</caption>\n");
}

/* What the columns are called where they do not stand below each other. */
static void name_columns(struct page *p, const struct page_table *t, bool wide)
{
    fl_buf_printf(&p->style, "\n@media %s{",
                  wide ? "screen and (max-width:1150px)" : "(max-width:700px)");
    for (int c = 0, n = 1; c < t->ncolumns; c++) {
        if (t->column[c].shown && !t->column[c].text) {
            fl_buf_printf(&p->style, "#t%d td:nth-child(%d)::before{content:\"", p->tables, n);
            for (const char *s = t->column[c].name; *s; s++)
                fl_buf_printf(&p->style, "%c", strchr("\"\\<", *s) ? '_' : *s);
            fl_buf_printf(&p->style, "\"}");
        }
        n += t->column[c].shown;
    }
    fl_buf_printf(&p->style, "}");
}

static void put_table(struct page *p, const struct page_table *t, int shown)
{
    enum { ALWAYS_FITS = 3, FITS_A_DESK = 8 };
    const char *class = shown <= ALWAYS_FITS ? "" : shown <= FITS_A_DESK ? "m" : "w";
    struct fl_buf *out = &p->html;
    fl_buf_printf(out, "<table id=\"t%d\" class=\"%s\">", ++p->tables, class);
    caption(t, out);
    fl_buf_printf(out, "<tr>");
    for (int c = 0; c < t->ncolumns; c++)
        if (t->column[c].shown) {
            fl_buf_printf(out, "<th%s>", t->column[c].text ? " class=\"t\"" : "");
            figure_escaped(out, t->column[c].name);
            fl_buf_printf(out, "</th>");
        }
    fl_buf_printf(out, "</tr>\n");
    int rows = t->ncells / t->ncolumns;
    for (int row = 0; row < rows && row < PAGE_ROWS; row++) {
        fl_buf_printf(out, "<tr>");
        for (int c = 0; c < t->ncolumns; c++)
            if (t->column[c].shown) {
                const struct page_cell *cell = cell_at(t, row, c);
                fl_buf_printf(out, "<td%s>%s</td>",
                              t->column[c].text ? " class=\"t\""
                              : cell->unknown   ? " class=\"u\""
                                                : "",
                              cell->html);
            }
        fl_buf_printf(out, "</tr>\n");
    }
    fl_buf_printf(out, "</table>\n");
    if (rows > PAGE_ROWS) {
        fl_buf_printf(out, "<p class=\"n\">");
        figure_of(out, (uint64_t)(rows - PAGE_ROWS), "more row");
        fl_buf_printf(out, ": --plots writes all of them.</p>\n");
    }
    if (*class)
        name_columns(p, t, *class == 'w');
}

bool page_end_table(struct page *p)
{
    struct page_table *t = p->table;
    bool any = t->ncells;
    if (any)
        put_table(p, t, choose(t));
    else if (p->files) { /* a table without rows is none, in a file too */
        struct page_file *f = &p->files->file[--p->files->count];
        p->files->numbers--;
        fl_buf_free(&f->text);
        free(f->name);
    }
    for (int i = 0; i < t->ncells; i++)
        free(t->cell[i].html);
    for (int i = 0; i < t->ncolumns; i++)
        free(t->column[i].name);
    free(t->cell);
    free(t->column);
    free(t);
    p->table = NULL;
    return any;
}

/* ---- bars and curves ------------------------------------------------------------------------- */

void page_chart(struct page *p, struct chart *c)
{
    if (c->nrows)
        chart_html(c, &p->html, &p->style);
    if (c->nrows && p->files) {
        chart_svg(c, page_file(p, c->name, "svg", true));
        chart_csv(c, page_file(p, c->name, "csv", false));
    }
    chart_free(c);
}

void page_steps(struct page *p, struct steps *s)
{
    if (s->ncurves)
        steps_html(s, &p->html);
    if (s->ncurves && p->files) {
        steps_svg(s, page_file(p, s->name, "svg", true));
        steps_dat(s, page_file(p, s->name, "dat", false));
    }
    steps_free(s);
}

void page_picture(struct page *p, const char *name, const struct picture_kind *kind, const void *of,
                  const char *caption)
{
    const struct picture picture = {.name = name, .caption = caption, .of = of, .kind = kind};
    picture_html(&picture, &p->html);
    if (p->files) {
        picture_svg(&picture, page_file(p, name, "svg", true));
        kind->csv(of, page_file(p, name, "csv", false));
    }
}
