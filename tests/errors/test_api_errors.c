/* test_api_errors.c -- the documented errors of three interfaces: CUDA's runtime and driver API, and OpenCL 1.1. Each row of
 * runtime.c, driver.c and opencl.c is a call with a bad argument and the error of the public reference; afterwards the
 * device still works.
 */
#include <stdio.h>

#include "errors.h"
#include "tests/lib/check.h"

static int rows;

void errors_row(const char *call, int ended, int wanted)
{
    if (ended != wanted)
        printf("\n    %s: ends with %d, not %d\n", call, ended, wanted);
    CU_ASSERT_EQUAL(ended, wanted);
    rows++;
}

static void the_runtime_api_ends_with_the_documented_errors(void)
{
    errors_of_runtime();
}

static void the_driver_api_ends_with_the_documented_errors(void)
{
    errors_of_driver();
}

static void opencl_ends_with_the_documented_errors(void)
{
    if (check_clang())
        errors_of_opencl();
}

static void there_are_sixty_rows(void)
{
    CU_ASSERT_TRUE(rows >= 60);
}

int main(void)
{
    return CHECK_RUN("api_errors", CHECK(the_runtime_api_ends_with_the_documented_errors),
                     CHECK(the_driver_api_ends_with_the_documented_errors),
                     CHECK(opencl_ends_with_the_documented_errors), CHECK(there_are_sixty_rows));
}
