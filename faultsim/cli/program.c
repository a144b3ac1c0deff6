/* program.c -- faultsim COMMAND -- ./program: what its line means beside that of a job. */
#include "commands.h"

#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "values.h"

const char *cli_program_contradiction(const struct cli_request *r)
{
    bool about = r->ignore_lines || r->outputs.count || r->time_limit > 0 || r->no_stdout ||
                 r->exits.count || r->check_output || r->return_errors;
    if (!r->program)
        return about ? "--output, --no-stdout, --ignore-lines, --exit, --check-output, "
                       "--return-errors and --time-limit are about a program: -- ./PROGRAM "
                       "ARGUMENT... at the end of "
                       "the line"
                     : NULL;
    if (r->check_output && !r->check_output[strspn(r->check_output, " \t\n")])
        return "--check-output is empty: name a command that judges the outputs";
    if (r->nfiles)
        return "name jobs, or a program after --, not both";
    if (r->no_stdout && !r->outputs.count && !r->check_output && !r->exits.count)
        return "--no-stdout leaves nothing to judge the program by: add --output FILE, "
               "--check-output COMMAND or --exit N=sdc";
    if (r->ace)
        return "--ace runs nothing: leave it out, or take the job that smrun --record leaves of "
               "the "
               "program";
    if (r->fault || r->write_faults)
        return "--fault and --write-faults are about one recorded run: take the job that smrun "
               "--record leaves of the program";
    if (r->engine && strcmp(r->engine, "c") != 0)
        return "programs run on engine c: leave --engine out";
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

/* The default of --exit, where it counted. */
static void say_unexplained(const struct program *p, FILE *out)
{
    unsigned long long n = 0;
    struct fl_buf statuses = {0};
    for (int i = 0; i < PROGRAM_STATUSES; i++)
        if (program_unexplained(p, i)) {
            fl_buf_printf(&statuses, "%s%d", n ? ", " : "", i);
            n += program_unexplained(p, i);
        }
    if (n)
        fprintf(out,
                "%llu run%s ended with another exit status than without a fault (%.*s): outcome "
                "exit, a DUE; --exit N=sdc, N=detected or N=masked says what status N means\n",
                n, n == 1 ? "" : "s", (int)statuses.size, (char *)statuses.data);
    fl_buf_free(&statuses);
}

int cli_program(struct cli_request *r,
                int (*run)(struct cli_request *r, struct program *p, struct fl_err *err),
                struct fl_err *err)
{
    struct interrupt interrupt;
    char *netlists = r->command == CLI_GATE ? realpath(cli_netlists(r), NULL) : NULL;
    const char **without = fl_alloc((size_t)(cli_option_count + 2) * sizeof *without);
    struct program_options o = {.argv = r->program,
                                .output = r->outputs.word,
                                .outputs = r->outputs.count,
                                .no_stdout = r->no_stdout,
                                .one_machine = r->command == CLI_TRANSIENT ||
                                               r->command == CLI_INTERMITTENT,
                                .netlists = netlists,
                                .return_errors = r->return_errors,
                                .ignore = r->ignore_lines,
                                .check = r->check_output,
                                .seconds = r->time_limit,
                                .profile = r->machine.profile,
                                .without = without,
                                .nwithout = outputs_of(r, without),
                                .stop = &interrupt.signal};
    memcpy(o.exit_means, r->exits.means, sizeof o.exit_means);
    interrupt_start(&interrupt);
    struct program *p = program_open(&o, err);
    int by = interrupt_end(&interrupt);
    free(without);
    if (by) {
        program_close(p);
        free(netlists);
        r->signal = by;
        fl_fail(err, "stopped by SIG%s; nothing is kept yet", sigabbrev_np(by));
        return CLI_STOPPED;
    }
    if (!p) {
        free(netlists);
        return CLI_PROBLEM;
    }
    r->file[r->nfiles++] = program_job(p, 0);
    r->host = p;
    int status = run(r, p, err);
    if (status == CLI_DONE && !r->quiet)
        fprintf(r->people, "%s: %llu run%s with a fault, of about %.2g s each\n", *r->program,
                program_runs(p), program_runs(p) == 1 ? "" : "s", program_seconds(p));
    if (status == CLI_DONE && !r->quiet)
        say_unexplained(p, r->people);
    program_close(p);
    free(netlists);
    return status;
}

int cli_program_status(struct cli_request *r, int bad, int signal, struct fl_err *err)
{
    if (bad && !signal)
        program_failed(r->host, err);
    int status = cli_campaign_status(r, bad, signal);
    return status == CLI_PROBLEM && !signal && program_had_trouble(r->host) && r->store
               ? CLI_STOPPED
               : status;
}

void cli_program_job(const struct cli_request *r, struct program *p, struct job *job)
{
    free(job->path);
    job->path = fl_strdup(*r->program);
    program_look_at(p, job);
}
