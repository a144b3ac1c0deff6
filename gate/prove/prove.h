/* prove.h -- a vector that detects a fault, or the proof that there is none.
 *
 * A SAT solver gets the netlist, a copy of what the fault reaches, and the demand that something
 * watched differs. Flip-flops count as inputs and outputs (full scan): what no state and no input
 * detects in one cycle, no sequence does. The reverse does not hold.
 */
#ifndef GATE_PROVE_PROVE_H
#define GATE_PROVE_PROVE_H

#include "constrain.h"
#include "gate/faults.h"

enum gate_verdict {
    GATE_TESTABLE,
    GATE_UNTESTABLE,  /* by any input */
    GATE_UNREACHABLE, /* by any input that keeps to the constraints; by others it may be testable */
    GATE_UNOBSERVABLE, /* inputs that keep to the constraints change outputs, but none that is watched then */
    GATE_UNDECIDED, /* the limit of conflicts was reached */
    GATE_VERDICTS
};
extern const char *const gate_verdict_name[GATE_VERDICTS];

struct gate_prover;

/* `c` may be NULL; n and all faults are of gate_constraints_of and gate_join_faults where it joins netlists. `conflicts` limits each question to the solver; 0: no limit. Fails when the
 * constraints contradict each other. */
int gate_prover_new(const struct gate_netlist *n, enum gate_model model,
                    const struct gate_constraints *c, int conflicts, struct gate_prover **out,
                    struct fl_err *err);
void gate_prover_free(struct gate_prover *p);

/* When testable, source[i] becomes the value of source i (inputs, then flip-flops), and for a
 * transition fault before[i] its value in the pattern before. Either may be NULL. */
enum gate_verdict gate_prove(struct gate_prover *p, uint32_t fault, uint8_t *source,
                             uint8_t *before);

/* All faults of a list: the patterns of `first` (they keep to the constraints) or, when it is NULL,
 * random ones as far as they do; then a question a fault; each vector found is simulated with all
 * that are left. verdict[count];
 * vector[count] numbers the pattern of *patterns that detects the fault (with the one before it
 * for transition faults), GATE_NEVER where there is none. `progress` hears of each class
 * decided, and may be NULL. */
struct gate_patterns;
struct progress;
int gate_prove_all(const struct gate_netlist *n, const struct gate_faults *f,
                   const struct gate_constraints *c, const struct gate_patterns *first,
                   int conflicts, uint64_t seed, uint8_t *verdict, uint32_t *vector,
                   struct gate_patterns *patterns, struct progress *progress, struct fl_err *err);

#endif
