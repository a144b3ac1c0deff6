/* coverage_html.c -- coverage as one page that needs nothing beside it. */
#include "caches.h"
#include "coverage.h"
#include "page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double share(long part, long whole)
{
    return whole ? (double)part / (double)whole : (double)NAN;
}

/* Behind the point of a percentage. */
static int decimals(double half)
{
    return half > 0 ? figure_decimals(half) : 2;
}

/* Targets in the order of the first job that has them: calls `each` with a part of each. */
static void each_target(const struct result *r,
                        void (*each)(struct page *p, const struct result_part *part),
                        struct page *p)
{
    for (int i = 0; i < r->nparts; i++) {
        bool seen = false;
        for (int k = 0; k < i; k++)
            seen |= strcmp(r->part[k].target, r->part[i].target) == 0;
        if (!seen)
            each(p, &r->part[i]);
    }
}

static void sentence(struct page *p, int job)
{
    const struct result *r = p->a->result;
    struct coverage_share share = p->coverage->row[job].share[0];
    uint64_t testable = share.population - share.untestable;
    double half = (share.hi - share.lo) / 2;
    fl_buf_printf(&p->html, "<p><b>");
    page_escaped(p, r->job[job].name);
    if (testable == 0) {
        fl_buf_printf(&p->html, "</b> has no fault that is testable.</p>\n");
        return;
    }
    fl_buf_printf(&p->html, "</b> detects <b>");
    fl_buf_printf(&p->html, "%.*f&#8239;%%</b>", decimals(half), share.testable);
    if (half > 0)
        fl_buf_printf(&p->html, " (%.*f to %.*f, by a sample, at %g&#8239;%%)", decimals(half),
                      share.lo, decimals(half), share.hi, 100 * r->part[0].confidence);
    fl_buf_printf(&p->html, " of the ");
    char *fault = fl_format("%s fault", r->part[0].model);
    figure_of(&p->html, testable, fault);
    free(fault);
    if (p->coverage->classified)
        fl_buf_printf(&p->html, " that %s testable.</p>\n", testable == 1 ? "is" : "are");
    else
        fl_buf_printf(&p->html, ", not classified as testable or untestable.</p>\n");
}

/* Of a sample: as many of what is testable as of what was drawn of that. */
static double share_of_all(long part, const struct fsim_counts *k, const struct coverage_share *all)
{
    if (all->population == (uint64_t)k->faults)
        return share(part, k->faults);
    return share(part, k->faults - k->untestable) *
           share((long)(all->population - all->untestable), (long)all->population);
}

/* ---- pictures -------------------------------------------------------------------------------- */

/* The coverage of a job: a circle of 100 units, of which so many are drawn. */
static void ring(struct page *p, int job)
{
    struct coverage_share share = p->coverage->row[job].share[0];
    double percent = share.testable;
    if (share.population == share.untestable)
        return;
    fl_buf_printf(&p->html,
                  "<figure><svg viewBox=\"0 0 42 42\"><circle cx=\"21\" cy=\"21\" r=\"15.9155\"/>"
                  "<circle cx=\"21\" cy=\"21\" r=\"15.9155\" stroke-dasharray=\"%.2f 100\" "
                  "transform=\"rotate(-90 21 21)\"/><text x=\"21\" y=\"24\">%.1f%%</text></svg>"
                  "<figcaption>",
                  percent, percent);
    page_escaped(p, p->a->result->job[job].name);
    fl_buf_printf(&p->html, "</figcaption></figure>\n");
}

static void rings(struct page *p)
{
    fl_buf_printf(&p->html, "<div class=\"rings\">\n");
    for (int j = 0; j < p->a->result->njobs; j++)
        ring(p, j);
    fl_buf_printf(&p->html, "</div>\n");
}

