/* avf_html.c -- AVF as one page that needs nothing beside it: tables, and plots by gnuplot inside.
 *
 * The page is written from top to bottom; a plot leaves a gap in it and a piece of script for gnuplot, which draws all
 * of them in one run at the end.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "avf_plot.h"
#include "avf_report.h"

struct page {
    const struct avf_report *a;
    struct fl_buf html, script;
    size_t *gap; /* [plots]: where in html the plots belong */
    int plots;
    struct fl_buf contents; /* links to the headings */
    size_t contents_at;     /* where in html they belong: before the first plot */
    int headings;
    bool several_jobs, several_methods;
};

static const struct {
    enum fsim_outcome outcome;
    const char *name, *colour;
} shown[] = {{OUT_SDC, "sdc", "#c0392b"},
             {OUT_CRASH, "crash", "#7d3c98"},
             {OUT_TIMEOUT, "timeout", "#e08e0b"},
             {OUT_HANG, "hang", "#616a6b"},
             {OUT_PERFORMANCE, "performance", "#2e86c1"}};
enum { FAILING = 4, SHOWN = 5 };
static const char *const method_colour[] = {"#1a5276", "#c0392b",
                                            "#7f8c8d"}; /* exact, sample, ace */

static const char style[] =
    "body{font:15px/1.45 sans-serif;color:#222;max-width:76em;margin:2em auto;padding:0 1em}"
    "h1{font-size:1.5em}h2{font-size:1.2em;margin-top:2em;border-bottom:1px solid #ccc}"
    "h3{font-size:1em;margin-top:1.5em}table{border-collapse:collapse;font-size:13px}"
    "td,th{padding:2px 8px;border-bottom:1px solid #ddd;text-align:right;white-space:nowrap}"
    "th{background:#f4f4f4}td.t,th.t{text-align:left}td.c{font-family:monospace;text-align:left}"
    ".wide{overflow-x:auto}figure{margin:1em "
    "0;overflow-x:auto}figcaption{color:#555;max-width:60em}"
    "p{max-width:60em}nav{margin:1em 0}nav a{margin-right:1.2em;white-space:nowrap}";

/* ---- pieces of a page -------------------------------------------------------------------------------------------- */

static void escaped(struct page *p, const char *s)
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
static void head(struct page *p, const char *columns)
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

static void end_table(struct page *p)
{
    fl_buf_printf(&p->html, "</table></div>\n");
}

static void begin_row(struct page *p)
{
    fl_buf_printf(&p->html, "<tr>");
}

static void end_row(struct page *p)
{
    fl_buf_printf(&p->html, "</tr>\n");
}

static void cell_text(struct page *p, const char *class, const char *s)
{
    fl_buf_printf(&p->html, "<td class=\"%s\">", class);
    escaped(p, s);
    fl_buf_printf(&p->html, "</td>");
}

/* In groups of three, which narrow spaces part. */
static void cell_count(struct page *p, uint64_t v)
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)v);
    fl_buf_printf(&p->html, "<td>");
    for (int i = 0; i < n; i++)
        fl_buf_printf(&p->html, "%s%c", i && (n - i) % 3 == 0 ? "&#8239;" : "", digits[i]);
    fl_buf_printf(&p->html, "</td>");
}

static void cell_unknown(struct page *p)
{
    fl_buf_printf(&p->html, "<td>-</td>");
}

static void cell_number(struct page *p, double v)
{
    if (isnan(v))
        cell_unknown(p);
    else if (isinf(v))
        fl_buf_printf(&p->html, "<td>&infin;</td>");
    else
        fl_buf_printf(&p->html, "<td>%.4g</td>", v);
}

static void cell_percent(struct page *p, double v)
{
    if (isnan(v))
        cell_unknown(p);
    else if (v != 0 && fabs(v) < 0.0000005)
        fl_buf_printf(&p->html, "<td>&lt;&#8239;0.0001</td>"); /* not nothing */
    else
        fl_buf_printf(&p->html, "<td>%.4f</td>", 100 * v);
}

/* From and to, of samples alone: others know their AVF. */
static void cell_interval(struct page *p, enum tally_method method, double lo, double hi)
{
    cell_percent(p, method == METHOD_SAMPLE ? lo : (double)NAN);
    cell_percent(p, method == METHOD_SAMPLE ? hi : (double)NAN);
}

static void heading(struct page *p, int level, const char *title)
{
    if (level == 2) {
        p->headings++;
        fl_buf_printf(&p->contents, "<a href=\"#s%d\">%s</a>\n", p->headings, title);
        fl_buf_printf(&p->html, "<h2 id=\"s%d\">", p->headings);
    } else {
        fl_buf_printf(&p->html, "<h%d>", level);
    }
    escaped(p, title);
    fl_buf_printf(&p->html, "</h%d>\n", level);
}

