/* list.h -- the faults of units that a file names, in place of all or of a sample.
 *
 * An id a line: gate/flow/n12.1:sa0; gate/alu_int.sp3/n12:sa0, or without .sp3 the fault of each SP. A collapsed fault
 * stands for its class. Lists of gatesim and of --write-faults are taken too, whose ids stand below the netlist's
 * digest.
 */
#ifndef FAULTSIM_GATE_LIST_H
#define FAULTSIM_GATE_LIST_H

#include "unit.h"

struct fault_list;

/* Of these units of one kind, in `sps` SPs, or in SP number `sp` alone unless that is -1. NULL: see err, with the line
 * that names what is not there. */
struct fault_list *fault_list_read(const char *path, const struct unit *unit, int units, int sps,
                                   int sp, struct fl_err *err);
void fault_list_free(struct fault_list *l);

/* [classes] of a unit, in an SP (-1: it has none) those that are named; NULL: none is. */
const bool *fault_list_of(const struct fault_list *l, int unit, int sp);
/* " list=17,9f8e..": how many there are, and a digest of their names. */
void fault_list_identity(const struct fault_list *l, struct fl_buf *out);

#endif
