/* clang.c -- runs clang, whose PTX is what we translate.
 *
 * One version is what results are stated for; the next two do as well. The header that declares the language's functions
 * goes to clang through a file in memory.
 */
#include "clang.h"
#include "hosts.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

extern const char cc_opencl_header[], cc_cuda_header[], cc_host_header[], cc_helpers_header[],
    cc_groups_header[], cc_half_header[], cc_complex_header[], cc_runtime_header[];

static const char *const versions[] = {"clang-14", "clang-15", "clang-16"};

/* Of the language's side: clang's own form of the program, with names and types of parameters, which no pass has touched. */
static const char *const front[] = {"-O2",
                                    "-S",
                                    "-o",
                                    "-",
                                    "-emit-llvm",
                                    "-Xclang",
                                    "-disable-llvm-passes",
                                    "-fno-discard-value-names",
                                    "-Xclang",
                                    "-debug-info-kind=standalone"};
/* Of the machine's side, which reads that form. */
static const char *const back[] = {
    "-x", "ir", "-O2", "-S", "-o", "-", "-Xclang", "-target-cpu", "-Xclang", "sm_20",
    /* every function into its callers: there is no stack */
    "-mllvm", "-inline-threshold=1000000",
    /* a / b and sqrt as the machine has them, not IEEE's sequences with fma */
    "-mllvm", "-nvptx-prec-divf32=1", "-mllvm", "-nvptx-prec-sqrtf32=0"};
/* ... and as clang has it for CUDA C */
static const char *const back_cuda[] = {"-mllvm", "-enable-memcpyopt-without-libcalls",
                                        "-Wno-unknown-cuda-version"};
static const char *const opencl[] = {
    "-x",           "cl",          "-cl-std=CL1.2", "-target", "nvptx--nvidiacl",
    "-Xclang",      "-target-cpu", "-Xclang",       "sm_20",   "-cl-single-precision-constant",
    "-cl-no-stdinc"};
static const char *const cuda[] = {
    "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_20", "-nocudainc", "-nocudalib",
    "-Wno-unknown-cuda-version", "-fdeclspec",
    /* nvcc takes them: it knew no C++11, and gcc warns of the third */
    "-Wno-c++11-narrowing", "-Wno-reserved-user-defined-literal", "-Wno-register",
    /* a constexpr function of the system would be one of the device, beside ours */
    "-Xclang", "-fno-cuda-host-device-constexpr"};

/* What nvcc includes before a source. */
static const char cuda_prefix[] = "#include <limits.h>\n#include <math.h>\n#include <stdint.h>\n"
                                  "#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n";

/* Headers that come with CUDA: what they declare stands in the prefix of a .cu file. */
static const char *const cuda_names[] = {"builtin_types.h",
                                         "channel_descriptor.h",
                                         "common_functions.h",
                                         "cuda.h",
                                         "cuda_profiler_api.h",
                                         "cuda_runtime.h",
                                         "cuda_runtime_api.h",
                                         "device_functions.h",
                                         "device_launch_parameters.h",
                                         "device_types.h",
                                         "driver_types.h",
                                         "host_config.h",
                                         "host_defines.h",
                                         "math_constants.h",
                                         "math_functions.h",
                                         "sm_11_atomic_functions.h",
                                         "sm_12_atomic_functions.h",
                                         "sm_13_double_functions.h",
                                         "sm_20_atomic_functions.h",
                                         "sm_20_intrinsics.h",
                                         "texture_types.h",
                                         "vector_functions.h",
                                         "vector_types.h"};
static const char *const helper_names[] = {
    "cutil.h",        "cutil_inline.h", "helper_cuda.h", "helper_functions.h",
    "helper_timer.h", "sdkHelper.h",    "shrQATest.h",   "shrUtils.h"};

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

/* The environment in which clang writes the name of each header that it reads into a file. The caller frees it, of its
 * strings the first two. */
