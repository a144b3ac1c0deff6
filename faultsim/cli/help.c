/* help.c -- what faultsim says of itself, from the rows of table.c. */
#include "values.h"

#include <stdlib.h>
#include <string.h>

#include "sm/structures.h"

/* The rows of a usage; its texts are its own. */
struct rows {
    struct usage_row *row;
    int count;
};

static void add(struct rows *r, char *option, const char *help)
{
    r->row = fl_grow(r->row, (size_t)r->count + 1, sizeof *r->row);
    r->row[r->count++] = (struct usage_row){option, help ? fl_strdup(help) : NULL, 0};
}

static char *of_faultsim(const char *line)
{
    return fl_format("faultsim %s", line);
}

static void add_statuses(struct rows *r)
{
    add(r, NULL, "Exit status");
    add(r, fl_strdup("0"), "done; undetected faults are a result");
    add(r, fl_strdup("1"), "a job, a file or the run has a problem");
    add(r, fl_strdup("2"), "wrong usage");
    add(r, fl_strdup("3"), "stopped by a signal (Ctrl-C); --store F --resume continues it");
}

static void add_commands(struct rows *r)
{
    add(r, NULL, "Commands");
    for (const struct cli_command_row *c = cli_commands; c < cli_commands + CLI_COMMANDS; c++)
        add(r, of_faultsim(c->name), c->summary);
    add(r, of_faultsim("COMMAND --help"), "the options of a command, with examples");
    add(r, of_faultsim("--model M"), "for a fault model M, the same as faultsim M");
}

static void add_options(enum cli_command about, struct rows *r)
{
    bool takes_targets = false;
    for (int section = 0; section < CLI_SECTIONS; section++) {
        bool begun = false;
        for (int i = 0; i < cli_option_count; i++) {
            const struct cli_option *o = &cli_options[i];
            bool taken = about == CLI_NONE ? o->section == CLI_GENERAL && o->read != cli_text
                                           : o->commands >> about & 1;
            if (!taken || o->section != (enum cli_section)section)
                continue;
            if (!begun)
                add(r, NULL, cli_sections[section]);
            begun = true;
            takes_targets |= o->read == cli_targets || o->read == cli_patterns;
            add(r,
                fl_format("--%s%s%s", o->name, o->argument ? " " : "",
                          o->argument ? o->argument : ""),
                o->help);
        }
    }
    if (takes_targets)
        add(r, NULL, "Targets");
    for (int i = 0; i < SM_ALL_STRUCTURES && takes_targets; i++) {
        const char *text, *name = sm_structure_name(i, &text);
        if (i == SM_STRUCTURES)
            add(r, NULL, "Targets of engine rtl only, registers without a cell in the C model");
        add(r, fl_strdup(name), text);
    }
}

/* A command, or CLI_NONE for faultsim itself, as rows; free_usage frees them. */
static void make_usage(enum cli_command about, struct usage *out)
{
    const struct cli_command_row *c = about == CLI_NONE ? NULL : &cli_commands[about];
    struct rows r = {0};
    if (!c)
        add_commands(&r);
    add_options(about, &r);
    if (c)
        add(&r, NULL, "Examples");
    for (int i = 0; c && i < CLI_EXAMPLES && c->example[i].line; i++)
        add(&r, of_faultsim(c->example[i].line), c->example[i].does);
    if (!c)
        add_statuses(&r);
    add(&r, NULL, NULL);
    *out = (struct usage){
        .tool = c ? of_faultsim(c->name) : fl_strdup("faultsim"),
        .does =
            c ? c->summary
              : "injects faults into a machine that runs a job, and reports the outcome of each",
        .synopsis = c ? fl_format("%s%s", about == CLI_HELP ? "" : "[options] ", c->operands)
                      : fl_strdup("COMMAND [options] [FILE]..."),
        .row = r.row};
}

static void free_usage(struct usage *u)
{
    for (const struct usage_row *r = u->row; r->option || r->help; r++) {
        free((char *)r->option);
        free((char *)r->help);
    }
    free((struct usage_row *)u->row);
    free((char *)u->tool);
    free((char *)u->synopsis);
}

void cli_help(enum cli_command about, struct fl_buf *out)
{
    struct usage u;
    make_usage(about, &u);
    usage_help(&u, out);
    free_usage(&u);
}

void cli_generate(const struct cli_request *r, struct fl_buf *out)
{
    struct usage u[CLI_COMMANDS + 1];
    int n = 0;
    bool man = strcmp(r->generate, "man") == 0;
    make_usage(man ? r->about : CLI_NONE, &u[n++]);
    for (int c = 0; c < CLI_COMMANDS && !man; c++)
        make_usage((enum cli_command)c, &u[n++]);
    if (man)
        usage_man(u, out);
    else
        usage_completion(u, n, out);
    while (n--)
        free_usage(&u[n]);
}
