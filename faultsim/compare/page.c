/* page.c -- two campaigns as one page: compare.h. */
#include "compare.h"

#include <math.h>
#include <stdlib.h>

#include "faultsim/report/page.h"

static const char *measure(const struct compare *c)
{
    return c->permanent[COMPARE_A] ? "detected of testable faults" : "AVF";
}

static char *label_of(const struct compare *c, const struct compare_row *row)
{
    char *job = compare_job_name(c, row);
    char *label = fl_format("%s, %s", job, row->target ? row->target : "all");
    free(job);
    return label;
}

static double half_of(double lo, double hi)
{
    return hi > lo ? (hi - lo) / 2 : 0;
}

/* "B detects 3.20 points more than A (12.1 % and 15.3 %), which is significant." */
static void sentence(struct page *p, const struct compare *c, const struct compare_row *row)
{
    char *label = label_of(c, row);
    double a = row->of[COMPARE_A].share, b = row->of[COMPARE_B].share;
    double half = isnan(row->lo) ? 0 : (row->hi - row->lo) / 2;
    fl_buf_printf(&p->html, "<p><b>");
    page_escaped(p, label);
    fl_buf_printf(
        &p->html,
        "</b>: %s %.4g&#8239;%% in A, %.4g&#8239;%% in B: a difference of <b>%+.*f</b> points",
        measure(c), a, b, half > 0 ? figure_decimals(half) : 4, row->difference);
    if (half > 0)
        fl_buf_printf(&p->html, " (%+.*f to %+.*f at %g&#8239;%% confidence)",
                      figure_decimals(half), row->lo, figure_decimals(half), row->hi,
                      100 * c->confidence);
    if (row->test == COMPARE_EXACT)
        fl_buf_printf(&p->html, ", exact");
    else if (row->test == COMPARE_LIST)
        fl_buf_printf(&p->html, ", of chosen faults");
    else
        fl_buf_printf(&p->html, ", %s",
                      compare_significant(c, row) ? "which is significant" : "which can be chance");
    fl_buf_printf(&p->html, ".</p>\n");
    free(label);
}

/* "fft, mask: AVF of transient faults 56.7 % (54.1 to 59.2), detected of testable stuck-at faults 66.5 %": where A's is
 * greatest. */
static void greatest(struct page *p, const struct compare *c)
{
    const struct compare_row *most = c->row;
    for (int i = 0; i < c->rows; i++)
        if (c->row[i].target && c->row[i].of[COMPARE_A].share > most->of[COMPARE_A].share)
            most = &c->row[i];
    char *label = label_of(c, most);
    fl_buf_printf(&p->html, "<p><b>");
    page_escaped(p, label);
    free(label);
    fl_buf_printf(&p->html, "</b>, where A is greatest: ");
    for (int s = 0; s < COMPARE_SIDES; s++) {
        const struct compare_side *of = &most->of[s];
        double half = half_of(of->lo, of->hi);
        char *text = compare_measure(c, s);
        fl_buf_printf(&p->html, "%s%s <b>", s ? "; " : "", text);
        free(text);
        figure_percent(&p->html, of->share, half);
        fl_buf_printf(&p->html, "&#8239;%%</b> (%c", 'A' + s);
        if (half > 0) {
            fl_buf_printf(&p->html, "; ");
            figure_percent(&p->html, of->lo, half);
            fl_buf_printf(&p->html, " to ");
            figure_percent(&p->html, of->hi, half);
        }
        fl_buf_printf(&p->html, ")");
    }
    fl_buf_printf(&p->html, ".</p>\n");
}

static void picture(struct page *p, const struct compare *c)
{
    struct dots d;
    dots_begin(&d, "shares",
               c->models                 ? "share in %"
               : c->permanent[COMPARE_A] ? "detected faults in % of testable ones"
                                         : "AVF in %");
    for (int s = 0; s < COMPARE_SIDES; s++) {
        char *text = compare_measure(c, s), *name = fl_format("%c: %s", 'A' + s, text);
        dots_series(&d, c->models ? name : s ? "B" : "A");
        free(text);
        free(name);
    }
    for (int i = 0; i < c->rows; i++) {
        char *label = label_of(c, &c->row[i]);
        dots_row(&d, label);
        free(label);
        for (int s = 0; s < COMPARE_SIDES; s++)
            dots_set(&d, s, c->row[i].of[s].share, c->row[i].of[s].lo, c->row[i].of[s].hi);
    }
    page_picture(p, d.name, &dots_picture, &d, "Both campaigns, with the intervals of samples.");
    dots_free(&d);
}

