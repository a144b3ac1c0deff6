/* options.c -- reads a command line after the rows of table.c. */
#include "options.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/nearest.h"
#include "base/xml.h"

/* ---- messages -------------------------------------------------------------------------------- */

int cli_wrong(const struct cli_request *r, struct fl_err *err, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(err->msg, sizeof err->msg, fmt, ap);
    va_end(ap);
    size_t end = n < (int)sizeof err->msg ? (size_t)n : sizeof err->msg - 1;
    if (r->command < CLI_HELP)
        snprintf(err->msg + end, sizeof err->msg - end, "; see faultsim %s --help",
                 cli_commands[r->command].name);
    else
        snprintf(err->msg + end, sizeof err->msg - end, "; see faultsim help");
    return CLI_USAGE;
}

/* Words of a sentence: "a", "a and b", "a, b and c"; `dashes` stand before each. */
struct words {
    const char *dashes;
    struct fl_buf text;
    const char *last;
};

static void add_word(struct words *w, const char *word)
{
    if (w->last)
        fl_buf_printf(&w->text, "%s%s%s", w->text.size ? ", " : "", w->dashes, w->last);
    w->last = word;
}

/* The words, which the caller frees. */
static char *sentence(struct words *w)
{
    bool several = w->text.size > 0;
    char *text = fl_format("%s%s%s%s", several ? (char *)w->text.data : "", several ? " and " : "",
                           w->last ? w->dashes : "", w->last ? w->last : "");
    fl_buf_free(&w->text);
    return text;
}

/* ---- which command --------------------------------------------------------------------------- */

static bool takes(enum cli_command c, const struct cli_option *o)
{
    return c == CLI_NONE || (o->commands >> c & 1);
}

/* What the n letters of a name mean to a command: an option of its own, or the beginning of just
 * one; else one that only others take; else NULL. */
static const struct cli_option *find(enum cli_command c, const char *name, size_t n)
{
    const struct cli_option *begins = NULL, *others = NULL;
    int different = 0;
    for (const struct cli_option *o = cli_options; o < cli_options + cli_option_count; o++) {
        bool whole = !strncmp(o->name, name, n) && !o->name[n];
        if (whole && takes(c, o))
            return o;
        if (whole)
            others = o;
        else if (strncmp(o->name, name, n) == 0 && takes(c, o)) {
            different += !begins || strcmp(begins->name, o->name) != 0;
            begins = o;
        }
    }
    return others ? others : different == 1 ? begins : NULL;
}

/* The option at argv[*i]; moves on to its value, when that is a word of its own. */
static const struct cli_option *option_at(enum cli_command c, char **argv, int *i,
                                          const char **value)
{
    const char *name = strcmp(argv[*i], "-h") == 0 ? "--help" : argv[*i];
    *value = NULL;
    if (strncmp(name, "--", 2) != 0)
        return NULL;
    size_t n = strcspn(name + 2, "=");
    const struct cli_option *o = find(c, name + 2, n);
    if (name[2 + n])
        *value = name + 3 + n;
    else if (o && o->argument && argv[*i + 1])
        *value = argv[++*i];
    return o;
}

static bool is_option(const char *word)
{
    return word[0] == '-' && word[1];
}

static enum cli_command command_named(const char *name)
{
    enum cli_command c = 0;
    while (c < CLI_COMMANDS && strcmp(cli_commands[c].name, name) != 0)
        c++;
    return c;
}

/* What there is, of subcommands or of models. */
static char *those_there(bool models)
{
    struct words w = {.dashes = ""};
    for (const struct cli_command_row *c = cli_commands; c < cli_commands + CLI_COMMANDS; c++)
        if (!models || (c->model && strcmp(c->model, c->name) == 0))
            add_word(&w, c->name);
    return sentence(&w);
}

static int no_such(const struct cli_request *r, const char *what, const char *name,
                   struct fl_err *err)
{
    struct fl_nearest meant = {.typed = name};
    char *there = those_there(strcmp(what, "model") == 0);
    for (int c = 0; c < CLI_COMMANDS; c++)
        fl_nearest_try(&meant, cli_commands[c].name, NULL);
    cli_wrong(r, err, "there is no %s '%s'%s; there are %s", what, name, meant.hint, there);
    free(there);
    return CLI_USAGE;
}

/* The subcommand is the first word, or the model that --model names anywhere. */
static int choose(int argc, char **argv, struct cli_request *r, struct fl_err *err)
{
    const char *word = argc > 1 ? argv[1] : "", *model = NULL, *value;
    bool help = false;
    r->command = command_named(word);
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const struct cli_option *o = is_option(argv[i]) ? option_at(CLI_NONE, argv, &i, &value)
                                                        : NULL;
        if (o && strcmp(o->name, "model") == 0)
            model = value;
        help |= o && o->section == CLI_GENERAL && strcmp(o->name, "model") != 0;
    }
    if (r->command == CLI_NONE && model) {
        enum cli_command c = command_named(model);
        if (c == CLI_NONE || !cli_commands[c].model || strcmp(cli_commands[c].model, model) != 0)
            return no_such(r, "model", model, err);
        r->command = c;
    }
    if (r->command != CLI_NONE)
        return CLI_DONE;
    if (help) {
        r->command = CLI_HELP;
        return CLI_DONE;
    }
    if (*word && !is_option(word) && !strpbrk(word, "./"))
        return no_such(r, "command", word, err);
    return cli_wrong(r, err,
                     "say what to do, as in faultsim stuck-at JOB.xml (or --model stuck-at)");
}

/* ---- the whole line -------------------------------------------------------------------------- */

