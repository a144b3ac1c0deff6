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
    int n;
    struct row {
        int *v, n, room;
    } * adj;         /* whom a register conflicts with; some may have become others (alias) */
    int *degree;     /* how many are left */
    uint64_t *pairs; /* all conflicts, a table by hash; 0: free */
    size_t npairs, room;
    int *alias;
    double *cost;
    bool *half, *used;
    int *live, *place,
        nlive; /* live registers while blocks are walked; place + 1 of each among them */
};

static uint64_t pair(int a, int b)
{
    return a < b ? (uint64_t)(uint32_t)a << 32 | (uint32_t)b
                 : (uint64_t)(uint32_t)b << 32 | (uint32_t)a;
}

/* Where the pair is in the table, or where it may be put. */
static uint64_t *seat(const struct pass *p, uint64_t x)
{
    size_t i = (size_t)(x * 0x9e3779b97f4a7c15u >> 20) & (p->room - 1);
    while (p->pairs[i] && p->pairs[i] != x)
        i = (i + 1) & (p->room - 1);
    return &p->pairs[i];
}

static bool conflicts(const struct pass *p, int a, int b)
{
    return *seat(p, pair(a, b)) != 0;
}

static void neighbour(struct pass *p, int a, int b)
{
    struct row *r = &p->adj[a];
    CC_ROOM(p->f->scratch, r->v, r->n, r->room);
    r->v[r->n++] = b;
    p->degree[a]++;
}

static void conflict(struct pass *p, int a, int b)
{
    if (a == b || p->f->vreg[a].class != p->f->vreg[b].class)
        return;
    uint64_t *at = seat(p, pair(a, b));
    if (*at)
        return;
    *at = pair(a, b);
    neighbour(p, a, b);
    neighbour(p, b, a);
    if (2 * ++p->npairs < p->room)
        return;
    uint64_t *old = p->pairs;
    size_t n = p->room;
    p->room *= 2;
    p->pairs = cc_alloc(p->f->scratch, p->room * sizeof *p->pairs);
    for (size_t i = 0; i < n; i++)
        if (old[i])
            *seat(p, old[i]) = old[i];
}

