/* test_kernels.c -- random kernels: what smcc makes of them against what the host's C compiler makes of the same source.
 *
 *     test_kernels [--seed S] [--count N] [--spills] [--pocl] [--large] [--keep] [--engine both] [--flags FLAGS]
 *
 * Kernel number n of a seed is the same wherever it stands. One that differs is named, with its seed, and --keep leaves its
 * files. With --pocl the kernels run on pocl too, a second compiler. With --spills each file of kernels has 4 to 12 registers, drawn by the seed.
 */
#include "tests/lib/check.h"

#include <unistd.h>
#include "base/random.h"
#include "random_kernel.h"
#include "tests/lib/tools.h"

enum { AT_ONCE = 200, SPILLED_AT_ONCE = 50, POCL_AT_ONCE = 20 };

static uint64_t seed = 1;
static int count;
static const char *engine = "c";
static const char *flags = "";
static bool large, pocl;
static char *dir;

static void fill(uint32_t in[KERNEL_IN], uint64_t from)
{
    static const uint32_t edges[] = {0, 1, 0xffffffff, 0x7fffffff, 0x80000000, 0x10000, 0xffff, 5};
    for (int i = 0; i < KERNEL_IN; i++) {
        uint32_t r = (uint32_t)(fl_random(&from) >> 32);
        in[i] = i % 3 == 0 ? edges[r % 8] : i % 3 == 1 ? r % 100 : r;
    }
}

static void put(const char *name, struct fl_buf *b)
{
    tools_put(dir, name, b->data, b->size);
    fl_buf_free(b);
}

static void write_job(int n, const uint32_t *in, uint32_t a, uint32_t b)
{
    enum { BYTES = 4 * KERNEL_ITEMS * KERNEL_WORDS };
    struct fl_buf job = {0};
    fl_buf_printf(&job,
                  "<job profile=\"g80\" cubin=\"k.cubin\"><buffer name=\"out\" "
                  "size=\"%d\"/><buffer name=\"in\" size=\"%d\"><u32>",
                  n * BYTES, 4 * KERNEL_IN);
    for (int i = 0; i < KERNEL_IN; i++)
        fl_buf_printf(&job, "0x%x ", in[i]);
    fl_buf_printf(&job, "</u32></buffer>");
    for (int k = 0; k < n; k++)
        fl_buf_printf(
            &job,
            "<launch kernel=\"k%d\" grid=\"%d\" block=\"%d\"><param offset=\"0x10\" "
            "buffer=\"out\" plus=\"%d\"/>"
            "<param offset=\"0x14\" buffer=\"in\"/><param offset=\"0x18\" u32=\"%u\"/><param "
            "offset=\"0x1c\" u32=\"%u\"/></launch>\n",
            k, KERNEL_GROUPS, KERNEL_LOCAL, k * BYTES, a, b);
    fl_buf_printf(&job, "<output name=\"out\" buffer=\"out\"/></job>\n");
    put("k.job.xml", &job);
}

static int run(const char *command)
{
    struct fl_buf out = {0};
    int status = tools_run(dir, &out, "%s 2>&1", command);
    if (status)
        printf("\n    %s: status %d\n%.2000s\n", command, status, out.data);
    fl_buf_free(&out);
    return status;
}

/* How many of n kernels have other words in a file than by the host's compiler. */
static int differing(const char *name, int first, int n)
{
    struct fl_buf ours = {0}, theirs = {0};
    char *path[2] = {fl_format("%s/%s", dir, name), fl_format("%s/host.out", dir)};
    int differ = 0;
    if (fl_read_file(path[0], &ours, NULL) || fl_read_file(path[1], &theirs, NULL) ||
        ours.size != theirs.size || ours.size == 0)
        differ = n;
    size_t each = ours.size / (size_t)n;
    for (int k = 0; k < n && differ < n; k++) {
        if (memcmp(ours.data + (size_t)k * each, theirs.data + (size_t)k * each, each) == 0)
            continue;
        differ++;
        size_t at = 0;
        while (ours.data[(size_t)k * each + at] == theirs.data[(size_t)k * each + at])
            at++;
        printf("\n    %s: seed %llu, kernel %d (k%d): word %zu of thread %zu differs\n", name,
               (unsigned long long)seed, first + k, k, at / 4 % KERNEL_WORDS,
               at / 4 / KERNEL_WORDS);
    }
    for (int f = 0; f < 2; f++)
        free(path[f]);
    fl_buf_free(&ours);
    fl_buf_free(&theirs);
    return differ;
}

