/* kernel.h -- one kernel of a program while a method composes it: what all methods add, and how
 * errors travel.
 *
 * The first error stays in err; later steps do nothing, so a method adds its steps without looking
 * and the end tells.
 */
#ifndef SBST_KERNEL_H
#define SBST_KERNEL_H

#include "sbst.h"

struct kernel {
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
void kernel_start(struct kernel *l, const struct sbst_request *request);
void kernel_begin(struct kernel *l, const char *prefix);
/* Whether the request has patterns for the deeper LEs; whether it peels LE 1 in this life. */
bool kernel_has_patterns(const struct kernel *l);
bool kernel_has_peel(const struct kernel *l, int number);
/* The end in one, or its parts: finish and its handler, the blocks of the PC routine, the check. */
void kernel_end(struct kernel *l);
void kernel_finish(struct kernel *l);
void kernel_far_blocks(struct kernel *l);
void kernel_close(struct kernel *l);
void kernel_add(struct kernel *l, const char *routine, const char *label,
                const struct sbst_arg *arg, int nargs);
uint32_t kernel_constant(const struct kernel *l, int le, int place, enum sbst_role role);
uint32_t kernel_check_seed(const struct kernel *l);

/* Pushes the scaffolding entry of LE `le`; kernel_join pops it. */
void kernel_ssy(struct kernel *l, int le);
void kernel_join(struct kernel *l, int le);
/* Entries below LE `base`, which the last exit unwinds. */
void kernel_scaffolding(struct kernel *l, int base);
/* With --checkpoint, after the patterns of LE `le`; le 0: after the scaffolding is gone. */
void kernel_checkpoint(struct kernel *l, int le);
/* The half of the warp that leaves LE 1 in this life: docs/explain/sbst.md, "LE 1: two launches". */
void kernel_peel(struct kernel *l);
/* The PC routine and the flow-id routines for the LEs of the request, where it asks for them. */
void kernel_flow(struct kernel *l);
/* Two addresses (0, 1) that differ in every bit from 3 on and fit the code space. */
uint32_t kernel_far_address(const struct kernel *l, int which);

/* All lives of Sync-Trick with --patterns minimal. */
void minimal_test(struct kernel *l);
/* The same with landing pads. */
void landing_test(struct kernel *l);

#endif
