/* smcc_main.c -- the compiler's command line. */
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/usage.h"
#include "asm/cubin/cubin.h"
#include "asm/sasm/sasm.h"
#include "cc/clang/names.h"
#include "base/xml.h"
#include "sm/job/profile.h"
#include "smcc.h"

enum {
    FMAD = 1,
    REGS,
    BLOCK,
    PROFILE,
    LOOPS,
    BRANCHES,
    STRICT,
    NO_DOUBLE,
    WANT_PTX,
    DEBUG,
    JOB,
    EXE,
    LIST,
    CL_STD,
    CXX_STD,
    RELAXED,
    FAST,
    WANT_FMAD,
    EXACT,
    ARG_INFO,
    NOTHING
};
static const struct usage_row rows[] = {
    {"-o, --output FILE", "output file; - is standard output", 'o'},
    {"-S", "write assembly text (sasm) instead of a cubin", 'S'},
    {"--ptx", "write the PTX of clang instead of a cubin", WANT_PTX},
    {"--job FILE", "also write a template job.xml, with a ? for each value to fill in", JOB},
    {"--exe",
     "build a program: kernels and host code of .cu files, linked with the runtime library; also "
     "takes C and C++ sources, objects and libraries",
     EXE},
    {"--list", "list the kernels with names, types and addresses of their parameters", LIST},
    {"-D NAME[=VALUE]", "as in clang", 'D'},
    {"-U NAME", "as in clang", 'U'},
    {"-I FOLDER", "as in clang", 'I'},
    {"-w", "no warnings of clang", 'w'},
    {"--fmad", "compile a * b + c to the machine's multiply-add, which truncates the product",
     FMAD},
    {"--maxrregcount N", "at most N registers a thread; further values spill to local memory",
     REGS},
    {"--block X,Y,Z", "threads of a block: limits registers to those that the machine has for them",
     BLOCK},
    {"--profile NAME",
     "the machine: g80, g92 (compute capability 1.1), gt215 (1.2), flexgripplus, tiny or a path to "
     "an .xml file",
     PROFILE},
    {"--nvcc-loops",
     "a warp that diverges at the end of a loop continues the loop first, as with nvcc", LOOPS},
    {"--no-predicates", "compile every if to a branch, never to predicates", BRANCHES},
    {"-m 32|64",
     "64: in CUDA C, pointers and long have 8 bytes, as on the host; addresses still have 32 bits",
     'm'},
    {"--no-double", "refuse double (default: demote it to float, with a warning)", NO_DOUBLE},
    {"--strict",
     "refuse the file if a kernel, or a host function, cannot be compiled (default: compile the "
     "others)",
     STRICT},
    {.help = "Host code of a program (--exe)"},
    {"-O LEVEL", "as in clang; kernels are always fully optimized", 'O'},
    {"-g", "as in clang; line numbers of kernels are always kept", 'g'},
    {"-L FOLDER", "folder of libraries", 'L'},
    {"-l LIBRARY", "a library to link with", 'l'},
    {.help = "Options of OpenCL compilers and of nvcc"},
    {"-cl-std=CL1.0|CL1.1|CL1.2",
     "the language version; later versions have generic pointers, which the machine does not",
     CL_STD},
    {"-cl-kernel-arg-info", "the cubin also lists the arguments as a host of OpenCL sets them",
     ARG_INFO},
    {"-cl-fp32-correctly-rounded-divide-sqrt",
     "refused: docs/reference/kernels.md has the accuracy of division and roots", EXACT},
    {"-std=VERSION", "CUDA C, as in clang: c++98 to c++20", CXX_STD},
    {"-W WARNING", "warnings, as in clang: -Wall, -Werror", 'W'},
    {"-fmad=true|false", "true: as --fmad", WANT_FMAD},
    {"-cl-mad-enable", "as --fmad", FMAD},
    {"-cl-unsafe-math-optimizations", "as --fmad", FMAD},
    {"-cl-fast-relaxed-math", "as --fmad, and defines __FAST_RELAXED_MATH__", RELAXED},
    {"-use_fast_math",
     "as --fmad, and sinf is __sinf; so are cosf, tanf, sincosf, expf, exp10f, logf, "
     "log2f, log10f, powf",
     FAST},
    {"-maxrregcount=N", "as --maxrregcount", REGS},
    {"-cl-nv-maxrregcount=N", "as --maxrregcount", REGS},
    {.help = "Options that are accepted without effect"},
    {"-arch=sm_10|sm_11|sm_12|compute_10|compute_11|compute_12",
     "smcc compiles for the capability of --profile, 1.0 to 1.2; leave the option out", NOTHING},
    {"-code=sm_10|sm_11|sm_12|compute_10|compute_11|compute_12",
     "smcc compiles for the capability of --profile, 1.0 to 1.2; leave the option out", NOTHING},
    {"-gencode=arch=compute_10,code=sm_10|arch=compute_11,code=sm_11|arch=compute_12,code=sm_12",
     "smcc compiles for the capability of --profile, 1.0 to 1.2; leave the option out", NOTHING},
    {"-cl-opt-disable", "kernels are always fully optimized", NOTHING},
    {"-G", "line numbers are always kept", 'g'},
    {"-lineinfo", "line numbers are always kept", NOTHING},
    {"-cl-single-precision-constant", "constants without suffix f are float, too", NOTHING},
    {"-cl-denorms-are-zero", "the machine has no denormals", NOTHING},
    {"-ftz=true", "the machine has no denormals", NOTHING},
    {"-prec-div=false", "docs/reference/kernels.md has the accuracy of division and roots",
     NOTHING},
    {"-prec-sqrt=false", "docs/reference/kernels.md has the accuracy of division and roots",
     NOTHING},
    {"-cl-finite-math-only", "allows an optimization that smcc does not make", NOTHING},
    {"-cl-no-signed-zeros", "allows an optimization that smcc does not make", NOTHING},
    {"-cl-strict-aliasing", "allows an optimization that smcc does not make", NOTHING},
    {"-cl-uniform-work-group-size", "all blocks have the same size", NOTHING},
    {"-cl-nv-verbose", "--list shows registers and memory", NOTHING},
    {.help = "Development of smcc"},
    {"--debug", "print the instructions before register allocation", DEBUG},
    USAGE_GENERAL,
    {0},
};
static const struct usage usage = {
    "smcc",
    "compiles OpenCL C, CUDA C or PTX for sm_10 to sm_12; source file - is standard input (PTX)",
    "K.cl|K.cu|K.ptx -o OUT.cubin [--job FILE]\n--exe PROGRAM.cu... -o PROGRAM\nK.cl --list\nK.cl "
    "-S [-o OUT.sasm]\nK.cl --ptx [-o "
    "OUT.ptx]",
    rows};

