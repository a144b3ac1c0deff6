/* avf_html.c -- AVF as one page that needs nothing beside it: a sentence, tables, bars, and plots
 * over time by gnuplot.
 *
 * The page is written from top to bottom; a plot leaves a gap in it and a piece of script for
 * gnuplot, which draws all of them in one run at the end.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "plot.h"
#include "faultsim/result/made.h"

/* ---- summary --------------------------------------------------------------------------------- */

static void row_cells(struct page *p, const struct tally_row *row)
{
    char *kernel = row->launch < 0 ? fl_strdup(row->kernel)
                                   : fl_format("%s, launch %d", row->kernel, row->launch);
    page_cell_text(p, "t", row->job);
    page_cell_text(p, "t", kernel);
    free(kernel);
    page_cell_text(p, "t", row->target);
    page_cell_text(p, "t", tally_method_name(row->method));
}

/* One kernel alone is the same as "all"; launches have a table of their own, since there may be
 * thousands. */
static bool shown(const struct page *p, const struct tally_row *row, int part, bool last,
                  bool launches)
{
    const struct result *r = p->a->result;
    if (launches)
        return row->launch >= 0;
    return last || (row->launch < 0 && r->job[r->part[part].job].nkernels > 1);
}

static bool has_launches(const struct result *r)
{
    for (int j = 0; j < r->njobs; j++)
        if (r->job[j].nlaunches > r->job[j].nkernels)
            return true;
    return false;
}

/* Both tables, of sums or of single launches. */
static void each_row(struct page *p, bool launches,
                     void (*cells)(struct page *p, int job, const struct tally_row *row))
{
    const struct result *r = p->a->result;
    for (int i = 0; i < r->nparts; i++) {
        int n;
        struct tally_row *row = avf_part_rows(r, i, &n);
        for (int k = 0; k < n; k++)
            if (shown(p, &row[k], i, k == n - 1, launches))
                cells(p, r->part[i].job, &row[k]);
        free(row);
    }
    page_end_table(p);
}

static void avf_cells(struct page *p, int job, const struct tally_row *row)
{
    struct metrics m;
    avf_metrics(p->a, job, row, &m);
    page_begin_row(p);
    row_cells(p, row);
    page_cell_percent(p, m.avf);
    page_cell_interval(p, row->method, row->active_only ? m.avf_util_lo : m.avf_lo,
                       row->active_only ? m.avf_util_hi : m.avf_hi);
    page_cell_percent(p, m.avf_util);
    page_cell_percent(p, m.occupancy);
    page_cell_percent(p, m.warp_occupancy);
    page_cell_number(p, m.fit);
    page_cell_number(p, m.eit);
    page_cell_number(p, m.epf);
    page_end_row(p);
}

static void avf_table(struct page *p, bool launches)
{
    page_head(p, "*job|*kernel|*target|*method|AVF %|from %|to %|AVF_util %|occupancy %|warps "
                 "%|FIT|EIT|EPF");
    each_row(p, launches, avf_cells);
}

static void summary(struct page *p)
{
    page_heading(p, 2, "AVF");
    avf_table(p, false);
    if (has_launches(p->a->result)) {
        fl_buf_printf(&p->html, "<details><summary>launch by launch</summary>\n");
        avf_table(p, true);
        fl_buf_printf(&p->html, "</details>\n");
    }
    fl_buf_printf(
        &p->html,
        "<p>AVF: the share of all flips (every bit in every cycle) that end as sdc, crash, timeout "
        "or hang. Method <i>exact</i> counts all of them, <i>sample</i> draws some and gives "
        "Wilson's interval, <i>list</i> has faults that somebody chose and no AVF, <i>ace</i> "
        "counts lifetimes of the fault-free run. AVF_util: the same "
        "among bits that a resident block or warp owns. Warps: mean of warps with threads, of all "
        "slots. FIT: failures in 10<sup>9</sup> hours; EIT: runs in that time; EPF: runs for one "
        "failure.</p>\n");
    if (p->a->rate) {
        fl_buf_printf(&p->html, "<p>FIT of a bit: %g (", p->a->fit_per_bit);
        page_escaped(p, p->a->rate);
        fl_buf_printf(&p->html, ").</p>\n");
    }
}