/* ---- pieces of a plot -------------------------------------------------------------------------------------------- */

/* In gnuplot's strings: what would end one or start an escape is replaced. */
static void harmless(char *s)
{
    for (; *s; s++)
        if (*s == '"' || *s == '\'' || *s == '\\' || (unsigned char)*s < ' ')
            *s = '_';
}

static void label(struct page *p, const char *text)
{
    char *s = fl_strdup(text);
    harmless(s);
    fl_buf_printf(&p->script, "\"%s\"", s);
    free(s);
}

static void value(struct page *p, double v)
{
    if (isnan(v) || isinf(v))
        fl_buf_printf(&p->script, " NaN");
    else
        fl_buf_printf(&p->script, " %.9g", v);
}

static void begin_data(struct page *p)
{
    fl_buf_printf(&p->script, "$d%d << END_OF_DATA\n", p->plots);
}

static void end_data(struct page *p)
{
    fl_buf_printf(&p->script, "END_OF_DATA\n");
}

/* Of a histogram, which gnuplot refuses when a whole series is NaN: what is not known has no bar. */
static void bar(struct page *p, double v)
{
    value(p, isnan(v) || isinf(v) ? 0 : v);
}

/* Leaves the gap; the script goes on with `set` commands and one `plot` of $d<number>. */
static void begin_plot(struct page *p, int width, int height, const char *ylabel)
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

static void end_plot(struct page *p, const char *caption)
{
    p->plots++;
    fl_buf_printf(&p->html, "\n<figcaption>");
    escaped(p, caption);
    fl_buf_printf(&p->html, "</figcaption></figure>\n");
}

static int width_for(int bars, int each)
{
    int w = 160 + bars * each;
    return w < 700 ? 700 : w > 6000 ? 6000 : w;
}

/* ---- summary ----------------------------------------------------------------------------------------------------- */

static void row_cells(struct page *p, const struct tally_row *row)
{
    cell_text(p, "t", row->job);
    cell_text(p, "t", row->kernel);
    cell_text(p, "t", row->target);
    cell_text(p, "t", tally_method_name(row->method));
}

static void summary(struct page *p)
{
    const struct result *r = p->a->result;
    heading(p, 2, "AVF");
    head(p, "*job|*kernel|*target|*method|AVF %|from %|to %|AVF_util %|occupancy %|warps "
            "%|FIT|EIT|EPF");
    for (int i = 0; i < r->nparts; i++) {
        int n;
        struct tally_row *row = avf_part_rows(r, i, &n);
        for (int k = n == 2; k < n; k++) {
            struct metrics m;
            avf_metrics(p->a, r->part[i].job, &row[k], &m);
            begin_row(p);
            row_cells(p, &row[k]);
            cell_percent(p, m.avf);
            cell_interval(p, row[k].method, m.avf_lo, m.avf_hi);
            cell_percent(p, m.avf_util);
            cell_percent(p, m.occupancy);
            cell_percent(p, m.warp_occupancy);
            cell_number(p, m.fit);
            cell_number(p, m.eit);
            cell_number(p, m.epf);
            end_row(p);
        }
        free(row);
    }
    end_table(p);
    fl_buf_printf(
        &p->html,
        "<p>AVF: the share of all flips (every bit in every cycle) that end as sdc, crash, timeout "
        "or hang. Method <i>exact</i> counts all of them, <i>sample</i> draws some and gives "
        "Wilson's interval, <i>ace</i> counts lifetimes of the fault-free run. AVF_util: the same "
        "among bits that a resident block or warp owns. Warps: mean of warps with threads, of all "
        "slots. FIT: failures in 10<sup>9</sup> hours; EIT: runs in that time; EPF: runs for one "
        "failure.</p>\n");
    if (p->a->rate) {
        fl_buf_printf(&p->html, "<p>FIT of a bit: %g (", p->a->fit_per_bit);
        escaped(p, p->a->rate);
        fl_buf_printf(&p->html, ").</p>\n");
    }
}

static void outcome_table(struct page *p)
{
    const struct result *r = p->a->result;
    head(p, "*job|*kernel|*target|*method|flips|groups|runs|sdc %|crash %|timeout %|hang %|perf. %|"
            "masked %|idle %|overwritten %|logic %");
    for (int i = 0; i < r->nparts; i++) {
        int n;
        struct tally_row *row = avf_part_rows(r, i, &n);
        for (int k = n == 2; k < n; k++) {
            const struct tally *t = &row[k].t;
            double all = (double)t->counted;
            if (row[k].method == METHOD_ACE || t->counted == 0)
                continue;
            begin_row(p);
            row_cells(p, &row[k]);
            cell_count(p, t->counted);
            if (row[k].method == METHOD_EXACT)
                cell_count(p, t->groups);
            else
                cell_unknown(p);
            cell_count(p, t->runs);
            for (int o = 0; o < SHOWN; o++)
                cell_percent(p, (double)t->outcome[shown[o].outcome] / all);
            cell_percent(p, (double)t->outcome[OUT_MASKED] / all);
            for (int why = 0; why < REASON_FAILS; why++)
                cell_percent(p, (double)t->reason[why] / all);
            end_row(p);
        }
        free(row);
    }
    end_table(p);
    fl_buf_printf(
        &p->html,
        "<p>Groups: of flips that are one and the same fault; runs: machines or data flow "
        "evaluated. Flips that end right are idle (nobody touches the bit again), "
        "overwritten before they are read, or read without effect (logic; in other "
        "cycles: perf.).</p>\n");
}

