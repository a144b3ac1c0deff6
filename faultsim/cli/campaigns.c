/* campaigns.c -- campaigns of permanent faults in several jobs over one list: for stuck-at, prove
 * and dictionary. */
#include "commands.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "faultsim/result/words.h"

const char *cli_target(const struct cli_request *r)
{
    return r->target ? r->target : "dstack";
}

const char cli_skips[] = "--skip-rung compares the ways to decide a fault of a job: leave --store, "
                         "--exhaustive, --ace, --fault and options that "
                         "inject nothing out";

int cli_find_engine(struct cli_request *r, struct fl_err *err)
{
    struct fl_err why;
    r->on = engine_find(r->engine ? r->engine : "c", &why);
    return r->on ? CLI_DONE : cli_wrong(r, err, "%s", why.msg);
}

const char *cli_words_contradiction(const struct cli_request *r)
{
    const bool words = r->words || r->keep == CLI_KEEP_WORDS;
    if (words && r->program)
        return "--words is for jobs: the outputs of a program are files, and no instruction writes "
               "them";
    if (words && r->keep == CLI_KEEP_SUMS)
        return "--words has the words of each flip, and --keep sums keeps none: leave one of them "
               "out";
    if (words && (r->detect || r->drop))
        return "--words needs runs that end: leave --detect and --drop out";
    if (r->dumps.count && (!r->fault || r->program))
        return "--dump writes what one fault of a job leaves: add --fault ID";
    if (r->words && r->fault)
        return "--words is for campaigns: leave it out, or put the fault into a list (--faults "
               "FILE)";
    return NULL;
}

static size_t half_of_memory(void)
{
    return (size_t)sysconf(_SC_PHYS_PAGES) / 2 * (size_t)sysconf(_SC_PAGESIZE);
}

struct campaign_options cli_run(const struct cli_request *r, const atomic_int *stop)
{
    return (struct campaign_options){
        .threads = r->threads,
        .engine = r->on,
        .exhaustive = r->exhaustive,
        .skip_rungs = r->skip_rungs,
        .words = r->words || r->keep == CLI_KEEP_WORDS ? WORDS_MOST : 0,
        .max_cycles = r->max_cycles,
        .max_memory = r->max_memory ? r->max_memory << 20 : half_of_memory(),
        .progress = cli_progress_of(r),
        .stop = stop,
        .store = r->store,
        .resume = r->resume,
        .program = usage_program(),
        .shard = r->shard.number,
        .shards = r->shard.of};
}

struct fsim_choice cli_choice(const struct cli_request *r)
{
    struct fsim_choice choice = r->choice;
    choice.memory = r->command == CLI_MEMORY;
    choice.sample = r->sample;
    choice.seed = r->seed.number;
    choice.in_sm = r->in_sm;
    choice.has = r->on ? r->on->has : NULL;
    return choice;
}

/* What `text` names, if it is there, is something that the engine has. */
static int check_faults(const struct cli_request *r, const struct sm_image *img, const char *text,
                        bool is_file, struct fl_err *err)
{
    struct fsim_list list = {.choice = cli_choice(r)};
    struct fl_err why; /* of a file: told when it is run */
    int status = CLI_DONE, structure[SM_ALL_STRUCTURES];
    if (text && is_file)
        fsim_list_read(&list, img, text, &why);
    else if (text && fsim_list_add(&list, img, text, err) != 0)
        status = CLI_USAGE;
    int n = fsim_list_structures(&list, structure);
    for (int i = 0; i < n && status == CLI_DONE; i++)
        if (engine_has(r->on ? r->on : &engine_c, img, structure[i], err) != 0)
            status = CLI_USAGE;
    if (status == CLI_DONE && r->on && engine_carries(r->on, img, &list, err) != 0)
        status = CLI_USAGE;
    fsim_list_free(&list);
    return status;
}

int cli_check_faults(const struct cli_request *r, const struct cli_jobs *jobs, struct fl_err *err)
{
    struct fsim_sizes sizes;
    struct sm_image *img = NULL;
    struct stat file;
    if (fsim_sizes_find((const struct job *const *)jobs->job, jobs->count, &sizes, err) == 0)
        img = sm_image_with_cells(jobs->job[0], &sizes.least, err);
    if (!img)
        return CLI_PROBLEM;
    bool pattern = r->faults && access(r->faults, F_OK) != 0;
    int status = check_faults(r, img, r->target, false, err);
    if (status == CLI_DONE)
        status = check_faults(r, img, r->fault, false, err);
    if (status == CLI_DONE && pattern &&
        (status = check_faults(r, img, r->faults, false, err)) != CLI_DONE) {
        size_t n = strlen(err->msg);
        snprintf(err->msg + n, sizeof err->msg - n, " (and there is no file '%s')", r->faults);
    }
    /* a pipe, or what /dev/stdin leads to, gives its text once */
    if (status == CLI_DONE && r->faults && lstat(r->faults, &file) == 0 && S_ISREG(file.st_mode))
        status = check_faults(r, img, r->faults, true, err);
    sm_image_free(img);
    return status;
}

int cli_campaign_status(struct cli_request *r, int bad, int signal)
{
    if (!bad)
        return CLI_DONE;
    if (signal && r->store)
        return CLI_STOPPED;
    r->signal = signal;
    return CLI_PROBLEM;
}

int cli_run_campaigns(struct cli_request *r, const struct cli_jobs *jobs, struct cli_campaigns *c,
                      struct fl_err *err)
{
    bool is_file = r->faults && access(r->faults, F_OK) == 0,
         reports = r->command == CLI_STUCK_AT || r->command == CLI_MEMORY;
    const char *pattern = r->faults ? r->faults : cli_target(r);
    struct fsim_wanted wanted = {&pattern, is_file ? 0 : 1, is_file ? r->faults : NULL};
    struct interrupt interrupt;
    struct fsim_options opt = {.run = cli_run(r, &interrupt.signal),
                               .detect_timing = r->detect_timing,
                               .choice = cli_choice(r),
                               .host = r->host};
    *c = (struct cli_campaigns){.of = fl_alloc((size_t)jobs->count * sizeof *c->of)};
    interrupt_start(&interrupt);
    if (r->host)
        program_stop_by(r->host, opt.run.stop);
    int bad = fsim_campaigns_run((const struct job *const *)jobs->job, jobs->count, &wanted, &opt,
                                 c->of, reports ? &c->store : NULL, err);
    int by = interrupt_end(&interrupt);
    c->count = bad ? 0 : jobs->count;
    return r->host ? cli_program_status(r, bad, by, err) : cli_campaign_status(r, bad, by);
}

int cli_campaigns_end(struct cli_campaigns *c, int status, struct fl_err *err)
{
    struct fl_err ignored;
    if (c->store && store_close(c->store, status == CLI_DONE ? err : &ignored) != 0 &&
        status == CLI_DONE)
        status = CLI_PROBLEM;
    for (int i = 0; i < c->count; i++)
        fsim_campaign_free(&c->of[i]);
    free(c->of);
    *c = (struct cli_campaigns){0};
    return status;
}
