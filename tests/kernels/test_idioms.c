/* test_idioms.c -- each idiom of idioms.c in all its types, amounts and languages against gcc: what smcc makes of the forms that clang
 * knows, and of the functions that both languages have for them.
 *
 *     test_idioms [--seed S] [--count N] [--flags FLAGS] [--keep]
 *
 * An amount is variable, over its whole range and beyond, or one of five numbers. Each form takes N triples (1,024), of which the first
 * are edges of its type. FLAGS go to smcc. A form that differs is named; --keep leaves the files.
 */
#include "tests/lib/check.h"

#include <unistd.h>
#include "base/random.h"
#include "idioms.h"
#include "tests/lib/tools.h"

enum { AT_ONCE = 12, MOST_FORMS = 4000, BLOCK = 128 };

struct form {
    const struct idiom *idiom;
    char type[4];
    int width;
    bool is_signed;
    char amount[32];
};

static struct form form[MOST_FORMS];
static int nforms, count = SANITIZED ? 256 : 1024;
static uint64_t seed = 1;
static const char *flags = "";
static char *dir;

/* ---- forms ---- */

static void add_form(const struct idiom *i, const char *type, const char *amount)
{
    struct form *f = &form[nforms++];
    CU_ASSERT_TRUE_FATAL(nforms < MOST_FORMS);
    f->idiom = i;
    snprintf(f->type, sizeof f->type, "%.3s", type);
    f->width = atoi(type + 1);
    f->is_signed = *type == 's';
    snprintf(f->amount, sizeof f->amount, "%s", amount);
}

static void make_forms(void)
{
    nforms = 0;
    for (int i = 0; i < nidioms; i++) {
        const char *types = idioms[i].types ? idioms[i].types : UNSIGNED;
        for (const char *t = types; *t; t = strchr(t, ' ') + 1) {
            char type[4] = {0}, text[32];
            memcpy(type, t, strcspn(t, " "));
            int w = atoi(type + 1), numbers[] = {1, w / 2 - 1, w / 2, w / 2 + 1, w - 1};
            snprintf(text, sizeof text, "((u32)y & %d)", w - 1);
            add_form(&idioms[i], type, text);
            for (int n = 0; n < 5 && strstr(idioms[i].device, "$N"); n++) {
                snprintf(text, sizeof text, "%du", numbers[n]);
                add_form(&idioms[i], type, text);
            }
        }
    }
}

static void put_text(struct fl_buf *b, const struct form *f, const char *text)
{
    for (; *text; text++) {
        if (*text != '$') {
            fl_buf_printf(b, "%c", *text);
            continue;
        }
        switch (*++text) {
        case 'T': fl_buf_printf(b, "%s", f->type); break;
        case 'U': fl_buf_printf(b, "u%d", f->width); break;
        case 'S': fl_buf_printf(b, "s%d", f->width); break;
        case 'D': fl_buf_printf(b, "u%d", 2 * f->width); break;
        case 'E': fl_buf_printf(b, "s%d", 2 * f->width); break;
        case 'W': fl_buf_printf(b, "%d", f->width); break;
        default: fl_buf_printf(b, "%s", f->amount); break;
        }
    }
}

/* "{ u8 x = ..., y = ..., z = ...; to[...] = ...; }" */
static void put_form(struct fl_buf *b, const struct form *f, int number, const char *text)
{
    fl_buf_printf(
        b, "    { %s x = (%s)a, y = (%s)b, z = (%s)c; (void)y; (void)z; o[%du * N + i] = (u64)(",
        f->type, f->type, f->type, f->type, number);
    put_text(b, f, f->idiom->result ? f->idiom->result : "$T");
    fl_buf_printf(b, ")(");
    put_text(b, f, text);
    fl_buf_printf(b, "); }\n");
}

/* ---- files ---- */

#define LOOPS                                                                                      \
    "FN int loop_ones(u64 x) { int n = 0; for (; x; x &= x - 1) n++; return n; }\n"                \
    "FN int loop_length(u64 x) { int n = 0; while (x) { n++; x >>= 1; } return n; }\n"             \
    "FN int loop_low(u64 x) { int n = 0; while (!(x & 1)) { n++; x >>= 1; } return n; }\n"
#define SHORT_TYPES                                                                                \
    "typedef unsigned char u8;\ntypedef short s16;\ntypedef unsigned "                             \
    "short u16;\n"                                                                                 \
    "typedef int s32;\ntypedef unsigned u32;\n"
