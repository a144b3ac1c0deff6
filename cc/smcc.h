/* smcc.h -- libcc: a kernel in OpenCL C, CUDA C or PTX becomes text of the assembler.
 *
 * Any input is safe: what cannot be compiled gives an error with its place in the source.
 */
#ifndef SMCC_H
#define SMCC_H

#include <stdbool.h>
#include "asm/cubin/cubin.h"
#include "base/fl.h"
#include "cc/clang/clang.h"

struct smcc_options {
    struct cc_clang
        clang;    /* fmad: a * b + c may become the machine's FMAD, which cuts the product off */
    int max_regs; /* registers of a thread; 0: as many as the launch allows */
    /* The machine that it is launched on, and threads of a block where the kernel does not say; 0: not known. */
    int machine_regs, machine_threads, machine_shared;
    uint32_t block[3];
    bool nvcc_loops;    /* splitting backward branches are taken first, as nvcc has them */
    bool no_predicates; /* an if is a branch, however short */
    bool no_double;     /* double is refused, not demoted to float */
    bool strict;        /* a kernel that is refused refuses the file */
    bool arguments;     /* OpenCL C: the cubin keeps what hosts must know of them */
    bool debug;         /* the compiler's own form on standard error */
    /* Of a program of several files, whose text stands one behind the other: where the variables of the next one go,
     * in c0[] and c14[], its number, and a line for each kernel and each variable of the earlier ones that files share; NULL: it is
     * the only one. */
    struct smcc_place {
        uint32_t constants, addresses, textures;
        int file;
        bool missing; /* it declares a variable that no file so far defines */
        struct fl_buf names;
    } * place;
};

/* PTX to text of the assembler. `name` is the source, for messages; `llvm` may be NULL. `launches` gets a struct
 * smcc_launch for each kernel, `warnings` a line for each that is refused while others are not, and what else users should know. */
int smcc_translate(const char *name, bool is_ptx, const char *ptx, const char *llvm,
                   const struct smcc_options *options, struct fl_buf *sasm, struct fl_buf *launches,
                   struct fl_buf *warnings, struct fl_err *err);

/* A program of .cu files, and of what else its host's side has: sources of C and C++, objects, libraries. */
struct smcc_exe {
    const char *const *source;
    int nsources;
    const char *const *host; /* arguments for compiling the host's side: -I, -O */
    int nhosts;
    const char *const *link; /* for linking: -L, -l */
    int nlinks;
    const char *out;
};
/* -1 with an empty message: what stands in `messages` says why. */
int smcc_exe(const struct smcc_exe *e, const struct smcc_options *options, struct fl_buf *messages,
             struct fl_err *err);

/* What is known of a kernel's launch. Of parameters there is a bit for each word from s[0x10] on. */
struct smcc_launch {
    uint32_t block[3];      /* 0: not known */
    uint64_t read, written; /* pointers through which the kernel loads, stores */
    uint64_t local;         /* pointers to __local memory */
    bool dynamic;           /* shared memory that the launch sizes */
};

/* Writes a job that launches each kernel once, with a ? where a value is to be filled in. `cubin_path`: where the cubin is. */
int smcc_job(const char *path, const char *profile, const char *cubin_path,
             const struct cubin *cubin, const struct smcc_launch *launch, struct fl_err *err);

#endif
