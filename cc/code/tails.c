/* tails.c -- who ends early, on the way to a barrier, gets the end of the kernel for itself.
 *
 * clang lets a `return` go to the code that all ends share, as "done" with a flag. Then those that part around it would seem
 * to meet there alone, and would come to the barrier one after the other. A copy of that code, if it is short, lets them
 * meet where those that stay do (meeting.c).
 */
#include "ir.h"

enum { MAX_TAIL = 16 };

/* Blocks from which a barrier is still to come, and those that have one. */
static bool *before_barriers(struct cc_fn *f, const struct cc_flow *g, bool *any)
{
    bool *is = cc_alloc(f->scratch, (size_t)g->n);
    int *stack = cc_alloc(f->scratch, (size_t)g->n * sizeof *stack), top = 0;
    for (int k = 0; k < g->norder; k++) {
        const struct cc_block *b = &f->block[g->order[k]];
        for (int i = 0; i < b->n && !is[g->order[k]]; i++)
            is[g->order[k]] = b->insn[i].op == I_BAR;
        if (is[g->order[k]])
            stack[top++] = g->order[k];
    }
    *any = top > 0;
    while (top) {
        int b = stack[--top];
        for (int p = 0; p < g->npred[b]; p++)
            if (!is[g->pred[b][p]]) {
                is[g->pred[b][p]] = true;
                stack[top++] = g->pred[b][p];
            }
    }
    return is;
}

/* Has some block parted the threads on each way to b? */
static bool *parted_before(struct cc_fn *f, const struct cc_flow *g)
{
    bool *is = cc_alloc(f->scratch, (size_t)g->n);
    for (int i = 1; i < g->norder; i++) {
        int d = g->idom[g->order[i]];
        is[g->order[i]] = is[d] || f->block[d].diverges;
    }
    return is;
}

/* May threads run it in several places? A vote is of those that are together. */
static bool is_tail(const struct cc_block *b)
{
    bool votes = false;
    for (int i = 0; i < b->n; i++)
        votes |= b->insn[i].op == I_VOTE;
    return b->succ[0] < 0 && b->n <= MAX_TAIL && !votes;
}

/* A copy of a block that ends, with registers of its own where no other block has to do with them. */
static int copy(struct cc_fn *f, int tail)
{
    int own = cc_new_block(f), first = f->nvregs;
    int *name = cc_alloc(f->scratch, (size_t)first * sizeof *name);
    const struct cc_block *t = &f->block[tail];
    f->block[own].place = t->place;
    for (int i = 0; i < t->n; i++) {
        struct cc_insn in = t->insn[i];
        for (int k = 0; k < 3; k++)
            if (in.a[k].kind != K_NONE && in.a[k].kind != K_IMM && in.a[k].v >= 0 &&
                name[in.a[k].v])
                in.a[k].v = name[in.a[k].v];
        if (in.guard >= 0 && name[in.guard])
            in.guard = name[in.guard];
        if (in.cin >= 0 && name[in.cin])
            in.cin = name[in.cin];
        int *const out[2] = {&in.d, &in.dc};
        for (int k = 0; k < 2; k++)
            if (*out[k] > 0 && f->vreg[*out[k]].defs == 1) {
                int v = cc_new_vreg(f, (enum cc_class)f->vreg[*out[k]].class);
                f->vreg[v].bits = f->vreg[*out[k]].bits;
                *out[k] = name[*out[k]] = v;
            }
        cc_add(f, own, &in);
    }
    return own;
}

void cc_split_tails(struct cc_fn *f)
{
    cc_tidy_flow(f);
    cc_find_divergence(f);
    struct cc_flow g = cc_flow(f);
    bool any, *before = before_barriers(f, &g, &any), *parted = parted_before(f, &g);
    cc_count(f);
    for (int k = 0; k < g.norder && any; k++) {
        int from = g.order[k], s = 0;
        if (f->block[from].guard < 0 || !parted[from])
            continue;
        while (s < 2 && before[f->block[from].succ[s]])
            s++;
        if (s == 2 || !before[f->block[from].succ[1 - s]]) /* the others have no barrier to come */
            continue;
        int to = f->block[from].succ[s];
        while (g.npred[to] == 1 && f->block[to].guard < 0 && f->block[to].succ[0] >= 0) {
            from = to;
            s = 0;
            to = f->block[from].succ[0];
        }
        if (g.npred[to] > 1 && is_tail(&f->block[to])) {
            int own = copy(f, to);
            f->block[from].succ[s] = own;
        }
    }
}
