/* response.h -- what each fault of a unit answers to the vectors of the fault-free run.
 *
 * A fault that answers all of them rightly is masked, whatever the program does: by induction, no
 * instruction ever gets another operand. Faults with the same answers are the same fault until a
 * vector comes that the run did not hold. Answers are compared by a hash of 128 bits.
 */
#ifndef FAULTSIM_GATE_RESPONSE_H
#define FAULTSIM_GATE_RESPONSE_H

#include "trace.h"

enum { RESPONSE_NONE = UINT32_MAX };

struct response {
    uint64_t hash[2];
    uint32_t first;   /* vector; RESPONSE_NONE: no answer is wrong */
    uint32_t vectors; /* how many answers are wrong */
};

static inline bool response_same(const struct response *a, const struct response *b)
{
    return a->hash[0] == b->hash[0] && a->hash[1] == b->hash[1];
}

/* Adds what a fault answers to a block of patterns that are loaded, of which the first is vector `from`.
 * `care`: the outputs that count, `words` for each, or NULL: all; `place`: the number of each, or NULL: its
 * own. `any`: the patterns whose answer is wrong. */
enum { RESPONSE_WORDS = 8 };
void response_add(struct gate_sim *sim, enum gate_model model, uint32_t words, uint32_t from,
                  uint32_t fault, const uint64_t *care, const uint8_t *place, struct response *out,
                  uint64_t any[RESPONSE_WORDS]);

/* For each class of faults of the unit, on `threads` threads (0: all). Refuses a netlist that
 * answers otherwise than the C model without any fault. */
int response_all(const struct trace *t, int threads, struct response *out, struct fl_err *err);

/* The answers of some faults to the vectors from number `from` on, `count` of them, as bits of d
 * and flags that are wrong, care applied: answer[fault * stride + vector - from]. */
struct responder;
struct responder *responder_new(const struct unit *u);
void responder_free(struct responder *r);
void responder_answers(struct responder *r, const struct vector_set *vectors, uint32_t from,
                       uint32_t count, const uint32_t *fault, uint32_t n, uint64_t *answer,
                       size_t stride);

#endif
