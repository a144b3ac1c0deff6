/* avf_text.c -- the table of a campaign for people, and as CSV. See avf.h. */
#include "avf.h"
#include "caches.h"
#include "lines.h"
#include "protect.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "faultsim/result/made.h"
#include "faultsim/result/csv.h"
#include "wrong.h"

/* ---- for people ------------------------------------------------------------------------------ */

static void percent(struct fl_table *t, int decimals, double v)
{
    if (isnan(v))
        fl_table_cell(t, "-");
    else
        fl_table_cell(t, "%.*f", decimals, 100 * v);
}

static void number(struct fl_table *t, double v)
{
    if (isnan(v))
        fl_table_cell(t, "-");
    else
        fl_table_cell(t, "%.4g", v);
}

/* Of samples alone: others know their AVF. */
static void interval(struct fl_table *t, enum tally_method method, double lo, double hi)
{
    if (method == METHOD_SAMPLE && !isnan(lo))
        fl_table_cell(t, "%.5f-%.5f", 100 * lo, 100 * hi);
    else
        fl_table_cell(t, "-");
}

static void names(struct fl_table *t, const char *job, const char *kernel, const char *target,
                  enum tally_method method)
{
    fl_table_cell(t, "%s", job);
    fl_table_cell(t, "%s", kernel);
    fl_table_cell(t, "%s", target);
    fl_table_cell(t, "%s", tally_method_name(method));
}

static void row_name(struct fl_table *t, const struct tally_row *row)
{
    names(t, row->job, row->kernel, row->target, row->method);
}

/* Calls `line` for each row worth showing: one kernel alone is the same as "all", and launches may
 * be thousands. */
static void each_row(const struct avf_report *a,
                     void (*line)(const struct avf_report *a, int part, const struct tally_row *row,
                                  struct fl_table *t),
                     struct fl_table *t)
{
    for (int p = 0; p < a->result->nparts; p++) {
        int n;
        struct tally_row *row = avf_part_rows(a->result, p, &n);
        bool several = a->result->job[a->result->part[p].job].nkernels > 1;
        for (int i = 0; i < n; i++)
            if (i == n - 1 || (several && row[i].launch < 0))
                line(a, p, &row[i], t);
        free(row);
    }
}

/* Without a FIT there is no failure to compare an EIT with. */
static void rates(struct fl_table *t, double fit, double eit, double epf)
{
    number(t, fit);
    number(t, isnan(fit) ? (double)NAN : eit);
    number(t, epf);
}

/* Columns that several tables share. */
#define NAMES   "*job|*kernel|*target|*method|"
#define FIGURES "AVF %|interval|AVF_util %|occupancy %|warps %|FIT|EIT|EPF"

static void figures(struct fl_table *t, const struct tally_row *row, const struct metrics *m)
{
    bool owned = row->active_only;
    percent(t, 5, m->avf);
    interval(t, row->method, owned ? m->avf_util_lo : m->avf_lo,
             owned ? m->avf_util_hi : m->avf_hi);
    percent(t, 5, m->avf_util);
    percent(t, 5, m->occupancy);
    percent(t, 2, m->warp_occupancy);
    rates(t, m->fit, m->eit, m->epf);
}

static void avf_line(const struct avf_report *a, int part, const struct tally_row *row,
                     struct fl_table *t)
{
    struct metrics m;
    avf_metrics(a, a->result->part[part].job, row, &m);
    row_name(t, row);
    figures(t, row, &m);
}

