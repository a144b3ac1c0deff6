/* options.h -- the command line of faultsim as data, and what a command line asks for.
 *
 * cli_commands and cli_options (table.c) are the one place that knows subcommands and options. The
 * parser, the help and the messages about wrong usage work from these rows: a new option is a row
 * there, and a member of struct cli_request here.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "base/usage.h"
#include "faultsim/permanent/dictionary.h"
#include "faultsim/report/protect.h"
#include "faultsim/transient/campaign.h"

/* What faultsim ends with, and what its subcommands return. */
enum cli_status {
    CLI_DONE,
    CLI_PROBLEM, /* of a job, a file or the run */
    CLI_USAGE,
    CLI_STOPPED /* by a signal, or the computer was short of something; --resume goes on */
};

enum cli_command {
    CLI_STUCK_AT,
    CLI_MEMORY,
    CLI_TRANSIENT,
    CLI_INTERMITTENT,
    CLI_GATE,
    CLI_PROVE,
    CLI_DICTIONARY,
    CLI_MERGE,
    CLI_REPORT,
    CLI_COMPARE,
    CLI_HELP,
    CLI_COMMANDS,
    CLI_NONE = CLI_COMMANDS
};

enum { CLI_EXAMPLES = 5 };

struct cli_command_row {
    const char *name, *operands, *summary;
    const char *model; /* what --model may say beside the subcommand, or NULL */
    struct {
        const char *line, *does; /* without "faultsim" */
    } example[CLI_EXAMPLES];
};

enum cli_section {
    CLI_FAULTS,
    CLI_TIME,
    CLI_SEVERAL_BITS,
    CLI_METHOD,
    CLI_RUN,
    CLI_STORE,
    CLI_RESULTS,
    CLI_GENERAL,
    CLI_SECTIONS
};

/* Two rows may have one name when no command takes both: what the option means there differs. */
struct cli_option {
    const char *name, *argument; /* without "--"; NULL: it takes none */
    unsigned commands;           /* bit c: command c takes it */
    enum cli_section section;
    const char *help;
    /* Puts the value into the member of struct cli_request at `offset`; false when it makes no
     * sense, and then `give` says what would (or `why`). */
    bool (*read)(const struct cli_option *o, const char *value, void *to);
    size_t offset;
    uint64_t min, max; /* of a number */
    const char *give;
    /* Offset of a struct fl_err in the request, which `read` fills in when it can say more. */
    size_t why;
};

extern const struct cli_command_row cli_commands[CLI_COMMANDS];
extern const struct cli_option cli_options[];
extern const int cli_option_count;
extern const char *const cli_sections[CLI_SECTIONS];

/* What a command line asks for. An option that is not there leaves its member 0, but for the
 * windows. */
struct cli_request {
    enum cli_command command, about; /* help: about this one, or CLI_NONE */
    const char **file;               /* what stands on the line beside options */
    int nfiles;
    const char *model, *target, *unit, *faults, *fault, *without, *from, *store, *engine;
    struct job_machine machine; /* --profile, --on, --sms */
    enum cache_model cache_model;
    const char *netlists, *syndromes, *constraints, *groups, *classes, *predict, *error_model;
    char *
        installed; /* netlists of the package faultline-rtl, where there is no build/gates; or NULL */
    const char *csv, *csv_faults, *words, *xml, *html, *plots, *matrix, *write_faults;
    const char *evidence, *rates;
    struct cli_words {
        const char **word;
        int count;
    } lookup, proofs, liberty, dumps;
    const char *with;
    char **program;       /* behind --, with its arguments; or NULL */
    struct program *host; /* it, opened */
    struct cli_words outputs;
    const char *ignore_lines, *check_output;
    struct cli_exits {
        uint8_t means[PROGRAM_STATUSES];
        int count;
    } exits;
    double time_limit;
    struct fsim_choice choice;
    enum dict_view view;
    enum dest_value value;
    enum cli_keep { CLI_KEEP_FLIPS, CLI_KEEP_WORDS, CLI_KEEP_SUMS } keep;
    bool exact, ace, exhaustive, drop, detect, stop_early, active_only, no_stdout, return_errors,
        detect_timing, resume, partial, quiet, help, version;
    const char *generate; /* "man" or "completion" */
    uint64_t sample, max_cycles, max_memory, check;
    uint32_t skip_rungs; /* a bit each */
    struct cli_seed {
        uint64_t number;
        bool given;
    } seed;
    double margin, confidence, budget, interval;
    struct avf_pattern pattern;
    struct context_window window;
    struct fsim_sms in_sm;
    int threads, sp;
    struct cli_progress {
        bool given;
        enum progress_show show;
        int every; /* seconds between lines; 0: as it is */
    } progress;
    struct cli_shard {
        int number, of;
        struct fl_err why; /* not */
    } shard;
    struct cli_sps {
        int count, sps[3];
    } sps;
    struct cli_rate {
        double fit_per_bit;
        const char *from; /* the option, or the source of the technology's figure */
    } rate;
    struct protect protect;
    /* for the subcommands */
    FILE *people; /* where text for people goes: standard output, unless an export goes there */
    int signal;   /* that ended a run which nothing can go on from, else 0 */
    const struct engine *on; /* what `engine` names, by cli_find_engine */
};

/* CLI_DONE, or CLI_USAGE with the message. Free the request either way. */
int cli_read(int argc, char **argv, struct cli_request *r, struct fl_err *err);
void cli_free(struct cli_request *r);

/* Fills in the message with ", see faultsim COMMAND --help" behind it; returns CLI_USAGE. */
int cli_wrong(const struct cli_request *r, struct fl_err *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* What stands behind --help and --generate. */
void cli_generate(const struct cli_request *r, struct fl_buf *out);
void cli_help(enum cli_command about, struct fl_buf *out);

#endif
