/* no_rtl.c -- engine rtl in a build without it: there is none to be had. */
#include "transient_rtl.h"

struct fsim_rtl *fsim_rtl_new(const struct golden *g, struct fl_err *err)
{
    (void)g;
    fl_fail(err, "this build has the engine c; configure with -DFAULTLINE_RTL=ON for rtl");
    return NULL;
}

void fsim_rtl_free(struct fsim_rtl *r)
{
    (void)r;
}

/* The rest is for those who have one. */

struct fsim_rtl_worker *fsim_rtl_worker_new(const struct fsim_rtl *r)
{
    (void)r;
    return NULL;
}

void fsim_rtl_worker_free(struct fsim_rtl_worker *w)
{
    (void)w;
}

int transient_rtl_has(const struct fsim_rtl *r, int structure, struct fl_err *err)
{
    (void)r, (void)structure, (void)err;
    return -1;
}

void transient_rtl_simulate(struct fsim_rtl_worker *w, const struct touches *t,
                            const struct upset *u, struct transient_result *out)
{
    (void)w, (void)t, (void)u, (void)out;
}

void transient_rtl_explain(struct fsim_rtl_worker *w, const struct touches *t,
                           const struct upset *u, struct fl_buf *out)
{
    (void)w, (void)t, (void)u, (void)out;
}
