/* transient.c -- faultsim transient and faultsim intermittent: campaigns of faults that have a
 * cycle. */
#include "commands.h"

#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/nearest.h"

static bool samples(const struct cli_request *r)
{
    return r->sample || r->margin > 0;
}

/* Options that contradict each other: what to say, or NULL. */
static const char *contradiction(const struct cli_request *r)
{
    bool one_by_one = r->fault || r->faults;
    bool sample = samples(r), exports = cli_exports(r);
    const struct avf_pattern *p = &r->pattern;
    bool shapes = p->adjacent || p->random || p->entries || p->warp || p->blocks || r->with ||
                  r->active_only;
    bool same_in = fsim_sms_said(&p->same_in);
    const char *no = cli_program_contradiction(r);
    no = no ? no : cli_words_contradiction(r);
    if (no)
        return no;
    if (!r->nfiles && !r->program)
        return "name at least one JOB.xml";
    if (r->command == CLI_INTERMITTENT && !sample && !one_by_one)
        return "intermittent faults are sampled: --sample N or --margin E";
    if (same_in && (r->exact || r->ace))
        return "--same-in is for samples and lists: leave --exact and --ace out";
    if (same_in && !sample && !one_by_one)
        return "--same-in is for samples and lists: add --sample N, --margin E, --faults FILE or "
               "--fault ID";
    if (same_in && fsim_sms_said(&r->in_sm))
        return "--same-in says in which SMs: leave --in-sm out";
    if (shapes && !sample)
        return "patterns of several bits and --active-only are sampled: add --sample N or --margin "
               "E";
    if (r->active_only && r->rate.fit_per_bit > 0)
        return cli_owned_only;
    if (r->stop_early && !sample)
        return "--stop-early ends a sample: add --sample N or --margin E";
    if (r->skip_rungs && (r->store || r->exhaustive || r->ace || r->fault || r->program))
        return cli_skips;
    if (r->exhaustive && r->ace)
        return "--ace simulates no flips: leave --exhaustive out";
    if (r->csv_faults && !(sample || one_by_one))
        return "--csv-faults has a line for each flip of a sample or list: add --sample N, "
               "--margin E or --faults FILE";
    if ((r->words || r->keep == CLI_KEEP_WORDS) && !(sample || one_by_one))
        return "--words has the words of each flip of a sample or list: add --sample N, --margin E "
               "or --faults FILE";
    if (protect_any(&r->protect) && (r->fault || r->write_faults))
        return "--protect is for campaigns: leave --fault and --write-faults out";
    if (protect_any(&r->protect) && r->keep == CLI_KEEP_SUMS)
        return "--protect looks at each flip, and --keep sums keeps none: leave one of them out";
    if (protect_any(&r->protect) && r->exhaustive && !(sample || one_by_one))
        return "--protect must know which flips are read, and --exhaustive does not tell of all "
               "flips: leave one of them out";
    if (p->adjacent && p->random)
        return "--bits is adjacent or random: name one of them";
    if (r->csv_faults && r->keep == CLI_KEEP_SUMS)
        return "--csv-faults has a line for each flip, and --keep sums keeps none: leave one of "
               "them out";
    if (r->value != DEST_BIT && !(r->target && strstr(r->target, "dest")))
        return "--value is for destination registers: add --target dest";
    if (r->resume && !r->store)
        return "--resume needs the campaign's file: add --store F";
    if (r->shard.of > 1 && !r->store)
        return "--shard needs --store, so that the shards can be merged";
    if (r->shard.of > 1 && exports)
        return "--shard writes no exports: faultsim merge joins the shards, faultsim report "
               "exports";
    if (r->shard.of > 1 && r->stop_early)
        return "--stop-early looks at all flips so far: it cannot go with --shard";
    if (r->faults && (sample || r->exact || r->ace || r->target))
        return "--faults is a list of its own: leave method and --target out";
    if (one_by_one && (r->window.launch >= 0 || r->window.from || r->window.to != UINT64_MAX))
        return "a fault names its own cycles: leave --launch and --cycles out";
    bool other = r->engine && strcmp(r->engine, "c") != 0;
    if (other && (r->exact || r->ace || !(sample || one_by_one)))
        return "--engine rtl simulates flips one by one: give --sample N, --margin E, --faults "
               "FILE or --fault ID; exact campaigns and ACE are for engine c";
    if (other && r->cache_model)
        return "--cache-model is for engine c: leave --engine out";
    if (other && r->exhaustive)
        return "--exhaustive is for engine c: leave it out, since engine rtl skips no fault";
    if (r->write_faults && !sample)
        return "--write-faults writes the flips of a sample: add --sample N or --margin E";
    if (r->sps.count > 1 && (r->fault || r->faults || r->write_faults))
        return "a fault has a cycle of one machine: give --fault, --faults and --write-faults one "
               "number of --sps";
    if (r->fault && (r->nfiles > 1 || r->faults || sample || r->exact || r->ace || r->store ||
                     cli_exports_besides(r, "html")))
        return "--fault prints the trace of one fault in one job: give one JOB.xml, no method, no "
               "--store and no export but --html";
    if (r->nfiles > 1 && (r->faults || r->write_faults))
        return "a fault has a cycle of one job: give --faults and --write-faults one JOB.xml";
    if (r->write_faults && (r->store || exports))
        return "--write-faults runs nothing: leave --store and the exports out";
    return NULL;
}