static void outcome_chart(struct page *p)
{
    const double two_decimals = 0.5; /* as if it were in doubt behind them: figures.h */
    const struct result *r = p->a->result;
    struct chart c;
    chart_begin(&c, "outcomes",
                p->coverage->classified
                    ? "The coverage of each structure, and what became of its faults; what is left "
                      "to 100 % is never activated, or untestable."
                    : "The coverage of each unit, and what became of its faults; what is left to "
                      "100 % is never activated.",
                true);
    for (int o = 0; o < p->outcomes; o++)
        chart_series(&c, fsim_outcome_name(page_shown[o].outcome), page_shown[o].colour);
    chart_series(&c, "masked", "#b0b0b0");
    for (int i = 0; i < r->nparts; i++) {
        const struct result_part *part = &r->part[i];
        int slice = coverage_slice(p->coverage, part->target);
        struct fsim_counts k = p->coverage->row[part->job].of[slice];
        struct coverage_share all = p->coverage->row[part->job].share[slice];
        bool sampled = all.hi > all.lo;
        char *name = page_part_name(p, part, false);
        struct chart_row *row = chart_row(&c, name);
        free(name);
        for (int o = 0; o < p->outcomes; o++)
            row->value[o] = 100 * share_of_all(k.by_outcome[page_shown[o].outcome], &k, &all);
        row->value[p->outcomes] = 100 * share_of_all(k.by_outcome[OUT_MASKED], &k, &all);
        for (int o = 0; o <= p->outcomes; o++)
            row->half[o] = sampled ? (all.fc_hi - all.fc_lo) / 2 : two_decimals;
        row->head = 100 * share(k.detected, k.faults - k.untestable);
        if (sampled) {
            row->low = all.lo;
            row->high = all.hi;
        }
    }
    page_chart(p, &c);
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* Of none there is no share. */
static void cell_testable(struct page *p, const struct coverage_share *all)
{
    bool none = all->population == all->untestable;
    page_cell_share(p, none ? (double)NAN : all->testable / 100, (all->hi - all->lo) / 200);
}

static void cell_untestable(struct page *p, const struct coverage_share *all)
{
    if (p->coverage->classified)
        page_cell_count(p, all->untestable);
    else
        page_cell_unknown(p);
}

static void coverage_row(struct page *p, const struct result_part *part)
{
    const struct result *r = p->a->result;
    int slice = coverage_slice(p->coverage, part ? part->target : NULL);
    page_cell_text(p, part ? part->target : "all");
    for (int j = 0; j < r->njobs; j++) {
        struct coverage_share all = p->coverage->row[j].share[slice];
        if (!j) {
            page_cell_count(p, all.population);
            cell_untestable(p, &all);
        }
        cell_testable(p, &all);
    }
    page_end_row(p);
}

static bool several_targets(const struct result *r)
{
    for (int i = 1; i < r->nparts; i++)
        if (strcmp(r->part[0].target, r->part[i].target) != 0)
            return true;
    return false;
}

/* What several jobs find in several structures, side by side. */
static void coverage_by_job(struct page *p)
{
    const struct result *r = p->a->result;
    struct fl_buf head = {0};
    if (r->njobs == 1 || !several_targets(r))
        return;
    fl_buf_printf(&head, "*target|faults|untestable");
    for (int j = 0; j < r->njobs; j++)
        fl_buf_printf(&head, "|%s %%", r->job[j].name);
    page_head(p, (char *)head.data);
    fl_buf_free(&head);
    each_target(r, coverage_row, p);
    coverage_row(p, NULL);
    page_end_table(p);
}

static void outcome_row(struct page *p, int job, const char *target)
{
    int slice = coverage_slice(p->coverage, target);
    struct fsim_counts k = p->coverage->row[job].of[slice];
    struct coverage_share all = p->coverage->row[job].share[slice];
    bool sampled = p->a->result->npopulations > 0;
    page_cell_text(p, p->a->result->job[job].name);
    page_cell_text(p, target ? target : "all");
    page_cell_count(p, (uint64_t)k.faults);
    if (sampled)
        page_cell_count(p, all.population);
    else
        page_cell_unknown(p);
    cell_untestable(p, &all);
    page_cell_count(p, (uint64_t)k.not_activated);
    for (int o = 0; o < p->outcomes; o++)
        page_cell_count(p, (uint64_t)k.by_outcome[page_shown[o].outcome]);
    page_cell_count(p, (uint64_t)k.by_outcome[OUT_MASKED]);
    /* of all, where that is not the same */
    page_cell_share(p, all.untestable || !p->coverage->classified ? all.fc / 100 : (double)NAN,
                    (all.fc_hi - all.fc_lo) / 200);
    if (p->coverage->classified)
        cell_testable(p, &all);
    else
        page_cell_unknown(p);
    page_cell_share(p, sampled ? all.lo / 100 : (double)NAN, (all.hi - all.lo) / 200);
    page_cell_share(p, sampled ? all.hi / 100 : (double)NAN, (all.hi - all.lo) / 200);
    page_end_row(p);
}

static void outcome_table(struct page *p)
{
    const struct result *r = p->a->result;
    page_head(p, "*job|*target|faults|drawn of|untestable|not activated|@|masked|coverage %|"
                 "testable %|from %|to %");
    for (int j = 0; j < r->njobs; j++) {
        int parts = 0;
        for (int i = 0; i < r->nparts; i++)
            if (r->part[i].job == j) {
                outcome_row(p, j, r->part[i].target);
                parts++;
            }
        if (parts > 1)
            outcome_row(p, j, NULL);
    }
    page_end_table(p);
    page_say(p,
             p->coverage->classified
                 ? "Coverage: faults that end as sdc, crash, timeout or hang, of all, where some "
                   "are proved untestable; testable: of the others. What is left is unknown, not "
                   "untestable."
                 : "Coverage: faults that end as sdc, crash, timeout or hang, of all. No fault "
                   "was classified as testable or untestable.");
    if (r->npopulations)
        page_say(p, "Faults are drawn at random: counts are of those, shares and their intervals "
                    "(from, to) of all that they were drawn of, and so is what is untestable.");
}

static void write_body(struct page *p)
{
    const char *reads =
        p->a->result->npopulations
            ? "Faults that fail, in % of those drawn, by the code that meets them first"
            : "Faults that fail, in % of all faults, by the code that meets them first";
    page_begin(p);
    for (int j = 0; j < p->a->result->njobs; j++)
        sentence(p, j);
    page_notes(p);
    page_contents(p);
    page_heading(p, 2, "Coverage");
    rings(p);
    outcome_chart(p);
    page_source(p, reads);
    page_heading(p, 2, "Figures");
    coverage_by_job(p);
    outcome_table(p);
    page_caches(p);
    page_code(p, reads);
}

int coverage_html(const struct avf_report *a, struct fl_buf *out, struct fl_err *err)
{
    struct page p;
    struct coverage c;
    if (page_open(&p, a, err) != 0 || coverage_open(a, &c, err) != 0)
        return -1;
    p.coverage = &c;
    write_body(&p);
    page_end(&p, out);
    coverage_close(&c);
    return 0;
}
