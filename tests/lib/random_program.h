/* random_program.h -- random structured programs, and what each of their threads must compute.
 *
 *     struct rp_program p;
 *     rp_make(&p, &(struct rp_shape){.seed = 7, .threads = 64, .depth = 3, .functions = 2});
 *     p.text                       sasm: one kernel; its parameter: the address of 4 bytes a thread
 *     rp_thread(&p, t, &result)    registers and memory word of thread t after the run
 *     rp_free(&p);
 *
 * Control flow is as nvcc makes it: if and if/else under an SSY that ends in a join, do-while
 * under an SSY, loops under a PBK that threads leave by BRK, calls, early RET and exit anywhere.
 * Conditions mix thread numbers and data, so that warps split. Every instruction is a long one:
 * number n lies at byte 8 n.
 *
 * The reference runs one thread at a time on a PC of its own. It knows no masks: SSY and the
 * join do nothing, calls and breaks go back to points on a list of the thread's own. So it
 * cannot share a mistake with a divergence stack. For the same reason it does not decode: it
 * walks over the abstract program that the text was written from.
 *
 * Uses nothing but the C library: for the model, an RTL, or anything else that can run the text.
 * Every loop has a counter of its own, so all programs end. Deepest stack: 4 entries for each
 * level of ifs and loops, 1 for each call.
 */
#ifndef RANDOM_PROGRAM_H
#define RANDOM_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

enum {
    RP_REGS =
        32, /* R0 thread, R1..R6 data, R7 scratch, R8..R28 loop counters, R29 address of the word */
    RP_DATA = 6,
    RP_SCRATCH = 7,
    RP_COUNTER0 = 8,
    RP_COUNTERS = 21,
    RP_ADDRESS = 29,
    RP_MAX_CODE = 2048,
    RP_MAX_TEXT = 1 << 17
};

struct rp_shape {
    uint64_t seed;
    int threads;   /* of the one block */
    int depth;     /* nesting of ifs and loops in the kernel; one less in each function */
    int functions; /* 0..3; function i calls only those behind it */
    bool no_loops; /* for small stacks: 2 entries for each level of nesting */
};

enum rp_op {
    RP_TID,
    RP_PARAM,
    RP_MVI,
    RP_ADD,
    RP_SUB,
    RP_XOR,
    RP_AND,
    RP_ADDI,
    RP_SHLI,
    RP_LESS, /* flag imm = a < b, signed */
    RP_TEST, /* flag imm = (a & b) != 0 */
    RP_LOAD,
    RP_STORE,
    RP_LOAD_SHARED,
    RP_STORE_SHARED,
    RP_R2A,
    RP_NOP,
    RP_BAR,
    RP_BRA,
    RP_SSY,
    RP_PBK,
    RP_CAL,
    RP_RET,
    RP_BRK
};

struct rp_insn {
    uint8_t op, d, a, b; /* enum rp_op, registers */
    uint8_t pred;        /* 0 always; else 1 + 2 * flag + (1: set, 0: clear) */
    bool join, exit;
    uint32_t imm;
    int target; /* number of an instruction */
};

struct rp_program {
    struct rp_shape shape;
    struct rp_insn code[RP_MAX_CODE];
    int n;
    char *text;
    /* while it is made */
    uint64_t random;
    int counters;
    int function_at[3], calls[RP_MAX_CODE],
        ncalls; /* CALs whose target is a function's number still */
};

struct rp_result {
    uint32_t reg[RP_REGS]; /* RP_ADDRESS as with a buffer at address 0 */
    uint32_t word;         /* in global memory */
    bool endless;          /* a mistake of the generator */
};

void rp_make(struct rp_program *p, const struct rp_shape *shape);
void rp_free(struct rp_program *p);
void rp_thread(const struct rp_program *p, int thread, struct rp_result *out);

#endif
