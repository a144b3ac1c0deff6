/* flow.c -- the flow graph of a kernel: who follows whom, who dominates whom, loops, live registers. */
#include "ir.h"

#include <string.h>

static void visit(const struct cc_fn *f, struct cc_flow *g, int b, bool *seen)
{
    seen[b] = true;
    for (int s = 1; s >= 0; s--)
        if (f->block[b].succ[s] >= 0 && !seen[f->block[b].succ[s]])
            visit(f, g, f->block[b].succ[s], seen);
    g->order[g->norder++] = b;
}

static int meet(const int *idom, const int *rank, int a, int b)
{
    while (a != b) {
        while (a >= 0 && (b < 0 || rank[a] > rank[b]))
            a = idom[a];
        if (a == b)
            break;
        if (a < 0)
            return -1;
        while (b >= 0 && rank[b] > rank[a])
            b = idom[b];
        if (b < 0)
            return -1;
    }
    return a;
}

/* Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm". */
static void dominators(const struct cc_fn *f, struct cc_flow *g)
{
    int n = g->n;
    for (int i = 0; i < n; i++)
        g->idom[i] = -2; /* not known yet */
    g->idom[0] = -1;
    for (bool again = true; again;) {
        again = false;
        for (int i = 1; i < g->norder; i++) {
            int b = g->order[i], d = -2;
            for (int p = 0; p < g->npred[b]; p++) {
                int q = g->pred[b][p];
                if (g->idom[q] != -2)
                    d = d == -2 ? q : meet(g->idom, g->rank, d, q);
            }
            if (g->idom[b] != d) {
                g->idom[b] = d;
                again = true;
            }
        }
    }
    /* The same backwards. The exit is -1; a block without a way to it (an endless loop) has no postdominator. */
    for (int i = 0; i < n; i++)
        g->ipdom[i] = -1;
    bool *ends = cc_alloc(f->arena, (size_t)n * sizeof *ends); /* has a way to the exit */
    for (bool again = true; again;) {
        again = false;
        for (int i = 0; i < g->norder; i++) {
            const int *s = f->block[g->order[i]].succ;
            bool now = s[0] < 0 || ends[s[0]] || (s[1] >= 0 && ends[s[1]]);
            again |= now != ends[g->order[i]];
            ends[g->order[i]] = now;
        }
    }
    /* Sets: simple, and graphs are small. Who postdominates b: b, and who postdominates all its successors. */
    int words = (n + 64) / 64;
    uint64_t *set = cc_alloc(f->arena, (size_t)(n * words) * sizeof *set);
    memset(set, 0xff, (size_t)(n * words) * sizeof *set);
    for (bool again = true; again;) {
        again = false;
        for (int i = g->norder - 1; i >= 0; i--) {
            int b = g->order[i];
            const int *s = f->block[b].succ;
            for (int w = 0; w < words; w++) {
                uint64_t x = s[0] < 0 ? 0 : set[s[0] * words + w];
                if (s[1] >= 0)
                    x &= set[s[1] * words + w];
                if (b >> 6 == w)
                    x |= 1ull << (b & 63);
                again |= x != set[b * words + w];
                set[b * words + w] = x;
            }
        }
    }
    /* The nearest strict postdominator is the one that has all others. */
    for (int b = 0; b < n; b++) {
        int best = -1, most = -1;
        for (int c = 0; c < n && g->rank[b] >= 0 && ends[b]; c++) {
            if (c == b || g->rank[c] < 0 || !cc_has(set + b * words, c))
                continue;
            int count = 0;
            for (int w = 0; w < words; w++)
                count += __builtin_popcountll(set[c * words + w]);
            if (count > most) {
                most = count;
                best = c;
            }
        }
        g->ipdom[b] = best;
    }
}

bool cc_dominates(const struct cc_flow *g, int a, int b)
{
    while (b >= 0 && b != a)
        b = g->idom[b];
    return a == b;
}

/* A loop is what reaches a back edge's source without its header. */
static void loops(const struct cc_fn *f, struct cc_flow *g)
{
    bool *in = cc_alloc(f->arena, (size_t)g->n * sizeof *in);
    int *stack = cc_alloc(f->arena, (size_t)g->n * sizeof *stack);
    for (int h = 0; h < g->n; h++) {
        bool any = false;
        int top = 0;
        memset(in, 0, (size_t)g->n * sizeof *in);
        for (int p = 0; p < g->npred[h]; p++) {
            int t = g->pred[h][p];
            if (!cc_dominates(g, h, t))
                continue;
            any = true;
            if (!in[t] && t != h)
                stack[top++] = t;
            in[t] = true;
        }
        if (!any)
            continue;
        in[h] = true;
        while (top) {
            int b = stack[--top];
            for (int p = 0; p < g->npred[b]; p++)
                if (!in[g->pred[b][p]]) {
                    in[g->pred[b][p]] = true;
                    stack[top++] = g->pred[b][p];
                }
        }
        for (int b = 0; b < g->n; b++)
            g->depth[b] += in[b];
    }
}

