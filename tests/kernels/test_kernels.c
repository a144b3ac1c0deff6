/* test_kernels.c -- random kernels: what smcc makes of them against what the host's C compiler makes of the same source.
 *
 *     test_kernels [--seed S] [--first N] [--count N] [--shape NAME] [--large] [--pocl] [--keep] [--engine both] [--variants MASK]
 *     test_kernels --list
 *
 * Each kernel is compiled as OpenCL C and as CUDA C, each as smcc does it by itself, without predicates, with 4 to 12
 * registers, and with loops as nvcc has them; and as CUDA C with pointers of 64 bits. Kernel number n of a seed is the same wherever it stands. One that differs is
 * named, with its seed, variant and shapes; --keep leaves its files. With --pocl the kernels run on pocl too, a second compiler.
 * --list shows the shapes and how often the kernels of a seed have them.
 */
#include "tests/lib/check.h"

#include <unistd.h>
#include "base/random.h"
#include "random_kernel.h"
#include "tests/lib/tools.h"

enum { AT_ONCE = 100, POCL_AT_ONCE = 20, QUICK = SANITIZED ? 12 : 50, SHOWN = 1000 };

static const struct variant {
    const char *language, *flags;
} variants[] = {
    {"cl", ""},  {"cl", "--no-predicates"}, {"cl", "--maxrregcount"}, {"cl", "--nvcc-loops"},
    {"cu", ""},  {"cu", "--no-predicates"}, {"cu", "--maxrregcount"}, {"cu", "--nvcc-loops"},
    {"cu64", ""}};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

static uint64_t seed = 1;
static int first_kernel, count;
static unsigned wanted = (1u << VARIANTS) - 1; /* of the variants, a bit each */
static const char *engine = "c";
static const struct random_shape *only;
static bool large, pocl;
static int refused; /* by a variant: see SEVERAL_MEMORIES */
static char *dir;

/* Kernels of one file. */
struct batch {
    int first, n;
    struct random_kernel *kernel;
    struct fl_buf out, mem; /* the host's words */
};

static void put_file(const char *name, struct fl_buf *b)
{
    tools_put(dir, name, b->data, b->size);
    fl_buf_free(b);
}

/* Edges, small numbers and any; floats with all that is special about them. */
static uint32_t word(uint64_t *from, bool is_float)
{
    static const uint32_t edges[] = {0, 1, 0xffffffff, 0x7fffffff, 0x80000000, 0x10000, 0xffff, 5};
    static const uint32_t floats[] = {0x7fffffff, 0x7f800000, 0xff800000, 0,
                                      0x80000000, 1,          0x807fffff, 0x00800000,
                                      0x7f800001, 0xffc00000, 0x7f7fffff, 0x3f800000,
                                      0xbf800000, 0x4effffff, 0xcf000000, 0x00ffffff};
    uint32_t r = (uint32_t)(fl_random(from) >> 32), how = r >> 4 & 3;
    if (is_float)
        return how == 0   ? floats[r & 15]
               : how == 1 ? r
                          : 0x3e000000 + (r >> 7) % 0x04000000 + (r << 31);
    return how == 0 ? edges[r & 7] : how == 1 ? r >> 6 & 127 : r;
}

static void put_words(const char *name, size_t n, uint64_t from, size_t float_from, size_t period)
{
    struct fl_buf b = {0};
    for (size_t i = 0; i < n; i++) {
        uint32_t w = word(&from, i % period >= float_from && i % period < float_from + period / 4);
        fl_buf_add(&b, &w, sizeof w);
    }
    put_file(name, &b);
}

static int threads_before(const struct batch *b, int k)
{
    unsigned all = 0;
    for (int i = 0; i < k; i++)
        all += random_kernel_threads(&b->kernel[i]);
    return (int)all;
}

