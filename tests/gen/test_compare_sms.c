/* test_compare_sms.c -- self-tests whose SMs are held against each other: the odd one is named. */
#include "sm/job/job.h"
#include "tests/lib/check.h"
#include "tests/lib/tools.h"

static char *dir;

static void passes(const char *script)
{
    struct fl_buf out = {0};
    int status = tools_run(dir, &out, "%s", script);
    if (status != 0)
        printf("\n    status %d: %s", status, out.data ? (char *)out.data : "");
    CU_ASSERT_EQUAL(status, 0);
    fl_buf_free(&out);
}

/* NAME.xml: tiny-chip with so many SMs, and its blocks fixed. */
static void put_profile(const char *name, int sms)
{
    struct fl_buf out = {0};
    int status = tools_run(dir, &out,
                           "sed 's/<blocks>dynamic/<blocks>fixed/; s/<sms>2</<sms>%d</; "
                           "s/name=\"tiny-chip\"/name=\"%s\"/' %s/profiles/tiny-chip.xml >%s.xml",
                           sms, name, FAULTLINE_SOURCE_DIR, name);
    fl_buf_free(&out);
    CU_ASSERT_EQUAL_FATAL(status, 0);
}

static void the_odd_ones_are_those_that_differ_from_more_than_half(void)
{
    static const struct {
        const char *values, *odd; /* "": no such half */
    } want[] = {{"aaa", "..."},     {"aab", "..x"},     {"baa", "x.."}, {"abc", ""},
                {"ab", ""},         {"aa", ".."},       {"aabb", ""},   {"abaa", ".x.."},
                {"babab", ".x.x."}, {"abcaa", ".xx.."}, {"aabbcc", ""}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        const uint8_t *bytes[8];
        bool odd[8];
        int n = (int)strlen(want[i].values);
        for (int k = 0; k < n; k++)
            bytes[k] = (const uint8_t *)&want[i].values[k];
        bool half = job_find_odd(bytes, n, 1, odd);
        CU_ASSERT_EQUAL(half, want[i].odd[0] != 0);
        for (int k = 0; half && k < n; k++)
            CU_ASSERT_EQUAL(odd[k], want[i].odd[k] == 'x');
    }
}

static void every_memory_has_a_test_that_leaves_all_sms_alike(void)
{
    put_profile("three", 3);
    passes("for u in rf shared cc areg local; do sbstgen --unit $u --compare-sms --profile "
           "./three.xml -o t --quiet && smrun t/$u-c-minus-compare.job.xml --expect >r.txt && "
           "grep -q '^compared *3 SMs: all alike' r.txt || { cat r.txt; exit 1; }; done");
}

static void the_sm_with_a_fault_is_named(void)
{
    put_profile("three", 3);
    /* of flags none can make an access trap or go astray */
    passes(
        "sbstgen --unit cc --compare-sms --profile ./three.xml -o t --quiet && for sm in 0 2; do "
        "faultsim stuck-at --in-sm $sm --target cc --sample 40 --quiet --csv-faults f.csv "
        "t/cc-c-minus-compare.job.xml >/dev/null && grep -v '^#' f.csv | sed 1d | awk -F, -v "
        "sm=$sm '$3 != \"sdc\" || $7 != \"odd_sm\" sm { print; bad = 1 } END { exit bad || NR < "
        "40 }' || exit 1; done");
}

static void a_fault_that_all_sms_have_leaves_them_alike(void)
{
    put_profile("three", 3);
    passes("sbstgen --unit rf --compare-sms --profile ./three.xml -o t --quiet && faultsim "
           "intermittent --fault "
           "'sm0/rf/p70/b3@0-:sa0+sm1/rf/p70/b3@0-:sa0+sm2/rf/p70/b3@0-:sa0' "
           "t/rf-c-minus-compare.job.xml >r.txt && grep -q 'sdc (alike)' r.txt && grep -q 'held "
           "against each other this is alike' r.txt || { cat r.txt; exit 1; }");
    passes("faultsim intermittent --fault 'sm1/rf/p70/b3@0-:sa0+sm2/rf/p70/b3@0-:sa0' "
           "t/rf-c-minus-compare.job.xml | grep 'sdc (odd_sm0)'"); /* two of three are alike */
}

