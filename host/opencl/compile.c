/* compile.c -- compiles a program at run time: the command smcc does it, in a folder of its own.
 *
 * The command, not its library: a compiler that fails, or is stopped, ends no program, the library stays small, and what smcc says of its
 * options is said once.
 */
#include "internal.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* bin/smcc, of whose lib/faultline this library lies in; else the one that PATH names. */
static char *find_smcc(void)
{
    Dl_info own;
    char self[PATH_MAX], *end;
    if (dladdr((const void *)(uintptr_t)&find_smcc, &own) && realpath(own.dli_fname, self) &&
        (end = strstr(self, "/lib/faultline/"))) {
        *end = 0;
        char *smcc = fl_format("%s/bin/smcc", self);
        if (access(smcc, X_OK) == 0)
            return smcc;
        free(smcc);
    }
    return fl_strdup("smcc");
}

struct words {
    char **word;
    int count, room;
};

static void add(struct words *w, char *word)
{
    FL_ROOM(w->word, w->count, w->room, 16);
    w->word[w->count++] = word;
}

/* The next word of the options; quotes, and a backslash, take what follows as it is. NULL: there is none. */
static char *next_word(const char **s)
{
    struct fl_buf word = {0};
    *s += strspn(*s, " \t\r\n");
    if (!**s)
        return NULL;
    for (char quote = 0; **s && (quote || !strchr(" \t\r\n", **s)); ++*s) {
        if (**s == quote)
            quote = 0;
        else if (!quote && (**s == '"' || **s == '\''))
            quote = **s;
        else {
            *s += **s == '\\' && (*s)[1];
            fl_buf_add(&word, *s, 1);
        }
    }
    fl_buf_add(&word, "", 1);
    return (char *)word.data;
}

/* Folders of headers count from the program's folder, not from that of the compilation. */
static void add_options(struct words *w, const char *options, const char *here)
{
    bool folder = false;
    for (char *word; (word = next_word(&options)); folder = strcmp(word, "-I") == 0) {
        const char *path = folder ? word : strncmp(word, "-I", 2) == 0 ? word + 2 : "/";
        char *absolute = *path && *path != '/'
                             ? fl_format("%s%s/%s", folder ? "" : "-I", here, path)
                             : fl_strdup(word);
        free(word);
        add(w, word = absolute);
    }
}

static struct words command_line(const char *options, const char *source)
{
    struct words w = {0};
    char here[PATH_MAX],
        *profile = strchr(host_profile(), '/') ? realpath(host_profile(), NULL) : NULL;
    add(&w, find_smcc());
    add(&w, fl_strdup("-cl-kernel-arg-info"));
    add(&w, fl_format("--profile=%s", profile ? profile : host_profile()));
    if (getcwd(here, sizeof here)) {
        add_options(&w, options, here);
        add(&w, fl_format("-I%s", here));
    }
    add(&w, fl_strdup("-o"));
    add(&w, fl_strdup("program.cubin"));
    add(&w, fl_strdup(source));
    add(&w, NULL);
    free(profile);
    return w;
}

/* Runs it in the folder, its messages to the file "log". -1: it cannot be started. */
static int run(char **line, const char *folder, int *status)
{
    pid_t pid;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "log", O_WRONLY | O_CREAT, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    int why = posix_spawnp(&pid, *line, &actions, NULL, line, environ);
    posix_spawn_file_actions_destroy(&actions);
    *status = 0; /* of a program that ignores its children nobody knows it */
    while (!why && waitpid(pid, status, 0) < 0 && errno == EINTR)
        ;
    errno = why;
    return why ? -1 : 0;
}

/* A file of the folder, which goes away: its bytes. */
static int take(const char *folder, const char *name, struct fl_buf *out)
{
    char *path = fl_format("%s/%s", folder, name);
    int bad = access(path, F_OK) || fl_read_file(path, out, NULL);
    unlink(path);
    free(path);
    return bad;
}

static void set_log(cl_program p, const struct fl_buf *log)
{
    free(p->log);
    p->log = fl_format("%.*s", (int)log->size, log->size ? (const char *)log->data : "");
}

static cl_int compile_in(const char *folder, cl_program p, const char *options)
{
    struct fl_buf log = {0};
    struct fl_err err;
    int status = 0;
    /* so that a line of it is found: the program may have several */
    char *source = p->number == 1 ? fl_strdup("program.cl") : fl_format("program%d.cl", p->number),
         *path = fl_format("%s/%s", folder, source);
    cl_int error = CL_SUCCESS;
    if (fl_write_file(path, p->source, strlen(p->source), &err)) {
        fl_buf_printf(&log, "%s\n", err.msg);
        error = CL_OUT_OF_HOST_MEMORY;
    } else {
        struct words w = command_line(options, source);
        if (run(w.word, folder, &status)) {
            fl_buf_printf(&log,
                          "%s: %s; the compiler of Faultline lies in bin beside lib/faultline, or "
                          "in a folder of PATH\n",
                          *w.word, strerror(errno));
            error = CL_COMPILER_NOT_AVAILABLE;
        } else
            take(folder, "log", &log);
        while (w.count)
            free(w.word[--w.count]);
        free(w.word);
    }
    fl_buf_free(&p->binary);
    if (!error && (take(folder, "program.cubin", &p->binary) || status))
        error = WIFEXITED(status) && WEXITSTATUS(status) == 2 ? CL_INVALID_BUILD_OPTIONS
                                                              : CL_BUILD_PROGRAM_FAILURE;
    unlink(path);
    set_log(p, &log);
    fl_buf_free(&log);
    free(path);
    free(source);
    return error;
}

cl_int ocl_compile(struct ocl *o, cl_program p, const char *options)
{
    const char *where = getenv("TMPDIR");
    char *folder = fl_format("%s/faultline-opencl-XXXXXX", where && *where ? where : "/tmp");
    cl_int error = mkdtemp(folder) ? compile_in(folder, p, options)
                                   : ocl_refuse(o, CL_OUT_OF_HOST_MEMORY,
                                                "%s: %s; TMPDIR names a folder for temporary files",
                                                folder, strerror(errno));
    rmdir(folder);
    free(folder);
    return error;
}
