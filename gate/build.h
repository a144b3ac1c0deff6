/* build.h -- from cells with names, as readers find them in a file, to a netlist. */
#ifndef GATE_BUILD_H
#define GATE_BUILD_H

#include "netlist.h"

/* A cell as a reader found it. Its pins are pin[first .. first + pins) of the build. */
struct gate_raw {
    struct gate_cell cell;
    uint32_t name;  /* number of the net it drives */
    uint32_t first; /* its pins */
    uint32_t tag;   /* of its net: a place with a name, or 0 */
};

/* A place with a name. It is one net, pin or output, which has the place's number + 1 as its tag. */
struct gate_mark {
    char *name;
    bool port, clock;
    bool inverted; /* of a clock: its edge is the other one than that of the port */
};

struct gate_build {
    const char *path;
    char *model;
    char *clock; /* of all flip-flops, where the file names one */
    /* names of nets, numbered as they first appear, in a hash table */
    char **name;
    uint32_t *line; /* where each first appeared; 0: nobody reads it */
    uint32_t names, room_names;
    uint32_t *slot, slots;
    /* cells, pins of cells, and ports */
    struct gate_raw *raw;
    uint32_t raws, room_raws;
    uint32_t *pin; /* literals over names */
    uint32_t *tag; /* [room_pins] of each pin */
    uint32_t pins, room_pins;
    uint32_t *output, outputs, room_outputs;
    uint32_t *output_tag; /* [room_outputs] */
    struct gate_mark *mark;
    uint32_t marks, room_marks;
    struct gate_clock *of_clock; /* moves into the netlist */
    uint32_t clocks, instances;
    bool unknown;
};

/* The number of the net called so, which may be new. */
uint32_t gate_build_name(struct gate_build *b, const char *name, uint32_t line);
/* A net of its own, whatever others are called. */
uint32_t gate_build_net(struct gate_build *b, const char *name, uint32_t line);
/* The tag of a new place; takes the name. */
uint32_t gate_build_mark(struct gate_build *b, struct gate_mark mark);
void gate_build_pin(struct gate_build *b, uint32_t literal);
/* The same of a pin that has a name. */
void gate_build_pin_at(struct gate_build *b, uint32_t literal, uint32_t tag);
/* A cell over the last `cell.pins` pins. */
void gate_build_cell(struct gate_build *b, struct gate_cell cell, uint32_t name);
void gate_build_output(struct gate_build *b, uint32_t name);
/* Names what the last cell drives, and the last output. */
void gate_build_tag_cell(struct gate_build *b, uint32_t tag);
void gate_build_tag_output(struct gate_build *b, uint32_t tag);
/* The function `table` of the last `pins` pins (at most GATE_TABLE_PINS), as the simplest kind. */
void gate_build_table(struct gate_build *b, uint64_t table, uint32_t pins, uint32_t name,
                      uint32_t line);
/* Checks, levelizes and numbers what was built. */
int gate_build_end(struct gate_build *b, struct gate_netlist **out, struct fl_err *err);
void gate_build_free(struct gate_build *b);

int gate_blif(struct gate_build *b, const char *text, struct fl_err *err);
int gate_bench(struct gate_build *b, const char *text, struct fl_err *err);

#endif