enum output { CUBIN, SASM, PTX, KERNELS, PROGRAM };

static void list(const struct cubin *c)
{
    for (int k = 0; k < c->nkernels; k++) {
        const struct cubin_kernel *q = &c->kernel[k];
        printf("%s: %d registers, %u bytes of shared memory, %u of local memory\n", q->name,
               q->regs, q->shared_bytes, q->local_bytes);
        for (int p = 0; p < q->nparams; p++)
            printf("  s[0x%x] %-3s %s\n", 0x10 + q->param[p].offset, q->param[p].type,
                   q->param[p].name);
    }
}

static bool ends_in(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);
    return n >= m && strcmp(s + n - m, end) == 0;
}

static int say(const char *text)
{
    fl_print(stderr, text);
    if (*text)
        fputc('\n', stderr);
    return 1;
}

/* "16,8": what is not there is 1. */
static bool read_block(const char *text, uint32_t block[3])
{
    char *copy = fl_strdup(text), *rest = copy;
    int n = 0;
    bool ok = true;
    for (char *w = strsep(&rest, ","); w && ok; w = strsep(&rest, ","), n++)
        ok = n < 3 && xml_u32(w, &block[n]) && block[n] >= 1 && block[n] <= 65535;
    for (; n < 3; n++)
        block[n] = 1;
    free(copy);
    return ok;
}

static int assemble(const char *in, const char *out, const char *job, enum output what,
                    const char *profile, const char *sasm, const struct smcc_launch *launches)
{
    struct cubin *cubin = NULL;
    struct fl_err err;
    char *name = fl_format("%s (as text of the assembler)", in);
    int status = 0;
    int bad = sasm_assemble(name, sasm, &cubin, &err);
    if (!bad)
        cubin_take_sources(cubin, NULL, NULL);
    if (!bad && what == KERNELS)
        list(cubin);
    else if (bad || cubin_write(out, cubin, &err) ||
             (job && smcc_job(job, profile, out, cubin, launches, &err)))
        status = say(err.msg);
    cubin_free(cubin);
    free(name);
    return status;
}

