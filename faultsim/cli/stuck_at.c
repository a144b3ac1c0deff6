/* stuck_at.c -- faultsim stuck-at: which stuck-at faults the jobs detect, or the story of one. */
#include "commands.h"

#include <stdlib.h>

#include "faultsim/permanent/matrix.h"
#include "faultsim/permanent/prove.h"
#include "faultsim/report/stuck_at.h"

static int explain(const struct cli_request *r, const struct job *job, struct fl_err *err)
{
    struct sm_image *img = sm_image_new(job, err);
    struct fsim_list list = {0};
    struct golden *g = NULL;
    struct fl_buf out = {0};
    int status = CLI_PROBLEM;
    if (!img || fsim_list_add(&list, img, r->fault, err) != 0)
        goto done;
    if (list.count != 1) {
        fl_fail(
            err,
            "--fault '%s' names %ld faults; it takes one of dstack, as in dstack/w0/le3/spc17:sa1",
            r->fault, list.count);
        status = CLI_USAGE;
        goto done;
    }
    if (!(g = golden_run(img, r->max_cycles, err)))
        goto done;
    struct fsim_worker *w = fsim_worker_new(g);
    const char *proof = prove_untestable(img, &list.fault[0]);
    fsim_explain(w, &list.fault[0], &out);
    fsim_worker_free(w);
    cli_print(r, &out);
    if (proof)
        fprintf(r->people, "No program can detect it: %s.\n", proof);
    status = CLI_DONE;
done:
    golden_free(g);
    fsim_list_free(&list);
    sm_image_free(img);
    return status;
}

static int export(const struct cli_request *r, const struct cli_campaigns *c, struct fl_err *err)
{
    const char *target = cli_target(r), *model = cli_commands[CLI_STUCK_AT].model;
    struct fl_buf b = {0};
    if (r->csv) {
        report_csv(c->of, c->count, target, model, &b);
        if (cli_write(r->csv, &b, err) != 0)
            return -1;
    }
    if (r->csv_faults) {
        report_csv_faults(c->of, c->count, &b);
        if (cli_write(r->csv_faults, &b, err) != 0)
            return -1;
    }
    if (r->matrix) {
        matrix_csv(c->of, c->count, &b);
        if (cli_write(r->matrix, &b, err) != 0)
            return -1;
    }
    if (r->xml && (report_xml(c->of, c->count, target, model, &b, err) != 0 ||
                   cli_write(r->xml, &b, err) != 0))
        return -1;
    if (!r->quiet) {
        report_table(c->of, c->count, target, model, &b);
        cli_print(r, &b);
    }
    return 0;
}

int cli_stuck_at(struct cli_request *r, struct fl_err *err)
{
    struct cli_jobs jobs;
    struct cli_campaigns c = {0};
    int status = cli_find_engine(r, err);
    if (status != CLI_DONE)
        return status;
    if (r->nfiles == 0)
        return cli_wrong(r, err, "name at least one JOB.xml");
    if (r->fault && r->nfiles > 1)
        return cli_wrong(r, err,
                         "--fault tells the story of one fault in one job; give one "
                         "JOB.xml");
    if (r->fault && r->on != &engine_c)
        return cli_wrong(r, err,
                         "--fault tells the story on engine c; on the RTL, put the fault "
                         "into a list and see its outcome with --faults FILE --csv-faults "
                         "OUT");
    status = cli_jobs_load(r, &jobs, err) != 0 ? CLI_PROBLEM
                                               : cli_check_faults(r, jobs.job[0], err);
    if (status == CLI_DONE && cli_check_files(r, &jobs, err) != 0)
        status = CLI_PROBLEM;
    if (status == CLI_DONE && r->fault)
        status = explain(r, jobs.job[0], err);
    else if (status == CLI_DONE &&
             (cli_run_campaigns(r, &jobs, &c, err) != 0 || export(r, &c, err) != 0))
        status = CLI_PROBLEM;
    cli_campaigns_free(&c);
    cli_jobs_free(&jobs);
    return status;
}
