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

static void summary(struct page *p)
{
    const struct result *r = p->a->result;
    fl_buf_printf(&p->html, "<p>");
    for (int j = 0; j < r->njobs; j++) {
        struct fsim_counts k = coverage_counts(p->a, j, NULL);
        fl_buf_printf(&p->html, "%s<b>", j ? " " : "");
        page_escaped(p, r->job[j].name);
        fl_buf_printf(&p->html, "</b> detects %.2f %% of the %ld %s faults that are testable.",
                      100 * share(k.detected, k.faults - k.untestable), k.faults - k.untestable,
                      r->part[0].model);
    }
    fl_buf_printf(&p->html, "</p>\n");
}

static void coverage_row(struct page *p, const struct result_part *part)
{
    const struct result *r = p->a->result;
    const char *target = part ? part->target : NULL;
    bool first = true;
    page_begin_row(p);
    page_cell_text(p, "t", part ? part->target : "all");
    for (int j = 0; j < r->njobs; j++) {
        struct fsim_counts k = coverage_counts(p->a, j, target);
        if (first) {
            page_cell_count(p, (uint64_t)k.faults);
            page_cell_count(p, (uint64_t)k.untestable);
        }
        first = false;
        page_cell_percent(p, share(k.detected, k.faults - k.untestable));
    }
    page_end_row(p);
}

static void coverage_by_structure(struct page *p)
{
    const struct result *r = p->a->result;
    struct fl_buf head = {0};
    page_heading(p, 2, "Coverage by structure");
    fl_buf_printf(&head, "*target|faults|untestable");
    for (int j = 0; j < r->njobs; j++)
        fl_buf_printf(&head, "|%s %%", r->job[j].name);
    page_head(p, (char *)head.data);
    fl_buf_free(&head);
    each_target(r, coverage_row, p);
    coverage_row(p, NULL);
    page_end_table(p);
    fl_buf_printf(&p->html, "<p>Coverage: faults that end as sdc, crash, timeout or hang, of those "
                            "that are not proved untestable. What is left is unknown, not "
                            "untestable.</p>\n");
}

static void plot_bars(struct page *p)
{
    const struct result *r = p->a->result;
    struct chart c;
    chart_begin(&c, "outcomes",
                "What became of the faults of each structure; what is left to 100 % is never "
                "activated, or untestable.",
                true);
    for (int o = 0; o < p->outcomes; o++)
        chart_series(&c, page_shown[o].name, page_shown[o].colour);
    chart_series(&c, "masked", "#aeb6bf");
    for (int i = 0; i < r->nparts; i++) {
        const struct result_part *part = &r->part[i];
        struct fsim_counts k = coverage_counts(p->a, part->job, part->target);
        char *name = fl_format("%s%s%s", p->several_jobs ? r->job[part->job].name : "",
                               p->several_jobs ? " " : "", part->target);
        struct chart_row *row = chart_row(&c, name, NULL);
        free(name);
        for (int o = 0; o < p->outcomes; o++)
            row->value[o] = 100 * share(k.by_outcome[page_shown[o].outcome], k.faults);
        row->value[p->outcomes] = 100 * share(k.by_outcome[OUT_MASKED], k.faults);
    }
    page_chart(p, &c);
}

static void outcome_table(struct page *p)
{
    const struct result *r = p->a->result;
    page_head(p, "*job|*target|faults|untestable|not activated|@|masked|coverage %|testable %");
    for (int i = 0; i < r->nparts; i++) {
        const struct result_part *part = &r->part[i];
        struct fsim_counts k = coverage_counts(p->a, part->job, part->target);
        page_begin_row(p);
        page_cell_text(p, "t", r->job[part->job].name);
        page_cell_text(p, "t", part->target);
        page_cell_count(p, (uint64_t)k.faults);
        page_cell_count(p, (uint64_t)k.untestable);
        page_cell_count(p, (uint64_t)k.not_activated);
        for (int o = 0; o < p->outcomes; o++)
            page_cell_count(p, (uint64_t)k.by_outcome[page_shown[o].outcome]);
        page_cell_count(p, (uint64_t)k.by_outcome[OUT_MASKED]);
        page_cell_percent(p, share(k.detected, k.faults));
        page_cell_percent(p, share(k.detected, k.faults - k.untestable));
        page_end_row(p);
    }
    page_end_table(p);
}

static void write_body(struct page *p)
{
    const struct result *r = p->a->result;
    char *title = fl_format("%s faults", r->part[0].model);
    title[0] = (char)(title[0] - 'a' + 'A');
    page_heading(p, 1, title);
    p->section = "summary";
    free(title);
    summary(p);
    page_what_made_it(p);
    p->contents_at = p->html.size;
    coverage_by_structure(p);
    page_heading(p, 2, "What became of the faults");
    plot_bars(p);
    outcome_table(p);
    page_heading(p, 2, "Over code");
    fl_buf_printf(&p->html, "<p>By the instruction that reads a wrong value first.</p>\n");
    for (int i = 0; i < r->nparts; i++)
        avf_html_over_code(p, &r->part[i]);
}

int coverage_html(const struct avf_report *a, struct fl_buf *out, struct page_files *files,
                  struct fl_err *missing, struct fl_err *err)
{
    struct page p = {.a = a,
                     .several_jobs = a->result->njobs > 1,
                     .outcomes = page_outcomes(a->result),
                     .files = files};
    if (a->result->nparts == 0)
        return fl_fail(err, "there is nothing to report: the campaign has no targets");
    write_body(&p);
    return page_draw(&p, out, missing, err);
}
