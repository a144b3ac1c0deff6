/* jobs.c -- the jobs of a command line, and the files that it reads and writes. */
#include "commands.h"
#include "values.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "faultsim/lane/lane.h"
#include "faultsim/result/made.h"

int cli_jobs_load(const struct cli_request *r, struct cli_jobs *jobs, struct fl_err *err)
{
    struct profile machine = {0}; /* of all jobs, before --sps */
    int each = r->sps.count ? r->sps.count : 1;
    *jobs = (struct cli_jobs){fl_alloc((size_t)(r->nfiles * each) * sizeof *jobs->job), 0};
    for (int n; (n = jobs->count) < r->nfiles * each; jobs->count++) {
        struct job *job;
        if (job_load(r->file[n / each], &r->machine, &job, err) != 0)
            return -1;
        jobs->job[n] = job;
        if (n == 0)
            machine = job->profile;
        if (job_check_machine(job, jobs->job[0], &machine, err) != 0) {
            jobs->count++;
            return -1;
        }
        if (r->command == CLI_GATE && job->profile.sms > 1) {
            jobs->count++;
            return fl_fail(
                err,
                "%s: gates are simulated in a chip of one SM, and this one has %d; give --sms 1",
                job->path, job->profile.sms);
        }
        if (job_traps(job) && !cli_takes_traps(r)) {
            jobs->count++;
            return fl_fail(err,
                           "%s: its last launch is to end in the trap %s; faultsim stuck-at, "
                           "memory, dictionary, "
                           "and gate of units of the control without --classes take such a job",
                           job->path, job->launch[job->nlaunches - 1].trap);
        }
        const char *note = made_note(job->noutputs + job_traps(job));
        if (note && n % each == 0)
            fl_complain(0, "warning: %s: %s", job->path, note);
        if (r->cache_model && !profile_has_caches(&job->profile)) {
            jobs->count++;
            return fl_fail(err,
                           "%s: profile %s has no data cache; leave --cache-model out, or give "
                           "--on with a machine that has one",
                           job->path, job->profile.name);
        }
        job->profile.cache_model = (int)r->cache_model;
        if (r->sps.count)
            job->profile.sps = r->sps.sps[n % each];
        if (r->machine.sms) {
            char *name = fl_format("%s@%dsm", job->name, job->profile.sms);
            free(job->name);
            job->name = name;
        }
        if (r->sps.count > 1) {
            char *name = fl_format("%s@%dsp", job->name, job->profile.sps);
            free(job->name);
            job->name = name;
        }
    }
    return 0;
}

void cli_jobs_free(struct cli_jobs *jobs)
{
    for (int i = 0; i < jobs->count; i++)
        job_free(jobs->job[i]);
    free(jobs->job);
    *jobs = (struct cli_jobs){0};
}

/* A store, and what SQLite and a campaign that runs keep beside it. */
static void add_store(struct fl_files *files, const char *path, bool written)
{
    static const char *const beside[] = {"-journal", "-wal", "-shm", ".status"};
    fl_files_in(files, "the store", path);
    for (size_t i = 0; path && i < sizeof beside / sizeof *beside; i++) {
        char *name = fl_format("%s%s", path, beside[i]);
        char *what = fl_format("the %s of the store", beside[i] + 1);
        (written ? fl_files_out : fl_files_in)(files, what, name);
        free(what);
        free(name);
    }
}

/* Netlists and their proofs; what --constraints and --groups read and write, a file a unit. */
static void add_gates(struct fl_files *files, const struct cli_request *r)
{
    const char *netlists = cli_netlists(r);
    fl_files_in_folder(files, "a netlist", netlists, ".blif", 1);
    for (int i = 0; i < r->liberty.count; i++)
        fl_files_in(files, "--liberty", r->liberty.word[i]);
    if (r->liberty.count)
        fl_files_in_folder(files, "a netlist", netlists, ".v", 1);
    fl_files_in_folder(files, "the proof of a netlist", netlists, ".proved", 1);
    for (int u = 0; u <= VECTOR_SFU; u++) {
        const struct {
            const char *dir, *what, *ending;
            void (*add)(struct fl_files *files, const char *what, const char *path);
        } file[] = {{r->constraints, "--constraints", "constraints", fl_files_out},
                    {r->constraints, "--constraints", "patterns", fl_files_out},
                    {r->groups, "the vectors of --groups", "vectors", fl_files_in},
                    {r->groups, "--groups", "groups", fl_files_out}};
        for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
            char *path = fl_format("%s/%s.%s", file[i].dir ? file[i].dir : "", lane_name(u),
                                   file[i].ending);
            file[i].add(files, file[i].what, file[i].dir ? path : NULL);
            free(path);
        }
    }
}

