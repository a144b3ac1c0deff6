/* cubin.h -- a cubin of sm_10 to sm_13 as data: kernels with their code, parameters and constants. ELF through
 * libelf.
 *
 * Reading accepts what nvcc 2.x-4.x wrote for them and what sasm writes; writing makes the same
 * kind of file.
 */
#ifndef CUBIN_H
#define CUBIN_H

#include <stdbool.h>
#include <stdint.h>
#include "base/fl.h"

/* one mapped range of code; addresses are relative to the start of the kernel */
struct cubin_code {
    /* 0 for .text.<kernel>; the hex address of a .text.<kernel>@<hex address> section */
    uint32_t base;
    uint32_t size; /* bytes, multiple of 4 */
    uint8_t *bytes;
};

struct cubin_param { /* a word of the parameters; with `m64`, an argument, however large */
    uint32_t offset; /* byte offset in the parameter block: s[0x10 + offset] */
    uint32_t size;
    char *name;      /* NULL when the file does not say */
    char type[4];    /* u32, s32, f32, ptr; empty when the file does not say */
    char element[4]; /* what a ptr points to, of cubin_elements; empty when the file does not say */
};

/* Types of elements of memory, in the order of enum job_element (sm/job/job.h): "f32" to "u8"; NULL behind the last. */
extern const char *const cubin_elements[];
/* Which of them the `n` characters are; -1: none. */
int cubin_element(const char *word, size_t n);

struct cubin_argument { /* of a kernel of OpenCL C, as its host counts them */
    enum cubin_argument_kind {
        CUBIN_VALUE,
        CUBIN_GLOBAL, /* pointers to these memories */
        CUBIN_CONSTANT,
        CUBIN_LOCAL,
        CUBIN_IMAGE,
        CUBIN_SAMPLER
    } kind;
    uint32_t offset, size; /* its part of the parameters; size 0: it has none */
    int unit;              /* of an image that the kernel reads: its texture; -1: none */
    int sampler;           /* ... and the argument that has its sampler; -1: the kernel has it */
    char *name;
};
/* Names of the kinds in files, in their order; NULL behind the last. */
extern const char *const cubin_argument_kinds[];

/* labels of the program, for listings and traces; sasm writes them as local symbols */
struct cubin_symbol {
    char *name;
    uint32_t addr;
};

/* code from this address on was made of that line of a source file */
struct cubin_line {
    uint32_t addr;
    int source; /* in cubin.source[] */
    int line;
};

struct cubin_source { /* a file that the program was compiled from */
    char *name;
    char *text; /* NULL when the file does not hold it */
};

struct cubin_kernel {
    char *name;
    char *mangled; /* by which the host of a CUDA program calls it; NULL: by `name` */
    int module; /* whose constants it has: 0: the file's; else those of cubin.module[module - 1] */
    int sm;     /* what its code is for: 10 to 13 */
    int regs;   /* registers per thread */
    /* static: the 16-byte header, the parameters, then the kernel's own variables */
    uint32_t shared_bytes;
    uint32_t local_bytes; /* per thread */
    int barriers;         /* 0 when the file does not say */
    uint32_t block[3];    /* the only shape of its blocks; 0: any */
    struct cubin_param *param;
    int nparams;
    struct cubin_argument *argument; /* empty when the file does not say */
    int narguments;
    struct cubin_code *code; /* sorted by base, not overlapping; code[0].base == 0 */
    int ncode;
    uint8_t *const1; /* c1[]: the compiler's literals */
    uint32_t const1_size;
    struct cubin_symbol *symbol; /* sorted by addr */
    int nsymbols;
    struct cubin_line *line; /* sorted by addr; empty when the file does not say */
    int nlines;
};

struct cubin_variable { /* a __device__ variable: memory in g14[] that the program owns */
    char *name;
    uint32_t size;
    uint8_t *init; /* size bytes; NULL: zeros */
};

struct cubin_address { /* c14[offset] holds the address of a variable, `plus` bytes further */
    uint32_t offset;
    int variable; /* index in variable[] */
    uint32_t plus;
};

struct cubin_constant { /* a __constant__ variable: a named part of c0[] */
    char *name;
    uint32_t offset, size;
    int module; /* as a kernel's */
};

struct cubin_texture { /* a texture reference: instructions call it by the number of its unit */
    char *name;
    uint32_t unit; /* below CUBIN_TEXTURES */
    char type[48]; /* what a <texture> must say: texture.c; empty when the file does not say */
};

