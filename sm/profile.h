/* profile.h -- the sizes and latencies of one machine, read from profiles/<name>.xml.
 *
 * The same file feeds the C model (through this struct) and the RTL (through a generated package).
 */
#ifndef PROFILE_H
#define PROFILE_H

#include <stdbool.h>
#include <stdint.h>
#include "../asm/fl.h"

/* Limits of the model's arrays; a profile that wants more is refused. */
enum {
    SM_MAX_WARPS = 24,
    SM_LANES = 32,
    SM_MAX_LE = 32,
    SM_MAX_SPILL = 96,
    SM_MAX_REGS = 8192,
    SM_MAX_SHARED = 16384,
    SM_MAX_BARRIERS = 16,
    SM_MAX_BLOCKS = 8,
    SM_MAX_BANKS = 64,
    SM_MAX_JOB_BUFFERS = 64
};

struct profile {
    char name[32];
    int warps;             /* warp slots, 1..24 */
    int threads_per_block; /* 512 */
    int threads_per_sm;    /* 768 */
    int blocks_per_sm;     /* 8 */
    int regs;              /* 32-bit registers, 8192 */
    int shared_bytes;      /* 16384 */
    int shared_banks;      /* 16 */
    int barriers;          /* 16 */
    int sps;               /* 8, 16 or 32 */
    int stack_entries;     /* LEs per warp, 32 */
    int stack_spill;       /* fault-free entries behind them; 0: a push on full traps */
    int code_bits;         /* 24, or 32: hi[27:20] extend branch targets */
    double clock_mhz;      /* 1350 */
    /* timing, in cycles; docs/architecture.md, "Timing" */
    int sfu_cycles;         /* Execute time of an SFU warp instruction */
    int global_latency;     /* from leaving Execute to the answer, without queueing */
    int global_transaction; /* per memory transaction of a half-warp */
    int const_conflict;     /* per further distinct address of a constant operand */
    int shared_conflict;    /* per further bank pass of a half-warp */
    int spill_latency;      /* per push to or pop from the spill area */
};

/* `name` is a shipped profile (g80, flexgripplus, tiny) or a path to an .xml file (it ends in .xml or holds a slash).
 * Schema: docs/profile.rng. A profile that contradicts itself is refused. */
int profile_load(const char *name, struct profile *out, struct fl_err *err);
/* Where it lies: as written when it looks like a path, else among the shipped ones. Caller frees. */
char *profile_path(const char *name);

/* The first element in which two profiles differ ("regs"), or NULL when they describe the same machine. */
const char *profile_differs(const struct profile *a, const struct profile *b);

#endif
