/* commands.h -- the subcommands of faultsim, and what several of them do alike.
 *
 * A subcommand returns an enum cli_status; unless it is CLI_DONE, the message is filled in. Calls
 * that return an int without being one are 0 or -1, as everywhere.
 */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "options.h"

int cli_stuck_at(struct cli_request *r, struct fl_err *err);
int cli_transient(struct cli_request *r, struct fl_err *err); /* and intermittent */
int cli_gate(struct cli_request *r, struct fl_err *err);
/* faultsim dictionary --unit */
struct cli_jobs;
/* First: may it be made? Finds the engine. */
int cli_gate_dictionary_allowed(struct cli_request *r, struct fl_err *err);
int cli_gate_dictionary(struct cli_request *r, const struct cli_jobs *jobs, struct dict *d,
                        struct fl_err *err);
/* --classes, of the units of the control that the line names; --predict (classes.c). */
struct cli_jobs;
struct unit;
int cli_classes(struct cli_request *r, const struct cli_jobs *jobs, const struct unit *unit,
                int units, struct fl_err *err);
int cli_predict(struct cli_request *r, struct fl_err *err);
int cli_prove(struct cli_request *r, struct fl_err *err);
int cli_dictionary(struct cli_request *r, struct fl_err *err);
int cli_merge(struct cli_request *r, struct fl_err *err);
int cli_report(struct cli_request *r, struct fl_err *err);
int cli_compare(struct cli_request *r, struct fl_err *err);

/* ---- jobs and files (jobs.c) ---- */

struct cli_jobs {
    struct job **job;
    int count;
};
/* The jobs of the line, each once for each number of --sps. Warns on standard error of those that
 * compare nothing. Free them also after an error. */
int cli_jobs_load(const struct cli_request *r, struct cli_jobs *jobs, struct fl_err *err);
void cli_jobs_free(struct cli_jobs *jobs);
/* Before the work, not after hours of it: can every output be written, and over nothing that is
 * read? Finds out where text for people goes. */
int cli_check_files(struct cli_request *r, const struct cli_jobs *jobs, struct fl_err *err);
/* Writes a buffer, and frees it. */
int cli_write(const char *path, struct fl_buf *b, struct fl_err *err);
/* What the line says about progress; --quiet wants none unless it says so. */
struct progress_options cli_progress_of(const struct cli_request *r);
/* Prints text for people, and frees it. */
void cli_print(const struct cli_request *r, struct fl_buf *b);

/* ---- campaigns of permanent faults (campaigns.c) ---- */

/* Of all jobs over one list. End them also after an error. */
struct cli_campaigns {
    struct fsim_campaign *of;
    int count;
    struct store *store; /* what reports are made of; NULL: there are none */
};
/* Wrong names of faults are wrong usage, whatever the job: they are found before anything runs. */
int cli_check_faults(const struct cli_request *r, const struct cli_jobs *jobs, struct fl_err *err);
int cli_run_campaigns(struct cli_request *r, const struct cli_jobs *jobs, struct cli_campaigns *c,
                      struct fl_err *err);
/* Closes the store: what it cannot commit is a problem. Returns the status it was given, or that. */
int cli_campaigns_end(struct cli_campaigns *c, int status, struct fl_err *err);
/* What a campaign ends with that failed or not, and was asked to stop by a signal or not (0). */
int cli_campaign_status(struct cli_request *r, int bad, int signal);
/* What every campaign is asked in the same way; `stop` as campaign.h has it. */
struct campaign_options cli_run(const struct cli_request *r, const atomic_int *stop);
struct fsim_choice cli_choice(const struct cli_request *r); /* what a pattern means */
const char *cli_target(const struct cli_request *r);        /* what --target says, or dstack */
/* --words, --keep words and --dump: what to say, or NULL. */
const char *cli_words_contradiction(const struct cli_request *r);
/* An engine that is not there, or not in this build, is wrong usage. */
int cli_find_engine(struct cli_request *r, struct fl_err *err);