static void differences(struct page *p, const struct compare *c)
{
    page_head(p, "*job|*target|A %|B %|B - A|from|to|fail in A alone|fail in B alone|*test|p|"
                 "p (Holm)|*significant");
    for (int i = 0; i < c->rows; i++) {
        const struct compare_row *row = &c->row[i];
        char *job = compare_job_name(c, row);
        page_cell_text(p, job);
        free(job);
        page_cell_text(p, row->target ? row->target : "all");
        for (int s = 0; s < COMPARE_SIDES; s++)
            page_cell_share(p, row->of[s].share / 100, half_of(row->of[s].lo, row->of[s].hi) / 100);
        double half = isnan(row->lo) ? 0 : half_of(row->lo, row->hi) / 100;
        page_cell_share(p, row->difference / 100, half);
        page_cell_share(p, row->lo / 100, half);
        page_cell_share(p, row->hi / 100, half);
        for (int s = 0; s < COMPARE_SIDES; s++)
            page_cell_number(p, row->paired ? (double)row->alone[s] : (double)NAN, 0);
        page_cell_text(p, compare_test_name[row->test]);
        page_cell_number(p, row->p, 0);
        page_cell_number(p, row->holm, 0);
        page_cell_text(p, isnan(row->p) ? "" : compare_significant(c, row) ? "yes" : "no");
        page_end_row(p);
    }
    page_end_table(p);
    page_say(
        p,
        "B - A in points of percent, with the interval of the difference. Test: <i>exact</i>, "
        "both campaigns have all faults, so the difference is no estimate; <i>list</i>, chosen "
        "faults stand for themselves; <i>McNemar</i>, exact, on samples of the same faults: those "
        "that fail in one campaign alone; <i>proportions</i>, two samples of different faults; "
        "<i>stratified</i>, samples of several structures together, weighted with the faults that "
        "they stand for. p: "
        "how likely so large a difference is where there is none; (Holm): adjusted for the "
        "number of tests, as one of twenty finds a difference by chance.");
}

/* Of different fault models. */
static void shares(struct page *p, const struct compare *c)
{
    page_head(p, "*job|*target|A %|A from %|A to %|B %|B from %|B to %");
    for (int i = 0; i < c->rows; i++) {
        const struct compare_row *row = &c->row[i];
        char *job = compare_job_name(c, row);
        page_cell_text(p, job);
        free(job);
        page_cell_text(p, row->target ? row->target : "all");
        for (int s = 0; s < COMPARE_SIDES; s++) {
            double half = half_of(row->of[s].lo, row->of[s].hi) / 100;
            page_cell_share(p, row->of[s].share / 100, half);
            page_cell_share(p, half > 0 ? row->of[s].lo / 100 : (double)NAN, half);
            page_cell_share(p, half > 0 ? row->of[s].hi / 100 : (double)NAN, half);
        }
        page_end_row(p);
    }
    page_end_table(p);
    page_say(p, "A and B are shares of different faults, so the page states no difference. "
                "Structures that one campaign lacks are left out.");
}

static void outcomes(struct page *p, const struct compare *c)
{
    page_head(p, "*job|*target|*outcome|A|B|A %|B %");
    for (int i = 0; i < c->rows; i++)
        for (int k = 0; k < OUT_COUNT; k++) {
            const struct compare_row *row = &c->row[i];
            enum fsim_outcome o = avf_column(k);
            if (!row->of[COMPARE_A].outcome[o] && !row->of[COMPARE_B].outcome[o])
                continue;
            char *job = compare_job_name(c, row);
            page_cell_text(p, job);
            free(job);
            page_cell_text(p, row->target ? row->target : "all");
            page_cell_text(p, fsim_outcome_name(o));
            for (int s = 0; s < COMPARE_SIDES; s++)
                page_cell_count(p, row->of[s].outcome[o]);
            for (int s = 0; s < COMPARE_SIDES; s++)
                page_cell_share(p, (double)row->of[s].outcome[o] / (double)row->of[s].n, 0);
            page_end_row(p);
        }
    page_end_table(p);
    page_say(p, "Counts of the faults that were simulated or classified: of exact campaigns of "
                "transient faults, bits &times; cycles.");
}

int compare_html(const struct compare *c, struct fl_buf *out, struct fl_err *err)
{
    struct page p;
    if (page_open(&p, c->side[COMPARE_A], err) != 0)
        return -1;
    p.other = c->side[COMPARE_B];
    page_begin(&p);
    for (int i = 0; i < c->rows && c->row[i].job[COMPARE_A] == c->row[0].job[COMPARE_A]; i++)
        if (!c->models && (!i || !c->permanent[COMPARE_A]))
            sentence(&p, c, &c->row[i]);
    if (c->models)
        greatest(&p, c);
    page_contents(&p);
    page_heading(&p, 2, "Comparison");
    picture(&p, c);
    page_targets(&p);
    page_heading(&p, 2, c->models ? "Shares" : "Differences");
    (c->models ? shares : differences)(&p, c);
    page_heading(&p, 2, "Outcomes");
    outcomes(&p, c);
    page_end(&p, out);
    return 0;
}
