/* dest.h -- flips of what an instruction has just written, one instruction of one thread at a time: the software's view
 * of faults, as injectors that instrument a program have it (NVBitFI, and before it SASSIFI). They draw a dynamic instruction, let
 * it write, and change its destination. Here that is a flip of registers or flags in the cycle behind the write, and all
 * that judges flips judges these.
 *
 * Groups, after NVBitFI's (its README, "G_FP32" and so on), by what the operation is:
 *
 *     dest        all that write registers or flags
 *     dest/gp     that write registers
 *     dest/fp32   float arithmetic and special functions, into registers
 *     dest/int    integer arithmetic
 *     dest/ld     whatever reads memory, constants included
 *     dest/pr     that write flags alone
 *     dest/other  all others: conversions, moves, special registers
 */
#ifndef DEST_H
#define DEST_H

#include "faultsim/faults/fault.h"
#include "faultsim/context/context.h"

struct stats_stream;

/* What the destination gets. NVBitFI: FLIP_SINGLE_BIT, RANDOM_VALUE, ZERO_VALUE. */
enum dest_value { DEST_BIT, DEST_RANDOM, DEST_ZERO };

bool dest_is(const char *target); /* the name of a group, or something that begins like one */
/* The name for good, and NULL without such a group. */
const char *dest_name(const char *target);
/* Where its flips are: the register file, or flags. */
int dest_structure(const char *target);

struct
    dest; /* the instructions of a group that the fault-free run executes in the window of the context */
/* NULL with a message: no instruction of the group writes, or there is no record. */
struct dest *dest_new(const struct job_context *l, const char *target, enum dest_value value,
                      struct fl_err *err);
void dest_free(struct dest *d);

/* Thread instructions; with DEST_BIT 32 times as many, the bits they write. */
uint64_t dest_population(const struct dest *d);
/* Flip `drawn` of the population. The fault may change nothing (no cells): the value is there already. */
void dest_draw(const struct dest *d, uint64_t drawn, struct stats_stream *random,
               struct fsim_fault *out);

#endif