static char **noting_headers(int file)
{
    static const char prefix[] = "CC_PRINT_HEADERS";
    int n = 0, all = 2;
    while (environ[n])
        n++;
    char **e = fl_alloc((size_t)(n + 3) * sizeof *e);
    e[0] = fl_format("%s=1", prefix);
    e[1] = fl_format("%s_FILE=/proc/self/fd/%d", prefix, file);
    for (int i = 0; i < n; i++)
        if (strncmp(environ[i], prefix, sizeof prefix - 1) != 0)
            e[all++] = environ[i];
    return e;
}

/* The headers that clang has noted. */
static void add_headers(int file, struct fl_files *read)
{
    char *path = fl_format("/proc/self/fd/%d", file);
    struct fl_buf names = {0};
    if (fl_read_file(path, &names, NULL) == 0) {
        char *rest = (char *)names.data;
        for (char *line; (line = strsep(&rest, "\n"));)
            fl_files_in(read, "an included file", *line ? line : NULL);
    }
    fl_buf_free(&names);
    free(path);
}

/* Its exit status, or -1: it could not be started (errno). `read`, which may be NULL, gets the headers that it reads. */
static int run(const char **argv, struct fl_files *read, struct fl_buf *ptx,
               struct fl_buf *messages)
{
    int out[2], errors[2], status;
    pid_t pid;
    if (pipe2(out, O_CLOEXEC) || pipe2(errors, O_CLOEXEC))
        return -1;
    int headers = read ? memfd_create("headers", 0) : -1;
    char **noting = headers >= 0 ? noting_headers(headers) : NULL;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    posix_spawn_file_actions_adddup2(&actions, errors[1], 2);
    int why = posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)argv,
                           noting ? noting : environ);
    posix_spawn_file_actions_destroy(&actions);
    close(out[1]);
    close(errors[1]);
    for (int i = 0; noting && i < 2; i++)
        free(noting[i]);
    free(noting);
    if (why) {
        close(out[0]);
        close(errors[0]);
        if (headers >= 0)
            close(headers);
        errno = why;
        return -1;
    }
    drain(out[0], errors[0], ptx, messages);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (headers >= 0) {
        add_headers(headers, read);
        close(headers);
    }
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

/* A file without a name, of which clang gets the path. */
static int in_memory(const struct fl_buf *b, char *path, size_t size, struct fl_err *err)
{
    int fd = memfd_create("smcc.h", 0);
    size_t done = 0;
    for (ssize_t some = 1; fd >= 0 && done < b->size && some > 0;
         done += some > 0 ? (size_t)some : 0)
        some = write(fd, b->data + done, b->size - done);
    if (fd < 0 || done < b->size)
        return fl_fail(
            err,
            "smcc: cannot make a file in memory: %s; free memory, or close files of other programs",
            strerror(errno));
    snprintf(path, size, "/proc/self/fd/%d", fd);
    return fd;
}

enum { SYSTEM = 16 }; /* words of where the headers of the system lie */
enum { PREFIX, EMPTY, CUDA, HELPERS, GROUPS, HALF, COMPLEX, ASSERT, NAMES, OWN_FILES };

/* Who reads what is ours. A host's C++ or C has CUDA's names from the headers that it includes; a .cu file has them always. */
enum reader { OPENCL, DEVICE, HOST, HOST_CXX, HOST_C };

/* What clang reads of ours, through files in memory. */
struct own {
    int fd[OWN_FILES];
    char path[OWN_FILES][40];
};

static void name_files(struct fl_buf *b, const char *const *name, size_t n, const char *path)
{
    for (size_t i = 0; i < n; i++)
        fl_buf_printf(b, "%s{\"type\":\"file\",\"name\":\"%s\",\"external-contents\":\"%s\"}",
                      i ? "," : "", name[i], path);
}

