/* netlist.h -- a netlist of gates and flip-flops: read from a file, checked, levelized, with a
 * numbering of its own.
 *
 * A net is called by the number of the cell that drives it: inputs first, in the order of the file,
 * then flip-flops, then gates by level, by function and in the order of the file. So a gate reads
 * only nets of lower numbers, flip-flops apart. The numbers hold as long as the digest does.
 */
#ifndef GATE_NETLIST_H
#define GATE_NETLIST_H

#include "base/fl.h"

enum gate_kind {
    GATE_INPUT,
    GATE_FLOP,  /* holds its one pin's value of the cycle before; starts with `table` (0 or 1) */
    GATE_CONST, /* `table` (0 or 1) */
    GATE_AND,   /* of all literals; OR, NAND and NOR are made of it by inversions, a buffer is an
                   AND of one */
    GATE_XOR,   /* of all literals */
    GATE_MUX,   /* pins: select, value when select is 0, value when it is 1 */
    GATE_TABLE, /* of at most GATE_TABLE_PINS: bit i of `table`, where bit p of i is pin p */
};
enum { GATE_TABLE_PINS = 6 };

/* How a cell is computed: gates are sorted by it within a level, so that a simulator does many of
 * the same in a row. Letters of a cell of two pins: a is pin 0, b pin 1. */
enum gate_code {
    GATE_DO_SOURCE, /* input, flip-flop */
    GATE_DO_CONST,
    GATE_DO_BUF,
    GATE_DO_NOT,
    GATE_DO_AND,   /* a & b */
    GATE_DO_NAND,  /* ~(a & b) */
    GATE_DO_OR,    /* a | b */
    GATE_DO_NOR,   /* ~(a | b) */
    GATE_DO_ANDN,  /* a & ~b */
    GATE_DO_NANDN, /* ~(a & ~b) */
    GATE_DO_XOR,
    GATE_DO_XNOR,
    GATE_DO_MUX,   /* nothing inverted */
    GATE_DO_OTHER, /* by kind */
    GATE_CODES
};

struct gate_cell {
    uint8_t kind;   /* enum gate_kind */
    uint8_t code;   /* enum gate_code */
    bool invert;    /* AND, XOR, MUX: the output is inverted */
    uint32_t first; /* its pins: literal[first .. first + pins) */
    uint32_t pins;
    uint32_t level; /* 0: input, flip-flop, constant */
    uint32_t line;  /* of the file */
    uint64_t table;
};

#define GATE_NO_PORT  UINT32_MAX
#define GATE_NO_PLACE UINT32_MAX

/* A literal is a net, inverted or not, as a pin reads it. */
#define GATE_LITERAL(net, inverted) ((uint32_t)(net) << 1 | (inverted))
#define GATE_NET(literal)           ((literal) >> 1)
#define GATE_INVERTED(literal)      ((literal)&1u)

/* A place where the tools of a mapped netlist have faults: a connected pin of a library cell, or a port,
 * by its name. Each value that is stuck there is a fault of faults.h; places may share them. */
struct gate_place_name {
    char *name;        /* U3/A1, q[0] */
    bool port, clock;  /* clock: it carries the clock, so either stuck value stops it */
    uint32_t fault[2]; /* of the values 0 and 1 */
};
struct gate_clock {
    char *name; /* a port */
    bool falling;
};

struct gate_netlist {
    char *file, *model;
    uint32_t nets, inputs, flops, outputs, pins, ports, depth, most_pins; /* of a cell */
    struct gate_cell *cell;                                               /* [nets] */
    uint32_t *literal;  /* [pins], inverted literals in AND, XOR and MUX alone */
    uint32_t *pin_cell; /* [pins] the cell of a pin */
    uint32_t *output;   /* [outputs] the net of each */
    char **name;        /* [nets] what the file calls it */
    char **output_name; /* [outputs] */
    uint32_t *port;     /* [ports] the outputs whose net something else reads, or is, too */
    uint32_t *port_of;  /* [outputs] where each stands in `port`, or GATE_NO_PORT */
    /* of a netlist of library cells, else empty: names of places, in the order of the file; the others
       are inside of cells, and no faults of them are listed */
    struct gate_place_name *place;
    uint32_t places;
    uint32_t
        *place_of; /* [2 * (nets + pins + ports)] of each fault: 2 * place + value, the first that
                           there is, or GATE_NO_PLACE */
    uint32_t *place_slot, place_slots; /* by name */
    uint8_t *stops; /* [nets + pins + ports] it carries the clock; NULL: none does */
    struct gate_clock *clock;
    uint32_t clocks, instances;
    bool unknown;    /* what flip-flops hold at first, whatever their `table` says */
    char digest[65]; /* SHA-256 of ports, cells and connections, in hex */
};

/* Reads a flat BLIF file (.model, .inputs, .outputs, .names, .latch) or, by its name's end, a
 * .bench file. Errors name file and line: a cell without a function (.gate, .subckt), a cover
 * of more than GATE_TABLE_PINS inputs that is no AND or OR, a net that nothing or two cells
 * drive, a loop without a flip-flop. */
int gate_read(const char *path, struct gate_netlist **out, struct fl_err *err);
/* The same of a text in memory; `path` is for messages and for the kind of file. */
int gate_read_text(const char *path, const char *text, struct gate_netlist **out,
                   struct fl_err *err);
/* The place of that name, or GATE_NO_PLACE. */
uint32_t gate_find_place(const struct gate_netlist *n, const char *name);
void gate_netlist_free(struct gate_netlist *n);

/* Is it "the clock works" of a netlist of library cells, a constant 1? Where it is 0, flip-flops keep what they hold, or take
 * what clear and preset make of it. */
bool gate_clock_net(const struct gate_netlist *n, uint32_t net);

/* Our numbers beside the names of the file, a line a net. */
void gate_map(const struct gate_netlist *n, struct fl_buf *out);

/* The cell's value for pins with these values: what the net of pin p carries, before the literal
 * inverts it. Not for inputs and flip-flops. */
bool gate_value(const struct gate_netlist *n, uint32_t net, const uint8_t *pin);
/* Which values the cell may have where nets may have these: bit v of values[net] says that it may be v. */
uint8_t gate_values_of(const struct gate_netlist *n, uint32_t net, const uint8_t *values);
/* The same of a cell of up to 64 pins: pin p is bit p. */
bool gate_value_row(const struct gate_netlist *n, uint32_t net, uint64_t pins);

#endif
