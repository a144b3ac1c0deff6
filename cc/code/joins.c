/* joins.c -- which joins are pushed where, for any flow graph.
 *
 * A block is three nodes: its join, its body, its branch. A branch that may split a warp has a postdominator J (flow.c), where
 * its threads shall meet, but for those that end before; from that branch on, up to the join of J, an entry SYNC for J must be open on the stack. The nodes
 * where it is are the set S(J). An edge that enters S(J) pushes (SSY), and the join of J pops. An edge into J from outside
 * of S(J) goes past the join.
 *
 * Entries lie on each other in the order in which they are popped: J is below all whose joins come before it, that is the
 * nearer postdominator on top. An edge that would push J under one that is open already, or push where it pops, is not
 * possible: then its start belongs to S(J) too, and all begins again. Sets only grow, so this ends. J postdominates every
 * node of S(J), so any two of them that are open at a node have an order.
 */
#include "ir.h"

#include <string.h>

enum { JOIN, BODY, BRANCH };

struct pass {
    struct cc_fn *f;
    struct cc_flow g;
    bool *in;   /* [j * 3 * nblocks + node]: node is in S(j) */
    bool *used; /* S(j) is not empty */
    int n;
};

static bool *open_at(struct pass *p, int j, int node)
{
    return &p->in[(size_t)j * 3 * (size_t)p->n + (size_t)node];
}

/* Adds a node and what follows up to the join of j. */
static void add(struct pass *p, int j, int node)
{
    if (*open_at(p, j, node))
        return;
    *open_at(p, j, node) = true;
    p->used[j] = true;
    int b = node / 3;
    if (node % 3 != BRANCH) {
        add(p, j, node + 1);
        return;
    }
    for (int s = 0; s < 2; s++) {
        int to = p->f->block[b].succ[s];
        if (to >= 0 && to != j)
            add(p, j, 3 * to + JOIN);
    }
}

/* Is a met before b, both postdominators of one node? The head of a loop that turns is the last in each turn. */
static bool before(const struct pass *p, int a, int b)
{
    while (!p->g.turns[a] && (a = p->g.ipdom[a]) >= 0)
        if (a == b)
            return true;
    return false;
}

/* The step from node u to v; `pops`: through the join of that block, -1. Something was added: true. */
static bool check(struct pass *p, int u, int v, int pops)
{
    bool changed = false;
    for (int j = 0; j < p->n; j++) {
        if (!p->used[j] || !*open_at(p, j, v) || *open_at(p, j, u) || j == pops)
            continue;
        bool bad = pops >= 0; /* pushes while it pops */
        for (int k = 0; k < p->n && !bad; k++)
            bad = k != j && p->used[k] && *open_at(p, k, u) && *open_at(p, k, v) && before(p, k, j);
        if (bad) {
            add(p, j, u);
            changed = true;
        }
    }
    return changed;
}

/* Where an edge from branch node u to block `to` arrives, and which join it goes through. */
static int arrival(struct pass *p, int u, int to, int *pops)
{
    *pops = p->used[to] && *open_at(p, to, u) ? to : -1;
    return 3 * to + BODY;
}

static int collect(struct pass *p, int u, int v, int pops, int **out)
{
    int *list = cc_alloc(p->f->arena, (size_t)p->n * sizeof *list), n = 0;
    for (int j = 0; j < p->n; j++) {
        if (!p->used[j] || !*open_at(p, j, v) || *open_at(p, j, u) || j == pops)
            continue;
        int at = n++;
        for (; at && before(p, list[at - 1], j); at--) /* the outermost first */
            list[at] = list[at - 1];
        list[at] = j;
    }
    *out = list;
    return n;
}

struct cc_joins cc_joins(struct cc_fn *f)
{
    struct pass p = {.f = f, .g = cc_flow(f), .n = f->nblocks};
    size_t n = (size_t)p.n;
    p.in = cc_alloc(f->arena, n * n * 3);
    p.used = cc_alloc(f->arena, n);
    for (int b = 0; b < p.n; b++)
        if (!f->block[b].gone && f->block[b].diverges && cc_meeting(&p.g, b) >= 0)
            add(&p, cc_meeting(&p.g, b), 3 * b + BRANCH);
    for (bool again = true; again;) {
        again = false;
        for (int b = 0; b < p.n; b++) {
            if (f->block[b].gone)
                continue;
            again |= check(&p, 3 * b + BODY, 3 * b + BRANCH, -1);
            for (int s = 0; s < 2; s++)
                if (f->block[b].succ[s] >= 0) {
                    int pops, v = arrival(&p, 3 * b + BRANCH, f->block[b].succ[s], &pops);
                    again |= check(&p, 3 * b + BRANCH, v, pops);
                }
        }
    }
    struct cc_joins out = {cc_alloc(f->arena, n), cc_alloc(f->arena, 3 * n * sizeof *out.npush),
                           cc_alloc(f->arena, 3 * n * sizeof *out.push), cc_alloc(f->arena, 2 * n)};
    for (int b = 0; b < p.n; b++) {
        if (f->block[b].gone)
            continue;
        out.npush[3 * b] = collect(&p, 3 * b + BODY, 3 * b + BRANCH, -1, &out.push[3 * b]);
        for (int s = 0; s < 2; s++) {
            int to = f->block[b].succ[s], pops;
            if (to < 0)
                continue;
            int v = arrival(&p, 3 * b + BRANCH, to, &pops);
            out.npush[3 * b + 1 + s] = collect(&p, 3 * b + BRANCH, v, pops,
                                               &out.push[3 * b + 1 + s]);
            out.through[2 * b + s] = pops >= 0;
            out.join[to] |= pops >= 0;
        }
    }
    return out;
}
