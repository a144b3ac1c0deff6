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
                    d = d == -2 ? q : meet(g->idom, g->rank, d, q);
            }
            if (g->idom[b] != d) {
                g->idom[b] = d;
                again = true;
            }
        }
    }
}

bool cc_dominates(const struct cc_flow *g, int a, int b)
{
    while (b >= 0 && b != a)
        b = g->idom[b];
    return a == b;
}

/* ---- loops ---- */

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

/* ---- where threads that part meet again ---- */

/* Does the edge count for where threads meet? Not if it leads away for good. */
static bool counts(const struct cc_fn *f, const struct cc_flow *g, int b, int s)
{
    return f->block[b].succ[s] >= 0 && !g->leaves[2 * b + s];
}

static bool counts_to(const struct cc_fn *f, const struct cc_flow *g, int b, int to)
{
    return (counts(f, g, b, 0) && f->block[b].succ[0] == to) ||
           (counts(f, g, b, 1) && f->block[b].succ[1] == to);
}

/* b, and all blocks that lead to it by edges that count and have no mark yet, get the mark. */
static void mark_before(const struct cc_fn *f, const struct cc_flow *g, int b, int mark, int *marks,
                        int *stack)
{
    int top = 0;
    marks[b] = mark;
    stack[top++] = b;
    while (top) {
        int to = stack[--top];
        for (int p = 0; p < g->npred[to]; p++) {
            int from = g->pred[to][p];
            if (marks[from] < 0 && counts_to(f, g, from, to)) {
                marks[from] = mark;
                stack[top++] = from;
            }
        }
    }
}

/* Strongly connected parts of what has no mark, each by its first block (Kosaraju and Sharir: in reverse postorder, each block
 * and what leads to it). */
static void find_parts(const struct cc_fn *f, const struct cc_flow *g, int *part, int *stack)
{
    for (int i = 0; i < g->norder; i++)
        if (part[g->order[i]] < 0)
            mark_before(f, g, g->order[i], g->order[i], part, stack);
}

/* What find_leaving knows of blocks. */
struct ways {
    int *part;       /* strongly connected parts, by their first blocks */
    int *level, *up; /* in the tree of dominators; the least that edges from below b lead to */
    int *entries;    /* edges into b but those from what it dominates */
    int *size;       /* instructions of what b dominates */
    bool *barrier, *turn_bars; /* there is one in what b dominates; in the part */
    bool *skipped;             /* not every turn of its part comes here, or some come twice */
};

static void measure(const struct cc_fn *f, const struct cc_flow *g, struct ways *w)
{
    for (int i = 0; i < g->norder; i++) {
        int b = g->order[i];
        w->level[b] = w->up[b] = i ? w->level[g->idom[b]] + 1 : 0;
        w->size[b] = f->block[b].n;
        for (int k = 0; k < f->block[b].n && !w->barrier[b]; k++)
            w->barrier[b] = f->block[b].insn[k].op == I_BAR;
        w->turn_bars[w->part[b]] |= w->barrier[b];
    }
    for (int i = g->norder - 1; i >= 0; i--) {
        int b = g->order[i], d = g->idom[b];
        for (int s = 0; s < 2; s++) {
            int to = f->block[b].succ[s];
            if (to < 0)
                continue;
            bool back = cc_dominates(g, to, b);
            int l = back ? w->level[to] : w->level[g->idom[to]];
            w->entries[to] += !back;
            w->up[b] = l < w->up[b] ? l : w->up[b];
        }
        if (d < 0)
            continue;
        w->up[d] = w->up[b] < w->up[d] ? w->up[b] : w->up[d];
        w->size[d] += w->size[b];
        w->barrier[d] |= w->barrier[b];
    }
    for (int i = 0; i < g->norder; i++) {
        int b = g->order[i], head = w->part[b];
        w->skipped[b] = g->depth[b] != 1;
        for (int p = 0; p < g->npred[head]; p++)
            w->skipped[b] |= w->part[g->pred[head][p]] == head &&
                             !cc_dominates(g, b, g->pred[head][p]);
    }
}

