/* main.c -- faultsim: reads the command line, runs the subcommand, prints what went wrong. */
#include "base/interrupt.h"
#include "faultsim/cli/commands.h"

static int help(struct cli_request *r, struct fl_err *err)
{
    struct fl_buf text = {0};
    (void)err;
    if (r->version)
        usage_version("faultsim", &text);
    else if (r->generate)
        cli_generate(r, &text);
    else
        cli_help(r->about, &text);
    cli_print(r, &text);
    return CLI_DONE;
}

int main(int argc, char **argv)
{
    static int (*const run[CLI_COMMANDS])(struct cli_request *, struct fl_err *) = {
        [CLI_STUCK_AT] = cli_stuck_at,
        [CLI_MEMORY] = cli_stuck_at,
        [CLI_TRANSIENT] = cli_transient,
        [CLI_INTERMITTENT] = cli_transient,
        [CLI_GATE] = cli_gate,
        [CLI_PROVE] = cli_prove,
        [CLI_DICTIONARY] = cli_dictionary,
        [CLI_MERGE] = cli_merge,
        [CLI_REPORT] = cli_report,
        [CLI_COMPARE] = cli_compare,
        [CLI_HELP] = help,
    };
    struct cli_request r;
    struct fl_err err = {""};
    fl_start("faultsim");
    int status = cli_read(argc, argv, &r, &err);
    if (status == CLI_DONE)
        status = run[r.command](&r, &err);
    if (status != CLI_DONE)
        fl_complain(status, "%s", err.msg);
    if (r.signal)
        interrupt_raise(
            r.signal); /* there is nothing to go on from: the shell sees what ended it */
    cli_free(&r);
    return fl_end(status);
}
