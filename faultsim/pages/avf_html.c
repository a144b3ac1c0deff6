/* avf_html.c -- AVF as one page that needs nothing beside it: a sentence, pictures, the user's source with its heat, and
 * behind them the tables (avf_html_tables.c).
 */
#include "avf_html.h"
#include "faultsim/report/caches.h"
#include "faultsim/report/protect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ----------------------------------------------------------------------------------- */

/* A structure of a job, by how much it matters. */
struct ranked {
    struct metrics m;
    const struct result_part *part;
};

/* The structures of a job, the one that fails most first; the best method of each. Caller frees. */
static struct ranked *ranking(const struct page *p, int job, int *n)
{
    const struct result *r = p->a->result;
    struct ranked *ranked = fl_alloc((size_t)r->nparts * sizeof *ranked);
    *n = 0;
    for (int i = 0; i < r->nparts; i++) {
        struct tally_row all;
        struct metrics m;
        if (r->part[i].job != job || r->part[i].method == METHOD_ACE || !page_stands_for(r, i))
            continue;
        avf_all(p->a, i, &all, &m);
        if (isnan(m.avf))
            continue;
        int at = (*n)++;
        for (; at && ranked[at - 1].m.avf < m.avf; at--)
            ranked[at] = ranked[at - 1];
        ranked[at] = (struct ranked){m, &r->part[i]};
    }
    return ranked;
}

static void percent(struct page *p, double v, double half)
{
    figure_percent(&p->html, 100 * v, 100 * half);
}

/* "AVF of fft: rf 33.6 % (95 % interval 31.5 to 35.6), shared 2.8 % (2.0 to 3.9), cc 0.2 % (0.1 to 0.6); less in 9 other
 * structures." */
static void sentence(struct page *p, int job)
{
    enum { NAMED = 4 };
    int n;
    struct ranked *ranked = ranking(p, job, &n);
    int named = n > NAMED + 1 ? NAMED : n;
    for (int k = 0; k < named; k++) {
        const struct metrics *m = &ranked[k].m;
        double half = page_half(ranked[k].part->method, m->avf_lo, m->avf_hi);
        if (!k) {
            fl_buf_printf(&p->html, "<p>AVF of <b>");
            page_escaped(p, p->a->result->job[job].name);
            fl_buf_printf(&p->html, "</b>");
        }
        fl_buf_printf(&p->html, k ? ", " : ": ");
        page_escaped(p, ranked[k].part->target);
        fl_buf_printf(&p->html, " <b>");
        percent(p, m->avf, half);
        fl_buf_printf(&p->html, "&#8239;%%</b>");
        if (half > 0) {
            fl_buf_printf(&p->html, " (");
            if (!k)
                fl_buf_printf(&p->html, "%g&#8239;%% interval ", 100 * ranked[k].part->confidence);
            percent(p, m->avf_lo, half);
            fl_buf_printf(&p->html, " to ");
            percent(p, m->avf_hi, half);
            fl_buf_printf(&p->html, ")");
        }
    }
    if (named < n)
        fl_buf_printf(&p->html, "; less in %d other structures", n - named);
    if (n)
        fl_buf_printf(&p->html, ".</p>\n");
    free(ranked);
}

static void machine(struct page *p, const struct result_job *j)
{
    fl_buf_printf(&p->html, "<p class=\"n\">");
    page_escaped(p, j->name);
    fl_buf_printf(&p->html, ": profile ");
    page_escaped(p, j->profile);
    fl_buf_printf(&p->html, ", ");
    figure_of(&p->html, (uint64_t)j->sps, "SP");
    fl_buf_printf(&p->html, ", ");
    figure_of(&p->html, result_cycles(j), "cycle");
    fl_buf_printf(&p->html, " at %g MHz.</p>\n", j->clock_mhz);
}

