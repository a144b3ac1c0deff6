/* machine.h -- the shape of an input of the targets `machine` and `faults`, for them and for their mutator. */
#ifndef FUZZ_MACHINE_H
#define FUZZ_MACHINE_H

#include <stdint.h>

#include "sm/job/job.h"

enum {
    MACHINE_G80 = 1,      /* profile g80 instead of tiny */
    MACHINE_WARPS = 2,    /* two warps in a block */
    MACHINE_BLOCKS = 4,   /* three blocks */
    MACHINE_LAUNCHES = 8, /* the kernel is launched twice */
    MACHINE_PARTIAL = 16, /* the last warp of a block lacks five threads */
    MACHINE_FAR = 32,     /* the second half of the code lies at 0x800; not in `faults` */
    MACHINE_SPLIT =
        64, /* `faults`: the warp splits and joins before the code, and stores behind it */
};

struct machine_header {
    uint8_t flags;
    uint8_t regs;   /* per thread: 1 + regs % 32 */
    uint8_t local;  /* bytes per thread: 4 * (local % 5) */
    uint8_t shared; /* of the launch: 16 * (shared % 8) */
    uint8_t faults; /* faults % 8 records follow */
    uint8_t copy;   /* slots until the checkpoint */
    uint8_t seed[4];
    uint8_t mask[4]; /* active threads of warp 0, 0: as launched */
    uint8_t areg;    /* scale of the values in address registers */
    uint8_t depth;   /* of the stack of warp 0: depth % (LEs + 1) */
};

struct machine_fault {
    uint8_t structure, field, bit;
    uint8_t when;     /* bits 1..0: stuck at 0, at 1, flip, flip; others: slot / 2 */
    uint8_t index[4]; /* two bytes for the first axis, one for each further one */
};

/* Behind the header and the faults: code, words of 4 bytes. */
enum { MACHINE_MAX_WORDS = 256, MACHINE_FAR_BASE = 0x800 };

/* A job of one or two launches with two buffers, both outputs. `further`: one more section of code, or NULL. */
struct job *machine_job(const struct machine_header *h, const uint8_t *code, uint32_t size,
                        const struct cubin_code *further);

#endif