/* The i-th register that v conflicts with, -1: it has become another. */
static int other(const struct pass *p, int v, int i)
{
    int u = p->adj[v].v[i];
    return p->alias[u] == u ? u : -1;
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

static void live_put(struct pass *p, int v)
{
    if (p->place[v])
        return;
    p->live[p->nlive++] = v;
    p->place[v] = p->nlive;
}

static void live_drop(struct pass *p, int v)
{
    if (!p->place[v])
        return;
    int last = p->live[--p->nlive];
    p->live[p->place[v] - 1] = last;
    p->place[last] = p->place[v];
    p->place[v] = 0;
}

static void defines(struct pass *p, int d, int except)
{
    for (int i = 0; i < p->nlive; i++)
        if (p->live[i] != except)
            conflict(p, d, p->live[i]);
}

static void start(struct pass *p)
{
    struct cc_fn *f = p->f;
    cc_arena_free(f->scratch);
    size_t n = (size_t)f->nvregs;
    p->n = f->nvregs;
    p->adj = cc_alloc(f->scratch, n * sizeof *p->adj);
    p->degree = cc_alloc(f->scratch, n * sizeof *p->degree);
    p->npairs = 0;
    p->room = 1024;
    p->pairs = cc_alloc(f->scratch, p->room * sizeof *p->pairs);
    p->alias = cc_alloc(f->scratch, n * sizeof *p->alias);
    p->cost = cc_alloc(f->scratch, n * sizeof *p->cost);
    p->half = cc_alloc(f->scratch, n * sizeof *p->half);
    p->used = cc_alloc(f->scratch, n * sizeof *p->used);
    p->live = cc_alloc(f->scratch, n * sizeof *p->live);
    p->place = cc_alloc(f->scratch, n * sizeof *p->place);
    p->nlive = 0;
    for (int v = 0; v < p->n; v++)
        p->alias[v] = v;
}

static void build(struct pass *p)
{
    struct cc_fn *f = p->f;
    start(p);
    p->g = cc_flow(f);
    struct cc_live l = cc_liveness(f, &p->g);
    for (int b = 0; b < f->nblocks; b++) {
        const struct cc_block *k = &f->block[b];
        if (k->gone)
            continue;
        double weight = 1;
        for (int d = 0; d < p->g.depth[b]; d++)
            weight *= 10;
        while (p->nlive)
            live_drop(p, p->live[p->nlive - 1]);
        for (int w = 0; w < l.words; w++)
            for (uint64_t x = l.out[(size_t)b * (size_t)l.words + (size_t)w]; x; x &= x - 1)
                live_put(p, l.reg[64 * w + __builtin_ctzll(x)]);
        if (k->guard >= 0) {
            live_put(p, k->guard);
            note(p, k->guard, weight);
        }
        for (int i = k->n - 1; i >= 0; i--) {
            const struct cc_insn *in = &k->insn[i];
            int r[8], reads = cc_reads(in, r);
            if (in->d >= 0) {
                defines(p, in->d, is_copy(in) ? in->a[0].v : -1);
                note(p, in->d, weight);
            }
            if (in->dc >= 0) {
                defines(p, in->dc, -1);
                note(p, in->dc, weight);
            }
            if (in->guard < 0 || in->fresh) {
                if (in->d >= 0)
                    live_drop(p, in->d);
                if (in->dc >= 0)
                    live_drop(p, in->dc);
            }
            for (int j = 0; j < reads; j++) {
                live_put(p, r[j]);
                note(p, r[j], weight);
            }
            for (int j = 0; j < 3; j++)
                if (in->a[j].kind == K_R && in->a[j].half)
                    p->half[in->a[j].v] = true;
        }
        if (b ==
            0) /* R0 comes from outside; what else is live here is read before it is written, as anything */
            defines(p, 0, -1);
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
    for (int i = 0; i < p->adj[a].n; i++)
        many += other(p, a, i) >= 0 && p->degree[other(p, a, i)] >= m;
    for (int i = 0; i < p->adj[b].n; i++)
        many += other(p, b, i) >= 0 && p->degree[other(p, b, i)] >= m &&
                !conflicts(p, a, other(p, b, i));
    return many < m;
}

static void merge(struct pass *p, int a, int b) /* b becomes a */
{
    p->alias[b] = a;
    for (int i = 0; i < p->adj[b].n; i++) {
        int v = other(p, b, i);
        if (v < 0)
            continue;
        p->degree[v]--;
        conflict(p, a, v);
    }
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

/* Registers that have room among their neighbours, the first of them on top: a heap. */
struct heap {
    int *v, n;
};

static void heap_put(struct heap *h, int v)
{
    int at = h->n++;
    for (; at && h->v[(at - 1) / 2] > v; at = (at - 1) / 2)
        h->v[at] = h->v[(at - 1) / 2];
    h->v[at] = v;
}

static int heap_take(struct heap *h)
{
    int top = h->v[0], last = h->v[--h->n], at = 0;
    for (int c; (c = 2 * at + 1) < h->n; at = c) {
        c += c + 1 < h->n && h->v[c + 1] < h->v[c];
        if (h->v[c] >= last)
            break;
        h->v[at] = h->v[c];
    }
    h->v[at] = last;
    return top;
}

/* What is left, without what has gone; the cheapest of it, for its conflicts. */
static int cheapest(const struct pass *p, const bool *gone, const int *deg, int *rest, int *nrest)
{
    int best = -1, n = 0;
    for (int i = 0; i < *nrest; i++) {
        int v = rest[i];
        if (gone[v])
            continue;
        rest[n++] = v;
        if (!p->f->vreg[v].no_spill &&
            (best < 0 || p->cost[v] / deg[v] < p->cost[best] / deg[best]))
            best = v;
    }
    *nrest = n;
    return best < 0 ? rest[0] : best;
}

/* Returns how many registers of the class could not get one; they are listed in out. */
static int colour(struct pass *p, enum cc_class class, int *out)
{
    struct cc_fn *f = p->f;
    size_t size = (size_t)p->n * sizeof(int);
    int n = 0, spilled = 0, left = 0, *stack = cc_alloc(f->scratch, size),
        *deg = cc_alloc(f->scratch, size), *rest = cc_alloc(f->scratch, size);
    struct heap roomy = {cc_alloc(f->scratch, size), 0};
    bool *gone = cc_alloc(f->scratch, (size_t)p->n);
    gone[0] = true;
    for (int v = 1; v < p->n; v++) {
        gone[v] = !p->used[v] || f->vreg[v].class != class;
        if (gone[v])
            continue;
        f->vreg[v].color = -1;
        deg[v] = p->degree[v];
        rest[left++] = v;
        if (deg[v] < limit(p, v))
            heap_put(&roomy, v);
    }
    for (int nrest = left; left; left--) {
        int best = roomy.n ? heap_take(&roomy) : cheapest(p, gone, deg, rest, &nrest);
        gone[best] = true;
        stack[n++] = best;
        for (int i = 0; i < p->adj[best].n; i++) {
            int v = other(p, best, i);
            if (v >= 0 && --deg[v] == limit(p, v) - 1 && !gone[v])
                heap_put(&roomy, v);
        }
    }
    while (n) {
        int v = stack[--n], c = 0;
        uint64_t taken[2] = {0};
        for (int i = 0; i < p->adj[v].n; i++) {
            int u = other(p, v, i), is = u < 0 ? -1 : f->vreg[u].color;
            if (is >= 0)
                taken[is >> 6] |= 1ull << (is & 63);
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

/* A register that is spilled. */
struct spilled {
    int v;
    enum cc_class class;
    struct cc_insn how[2]; /* brings it into another */
    int hows;
    bool remade; /* its definitions go */
    int store;   /* the register or slot that keeps it, -1 */
};

struct spiller {
    struct cc_fn *f;
    const struct spilled *list;
    int *which; /* of a register: its place in the list + 1 */
    int known;  /* registers that there were before */
    struct cc_block out;
    bool keeps;
    const struct spilled *last; /* the address register that was brought last in this block, */
    int kept;                   /* and where it is; NULL when its root has changed */
};

static struct spilled find_how(struct cc_fn *f, int v, const struct cc_insn *def, int defs)
{
    struct spilled s = {.v = v, .class = f->vreg[v].class, .hows = 1, .store = -1};
    if (s.class == CC_R && defs == 1 && def->op == I_MOV && def->guard < 0 &&
        (def->a[0].kind == K_IMM ||
         (def->a[0].kind == K_S && def->a[0].v < 0 && def->a[0].imm < f->params_end))) {
        s.how[0] = *def; /* a number or a parameter: it can be made again anywhere */
        s.remade = true;
    } else if (s.class == CC_R) {
        f->local_bytes = (f->local_bytes + 3) & ~3u;
        s.store = (int)f->local_bytes;
        f->local_bytes += 4;
        s.how[0] = memory(I_LD, v, (uint32_t)s.store);
    } else if (s.class == CC_C) {
        s.store = cc_new_vreg(f, CC_R);
        s.how[0] = cc_insn(I_R2C, v);
        s.how[0].a[0] = cc_r(s.store);
    } else {
        const struct cc_vreg a = f->vreg[v];
        s.remade = true;
        s.hows = 0;
        if (a.root >= 0) {
            s.how[s.hows] = cc_insn(I_R2A, v);
            s.how[s.hows].a[0] = cc_r(a.root);
            s.how[s.hows++].a[1] = cc_imm((uint32_t)a.shift);
        }
        if (a.plus || a.root < 0) {
            s.how[s.hows] = cc_insn(I_ADA, v);
            s.how[s.hows].a[0] = a.root < 0 ? cc_imm(0) : cc_r(v);
            s.how[s.hows++].a[1] = cc_imm(a.plus & 0xffff);
        }
    }
    return s;
}

static const struct spilled *spilled_at(const struct spiller *w, int v)
{
    return v >= 0 && v < w->known && w->which[v] ? &w->list[w->which[v] - 1] : NULL;
}

/* Instructions that bring a register into a new one; returns that. A condition comes before other registers that were brought,
 * for it needs one of these itself. */
static int bring(struct spiller *w, const struct spilled *s, struct cc_place place)
{
    const struct cc_vreg *is = &w->f->vreg[s->v], *was = w->last ? &w->f->vreg[w->last->v] : NULL;
    if (s == w->last)
        return w->kept;
    if (was && s->hows == 2 && was->root == is->root && was->shift == is->shift) {
        struct cc_insn step = cc_insn(I_ADA, temp(w->f, CC_A)); /* one does, from the last */
        step.a[0] = cc_r(w->kept);
        step.a[1] = cc_imm((w->f->vreg[s->v].plus - w->f->vreg[w->last->v].plus) & 0xffff);
        *cc_insert(w->f, &w->out, w->out.n, 1) = step;
        w->out.insn[w->out.n - 1].place = place;
        w->last = s;
        return w->kept = step.d;
    }
    int t = temp(w->f, s->class), to = w->out.n;
    while (s->class == CC_C && to > 0 && is_brought(w->f, &w->out.insn[to - 1]))
        to--;
    struct cc_insn *in = cc_insert(w->f, &w->out, to, s->hows);
    for (int i = 0; i < s->hows; i++) {
        in[i] = s->how[i];
        in[i].d = t;
        in[i].place = place;
        if (in[i].op == I_ADA && in[i].a[0].kind == K_R)
            in[i].a[0].v = t;
    }
    if (s->class == CC_A && w->keeps) {
        w->last = s;
        w->kept = t;
    }
    return t;
}

/* The instruction with what it needs before it, and what it leaves behind it. */
static void around(struct spiller *w, struct cc_insn in)
{
    const struct spilled *met[10], *s;
    int r[8], reads = cc_reads(&in, r), n = 0;
    struct cc_insn save[2];
    int saves = 0;
    const int out[2] = {in.d, in.dc};
    for (int k = 0; k < reads + 2; k++) { /* each once, in the order of the list */
        if (!(s = spilled_at(w, k < reads ? r[k] : out[k - reads])))
            continue;
        int at = n;
        while (at && met[at - 1] > s)
            at--;
        if (at && met[at - 1] == s)
            continue;
        memmove(met + at + 1, met + at, (size_t)(n++ - at) * sizeof *met);
        met[at] = s;
    }
    for (int k = 0; k < n; k++)
        if (met[k]->remade && in.d == met[k]->v) {
            if (in.op == I_R2A &&
                in.a[0].kind != K_R) { /* its register went into it: it is needed again */
                in.op = I_MOV;
                in.d = w->f->vreg[in.d].root;
                in.a[1] = (struct cc_operand){.v = -1};
                around(w, in);
            }
            return;
        }
    for (int k = 0; k < n; k++) {
        s = met[k];
        bool writes = in.d == s->v || in.dc == s->v;
        /* Other threads' flags stay, and so does the number beside flags: no word says that of one of them alone. */
        bool keeps = writes && in.guard >= 0 && (s->class == CC_C || (in.d >= 0 && in.dc >= 0));
        int t = -1;
        if (cc_reads_it(&in, s->v) || keeps) {
            t = bring(w, s, in.place);
            replace(&in, s->v, t);
        }
        if (!writes)
            continue;
        if (t < 0) {
            t = temp(w->f, s->class);
            in.fresh = true; /* what it leaves lies in memory */
        }
        if (in.d == s->v)
            in.d = t;
        if (in.dc == s->v)
            in.dc = t;
        struct cc_insn *keep = &save[saves++];
        *keep = s->class == CC_C ? cc_insn(I_C2R, s->store) : memory(I_ST, t, (uint32_t)s->store);
        if (s->class == CC_C)
            keep->a[0] = cc_r(t);
        keep->place = in.place;
        keep->guard = s->class == CC_C ? -1 : in.guard;
        keep->cond = in.cond;
    }
    CC_ROOM(w->f->arena, w->out.insn, w->out.n, w->out.room);
    w->out.insn[w->out.n++] = in;
    if (w->last && in.d >= 0 && in.d == w->f->vreg[w->last->v].root)
        w->last = NULL;
    while (saves)
        around(w, save[--saves]);
}

/* keeps: an address register that is brought stays until another one is. In the first round alone: one more is live then. */
static void spill(struct cc_fn *f, const int *list, int n, bool keeps)
{
    struct spilled *how = cc_alloc(f->scratch, (size_t)n * sizeof *how);
    struct spiller w = {.f = f, .list = how, .known = f->nvregs, .keeps = keeps};
    w.which = cc_alloc(f->scratch, (size_t)f->nvregs * sizeof *w.which);
    const struct cc_insn **def = cc_alloc(f->scratch, (size_t)n * sizeof *def);
    int *defs = cc_alloc(f->scratch, (size_t)n * sizeof *defs);
    for (int i = 0; i < n; i++)
        w.which[list[i]] = i + 1;
    for (int b = 0; b < f->nblocks; b++)
        for (int i = 0; i < f->block[b].n; i++) {
            int d = f->block[b].insn[i].d, at = d < 0 ? 0 : w.which[d];
            if (at) {
                def[at - 1] = &f->block[b].insn[i];
                defs[at - 1]++;
            }
        }
    for (int i = 0; i < n; i++)
        how[i] = find_how(f, list[i], def[i], defs[i]);
    for (int k = 0; k < f->nblocks; k++) {
        struct cc_block *b = &f->block[k];
        if (b->gone)
            continue;
        w.out = (struct cc_block){.place = b->place};
        w.last = NULL;
        for (int i = 0; i < b->n; i++)
            around(&w, b->insn[i]);
        const struct spilled *s = spilled_at(&w, b->guard);
        if (s)
            b->guard = bring(&w, s, b->place);
        b->insn = w.out.insn;
        b->n = w.out.n;
        b->room = w.out.room;
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
    bool has_gone = false;
    for (int i = 0; i < p->adj[v].n; i++) {
        int u = other(p, v, i);
        if (u <= 0 || (p->used[u] && (has_gone || p->f->vreg[u].no_spill)))
            continue;
        bool first = best < 0 || has_gone < !p->used[u];
        if (first ||
            (!p->used[u] ? u < best
                         : p->cost[u] < p->cost[best] || (p->cost[u] <= p->cost[best] && u < best)))
            best = u;
        has_gone |= !p->used[u];
    }
    return best;
}

/* Spills what is listed, or what is in its way; false: nothing is left that could go. */
static bool spill_all(struct pass *p, int *list, int n, bool first)
{
    int spilled = 0;
    for (int i = 0; i < n; i++) {
        int v = list[i];
        if (p->f->vreg[v].no_spill)
            v = cheapest_neighbour(p, v);
        if (v < 0)
            return false;
        if (p->used[v])
            list[spilled++] = v;
        p->used[v] = false;
    }
    spill(p->f, list, spilled, first);
    return true;
}

/* Address registers come first: they are made anew from general ones, which must still be what they were. */
static int assign(struct pass *p, enum cc_class first, enum cc_class last, bool shorter)
{
    struct cc_fn *f = p->f;
    for (int round = 0;; round++) {
        build(p);
        while (first == CC_R && coalesce(p))
            build(p);
        int *list = cc_alloc(f->scratch, (size_t)p->n * sizeof *list), n = 0;
        for (int c = (int)first; c <= (int)last; c++)
            n += colour(p, (enum cc_class)c, list + n);
        if (n == 0)
            return 0;
        for (int i = 0; i < n && shorter; i++)
            if (f->vreg[list[i]].class == CC_R)
                return 1;
        if (first == CC_R && !f->vreg[0].no_spill)
            copy_r0(f);
        if (!spill_all(p, list, n, round == 0))
            return cc_fail(f, &f->ptx->place,
                           "%d registers are not enough for kernel '%s': raise --maxrregcount, or "
                           "make the block smaller",
                           p->max[CC_R], f->ptx->name);
    }
}

void cc_drop_copies(struct cc_fn *f)
{
    for (int b = 0; b < f->nblocks; b++) {
        struct cc_block *k = &f->block[b];
        int n = 0;
        for (int i = 0; i < k->n; i++)
            if (!is_copy(&k->insn[i]) ||
                f->vreg[k->insn[i].d].color != f->vreg[k->insn[i].a[0].v].color)
                k->insn[n++] = k->insn[i];
        k->n = n;
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
    f->regs += f->pairs & f->regs;
    return f->local_bytes > 65536 ? cc_fail(f, &f->ptx->place,
                                            "kernel '%s' needs %u bytes of local memory for each "
                                            "thread, for private variables and spilled registers, "
                                            "and 65,536 are the most; raise --maxrregcount",
                                            f->ptx->name, f->local_bytes)
                                  : 0;
}
