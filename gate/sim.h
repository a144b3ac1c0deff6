/* sim.h -- bit-parallel simulation of a netlist with faults: many patterns with one fault, or many
 * faults with one pattern.
 *
 * A simulator belongs to one thread; the netlist, which none of them changes, to all. Words of
 * `gate_sim_words` 64-bit numbers hold a bit for each pattern or fault: bit i of a block is bit
 * i % 64 of number i / 64.
 *
 * Sources are the inputs, then the flip-flops' outputs; watched are the outputs, then the
 * flip-flops' pins. A simulation of patterns sets all sources and looks at all that is watched.
 */
#ifndef GATE_SIM_H
#define GATE_SIM_H

#include "faults.h"

/* The widths there are: 64, 128, 256 and 512 bits. 0 asks for the widest that this processor does
 * in one instruction. Returns the width, or -1. */
int gate_width(int wanted, struct fl_err *err);

/* ---- many patterns, one fault ---------------------------------------------------------------- */

struct gate_sim;

/* `width` is one of gate_width. */
struct gate_sim *gate_sim_new(const struct gate_netlist *n, int width);
void gate_sim_free(struct gate_sim *s);
int gate_sim_words(const struct gate_sim *s);

/* A block of `count` patterns, at most the width: source i has words source[i * words ...). */
void gate_sim_load(struct gate_sim *s, const uint64_t *source, int count);
/* In which patterns of the next loads no clock edge follows: words, which are copied; NULL: none of them. Flip-flops of a
 * mapped netlist then read what they hold, or what their clear and preset make of it; others must not be looked at. */
void gate_sim_hold(struct gate_sim *s, const uint64_t *hold);
/* The same for pairs of patterns: what is loaded already becomes the first of each pair. */
void gate_sim_load_second(struct gate_sim *s, const uint64_t *source, int count);

/* The words of a net without a fault. */
const uint64_t *gate_sim_value(const struct gate_sim *s, uint32_t net);

/* Something watched that differs. */
struct gate_diff {
    uint32_t watched;     /* output, or number of outputs + flip-flop */
    const uint64_t *mask; /* the patterns in which it differs: words, not all zero */
};

/* What a fault does in the patterns that are loaded: returns how many of the watched differ in any.
 * The array stays until the next call for this simulator. Faults of one fanout-free region are
 * quickest one after the other: ask in the order of gate_sim_order. */
int gate_sim_fault(struct gate_sim *s, enum gate_model model, uint32_t fault,
                   const struct gate_diff **diff);

/* Where a fault shows among the patterns that are loaded. */
struct gate_hit {
    int first; /* the first pattern in which anything watched differs, or -1 */
    int times; /* in how many */
};
/* From now on gate_sim_detect sees only what these strobes observe in the patterns that are loaded: of
 * something watched the words strobe[i * words ...), which stay. NULL: all of it. */
void gate_sim_strobe(struct gate_sim *s, const uint64_t *strobe);
/* That of each fault, quicker than gate_sim_fault: for faults in the order of gate_sim_order. */
void gate_sim_detect(struct gate_sim *s, enum gate_model model, const uint32_t *fault,
                     uint32_t count, struct gate_hit *hit);

/* Sorts faults so that those of one region stand together. */
void gate_sim_order(const struct gate_sim *s, uint32_t *fault, uint32_t count);

/* ---- many faults, one pattern ---------------------------------------------------------------- */

struct gate_group;

struct gate_group *gate_group_new(const struct gate_netlist *n, int width);
void gate_group_free(struct gate_group *g);
int gate_group_words(const struct gate_group *g);

/* The faults, one a bit, at most the width; bits behind them stay without a fault, as do those of
 * GATE_NO_FAULT. Resets the flip-flops. */
#define GATE_NO_FAULT UINT32_MAX
void gate_group_set(struct gate_group *g, enum gate_model model, const uint32_t *fault,
                    uint32_t count);
/* Until the next set, only what the faults can change of the outputs [from, to) is evaluated, and what that reads: of
 * the watched only those of gate_group_changeable have a value. For netlists without flip-flops. */
void gate_group_focus(struct gate_group *g, uint32_t from, uint32_t to);
/* The outputs of a focus that faults of the group can change, ascending; all of them without one. */
const uint32_t *gate_group_changeable(const struct gate_group *g, uint32_t *count);
/* The inputs that are read for that, ascending; all of them without a focus. */
const uint32_t *gate_group_inputs(const struct gate_group *g, uint32_t *count);
/* Flip-flops to the values with which the netlist starts; no edge has been before. */
void gate_group_reset(struct gate_group *g);

/* All faults with one input vector, input i being bit i % 64 of input[i / 64], and with what the
 * flip-flops hold. */
void gate_group_eval(struct gate_group *g, const uint64_t *input);
/* Each bit with an input vector of its own: input i has words input[i * words ...). */
void gate_group_eval_each(struct gate_group *g, const uint64_t *input);
/* After one of them: the words of something watched. */
const uint64_t *gate_group_watched(const struct gate_group *g, uint32_t watched);
/* Whether the next evals are cycles without a clock's edge: flip-flops then read what they hold, or what their
 * clear and preset make of it. */
void gate_group_hold(struct gate_group *g, bool hold);
/* After it: the clock's edge, for flip-flops and for the memory of transition faults. */
void gate_group_clock(struct gate_group *g);
/* The words of a flip-flop: what it holds, to be read and set between clock and eval. */
uint64_t *gate_group_flop(struct gate_group *g, uint32_t flop);

#endif
