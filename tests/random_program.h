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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- making ---- */

static inline uint32_t rp_random(struct rp_program *p, uint32_t below)
{
    uint64_t z = p->random += 0x9e3779b97f4a7c15u; /* splitmix64 */
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ z >> 31) >> 33) % below;
}

static inline int rp_emit(struct rp_program *p, struct rp_insn i)
{
    if (p->n == RP_MAX_CODE)
        abort(); /* the shapes allowed above need a fraction of it */
    p->code[p->n] = i;
    return p->n++;
}

static inline uint8_t rp_data(struct rp_program *p)
{
    return (uint8_t)(1 + rp_random(p, RP_DATA));
}

static inline uint8_t rp_source(struct rp_program *p)
{
    return (uint8_t)rp_random(p, RP_DATA + 1); /* the thread's number as well */
}

/* Computes a condition into one of the four flags; returns a predicate for it. */
static inline uint8_t rp_condition(struct rp_program *p)
{
    uint32_t flag = rp_random(p, 4);
    if (rp_random(p, 3)) {
        rp_emit(p, (struct rp_insn){.op = RP_MVI, .d = RP_SCRATCH, .imm = 1u << rp_random(p, 6)});
        rp_emit(p,
                (struct rp_insn){.op = RP_TEST, .a = rp_source(p), .b = RP_SCRATCH, .imm = flag});
    } else {
        rp_emit(p,
                (struct rp_insn){.op = RP_LESS, .a = rp_source(p), .b = rp_source(p), .imm = flag});
    }
    return (uint8_t)(1 + 2 * flag + rp_random(p, 2));
}

static inline uint8_t rp_any_predicate(struct rp_program *p)
{
    return (uint8_t)(rp_random(p, 3) ? 0 : 1 + rp_random(p, 8));
}

static inline void rp_work(struct rp_program *p)
{
    static const uint8_t alu[] = {RP_ADD, RP_SUB, RP_XOR, RP_AND};
    struct rp_insn i = {.d = rp_data(p), .a = rp_source(p), .b = rp_source(p)};
    switch (rp_random(p, 12)) {
    case 0:
        i.op = RP_MVI;
        i.imm = rp_random(p, 1u << 31);
        break;
    case 1:
    case 2:
        i.op = RP_ADDI;
        i.imm = rp_random(p, 200) - 100;
        break;
    case 3:
        i.op = RP_SHLI;
        i.imm = 1 + rp_random(p, 7);
        break;
    case 4: i.op = RP_LOAD; break;
    case 5: i.op = RP_STORE; break;
    case 6: i.op = RP_LOAD_SHARED; break;
    case 7: i.op = RP_STORE_SHARED; break;
    default: i.op = alu[rp_random(p, 4)]; i.pred = rp_any_predicate(p);
    }
    rp_emit(p, i);
}

/* The instruction that carries the join: sometimes one that works, sometimes under a predicate. */
static inline int rp_join(struct rp_program *p)
{
    struct rp_insn i = {.op = RP_NOP, .join = true};
    if (rp_random(p, 3) == 0) {
        i = (struct rp_insn){
            .op = RP_ADD, .d = rp_data(p), .a = rp_source(p), .b = rp_source(p), .join = true};
        i.pred = rp_any_predicate(p);
    }
    return rp_emit(p, i);
}

struct rp_scope {
    int depth;     /* nesting left */
    int function;  /* 0 kernel, 1.. functions */
    bool in_break; /* under a PBK of this function */
    int loops;     /* around this place, callers not counted */
};

static inline void rp_block(struct rp_program *p, struct rp_scope s);

static inline void rp_if(struct rp_program *p, struct rp_scope s)
{
    bool other = rp_random(p, 2);
    int ssy = rp_emit(p, (struct rp_insn){.op = RP_SSY}), to_join = -1;
    uint8_t pred = rp_condition(p);
    int bra = rp_emit(p, (struct rp_insn){.op = RP_BRA, .pred = pred});
    rp_block(p, s);
    if (other) {
        to_join = rp_emit(p, (struct rp_insn){.op = RP_BRA});
        p->code[bra].target = p->n;
        rp_block(p, s);
    }
    int join = rp_join(p);
    p->code[ssy].target = join;
    if (other)
        p->code[to_join].target = join;
    else
        p->code[bra].target = join;
}

/* A register counts from 1..4 down to 0; how often depends on the thread. */
static inline uint8_t rp_counter(struct rp_program *p)
{
    uint8_t c = (uint8_t)(RP_COUNTER0 + p->counters++);
    rp_emit(p, (struct rp_insn){.op = RP_MVI, .d = RP_SCRATCH, .imm = rp_random(p, 2) ? 3 : 1});
    rp_emit(p, (struct rp_insn){.op = RP_AND, .d = c, .a = rp_source(p), .b = RP_SCRATCH});
    rp_emit(p, (struct rp_insn){.op = RP_ADDI, .d = c, .a = c, .imm = 1});
    return c;
}

