/* host_true.c -- see host_true.h. Built with -Ofast, so that gcc takes the C library's vector functions (4 ulp of a double). */
#include "host_true.h"

#include <math.h>

static double whole_turns(double x) /* exact: what is left of x, from -1 to 1 */
{
    return x - 2 * rint(x / 2);
}

static double sin_pi(double x)
{
    double t = whole_turns(x), a = fabs(t) > 0.5 ? copysign(1, t) - t : t;
    return sin(M_PI * a);
}

static double cos_pi(double x)
{
    return sin_pi(0.5 - fabs(whole_turns(x)));
}

#define HOST_DEFINE(name, value)                                                                   \
    void host_want_##name(const double *in, double *out, int n)                                    \
    {                                                                                              \
        for (int i = 0; i < n; i++) {                                                              \
            double x = in[i];                                                                      \
            out[i] = value;                                                                        \
        }                                                                                          \
    }
HOST_TRUE(HOST_DEFINE)