/* What a sample did not have to simulate. */
static void speedup_table(struct page *p)
{
    const struct result *r = p->a->result;
    bool any = false;
    for (int i = 0; i < r->nparts; i++) {
        int n;
        struct tally_row *row = avf_part_rows(r, i, &n);
        const struct tally *t = &row[n - 1].t;
        if (row->method == METHOD_SAMPLE && t->counted) {
            if (!any)
                head(p, "*job|*kernel|*target|*method|injections|no owner|SIFI's speed-up|not run");
            any = true;
            begin_row(p);
            row_cells(p, &row[n - 1]);
            cell_count(p, t->counted);
            cell_count(p, tally_unowned(t));
            cell_number(p, metrics_speedup(t));
            cell_count(p, t->not_run);
            end_row(p);
        }
        free(row);
    }
    if (!any)
        return;
    end_table(p);
    fl_buf_printf(&p->html,
                  "<p>No owner: flips of bits that no resident block or warp can read; SIFI's "
                  "speed-up (its equation 6) comes from leaving these out. Not run: all flips that "
                  "were answered without a simulation, for any reason.</p>\n");
}

/* "mxm rf sample", without what is the same for all, fit to stand in gnuplot's quotes. Caller frees. */
static char *part_name(const struct page *p, const struct result_part *part, bool with_method)
{
    bool job = p->several_jobs, method = with_method && p->several_methods;
    char *name = fl_format("%s%s%s%s%s", job ? p->a->result->job[part->job].name : "",
                           job ? " " : "", part->target, method ? " " : "",
                           method ? tally_method_name(part->method) : "");
    harmless(name);
    return name;
}

static void part_label(struct page *p, const struct result_part *part)
{
    char *name = part_name(p, part, true);
    label(p, name);
    free(name);
}

static void outcome_plot(struct page *p)
{
    const struct result *r = p->a->result;
    int bars = 0;
    begin_data(p);
    for (int i = 0; i < r->nparts; i++) {
        int n;
        struct tally_row *row = avf_part_rows(r, i, &n);
        const struct tally *t = &row[n - 1].t;
        if (row->method != METHOD_ACE && t->counted) {
            part_label(p, &r->part[i]);
            for (int o = 0; o < SHOWN; o++)
                bar(p, 100 * (double)t->outcome[shown[o].outcome] / (double)t->counted);
            fl_buf_printf(&p->script, "\n");
            bars++;
        }
        free(row);
    }
    end_data(p);
    if (!bars)
        return;
    begin_plot(p, width_for(bars, 46), 420, "share of flips, %");
    fl_buf_printf(&p->script, "set style data histograms\nset style histogram rowstacked\n"
                              "set xtics scale 0 rotate by -40 left\nplot ");
    for (int o = 0; o < SHOWN; o++)
        fl_buf_printf(&p->script, "%s$d%d using %d%s title '%s' lc rgb '%s'", o ? ", " : "",
                      p->plots, o + 2, o ? "" : ":xtic(1)", shown[o].name, shown[o].colour);
    fl_buf_printf(&p->script, "\n");
    end_plot(p, "Outcomes of each structure and job; what is left to 100 % is masked.");
}

/* ---- AVF, ACE, occupancy ----------------------------------------------------------------------------------------- */

static void all_of(const struct page *p, int part, struct tally_row *all, struct metrics *m)
{
    int n;
    struct tally_row *row = avf_part_rows(p->a->result, part, &n);
    *all = row[n - 1];
    avf_metrics(p->a, p->a->result->part[part].job, all, m);
    free(row);
}

static bool same_bits(const struct result_part *a, const struct result_part *b)
{
    return a->job == b->job && strcmp(a->target, b->target) == 0 &&
           strcmp(a->engine, b->engine) == 0;
}

