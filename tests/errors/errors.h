/* errors.h -- the rows of test_api_errors.c: a call with a bad argument, and the error that the public reference of its interface states. */
#ifndef TESTS_HOST_ERRORS_H
#define TESTS_HOST_ERRORS_H

/* The call must have ended with `wanted`. */
void errors_row(const char *call, int ended, int wanted);

#define ENDS(call, wanted) errors_row(#call, (int)(call), (int)(wanted))

/* One interface each. */
void errors_of_runtime(void);
void errors_of_driver(void);
void errors_of_opencl(void);

#endif