static void outcome_cells(struct page *p, int job, const struct tally_row *row)
{
    const struct tally *t = &row->t;
    double all = (double)t->counted;
    (void)job;
    if (row->method == METHOD_ACE || t->counted == 0)
        return;
    page_begin_row(p);
    row_cells(p, row);
    page_cell_count(p, t->counted);
    if (row->method == METHOD_EXACT)
        page_cell_count(p, t->groups);
    else
        page_cell_unknown(p);
    page_cell_count(p, t->runs);
    for (int o = 0; o < p->outcomes; o++)
        page_cell_percent(p, (double)t->outcome[page_shown[o].outcome] / all);
    page_cell_percent(p, (double)t->outcome[OUT_MASKED] / all);
    for (int why = 0; why < REASON_FAILS; why++)
        page_cell_percent(p, (double)t->reason[why] / all);
    page_end_row(p);
}

static void outcome_rows(struct page *p, bool launches)
{
    page_head(p, "*job|*kernel|*target|*method|flips|groups|runs|@ %|"
                 "masked %|idle %|overwritten %|logic %");
    each_row(p, launches, outcome_cells);
}

static void outcome_table(struct page *p)
{
    outcome_rows(p, false);
    if (has_launches(p->a->result)) {
        fl_buf_printf(&p->html, "<details><summary>launch by launch</summary>\n");
        outcome_rows(p, true);
        fl_buf_printf(&p->html, "</details>\n");
    }
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
        if ((row->method == METHOD_SAMPLE || row->method == METHOD_LIST) && t->counted) {
            if (!any)
                page_head(
                    p, "*job|*kernel|*target|*method|injections|no owner|SIFI's speed-up|not run");
            any = true;
            page_begin_row(p);
            row_cells(p, &row[n - 1]);
            page_cell_count(p, t->counted);
            page_cell_count(p, tally_unowned(t));
            page_cell_number(p, metrics_speedup(t));
            page_cell_count(p, t->not_run);
            page_end_row(p);
        }
        free(row);
    }
    if (!any)
        return;
    page_end_table(p);
    fl_buf_printf(&p->html,
                  "<p>No owner: flips of bits that no resident block or warp can read; SIFI's "
                  "speed-up (its equation 6) comes from leaving these out. Not run: all flips that "
                  "were answered without a simulation, for any reason.</p>\n");
}

/* "mxm rf sample", without what is the same for all. Caller frees. */
static char *part_name(const struct page *p, const struct result_part *part, bool with_method)
{
    bool job = p->several_jobs, method = with_method && p->several_methods;
    return fl_format("%s%s%s%s%s", job ? p->a->result->job[part->job].name : "", job ? " " : "",
                     part->target, method ? " " : "",
                     method ? tally_method_name(part->method) : "");
}

static struct chart_row *part_row(struct page *p, struct chart *c, const struct result_part *part)
{
    char *name = part_name(p, part, true);
    struct chart_row *row = chart_row(c, name, NULL);
    free(name);
    return row;
}

static void outcome_plot(struct page *p)
{
    const struct result *r = p->a->result;
    struct chart c;
    chart_begin(&c, "outcomes",
                "Outcomes of each structure and job; what is left to 100 % is masked.", true);
    for (int o = 0; o < p->outcomes; o++)
        chart_series(&c, page_shown[o].name, page_shown[o].colour);
    for (int i = 0; i < r->nparts; i++) {
        int n;
        struct tally_row *row = avf_part_rows(r, i, &n);
        const struct tally *t = &row[n - 1].t;
        if (row->method != METHOD_ACE && t->counted) {
            struct chart_row *bars = part_row(p, &c, &r->part[i]);
            for (int o = 0; o < p->outcomes; o++)
                bars->value[o] = 100 * (double)t->outcome[page_shown[o].outcome] /
                                 (double)t->counted;
        }
        free(row);
    }
    page_chart(p, &c);
}

/* ---- AVF, ACE, occupancy --------------------------------------------------------------------- */

static void all_of(const struct page *p, int part, struct tally_row *all, struct metrics *m)
{
    int n;
    struct tally_row *row = avf_part_rows(p->a->result, part, &n);
    *all = row[n - 1];
    avf_metrics(p->a, p->a->result->part[part].job, all, m);
    free(row);
}

