/* random_kernel.h -- kernels in OpenCL C made of a seed, which any C compiler takes as well.
 *
 * They hold what compilers get wrong: integers at the edges of their types, 64 bits, divisions, shifts, control flow of every
 * kind (goto, switch with fall-through, loops that threads leave one by one, early return), private arrays, shared memory and
 * barriers. Nothing in them is undefined, so all compilers must agree.
 */
#ifndef RANDOM_KERNEL_H
#define RANDOM_KERNEL_H

#include <stdint.h>
#include "base/fl.h"

enum { KERNEL_LOCAL = 64, KERNEL_GROUPS = 2, KERNEL_ITEMS = 128, KERNEL_WORDS = 4, KERNEL_IN = 64 };

/* Functions and tables that the kernels use: before the first one. */
void random_kernel_prelude(struct fl_buf *out);
/* __kernel void NAME(__global uint *out, __global const uint *in, uint a, int b); about 40 lines, or 100 */
void random_kernel(uint64_t seed, bool large, const char *name, struct fl_buf *out);
/* What makes OpenCL C plain C, before the prelude; and a main that runs kernels `name`0 to `count` - 1 and writes their
 * results into the file "host.out", behind them. */
void random_kernel_host_head(struct fl_buf *out);
void random_kernel_host_main(int count, const uint32_t *in, uint32_t a, uint32_t b,
                             struct fl_buf *out);

#endif
