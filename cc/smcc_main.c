/* smcc_main.c -- the compiler's command line. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include "base/usage.h"
#include "asm/cubin/cubin.h"
#include "asm/sasm/sasm.h"
#include "base/xml.h"
#include "sm/job/profile.h"
#include "smcc.h"

enum { FMAD = 1, REGS, BLOCK, PROFILE, LOOPS, BRANCHES, WANT_PTX, DEBUG, JOB, LIST };
static const struct usage_row rows[] = {
    {"-o, --output FILE", "what to write; - is standard output", 'o'},
    {"-S", "text of the assembler instead of a cubin", 'S'},
    {"--ptx", "what clang makes of the source instead of a cubin", WANT_PTX},
    {"--job FILE", "also writes a first job.xml: names, buffers, a launch of each kernel", JOB},
    {"--list", "shows the kernels with names, types and places of their parameters", LIST},
    {"-D NAME[=VALUE]", "as clang has it", 'D'},
    {"-U NAME", "as clang has it", 'U'},
    {"-I FOLDER", "as clang has it", 'I'},
    {"-w", "no warnings of clang", 'w'},
    {"--fmad", "a * b + c becomes the machine's multiply-add, which cuts the product off", FMAD},
    {"--maxrregcount N", "registers of a thread at most; what is over lies in local memory", REGS},
    {"--block X,Y,Z", "threads of a block: no more registers than the machine has for so many",
     BLOCK},
    {"--profile NAME", "the machine: g80, flexgripplus, tiny or a path to an .xml file", PROFILE},
    {"--nvcc-loops", "a warp that splits at a loop's end goes on looping first, as nvcc has it",
     LOOPS},
    {"--no-predicates", "an if stays a branch, however short: to see what predication does",
     BRANCHES},
    {"--debug", "shows the instructions before they have registers", DEBUG},
    USAGE_GENERAL,
    {0},
};
static const struct usage usage = {
    "smcc",
    "compiles OpenCL C, CUDA C or PTX for sm_10; a source that is called - is standard input (PTX)",
    "K.cl|K.cu|K.ptx -o OUT.cubin [--job FILE]\nK.cl --list\nK.cl -S [-o OUT.sasm]\nK.cl --ptx [-o "
    "OUT.ptx]",
    rows};

enum output { CUBIN, SASM, PTX, KERNELS };

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
        ok = n < 3 && xml_u32(w, &block[n]) && block[n] >= 1 && block[n] <= 512;
    for (; n < 3; n++)
        block[n] = 1;
    free(copy);
    return ok;
}

static int assemble(const char *in, const char *out, const char *job, enum output what,
                    const char *profile, const char *sasm, const struct smcc_block *blocks)
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
             (job && smcc_job(job, profile, out, cubin, blocks, &err)))
        status = say(err.msg);
    cubin_free(cubin);
    free(name);
    return status;
}

static int compile(const char *in, const char *out, const char *job, enum output what,
                   const char *profile, struct smcc_options *options)
{
    struct fl_buf ptx = {0}, llvm = {0}, sasm = {0}, messages = {0}, blocks = {0};
    struct profile machine;
    struct fl_err err = {0};
    struct fl_files files = {0};
    bool is_ptx = !ends_in(in, ".cl") && !ends_in(in, ".cu");
    int status = 0, bad;
    fl_files_in(&files, "the source", in);
    fl_files_out(&files, "-o", out);
    fl_files_out(&files, "--job", job);
    bad = fl_files_check(&files, &err) || profile_load(profile, &machine, &err);
    if (!bad) {
        options->machine_regs = machine.regs;
        options->machine_threads = machine.threads_per_block;
    }
    if (!bad)
        bad = is_ptx ? fl_read_file(in, &ptx, &err)
                     : cc_clang(in, &options->clang, false, &ptx, &messages, &err);
    if (messages.size)
        fwrite(messages.data, 1, messages.size, stderr);
    if (!bad && is_ptx)
        fl_buf_add(&ptx, "", 1);
    messages.size = 0;
    if (!bad && !is_ptx && what != PTX)
        bad = cc_clang(in, &options->clang, true, &llvm, &messages, &err);
    if (!bad && what != PTX) {
        bad = smcc_translate(in, is_ptx, (const char *)ptx.data, (const char *)llvm.data, options,
                             &sasm, &blocks, &err);
        fl_buf_add(&sasm, "", 1);
    }
    if (bad)
        status = say(err.msg);
    else if (what == CUBIN || what == KERNELS)
        status = assemble(in, out, job, what, profile, (const char *)sasm.data,
                          (const struct smcc_block *)blocks.data);
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
    fl_buf_free(&blocks);
    return status ? 1 : 0;
}

/* NAME, NAME=VALUE or NAME(X)=VALUE as the line of a header. What stands behind the end of a line is not taken. */
static void define(struct fl_buf *macros, const char *text)
{
    int all = (int)strcspn(text, "\n"), name = (int)strcspn(text, "=\n");
    fl_buf_printf(macros, "#define %.*s %.*s\n", name, text, name < all ? all - name - 1 : 1,
                  name < all ? text + name + 1 : "1");
}

int main(int argc, char **argv)
{
    fl_start("smcc");
    const char **arg = fl_alloc((size_t)(2 * argc + 1) * sizeof *arg), *out = NULL, *job = NULL,
               *profile = "g80";
    struct smcc_options o = {.clang.arg = arg};
    struct fl_buf macros = {0};
    enum output what = CUBIN;
    int option, status = -1;
    char *end;
    while (status < 0 && (option = usage_next(&usage, argc, argv)) != USAGE_END) {
        switch (option) {
        case 'o': out = optarg; break;
        case 'w': arg[o.clang.nargs++] = "-w"; break;
        case 'S': what = SASM; break;
        case JOB: job = optarg; break;
        case LIST: what = KERNELS; break;
        case WANT_PTX: what = PTX; break;
        case 'D': define(&macros, optarg); break;
        case 'U': fl_buf_printf(&macros, "#undef %s\n", optarg); break;
        case 'I':
            arg[o.clang.nargs++] = "-I";
            arg[o.clang.nargs++] = optarg;
            break;
        case FMAD: o.clang.fmad = true; break;
        case LOOPS: o.nvcc_loops = true; break;
        case BRANCHES: o.no_predicates = true; break;
        case DEBUG: o.debug = true; break;
        case REGS:
            o.max_regs = (int)strtol(optarg, &end, 10);
            if (*end || end == optarg || o.max_regs < 4 || o.max_regs > 124)
                status = fl_complain(2, "--maxrregcount takes 4 to 124 registers, not '%s'",
                                     optarg);
            break;
        case PROFILE: profile = optarg; break;
        case BLOCK:
            if (!read_block(optarg, o.block))
                status = fl_complain(2, "--block takes X,Y,Z: 1 to 512 threads each way, not '%s'",
                                     optarg);
            break;
        case USAGE_ANSWERED: status = 0; break;
        default: status = 2;
        }
    }
    if (status < 0 && (argc - optind != 1 || (what == CUBIN && !out)))
        status = fl_complain(2, "%s\nsmcc --help shows how it is called",
                             optind == argc       ? "name the source: K.cl, K.cu or K.ptx"
                             : argc - optind != 1 ? "one source at a time"
                                                  : "name the output: -o OUT.cubin");
    fl_buf_add(&macros, "", 1);
    o.clang.macros = (const char *)macros.data;
    if (status < 0)
        status = compile(fl_input(argv[optind]), fl_output(out ? out : "-"), job, what, profile,
                         &o);
    fl_buf_free(&macros);
    free(arg);
    return fl_end(status);
}
