/* coverage_html.c -- coverage as one page that needs nothing beside it. */
#include "faultsim/report/caches.h"
#include "faultsim/report/coverage.h"
#include "faultsim/report/page.h"

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

/* "The 3 jobs together detect 91.2 % (90.1 to 92.3 at 95 % confidence; 900 faults drawn) of the 50,000 testable stuck-at
 * faults." */
static void sentence(struct page *p, const struct coverage_row *row)
{
    const struct result *r = p->a->result;
    struct coverage_share share = row->share[0];
    uint64_t testable = share.population - share.untestable;
    double half = (share.hi - share.lo) / 2;
    fl_buf_printf(&p->html, "<p>");
    if (row->job < 0) {
        fl_buf_printf(&p->html, "The %d jobs together detect", r->njobs);
    } else {
        fl_buf_printf(&p->html, "<b>");
        page_escaped(p, row->name);
        fl_buf_printf(&p->html, "</b> detects");
    }
    if (testable == 0) {
        fl_buf_printf(&p->html, " 0&#8239;%%: none of the faults is testable.</p>\n");
        return;
    }
    fl_buf_printf(&p->html, " <b>%.*f&#8239;%%</b>", decimals(half), share.testable);
    if (half > 0) {
        fl_buf_printf(&p->html, " (%.*f to %.*f at %g&#8239;%% confidence; ", decimals(half),
                      share.lo, decimals(half), share.hi, 100 * r->part[0].confidence);
        figure_of(&p->html, (uint64_t)row->of[0].faults, "fault");
        fl_buf_printf(&p->html, " drawn)");
    }
    fl_buf_printf(&p->html, " of the ");
    char *fault = fl_format("%s%s fault", p->coverage->classified ? "testable " : "",
                            r->part[0].model);
    figure_of(&p->html, testable, fault);
    free(fault);
    fl_buf_printf(&p->html, "%s.</p>\n",
                  p->coverage->classified ? "" : ", not classified as testable or untestable");
}

/* The union of all jobs, or NULL where their lists differ. */
static const struct coverage_row *union_of(const struct coverage *c)
{
    return c->row[c->rows - 1].job < 0 ? &c->row[c->rows - 1] : NULL;
}

static void sentences(struct page *p)
{
    const struct coverage *c = p->coverage;
    if (union_of(c)) {
        sentence(p, union_of(c));
        return;
    }
    for (int j = 0; j < c->rows; j++)
        sentence(p, &c->row[j]);
    if (c->rows > 1)
        page_say(p, "The jobs have different lists of faults, so there is no union.");
}

/* ---- pictures -------------------------------------------------------------------------------- */

/* Slices that stand beside each other: the targets, or the fields of the only one. */
static bool beside(const struct coverage *c, int slice)
{
    return slice == 0 || (c->slice[slice].field < 0) == (c->targets > 1);
}

static void heat_row_of(struct heatmap *h, const struct coverage *c, const struct coverage_row *row)
{
    int at = heatmap_row(h, row->name, row->job < 0);
    for (int s = 0, column = 0; s < c->slices; s++)
        if (beside(c, s)) {
            const struct coverage_share *k = &row->share[s];
            bool none = k->population == k->untestable;
            heatmap_set(h, at, column++, none ? (double)NAN : k->testable, k->lo, k->hi);
        }
}