/* Edges whose threads end on a way of their own: what they reach, nobody reaches otherwise. The others never see them again
 * and need not wait for them. But who leaves a loop by the same edge in a later turn goes the same way, and they shall go it
 * together: to a barrier always; else one way out of a loop counts, if there is no other: the longest of those that
 * each turn comes by. Is there none of these, any, but of a loop with barriers: there others would wait for it in vain. */
static void find_leaving(const struct cc_fn *f, struct cc_flow *g)
{
    size_t n = (size_t)g->n, ints = n * sizeof(int);
    struct ways w = {cc_alloc(f->arena, ints), cc_alloc(f->arena, ints), cc_alloc(f->arena, ints),
                     cc_alloc(f->arena, ints), cc_alloc(f->arena, ints), cc_alloc(f->arena, n),
                     cc_alloc(f->arena, n),    cc_alloc(f->arena, n)};
    int *stack = cc_alloc(f->arena, ints);
    struct out {
        bool turns, counts;
        int edge; /* the best of those that lead away for good */
        long worth;
    } *out = cc_alloc(f->arena, n * sizeof *out);
    memset(w.part, 0xff, ints);
    find_parts(f, g, w.part, stack);
    measure(f, g, &w);
    for (int i = 0; i < g->norder; i++) {
        const int b = g->order[i], *succ = f->block[b].succ;
        struct out *o = &out[w.part[b]];
        for (int s = 0; s < 2 && succ[s] >= 0; s++) {
            int to = succ[s];
            bool inside = w.part[to] == w.part[b];
            bool away = succ[1] >= 0 && g->idom[to] == b && w.up[to] >= w.level[to] &&
                        w.entries[to] == 1;
            g->leaves[2 * b + s] = away;
            o->turns |= inside;
            o->counts |= !inside && (!away || w.barrier[to]);
            long worth = w.skipped[b] && w.turn_bars[w.part[b]] ? 0
                         : w.skipped[b]                         ? w.size[to]
                         : w.size[to]                           ? w.size[to] + (1l << 32)
                                                                : 0;
            if (away && worth > o->worth) {
                o->worth = worth;
                o->edge = 2 * b + s;
            }
        }
    }
    for (int i = 0; i < g->norder; i++) {
        const int b = g->order[i], *succ = f->block[b].succ;
        const struct out *o = &out[w.part[b]];
        for (int s = 0; s < 2 && succ[s] >= 0 && o->turns; s++)
            if (w.barrier[succ[s]] || (!o->counts && o->worth && o->edge == 2 * b + s))
                g->leaves[2 * b + s] = false;
    }
}

/* Loops that one leaves by ending alone: the first blocks of parts without a way out. */
static void find_turning(const struct cc_fn *f, struct cc_flow *g)
{
    int *part = cc_alloc(f->arena, (size_t)g->n * sizeof *part),
        *stack = cc_alloc(f->arena, (size_t)g->n * sizeof *stack);
    memset(part, 0xff, (size_t)g->n * sizeof *part);
    for (int i = 0; i < g->norder; i++) {
        int b = g->order[i];
        if (part[b] < 0 && !counts(f, g, b, 0) && !counts(f, g, b, 1))
            mark_before(f, g, b, g->n, part, stack); /* has a way to an end */
    }
    for (int i = 0; i < g->norder; i++)
        g->turns[g->order[i]] = part[g->order[i]] < 0;
    find_parts(f, g, part, stack);
    for (int i = 0; i < g->norder; i++) {
        int b = g->order[i];
        if (part[b] != b)
            g->turns[b] = false;
        for (int s = 0; s < 2; s++)
            if (part[b] < g->n && counts(f, g, b, s) && part[f->block[b].succ[s]] != part[b])
                g->turns[part[b]] = false;
    }
}

/* The graph that postdominators are found in: blocks, and g->n + h, the way into the head of a loop that turns. From there
 * one may end: so much of a turn is behind it. */
struct backwards {
    const struct cc_fn *f;
    struct cc_flow *g;
    int *order, norder, *rank, *ipdom;
};