/* When it is not the whole job that was hit. */
static void say_window(struct page *p)
{
    const struct result *r = p->a->result;
    for (int j = 0; j < r->njobs; j++) {
        const struct timeline *t = &r->job[j].timeline;
        if (t->buckets == 0 || t->edge[t->buckets] - t->edge[0] == result_cycles(&r->job[j]))
            continue;
        fl_buf_printf(&p->html, "<p>");
        page_escaped(p, r->job[j].name);
        fl_buf_printf(&p->html,
                      ": flips in cycles %llu to %llu only; all shares, and EIT, are of "
                      "these.</p>\n",
                      (unsigned long long)t->edge[0], (unsigned long long)t->edge[t->buckets] - 1);
    }
}

/* ---- pictures -------------------------------------------------------------------------------- */

/* What was drawn among owned bits has another interval: avf_owned_only. */
static void outcome_row(struct page *p, struct chart *c, const struct result_part *part,
                        const struct tally_row *all, const struct metrics *m)
{
    char *name = page_part_name(p, part, true);
    struct chart_row *row = chart_row(c, name);
    double lo = all->active_only ? m->avf_util_lo : m->avf_lo;
    double hi = all->active_only ? m->avf_util_hi : m->avf_hi;
    free(name);
    for (int o = 0; o < p->failing; o++) {
        uint64_t n = all->t.outcome[p->shown[o].outcome];
        row->value[o] = 100 * (double)n / (double)all->t.counted;
        row->half[o] = 100 * page_doubt(all->method, n, all->t.counted, all->confidence);
    }
    if (page_half(all->method, lo, hi) > 0) {
        row->low = 100 * lo;
        row->high = 100 * hi;
    }
}

static void avf_chart(struct page *p)
{
    const struct result *r = p->a->result;
    struct chart c;
    bool sampled = false;
    for (int i = 0; i < r->nparts; i++)
        sampled |= r->part[i].method == METHOD_SAMPLE;
    chart_begin(&c, "avf",
                sampled ? "Which share of the flips fails, and how; of samples with Wilson's "
                          "interval."
                        : "Which share of the flips fails, and how.",
                "AVF in %", true);
    for (int o = 0; o < p->failing; o++)
        chart_series(&c, fsim_outcome_name(p->shown[o].outcome), p->shown[o].colour);
    chart_series(&c, "ACE", "#777777");
    for (int i = 0; i < r->nparts; i++) {
        struct tally_row all;
        struct metrics m;
        avf_all(p->a, i, &all, &m);
        if (all.method != METHOD_ACE && all.t.counted)
            outcome_row(p, &c, &r->part[i], &all, &m);
        if (all.method == METHOD_ACE && page_stands_for(r, i)) {
            char *name = page_part_name(p, &r->part[i], true);
            chart_row(&c, name)->value[p->failing] = 100 * m.avf;
            free(name);
        }
    }
    page_chart(p, &c);
}

/* Where a small AVF would be flat beside a large one: on a logarithmic axis. */
static void avf_dots(struct page *p)
{
    const struct result *r = p->a->result;
    struct dots d;
    dots_begin(&d, "avf-axis", "AVF in % of all flips");
    dots_series(&d, "AVF");
    for (int i = 0; i < r->nparts; i++) {
        struct tally_row all;
        struct metrics m;
        avf_all(p->a, i, &all, &m);
        if (all.method == METHOD_ACE || isnan(m.avf))
            continue;
        char *name = page_part_name(p, &r->part[i], true);
        dots_row(&d, name);
        free(name);
        dots_set(&d, 0, 100 * m.avf, 100 * m.avf_lo, 100 * m.avf_hi);
    }
    if (dots_logarithmic(&d))
        page_picture(p, d.name, &dots_picture, &d,
                     "AVF of each structure; a line is the interval of a sample.");
    dots_free(&d);
}

/* What each flip that was counted in a row stands for: in a population of bits and cycles, but for a list. */
static double weight_of(const struct tally_row *row)
{
    const struct tally *t = &row->t;
    return row->method == METHOD_LIST ? 1
           : row->active_only         ? (double)t->owned / (double)t->counted
                                      : (double)t->population / (double)t->counted;
}

