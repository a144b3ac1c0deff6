/* stuck_at.c -- faultsim stuck-at and memory: which faults the jobs detect, or the fault trace of one. */
#include "commands.h"

#include <stdlib.h>
#include <unistd.h>

#include "faultsim/permanent/matrix.h"
#include "faultsim/permanent/prove.h"
#include "faultsim/record/run.h"

static int explain(const struct cli_request *r, const struct job *job, struct fl_err *err)
{
    struct sm_image *img = sm_image_new(job, err);
    struct fsim_list list = {.choice = cli_choice(r)};
    struct golden *g = NULL;
    struct fault_trace trace = {0};
    int status = CLI_PROBLEM;
    if (!img || fsim_list_add(&list, img, r->fault, err) != 0)
        goto done;
    if (list.count != 1) {
        fl_fail(err, "--fault '%s' names %ld faults; it takes one, as in %s", r->fault, list.count,
                list.choice.memory ? "rf/p5/b3:tf01" : "dstack/w0/le3/spc17:sa1");
        status = CLI_USAGE;
        goto done;
    }
    if (!(g = golden_new(img, r->max_cycles, err)))
        goto done;
    record_run(g, &(struct record_wanted){.flow_bytes = FLOW_BYTES, .faults = &list});
    if (cli_dumps(r, img->job, g->outputs, err) != 0) {
        status = CLI_USAGE;
        goto done;
    }
    struct reference *ref = reference_of(g);
    struct fsim_worker *w = fsim_worker_on(ref);
    const char *proof = prove_untestable(img, &list.fault[0]);
    fsim_explain(w, &list.fault[0], r->exhaustive, &trace);
    fsim_worker_free(w);
    reference_free(ref);
    if (proof)
        fl_buf_printf(&trace.text, "No program can detect it: %s.\n", proof);
    status = cli_trace(r, img, g->outputs, &trace, err);
done:
    fault_trace_free(&trace);
    golden_free(g);
    fsim_list_free(&list);
    sm_image_free(img);
    return status;
}

static int print(const struct cli_request *r, const struct cli_campaigns *c, struct fl_err *err)
{
    struct fl_buf b = {0};
    if (cli_print_shard(r))
        return CLI_DONE;
    if (r->matrix) {
        matrix_csv(c->of, c->count, &b);
        if (cli_write(r->matrix, &b, err) != 0)
            return CLI_PROBLEM;
    }
    return cli_report_store(r, c->store, err) == 0 ? CLI_DONE : CLI_PROBLEM;
}

/* What contradicts itself on the line; or NULL. */
static const char *contradiction(const struct cli_request *r)
{
    bool exports = cli_exports(r) || r->matrix;
    if (r->skip_rungs && (r->store || r->exhaustive || r->fault))
        return cli_skips;
    if (r->fault && (r->store || cli_exports_besides(r, "html") || r->matrix))
        return "--fault prints the trace of one fault: leave --store and all exports but --html "
               "out";
    if ((r->resume || r->shard.of) && !r->store)
        return "--resume and --shard need the campaign's file: add --store F";
    if (r->shard.of > 1 && exports)
        return "a shard is a part of the campaign: join all of them with faultsim merge, and "
               "export "
               "then (--store F --resume)";
    if (r->sample && r->faults && access(r->faults, F_OK) == 0)
        return "--sample draws from patterns, and --faults names a list: leave one of them out";
    if (r->seed.given && !r->sample)
        return "--seed draws a sample: add --sample N, or leave it out";
    return NULL;
}

static int run(struct cli_request *r, struct program *program, struct fl_err *err)
{
    struct cli_jobs jobs;
    struct cli_campaigns c = {0};
    int status = CLI_PROBLEM;
    bool loaded = cli_jobs_load(r, &jobs, err) == 0;
    if (loaded && program)
        cli_program_job(r, program, jobs.job[0]);
    if (loaded)
        status = cli_check_faults(r, &jobs, err);
    if (status == CLI_DONE && cli_check_files(r, &jobs, err) != 0)
        status = CLI_PROBLEM;
    if (status == CLI_DONE && r->fault)
        status = explain(r, jobs.job[0], err);
    else if (status == CLI_DONE)
        status = cli_run_campaigns(r, &jobs, &c, err);
    if (status == CLI_DONE && c.count)
        status = print(r, &c, err);
    status = cli_campaigns_end(&c, status, err);
    cli_jobs_free(&jobs);
    return status;
}

int cli_stuck_at(struct cli_request *r, struct fl_err *err)
{
    const char *no = cli_program_contradiction(r);
    if (!no && r->nfiles == 0 && !r->program)
        no = "name at least one JOB.xml";
    if (!no)
        no = cli_words_contradiction(r);
    if (!no)
        no = contradiction(r);
    if (no)
        return cli_wrong(r, err, "%s", no);
    int status = cli_find_engine(r, err);
    if (status != CLI_DONE)
        return status;
    if (r->fault && r->nfiles > 1)
        return cli_wrong(r, err,
                         "--fault prints the trace of one fault in one job; give one "
                         "JOB.xml");
    if (r->fault && r->on != &engine_c)
        return cli_wrong(r, err,
                         "--fault prints the trace on engine c; on the RTL, put the fault "
                         "into a list and see its outcome with --faults FILE --csv-faults "
                         "OUT");
    return r->program ? cli_program(r, run, err) : run(r, NULL, err);
}
