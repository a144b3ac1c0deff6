/* simplify.c -- copies and numbers go where they are read, what is computed twice is computed once, what nobody reads goes.
 *
 * clang has done all that to its own form. What is left is what lowering brought in: addresses of variables, pieces of
 * products and conversions, moves. Most registers have one place that writes them; only those are touched.
 */
#include "ir.h"

#include <string.h>

struct def {
    struct cc_insn *i; /* the only one that writes the register, NULL: several, or guarded */
    int block, at;
};

struct pass {
    struct cc_fn *f;
    struct def *def;
    bool changed;
};

static void find_defs(struct pass *p)
{
    struct cc_fn *f = p->f;
    cc_count(f);
    p->def = cc_alloc(f->scratch, (size_t)f->nvregs * sizeof *p->def);
    for (int b = 0; b < f->nblocks; b++)
        for (int i = 0; i < f->block[b].n && !f->block[b].gone; i++) {
            struct cc_insn *in = &f->block[b].insn[i];
            if (in->d >= 0 && in->guard < 0 && f->vreg[in->d].defs == 1)
                p->def[in->d] = (struct def){in, b, i};
            if (in->dc >= 0 && in->guard < 0 && f->vreg[in->dc].defs == 1)
                p->def[in->dc] = (struct def){in, b, i};
        }
}

static bool stable(const struct pass *p, int v) /* has one value wherever it is read */
{
    return v >= 0 && p->f->vreg[v].defs == 1;
}

static bool plain(const struct cc_operand *o)
{
    return !o->half && !o->neg && !o->abs && !o->inv;
}

static bool is_float(const struct cc_insn *i)
{
    return i->op >= I_FADD && i->op <= I_FSET;
}

/* May operand k of i be a number in the end, at no cost? */
static bool takes_number(const struct cc_insn *i, int k)
{
    switch (i->op) {
    case I_MOV:
    case I_TEXIN:
    case I_LD:
    case I_R2A: return true;
    case I_ADD:
    case I_MUL24:
    case I_MIN:
    case I_MAX:
    case I_SET:
    case I_AND:
    case I_OR:
    case I_XOR:
    case I_FADD:
    case I_FMUL:
    case I_FMIN:
    case I_FMAX:
    case I_FSET: return i->a[1 - (k & 1)].kind != K_IMM;
    case I_SHL:
    case I_SHR: return k == 1;
    case I_FMAD:
    case I_MAD24: return i->a[0].kind != K_IMM && i->a[1].kind != K_IMM && i->a[2].kind != K_IMM;
    case I_MUL16: return i->a[1 - (k & 1)].kind != K_IMM;
    case I_ST:
    case I_ATOM: return k == 0;
    default: return false;
    }
}

/* Number x in the place of the register of o. */
static struct cc_operand as_number(const struct cc_insn *i, const struct cc_operand *o, uint32_t x)
{
    x = o->half == LOW ? x & 0xffff : o->half == HIGH ? x >> 16 : x;
    if (o->inv)
        x = ~x;
    if (o->abs)
        x &= 0x7fffffff; /* of floats only */
    if (o->neg)
        x = is_float(i) ? x ^ 0x80000000 : 0 - x;
    return cc_imm(x);
}

static void propagate(struct pass *p, struct cc_insn *i)
{
    for (int k = 0; k < 3; k++) {
        struct cc_operand *o = &i->a[k];
        if (o->kind != K_R || !stable(p, o->v) || !p->def[o->v].i)
            continue;
        const struct cc_insn *d = p->def[o->v].i;
        if (d->op != I_MOV || d == i || d->dc >= 0)
            continue;
        if (d->a[0].kind == K_R && plain(&d->a[0]) && stable(p, d->a[0].v)) {
            o->v = d->a[0].v;
            p->changed = true;
        } else if (d->a[0].kind == K_IMM && takes_number(i, k) && !(o->abs && !is_float(i)) &&
                   !(i->op == I_ADD && o->neg && (i->dc >= 0 || i->cin >= 0))) {
            *o = as_number(i, o, d->a[0].imm);
            p->changed = true;
        }
    }
}

