/* dictionary.c -- faultsim dictionary: makes one of jobs or reads it, writes it, looks into it. */
#include "commands.h"

#include "faultsim/permanent/dictionary.h"

static int build(struct cli_request *r, const struct cli_jobs *jobs, struct dict *d,
                 struct fl_err *err)
{
    struct cli_campaigns c;
    int bad = cli_run_campaigns(r, jobs, &c, err) != CLI_DONE;
    if (!bad)
        bad = dict_build(c.of, c.count, r->view, r->threads, d, err);
    return cli_campaigns_end(&c, bad ? CLI_PROBLEM : CLI_DONE, err) != CLI_DONE;
}

/* Options of gates without gates, or the other way. */
static const char *contradiction(const struct cli_request *r)
{
    if (r->unit && (r->target || r->detect_timing || fsim_sms_said(&r->in_sm) || r->from))
        return "--unit makes a dictionary of faults of gates: leave --target, --in-sm, "
               "--detect-timing and --from out";
    if (!r->unit && (r->engine || r->netlists || r->sp >= 0))
        return "--engine, --netlists and --sp are for faults of gates: add --unit, or leave them "
               "out";
    return NULL;
}

/* What the dictionary is for: files, its resolution, answers. */
static int use(const struct cli_request *r, const struct dict *d, struct fl_err *err)
{
    struct fl_buf b = {0};
    if (r->csv) {
        dict_csv(d, &b);
        if (cli_write(r->csv, &b, err) != 0)
            return -1;
    }
    if (r->xml && (dict_xml(d, &b, err) != 0 || cli_write(r->xml, &b, err) != 0))
        return -1;
    long found = 1;
    if (r->lookup.count)
        found = dict_lookup(d, r->lookup.word, r->lookup.count, &b, err);
    else if (!r->quiet)
        dict_report(d, &b);
    if (found > 0)
        cli_print(r, &b);
    fl_buf_free(&b);
    if (found == 0)
        fl_fail(err, "no fault of the dictionary has these outputs; the cause is another kind of "
                     "fault or several faults, or the outputs are of other jobs");
    return found > 0 ? 0 : -1;
}

int cli_dictionary(struct cli_request *r, struct fl_err *err)
{
    struct dict d = {0};
    struct cli_jobs jobs;
    if (!r->from == !r->nfiles)
        return cli_wrong(r, err,
                         "dictionary: give jobs to make one of, or --from F.xml to read one");
    const char *no = contradiction(r);
    if (no)
        return cli_wrong(r, err, "%s", no);
    int status = r->unit ? cli_gate_dictionary_allowed(r, err) : CLI_DONE;
    if (status != CLI_DONE)
        return status;
    status = cli_jobs_load(r, &jobs, err) != 0 ? CLI_PROBLEM : CLI_DONE;
    if (status == CLI_DONE && jobs.count && !r->unit)
        status = cli_check_faults(r, &jobs, err);
    if (status == CLI_DONE && cli_check_files(r, &jobs, err) != 0)
        status = CLI_PROBLEM;
    if (status == CLI_DONE && r->unit)
        status = cli_gate_dictionary(r, &jobs, &d, err);
    else if (status == CLI_DONE &&
             (r->from ? dict_load(r->from, &d, err) : build(r, &jobs, &d, err)) != 0)
        status = CLI_PROBLEM;
    if (status == CLI_DONE && use(r, &d, err) != 0)
        status = CLI_PROBLEM;
    dict_free(&d);
    cli_jobs_free(&jobs);
    return status;
}
