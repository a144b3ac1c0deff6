/* stream.c -- the code of one warp of a mix: its signature, and one random instruction with all that it needs. */
#include "internal.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

uint32_t mix_below(struct mix *x, uint32_t n)
{
    return gates_below(&x->random, n);
}

uint32_t mix_word(struct mix *x)
{
    return (uint32_t)(fl_random(&x->random) >> 32);
}

int mix_reg(const struct stream *s, int which)
{
    return s->kept + which;
}

void mix_line(struct stream *s, const char *fmt, ...)
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

void mix_label(struct stream *s, char kind, int number)
{
    fl_buf_printf(&s->text, "%c%d:\n", kind, number);
}

void mix_memory(const struct mix *x, struct stream *s, int transactions)
{
    s->cost.waits += x->m->global_latency;
    s->cost.extra += (long)transactions * x->m->global_transaction + (x->streams + 1) * x->beat;
}

/* ---- signature --------------------------------------------------------------------------------------------------- */

/* C1 holds nothing by now. */
void mix_fold(struct stream *s, int value)
{
    int r = mix_reg(s, SIGNATURE);
    mix_line(s, "IADD.C1 R%d, R%d, R%d", r, r, r);
    mix_line(s, "IADD.CARRY1 R%d, R%d, R%d", r, r, value);
}

static void advance(const struct mix *x, struct stream *s, int which, int bytes)
{
    mix_line(s, "MVI R%d, 0x%x", mix_reg(s, TEMPORARY), SBST_LANES * x->streams * bytes);
    mix_line(s, "IADD R%d, R%d, R%d", mix_reg(s, which), mix_reg(s, which), mix_reg(s, TEMPORARY));
}

void mix_next_step(struct mix *x, struct stream *s)
{
    advance(x, s, SCRATCH, STEP_BYTES);
    s->stores++;
}

/* The end of a round. */
void mix_fold_all(struct mix *x, struct stream *s)
{
    static const int flags[FLAGS] = {1, 0, 2, 3};
    int t = mix_reg(s, TEMPORARY);
    if (s->checkpoints++)
        advance(x, s, RESULT, 4);
    for (int i = 0; i < FLAGS; i++) {
        mix_line(s, "C2R R%d, C%d", t, flags[i]);
        mix_fold(s, t);
    }
    for (int i = 1; i <= ADDRESSES; i++) {
        mix_line(s, "A2R R%d, A%d", t, i);
        mix_fold(s, t);
    }
    for (int r = 0; r < x->regs; r++)
        if (r != mix_reg(s, SIGNATURE) && r != t)
            mix_fold(s, r);
    mix_line(s, "R2A A1, R%d", mix_reg(s, LINEAR));
    for (uint32_t at = 0; at < s->slot; at += GATES_SLOT) {
        mix_line(s, "MOV R%d, g[A1+0x0]", t);
        mix_line(s, "ADA A1, A1, 0x%x", GATES_SLOT);
        mix_fold(s, t);
    }
    mix_line(s, "GST.U32 global14[R%d], R%d", mix_reg(s, RESULT), mix_reg(s, SIGNATURE));
    mix_memory(x, s, 2);
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
                                .address = mix_reg(s, SCRATCH),
                                .window = s->window,
                                .size = x->size,
                                .slot = s->slot,
                                .readable = x->readable ? READABLE : s->window + x->size,
                                .plain = plain,
                                .hosted = x->hosted};
}

static int take(struct mix *x, struct stream *s, int n)
{
    struct gates_place p = place_of(x, s, true);
    int first = gates_free(&p, n, n, x->regs);
    for (int i = 0; i < n && first >= 0; i++)
        s->used[first + i] = true;
    return first;
}

bool mix_save_flag(struct mix *x, struct stream *s, int n)
{
    int to = s->flag[n] ? take(x, s, 1) : 0;
    if (s->flag[n] && to >= 0)
        mix_line(s, "C2R R%d, C%d", to, n);
    return to >= 0;
}

static bool save_address(struct mix *x, struct stream *s, int n)
{
    int to = s->address[n] ? take(x, s, 1) : 0;
    if (s->address[n] && to >= 0)
        mix_line(s, "A2R R%d, A%d", to, n);
    return to >= 0;
}