static void outcome_line(const struct avf_report *a, int part, const struct tally_row *row,
                         struct fl_table *t)
{
    const struct tally *of = &row->t;
    (void)part;
    if (row->method == METHOD_ACE || of->counted == 0)
        return;
    row_name(t, row);
    fl_table_cell(t, "%llu", (unsigned long long)of->counted);
    if (row->method == METHOD_EXACT)
        fl_table_cell(t, "%llu", (unsigned long long)of->groups);
    else
        fl_table_cell(t, "-");
    fl_table_cell(t, "%llu", (unsigned long long)of->runs);
    for (int i = 0; i < OUT_COUNT; i++) {
        uint64_t ended = of->outcome[avf_column(i)];
        if (ended && avf_shows(a, avf_column(i)))
            percent(t, 5, (double)ended / (double)of->counted);
        else if (avf_shows(a, avf_column(i)))
            fl_table_cell(t, "0");
    }
}

static void print_outcomes(const struct avf_report *a, struct fl_buf *out)
{
    struct fl_table t = {0};
    fl_table_title(&t, "Outcomes of the flips (percent):");
    fl_table_columns(&t, NAMES "flips|groups|runs");
    for (int i = 0; i < OUT_COUNT; i++)
        if (avf_shows(a, avf_column(i)))
            fl_table_column(&t, '?', fsim_outcome_name(avf_column(i)));
    each_row(a, outcome_line, &t);
    fl_table_print(&t, out);
}

static void print_samples(const struct avf_report *a, struct fl_buf *out)
{
    struct fl_table t = {0};
    fl_table_title(&t, "SIFI's speed-up, from leaving out flips that no owner can read, and all "
                       "flips answered without a simulation:");
    fl_table_columns(&t, NAMES "injections|no owner|speed-up|not run");
    for (int p = 0; p < a->result->nparts; p++) {
        struct tally_row all;
        struct metrics m;
        avf_all(a, p, &all, &m);
        if (all.method == METHOD_EXACT || all.method == METHOD_ACE || !all.t.counted)
            continue;
        row_name(&t, &all);
        fl_table_cell(&t, "%llu", (unsigned long long)all.t.counted);
        fl_table_cell(&t, "%llu", (unsigned long long)tally_unowned(&all.t));
        number(&t, metrics_speedup(&all.t));
        fl_table_cell(&t, "%llu", (unsigned long long)all.t.not_run);
    }
    fl_table_print(&t, out);
}

static void print_ace(const struct avf_report *a, struct fl_buf *out)
{
    const struct result *r = a->result;
    struct fl_table t = {0};
    fl_table_title(&t, "Fault injection beside ACE (percent):");
    fl_table_columns(&t, NAMES "AVF|ACE|ACE/AVF|ACE util|mean util");
    for (int p = 0; p < r->nparts; p++) {
        int beside = avf_ace_beside(r, p);
        struct tally_row all, other;
        struct metrics fi, ace;
        if (beside < 0)
            continue;
        avf_all(a, p, &all, &fi);
        avf_all(a, beside, &other, &ace);
        row_name(&t, &all);
        percent(&t, 5, fi.avf);
        percent(&t, 5, ace.avf);
        number(&t, fi.avf > 0 ? ace.avf / fi.avf : (double)NAN);
        percent(&t, 5, ace.avf_util);
        percent(&t, 5, metrics_util_mean(&r->job[r->part[beside].job], &r->part[beside]));
    }
    if (fl_table_print(&t, out))
        fl_wrap(out, "ACE util: ratio of sums. mean util: mean of the ratios of each cycle, "
                     "after SIFI's equation 10.");
}

static void print_derating(const struct avf_report *a, struct fl_buf *out)
{
    struct fl_table t = {0};
    bool steady = true;
    fl_table_title(&t, "Derating after gpuFI-4 (percent):");
    fl_table_columns(&t, NAMES "FR|df|FR x df|AVF|off by");
    for (int p = 0; p < a->result->nparts; p++) {
        const struct result_part *part = &a->result->part[p];
        const struct result_job *j = &a->result->job[part->job];
        for (int k = 0; k < j->nkernels && part->method == METHOD_EXACT; k++) {
            struct metrics_derated d;
            if (!metrics_derate(j, part, k, &d))
                continue;
            steady &= j->timeline.steady;
            names(&t, j->name, j->kernel[k].name, part->target, part->method);
            percent(&t, 5, d.fr);
            percent(&t, 5, d.df);
            percent(&t, 5, d.avf);
            percent(&t, 5, d.physical);
            percent(&t, 5, d.off);
        }
    }
    if (fl_table_print(&t, out))
        fl_wrap(out,
                "FR: failing flips of owned bits, mean over cycles; it agrees with the AVF while "
                "the occupancy is constant.%s",
                steady ? ""
                       : "\nToo many blocks for exact means: these are over equal pieces of time.");
}

