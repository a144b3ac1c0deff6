/* isa.h -- the decoded form of one instruction of sm_10 to sm_12, and the way between it, bits and text.
 *
 * Encodings live in isa.def and nowhere else; what an instruction does lives in sm/. This header is
 * what both sides share: `struct isa_insn` says everything that a row of the table and the bits
 * under it say, in the words of the ISA.
 */
#ifndef ISA_H
#define ISA_H

#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>
#include "base/fl.h"

/* Compute capabilities. A row of isa.def says which one it needs, a profile which one the machine has. */
enum isa_capability { ISA_1_0, ISA_1_1, ISA_1_2, ISA_CAPABILITIES, ISA_NEWEST = ISA_1_2 };
extern const char *const isa_capability_name[ISA_CAPABILITIES]; /* "1.0" */

/* Operations: one name per meaning. Spelled alike in C, SystemVerilog, docs and traces. Made
 * from ISA_OPS in isa.def. */
enum isa_op {
#define OP(name, class, text) OP_##name,
#include "isa.def"
    OP_COUNT
};

/* What kind of unit an operation needs: timing, statistics and the random program generator work
 * from this. */
enum isa_class {
    ISA_CONTROL,
    ISA_MOVE,
    ISA_INT,
    ISA_FLOAT,
    ISA_CONVERT,
    ISA_SFU,
    ISA_MEMORY,
    ISA_OTHER
};

enum isa_operand_kind {
    ISA_NONE,
    ISA_R,    /* register `value`, a pair or quad from there for B64 and B128 */
    ISA_RH,   /* half register: register value >> 1, upper half when value & 1 */
    ISA_OUT,  /* o[0x7f]: the result is discarded (destination only) */
    ISA_A,    /* address register $a<value> */
    ISA_CC,   /* condition-code register $c<value> */
    ISA_S,    /* shared memory, byte offset `value` + $a<areg> */
    ISA_K,    /* constant memory, bank `bank`, byte offset `value` + $a<areg> */
    ISA_G,    /* global memory, space `bank`, address in register `value` */
    ISA_L,    /* local memory, byte offset `value` + $a<areg> */
    ISA_I,    /* immediate `value` */
    ISA_SREG, /* special register `value`: enum isa_sreg */
};

enum isa_sreg { SREG_PHYSID = 0, SREG_CLOCK = 1, SREG_PM0 = 4, SREG_PM1, SREG_PM2, SREG_PM3 };

/* The type of an operand or of the operation. B32 where the sign does not matter or is not
 * known; U16 for 16 bits of either sign. U24 and S24 occur only as isa_operand.as: the low 24
 * bits of a register. */
enum isa_type {
    T_B32,
    T_U8,
    T_S8,
    T_U16,
    T_S16,
    T_U32,
    T_S32,
    T_B64,
    T_B128,
    T_F16,
    T_F32,
    T_F64,
    T_U24,
    T_S24
};

/* Bytes of a type in memory. */
static inline uint32_t isa_type_bytes(uint8_t type)
{
    static const uint8_t bytes[] = {
        [T_B32] = 4, [T_U8] = 1,  [T_S8] = 1,  [T_U16] = 2,   [T_S16] = 2,
        [T_U32] = 4, [T_S32] = 4, [T_B64] = 8, [T_B128] = 16, [T_F16] = 2,
        [T_F32] = 4, [T_F64] = 8, [T_U24] = 4, [T_S24] = 4};
    return bytes[type];
}

/* What a register gets of a value of up to 32 bits loaded as the type. */
static inline uint32_t isa_type_extend(uint32_t v, uint8_t type)
{
    switch ((enum isa_type)type) {
    case T_U8: return v & 0xff;
    case T_S8: return (v & 0xff) | (v & 0x80 ? 0xffffff00u : 0);
    case T_U16:
    case T_F16: return v & 0xffff;
    case T_S16: return (v & 0xffff) | (v & 0x8000 ? 0xffff0000u : 0);
    default: return v;
    }
}

struct isa_operand {
    uint8_t kind; /* enum isa_operand_kind */
    /* enum isa_type, width and extension of the access: B32 for a register, U16 for half of one,
     * for memory any */
    uint8_t type;
    /* enum isa_type, what the operation takes the accessed value for: after a load by `type`,
     * IMUL.S16 sign-extends its low 16 bits, I2I.S32.U16.BEXT takes its low 8 ... */
    uint8_t as;
    uint8_t areg; /* memory: address register added to the offset, 0 when none ($a0 reads 0) */
    uint8_t bank; /* ISA_K, ISA_G: number of the memory space */
    bool neg;     /* arithmetic negation; for integers it is part of the adder (sub, subr) */
    bool abs;     /* absolute value, before neg */
    bool inv;     /* bitwise complement (logic operations) */
    /* the address is $a<areg> itself, to which `value` (signed) is added afterwards */
    bool postinc;
    uint32_t value;
};

/* Conditions of ISET/FSET: a set of outcomes. Integer forms use three bits, float forms four. */
enum { CMP_LT = 1, CMP_EQ = 2, CMP_GT = 4, CMP_UN = 8 };

enum isa_round { RND_RN, RND_RM, RND_RP, RND_RZ };

