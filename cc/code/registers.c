/* registers.c -- registers of the kernel become those of the machine: 124 general ones at most, four of conditions, four of
 * addresses. Colouring of the graph of conflicts, after Chaitin and Briggs.
 *
 * What does not fit is kept elsewhere: a general register in local memory (or its value is made anew where that is one
 * move), a condition register in a general one, an address register is made again from what it mirrors. Operands of halves
 * and immediates reach the first 64 registers only. A first run keeps to those; if they do not do, the caller starts again
 * without immediates (cc_fn.wide).
 */
#include "ir.h"

#include <string.h>

struct pass {
    struct cc_fn *f;
    int max[CC_CLASSES];
    struct cc_flow g;
    int n, words;
    uint64_t *adj;
    int *alias;
    double *cost;
    bool *half, *used;
};

static bool conflicts(const struct pass *p, int a, int b)
{
    return cc_has(p->adj + (size_t)a * (size_t)p->words, b);
}

static void conflict(struct pass *p, int a, int b)
{
    if (a == b || p->f->vreg[a].class != p->f->vreg[b].class)
        return;
    cc_put(p->adj + (size_t)a * (size_t)p->words, b);
    cc_put(p->adj + (size_t)b * (size_t)p->words, a);
}

static int degree(const struct pass *p, int v)
{
    int n = 0;
    for (int w = 0; w < p->words; w++)
        n += __builtin_popcountll(p->adj[(size_t)v * (size_t)p->words + (size_t)w]);
    return n;
}

static bool is_copy(const struct cc_insn *i)
{
    const struct cc_operand *o = &i->a[0];
    return i->op == I_MOV && i->guard < 0 && i->d >= 0 && o->kind == K_R && !o->half && !o->neg &&
           !o->abs && !o->inv && i->dc < 0;
}

static void note(struct pass *p, int v, double weight)
{
    p->cost[v] += weight;
    p->used[v] = true;
}

static void defines(struct pass *p, const uint64_t *live, int d, int except)
{
    for (int w = 0; w < p->words; w++)
        for (uint64_t x = live[w]; x; x &= x - 1) {
            int v = 64 * w + __builtin_ctzll(x);
            if (v != except)
                conflict(p, d, v);
        }
}

static void build(struct pass *p)
{
    struct cc_fn *f = p->f;
    p->g = cc_flow(f);
    struct cc_live l = cc_liveness(f, &p->g);
    p->n = f->nvregs;
    p->words = l.words;
    size_t n = (size_t)p->n;
    p->adj = cc_alloc(f->arena, n * (size_t)p->words * sizeof *p->adj);
    p->alias = cc_alloc(f->arena, n * sizeof *p->alias);
    p->cost = cc_alloc(f->arena, n * sizeof *p->cost);
    p->half = cc_alloc(f->arena, n * sizeof *p->half);
    p->used = cc_alloc(f->arena, n * sizeof *p->used);
    for (int v = 0; v < p->n; v++)
        p->alias[v] = v;
    uint64_t *live = cc_alloc(f->arena, (size_t)p->words * sizeof *live);
    for (int b = 0; b < f->nblocks; b++) {
        const struct cc_block *k = &f->block[b];
        if (k->gone)
            continue;
        double weight = 1;
        for (int d = 0; d < p->g.depth[b]; d++)
            weight *= 10;
        memcpy(live, l.out + b * l.words, (size_t)l.words * sizeof *live);
        if (k->guard >= 0) {
            cc_put(live, k->guard);
            note(p, k->guard, weight);
        }
        for (int i = k->n - 1; i >= 0; i--) {
            const struct cc_insn *in = &k->insn[i];
            int r[8], reads = cc_reads(in, r);
            if (in->d >= 0) {
                defines(p, live, in->d, is_copy(in) ? in->a[0].v : -1);
                note(p, in->d, weight);
            }
            if (in->dc >= 0) {
                defines(p, live, in->dc, -1);
                note(p, in->dc, weight);
            }
            if (in->guard < 0 || in->fresh) {
                if (in->d >= 0)
                    cc_drop(live, in->d);
                if (in->dc >= 0)
                    cc_drop(live, in->dc);
            }
            for (int j = 0; j < reads; j++) {
                cc_put(live, r[j]);
                note(p, r[j], weight);
            }
            for (int j = 0; j < 3; j++)
                if (in->a[j].kind == K_R && in->a[j].half)
                    p->half[in->a[j].v] = true;
        }
        if (b ==
            0) /* R0 comes from outside; what else is live here is read before it is written, as anything */
            defines(p, live, 0, -1);
    }
}

static int limit(const struct pass *p, int v)
{
    int m = p->max[p->f->vreg[v].class];
    return p->half[v] && m > 64 ? 64 : m;
}

