/* test_march_rtl.c -- self-tests of memories on the C model and on the RTL: fault by fault the same outcome, in the same cycle.
 *
 *     test_march_rtl            some faults of each unit
 *     test_march_rtl N          N of each: minutes for 1,000
 *
 * Of the kinds those that the RTL can carry: it shows what changes, not who reads. Local memory lies behind the port, outside of the RTL: its
 * faults are carried in the memory that both machines have, and what the RTL adds is who accesses it when.
 */
#include "tests/lib/check.h"
#include "tests/lib/tools.h"

static char *dir;
static int count = 10;

#define KINDS "--kind saf,tf,cfin,cfid,cfst,af0,af1,afw"

static void ends_the_same(const char *generate, const char *judge)
{
    struct fl_buf out = {0};
    int status = tools_run(
        dir, &out,
        "rm -rf r && sbstgen %s --profile g80 -o r --quiet && for e in c rtl; do faultsim %s "
        "--sample "
        "%d --engine $e r/*.job.xml --quiet --csv-faults $e.csv || exit 1; sed -i 1d $e.csv; done; "
        "diff c.csv rtl.csv | head -4; cmp -s c.csv rtl.csv && echo $(sed 1,2d c.csv | wc -l) "
        "faults && grep -q "
        "',detected,' "
        "c.csv",
        generate, judge, count);
    printf("\n    %-16s %-80s %s", generate, judge, out.data ? (char *)out.data : "");
    CU_ASSERT_EQUAL(status, 0);
    fl_buf_free(&out);
}

static void tests_of_memories_end_the_same_on_both_machines(void)
{
    ends_the_same("--unit rf", "memory --target rf " KINDS);
    ends_the_same("--unit shared", "memory --target shared " KINDS);
    ends_the_same("--unit cc", "memory --target cc " KINDS);
    ends_the_same("--unit areg", "memory --target areg " KINDS);
    ends_the_same("--unit local", "memory --target local " KINDS);
}

static void exec_has_no_cell_in_the_rtl(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(tools_run(dir, &out, "sbstgen --unit cc --profile g80 -o e --quiet"), 0);
    fl_buf_free(&out);
    tools_expect(dir, "faultsim", "stuck-at --engine rtl --target exec e/cc-c-minus.job.xml", 2,
                 "target exec is in the C model only");
}

int main(int argc, char **argv)
{
    const struct check tests[] = {
        CHECK(tests_of_memories_end_the_same_on_both_machines),
        CHECK(exec_has_no_cell_in_the_rtl),
    };
    if (argc > 1)
        count = atoi(argv[1]);
    dir = tools_folder();
    int failed = check_run("march_rtl", tests, sizeof tests / sizeof tests[0]);
    tools_remove(dir);
    return failed;
}