/* A place on the x axis for each structure, its methods side by side. */
static void interval_plot(struct page *p)
{
    const struct result *r = p->a->result;
    bool used[METHOD_ACE + 1] = {false};
    int places = 0;
    struct fl_buf tics = {0};
    begin_data(p);
    for (int i = 0; i < r->nparts; i++) {
        int first = 0;
        while (!same_bits(&r->part[first], &r->part[i]))
            first++;
        if (first < i)
            continue;
        struct metrics m[METHOD_ACE + 1];
        for (int method = 0; method <= METHOD_ACE; method++)
            m[method].avf = m[method].avf_lo = m[method].avf_hi = (double)NAN;
        for (int k = i; k < r->nparts; k++) {
            struct tally_row all;
            if (same_bits(&r->part[i], &r->part[k])) {
                struct metrics *at = &m[r->part[k].method];
                all_of(p, k, &all, at);
                used[r->part[k].method] |= !isnan(at->avf);
            }
        }
        char *name = part_name(p, &r->part[i], false);
        fl_buf_printf(&tics, "%s'%s' %d", places ? ", " : "", name, places);
        free(name);
        for (int method = 0; method <= METHOD_ACE; method++) {
            value(p, 100 * m[method].avf);
            value(p, 100 * m[method].avf_lo);
            value(p, 100 * m[method].avf_hi);
        }
        fl_buf_printf(&p->script, "\n");
        places++;
    }
    end_data(p);
    if (!used[METHOD_EXACT] && !used[METHOD_SAMPLE] && !used[METHOD_ACE]) {
        fl_buf_free(&tics);
        return;
    }
    begin_plot(p, width_for(places, 40), 420, "AVF, %");
    fl_buf_printf(&p->script,
                  "set xtics scale 0 rotate by -40 left (%s)\nset xrange [-0.7:%d.7]\nplot ",
                  (char *)tics.data, places - 1);
    fl_buf_free(&tics);
    const char *comma = "";
    for (int method = 0; method <= METHOD_ACE; method++) {
        if (!used[method])
            continue;
        fl_buf_printf(&p->script,
                      "%s$d%d using ($0 + %.1f):%d:%d:%d with yerrorbars pt 7 ps 0.7 lw "
                      "1.5 lc rgb '%s' title '%s'",
                      comma, p->plots, 0.2 * (method - 1), 3 * method + 1, 3 * method + 2,
                      3 * method + 3, method_colour[method],
                      tally_method_name((enum tally_method)method));
        comma = ", ";
    }
    fl_buf_printf(&p->script, "\n");
    end_plot(p, "AVF of each structure and job, sampled ones with Wilson's interval.");
}

static void ace_plot(struct page *p)
{
    const struct result *r = p->a->result;
    int pairs = 0;
    begin_data(p);
    for (int i = 0; i < r->nparts; i++) {
        struct tally_row all, other;
        struct metrics fi, ace;
        int beside = avf_ace_beside(r, i);
        if (beside < 0)
            continue;
        all_of(p, i, &all, &fi);
        all_of(p, beside, &other, &ace);
        part_label(p, &r->part[i]);
        bar(p, 100 * fi.avf);
        bar(p, 100 * ace.avf);
        fl_buf_printf(&p->script, "\n");
        pairs++;
    }
    end_data(p);
    if (!pairs)
        return;
    heading(p, 2, "Fault injection beside ACE");
    begin_plot(p, width_for(pairs, 60), 420, "AVF, %");
    fl_buf_printf(
        &p->script,
        "set style data histograms\nset style histogram clustered gap 1\n"
        "set xtics scale 0 rotate by -40 left\nplot $d%d using 2:xtic(1) title 'fault injection' "
        "lc rgb '#1a5276', $d%d using 3 title 'ACE' lc rgb '#bdc3c7'\n",
        p->plots, p->plots);
    end_plot(
        p,
        "ACE counts every cycle in which a block owns a bit, but for those between a read or write "
        "and the next write, whatever the program does with the value.");
    head(p, "*job|*target|*method|AVF %|ACE %|ACE / AVF|ACE AVF_util %|as a mean of ratios %");
    for (int i = 0; i < r->nparts; i++) {
        struct tally_row all, other;
        struct metrics fi, ace;
        int beside = avf_ace_beside(r, i);
        if (beside < 0)
            continue;
        all_of(p, i, &all, &fi);
        all_of(p, beside, &other, &ace);
        begin_row(p);
        cell_text(p, "t", all.job);
        cell_text(p, "t", all.target);
        cell_text(p, "t", tally_method_name(all.method));
        cell_percent(p, fi.avf);
        cell_percent(p, ace.avf);
        cell_number(p, fi.avf > 0 ? ace.avf / fi.avf : (double)NAN);
        cell_percent(p, ace.avf_util);
        cell_percent(p, metrics_util_mean(&r->job[r->part[beside].job], &r->part[beside]));
        end_row(p);
    }
    end_table(p);
}