/* ---- copies ---- */

static int find(const struct pass *p, int v)
{
    while (p->alias[v] != v)
        v = p->alias[v];
    return v;
}

static bool safe(const struct pass *p, int a, int b)
{
    int many = 0, m = limit(p, a) < limit(p, b) ? limit(p, a) : limit(p, b);
    for (int w = 0; w < p->words; w++) {
        uint64_t x = p->adj[(size_t)a * (size_t)p->words + (size_t)w] |
                     p->adj[(size_t)b * (size_t)p->words + (size_t)w];
        for (; x; x &= x - 1)
            many += degree(p, 64 * w + __builtin_ctzll(x)) >= m;
    }
    return many < m;
}

static void merge(struct pass *p, int a, int b) /* b becomes a */
{
    p->alias[b] = a;
    for (int w = 0; w < p->words; w++)
        for (uint64_t x = p->adj[(size_t)b * (size_t)p->words + (size_t)w]; x; x &= x - 1) {
            int v = 64 * w + __builtin_ctzll(x);
            cc_drop(p->adj + (size_t)v * (size_t)p->words, b);
            conflict(p, a, v);
        }
    memset(p->adj + (size_t)b * (size_t)p->words, 0, (size_t)p->words * sizeof *p->adj);
    p->cost[a] += p->cost[b];
    p->half[a] |= p->half[b];
    p->used[b] = false;
}

static void rename_all(struct pass *p)
{
    struct cc_fn *f = p->f;
    for (int b = 0; b < f->nblocks; b++) {
        struct cc_block *k = &f->block[b];
        int n = 0;
        for (int i = 0; i < k->n; i++) {
            struct cc_insn in = k->insn[i];
            for (int j = 0; j < 3; j++)
                if (in.a[j].kind == K_R)
                    in.a[j].v = find(p, in.a[j].v);
            if (in.d >= 0)
                in.d = find(p, in.d);
            if (!(is_copy(&in) && in.d == in.a[0].v))
                k->insn[n++] = in;
        }
        k->n = n;
    }
    for (int v = 0; v < f->nvregs; v++)
        if (f->vreg[v].root >= 0)
            f->vreg[v].root = find(p, f->vreg[v].root);
}

static bool coalesce(struct pass *p)
{
    struct cc_fn *f = p->f;
    bool any = false;
    for (int b = 0; b < f->nblocks; b++)
        for (int i = 0; i < f->block[b].n && !f->block[b].gone; i++) {
            const struct cc_insn *in = &f->block[b].insn[i];
            if (!is_copy(in))
                continue;
            int d = find(p, in->d), s = find(p, in->a[0].v);
            if (d == s || conflicts(p, d, s) || f->vreg[d].no_spill || f->vreg[s].no_spill ||
                !safe(p, d, s))
                continue;
            if (s == 0)
                merge(p, s, d);
            else
                merge(p, d, s);
            any = true;
        }
    if (any)
        rename_all(p);
    return any;
}

/* ---- colours ---- */

/* Returns how many registers of the class could not get one; they are listed in out. */
static int colour(struct pass *p, enum cc_class class, int *out)
{
    struct cc_fn *f = p->f;
    int n = 0, spilled = 0;
    int *stack = cc_alloc(f->arena, (size_t)p->n * sizeof *stack),
        *deg = cc_alloc(f->arena, (size_t)p->n * sizeof *deg);
    bool *gone = cc_alloc(f->arena, (size_t)p->n);
    int left = 0;
    gone[0] = true;
    for (int v = 1; v < p->n; v++) {
        gone[v] = !p->used[v] || f->vreg[v].class != class;
        if (gone[v])
            continue;
        f->vreg[v].color = -1;
        deg[v] = degree(p, v);
        left++;
    }
    while (left) {
        int best = -1;
        for (int v = 1; v < p->n; v++) {
            if (gone[v])
                continue;
            if (deg[v] < limit(p, v)) {
                best = v;
                break;
            }
            if (f->vreg[v].no_spill)
                continue;
            if (best < 0 || p->cost[v] / deg[v] < p->cost[best] / deg[best])
                best = v;
        }
        for (int v = 1; v < p->n && best < 0; v++)
            if (!gone[v])
                best = v;
        gone[best] = true;
        stack[n++] = best;
        left--;
        for (int w = 0; w < p->words; w++)
            for (uint64_t x = p->adj[(size_t)best * (size_t)p->words + (size_t)w]; x; x &= x - 1)
                deg[64 * w + __builtin_ctzll(x)]--;
    }
    while (n) {
        int v = stack[--n], c = 0;
        uint64_t taken[2] = {0};
        for (int w = 0; w < p->words; w++)
            for (uint64_t x = p->adj[(size_t)v * (size_t)p->words + (size_t)w]; x; x &= x - 1) {
                int u = f->vreg[64 * w + __builtin_ctzll(x)].color;
                if (u >= 0)
                    taken[u >> 6] |= 1ull << (u & 63);
            }
        while (c < limit(p, v) && taken[c >> 6] >> (c & 63) & 1)
            c++;
        if (c < limit(p, v))
            f->vreg[v].color = c;
        else
            out[spilled++] = v;
    }
    return spilled;
}