/* The headers' names, in folders that are not there: clang's overlay of a file system. */
static void put_names(struct fl_buf *b, const struct own *o, enum reader reader)
{
    static const char *const stubs[] = {"stubs-32.h"}; /* all that the headers of x86-64 lack */
    static const char *const asserts[] = {"assert.h"};
    static const char *const groups[] = {"cooperative_groups.h"};
    static const char *const half[] = {"cuda_fp16.h", "cuda_fp16.hpp"};
    static const char *const complex[] = {"cuComplex.h"};
    static const char *const more_groups[] = {"reduce.h", "scan.h", "memcpy_async.h"};
    fl_buf_printf(
        b,
        "{\"version\":0,\"roots\":[{\"type\":\"directory\",\"name\":\"/smcc/gnu\",\"contents\":[");
    name_files(b, stubs, 1, o->path[EMPTY]);
    fl_buf_printf(
        b, "]},{\"type\":\"directory\",\"name\":\"/smcc/cooperative_groups\",\"contents\":[");
    name_files(b, more_groups, 3, o->path[GROUPS]);
    fl_buf_printf(b, "]},{\"type\":\"directory\",\"name\":\"/smcc\",\"contents\":[");
    name_files(b, cuda_names, sizeof cuda_names / sizeof cuda_names[0], o->path[CUDA]);
    fl_buf_printf(b, ",");
    name_files(b, groups, 1, o->path[GROUPS]);
    fl_buf_printf(b, ",");
    name_files(b, half, 2, o->path[HALF]);
    fl_buf_printf(b, ",");
    name_files(b, complex, 1, o->path[COMPLEX]);
    fl_buf_printf(b, ",");
    name_files(b, helper_names, sizeof helper_names / sizeof helper_names[0], o->path[HELPERS]);
    if (reader == DEVICE) {
        fl_buf_printf(b, ",");
        name_files(b, asserts, 1, o->path[ASSERT]);
    }
    fl_buf_printf(b, "]}]}");
}

/* "#undef NAME" for each of the lines "#define NAME...". */
static void undefine(struct fl_buf *b, const char *macros)
{
    static const char define[] = "#define ";
    for (const char *at = macros; at && (at = strstr(at, define)); at += sizeof define - 1)
        if (at == macros || at[-1] == '\n') {
            const char *name = at + sizeof define - 1;
            fl_buf_printf(b, "#undef %.*s\n", (int)strcspn(name, " (\n"), name);
        }
}

/* The language's header, of CUDA C what host code names, then the user's macros, which must not reach into it. */
static void put_language(struct fl_buf *b, enum reader reader, const char *macros)
{
    bool is_cuda = reader != OPENCL;
    fl_buf_printf(b, "# 1 \"smcc.h\" 3\n%s%s%s\n# 1 \"<command line>\"\n%s",
                  is_cuda ? cuda_prefix : "", is_cuda ? cc_cuda_header : cc_opencl_header,
                  reader == OPENCL   ? ""
                  : reader == DEVICE ? cc_host_header
                                     : cc_runtime_header,
                  macros);
}

static void put_file(struct fl_buf *b, int file, const struct own *o, enum reader reader,
                     const char *macros)
{
    if (file == PREFIX && reader >= HOST_CXX) /* clang's own <algorithm> and <new> ask for these */
        fl_buf_printf(b,
                      "#define __host__ __attribute__((host))\n"
                      "#define __device__ __attribute__((device))\n"
                      "#include <stdlib.h>\n%s",
                      macros);
    else if (file == PREFIX)
        put_language(b, reader, macros);
    else if (file == CUDA && reader == HOST_CXX) {
        fl_buf_printf(b, "#pragma once\n");
        undefine(b, macros);
        put_language(b, reader, macros);
    } else if (file == CUDA && reader == HOST_C)
        fl_buf_printf(b, "%s", cc_runtime_header);
    else if (file == HELPERS || file == GROUPS || file == HALF || file == COMPLEX)
        fl_buf_printf(b, "%s%s", reader == HOST_CXX ? "#include <cuda_runtime.h>\n" : "",
                      file == HELPERS  ? cc_helpers_header
                      : file == GROUPS ? cc_groups_header
                      : file == HALF   ? cc_half_header
                                       : cc_complex_header);
    else if (file == ASSERT) /* the system's calls a function of the host */
        fl_buf_printf(
            b, "#undef assert\n#ifdef NDEBUG\n#define assert(x) ((void)0)\n#else\n"
               "#define assert(...) ((__VA_ARGS__) ? (void)0 : smcc_assert(#__VA_ARGS__, __FILE__, "
               "__LINE__, __PRETTY_FUNCTION__))\n#endif\n");
    else if (file == NAMES)
        put_names(b, o, reader);
}