/* Within a block, copies of registers that are written in several places too. */
static void propagate_here(struct pass *p, struct cc_block *b)
{
    enum { KEPT = 16 };
    struct copy {
        int d;
        struct cc_operand a;
    } copy[KEPT];
    int n = 0;
    for (int i = 0; i < b->n; i++) {
        struct cc_insn *in = &b->insn[i];
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < n && in->a[k].kind == K_R; j++) {
                struct cc_operand *o = &in->a[k];
                if (copy[j].d != o->v || (o->v == in->d && in->guard >= 0))
                    continue;
                if (copy[j].a.kind == K_R) {
                    o->v = copy[j].a.v;
                    p->changed = true;
                } else if (takes_number(in, k) && !(o->abs && !is_float(in)) &&
                           !(in->op == I_ADD && o->neg && (in->dc >= 0 || in->cin >= 0))) {
                    *o = as_number(in, o, copy[j].a.imm);
                    p->changed = true;
                }
            }
        for (int j = 0; j < n; j++)
            if (in->d >= 0 &&
                (copy[j].d == in->d || (copy[j].a.kind == K_R && copy[j].a.v == in->d)))
                copy[j--] = copy[--n];
        if (in->op == I_MOV && in->guard < 0 && in->d >= 0 && in->dc < 0 && n < KEPT &&
            (in->a[0].kind == K_IMM ||
             (in->a[0].kind == K_R && plain(&in->a[0]) && in->a[0].v != in->d)))
            copy[n++] = (struct copy){in->d, in->a[0]};
    }
}

/* Both operands are numbers. */
static bool compute(const struct cc_insn *i, uint32_t *out)
{
    uint32_t a = i->a[0].imm, b = i->a[1].imm;
    switch (i->op) {
    case I_ADD: *out = a + b; return true;
    case I_AND: *out = a & b; return true;
    case I_OR: *out = a | b; return true;
    case I_XOR: *out = a ^ b; return true;
    case I_SHL: *out = b > 31 ? 0 : a << b; return true;
    case I_MUL16:
        if (i->sign)
            return false;
        *out = (a & 0xffff) * (b & 0xffff);
        return true;
    default: return false;
    }
}

static void become_move(struct cc_insn *i, struct cc_operand o)
{
    i->op = I_MOV;
    i->a[0] = o;
    i->a[1].kind = i->a[2].kind = K_NONE;
}

static void fold(struct pass *p, struct cc_insn *i)
{
    uint32_t x;
    if (i->dc >= 0 || i->cin >= 0 || i->d < 0 || i->sat)
        return;
    bool numbers = i->a[0].kind == K_IMM && i->a[1].kind == K_IMM;
    if (numbers && compute(i, &x)) {
        become_move(i, cc_imm(x));
        p->changed = true;
        return;
    }
    bool commutes = i->op == I_ADD || i->op == I_AND || i->op == I_OR || i->op == I_XOR;
    if (commutes && i->a[0].kind == K_IMM && i->a[1].kind == K_R) {
        struct cc_operand t = i->a[0];
        i->a[0] = i->a[1];
        i->a[1] = t;
    }
    if (i->a[1].kind != K_IMM || i->a[0].kind != K_R)
        return;
    x = i->a[1].imm;
    bool nothing = x == 0 && (i->op == I_ADD || i->op == I_OR || i->op == I_XOR || i->op == I_SHL ||
                              i->op == I_SHR);
    if (i->op == I_AND && x == 0xffffffff)
        nothing = true;
    if (nothing && plain(&i->a[0])) {
        become_move(i, i->a[0]);
        p->changed = true;
    } else if (i->op == I_AND && x == 0) {
        become_move(i, cc_imm(0));
        p->changed = true;
    } else if (i->op == I_ADD && plain(&i->a[0]) && stable(p, i->a[0].v)) { /* (y + c) + x */
        const struct cc_insn *d = p->def[i->a[0].v].i;
        if (d && d != i && d->op == I_ADD && d->a[1].kind == K_IMM && d->a[0].kind == K_R &&
            plain(&d->a[0]) && stable(p, d->a[0].v) && d->cin < 0 && !d->sat) {
            i->a[0] = d->a[0];
            i->a[1].imm = x + d->a[1].imm;
            p->changed = true;
        }
    }
}

