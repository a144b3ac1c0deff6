/* meeting.c -- where threads that part meet again.
 *
 * At the first block that all of them come to who do not end before: the nearest postdominator, in a graph without the edges
 * that lead away for good, and in which a loop that one leaves by ending alone may end at its head, once a turn.
 */
#include "ir.h"

#include <string.h>

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
static void find_leaving(struct cc_fn *f, struct cc_flow *g)
{
    size_t n = (size_t)g->n, ints = n * sizeof(int);
    struct ways w = {cc_alloc(f->scratch, ints), cc_alloc(f->scratch, ints),
                     cc_alloc(f->scratch, ints), cc_alloc(f->scratch, ints),
                     cc_alloc(f->scratch, ints), cc_alloc(f->scratch, n),
                     cc_alloc(f->scratch, n),    cc_alloc(f->scratch, n)};
    int *stack = cc_alloc(f->scratch, ints);
    struct out {
        bool turns, counts;
        int edge; /* the best of those that lead away for good */
        long worth;
    } *out = cc_alloc(f->scratch, n * sizeof *out);
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
static void find_turning(struct cc_fn *f, struct cc_flow *g)
{
    int *part = cc_alloc(f->scratch, (size_t)g->n * sizeof *part),
        *stack = cc_alloc(f->scratch, (size_t)g->n * sizeof *stack);
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

void cc_find_meetings(struct cc_fn *f, struct cc_flow *g)
{
    size_t n = 2 * (size_t)g->n;
    g->ipdom = cc_alloc(f->scratch, n * sizeof *g->ipdom);
    g->leaves = cc_alloc(f->scratch, n);
    g->turns = cc_alloc(f->scratch, (size_t)g->n);
    struct backwards w = {.f = f,
                          .g = g,
                          .order = cc_alloc(f->scratch, n * sizeof *w.order),
                          .rank = cc_alloc(f->scratch, n * sizeof *w.rank),
                          .ipdom = cc_alloc(f->scratch, n * sizeof *w.ipdom)};
    int *stack = cc_alloc(f->scratch, n * sizeof *stack),
        *at = cc_alloc(f->scratch, n * sizeof *at);
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
    for (int i = 0; i < w.norder / 2; i++) {
        int t = w.order[i];
        w.order[i] = w.order[w.norder - 1 - i];
        w.order[w.norder - 1 - i] = t;
    }
    for (int i = 0; i < w.norder; i++)
        w.rank[w.order[i]] = i;
    for (bool again = true; again;) {
        again = false;
        for (int i = 0; i < w.norder; i++) {
            int node = w.order[i], d = -2;
            for (int s = 0; s < 2; s++) {
                int to = forward(&w, node, s);
                if (to >= 0 && w.ipdom[to] != -2)
                    d = d == -2 ? to : cc_common(w.ipdom, w.rank, d, to);
            }
            if (node >= g->n || (forward(&w, node, 0) < 0 && forward(&w, node, 1) < 0))
                d = -1;
            again |= w.ipdom[node] != d;
            w.ipdom[node] = d;
        }
    }
    g->meetings = cc_tree(f, w.ipdom, w.order, w.norder, 2 * g->n);
    for (int b = 0; b < g->n; b++)
        g->ipdom[b] = w.ipdom[b] < 0 ? -1 : w.ipdom[b] % g->n;
}

int cc_meeting(const struct cc_flow *g, int b)
{
    return g->leaves[2 * b] || g->leaves[2 * b + 1] ? -1 : g->ipdom[b];
}

bool cc_meets_before(const struct cc_flow *g, int a, int b)
{
    return a != b && cc_above(&g->meetings, g->turns[b] ? g->n + b : b, g->turns[a] ? g->n + a : a);
}
