/* ir.h -- the compiler's own form of a kernel: blocks of instructions of the machine, with as many registers as it takes.
 *
 * An instruction here is one of the machine, but for operands that it cannot have yet (a number where only a register may
 * stand) and for loads and stores with an address made of a register and an offset. Later passes take these away:
 * address.c, operands.c, registers.c. Registers are per thread, and so is all that the passes know of them: the masks of
 * the machine see to it that a thread finds what it left, whatever other threads do meanwhile.
 */
#ifndef CC_IR_H
#define CC_IR_H

#include <stdbool.h>
#include <stdint.h>
#include "cc/ptx/arena.h"
#include "base/fl.h"
#include "cc/ptx/ptx.h"

enum cc_op {
    I_MOV,
    I_ADD,
    I_MUL16, /* 16 by 16 bits, halves of registers */
    I_MAD16,
    I_MUL24, /* the low 24 bits of both */
    I_MAD24,
    I_MIN,
    I_MAX,
    I_SET, /* all ones where the comparison holds, else 0 */
    I_SHL,
    I_SHR,
    I_AND,
    I_OR,
    I_XOR,
    I_FADD,
    I_FMUL,
    I_FMAD,
    I_FMIN,
    I_FMAX,
    I_FSET,
    I_CONV, /* I2I, I2F, F2I, F2F, RRO: `text` says which */
    I_SFU,  /* RCP, RSQ, LG2, SIN, COS, EX2 */
    I_LD,   /* d = space[a0 + off] */
    I_ST,   /* space[a0 + off] = a1 */
    /* d = what was at a0 + off in global memory; `text` says what becomes of it with a1 (CAS: a1 is compared, a2 new). In shared
     * memory it is a loop around a lock (emit.c), with the condition register dc and the row of textures: row[0] = what was there. */
    I_ATOM,
    I_R2A, /* address register d = a0 << a1 */
    I_ADA, /* address register d = address register + a1 */
    I_C2R,
    I_R2C,
    I_VOTE,  /* condition register d: what the warp says of the guard; `text` says which */
    I_CLOCK, /* S2R: `text` says which */
    /* A fetch from a texture, whose registers stand in a row behind those of the kernel: these three follow
     * each other. `off`: which of the row's registers; of I_TEX the unit. */
    I_TEXIN,  /* row[off] = a0 */
    I_TEX,    /* `text` says which; `size` coordinates become the components of the mask `cmp` */
    I_TEXOUT, /* d = row[off] */
    I_BAR,
    I_RET, /* the threads that the guard names end */
    I_OPS
};

enum cc_class { CC_R, CC_C, CC_A, CC_CLASSES }; /* general, condition, address registers */

/* conditions of a predicate, by their names in the machine */
enum cc_cond { N_NE, N_EQ, N_LT, N_LE, N_GT, N_GE, N_LTU, N_CARRY, N_NOT_CARRY, N_CONDS };

enum cc_compare {
    P_LT = 1,
    P_EQ,
    P_LE,
    P_GT,
    P_NE,
    P_GE,
    P_NUM,
    P_NAN,
    P_LTU,
    P_EQU,
    P_LEU,
    P_GTU,
    P_NEU,
    P_GEU
};

enum cc_space { S_GLOBAL, S_SHARED, S_LOCAL, S_CONST };
enum cc_size { M_32, M_U8, M_S8, M_U16, M_S16 };

enum cc_kind { K_NONE, K_R, K_IMM, K_S, K_C };
enum cc_half { WHOLE, LOW, HIGH };
struct cc_operand {
    uint8_t kind, half, size, bank; /* size: of K_S and K_C; bank: of K_C */
    bool neg, abs, inv;
    int v;        /* K_R: register; K_S, K_C: address register, -1: none */
    uint32_t imm; /* K_IMM; K_S, K_C: byte offset */
};

struct cc_insn {
    uint8_t op, cmp, space, size;
    bool sign;  /* signed: MIN, MAX, SET, SHR, MUL24, MUL16 */
    bool trunc; /* FADD, FMUL: rounds towards zero */
    bool sat;
    bool is_volatile; /* a load that must be made where it stands */
    bool fresh;       /* guarded, but nobody reads what was in d before */
    uint8_t row;      /* ATOM of 64 bits, in the row of textures: 1 without a result, 2 with one */
    const char *text; /* CONV, SFU, CLOCK, ATOM, VOTE */
    int d, dc;        /* registers written; -1: none */
    struct cc_operand a[3];
    int cin;   /* condition register whose carry is added, -1 */
    int guard; /* condition register, -1: always */
    uint8_t cond;
    uint32_t off; /* LD, ST, ATOM */
    struct cc_place place;
};

