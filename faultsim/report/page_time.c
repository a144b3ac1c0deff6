/* page_time.c -- of a page: when the flips of each structure fail. */
#include <math.h>
#include <stdlib.h>

#include "base/stats.h"
#include "page.h"

static double avf_in(const struct result_part *part, const struct moment *m, double flips)
{
    if (part->method == METHOD_ACE)
        return (double)m->ace / flips;
    if (part->method == METHOD_EXACT)
        return (double)fsim_outcomes_failed(m->outcome) / flips;
    return fsim_outcomes_counted(m->outcome) ? (double)fsim_outcomes_failed(m->outcome) /
                                                   (double)fsim_outcomes_counted(m->outcome)
                                             : (double)NAN;
}

/* Its AVF, and, unless `occupancy` is -1, that; pieces of a sample are joined until they say something. */
static void curves(struct page *p, const struct result_part *part, uint64_t bits, struct steps *s,
                   int avf, int occupancy)
{
    enum { ENOUGH = 100 }; /* injections for a step: fewer say nothing */
    const struct timeline *t = &p->a->result->job[part->job].timeline;
    struct moment sum = {0};
    uint64_t from = t->edge[0];
    for (int b = 0; b < t->buckets; b++) {
        const struct moment *m = &part->moment[b];
        for (int o = 0; o < OUT_COUNT; o++)
            sum.outcome[o] += m->outcome[o];
        sum.ace += m->ace;
        if (occupancy >= 0)
            steps_add(s, occupancy, t->edge[b], t->edge[b + 1],
                      100 * (double)m->owned /
                          ((double)bits * (double)(t->edge[b + 1] - t->edge[b])));
        if (part->method == METHOD_SAMPLE && fsim_outcomes_counted(sum.outcome) < ENOUGH &&
            b + 1 < t->buckets)
            continue;
        double flips = (double)bits * (double)(t->edge[b + 1] - from);
        double y = 100 * avf_in(part, &sum, flips);
        struct stats_interval at = {0, 0};
        if (part->method == METHOD_SAMPLE)
            at = stats_wilson(fsim_outcomes_failed(sum.outcome), fsim_outcomes_counted(sum.outcome),
                              part->confidence);
        steps_add_sampled(s, avf, from, t->edge[b + 1], y, 100 * at.lo, 100 * at.hi);
        from = t->edge[b + 1];
        sum = (struct moment){0};
    }
}

static bool has_times(const struct result_job *j, const struct result_part *part)
{
    uint64_t any = 0;
    for (int b = 0; b < j->timeline.buckets && part->method != METHOD_LIST; b++)
        any |= fsim_outcomes_failed(part->moment[b].outcome) | part->moment[b].ace;
    return any != 0;
}

/* "AVF of a sample, n = 1500, with its 95 % interval". Caller frees. */
static char *curve_title(const struct result_part *part, const char *title)
{
    if (part->method != METHOD_SAMPLE)
        return fl_strdup(title);
    return fl_format("%s, n = %llu, with its %g %% interval", title,
                     (unsigned long long)part->flips, 100 * part->confidence);
}

/* All methods of a structure in one figure, and its occupancy. */
static void over_time(struct page *p, int first)
{
    static const char *const title[METHOD_COUNT] = {
        [METHOD_EXACT] = "AVF", [METHOD_SAMPLE] = "AVF of a sample", [METHOD_ACE] = "ACE"};
    static const char *const colour[METHOD_COUNT] = {
        [METHOD_EXACT] = "#d55e00", [METHOD_SAMPLE] = "#0072b2", [METHOD_ACE] = "#56b4e9"};
    const struct result *r = p->a->result;
    const struct result_part *part = &r->part[first];
    const struct result_job *j = &r->job[part->job];
    uint64_t bits = 0;
    struct steps s;
    int occupancy = -1;
    for (int k = 0; k < j->nlaunches; k++)
        bits = part->tally[k].bits > bits ? part->tally[k].bits : bits;
    if (!bits)
        return;
    char *name = fl_format("time-%s-%s", j->name, part->target);
    char *caption = page_part_name(p, part, false);
    steps_begin(&s, name, caption, j->timeline.edge[0], j->timeline.edge[j->timeline.buckets]);
    free(name);
    free(caption);
    for (int i = first; i < r->nparts && s.ncurves + 2 <= STEPS_CURVES; i++) {
        enum tally_method method = r->part[i].method;
        if (!page_same_bits(&r->part[i], part) || !has_times(j, &r->part[i]))
            continue;
        char *curve = curve_title(&r->part[i], title[method]);
        int avf = steps_curve(&s, curve, colour[method], method == METHOD_ACE);
        free(curve);
        bool again = occupancy >= 0;
        if (!again)
            occupancy = steps_curve(&s, "occupancy", "#777777", true);
        curves(p, &r->part[i], bits, &s, avf, again ? -1 : occupancy);
    }
    page_steps(p, &s);
}

static bool is_first(const struct result *r, int part)
{
    for (int i = 0; i < part; i++)
        if (page_same_bits(&r->part[i], &r->part[part]))
            return false;
    return true;
}

void page_time(struct page *p)
{
    const struct result *r = p->a->result;
    bool any = false;
    for (int i = 0; i < r->nparts; i++)
        any |= has_times(&r->job[r->part[i].job], &r->part[i]);
    if (!any)
        return;
    page_heading(p, 2, "Over time");
    page_say(p,
             "AVF in % over the cycles of the job: the share of the flips of a cycle that fails. "
             "The shaded band of a sample is its interval. Below it, from 0 to 100&#8239;%: the "
             "share of bits that a block or warp owns.");
    fl_buf_printf(&p->html, "<div class=\"times\">\n");
    for (int i = 0; i < r->nparts; i++)
        if (is_first(r, i))
            over_time(p, i);
    fl_buf_printf(&p->html, "</div>\n");
}
