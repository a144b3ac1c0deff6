/* clang.c -- runs clang, whose PTX is what we translate.
 *
 * One version is what results are stated for; the next two do as well. The header that declares the language's functions
 * goes to clang through a file in memory.
 */
#include "clang.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

extern const char cc_opencl_header[], cc_cuda_header[];

static const char *const versions[] = {"clang-14", "clang-15", "clang-16"};

static const char *const common[] = {
    "-O2", "-S", "-o", "-",
    /* every function into its callers: there is no stack */
    "-mllvm", "-inline-threshold=1000000",
    /* a / b and sqrt as the machine has them, not IEEE's sequences with fma */
    "-mllvm", "-nvptx-prec-divf32=1", "-mllvm", "-nvptx-prec-sqrtf32=0"};
static const char *const opencl[] = {
    "-x",           "cl",          "-cl-std=CL1.2", "-target", "nvptx--nvidiacl",
    "-Xclang",      "-target-cpu", "-Xclang",       "sm_20",   "-cl-single-precision-constant",
    "-cl-no-stdinc"};
static const char *const cuda[] = {"-x",
                                   "cuda",
                                   "--cuda-device-only",
                                   "--target=i386-linux-gnu",
                                   "--cuda-gpu-arch=sm_20",
                                   "-nocudainc",
                                   "-nocudalib",
                                   "-Wno-unknown-cuda-version",
                                   "-fdeclspec"};

static void add(const char **argv, int *n, const char *const *more, size_t count)
{
    for (size_t i = 0; i < count; i++)
        argv[(*n)++] = more[i];
}

/* Both pipes until they end. */
static void drain(int out, int errors, struct fl_buf *ptx, struct fl_buf *messages)
{
    struct pollfd p[2] = {{out, POLLIN, 0}, {errors, POLLIN, 0}};
    struct fl_buf *to[2] = {ptx, messages};
    for (int left = 2; left;) {
        if (poll(p, 2, -1) < 0 && errno != EINTR)
            break;
        for (int i = 0; i < 2; i++) {
            char bytes[65536];
            if (p[i].fd < 0 || !p[i].revents)
                continue;
            ssize_t n = read(p[i].fd, bytes, sizeof bytes);
            if (n > 0)
                fl_buf_add(to[i], bytes, (size_t)n);
            else if (n == 0 || errno != EINTR) {
                close(p[i].fd);
                p[i].fd = -1;
                left--;
            }
        }
    }
}

/* Its exit status, or -1: it could not be started (errno). */
static int run(const char **argv, struct fl_buf *ptx, struct fl_buf *messages)
{
    int out[2], errors[2], status;
    pid_t pid;
    if (pipe2(out, O_CLOEXEC) || pipe2(errors, O_CLOEXEC))
        return -1;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    posix_spawn_file_actions_adddup2(&actions, errors[1], 2);
    int why = posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(out[1]);
    close(errors[1]);
    if (why) {
        close(out[0]);
        close(errors[0]);
        errno = why;
        return -1;
    }
    drain(out[0], errors[0], ptx, messages);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static bool has(const char *line, size_t n, const char *word)
{
    return memmem(line, n, word, strlen(word)) != NULL;
}

/* Without the notes that point into the header, which users do not have, and without the number of errors. */
static void drop_own(struct fl_buf *messages)
{
    struct fl_buf kept = {0};
    bool drop = false;
    for (size_t at = 0, n; at < messages->size; at += n) {
        const char *line = (const char *)messages->data + at, *end;
        end = memchr(line, '\n', messages->size - at);
        n = end ? (size_t)(end - line) + 1 : messages->size - at;
        bool note = has(line, n, ": note: "),
             count = isdigit((unsigned char)*line) && has(line, n, " generated");
        if (note || count || has(line, n, ": error: ") || has(line, n, ": warning: "))
            drop = count || (note && (strncmp(line, "smcc.h:", 7) == 0 ||
                                      strncmp(line, "<scratch space>:", 16) == 0));
        if (!drop)
            fl_buf_add(&kept, line, n);
    }
    fl_buf_free(messages);
    *messages = kept;
}

/* A file without a name that clang can open: the language's header, then the user's macros, which must not reach into it. */
static int header(const char *text, const char *macros, char *path, size_t size, struct fl_err *err)
{
    struct fl_buf b = {0};
    fl_buf_printf(&b, "# 1 \"smcc.h\" 3\n%s\n# 1 \"<command line>\"\n%s", text,
                  macros ? macros : "");
    int fd = memfd_create("smcc.h", 0);
    bool good = fd >= 0 && write(fd, b.data, b.size) == (ssize_t)b.size;
    fl_buf_free(&b);
    if (!good)
        return fl_fail(err, "smcc: no file in memory: %s", strerror(errno));
    snprintf(path, size, "/proc/self/fd/%d", fd);
    return fd;
}

int cc_clang(const char *path, const struct cc_clang *options, bool as_llvm, struct fl_buf *ptx,
             struct fl_buf *messages, struct fl_err *err)
{
    size_t length = strlen(path);
    bool is_cuda = length > 3 && strcmp(path + length - 3, ".cu") == 0;
    const char **argv = fl_alloc((size_t)(64 + options->nargs) * sizeof *argv);
    char include[64];
    int n = 1, status = -1;
    err->msg[0] = 0;
    int fd = header(is_cuda ? cc_cuda_header : cc_opencl_header, options->macros, include,
                    sizeof include, err);
    if (fd < 0) {
        free(argv);
        return -1;
    }
    if (is_cuda)
        add(argv, &n, cuda, sizeof cuda / sizeof cuda[0]);
    else
        add(argv, &n, opencl, sizeof opencl / sizeof opencl[0]);
    add(argv, &n, common, sizeof common / sizeof common[0]);
    argv[n++] = options->fmad ? "-ffp-contract=fast" : "-ffp-contract=off";
    if (options->fmad)
        argv[n++] = "-DSMCC_FMAD";
    if (options->fast)
        argv[n++] = "-DSMCC_FAST";
    if (is_cuda)
        add(argv, &n,
            (const char *const[]){"-mllvm",
                                  options->fmad ? "-nvptx-fma-level=2" : "-nvptx-fma-level=0"},
            2);
    if (as_llvm)
        add(argv, &n,
            (const char *const[]){"-emit-llvm", "-Xclang", "-disable-llvm-passes",
                                  "-fno-discard-value-names", "-w"},
            5);
    else
        argv[n++] = "-gline-tables-only";
    argv[n++] = "-include";
    argv[n++] = include;
    add(argv, &n, options->arg, (size_t)options->nargs);
    char *file = fl_format("%s%s", *path == '-' ? "./" : "", path); /* not an option of clang's */
    argv[n++] = file;
    argv[n] = NULL;
    for (size_t v = 0; v < sizeof versions / sizeof versions[0] && status < 0; v++) {
        argv[0] = versions[v];
        status = run(argv, ptx, messages);
        if (status < 0 && errno != ENOENT)
            break;
    }
    close(fd);
    free(file);
    free(argv);
    if (status < 0)
        return fl_fail(err,
                       "smcc: no clang (%s): install Debian's package %s or %s; in a clone, "
                       "scripts/setup --cc does it",
                       strerror(errno), versions[0], versions[2]);
    drop_own(messages);
    fl_buf_add(ptx, "", 1);
    return status == 0 ? 0 : -1;
}
