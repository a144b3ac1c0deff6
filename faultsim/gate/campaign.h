/* campaign.h -- campaigns of the gates of a lane's units: jobs x units x SPs, on all processors,
 * into a store.
 *
 * The walk: context_open runs a job, trace_record sees what each unit sees, response_all sorts its
 * faults into masked ones and groups of equal answers, and threads run the groups (concurrent.h).
 * The result of a fault depends on the job, the netlist and the fault alone.
 */
#ifndef FAULTSIM_GATE_CAMPAIGN_H
#define FAULTSIM_GATE_CAMPAIGN_H

#include "faultsim/campaign/campaign.h"
#include "response.h"
#include "concurrent.h"

struct gates_options {
    struct campaign_options run; /* any engine but c is exhaustive */
    const struct unit *unit;     /* [units] */
    int units;
    int sp;          /* -1: all */
    uint64_t sample; /* so many classes of faults of each unit, drawn by `seed`; 0: all */
    uint64_t seed;
    uint64_t check; /* so many random vectors on which a netlist must be the C model; 0: none */
};

/* Runs the campaign. The store stays open: its result is what reports print. */
int gates_run(const struct job *const *jobs, int njobs, const struct gates_options *opt,
              struct store **out, struct fl_err *err);

/* Everything that decides a result, as a line: made.h. Caller frees. */
char *gates_made(const struct gates_options *opt);

/* One unit of one SP in one job, opened: what its faults answer. */
struct gates_part {
    const struct job_context *ctx;
    struct trace trace;
    struct response *response; /* [faults->count] */
};
/* `sp` of opt->sp; all of opt->units and SPs at once. Caller closes each and frees the array. */
int gates_open(const struct job_context *ctx, const struct gates_options *opt,
               struct gates_part **out, int *count, struct fl_err *err);
void gates_close(struct gates_part *p, int count);

#endif
