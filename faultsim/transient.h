/* transient.h -- the outcome of one transient or intermittent fault, by as little simulation as decides it, or by brute
 * force. Both give the same outcome; the tests hold them against each other.
 */
#ifndef TRANSIENT_H
#define TRANSIENT_H

#include "engine.h"
#include "tally.h"
#include "touch.h"
#include "upset.h"

struct transient_result {
    struct fsim_result r; /* first_activation: the cycle of the first read, as touch.h counts it */
    enum tally_reason why;
    bool ran;      /* a machine or single lanes were evaluated for it */
    uint32_t site; /* who reads it first; SITE_NONE */
};

/* `t` may be NULL: then every upset is simulated from its cycle on. */
void transient_simulate(struct fsim_worker *w, const struct touches *t, const struct upset *u,
                        struct transient_result *out);
/* From cycle 0 to the end. */
void transient_exhaustive(struct fsim_worker *w, const struct upset *u,
                          struct transient_result *out);
/* The reason in `why`, from the outcome of a run. */
void transient_judge(struct transient_result *out);

/* The story of one upset, in sentences (transient_explain.c). */
void transient_explain(struct fsim_worker *w, const struct touches *t, const struct upset *u,
                       struct fl_buf *out);
void transient_tell_end(const struct golden *g, const struct fsim_result *r, struct fl_buf *out);

#endif
