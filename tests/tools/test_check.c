/* test_check.c -- what a suite says of tests that cannot run, and of those that test nothing: tests/lib/check.h.
 *
 * With a word behind its name this program is the made-up suite of that name.
 */
#include "tests/lib/check.h"

#include "tests/lib/tools.h"

static char *dir;

static void asserts(void)
{
    CU_ASSERT_TRUE(true);
}

static void asserts_nothing(void)
{
}

static void lacks_a_program(void)
{
    if (check_command("no-such-program nor-this", "a package"))
        CU_FAIL("it is there");
    check_skip("a second reason");
}

static void lacks_reference_data(void)
{
    if (check_shared("no such file"))
        CU_FAIL("it is there");
}

static void fails_and_skips(void)
{
    CU_ASSERT_TRUE(false);
    check_skip("and cannot go on");
}

/* The made-up suite ends with this status, and says this last. */
static void suite_ends(const char *ci, const char *name, int status, const char *last)
{
    struct fl_buf out = {0};
    int got = tools_run(dir, &out,
                        "CI=%s '%s/tests/test_check' %s >whole; s=$?; tail -n 1 whole; exit $s", ci,
                        FAULTLINE_BUILD_DIR, name);
    bool good = got == status && tools_says(&out, last);
    if (!good)
        printf("\n    CI=%s %s: %d, %s", ci, name, got, out.data);
    CU_ASSERT_TRUE(good);
    fl_buf_free(&out);
}

static void a_suite_of_which_nothing_ran_ends_with_77_and_says_why(void)
{
    struct fl_buf out = {0};
    suite_ends("", "program", 77, "0 passed, 0 failed, 1 skipped\n");
    CU_ASSERT_EQUAL(tools_run(dir, &out, "grep ^skipped: whole"), 0);
    CU_ASSERT_STRING_EQUAL((const char *)out.data, "skipped: lacks_a_program: not installed: "
                                                   "no-such-program nor-this (a package)\n");
    fl_buf_free(&out);
}

static void a_skipped_test_is_no_passed_one(void)
{
    suite_ends("", "some", 0, "1 passed, 0 failed, 2 skipped\n");
}

static void in_ci_only_reference_data_may_be_missing(void)
{
    suite_ends("true", "program", 1, "0 passed, 1 failed, 0 skipped\n");
    suite_ends("true", "data", 77, "0 passed, 0 failed, 1 skipped\n");
}

static void a_failed_test_is_no_skipped_one(void)
{
    suite_ends("", "failing", 1, "1 passed, 1 failed, 0 skipped\n");
}

static void a_test_that_asserts_nothing_fails(void)
{
    suite_ends("", "nothing", 1, "1 passed, 1 failed, 0 skipped\n");
}

static void a_script_that_cannot_run_ends_with_77_and_with_1_in_ci(void)
{
    struct fl_buf out = {0};
    static const char line[] = "CI=%s %s/tests/lib/skip there is no such thing";
    CU_ASSERT_EQUAL(tools_run(dir, &out, line, "", FAULTLINE_SOURCE_DIR), 77);
    CU_ASSERT_STRING_EQUAL((const char *)out.data, "skipped: there is no such thing\n");
    CU_ASSERT_EQUAL(tools_run(dir, &out, line, "true", FAULTLINE_SOURCE_DIR), 1);
    fl_buf_free(&out);
}

static int made_up(const char *name)
{
    if (strcmp(name, "program") == 0)
        return CHECK_RUN(name, CHECK(lacks_a_program));
    if (strcmp(name, "data") == 0)
        return CHECK_RUN(name, CHECK(lacks_reference_data));
    if (strcmp(name, "some") == 0)
        return CHECK_RUN(name, CHECK(lacks_a_program), CHECK(asserts), CHECK(lacks_reference_data));
    if (strcmp(name, "failing") == 0)
        return CHECK_RUN(name, CHECK(fails_and_skips), CHECK(asserts));
    return CHECK_RUN(name, CHECK(asserts_nothing), CHECK(asserts));
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return made_up(argv[1]);
    dir = tools_folder();
    int status = CHECK_RUN(
        "check", CHECK(a_suite_of_which_nothing_ran_ends_with_77_and_says_why),
        CHECK(a_skipped_test_is_no_passed_one), CHECK(in_ci_only_reference_data_may_be_missing),
        CHECK(a_failed_test_is_no_skipped_one), CHECK(a_test_that_asserts_nothing_fails),
        CHECK(a_script_that_cannot_run_ends_with_77_and_with_1_in_ci));
    tools_remove(dir);
    return status;
}
