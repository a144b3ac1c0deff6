/* random_mix.h -- random programs of all instructions that compute or access memory, for lock step.
 *
 * Where random_program.h has structure and a reference, this has breadth: random words of every row of the
 * instruction table, in random flows of ifs, barriers and global accesses. Nobody knows what they should compute;
 * two machines must do the same. Now and then an instruction traps: that must be the same too.
 *
 * Registers 12 to 15 keep addresses and are never written; memory operands come after an R2A that keeps them within
 * bounds. A seed makes the same program on every machine.
 */
#ifndef RANDOM_MIX_H
#define RANDOM_MIX_H

#include "asm/isa/table.h"
#include "sm/gpu/gpu.h"

enum {
    MIX_REGS = 20,
    MIX_KEPT = 12,
    MIX_SHARED = 2048,
    MIX_CONST = 2048,
    MIX_LOCAL = 512,
    MIX_STRIDE = 64
};

struct random_mix {
    uint64_t seed;
    struct fl_buf text;
    int labels;
    bool wild;  /* a few instructions that may trap */
    bool small; /* for a machine with 256 bytes of shared memory */
    int capability;
};

uint32_t mix_random(struct random_mix *s, uint32_t below);

/* One kernel; its parameter: the address of MIX_STRIDE bytes a thread of the launch's blocks, twice. */
void mix_make(struct random_mix *s, uint64_t seed, int length, bool small, int capability);

#endif
