/* liberty.h -- the cells of Liberty files: pins, functions, flip-flops, clock gates. Private to this
 * room.
 *
 * Liberty User Guide, Synopsys. Timing, power and area are passed over. A cell that a netlist of
 * gates and flip-flops cannot have (a latch, a tri-state output) is kept with the reason, which
 * counts where a netlist uses it.
 */
#ifndef GATE_MAPPED_LIBERTY_H
#define GATE_MAPPED_LIBERTY_H

#include "base/fl.h"

enum lib_op { LIB_CONST, LIB_VAR, LIB_NOT, LIB_AND, LIB_OR, LIB_XOR };

/* A node of an expression. Variables are the pins of the cell and, behind them, the state of its
 * flip-flop and the inverted state. */
struct lib_node {
    uint8_t op;
    uint32_t a, b; /* nodes; the value of a constant, the number of a variable */
};

#define LIB_NONE UINT32_MAX

enum lib_direction { LIB_INPUT, LIB_OUTPUT, LIB_INOUT, LIB_INTERNAL, LIB_POWER };

struct lib_pin {
    char *name;
    uint8_t direction;
    bool three_state, gate_clock, gate_enable; /* of a clock gate: its clock, its enables */
    char *function_text;
    uint32_t function; /* a node, or LIB_NONE */
};

struct lib_cell {
    char *name;
    const char *file;
    uint32_t line;
    char *why; /* NULL, or why no netlist may use it */
    struct lib_pin *pin;
    uint32_t pins, room;
    bool flop;
    char *state[2];                        /* names of the variables behind the pins */
    uint32_t next, clocked, clear, preset; /* of a flip-flop; nodes */
    bool both[2]; /* clear and preset together: the state, the inverted state */
    bool gates_clock;
    uint32_t gate_enable; /* of a clock gate: a node */
    /* texts until all pins are known */
    char *text[5];
    bool latch;
};

struct library {
    struct lib_cell *cell;
    uint32_t cells, room;
    struct lib_node *node;
    uint32_t nodes, room_nodes;
    uint32_t *slot, slots;
    char **file;
    uint32_t files;
};

/* Adds the cells of a file; a cell that is known already is refused. */
int liberty_add(struct library *l, const char *path, const char *text, struct fl_err *err);
/* Verilog's primitive of that name (and, nand, or, nor, xor, xnor, not, buf) with `inputs` pins IN,
 * or IN0, IN1 ..., and OUT, which is pin 0; its number, or LIB_NONE. */
uint32_t liberty_primitive(struct library *l, const char *name, uint32_t inputs);
/* The number of the cell, or LIB_NONE. */
uint32_t liberty_find(const struct library *l, const char *name);
uint32_t liberty_pin(const struct lib_cell *c, const char *name);
void liberty_free(struct library *l);

/* Which variables an expression reads: into var[], each once, in the order of the text; at most
 * `most`. Returns how many there are, which may be more. */
uint32_t lib_vars(const struct library *l, uint32_t node, uint32_t *var, uint32_t most);
/* Its value: that of variable v is value[v]. */
bool lib_value(const struct library *l, uint32_t node, const uint8_t *value);

#endif
