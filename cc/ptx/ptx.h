/* ptx.h -- PTX as text becomes a list of kernels: parameters, variables, instructions with their operands.
 *
 * It knows the form of PTX and nothing of its meaning: the files of lower/ know which instructions there are. Only what clang writes
 * is read; anything else is refused with its line.
 */
#ifndef CC_PTX_H
#define CC_PTX_H

#include <stdbool.h>
#include <stdint.h>
#include "arena.h"
#include "base/fl.h"

/* Where something comes from: a line of the source when the PTX says (.loc), and the line of the PTX. */
struct cc_place {
    int file, line, column; /* file: number in ptx_module.file, 0: not known */
    int ptx_line;
};

enum ptx_type { PTX_NONE, PTX_PRED, PTX_8, PTX_16, PTX_32, PTX_64 };

struct ptx_reg {
    const char *name;
    enum ptx_type type;
    bool is_float;
};

/* A variable or a parameter. */
enum ptx_space { PTX_PARAM, PTX_SHARED, PTX_LOCAL, PTX_CONST, PTX_GLOBAL };
struct ptx_var {
    const char *name;
    enum ptx_space space;
    uint32_t size, align;
    bool external;    /* .extern .shared NAME[]: its size comes with the launch */
    bool linked,      /* other files may name it too: .visible, .weak, .extern */
        declared,     /* .extern alone: another file defines it */
        known;        /* an earlier file of the program has defined it, given by the layout */
    bool is_float;    /* a parameter .f32 */
    bool is_image;    /* a texture reference, or an image */
    bool is_object;   /* a texture reference that an object became */
    const char *type; /* of a texture reference that an image became; NULL: any */
    int unit,
        sampler; /* of an image argument that is read: its unit + 1, its sampler's argument + 1 */
    uint32_t address; /* given by the layout */
    uint8_t *init;    /* size bytes; NULL: zeros */
    struct ptx_fix {  /* init[at] holds the address of another variable */
        uint32_t at, plus;
        const char *name;
        struct ptx_fix *next;
    } * fix;
    struct cc_place place;
};

enum ptx_kind { PTX_REG, PTX_IMM, PTX_SYM, PTX_MEM, PTX_VEC, PTX_SPECIAL, PTX_LABEL };
struct ptx_operand {
    enum ptx_kind kind;
    bool not ;        /* !%p */
    int reg;          /* PTX_REG; PTX_MEM: -1 when the base is a symbol or none */
    const char *name; /* PTX_SYM, PTX_SPECIAL, PTX_LABEL; PTX_MEM with a symbol */
    uint64_t imm;     /* PTX_IMM; PTX_SYM and PTX_MEM: offset */
    int elements;     /* PTX_VEC; PTX_MEM of a texture: its coordinates */
    int element[4];   /* registers */
};

struct ptx_insn {
    const char *op; /* "ld.global.u32" */
    int guard;      /* register, -1: none */
    bool guard_not;
    struct ptx_operand o[6];
    int n;
    struct cc_place place;
};

struct ptx_label {
    const char *name;
    int at; /* index of the instruction behind it */
};

struct ptx_kernel {
    const char *name;
    struct cc_place place;
    struct ptx_var *param, *var; /* var: .shared and .local of its own */
    int nparams, nvars, param_room, var_room;
    struct ptx_reg *reg;
    int nregs, reg_room;
    struct ptx_insn *insn;
    int ninsns, insn_room;
    struct ptx_label *label;
    int nlabels, label_room;
    uint32_t block[3]; /* .reqntid or .maxntid; 0: not said */
    bool block_exact;
    uint32_t blocks; /* .minnctapersm: that many blocks shall be resident; 0: not said */
};

struct ptx_file {
    const char *name; /* as users know it */
};

/* A function that stayed one. */
struct ptx_func {
    const char *name;
    bool has_body;
};

/* The text that is compiled: PTX, or a source of which clang made it. */
struct cc_source {
    const char *name; /* as the user called it */
    bool is_ptx;
    const char *ptx; /* the PTX itself */
};

struct ptx_module {
    struct ptx_kernel *kernel;
    int nkernels, kernel_room;
    struct ptx_var *var; /* .shared, .const, .global */
    int nvars, var_room;
    struct ptx_var *texture; /* references of the module; `address` is the unit of each */
    int ntextures, texture_room;
    struct ptx_func *func;
    int nfuncs, func_room;
    struct ptx_file file[64]; /* by the number of .file */
    bool by_llvm;             /* written by clang, with its habits */
    bool m64;                 /* addresses have 64 bits, of which the machine takes 32 */
};

/* Parameters, a bit for each: those through which a kernel may load, and may store. */
struct ptx_uses {
    uint64_t read, written;
};
struct ptx_uses ptx_find_uses(struct cc_arena *arena, const struct ptx_kernel *k);

/* Doubles that are moved only become integers. */
void ptx_settle_doubles(struct cc_arena *arena, struct ptx_kernel *k);

int ptx_parse(struct cc_arena *arena, const struct cc_source *source, struct ptx_module *out,
              struct fl_err *err);

#endif
