/* check.c -- runs the tests of a suite. */
#include <stdarg.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/fl.h"
#include "check.h"

static struct fl_buf skipped; /* a line each */
static unsigned nskipped;
static struct {
    unsigned asserts, failures; /* of the tests before it */
    char *skipped;              /* the first reason */
} test;

static double cpu(void)
{
    double sum = 0;
    for (int who = RUSAGE_CHILDREN; who <= RUSAGE_SELF; who++) { /* -1 and 0 */
        struct rusage use;
        getrusage(who, &use);
        sum += (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
               1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
    }
    return sum;
}

/* Notes the time at the start of a test, prints what it took at its end. */
static double took(bool start)
{
    static double at;
    double passed = cpu() - at;
    at = start ? at + passed : at;
    return passed;
}

static void start(void)
{
    test.asserts = CU_get_number_of_asserts();
    test.failures = CU_get_number_of_failures();
    took(true);
}

static void end(void)
{
    if (!test.skipped && CU_get_number_of_asserts() == test.asserts)
        CU_FAIL("a test asserts something, or says that it is skipped");
    if (test.skipped && CU_get_number_of_failures() == test.failures) {
        nskipped++;
        fl_buf_printf(&skipped, "skipped: %s: %s\n", CU_get_current_test()->pName, test.skipped);
    }
    free(test.skipped);
    test.skipped = NULL;
    if (getenv("CHECK_TIMES"))
        printf(" %.2f s ", took(false));
    if (getenv("CHECK_FIRST") && CU_get_number_of_failures() > test.failures)
        exit(1);
}

static void skip(const char *why)
{
    printf("\n    skipped: %s ", why);
    if (!test.skipped)
        test.skipped = fl_strdup(why);
}

void check_skip(const char *fmt, ...)
{
    char why[300];
    const char *ci = getenv("CI");
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    if (ci && *ci) {
        printf("\n    not skipped, for CI is in the environment: %s ", why);
        CU_FAIL("what CI has is missing");
    } else {
        skip(why);
    }
}

bool check_command(const char *names, const char *from)
{
    char *command = fl_format("for c in %s; do command -v $c && exit; done >/dev/null; exit 1",
                              names);
    bool there = system(command) == 0;
    free(command);
    if (!there)
        check_skip("not installed: %s (%s)", names, from);
    return there;
}

bool check_clang(void)
{
    return check_command("clang-14 clang-15 clang-16", "scripts/setup --cc");
}

bool check_shared(const char *file)
{
    char *path = fl_format(FAULTLINE_SHARED_DIR "/%s", file);
    bool there = access(path, R_OK) == 0;
    free(path);
    if (!there) {
        char *why = fl_format("there is no ../shared/%s", file);
        skip(why);
        free(why);
    }
    return there;
}

bool check_few(void)
{
    const char *all = getenv("CHECK_ALL");
    return !all || !*all;
}

int check_run(const char *suite, const struct check *tests, size_t count)
{
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    CU_pSuite s = CU_add_suite_with_setup_and_teardown(suite, NULL, NULL, start, end);
    for (size_t i = 0; i < count; i++)
        if (!s || !CU_add_test(s, tests[i].name, tests[i].run))
            return 1;
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_ErrorCode ran = CU_basic_run_tests();
    unsigned failed = CU_get_number_of_tests_failed();
    unsigned run = CU_get_number_of_tests_run();
    bool good = ran == CUE_SUCCESS && CU_get_number_of_failures() == 0 && run == count;
    CU_cleanup_registry();
    printf("%.*s%u passed, %u failed, %u skipped\n", (int)skipped.size,
           skipped.size ? (const char *)skipped.data : "", run - failed - nskipped, failed,
           nskipped);
    fl_buf_free(&skipped);
    return !good ? 1 : nskipped && nskipped == run ? 77 : 0;
}
