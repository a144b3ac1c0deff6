/* avf_html_tables.c -- of the page of AVF: its tables. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "avf_html.h"

/* ---- AVF ------------------------------------------------------------------------------------- */

static void row_cells(struct page *p, const struct tally_row *row)
{
    char *kernel = row->launch < 0 ? fl_strdup(row->kernel)
                                   : fl_format("%s, launch %d", row->kernel, row->launch);
    page_cell_text(p, row->job);
    page_cell_text(p, kernel);
    free(kernel);
    page_cell_text(p, row->target);
    page_cell_text(p, tally_method_name(row->method));
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

static double avf_half(const struct tally_row *row, const struct metrics *m)
{
    return page_half(row->method, m->avf_lo, m->avf_hi);
}

/* FIT and EPF are known as well as the AVF that they are made of. */
static double like_avf(const struct tally_row *row, const struct metrics *m, double v)
{
    return m->avf > 0 && isfinite(v) ? v * avf_half(row, m) / m->avf : 0;
}

static void rate_cells(struct page *p, const struct tally_row *row, const struct metrics *m)
{
    page_cell_number(p, m->fit, like_avf(row, m, m->fit));
    page_cell_number(p, m->eit, 0);
    page_cell_number(p, m->epf, like_avf(row, m, m->epf));
}

static void avf_cells(struct page *p, int job, const struct tally_row *row)
{
    struct metrics m;
    avf_metrics(p->a, job, row, &m);
    row_cells(p, row);
    page_cell_share(p, m.avf, avf_half(row, &m));
    page_cell_interval(p, row->method, row->active_only ? m.avf_util_lo : m.avf_lo,
                       row->active_only ? m.avf_util_hi : m.avf_hi);
    page_cell_share(p, m.avf_util, page_half(row->method, m.avf_util_lo, m.avf_util_hi));
    page_cell_share(p, m.occupancy, 0);
    page_cell_share(p, m.warp_occupancy, 0);
    rate_cells(p, row, &m);
    page_end_row(p);
}

static void avf_rows(struct page *p, bool launches)
{
    page_head(p, "*job|*kernel|*target|*method|AVF %|from %|to %|AVF_util %|occupancy %|warps "
                 "%|FIT|EIT|EPF");
    each_row(p, launches, avf_cells);
}

/* Single launches are folded: there may be hundreds. */
static void with_launches(struct page *p, void (*rows)(struct page *p, bool launches))
{
    rows(p, false);
    if (!has_launches(p->a->result))
        return;
    fl_buf_printf(&p->html, "<details><summary>launch by launch</summary>\n");
    rows(p, true);
    fl_buf_printf(&p->html, "</details>\n");
}

/* What the methods of this campaign are, and no others. */
static void say_methods(struct page *p)
{
    static const char *const is[METHOD_COUNT] = {
        [METHOD_EXACT] = "<i>exact</i> counts all flips.",
        [METHOD_SAMPLE] =
            "<i>sample</i> draws flips at random and gives Wilson's interval; a figure "
            "has as many digits as its interval allows.",
        [METHOD_LIST] = "<i>list</i> has faults that were chosen, so no AVF.",
        [METHOD_ACE] = "<i>ace</i> counts lifetimes of the fault-free run."};
    bool has[METHOD_COUNT] = {false};
    for (int i = 0; i < p->a->result->nparts; i++)
        has[p->a->result->part[i].method] = true;
    fl_buf_printf(&p->html, "<p class=\"n\">Method");
    for (int m = 0; m < METHOD_COUNT; m++)
        if (has[m])
            fl_buf_printf(&p->html, " %s", is[m]);
    fl_buf_printf(&p->html, "</p>\n");
}

void avf_html_avf(struct page *p)
{
    with_launches(p, avf_rows);
    page_say(
        p, "AVF (architectural vulnerability factor): the share of all flips (every bit in every "
           "cycle) that end as sdc, crash, timeout or hang. AVF_util: the same among bits that a "
           "resident block or warp owns. Warps: mean of warps with threads, of all slots. FIT: "
           "failures in 10<sup>9</sup> hours; EIT: runs in that time; EPF: runs for one failure.");
    say_methods(p);
    if (p->a->rate) {
        fl_buf_printf(&p->html, "<p class=\"n\">FIT of a bit: %g (", p->a->fit_per_bit);
        page_escaped(p, p->a->rate);
        fl_buf_printf(&p->html, ").</p>\n");
    }
}

/* ---- outcomes -------------------------------------------------------------------------------- */

static void outcome_cells(struct page *p, int job, const struct tally_row *row)
{
    const struct tally *t = &row->t;
    (void)job;
    if (row->method == METHOD_ACE || t->counted == 0)
        return;
    row_cells(p, row);
    page_cell_count(p, t->counted);
    if (row->method == METHOD_EXACT)
        page_cell_count(p, t->groups);
    else
        page_cell_unknown(p);
    page_cell_count(p, t->runs);
    for (int o = 0; o < p->outcomes; o++)
        page_cell_part(p, row, t->outcome[p->shown[o].outcome]);
    page_cell_part(p, row, t->outcome[OUT_MASKED]);
    for (int why = 0; why < REASON_FAILS; why++)
        page_cell_part(p, row, t->reason[why]);
    page_end_row(p);
}

static void outcome_rows(struct page *p, bool launches)
{
    page_head(p, "*job|*kernel|*target|*method|flips|groups|runs|@ %|"
                 "masked %|idle %|overwritten %|logic %");
    each_row(p, launches, outcome_cells);
}

void avf_html_outcomes(struct page *p)
{
    with_launches(p, outcome_rows);
    page_say(p, "Groups: sets of flips with the same effect, simulated once. Runs: simulations. "
                "Flips that end right are idle (nobody touches the bit again), "
                "overwritten before they are read, or read without effect (logic; in other "
                "cycles: performance).");
}

/* What a sample did not have to simulate. */
void avf_html_speedup(struct page *p)
{
    const struct result *r = p->a->result;
    page_head(p, "*job|*kernel|*target|*method|injections|no owner|SIFI's speed-up|not run");
    for (int i = 0; i < r->nparts; i++) {
        struct tally_row all;
        struct metrics m;
        avf_all(p->a, i, &all, &m);
        if ((all.method != METHOD_SAMPLE && all.method != METHOD_LIST) || !all.t.counted)
            continue;
        row_cells(p, &all);
        page_cell_count(p, all.t.counted);
        page_cell_count(p, tally_unowned(&all.t));
        page_cell_number(p, metrics_speedup(&all.t), 0);
        page_cell_count(p, all.t.not_run);
        page_end_row(p);
    }
    if (page_end_table(p))
        page_say(p, "No owner: flips of bits that no resident block or warp can read; SIFI's "
                    "speed-up (its equation 6) comes from leaving these out. Not run: all flips "
                    "that were answered without a simulation, for any reason.");
}

/* ---- beside other methods -------------------------------------------------------------------- */

void avf_html_ace(struct page *p)
{
    const struct result *r = p->a->result;
    page_head(p, "*job|*target|*method|AVF %|ACE %|ACE / AVF|ACE AVF_util %|as a mean of ratios %");
    for (int i = 0; i < r->nparts; i++) {
        struct tally_row all, other;
        struct metrics fi, ace;
        int beside = avf_ace_beside(r, i);
        if (beside < 0)
            continue;
        avf_all(p->a, i, &all, &fi);
        avf_all(p->a, beside, &other, &ace);
        double ratio = fi.avf > 0 ? ace.avf / fi.avf : (double)NAN;
        page_cell_text(p, all.job);
        page_cell_text(p, all.target);
        page_cell_text(p, tally_method_name(all.method));
        page_cell_share(p, fi.avf, avf_half(&all, &fi));
        page_cell_share(p, ace.avf, 0);
        page_cell_number(p, ratio, like_avf(&all, &fi, ratio));
        page_cell_share(p, ace.avf_util, 0);
        page_cell_share(p, metrics_util_mean(&r->job[r->part[beside].job], &r->part[beside]), 0);
        page_end_row(p);
    }
    page_end_table(p);
}

void avf_html_derating(struct page *p)
{
    const struct result *r = p->a->result;
    page_head(p, "*job|*kernel|*target|FR %|df %|FR x df %|AVF %|off by %");
    for (int i = 0; i < r->nparts; i++) {
        const struct result_part *part = &r->part[i];
        const struct result_job *j = &r->job[part->job];
        for (int k = 0; k < j->nkernels && part->method == METHOD_EXACT; k++) {
            struct metrics_derated d;
            if (!metrics_derate(j, part, k, &d))
                continue;
            page_cell_text(p, j->name);
            page_cell_text(p, j->kernel[k].name);
            page_cell_text(p, part->target);
            page_cell_share(p, d.fr, 0);
            page_cell_share(p, d.df, 0);
            page_cell_share(p, d.avf, 0);
            page_cell_share(p, d.physical, 0);
            page_cell_share(p, d.off, 0);
            page_end_row(p);
        }
    }
    if (page_end_table(p))
        page_say(p, "Derating after gpuFI-4, which flips bits of resident threads and blocks "
                    "alone, and multiplies the share that fails (FR, here the mean over cycles) "
                    "with a mean residency (df). The AVF counts all physical bits; the two agree "
                    "while the occupancy is constant.");
}

/* ---- all structures, several machines -------------------------------------------------------- */

static void sm_row(void *context, const struct result_part *part, int sm,
                   const struct metrics_chip *chip)
{
    struct page *p = context;
    double half = page_half(part->method, chip->avf_lo, chip->avf_hi);
    double relative = chip->avf > 0 ? half / chip->avf : 0;
    page_cell_text(p, p->a->result->job[part->job].name);
    if (sm >= 0)
        page_cell_count(p, (uint64_t)sm);
    page_cell_text(p, part->engine);
    page_cell_text(p, tally_method_name(part->method));
    page_cell_count(p, chip->bits);
    page_cell_share(p, chip->avf, half);
    page_cell_interval(p, part->method, chip->avf_lo, chip->avf_hi);
    page_cell_share(p, chip->wavf, half);
    page_cell_number(p, chip->fit, chip->fit * relative);
    page_cell_number(p, chip->eit, 0);
    page_cell_number(p, chip->epf, isfinite(chip->epf) ? chip->epf * relative : 0);
    page_end_row(p);
}

static void chip_row(void *context, const struct result_part *part, const struct metrics_chip *chip)
{
    sm_row(context, part, -1, chip);
}

/* Of one structure it would say what stands above. */
static bool several_structures(const struct result *r)
{
    for (int i = 1; i < r->nparts; i++)
        for (int k = 0; k < i; k++)
            if (r->part[i].job == r->part[k].job && r->part[i].method == r->part[k].method)
                return true;
    return false;
}

void avf_html_chip(struct page *p)
{
    if (!several_structures(p->a->result))
        return;
    page_heading(p, 3, "All structures together");
    page_head(p, "*job|*engine|*method|bits|AVF %|from %|to %|wAVF %|FIT|EIT|EPF");
    for (int j = 0; j < p->a->result->njobs; j++)
        avf_each_chip(p->a, j, chip_row, p);
    page_end_table(p);
    page_say(p, "AVF weighted with the bits of the structures that were looked at; wAVF: that of "
                "each kernel, weighted with its cycles.");
}

void avf_html_sms(struct page *p)
{
    const struct result *r = p->a->result;
    bool any = false;
    for (int i = 0; i < r->nparts; i++)
        any |= r->part[i].sms > 0;
    if (!any)
        return;
    page_heading(p, 3, "Each SM");
    page_head(p, "*job|SM|*engine|*method|bits|AVF %|from %|to %|wAVF %|FIT|EIT|EPF");
    for (int j = 0; j < r->njobs; j++)
        avf_each_sm(p->a, j, sm_row, p);
    page_end_table(p);
    page_say(
        p, "The same of each SM alone, over all structures that were looked at. EIT is that of the "
           "whole chip: FITs add up to its own, but for that of constants, which are the chip's.");
}

static void sps_row(void *context, const struct result_job *job, const struct tally_row *row,
                    const struct metrics *m)
{
    struct page *p = context;
    page_cell_text(p, row->job);
    page_cell_text(p, row->target);
    page_cell_text(p, tally_method_name(row->method));
    page_cell_count(p, (uint64_t)job->sps);
    page_cell_count(p, row->t.cycles);
    page_cell_share(p, m->avf, avf_half(row, m));
    page_cell_interval(p, row->method, m->avf_lo, m->avf_hi);
    page_cell_share(p, m->avf_util, page_half(row->method, m->avf_util_lo, m->avf_util_hi));
    page_cell_share(p, m->occupancy, 0);
    rate_cells(p, row, m);
    page_end_row(p);
}

static void nothing(void *context, const struct result_job *job, const struct tally_row *row,
                    const struct metrics *m)
{
    (void)context, (void)job, (void)row, (void)m;
}

void avf_html_sps(struct page *p)
{
    if (!avf_each_sps(p->a, nothing, NULL))
        return;
    page_heading(p, 3, "On several numbers of SPs");
    page_head(
        p, "*job|*target|*method|SPs|cycles|AVF %|from %|to %|AVF_util %|occupancy %|FIT|EIT|EPF");
    avf_each_sps(p->a, sps_row, p);
    page_end_table(p);
    page_say(p, "The same program on machines with more or fewer scalar processors: a warp takes "
                "32 / SPs cycles in each stage.");
}