struct cubin_module { /* what a cubin that has been joined keeps for itself */
    char *name;
    uint8_t *const0;
    uint32_t const0_size;
    struct cubin_address *address; /* of variables in the joint list */
    int naddresses;
};

struct cubin {
    struct cubin_kernel *kernel;
    int nkernels;
    uint8_t *const0; /* c0[]: user __constant__ data, shared by the kernels */
    uint32_t const0_size;
    struct cubin_constant *constant; /* sorted by offset */
    int nconstants;
    struct cubin_source *source;
    int nsources;
    struct cubin_variable *variable;
    int nvariables;
    struct cubin_address *address; /* c14[] is made of these */
    int naddresses;
    struct cubin_texture *texture;
    int ntextures;
    struct cubin_module *module; /* joined since; no file has any */
    int nmodules;
    /* marked: branch targets use hi[27:20]; only profiles with code_bits 32 may run it */
    bool wide_code;
    bool m64; /* pointers, long and size_t have 8 bytes, in parameters and in memory */
};

enum { CUBIN_MAX_KERNELS = 4096 }; /* in one file, or joined; names are sought one by one */
enum { CUBIN_TEXTURES = 32, CUBIN_MAX_ARGUMENTS = 256 };

int cubin_read(const char *path, struct cubin **out, struct fl_err *err);
/* The same for a file's bytes; `name` is for messages. */
int cubin_read_memory(const char *name, const void *data, size_t size, struct cubin **out,
                      struct fl_err *err);
int cubin_write(const char *path, const struct cubin *cubin,
                struct fl_err *err); /* atomic, see fl_write_file */
int cubin_write_memory(const struct cubin *cubin, struct fl_buf *out, struct fl_err *err);
void cubin_free(struct cubin *cubin);
/* Adds all of `more`, which is freed, as a module of that name; what is empty becomes `more`, without a name in front. */
int cubin_join(struct cubin *cubin, struct cubin *more, const char *name, struct fl_err *err);
struct cubin_module cubin_module(const struct cubin *cubin, int number); /* as kernel.module */
int cubin_find_module(const struct cubin *cubin, const char *name);      /* its number, or -1 */
int cubin_find(const struct cubin *cubin, const char *kernel);           /* index, or -1 */
int cubin_find_mangled(const struct cubin *cubin, const char *kernel);   /* by the host's name */
/* A kernel that needs more registers than the largest block has may have a second version, which needs no more. */
#define CUBIN_FEWER_REGISTERS "__fewer_registers"            /* behind its name */
int cubin_find_fewer(const struct cubin *cubin, int kernel); /* the second version, or -1 */
bool cubin_is_fewer(const struct cubin_kernel *kernel);

/* -1: there is no such unit, or it, or the name, is another reference's. */
int cubin_add_texture(struct cubin *cubin, const char *name, uint32_t unit, const char *type);
/* What the reads and the sampler of an image of OpenCL C say of it; false: it is none. `any`: the job chooses the sampler. */
struct cubin_image {
    enum { CUBIN_FLOATS, CUBIN_SIGNED, CUBIN_UNSIGNED } kind;
    bool any, wrap, linear, normalized;
};
bool cubin_image(const struct cubin_texture *texture, struct cubin_image *out);
/* The image whose width or height a parameter of this name is, as smcc names it; NULL: it is none. */
const struct cubin_texture *cubin_size_of(const struct cubin *cubin, const char *param,
                                          bool *height);
int cubin_find_texture(const struct cubin *cubin, const char *name); /* index, or -1 */

/* Index of the source of that name, or -1. */
int cubin_find_source(const struct cubin *cubin, const char *name);
/* The same, added when it is not there: `cubin->source` may move. */
int cubin_source(struct cubin *cubin, const char *name);
/* Takes the text of each source along that can be read: relative names count from the folder of the
 * file `beside`, or, when that is NULL, from the current one. What was read is noted in `files`
 * unless that is NULL. */
void cubin_take_sources(struct cubin *cubin, const char *beside, struct fl_files *files);
/* What the code at this address was made of; NULL: not known. */
const struct cubin_line *cubin_line_at(const struct cubin_kernel *kernel, uint32_t addr);
/* Line `number` of a source's text, without its end; NULL when it is not there. */
const char *cubin_source_line(const struct cubin_source *source, int number, int *length);

#endif
