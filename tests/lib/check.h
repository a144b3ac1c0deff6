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

int check_run(const char *suite, const struct check *tests, size_t count);

#endif