static void occupancy_plot(struct page *p)
{
    const struct result *r = p->a->result;
    int bars = 0;
    begin_data(p);
    for (int i = 0; i < r->nparts; i++) {
        struct tally_row all;
        struct metrics m;
        all_of(p, i, &all, &m);
        if (all.method == METHOD_ACE)
            continue;
        part_label(p, &r->part[i]);
        bar(p, 100 * m.avf);
        bar(p, 100 * m.avf_util);
        bar(p, 100 * m.occupancy);
        bar(p, 100 * m.warp_occupancy);
        fl_buf_printf(&p->script, "\n");
        bars++;
    }
    end_data(p);
    if (!bars)
        return;
    heading(p, 2, "AVF and occupancy");
    begin_plot(p, width_for(bars, 90), 420, "%");
    fl_buf_printf(
        &p->script,
        "set style data histograms\nset style histogram clustered gap 1\n"
        "set xtics scale 0 rotate by -40 left\nplot $d%d using 2:xtic(1) title 'AVF' lc rgb "
        "'#1a5276', $d%d using 3 title 'AVF_util' lc rgb '#5dade2', $d%d using 4 title "
        "'occupancy' lc rgb '#f5b041', $d%d using 5 title 'warps' lc rgb '#d5d8dc'\n",
        p->plots, p->plots, p->plots, p->plots);
    end_plot(p, "AVF = AVF_util x occupancy, as long as no flip of an unowned bit fails.");
}

/* ---- derating, chip ---------------------------------------------------------------------------------------------- */

static void derating_table(struct page *p)
{
    const struct result *r = p->a->result;
    bool any = false;
    for (int i = 0; i < r->nparts; i++) {
        const struct result_part *part = &r->part[i];
        const struct result_job *j = &r->job[part->job];
        bool derated = strcmp(part->target, "rf") == 0 || strcmp(part->target, "shared") == 0;
        for (int k = 0; k < j->nkernels && derated && part->method == METHOD_EXACT; k++) {
            struct metrics_derated d;
            if (!metrics_derate(j, part, k, &d))
                continue;
            if (!any) {
                heading(p, 2, "Derating after gpuFI-4");
                head(p, "*job|*kernel|*target|FR %|df %|FR x df %|AVF %|off by %");
            }
            any = true;
            begin_row(p);
            cell_text(p, "t", j->name);
            cell_text(p, "t", j->kernel[k].name);
            cell_text(p, "t", part->target);
            cell_percent(p, d.fr);
            cell_percent(p, d.df);
            cell_percent(p, d.avf);
            cell_percent(p, d.physical);
            cell_percent(p, d.off);
            end_row(p);
        }
    }
    if (!any)
        return;
    end_table(p);
    fl_buf_printf(&p->html,
                  "<p>gpuFI-4 flips bits of resident threads and blocks alone, and "
                  "multiplies the share that fails (FR, here the mean over cycles) with "
                  "a mean residency (df). The AVF counts all physical bits; the two agree "
                  "while the occupancy is constant.</p>\n");
}

static void chip_row(void *context, const struct result_part *part, const struct metrics_chip *chip)
{
    struct page *p = context;
    begin_row(p);
    cell_text(p, "t", p->a->result->job[part->job].name);
    cell_text(p, "t", part->engine);
    cell_text(p, "t", tally_method_name(part->method));
    cell_count(p, chip->bits);
    cell_percent(p, chip->avf);
    cell_interval(p, part->method, chip->avf_lo, chip->avf_hi);
    cell_percent(p, chip->wavf);
    cell_number(p, chip->fit);
    cell_number(p, chip->eit);
    cell_number(p, chip->epf);
    end_row(p);
}

static void chip_table(struct page *p)
{
    heading(p, 2, "All structures together");
    head(p, "*job|*engine|*method|bits|AVF %|from %|to %|wAVF %|FIT|EIT|EPF");
    for (int j = 0; j < p->a->result->njobs; j++)
        avf_each_chip(p->a, j, chip_row, p);
    end_table(p);
    fl_buf_printf(&p->html, "<p>AVF weighted with the bits of the structures that were looked at; "
                            "wAVF: that of each kernel, weighted with its cycles.</p>\n");
}

static void sps_row(void *context, const struct result_job *job, const struct tally_row *row,
                    const struct metrics *m)
{
    struct page *p = context;
    begin_row(p);
    cell_text(p, "t", row->job);
    cell_text(p, "t", row->target);
    cell_text(p, "t", tally_method_name(row->method));
    cell_count(p, (uint64_t)job->sps);
    cell_count(p, row->t.cycles);
    cell_percent(p, m->avf);
    cell_interval(p, row->method, m->avf_lo, m->avf_hi);
    cell_percent(p, m->avf_util);
    cell_percent(p, m->occupancy);
    cell_number(p, m->fit);
    cell_number(p, m->eit);
    cell_number(p, m->epf);
    end_row(p);
}

