/* trace.h -- what a unit of one SP sees in the fault-free run: its distinct vectors, and in which
 * cycles it sees them.
 *
 * Vectors are numbered as they first come: the lowest number at which a fault shows says when.
 */
#ifndef FAULTSIM_GATE_TRACE_H
#define FAULTSIM_GATE_TRACE_H

#include "faultsim/record/golden.h"
#include "unit.h"

struct trace {
    const struct unit *unit;
    int sp;                 /* -1: all of them, as if they had one unit */
    struct vector_set seen; /* of slow gates each vector with the inputs before it */
    uint64_t *first;        /* [seen.count] cycle */
    uint64_t *good;         /* [seen.count] what the C model made of it: d, flags behind it */
    uint64_t *uses;         /* [seen.count] how often it came */
    /* [seen.count] of slow gates: what the unit had behind it when the instruction began with which it
     * first came */
    struct unit_past *behind;
    struct unit_past past; /* at the end of the last job */
    uint32_t room;
};

/* Lanes of an SP, or of all (-1): a bit each. */
uint32_t trace_lanes(const struct sm_image *img, int sp);

/* Runs the job once more, for all traces at once: `t` have their units and SPs, and keep what they
 * have of other jobs. */
void trace_record(const struct golden *g, struct trace *t, int n);
void trace_free(struct trace *t);

/* d and flags of a lane in one word. */
static inline uint64_t trace_result(const uint32_t *d, const uint8_t *flags, int lane)
{
    return d[lane] | (uint64_t)(flags ? flags[lane] & 15 : 0) << VECTOR_D_BITS;
}

#endif