static int put_own(struct own *o, enum reader reader, const char *macros, struct fl_err *err)
{
    for (int i = 0; i < OWN_FILES; i++)
        o->fd[i] = -1;
    for (int i = 0; i < (reader == OPENCL ? PREFIX + 1 : OWN_FILES); i++) {
        struct fl_buf b = {0};
        put_file(&b, i, o, reader, macros ? macros : "");
        o->fd[i] = in_memory(&b, o->path[i], sizeof o->path[i], err);
        fl_buf_free(&b);
        if (o->fd[i] < 0)
            return -1;
    }
    return 0;
}

static void close_own(struct own *o)
{
    for (int i = 0; i < OWN_FILES; i++)
        if (o->fd[i] >= 0)
            close(o->fd[i]);
}

/* By the first clang that is there; argv[0] becomes its name. Its exit status; -1: there is none. */
static int run_first(const char **argv, struct fl_files *read, struct fl_buf *out,
                     struct fl_buf *messages)
{
    int status = -1;
    errno = ENOENT;
    for (size_t v = 0; v < sizeof versions / sizeof versions[0] && status < 0 && errno == ENOENT;
         v++) {
        argv[0] = versions[v];
        status = run(argv, read, out, messages);
    }
    return status;
}

/* Where the headers of the machine at hand lie, as options: the device's side is 32 bits wide and clang looks for others. */
static int find_system(const char **argv)
{
    struct fl_buf out = {0}, said = {0};
    const char *ask[] = {NULL, "-v", "-E", "-x", "c++", "/dev/null", NULL};
    int n = 0;
    if (run_first(ask, NULL, &out, &said) == 0) {
        fl_buf_add(&said, "", 1);
        char *rest = strstr((char *)said.data, "#include <...>");
        for (char *line = strsep(&rest, "\n"); line && n + 2 <= SYSTEM;
             line = strsep(&rest, "\n")) {
            bool cxx = strstr(line, "/c++/") != NULL;
            if (*line != ' ' || (!cxx && !strstr(line, "-linux-gnu")))
                continue;
            argv[n++] = cxx ? "-isystem" : "-idirafter";
            argv[n++] = fl_strdup(line + 1);
        }
    }
    fl_buf_free(&out);
    fl_buf_free(&said);
    return n;
}

static int no_clang(struct fl_err *err)
{
    return fl_fail(err,
                   "smcc: no clang (%s): install Debian's package %s or %s; in a clone, "
                   "scripts/setup --cc does it",
                   strerror(errno), versions[0], versions[2]);
}

/* Appends an option for each function with such a directive that is called, and stands in the PTX with its body: it lets clang build the
 * function in, noinline or not. */
static void note_called(const char *text, const char *directive, struct fl_buf *options)
{
    for (const char *at = text; (at = strstr(at, directive)) != NULL;) {
        at += strlen(directive);
        at += strspn(at, " ");
        if (*at == '(')
            at += strcspn(at, ")") + 1;
        at += strspn(at, " )");
        int n = (int)strcspn(at, "( \n");
        char *call = fl_format("\n\t%.*s, ", n, at);
        if (at[strcspn(at, "{;")] == '{' && strstr(text, call))
            fl_buf_printf(options, "-force-remove-attribute=%.*s:noinline\n", n, at);
        free(call);
    }
}

/* Whether calls are left, of functions, or of kernels by kernels; with the options that build them in. */
static bool stayed(const struct fl_buf *ptx, struct fl_buf *options)
{
    char *text = fl_format("%.*s", (int)ptx->size, (const char *)ptx->data);
    note_called(text, ".func ", options);
    note_called(text, ".entry ", options);
    free(text);
    fl_buf_add(options, "", 1);
    return options->size > 1;
}

/* Another text for the file of this path: clang's overlay of a file system. */
static void put_overlay(struct fl_buf *b, const char *path, const char *contents)
{
    fl_buf_printf(b, "{\"version\":0,\"use-external-names\":false,\"roots\":[");
    name_files(b, &path, 1, contents);
    fl_buf_printf(b, "]}");
}