/* Without the targets: they need a job. */
static struct avf_options options_of(const struct cli_request *r)
{
    struct avf_options opt = {.run = cli_run(r, NULL),
                              .count = r->sample,
                              .margin = r->margin > 0 ? r->margin : 0.01,
                              .confidence = r->confidence,
                              .stop_early = r->stop_early,
                              .seed = r->seed.number,
                              .active_only = r->active_only,
                              .pattern = r->pattern,
                              .value = r->value,
                              .window = r->window,
                              .budget = r->budget,
                              .sums_only = r->keep == CLI_KEEP_SUMS,
                              .cache_model = r->cache_model};
    opt.window.in_sm = r->in_sm;
    /* Bits of one SM are drawn, and are what the report is of: the others have them too. */
    if (fsim_sms_said(&r->pattern.same_in) && samples(r)) {
        int first = fsim_sms_first(&r->pattern.same_in);
        opt.window.in_sm.bits[first / 64] = UINT64_C(1) << first % 64;
    }
    opt.methods[METHOD_SAMPLE] = samples(r);
    opt.methods[METHOD_LIST] = r->faults != NULL;
    opt.methods[METHOD_ACE] = r->ace;
    opt.methods[METHOD_EXACT] = r->exact || !(samples(r) || r->faults || r->ace);
    if (r->command == CLI_INTERMITTENT && !opt.pattern.window)
        opt.pattern.window = 100;
    return opt;
}

/* Targets, all of which the engine has; what `all` stands for was picked from those. */
static int check_engine(const struct cli_request *r, const struct avf_options *opt,
                        const struct sm_image *img, struct fl_err *err)
{
    for (int i = 0; i < opt->ntargets && !opt->all; i++)
        if (engine_has(r->on, img, avf_structure(img, opt->target[i]), err) != 0)
            return CLI_USAGE;
    if (opt->pattern.with >= 0 && engine_has(r->on, img, opt->pattern.with, err) != 0)
        return CLI_USAGE;
    return CLI_DONE;
}

