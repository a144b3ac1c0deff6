/* mix.c -- a random mix of all instructions.
 *
 * Up to five warps run a code of their own each, a *stream*, on registers and a window of shared memory of their own. A
 * stream is a row of rounds. In a round every instruction writes to registers that hold no other result; at its end all
 * registers, flags, address registers and stored words are folded into the thread's signature, which is stored. So no
 * result is overwritten before the signature has it. The fold rotates the signature by one bit and adds the value: no two
 * signatures become one, so a difference stays until another value differs by exactly as much.
 *
 * Next is the row that the program has drawn least often. Costs are upper bounds: a warp's instruction takes five slots
 * (docs/explain/cycles.md), and what makes a slot longer counts for all warps.
 */
#include "gates.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "internal.h"

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
    DIVERGED = 8,    /* per cent of the steps that are control flow */
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
    uint32_t window, slot;
    int stores, checkpoints; /* to global memory */
    int instructions;
};

struct mix {
    const struct sbst_machine *m;
    uint64_t random;
    int streams, regs, beat, labels;
    uint32_t size; /* of a window */
    bool readable; /* all streams have common bytes below their windows */
    long *drawn;   /* [isa_nrows] */
    bool *failed;  /* [isa_nrows] in this round */
    struct stream stream[MAX_STREAMS];
};

static uint32_t below(struct mix *x, uint32_t n)
{
    return gates_below(&x->random, n);
}

static uint32_t word(struct mix *x)
{
    return (uint32_t)(fl_random(&x->random) >> 32);
}

static int reg(const struct stream *s, int which)
{
    return s->kept + which;
}