/* The arguments behind the buffers: a, b, f and the words of struct pack. */
static void arguments(uint32_t arg[9])
{
    uint64_t from = seed;
    for (int i = 0; i < 9; i++)
        arg[i] = (uint32_t)(fl_random(&from) >> 32);
    arg[2] = 0x3fc00000; /* 1.5 */
    arg[5] = 0xc0200000; /* -2.5 */
}

static void write_job(const struct batch *b, const char *name, int pointer)
{
    const int threads = threads_before(b, b->n), out = 4 * KERNEL_OUT_WORDS,
              mem = 4 * KERNEL_MEM_WORDS;
    struct fl_buf job = {0};
    uint32_t arg[9];
    arguments(arg);
    fl_buf_printf(
        &job,
        "<job profile=\"g80\" cubin=\"k.cubin\"><buffer name=\"out\" size=\"%d\"/><buffer "
        "name=\"in\" size=\"%d\"><file path=\"in.bin\"/></buffer><buffer name=\"mem\" "
        "size=\"%d\"><file path=\"mem.bin\"/></buffer>\n",
        threads * out, 4 * KERNEL_IN, threads * mem);
    for (int k = 0; k < b->n; k++) {
        const struct random_kernel *r = &b->kernel[k];
        int at = threads_before(b, k);
        fl_buf_printf(
            &job,
            "<launch kernel=\"k%d\" grid=\"%u,%u\" block=\"%u,%u,%u\"><param offset=\"0x10\" "
            "buffer=\"out\" plus=\"%d\"/><param offset=\"%d\" buffer=\"in\"/><param "
            "offset=\"%d\" buffer=\"mem\" plus=\"%d\"/>",
            k, r->groups[0], r->groups[1], r->size[0], r->size[1], r->size[2], at * out,
            0x10 + pointer, 0x10 + 2 * pointer, at * mem);
        for (int i = 0; i < 9; i++)
            fl_buf_printf(&job, "<param offset=\"%d\" u32=\"%u\"/>", 0x10 + 3 * pointer + 4 * i,
                          arg[i]);
        fl_buf_printf(&job, "</launch>\n");
    }
    fl_buf_printf(
        &job, "<output name=\"out\" buffer=\"out\"/><output name=\"mem\" buffer=\"mem\"/></job>\n");
    put_file(name, &job);
}

static void write_host(const struct batch *b)
{
    struct fl_buf host = {0};
    uint32_t arg[9];
    arguments(arg);
    fl_buf_printf(&host, "#include \"kernel_host.h\"\n#include \"k.inc\"\nstatic const struct "
                         "kernel_row rows[] = {");
    for (int k = 0; k < b->n; k++) {
        const struct random_kernel *r = &b->kernel[k];
        fl_buf_printf(&host, "{k%d, {%u, %u, %u}, {%u, %u}, %d},\n", k, r->size[0], r->size[1],
                      r->size[2], r->groups[0], r->groups[1], r->warps);
    }
    fl_buf_printf(&host,
                  "};\nint main(void) { return run_all(rows, %d, %d, %uu, %uu, %uu, (const u32[]){",
                  b->n, KERNEL_IN, arg[0], arg[1], arg[2]);
    for (int i = 3; i < 9; i++)
        fl_buf_printf(&host, "%uu, ", arg[i]);
    fl_buf_printf(&host, "}); }\n");
    put_file("host.c", &host);
}

static int run(const char *command, bool aloud)
{
    struct fl_buf out = {0};
    int status = tools_run(dir, &out, "{ %s; } 2>&1", command);
    if (status && aloud)
        printf("\n    %s: status %d\n%.2000s\n", command, status, out.data);
    fl_buf_free(&out);
    return status;
}

static bool read_words(const char *name, struct fl_buf *to)
{
    char *path = fl_format("%s/%s", dir, name);
    struct fl_err err;
    bool good = fl_read_file(path, to, &err) == 0;
    free(path);
    return good;
}

