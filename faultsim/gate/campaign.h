/* campaign.h -- campaigns of the gates of units: jobs x units, in a lane x SPs, on all processors, into a store.
 *
 * The walk: the kind of the units (kind.h) records what each unit sees in the fault-free run, response_all sorts its
 * faults into masked ones and groups of equal answers, and threads run the groups on the kind's machines. The result
 * of a fault depends on the job, the netlist and the fault alone.
 */
#ifndef FAULTSIM_GATE_CAMPAIGN_H
#define FAULTSIM_GATE_CAMPAIGN_H

#include "faultsim/campaign/campaign.h"
#include "faultsim/program/program.h"
#include "kind.h"
#include "list.h"

struct gates_options {
    struct campaign_options run; /* an engine that has the units */
    const struct unit *unit;     /* [units] of one kind */
    int units;
    int sp;          /* -1: all */
    uint64_t sample; /* so many classes of faults of each unit, drawn by `seed`; 0: all */
    uint64_t seed;
    const struct fault_list *list; /* these alone; NULL: all */
    bool drop;                     /* no fault that an earlier job has detected */
    const char *errors; /* the digest of the units' error model; NULL: the gates answer */
    bool detect;        /* only whether faults are detected, and by what first */
    struct gates_right {
        uint64_t instructions, cycles;
        uint8_t digest[32]; /* of the outputs */
    } * right;              /* [jobs] become facts of the fault-free runs; NULL: nobody asks */
    /* Told of each detected fault, by any thread, how its machine stands at its end or at twice the fault-free time.
     * `place`: in the job's list, from 1. NULL: nobody asks. */
    void (*shown)(void *of, int job, uint64_t place, const struct fsim_result *r,
                  const struct sm_image *img, const struct dut_end *end);
    void *of;
    struct program *host; /* judges what the record of its run cannot; or NULL */
    uint64_t check; /* so many random vectors on which a netlist must be the C model; 0: none */
};

/* Runs the campaign. The store stays open: its result is what reports print. */
int gates_run(const struct job *const *jobs, int njobs, const struct gates_options *opt,
              struct store **out, struct fl_err *err);

/* Everything that decides a result, as a line: made.h. Caller frees. */
char *gates_made(const struct gates_options *opt);

/* ---- for campaigns of other faults of units (../control/glitches.c) ----------------------------- */

/* Such a line; `method`: words of their own, or "". */
void gates_identity(const struct gates_options *o, const char *model, const char *method,
                    struct fl_buf *out);
/* The store keeps the best that was ever known of the netlists. */
int gates_checked(struct campaign *c, const struct gates_options *o);
/* The job, its parts and its reference. */
int gates_open_job(struct campaign *c, struct job_context *ctx, const struct gates_options *o);
void gates_close_job(struct campaign *c);

#endif