/* The address of a load or store takes in what its register adds. */
static void fold_address(struct pass *p, struct cc_insn *i)
{
    if (i->op != I_LD && i->op != I_ST && i->op != I_ATOM)
        return;
    struct cc_operand *o = &i->a[0];
    if (o->kind == K_IMM) {
        i->off += o->imm;
        o->kind = K_NONE;
        o->v = -1;
        p->changed = true;
        return;
    }
    if (o->kind != K_R || !stable(p, o->v) || !p->def[o->v].i)
        return;
    const struct cc_insn *d = p->def[o->v].i;
    if (d->op == I_ADD && d->a[1].kind == K_IMM && d->a[0].kind == K_R && plain(&d->a[0]) &&
        stable(p, d->a[0].v) && d->cin < 0) {
        i->off += d->a[1].imm;
        *o = d->a[0];
        p->changed = true;
    }
}

/* A parameter or the header of s[] at a fixed place is an operand. */
static void fold_parameter(struct pass *p, struct cc_insn *i)
{
    struct cc_fn *f = p->f;
    if (i->op != I_LD || i->space != S_SHARED || i->a[0].kind != K_NONE || i->is_volatile ||
        i->off >= f->params_end)
        return;
    static const uint32_t reach[] = {
        [M_32] = 124, [M_U8] = 31, [M_U16] = 62, [M_S16] = 62, [M_S8] = 0};
    if (i->size == M_S8 || i->off > reach[i->size])
        return;
    i->op = I_MOV;
    i->a[0] = cc_s(-1, i->off, i->size);
    p->changed = true;
}

/* ---- what is computed twice ---- */

static bool same_operand(const struct cc_operand *a, const struct cc_operand *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == K_NONE)
        return true;
    return a->v == b->v && a->imm == b->imm && a->half == b->half && a->neg == b->neg &&
           a->abs == b->abs && a->inv == b->inv && a->size == b->size;
}

static bool same_insn(const struct cc_insn *a, const struct cc_insn *b)
{
    return a->op == b->op && a->cmp == b->cmp && a->space == b->space && a->size == b->size &&
           a->sign == b->sign && a->trunc == b->trunc && a->sat == b->sat && a->text == b->text &&
           a->off == b->off && same_operand(&a->a[0], &b->a[0]) &&
           same_operand(&a->a[1], &b->a[1]) && same_operand(&a->a[2], &b->a[2]);
}

static bool shareable(const struct pass *p, const struct cc_insn *i)
{
    if (i->d < 0 || i->dc >= 0 || i->cin >= 0 || i->guard >= 0 || !stable(p, i->d) || !cc_pure(i))
        return false;
    if (i->op == I_LD && i->space != S_CONST)
        return false;
    if (i->op == I_MOV && i->a[0].kind != K_S)
        return false;
    if (p->f->vreg[i->d].class != CC_R)
        return false;
    for (int k = 0; k < 3; k++) {
        const struct cc_operand *o = &i->a[k];
        if (o->kind == K_R && !stable(p, o->v))
            return false;
        if (o->kind == K_S && (o->v >= 0 || o->imm >= p->f->params_end))
            return false;
    }
    return true;
}

static uint32_t hash(const struct cc_insn *i)
{
    uint32_t h = i->op * 131u + i->off + (uint32_t)(uintptr_t)i->text;
    for (int k = 0; k < 3; k++)
        if (i->a[k].kind != K_NONE)
            h = (h ^ (uint32_t)i->a[k].v ^ i->a[k].imm ^ (uint32_t)i->a[k].kind << 24) * 16777619u;
    return h ^ h >> 15;
}

