/* groups.h -- what a self-test of a unit can be made of: instructions with four operand sets each.
 *
 * Lane l of a warp belongs to SP l mod SPs. With 8 SPs an instruction gives each of them four vectors under one
 * control word, so that is the unit of which a self-test is composed: a group. Groups are made of the solver's
 * vectors and of random ones, cheapest first, each fault in several of them where that can be; who composes
 * chooses among them. A file of groups is all that passes from here to sbstgen.
 */
#ifndef FAULTSIM_LANE_GROUPS_H
#define FAULTSIM_LANE_GROUPS_H

#include "gate/patterns.h"
#include "lane.h"

enum { GROUP_SETS = 4 };

struct groups_facts {
    uint32_t forms, vectors, groups; /* vectors: of `patterns`, with a form */
    uint32_t formless;               /* vectors of `patterns` that no form gives */
    uint32_t faults, shown;          /* by some group */
    uint32_t plain;                  /* groups, before those for slow gates alone */
    uint32_t slow, slow_shown;       /* slow gates; those that some group shows by itself */
};

/* The groups of a unit as a file (docs/groups.rng). `patterns`: vectors of gatesim prove, over the inputs of the
 * netlist. `random`: so many vectors of each form besides. `often`: in so many groups each fault, where it can be. */
struct groups_facts groups_print(const struct unit *u, const struct gate_patterns *patterns,
                                 uint32_t random, uint32_t often, uint64_t seed,
                                 struct fl_buf *out);

#endif