struct cc_block {
    struct cc_insn *insn;
    int n, room;
    /* How it ends: to succ[0] where the condition holds, else to succ[1]. guard -1: always to succ[0]. succ[0] -1: the
     * threads end. */
    int guard;
    uint8_t cond;
    int succ[2];
    struct cc_place place;
    bool diverges; /* threads of a warp may part at its end */
    bool gone;     /* merged away */
};

struct cc_vreg {
    uint8_t class;
    bool half; /* read by halves: must be one of the first 64 */
    bool no_spill;
    int bits; /* R: the value is below 2^bits, 32: nothing known */
    int defs, uses;
    /* A: what it mirrors, for making it anew: (root << shift) + plus */
    int root, shift;
    uint32_t plus;
    int color;
};

struct cc_fn {
    struct cc_arena *arena;
    struct cc_arena *scratch; /* for what a pass needs for itself: it is emptied behind each */
    const struct ptx_module *module;
    const struct ptx_kernel *ptx;
    const struct cc_source *source; /* for messages */
    struct cc_block *block;         /* in the order of the code; 0 is the entry */
    int nblocks, block_room;
    struct cc_vreg *vreg;
    int nvregs, vreg_room;
    uint32_t *literal; /* c1[] */
    int nliterals, literal_room;
    uint32_t params_end, shared_bytes, local_bytes;
    bool fmad;       /* products and sums may be contracted */
    bool nvcc_loops; /* backward branches are taken first, as nvcc has them */
    bool wide;       /* registers above 63 are needed: no short immediates */
    int regs;        /* used in the end */
    int texture_regs; /* behind those, for fetches and atomic operations of 64 bits or in shared memory: 0 to 4 */
    bool pairs; /* these begin with an even one */
    /* For warnings, where first, ptx_line 0: nowhere. */
    struct cc_place assumed; /* a pointer was taken for one to global memory */
    struct cc_place demoted; /* double became float */
    bool no_double;          /* refuse it */
    int capability;          /* of the machine: 1.0 to 1.2 as 0 to 2 */
    struct fl_err *err;
};

static inline bool cc_is_locked(const struct cc_insn *i)
{
    return i->op == I_ATOM && i->space == S_SHARED;
}

int cc_new_vreg(struct cc_fn *f, enum cc_class class);
int cc_new_block(struct cc_fn *f);
struct cc_insn *cc_add(struct cc_fn *f, int block, const struct cc_insn *i);
/* Makes room for `count` instructions at `at`. */
struct cc_insn *cc_insert(struct cc_fn *f, struct cc_block *b, int at, int count);
struct cc_insn cc_insn(enum cc_op op, int d);

static inline struct cc_operand cc_r(int v)
{
    return (struct cc_operand){.kind = K_R, .v = v};
}
static inline struct cc_operand cc_half(int v, enum cc_half h)
{
    return (struct cc_operand){.kind = K_R, .v = v, .half = (uint8_t)h};
}
static inline struct cc_operand cc_imm(uint32_t x)
{
    return (struct cc_operand){.kind = K_IMM, .v = -1, .imm = x};
}
static inline struct cc_operand cc_s(int areg, uint32_t offset, enum cc_size size)
{
    return (struct cc_operand){.kind = K_S, .v = areg, .imm = offset, .size = (uint8_t)size};
}

