/* check.h -- a CUnit suite in three lines.
 *
 *     static void join_on_empty_stack_traps(void) { CU_ASSERT_EQUAL(...); }
 *     int main(void) { return CHECK_RUN("stack", CHECK(join_on_empty_stack_traps), CHECK(...)); }
 *
 * A test's function name states the rule that it keeps; that name is what the report prints. With CHECK_TIMES in the
 * environment it is followed by the CPU time of the test and of what it started. A test that asserts nothing fails.
 *
 * A test that cannot run here says so, and returns; it counts as skipped. The last line of a suite is "N passed, N failed,
 * N skipped", the lines above it name what was skipped and why, and a suite of which nothing ran ends with 77. Scripts say
 * it with tests/lib/skip.
 */
#ifndef CHECK_H
#define CHECK_H

#include <CUnit/Basic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* Under sanitizers a case takes several times as long. There a test that takes seconds does a part of its cases. */
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

/* What is missing is a package, a right, a part of the build: all that a machine can have. In CI, which has it (CI is in the
 * environment), the test fails instead. */
void check_skip(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Is there such a command, or one of several, "a b"? Else the test is skipped: `from` says where it comes from. */
bool check_command(const char *names, const char *from);

/* A clang that smcc takes. */
bool check_clang(void);

/* Is there this file of the reference data, below FAULTLINE_SHARED_DIR? A clone has none of it: else the test is skipped,
 * in CI too. */
bool check_shared(const char *file);

/* A part of the cases is enough for a test that takes seconds even without sanitizers: CHECK_ALL is not in the environment.
 * scripts/test sets it where all suites run on the build with the RTL. */
bool check_few(void);

int check_run(const char *suite, const struct check *tests, size_t count);

#endif
