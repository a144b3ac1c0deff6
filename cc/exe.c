/* exe.c -- a program out of .cu files with their main(): the kernels of all of them as one cubin, which the host's side of each holds.
 *
 * clang compiles the host's side for the machine at hand, and links it with our runtime library, which stands in for CUDA's.
 */
#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "asm/sasm/sasm.h"
#include "smcc.h"

static bool ends_in(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);
    return n >= m && strcmp(s + n - m, end) == 0;
}

static bool is_cxx(const char *s)
{
    static const char *const end[] = {".cpp", ".cc", ".cxx", ".c++", ".C"};
    for (size_t i = 0; i < sizeof end / sizeof end[0]; i++)
        if (ends_in(s, end[i]))
            return true;
    return false;
}

/* lib/faultline beside the folder of this command. */
static char *library_folder(void)
{
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = 0;
    for (int up = 0; up < 2 && strchr(self, '/'); up++)
        *strrchr(self, '/') = 0;
    return fl_format("%s/lib/faultline", self);
}

/* The kernels of a file as text of the assembler, behind that of others. */
static int add_kernels(const char *source, const struct smcc_options *o, struct fl_buf *sasm,
                       struct fl_buf *messages, struct fl_err *err)
{
    struct fl_buf ptx = {0}, llvm = {0}, lines = {0}, launches = {0};
    int bad = cc_clang(source, &o->clang, &ptx, &llvm, messages, err);
    const char *text = (const char *)ptx.data;
    if (!bad && (strstr(text, ".entry") || strstr(text, "\n.visible ."))) { /* or a variable */
        bad = smcc_translate(source, false, text, (const char *)llvm.data, o, &lines, &launches,
                             messages, err);
        fl_buf_add(sasm, lines.data, lines.size);
    }
    fl_buf_free(&ptx);
    fl_buf_free(&llvm);
    fl_buf_free(&lines);
    fl_buf_free(&launches);
    return bad ? -1 : 0;
}

static int make_cubin(const struct smcc_exe *e, const struct smcc_options *o, struct fl_buf *out,
                      struct fl_buf *messages, struct fl_err *err)
{
    struct fl_buf sasm = {0};
    struct cubin *cubin = NULL;
    bool *done = fl_alloc((size_t)e->nsources * sizeof *done);
    int bad = 0;
    for (int i = 0; i < 2 * e->nsources && !bad; i++) {
        int file = i % e->nsources, last = i >= e->nsources;
        if (!done[file] && ends_in(e->source[file], ".cu")) {
            struct smcc_place before = *o->place;
            size_t kernels = sasm.size, said = messages->size;
            o->place->file = file;
            o->place->missing = false;
            bad = add_kernels(e->source[file], o, &sasm, messages, err);
            done[file] = last || !o->place->missing;
            if (!done[file]) { /* after the file that defines the variable */
                before.names.data = o->place->names.data;
                before.names.room = o->place->names.room;
                *o->place = before;
                sasm.size = kernels;
                messages->size = said;
                bad = err->msg[0] = 0;
            }
        }
    }
    free(done);
    if (!bad && sasm.size == 0)
        bad = fl_fail(
            err, "%s: no kernel in any source; build a program without kernels with clang or gcc",
            e->source[0]);
    fl_buf_add(&sasm, "", 1);
    bad = bad || sasm_assemble("the kernels (as text of the assembler)", (const char *)sasm.data,
                               &cubin, err);
    if (!bad) {
        cubin_take_sources(cubin, NULL, NULL);
        bad = cubin_write_memory(cubin, out, err);
    }
    cubin_free(cubin);
    fl_buf_free(&sasm);
    return bad ? -1 : 0;
}

