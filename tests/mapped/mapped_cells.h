/* mapped_cells.h -- a small library of cells of all kinds, and netlists of them. */
#ifndef MAPPED_CELLS_H
#define MAPPED_CELLS_H

#include "gate/mapped/mapped.h"

extern const char *const mapped_cells; /* Liberty */
extern const struct gate_how mapped_plain;

int mapped_try(const char *text, const struct gate_how *how, struct gate_netlist **n,
               struct fl_err *err);
struct gate_netlist *mapped_read_with(const char *text, const struct gate_how *how);
struct gate_netlist *mapped_read(const char *text);

/* A random netlist of all kinds of cells, in which pin number `fault` (or none: -1) is tied to `value`, so that the text is the
 * faulty machine. The name of that pin into `name`; false: there is no such pin. */
enum { MAPPED_INPUTS = 5 };
bool mapped_random(uint64_t seed, int fault, int value, struct fl_buf *out, char name[32]);

#endif