static int compile(const char *in, const char *out, const char *job, enum output what,
                   const char *profile, struct smcc_options *options)
{
    struct fl_buf ptx = {0}, llvm = {0}, sasm = {0}, messages = {0}, launches = {0};
    struct profile machine;
    struct fl_err err = {0};
    struct fl_files files = {0};
    bool is_cl = ends_in(in, ".cl"), is_ptx = !is_cl && !ends_in(in, ".cu");
    int status = 0, bad;
    fl_files_in(&files, "the source", in);
    char *machine_file = profile_path(profile);
    fl_files_in(&files, "--profile", machine_file);
    free(machine_file);
    fl_files_out(&files, "-o", out);
    fl_files_out(&files, "--job", job);
    options->clang.read = &files;
    bad = fl_files_check(&files, &err) || profile_load(profile, &machine, &err);
    if (!bad) {
        options->machine_regs = machine.regs;
        options->machine_threads = machine.threads_per_block;
        options->machine_shared = machine.shared_bytes;
        options->clang.capability = machine.capability;
        uint64_t threads = (uint64_t)options->block[0] * options->block[1] * options->block[2];
        if (threads > (uint64_t)machine.threads_per_block)
            bad = fl_fail(&err,
                          "--block: %" PRIu64 " threads; a block of profile %s has %d at most",
                          threads, profile, machine.threads_per_block);
    }
    if (!bad)
        bad = is_ptx ? fl_read_file(in, &ptx, &err)
                     : cc_clang(in, &options->clang, &ptx, &llvm, &messages, &err);
    if (messages.size)
        fwrite(messages.data, 1, messages.size, stderr);
    if (!bad && is_ptx)
        fl_buf_add(&ptx, "", 1);
    messages.size = 0;
    bad = bad || fl_files_check(&files, &err); /* now with the headers */
    if (!bad && is_cl)
        cc_state_blocks((const char *)llvm.data, &ptx);
    if (!bad && what != PTX) {
        bad = smcc_translate(in, is_ptx, (const char *)ptx.data, (const char *)llvm.data, options,
                             &sasm, &launches, &messages, &err);
        if (messages.size)
            fwrite(messages.data, 1, messages.size, stderr);
        fl_buf_add(&sasm, "", 1);
    }
    if (bad)
        status = say(err.msg);
    else if (what == CUBIN || what == KERNELS)
        status = assemble(in, out, job, what, profile, (const char *)sasm.data,
                          (const struct smcc_launch *)launches.data);
    else {
        const struct fl_buf *b = what == PTX ? &ptx : &sasm;
        if (fl_write_file(out, b->data, b->size - 1, &err))
            status = say(err.msg);
    }
    fl_files_free(&files);
    fl_buf_free(&ptx);
    fl_buf_free(&llvm);
    fl_buf_free(&sasm);
    fl_buf_free(&messages);
    fl_buf_free(&launches);
    return status ? 1 : 0;
}

/* NAME, NAME=VALUE or NAME(X)=VALUE as the line of a header. What stands behind the end of a line is not taken. */
static void define(struct fl_buf *macros, const char *text)
{
    int all = (int)strcspn(text, "\n"), name = (int)strcspn(text, "=\n");
    fl_buf_printf(macros, "#define %.*s %.*s\n", name, text, name < all ? all - name - 1 : 1,
                  name < all ? text + name + 1 : "1");
}

struct words {
    char **word;
    int count;
};

struct command {
    struct smcc_options o;
    char **arg; /* for clang */
    struct words host, link;
    struct fl_buf macros;
    const char *out, *job, *profile, *cl_std, *cxx_std;
    enum output what;
};

static void hand_on(struct command *c, const char *option, const char *value)
{
    c->arg = fl_grow(c->arg, (size_t)c->o.clang.nargs + 1, sizeof *c->arg);
    c->arg[c->o.clang.nargs++] = fl_format("%s%s", option, value);
}

static void add_word(struct words *w, const char *option, const char *value)
{
    w->word = fl_grow(w->word, (size_t)w->count + 1, sizeof *w->word);
    w->word[w->count++] = fl_format("%s%s", option, value);
}

