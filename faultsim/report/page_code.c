/* page_code.c -- of a page: what fails in each line of the source, in each instruction and in each register. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "source.h"
#include "faultsim/result/csv.h"

/* ---- listings -------------------------------------------------------------------------------- */

/* Code with its heat: how much of all that was counted fails in each row, as a figure and as the strength of one colour. */
struct heat_row {
    char label[16]; /* number of a line, address */
    const char *text;
    int length;
    bool code; /* else nothing can fail in it */
    uint64_t failed[SITE_ROLES];
};

struct heat {
    const struct result_part *part;
    uint64_t counted;
    uint64_t hottest;          /* of all listings of the part: one scale for them */
    const char *label, *title; /* what the rows are; a file, a kernel */
    const char *class;
    bool fold; /* where nothing fails */
    struct heat_row *row;
    int nrows;
};

static bool any(const struct heat *h, int role)
{
    for (int i = 0; i < h->nrows; i++)
        if (h->row[i].failed[role])
            return true;
    return false;
}

/* 0 for nothing, 1 to 9 for all else. */
static int step(uint64_t failed, uint64_t of)
{
    return failed ? (int)ceil(9 * (double)failed / (double)of) : 0;
}

static void figure(const struct heat *h, uint64_t failed, struct fl_buf *out)
{
    figure_percent(out, 100 * (double)failed / (double)h->counted,
                   100 * page_doubt(h->part->method, failed, h->counted, h->part->confidence));
}

static bool matters(const struct heat *h, int row)
{
    const struct heat_row *r = &h->row[row];
    return r->failed[SITE_READER] || r->failed[SITE_WRITER] || (r->code && !h->fold);
}

/* How many rows from this one on are folded: those that do not matter, but for two beside one that does. */
static int folded(const struct heat *h, int row)
{
    enum { BESIDE = 2, SHORT = 40, WORTH_IT = 3 };
    int n = 0;
    for (int at = row; at < h->nrows && (h->fold || h->nrows > SHORT); at++, n++)
        for (int k = at - BESIDE; k <= at + BESIDE; k++)
            if (k >= 0 && k < h->nrows && matters(h, k))
                return n >= WORTH_IT ? n : 0;
    return n >= WORTH_IT ? n : 0;
}

static void put_row(const struct heat *h, const struct heat_row *r, bool writers,
                    struct fl_buf *out)
{
    int heat = step(r->failed[SITE_READER], h->hottest);
    fl_buf_printf(out, heat ? "<tr class=h%d>" : "<tr>", heat);
    fl_buf_printf(out, "<td>%s<td class=c>", r->label);
    char *text = fl_format("%.*s", r->length, r->text);
    figure_escaped(out, text);
    free(text);
    for (int role = 0; role <= (writers ? SITE_WRITER : SITE_READER); role++) {
        fl_buf_printf(out, "<td>");
        if (r->code)
            figure(h, r->failed[role], out);
    }
    fl_buf_printf(out, "\n");
}

static void legend(const struct heat *h, const char *reads, struct fl_buf *out)
{
    fl_buf_printf(out, "<div class=\"legend\">%s: 0 <span>", reads);
    for (int i = 1; i <= 9; i++)
        fl_buf_printf(out, "<i class=\"h%d\"></i>", i);
    fl_buf_printf(out, "</span> ");
    figure(h, h->hottest, out);
    fl_buf_printf(out, "&#8239;%%</div>\n");
}

static void put_csv(struct page *p, const struct heat *h)
{
    char *name = fl_format("%s-%s-%s-%s-%s", h->label, p->a->result->job[h->part->job].name,
                           h->title, h->part->target, tally_method_name(h->part->method));
    struct fl_buf *out = page_file(p, name, "csv", true);
    free(name);
    if (!out)
        return;
    fl_buf_printf(out, "%s,code,reads %%,wrote %%\n", h->label);
    for (int i = 0; i < h->nrows; i++) {
        char *text = fl_format("%.*s", h->row[i].length, h->row[i].text);
        fl_buf_printf(out, "%s,", h->row[i].label);
        csv_text(text, out);
        for (int role = 0; role < SITE_ROLES; role++)
            fl_buf_printf(out, ",%.9g", 100 * (double)h->row[i].failed[role] / (double)h->counted);
        fl_buf_printf(out, "\n");
        free(text);
    }
}

