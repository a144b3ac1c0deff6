/* mapped.h -- reads netlists of library cells: Verilog, with the Liberty files of the cells. */
#ifndef GATE_MAPPED_MAPPED_H
#define GATE_MAPPED_MAPPED_H

#include "gate/netlist.h"

/* How a netlist of library cells is read. */
struct gate_how {
    const char *const *liberty; /* files */
    uint32_t liberties;
    const char *top; /* NULL: the one module that no other uses */
    int undriven;    /* what nets carry that nothing drives: 0, 1, or -1: they are refused */
    bool one_clock;  /* all clocks and edges are one edge a cycle */
};
/* Reads Verilog (a name that ends in .v, .vg, .vm, .vo or .sv) with the cells of Liberty files, or what gate_read reads.
 * Faults have the names of pins and ports then. */
int gate_read_with(const char *path, const struct gate_how *how, struct gate_netlist **out,
                   struct fl_err *err);
/* The same of texts in memory: one for each of how->liberty. */
int gate_read_verilog(const char *path, const char *text, const struct gate_how *how,
                      const char *const *liberty, struct gate_netlist **out, struct fl_err *err);
bool gate_is_verilog(const char *path);

#endif
