/* avf_html_detail.c -- of the page of AVF: when flips fail, and over which code. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "page.h"

/* ---- over time ------------------------------------------------------------------------------- */

static uint64_t moment_failed(const struct moment *m)
{
    return m->outcome[OUT_SDC] + m->outcome[OUT_CRASH] + m->outcome[OUT_TIMEOUT] +
           m->outcome[OUT_HANG];
}

static uint64_t moment_counted(const struct moment *m)
{
    return moment_failed(m) + m->outcome[OUT_MASKED] + m->outcome[OUT_PERFORMANCE] +
           m->outcome[OUT_TOLERABLE];
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
        page_value(p, avf);
        page_value(p, occupancy);
        fl_buf_printf(&p->script, "\n");
        from = t->edge[b + 1];
        sum = (struct moment){0};
    }
    fl_buf_printf(&p->script, "%llu", (unsigned long long)from); /* the last step's right end */
    page_value(p, avf);
    page_value(p, occupancy);
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

/* All methods of a structure in one plot, and its occupancy. Where few flips fail these have an
 * axis of their own, since lifetimes and occupancy would flatten them. */
void avf_html_over_time(struct page *p, int first)
{
    const struct result *r = p->a->result;
    const struct result_part *part = &r->part[first];
    const struct result_job *j = &r->job[part->job];
    uint64_t bits = 0;
    double most = 0;
    bool injected = false;
    int with[METHOD_ACE + 1], n = 0;
    for (int i = 0; i < first; i++)
        if (page_same_bits(&r->part[i], part))
            return;
    for (int k = 0; k < j->nkernels; k++)
        if (part->tally[k].bits > bits)
            bits = part->tally[k].bits;
    for (int i = first; i < r->nparts && n <= METHOD_ACE; i++)
        if (page_same_bits(&r->part[i], part) && tells_of_time(j, &r->part[i]))
            with[n++] = i;
    if (!n || !bits)
        return;
    size_t data = p->script.size;
    for (int i = 0; i < n; i++) {
        fl_buf_printf(&p->script, "$d%d_%d << END_OF_DATA\n", p->plots, i);
        double m = time_data(p, &r->part[with[i]], bits);
        injected |= r->part[with[i]].method != METHOD_ACE;
        most = r->part[with[i]].method != METHOD_ACE && m > most ? m : most;
        page_end_data(p);
    }
    char *name = fl_format("time-%s-%s", j->name, part->target);
    page_data(p, name, data);
    bool one_axis = most > 20 || !injected;
    const char *right = one_axis ? "" : " (right axis)", *axes = one_axis ? "x1y1" : "x1y2";
    page_begin_plot(p, one_axis ? "%" : "AVF, %");
    if (one_axis)
        fl_buf_printf(&p->script, "set yrange [0:100]\n");
    else
        fl_buf_printf(&p->script, "set y2label '%%'\nset y2tics\nset y2range [0:100]\n"
                                  "set border 11\n");
    fl_buf_printf(&p->script,
                  "set xlabel 'cycle'\nset xrange [%llu:%llu]\nplot $d%d_0 using 1:3 axes %s with "
                  "steps lw 1.5 dt 2 lc rgb '#b9770e' title 'occupancy%s'",
                  (unsigned long long)j->timeline.edge[0],
                  (unsigned long long)j->timeline.edge[j->timeline.buckets], p->plots, axes, right);
    for (int i = 0; i < n; i++) {
        enum tally_method method = r->part[with[i]].method;
        bool ace = method == METHOD_ACE;
        fl_buf_printf(
            &p->script,
            ", $d%d_%d using 1:2 axes %s with steps lw 1.5 dt %d lc rgb '%s' title '%s%s'",
            p->plots, i, ace ? axes : "x1y1", (int)method + 1 + (method != METHOD_EXACT),
            page_method_colour[method],
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
    page_end_plot(p, name, caption);
    free(caption);
    free(name);
}

/* ---- over code ------------------------------------------------------------------------------- */

/* In percent of all faults: what each instruction or register adds to the AVF. */
static void site_plot(struct page *p, const struct result_part *part, int kernel,
                      const struct site *s, int n, bool by_register)
{
    const struct result_job *j = &p->a->result->job[part->job];
    double all = (double)part->tally[kernel].counted;
    char *caption = fl_format(
        "%s, kernel %s, %s (%s): %s", j->name, j->kernel[kernel].name, part->target,
        tally_method_name(part->method),
        by_register ? "faults that fail, of all faults, by register."
                    : "faults that fail, of all faults, by the instruction that reads "
                      "them first.");
    char *name = fl_format("%s-%s-%s-%s-%s", by_register ? "registers" : "code", j->name,
                           j->kernel[kernel].name, part->target, tally_method_name(part->method));
    struct chart c;
    chart_begin(&c, name, caption, true);
    free(caption);
    free(name);
    for (int o = 0; o < PAGE_FAILING; o++)
        chart_series(&c, page_shown[o].name, page_shown[o].colour);
    for (int i = 0; i < n; i++) {
        char *label = by_register ? fl_format("R%d", s[i].reg) : fl_format("%06x", s[i].pc);
        struct chart_row *row = chart_row(
            &c, label, by_register ? NULL : avf_code_text(j, s[i].kernel, s[i].pc));
        for (int o = 0; o < PAGE_FAILING; o++)
            row->value[o] = 100 * (double)s[i].outcome[page_shown[o].outcome] / all;
        free(label);
    }
    page_chart(p, &c);
}

static void code_table(struct page *p, const struct result_part *part, const char *summary,
                       const struct site *s, int n)
{
    const struct result_job *j = &p->a->result->job[part->job];
    double all = 0;
    for (int i = 0; i < n; i++)
        all += (double)avf_site_failed(&s[i]);
    fl_buf_printf(&p->html, "<details><summary>%s</summary>\n", summary);
    page_head(p, "*address|*instruction|share of failures %|@|masked");
    for (int i = 0; i < n; i++) {
        char pc[16];
        snprintf(pc, sizeof pc, "%06x", s[i].pc);
        page_begin_row(p);
        page_cell_text(p, "c", pc);
        page_cell_text(p, "c", avf_code_text(j, s[i].kernel, s[i].pc));
        page_cell_percent(p, (double)avf_site_failed(&s[i]) / all);
        for (int o = 0; o < p->outcomes; o++)
            page_cell_count(p, s[i].outcome[page_shown[o].outcome]);
        page_cell_count(p, s[i].outcome[OUT_MASKED]);
        page_end_row(p);
    }
    page_end_table(p);
    fl_buf_printf(&p->html, "</details>\n");
}

/* The source beside its AVF. */
static void line_table(struct page *p, const struct result_part *part, enum site_role role,
                       const char *summary)
{
    const struct result_job *j = &p->a->result->job[part->job];
    int n;
    struct line_row *row = lines_of(j, part, role, &n);
    struct tally all;
    result_tally(j, part, -1, &all);
    if (n) {
        fl_buf_printf(&p->html, "<details%s><summary>%s, %s: %s</summary>\n",
                      role == SITE_READER ? " open" : "", part->target,
                      tally_method_name(part->method), summary);
        page_head(p, "*line of the source|AVF %|@|masked");
    }
    for (int i = 0; i < n; i++) {
        page_begin_row(p);
        page_cell_text(p, "c", row[i].text);
        page_cell_percent(p, (double)row[i].failed / (double)all.counted);
        for (int o = 0; o < p->outcomes; o++)
            page_cell_count(p, row[i].outcome[page_shown[o].outcome]);
        page_cell_count(p, row[i].outcome[OUT_MASKED]);
        page_end_row(p);
    }
    if (n) {
        page_end_table(p);
        fl_buf_printf(&p->html, "</details>\n");
    }
    free(row);
}

void avf_html_over_code(struct page *p, const struct result_part *part)
{
    int ninstructions, nregisters, nwriters;
    struct site *s = avf_by_instruction(part, SITE_READER, &ninstructions);
    struct site *regs = avf_by_register(part, SITE_READER, &nregisters);
    struct site *writer = avf_by_instruction(part, SITE_WRITER, &nwriters);
    line_table(p, part, SITE_READER, "the lines of the source that read the flips that fail");
    line_table(p, part, SITE_WRITER, "the lines that had written what was flipped");
    for (int i = 0, end; i < ninstructions; i = end) {
        for (end = i; end < ninstructions && s[end].kernel == s[i].kernel; end++)
            ;
        site_plot(p, part, s[i].kernel, s + i, end - i, false);
        code_table(p, part, "the instructions that read them", s + i, end - i);
        int w = 0, last;
        while (w < nwriters && writer[w].kernel < s[i].kernel)
            w++;
        for (last = w; last < nwriters && writer[last].kernel == s[i].kernel; last++)
            ;
        if (last > w)
            code_table(p, part, "the instructions that had written them", writer + w, last - w);
    }
    for (int i = 0, end; i < nregisters; i = end) {
        for (end = i; end < nregisters && regs[end].kernel == regs[i].kernel; end++)
            ;
        site_plot(p, part, regs[i].kernel, regs + i, end - i, true);
    }
    free(s);
    free(writer);
    free(regs);
}
