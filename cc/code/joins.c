/* joins.c -- which joins are pushed where, for any flow graph.
 *
 * A block is three nodes: its join, its body, its branch. A branch that may split a warp has a place J where its threads
 * shall meet, but for those that end before (meeting.c); from that branch on, up to the join of J, an entry SYNC for J must be
 * open on the stack. The nodes where it is are the set S(J). An edge that enters S(J) pushes (SSY), and the join of J pops. An edge into J from outside
 * of S(J) goes past the join.
 *
 * Entries lie on each other in the order in which they are popped: J is below all whose joins come before it, that is the
 * nearer one on top. An edge that would push J under one that is open already, or push where it pops, is not
 * possible: then its start belongs to S(J) too, and all begins again. Sets only grow, so this ends. J is behind every node
 * of S(J), so any two of them that are open at a node have an order.
 */
#include "ir.h"

enum { JOIN, BODY, BRANCH };

struct pass {
    struct cc_fn *f;
    struct cc_flow g;
    struct set { /* of a node: all J with the node in S(J), in ascending order */
        int *j, n, room;
    } * open;
    int *stack;
};

static bool open_at(const struct pass *p, int j, int node)
{
    const struct set *s = &p->open[node];
    for (int i = 0; i < s->n; i++)
        if (s->j[i] == j)
            return true;
    return false;
}

static bool put(struct pass *p, int j, int node)
{
    struct set *s = &p->open[node];
    if (open_at(p, j, node))
        return false;
    CC_ROOM(p->f->scratch, s->j, s->n, s->room);
    int at = s->n++;
    for (; at && s->j[at - 1] > j; at--)
        s->j[at] = s->j[at - 1];
    s->j[at] = j;
    return true;
}

/* Adds a node and what follows up to the join of j. */
static void add(struct pass *p, int j, int node)
{
    int top = 0;
    if (put(p, j, node))
        p->stack[top++] = node;
    while (top) {
        int from = p->stack[--top], b = from / 3;
        if (from % 3 != BRANCH) {
            if (put(p, j, from + 1))
                p->stack[top++] = from + 1;
            continue;
        }
        for (int s = 0; s < 2; s++) {
            int to = p->f->block[b].succ[s];
            if (to >= 0 && to != j && put(p, j, 3 * to + JOIN))
                p->stack[top++] = 3 * to + JOIN;
        }
    }
}

/* The step from node u to v; `pops`: through the join of that block, -1. Something was added: true. */
static bool check(struct pass *p, int u, int v, int pops)
{
    bool changed = false;
    for (int i = 0; i < p->open[v].n; i++) {
        int j = p->open[v].j[i];
        if (j == pops || open_at(p, j, u))
            continue;
        bool bad = pops >= 0; /* pushes while it pops */
        for (int n = 0; n < p->open[u].n && !bad; n++) {
            int k = p->open[u].j[n];
            bad = open_at(p, k, v) && cc_meets_before(&p->g, k, j);
        }
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
    *pops = open_at(p, to, u) ? to : -1;
    return 3 * to + BODY;
}

static int collect(struct pass *p, int u, int v, int pops, int **out)
{
    const struct set *to = &p->open[v];
    int *list = to->n ? cc_alloc(p->f->arena, (size_t)to->n * sizeof *list) : NULL, n = 0;
    for (int i = 0; i < to->n; i++) {
        int j = to->j[i];
        if (j == pops || open_at(p, j, u))
            continue;
        int at = n++;
        for (; at && cc_meets_before(&p->g, list[at - 1], j); at--) /* the outermost first */
            list[at] = list[at - 1];
        list[at] = j;
    }
    *out = list;
    return n;
}

struct cc_joins cc_joins(struct cc_fn *f)
{
    struct pass p = {.f = f, .g = cc_flow(f)};
    size_t n = (size_t)f->nblocks;
    p.open = cc_alloc(f->scratch, 3 * n * sizeof *p.open);
    p.stack = cc_alloc(f->scratch, 3 * n * sizeof *p.stack);
    for (int b = 0; b < f->nblocks; b++)
        if (!f->block[b].gone && f->block[b].diverges && cc_meeting(&p.g, b) >= 0)
            add(&p, cc_meeting(&p.g, b), 3 * b + BRANCH);
    for (bool again = true; again;) {
        again = false;
        for (int b = 0; b < f->nblocks; b++) {
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
    for (int b = 0; b < f->nblocks; b++) {
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