static void name_kernel(const struct batch *b, int k, const char *what, const char *why)
{
    printf("\n    seed %llu, kernel %d (k%d), %s: %s:", (unsigned long long)seed, b->first + k, k,
           what, why);
    for (int i = 0; i < random_nshapes; i++)
        if (b->kernel[k].made[i])
            printf(" %s", random_shapes[i].name);
    printf("\n");
}

/* How many kernels have other words than by the host's compiler. */
static int differing(const struct batch *b, const char *what)
{
    struct fl_buf out = {0}, mem = {0};
    int differ = 0;
    if (!read_words("ours.out", &out) || !read_words("ours.mem", &mem) || out.size != b->out.size ||
        mem.size != b->mem.size)
        differ = b->n;
    for (int k = 0; k < b->n && differ < b->n; k++) {
        const struct fl_buf *ours[2] = {&out, &mem}, *theirs[2] = {&b->out, &b->mem};
        const size_t each[2] = {4 * KERNEL_OUT_WORDS, 4 * KERNEL_MEM_WORDS};
        size_t threads = random_kernel_threads(&b->kernel[k]),
               before = (size_t)threads_before(b, k);
        bool same = true;
        for (int f = 0; f < 2 && same; f++) {
            const unsigned char *x = ours[f]->data + before * each[f],
                                *y = theirs[f]->data + before * each[f];
            size_t at = 0;
            while (at < threads * each[f] && x[at] == y[at])
                at++;
            same = at == threads * each[f];
            char why[100];
            snprintf(why, sizeof why, "word %zu of %s differs", at / 4, f ? "mem" : "out");
            if (!same)
                name_kernel(b, k, what, why);
        }
        differ += !same;
    }
    fl_buf_free(&out);
    fl_buf_free(&mem);
    return differ;
}

/* Of two loads on two ways clang makes one, with a pointer to either memory. Private and constant memory have no address that
 * tells them apart, so smcc refuses that; it happens in one kernel of about a thousand, in CUDA C. */
#define SEVERAL_MEMORIES "error: this pointer may point into several memories"

/* How many kernels of a batch go wrong when they are compiled so; -1: some do not compile or run. */
static int compare_variant(const struct batch *b, const struct variant *v)
{
    char command[600], flags[60];
    bool few = strcmp(v->flags, "--maxrregcount") == 0;
    snprintf(flags, sizeof flags, "%s", v->flags);
    if (few)
        snprintf(flags, sizeof flags, "%s %d", v->flags,
                 4 + (int)(fl_random_mix(seed + (uint64_t)(b->first / AT_ONCE)) % 9));
    char what[80];
    snprintf(what, sizeof what, "%s %s", v->language, flags);
    snprintf(command, sizeof command,
             "smcc %s.ptx %s -o k.cubin && smrun k%s.job.xml --max-cycles %d0000000 --engine %s "
             "--dump out=ours.out --dump mem=ours.mem",
             v->language, flags, v->language + 2, 2 * b->n, engine);
    struct fl_buf out = {0};
    int status = tools_run(dir, &out, "{ %s; } 2>&1", command), differ = -1;
    if (!status)
        differ = differing(b, what);
    else if (b->n == 1 && tools_says(&out, SEVERAL_MEMORIES)) {
        differ = 0;
        refused++;
    } else if (b->n == 1) {
        name_kernel(b, 0, what, "does not compile or run");
        printf("%s\n", (const char *)out.data);
    }
    fl_buf_free(&out);
    return differ;
}

static uint64_t own_seed(int kernel)
{
    return seed * 1000003 + (uint64_t)kernel;
}