struct cc_flow cc_flow(struct cc_fn *f)
{
    struct cc_flow g = {.n = f->nblocks};
    size_t n = (size_t)g.n;
    bool *seen = cc_alloc(f->arena, n);
    g.order = cc_alloc(f->arena, n * sizeof *g.order);
    g.rank = cc_alloc(f->arena, n * sizeof *g.rank);
    g.idom = cc_alloc(f->arena, n * sizeof *g.idom);
    g.ipdom = cc_alloc(f->arena, n * sizeof *g.ipdom);
    g.depth = cc_alloc(f->arena, n * sizeof *g.depth);
    g.npred = cc_alloc(f->arena, n * sizeof *g.npred);
    g.pred = cc_alloc(f->arena, n * sizeof *g.pred);
    visit(f, &g, 0, seen);
    for (int i = 0; i < g.norder / 2; i++) {
        int t = g.order[i];
        g.order[i] = g.order[g.norder - 1 - i];
        g.order[g.norder - 1 - i] = t;
    }
    for (int i = 0; i < g.n; i++)
        g.rank[i] = -1;
    for (int i = 0; i < g.norder; i++)
        g.rank[g.order[i]] = i;
    for (int i = 0; i < g.norder; i++)
        for (int s = 0; s < 2; s++) {
            int to = f->block[g.order[i]].succ[s];
            if (to >= 0 && !(s == 1 && to == f->block[g.order[i]].succ[0]))
                g.npred[to]++;
        }
    for (int i = 0; i < g.n; i++) {
        g.pred[i] = cc_alloc(f->arena, (size_t)(g.npred[i] + 1) * sizeof **g.pred);
        g.npred[i] = 0;
    }
    for (int i = 0; i < g.norder; i++)
        for (int s = 0; s < 2; s++) {
            int to = f->block[g.order[i]].succ[s];
            if (to >= 0 && !(s == 1 && to == f->block[g.order[i]].succ[0]))
                g.pred[to][g.npred[to]++] = g.order[i];
        }
    dominators(f, &g);
    loops(f, &g);
    return g;
}

/* ---- live registers ---- */

struct cc_live cc_liveness(struct cc_fn *f, const struct cc_flow *g)
{
    struct cc_live l = {.words = (f->nvregs + 63) / 64};
    size_t size = (size_t)(f->nblocks * l.words + 1) * sizeof *l.in;
    l.in = cc_alloc(f->arena, size);
    l.out = cc_alloc(f->arena, size);
    uint64_t *use = cc_alloc(f->arena, size), *def = cc_alloc(f->arena, size);
    for (int b = 0; b < f->nblocks; b++) {
        const struct cc_block *k = &f->block[b];
        uint64_t *u = use + b * l.words, *d = def + b * l.words;
        for (int i = 0; i < k->n && !k->gone; i++) {
            int r[8], n = cc_reads(&k->insn[i], r);
            for (int j = 0; j < n; j++)
                if (!cc_has(d, r[j]))
                    cc_put(u, r[j]);
            const int out[2] = {k->insn[i].d, k->insn[i].dc};
            for (int j = 0; j < 2; j++)
                if (out[j] >= 0 && (k->insn[i].guard < 0 || k->insn[i].fresh))
                    cc_put(d, out[j]);
        }
        if (k->guard >= 0 && !k->gone && !cc_has(d, k->guard))
            cc_put(u, k->guard);
    }
    for (bool again = true; again;) {
        again = false;
        for (int i = g->norder - 1; i >= 0; i--) {
            int b = g->order[i];
            for (int w = 0; w < l.words; w++) {
                uint64_t out = 0;
                for (int s = 0; s < 2; s++)
                    if (f->block[b].succ[s] >= 0)
                        out |= l.in[f->block[b].succ[s] * l.words + w];
                uint64_t in = use[b * l.words + w] | (out & ~def[b * l.words + w]);
                l.out[b * l.words + w] = out;
                again |= in != l.in[b * l.words + w];
                l.in[b * l.words + w] = in;
            }
        }
    }
    return l;
}

/* ---- a tidy graph ---- */

/* A block that holds nothing and goes on elsewhere: jumps to it go there at once. */
static int beyond(const struct cc_fn *f, int b)
{
    for (int turns = 0; turns < f->nblocks && b >= 0; turns++) {
        const struct cc_block *k = &f->block[b];
        if (k->n || k->guard >= 0 || k->succ[0] < 0 || k->succ[0] == b)
            break;
        b = k->succ[0];
    }
    return b;
}

void cc_tidy_flow(struct cc_fn *f)
{
    for (int b = 0; b < f->nblocks; b++)
        for (int s = 0; s < 2; s++)
            if (f->block[b].succ[s] >= 0)
                f->block[b].succ[s] = beyond(f, f->block[b].succ[s]);
    for (int b = 0; b < f->nblocks; b++) {
        struct cc_block *k = &f->block[b];
        if (k->guard >= 0 && k->succ[0] == k->succ[1]) {
            k->guard = -1;
            k->succ[1] = -1;
        }
    }
    for (bool again = true; again;) {
        again = false;
        struct cc_flow g = cc_flow(f);
        for (int b = 0; b < f->nblocks; b++)
            f->block[b].gone = g.rank[b] < 0;
        for (int b = 0; b < f->nblocks && !again; b++) { /* a block that only this one leads to */
            struct cc_block *k = &f->block[b];
            int s = k->succ[0];
            if (k->gone || k->guard >= 0 || s <= 0 || s == b || g.npred[s] != 1)
                continue;
            const struct cc_block next = f->block[s];
            for (int i = 0; i < next.n; i++)
                cc_add(f, b, &next.insn[i]);
            k->guard = next.guard;
            k->cond = next.cond;
            k->succ[0] = next.succ[0];
            k->succ[1] = next.succ[1];
            k->place = next.place;
            f->block[s].gone = true;
            f->block[s].succ[0] = f->block[s].succ[1] = -1;
            f->block[s].n = 0;
            again = true;
        }
    }
}
