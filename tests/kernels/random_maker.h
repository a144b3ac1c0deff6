/* random_maker.h -- what the parts of the generator of random kernels share. */
#ifndef RANDOM_MAKER_H
#define RANDOM_MAKER_H

#include "random_kernel.h"

struct maker {
    struct fl_buf *out;    /* statements */
    struct fl_buf *shared; /* declarations of shared variables, in front of them */
    uint64_t state;
    struct random_kernel *kernel;
    const struct random_shape *only; /* the one that is wanted, or NULL */
    int depth, loops, names;         /* numbers of blocks and loops around, and of names so far */
    unsigned threads, shared_bytes;
    bool large, late; /* late: no barrier follows, so a thread may end */
    bool no_room;     /* for the shared memory of a shape, which was not made */
};

uint32_t draw(struct maker *m, uint32_t below);
/* One of some texts, in ONE_OF("a", "b"). */
const char *draw_of(struct maker *m, const char *const *from, size_t n);
#define ONE_OF(...)                                                                                \
    draw_of(m, (const char *const[]){__VA_ARGS__},                                                 \
            sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

/* Text in which @ and a letter stand for something drawn, of the names that BEGIN of kernel_common.h declares:
 *     @u @i @w @f    an expression: unsigned, signed, of 64 bits, float
 *     @c @C          a condition; of floats
 *     @b @B          an expression and a condition on which all threads of a block agree
 *     @r @q          an expression and a condition of a warp in lock step
 *     @k             a constant: edges of 32 bits
 *     @U @I @W @F @R a variable of that type
 *     @d @s          the next argument: a number, text
 * A digit between them is the depth of the expression, 1 unless said; with * the next argument says it. */
void put(struct maker *m, const char *text, ...);
/* The same as a line of the kernel. */
void line(struct maker *m, const char *text, ...);

/* A statement of any shape; some of them, one level deeper. */
void statement(struct maker *m);
void body(struct maker *m, int statements);
/* A shape where all threads of a block are. */
void together(struct maker *m);
/* The head of a loop whose turns depend on constants, the thread, the block or data; returns n of its counter k<n>. */
int loop_head(struct maker *m);
/* Declares the shared array <name><n>; `bytes` of an element. False: there is no room for it. */
bool shared_array(struct maker *m, const char *type, const char *name, int n, unsigned count,
                  unsigned bytes);

#define SHAPE(name, place, weight) void shape_##name(struct maker *m);
#include "random_shapes.def"
#undef SHAPE
#endif