#define COUNTS_OF(l)                                                                               \
    "#define POPCOUNT64 __builtin_popcount" l "\n#define CLZ64 __builtin_clz" l                    \
    "\n#define CTZ64 __builtin_ctz" l "\n"
#define LONG_TYPES                                                                                 \
    "typedef signed char s8;\ntypedef long long s64;\ntypedef unsigned long long "                 \
    "u64;\n" COUNTS_OF("ll")

#define PTX(T, t, r)                                                                               \
    "FN " T " ptx_add3(" T " x, " T " y, " T " z) { " T " d; asm(\"add.cc." t                      \
    " %0, %1, %2; addc." t " %0, %3, %3;\" : \"=&" r "\"(d) : \"" r "\"(x), \"" r "\"(y), \"" r    \
    "\"(z)); return d; }\n"                                                                        \
    "FN " T " ptx_carry2(" T " x, " T " y, " T " z) { " T " d; asm(\"add.cc." t                    \
    " %0, %1, %2; addc.cc." t " %0, %3, %3; addc." t " %0, 0, 0;\" : \"=&" r "\"(d) : \"" r        \
    "\"(x), \"" r "\"(y), \"" r "\"(z)); return d; }\n"                                            \
    "FN " T " ptx_sub3(" T " x, " T " y, " T " z) { " T " d; asm(\"sub.cc." t                      \
    " %0, %1, %2; subc." t " %0, %2, %3;\" : \"=&" r "\"(d) : \"" r "\"(x), \"" r "\"(y), \"" r    \
    "\"(z)); return d; }\n"                                                                        \
    "FN " T " ptx_below(" T " x, " T " y) { " T " d; asm(\"sub.cc." t " %0, %1, %2; subc." t       \
    " %0, 0, 0;\" : \"=&" r "\"(d) : \"" r "\"(x), \"" r "\"(y)); return d; }\n"                   \
    "FN " T " ptx_mad3(" T " x, " T " y, " T " z) { " T " d; asm(\"mad.lo.cc." t                   \
    " %0, %1, %2, %3; madc.hi." t " %0, %1, %2, 0;\" : \"=&" r "\"(d) : \"" r "\"(x), \"" r        \
    "\"(y), \"" r "\"(z)); return d; }\n"
#define PTX_OF(T, name, insn)                                                                      \
    "FN " T " " name "(" T " x, " T " y) { " T " d; asm(\"" insn                                   \
    " %0, %1, %2;\" : \"=r\"(d) : \"r\"(x), \"r\"(y)); return d; }\n"
#define PTX_SAD(T, name, insn)                                                                     \
    "FN u32 " name "(" T " x, " T " y, u32 z) { u32 d; asm(\"" insn                                \
    " %0, %1, %2, %3;\" : \"=r\"(d) : \"r\"(x), \"r\"(y), \"r\"(z)); return d; }\n"

static const struct language {
    enum idiom_in in;
    const char *file, *begin, *kernel;
} languages[] = {
    {CUDA, "k.cu",
     SHORT_TYPES LONG_TYPES "#define FN static inline __device__\n" LOOPS PTX("u32", "u32", "r")
         PTX("u64", "u64", "l") PTX_OF("s32", "ptx_add_sat", "add.sat.s32")
             PTX_OF("s32", "ptx_sub_sat", "sub.sat.s32") PTX_SAD("u32", "ptx_usad", "sad.u32")
                 PTX_SAD("s32", "ptx_sad", "sad.s32"),
     "__global__ void k%d(u64 *o, const u64 *in)\n{\n    u32 i = blockIdx.x * blockDim.x + "
     "threadIdx.x;\n"},
    {OPENCL, "k.cl",
     SHORT_TYPES
     "typedef char s8;\ntypedef long s64;\ntypedef ulong u64;\n#define FN static\n" COUNTS_OF("l")
         LOOPS,
     "__kernel void k%d(__global u64 *o, __global const u64 *in)\n{\n    u32 i = "
     "get_global_id(0);\n"}};

static const char arguments[] = "    u64 a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];\n";

static void put_file(const char *name, struct fl_buf *b)
{
    tools_put(dir, name, b->data, b->size);
    fl_buf_free(b);
}

