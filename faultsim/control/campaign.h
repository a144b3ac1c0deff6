/* campaign.h -- campaigns of the gates of an SM's control: jobs x units, on all processors, into a store.
 *
 * The walk: the fault-free run of the engine is made, control_trace_record sees what a unit sees at each
 * edge, control_respond sorts its faults into masked ones and groups of equal answers, and threads run the
 * groups (group.h). The result of a fault depends on the job, the netlist and the fault alone.
 */
#ifndef FAULTSIM_CONTROL_CAMPAIGN_H
#define FAULTSIM_CONTROL_CAMPAIGN_H

#include "faultsim/campaign/campaign.h"
#include "trace.h"

struct controls_options {
    struct campaign_options run;     /* its engine has the units: rtl */
    const struct control_unit *unit; /* [units] */
    int units;
    uint64_t sample; /* so many classes of faults of each unit, drawn by `seed`; 0: all */
    uint64_t seed;
};

/* Runs the campaign. The store stays open: its result is what reports print. */
int controls_run(const struct job *const *jobs, int njobs, const struct controls_options *opt,
                 struct store **out, struct fl_err *err);

/* ---- for campaigns of other faults of these units (glitches.c) --------------------------------- */

/* gate/flow. Caller frees. */
char *control_target(const struct control_unit *u);
/* What decides a result; `method`: words of their own, or "". */
void control_identity(const struct controls_options *o, const char *model, const char *method,
                      struct fl_buf *out);
/* The store keeps the best that was ever known of the netlists. */
int control_checked(struct campaign *c, const struct controls_options *o);
int control_open_job(struct campaign *c, struct job_context *ctx, const struct controls_options *o);
void control_close_job(struct campaign *c);

#endif
