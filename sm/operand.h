/* operand.h -- what an operand takes: words of each lane, a half of a register. */
#ifndef SM_OPERAND_H
#define SM_OPERAND_H

#include <stdbool.h>
#include "asm/isa/isa.h"

/* Words that an access of so many bytes takes in each lane: registers, or words of memory. */
static inline uint32_t sm_words(uint32_t bytes)
{
    return bytes > 4 ? bytes / 4 : 1;
}

static inline uint32_t sm_operand_words(const struct isa_operand *o)
{
    return sm_words(isa_type_bytes(o->type));
}

static inline uint32_t sm_half(uint32_t word, bool upper)
{
    return upper ? word >> 16 : word & 0xffff;
}

/* The bits of a register that a write to one of its halves changes. */
static inline uint32_t sm_half_mask(bool upper)
{
    return upper ? 0xffff0000 : 0xffff;
}

static inline uint32_t sm_merge_half(uint32_t old, uint32_t half, bool upper)
{
    return upper ? (old & 0xffff) | half << 16 : (old & 0xffff0000) | (half & 0xffff);
}

#endif
