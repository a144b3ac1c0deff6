/* run.h -- runs the fault-free machine once more, with its observers: what reads and writes, what
 * flows from whom to whom, and which values are read.
 *
 * The golden run (golden.h) comes first and says how long the job is. All observers see the same
 * list of accesses (sm/access.h), tick by tick.
 */
#ifndef RECORD_RUN_H
#define RECORD_RUN_H

#include "activation.h"
#include "flow.h"

/* All touches of the run, or those `wanted`. NULL when they need more than `max_bytes`: *fit,
 * unless NULL, is then the cycle until which they did. With `flow` not NULL the data flow is
 * recorded too; *flow is NULL when there is none. */
struct touches *run_record(const struct golden *g, const struct touch_wanted *wanted,
                           size_t max_bytes, uint64_t *fit, struct flow **flow);

/* When stuck-at faults first act. */
struct activations *run_activations(const struct golden *g);

#endif