/* The methods of a structure below each other. */
static void interval_plot(struct page *p)
{
    const struct result *r = p->a->result;
    struct chart c;
    chart_begin(&c, "avf", "AVF of each structure and job, sampled ones with Wilson's interval.",
                false);
    for (int method = 0; method <= METHOD_ACE; method++)
        chart_series(&c, tally_method_name((enum tally_method)method), page_method_colour[method]);
    for (int i = 0; i < r->nparts; i++) {
        int first = 0;
        while (!page_same_bits(&r->part[first], &r->part[i]))
            first++;
        if (first < i)
            continue;
        struct chart_row *bars = NULL;
        for (int k = i; k < r->nparts; k++) {
            struct tally_row all;
            struct metrics m;
            if (!page_same_bits(&r->part[i], &r->part[k]))
                continue;
            all_of(p, k, &all, &m);
            if (isnan(m.avf))
                continue;
            if (!bars) {
                char *name = part_name(p, &r->part[i], false);
                bars = chart_row(&c, name, NULL);
                free(name);
            }
            enum tally_method method = r->part[k].method;
            bars->value[method] = 100 * m.avf;
            if (method == METHOD_SAMPLE) {
                bars->low[method] = 100 * m.avf_lo;
                bars->high[method] = 100 * m.avf_hi;
            }
        }
    }
    page_chart(p, &c);
}

static void ace_plot(struct page *p)
{
    const struct result *r = p->a->result;
    struct chart c;
    chart_begin(&c, "ace",
                "ACE counts every cycle in which a block owns a bit, but for those between a read "
                "or write and the next write, whatever the program does with the value.",
                false);
    chart_series(&c, "fault injection", "#1a5276");
    chart_series(&c, "ACE", "#7f8c8d");
    for (int i = 0; i < r->nparts; i++) {
        struct tally_row all, other;
        struct metrics fi, ace;
        int beside = avf_ace_beside(r, i);
        if (beside < 0)
            continue;
        all_of(p, i, &all, &fi);
        all_of(p, beside, &other, &ace);
        struct chart_row *bars = part_row(p, &c, &r->part[i]);
        bars->value[0] = 100 * fi.avf;
        bars->value[1] = 100 * ace.avf;
    }
    if (!c.nrows) {
        chart_free(&c);
        return;
    }
    page_heading(p, 2, "Fault injection beside ACE");
    page_chart(p, &c);
    page_head(p, "*job|*target|*method|AVF %|ACE %|ACE / AVF|ACE AVF_util %|as a mean of ratios %");
    for (int i = 0; i < r->nparts; i++) {
        struct tally_row all, other;
        struct metrics fi, ace;
        int beside = avf_ace_beside(r, i);
        if (beside < 0)
            continue;
        all_of(p, i, &all, &fi);
        all_of(p, beside, &other, &ace);
        page_begin_row(p);
        page_cell_text(p, "t", all.job);
        page_cell_text(p, "t", all.target);
        page_cell_text(p, "t", tally_method_name(all.method));
        page_cell_percent(p, fi.avf);
        page_cell_percent(p, ace.avf);
        page_cell_number(p, fi.avf > 0 ? ace.avf / fi.avf : (double)NAN);
        page_cell_percent(p, ace.avf_util);
        page_cell_percent(p, metrics_util_mean(&r->job[r->part[beside].job], &r->part[beside]));
        page_end_row(p);
    }
    page_end_table(p);
}

static void occupancy_plot(struct page *p)
{
    const struct result *r = p->a->result;
    struct chart c;
    chart_begin(&c, "occupancy",
                "AVF = AVF_util x occupancy, as long as no flip of an unowned bit fails.", false);
    chart_series(&c, "AVF", "#1a5276");
    chart_series(&c, "AVF_util", "#5dade2");
    chart_series(&c, "occupancy", "#b9770e");
    chart_series(&c, "warps", "#7f8c8d");
    for (int i = 0; i < r->nparts; i++) {
        struct tally_row all;
        struct metrics m;
        all_of(p, i, &all, &m);
        if (all.method == METHOD_ACE)
            continue;
        struct chart_row *bars = part_row(p, &c, &r->part[i]);
        bars->value[0] = 100 * m.avf;
        bars->value[1] = 100 * m.avf_util;
        bars->value[2] = 100 * m.occupancy;
        bars->value[3] = 100 * m.warp_occupancy;
    }
    if (c.nrows)
        page_heading(p, 2, "AVF and occupancy");
    page_chart(p, &c);
}

/* ---- derating, chip -------------------------------------------------------------------------- */