/* From the flips of all structures to those that are read, and on to outcomes. Of one job: several would need a flow each. */
static void avf_flow(struct page *p)
{
    const struct result *r = p->a->result;
    double end[OUT_COUNT] = {0}, unread[REASON_LOGIC] = {0};
    uint64_t drawn = 0;
    struct ribbons f;
    for (int i = 0; i < r->nparts && r->njobs == 1; i++) {
        struct tally_row all;
        struct metrics m;
        avf_all(p->a, i, &all, &m);
        if (all.method == METHOD_ACE || !all.t.counted || !page_stands_for(r, i))
            continue;
        double weight = weight_of(&all);
        drawn += all.method == METHOD_SAMPLE ? all.t.counted : 0;
        for (int o = 0; o < OUT_COUNT; o++)
            end[o] += weight * (double)all.t.outcome[o];
        for (int why = 0; why < REASON_LOGIC; why++) {
            unread[why] += weight * (double)all.t.reason[why];
            end[OUT_MASKED] -= weight * (double)all.t.reason[why];
        }
    }
    ribbons_begin(&f, "flow", "injected", "activated");
    for (int o = 0; o < p->outcomes; o++)
        ribbons_add(&f, fsim_outcome_name(p->shown[o].outcome), p->shown[o].colour,
                    end[p->shown[o].outcome], true);
    ribbons_add(&f, "masked", "#b0b0b0", end[OUT_MASKED], true);
    ribbons_add(&f, "overwritten", "#c8c8c8", unread[REASON_OVERWRITTEN], false);
    ribbons_add(&f, "idle", "#d9d9d9", unread[REASON_IDLE], false);
    struct fl_buf caption = {0};
    fl_buf_printf(&caption, "From the faults to those that are activated (a read finds the wrong "
                            "value), and on to how they end. Others are overwritten before they "
                            "are read, or nothing uses the bit again (idle)");
    if (drawn) {
        fl_buf_printf(&caption, ". Estimated from ");
        figure_of(&caption, drawn, "fault");
        fl_buf_printf(&caption, " drawn at random");
    }
    fl_buf_printf(&caption, ".%c", 0);
    if (f.ends)
        page_picture(p, f.name, &ribbons_picture, &f, (char *)caption.data);
    fl_buf_free(&caption);
    ribbons_free(&f);
}

/* Of one job: several would need a sketch each. */
static void avf_floor(struct page *p)
{
    const struct result *r = p->a->result;
    struct floor_plan f;
    double most = 0;
    floor_begin(&f, "floor", "fail", 100);
    for (int i = 0; i < r->nparts && r->njobs == 1; i++) {
        struct tally_row all;
        struct metrics m;
        avf_all(p->a, i, &all, &m);
        if (all.method != METHOD_ACE && page_stands_for(r, i) &&
            floor_set(&f, r->part[i].target, 100 * m.avf))
            most = fmax(most, 100 * m.avf);
    }
    f.top = fmin(figure_top(most), 100);
    if (f.known > 1) {
        char *caption = fl_format("A sketch of the SM: AVF of each structure; the darkest shade is "
                                  "%g&#8239;%%. Structures without a figure had no faults.",
                                  f.top);
        page_picture(p, f.name, &floor_picture, &f, caption);
        free(caption);
    }
    floor_free(&f);
}

/* A bar of one series. */
static void bar(struct chart *c, const char *name, int series, double v, double half)
{
    char *label = fl_format("%s %s", name, c->series[series]);
    struct chart_row *row = chart_row(c, label);
    free(label);
    row->value[series] = 100 * v;
    row->half[series] = 100 * half;
}

