/* internal.h -- how a random mix is made: drawing an instruction of a row of the ISA table (draw.c), the code of one warp
 * (stream.c, flow.c), a witness of a solver (rows.c), rounds of all warps (mix.c). */
#ifndef GATES_INTERNAL_H
#define GATES_INTERNAL_H

#include "asm/isa/table.h"
#include "gates.h"

enum { GATES_REGS = 128, GATES_KEPT = 8, GATES_SLOT = 128, GATES_LOCAL = 512 };

/* What an instruction may use without a trap. */
struct gates_place {
    uint64_t *random;
    int regs, kept;   /* registers of the kernel; GATES_KEPT from `kept` on are never overwritten */
    const bool *used; /* [GATES_REGS] registers with a result that no signature holds yet */
    int address;      /* register with an address in global memory */
    uint32_t window, size,
        slot; /* of shared memory: the warp's own bytes; the next store goes to `slot`, or nowhere */
    uint32_t readable; /* bytes of shared memory from 0 on that a fixed address may read */
    bool plain;        /* no operand through an address register */
    bool hosted;       /* no operand that a host cannot give */
};

struct gates_drawn {
    struct isa_insn in;
    char text[200];
    const struct isa_operand *indexed; /* operand of `in` through an address register, or NULL */
    int first, registers;              /* that it writes */
};

uint32_t gates_below(uint64_t *random, uint32_t n);
/* May a program that ends without a trap hold an instruction of this row? */
bool gates_row_runs(const struct isa_row *row);
/* Can a host of the driver API give all that it reads? Not banks of constants. */
bool gates_is_hosted(const struct isa_insn *in);
/* A random instruction of the row. False: none was found, as when too few registers are free. */
bool gates_draw(const struct gates_place *p, const struct isa_row *row, struct gates_drawn *out);
/* The first of `n` registers in a row, at a multiple of `align` below `limit`, that hold no result; -1: there are none. */
int gates_free(const struct gates_place *p, int n, int align, int limit);

/* ---- streams ----------------------------------------------------------------------------------------------------- */

enum {
    MAX_STREAMS = 5,                    /* from five warps on the pipeline is full */
    PARAMETERS = 0x18,                  /* end of header and parameters in shared memory */
    READABLE = PARAMETERS + GATES_SLOT, /* what all streams read and none writes */
    WINDOW = 4 * GATES_SLOT,
    STAGES = 5,
    FLAGS = 4,
    ADDRESSES = 4,
    STEP_BYTES = 16, /* of global memory, of a thread in a store */
    ROOM = 8,        /* registers */
    MARGIN = 64,     /* cycles: the start of the block, its end */
    NESTED = 3,      /* control flow in control flow in control flow */
};

/* Kept registers, from stream.kept on. */
enum {
    SIGNATURE,
    TEMPORARY,
    LINEAR, /* address of a lane's word of the window */
    FOLDED, /* of one of eight words, 16 bytes apart */
    FEW,    /* 0, 4, 8 or 12: for constants, whose addresses take turns */
    LOCAL,
    RESULT,
    SCRATCH
};

struct cost {
    long executed, waits; /* of a warp alone: instructions, and cycles for memory */
    long extra;           /* cycles that all warps wait */
};

struct stream {
    struct fl_buf text;
    struct cost cost;
    int number, kept;
    bool used[GATES_REGS], flag[FLAGS],
        address[ADDRESSES + 1]; /* hold a result that is not folded yet */
    bool known[GATES_REGS];     /* hold `value` in each lane */
    uint32_t value[GATES_REGS];
    int pointer[ADDRESSES + 1]; /* which kept register they were loaded from, or 0 */
    uint32_t window, slot;
    int stores, checkpoints; /* to global memory */
    int instructions;
};

struct mix {
    const struct sbst_machine *m;
    uint64_t random;
    int streams, regs, beat, labels;
    uint32_t flow;     /* per cent of the steps that are control flow */
    int breaks, calls; /* that are open */
    int nest, levels;  /* of control flow: now, at most */
    uint32_t size;     /* of a window */
    int room;          /* bytes from a window to the next; 0: anything */
    bool readable;     /* all streams have common bytes below their windows */
    bool hosted;       /* as gates_row */
    long *drawn;       /* [isa_nrows] */
    bool *failed;      /* [isa_nrows] in this round */
    struct stream stream[MAX_STREAMS];
    struct stream first, last; /* code of all of them; empty: each has its own */
};

uint32_t mix_below(struct mix *x, uint32_t n);
uint32_t mix_word(struct mix *x);
int mix_reg(const struct stream *s, int which);
/* An instruction as text; counts it. */
void mix_line(struct stream *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void mix_label(struct stream *s, char kind, int number);
/* Adds the time of an access to memory. */
void mix_memory(const struct mix *x, struct stream *s, int transactions);
void mix_fold(struct stream *s, int value);
/* The end of a round. */
void mix_fold_all(struct mix *x, struct stream *s);
/* A random instruction. False: no row finds room any more. */
bool mix_instruction(struct mix *x, struct stream *s, bool plain);
/* Copies flags that hold a result. False: there is no register for them. */
bool mix_save_flag(struct mix *x, struct stream *s, int n);
/* A register whose change, by another one or a constant, is seen. */
int mix_changed(struct mix *x, const struct stream *s, int but);
/* An instruction with the time of its access; global memory of the next store. */
void mix_emit(struct mix *x, struct stream *s, const char *text, const struct isa_insn *in);
void mix_next_step(struct mix *x, struct stream *s);
/* What an access to local memory finds, and what a store leaves there. */
void mix_fill_local(struct mix *x, struct stream *s, const struct isa_operand *o);
void mix_fold_local(struct mix *x, struct stream *s, const struct isa_operand *o);
/* A witness with what it reads and writes. False: it cannot be here, or not with all given operands; what was written is to be
 * taken back. */
bool mix_witness(struct mix *x, struct stream *s, const struct gates_witness *w, bool all);
/* An if, a break, a call or jumps. */
void mix_flow(struct mix *x, struct stream *s);
void mix_begin(struct mix *x, struct stream *s);
void mix_end(struct mix *x, struct stream *s);

#endif
