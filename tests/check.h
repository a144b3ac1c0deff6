/* check.h -- a CUnit suite in three lines.
 *
 *     static void join_on_empty_stack_traps(void) { CU_ASSERT_EQUAL(...); }
 *     int main(void) { return CHECK_RUN("stack", CHECK(join_on_empty_stack_traps), CHECK(...)); }
 *
 * A test's function name states the rule that it keeps; that name is what the report prints.
 */
#ifndef CHECK_H
#define CHECK_H

#include <CUnit/Basic.h>
#include <stddef.h>

struct check {
    const char *name;
    void (*run)(void);
};
#define CHECK(fn) ((struct check){#fn, fn})
#define CHECK_RUN(suite, ...)                                                                      \
    check_run(suite, (const struct check[]){__VA_ARGS__},                                          \
              sizeof((const struct check[]){__VA_ARGS__}) / sizeof(struct check))

static inline int check_run(const char *suite, const struct check *tests, size_t count)
{
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    CU_pSuite s = CU_add_suite(suite, NULL, NULL);
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