static void put_heat(struct page *p, const struct heat *h, const char *reads)
{
    struct fl_buf *out = &p->html;
    bool both = any(h, SITE_WRITER);
    if (!any(h, SITE_READER))
        return;
    legend(h, reads, out);
    fl_buf_printf(out, "<table class=\"code%s\"><tr><th>%s<th class=c>", h->class, h->label);
    page_escaped(p, h->title);
    fl_buf_printf(out, both ? "<th>reads<th>wrote\n" : "<th>%%\n");
    for (int i = 0; i < h->nrows; i++) {
        int skip = folded(h, i);
        if (skip) {
            fl_buf_printf(out, "<tr class=f><td><td class=c colspan=%d>&#8943; %d more\n", 2 + both,
                          skip);
            i += skip - 1;
        } else
            put_row(h, &h->row[i], both, out);
    }
    fl_buf_printf(out, "</table>\n");
    put_csv(p, h);
}

static uint64_t counted(const struct page *p, const struct result_part *part)
{
    struct tally all;
    result_tally(&p->a->result->job[part->job], part, -1, &all);
    return all.counted;
}

/* ---- source ---------------------------------------------------------------------------------- */

static uint64_t hottest_line(const struct source_file *file, int count)
{
    uint64_t most = 0;
    for (int f = 0; f < count; f++)
        for (int i = 0; i < file[f].nlines; i++)
            if (file[f].line[i].failed[SITE_READER] > most)
                most = file[f].line[i].failed[SITE_READER];
    return most;
}

static void put_source(struct page *p, const struct result_part *part, const struct source_file *f,
                       uint64_t hottest, const char *reads)
{
    struct heat h = {.part = part,
                     .counted = counted(p, part),
                     .hottest = hottest,
                     .label = "line",
                     .title = f->name,
                     .class = "",
                     .nrows = f->nlines};
    h.row = fl_alloc((size_t)f->nlines * sizeof *h.row);
    for (int i = 0; i < f->nlines; i++) {
        const struct source_line *l = &f->line[i];
        h.row[i] = (struct heat_row){
            .text = l->text, .length = (int)strlen(l->text), .code = l->code};
        snprintf(h.row[i].label, sizeof h.row[i].label, "%d", l->number);
        memcpy(h.row[i].failed, l->failed, sizeof l->failed);
    }
    put_heat(p, &h, reads);
    free(h.row);
}

static void begin_details(struct page *p, const struct result_part *part, bool open)
{
    char *name = page_part_name(p, part, true);
    fl_buf_printf(&p->html, "<details%s><summary>", open ? " open" : "");
    page_escaped(p, name);
    fl_buf_printf(&p->html, "</summary>\n");
    free(name);
}

/* How much fails in a part, in bits; -1: it is not shown. */
static double weight(const struct result *r, int part)
{
    struct tally t;
    result_tally(&r->job[r->part[part].job], &r->part[part], -1, &t);
    return t.counted && page_stands_for(r, part) ? (double)tally_failed(&t) / (double)t.counted *
                                                       (double)(t.bits ? t.bits : t.counted)
                                                 : -1;
}

/* Job by job, the part in which most fails first, and open. */
static void each_part(struct page *p,
                      void (*show)(struct page *p, const struct result_part *part, bool first,
                                   const char *reads),
                      const char *reads)
{
    const struct result *r = p->a->result;
    for (int j = 0; j < r->njobs; j++) {
        int heaviest = -1;
        for (int i = 0; i < r->nparts; i++)
            if (r->part[i].job == j && weight(r, i) > 0 &&
                (heaviest < 0 || weight(r, i) > weight(r, heaviest)))
                heaviest = i;
        if (heaviest >= 0)
            show(p, &r->part[heaviest], true, reads);
        for (int i = 0; i < r->nparts; i++)
            if (r->part[i].job == j && weight(r, i) > 0 && i != heaviest)
                show(p, &r->part[i], false, reads);
    }
}

static void source_of_part(struct page *p, const struct result_part *part, bool first,
                           const char *reads)
{
    int count;
    struct source_file *file = source_heat(&p->a->result->job[part->job], part, &count);
    if (hottest_line(file, count)) {
        begin_details(p, part, first);
        for (int f = 0; f < count; f++)
            put_source(p, part, &file[f], hottest_line(file, count), reads);
        fl_buf_printf(&p->html, "</details>\n");
    }
    source_free(file, count);
}

static bool has_lines(const struct result_job *j)
{
    struct source_place at;
    for (int i = 0; i < j->ncode; i++)
        if (source_place(j->code[i].text, &at))
            return true;
    return false;
}

/* Whether something fails in an instruction; with `lines`: in one that has a line. */
static bool fails_in_code(const struct result *r, bool lines)
{
    for (int i = 0; i < r->nparts; i++)
        if ((!lines || has_lines(&r->job[r->part[i].job])) && weight(r, i) > 0 &&
            r->part[i].sites.count)
            return true;
    return false;
}

