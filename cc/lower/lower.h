/* lower.h -- what the files of lower*.c share: PTX of one kernel on its way to the machine's instructions. lower.c calls the others, and all
 * use operands.c.
 */
#ifndef CC_LOWER_H
#define CC_LOWER_H

#include "cc/code/ir.h"

struct cc_lower {
    struct cc_fn *f;
    const struct ptx_kernel *k;
    const struct ptx_insn *in; /* being lowered */
    const char *part[8];       /* its name, cut at the dots */
    int nparts;
    bool double_numbers; /* numbers in it are doubles */
    int block;
    /* of each PTX register */
    int *lo, *hi;  /* registers; a predicate has its mask in lo */
    int *c;        /* of a predicate: the condition register */
    uint8_t *cond; /* and the condition under which it is true */
    uint8_t *defs; /* 0, 1, 2: several */
    bool *mask;    /* a predicate is read as a value too */
    bool *upper;   /* of 64 bits: somebody reads the upper half */
    unsigned *tag; /* where an address comes from */
    const struct ptx_insn **def;
    struct ptx_label *label; /* by name */
    /* PTX's carry, as the last instruction with .cc left it: its register, -1: none has */
    int carry, carry_block;
    bool carry_is_borrow;
};

/* Upper word of the double 2^-126, the least float that is no denormal. */
enum { CC_LEAST_FLOAT = 0x38100000 };
enum { TAG_CONST = 1, TAG_GLOBAL = 2, TAG_SHARED = 4, TAG_LOCAL = 8 };

int cc_refuse(struct cc_lower *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
bool cc_part(const struct cc_lower *l, const char *name);

/* Appends an instruction with up to three operands; `d` -1: only flags. */
struct cc_insn *cc_emit(struct cc_lower *l, enum cc_op op, int d, struct cc_operand a,
                        struct cc_operand b, struct cc_operand c);
struct cc_operand cc_none(void);
struct cc_operand cc_flip(struct cc_operand o); /* ~ */
struct cc_operand cc_minus(struct cc_operand o);
struct cc_insn *cc_emit_text(struct cc_lower *l, enum cc_op op, const char *text, int d,
                             struct cc_operand a);
/* The same into a new register. */
struct cc_operand cc_new(struct cc_lower *l, enum cc_op op, struct cc_operand a,
                         struct cc_operand b);
struct cc_operand cc_conv(struct cc_lower *l, const char *text, struct cc_operand a);
int cc_temp(struct cc_lower *l);

/* Operand n of the instruction as 32 bits (its upper half); an error is noted and gives 0. */
struct cc_operand cc_get(struct cc_lower *l, int n);
struct cc_operand cc_get_hi(struct cc_lower *l, int n);
/* A variable by its name, or NULL; its address. */
const struct ptx_var *cc_find_var(const struct cc_lower *l, const char *name);
struct cc_operand cc_symbol(struct cc_lower *l, const struct ptx_operand *o);
struct cc_operand cc_low(struct cc_operand o); /* halves of a word */
struct cc_operand cc_high(struct cc_operand o);
int cc_dst(const struct cc_lower *l);
int cc_dst_hi(const struct cc_lower *l); /* -1: nobody reads it */
void cc_split_name(struct cc_lower *l);
/* A value below 2^n? The bound of an operand, and of the result. */
int cc_bits(const struct cc_lower *l, struct cc_operand o);
void cc_bound(struct cc_lower *l, int bits);

/* Is its first operand written? */
bool cc_writes_first(const struct ptx_insn *in);

/* spaces.c: which memories the pointers of a kernel mean; those of an address of this instruction (TAG_...); its register and number */
void cc_find_spaces(struct cc_lower *l);
int cc_spaces(struct cc_lower *l, const struct ptx_operand *o, unsigned *out);
void cc_address(struct cc_lower *l, const struct ptx_operand *o, struct cc_operand *base,
                uint32_t *off);
/* refuse.c: an instruction that none of these knows; a call that clang did not replace by the function. -1. */
int cc_refuse_instruction(struct cc_lower *l);
int cc_refuse_call(struct cc_lower *l);

/* lower_texture.c: does an instruction read the register, but as the target of this one? */
bool cc_is_read(const struct cc_lower *l, int reg);

/* halves.c */
void cc_find_upper(struct cc_lower *l);
void cc_cut_name(struct cc_lower *l);

/* Returns 1 when the instruction is none of theirs, -1 on an error. */
int cc_lower_int(struct cc_lower *l);
int cc_lower_bits(struct cc_lower *l);
int cc_lower_wide(struct cc_lower *l); /* 64 bits */
int cc_lower_float(struct cc_lower *l);
int cc_lower_double(struct cc_lower *l);
int cc_lower_texture(struct cc_lower *l);
int cc_lower_atomic(struct cc_lower *l);
int cc_lower_memory(struct cc_lower *l);
int cc_lower_set(struct cc_lower *l); /* setp, selp, vote, logic of predicates */
void cc_settle_condition(struct cc_lower *l, int p);
struct cc_operand cc_mul_hi(struct cc_lower *l, struct cc_operand a, struct cc_operand b, bool sign,
                            struct cc_operand *low);
bool cc_field_signed(const struct cc_lower *l, uint64_t at, uint64_t n, uint64_t width);
bool cc_is_double(const struct cc_lower *l, int reg); /* of arithmetic, which is float's */
void cc_narrow(struct cc_lower *l, int d, struct cc_operand lo, struct cc_operand hi);
void cc_widen(struct cc_lower *l, struct cc_operand x, struct cc_operand out[2]);
/* The count of a shift that clang makes a rotation of, else as it is. */
struct cc_operand cc_rotation_count(struct cc_lower *l, struct cc_operand n);
/* The condition registers that an instruction takes its carry from and leaves it in; -1: an error. */
int cc_carry_in(struct cc_lower *l, bool minus);
int cc_carry_out(struct cc_lower *l, bool minus);
void cc_mul_lo(struct cc_lower *l, int d, struct cc_operand a, struct cc_operand b);

#endif