struct chip_table {
    struct fl_table t;
    const char *job;
};

static void chip_line(void *context, const struct result_part *part, int sm,
                      const struct metrics_chip *chip)
{
    struct chip_table *c = context;
    struct fl_table *t = &c->t;
    fl_table_cell(t, "%s", c->job);
    if (sm < 0)
        fl_table_cell(t, "-");
    else
        fl_table_cell(t, "sm%d", sm);
    fl_table_cell(t, "%s", tally_method_name(part->method));
    fl_table_cell(t, "%s", part->engine);
    percent(t, 5, chip->avf);
    interval(t, sm < 0 ? METHOD_EXACT : part->method, chip->avf_lo, chip->avf_hi);
    percent(t, 5, chip->wavf);
    number(t, (double)chip->bits);
    rates(t, chip->fit, chip->eit, chip->epf);
}

static void whole_chip_line(void *context, const struct result_part *part,
                            const struct metrics_chip *chip)
{
    chip_line(context, part, -1, chip);
}

/* Of the whole chip, or of each SM. */
static void print_chips(const struct avf_report *a, bool sms, struct fl_buf *out)
{
    struct chip_table c = {{0}, NULL};
    fl_table_title(&c.t, "%sll targets together, by bits (wAVF: kernels by cycles):",
                   sms ? "Each SM, a" : "A");
    fl_table_columns(&c.t, "*job|*SM|*method|*engine|AVF %|interval|wAVF %|bits|FIT|EIT|EPF");
    for (int j = 0; j < a->result->njobs; j++) {
        c.job = a->result->job[j].name;
        if (sms)
            avf_each_sm(a, j, chip_line, &c);
        else if (a->result->nparts > 1)
            avf_each_chip(a, j, whole_chip_line, &c);
    }
    fl_table_print(&c.t, out);
}

static void sps_line(void *context, const struct result_job *job, const struct tally_row *row,
                     const struct metrics *m)
{
    struct fl_table *t = context;
    fl_table_cell(t, "%.*s", (int)avf_program_length(job), row->job);
    fl_table_cell(t, "%s", row->target);
    fl_table_cell(t, "%s", tally_method_name(row->method));
    fl_table_cell(t, "%d", job->sps);
    fl_table_cell(t, "%llu", (unsigned long long)row->t.cycles);
    figures(t, row, m);
}

static void print_sps(const struct avf_report *a, struct fl_buf *out)
{
    struct fl_table t = {0};
    fl_table_title(&t, "On several numbers of SPs:");
    fl_table_columns(&t, "*job|*target|*method|*SPs|cycles|" FIGURES);
    avf_each_sps(a, sps_line, &t);
    fl_table_print(&t, out);
}

static int by_failed(const void *a, const void *b)
{
    const struct site *x = a, *y = b;
    uint64_t m = fsim_outcomes_failed(x->outcome), n = fsim_outcomes_failed(y->outcome);
    if (m != n)
        return m < n ? 1 : -1;
    if (x->kernel != y->kernel)
        return x->kernel < y->kernel ? -1 : 1;
    return (x->pc > y->pc) - (x->pc < y->pc);
}