/* Names of structures are known to images alone. */
static int find_targets(const struct cli_request *r, const struct cli_jobs *jobs,
                        struct avf_options *opt, struct fl_err *err)
{
    struct sm_image **img = fl_alloc((size_t)jobs->count * sizeof *img);
    char *copy = fl_strdup(r->target ? r->target : "rf"), *rest = copy;
    int status = CLI_DONE;
    for (char *t; (t = strsep(&rest, ","));)
        opt->target[opt->ntargets++] = t;
    for (int i = 0; i < jobs->count && status == CLI_DONE; i++)
        if (!(img[i] = sm_image_new(jobs->job[i], err)))
            status = CLI_PROBLEM;
    if (status == CLI_DONE && avf_targets(img, jobs->count, opt, err) != 0)
        status = CLI_USAGE;
    opt->pattern.with = status == CLI_DONE && r->with ? sm_structure_find(img[0], r->with) : -1;
    if (status == CLI_DONE && r->with && opt->pattern.with < 0) {
        struct fl_nearest meant = {.typed = r->with};
        for (int i = 0; i < SM_ALL_STRUCTURES; i++) {
            const char *text, *name = sm_structure_name(i, &text);
            fl_nearest_try(&meant, name, text);
        }
        fl_fail(err, "--with: there is no structure '%s'%s; faultsim transient --help lists them",
                r->with, meant.hint);
        status = CLI_USAGE;
    }
    if (status == CLI_DONE)
        status = check_engine(r, opt, img[0], err);
    for (int i = 0; i < jobs->count && status == CLI_DONE; i++)
        if (fsim_sms_said(&opt->pattern.same_in) &&
            fsim_sms_check(&opt->pattern.same_in, "same-in", img[i], err) != 0)
            status = CLI_PROBLEM;
    if (r->faults) {
        opt->target[0] = "list";
        opt->ntargets = 1;
    }
    for (int i = 0; i < jobs->count; i++)
        sm_image_free(img[i]);
    free(img);
    free(copy);
    return status;
}

static int campaign(struct cli_request *r, const struct cli_jobs *jobs, struct avf_options *opt,
                    struct fl_err *err)
{
    struct store *s = NULL;
    struct interrupt interrupt;
    interrupt_start(&interrupt);
    opt->run.stop = &interrupt.signal;
    if (opt->program)
        program_stop_by(opt->program, opt->run.stop);
    int bad = avf_run((const struct job *const *)jobs->job, jobs->count, opt, &s, err);
    int by = interrupt_end(&interrupt);
    int status = opt->program ? cli_program_status(r, bad, by, err)
                              : cli_campaign_status(r, bad, by);
    struct fl_err ignored;
    double rate = r->rate.fit_per_bit;
    if (status == CLI_DONE && rate > 0 && store_set(s, "fit_per_bit", rate, err) != 0) {
        store_close(s, &ignored);
        return CLI_PROBLEM;
    }
    return status == CLI_DONE ? cli_report_and_close(r, s, err) : status;
}

/* Whose faults have names of their own: a list runs in the job context in which its names were
 * read. */
static int with_context(struct cli_request *r, const struct cli_jobs *jobs, struct avf_options *opt,
                        struct fl_err *err)
{
    struct job_context l;
    struct fsim_fault **list = NULL;
    if (context_open(&l, jobs->job[0], &opt->window, opt->run.max_cycles, err) != 0)
        return CLI_PROBLEM;
    int status = r->fault          ? cli_explain(r, &l, err)
                 : r->write_faults ? cli_write_faults(r, opt, &l, err)
                                   : cli_read_faults(r, &l, &list, &opt->nlist, err);
    if (status == CLI_DONE && r->faults) {
        opt->list = (const struct fsim_fault *const *)list;
        opt->ctx = &l;
        status = campaign(r, jobs, opt, err);
    }
    for (uint64_t i = 0; i < opt->nlist && list; i++)
        free(list[i]);
    free(list);
    context_close(&l);
    return status;
}

static int run(struct cli_request *r, struct program *program, struct fl_err *err)
{
    struct cli_jobs jobs;
    struct avf_options opt = options_of(r);
    int status = CLI_PROBLEM;
    opt.program = program;
    bool loaded = cli_jobs_load(r, &jobs, err) == 0;
    if (loaded && program)
        cli_program_job(r, program, jobs.job[0]);
    if (loaded && cli_check_files(r, &jobs, err) == 0)
        status = find_targets(r, &jobs, &opt, err);
    if (status == CLI_DONE)
        status = r->fault || r->faults || r->write_faults ? with_context(r, &jobs, &opt, err)
                                                          : campaign(r, &jobs, &opt, err);
    cli_jobs_free(&jobs);
    return status;
}

int cli_transient(struct cli_request *r, struct fl_err *err)
{
    const char *no = contradiction(r);
    if (no)
        return cli_wrong(r, err, "%s", no);
    int status = cli_find_engine(r, err);
    return status != CLI_DONE ? status : r->program ? cli_program(r, run, err) : run(r, NULL, err);
}