static int link_program(const struct smcc_exe *e, const char *out, const struct fl_buf *object,
                        int nobjects, struct fl_files *read, struct fl_buf *messages,
                        struct fl_err *err)
{
    const char **arg = fl_alloc((size_t)(8 + 4 * e->nsources + e->nlinks) * sizeof *arg);
    char *folder = library_folder(), *library = fl_format("%s/libfaultline-cudart.so", folder),
         *path = fl_format("-Wl,-rpath,%s", folder);
    int n = 0, bad = 0;
    for (int i = 0; i < e->nsources; i++) {
        const char *s = e->source[i];
        if (ends_in(s, ".cu") || is_cxx(s))
            continue;
        if (ends_in(s, ".c")) {
            arg[n++] = "-x";
            arg[n++] = "c";
        }
        arg[n++] = s;
        if (ends_in(s, ".c")) {
            arg[n++] = "-x";
            arg[n++] = "none";
        }
    }
    arg[n++] = library;
    arg[n++] = path;
    for (int i = 0; i < e->nlinks; i++)
        arg[n++] = e->link[i];
    arg[n++] = "-lm";
    arg[n++] = "-o";
    arg[n++] = out;
    if (access(library, R_OK) != 0)
        bad = fl_fail(err,
                      "%s: the runtime library of CUDA programs is missing; install Faultline "
                      "again (in a clone: build the target cudart)",
                      library);
    else
        bad = cc_clang_link(object, nobjects, arg, n, read, messages, err);
    free(folder);
    free(library);
    free(path);
    free(arg);
    return bad;
}

/* Links beside the program of before, which stays until what the sources include is known and no output goes over it. */
static int make_in_place(const struct smcc_exe *e, const struct fl_buf *object, int nobjects,
                         struct fl_files *files, struct fl_buf *messages, struct fl_err *err)
{
    struct stat st;
    char *found = realpath(e->out, NULL), *target = found ? found : fl_strdup(e->out);
    bool file = stat(target, &st) != 0 || S_ISREG(st.st_mode);
    char *made = file ? fl_format("%s.unfinished-%d", target, (int)getpid()) : fl_strdup(target);
    if (file)
        fl_temporary_add(made);
    int bad = link_program(e, made, object, nobjects, files, messages, err) != 0 ||
              (files && fl_files_check(files, err) != 0);
    if (file && !bad && rename(made, target) != 0)
        bad = fl_fail(err, "%s: cannot write: %s", e->out, strerror(errno));
    if (file && bad)
        unlink(made);
    if (file)
        fl_temporary_done(made);
    free(made);
    free(target);
    return bad;
}

/* Each file's copy of the cubin says which file it is, for the names that are the file's own (cudart.c reads it). */
static void number(struct fl_buf *cubin, int file)
{
    cubin->data[EI_NIDENT - 2] = (uint8_t)file;
    cubin->data[EI_NIDENT - 1] = (uint8_t)(file >> 8);
}

int smcc_exe(const struct smcc_exe *e, const struct smcc_options *o, struct fl_buf *messages,
             struct fl_err *err)
{
    struct fl_buf cubin = {0}, *object = fl_alloc((size_t)e->nsources * sizeof *object);
    struct smcc_options device = *o;
    struct smcc_place place = {0};
    device.clang.m64 = true;
    device.place = &place;
    struct cc_clang host = device.clang;
    host.arg = e->host;
    host.nargs = e->nhosts;
    int nobjects = 0, bad = make_cubin(e, &device, &cubin, messages, err);
    for (int i = 0; i < e->nsources && !bad; i++)
        if (ends_in(e->source[i], ".cu") || is_cxx(e->source[i])) {
            number(&cubin, i);
            bad = cc_clang_host(e->source[i], &host, is_cxx(e->source[i]) ? NULL : &cubin,
                                &object[nobjects++], messages, err);
        }
    bad = bad || make_in_place(e, object, nobjects, o->clang.read, messages, err);
    for (int i = 0; i < nobjects; i++)
        fl_buf_free(&object[i]);
    free(object);
    fl_buf_free(&place.names);
    fl_buf_free(&cubin);
    return bad ? -1 : 0;
}