/* Kernels of AT_ONCE forms each; returns how many kernels there are. */
static int write_kernels(const struct language *l)
{
    struct fl_buf b = {0};
    int n = 0;
    fl_buf_printf(&b, "%s#define N %du\n", l->begin, count);
    for (int f = 0; f < nforms; f++) {
        if (!(form[f].idiom->in & l->in))
            continue;
        if (n % AT_ONCE == 0) {
            fl_buf_printf(&b, "%s", n ? "}\n" : "");
            fl_buf_printf(&b, l->kernel, n / AT_ONCE);
            fl_buf_printf(&b, "%s", arguments);
        }
        put_form(&b, &form[f], f, form[f].idiom->device);
        n++;
    }
    fl_buf_printf(&b, "}\n");
    put_file(l->file, &b);
    return (n + AT_ONCE - 1) / AT_ONCE;
}

static void write_job(const char *name, const char *cubin, int kernels)
{
    struct fl_buf b = {0};
    fl_buf_printf(
        &b,
        "<job profile=\"g80\" cubin=\"%s\"><buffer name=\"o\" size=\"%d\"/><buffer name=\"in\" "
        "size=\"%d\"><file path=\"in.bin\"/></buffer>\n",
        cubin, 8 * count * nforms, 24 * count);
    for (int k = 0; k < kernels; k++)
        fl_buf_printf(&b,
                      "<launch kernel=\"k%d\" grid=\"%d\" block=\"%d\"><param offset=\"0x10\" "
                      "buffer=\"o\"/><param offset=\"0x14\" buffer=\"in\"/></launch>\n",
                      k, count / BLOCK, BLOCK);
    fl_buf_printf(&b, "<output name=\"o\" buffer=\"o\"/></job>\n");
    put_file(name, &b);
}

/* The forms by themselves, each in a function: in one, gcc takes long. */
static void write_host(void)
{
    struct fl_buf b = {0};
    fl_buf_printf(
        &b,
        "#include <stdio.h>\n" SHORT_TYPES LONG_TYPES
        "typedef __int128 s128;\ntypedef unsigned __int128 u128;\n#define FN static\n" LOOPS
        "%s#define N %du\n"
        "static u64 in[3 * N], o[%d * N];\n",
        idioms_host, count, nforms);
    for (int f = 0; f < nforms; f++) {
        const struct idiom *i = form[f].idiom;
        fl_buf_printf(&b, "static void f%d(u32 i, u64 a, u64 b, u64 c)\n{\n", f);
        put_form(&b, &form[f], f, i->host ? i->host : i->device);
        fl_buf_printf(&b, "}\n");
    }
    fl_buf_printf(&b, "static void (*const all[])(u32, u64, u64, u64) = {");
    for (int f = 0; f < nforms; f++)
        fl_buf_printf(&b, "f%d, ", f);
    fl_buf_printf(
        &b,
        "};\nint main(void)\n{\n"
        "    FILE *x = fopen(\"in.bin\", \"rb\"), *y = fopen(\"host.bin\", \"wb\");\n"
        "    if (fread(in, 24, N, x) != N) return 1;\n"
        "    for (u32 f = 0; f < sizeof all / sizeof *all; f++)\n"
        "        for (u32 i = 0; i < N; i++) all[f](i, in[3 * i], in[3 * i + 1], in[3 * i + 2]);\n"
        "    return fwrite(o, sizeof o, 1, y) != 1 || fclose(y);\n}\n");
    put_file("host.c", &b);
}

/* Edges of every type and of every amount, then anything. */
static void write_input(void)
{
    struct fl_buf b = {0};
    uint64_t from = seed;
    for (int i = 0; i < count; i++) {
        uint64_t x[3];
        for (int k = 0; k < 3; k++) {
            uint64_t r = fl_random(&from), how = fl_random(&from) >> 60;
            int width = 8 << (r & 3);
            uint64_t edge = (r >> 8 & 7) == 0   ? 0
                            : (r >> 8 & 7) == 1 ? ~UINT64_C(0)
                            : (r >> 8 & 7) < 4  ? UINT64_C(1) << (width - 1)
                            : (r >> 8 & 7) < 6  ? (UINT64_C(1) << (width - 1)) - 1
                                                : UINT64_C(1) << (r >> 16 & 63);
            x[k] = how < 5 ? edge + (r >> 32) % 3 - 1 : how < 8 ? r >> (r & 63) : r;
        }
        if (i < 256)
            x[1] = (uint64_t)i;
        if (i % 16 == 15) /* equal, or nearly so */
            x[1] = x[0] + x[2] % 3 - 1;
        fl_buf_add(&b, x, sizeof x);
    }
    put_file("in.bin", &b);
}