static void ace(struct page *p)
{
    const struct result *r = p->a->result;
    struct chart c;
    chart_begin(&c, "ace",
                "ACE counts every cycle in which a block owns a bit, but for those between a read "
                "or write and the next write, whatever the program does with the value.",
                "share in %", false);
    chart_series(&c, "AVF", "#d55e00");
    chart_series(&c, "ACE", "#56b4e9");
    for (int i = 0; i < r->nparts; i++) {
        struct tally_row all, other;
        struct metrics fi, lives;
        int beside = avf_ace_beside(r, i);
        if (beside < 0 || !page_stands_for(r, i))
            continue;
        avf_all(p->a, i, &all, &fi);
        avf_all(p->a, beside, &other, &lives);
        char *name = page_part_name(p, &r->part[i], false);
        bar(&c, name, 0, fi.avf, page_half(all.method, fi.avf_lo, fi.avf_hi));
        bar(&c, name, 1, lives.avf, 0);
        free(name);
    }
    if (c.nrows)
        page_heading(p, 2, "Fault injection beside ACE");
    bool any = c.nrows;
    page_chart(p, &c);
    if (any)
        avf_html_ace(p);
}

static void occupancy(struct page *p)
{
    static const char *const name[] = {"AVF", "AVF_util", "occupancy", "warps"};
    static const char *const colour[] = {"#d55e00", "#e69f00", "#777777", "#56b4e9"};
    const struct result *r = p->a->result;
    struct chart c;
    chart_begin(&c, "occupancy",
                "AVF = AVF_util x occupancy, as long as no flip of an unowned bit fails.",
                "share in %", false);
    for (int s = 0; s < 4; s++)
        chart_series(&c, name[s], colour[s]);
    for (int i = 0; i < r->nparts; i++) {
        struct tally_row all;
        struct metrics m;
        if (r->part[i].method == METHOD_ACE || !page_stands_for(r, i))
            continue;
        avf_all(p->a, i, &all, &m);
        const double v[] = {m.avf, m.avf_util, m.occupancy, m.warp_occupancy};
        const double half[] = {page_half(all.method, m.avf_lo, m.avf_hi),
                               page_half(all.method, m.avf_util_lo, m.avf_util_hi), 0, 0};
        char *part = page_part_name(p, &r->part[i], false);
        for (int s = 0; s < 4; s++)
            if (!isnan(v[s]))
                bar(&c, part, s, v[s], half[s]);
        free(part);
    }
    if (c.nrows)
        page_heading(p, 2, "AVF and occupancy");
    page_chart(p, &c);
}

/* ---- the page -------------------------------------------------------------------------------- */

static const char reads[] = "AVF by line of code, in %: of the flips that it reads first";

static void write_body(struct page *p)
{
    const struct result *r = p->a->result;
    page_begin(p);
    for (int j = 0; j < r->njobs; j++)
        sentence(p, j);
    for (int j = 0; j < r->njobs; j++)
        machine(p, &r->job[j]);
    page_notes(p);
    say_window(p);
    page_contents(p);
    page_heading(p, 2, "AVF");
    avf_chart(p);
    page_targets(p);
    avf_dots(p);
    avf_flow(p);
    avf_floor(p);
    page_source(p, reads);
    page_time(p);
    page_heading(p, 2, "Figures");
    avf_html_avf(p);
    avf_html_chip(p);
    avf_html_sms(p);
    avf_html_sps(p);
    page_heading(p, 2, "Outcomes of the flips");
    avf_html_outcomes(p);
    avf_html_speedup(p);
    protect_page(p);
    page_patterns(p);
    page_caches(p);
    ace(p);
    occupancy(p);
    avf_html_derating(p);
    page_code(p, reads);
}

int avf_report_html(const struct avf_report *a, struct fl_buf *out, struct fl_err *err)
{
    const struct result *r = a->result;
    struct page p;
    if (page_open(&p, a, err) != 0)
        return -1;
    for (int i = 0; i < r->nparts; i++)
        for (int k = 0; k < i; k++)
            p.several_methods |= r->part[k].method != r->part[i].method &&
                                 r->part[k].method != METHOD_ACE && r->part[i].method != METHOD_ACE;
    write_body(&p);
    page_end(&p, out);
    return 0;
}
