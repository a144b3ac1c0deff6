/* internal.h -- drawing an instruction of a row of the ISA table. */
#ifndef GATES_INTERNAL_H
#define GATES_INTERNAL_H

#include "asm/isa/table.h"

enum { GATES_REGS = 128, GATES_KEPT = 8, GATES_SLOT = 128, GATES_LOCAL = 512, GATES_TEXTURES = 32 };

/* What an instruction may use without a trap. */
struct gates_place {
    uint64_t *random;
    int regs, kept;   /* registers of the kernel; GATES_KEPT from `kept` on are never overwritten */
    const bool *used; /* [GATES_REGS] registers with a result that no signature holds yet */
    int address;      /* register with an address in global memory */
    uint32_t window, size,
        slot; /* of shared memory: the warp's own bytes; the next store goes to `slot`, or nowhere */
    uint32_t readable; /* bytes of shared memory from 0 on that a fixed address may read */
    bool plain;        /* no operand through an address register */
};

struct gates_drawn {
    struct isa_insn in;
    char text[200];
    const struct isa_operand *indexed; /* operand of `in` through an address register, or NULL */
    int first, registers;              /* that it writes */
};

uint32_t gates_below(uint64_t *random, uint32_t n);
/* May a program that ends without a trap hold an instruction of this row? */
bool gates_row_runs(const struct isa_row *row);
/* A random instruction of the row. False: none was found, as when too few registers are free. */
bool gates_draw(const struct gates_place *p, const struct isa_row *row, struct gates_drawn *out);
/* The first of `n` registers in a row, at a multiple of `align` below `limit`, that hold no result; -1: there are none. */
int gates_free(const struct gates_place *p, int n, int align, int limit);

#endif
