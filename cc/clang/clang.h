/* clang.h -- clang, run over a kernel. */
#ifndef CC_CLANG_H
#define CC_CLANG_H

#include <stdbool.h>
#include "base/fl.h"

struct cc_clang {
    bool fmad;              /* products and sums may be contracted */
    bool fast;              /* CUDA C: functions of float are the machine's own */
    bool whole;             /* CUDA C: what clang does not take of the host's code is an error */
    int capability;         /* of the machine: 1.0 to 1.2 as 0 to 2 */
    bool m64;               /* CUDA C: pointers and long have 8 bytes, as on an x86-64 */
    const char *const *arg; /* further arguments: -I, -W */
    int nargs;
    /* Lines #define and #undef, which come behind the language's own names; may be NULL. */
    const char *macros;
    struct fl_files *read; /* gets the headers that sources include; may be NULL */
};

/* Runs clang over the file `path` (its name ends in .cl or .cu) and returns PTX and clang's own form of the program, which has
 * the names of parameters, each with a zero byte behind it. clang's messages go to `messages` as they are; -1 with an empty
 * message in `err` then. */
int cc_clang(const char *path, const struct cc_clang *options, struct fl_buf *ptx,
             struct fl_buf *llvm, struct fl_buf *messages, struct fl_err *err);

/* The host's side of a .cu file as an object that holds the cubin; a source of C++, which launches nothing, has none (NULL). -1 with an empty message: clang has said why. */
int cc_clang_host(const char *path, const struct cc_clang *options, const struct fl_buf *cubin,
                  struct fl_buf *object, struct fl_buf *messages, struct fl_err *err);
/* Links objects and what `arg` names, which may be sources of C too, with clang's own options. `read` as in struct cc_clang. */
int cc_clang_link(const struct fl_buf *object, int nobjects, const char *const *arg, int nargs,
                  struct fl_files *read, struct fl_buf *messages, struct fl_err *err);

#endif
