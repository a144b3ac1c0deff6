/* trace.h -- what a unit of the control sees at the edges of the clock of the fault-free run, and what each
 * fault answers to it.
 *
 * Vectors are numbered as they first come. A fault that answers all of them rightly is masked, by induction
 * over the cycles: no register ever gets another value. Faults that answer all of them alike are one until a
 * vector comes that the fault-free run did not hold.
 */
#ifndef FAULTSIM_CONTROL_TRACE_H
#define FAULTSIM_CONTROL_TRACE_H

#include "faultsim/gate/response.h"
#include "faultsim/verdict/reference.h"
#include "unit.h"

/* Vectors of so many words, each once, numbered in the order in which they came. Zero-initialise it. */
struct control_vectors {
    uint32_t words;
    uint64_t *word; /* [count * words] */
    uint32_t count, room;
    uint32_t *slot, slots; /* number + 1, or 0; slots is a power of two */
};
/* The number of a vector; `isnew`: it was not there, and is now. */
uint32_t control_vector(struct control_vectors *s, const uint64_t *vector, bool *isnew);
void control_vectors_empty(struct control_vectors *s);
void control_vectors_free(struct control_vectors *s);

struct control_trace {
    const struct control_unit *unit;
    struct control_vectors seen;
    uint64_t *own; /* [seen.count * out_words] what the RTL made of it */
    uint32_t owns; /* room */
    /* Of slow gates, of one word: the number of what the unit sees, and above it that of what it saw in the cycle
     * before; in the first cycle, the same. */
    struct control_vectors pair;
    uint64_t *first, *last; /* [control_patterns()] cycles */
    uint32_t room;
    uint32_t *at; /* [cycles] which vector stood there */
    uint64_t cycles;
};

/* Runs the job once more. -1: the engine has no such unit. */
int control_trace_record(const struct reference *ref, const struct control_unit *u,
                         struct control_trace *out, struct fl_err *err);
void control_trace_free(struct control_trace *t);
/* What faults answer, each once: vectors, of slow gates pairs of them. */
uint32_t control_patterns(const struct control_trace *t);
/* What the unit sees there; `before`: of a pair, what it saw in the cycle before. */
const uint64_t *control_pattern(const struct control_trace *t, uint32_t pattern, bool before);
/* Refuses a netlist that answers otherwise than the RTL without any fault. */
int control_trace_check(const struct control_trace *t, struct fl_err *err);

/* For each class of faults of the unit: its answers, and the last cycle in which one of them is wrong.
 * Refuses netlists as control_trace_check does. */
int control_respond(const struct control_trace *t, struct response *out, uint64_t *last,
                    struct fl_err *err);

#endif
