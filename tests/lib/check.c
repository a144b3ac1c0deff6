/* check.c -- runs the tests of a suite. */
#include <sys/resource.h>

#include "check.h"

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
    took(true);
}

static void end(void)
{
    if (getenv("CHECK_TIMES"))
        printf(" %.2f s ", took(false));
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
    unsigned failed = CU_get_number_of_failures();
    unsigned run = CU_get_number_of_tests_run();
    CU_cleanup_registry();
    return ran == CUE_SUCCESS && failed == 0 && run == count ? 0 : 1;
}
