/* tools.c -- makes the folder, runs the commands. */
#include <linux/capability.h>
#include <stdarg.h>
#include <sys/prctl.h>

#include "tools.h"

char *tools_folder(void)
{
    char *dir = fl_format("%s/faultline-XXXXXX",
                          access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (!mkdtemp(dir)) {
        perror(dir);
        exit(1);
    }
    return dir;
}

void tools_remove(char *dir)
{
    char *command = fl_format("rm -rf '%s'", dir);
    if (system(command) != 0)
        perror(dir);
    free(command);
    free(dir);
}

void tools_put(const char *dir, const char *name, const void *bytes, size_t size)
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

int tools_run(const char *dir, struct fl_buf *out, const char *fmt, ...)
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

/* What is out of the bounding set, no program that is started can do. */
bool tools_obey_modes(void)
{
    bool obeys = geteuid() != 0 || (prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0) == 0 &&
                                    prctl(PR_CAPBSET_DROP, CAP_DAC_READ_SEARCH, 0, 0, 0) == 0);
    if (!obeys)
        check_skip("root may write everywhere here, and may not give that up");
    return obeys;
}

bool tools_says(const struct fl_buf *out, const char *what)
{
    return out->size && strstr((const char *)out->data, what);
}

/* The command in `line` has ended with `got`, and said what is in `out`. */
static void check_end(const char *line, int got, struct fl_buf *out, int status, const char *words)
{
    bool good = got == status && tools_says(out, words);
    if (!good)
        printf("\n    %s\n    wanted %d ...%s...\n    got    %d %.3000s\n", line, status, words,
               got, out->data);
    CU_ASSERT(good);
    fl_buf_free(out);
}

void tools_expect(const char *dir, const char *tool, const char *arguments, int status,
                  const char *words)
{
    struct fl_buf out = {0};
    char *line = fl_format("%s %s", tool, arguments);
    int got = tools_run(dir, &out, "%s 2>&1", line);
    check_end(line, got, &out, status, words);
    free(line);
}

void tools_expect_line(const char *dir, const char *line, int status, const char *words)
{
    struct fl_buf out = {0};
    int got = tools_run(dir, &out, "{ %s; } 2>&1", line);
    check_end(line, got, &out, status, words);
}

static FILE *quiet;
static int kept;

void tools_listen(void)
{
    fflush(stderr);
    kept = dup(STDERR_FILENO);
    quiet = tmpfile();
    dup2(fileno(quiet), STDERR_FILENO);
}

void tools_said(const char *words)
{
    static char text[1 << 16];
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    rewind(quiet);
    text[fread(text, 1, sizeof text - 1, quiet)] = 0;
    fclose(quiet);
    if (!strstr(text, words))
        printf("\n    wanted: %s\n    said: %s", words, text);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, words));
}
