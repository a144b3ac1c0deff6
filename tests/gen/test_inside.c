/* test_inside.c -- tests of memories in the middle of a running kernel: it ends as if they had not been there.
 *
 * The kernel gives every register, flag and address register, its local memory and the shared memory of its block a value
 * of its own, goes into a subroutine below an SSY, and calls the test there. Behind it everything is dumped. With the test
 * and without, the dumps are the same.
 */
#include "base/xml.h"
#include "gen/march/march.h"
#include "tests/lib/check.h"
#include "tests/lib/tools.h"

static char *dir;
static struct march_library *lib;

enum { AT = 512, LOCALS = 4, FLAGS = 4, ADDRESSES = 4, HEADER = 24, DUMP = 128 };

static void line(struct fl_buf *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void line(struct fl_buf *out, const char *fmt, ...)
{
    char text[256];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    fl_buf_printf(out, "    %s\n", text);
}

/* Words of shared memory that each thread fills: all that come out even behind header and parameters. */
static int shared_words(const struct march_program *p)
{
    bool all = p->request.unit->fills == MARCH_SHARED;
    int most = (p->machine->shared_bytes / p->blocks - HEADER) / 4 / (p->warps * SBST_LANES);
    return all || most < 1 ? most : 1;
}

static void fill_state(const struct march_program *p, struct fl_buf *out)
{
    int threads = p->warps * SBST_LANES;
    line(out, "LST.U32 local[%d], R0", DUMP);
    line(out, "I2I.U32.U16 R1, s[0xc]");
    line(out, "IMAD.U24 R0, R1, c1[THREADS], R0");
    for (int i = 1; i < p->regs; i++)
        line(out, "IADD32I R%d, R%d, 0x%x", i, i - 1, 0x12345678u * (unsigned)(2 * i + 1));
    line(out, "LLD.U32 R1, local[%d]", DUMP);
    line(out, "R2A A1, R1, 0x2");
    for (int i = 0; i < shared_words(p); i++) {
        line(out, "IADD32I R2, R2, 0x3456789");
        line(out, "R2G.U32.U32 s[A1+0x18], R2");
        line(out, "ADA A1, A1, 0x%x", 4 * threads);
    }
    for (int i = 0; i < FLAGS; i++)
        line(out, "R2C C%d, R%d", i, i + 2);
    for (int i = 0; i < ADDRESSES; i++)
        line(out, "R2A A%d, R%d", i + 1, i + 3);
    for (int i = 0; i < LOCALS; i++)
        line(out, "LST.U32 local[%d], R%d", 4 * i, i + 1);
}

static int dump_state(const struct march_program *p, struct fl_buf *out)
{
    int n = 0;
    for (int i = 0; i < p->regs; i++)
        line(out, "LST.U32 local[%d], R%d", DUMP + 4 * n++, i);
    for (int i = 0; i < FLAGS + ADDRESSES; i++) {
        line(out, i < FLAGS ? "C2R R1, C%d" : "A2R R1, A%d", i < FLAGS ? i : i - FLAGS + 1);
        line(out, "LST.U32 local[%d], R1", DUMP + 4 * n++);
    }
    for (int i = 0; i < LOCALS; i++) {
        line(out, "LLD.U32 R1, local[%d]", 4 * i);
        line(out, "LST.U32 local[%d], R1", DUMP + 4 * n++);
    }
    /* R0 is the number of the thread in all blocks, which are of threads that are a power of 2 or alone */
    line(out, "I2I.U32.U16 R1, s[0xc]");
    line(out, "IMUL.U24.U24 R1, R1, c1[THREADS]");
    line(out, "IADD R1, R0, -R1");
    line(out, "R2A A1, R1, 0x2");
    for (int i = 0; i < shared_words(p); i++) {
        line(out, "IADD R1, s[A1+0x18], R124");
        line(out, "LST.U32 local[%d], R1", DUMP + 4 * n++);
        line(out, "ADA A1, A1, 0x%x", 4 * p->warps * SBST_LANES);
    }
    line(out, "IMUL.U24.U24 R1, R0, c1[WORDS]");
    line(out, "SHL R1, R1, 0x2");
    line(out, "IADD R1, s[DUMP], R1");
    for (int i = 0; i < n; i++) {
        line(out, "LLD.U32 R2, local[%d]", DUMP + 4 * i);
        line(out, "GST.U32 global14[R1], R2");
        line(out, "IADD32I R1, R1, 0x4");
    }
    return n;
}

/* k.sasm; returns the words that a thread dumps. */
static int write_kernel(const struct march_program *p, bool with)
{
    struct fl_buf text = {0}, body = {0}, end = {0};
    char macro[80];
    snprintf(macro, sizeof macro, p->request.part ? "sbst_%s_part%02d" : "sbst_%s",
             p->request.unit->name, p->request.part);
    fill_state(p, &body);
    int words = dump_state(p, &end);
    fl_buf_printf(&text,
                  ".include \"%s.sasm\"\n.kernel k\n.param ptr DUMP\n.param ptr SELF\n.regs %d\n"
                  ".local 1024\n.shared ALL, %d\n.const THREADS, u32, %d\n.const WORDS, u32, %d\n",
                  p->name, p->regs,
                  p->request.unit->fills == MARCH_SHARED
                      ? p->machine->shared_bytes - HEADER
                      : 4 * p->warps * SBST_LANES * shared_words(p) + 4,
                  p->warps * SBST_LANES, words);
    if (with)
        fl_buf_printf(&text, "    %s_begin %d\n", macro, AT);
    fl_buf_printf(&text, "%.*s", (int)body.size, (char *)body.data);
    fl_buf_printf(
        &text, "    SSY back\n    CAL.NOINC inside\nback:\n    NOP.S\n%.*s    NOP.EXIT\ninside:\n",
        (int)end.size, (char *)end.data);
    if (with)
        fl_buf_printf(&text, "    %s SELF, %d\n", macro, AT);
    fl_buf_printf(&text, "    RET\n");
    tools_put(dir, "k.sasm", text.data, text.size);
    fl_buf_free(&text);
    fl_buf_free(&body);
    fl_buf_free(&end);
    return words;
}

static bool run(const struct march_program *p, bool with, const char *dump)
{
    struct fl_buf out = {0};
    int threads = march_threads(p), words = write_kernel(p, with);
    int status = tools_run(
        dir, &out,
        "sasm k.sasm -o k.cubin && smrun k.cubin --kernel k --grid %d --block %d --profile %s "
        "--buffer dump=%d --buffer self=%d --param DUMP:buf:dump --param SELF:buf:self "
        "--dump dump=%s --dump self=self",
        p->blocks, p->warps * SBST_LANES, p->machine->profile, 4 * threads * words, 4 * threads,
        dump);
    if (status != 0)
        printf("\n    %s: %s", p->name, (char *)out.data);
    CU_ASSERT_EQUAL(status, 0);
    fl_buf_free(&out);
    return status == 0;
}

/* What the test has left is what it leaves where everything is right. */
static void check_result(const struct march_program *p)
{
    char *path = fl_format("%s/self", dir);
    struct fl_buf self = {0};
    CU_ASSERT_EQUAL_FATAL(fl_read_file(path, &self, NULL), 0);
    int good = 0;
    for (int i = 0; i < march_threads(p); i++) {
        uint32_t word;
        memcpy(&word, self.data + 4 * i, sizeof word);
        good += word == march_expect(p, i);
    }
    if (good != march_threads(p))
        printf("\n    %s: %d of %d threads pass", p->name, good, march_threads(p));
    CU_ASSERT_EQUAL(good, march_threads(p));
    fl_buf_free(&self);
    free(path);
}

static void check_program(const struct march_program *p)
{
    struct fl_buf out = {0};
    struct fl_err err = {0};
    CU_ASSERT_EQUAL_FATAL(march_write_macros(p, 1, dir, NULL, &err), 0);
    if (!run(p, false, "without") || !run(p, true, "with"))
        return;
    check_result(p);
    bool same =
        tools_run(dir, &out,
                  "cmp with without && [ $(od -An -v -tx4 -w4 with | sort -u | wc -l) -gt 100 ]") ==
        0;
    if (!same)
        printf("\n    %s: %s", p->name, (char *)out.data);
    CU_ASSERT_TRUE(same);
    fl_buf_free(&out);
}

static void load(const char *profile, struct sbst_machine *machine)
{
    char *root = xml_data_folder();
    CU_ASSERT_EQUAL_FATAL(sbst_machine_load(root, profile, machine, NULL), 0);
    free(root);
}

static void check_march(const char *profile, const char *march)
{
    struct fl_err err = {0};
    struct sbst_machine machine;
    load(profile, &machine);
    for (int i = 0; i < lib->nunits; i++) {
        struct march_request r = {
            .unit = &lib->unit[i], .march = march_find(lib, march), .inside = true};
        struct march_program p;
        if (march_compose(lib, &machine, &r, &p, &err) != 0)
            printf("\n    %s: %s", lib->unit[i].name, err.msg);
        else
            check_program(&p);
        CU_ASSERT_STRING_EQUAL(err.msg, "");
        march_program_free(&p);
    }
    sbst_machine_free(&machine);
}

/* Without these lines of the macro the kernel ends otherwise. */
static void misses(const char *unit, const char *lines)
{
    struct fl_buf out = {0};
    struct sbst_machine machine;
    struct march_program p;
    load("tiny", &machine);
    struct march_request r = {
        .unit = march_unit_find(lib, unit), .march = march_find(lib, "c-"), .inside = true};
    CU_ASSERT_EQUAL_FATAL(march_compose(lib, &machine, &r, &p, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(march_write_macros(&p, 1, dir, NULL, NULL), 0);
    int status = -1;
    if (run(&p, true, "with") &&
        tools_run(dir, &out,
                  "cp %s.sasm k.bak && sed -i '/^    .. given back/,$ { /%s/d }' %s.sasm && ! cmp "
                  "-s %s.sasm "
                  "k.bak",
                  p.name, lines, p.name, p.name) == 0 &&
        run(&p, true, "damaged"))
        status = tools_run(dir, &out, "! cmp -s with damaged");
    if (status != 0)
        printf("\n    %s: nobody misses %s", unit, lines);
    CU_ASSERT_EQUAL(status, 0);
    march_program_free(&p);
    sbst_machine_free(&machine);
    fl_buf_free(&out);
}

static void whatever_is_not_given_back_is_missed(void)
{
    misses("rf", "LLD.U32 R31,");
    misses("rf", "R2C C3");
    misses("rf", "R2A A2");
    misses("cc", "R2C C0");
    misses("areg", "R2A A4");
    misses("shared", "R2G.*A1+0x40\\*1");
    misses("local", "LST.U32 local\\[4\\*3]");
}

static void parts_can_be_called_one_by_one(void)
{
    struct sbst_machine machine;
    struct march_program *p = NULL;
    struct fl_err err = {0};
    int count = 0;
    load("tiny", &machine);
    struct march_request r = {
        .unit = march_unit_find(lib, "rf"), .march = march_find(lib, "c-"), .inside = true};
    struct sbst_budget budget = {.cycles = 40000};
    CU_ASSERT_EQUAL(march_split(lib, &machine, &r, &budget, &p, &count, &err), 0);
    CU_ASSERT_STRING_EQUAL(err.msg, "");
    CU_ASSERT(count >= 2);
    for (int i = 0; i < count; i++) {
        check_program(&p[i]);
        march_program_free(&p[i]);
    }
    free(p);
    sbst_machine_free(&machine);
}

static void a_kernel_on_tiny_ends_as_if_no_test_had_been_there(void)
{
    check_march("tiny", "c-");
    check_march("tiny", "inverting");
}

static void a_kernel_on_g80_ends_as_if_no_test_had_been_there(void)
{
    check_march("g80", "c-");
}

int main(void)
{
    const struct check tests[] = {
        CHECK(a_kernel_on_tiny_ends_as_if_no_test_had_been_there),
        CHECK(a_kernel_on_g80_ends_as_if_no_test_had_been_there),
        CHECK(whatever_is_not_given_back_is_missed),
        CHECK(parts_can_be_called_one_by_one),
    };
    char *root = xml_data_folder();
    struct fl_err err = {0};
    if (march_library_load(root, &lib, &err) != 0) {
        fprintf(stderr, "%s\n", err.msg);
        return 1;
    }
    dir = tools_folder();
    int failed = check_run("inside", tests, sizeof tests / sizeof tests[0]);
    tools_remove(dir);
    march_library_free(lib);
    free(root);
    return failed;
}