/* Counts down; the predicate holds while there are turns left. */
static inline uint8_t rp_count(struct rp_program *p, uint8_t c)
{
    uint32_t flag = rp_random(p, 4);
    rp_emit(p, (struct rp_insn){.op = RP_ADDI, .d = c, .a = c, .imm = ~0u});
    rp_emit(p, (struct rp_insn){.op = RP_MVI, .d = RP_SCRATCH, .imm = 0});
    rp_emit(p, (struct rp_insn){.op = RP_LESS, .a = RP_SCRATCH, .b = c, .imm = flag});
    return (uint8_t)(1 + 2 * flag + 1);
}

static inline void rp_do_while(struct rp_program *p, struct rp_scope s)
{
    uint8_t c = rp_counter(p);
    int ssy = rp_emit(p, (struct rp_insn){.op = RP_SSY}), top = p->n;
    rp_block(p, s);
    uint8_t more = rp_count(p, c);
    rp_emit(p, (struct rp_insn){.op = RP_BRA, .pred = more, .target = top});
    p->code[ssy].target = rp_join(p);
}

static inline void rp_break_loop(struct rp_program *p, struct rp_scope s)
{
    uint8_t c = rp_counter(p);
    int pbk = rp_emit(p, (struct rp_insn){.op = RP_PBK}), top = p->n;
    s.in_break = true;
    rp_block(p, s);
    uint8_t more = rp_count(p, c);
    rp_emit(p, (struct rp_insn){.op = RP_BRK, .pred = (uint8_t)(more - 1)});
    if (rp_random(p, 2))
        rp_work(p);
    rp_emit(p, (struct rp_insn){.op = RP_BRA, .target = top});
    p->code[pbk].target = p->n;
}

static inline void rp_statement(struct rp_program *p, struct rp_scope s)
{
    struct rp_scope inner = s;
    inner.depth--;
    inner.loops++;
    bool nest = s.depth > 0,
         loop = nest && !p->shape.no_loops && s.loops < 2 && p->counters < RP_COUNTERS;
    switch (rp_random(p, 12)) {
    case 0:
    case 1:
    case 2:
        if (nest) {
            inner.loops = s.loops;
            rp_if(p, inner);
            return;
        }
        break;
    case 3:
        if (loop) {
            rp_do_while(p, inner);
            return;
        }
        break;
    case 4:
    case 5:
        if (loop) {
            rp_break_loop(p, inner);
            return;
        }
        break;
    case 6:
        if (s.function < p->shape.functions && s.loops < 2) {
            uint32_t behind = (uint32_t)(p->shape.functions - s.function);
            int callee = s.function + (int)rp_random(p, behind);
            p->calls[p->ncalls++] = rp_emit(p, (struct rp_insn){.op = RP_CAL, .target = callee});
            return;
        }
        break;
    case 7:
        if (rp_random(p, 3) == 0) { /* an early return; from the kernel it ends the thread */
            uint8_t pred = rp_condition(p);
            rp_emit(p, (struct rp_insn){.op = RP_RET, .pred = pred});
            return;
        }
        break;
    case 8:
        if (s.in_break) {
            uint8_t pred = rp_condition(p);
            rp_emit(p, (struct rp_insn){.op = RP_BRK, .pred = pred});
            return;
        }
        break;
    case 9:
        if (s.function == 0 && s.depth == p->shape.depth && p->shape.threads > 32) {
            rp_emit(p, (struct rp_insn){.op = RP_BAR});
            return;
        }
        break;
    default: break;
    }
    rp_work(p);
}

static inline void rp_block(struct rp_program *p, struct rp_scope s)
{
    uint32_t n = 1 + rp_random(p, 4);
    while (n--)
        rp_statement(p, s);
    if (s.depth < p->shape.depth && rp_random(p, 12) == 0) { /* a path that ends its threads */
        if (rp_random(p, 2))
            rp_emit(p, (struct rp_insn){.op = RP_NOP, .exit = true});
        else
            rp_emit(p, (struct rp_insn){
                           .op = RP_ADD, .d = rp_data(p), .a = 0, .b = rp_source(p), .exit = true});
    }
}

/* ---- text ---- */