static void derating_table(struct page *p)
{
    const struct result *r = p->a->result;
    bool any = false;
    for (int i = 0; i < r->nparts; i++) {
        const struct result_part *part = &r->part[i];
        const struct result_job *j = &r->job[part->job];
        for (int k = 0; k < j->nkernels && part->method == METHOD_EXACT; k++) {
            struct metrics_derated d;
            if (!metrics_derate(j, part, k, &d))
                continue;
            if (!any) {
                page_heading(p, 2, "Derating after gpuFI-4");
                page_head(p, "*job|*kernel|*target|FR %|df %|FR x df %|AVF %|off by %");
            }
            any = true;
            page_begin_row(p);
            page_cell_text(p, "t", j->name);
            page_cell_text(p, "t", j->kernel[k].name);
            page_cell_text(p, "t", part->target);
            page_cell_percent(p, d.fr);
            page_cell_percent(p, d.df);
            page_cell_percent(p, d.avf);
            page_cell_percent(p, d.physical);
            page_cell_percent(p, d.off);
            page_end_row(p);
        }
    }
    if (!any)
        return;
    page_end_table(p);
    fl_buf_printf(&p->html,
                  "<p>gpuFI-4 flips bits of resident threads and blocks alone, and "
                  "multiplies the share that fails (FR, here the mean over cycles) with "
                  "a mean residency (df). The AVF counts all physical bits; the two agree "
                  "while the occupancy is constant.</p>\n");
}

static void chip_row(void *context, const struct result_part *part, const struct metrics_chip *chip)
{
    struct page *p = context;
    page_begin_row(p);
    page_cell_text(p, "t", p->a->result->job[part->job].name);
    page_cell_text(p, "t", part->engine);
    page_cell_text(p, "t", tally_method_name(part->method));
    page_cell_count(p, chip->bits);
    page_cell_percent(p, chip->avf);
    page_cell_interval(p, part->method, chip->avf_lo, chip->avf_hi);
    page_cell_percent(p, chip->wavf);
    page_cell_number(p, chip->fit);
    page_cell_number(p, chip->eit);
    page_cell_number(p, chip->epf);
    page_end_row(p);
}

static void chip_table(struct page *p)
{
    page_heading(p, 2, "All structures together");
    page_head(p, "*job|*engine|*method|bits|AVF %|from %|to %|wAVF %|FIT|EIT|EPF");
    for (int j = 0; j < p->a->result->njobs; j++)
        avf_each_chip(p->a, j, chip_row, p);
    page_end_table(p);
    fl_buf_printf(&p->html, "<p>AVF weighted with the bits of the structures that were looked at; "
                            "wAVF: that of each kernel, weighted with its cycles.</p>\n");
}

static void sps_row(void *context, const struct result_job *job, const struct tally_row *row,
                    const struct metrics *m)
{
    struct page *p = context;
    page_begin_row(p);
    page_cell_text(p, "t", row->job);
    page_cell_text(p, "t", row->target);
    page_cell_text(p, "t", tally_method_name(row->method));
    page_cell_count(p, (uint64_t)job->sps);
    page_cell_count(p, row->t.cycles);
    page_cell_percent(p, m->avf);
    page_cell_interval(p, row->method, m->avf_lo, m->avf_hi);
    page_cell_percent(p, m->avf_util);
    page_cell_percent(p, m->occupancy);
    page_cell_number(p, m->fit);
    page_cell_number(p, m->eit);
    page_cell_number(p, m->epf);
    page_end_row(p);
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
    page_heading(p, 2, "On several numbers of SPs");
    page_head(
        p, "*job|*target|*method|SPs|cycles|AVF %|from %|to %|AVF_util %|occupancy %|FIT|EIT|EPF");
    avf_each_sps(p->a, sps_row, p);
    page_end_table(p);
    fl_buf_printf(&p->html, "<p>The same program on machines with more or fewer scalar processors: "
                            "a warp takes 32 / SPs cycles in each stage.</p>\n");
}

/* ---- the page -------------------------------------------------------------------------------- */

