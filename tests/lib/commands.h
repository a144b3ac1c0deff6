/* commands.h -- the commands in a folder of jobs, good and bad, and what they say when they refuse.
 *
 * commands_start() makes the folder; make_files() in commands.c says what lies in it.
 */
#ifndef COMMANDS_H
#define COMMANDS_H

#include <stdbool.h>

#include "tools.h"

void commands_start(void);
void commands_end(void);

/* Runs a shell line in the scratch folder; exit status, or -1 when a signal ended it. Both texts may be NULL. */
int commands_run(const char *line, struct fl_buf *out, struct fl_buf *err);

const char *commands_text(const struct fl_buf *b);

int commands_lines(const char *s);

int commands_files(void);

struct commands_refusal {
    const char *line;
    int status;
    const char *says;
};

/* The message is one, stands on stderr, begins with who speaks, and holds what the test wants; a second line may say where
 * help is. No file is made, no output either. */
bool commands_refused(const struct commands_refusal *r);

/* Each costs a process. */
#define CHECK_REFUSED(list)                                                                        \
    for (size_t i = 0, n = sizeof(list) / sizeof *(list); i < n; i += SANITIZED && n > 9 ? 4 : 1)  \
    CU_ASSERT_TRUE(commands_refused(&(list)[i]))

void commands_put(const char *name, const char *content);
/* The path of a file of the folder. Caller frees. */
char *commands_path(const char *name);

#define JOB(profile, cubin, block, more)                                                           \
    "<job name=\"t\" profile=\"" profile "\" cubin=\"" cubin "\">\n"                               \
    "  <buffer name=\"b\" size=\"256\"/>\n"                                                        \
    "  <launch kernel=\"k\" grid=\"1\" block=\"" block "\"><param offset=\"0x10\" buffer=\"b\"/>"  \
    "</launch>\n"                                                                                  \
    "  <output name=\"o\" buffer=\"b\"/>\n" more "</job>\n"

#endif
