/* flow.c -- the flow graph of a kernel: who follows whom, who dominates whom, loops; and what makes it tidy. */
#include "ir.h"

#include <string.h>

/* Postorder, by a stack of blocks; seen[b]: how many of its ways have been gone. */
static void visit(const struct cc_fn *f, struct cc_flow *g, int *stack, uint8_t *seen)
{
    int top = 0;
    stack[top++] = 0;
    seen[0] = 1;
    while (top) {
        int b = stack[top - 1];
        if (seen[b] > 2) {
            g->order[g->norder++] = b;
            top--;
            continue;
        }
        int to = f->block[b].succ[2 - seen[b]++];
        if (to >= 0 && !seen[to]) {
            seen[to] = 1;
            stack[top++] = to;
        }
    }
}

int cc_common(const int *parent, const int *rank, int a, int b)
{
    while (a != b) {
        while (a >= 0 && (b < 0 || rank[a] > rank[b]))
            a = parent[a];
        if (a == b)
            break;
        if (a < 0)
            return -1;
        while (b >= 0 && rank[b] > rank[a])
            b = parent[b];
        if (b < 0)
            return -1;
    }
    return a;
}

/* Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm". */
static void dominators(struct cc_flow *g)
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
                    d = d == -2 ? q : cc_common(g->idom, g->rank, d, q);
            }
            if (g->idom[b] != d) {
                g->idom[b] = d;
                again = true;
            }
        }
    }
}

struct cc_tree cc_tree(struct cc_fn *f, const int *parent, const int *order, int norder, int n)
{
    struct cc_tree t = {cc_alloc(f->scratch, (size_t)n * sizeof *t.first),
                        cc_alloc(f->scratch, (size_t)n * sizeof *t.size)};
    int *next = cc_alloc(f->scratch, (size_t)n * sizeof *next), roots = 1;
    for (int i = norder - 1; i >= 0; i--) {
        t.size[order[i]]++;
        if (parent[order[i]] >= 0)
            t.size[parent[order[i]]] += t.size[order[i]];
    }
    for (int i = 0; i < norder; i++) {
        int v = order[i], *from = parent[v] >= 0 ? &next[parent[v]] : &roots;
        t.first[v] = *from;
        *from += t.size[v];
        next[v] = t.first[v] + 1;
    }
    return t;
}

bool cc_dominates(const struct cc_flow *g, int a, int b)
{
    return a == b || cc_above(&g->dominators, a, b);
}

/* A loop is what reaches a back edge's source without its header. */
static void loops(struct cc_fn *f, struct cc_flow *g)
{
    int *in = cc_alloc(f->scratch, (size_t)g->n * sizeof *in); /* h + 1: in the loop of h */
    int *stack = cc_alloc(f->scratch, (size_t)g->n * sizeof *stack);
    for (int h = 0; h < g->n; h++) {
        int top = 0;
        for (int p = 0; p < g->npred[h]; p++) {
            int t = g->pred[h][p];
            if (!cc_dominates(g, h, t))
                continue;
            if (in[h] != h + 1)
                g->depth[h]++;
            in[h] = h + 1;
            if (in[t] != h + 1)
                stack[top++] = t;
            in[t] = h + 1;
        }
        while (top) {
            int b = stack[--top];
            g->depth[b]++;
            for (int p = 0; p < g->npred[b]; p++)
                if (in[g->pred[b][p]] != h + 1) {
                    in[g->pred[b][p]] = h + 1;
                    stack[top++] = g->pred[b][p];
                }
        }
    }
}

/* Blocks and edges alone. */
static struct cc_flow graph(struct cc_fn *f)
{
    struct cc_flow g = {.n = f->nblocks};
    size_t n = (size_t)g.n;
    g.order = cc_alloc(f->scratch, n * sizeof *g.order);
    g.rank = cc_alloc(f->scratch, n * sizeof *g.rank);
    g.npred = cc_alloc(f->scratch, n * sizeof *g.npred);
    g.pred = cc_alloc(f->scratch, n * sizeof *g.pred);
    visit(f, &g, cc_alloc(f->scratch, n * sizeof(int)), cc_alloc(f->scratch, n));
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
        g.pred[i] = cc_alloc(f->scratch, (size_t)(g.npred[i] + 1) * sizeof **g.pred);
        g.npred[i] = 0;
    }
    for (int i = 0; i < g.norder; i++)
        for (int s = 0; s < 2; s++) {
            int to = f->block[g.order[i]].succ[s];
            if (to >= 0 && !(s == 1 && to == f->block[g.order[i]].succ[0]))
                g.pred[to][g.npred[to]++] = g.order[i];
        }
    return g;
}

struct cc_flow cc_flow(struct cc_fn *f)
{
    struct cc_flow g = graph(f);
    size_t n = (size_t)g.n;
    g.idom = cc_alloc(f->scratch, n * sizeof *g.idom);
    g.depth = cc_alloc(f->scratch, n * sizeof *g.depth);
    dominators(&g);
    g.dominators = cc_tree(f, g.idom, g.order, g.norder, g.n);
    loops(f, &g);
    cc_find_meetings(f, &g);
    return g;
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

bool cc_is_exit(const struct cc_block *b)
{
    return b->n == 0 && b->succ[0] < 0;
}

/* Who has nothing left to do ends there and then: a way to an exit that several share would look like a meeting. */
static void split_exits(struct cc_fn *f)
{
    bool *taken = cc_alloc(f->scratch, (size_t)f->nblocks);
    for (int b = 0, n = f->nblocks; b < n; b++) {
        for (int s = 0; s < 2; s++) {
            int to = f->block[b].succ[s];
            if (to < 0 || !cc_is_exit(&f->block[to]))
                continue;
            if (f->block[b].guard < 0) {
                f->block[b].succ[0] = -1;
                f->block[b].place = f->block[to].place;
            } else if (taken[to]) {
                int own = cc_new_block(f);
                f->block[own].place = f->block[to].place;
                f->block[b].succ[s] = own;
            } else
                taken[to] = true;
        }
    }
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
    split_exits(f);
    struct cc_flow g = graph(f);
    for (int b = 0; b < f->nblocks; b++)
        f->block[b].gone = g.rank[b] < 0;
    for (int i = 0; i < g.norder; i++) {
        int b = g.order[i];
        struct cc_block *k = &f->block[b];
        for (int s;
             !k->gone && k->guard < 0 && (s = k->succ[0]) > 0 && s != b && g.npred[s] == 1;) {
            struct cc_block *next = &f->block[s]; /* only b leads to it */
            for (int j = 0; j < next->n; j++)
                cc_add(f, b, &next->insn[j]);
            k->guard = next->guard;
            k->cond = next->cond;
            k->succ[0] = next->succ[0];
            k->succ[1] = next->succ[1];
            k->place = next->place;
            next->gone = true;
            next->succ[0] = next->succ[1] = -1;
            next->n = 0;
        }
    }
}