static inline int rp_print(const struct rp_insn *i, char *out, size_t size)
{
    static const char *const name[] = {
        [RP_ADD] = "IADD", [RP_SUB] = "IADD", [RP_XOR] = "LOP.XOR", [RP_AND] = "LOP.AND",
        [RP_BRA] = "BRA",  [RP_SSY] = "SSY",  [RP_PBK] = "PBK",     [RP_CAL] = "CAL.NOINC",
        [RP_RET] = "RET",  [RP_BRK] = "BRK"};
    const char *flag = i->join ? ".S" : i->exit ? ".EXIT" : "";
    char pred[16] = "", control[24] = "";
    if (i->pred) {
        snprintf(pred, sizeof pred, "C%d.%s", (i->pred - 1) / 2, i->pred & 1 ? "EQ" : "NE");
        snprintf(control, sizeof control, "%s,", pred);
    }
    switch ((enum rp_op)i->op) {
    case RP_TID: return snprintf(out, size, "I2I.U32.U16 R%d, R0L\n", i->d);
    case RP_PARAM: return snprintf(out, size, "MOV R%d, s[0x10]\n", i->d);
    case RP_MVI: return snprintf(out, size, "MVI R%d, 0x%x\n", i->d, i->imm);
    case RP_ADD:
    case RP_SUB:
    case RP_XOR:
    case RP_AND: {
        char *at = out;
        const char *sign = i->op == RP_SUB ? "-" : "";
        if (strchr(name[i->op], '.')) { /* the flag stands behind the mnemonic's name */
            int n = snprintf(out, size, "LOP%s%s R%d", flag, strchr(name[i->op], '.'), i->d);
            at += n;
        } else {
            at += snprintf(out, size, "%s%s R%d", name[i->op], flag, i->d);
        }
        size -= (size_t)(at - out);
        if (i->pred)
            at += snprintf(at, size, " (%s), R%d, %sR%d\n", pred, i->a, sign, i->b);
        else
            at += snprintf(at, size, ", R%d, %sR%d\n", i->a, sign, i->b);
        return (int)(at - out);
    }
    case RP_ADDI: return snprintf(out, size, "IADD32I R%d, R%d, 0x%x\n", i->d, i->a, i->imm);
    case RP_SHLI: return snprintf(out, size, "SHL R%d, R%d, 0x%x\n", i->d, i->a, i->imm);
    case RP_LESS:
        return snprintf(out, size, "ISET.S32.C%u o[0x7f], R%d, R%d, LT\n", i->imm, i->a, i->b);
    case RP_TEST: return snprintf(out, size, "LOP.AND.C%u o[0x7f], R%d, R%d\n", i->imm, i->a, i->b);
    case RP_LOAD: return snprintf(out, size, "GLD.U32 R%d, global14[R%d]\n", i->d, RP_ADDRESS);
    case RP_STORE: return snprintf(out, size, "GST.U32 global14[R%d], R%d\n", RP_ADDRESS, i->a);
    case RP_LOAD_SHARED: return snprintf(out, size, "MOV R%d, s[A1+0x20]\n", i->d);
    case RP_STORE_SHARED: return snprintf(out, size, "R2G.U32.U32 s[A1+0x20], R%d\n", i->a);
    case RP_R2A: return snprintf(out, size, "R2A A1, R%d, 0x2\n", i->a);
    case RP_NOP: return snprintf(out, size, "NOP%s\n", flag);
    case RP_BAR: return snprintf(out, size, "BAR.ARV.WAIT b0, 0xfff\n");
    case RP_RET:
    case RP_BRK: return snprintf(out, size, "%s %s\n", name[i->op], pred);
    default: return snprintf(out, size, "%s %s at%d\n", name[i->op], control, i->target);
    }
}