static void free_words(struct words *w)
{
    while (w->count)
        free(w->word[--w->count]);
    free(w->word);
}

static int read_registers(struct command *c)
{
    char *end;
    c->o.max_regs = (int)strtol(optarg, &end, 10);
    if (*end || end == optarg || c->o.max_regs < 4 || c->o.max_regs > 124)
        return fl_complain(2, "--maxrregcount takes 4 to 124 registers, not '%s'", optarg);
    return -1;
}

/* An option as other compilers have it. The exit status, or -1: go on. */
static int take_foreign(struct command *c, int option)
{
    switch (option) {
    case CL_STD: /* one is a part of the next */
        c->cl_std = optarg;
        fl_buf_printf(&c->macros,
                      "#undef __OPENCL_C_VERSION__\n#define __OPENCL_C_VERSION__ 1%c0\n",
                      optarg[strlen(optarg) - 1]);
        return -1;
    case CXX_STD:
        c->cxx_std = optarg;
        hand_on(c, "-std=", optarg);
        add_word(&c->host, "-std=", optarg);
        return -1;
    case 'W': hand_on(c, "-W", optarg); return -1;
    case WANT_FMAD: c->o.clang.fmad = strcmp(optarg, "true") == 0; return -1;
    case RELAXED:
        c->o.clang.fmad = true;
        define(&c->macros, "__FAST_RELAXED_MATH__");
        return -1;
    case FAST: c->o.clang.fmad = c->o.clang.fast = true; return -1;
    case EXACT:
        return fl_complain(2,
                           "-cl-fp32-correctly-rounded-divide-sqrt is not supported: leave it out; "
                           "docs/reference/kernels.md has the accuracy of division and roots");
    case 'm': c->o.clang.m64 = strcmp(optarg, "64") == 0; return -1;
    case 'O':
    case 'g':
        add_word(&c->host, option == 'O' ? "-O" : "-g", option == 'O' ? optarg : "");
        add_word(&c->link, option == 'O' ? "-O" : "-g", option == 'O' ? optarg : "");
        return -1;
    case 'L': add_word(&c->link, "-L", optarg); return -1;
    case 'l': add_word(&c->link, "-l", optarg); return -1;
    case ARG_INFO: c->o.arguments = true; return -1;
    case NOTHING: return -1;
    default: return 2;
    }
}

static int take(struct command *c, int option)
{
    switch (option) {
    case 'o': c->out = optarg; return -1;
    case 'w': hand_on(c, "-w", ""); return -1;
    case 'S': c->what = SASM; return -1;
    case JOB: c->job = optarg; return -1;
    case EXE:
        c->what = PROGRAM;
        c->o.clang.whole = true;
        return -1;
    case LIST: c->what = KERNELS; return -1;
    case WANT_PTX: c->what = PTX; return -1;
    case 'D':
        define(&c->macros, optarg);
        add_word(&c->link, "-D", optarg);
        return -1;
    case 'U':
        fl_buf_printf(&c->macros, "#undef %.*s\n", (int)strcspn(optarg, "\n"), optarg);
        return -1;
    case 'I':
        hand_on(c, "-I", optarg);
        add_word(&c->host, "-I", optarg);
        add_word(&c->link, "-I", optarg);
        return -1;
    case FMAD: c->o.clang.fmad = true; return -1;
    case LOOPS: c->o.nvcc_loops = true; return -1;
    case BRANCHES: c->o.no_predicates = true; return -1;
    case STRICT: c->o.strict = c->o.clang.whole = true; return -1;
    case NO_DOUBLE: c->o.no_double = true; return -1;
    case DEBUG: c->o.debug = true; return -1;
    case REGS: return read_registers(c);
    case PROFILE: c->profile = optarg; return -1;
    case BLOCK:
        return read_block(optarg, c->o.block)
                   ? -1
                   : fl_complain(2, "--block takes X,Y,Z: 1 to 65535 threads each way, not '%s'",
                                 optarg);
    case USAGE_ANSWERED: return 0;
    default: return take_foreign(c, option);
    }
}

