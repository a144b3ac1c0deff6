/* report.c -- faultsim report, and the reports of a campaign that has just run: both read a
 * store. */
#include "commands.h"

#include <stdlib.h>
#include <string.h>

#include "faultsim/report/coverage.h"
#include "faultsim/report/wrong.h"
#include "faultsim/result/made.h"

const char cli_owned_only[] =
    "--active-only finds the AVF_util of owned bits, and FIT is that of all bits: leave "
    "--technology and --fit-per-bit out";

struct lines {
    struct fl_buf *out;
    const char *job, *target;
};

static int injection_line(void *context, const struct store_injection *i)
{
    struct lines *l = context;
    fl_buf_printf(l->out, "%s,%s,%s,%s,", l->job, l->target, i->id, fsim_outcome_name(i->outcome));
    if (i->first_activation != FSIM_NEVER)
        fl_buf_printf(l->out, "%llu", (unsigned long long)i->first_activation);
    fl_buf_printf(l->out, ",");
    if (i->end != FSIM_NEVER)
        fl_buf_printf(l->out, "%llu", (unsigned long long)i->end);
    fl_buf_printf(l->out, ",%s", i->reason);
    wrong_csv(i->elements, i->by, l->out);
    fl_buf_printf(l->out, "\n");
    return 0;
}

/* Pruned or by brute force, each flip ends the same: what made these lines does not say which. */
static int write_injections(const struct cli_request *r, const struct store *s, const char *made,
                            struct fl_err *err)
{
    const struct result *found = store_result(s);
    for (int p = 0; p < found->nparts; p++)
        if (found->part[p].sums_only)
            return fl_fail(err,
                           "--csv-faults has a line for each flip, and the store keeps sums alone "
                           "(--keep sums): leave it out, or start the campaign again with --keep "
                           "flips in another file");
    struct fl_buf b = {0};
    char *flips = fl_strdup(made), *brute = strstr(flips, " exhaustive");
    if (brute)
        memmove(brute, brute + 11, strlen(brute + 11) + 1);
    made_csv(flips, found->job, found->njobs, &b);
    free(flips);
    fl_buf_printf(&b,
                  "job,target,id,outcome,first_activation_cycle,end_cycle,reason" WRONG_CSV "\n");
    for (int p = 0; p < found->nparts; p++) {
        struct lines l = {&b, found->job[found->part[p].job].name, found->part[p].target};
        if (found->part[p].method != METHOD_EXACT && found->part[p].method != METHOD_ACE &&
            store_injections(s, p, injection_line, &l, err) != 0) {
            fl_buf_free(&b);
            return -1;
        }
    }
    return cli_write(r->csv_faults, &b, err);
}

/* The rate asked for, else the one that the campaign was given. */
static struct avf_report report_of(const struct cli_request *r, const struct store *s,
                                   const char *made)
{
    struct avf_report a = {store_result(s), made, r->rate.fit_per_bit, r->rate.from};
    int n;
    const struct metrics_technology *t = metrics_technologies(&n);
    if (a.fit_per_bit > 0)
        return a;
    a.fit_per_bit = store_get(s, "fit_per_bit", 0);
    a.rate = a.fit_per_bit > 0 ? "--fit-per-bit" : NULL;
    for (int i = 0; i < n; i++)
        if (t[i].fit_per_bit == a.fit_per_bit)
            a.rate = t[i].source;
    return a;
}

static int write_files(const char *dir, const struct page_files *files, struct fl_err *err)
{
    int bad = 0;
    for (int i = 0; i < files->count && !bad; i++) {
        const struct page_file *f = &files->file[i];
        char *path = fl_format("%s/%s", dir, f->name);
        bad = fl_write_file(path, f->text.data, f->text.size, err);
        free(path);
    }
    return bad;
}

/* The page of --html, and the files of --plots. */
static int write_page(const struct cli_request *r, const struct avf_report *a, bool coverage,
                      struct fl_err *err)
{
    struct fl_buf b = {0};
    struct page_files files = {0};
    int bad = (coverage ? coverage_html : avf_report_html)(a, &b, r->plots ? &files : NULL, err);
    if (!bad && r->html)
        bad = cli_write(r->html, &b, err);
    else
        fl_buf_free(&b);
    if (!bad && r->plots)
        bad = write_files(r->plots, &files, err);
    page_files_free(&files);
    return bad;
}

static int report_made(const struct cli_request *r, const struct store *s, const char *made,
                       struct fl_err *err)
{
    struct avf_report a = report_of(r, s, made);
    struct fl_buf b = {0};
    bool coverage = coverage_is(made);
    if (r->csv) {
        if (coverage)
            coverage_csv(&a, &b);
        else
            avf_report_csv(&a, &b);
        if (cli_write(r->csv, &b, err) != 0)
            return -1;
    }
    if (r->csv_faults && write_injections(r, s, made, err) != 0)
        return -1;
    if (r->xml && (avf_report_xml(&a, &b, err) != 0 || cli_write(r->xml, &b, err) != 0))
        return -1;
    if ((r->html || r->plots) && write_page(r, &a, coverage, err) != 0)
        return -1;
    if (!r->quiet) {
        if (coverage)
            coverage_table(&a, &b);
        else
            avf_report_table(&a, &b);
        cli_print(r, &b);
    }
    return 0;
}

int cli_report_page(const struct cli_request *r, const struct store *s, struct fl_err *err)
{
    char *made = store_made(s);
    struct avf_report a = report_of(r, s, made);
    int bad = write_page(r, &a, true, err);
    free(made);
    return bad;
}

int cli_report_store(const struct cli_request *r, const struct store *s, struct fl_err *err)
{
    char *made = store_made(s);
    int bad = report_made(r, s, made, err);
    free(made);
    return bad;
}

int cli_report(struct cli_request *r, struct fl_err *err)
{
    const struct cli_jobs none = {0};
    struct store *s;
    if (r->nfiles != 1)
        return cli_wrong(r, err, "report takes one STORE.db");
    if (cli_check_files(r, &none, err) != 0 || store_read(r->file[0], &s, err) != 0)
        return CLI_PROBLEM;
    int bad, shards, shard = store_shard(s, &shards);
    if (shards > 1)
        bad = fl_fail(err,
                      "%s: holds shard %d/%d, a part of the flips; join all shards with "
                      "faultsim merge, and report that file",
                      r->file[0], shard, shards);
    else if (r->rate.fit_per_bit > 0 && made_says(store_options(s), "active-only"))
        bad = fl_fail(err, "%s: %s", r->file[0], cli_owned_only);
    else if (!store_complete(s))
        bad = fl_fail(err, "%s: the campaign is not finished; go on with --store %s --resume",
                      r->file[0], r->file[0]);
    else
        bad = cli_report_store(r, s, err);
    struct fl_err ignored;
    store_close(s, &ignored);
    return bad ? CLI_PROBLEM : CLI_DONE;
}