/* The structures of a job by how much they matter, in words. */
static void sentence(struct page *p, int job)
{
    const struct result *r = p->a->result;
    struct told {
        double avf, lo, hi;
        int part;
    } *told = fl_alloc((size_t)r->nparts * sizeof *told);
    int n = 0;
    for (int i = 0; i < r->nparts; i++) {
        const struct result_part *part = &r->part[i];
        struct tally_row all;
        struct metrics m;
        bool again = part->job != job || part->method == METHOD_ACE;
        for (int k = 0; k < n && !again; k++)
            again = strcmp(r->part[told[k].part].target, part->target) == 0;
        if (again)
            continue;
        all_of(p, i, &all, &m);
        if (isnan(m.avf))
            continue;
        int at = n++;
        for (; at && told[at - 1].avf < m.avf; at--)
            told[at] = told[at - 1];
        told[at] = (struct told){m.avf, m.avf_lo, m.avf_hi, i};
    }
    for (int k = 0; k < n; k++) {
        const struct result_part *part = &r->part[told[k].part];
        fl_buf_printf(&p->html, "%s ",
                      !k          ? "<p>Of the bits flipped in a cycle of"
                      : k + 1 < n ? ","
                                  : " and");
        if (!k) {
            fl_buf_printf(&p->html, "<b>");
            page_escaped(p, r->job[job].name);
            fl_buf_printf(&p->html, "</b>, ");
        }
        fl_buf_printf(&p->html, "<b>%.4g %%</b>", 100 * told[k].avf);
        if (part->method == METHOD_SAMPLE)
            fl_buf_printf(&p->html, " (%.4g to %.4g)", 100 * told[k].lo, 100 * told[k].hi);
        fl_buf_printf(&p->html, k ? " of " : " of those in ");
        page_escaped(p, part->target);
        if (!k)
            fl_buf_printf(&p->html, " make it fail");
    }
    if (n)
        fl_buf_printf(&p->html, ".</p>\n");
    free(told);
}

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
        page_escaped(p, r->job[j].name);
        fl_buf_printf(&p->html,
                      ": flips in cycles %llu to %llu only; all shares, and EIT, are of "
                      "these.</p>\n",
                      (unsigned long long)t->edge[0], (unsigned long long)t->edge[t->buckets] - 1);
    }
}

static void write_body(struct page *p)
{
    const struct result *r = p->a->result;
    page_heading(p, 1, avf_title(p->a));
    for (int j = 0; j < r->njobs; j++)
        sentence(p, j);
    fl_buf_printf(&p->html, "<p>");
    for (int j = 0; j < r->njobs; j++) {
        fl_buf_printf(&p->html, "%s", j ? "; " : "");
        page_escaped(p, r->job[j].name);
        uint64_t cycles = 0;
        for (int k = 0; k < r->job[j].nkernels; k++)
            cycles += r->job[j].kernel[k].cycles;
        fl_buf_printf(&p->html, ": profile ");
        page_escaped(p, r->job[j].profile);
        fl_buf_printf(&p->html, ", %d SPs, %llu cycles at %g MHz", r->job[j].sps,
                      (unsigned long long)cycles, r->job[j].clock_mhz);
    }
    fl_buf_printf(&p->html, ".</p>\n");
    page_what_made_it(p);
    say_window(p);
    p->contents_at = p->html.size;
    summary(p);
    interval_plot(p);
    page_heading(p, 2, "What became of the flips");
    outcome_plot(p);
    outcome_table(p);
    speedup_table(p);
    ace_plot(p);
    occupancy_plot(p);
    chip_table(p);
    sps_table(p);
    derating_table(p);
    page_heading(p, 2, "Over time");
    for (int i = 0; i < r->nparts; i++)
        avf_html_over_time(p, i);
    page_heading(p, 2, "Over code");
    for (int i = 0; i < r->nparts; i++)
        avf_html_over_code(p, &r->part[i]);
}

int avf_report_html(const struct avf_report *a, struct fl_buf *out, struct page_files *files,
                    struct fl_err *missing, struct fl_err *err)
{
    struct page p = {.a = a,
                     .several_jobs = a->result->njobs > 1,
                     .outcomes = page_outcomes(a->result),
                     .files = files};
    for (int i = 0; i < a->result->nparts; i++)
        for (int k = 0; k < i; k++)
            p.several_methods |= a->result->part[k].method != a->result->part[i].method &&
                                 a->result->part[k].method != METHOD_ACE &&
                                 a->result->part[i].method != METHOD_ACE;
    if (a->result->nparts == 0)
        return fl_fail(err, "there is nothing to report: the campaign has no targets");
    write_body(&p);
    return page_draw(&p, out, missing, err);
}