static void nothing(void *context, const struct result_job *job, const struct tally_row *row,
                    const struct metrics *m)
{
    (void)context, (void)job, (void)row, (void)m;
}

static void sps_table(struct page *p)
{
    if (!avf_each_sps(p->a, nothing, NULL))
        return;
    heading(p, 2, "On several numbers of SPs");
    head(p, "*job|*target|*method|SPs|cycles|AVF %|from %|to %|AVF_util %|occupancy %|FIT|EIT|EPF");
    avf_each_sps(p->a, sps_row, p);
    end_table(p);
    fl_buf_printf(&p->html, "<p>The same program on machines with more or fewer scalar processors: "
                            "a warp takes 32 / SPs cycles in each stage.</p>\n");
}

/* ---- over time --------------------------------------------------------------------------------------------------- */

static uint64_t moment_failed(const struct moment *m)
{
    return m->outcome[OUT_SDC] + m->outcome[OUT_CRASH] + m->outcome[OUT_TIMEOUT] +
           m->outcome[OUT_HANG];
}

static uint64_t moment_counted(const struct moment *m)
{
    return moment_failed(m) + m->outcome[OUT_MASKED] + m->outcome[OUT_PERFORMANCE];
}

static double moment_avf(const struct result_part *part, const struct moment *m, double flips)
{
    if (part->method == METHOD_ACE)
        return (double)m->ace / flips;
    if (part->method == METHOD_EXACT)
        return (double)moment_failed(m) / flips;
    return moment_counted(m) ? (double)moment_failed(m) / (double)moment_counted(m) : (double)NAN;
}

/* Steps of AVF and occupancy; the largest AVF, in percent. */
static double time_data(struct page *p, const struct result_part *part, uint64_t bits)
{
    enum { ENOUGH = 100 }; /* injections for a step: fewer say nothing */
    const struct timeline *t = &p->a->result->job[part->job].timeline;
    struct moment sum = {0};
    uint64_t from = t->edge[0];
    double avf = NAN, occupancy = NAN, most = 0;
    for (int b = 0; b < t->buckets; b++) {
        const struct moment *m = &part->moment[b];
        for (int o = 0; o < OUT_COUNT; o++)
            sum.outcome[o] += m->outcome[o];
        sum.owned += m->owned;
        sum.ace += m->ace;
        if (part->method == METHOD_SAMPLE && moment_counted(&sum) < ENOUGH && b + 1 < t->buckets)
            continue;
        double flips = (double)bits * (double)(t->edge[b + 1] - from);
        avf = 100 * moment_avf(part, &sum, flips);
        occupancy = 100 * (double)sum.owned / flips;
        most = avf > most ? avf : most;
        fl_buf_printf(&p->script, "%llu", (unsigned long long)from);
        value(p, avf);
        value(p, occupancy);
        fl_buf_printf(&p->script, "\n");
        from = t->edge[b + 1];
        sum = (struct moment){0};
    }
    fl_buf_printf(&p->script, "%llu", (unsigned long long)from); /* the last step's right end */
    value(p, avf);
    value(p, occupancy);
    fl_buf_printf(&p->script, "\n");
    return most;
}

static bool tells_of_time(const struct result_job *j, const struct result_part *part)
{
    uint64_t any = 0;
    for (int b = 0; b < j->timeline.buckets; b++)
        any |= moment_failed(&part->moment[b]) | part->moment[b].ace;
    return any != 0;
}

/* All methods of a structure in one plot, and its occupancy. Where few flips fail these have an axis of their own, since
 * lifetimes and occupancy would flatten them. */
