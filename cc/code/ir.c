/* ir.c -- making and reading the compiler's own form of a kernel. */
#include "ir.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "cc/ptx/source.h"

int cc_new_vreg(struct cc_fn *f, enum cc_class class)
{
    CC_ROOM(f->arena, f->vreg, f->nvregs, f->vreg_room);
    f->vreg[f->nvregs] = (struct cc_vreg){
        .class = (uint8_t) class, .bits = 32, .root = -1, .color = -1};
    return f->nvregs++;
}

int cc_new_block(struct cc_fn *f)
{
    CC_ROOM(f->arena, f->block, f->nblocks, f->block_room);
    f->block[f->nblocks] = (struct cc_block){.guard = -1, .succ = {-1, -1}};
    return f->nblocks++;
}

struct cc_insn cc_insn(enum cc_op op, int d)
{
    return (struct cc_insn){.op = (uint8_t)op, .d = d, .dc = -1, .cin = -1, .guard = -1};
}

struct cc_insn *cc_add(struct cc_fn *f, int block, const struct cc_insn *i)
{
    struct cc_block *b = &f->block[block];
    CC_ROOM(f->arena, b->insn, b->n, b->room);
    b->insn[b->n] = *i;
    return &b->insn[b->n++];
}

struct cc_insn *cc_insert(struct cc_fn *f, struct cc_block *b, int at, int count)
{
    for (int i = 0; i < count; i++) {
        CC_ROOM(f->arena, b->insn, b->n, b->room);
        b->n++;
    }
    memmove(b->insn + at + count, b->insn + at, (size_t)(b->n - count - at) * sizeof *b->insn);
    for (int i = 0; i < count; i++) {
        b->insn[at + i] = cc_insn(I_MOV, -1);
        b->insn[at + i].place = at + count < b->n ? b->insn[at + count].place : b->place;
    }
    return b->insn + at;
}

int cc_fail(struct cc_fn *f, const struct cc_place *at, const char *fmt, ...)
{
    char text[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return cc_source_fail(f->source, f->module, at, f->err, text);
}

bool cc_pure(const struct cc_insn *i)
{
    return i->op != I_ST && i->op != I_ATOM && i->op != I_BAR && i->op != I_RET &&
           i->op != I_CLOCK && i->op != I_TEXIN && i->op != I_TEX && i->op != I_TEXOUT &&
           !i->is_volatile;
}

static int add_reads(const struct cc_operand *o, int *out, int n)
{
    if (o->kind != K_NONE && o->kind != K_IMM && o->v >= 0)
        out[n++] = o->v;
    return n;
}

int cc_reads(const struct cc_insn *i, int out[8])
{
    int n = 0;
    for (int k = 0; k < 3; k++)
        n = add_reads(&i->a[k], out, n);
    if (i->cin >= 0)
        out[n++] = i->cin;
    if (i->guard >= 0)
        out[n++] = i->guard;
    return n;
}

bool cc_reads_it(const struct cc_insn *i, int v)
{
    int r[8], n = cc_reads(i, r);
    for (int k = 0; k < n; k++)
        if (r[k] == v)
            return true;
    return false;
}

void cc_count(struct cc_fn *f)
{
    for (int v = 0; v < f->nvregs; v++)
        f->vreg[v].defs = f->vreg[v].uses = 0;
    f->vreg[0].defs = 1; /* R0, by the start of the block */
    for (int b = 0; b < f->nblocks; b++) {
        const struct cc_block *k = &f->block[b];
        if (k->gone)
            continue;
        for (int i = 0; i < k->n; i++) {
            int r[8], n = cc_reads(&k->insn[i], r);
            for (int j = 0; j < n; j++)
                f->vreg[r[j]].uses++;
            if (k->insn[i].d >= 0)
                f->vreg[k->insn[i].d].defs++;
            if (k->insn[i].dc >= 0)
                f->vreg[k->insn[i].dc].defs++;
        }
        if (k->guard >= 0)
            f->vreg[k->guard].uses++;
    }
}

/* ---- as text ---- */

static const char *const op_name[I_OPS] = {
    "mov",  "add",  "mul16", "mad16", "mul24", "mad24", "min",    "max",  "set",
    "shl",  "shr",  "and",   "or",    "xor",   "fadd",  "fmul",   "fmad", "fmin",
    "fmax", "fset", "conv",  "sfu",   "ld",    "st",    "atom",   "r2a",  "ada",
    "c2r",  "r2c",  "vote",  "clock", "texin", "tex",   "texout", "bar",  "ret"};

static void dump_operand(const struct cc_operand *o, FILE *to)
{
    if (o->kind == K_NONE)
        return;
    fprintf(to, " %s%s%s", o->neg ? "-" : "", o->inv ? "~" : "", o->abs ? "|" : "");
    if (o->kind == K_R)
        fprintf(to, "v%d%s", o->v, o->half == LOW ? "L" : o->half == HIGH ? "H" : "");
    else if (o->kind == K_IMM)
        fprintf(to, "0x%x", o->imm);
    else
        fprintf(to, "%c[v%d+0x%x]", o->kind == K_S ? 's' : 'c', o->v, o->imm);
}

void cc_dump(const struct cc_fn *f, FILE *to)
{
    for (int b = 0; b < f->nblocks; b++) {
        const struct cc_block *k = &f->block[b];
        if (k->gone)
            continue;
        fprintf(to, "B%d:%s\n", b, k->diverges ? " (diverges)" : "");
        for (int i = 0; i < k->n; i++) {
            const struct cc_insn *in = &k->insn[i];
            fprintf(to, "    ");
            if (in->guard >= 0)
                fprintf(to, "@v%d.%d ", in->guard, in->cond);
            fprintf(to, "%s", in->text ? in->text : op_name[in->op]);
            if (in->d >= 0)
                fprintf(to, " v%d", in->d);
            if (in->dc >= 0)
                fprintf(to, " (v%d)", in->dc);
            fprintf(to, " =");
            for (int j = 0; j < 3; j++)
                dump_operand(&in->a[j], to);
            if (in->op == I_LD || in->op == I_ST || in->op == I_ATOM)
                fprintf(to, " +%u", in->off);
            fprintf(to, "\n");
        }
        fprintf(to, "    -> %d %d (v%d.%d)\n", k->succ[0], k->succ[1], k->guard, k->cond);
    }
}
