/* address.c -- addresses of memory, as the machine has them.
 *
 * Global memory is addressed by a general register alone. Shared, local and constant memory are addressed by a number, or
 * by one of four address registers and a number; an operand in shared memory reaches 31 elements beyond the register.
 * What an address register holds is (a register << n) + a number, made with R2A and ADA. All accesses with the same
 * register and shift share it as far as their numbers reach. It is made where it dominates its uses, outside of loops where
 * that is possible; when its register is written again and again, behind each such place.
 */
#include "ir.h"

#include <stdlib.h>
#include <string.h>

struct access {
    int block, at;   /* place of the instruction when the pass began */
    int root, shift; /* root -1: a number alone */
    uint32_t off, anchor;
    bool near; /* an operand of shared memory: reaches 31 elements */
    int areg;
};

struct pass {
    struct cc_fn *f;
    struct cc_flow g;
    struct def {
        int block, at; /* -1: several, or the start */
    } * def;
    struct access *access;
    int n, room;
    struct todo { /* an instruction to put before `at` of a block */
        int block, at, order;
        struct cc_insn i;
    } * todo;
    int ntodo, todo_room;
};

static void find_defs(struct pass *p)
{
    struct cc_fn *f = p->f;
    cc_count(f);
    p->def = cc_alloc(f->scratch, (size_t)f->nvregs * sizeof *p->def);
    for (int v = 0; v < f->nvregs; v++)
        p->def[v] = (struct def){-1, -1};
    for (int b = 0; b < f->nblocks; b++)
        for (int i = 0; i < f->block[b].n; i++) {
            const struct cc_insn *in = &f->block[b].insn[i];
            if (in->d >= 0 && f->vreg[in->d].defs == 1 && in->d != 0)
                p->def[in->d] = (struct def){b, i};
        }
}

static bool stable(const struct pass *p, int v)
{
    return p->f->vreg[v].defs == 1;
}

static void put(struct pass *p, int block, int at, const struct cc_insn *i)
{
    CC_ROOM(p->f->scratch, p->todo, p->ntodo, p->todo_room);
    p->todo[p->ntodo] = (struct todo){block, at, p->ntodo, *i};
    p->ntodo++;
}

