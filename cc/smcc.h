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
        clang;       /* fmad: a * b + c may become the machine's FMAD, which cuts the product off */
    int max_regs;    /* registers of a thread; 0: as many as it takes */
    bool nvcc_loops; /* splitting backward branches are taken first, as nvcc has them */
    bool debug;      /* the compiler's own form on standard error */
};

/* PTX to text of the assembler. `name` is the source, for messages; `llvm` may be NULL. */
int smcc_translate(const char *name, bool is_ptx, const char *ptx, const char *llvm,
                   const struct smcc_options *options, struct fl_buf *sasm, struct fl_err *err);

/* Writes a job that launches each kernel once, to be filled in. `cubin_path`: where the cubin is. */
int smcc_job(const char *path, const char *cubin_path, const struct cubin *cubin,
             struct fl_err *err);

#endif
