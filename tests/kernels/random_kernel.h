/* random_kernel.h -- random kernels in the words of kernel_common.h: OpenCL C, CUDA C and plain C at once.
 *
 * A kernel is composed of shapes, the rows of one table: control flow of every kind, integers at the edges of their types,
 * 64 bits, floats with all that is special about them, vectors, structures, memories of all kinds, barriers, warps in lock
 * step. Nothing in them is undefined, so all compilers must agree. Each has a geometry of its own.
 */
#ifndef RANDOM_KERNEL_H
#define RANDOM_KERNEL_H

#include <stdbool.h>
#include <stdint.h>
#include "base/fl.h"

enum { KERNEL_IN = 4096, KERNEL_OUT_WORDS = 8, KERNEL_MEM_WORDS = 32, KERNEL_SHAPES = 64 };

struct maker;
enum random_place {
    ANYWHERE, /* where some threads of a block are */
    NESTING,  /* the same, with statements in it */
    LATE,     /* the same, behind all barriers: it ends threads */
    TOGETHER, /* where all threads of a block are */
    LAST,     /* the end of a kernel */
    LOCKSTEP /* volatile shared memory, and the threads of a warp in lock step; such a kernel has nothing else */
};
struct random_shape {
    const char *name;
    enum random_place where;
    unsigned weight; /* how often it is taken, beside others of its place */
    void (*make)(struct maker *m);
};
extern const struct random_shape random_shapes[];
extern const int random_nshapes;

struct random_kernel {
    unsigned size[3], groups[2]; /* threads of a block, blocks */
    bool warps;                  /* in lock step */
    int made[KERNEL_SHAPES];     /* how often each shape stands in it */
};
static inline unsigned random_kernel_threads(const struct random_kernel *k) /* of all blocks */
{
    return k->size[0] * k->size[1] * k->size[2] * k->groups[0] * k->groups[1];
}

/* Kernel `name` of a seed: about 40 lines, or 100. `only` is the one shape that it is made of, or NULL. */
void random_kernel(uint64_t seed, bool large, const struct random_shape *only, const char *name,
                   struct random_kernel *k, struct fl_buf *out);

#endif