/* ---- comparing ---- */

static bool run(const char *line)
{
    struct fl_buf out = {0};
    int status = tools_run(dir, &out, "%s", line);
    if (status)
        printf("\n%s\n%s\n", line, (const char *)out.data);
    fl_buf_free(&out);
    return status == 0;
}

static bool read_words(const char *name, struct fl_buf *to)
{
    char *path = fl_format("%s/%s", dir, name);
    bool good = fl_read_file(path, to, NULL) == 0 && to->size == 8 * (size_t)count * (size_t)nforms;
    free(path);
    return good;
}

static uint64_t word(const struct fl_buf *b, size_t at)
{
    uint64_t x;
    memcpy(&x, b->data + 8 * at, 8);
    return x;
}

/* Forms of a language that differ from the host's. */
static int differing(const struct language *l, const struct fl_buf *host, const struct fl_buf *in)
{
    struct fl_buf out = {0};
    int differ = 0;
    char *line = fl_format("smcc --strict -w %s %s -o k.cubin && smrun %s.job.xml --dump o=o.bin",
                           flags, l->file, l->file);
    bool good = run(line) && read_words("o.bin", &out);
    CU_ASSERT_TRUE(good);
    for (int f = 0; f < nforms && good; f++) {
        int wrong = 0;
        for (int i = 0; i < count && form[f].idiom->in & l->in; i++) {
            size_t at = (size_t)f * (size_t)count + (size_t)i;
            if (word(&out, at) == word(host, at) || wrong++)
                continue;
            printf("\n    %s: '%s' of %s, amount %s: x %llx y %llx z %llx give %llx, not %llx",
                   l->file, form[f].idiom->name, form[f].type, form[f].amount,
                   (unsigned long long)word(in, 3 * (size_t)i),
                   (unsigned long long)word(in, 3 * (size_t)i + 1),
                   (unsigned long long)word(in, 3 * (size_t)i + 2),
                   (unsigned long long)word(&out, at), (unsigned long long)word(host, at));
        }
        differ += wrong != 0;
    }
    fl_buf_free(&out);
    free(line);
    return differ;
}

static void there_are_500_forms_and_more(void)
{
    int n[2] = {0};
    make_forms();
    for (int f = 0; f < nforms; f++)
        for (int l = 0; l < 2; l++)
            n[l] += (form[f].idiom->in & languages[l].in) != 0;
    CU_ASSERT_TRUE(n[0] >= 500 && n[1] >= 500);
    printf("(%d in CUDA C, %d in OpenCL C) ", n[0], n[1]);
}

static void integers_are_what_the_hosts_compiler_makes_of_them(void)
{
    struct fl_buf host = {0}, in = {0};
    if (!check_clang() || !check_command("gcc", "scripts/setup"))
        return;
    make_forms();
    write_input();
    write_host();
    for (int l = 0; l < 2; l++) {
        char *job = fl_format("%s.job.xml", languages[l].file);
        write_job(job, "k.cubin", write_kernels(&languages[l]));
        free(job);
    }
    char *path = fl_format("%s/in.bin", dir);
    CU_ASSERT_TRUE_FATAL(run("gcc -O0 -w -fwrapv -o host host.c && ./host") &&
                         read_words("host.bin", &host) && fl_read_file(path, &in, NULL) == 0);
    for (int l = 0; l < 2; l++)
        CU_ASSERT_EQUAL(differing(&languages[l], &host, &in), 0);
    fl_buf_free(&host);
    fl_buf_free(&in);
    free(path);
}

int main(int argc, char **argv)
{
    bool keep = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--keep") == 0)
            keep = true;
        else if (i + 1 < argc && strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[++i], NULL, 0);
        else if (i + 1 < argc && strcmp(argv[i], "--count") == 0)
            count = (atoi(argv[++i]) + BLOCK - 1) / BLOCK * BLOCK;
        else if (i + 1 < argc && strcmp(argv[i], "--flags") == 0)
            flags = argv[++i];
    }
    dir = tools_folder();
    int status = CHECK_RUN("idioms", CHECK(there_are_500_forms_and_more),
                           CHECK(integers_are_what_the_hosts_compiler_makes_of_them));
    if (keep)
        printf("files in %s\n", dir);
    else
        tools_remove(dir);
    return status;
}
