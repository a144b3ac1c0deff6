/* glitch.h -- glitches: the output of a gate of the control is inverted for one cycle (single-event transients).
 *
 * A glitch is a gate and a cycle. What the unit then answers follows from what it saw in that cycle of the
 * fault-free run; behind it all gates are right again, so a state that is the fault-free one ends the run.
 */
#ifndef FAULTSIM_CONTROL_GLITCH_H
#define FAULTSIM_CONTROL_GLITCH_H

#include "control.h"

/* The gates of a unit, as their nets: what is neither an input nor a constant. Caller frees. */
uint32_t *glitch_gates(const struct unit *u, uint32_t *count);

/* gate/flow/n12@345:glitch */
void glitch_id(const struct unit *u, uint32_t net, uint64_t cycle, char out[UNIT_ID]);
/* Of what stands behind the unit, "n12@345:glitch". */
int glitch_parse(const struct unit *u, const char *id, uint32_t *net, uint64_t *cycle,
                 struct fl_err *err);

/* For each vector of a fault-free run the wrong answers that its glitches give, each once. Those of all gates
 * that are in none give the right one. A unit that answers in parts may see another input behind a wrong answer, so
 * there each gate that gives one stands alone. */
struct glitch_answers {
    uint32_t *start; /* [vectors + 1] */
    struct glitch_answer {
        uint32_t net, gates; /* one that gives it, and how many do */
    } * answer;
};
/* Answers are compared by a hash of 128 bits. */
void glitch_answers_make(const struct trace *t, const uint32_t *gate, uint32_t gates,
                         struct glitch_answers *out);
void glitch_answers_free(struct glitch_answers *a);

/* What one thread needs; both must outlive it. */
struct glitch_runner;
struct glitch_runner *glitch_runner_new(const struct trace *t, const struct reference *ref);
void glitch_runner_free(struct glitch_runner *r);

/* Its outcome, by the record of the fault-free run, from a checkpoint or by brute force (faultsim/verdict/verdict.h). Fastest in the
 * order of cycles. */
void glitch_run(struct glitch_runner *r, uint32_t net, uint64_t cycle, struct fsim_result *out);
/* How many went further than one cycle so far. */
uint64_t glitch_runs(const struct glitch_runner *r);
/* The machine at the start of the cycle, with the glitch on, for a fault trace. Valid until the next call. */
struct dut *glitch_start(struct glitch_runner *r, uint32_t net, uint64_t cycle);

#endif