static void share(struct pass *p, const struct cc_flow *g)
{
    enum { CHAIN = 64 };
    struct cc_fn *f = p->f;
    size_t buckets = 1024;
    while (buckets < (size_t)f->nvregs)
        buckets *= 2;
    struct seen {
        struct cc_insn *i;
        int block;
        struct seen *next;
    } **table = cc_alloc(f->scratch, buckets * sizeof *table);
    for (int r = 0; r < g->norder; r++) { /* dominators come first */
        struct cc_block *b = &f->block[g->order[r]];
        for (int i = 0; i < b->n; i++) {
            struct cc_insn *in = &b->insn[i];
            if (!shareable(p, in))
                continue;
            struct seen **bucket = &table[hash(in) & (buckets - 1)], *s = *bucket;
            for (int n = 0; s && n < CHAIN; n++, s = s->next)
                if (same_insn(s->i, in) && cc_dominates(g, s->block, g->order[r]))
                    break;
            if (s && s->i != in && same_insn(s->i, in)) {
                become_move(in, cc_r(s->i->d));
                in->text = NULL;
                p->changed = true;
                continue;
            }
            struct seen *mine = cc_alloc(f->scratch, sizeof *mine);
            *mine = (struct seen){in, g->order[r], *bucket};
            *bucket = mine;
        }
    }
}

/* ---- comparisons with zero ---- */

static bool sets_zero_flag(const struct cc_insn *i)
{
    switch (i->op) {
    case I_ADD:
    case I_AND:
    case I_OR:
    case I_XOR:
    case I_SHL:
    case I_SHR:
    case I_MIN:
    case I_MAX:
    case I_SET: return i->dc < 0 && i->guard < 0 && !i->sat;
    default: return false;
    }
}

/* Conditions that are the opposite now: flip[c]. */
static void flip_readers(struct cc_fn *f, const bool *flip)
{
    for (int b = 0; b < f->nblocks; b++) {
        struct cc_block *k = &f->block[b];
        for (int i = 0; i < k->n; i++)
            if (k->insn[i].guard >= 0 && flip[k->insn[i].guard])
                k->insn[i].cond = k->insn[i].cond == N_NE ? N_EQ : N_NE;
        if (k->guard >= 0 && flip[k->guard])
            k->cond = k->cond == N_NE ? N_EQ : N_NE;
    }
}

/* "x = ...; c = x == 0": the flags of the first will do. last[x]: its place + 1. */
static void fuse_flags(struct pass *p, struct cc_block *b, int at, const int *last, bool *flip)
{
    struct cc_fn *f = p->f;
    struct cc_insn *set = &b->insn[at];
    if (set->op != I_SET || set->d >= 0 || set->dc < 0 || set->guard >= 0 ||
        (set->cmp != P_EQ && set->cmp != P_NE) || set->a[0].kind != K_R || !plain(&set->a[0]) ||
        set->a[1].kind != K_IMM || set->a[1].imm > 1 || f->vreg[set->dc].defs != 1)
        return;
    int d = last[set->a[0].v] - 1;
    if (d < 0 || !sets_zero_flag(&b->insn[d]))
        return;
    struct cc_insn *def = &b->insn[d];
    bool one = set->a[1].imm == 1; /* x & 1 == 1 */
    if (one && !(def->op == I_AND && def->a[1].kind == K_IMM && def->a[1].imm == 1))
        return;
    def->dc = set->dc;
    if ((set->cmp == P_EQ) != one) /* true where the value is 0: "ne" of the mask is "eq" of it */
        flip[set->dc] = true;
    *set = cc_insn(I_MOV, -1); /* swept away */
    p->changed = true;
}