/* Kernels first to first + n - 1 of the seed with `regs` registers (0: as many as they take); returns how many differ. */
static int compare(int first, int n, int regs)
{
    struct fl_buf cl = {0}, host = {0};
    uint32_t in[KERNEL_IN], a = (uint32_t)fl_random_mix(seed),
                            b = (uint32_t)fl_random_mix(seed + 1);
    fill(in, seed);
    random_kernel_host_head(&host);
    random_kernel_prelude(&cl);
    random_kernel_prelude(&host);
    for (int k = 0; k < n; k++) {
        char name[20];
        snprintf(name, sizeof name, "k%d", k);
        uint64_t own = seed * 1000003 + (uint64_t)(first + k);
        random_kernel(own, large, name, &cl);
        random_kernel(own, large, name, &host);
    }
    random_kernel_host_main(n, in, a, b, &host);
    tools_put(dir, "in", in, sizeof in);
    put("k.cl", &cl);
    put("host.c", &host);
    write_job(n, in, a, b);
    char smcc[300], smrun[200], limit[40] = "";
    if (regs)
        snprintf(limit, sizeof limit, "--maxrregcount %d", regs);
    snprintf(smcc, sizeof smcc,
             "(smcc -w k.cl %s --ptx -o k.ptx && smcc k.ptx %s %s -o k.cubin) & gcc -O0 -w -o host "
             "host.c && ./host && wait $!",
             flags, flags, limit);
    snprintf(smrun, sizeof smrun, "smrun k.job.xml --engine %s --dump out=ours.out", engine);
    if (run(smcc) || run(smrun))
        return n;
    int differ = differing("ours.out", first, n);
    if (pocl) {
        struct fl_buf out = {0};
        differ += tools_run(dir, &out,
                            "POCL_CACHE_DIR=$PWD %s/tools/pocl_run k.cl %d 0x%x 0x%x in host.out",
                            FAULTLINE_BUILD_DIR, n, a, b) != 0;
        printf("\n    %s", (const char *)out.data);
        fl_buf_free(&out);
    }
    return differ;
}

static void compare_all(int all, int at_once, bool spills)
{
    int differ = 0;
    if (!check_clang() || !check_command("gcc", "scripts/setup"))
        return;
    if (pocl && access(FAULTLINE_BUILD_DIR "/tools/pocl_run", X_OK)) {
        check_skip("no OpenCL when this was built (scripts/setup --pocl)");
        return;
    }
    for (int first = 0; first < all; first += at_once) {
        int regs = spills ? 4 + (int)(fl_random_mix(seed + (uint64_t)first) % 9) : 0;
        differ += compare(first, all - first < at_once ? all - first : at_once, regs);
    }
    CU_ASSERT_EQUAL(differ, 0);
}

static void random_kernels_agree_with_the_hosts_compiler(void)
{
    compare_all(count ? count : 150, pocl ? POCL_AT_ONCE : AT_ONCE, false);
}

static void with_few_registers_they_agree_as_well(void)
{
    compare_all(count ? count : 50, SPILLED_AT_ONCE, true);
}

int main(int argc, char **argv)
{
    bool keep = false, spills = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--keep") == 0)
            keep = true;
        else if (strcmp(argv[i], "--spills") == 0)
            spills = true;
        else if (strcmp(argv[i], "--pocl") == 0)
            pocl = true;
        else if (strcmp(argv[i], "--large") == 0)
            large = true;
        else if (i + 1 < argc && strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[++i], NULL, 0);
        else if (i + 1 < argc && strcmp(argv[i], "--count") == 0)
            count = atoi(argv[++i]);
        else if (i + 1 < argc && strcmp(argv[i], "--engine") == 0)
            engine = argv[++i];
        else if (i + 1 < argc && strcmp(argv[i], "--flags") == 0)
            flags = argv[++i];
    }
    dir = tools_folder();
    int status = spills  ? CHECK_RUN("kernels", CHECK(with_few_registers_they_agree_as_well))
                 : count ? CHECK_RUN("kernels", CHECK(random_kernels_agree_with_the_hosts_compiler))
                         : CHECK_RUN("kernels", CHECK(random_kernels_agree_with_the_hosts_compiler),
                                     CHECK(with_few_registers_they_agree_as_well));
    if (keep)
        printf("files in %s\n", dir);
    else
        tools_remove(dir);
    return status;
}
