/* coverage_html.c -- coverage as one page that needs nothing beside it. */
#include "coverage.h"
#include "page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double share(long part, long whole)
{
    return whole ? (double)part / (double)whole : (double)NAN;
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
    struct fsim_counts k = coverage_counts(p->a, job, NULL);
    long testable = k.faults - k.untestable;
    fl_buf_printf(&p->html, "<p><b>");
    page_escaped(p, r->job[job].name);
    if (testable == 0) {
        fl_buf_printf(&p->html, "</b> has no fault that is testable.</p>\n");
        return;
    }
    fl_buf_printf(&p->html, "</b> detects <b>");
    fl_buf_printf(&p->html, "%.2f&#8239;%%</b> of the ", 100 * share(k.detected, testable));
    char *fault = fl_format("%s fault", r->part[0].model);
    figure_of(&p->html, (uint64_t)testable, fault);
    free(fault);
    fl_buf_printf(&p->html, " that %s testable.</p>\n", testable == 1 ? "is" : "are");
}

/* ---- pictures -------------------------------------------------------------------------------- */

/* The coverage of a job: a circle of 100 units, of which so many are drawn. */
static void ring(struct page *p, int job)
{
    struct fsim_counts k = coverage_counts(p->a, job, NULL);
    double percent = 100 * share(k.detected, k.faults - k.untestable);
    if (isnan(percent))
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
                "The coverage of each structure, and what became of its faults; what is left to "
                "100 % is never activated, or untestable.",
                true);
    for (int o = 0; o < p->outcomes; o++)
        chart_series(&c, page_shown[o].name, page_shown[o].colour);
    chart_series(&c, "masked", "#b0b0b0");
    for (int i = 0; i < r->nparts; i++) {
        const struct result_part *part = &r->part[i];
        struct fsim_counts k = coverage_counts(p->a, part->job, part->target);
        char *name = page_part_name(p, part, false);
        struct chart_row *row = chart_row(&c, name);
        free(name);
        for (int o = 0; o < p->outcomes; o++)
            row->value[o] = 100 * share(k.by_outcome[page_shown[o].outcome], k.faults);
        row->value[p->outcomes] = 100 * share(k.by_outcome[OUT_MASKED], k.faults);
        for (int o = 0; o <= p->outcomes; o++)
            row->half[o] = two_decimals;
        row->head = 100 * share(k.detected, k.faults - k.untestable);
    }
    page_chart(p, &c);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void coverage_row(struct page *p, const struct result_part *part)
{
    const struct result *r = p->a->result;
    const char *target = part ? part->target : NULL;
    page_cell_text(p, part ? part->target : "all");
    for (int j = 0; j < r->njobs; j++) {
        struct fsim_counts k = coverage_counts(p->a, j, target);
        if (!j) {
            page_cell_count(p, (uint64_t)k.faults);
            page_cell_count(p, (uint64_t)k.untestable);
        }
        page_cell_share(p, share(k.detected, k.faults - k.untestable), 0);
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

static void outcome_row(struct page *p, const char *job, const char *target,
                        const struct fsim_counts *k)
{
    page_cell_text(p, job);
    page_cell_text(p, target);
    page_cell_count(p, (uint64_t)k->faults);
    page_cell_count(p, (uint64_t)k->untestable);
    page_cell_count(p, (uint64_t)k->not_activated);
    for (int o = 0; o < p->outcomes; o++)
        page_cell_count(p, (uint64_t)k->by_outcome[page_shown[o].outcome]);
    page_cell_count(p, (uint64_t)k->by_outcome[OUT_MASKED]);
    /* of all, where that is not the same */
    page_cell_share(p, k->untestable ? share(k->detected, k->faults) : (double)NAN, 0);
    page_cell_share(p, share(k->detected, k->faults - k->untestable), 0);
    page_end_row(p);
}

static void outcome_table(struct page *p)
{
    const struct result *r = p->a->result;
    page_head(p, "*job|*target|faults|untestable|not activated|@|masked|coverage %|testable %");
    for (int j = 0; j < r->njobs; j++) {
        int parts = 0;
        for (int i = 0; i < r->nparts; i++)
            if (r->part[i].job == j) {
                struct fsim_counts k = coverage_counts(p->a, j, r->part[i].target);
                outcome_row(p, r->job[j].name, r->part[i].target, &k);
                parts++;
            }
        struct fsim_counts k = coverage_counts(p->a, j, NULL);
        if (parts > 1)
            outcome_row(p, r->job[j].name, "all", &k);
    }
    page_end_table(p);
    page_say(p, "Coverage: faults that end as sdc, crash, timeout or hang, of all, where some are "
                "proved untestable; testable: of the others. What is left is unknown, not "
                "untestable.");
}

static void write_body(struct page *p)
{
    static const char reads[] =
        "Faults that fail, in % of all faults, by the code that meets them first";
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
    page_code(p, reads);
}

int coverage_html(const struct avf_report *a, struct fl_buf *out, struct page_files *files,
                  struct fl_err *err)
{
    struct page p = {.a = a,
                     .several_jobs = a->result->njobs > 1,
                     .outcomes = page_outcomes(a->result),
                     .files = files};
    if (a->result->nparts == 0)
        return fl_fail(err, "there is nothing to report: the campaign has no targets");
    write_body(&p);
    page_end(&p, out);
    return 0;
}
