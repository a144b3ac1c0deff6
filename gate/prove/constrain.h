/* constrain.h -- what is known of a netlist's inputs, as a file of relations.
 *
 * A line is a relation that always holds, over inputs and flip-flops by their names in the netlist:
 *
 *     # the decoder makes one of these, never another
 *     op[5:0] in {0..12, 16}
 *     is_float -> !carry & sel[1:0] != 3
 *
 * Operators, the strongest first: !  &  ^  |  = and !=  ->; parentheses; 0 and 1. A row of bits,
 * NAME[high:low], is compared with a number (0x and 0b too) or looked for in a set. `#` begins a
 * remark. Outputs are watched always, or as a line says:
 *
 *     watch flags[3:0] when op[5:0] in {0, 3..5}
 *
 * What makes inputs may be a netlist too, of the folder of the one at hand. Its inputs are free, and its
 * inputs and outputs have names; rows of bits are compared with each other:
 *
 *     use decode.blif
 *     insn[302:0] = decode.insn[302:0]
 *
 * What reads outputs may be a netlist, too, and its outputs are then watched (join.h). Relations may name outputs, with the value that they
 * have without a fault:
 *
 *     into uop.blif
 *     uop.insn_i[302:0] <- insn_o[302:0]
 *     uop.uop_o[4:0] != 0
 *     watch uop.uop_o[47:40] when uop.uop_o[4:0] = 2
 */
#ifndef GATE_PROVE_CONSTRAIN_H
#define GATE_PROVE_CONSTRAIN_H

#include "join.h"

/* Nodes of all relations, each over nodes before it. */
struct gate_relation {
    enum {
        GATE_REL_CONST,
        GATE_REL_NET,
        GATE_REL_FREE, /* an input of a netlist that is used */
        GATE_REL_NOT,
        GATE_REL_AND,
        GATE_REL_OR,
        GATE_REL_XOR
    } kind;
    uint32_t a, b; /* nodes; of NET the net, of CONST its value */
};

struct gate_constraints {
    struct gate_relation *node;
    uint32_t nodes, room;
    struct gate_line {
        uint32_t node, line;
        char *text;
    } * line; /* [lines] each of these is true */
    uint32_t lines, room_lines;
    uint32_t sources; /* inputs and flip-flops of the netlist */
    uint32_t *watch;  /* [outputs] the node that says whether it is watched, + 1; 0: always */
    bool watches;     /* some are not always */
    bool
        inner; /* a relation names an output, so the values of inputs do not say whether it holds */
    struct gate_used {
        char *name;
        struct gate_netlist *n;
        uint32_t *node; /* [nets] */
    } * used;           /* [uses] */
    uint32_t uses;
    struct gate_join *join; /* NULL: the netlist at hand alone */
};

int gate_constraints_read(const char *path, const struct gate_netlist *n,
                          struct gate_constraints **out, struct fl_err *err);
/* The same of a text in memory. */
int gate_constraints_text(const char *path, const char *text, const struct gate_netlist *n,
                          struct gate_constraints **out, struct fl_err *err);
void gate_constraints_free(struct gate_constraints *c);

/* What all of it is said of: n, or n and the netlists that it is joined with. */
static inline const struct gate_netlist *gate_constraints_of(const struct gate_constraints *c,
                                                             const struct gate_netlist *n)
{
    return c && c->join ? c->join->n : n;
}

/* The first line that these values break, or -1: source i has the value source[i]. Lines that hang on netlists that
 * are used or on outputs do not count: whether they make such a vector is a question for the solver. */
int gate_constraints_broken(const struct gate_constraints *c, const uint8_t *source);
/* In which of 64 patterns each output is watched: net i has the word value[i], where relations name outputs; else values of sources are
 * enough. An output whose relation hangs on a netlist that is used is watched in none. */
void gate_constraints_watched(const struct gate_constraints *c, uint32_t outputs,
                              const uint64_t *value, uint64_t *watched);

#endif
