/* response.h -- what each fault of a unit answers to the patterns of the fault-free run.
 *
 * A fault that answers all of them rightly is masked, whatever the program does: by induction, nothing that the unit
 * feeds ever gets another value. Faults with the same answers are the same fault until a pattern comes that the run
 * did not hold. Answers are compared by a hash of 128 bits.
 */
#ifndef FAULTSIM_GATE_RESPONSE_H
#define FAULTSIM_GATE_RESPONSE_H

#include "trace.h"

enum { RESPONSE_NONE = UINT32_MAX };

struct response {
    uint64_t hash[2];
    uint32_t first; /* pattern; RESPONSE_NONE: no answer is wrong */
    uint64_t last;  /* the last cycle in which an answer is wrong */
};

static inline bool response_same(const struct response *a, const struct response *b)
{
    return a->hash[0] == b->hash[0] && a->hash[1] == b->hash[1];
}
/* The cycle of the first wrong answer, or UINT64_MAX. */
static inline uint64_t response_cycle(const struct response *r, const struct trace *t)
{
    return r->first == RESPONSE_NONE ? UINT64_MAX : t->first[r->first];
}

/* For these classes of faults of the unit (NULL: all of them), into out[class], on `threads` threads (0: all). Refuses
 * netlists as trace_check does. */
int response_of(const struct trace *t, const uint32_t *class, uint64_t n, int threads,
                struct response *out, struct fl_err *err);
int response_all(const struct trace *t, int threads, struct response *out, struct fl_err *err);

/* Of a thread. */
struct responder;
struct responder *responder_new(const struct trace *t);
void responder_free(struct responder *r);
/* The response of one fault. */
struct response responder_response(struct responder *r, uint32_t fault);
/* The patterns that it answers wrongly: wrong[trace_patterns()]. */
void responder_wrong(struct responder *r, uint32_t fault, bool *wrong);
/* Of a unit whose answers are of one word: the answers of some faults to all patterns, as bits that are wrong and
 * count: answer[fault * trace_patterns() + pattern]. */
void responder_answers(struct responder *r, const uint32_t *fault, uint32_t n, uint64_t *answer);

#endif