static void line(struct stream *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void line(struct stream *s, const char *fmt, ...)
{
    char text[300];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    fl_buf_printf(&s->text, "    %s\n", text);
    s->cost.executed++;
    s->instructions++;
}

static void label(struct stream *s, char kind, int number)
{
    fl_buf_printf(&s->text, "%c%d:\n", kind, number);
}

static void memory(const struct mix *x, struct stream *s, int transactions)
{
    s->cost.waits += x->m->global_latency;
    s->cost.extra += (long)transactions * x->m->global_transaction + (x->streams + 1) * x->beat;
}

/* ---- signature --------------------------------------------------------------------------------------------------- */

/* C1 holds nothing by now. */
static void fold(struct stream *s, int value)
{
    int r = reg(s, SIGNATURE);
    line(s, "IADD.C1 R%d, R%d, R%d", r, r, r);
    line(s, "IADD.CARRY1 R%d, R%d, R%d", r, r, value);
}

static void advance(const struct mix *x, struct stream *s, int which, int bytes)
{
    line(s, "MVI R%d, 0x%x", reg(s, TEMPORARY), SBST_LANES * x->streams * bytes);
    line(s, "IADD R%d, R%d, R%d", reg(s, which), reg(s, which), reg(s, TEMPORARY));
}

/* The end of a round. */
static void fold_all(struct mix *x, struct stream *s)
{
    static const int flags[FLAGS] = {1, 0, 2, 3};
    int t = reg(s, TEMPORARY);
    if (s->checkpoints++)
        advance(x, s, RESULT, 4);
    for (int i = 0; i < FLAGS; i++) {
        line(s, "C2R R%d, C%d", t, flags[i]);
        fold(s, t);
    }
    for (int i = 1; i <= ADDRESSES; i++) {
        line(s, "A2R R%d, A%d", t, i);
        fold(s, t);
    }
    for (int r = 0; r < x->regs; r++)
        if (r != reg(s, SIGNATURE) && r != t)
            fold(s, r);
    line(s, "R2A A1, R%d", reg(s, LINEAR));
    for (uint32_t at = 0; at < s->slot; at += GATES_SLOT) {
        line(s, "MOV R%d, g[A1+0x0]", t);
        line(s, "ADA A1, A1, 0x%x", GATES_SLOT);
        fold(s, t);
    }
    line(s, "GST.U32 global14[R%d], R%d", reg(s, RESULT), reg(s, SIGNATURE));
    memory(x, s, 2);
    memset(s->used, 0, sizeof s->used);
    memset(s->flag, 0, sizeof s->flag);
    memset(s->address, 0, sizeof s->address);
    s->slot = 0;
}

/* ---- one instruction --------------------------------------------------------------------------------------------- */

static struct gates_place place_of(struct mix *x, struct stream *s, bool plain)
{
    return (struct gates_place){.random = &x->random,
                                .regs = x->regs,
                                .kept = s->kept,
                                .used = s->used,
                                .address = reg(s, SCRATCH),
                                .window = s->window,
                                .size = x->size,
                                .slot = s->slot,
                                .readable = x->readable ? READABLE : s->window + x->size,
                                .plain = plain};
}

static int take(struct mix *x, struct stream *s, int n)
{
    struct gates_place p = place_of(x, s, true);
    int first = gates_free(&p, n, n, x->regs);
    for (int i = 0; i < n && first >= 0; i++)
        s->used[first + i] = true;
    return first;
}

static bool save_flag(struct mix *x, struct stream *s, int n)
{
    int to = s->flag[n] ? take(x, s, 1) : 0;
    if (s->flag[n] && to >= 0)
        line(s, "C2R R%d, C%d", to, n);
    return to >= 0;
}

static bool save_address(struct mix *x, struct stream *s, int n)
{
    int to = s->address[n] ? take(x, s, 1) : 0;
    if (s->address[n] && to >= 0)
        line(s, "A2R R%d, A%d", to, n);
    return to >= 0;
}

/* What the instruction overwrites that is no register. */
static bool save(struct mix *x, struct stream *s, const struct isa_insn *in,
                 const struct isa_operand *indexed)
{
    bool good = true;
    if (in->cc_dst >= 0)
        good = save_flag(x, s, in->cc_dst);
    if (good && in->dst.kind == ISA_CC)
        good = save_flag(x, s, (int)in->dst.value);
    if (good && in->dst.kind == ISA_A && in->dst.value)
        good = save_address(x, s, (int)in->dst.value);
    if (good && indexed)
        good = save_address(x, s, indexed->areg);
    return good;
}

/* Its address register. */
static void load_index(struct mix *x, struct stream *s, const struct isa_operand *o, bool store)
{
    int from = o->kind == ISA_K   ? FEW
               : o->kind == ISA_L ? LOCAL
               : store            ? LINEAR
               : below(x, 2)      ? LINEAR
                                  : FOLDED;
    line(s, "R2A A%u, R%d", o->areg, reg(s, from));
    if (store && o->kind == ISA_S && o->postinc && s->slot)
        line(s, "ADA A%u, A%u, 0x%x", o->areg, o->areg, s->slot);
    s->address[o->areg] = o->postinc;
    if (o->kind == ISA_K)
        s->cost.extra += 3 * x->m->const_conflict;
    else if (o->kind == ISA_S)
        s->cost.extra += 2 * x->m->shared_conflict;
}

/* The place of 16 bytes that an access to local memory lies in, as text. */
static char *local_block(const struct isa_operand *o)
{
    uint32_t offset = (o->postinc ? 0 : o->value) & ~15u;
    return o->areg ? fl_format("local[A%u+0x%x]", o->areg, offset)
                   : fl_format("local[0x%x]", offset);
}

/* What an access to local memory finds there. */
static void fill_local(struct mix *x, struct stream *s, const struct isa_operand *o)
{
    char *at = local_block(o);
    line(s, "LST.S128 %s, R%u", at, 4 * below(x, (uint32_t)x->regs / 4));
    memory(x, s, SBST_LANES);
    free(at);
}

static void read_local(struct mix *x, struct stream *s, const struct isa_operand *o, int to)
{
    char *at = local_block(o);
    line(s, "LLD.S128 R%d, %s", to, at);
    memory(x, s, SBST_LANES);
    free(at);
}

static void mark(struct stream *s, const struct gates_drawn *d)
{
    for (int i = 0; i < d->registers; i++)
        s->used[d->first + i] = true;
    if (d->in.cc_dst >= 0)
        s->flag[d->in.cc_dst] = true;
    if (d->in.dst.kind == ISA_CC)
        s->flag[d->in.dst.value] = true;
    if (d->in.dst.kind == ISA_A && d->in.dst.value)
        s->address[d->in.dst.value] = true;
}

/* The row that comes next; -1: all have failed in this round. `small`: of four bytes. */
static int next_row(struct mix *x, bool small)
{
    int best = -1;
    uint32_t ties = 0;
    for (int i = 0; i < isa_nrows; i++) {
        if (x->failed[i] || x->drawn[i] < 0 || (small && isa_rows[i].form != ISA_SHORT))
            continue;
        if (best < 0 || x->drawn[i] < x->drawn[best])
            ties = 0;
        if (best < 0 || x->drawn[i] < x->drawn[best] ||
            (x->drawn[i] == x->drawn[best] && below(x, ++ties + 1) == 0))
            best = i;
    }
    return best;
}

/* The instruction itself. */
static void write_drawn(struct mix *x, struct stream *s, const struct gates_drawn *d)
{
    enum isa_op op = (enum isa_op)d->in.op;
    line(s, "%s", d->text);
    mark(s, d);
    if (op == OP_GLD || op == OP_GST || op == OP_LLD || op == OP_LST || op == OP_TEX ||
        op == OP_TLD)
        memory(x, s, SBST_LANES);
    if (isa_op_class(op) == ISA_SFU && x->m->sfu_cycles > x->beat)
        s->cost.extra += x->m->sfu_cycles - x->beat;
}

/* Short instructions come in pairs. */
static void write_second(struct mix *x, struct stream *s)
{
    struct gates_place p = place_of(x, s, true);
    struct gates_drawn d;
    int row = next_row(x, true);
    if (row < 0 || !gates_draw(&p, &isa_rows[row], &d)) {
        line(s, "MOV32 R0, R0");
        return;
    }
    write_drawn(x, s, &d);
    x->drawn[row]++;
}

static bool write_row(struct mix *x, struct stream *s, int row, bool plain)
{
    struct gates_place p = place_of(x, s, plain);
    struct gates_drawn d = {.registers = 0};
    enum isa_op op = (enum isa_op)isa_rows[row].preset.op;
    bool global = op == OP_GLD || op == OP_GST;
    if (global && below(x, 2) && (p.address = take(x, s, 1)) < 0)
        return false;
    if (!gates_draw(&p, &isa_rows[row], &d))
        return false;
    mark(s,
         &(struct gates_drawn){.in = {.cc_dst = -1}, .first = d.first, .registers = d.registers});
    int back = op == OP_LST ? take(x, s, 4) : 0;
    bool store = d.in.dst.kind == ISA_S;
    if (back < 0 || !save(x, s, &d.in, d.indexed))
        return false;
    if (global && p.address != reg(s, SCRATCH))
        line(s, "MOV R%d, R%d", p.address, reg(s, SCRATCH));
    if (d.indexed)
        load_index(x, s, d.indexed, store);
    if (op == OP_LLD || op == OP_LST)
        fill_local(x, s, op == OP_LLD ? &d.in.src[0] : &d.in.dst);
    int join = d.in.join ? x->labels++ : 0;
    if (d.in.join) {
        line(s, "SSY j%d", join);
        label(s, 'j', join);
    }
    write_drawn(x, s, &d);
    if (d.in.size == 4)
        write_second(x, s);
    if (op == OP_LST)
        read_local(x, s, &d.in.dst, back);
    if (op == OP_GST) {
        advance(x, s, SCRATCH, STEP_BYTES);
        s->stores++;
    }
    s->slot += store ? GATES_SLOT : 0;
    return true;
}

/* A random instruction. False: no row finds room any more. */
static bool write_instruction(struct mix *x, struct stream *s, bool plain)
{
    for (int row; (row = next_row(x, false)) >= 0;) {
        struct stream before = *s;
        if (write_row(x, s, row, plain)) {
            x->drawn[row]++;
            return true;
        }
        before.text.data = s->text.data;
        before.text.room = s->text.room;
        *s = before;
        x->failed[row] = true;
    }
    return false;
}

/* ---- control flow ------------------------------------------------------------------------------------------------ */

/* A register whose change, by another one or a constant, is seen. */
static int changed(struct mix *x, const struct stream *s, int but)
{
    for (;;) {
        int r = (int)below(x, (uint32_t)x->regs);
        if (r != but && (r < s->kept || r >= s->kept + GATES_KEPT))
            return r;
    }
}

static void change(struct mix *x, struct stream *s)
{
    int a = changed(x, s, -1), b = changed(x, s, a);
    line(s, "IADD R%d, R%d, R%d", a, a, b);
}

/* "C2.LT, ", or nothing: a predicate that SSY, PBK and CAL have and do not obey. */
static const char *ignored(struct mix *x, char text[24])
{
    text[0] = 0;
    if (below(x, 2))
        snprintf(text, 24, "C%u.%s, ", below(x, FLAGS), isa_cond_name(1 + below(x, 14)));
    return text;
}

static const char *condition(struct mix *x, char text[24])
{
    unsigned code;
    do
        code = 1 + below(x, 31);
    while (code == PRED_ALWAYS || !isa_cond_name(code));
    snprintf(text, 24, "C%u.%s", below(x, FLAGS), isa_cond_name(code));
    return text;
}

static void write_body(struct mix *x, struct stream *s)
{
    change(x, s);
    write_instruction(x, s, true);
}

static void write_if(struct mix *x, struct stream *s, int n)
{
    char cond[24], none[24];
    line(s, "SSY %se%d", ignored(x, none), n);
    line(s, "BRA %s, t%d", condition(x, cond), n);
    write_body(x, s);
    line(s, "BRA e%d", n);
    label(s, 't', n);
    write_body(x, s);
    label(s, 'e', n);
    line(s, "NOP.S");
    s->cost.executed++; /* on both ways */
}

/* Some threads break first, the others later; all meet behind. */
static void write_break(struct mix *x, struct stream *s, int n)
{
    char cond[24], none[24];
    line(s, "PBK %sb%d", ignored(x, none), n);
    line(s, "BRK %s", condition(x, cond));
    write_body(x, s);
    line(s, "BRK");
    label(s, 'b', n);
    change(x, s);
}

/* Where an exit ends a thread, some threads return earlier than others. */
static void write_call(struct mix *x, struct stream *s, int n)
{
    char cond[24], none[24];
    line(s, "CAL%s %sf%d", below(x, 2) ? ".NOINC" : "", ignored(x, none), n);
    line(s, "BRA g%d", n);
    label(s, 'f', n);
    if (x->m->exit_ends)
        line(s, "RET %s", condition(x, cond));
    write_body(x, s);
    line(s, "RET");
    label(s, 'g', n);
    change(x, s);
}

static void write_jumps(struct mix *x, struct stream *s, int n)
{
    line(s, "BRA x%d", n);
    label(s, 'y', n);
    change(x, s);
    line(s, "BRA z%d", n);
    label(s, 'x', n);
    line(s, "BRA y%d", n);
    label(s, 'z', n);
    change(x, s);
}

static void write_flow(struct mix *x, struct stream *s)
{
    static void (*const forms[])(struct mix *, struct stream *, int) = {write_if, write_break,
                                                                        write_call, write_jumps};
    forms[below(x, 4)](x, s, x->labels++);
    s->cost.extra += 2 * x->beat; /* pops of a thread's last entry */
}

/* ---- begin and end ----------------------------------------------------------------------------------------------- */

/* Registers get values that differ from lane to lane, each from those before it. */
static void scramble(struct mix *x, struct stream *s)
{
    int last = reg(s, LINEAR), before = last;
    for (int r = 0; r < x->regs; r++) {
        if (r >= s->kept && r < s->kept + GATES_KEPT)
            continue;
        switch (below(x, 8)) {
        case 0:
            line(s, "MVI R%d, 0x%x", r, below(x, 2) ? word(x) : 0x3f000000 + below(x, 1 << 25));
            break;
        case 1:
        case 2:
            line(s, "LOP.XOR R%d, R%d, R%d", r, last,
                 reg(s, (int)below(x, 2) ? RESULT : SIGNATURE));
            break;
        case 3: line(s, "SHL R%d, R%d, 0x%x", r, reg(s, SIGNATURE), 1 + below(x, 20)); break;
        default: line(s, "IMAD.U24 R%d, R%d, R%d, R%d", r, last, reg(s, SIGNATURE), before);
        }
        before = last;
        last = r;
    }
}

static void begin(struct mix *x, struct stream *s)
{
    int shift = (int)below(x, 5), t = reg(s, TEMPORARY);
    if (s->number)
        label(s, 's', s->number);
    line(s, "LOP32I.AND R1, R0, 0x3ff");
    line(s, "LOP32I.AND R2, R0, 0x1f");
    line(s, "SHL R3, R2, 0x2");
    line(s, "MVI R4, 0x%x", s->window);
    line(s, "IADD R5, R3, R4");
    line(s, "SHL R6, R2, 0x4");
    line(s, "LOP32I.AND R6, R6, 0x70");
    line(s, "IADD R4, R6, R4");
    line(s, "SHR R6, R2, 0x%x", shift); /* 4: the same in 16 lanes */
    line(s, "LOP32I.AND R6, R6, 0x3");
    line(s, "SHL R6, R6, 0x4");
    line(s, "LOP32I.AND R2, R2, 0x3");
    line(s, "SHL R2, R2, 0x2");
    line(s, "MOV R%d, R5", reg(s, LINEAR));
    line(s, "MOV R%d, R4", reg(s, FOLDED));
    line(s, "MOV R%d, R2", reg(s, FEW));
    line(s, "MOV R%d, R6", reg(s, LOCAL));
    line(s, "SHL R4, R1, 0x2");
    line(s, "IADD R%d, g[0x4], R4", reg(s, RESULT));
    line(s, "SHL R4, R1, 0x4");
    line(s, "IADD R%d, g[0x5], R4", reg(s, SCRATCH));
    line(s, "MVI R4, 0x%x", word(x) | 1);
    line(s, "MVI R2, 0x%x", word(x));
    line(s, "IMAD.U24 R%d, R1, R4, R2", reg(s, SIGNATURE));
    if (x->readable) { /* all streams store the same there */
        line(s, "R2A A1, R3");
        line(s, "R2G.U32.U32 g[A1+0x%x], R3", PARAMETERS / 4);
    }
    line(s, "R2A A1, R%d", reg(s, LINEAR));
    for (uint32_t at = 0; at < x->size; at += GATES_SLOT) {
        uint32_t to = at + GATES_SLOT <= x->size ? at : x->size - GATES_SLOT;
        line(s, "IMAD.U24 R%d, R%d, R%d, R%d", t, reg(s, SIGNATURE), reg(s, LINEAR),
             reg(s, SIGNATURE));
        line(s, "R2G.U32.U32 g[A1+0x%x], R%d", to / 4, t);
        fold(s, t);
    }
    scramble(x, s);
    for (int i = 0; i < FLAGS; i++) {
        int a = changed(x, s, -1);
        line(s, "IADD.C%d o[0x7f], R%d, R%d", i, a, changed(x, s, a));
    }
    for (int i = 1; i <= ADDRESSES; i++)
        line(s, "R2A A%d, R%d, 0x%x", i, changed(x, s, -1), below(x, 16));
}

/* The threads end in two groups, where an exit ends them. */
static void end(struct mix *x, struct stream *s)
{
    char cond[24];
    int n = x->labels++;
    if (x->m->exit_ends) {
        line(s, "BRA %s, q%d", condition(x, cond), n);
        line(s, "IADD.EXIT o[0x7f], R%d, R%d", reg(s, SIGNATURE), reg(s, LINEAR));
        label(s, 'q', n);
    }
    line(s, x->m->exit_ends ? "NOP.EXIT" : "RET");
    s->cost.extra += 2 * x->beat;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* Cycles of all streams since `from`, between two barriers. */
static long cycles_since(const struct mix *x, const struct cost *from)
{
    long most = 0, sum = 0;
    for (int i = 0; i < x->streams; i++) {
        const struct cost *c = &x->stream[i].cost;
        long alone = (c->executed - from[i].executed) * STAGES * x->beat + c->waits - from[i].waits;
        most = alone > most ? alone : most;
        sum += c->extra - from[i].extra;
    }
    return most + sum;
}

static void note(const struct mix *x, struct cost *to)
{
    for (int i = 0; i < x->streams; i++)
        to[i] = x->stream[i].cost;
}

/* What fold_all and end would cost now. */
static long cost_of_end(struct mix *x)
{
    struct mix copy = *x;
    struct cost from[MAX_STREAMS];
    note(x, from);
    for (int i = 0; i < x->streams; i++) {
        copy.stream[i].text = (struct fl_buf){0};
        fold_all(&copy, &copy.stream[i]);
        end(&copy, &copy.stream[i]);
        line(&copy.stream[i], "BAR");
        fl_buf_free(&copy.stream[i].text);
    }
    return cycles_since(&copy, from);
}

/* Has every stream registers left for what an instruction writes and what is saved before it? */
static bool has_room(const struct mix *x)
{
    for (int i = 0; i < x->streams; i++) {
        int free = 0;
        for (int r = 0; r < x->regs; r++)
            free += !x->stream[i].used[r];
        if (free < GATES_KEPT + ROOM)
            return false;
    }
    return true;
}

/* One more step of every stream. False: there is no room. */
static bool step(struct mix *x)
{
    bool more = has_room(x);
    for (int i = 0; i < x->streams; i++) {
        struct stream *s = &x->stream[i];
        if (below(x, 100) < DIVERGED && s->instructions > 0)
            write_flow(x, s);
        more &= write_instruction(x, s, false);
    }
    return more;
}

/* A copy of all that a step changes, but text, which only grows. */
struct before {
    struct mix mix;
    long *drawn;
};

static void keep(const struct mix *x, struct before *b)
{
    b->mix = *x;
    memcpy(b->drawn, x->drawn, (size_t)isa_nrows * sizeof *b->drawn);
}

static void take_back(struct mix *x, const struct before *b)
{
    for (int i = 0; i < x->streams; i++) {
        struct fl_buf text = x->stream[i].text;
        text.size = b->mix.stream[i].text.size;
        x->stream[i] = b->mix.stream[i];
        x->stream[i].text = text;
    }
    x->labels = b->mix.labels;
    memcpy(x->drawn, b->drawn, (size_t)isa_nrows * sizeof *b->drawn);
}

/* A round of at most `budget` cycles with what ends the program; `least`: at least one step, whatever it costs. Returns
 * the steps. */
static int round_of(struct mix *x, const struct cost *from, long budget, bool least)
{
    struct before b = {.drawn = fl_alloc((size_t)isa_nrows * sizeof *b.drawn)};
    int steps = 0;
    memset(x->failed, 0, (size_t)isa_nrows * sizeof *x->failed);
    for (;; steps++) {
        keep(x, &b);
        if (!step(x) || (cycles_since(x, from) + cost_of_end(x) > budget && !(least && !steps))) {
            take_back(x, &b);
            break;
        }
    }
    free(b.drawn);
    return steps;
}

static void write_barrier(struct mix *x)
{
    uint32_t number = below(x, (uint32_t)x->m->barriers), mask = below(x, 4096);
    const char *all = below(x, 2) ? ".ALL" : "";
    for (int i = 0; i < x->streams; i++)
        line(&x->stream[i], "BAR.ARV.WAIT%s b%u, 0x%x", all, number, mask);
}

/* How many warps, and what each of them has. */
static int choose_shape(struct mix *x, struct fl_err *err)
{
    const struct sbst_machine *m = x->m;
    int most = m->regs / SBST_LANES / 32, shared = m->shared_bytes - READABLE;
    int limit = m->block_threads / SBST_LANES;
    most = most > MAX_STREAMS ? MAX_STREAMS : most;
    most = most > limit ? limit : most;
    most = shared / (GATES_SLOT + 64) < most ? shared / (GATES_SLOT + 64) : most;
    if (m->regs / SBST_LANES < 32 || m->shared_bytes < PARAMETERS + GATES_SLOT + 64)
        return fl_fail(err,
                       "--gates: profile %s has %d registers and %d bytes of shared memory, and a "
                       "mix needs 1024 and %d; choose another profile",
                       m->profile, m->regs, m->shared_bytes, PARAMETERS + GATES_SLOT + 64);
    x->streams = most < 2 ? 1 : 2 + (int)below(x, (uint32_t)most - 1);
    x->regs = m->regs / SBST_LANES / x->streams;
    x->regs = x->regs > GATES_REGS ? GATES_REGS : x->regs / 4 * 4;
    x->readable = most >= 2;
    int start = x->readable ? READABLE : PARAMETERS;
    int room = (m->shared_bytes - start) / x->streams / 8 * 8;
    x->size = (uint32_t)(room < WINDOW ? room : WINDOW);
    for (int i = 0; i < x->streams; i++) {
        struct stream *s = &x->stream[i];
        s->number = i;
        s->kept = 8 + 4 * (int)below(x, (uint32_t)(x->regs - 8 - GATES_KEPT) / 4 + 1);
        s->window = (uint32_t)(start + i * room) + 8 * below(x, ((uint32_t)room - x->size) / 8 + 1);
    }
    return 0;
}

static void write_source(const struct mix *x, struct gates_program *p)
{
    fl_buf_printf(&p->source,
                  "// %s.sasm -- %s.\n// Made by: %s\n\n.kernel mix\n.param ptr OUT // a signature "
                  "of each thread for each check-point\n.param ptr SCRATCH // what stores leave\n"
                  ".regs %d\n.shared WINDOWS, %d\n.local %d\n",
                  p->name, p->about, p->command, x->regs, x->m->shared_bytes - PARAMETERS,
                  GATES_LOCAL);
    if (x->streams > 1)
        fl_buf_printf(&p->source, "    LOP32I.AND R1, R0, 0x3ff\n    SHR R1, R1, 0x5\n");
    for (int i = 1; i < x->streams; i++)
        fl_buf_printf(&p->source,
                      "    MVI R2, 0x%x\n    ISET.S32.C0 o[0x7f], R1, R2, EQ\n    BRA C0.NE, s%d\n",
                      i, i);
    for (int i = 0; i < x->streams; i++)
        fl_buf_add(&p->source, x->stream[i].text.data, x->stream[i].text.size);
}

/* Every bank of constants and every texture unit holds something. */
static void write_job(const struct mix *x, struct gates_program *p, int rounds, int stores)
{
    static const char *const format[] = {"unorm8", "u8", "snorm8", "s8"};
    const unsigned long long seed = p->seed;
    int threads = SBST_LANES * x->streams;
    fl_buf_printf(&p->job,
                  "  <buffer name=\"signatures\" size=\"%d\" fill=\"0xffffffff\"/>\n"
                  "  <buffer name=\"scratch\" size=\"%d\"><random type=\"u32\" seed=\"%llu\"/>"
                  "</buffer>\n"
                  "  <buffer name=\"texels\" size=\"%d\"><random type=\"u32\" seed=\"%llu\"/>"
                  "</buffer>\n",
                  4 * threads * rounds, (stores + 1) * STEP_BYTES * threads, seed,
                  64 * (GATES_TEXTURES + 1), seed);
    for (unsigned bank = 0; bank < 16; bank++)
        fl_buf_printf(&p->job,
                      "  <constant bank=\"%u\" offset=\"0\"><random type=\"u32\" seed=\"%llu\" "
                      "count=\"16384\"/></constant>\n",
                      bank, seed + bank + 1);
    for (int unit = 0; unit < GATES_TEXTURES; unit++)
        fl_buf_printf(&p->job,
                      "  <texture unit=\"%d\" buffer=\"texels\" offset=\"%d\" width=\"%d\" "
                      "height=\"4\" format=\"%s\" channels=\"4\"/>\n",
                      unit, 64 * unit, 4 + unit % 4, format[unit / 4 % 4]);
    fl_buf_printf(&p->job,
                  "  <launch kernel=\"mix\" grid=\"1\" block=\"%d\">\n"
                  "    <param name=\"OUT\" buffer=\"signatures\"/>\n"
                  "    <param name=\"SCRATCH\" buffer=\"scratch\"/>\n  </launch>\n"
                  "  <output name=\"signatures\" buffer=\"signatures\"/>\n"
                  "  <output name=\"scratch\" buffer=\"scratch\"/>\n",
                  threads);
}

static void finish(struct mix *x, struct gates_program *p, long cycles, int rounds)
{
    int stores = 0;
    p->instructions = x->streams > 1 ? 3 * x->streams - 1 : 0;
    for (int i = 0; i < x->streams; i++) {
        stores = x->stream[i].stores > stores ? x->stream[i].stores : stores;
        p->instructions += x->stream[i].instructions;
    }
    p->cycles = cycles;
    p->launches = 1;
    write_source(x, p);
    write_job(x, p, rounds, stores);
}

static int write_rounds(struct mix *x, int budget, struct gates_program *p, struct fl_err *err)
{
    struct cost from[MAX_STREAMS] = {{0}};
    long spent = MARGIN + (long)STAGES * x->beat * (3 * x->streams - 1);
    int rounds = 0, steps;
    for (int i = 0; i < x->streams; i++)
        begin(x, &x->stream[i]);
    do {
        steps = round_of(x, from, budget - spent, rounds == 0);
        if (steps == 0 && rounds > 0)
            break;
        for (int i = 0; i < x->streams; i++)
            fold_all(x, &x->stream[i]);
        write_barrier(x);
        spent += cycles_since(x, from);
        note(x, from);
        rounds++;
    } while (steps > 1);
    for (int i = 0; i < x->streams; i++)
        end(x, &x->stream[i]);
    spent += cycles_since(x, from);
    if (spent > budget) {
        fl_fail(err,
                "--max-cycles %d: a mix for profile %s with this seed takes at least %ld; use "
                "--max-cycles %ld or more",
                budget, x->m->profile, spent, spent);
        return 1;
    }
    finish(x, p, spent, rounds);
    return 0;
}

int gates_mix(const struct gates_row *row, const struct sbst_machine *machine, uint64_t seed,
              int cycles, struct gates_program *out, struct fl_err *err)
{
    struct mix x = {.m = machine, .random = seed, .beat = SBST_LANES / machine->sps};
    x.drawn = fl_alloc((size_t)isa_nrows * sizeof *x.drawn);
    x.failed = fl_alloc((size_t)isa_nrows * sizeof *x.failed);
    for (int i = 0; i < isa_nrows; i++) {
        enum isa_op op = (enum isa_op)isa_rows[i].preset.op;
        bool flow = isa_op_class(op) == ISA_CONTROL && op != OP_NOP;
        x.drawn[i] = gates_row_runs(&isa_rows[i]) && !flow ? 0 : -1;
    }
    *out = (struct gates_program){.row = row, .machine = machine, .seed = seed};
    out->name = fl_format("gates-%s-s%llu", row->name, (unsigned long long)seed);
    out->about = fl_format("self-test of the gates of the control: %s", row->title);
    char *units = gates_unit_list(row->units, ",");
    out->command = fl_format("sbstgen --gates %s --seed %llu --max-cycles %d --profile %s", units,
                             (unsigned long long)seed, cycles, machine->profile);
    free(units);
    int bad = choose_shape(&x, err);
    bad = bad ? bad : write_rounds(&x, cycles, out, err);
    for (int i = 0; i < MAX_STREAMS; i++)
        fl_buf_free(&x.stream[i].text);
    free(x.drawn);
    free(x.failed);
    if (bad)
        gates_program_free(out);
    return bad;
}
