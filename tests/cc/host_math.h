/* host_math.h -- the functions of cc/headers/math.h, computed by the host: its float arithmetic with denormals as zero is the
 * machine's, and reciprocals come from sm/arith. */
#ifndef HOST_MATH_H
#define HOST_MATH_H

#include <stdbool.h>

struct host_function {
    const char *name; /* in OpenCL C */
    float (*f)(float x);
    void (*want)(const double *x, double *y, int n); /* true values, or near enough */
};
struct host_function2 {
    const char *name;
    float (*f)(float x, float y);
    double (*want)(double x, double y);
};
extern const struct host_function host_functions[];
extern const struct host_function2 host_functions2[];
extern const int host_nfunctions, host_nfunctions2;

/* Denormals are zero from here on, or as usual. False: this host cannot. */
bool host_math_flush(bool on);
float host_float(unsigned bits);
unsigned host_bits(float x);
/* How far x is from the true value, in units of its last place. A result that the machine flushes may be 0. */
double host_ulps(float x, double want);

#endif