/* Once more, with this text in place of the file. */
static int run_with_text(const char *absolute, const struct fl_buf *text, const char **argv, int n,
                         struct fl_buf *llvm, struct fl_buf *messages)
{
    struct fl_buf overlay = {0};
    char contents[40], names[40];
    struct fl_err err;
    int status = 1, fd = in_memory(text, contents, sizeof contents, &err), other = -1;
    if (fd >= 0) {
        put_overlay(&overlay, absolute, contents);
        other = in_memory(&overlay, names, sizeof names, &err);
    }
    if (other >= 0) {
        add(argv, &n,
            (const char *const[]){"-ivfsoverlay", names, "-Wno-undefined-internal",
                                  "-Wno-undefined-inline", NULL},
            5);
        llvm->size = messages->size = 0;
        status = run_first(argv, NULL, llvm, messages);
        close(other);
    }
    if (fd >= 0)
        close(fd);
    fl_buf_free(&overlay);
    return status;
}

/* Again without the bodies of functions of the host in which clang's errors stand, as long as all errors stand in such.
 * What is left out is said in `messages`; if it does not help, they stay as they are. */
static int leave_hosts_out(const char *file, const char **argv, int n, struct fl_buf *llvm,
                           struct fl_buf *messages)
{
    enum { ROUNDS = 12 }; /* clang ends at 20 errors */
    struct fl_buf source = {0}, said = {0}, now = {0};
    char *absolute = realpath(file, NULL);
    int status = 1;
    if (absolute && !strpbrk(absolute, "\"\\") && fl_read_file(file, &source, NULL) == 0) {
        fl_buf_add(&now, messages->data, messages->size);
        for (int i = 0; i < ROUNDS && status > 0; i++) {
            if (!cc_hosts_leave_out(&source, file, &now, &said))
                break;
            status = run_with_text(absolute, &source, argv, n, llvm, &now);
        }
    }
    if (status == 0) {
        messages->size = 0;
        fl_buf_add(messages, said.data, said.size);
        if (now.size)
            fl_buf_add(messages, now.data, now.size);
    }
    free(absolute);
    fl_buf_free(&source);
    fl_buf_free(&said);
    fl_buf_free(&now);
    return status;
}

/* The form without what debuggers alone read: its lines stay. */
static void put_lines_only(struct fl_buf *b, const struct fl_buf *llvm)
{
    static const char kind[] = "emissionKind: FullDebug";
    const char *text = (const char *)llvm->data,
               *at = memmem(text, llvm->size, kind, sizeof kind - 1);
    size_t before = at ? (size_t)(at - text) : llvm->size;
    fl_buf_add(b, text, before);
    if (at) {
        fl_buf_printf(b, "emissionKind: DebugDirectivesOnly)");
        const char *rest = memchr(at, '\n', llvm->size - before);
        if (rest)
            fl_buf_add(b, rest, llvm->size - (size_t)(rest - text));
    }
}

/* The machine's side: optimises the form and makes PTX of it. -1: clang could not be started. */
static int make_ptx(const struct cc_clang *options, bool is_cuda, const struct fl_buf *llvm,
                    struct fl_buf *ptx, struct fl_buf *messages, struct fl_err *err)
{
    struct fl_buf lines = {0}, stay = {0};
    char path[40];
    put_lines_only(&lines, llvm);
    int fd = in_memory(&lines, path, sizeof path, err), n = 1;
    fl_buf_free(&lines);
    if (fd < 0)
        return -1;
    const char **argv = fl_alloc((size_t)(64 + options->nargs) * sizeof *argv);
    add(argv, &n, back, sizeof back / sizeof back[0]);
    argv[n++] = !is_cuda       ? "--target=nvptx--nvidiacl"
                : options->m64 ? "--target=nvptx64-nvidia-cuda"
                               : "--target=nvptx-nvidia-cuda";
    if (is_cuda)
        add(argv, &n, back_cuda, sizeof back_cuda / sizeof back_cuda[0]);
    for (int i = 0; i < options->nargs; i++)
        if (strncmp(options->arg[i], "-W", 2) == 0 || strcmp(options->arg[i], "-w") == 0)
            argv[n++] = options->arg[i];
    argv[n++] = path;
    argv[n] = NULL;
    int status = run_first(argv, NULL, ptx, messages);
    if (status == 0 && stayed(ptx, &stay)) { /* once more, with these built in */
        char *rest = (char *)stay.data;
        for (char *o = strsep(&rest, "\n"); o && *o; o = strsep(&rest, "\n")) {
            argv = fl_grow(argv, (size_t)n + 3, sizeof *argv);
            argv[n++] = "-mllvm";
            argv[n++] = o;
        }
        argv[n] = NULL;
        ptx->size = 0;
        struct fl_buf said = {0}; /* already */
        status = run_first(argv, NULL, ptx, &said);
        fl_buf_free(&said);
    }
    close(fd);
    free(argv);
    fl_buf_free(&stay);
    return status;
}