/* All files of a batch. */
static void prepare(struct batch *b)
{
    struct fl_buf text = {0};
    for (int k = 0; k < b->n; k++) {
        char name[20];
        snprintf(name, sizeof name, "k%d", k);
        random_kernel(own_seed(b->first + k), large, only, name, &b->kernel[k], &text);
    }
    put_file("k.inc", &text);
    put_words("in.bin", KERNEL_IN, seed, KERNEL_IN / 4, KERNEL_IN);
    put_words("mem.bin", (size_t)threads_before(b, b->n) * KERNEL_MEM_WORDS, seed + 1, 24,
              KERNEL_MEM_WORDS);
    for (int l = 0; l < 2; l++) {
        fl_buf_printf(&text, "#include \"%s.h\"\n#include \"k.inc\"\n",
                      l ? "kernel_cuda" : "kernel_opencl");
        put_file(l ? "k.cu" : "k.cl", &text);
    }
    for (int k = 0; k < b->n; k++) {
        const struct random_kernel *r = &b->kernel[k];
        fl_buf_printf(&text, "%u %u %u %u %u %d\n", r->size[0], r->size[1], r->size[2],
                      r->groups[0], r->groups[1], r->warps);
    }
    put_file("k.rows", &text);
    write_host(b);
    write_job(b, "k.job.xml", 4);
    write_job(b, "k64.job.xml", 8);
}

/* -frounding-math: gcc 12 takes 0.0f - (float)i for -(float)i, which has another zero. */
#define INCLUDE "-w -I " FAULTLINE_SOURCE_DIR "/tests/kernels "
#define COMPILE                                                                                    \
    "(smcc " INCLUDE "k.cl --ptx -o cl.ptx && smcc " INCLUDE "k.cu --ptx -o cu.ptx && "            \
    "smcc -m64 " INCLUDE "k.cu --ptx -o cu64.ptx) & "                                              \
    "gcc -O0 -frounding-math " INCLUDE "-o host host.c -lm && ./host && wait $!"

static int compare_on_pocl(void)
{
    struct fl_buf out = {0};
    uint32_t arg[9];
    arguments(arg);
    char words[120] = "";
    for (int i = 0; i < 9; i++)
        snprintf(words + strlen(words), sizeof words - strlen(words), "%u,", arg[i]);
    int status = tools_run(dir, &out,
                           "POCL_CACHE_DIR=$PWD %s/tools/pocl_run k.cl k.rows %s "
                           "%s/tests/kernels 2>&1",
                           FAULTLINE_BUILD_DIR, words, FAULTLINE_SOURCE_DIR);
    printf("\n    %s", (const char *)out.data);
    fl_buf_free(&out);
    return status != 0;
}

/* Kernels first to first + n - 1 of the seed in some variants, a bit each; returns how many differ. What does not compile or
 * run is looked for in smaller batches. */
static int compare(int first, int n, unsigned which)
{
    struct batch b = {first, n, fl_alloc((size_t)n * sizeof(struct random_kernel)), {0}, {0}};
    int differ = 0;
    unsigned broken = 0;
    prepare(&b);
    if (run(COMPILE, n == 1) || !read_words("host.out", &b.out) ||
        !read_words("host.mem", &b.mem)) {
        broken = which;
        if (n == 1)
            name_kernel(&b, 0, "clang or host", "does not compile");
    }
    for (int v = 0; v < VARIANTS && broken != which; v++) {
        int now = which >> v & 1 ? compare_variant(&b, &variants[v]) : 0;
        broken |= now < 0 ? 1u << v : 0;
        differ += now < 0 ? 0 : now;
    }
    if (pocl && !broken)
        differ += compare_on_pocl();
    fl_buf_free(&b.out);
    fl_buf_free(&b.mem);
    free(b.kernel);
    if (broken)
        differ += n == 1
                      ? 1
                      : compare(first, n / 2, broken) + compare(first + n / 2, n - n / 2, broken);
    return differ;
}