static void what_cannot_be_compared_is_refused(void)
{
    put_profile("three", 3);
    tools_expect(dir, "sbstgen", "--unit rf --compare-sms --profile g80", 2, "g80 has 1 SM;");
    tools_expect(dir, "sbstgen", "--unit rf --compare-sms --profile tiny-chip", 2,
                 "take one whose <blocks> are fixed");
    tools_expect(dir, "sbstgen", "--unit memories --compare-sms --profile ./three.xml", 2,
                 "one memory at a time");
    tools_expect(dir, "sbstgen", "--unit rf --compare-sms --inside --profile ./three.xml", 2,
                 "leave one of them out");
    tools_expect(dir, "sbstgen", "--unit sched --compare-sms --profile ./three.xml", 2,
                 "is no march");
    tools_expect(dir, "sbstgen", "--method nesting --le 1 --compare-sms", 2, "go with --unit UNIT");
}

/* A job that compares runs where each SM runs the test, and the fault-free SMs leave the same. */
static void a_job_that_compares_needs_its_sms(void)
{
    put_profile("three", 3);
    passes("sbstgen --unit rf --compare-sms --profile ./three.xml -o t --quiet && cp "
           "t/rf-c-minus-compare.* .");
    tools_expect(dir, "smrun", "rf-c-minus-compare.job.xml --sms 4", 1, "take a profile of 3 SMs");
    tools_expect(dir, "smrun", "rf-c-minus-compare.job.xml --on tiny-chip", 1,
                 "tiny-chip has 2, dynamic");
    passes("sed 's/grid=\"3\"/grid=\"4\"/' rf-c-minus-compare.job.xml >a.job.xml; "
           "sed '/digest/d; /sm2/d' rf-c-minus-compare.job.xml >b.job.xml; "
           "sed '/sm0/s/offset=\"0\"/offset=\"4\"/' rf-c-minus-compare.job.xml >c.job.xml; "
           "sed '/sm0/s/compared/tolerance=\"abs:1\" compared/' rf-c-minus-compare.job.xml "
           ">d.job.xml");
    tools_expect(dir, "smrun", "a.job.xml", 1, "let it have as many for each");
    tools_expect(dir, "smrun", "b.job.xml", 1, "two need a <digest>");
    tools_expect(dir, "faultsim", "stuck-at --target cc --sample 1 c.job.xml", 1,
                 "is not like sm0");
    tools_expect(dir, "smrun", "d.job.xml", 1, "bit for bit");
    tools_expect(dir, "smrun", "c.job.xml", 0, "sm0 not like the others");
}

static void blocks_of_a_two_dimensional_grid_are_shared_among_the_sms(void)
{
    put_profile("three", 3);
    passes("sbstgen --unit cc --compare-sms --profile ./three.xml -o t3 --quiet && "
           "sed -i 's/grid=\"3\"/grid=\"1,3\"/' t3/cc-c-minus-compare.job.xml && "
           "smrun t3/cc-c-minus-compare.job.xml | grep -q '^compared'");
}

static void two_sms_need_the_digest_and_have_it(void)
{
    put_profile("two", 2);
    passes("sbstgen --unit cc --compare-sms --profile ./two.xml -o t2 --quiet && smrun "
           "t2/cc-c-minus-compare.job.xml --expect >/dev/null && faultsim stuck-at --fault "
           "sm1/cc/w0/c0/z3:sa1 t2/cc-c-minus-compare.job.xml | grep 'sdc (no_majority)'");
}

int main(void)
{
    dir = tools_folder();
    int status = CHECK_RUN(
        "compare_sms", CHECK(the_odd_ones_are_those_that_differ_from_more_than_half),
        CHECK(every_memory_has_a_test_that_leaves_all_sms_alike),
        CHECK(the_sm_with_a_fault_is_named), CHECK(a_fault_that_all_sms_have_leaves_them_alike),
        CHECK(what_cannot_be_compared_is_refused), CHECK(a_job_that_compares_needs_its_sms),
        CHECK(blocks_of_a_two_dimensional_grid_are_shared_among_the_sms),
        CHECK(two_sms_need_the_digest_and_have_it));
    tools_remove(dir);
    return status;
}
