/* life.h -- one kernel of a program while a method composes it: what all methods add, and how
 * errors travel.
 *
 * The first error stays in err; later steps do nothing, so a method adds its steps without looking
 * and the end tells.
 */
#ifndef SBST_LIFE_H
#define SBST_LIFE_H

#include "sbst.h"

struct life {
    struct sbst_program *program;
    const struct sbst_request *request;
    struct sbst_kernel *kernel;
    int number; /* from 1 */
    bool flow;  /* the PC routine is in it, so its blocks must be */
    bool failed;
    struct fl_err *err;
};

#define NARGS(list) ((int)(sizeof(list) / sizeof(list)[0]))

/* Once for a program: takes the request and decides its blocks. */
void life_start(struct life *l, const struct sbst_request *request);
void life_begin(struct life *l, const char *prefix);
/* Whether the request has patterns for the deeper LEs; whether it peels LE 1 in this life. */
bool life_has_patterns(const struct life *l);
bool life_has_peel(const struct life *l, int number);
/* The end in one, or its parts: finish and its handler, the blocks of the PC routine, the check. */
void life_end(struct life *l);
void life_finish(struct life *l);
void life_far_blocks(struct life *l);
void life_close(struct life *l);
void life_add(struct life *l, const char *routine, const char *label, const struct sbst_arg *arg,
              int nargs);
uint32_t life_constant(const struct life *l, int le, int place, enum sbst_role role);
uint32_t life_check_seed(const struct life *l);

/* Pushes the scaffolding entry of LE `le`; life_join pops it. */
void life_ssy(struct life *l, int le);
void life_join(struct life *l, int le);
/* Entries below LE `base`, which the last exit unwinds. */
void life_scaffolding(struct life *l, int base);
/* With --checkpoint, after the patterns of LE `le`; le 0: after the scaffolding is gone. */
void life_checkpoint(struct life *l, int le);
/* The half of the warp that leaves LE 1 in this life: docs/explain/sbst.md, "LE 1: two launches". */
void life_peel(struct life *l);
/* The PC routine and the flow-id routines for the LEs of the request, where it asks for them. */
void life_flow(struct life *l);
/* Two addresses (0, 1) that differ in every bit from 3 on and fit the code space. */
uint32_t life_far_address(const struct life *l, int which);

/* All lives of Sync-Trick with --patterns minimal. */
void minimal_test(struct life *l);
/* The same with landing pads. */
void landing_test(struct life *l);

#endif
