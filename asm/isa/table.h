/* table.h -- the shape of the rows and fields of isa.def, for the files that walk the table.
 *
 * Everything is plain data, so that the assembler, the disassembler, the decoder, the checker and
 * the generators of documents and of SystemVerilog are loops over the same constants. A word is 64
 * bits: lo is 31..0, hi is 63..32.
 */
#ifndef ISA_TABLE_H
#define ISA_TABLE_H

#include "isa.h"

enum isa_form {
    ISA_SHORT,      /* lo[1:0] = 0, one word */
    ISA_LONG,       /* lo[1:0] = 1, hi[1:0] = 0..2 */
    ISA_IMM,        /* lo[1:0] = 1, hi[1:0] = 3 */
    ISA_CTRL_SHORT, /* lo[1:0] = 2, one word */
    ISA_CTRL,       /* lo[1:0] = 3 */
    ISA_FORMS
};

/* Kinds of fields beyond the operands of enum isa_operand_kind. */
enum isa_field_kind {
    ISA_NAMES =
        32,   /* the value picks one of `names`, which is printed as it stands ("" is a name too) */
    ISA_PRED, /* predicate: `pre` C<n>.<condition> `post`; nothing for the canonical value */
    ISA_TARGET, /* code address */
    ISA_TAIL,   /* ", <number>", nothing for 0; an operand for the decoder */
    ISA_NUMBER, /* `pre` number; of struct isa_insn what `to` says */
};

/* The member of struct isa_insn that a field of kind ISA_NAMES or ISA_NUMBER fills. */
enum isa_to {
    TO_NOTHING,
    TO_EXIT_JOIN, /* bit 0 exit, bit 1 join */
    TO_CC_DST,    /* bits 1..0 number, bit 2 enable */
    TO_CARRY,     /* number of the $c whose carry is added */
    TO_NEG,       /* of the operand that follows in the template; the same for TO_ABS, TO_INV */
    TO_ABS,
    TO_INV,
    TO_SAT,
    TO_HIGH,
    TO_RND,
    TO_RND_RINT, /* bits 1..0 rounding, bit 2 rint */
    TO_CMP,
    TO_SUBOP,
    TO_SUBOP_BIT0, /* ors the value into subop, shifted left by 0, 1, 2 */
    TO_SUBOP_BIT1,
    TO_SUBOP_BIT2,
    TO_LANES,
    TO_TYPE,  /* through `types` */
    TO_STYPE, /* through `types` */
    TO_AS0,   /* src[0].as, through `types` */
    TO_AS1,
    TO_AS01, /* both factors */
    TO_LIVE, /* of struct isa_texture, to the end */
    TO_DERIV,
    TO_UNIT,
    TO_SAMPLER,
    TO_COORDS, /* less 1 */
    TO_MASK,
    TO_OFFSET,
};

struct isa_bits {
    uint8_t pos, len;
};

/* One way to read a field's bits. A field has several when bits elsewhere choose among them: a
 * source is a register or a place in memory. The first alternative whose `is` equals the word
 * under `sel` holds. */
struct isa_alt {
    uint64_t sel, is;        /* bits that choose this alternative */
    uint8_t kind;            /* enum isa_operand_kind or isa_field_kind */
    uint8_t type;            /* operands: enum isa_type of the access */
    struct isa_bits bits[3]; /* the value, least significant piece first */
    uint8_t scale; /* memory: the offset counts units of 1 << scale bytes; ISA_TARGET likewise */
    uint8_t areg;  /* memory: address register in 2 bits (lo[27:26]) or 3 (and hi[2]), 0: none */
    uint8_t inc;   /* memory: position of the post-increment flag, 0: none */
    struct isa_bits bank;   /* memory: number of the space */
    bool untyped;           /* memory: the mnemonic says the size, the operand prints no suffix */
    bool ignored;           /* ISA_PRED: the hardware ignores it */
    bool shared_cc;         /* ISA_PRED: hi[13:12] belongs to another field of the row as well */
    uint8_t canon;          /* ISA_PRED: the value that prints nothing */
    const char *pre, *post; /* ISA_PRED, ISA_NUMBER, ISA_I, ISA_OUT: text around the value */
    const char *names;      /* ISA_NAMES: separated by '/'; "?" has no meaning: no instruction */
    uint8_t to;             /* ISA_NAMES, ISA_NUMBER: enum isa_to */
    const uint8_t *types;   /* ISA_NAMES: enum isa_type of each value */
};

enum { ISA_MAX_ALTS = 6 };

struct isa_field {
    const char *name; /* as templates call it, at most 7 characters */
    const char *text; /* one line for the documentation */
    struct isa_alt alt[ISA_MAX_ALTS];
};

struct isa_row {
    uint8_t form; /* enum isa_form */
    uint32_t lo, lo_mask, hi, hi_mask;
    const char *text;       /* template: literal text and {field} */
    struct isa_insn preset; /* op, and what the row says without a field */
};

extern const struct isa_field isa_fields[];
extern const int isa_nfields;
extern const struct isa_row isa_rows[];
extern const int isa_nrows;
int isa_rows_of(int capability); /* rows of a machine of that capability: the first ones */
int isa_ops_of(int capability);  /* its operations, likewise */

/* The field named at `name`..`name + len`, or NULL. */
const struct isa_field *isa_field(const char *name, size_t len);
/* The alternative of a field that holds in `word`, or NULL. */
const struct isa_alt *isa_alt(const struct isa_field *f, uint64_t word);
/* The bits that an alternative owns, its selectors included. */
uint64_t isa_claims(const struct isa_alt *a);
uint64_t isa_get(const struct isa_alt *a, uint64_t word);  /* value of its bits */
uint64_t isa_put(const struct isa_alt *a, uint64_t value); /* the word with that value */
uint64_t isa_bits_mask(const struct isa_alt *a);           /* the bits of the value itself */
int isa_bits_len(const struct isa_alt *a);
enum isa_form isa_form(uint32_t lo, uint32_t hi);
const char *isa_form_name(enum isa_form form);
/* Name number `value` of an ISA_NAMES alternative: its start and length, or NULL when it has
 * none or is "?". */
const char *isa_name(const struct isa_alt *a, uint64_t value, size_t *len);
const char *isa_cond_name(unsigned code); /* of a predicate, 0..31; NULL when it has none */
const char *isa_sreg_name(unsigned sreg); /* NULL when it has none */
const char *isa_mem_suffix(const struct isa_alt *a);
/* The row of a machine of that capability that matches, or NULL; all its fields have a meaning and no bit is left over. */
const struct isa_row *isa_find(uint32_t lo, uint32_t hi, int capability);

#endif