/* What is wrong with the line as a whole, or -1. */
static int check(const struct command *c, const char *source, int sources)
{
    bool no_cl = c->cl_std && ends_in(source, ".cu"), no_cxx = c->cxx_std && ends_in(source, ".cl");
    if (no_cl || no_cxx)
        return fl_complain(2,
                           no_cl ? "-cl-std=%s is for OpenCL C, and %s is CUDA C; leave it out"
                                 : "-std=%s is for CUDA C, and %s is OpenCL C; leave it out",
                           no_cl ? c->cl_std : c->cxx_std, source);
    if (c->o.clang.m64 && c->what != PROGRAM && !ends_in(source, ".cu"))
        return fl_complain(2, "-m64 is for CUDA C, so leave it out: %s is %s", source,
                           ends_in(source, ".cl") ? "OpenCL C, which shares no pointers with a host"
                                                  : "PTX, which says so itself");
    bool program = c->what == PROGRAM;
    if (program && (c->job || !strcmp(source, "-")))
        return fl_complain(
            2, c->job ? "--job is for a cubin; smrun --record makes the job of a program"
                      : "--exe takes files, not standard input");
    if (sources == 0 || (sources > 1 && !program) || (!c->out && (program || c->what == CUBIN)))
        return fl_complain(2, "%s\nsmcc --help shows how it is called",
                           sources == 0 ? "name the source: K.cl, K.cu or K.ptx"
                           : sources > 1 && !program
                               ? "one source at a time; a program of several takes --exe"
                           : program ? "name the output: -o PROGRAM"
                                     : "name the output: -o OUT.cubin");
    return -1;
}

/* -l NAME in each folder of -L. */
static void add_libraries(struct fl_files *files, const struct words *link)
{
    static const char *const ending[] = {"so", "a"};
    for (int l = 0; l < link->count; l++)
        for (int i = 0; i < link->count && strncmp(link->word[l], "-l", 2) == 0; i++)
            for (int k = 0; k < 2 && strncmp(link->word[i], "-L", 2) == 0; k++) {
                char *path = fl_format("%s/lib%s.%s", link->word[i] + 2, link->word[l] + 2,
                                       ending[k]);
                fl_files_in(files, "a library", path);
                free(path);
            }
}

static int make_program(struct command *c, char **source, int sources)
{
    struct smcc_exe e = {(const char *const *)source,
                         sources,
                         (const char *const *)c->host.word,
                         c->host.count,
                         (const char *const *)c->link.word,
                         c->link.count,
                         c->out};
    struct fl_files files = {0};
    struct fl_buf messages = {0};
    struct fl_err err = {0};
    struct profile machine;
    for (int i = 0; i < sources; i++)
        fl_files_in(&files, "a source", source[i]);
    char *machine_file = profile_path(c->profile);
    fl_files_in(&files, "--profile", machine_file);
    free(machine_file);
    fl_files_out(&files, "-o", c->out);
    add_libraries(&files, &c->link);
    c->o.clang.read = &files;
    int bad = fl_files_check(&files, &err) || profile_load(c->profile, &machine, &err);
    if (!bad) {
        c->o.machine_regs = machine.regs;
        c->o.machine_threads = machine.threads_per_block;
        c->o.machine_shared = machine.shared_bytes;
        c->o.clang.capability = machine.capability;
        bad = smcc_exe(&e, &c->o, &messages, &err);
    }
    if (messages.size)
        fwrite(messages.data, 1, messages.size, stderr);
    if (bad)
        say(err.msg);
    fl_files_free(&files);
    fl_buf_free(&messages);
    return bad ? 1 : 0;
}

int main(int argc, char **argv)
{
    fl_start("smcc");
    struct command c = {.profile = "g80", .what = CUBIN};
    int option, status = -1;
    while (status < 0 && (option = usage_next(&usage, argc, argv)) != USAGE_END)
        status = take(&c, option);
    const char *source = optind < argc ? argv[optind] : "";
    if (status < 0)
        status = check(&c, source, argc - optind);
    fl_buf_add(&c.macros, "", 1);
    c.o.clang.macros = (const char *)c.macros.data;
    c.o.clang.arg = (const char *const *)c.arg;
    if (status < 0 && c.what == PROGRAM)
        status = make_program(&c, argv + optind, argc - optind);
    else if (status < 0)
        status = compile(fl_input(source), fl_output(c.out ? c.out : "-"), c.job, c.what, c.profile,
                         &c.o);
    fl_buf_free(&c.macros);
    while (c.o.clang.nargs)
        free(c.arg[--c.o.clang.nargs]);
    free(c.arg);
    free_words(&c.host);
    free_words(&c.link);
    return fl_end(status);
}