/* What it wrote is not wanted: neither is what it read. */
static void forget(struct cc_fn *f, const struct cc_insn *i)
{
    int r[8], n = cc_reads(i, r);
    for (int k = 0; k < n; k++)
        f->vreg[r[k]].uses--;
    if (i->d >= 0)
        f->vreg[i->d].defs--;
    if (i->dc >= 0)
        f->vreg[i->dc].defs--;
}

/* An atomic operation that the machine has without a result, too. */
static bool reduces(const struct cc_insn *i)
{
    return i->op == I_ATOM && i->space == S_GLOBAL && strncmp(i->text, "EXCH", 4) &&
           strncmp(i->text, "CAS", 3);
}

void cc_sweep(struct cc_fn *f)
{
    cc_count(f);
    for (bool again = true; again;) {
        again = false;
        for (int b = f->nblocks - 1; b >= 0; b--) {
            struct cc_block *k = &f->block[b];
            int n = k->n;
            for (int i = n - 1; i >= 0; i--) { /* readers before what they read */
                struct cc_insn *in = &k->insn[i];
                if (in->dc >= 0 && f->vreg[in->dc].uses == 0 && !cc_is_locked(in)) {
                    f->vreg[in->dc].defs--;
                    in->dc = -1;
                }
                bool other = in->dc >= 0 ? in->op != I_MOV && in->op != I_LD : reduces(in);
                if (in->d >= 0 && f->vreg[in->d].uses == 0 && in->d != 0 && other) {
                    f->vreg[in->d].defs--;
                    in->d = -1;
                }
                bool wanted = (in->d >= 0 && f->vreg[in->d].uses) || in->dc >= 0 || !cc_pure(in);
                bool self = in->op == I_MOV && in->d >= 0 && in->a[0].kind == K_R &&
                            in->a[0].v == in->d && plain(&in->a[0]);
                if (wanted && !self) {
                    k->insn[--n] = *in;
                    continue;
                }
                forget(f, in);
                again = true;
            }
            k->n -= n;
            if (n && k->n)
                memmove(k->insn, k->insn + n, (size_t)k->n * sizeof *k->insn);
        }
    }
}

static void fuse_all_flags(struct pass *p)
{
    struct cc_fn *f = p->f;
    int *last = cc_alloc(f->scratch, (size_t)f->nvregs * sizeof *last);
    bool *flip = cc_alloc(f->scratch, (size_t)f->nvregs);
    for (int b = 0; b < f->nblocks; b++) {
        struct cc_block *k = &f->block[b];
        for (int i = 0; i < k->n; i++) {
            fuse_flags(p, k, i, last, flip);
            const int out[2] = {k->insn[i].d, k->insn[i].dc};
            for (int o = 0; o < 2; o++)
                if (out[o] >= 0)
                    last[out[o]] = i + 1;
        }
        for (int i = 0; i < k->n; i++) {
            const int out[2] = {k->insn[i].d, k->insn[i].dc};
            for (int o = 0; o < 2; o++)
                if (out[o] >= 0)
                    last[out[o]] = 0;
        }
    }
    flip_readers(f, flip);
}

void cc_simplify(struct cc_fn *f)
{
    struct pass p = {.f = f};
    for (int round = 0; round < 10; round++) {
        p.changed = false;
        cc_arena_free(f->scratch);
        cc_tidy_flow(f);
        find_defs(&p);
        for (int b = 0; b < f->nblocks; b++)
            propagate_here(&p, &f->block[b]);
        for (int b = 0; b < f->nblocks; b++)
            for (int i = 0; i < f->block[b].n && !f->block[b].gone; i++) {
                struct cc_insn *in = &f->block[b].insn[i];
                propagate(&p, in);
                fold(&p, in);
                fold_address(&p, in);
                fold_parameter(&p, in);
            }
        find_defs(&p);
        struct cc_flow g = cc_flow(f);
        share(&p, &g);
        cc_sweep(f);
        fuse_all_flags(&p);
        cc_sweep(f);
        if (!p.changed)
            break;
    }
}
