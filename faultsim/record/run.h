/* run.h -- runs the fault-free machine once more, slot by slot, with an observer: what reads and
 * writes each cell when, or which values are read.
 *
 * The golden run (golden.h) comes first and says how long the job is. An observer sees
 * the list of accesses (sm/access.h), tick by tick.
 */
#ifndef RECORD_RUN_H
#define RECORD_RUN_H

#include "activation.h"
#include "touch.h"

/* All touches of the run, or those `wanted`. NULL when they need more than `max_bytes`: *fit,
 * unless NULL, is then the cycle until which they did. */
struct touches *run_record(const struct golden *g, const struct touch_wanted *wanted,
                           size_t max_bytes, uint64_t *fit);

/* When stuck-at faults first act. */
struct activations *run_activations(const struct golden *g);

#endif
