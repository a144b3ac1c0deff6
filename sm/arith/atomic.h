/* atomic.h -- the new value of a word under an atomic operation: the table of docs/reference/isa.md. */
#ifndef SM_ATOMIC_H
#define SM_ATOMIC_H

#include "asm/isa/isa.h"

/* x is the operand, y the third source of a CAS; values of 32 bits without a sign in the upper half. */
static inline uint64_t sm_atomic(const struct isa_insn *in, uint64_t old, uint64_t x, uint64_t y)
{
    const uint32_t sign = in->type == T_S32 ? 0x80000000u : 0;
    const bool larger = ((uint32_t)x ^ sign) > ((uint32_t)old ^ sign); /* than the old value */
    switch (in->subop) {
    case ATOM_ADD: return old + x;
    case ATOM_EXCH: return x;
    case ATOM_CAS: return old == x ? y : old;
    case ATOM_INC: return old >= x ? 0 : old + 1;
    case ATOM_DEC: return old == 0 || old > x ? x : old - 1;
    case ATOM_MAX: return larger ? x : old;
    case ATOM_MIN: return larger ? old : x;
    case ATOM_AND: return old & x;
    case ATOM_OR: return old | x;
    default: return old ^ x; /* ATOM_XOR */
    }
}

#endif
