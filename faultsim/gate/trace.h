/* trace.h -- what a unit sees in the fault-free run: its patterns, and in which cycles it sees them.
 *
 * Patterns are numbered as they first come: the lowest number at which a fault shows says when. A pattern is a vector;
 * of slow gates a vector with what was before it.
 */
#ifndef FAULTSIM_GATE_TRACE_H
#define FAULTSIM_GATE_TRACE_H

#include "unit.h"

struct unit_past;

struct trace {
    const struct unit *unit;
    int sp; /* of a lane: -1: all of them, as if they had one unit */
    /* Vectors; of slow gates of a lane each with the inputs before it. */
    struct vectors seen;
    /* Of slow gates of the control, of one word: the number of what the unit sees, and above it that of what it saw in
     * the cycle before; in the first cycle, the same. */
    struct vectors pair;
    uint64_t *
        good; /* [seen.count * out_words] what the machine made of it; NULL: registers hold it in the next cycle */
    uint32_t goods;                /* room */
    uint64_t *first, *last, *uses; /* [trace_patterns()] cycles, and how often it came */
    uint32_t noted, room;
    /* [trace_patterns()] of slow gates of a lane: what the unit had behind it when the instruction began with which it
     * first came */
    struct unit_past *behind;
    uint32_t *at; /* [cycles] of the control: which vector stood there */
    uint64_t cycles;
};
void trace_free(struct trace *t);

/* For who records: a pattern comes in a cycle; a vector that is new, and what the machine makes of it. */
void trace_note(struct trace *t, uint32_t pattern, uint64_t cycle);
void trace_good(struct trace *t, uint32_t vector, const uint64_t *good);

static inline uint32_t trace_patterns(const struct trace *t)
{
    return t->pair.words ? t->pair.count : t->seen.count;
}
/* The number of the vector that is seen there. */
static inline uint32_t trace_vector(const struct trace *t, uint32_t pattern)
{
    return t->pair.words ? (uint32_t)t->pair.word[pattern] : pattern;
}
/* What the unit sees there; `before`: of slow gates, what was before it. */
const uint64_t *trace_pattern(const struct trace *t, uint32_t pattern, bool before);

/* As many patterns from number `from` on as there is room for, into a simulator of the unit. Returns the number behind
 * them. */
uint32_t trace_load(const struct trace *t, struct unit_sim *sim, uint32_t from);
/* Refuses a netlist that answers otherwise than the machine without any fault. */
int trace_check(const struct trace *t, struct fl_err *err);

#endif