static void print_code(const struct avf_report *a, struct fl_buf *out)
{
    enum { TOP = 5 };
    for (int p = 0; p < a->result->nparts; p++) {
        const struct result_part *part = &a->result->part[p];
        const struct result_job *j = &a->result->job[part->job];
        struct fl_table t = {0};
        int n;
        struct site *s = avf_by_instruction(part, SITE_READER, &n);
        uint64_t all = 0;
        for (int i = 0; i < n; i++)
            all += fsim_outcomes_failed(s[i].outcome);
        if (n)
            qsort(s, (size_t)n, sizeof *s, by_failed);
        fl_table_title(&t, "%s, %s (%s): where failing flips are first read", j->name, part->target,
                       tally_method_name(part->method));
        fl_table_columns(&t, "share %|<kernel|<address|<instruction");
        for (int i = 0; i < n && i < TOP; i++) {
            percent(&t, 2, (double)fsim_outcomes_failed(s[i].outcome) / (double)all);
            fl_table_cell(&t, "%s", j->kernel[s[i].kernel].name);
            fl_table_cell(&t, "%06x", s[i].pc);
            fl_table_cell(&t, "%s", avf_code_text(j, s[i].kernel, s[i].pc));
        }
        fl_table_print(&t, out);
        free(s);
        lines_print(j, part, part->method == METHOD_SAMPLE,
                    "AVF by the line of the source that reads the flips", out);
    }
}

void avf_notes(const struct result *r, struct fl_buf *out)
{
    for (int j = 0; j < r->njobs; j++)
        if (made_note(r->job[j].outputs))
            fl_wrap(out, "\n%s: %s.", r->job[j].name, made_note(r->job[j].outputs));
}

int avf_report_table(const struct avf_report *a, struct fl_buf *out, struct fl_err *err)
{
    struct fl_table t = {0};
    int bad = 0;
    fl_buf_printf(out, "%s\n", result_model(a->result)->title);
    fl_table_columns(&t, NAMES FIGURES);
    each_row(a, avf_line, &t);
    fl_table_print(&t, out);
    print_outcomes(a, out);
    if (a->protect)
        bad = protect_print(a, out, err);
    wrong_print(a->result, out);
    caches_print(a->result, out);
    print_samples(a, out);
    print_ace(a, out);
    print_derating(a, out);
    print_chips(a, false, out);
    print_chips(a, true, out);
    print_sps(a, out);
    print_code(a, out);
    if (a->rate)
        fl_wrap(out, "\nFIT of a bit: %g (%s)", a->fit_per_bit, a->rate);
    if (made_caches(a->made))
        fl_wrap(out, "\n%s", made_caches(a->made));
    for (int i = 0; i < a->result->nparts; i++)
        if (a->result->part[i].active_only) {
            fl_wrap(out, "\n%s", avf_owned_only);
            break;
        }
    avf_notes(a->result, out);
    return bad;
}

/* ---- CSV ------------------------------------------------------------------------------------- */

/* Their counts, or names where `row` is NULL: of all that there are, or of the optional ones. */
static void csv_outcomes(const bool shows[OUT_COUNT], const struct tally_row *row, bool optional,
                         struct fl_buf *out)
{
    for (enum fsim_outcome o = 0; o < OUT_COUNT; o++) {
        if (fsim_outcome_optional(o) != optional || !shows[o])
            continue;
        fl_buf_printf(out, ",%s", row ? "" : fsim_outcome_name(o));
        if (row && row->method != METHOD_ACE) /* lifetimes know no outcomes */
            fl_buf_printf(out, "%llu", (unsigned long long)row->t.outcome[o]);
    }
}