static void time_plot(struct page *p, int first)
{
    const struct result *r = p->a->result;
    const struct result_part *part = &r->part[first];
    const struct result_job *j = &r->job[part->job];
    uint64_t bits = 0;
    double most = 0;
    bool injected = false;
    int with[METHOD_ACE + 1], n = 0;
    for (int i = 0; i < first; i++)
        if (same_bits(&r->part[i], part))
            return;
    for (int k = 0; k < j->nkernels; k++)
        if (part->tally[k].bits > bits)
            bits = part->tally[k].bits;
    for (int i = first; i < r->nparts && n <= METHOD_ACE; i++)
        if (same_bits(&r->part[i], part) && tells_of_time(j, &r->part[i]))
            with[n++] = i;
    if (!n || !bits)
        return;
    for (int i = 0; i < n; i++) {
        fl_buf_printf(&p->script, "$d%d_%d << END_OF_DATA\n", p->plots, i);
        double m = time_data(p, &r->part[with[i]], bits);
        injected |= r->part[with[i]].method != METHOD_ACE;
        most = r->part[with[i]].method != METHOD_ACE && m > most ? m : most;
        end_data(p);
    }
    bool one_axis = most > 20 || !injected;
    const char *right = one_axis ? "" : " (right axis)", *axes = one_axis ? "x1y1" : "x1y2";
    begin_plot(p, 1000, 300, one_axis ? "%" : "AVF, %");
    if (one_axis)
        fl_buf_printf(&p->script, "set yrange [0:100]\n");
    else
        fl_buf_printf(&p->script, "set y2label '%%'\nset y2tics\nset y2range [0:100]\n"
                                  "set border 11\n");
    fl_buf_printf(&p->script,
                  "set xlabel 'cycle'\nset xrange [%llu:%llu]\nplot $d%d_0 using 1:3 axes %s with "
                  "steps lw 1.5 lc rgb '#f5b041' title 'occupancy%s'",
                  (unsigned long long)j->timeline.edge[0],
                  (unsigned long long)j->timeline.edge[j->timeline.buckets], p->plots, axes, right);
    for (int i = 0; i < n; i++) {
        enum tally_method method = r->part[with[i]].method;
        bool ace = method == METHOD_ACE;
        fl_buf_printf(&p->script,
                      ", $d%d_%d using 1:2 axes %s with steps lw 1.5 lc rgb '%s' title '%s%s'",
                      p->plots, i, ace ? axes : "x1y1", method_colour[method],
                      ace                       ? "ACE"
                      : method == METHOD_SAMPLE ? "AVF, sample"
                                                : "AVF, exact",
                      ace ? right : "");
    }
    fl_buf_printf(&p->script, "\n");
    char *caption = fl_format("%s, %s: which share of the flips of a cycle fails%s.", j->name,
                              part->target,
                              r->part[with[n - 1]].method == METHOD_ACE
                                  ? "; of its bits, which share lifetimes (ACE) count"
                                  : "");
    end_plot(p, caption);
    free(caption);
}

/* ---- over code --------------------------------------------------------------------------------------------------- */

/* In percent of `all` flips: what each adds to the AVF. */
static void site_data(struct page *p, const struct site *s, int n, bool by_register, double all)
{
    begin_data(p);
    for (int i = 0; i < n; i++) {
        char *name = by_register ? fl_format("R%d", s[i].reg) : fl_format("%06x", s[i].pc);
        label(p, name);
        for (int o = 0; o < FAILING; o++)
            bar(p, 100 * (double)s[i].outcome[shown[o].outcome] / all);
        fl_buf_printf(&p->script, "\n");
        free(name);
    }
    end_data(p);
}

static void site_plot(struct page *p, const struct result_part *part, int kernel,
                      const struct site *s, int n, bool by_register)
{
    const struct result_job *j = &p->a->result->job[part->job];
    enum { FEWEST = 12 }; /* places, so that few bars are no walls */
    site_data(p, s, n, by_register, (double)part->tally[kernel].counted);
    begin_plot(p, width_for(n, 18), 340, "share of all flips, %");
    fl_buf_printf(&p->script,
                  "set style data histograms\nset style histogram rowstacked\nset format y '%%g'\n"
                  "set xtics scale 0 rotate by 90 right font ',9'\nset xrange [-0.7:%d.7]\nplot ",
                  n < FEWEST ? FEWEST - 1 : n - 1);
    for (int o = 0; o < FAILING; o++)
        fl_buf_printf(&p->script, "%s$d%d using %d%s title '%s' lc rgb '%s'", o ? ", " : "",
                      p->plots, o + 2, o ? "" : ":xtic(1)", shown[o].name, shown[o].colour);
    fl_buf_printf(&p->script, "\n");
    char *caption = fl_format("%s, kernel %s, %s (%s): %s", j->name, j->kernel[kernel].name,
                              part->target, tally_method_name(part->method),
                              by_register
                                  ? "failing flips of each register."
                                  : "the instructions (by address) that read failing flips first.");
    end_plot(p, caption);
    free(caption);
}

static void code_table(struct page *p, const struct result_part *part, const struct site *s, int n)
{
    const struct result_job *j = &p->a->result->job[part->job];
    double all = 0;
    for (int i = 0; i < n; i++)
        all += (double)avf_site_failed(&s[i]);
    fl_buf_printf(&p->html, "<details><summary>the instructions</summary>\n");
    head(p, "*address|*instruction|share of failures %|sdc|crash|timeout|hang|performance|masked");
    for (int i = 0; i < n; i++) {
        char pc[16];
        snprintf(pc, sizeof pc, "%06x", s[i].pc);
        begin_row(p);
        cell_text(p, "c", pc);
        cell_text(p, "c", avf_code_text(j, s[i].kernel, s[i].pc));
        cell_percent(p, (double)avf_site_failed(&s[i]) / all);
        for (int o = 0; o < SHOWN; o++)
            cell_count(p, s[i].outcome[shown[o].outcome]);
        cell_count(p, s[i].outcome[OUT_MASKED]);
        end_row(p);
    }
    end_table(p);
    fl_buf_printf(&p->html, "</details>\n");
}

