/* help.c -- the text of faultsim help, from the rows of table.c. */
#include "values.h"

#include <stdlib.h>
#include <string.h>

#include "sm/structures.h"

enum { TEXT = 26, WIDTH = 96 };

/* `left` from column 2 on, the words of `text` from column TEXT on. */
static void row(struct fl_buf *out, const char *left, const char *text)
{
    size_t n = strlen(left), at = TEXT;
    fl_buf_printf(out, "  %-*s", TEXT - 2, left);
    if (n + 2 >= TEXT)
        fl_buf_printf(out, "\n%*s", TEXT, "");
    for (size_t word; *text; text += word + (text[word] == ' ')) {
        word = strcspn(text, " ");
        if (at > TEXT && at + 1 + word > WIDTH) {
            fl_buf_printf(out, "\n%*s", TEXT, "");
            at = TEXT;
        }
        fl_buf_printf(out, "%s%.*s", at > TEXT ? " " : "", (int)word, text);
        at += word + (at > TEXT);
    }
    fl_buf_printf(out, "\n");
}

static void all_commands(struct fl_buf *out)
{
    fl_buf_printf(out, "faultsim: injects faults into a machine that runs a job, and says what "
                       "becomes of each\n\n");
    for (const struct cli_command_row *c = cli_commands; c < cli_commands + CLI_COMMANDS; c++) {
        char *left = fl_format("faultsim %s", c->name);
        char *text = fl_format("%s%s", c->missing ? "not there yet: " : "", c->summary);
        row(out, left, text);
        free(left);
        free(text);
    }
    fl_buf_printf(out,
                  "\nfaultsim COMMAND --help shows the options of a command, with examples. For a "
                  "model of faults,\nfaultsim --model M is the same as faultsim M.\n\n"
                  "Exit status: 0 done (undetected faults are a result), 1 a job, a file or the "
                  "run has a problem,\n2 wrong usage, 3 stopped by a signal (Ctrl-C): --store F "
                  "--resume goes on.\n");
}

static void targets(struct fl_buf *out)
{
    fl_buf_printf(out, "\nTargets:\n");
    for (int i = 0; i < SM_STRUCTURES; i++) {
        const char *text, *name = sm_structure_name(i, &text);
        row(out, name, text);
    }
}

void cli_help(enum cli_command about, struct fl_buf *out)
{
    if (about == CLI_NONE) {
        all_commands(out);
        return;
    }
    const struct cli_command_row *c = &cli_commands[about];
    const struct cli_option *end = cli_options + cli_option_count;
    bool takes_targets = false;
    fl_buf_printf(out, "faultsim %s %s%s\n%s\n", c->name, about == CLI_HELP ? "" : "[options] ",
                  c->operands, c->summary);
    for (int section = 0; section < CLI_SECTIONS; section++) {
        bool begun = false;
        for (const struct cli_option *o = cli_options; o < end; o++) {
            if (!(o->commands >> about & 1) || o->section != (enum cli_section)section)
                continue;
            if (!begun)
                fl_buf_printf(out, "\n%s:\n", cli_sections[section]);
            begun = true;
            takes_targets |= o->read == cli_targets;
            char *left = fl_format("--%s%s%s", o->name, o->argument ? " " : "",
                                   o->argument ? o->argument : "");
            row(out, left, o->help);
            free(left);
        }
    }
    if (takes_targets)
        targets(out);
    fl_buf_printf(out, "\nExamples:\n");
    for (int i = 0; i < CLI_EXAMPLES && c->example[i].line; i++)
        fl_buf_printf(out, "  faultsim %s\n      %s\n", c->example[i].line, c->example[i].does);
}