/* Sub-operations of OP_LOP and OP_RRO, in `subop`. */
enum { LOP_AND, LOP_OR, LOP_XOR, LOP_PASS_B };
enum { RRO_SINCOS, RRO_EX2 };
/* BAR, bits of `subop`: arrive, wait, ignore the warp mask. src[0] is the barrier's number,
 * src[1] the mask. */
enum { BAR_ARV = 1, BAR_WAIT = 2, BAR_ALL = 4 };
/* CAL, `subop`: counts against the driver's call limit. nvcc never sets it, and it changes
 * nothing here. */
enum { CAL_NOINC, CAL_INC };

/* Sub-operations of GRED and GATOM, numbered as words have them, and of VOTE. x is the operand. */
enum {
    ATOM_ADD,
    ATOM_EXCH,
    ATOM_CAS,     /* x is compared, the third source is the new value */
    ATOM_INC = 4, /* old >= x ? 0 : old + 1 */
    ATOM_DEC,     /* old == 0 || old > x ? x : old - 1 */
    ATOM_MAX,     /* by the type: T_U32 or T_S32 */
    ATOM_MIN,
    ATOM_AND = 10,
    ATOM_OR,
    ATOM_XOR
};
enum { VOTE_ANY, VOTE_ALL };
/* G2R.LCK, R2G.UNL: the word's lock is taken, or given back. */
enum { LOCK = 1 };

/* TEX, TLD and their like: `unit` names texture and sampler. The coordinates stand in `coords`
 * registers from dst on; the results that `mask` has (bit 0 is x) replace them, packed, from the
 * same register on. */
struct isa_texture {
    uint8_t unit, sampler;
    uint8_t coords; /* 1..4 */
    uint8_t mask;
    bool live, deriv, offset, cube; /* offset: one that is not 0 is added to a coordinate */
};

enum { PRED_NEVER = 0x00, PRED_ALWAYS = 0x0f }; /* the others: table in docs/reference/isa.md */

struct isa_insn {
    uint16_t op;    /* enum isa_op */
    uint16_t row;   /* index of the table row that matched */
    uint8_t min;    /* enum isa_capability that it needs */
    uint8_t size;   /* 4 or 8 bytes */
    bool exit;      /* the executing threads end afterwards, whatever the predicate */
    bool join;      /* the warp pops its divergence stack once afterwards, whatever the predicate */
    uint8_t pred;   /* 0..31, a function of $c<cc_src>; PRED_ALWAYS where the form has none */
    uint8_t cc_src; /* number of the $c that pred and addc read */
    int8_t cc_dst;  /* number of the $c that is written, -1 when none */
    /* enum isa_type of the operation: result of a conversion, datum of a load or store. A multiply
     * is B32 or, when it saturates, S32; its factors have their type in src[].as. */
    uint8_t type;
    uint8_t stype; /* conversions: type of the source; otherwise = type */
    uint8_t cmp;   /* ISET, FSET: CMP_ bits */
    uint8_t subop; /* LOP, RRO, BAR, CAL, GRED, GATOM, VOTE, LOCK */
    uint8_t lanes; /* MOV: which threads of each quad move; 15 (all) in everything nvcc makes */
    uint8_t rnd;   /* enum isa_round; for F2F with rint the rounding to an integer */
    bool rint;     /* F2F: round to an integral value */
    bool sat;      /* clamp: float to 0..1, signed integer to its range */
    bool high;     /* 24-bit multiply: bits 47..16 of the product */
    bool carry;    /* IADD, IMAD: add the C flag of $c<cc_src> */
    struct isa_texture tex;
    /* BRA, CAL, SSY, PBK: byte address relative to the start of the kernel */
    uint32_t target;
    /* ISA_NONE when there is no result; the address of a store */
    struct isa_operand dst;
    /* In the order of the text; src[0] is the datum of a store. The neg of an IMAD's or FMAD's
     * src[0] negates the product. */
    struct isa_operand src[3];
};

/* Registers from dst on that TEX and its like read or write; 0: another operation. */
static inline uint32_t isa_texture_registers(const struct isa_insn *in)
{
    uint32_t results = (uint32_t)__builtin_popcount(in->tex.mask);
    return in->tex.coords > results ? in->tex.coords : in->tex.coords ? results : 0;
}

const char *isa_op_name(enum isa_op op); /* "IADD" */
const char *isa_op_text(enum isa_op op); /* what it does, in a line */
enum isa_class isa_op_class(enum isa_op op);

/* Decodes the instruction at `word` (hi is ignored by one-word forms). Returns its size in
 * bytes, or 0 when no row matches: an illegal instruction. `wide_code`: hi[27:20] of control
 * instructions extend the target to 32 bits (profile flexgripplus); otherwise the target has 24
 * bits and those bits are ignored. `capability`: of the machine; rows that need a higher one do not match. */
int isa_decode(uint32_t lo, uint32_t hi, bool wide_code, int capability, struct isa_insn *out);

/* The text of an instruction as sdis prints it and sasm reads it, or -1 for an illegal one. */
int isa_print(uint32_t lo, uint32_t hi, char *out, size_t size);

#endif