/* ---- spills ---- */

static void replace(struct cc_insn *i, int v, int by)
{
    for (int k = 0; k < 3; k++)
        if (i->a[k].kind != K_NONE && i->a[k].kind != K_IMM && i->a[k].v == v)
            i->a[k].v = by;
    if (i->cin == v)
        i->cin = by;
    if (i->guard == v)
        i->guard = by;
}

static int temp(struct cc_fn *f, enum cc_class class)
{
    int t = cc_new_vreg(f, class);
    f->vreg[t].no_spill = true;
    return t;
}

/* The only definition when it can be made again anywhere: a number or a parameter. */
static bool remakes(const struct cc_fn *f, int v, struct cc_insn *out)
{
    int n = 0;
    for (int b = 0; b < f->nblocks; b++)
        for (int i = 0; i < f->block[b].n; i++)
            if (f->block[b].insn[i].d == v) {
                *out = f->block[b].insn[i];
                n++;
            }
    if (n != 1 || out->op != I_MOV || out->guard >= 0)
        return false;
    return out->a[0].kind == K_IMM ||
           (out->a[0].kind == K_S && out->a[0].v < 0 && out->a[0].imm < f->params_end);
}

static bool is_brought(const struct cc_fn *f, const struct cc_insn *i)
{
    return (i->op == I_LD || i->op == I_MOV) && i->guard < 0 && i->dc < 0 && f->vreg[i->d].no_spill;
}

static struct cc_insn memory(enum cc_op op, int reg, uint32_t slot)
{
    struct cc_insn i = cc_insn(op, op == I_LD ? reg : -1);
    i.space = S_LOCAL;
    i.a[0] = cc_s(-1, slot, M_32);
    if (op == I_ST)
        i.a[1] = cc_r(reg);
    return i;
}

/* Instructions that bring register v into a new one, before `at`; returns the new one. A condition comes before other
 * registers that were brought, for it needs one of these itself. */
static int bring(struct cc_fn *f, struct cc_block *b, int *at, int v, const struct cc_insn *how,
                 int hows)
{
    int t = temp(f, f->vreg[v].class), to = *at;
    while (f->vreg[v].class == CC_C && to > 0 && is_brought(f, &b->insn[to - 1]))
        to--;
    struct cc_insn *in = cc_insert(f, b, to, hows);
    for (int i = 0; i < hows; i++) {
        struct cc_place place = in[i].place;
        in[i] = how[i];
        in[i].d = t;
        in[i].place = place;
        if (in[i].op == I_ADA && in[i].a[0].kind == K_R)
            in[i].a[0].v = t;
    }
    *at += hows;
    return t;
}

static void spill(struct cc_fn *f, int v)
{
    enum cc_class class = f->vreg[v].class;
    struct cc_insn how[2], made;
    int hows = 1, store = -1; /* the register or slot that keeps it */
    bool again = class == CC_R && remakes(f, v, &made);
    if (again)
        how[0] = made;
    else if (class == CC_R) {
        f->local_bytes = (f->local_bytes + 3) & ~3u;
        store = (int)f->local_bytes;
        f->local_bytes += 4;
        how[0] = memory(I_LD, v, (uint32_t)store);
    } else if (class == CC_C) {
        store = cc_new_vreg(f, CC_R);
        how[0] = cc_insn(I_R2C, v);
        how[0].a[0] = cc_r(store);
    } else {
        const struct cc_vreg a = f->vreg[v];
        hows = 0;
        if (a.root >= 0) {
            how[hows] = cc_insn(I_R2A, v);
            how[hows].a[0] = cc_r(a.root);
            how[hows++].a[1] = cc_imm((uint32_t)a.shift);
        }
        if (a.plus || a.root < 0) {
            how[hows] = cc_insn(I_ADA, v);
            how[hows].a[0] = a.root < 0 ? cc_imm(0) : cc_r(v);
            how[hows++].a[1] = cc_imm(a.plus & 0xffff);
        }
    }
    for (int n = 0; n < f->nblocks; n++) {
        struct cc_block *b = &f->block[n];
        for (int i = 0; i < b->n && !b->gone; i++) {
            bool remade = again || class == CC_A;
            if (b->insn[i].d == v && remade) { /* its definition is not needed any more */
                memmove(b->insn + i, b->insn + i + 1, (size_t)(b->n - i - 1) * sizeof *b->insn);
                b->n--;
                i--;
                continue;
            }
            bool writes = b->insn[i].d == v || b->insn[i].dc == v;
            bool keeps = writes && class == CC_C &&
                         b->insn[i].guard >= 0; /* other threads' flags stay */
            int t = -1;
            if (cc_reads_it(&b->insn[i], v) || keeps) {
                t = bring(f, b, &i, v, how, hows);
                replace(&b->insn[i], v, t);
            }
            if (!writes)
                continue;
            if (t < 0) {
                t = temp(f, class);
                b->insn[i].fresh = true; /* what it leaves lies in memory */
            }
            if (b->insn[i].d == v)
                b->insn[i].d = t;
            if (b->insn[i].dc == v)
                b->insn[i].dc = t;
            struct cc_insn save = class == CC_C ? cc_insn(I_C2R, store)
                                                : memory(I_ST, t, (uint32_t)store);
            if (class == CC_C)
                save.a[0] = cc_r(t);
            else {
                save.guard = b->insn[i].guard;
                save.cond = b->insn[i].cond;
            }
            save.place = b->insn[i].place;
            *cc_insert(f, b, i + 1, 1) = save;
            i++;
        }
        if (b->guard == v && !b->gone) {
            int at = b->n;
            b->guard = bring(f, b, &at, v, how, hows);
        }
    }
}

