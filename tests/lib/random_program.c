/* random_program.c -- makes the program and its text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_program.h"

static uint32_t rp_random(struct rp_program *p, uint32_t below)
{
    uint64_t z = p->random += 0x9e3779b97f4a7c15u; /* splitmix64 */
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ z >> 31) >> 33) % below;
}

static int rp_emit(struct rp_program *p, struct rp_insn i)
{
    if (p->n == RP_MAX_CODE)
        abort(); /* the shapes allowed above need a fraction of it */
    p->code[p->n] = i;
    return p->n++;
}

static uint8_t rp_data(struct rp_program *p)
{
    return (uint8_t)(1 + rp_random(p, RP_DATA));
}

static uint8_t rp_source(struct rp_program *p)
{
    return (uint8_t)rp_random(p, RP_DATA + 1); /* the thread's number as well */
}

/* Computes a condition into one of the four flags; returns a predicate for it. */
static uint8_t rp_condition(struct rp_program *p)
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

static uint8_t rp_any_predicate(struct rp_program *p)
{
    return (uint8_t)(rp_random(p, 3) ? 0 : 1 + rp_random(p, 8));
}

static void rp_work(struct rp_program *p)
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
static int rp_join(struct rp_program *p)
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

static void rp_block(struct rp_program *p, struct rp_scope s);
static void rp_if(struct rp_program *p, struct rp_scope s)
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
static uint8_t rp_counter(struct rp_program *p)
{
    uint8_t c = (uint8_t)(RP_COUNTER0 + p->counters++);
    rp_emit(p, (struct rp_insn){.op = RP_MVI, .d = RP_SCRATCH, .imm = rp_random(p, 2) ? 3 : 1});
    rp_emit(p, (struct rp_insn){.op = RP_AND, .d = c, .a = rp_source(p), .b = RP_SCRATCH});
    rp_emit(p, (struct rp_insn){.op = RP_ADDI, .d = c, .a = c, .imm = 1});
    return c;
}

/* Counts down; the predicate holds while there are turns left. */
static uint8_t rp_count(struct rp_program *p, uint8_t c)
{
    uint32_t flag = rp_random(p, 4);
    rp_emit(p, (struct rp_insn){.op = RP_ADDI, .d = c, .a = c, .imm = ~0u});
    rp_emit(p, (struct rp_insn){.op = RP_MVI, .d = RP_SCRATCH, .imm = 0});
    rp_emit(p, (struct rp_insn){.op = RP_LESS, .a = RP_SCRATCH, .b = c, .imm = flag});
    return (uint8_t)(1 + 2 * flag + 1);
}

static void rp_do_while(struct rp_program *p, struct rp_scope s)
{
    uint8_t c = rp_counter(p);
    int ssy = rp_emit(p, (struct rp_insn){.op = RP_SSY}), top = p->n;
    rp_block(p, s);
    uint8_t more = rp_count(p, c);
    rp_emit(p, (struct rp_insn){.op = RP_BRA, .pred = more, .target = top});
    p->code[ssy].target = rp_join(p);
}

static void rp_break_loop(struct rp_program *p, struct rp_scope s)
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

static void rp_statement(struct rp_program *p, struct rp_scope s)
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

static void rp_block(struct rp_program *p, struct rp_scope s)
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

static int rp_print(const struct rp_insn *i, char *out, size_t size)
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

void rp_make(struct rp_program *p, const struct rp_shape *shape)
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

void rp_free(struct rp_program *p)
{
    free(p->text);
    p->text = NULL;
}