/* The program of a closed loop, where PATH finds it, and what its arguments name: FILE, --option=FILE. */
static void add_program(struct fl_files *files, char *const *argv)
{
    char *program = fl_find_program(argv[0]);
    fl_files_in(files, "the program", program ? program : argv[0]);
    free(program);
    for (int i = 1; argv[i]; i++) {
        const char *value = strchr(argv[i], '=');
        fl_files_in(files, "an argument of the program", argv[i]);
        fl_files_in(files, "an argument of the program", value ? value + 1 : NULL);
    }
}

/* The files that a command of the shell names, where PATH finds them. */
static void add_check(struct fl_files *files, const char *command)
{
    char *words = fl_strdup(command), *rest = words;
    for (char *word; (word = program_check_word(&rest));) {
        char *found = fl_find_program(word);
        fl_files_in(files, "--check-output", found ? found : word);
        free(found);
    }
    free(words);
}

int cli_check_files(struct cli_request *r, const struct cli_jobs *jobs, struct fl_err *err)
{
    struct fl_files files = {0};
    char *profile = r->machine.profile ? profile_path(r->machine.profile) : NULL;
    for (int i = 0; i < jobs->count; i++)
        fl_files_join(&files, &jobs->job[i]->files);
    fl_files_in(&files, "--profile", profile);
    free(profile);
    for (int i = 0; i < r->proofs.count; i++)
        fl_files_in(&files, "--proofs", fl_input(r->proofs.word[i]));
    if (r->evidence)
        cli_evidence_files(r->evidence, &files);
    bool stores = r->command == CLI_REPORT || r->command == CLI_COMPARE;
    for (int i = 0; i < r->nfiles && stores; i++)
        add_store(&files, r->file[i], false);
    add_store(&files, r->store, true);
    if (r->command == CLI_GATE)
        add_gates(&files, r);
    if (r->program)
        add_program(&files, r->program);
    if (r->check_output)
        add_check(&files, r->check_output);
    for (const struct cli_option *o = cli_options; o < cli_options + cli_option_count; o++) {
        if (!(o->commands >> r->command & 1) || (o->read != cli_input && o->read != cli_output))
            continue;
        char *what = fl_format("--%s", o->name);
        const char *path;
        memcpy(&path, (char *)r + o->offset, sizeof path);
        (o->read == cli_input ? fl_files_in : fl_files_out)(&files, what, path);
        free(what);
    }
    for (int i = 0; i < r->lookup.count; i++) {
        const char *file = strchr(r->lookup.word[i], '=');
        fl_files_in(&files, "--lookup", file ? file + 1 : NULL);
    }
    for (int i = 0; i < r->dumps.count; i++) {
        const char *file = strchr(r->dumps.word[i], '=');
        fl_files_out(&files, "--dump", file ? fl_output(file + 1) : NULL);
    }
    r->people = fl_files_people(&files);
    int bad = r->plots ? cli_plots_check(r->plots, &files, err) : 0;
    bad = bad || fl_files_check(&files, err);
    if (!bad && r->plots)
        bad = cli_folder("plots", r->plots, err);
    if (!bad && r->evidence)
        bad = cli_folder("evidence", r->evidence, err);
    fl_files_free(&files);
    return bad;
}

int cli_write(const char *path, struct fl_buf *b, struct fl_err *err)
{
    int bad = fl_write_file(path, b->data, b->size, err);
    fl_buf_free(b);
    return bad;
}

struct progress_options cli_progress_of(const struct cli_request *r)
{
    const struct cli_progress *p = &r->progress;
    return (struct progress_options){.show = p->given   ? p->show
                                             : r->quiet ? PROGRESS_NONE
                                                        : PROGRESS_AUTO,
                                     .every = p->every};
}

void cli_print(const struct cli_request *r, struct fl_buf *b)
{
    if (b->size)
        fl_print(r->people, (char *)b->data);
    fl_buf_free(b);
}
