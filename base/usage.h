/* usage.h -- how a command is called, as rows: its options are read after them, and --help, the man
 * page and bash's completion are made of them.
 *
 * For main() alone: usage_next prints. Linked into tools (fl_tool), not into tests.
 */
#ifndef USAGE_H
#define USAGE_H

#include "fl.h"

struct usage_row {
    /* "--dump NAME=FILE" or "-o, --output DIR", or a word as other tools have it, with one dash or two:
     * "-cl-mad-enable"; "-fmad=true|false", which takes these values alone; "-maxrregcount=N", any. What does not begin with - is something else that
     * is explained: an example, an exit status. NULL: `help` is a heading. */
    const char *option;
    const char *help;
    int key; /* of an option, from 1 */
};

struct usage {
    const char *tool;            /* "smrun"; "faultsim transient" */
    const char *does;            /* a line */
    const char *synopsis;        /* what stands behind the name, a line for each form */
    const struct usage_row *row; /* the last one has neither option nor help */
};

/* What every tool answers. */
enum { USAGE_HELP = 1000, USAGE_VERSION, USAGE_GENERATE };
#define USAGE_VERSION_TEXT  "version, revision, compiler, engines, and where the data lies"
#define USAGE_GENERATE_TEXT "this text as a man page, or a completion script for bash"
#define USAGE_GENERAL                                                                              \
    {.help = "General"}, {"--version", USAGE_VERSION_TEXT, USAGE_VERSION},                         \
        {"--generate man|completion", USAGE_GENERATE_TEXT, USAGE_GENERATE},                        \
    {                                                                                              \
        "-h, --help", "this text", USAGE_HELP                                                      \
    }

/* The next option of the line: its key, with the value in optarg and optind behind it, as
 * getopt_long leaves them. When there is none or nothing more to do: */
enum {
    USAGE_END = -1,
    USAGE_ANSWERED = -2, /* --help and the like: printed */
    USAGE_WRONG = -3     /* complained */
};
int usage_next(const struct usage *u, int argc, char **argv);

void usage_help(const struct usage *u, struct fl_buf *out);
void usage_man(const struct usage *u, struct fl_buf *out);
/* u[0] is the tool, the others are its subcommands. */
void usage_completion(const struct usage *u, int n, struct fl_buf *out);
void usage_version(const char *tool, struct fl_buf *out);
/* "0.2.0 revision=949f479a0b1c", as exports name the program; "0.2.0" where the revision is not known. */
const char *usage_program(void);

#endif
