/* matrix.h -- which pattern shows which fault, and where: at the outputs of each port. */
#ifndef GATE_PROVE_MATRIX_H
#define GATE_PROVE_MATRIX_H

#include "constrain.h"
#include "gate/faults.h"
#include "gate/patterns.h"

/* Outputs of one name: d[31] to d[0] are the port d. */
struct gate_ports {
    char **name;
    uint32_t count;
    uint32_t *of; /* [outputs] */
};
struct gate_ports gate_ports_of(const struct gate_netlist *n);
void gate_ports_free(struct gate_ports *p);

/* A row of bits, one a pattern, for each fault and port: bit k % 64 of out[(fault * ports + port) * words + k / 64], words =
 * (patterns + 63) / 64. All flip-flops are scanned, and what they take shows at no port. `c` says when outputs are
 * watched, or is NULL. A pattern is a pair with the one before it where the model says so. */
uint64_t *gate_matrix(const struct gate_netlist *n, const struct gate_faults *f,
                      const struct gate_patterns *p, const struct gate_ports *ports,
                      const struct gate_constraints *c);

#endif