/* What clang's own error does not say. */
static void explain(struct fl_buf *messages)
{
    fl_buf_add(messages, "", 1);
    const char *of = strstr((const char *)messages->data, "reference to __global__ function '");
    messages->size--;
    if (of && strstr(of, "' in __") && !strstr(of, "__host__ function"))
        fl_buf_printf(messages, "note: a kernel cannot launch one: compute capability 3.5 has "
                                "dynamic parallelism; launch it from the host\n");
}

int cc_clang(const char *path, const struct cc_clang *options, struct fl_buf *ptx,
             struct fl_buf *llvm, struct fl_buf *messages, struct fl_err *err)
{
    size_t length = strlen(path);
    bool is_cuda = length > 3 && strcmp(path + length - 3, ".cu") == 0;
    const char **argv = fl_alloc((size_t)(64 + SYSTEM + options->nargs) * sizeof *argv);
    struct own own;
    int n = 1, status, system = 0;
    err->msg[0] = 0;
    if (put_own(&own, is_cuda ? DEVICE : OPENCL, options->macros, err)) {
        close_own(&own);
        free(argv);
        return -1;
    }
    if (is_cuda) {
        argv[n++] = options->m64 ? "--target=x86_64-linux-gnu" : "--target=i386-linux-gnu";
        add(argv, &n, cuda, sizeof cuda / sizeof cuda[0]);
    } else
        add(argv, &n, opencl, sizeof opencl / sizeof opencl[0]);
    add(argv, &n, front, sizeof front / sizeof front[0]);
    if (options
            ->fmad) /* all but what a pragma of the source keeps apart; the driver does not know this value */
        add(argv, &n,
            (const char *const[]){"-Xclang", "-ffp-contract=fast-honor-pragmas", "-DSMCC_FMAD"}, 3);
    else
        argv[n++] = "-ffp-contract=off";
    if (options->fast)
        argv[n++] = "-DSMCC_FAST";
    static const char *const minor[] = {"-DSMCC_MINOR=0", "-DSMCC_MINOR=1", "-DSMCC_MINOR=2"};
    argv[n++] = minor[options->capability];
    argv[n++] = "-include";
    argv[n++] = own.path[PREFIX];
    add(argv, &n, options->arg, (size_t)options->nargs);
    char *file = fl_format("%s%s", *path == '-' ? "./" : "", path); /* not an option of clang's */
    argv[n++] = file;
    if (is_cuda) {
        add(argv, &n, (const char *const[]){"-ivfsoverlay", own.path[NAMES], "-isystem", "/smcc"},
            4);
        system = find_system(argv + n);
        n += system;
    }
    argv[n] = NULL;
    status = run_first(argv, options->read, llvm, messages);
    int words = n;
    if (status > 0 && !is_cuda) { /* perhaps for want of a function that few programs call */
        argv[words++] = "-DSMCC_RARE";
        argv[words] = NULL;
        llvm->size = messages->size = 0;
        status = run_first(argv, options->read, llvm, messages);
    } else if (status > 0 && !options->whole)
        status = leave_hosts_out(file, argv, n, llvm, messages);
    if (status == 0)
        status = make_ptx(options, is_cuda, llvm, ptx, messages, err);
    int why = errno;
    close_own(&own);
    for (int i = n - system + 1; i < n; i += 2)
        free((char *)(uintptr_t)argv[i]);
    free(file);
    free(argv);
    errno = why;
    if (status < 0)
        return err->msg[0] ? -1 : no_clang(err);
    drop_own(messages);
    explain(messages);
    fl_buf_add(ptx, "", 1);
    fl_buf_add(llvm, "", 1);
    return status == 0 ? 0 : -1;
}