static inline void rp_make(struct rp_program *p, const struct rp_shape *shape)
{
    memset(p, 0, sizeof *p);
    p->shape = *shape;
    p->random = shape->seed;
    rp_emit(p, (struct rp_insn){.op = RP_TID, .d = 0});
    rp_emit(p, (struct rp_insn){.op = RP_PARAM, .d = RP_ADDRESS});
    rp_emit(p, (struct rp_insn){.op = RP_SHLI, .d = RP_SCRATCH, .a = 0, .imm = 2});
    rp_emit(p, (struct rp_insn){.op = RP_ADD, .d = RP_ADDRESS, .a = RP_ADDRESS, .b = RP_SCRATCH});
    rp_emit(p, (struct rp_insn){.op = RP_R2A, .a = 0});
    for (uint8_t r = 1; r <= RP_DATA; r++) {
        uint32_t shift = 1 + rp_random(p, 5);
        rp_emit(p, (struct rp_insn){.op = RP_SHLI, .d = r, .a = 0, .imm = shift});
        rp_emit(p, (struct rp_insn){.op = RP_ADDI, .d = r, .a = r, .imm = rp_random(p, 1000)});
    }
    uint32_t statements = 3 + rp_random(p, 6);
    for (uint32_t i = 0; i < statements; i++)
        rp_statement(p, (struct rp_scope){.depth = shape->depth});
    rp_emit(p, (struct rp_insn){.op = RP_STORE, .a = rp_data(p)});
    rp_emit(p, (struct rp_insn){.op = RP_NOP, .exit = true});
    for (int f = 0; f < shape->functions; f++) {
        p->function_at[f] = p->n;
        uint32_t n = 1 + rp_random(p, 3);
        for (uint32_t i = 0; i < n; i++)
            rp_statement(
                p, (struct rp_scope){.depth = shape->depth - 1 - f > 0 ? shape->depth - 1 - f : 0,
                                     .function = f + 1,
                                     .loops = 1});
        rp_emit(p, (struct rp_insn){.op = RP_RET});
    }
    for (int i = 0; i < p->ncalls; i++)
        p->code[p->calls[i]].target = p->function_at[p->code[p->calls[i]].target];
    p->text = malloc(RP_MAX_TEXT);
    if (!p->text)
        abort();
    int at = snprintf(p->text, RP_MAX_TEXT,
                      ".kernel k\n.regs %d\n.param ptr words\n.shared own, %d\n", RP_REGS,
                      0x20 + 4 * shape->threads);
    for (int i = 0; i < p->n; i++) {
        bool target = false;
        for (int from = 0; from < p->n && !target; from++)
            target = p->code[from].op >= RP_BRA && p->code[from].op <= RP_CAL &&
                     p->code[from].target == i;
        if (target)
            at += snprintf(p->text + at, (size_t)(RP_MAX_TEXT - at), "at%d:\n", i);
        at += rp_print(&p->code[i], p->text + at, (size_t)(RP_MAX_TEXT - at));
    }
}

static inline void rp_free(struct rp_program *p)
{
    free(p->text);
    p->text = NULL;
}

/* ---- the reference ---- */

struct rp_return {
    bool call; /* else a break */
    int to;
};

static inline void rp_thread(const struct rp_program *p, int thread, struct rp_result *out)
{
    struct rp_result r = {.reg = {[0] = (uint32_t)thread}};
    struct rp_return list[256];
    bool flag[4] = {false};
    /* `flag` is what EQ asks for; registers start at 0, so all are clear at first */
    bool ends = false;
    uint32_t shared = 0;
    int n = 0, pc = 0;
    for (long steps = 0; !ends; steps++) {
        if (steps == 1000000 || pc < 0 || pc >= p->n || n > 250) {
            r.endless = true;
            break;
        }
        const struct rp_insn *i = &p->code[pc];
        uint32_t a = r.reg[i->a], b = r.reg[i->b];
        bool holds = true;
        if (i->pred) {
            bool set = flag[(i->pred - 1) / 2];
            holds = i->pred & 1 ? set : !set;
        }
        pc++;
        switch ((enum rp_op)i->op) {
        case RP_TID: r.reg[i->d] = (uint32_t)thread; break;
        case RP_PARAM: r.reg[i->d] = 0; break;
        case RP_MVI: r.reg[i->d] = i->imm; break;
        case RP_ADD: r.reg[i->d] = holds ? a + b : r.reg[i->d]; break;
        case RP_SUB: r.reg[i->d] = holds ? a - b : r.reg[i->d]; break;
        case RP_XOR: r.reg[i->d] = holds ? a ^ b : r.reg[i->d]; break;
        case RP_AND: r.reg[i->d] = holds ? a & b : r.reg[i->d]; break;
        case RP_ADDI: r.reg[i->d] = a + i->imm; break;
        case RP_SHLI: r.reg[i->d] = a << i->imm; break;
        /* the result of the comparison or of the AND is zero */
        case RP_LESS: flag[i->imm] = !((int32_t)a < (int32_t)b); break;
        case RP_TEST: flag[i->imm] = (a & b) == 0; break;
        case RP_LOAD: r.reg[i->d] = r.word; break;
        case RP_STORE: r.word = a; break;
        case RP_LOAD_SHARED: r.reg[i->d] = shared; break;
        case RP_STORE_SHARED: shared = a; break;
        case RP_BRA: pc = holds ? i->target : pc; break;
        case RP_PBK: list[n++] = (struct rp_return){false, i->target}; break;
        case RP_CAL:
            list[n++] = (struct rp_return){true, pc};
            pc = i->target;
            break;
        case RP_RET:
        case RP_BRK:
            if (!holds)
                break;
            while (n && list[n - 1].call != (i->op == RP_RET))
                n--;
            if (n)
                pc = list[--n].to;
            else
                ends = true;
            break;
        default: break; /* NOP, BAR, SSY, R2A */
        }
        ends = ends || i->exit;
    }
    *out = r;
}

#endif
