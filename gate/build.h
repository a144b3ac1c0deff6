/* build.h -- from cells with names, as readers find them in a file, to a netlist. Private to this
 * room. */
#ifndef GATE_BUILD_H
#define GATE_BUILD_H

#include "netlist.h"

/* A cell as a reader found it. Its pins are pin[first .. first + pins) of the build. */
struct gate_raw {
    struct gate_cell cell;
    uint32_t name;  /* number of the net it drives */
    uint32_t first; /* its pins */
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
    uint32_t pins, room_pins;
    uint32_t *output, outputs, room_outputs;
};

/* The number of the net called so, which may be new. */
uint32_t gate_build_name(struct gate_build *b, const char *name, uint32_t line);
void gate_build_pin(struct gate_build *b, uint32_t literal);
/* A cell over the last `cell.pins` pins. */
void gate_build_cell(struct gate_build *b, struct gate_cell cell, uint32_t name);
void gate_build_output(struct gate_build *b, uint32_t name);
/* The function `table` of the last `pins` pins (at most GATE_TABLE_PINS), as the simplest kind. */
void gate_build_table(struct gate_build *b, uint64_t table, uint32_t pins, uint32_t name,
                      uint32_t line);
/* Checks, levelizes and numbers what was built. */
int gate_build_end(struct gate_build *b, struct gate_netlist **out, struct fl_err *err);
void gate_build_free(struct gate_build *b);

int gate_blif(struct gate_build *b, const char *text, struct fl_err *err);
int gate_bench(struct gate_build *b, const char *text, struct fl_err *err);

#endif