void page_source(struct page *p, const char *reads)
{
    if (!fails_in_code(p->a->result, true))
        return;
    page_heading(p, 2, "Source");
    each_part(p, source_of_part, reads);
}

/* ---- instructions and registers -------------------------------------------------------------- */

static void by_register(struct page *p, const struct result_part *part, int kernel)
{
    const struct result_job *j = &p->a->result->job[part->job];
    uint64_t all = counted(p, part);
    int n;
    struct site *s = avf_by_register(part, SITE_READER, &n);
    struct chart c;
    char *name = fl_format("registers-%s-%s-%s-%s", j->name, j->kernel[kernel].name, part->target,
                           tally_method_name(part->method));
    chart_begin(&c, name, "By the register that was hit.", "share in %", true);
    free(name);
    for (int o = 0; o < p->failing; o++)
        chart_series(&c, fsim_outcome_name(p->shown[o].outcome), p->shown[o].colour);
    for (int i = 0; i < n; i++) {
        if (s[i].kernel != kernel)
            continue;
        char label[16];
        snprintf(label, sizeof label, "R%d", s[i].reg);
        struct chart_row *row = chart_row(&c, label);
        for (int o = 0; o < p->failing; o++) {
            uint64_t failed = s[i].outcome[p->shown[o].outcome];
            row->value[o] = 100 * (double)failed / (double)all;
            row->half[o] = 100 * page_doubt(part->method, failed, all, part->confidence);
        }
    }
    page_chart(p, &c);
    free(s);
}

static const struct site *site_at(const struct site *s, int n, int kernel, uint32_t pc)
{
    for (int i = 0; i < n; i++)
        if (s[i].kernel == kernel && s[i].pc == pc)
            return &s[i];
    return NULL;
}

/* The instructions of a kernel, each with what fails in it. */
static void by_instruction(struct page *p, const struct result_part *part, int kernel,
                           const char *reads)
{
    const struct result_job *j = &p->a->result->job[part->job];
    struct heat h = {.part = part,
                     .counted = counted(p, part),
                     .label = "address",
                     .title = j->kernel[kernel].name,
                     .class = " a",
                     .fold = true};
    struct site *by[SITE_ROLES];
    int n[SITE_ROLES];
    for (int role = 0; role < SITE_ROLES; role++)
        by[role] = avf_by_instruction(part, (enum site_role)role, &n[role]);
    for (int i = 0; i < n[SITE_READER]; i++)
        if (fsim_outcomes_failed(by[SITE_READER][i].outcome) > h.hottest)
            h.hottest = fsim_outcomes_failed(by[SITE_READER][i].outcome);
    h.row = fl_alloc(((size_t)j->ncode + 1) * sizeof *h.row);
    for (int i = 0; i < j->ncode; i++) {
        struct source_place at;
        if (j->code[i].kernel != kernel)
            continue;
        struct heat_row *row = &h.row[h.nrows++];
        source_place(j->code[i].text, &at);
        *row = (struct heat_row){.text = j->code[i].text, .length = at.code_length, .code = true};
        snprintf(row->label, sizeof row->label, "%06x", j->code[i].pc);
        for (int role = 0; role < SITE_ROLES; role++) {
            const struct site *s = site_at(by[role], n[role], kernel, j->code[i].pc);
            row->failed[role] = s ? fsim_outcomes_failed(s->outcome) : 0;
        }
    }
    put_heat(p, &h, reads);
    free(h.row);
    for (int role = 0; role < SITE_ROLES; role++)
        free(by[role]);
}

static bool has_sites(const struct result_part *part, int kernel)
{
    for (int i = 0; i < part->sites.count; i++)
        if (part->sites.site[i].kernel == kernel &&
            fsim_outcomes_failed(part->sites.site[i].outcome))
            return true;
    return false;
}

static void code_of_part(struct page *p, const struct result_part *part, bool first,
                         const char *reads)
{
    const struct result_job *j = &p->a->result->job[part->job];
    bool begun = false;
    for (int k = 0; k < j->nkernels; k++) {
        if (!has_sites(part, k))
            continue;
        if (!begun)
            begin_details(p, part, first && !has_lines(j));
        begun = true;
        by_instruction(p, part, k, reads);
        by_register(p, part, k);
    }
    if (begun)
        fl_buf_printf(&p->html, "</details>\n");
}

void page_code(struct page *p, const char *reads)
{
    if (!fails_in_code(p->a->result, false))
        return;
    page_heading(p, 2, "Instructions and registers");
    each_part(p, code_of_part, reads);
}