/* R0 comes from outside: a copy of it can be spilled. */
static void copy_r0(struct cc_fn *f)
{
    int copy = cc_new_vreg(f, CC_R);
    for (int n = 0; n < f->nblocks; n++)
        for (int i = 0; i < f->block[n].n; i++)
            replace(&f->block[n].insn[i], 0, copy);
    struct cc_insn *i = cc_insert(f, &f->block[0], 0, 1);
    i->d = copy;
    i->a[0] = cc_r(0);
    f->vreg[0].no_spill = true;
}

/* What is best spilled to make room for v: what has just gone, else the cheapest. */
static int cheapest_neighbour(const struct pass *p, int v)
{
    int best = -1;
    for (int u = 1; u < p->n; u++) {
        if (!conflicts(p, v, u))
            continue;
        if (!p->used[u])
            return u;
        if (!p->f->vreg[u].no_spill && (best < 0 || p->cost[u] < p->cost[best]))
            best = u;
    }
    return best;
}

/* Spills what is listed, or what is in its way; false: nothing is left that could go. */
static bool spill_all(struct pass *p, const int *list, int n)
{
    for (int i = 0; i < n; i++) {
        int v = list[i];
        if (p->f->vreg[v].no_spill)
            v = cheapest_neighbour(p, v);
        if (v < 0)
            return false;
        if (p->used[v])
            spill(p->f, v);
        p->used[v] = false;
    }
    return true;
}

/* Address registers come first: they are made anew from general ones, which must still be what they were. */
static int assign(struct pass *p, enum cc_class first, enum cc_class last, bool shorter)
{
    struct cc_fn *f = p->f;
    for (;;) {
        build(p);
        while (first == CC_R && coalesce(p))
            build(p);
        int *list = cc_alloc(f->arena, (size_t)p->n * sizeof *list), n = 0;
        for (int c = (int)first; c <= (int)last; c++)
            n += colour(p, (enum cc_class)c, list + n);
        if (n == 0)
            return 0;
        for (int i = 0; i < n && shorter; i++)
            if (f->vreg[list[i]].class == CC_R)
                return 1;
        if (first == CC_R && !f->vreg[0].no_spill)
            copy_r0(f);
        if (!spill_all(p, list, n))
            return cc_fail(f, &f->ptx->place,
                           "%d registers are not enough for kernel '%s': raise --maxrregcount, or "
                           "make the block smaller",
                           p->max[CC_R], f->ptx->name);
    }
}

int cc_registers(struct cc_fn *f, int max)
{
    bool shorter = max > 64 && !f->wide;
    struct pass p = {.f = f, .max = {shorter ? 64 : max, 4, 4}};
    int bad = assign(&p, CC_A, CC_A, false);
    if (!bad)
        bad = assign(&p, CC_R, CC_C, shorter);
    if (bad)
        return bad;
    f->regs = 1;
    for (int v = 0; v < f->nvregs; v++)
        if (f->vreg[v].class == CC_R && p.used[v] && f->vreg[v].color >= f->regs)
            f->regs = f->vreg[v].color + 1;
    return f->local_bytes > 65536
               ? cc_fail(f, &f->ptx->place,
                         "kernel '%s' needs %u bytes of local memory a thread for private "
                         "variables and "
                         "registers that do not fit; 65,536 are there: raise --maxrregcount",
                         f->ptx->name, f->local_bytes)
               : 0;
}