static int by_place(const void *a, const void *b)
{
    const struct todo *x = a, *y = b;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static void insert_all(struct pass *p)
{
    struct cc_fn *f = p->f;
    if (p->ntodo)
        qsort(p->todo, (size_t)p->ntodo, sizeof *p->todo, by_place);
    for (int i = 0; i < p->ntodo;) {
        struct cc_block *b = &f->block[p->todo[i].block], old = *b;
        int first = i;
        while (i < p->ntodo && p->todo[i].block == p->todo[first].block)
            i++;
        b->n = 0;
        b->room = old.n + i - first;
        b->insn = cc_alloc(f->arena, (size_t)b->room * sizeof *b->insn);
        for (int k = first, at = 0; k < i || at < old.n;)
            if (k < i && p->todo[k].at <= at) {
                struct cc_insn *in = &b->insn[b->n++];
                *in = p->todo[k++].i;
                if (!in->place.ptx_line)
                    in->place = at < old.n ? old.insn[at].place : old.place;
            } else
                b->insn[b->n++] = old.insn[at++];
    }
    p->ntodo = 0;
}

/* Where something made of `root` shall stand, for readers in `block` first at `at`: up the dominators to where fewer loops
 * are, not above the root. */
static struct def place_for(const struct pass *p, int root, int block, int at)
{
    const struct def *r = root >= 0 ? &p->def[root] : &(struct def){-1, -1};
    int best = block;
    for (int b = block; b >= 0; b = p->g.idom[b]) {
        if (p->g.depth[b] < p->g.depth[best])
            best = b;
        if (b == r->block || p->g.depth[best] == 0)
            break;
    }
    if (best != block)
        return (struct def){best, p->f->block[best].n};
    return (struct def){block, at};
}

/* ---- global memory ---- */

static void global_addresses(struct pass *p)
{
    enum { KEPT = 32 };
    struct cc_fn *f = p->f;
    for (int b = 0; b < f->nblocks; b++) {
        struct kept {
            int base, reg;
            uint32_t off;
        } kept[KEPT];
        int n = 0;
        struct cc_block *k = &f->block[b];
        for (int i = 0; i < k->n && !k->gone; i++) {
            struct cc_insn *in = &k->insn[i];
            bool memory = (in->op == I_ATOM || in->op == I_LD || in->op == I_ST) &&
                          in->space == S_GLOBAL;
            if (memory && (in->off || in->a[0].kind == K_NONE)) {
                int base = in->a[0].kind == K_R ? in->a[0].v : -1, reg = -1;
                for (int j = 0; j < n; j++)
                    if (kept[j].base == base && kept[j].off == in->off)
                        reg = kept[j].reg;
                if (reg < 0) {
                    reg = cc_new_vreg(f, CC_R);
                    struct cc_insn add = cc_insn(base < 0 ? I_MOV : I_ADD, reg);
                    add.a[0] = base < 0 ? cc_imm(in->off) : cc_r(base);
                    add.a[1] = base < 0 ? (struct cc_operand){.v = -1} : cc_imm(in->off);
                    add.place = in->place;
                    struct def at = {b, i};
                    if (base < 0 || stable(p, base))
                        at = place_for(p, base, b, i);
                    put(p, at.block, at.at, &add);
                    if (n < KEPT)
                        kept[n++] = (struct kept){base, reg, in->off};
                }
                in->a[0] = cc_r(reg);
                in->off = 0;
            }
            for (int j = 0; j < n; j++) /* the base changes here */
                if (in->d >= 0 && kept[j].base == in->d)
                    kept[j] = kept[--n], j--;
        }
    }
    insert_all(p);
}

/* ---- shared, local, constant memory ---- */

static int bytes_of(int size)
{
    return size == M_32 ? 4 : size == M_U8 || size == M_S8 ? 1 : 2;
}

static bool wants_areg(const struct cc_fn *f, const struct cc_insn *i)
{
    (void)f;
    if ((i->op != I_LD && i->op != I_ST && i->op != I_ATOM) || i->space == S_GLOBAL ||
        i->a[0].kind == K_C)
        return false;
    if (i->a[0].kind == K_R)
        return true;
    return i->op == I_LD && i->space == S_SHARED && i->off > 31u * (uint32_t)bytes_of(i->size);
}

static void collect(struct pass *p)
{
    struct cc_fn *f = p->f;
    for (int b = 0; b < f->nblocks; b++)
        for (int i = 0; i < f->block[b].n && !f->block[b].gone; i++) {
            const struct cc_insn *in = &f->block[b].insn[i];
            if (!wants_areg(f, in))
                continue;
            struct access a = {.block = b, .at = i, .root = -1, .off = in->off, .areg = -1};
            a.near = in->op == I_LD && in->space == S_SHARED;
            if (in->a[0].kind == K_R) {
                a.root = in->a[0].v;
                const struct def *d = &p->def[a.root];
                const struct cc_insn *s = d->block >= 0 ? &f->block[d->block].insn[d->at] : NULL;
                if (s && s->op == I_SHL && s->guard < 0 && s->a[1].kind == K_IMM &&
                    s->a[1].imm < 16 && s->a[0].kind == K_R && !s->a[0].half &&
                    stable(p, s->a[0].v)) {
                    a.root = s->a[0].v;
                    a.shift = (int)s->a[1].imm;
                }
            }
            CC_ROOM(f->scratch, p->access, p->n, p->room);
            p->access[p->n++] = a;
        }
}

static int by_offset(const void *a, const void *b)
{
    const struct access *x = a, *y = b;
    if (x->root != y->root)
        return x->root < y->root ? -1 : 1;
    if (x->shift != y->shift)
        return x->shift < y->shift ? -1 : 1;
    if (x->near != y->near) /* those that do not reach far come first and set the anchors */
        return x->near ? -1 : 1;
    if (x->off != y->off)
        return (int32_t)x->off < (int32_t)y->off ? -1 : 1;
    return x->block != y->block ? x->block - y->block : x->at - y->at;
}

/* Gives each access of one root and shift an anchor. */
static void set_anchors(const struct cc_fn *f, struct access *a, int n)
{
    bool any = false;
    uint32_t anchor = 0;
    for (int i = 0; i < n; i++) {
        int bytes = bytes_of(f->block[a[i].block].insn[a[i].at].size);
        uint32_t reach = 31u * (uint32_t)bytes, d = a[i].off - anchor;
        bool fits = any && d % (uint32_t)bytes == 0 && (!a[i].near || d <= reach);
        if (!fits && a[i].root >= 0 && a[i].off % (uint32_t)bytes == 0 &&
            (!a[i].near || a[i].off <= reach)) {
            anchor = 0;
            fits = true;
        }
        if (!fits)
            anchor = a[i].off;
        any = true;
        a[i].anchor = anchor;
    }
}

static struct cc_insn make_r2a(int d, int root, int shift)
{
    struct cc_insn i = cc_insn(I_R2A, d);
    i.a[0] = cc_r(root);
    i.a[1] = cc_imm((uint32_t)shift);
    return i;
}

static struct cc_insn make_ada(int d, int from, uint32_t plus)
{
    struct cc_insn i = cc_insn(I_ADA, d);
    i.a[0] = from < 0 ? cc_imm(0) : cc_r(from);
    i.a[1] = cc_imm(plus & 0xffff);
    return i;
}

/* How many instructions cc_remake makes. */
static int put_areg(struct pass *p, struct def at, int areg)
{
    const struct cc_vreg v = p->f->vreg[areg];
    struct cc_insn i;
    if (v.root >= 0) {
        i = make_r2a(areg, v.root, v.shift);
        put(p, at.block, at.at, &i);
    }
    if (v.plus || v.root < 0) {
        i = make_ada(areg, v.root < 0 ? -1 : areg, v.plus);
        put(p, at.block, at.at, &i);
    }
    return 0;
}

static struct def common_place(struct pass *p, const struct access *a, int n)
{
    int block = a[0].block, at = a[0].at;
    for (int i = 1; i < n; i++) {
        int b = a[i].block;
        if (b == block) {
            at = a[i].at < at ? a[i].at : at;
            continue;
        }
        int meet = block;
        while (meet >= 0 && !cc_dominates(&p->g, meet, b))
            meet = p->g.idom[meet];
        if (meet == b)
            at = a[i].at;
        else if (meet != block)
            at = p->f->block[meet].n;
        block = meet;
    }
    return place_for(p, a[0].root, block, at);
}

/* One address register for accesses with one root, shift and anchor; `base`: another one of that root and shift, -1. */
static int make_areg(struct pass *p, struct access *a, int n, int base)
{
    struct cc_fn *f = p->f;
    int areg = cc_new_vreg(f, CC_A);
    f->vreg[areg].root = a->root;
    f->vreg[areg].shift = a->shift;
    f->vreg[areg].plus = a->anchor;
    for (int i = 0; i < n; i++)
        a[i].areg = areg;
    if (a->root < 0 || stable(p, a->root)) {
        put_areg(p, common_place(p, a, n), areg);
        return areg;
    }
    struct cc_insn step = make_ada(areg, base, 0);
    if (base >= 0)
        step.a[1] = cc_imm((a->anchor - f->vreg[base].plus) & 0xffff);
    for (int b = 0; b < f->nblocks; b++)
        for (int i = 0; i < f->block[b].n; i++)
            if (f->block[b].insn[i].d == a->root && base >= 0)
                put(p, b, i + 1, &step);
            else if (f->block[b].insn[i].d == a->root)
                put_areg(p, (struct def){b, i + 1}, areg);
    return areg;
}

static void rewrite(struct cc_fn *f, const struct access *a)
{
    struct cc_insn *in = &f->block[a->block].insn[a->at];
    uint32_t off = (in->off - a->anchor) & 0xffff;
    struct cc_operand o = cc_s(a->areg, off, in->size);
    if (in->op == I_LD && in->space == S_SHARED && in->size != M_S8) {
        in->op = I_MOV;
        in->a[0] = o;
    } else {
        in->a[0] = o;
        in->off = 0;
    }
}

int cc_addresses(struct cc_fn *f)
{
    struct pass p = {.f = f, .g = cc_flow(f)};
    find_defs(&p);
    global_addresses(&p);
    find_defs(&p);
    collect(&p);
    if (p.n)
        qsort(p.access, (size_t)p.n, sizeof *p.access, by_offset);
    for (int i = 0, n; i < p.n; i += n) {
        for (n = 1; i + n < p.n && p.access[i + n].root == p.access[i].root &&
                    p.access[i + n].shift == p.access[i].shift;)
            n++;
        set_anchors(f, p.access + i, n);
        for (int j = i, base = -1; j < i + n; j++) { /* same anchors together */
            if (p.access[j].areg >= 0)
                continue;
            int count = 1;
            for (int k = j + 1; k < i + n; k++)
                if (p.access[k].areg < 0 && p.access[k].anchor == p.access[j].anchor) {
                    struct access t = p.access[j + count];
                    p.access[j + count] = p.access[k];
                    p.access[k] = t;
                    count++;
                }
            base = make_areg(&p, p.access + j, count, base);
        }
    }
    for (int i = 0; i < p.n; i++)
        rewrite(f, &p.access[i]);
    insert_all(&p);
    /* what needs none: a number alone */
    for (int b = 0; b < f->nblocks; b++)
        for (int i = 0; i < f->block[b].n && !f->block[b].gone; i++) {
            struct cc_insn *in = &f->block[b].insn[i];
            if ((in->op != I_LD && in->op != I_ST && in->op != I_ATOM) || in->space == S_GLOBAL ||
                in->a[0].kind != K_NONE)
                continue;
            in->a[0] = cc_s(-1, in->off & 0xffff, in->size);
            in->off = 0;
            if (in->op == I_LD && in->space == S_SHARED && in->size != M_S8)
                in->op = I_MOV;
        }
    return 0;
}