static void compare_all(int all, int at_once)
{
    int differ = 0;
    if (!check_clang() || !check_command("gcc", "scripts/setup"))
        return;
    if (pocl && access(FAULTLINE_BUILD_DIR "/tools/pocl_run", X_OK)) {
        check_skip("no OpenCL when this was built (scripts/setup --pocl)");
        return;
    }
    for (int first = 0; first < all; first += at_once)
        differ += compare(first_kernel + first, all - first < at_once ? all - first : at_once,
                          wanted);
    if (refused)
        printf("(%d of %d refused) ", refused, all * VARIANTS);
    CU_ASSERT_EQUAL(differ, 0);
    CU_ASSERT_TRUE(refused <= VARIANTS + all * VARIANTS / 200);
}

/* In how many kernels each shape stands. */
static void count_shapes(int in[KERNEL_SHAPES], struct fl_buf *text)
{
    struct random_kernel k;
    for (int n = 0; n < SHOWN; n++) {
        random_kernel(own_seed(n), large, NULL, "k", &k, text);
        for (int i = 0; i < random_nshapes; i++)
            in[i] += k.made[i] != 0;
    }
}

static void every_shape_is_made_in_one_kernel_of_fifty(void)
{
    int in[KERNEL_SHAPES] = {0};
    struct random_kernel k;
    struct fl_buf text = {0};
    count_shapes(in, &text);
    for (int i = 0; i < random_nshapes; i++) {
        CU_ASSERT_TRUE(in[i] >= SHOWN / 50);
        random_kernel(seed, large, &random_shapes[i], "k", &k, &text); /* as --shape has it */
        CU_ASSERT_TRUE(k.made[i] > 0);
    }
    fl_buf_free(&text);
}

static void random_kernels_agree_with_the_hosts_compiler(void)
{
    compare_all(count ? count : QUICK, pocl ? POCL_AT_ONCE : AT_ONCE);
}

static int show_shapes(void)
{
    int in[KERNEL_SHAPES] = {0};
    struct fl_buf text = {0};
    count_shapes(in, &text);
    printf("of %d kernels of seed %llu, %zu bytes each:\n", SHOWN, (unsigned long long)seed,
           text.size / SHOWN);
    for (int i = 0; i < random_nshapes; i++)
        printf("%5d  %s\n", in[i], random_shapes[i].name);
    fl_buf_free(&text);
    return 0;
}

int main(int argc, char **argv)
{
    bool keep = false, list = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--keep") == 0)
            keep = true;
        else if (strcmp(argv[i], "--list") == 0)
            list = true;
        else if (strcmp(argv[i], "--pocl") == 0)
            pocl = true;
        else if (strcmp(argv[i], "--large") == 0)
            large = true;
        else if (i + 1 < argc && strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[++i], NULL, 0);
        else if (i + 1 < argc && strcmp(argv[i], "--first") == 0)
            first_kernel = atoi(argv[++i]);
        else if (i + 1 < argc && strcmp(argv[i], "--count") == 0)
            count = atoi(argv[++i]);
        else if (i + 1 < argc && strcmp(argv[i], "--engine") == 0)
            engine = argv[++i];
        else if (i + 1 < argc && strcmp(argv[i], "--variants") == 0)
            wanted = (unsigned)strtoul(argv[++i], NULL, 0);
        else if (i + 1 < argc && strcmp(argv[i], "--shape") == 0) {
            i++;
            for (int s = 0; s < random_nshapes; s++)
                if (strcmp(argv[i], random_shapes[s].name) == 0)
                    only = &random_shapes[s];
            if (!only)
                return fl_complain(2, "there is no shape '%s': --list shows them", argv[i]);
        }
    }
    if (list)
        return show_shapes();
    dir = tools_folder();
    int status = count ? CHECK_RUN("kernels", CHECK(random_kernels_agree_with_the_hosts_compiler))
                       : CHECK_RUN("kernels", CHECK(every_shape_is_made_in_one_kernel_of_fifty),
                                   CHECK(random_kernels_agree_with_the_hosts_compiler));
    if (keep)
        printf("files in %s\n", dir);
    else
        tools_remove(dir);
    return status;
}