static int forward(const struct backwards *w, int node, int s)
{
    const struct cc_flow *g = w->g;
    if (node >= g->n)
        return s ? -1 : node - g->n;
    if (!counts(w->f, g, node, s))
        return -1;
    int to = w->f->block[node].succ[s];
    return g->turns[to] ? g->n + to : to;
}

/* Postorder from the ends, by a stack of nodes and of how many of those before them have been looked at. */
static void visit_backwards(struct backwards *w, int from, int *stack, int *at)
{
    struct cc_flow *g = w->g;
    int top = 0;
    w->rank[from] = 0;
    stack[top] = from;
    at[top++] = 0;
    while (top) {
        int node = stack[top - 1], i = at[top - 1]++, b = node % g->n, before;
        if (node < g->n && g->turns[node])
            before = i ? -1 : g->n + node;
        else
            before = i < g->npred[b] ? g->pred[b][i] : -1;
        if (before < 0) {
            w->order[w->norder++] = node;
            top--;
        } else if (w->rank[before] < 0 && (before >= g->n || counts_to(w->f, g, before, b))) {
            w->rank[before] = 0;
            stack[top] = before;
            at[top++] = 0;
        }
    }
}

/* Threads that part at the end of b meet at ipdom[b], the first block that all reach that do not end before: its nearest
 * postdominator, but for edges that lead away for good. */
static void postdominators(const struct cc_fn *f, struct cc_flow *g)
{
    size_t n = 2 * (size_t)g->n;
    struct backwards w = {.f = f,
                          .g = g,
                          .order = cc_alloc(f->arena, n * sizeof *w.order),
                          .rank = cc_alloc(f->arena, n * sizeof *w.rank),
                          .ipdom = cc_alloc(f->arena, n * sizeof *w.ipdom)};
    int *stack = cc_alloc(f->arena, n * sizeof *stack), *at = cc_alloc(f->arena, n * sizeof *at);
    find_leaving(f, g);
    find_turning(f, g);
    for (size_t i = 0; i < n; i++) {
        w.rank[i] = -1;
        w.ipdom[i] = -2; /* not known yet */
    }
    for (int i = 0; i < g->norder; i++) {
        int b = g->order[i];
        if (g->turns[b])
            visit_backwards(&w, g->n + b, stack, at);
        else if (!counts(f, g, b, 0) && !counts(f, g, b, 1))
            visit_backwards(&w, b, stack, at);
    }
    for (int i = 0; i < w.norder; i++)
        w.rank[w.order[i]] = w.norder - i;
    for (bool again = true; again;) {
        again = false;
        for (int i = w.norder - 1; i >= 0; i--) {
            int node = w.order[i], d = -2;
            for (int s = 0; s < 2; s++) {
                int to = forward(&w, node, s);
                if (to >= 0 && w.ipdom[to] != -2)
                    d = d == -2 ? to : meet(w.ipdom, w.rank, d, to);
            }
            if (node >= g->n || (forward(&w, node, 0) < 0 && forward(&w, node, 1) < 0))
                d = -1;
            again |= w.ipdom[node] != d;
            w.ipdom[node] = d;
        }
    }
    for (int b = 0; b < g->n; b++)
        g->ipdom[b] = w.ipdom[b] < 0 ? -1 : w.ipdom[b] % g->n;
}

int cc_meeting(const struct cc_flow *g, int b)
{
    return g->leaves[2 * b] || g->leaves[2 * b + 1] ? -1 : g->ipdom[b];
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
    g.leaves = cc_alloc(f->arena, 2 * n);
    g.turns = cc_alloc(f->arena, n);
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
    dominators(&g);
    loops(f, &g);
    postdominators(f, &g);
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

bool cc_is_exit(const struct cc_block *b)
{
    return b->n == 0 && b->succ[0] < 0;
}

/* Who has nothing left to do ends there and then: a way to an exit that several share would look like a meeting. */
static void split_exits(struct cc_fn *f)
{
    bool *taken = cc_alloc(f->arena, (size_t)f->nblocks);
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