static int csv_line(const struct avf_report *a, int part, const struct tally_row *row,
                    const bool shows[OUT_COUNT], struct fl_buf *out, struct fl_err *err)
{
    const struct tally *t = &row->t;
    struct metrics m;
    avf_metrics(a, a->result->part[part].job, row, &m);
    if (strchr(row->target, '/')) /* warps are counted of the whole chip alone */
        m.warp_occupancy = NAN;
    csv_text(row->job, out);
    fl_buf_printf(out, ",");
    csv_text(row->kernel, out);
    if (row->launch >= 0)
        fl_buf_printf(out, ",%d,", row->launch);
    else
        fl_buf_printf(out, ",,");
    csv_text(row->target, out);
    fl_buf_printf(out, ",%s,%s,%llu,%llu,%llu,%llu,%llu", row->engine,
                  tally_method_name(row->method), (unsigned long long)t->bits,
                  (unsigned long long)t->cycles, (unsigned long long)t->population,
                  (unsigned long long)t->groups, (unsigned long long)t->runs);
    csv_outcomes(shows, row, false, out);
    for (int i = 0; i < METRICS_FIGURES; i++)
        csv_number(metrics_get(&m, i), out);
    csv_outcomes(shows, row, true, out);
    int bad = protect_csv(a, part, row, out, err);
    fl_buf_printf(out, "\n");
    return bad;
}

int avf_report_csv(const struct avf_report *a, struct fl_buf *out, struct fl_err *err)
{
    bool shows[OUT_COUNT];
    int bad = 0;
    for (enum fsim_outcome o = 0; o < OUT_COUNT; o++)
        shows[o] = avf_shows(a, o);
    made_csv(a->made, a->result->job, a->result->njobs, out);
    if (a->rate)
        fl_buf_printf(out, "# fit_per_bit=%g (%s)\n", a->fit_per_bit, a->rate);
    fl_buf_printf(out, "job,kernel,launch,target,engine,method,bits,cycles,population,groups,runs");
    csv_outcomes(shows, NULL, false, out);
    for (int i = 0; i < METRICS_FIGURES; i++)
        fl_buf_printf(out, ",%s", metrics_figure[i].name);
    csv_outcomes(shows, NULL, true, out);
    protect_csv(a, -1, NULL, out, err);
    fl_buf_printf(out, "\n");
    for (int p = 0; p < a->result->nparts && !bad; p++) {
        int n;
        struct tally_row *row = avf_part_rows(a->result, p, &n);
        for (int i = 0; i < n && !bad; i++)
            bad = csv_line(a, p, &row[i], shows, out, err);
        free(row);
        for (int i = 0; i < a->result->part[p].sms; i++) {
            struct tally_row of_sm;
            if (!avf_sm_row(a->result, p, i, &of_sm))
                continue;
            bad = bad || csv_line(a, p, &of_sm, shows, out, err);
            free((char *)(uintptr_t)of_sm.target);
        }
    }
    return bad ? -1 : 0;
}

struct flip_lines {
    struct fl_buf *out;
    const char *job, *target;
};

static int csv_flip(void *context, const struct store_injection *i)
{
    struct flip_lines *l = context;
    csv_text(l->job, l->out);
    fl_buf_printf(l->out, ",%s,", l->target);
    wrong_csv(i, NULL, l->out);
    return 0;
}

/* Pruned or by brute force, each flip ends the same: what made these lines does not say which. */
int avf_report_csv_faults(const struct avf_report *a, struct fl_buf *out, struct fl_err *err)
{
    const struct result *r = a->result;
    for (int p = 0; p < r->nparts; p++)
        if (r->part[p].sums_only)
            return fl_fail(err,
                           "--csv-faults has a line for each flip, and the store keeps sums alone "
                           "(--keep sums): leave it out, or start the campaign again with --keep "
                           "flips in another file");
    char *made = made_without(a->made, "exhaustive");
    made_csv(made, r->job, r->njobs, out);
    free(made);
    fl_buf_printf(out, "job,target," WRONG_CSV(""));
    for (int p = 0; p < r->nparts; p++) {
        struct flip_lines l = {out, r->job[r->part[p].job].name, r->part[p].target};
        if (r->part[p].method != METHOD_EXACT && r->part[p].method != METHOD_ACE &&
            store_injections(a->store, p, csv_flip, &l, err) != 0)
            return -1;
    }
    return 0;
}
