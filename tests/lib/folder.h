/* folder.h -- for a suite with one folder: its files, and shell lines that must end as stated.
 *
 *     dir = tools_folder();        // in main; tools_remove(dir) at its end
 *     needs_clang = true;          // its lines compile kernels
 */
#ifndef FOLDER_H
#define FOLDER_H

#include "tools.h"

static char *dir;
static bool needs_clang; /* without clang, tests with an expect() are skipped */

static inline void put(const char *name, const char *text)
{
    tools_put(dir, name, text, strlen(text));
}

static inline void expect(const char *line, int status, const char *says)
{
    if (!needs_clang || check_clang())
        tools_expect_line(dir, line, status, says);
}

#endif