/* ---- programs ---- */

/* What clang prints in `out`, what it says in `messages`. */
static int drive(const char **argv, struct fl_files *read, struct fl_buf *out,
                 struct fl_buf *messages, struct fl_err *err)
{
    int status = run_first(argv, read, out, messages);
    err->msg[0] = 0;
    return status < 0 ? no_clang(err) : status ? -1 : 0;
}

int cc_clang_host(const char *path, const struct cc_clang *options, const struct fl_buf *cubin,
                  struct fl_buf *object, struct fl_buf *messages, struct fl_err *err)
{
    static const char *const fixed[] = {
        "--driver-mode=g++", "-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib",
        "-fdeclspec", "-Wno-unknown-cuda-version",
        /* launches by way of cudaSetupArgument, which gives sizes */
        "-Xclang", "-target-sdk-version=8.0", "-Xclang", "-fno-cuda-host-device-constexpr",
        /* the device's side has been told already */
        "-w", "-c", "-o", "-"};
    const char **argv = fl_alloc((size_t)(64 + options->nargs) * sizeof *argv);
    struct own own;
    char program[40];
    int n = 1, bad = put_own(&own, cubin ? HOST : HOST_CXX, options->macros, err);
    int fd = bad || !cubin ? -1 : in_memory(cubin, program, sizeof program, err);
    char *file = fl_format("%s%s", *path == '-' ? "./" : "", path);
    add(argv, &n, fixed, sizeof fixed / sizeof fixed[0]);
    add(argv, &n, (const char *const[]){"-include", own.path[PREFIX]}, 2);
    add(argv, &n, options->arg, (size_t)options->nargs);
    if (cubin)
        add(argv, &n,
            (const char *const[]){"-Xclang", "-fcuda-include-gpubinary", "-Xclang", program}, 4);
    add(argv, &n,
        (const char *const[]){file, "-ivfsoverlay", own.path[NAMES], "-isystem", "/smcc", NULL}, 6);
    bad = bad || (cubin && fd < 0) || drive(argv, options->read, object, messages, err);
    close_own(&own);
    if (fd >= 0)
        close(fd);
    free(file);
    free(argv);
    drop_own(messages);
    return bad ? -1 : 0;
}

int cc_clang_link(const struct fl_buf *object, int nobjects, const char *const *arg, int nargs,
                  struct fl_files *read, struct fl_buf *messages, struct fl_err *err)
{
    const char **argv = fl_alloc((size_t)(16 + nobjects + nargs) * sizeof *argv);
    char(*path)[40] = fl_alloc((size_t)nobjects * sizeof *path);
    struct fl_buf nothing = {0};
    struct own own;
    int n = 1, bad = put_own(&own, HOST_C, NULL, err), opened = 0;
    add(argv, &n,
        (const char *const[]){"--driver-mode=g++", "-ivfsoverlay", own.path[NAMES], "-isystem",
                              "/smcc"},
        5);
    for (int i = 0; i < nobjects && !bad; i++) {
        bad = in_memory(&object[i], path[i], sizeof path[i], err) < 0;
        opened += !bad;
        argv[n++] = path[i];
    }
    add(argv, &n, arg, (size_t)nargs);
    argv[n] = NULL;
    bad = bad || drive(argv, read, &nothing, messages, err);
    for (int i = 0; i < opened; i++)
        close(atoi(strrchr(path[i], '/') + 1));
    close_own(&own);
    fl_buf_free(&nothing);
    free(path);
    free(argv);
    return bad ? -1 : 0;
}