/* What the instruction overwrites that is no register. */
static bool save(struct mix *x, struct stream *s, const struct isa_insn *in,
                 const struct isa_operand *indexed)
{
    bool good = true;
    if (in->cc_dst >= 0)
        good = mix_save_flag(x, s, in->cc_dst);
    if (good && in->dst.kind == ISA_CC)
        good = mix_save_flag(x, s, (int)in->dst.value);
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
               : mix_below(x, 2)  ? LINEAR
                                  : FOLDED;
    mix_line(s, "R2A A%u, R%d", o->areg, mix_reg(s, from));
    if (store && o->kind == ISA_S && o->postinc && s->slot)
        mix_line(s, "ADA A%u, A%u, 0x%x", o->areg, o->areg, s->slot);
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
void mix_fill_local(struct mix *x, struct stream *s, const struct isa_operand *o)
{
    char *at = local_block(o);
    mix_line(s, "LST.S128 %s, R%u", at, 4 * mix_below(x, (uint32_t)x->regs / 4));
    mix_memory(x, s, SBST_LANES);
    free(at);
}

static void read_local(struct mix *x, struct stream *s, const struct isa_operand *o, int to)
{
    char *at = local_block(o);
    mix_line(s, "LLD.S128 R%d, %s", to, at);
    mix_memory(x, s, SBST_LANES);
    free(at);
}

void mix_fold_local(struct mix *x, struct stream *s, const struct isa_operand *o)
{
    if (o->postinc)
        mix_line(s, "R2A A%u, R%d", o->areg, mix_reg(s, LOCAL));
    read_local(x, s, o, 0);
    for (int r = 0; r < 4; r++) /* kept ones begin behind them */
        mix_fold(s, r);
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
            (x->drawn[i] == x->drawn[best] && mix_below(x, ++ties + 1) == 0))
            best = i;
    }
    return best;
}

void mix_emit(struct mix *x, struct stream *s, const char *text, const struct isa_insn *in)
{
    enum isa_op op = (enum isa_op)in->op;
    mix_line(s, "%s", text);
    if (op == OP_GLD || op == OP_GST || op == OP_LLD || op == OP_LST || op == OP_TEX ||
        op == OP_TLD)
        mix_memory(x, s, SBST_LANES);
    if (isa_op_class(op) == ISA_SFU && x->m->sfu_cycles > x->beat)
        s->cost.extra += x->m->sfu_cycles - x->beat;
}

static void write_drawn(struct mix *x, struct stream *s, const struct gates_drawn *d)
{
    mix_emit(x, s, d->text, &d->in);
    mark(s, d);
}

/* Short instructions come in pairs. */
static void write_second(struct mix *x, struct stream *s)
{
    struct gates_place p = place_of(x, s, true);
    struct gates_drawn d;
    int row = next_row(x, true);
    if (row < 0 || !gates_draw(&p, &isa_rows[row], &d)) {
        mix_line(s, "MOV32 R0, R0");
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
    if (global && mix_below(x, 2) && (p.address = take(x, s, 1)) < 0)
        return false;
    if (!gates_draw(&p, &isa_rows[row], &d))
        return false;
    mark(s,
         &(struct gates_drawn){.in = {.cc_dst = -1}, .first = d.first, .registers = d.registers});
    int back = op == OP_LST ? take(x, s, 4) : 0;
    bool store = d.in.dst.kind == ISA_S;
    if (back < 0 || !save(x, s, &d.in, d.indexed))
        return false;
    if (global && p.address != mix_reg(s, SCRATCH))
        mix_line(s, "MOV R%d, R%d", p.address, mix_reg(s, SCRATCH));
    if (d.indexed)
        load_index(x, s, d.indexed, store);
    if (op == OP_LLD || op == OP_LST)
        mix_fill_local(x, s, op == OP_LLD ? &d.in.src[0] : &d.in.dst);
    int join = d.in.join ? x->labels++ : 0;
    if (d.in.join) {
        mix_line(s, "SSY j%d", join);
        mix_label(s, 'j', join);
    }
    write_drawn(x, s, &d);
    if (d.in.size == 4)
        write_second(x, s);
    if (op == OP_LST)
        read_local(x, s, &d.in.dst, back);
    if (op == OP_GST)
        mix_next_step(x, s);
    s->slot += store ? GATES_SLOT : 0;
    return true;
}

/* A random instruction. False: no row finds room any more. */
bool mix_instruction(struct mix *x, struct stream *s, bool plain)
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
