/* program.c -- faultsim transient -- ./program: what its line means beside that of a job. */
#include "commands.h"

#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "values.h"

const char *cli_program_contradiction(const struct cli_request *r)
{
    bool about = r->ignore_lines || r->outputs.count || r->time_limit > 0 || r->no_stdout;
    if (!r->program)
        return about ? "--output, --no-stdout, --ignore-lines and --time-limit are about a "
                       "program: -- ./PROGRAM "
                       "ARGUMENT... at the end of the line"
                     : NULL;
    if (r->nfiles)
        return "name jobs, or a program behind --, not both";
    if (r->no_stdout && !r->outputs.count)
        return "--no-stdout leaves nothing to judge the program by: add --output FILE";
    if (r->ace)
        return "--ace runs nothing: leave it out, or take the job that smrun --record leaves of "
               "the "
               "program";
    if (r->fault || r->write_faults)
        return "--fault and --write-faults are about one recorded run: take the job that smrun "
               "--record leaves of the program";
    if (r->engine && strcmp(r->engine, "c") != 0)
        return "programs run on engine c";
    if (r->cache_model)
        return "--cache-model is for jobs: take the one that smrun --record leaves of the program";
    if (r->sps.count || r->machine.on || r->machine.sms)
        return "--sps, --sms and --on are for jobs: name a machine for the program, --profile";
    return NULL;
}

/* What the campaign writes is no part of the folder. */
static int outputs_of(struct cli_request *r, const char **path)
{
    int n = 0;
    if (r->store)
        path[n++] = r->store;
    if (r->plots)
        path[n++] = r->plots;
    for (const struct cli_option *o = cli_options; o < cli_options + cli_option_count; o++)
        if ((o->commands >> r->command & 1) && o->read == cli_output) {
            memcpy(&path[n], (char *)r + o->offset, sizeof *path);
            n += path[n] != NULL;
        }
    return n;
}

int cli_program(struct cli_request *r,
                int (*run)(struct cli_request *r, struct program *p, struct fl_err *err),
                struct fl_err *err)
{
    struct interrupt interrupt;
    const char **without = fl_alloc((size_t)(cli_option_count + 2) * sizeof *without);
    const struct program_options o = {.argv = r->program,
                                      .output = r->outputs.word,
                                      .outputs = r->outputs.count,
                                      .no_stdout = r->no_stdout,
                                      .ignore = r->ignore_lines,
                                      .seconds = r->time_limit,
                                      .profile = r->machine.profile,
                                      .without = without,
                                      .nwithout = outputs_of(r, without),
                                      .stop = &interrupt.signal};
    interrupt_start(&interrupt);
    struct program *p = program_open(&o, err);
    int by = interrupt_end(&interrupt);
    free(without);
    if (by) {
        program_close(p);
        r->signal = by;
        fl_fail(err, "stopped by SIG%s; nothing is kept yet", sigabbrev_np(by));
        return CLI_STOPPED;
    }
    if (!p)
        return CLI_PROBLEM;
    r->file[r->nfiles++] = program_job(p);
    int status = run(r, p, err);
    if (status == CLI_DONE && !r->quiet)
        fprintf(r->people, "%s: %llu runs with a fault, of about %.2g s each\n", *r->program,
                program_runs(p), program_seconds(p));
    program_close(p);
    return status;
}

void cli_program_job(const struct cli_request *r, struct program *p, struct job *job)
{
    const char *name = strrchr(*r->program, '/');
    free(job->name);
    free(job->path);
    job->name = fl_strdup(name ? name + 1 : *r->program);
    job->path = fl_strdup(*r->program);
    program_look_at(p, job);
}