static int unknown(const struct cli_request *r, const char *word, struct fl_err *err)
{
    struct fl_nearest meant = {.typed = word, .length = (int)strcspn(word, "=")};
    for (int i = 0; i < cli_option_count; i++) {
        char *name = fl_format("--%s", cli_options[i].name);
        if (takes(r->command, &cli_options[i]))
            fl_nearest_try(&meant, name, NULL);
        free(name);
    }
    return cli_wrong(r, err, "unknown option %.*s%s", meant.length, word, meant.hint);
}

/* An option of other commands: theirs, and what this one has in its place. */
static int misplaced(const struct cli_request *r, const struct cli_option *o, struct fl_err *err)
{
    struct words theirs = {.dashes = ""}, ours = {.dashes = "--"};
    for (int c = 0; c < CLI_COMMANDS; c++) {
        const struct cli_option *it = find((enum cli_command)c, o->name, strlen(o->name));
        if (takes((enum cli_command)c, it))
            add_word(&theirs, cli_commands[c].name);
    }
    for (int i = 0; i < cli_option_count; i++)
        if (takes(r->command, &cli_options[i]) && cli_options[i].section == o->section)
            add_word(&ours, cli_options[i].name);
    bool any = ours.last != NULL;
    char *a = sentence(&theirs), *b = sentence(&ours);
    cli_wrong(r, err, "--%s is an option of %s%s%s%s%s", o->name, a, any ? "; " : "",
              any ? cli_commands[r->command].name : "", any ? " has " : "", b);
    free(a);
    free(b);
    return CLI_USAGE;
}

static int take(struct cli_request *r, char **argv, int *i, struct fl_err *err)
{
    const char *word = argv[*i], *value;
    const struct cli_option *o = option_at(r->command, argv, i, &value);
    if (!o)
        return unknown(r, word, err);
    if (!takes(r->command, o))
        return misplaced(r, o, err);
    if (o->argument && !value)
        return cli_wrong(r, err, "--%s needs a value: --%s %s", o->name, o->name, o->argument);
    if (!o->argument && value)
        return cli_wrong(r, err, "--%s takes no value", o->name);
    if (!o->read(o, value, (char *)r + o->offset))
        return cli_wrong(r, err, "--%s '%s': %s", o->name, value,
                         o->why ? ((const struct fl_err *)((char *)r + o->why))->msg : o->give);
    return CLI_DONE;
}

/* For a text; then nothing runs. */
static bool asks(const struct cli_request *r)
{
    return r->help || r->version || r->generate;
}

/* What stands behind -- : a program with its arguments, or files whose names may begin with a dash. */
static bool is_program(const struct cli_request *r, const char *word)
{
    const char *dot = word ? strrchr(word, '.') : NULL;
    return r->command <= CLI_DICTIONARY && word && *word != '-' &&
           (!dot || strcmp(dot, ".xml") != 0);
}

/* Of the package faultline-rtl. */
static void find_installed(struct cli_request *r)
{
    char *folder = access("build/gates", F_OK) != 0 ? xml_data_file("gates") : NULL;
    if (folder && access(folder, F_OK) == 0)
        r->installed = folder;
    else
        free(folder);
}

int cli_read(int argc, char **argv, struct cli_request *r, struct fl_err *err)
{
    *r = (struct cli_request){.command = CLI_NONE,
                              .about = CLI_NONE,
                              .people = stdout,
                              .seed.number = 1,
                              .sp = -1,
                              .confidence = 0.95,
                              .choice.what = ~0u,
                              .max_cycles = 1000000000,
                              .window = {.launch = -1, .to = UINT64_MAX}};
    int status = choose(argc, argv, r, err);
    bool named = argc > 1 && command_named(argv[1]) != CLI_NONE, words_only = false;
    r->file = fl_alloc((size_t)(argc + 1) * sizeof *r->file);
    for (int i = named ? 2 : 1; status == CLI_DONE && !asks(r) && i < argc; i++) {
        if (!words_only && strcmp(argv[i], "--") == 0) {
            words_only = true;
            if (is_program(r, argv[i + 1])) {
                r->program = argv + i + 1;
                break;
            }
        } else if (words_only || !is_option(argv[i]))
            r->file[r->nfiles++] = argv[i];
        else
            status = take(r, argv, &i, err);
    }
    if (status != CLI_DONE)
        return status;
    const char *model = cli_commands[r->command].model;
    if (r->model && r->command != CLI_GATE && strcmp(r->model, model) != 0)
        return cli_wrong(r, err,
                         "--model %s: faultsim %s is about %s faults; leave one of the two out",
                         r->model, cli_commands[r->command].name, model);
    if (r->program && r->command > CLI_GATE)
        return cli_wrong(r, err,
                         "faultsim %s takes no program: record it, smrun --record run -- %s, and "
                         "name run/job.xml",
                         cli_commands[r->command].name, *r->program);
    find_installed(r);
    if (asks(r) && r->command != CLI_HELP) {
        r->about = r->command;
        r->command = CLI_HELP;
    } else if (named && r->command == CLI_HELP && r->nfiles) {
        r->about = command_named(r->file[0]);
        if (r->about == CLI_NONE)
            return no_such(r, "command", r->file[0], err);
    }
    return CLI_DONE;
}

void cli_free(struct cli_request *r)
{
    free(r->file);
    free(r->installed);
    free(r->lookup.word);
    free(r->dumps.word);
    free(r->liberty.word);
    free(r->outputs.word);
    free(r->proofs.word);
    *r = (struct cli_request){0};
}
