/* report.c -- faultsim report, and the reports of a campaign that has just run: both hand a store to
 * the same writers. */
#include "commands.h"

#include <stdlib.h>
#include <string.h>

#include "faultsim/permanent/complete.h"
#include "faultsim/report/exports.h"
#include "faultsim/result/made.h"
#include "values.h"

const char cli_owned_only[] =
    "--active-only finds the AVF_util of owned bits, and FIT is that of all bits: leave "
    "--technology and --fit-per-bit out";

/* The rate asked for, else the one that the campaign was given. */
static struct avf_report report_of(const struct cli_request *r, const struct store *s,
                                   const char *made)
{
    struct avf_report a = {.result = store_result(s),
                           .made = made,
                           .fit_per_bit = r->rate.fit_per_bit,
                           .rate = r->rate.from,
                           .store = s,
                           .protect = protect_any(&r->protect) ? &r->protect : NULL};
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

/* Where an export goes: what the option of its name says. */
static const char *file_of(const struct cli_request *r, const char *export)
{
    for (const struct cli_option *o = cli_options; o < cli_options + cli_option_count; o++)
        if ((o->commands >> r->command & 1) && o->read == cli_output &&
            strcmp(o->name, export) == 0) {
            const char *path;
            memcpy(&path, (const char *)r + o->offset, sizeof path);
            return path;
        }
    return NULL;
}

bool cli_exports_besides(const struct cli_request *r, const char *export)
{
    bool any = r->plots != NULL;
    for (int i = 0; i < report_export_count; i++)
        any |= file_of(r, report_exports[i].name) && strcmp(report_exports[i].name, export) != 0;
    return any;
}

bool cli_exports(const struct cli_request *r)
{
    return cli_exports_besides(r, "");
}

static int write_export(const struct cli_request *r, const struct avf_report *a,
                        const struct report_export *e, struct fl_err *err)
{
    const char *path = file_of(r, e->name);
    bool table = strcmp(e->name, "table") == 0, page = strcmp(e->name, "html") == 0;
    const struct report_writer *w = &e->by[report_kind(a)];
    struct page_files files = {0};
    struct avf_report with_files = *a;
    struct fl_buf out = {0};
    with_files.files = page && r->plots ? &files : NULL;
    if (table ? r->quiet : !path && !with_files.files)
        return 0;
    if (!w->write)
        return fl_fail(err, "--%s: a campaign of %s faults has no such export; leave it out",
                       e->name, result_model(a->result)->name);
    int bad = w->write(&with_files, &out, err);
    if (!bad && table)
        cli_print(r, &out);
    else if (!bad && path)
        bad = cli_write(path, &out, err);
    if (!bad && with_files.files)
        bad = cli_plots_write(r, &files, err);
    fl_buf_free(&out);
    page_files_free(&files);
    return bad;
}

bool cli_print_shard(const struct cli_request *r)
{
    if (r->shard.of > 1 && !r->quiet)
        fprintf(r->people, "Shard %d of %d is in %s; join them with faultsim merge.\n",
                r->shard.number, r->shard.of, r->store);
    return r->shard.of > 1;
}

int cli_report_store(const struct cli_request *r, const struct store *s, struct fl_err *err)
{
    char *line = store_made(s), *made = made_exported(line, usage_program());
    struct avf_report a = report_of(r, s, made);
    int bad = a.protect ? protect_check(&a, err) : 0;
    free(line);
    for (int i = 0; i < report_export_count && !bad; i++)
        bad = write_export(r, &a, &report_exports[i], err);
    free(made);
    return bad;
}

int cli_report_and_close(const struct cli_request *r, struct store *s, struct fl_err *err)
{
    struct fl_err ignored;
    int bad = cli_print_shard(r) ? 0 : cli_report_store(r, s, err);
    if (store_close(s, bad ? &ignored : err) != 0)
        bad = -1;
    return bad ? CLI_PROBLEM : CLI_DONE;
}

static int refuse_unfinished(const char *path, const struct store *s, struct fl_err *err)
{
    const struct result *of = store_result(s);
    struct fl_buf today = {0};
    made_begin(&today, result_model(of)->name, of->nparts ? of->part[0].engine : "c");
    char *other = made_by_other_results(store_options(s), (char *)today.data);
    int bad = fl_fail(err, "%s: the campaign is not finished; %s%s%s", path,
                      other ? "" : "go on with --store ", other ? other : path,
                      other ? "" : " --resume");
    free(other);
    fl_buf_free(&today);
    return bad;
}

int cli_open_whole(const char *path, struct store **out, struct fl_err *err)
{
    struct fl_err ignored;
    int shards, shard, bad;
    if (store_read(path, out, err) != 0)
        return -1;
    shard = store_shard(*out, &shards);
    if (shards > 1)
        bad = fl_fail(err,
                      "%s: holds shard %d/%d, a part of the flips; join all shards with faultsim "
                      "merge, and report the merged file",
                      path, shard, shards);
    else if (!store_complete(*out))
        bad = refuse_unfinished(path, *out, err);
    else
        bad = complete_read(*out, err);
    if (bad) {
        store_close(*out, &ignored);
        *out = NULL;
    }
    return bad;
}

int cli_report(struct cli_request *r, struct fl_err *err)
{
    const struct cli_jobs none = {0};
    struct fl_err ignored;
    struct store *s;
    int bad;
    if (r->evidence)
        return cli_evidence(r, err);
    if (r->proofs.count || r->rates || r->interval > 0)
        return cli_wrong(r, err, "--proofs, --rates and --interval go with --evidence DIR");
    if (r->nfiles != 1)
        return cli_wrong(r, err, "report takes one STORE.db; several with --evidence DIR");
    if (cli_check_files(r, &none, err) != 0 || cli_open_whole(r->file[0], &s, err) != 0)
        return CLI_PROBLEM;
    if (r->rate.fit_per_bit > 0 && made_says(store_options(s), "active-only"))
        bad = fl_fail(err, "%s: %s", r->file[0], cli_owned_only);
    else
        bad = cli_report_store(r, s, err);
    store_close(s, &ignored);
    return bad ? CLI_PROBLEM : CLI_DONE;
}
