/* prove.h -- why some faults can never be detected: by an argument that is run, not believed.
 *
 * Detected means: by a job that ends without a trap on the fault-free machine; beside one that states a trap, arguments that need
 * such an end prove nothing (sm_image.beside_traps).
 */
#ifndef PROVE_H
#define PROVE_H

#include "asm/isa/isa.h"
#include "faultsim/faults/fault.h"

/* NULL, or in one sentence why no program can detect the fault under the image's profile. */
const char *prove_untestable(const struct sm_image *img, const struct fsim_fault *f);
/* Of such a fault: does the argument need that the fault-free program ends without a trap? Then one that traps may show
 * the fault, in that it does not. */
bool prove_needs_end(const struct profile *p, const struct fsim_fault *f);

/* Operations that the programs under question do not have, by enum isa_op. */
struct prove_without {
    bool op[OP_COUNT];
};

/* What the writers of a line-entry were seen to do. */
struct prove_writers {
    uint8_t ids[OP_COUNT]; /* bit i: the operation pushes entries of flow id i */
    long behind;           /* entries that hold the address behind a 24-bit code space */
};

/* Runs the argument for the divergence stack under a profile and tells it: every writer of a
 * line-entry, enumerated from isa.def, and what a pop consumes. `without` may be NULL. Returns the
 * number of faults of one stack that no program (or none without those operations) detects, -1 when
 * a check failed. */
int prove_stack(const struct profile *p, const struct prove_without *without,
                struct prove_writers *writers, struct fl_buf *out, struct fl_err *err);

/* Like prove_untestable, for programs without some operations: `writers` is what prove_stack saw of
 * the others. */
const char *prove_unwritten(const struct prove_writers *writers, const struct fsim_fault *f);

/* What can be claimed of bits of SPC: every writer of a line-entry leaves 0 in `zero`, no pop
 * consumes `ignored`. In a 24-bit code space an entry may hold 2^24, the address behind the last
 * word, in spite of `zero`, when the pop that takes it is not affected. */
struct prove_claim {
    uint32_t zero, ignored;
};

/* Tries to disprove a claim on the machine model; -1 with the counterexample when that succeeds. */
int prove_check(const struct profile *p, const struct prove_claim *claim, struct fl_buf *out,
                struct fl_err *err);

/* ---- other structures (prove_cells.c) -------------------------------------------------------- */

/* As prove_untestable; of faults of memories those that make a cell 0 and nothing else. */
const char *prove_cell(const struct profile *p, const struct fsim_fault *f);
/* A cell that holds 0 for ever. */
bool prove_never_one(const struct profile *p, const struct sm_cell *cell);
/* Warps, at most, of a block in this slot; and the attempt to disprove such numbers, one for each slot. */
int prove_slot_warps(const struct profile *p, int slot);
int prove_check_slots(const struct profile *p, const int *most, struct fl_buf *out,
                      struct fl_err *err);
/* As prove_stack: runs the argument, and tells it. */
long prove_cells(const struct profile *p, int structure, struct fl_buf *out, struct fl_err *err);
/* As prove_check. */
int prove_check_cells(const struct profile *p, int structure, const struct prove_claim *claim,
                      struct fl_buf *out, struct fl_err *err);

#endif