/* ---- faults that are named one by one (one_by_one.c) ---- */

struct job_context;
/* --fault: its trace. */
int cli_explain(const struct cli_request *r, struct job_context *l, struct fl_err *err);
/* Prints a trace, and writes its page and the outputs where the line asks for them; the text of the trace is freed. A
 * status. */
struct fault_trace;
int cli_trace(const struct cli_request *r, const struct sm_image *img, struct outputs *outputs,
              struct fault_trace *t, struct fl_err *err);
/* Before the fault runs: --dump names outputs, and they are kept. */
int cli_dumps(const struct cli_request *r, const struct job *job, struct outputs *outputs,
              struct fl_err *err);
/* --write-faults */
int cli_write_faults(const struct cli_request *r, const struct avf_options *opt,
                     const struct job_context *l, struct fl_err *err);
/* --faults; caller frees `out`. */
int cli_read_faults(const struct cli_request *r, struct job_context *l, struct fsim_fault ***out,
                    uint64_t *count, struct fl_err *err);

/* ---- a program in place of a job (program.c) ---- */

struct program;
/* Options that make no sense with it, or without it: what to say, or NULL. */
const char *cli_program_contradiction(const struct cli_request *r);
/* Records its run, has `run` take that for the job of the line, and says how often it ran. */
int cli_program(struct cli_request *r,
                int (*run)(struct cli_request *r, struct program *p, struct fl_err *err),
                struct fl_err *err);
/* As cli_campaign_status, of a campaign of it. */
int cli_program_status(struct cli_request *r, int bad, int signal, struct fl_err *err);
/* Messages name the program in place of the recorded job. */
/* The folder of the netlists of faults of gates. */
const char *cli_netlists(const struct cli_request *r);
/* Faults of its units are judged by the trap of a job that is to end in one (job_traps). */
bool cli_takes_traps(const struct cli_request *r);
void cli_program_job(const struct cli_request *r, struct program *p, struct job *job);

/* ---- the folder of --plots (plots.c) ---- */

/* Adds the files in it that a campaign may replace to the outputs of the line. Refuses a folder with files that have the name
 * of a plot and are none of an earlier campaign. */
int cli_plots_check(const char *folder, struct fl_files *files, struct fl_err *err);
/* Makes the folder of an option, and asks whether files can be written there. */
int cli_folder(const char *option, const char *folder, struct fl_err *err);
/* Writes all files of a page, and removes those that an earlier campaign left and this one does not have. */
struct page_files;
int cli_plots_write(const struct cli_request *r, const struct page_files *files,
                    struct fl_err *err);

/* ---- reports of a store (report.c) ---- */

struct store;
/* Opens a finished campaign for reading; a shard, or one that is not finished, is refused. */
int cli_open_whole(const char *path, struct store **out, struct fl_err *err);
/* The line asks for an export of that table. */
bool cli_exports(const struct cli_request *r);
/* Or any but the one of that name. */
bool cli_exports_besides(const struct cli_request *r, const char *export);
/* True for a shard, which has nothing to report: says where it is. */
bool cli_print_shard(const struct cli_request *r);
/* All that the line asks for, by the table of exports.h. */
int cli_report_store(const struct cli_request *r, const struct store *s, struct fl_err *err);
/* The same of a campaign that has run, unless it is a shard; its store is closed. A status. */
int cli_report_and_close(const struct cli_request *r, struct store *s, struct fl_err *err);
/* report --evidence, of one or several stores (evidence.c); its outputs. A status. */
int cli_evidence(struct cli_request *r, struct fl_err *err);
void cli_evidence_files(const char *folder, struct fl_files *files);
extern const char cli_owned_only[]; /* why --active-only has no FIT */
extern const char cli_skips[];      /* what --skip-rung is not for */

#endif
