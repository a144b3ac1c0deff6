/* tools.h -- a folder for the files of a test, and shell commands in it.
 *
 *     static char *dir;                                    // made in main, removed there
 *     dir = tools_folder();
 *     struct fl_buf out = {0};
 *     CU_ASSERT_EQUAL(tools_run(dir, &out, "sasm %s -o k.cubin", source), 0);
 *     CU_ASSERT_TRUE(tools_says(&out, "..."));
 *     tools_remove(dir);
 */
#ifndef TOOLS_H
#define TOOLS_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fl.h"
#include "check.h"

/* A new folder, in memory where there is such a thing: every file is written to the disk before it counts as written, and
 * hundreds of files would wait for it. */
char *tools_folder(void);

void tools_remove(char *dir);

/* Writes a file of the folder. Not fl_write_file: nobody needs to find it on the disk. */
void tools_put(const char *dir, const char *name, const void *bytes, size_t size);

/* Runs a shell command in the folder, with our tools on its PATH. Its exit status, or -1 when a signal ended it; what it
 * printed on standard output in `out`, with a zero byte behind it. */
int tools_run(const char *dir, struct fl_buf *out, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* From now on commands obey the modes of files and folders, as those of an ordinary user do: root may write everywhere. Else
 * the test is skipped. */
bool tools_obey_modes(void);

bool tools_says(const struct fl_buf *out, const char *what);

/* The tool ends with this status, and `words` stand in what it says. */
void tools_expect(const char *dir, const char *tool, const char *arguments, int status,
                  const char *words);
/* The same of a shell line. */
void tools_expect_line(const char *dir, const char *line, int status, const char *words);

/* From here on this process's standard error is kept; `tools_said` checks that the words are in it. */
void tools_listen(void);
void tools_said(const char *words);

#endif
