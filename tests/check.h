/* check.h -- a CUnit suite in three lines.
 *
 *     static void join_on_empty_stack_traps(void) { CU_ASSERT_EQUAL(...); }
 *     int main(void) { return CHECK_RUN("stack", CHECK(join_on_empty_stack_traps), CHECK(...)); }
 *
 * A test's function name states the rule that it keeps; that name is what the report prints. With CHECK_TIMES in the
 * environment it is followed by the CPU time of the test and of what it started.
 */
#ifndef CHECK_H
#define CHECK_H

#include <CUnit/Basic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

/* Under sanitizers a case takes several times as long. There a long test takes a part of its cases, and all of them in the
 * release build; scripts/test runs both. */
#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

struct check {
    const char *name;
    void (*run)(void);
};
#define CHECK(fn) ((struct check){#fn, fn})
#define CHECK_RUN(suite, ...)                                                                      \
    check_run(suite, (const struct check[]){__VA_ARGS__},                                          \
              sizeof((const struct check[]){__VA_ARGS__}) / sizeof(struct check))

static inline double check_cpu(void)
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
static inline double check_time(bool start)
{
    static double at;
    double took = check_cpu() - at;
    at = start ? at + took : at;
    return took;
}
static inline void check_start(void)
{
    check_time(true);
}
static inline void check_end(void)
{
    if (getenv("CHECK_TIMES"))
        printf(" %.2f s ", check_time(false));
}

static inline int check_run(const char *suite, const struct check *tests, size_t count)
{
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    CU_pSuite s = CU_add_suite_with_setup_and_teardown(suite, NULL, NULL, check_start, check_end);
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

#endif