/* Rows by what they detect of all faults, the most first. */
static int *by_coverage(const struct coverage *c, int n)
{
    int *order = fl_alloc((size_t)n * sizeof *order);
    for (int i = 0; i < n; i++) {
        int at = i;
        for (; at && c->row[order[at - 1]].share[0].testable < c->row[i].share[0].testable; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    return order;
}

/* What each job detects of each structure, and all of them together. */
static void heat_of(struct page *p)
{
    const struct coverage *c = p->coverage;
    struct heatmap h;
    int jobs = p->a->result->njobs;
    if (jobs == 1)
        return;
    heatmap_begin(&h, "coverage", "det");
    for (int s = 0; s < c->slices; s++)
        if (beside(c, s)) {
            const struct coverage_share *k = &c->row[0].share[s];
            heatmap_column(&h, c->slice[s].name, k->population - k->untestable);
        }
    if (union_of(c))
        heat_row_of(&h, c, union_of(c));
    int *order = by_coverage(c, jobs);
    for (int j = 0; j < jobs; j++)
        heat_row_of(&h, c, &c->row[order[j]]);
    free(order);
    page_picture(p, h.name, &heatmap_picture, &h,
                 c->classified
                     ? "Detected faults in % of the testable ones, by job and structure. Below the "
                       "name of a structure: how many of its faults are testable. The union counts "
                       "a fault that any job detects."
                     : "Detected faults in % of all, by job and unit. Below the name of a unit: "
                       "how many faults it has. The union counts a fault that any job detects.");
    heatmap_free(&h);
}

/* What an outcome is of the testable faults in a row, in percent: of a slice, or of all of them (NULL), weighted with what
 * they were drawn of. */
static double share_of_testable(const struct page *p, const struct coverage_row *row,
                                const char *target, long (*part)(const struct fsim_counts *, int),
                                int what)
{
    const struct coverage *c = p->coverage;
    int only = target ? coverage_slice(c, target) : -1;
    double sum = 0, all = 0;
    for (int s = 1; s < c->slices; s++) {
        const struct fsim_counts *k = &row->of[s];
        const struct coverage_share *of = &row->share[s];
        if (c->slice[s].field >= 0 || (only >= 0 && s != only) || k->faults == k->untestable)
            continue;
        double weight = (double)(of->population - of->untestable);
        sum += weight * share(part(k, what), k->faults - k->untestable);
        all += weight;
    }
    return 100 * sum / all;
}

static long ended(const struct fsim_counts *k, int outcome)
{
    return k->by_outcome[outcome];
}

static long not_activated(const struct fsim_counts *k, int unused)
{
    (void)unused;
    return k->not_activated;
}

static void outcome_bar(struct page *p, struct chart *c, const struct coverage_row *of,
                        const char *target, const char *name)
{
    const double two_decimals = 0.5; /* as if it were in doubt behind them: figures.h */
    struct coverage_share all = of->share[coverage_slice(p->coverage, target)];
    if (all.population == all.untestable)
        return;
    struct chart_row *row = chart_row(c, name);
    double half = all.hi > all.lo ? (all.hi - all.lo) / 2 : two_decimals;
    for (int o = 0; o < p->outcomes; o++)
        row->value[o] = share_of_testable(p, of, target, ended, p->shown[o].outcome);
    row->value[p->outcomes] = share_of_testable(p, of, target, ended, OUT_MASKED);
    row->value[p->outcomes + 1] = share_of_testable(p, of, target, not_activated, 0);
    for (int o = 0; o <= p->outcomes + 1; o++)
        row->half[o] = half;
    row->head = all.testable;
    if (all.hi > all.lo) {
        row->low = all.lo;
        row->high = all.hi;
    }
}

/* From testable faults to those that are activated, and on to outcomes: of all jobs together, or of the only one. */
static void flow_of(struct page *p)
{
    const struct coverage_row *row = union_of(p->coverage) ? union_of(p->coverage)
                                                           : p->coverage->row;
    struct ribbons f;
    ribbons_begin(&f, "flow", p->coverage->classified ? "testable" : "all", "activated");
    for (int o = 0; o < p->outcomes; o++)
        ribbons_add(&f, fsim_outcome_name(p->shown[o].outcome), p->shown[o].colour,
                    share_of_testable(p, row, NULL, ended, p->shown[o].outcome), true);
    ribbons_add(&f, "masked", "#b0b0b0", share_of_testable(p, row, NULL, ended, OUT_MASKED), true);
    ribbons_add(&f, "not activated", "#d9d9d9", share_of_testable(p, row, NULL, not_activated, 0),
                false);
    if (f.ends && (p->a->result->njobs == 1 || union_of(p->coverage)))
        page_picture(
            p, f.name, &ribbons_picture, &f,
            "From the faults to those that are activated (a read finds the wrong value), and on "
            "to how they end.");
    ribbons_free(&f);
}

/* What is detected of each structure, by all jobs together or by the only one. */
static void floor_of(struct page *p)
{
    const struct coverage *c = p->coverage;
    const struct coverage_row *row = union_of(c) ? union_of(c) : c->row;
    struct floor_plan f;
    floor_begin(&f, "floor", "det", 100);
    for (int i = 0; i < p->a->result->nparts; i++) {
        const char *target = p->a->result->part[i].target;
        const struct coverage_share *k = &row->share[coverage_slice(c, target)];
        floor_set(&f, target, k->population == k->untestable ? (double)NAN : k->testable);
    }
    if (f.known > 1 && (p->a->result->njobs == 1 || union_of(c)))
        page_picture(p, f.name, &floor_picture, &f,
                     "A sketch of the SM: detected faults of each structure in % of its testable "
                     "ones. Structures without a figure had no faults.");
    floor_free(&f);
}

/* Of one job by structure; of several by job, the union first. */
static void outcome_chart(struct page *p)
{
    const struct result *r = p->a->result;
    const struct coverage *of = p->coverage;
    struct chart c;
    chart_begin(&c, "outcomes",
                of->classified
                    ? "How the faults end, in % of the testable ones; first the share that is "
                      "detected."
                    : "How the faults end, in % of all; first the share that is detected.",
                of->classified ? "testable faults in %" : "faults in %", true);
    for (int o = 0; o < p->outcomes; o++)
        chart_series(&c, fsim_outcome_name(p->shown[o].outcome), p->shown[o].colour);
    chart_series(&c, "masked", "#b0b0b0");
    chart_series(&c, "not activated", "#d9d9d9");
    if (union_of(of))
        outcome_bar(p, &c, union_of(of), NULL, "union");
    for (int j = 0; j < r->njobs && r->njobs > 1; j++)
        outcome_bar(p, &c, &of->row[j], NULL, of->row[j].name);
    for (int i = 0; i < r->nparts && r->njobs == 1; i++)
        outcome_bar(p, &c, &of->row[0], r->part[i].target, r->part[i].target);
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

static void outcome_row(struct page *p, const struct coverage_row *row, const char *target)
{
    int slice = coverage_slice(p->coverage, target);
    struct fsim_counts k = row->of[slice];
    struct coverage_share all = row->share[slice];
    bool sampled = p->a->result->npopulations > 0;
    page_cell_text(p, row->name);
    page_cell_text(p, target ? target : "all");
    page_cell_count(p, (uint64_t)k.faults);
    if (sampled)
        page_cell_count(p, all.population);
    else
        page_cell_unknown(p);
    cell_untestable(p, &all);
    page_cell_count(p, (uint64_t)k.not_activated);
    for (int o = 0; o < p->outcomes; o++)
        page_cell_count(p, (uint64_t)k.by_outcome[p->shown[o].outcome]);
    page_cell_count(p, (uint64_t)k.by_outcome[OUT_MASKED]);
    /* of all, where that is not the same */
    page_cell_share(p, all.untestable || !p->coverage->classified ? all.fc / 100 : (double)NAN,
                    (all.fc_hi - all.fc_lo) / 200);
    if (p->coverage->classified)
        cell_testable(p, &all);
    else
        page_cell_unknown(p);
    /* a structure of fewer faults than the sample has all of them */
    bool drawn = all.hi > all.lo;
    page_cell_share(p, drawn ? all.lo / 100 : (double)NAN, (all.hi - all.lo) / 200);
    page_cell_share(p, drawn ? all.hi / 100 : (double)NAN, (all.hi - all.lo) / 200);
    page_end_row(p);
}

/* Of a job, or of the union, which has all targets that the first job has. */
static void outcome_rows(struct page *p, const struct coverage_row *row)
{
    const struct result *r = p->a->result;
    int parts = 0;
    for (int i = 0; i < r->nparts; i++)
        if (r->part[i].job == (row->job < 0 ? 0 : row->job)) {
            outcome_row(p, row, r->part[i].target);
            parts++;
        }
    if (parts > 1)
        outcome_row(p, row, NULL);
}

static void outcome_table(struct page *p)
{
    const struct result *r = p->a->result;
    page_head(p, "*job|*target|faults|drawn of|untestable|not activated|@|masked|coverage %|"
                 "testable %|from %|to %");
    if (union_of(p->coverage))
        outcome_rows(p, union_of(p->coverage));
    for (int j = 0; j < r->njobs; j++)
        outcome_rows(p, &p->coverage->row[j]);
    page_end_table(p);
    page_say(p, p->coverage->classified
                    ? "Coverage: detected faults (sdc, crash, timeout, hang) in % of all. Testable "
                      "coverage: in % of those that are not proved untestable. The others were not "
                      "detected by these jobs; another program may detect them."
                    : "Coverage: faults that end as sdc, crash, timeout or hang, of all. No fault "
                      "was classified as testable or untestable.");
    char *text;
    for (int n = 0; (text = coverage_size(p->coverage, n)); n++) {
        fl_buf_printf(&p->html, "<p>");
        page_escaped(p, text);
        fl_buf_printf(&p->html, ".</p>\n");
        free(text);
    }
    if (r->npopulations)
        page_say(p, "Faults are drawn at random: counts are of those, shares and their intervals "
                    "(from, to) of all that they were drawn of, and so is what is untestable.");
}

static void write_body(struct page *p)
{
    const char *reads =
        p->a->result->npopulations
            ? "Failing faults in % of those drawn, by the instruction that first reads a wrong bit"
            : "Failing faults in % of all faults, by the instruction that first reads a wrong bit";
    page_begin(p);
    sentences(p);
    page_notes(p);
    page_contents(p);
    page_heading(p, 2, "Coverage");
    heat_of(p);
    outcome_chart(p);
    flow_of(p);
    floor_of(p);
    page_targets(p);
    page_coverage_time(p);
    page_faultmaps(p);
    page_source(p, reads);
    page_heading(p, 2, "Figures");
    outcome_table(p);
    page_patterns(p);
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