static void code_of_part(struct page *p, const struct result_part *part)
{
    int ninstructions, nregisters;
    struct site *s = avf_by_instruction(part, &ninstructions);
    struct site *regs = avf_by_register(part, &nregisters);
    for (int i = 0, end; i < ninstructions; i = end) {
        for (end = i; end < ninstructions && s[end].kernel == s[i].kernel; end++)
            ;
        site_plot(p, part, s[i].kernel, s + i, end - i, false);
        code_table(p, part, s + i, end - i);
    }
    for (int i = 0, end; i < nregisters; i = end) {
        for (end = i; end < nregisters && regs[end].kernel == regs[i].kernel; end++)
            ;
        site_plot(p, part, regs[i].kernel, regs + i, end - i, true);
    }
    free(s);
    free(regs);
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

/* When it is not the whole job that was hit. */
static void say_window(struct page *p)
{
    const struct result *r = p->a->result;
    for (int j = 0; j < r->njobs; j++) {
        const struct timeline *t = &r->job[j].timeline;
        uint64_t all = 0;
        for (int k = 0; k < r->job[j].nkernels; k++)
            all += r->job[j].kernel[k].cycles;
        if (t->buckets == 0 || t->edge[t->buckets] - t->edge[0] == all)
            continue;
        fl_buf_printf(&p->html, "<p>");
        escaped(p, r->job[j].name);
        fl_buf_printf(&p->html,
                      ": flips in cycles %llu to %llu only; all shares, and EIT, are of "
                      "these.</p>\n",
                      (unsigned long long)t->edge[0], (unsigned long long)t->edge[t->buckets] - 1);
    }
}

static void write_body(struct page *p)
{
    const struct result *r = p->a->result;
    heading(p, 1, "Transient faults");
    fl_buf_printf(&p->html, "<p>");
    for (int j = 0; j < r->njobs; j++) {
        fl_buf_printf(&p->html, "%s", j ? "; " : "");
        escaped(p, r->job[j].name);
        uint64_t cycles = 0;
        for (int k = 0; k < r->job[j].nkernels; k++)
            cycles += r->job[j].kernel[k].cycles;
        fl_buf_printf(&p->html, ": profile %s, %d SPs, %llu cycles at %g MHz", r->job[j].profile,
                      r->job[j].sps, (unsigned long long)cycles, r->job[j].clock_mhz);
    }
    fl_buf_printf(&p->html, ".</p>\n");
    say_window(p);
    p->contents_at = p->html.size;
    summary(p);
    interval_plot(p);
    heading(p, 2, "What became of the flips");
    outcome_plot(p);
    outcome_table(p);
    speedup_table(p);
    ace_plot(p);
    occupancy_plot(p);
    chip_table(p);
    sps_table(p);
    derating_table(p);
    heading(p, 2, "Over time");
    for (int i = 0; i < r->nparts; i++)
        time_plot(p, i);
    heading(p, 2, "Over code");
    for (int i = 0; i < r->nparts; i++)
        code_of_part(p, &r->part[i]);
}

/* The page with its gaps filled; plot NULL: they stay empty. */
static void put_together(const struct page *p, const struct fl_buf *plot, struct fl_buf *out)
{
    size_t at = 0;
    fl_buf_printf(out,
                  "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                  "<title>Transient faults</title>\n<style>%s</style></head>\n<body>\n",
                  style);
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

int avf_report_html(const struct avf_report *a, struct fl_buf *out, struct fl_err *missing,
                    struct fl_err *err)
{
    struct page p = {.a = a, .several_jobs = a->result->njobs > 1};
    struct fl_err why = {""};
    missing->msg[0] = 0;
    for (int i = 0; i < a->result->nparts; i++)
        for (int k = 0; k < i; k++)
            p.several_methods |= a->result->part[k].method != a->result->part[i].method &&
                                 a->result->part[k].method != METHOD_ACE &&
                                 a->result->part[i].method != METHOD_ACE;
    if (a->result->nparts == 0)
        return fl_fail(err, "there is nothing to report: the campaign has no targets");
    write_body(&p);
    struct fl_buf *plot = fl_alloc((size_t)p.plots * sizeof *plot);
    int drawn = avf_plot(&p.script, plot, p.plots, &why);
    if (drawn > 0)
        *missing = why;
    if (drawn < 0)
        fl_fail(err, "%s", why.msg);
    else
        put_together(&p, drawn == 0 ? plot : NULL, out);
    for (int i = 0; i < p.plots && drawn == 0; i++)
        fl_buf_free(&plot[i]);
    free(plot);
    free(p.gap);
    fl_buf_free(&p.html);
    fl_buf_free(&p.contents);
    fl_buf_free(&p.script);
    return drawn < 0 ? -1 : 0;
}