/* "K.cl:3:5: error: ..." with the line and a caret, as clang prints it. */
int cc_fail(struct cc_fn *f, const struct cc_place *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Does it write registers or flags only, so that it may go when nobody reads them? */
bool cc_pure(const struct cc_insn *i);
/* Every register that it reads: out[] with room for 8; returns how many. What a guarded write leaves is not among them. */
int cc_reads(const struct cc_insn *i, int out[8]);
bool cc_reads_it(const struct cc_insn *i, int v);
/* Counts defs and uses of all registers. */
void cc_count(struct cc_fn *f);
/* Takes out what nobody reads; counts. */
void cc_sweep(struct cc_fn *f);
/* As text, for people who work on the compiler. */
void cc_dump(const struct cc_fn *f, FILE *to);

/* ---- the flow graph ---- */

struct
    cc_tree { /* of n nodes in preorder; below v are those from first[v] + 1 to first[v] + size[v] - 1 */
    int *first, *size;
};
/* parent[v] -1: a root; order: parents come first. */
struct cc_tree cc_tree(struct cc_fn *f, const int *parent, const int *order, int norder, int n);
static inline bool cc_above(const struct cc_tree *t, int a, int b) /* strictly */
{
    return t->first[a] < t->first[b] && t->first[b] < t->first[a] + t->size[a];
}
/* The nearest node above a and b, or one of them, -1: none. rank: parents have less. */
int cc_common(const int *parent, const int *rank, int a, int b);

struct cc_flow {
    int n;
    int **pred, *npred;
    int *order, norder; /* reverse postorder of the blocks that are reached */
    int *rank;          /* place in order, -1: not reached */
    int *idom;          /* -1: the entry */
    int *depth;         /* of loops */
    struct cc_tree dominators;
    /* meeting.c */
    int *
        ipdom; /* where threads that part at the block's end meet, if they do not end before; -1: nowhere */
    bool *leaves; /* edge 2 * b + s: who takes it ends and meets nobody before */
    bool *turns;  /* the head of a loop that one leaves only by ending; ipdom comes back to it */
    struct cc_tree meetings;
};
/* It lasts until the pass ends, as what is below. */
struct cc_flow cc_flow(struct cc_fn *f);
void cc_find_meetings(struct cc_fn *f, struct cc_flow *g);
bool cc_dominates(const struct cc_flow *g, int a, int b);
/* Where the threads that part at the end of b shall meet, -1: those of one side end, or no block is behind both. */
int cc_meeting(const struct cc_flow *g, int b);
/* Is the join of a met before that of b, by threads that meet at both? The head of a loop that turns is the last in a turn. */
bool cc_meets_before(const struct cc_flow *g, int a, int b);
/* Nothing is in it, and threads end: an edge to it is a return. */
bool cc_is_exit(const struct cc_block *b);
/* Takes out what is not reached, joins blocks that follow each other, turns branches. */
void cc_tidy_flow(struct cc_fn *f);

/* live.c: sets of the registers that live across blocks, a bit each */
struct cc_live {
    int *slot, *reg;    /* the bit of a register, -1: it lives within blocks; and back */
    int n, words;       /* bits and words of a set */
    uint64_t *in, *out; /* of block b: from b * words */
};
struct cc_live cc_liveness(struct cc_fn *f, const struct cc_flow *g);
static inline bool cc_has(const uint64_t *set, int v)
{
    return set[v >> 6] >> (v & 63) & 1;
}
static inline void cc_put(uint64_t *set, int v)
{
    set[v >> 6] |= 1ull << (v & 63);
}
static inline bool cc_lives_into(const struct cc_live *l, int b, int v)
{
    return l->slot[v] >= 0 && cc_has(l->in + (size_t)b * (size_t)l->words, l->slot[v]);
}

/* ---- the passes, in order ---- */

int cc_lower(struct cc_fn *f);              /* lower.c: PTX instructions become the machine's */
void cc_simplify(struct cc_fn *f);          /* simplify.c */
void cc_drop_ways(struct cc_fn *f);         /* states.c: branches that go one way only */
void cc_find_divergence(struct cc_fn *f);   /* divergence.c: sets block.diverges */
void cc_predicate(struct cc_fn *f);         /* predicate.c: short ifs become predicates */
void cc_split_tails(struct cc_fn *f);       /* tails.c: copies of ends that are shared */
int cc_addresses(struct cc_fn *f);          /* address.c */
void cc_operands(struct cc_fn *f);          /* operands.c */
int cc_registers(struct cc_fn *f, int max); /* registers.c; 1: again with f->wide */

/* Copies of a register of the machine to itself go; who was which is not known any more then. */
void cc_drop_copies(struct cc_fn *f);

struct cc_joins { /* joins.c: which blocks' ends push which joins */
    bool *join;   /* block b begins with a join */
    int *npush; /* of place 3 * b: before b's branch; + 1, + 2: on the edges to succ[0], succ[1] */
    int **push; /* the blocks whose joins are pushed there, outermost first */
    bool *through; /* edge 2 * b + s goes through the join of the block that it leads to */
};
struct cc_joins cc_joins(struct cc_fn *f);
int cc_print_kernel(struct cc_fn *f, struct fl_buf *out); /* emit.c: sasm */

#endif
