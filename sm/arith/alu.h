/* alu.h -- what the arithmetic instructions do to the 32 lanes of a warp, bit for bit.
 *
 * A decoded instruction gets its function once, from sm_alu_select; calling it computes all 32
 * lanes, whatever the active mask: the caller merges. Rules of use:
 *
 * - a, b, c are the raw operands of src[0..2] after the fetch: halves zero-extended, memory
 *   extended as its type says, immediates in every lane. neg, abs and inv are applied here. An
 *   array that the operation has no operand for may be NULL. `cc` holds the lanes' condition code
 *   of $c<cc_src>.
 * - d receives 32 results (the low half counts when the destination is a half register), flags 32
 *   new condition codes; flags may be NULL when nobody wants them. d may be one of the operands;
 *   nothing else may overlap.
 * - Any operand bits and any instruction that isa_decode makes are fine: results are defined,
 *   nothing traps.
 * - The host must be in its default floating-point environment: round to nearest, denormals on.
 *
 * The rules behind the numbers are in docs/reference/arithmetic.md.
 */
#ifndef SM_ALU_H
#define SM_ALU_H

#include <stdint.h>
#include "asm/isa/isa.h"

enum { SM_CC_Z = 1, SM_CC_S = 2, SM_CC_C = 4, SM_CC_O = 8 };

typedef void (*sm_alu_fn)(const struct isa_insn *in, const uint32_t *a, const uint32_t *b,
                          const uint32_t *c, const uint8_t *cc, uint32_t *d, uint8_t *flags);

/* NULL when the operation is not arithmetic: control, memory, moves of address and condition-code
 * registers. */
sm_alu_fn sm_alu_select(const struct isa_insn *in);

/* The parts of sm_alu_select, a file each: NULL for operations that belong to another. */
sm_alu_fn sm_alu_select_float(const struct isa_insn *in);
sm_alu_fn sm_alu_select_convert(const struct isa_insn *in);
sm_alu_fn sm_alu_select_sfu(const struct isa_insn *in);

#endif
