/* tools_util.h -- a folder for the files of a test, and shell commands in it.
 *
 *     static char *dir;                                    // made in main, removed there
 *     dir = tools_folder();
 *     struct fl_buf out = {0};
 *     CU_ASSERT_EQUAL(tools_run(dir, &out, "sasm %s -o k.cubin", source), 0);
 *     CU_ASSERT_TRUE(tools_says(&out, "..."));
 *     tools_remove(dir);
 */
#ifndef TOOLS_UTIL_H
#define TOOLS_UTIL_H

#include <stdarg.h>
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
static inline char *tools_folder(void)
{
    char *dir = fl_format("%s/faultline-XXXXXX",
                          access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (!mkdtemp(dir)) {
        perror(dir);
        exit(1);
    }
    return dir;
}

static inline void tools_remove(char *dir)
{
    char *command = fl_format("rm -rf '%s'", dir);
    if (system(command) != 0)
        perror(dir);
    free(command);
    free(dir);
}

/* Writes a file of the folder. Not fl_write_file: nobody needs to find it on the disk. */
static inline void tools_put(const char *dir, const char *name, const void *bytes, size_t size)
{
    char *path = fl_format("%s/%s", dir, name);
    FILE *f = fopen(path, "wb");
    bool good = f && fwrite(bytes, 1, size, f) == size;
    good = f && fclose(f) == 0 && good;
    if (!good)
        perror(path);
    CU_ASSERT_FATAL(good);
    free(path);
}

/* Runs a shell command in the folder, with our tools on its PATH. Its exit status, or -1 when a signal ended it; what it
 * printed on standard output in `out`, with a zero byte behind it. */
static inline int tools_run(const char *dir, struct fl_buf *out, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static inline int tools_run(const char *dir, struct fl_buf *out, const char *fmt, ...)
{
    struct fl_buf command = {0};
    char line[8192], chunk[4096];
    va_list ap;
    va_start(ap, fmt);
    int size = vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    CU_ASSERT_FATAL(size >= 0 && size < (int)sizeof line);
    fl_buf_printf(&command, "cd '%s' && PATH='%s':$PATH\n%s", dir, FAULTLINE_BIN_DIR, line);
    FILE *pipe = popen((char *)command.data, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(pipe);
    out->size = 0;
    for (size_t n; (n = fread(chunk, 1, sizeof chunk, pipe)) > 0;)
        fl_buf_add(out, chunk, n);
    fl_buf_add(out, "", 0);
    int status = pclose(pipe);
    fl_buf_free(&command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static inline bool tools_says(const struct fl_buf *out, const char *what)
{
    return out->size && strstr((const char *)out->data, what);
}

/* The tool ends with this status, and `words` stand in what it says. */
static inline void tools_expect(const char *dir, const char *tool, const char *arguments,
                                int status, const char *words)
{
    struct fl_buf out = {0};
    int got = tools_run(dir, &out, "%s %s 2>&1", tool, arguments);
    bool good = got == status && tools_says(&out, words);
    if (!good)
        printf("\n    %s %s\n    wanted %d ...%s...\n    got    %d %s\n", tool, arguments, status,
               words, got, out.data);
    CU_ASSERT(good);
    fl_buf_free(&out);
}

#endif
