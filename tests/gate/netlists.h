/* netlists.h -- random netlists as BLIF, and an evaluator of one fault and one pattern that is too
 * simple to be wrong. */
#ifndef NETLISTS_H
#define NETLISTS_H

#include "gate/faults.h"

/* Gates of all kinds, `flops` flip-flops, some nets that nobody reads. */
struct gate_netlist *netlists_random(uint64_t seed, uint32_t inputs, uint32_t gates,
                                     uint32_t flops);
struct fl_buf netlists_random_text(uint64_t seed, uint32_t inputs, uint32_t gates, uint32_t flops);
struct gate_netlist *netlists_read(const char *name, const char *text);

/* A machine with at most one fault (UINT32_MAX: none), a byte a net. */
struct naive {
    const struct gate_netlist *n;
    enum gate_model model;
    uint32_t fault;
    uint8_t *net;      /* [nets] */
    uint8_t *flop;     /* [flops] what they hold */
    uint8_t *watched;  /* [outputs + flops] */
    uint8_t *pin;      /* [most_pins] of the cell at hand */
    uint8_t last, now; /* of the site, in the cycle before and in this one */
    bool first;
};
struct naive naive_new(const struct gate_netlist *n, enum gate_model model, uint32_t fault);
void naive_free(struct naive *m);
/* Input i has the value input[i]. */
void naive_eval(struct naive *m, const uint8_t *input);
void naive_clock(struct naive *m);

#endif
