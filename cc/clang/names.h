/* names.h -- the names of parameters. */
#ifndef CC_NAMES_H
#define CC_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/fl.h"

/* Parameter `number` of a kernel in clang's form of the program (LLVM's text), which may be NULL. False: not known. */
bool cc_param_name(const char *ll, const char *kernel, int number, char *name, size_t size,
                   const char **type);

/* What it points to, of cubin_elements (asm/cubin/cubin.h), for a structure or vector whose members all are of one such type too. NULL: not
 * known, or something else. */
const char *cc_param_element(const char *ll, const char *kernel, int number);

/* Is it a pointer to __local memory? */
bool cc_param_is_local(const char *ll, const char *kernel, int number);

/* What an argument of a kernel in OpenCL C is to its host: "value", "global", "constant", "local", "image" or "sampler". NULL: not known, as for
 * what is no argument of the source. */
const char *cc_param_kind(const char *ll, const char *kernel, int number);

/* What reqd_work_group_size says, which clang keeps out of PTX, becomes .reqntid of its kernels. */
void cc_state_blocks(const char *ll, struct fl_buf *ptx);

#endif
