/* predicate.c -- a short if becomes predicates: its instructions stay in line, each under the condition.
 *
 * A branch that splits a warp costs an SSY, the branch and two passes through the join. One that does not costs itself, and
 * what it skips is saved.
 */
#include "ir.h"

enum { MAX_SPLIT = 9, MAX_UNIFORM = 3 };

static bool can_guard(const struct cc_insn *i, int c)
{
    return i->guard < 0 && i->cin < 0 && i->dc != c && i->op != I_BAR && i->op != I_RET &&
           i->op != I_CLOCK && !cc_is_locked(i);
}

/* How many instructions the block adds, -1: it cannot be guarded. */
static int cost(const struct cc_fn *f, const struct cc_flow *g, int b, int c)
{
    const struct cc_block *k = &f->block[b];
    if (g->npred[b] != 1 || k->guard >= 0)
        return -1;
    for (int i = 0; i < k->n; i++)
        if (!can_guard(&k->insn[i], c))
            return -1;
    return k->n;
}

static uint8_t opposite(uint8_t cond)
{
    switch (cond) {
    case N_NE: return N_EQ;
    case N_EQ: return N_NE;
    case N_LTU: return N_GE;
    case N_GE: return N_LTU;
    case N_CARRY: return N_NOT_CARRY;
    default: return N_CARRY;
    }
}

/* May it run for all threads? What it writes is not read on the other ways. */
static bool harmless(const struct cc_insn *i)
{
    return cc_pure(i) && i->op != I_LD && i->dc < 0;
}

/* Block `from` into the end of `to`; `others`: where the threads are that do not run it, and where all go on. */
static void take_in(struct cc_fn *f, const struct cc_live *l, int to, int from, const int others[2],
                    int c, uint8_t cond)
{
    for (int i = 0; i < f->block[from].n; i++) {
        struct cc_insn in = f->block[from].insn[i];
        const int out[2] = {in.d, in.dc};
        bool read = false;
        for (int o = 0; o < 4; o++)
            read |= out[o & 1] >= 0 && others[o >> 1] >= 0 &&
                    cc_lives_into(l, others[o >> 1], out[o & 1]);
        in.fresh = !read;
        if (read || !harmless(&in)) {
            in.guard = c;
            in.cond = cond;
        }
        cc_add(f, to, &in);
    }
    f->block[from].gone = true;
    f->block[from].n = 0;
    f->block[from].succ[0] = -1;
}

static bool try_block(struct cc_fn *f, const struct cc_flow *g, const struct cc_live *l, int b)
{
    struct cc_block *k = &f->block[b];
    if (k->gone || k->guard < 0)
        return false;
    int c = k->guard, most = k->diverges ? MAX_SPLIT : MAX_UNIFORM;
    /* Threads that end at once: RET under the condition. That is right everywhere, in loops and with entries on the stack: a
     * pop brings back whom it names and who has not ended, and where the others meet does not hang on those who end
     * (meeting.c). It costs what a branch does, and leaves nothing on the stack. Where all end together, the branch at the end of a
     * loop does as well, and does without another one back. */
    for (int s = 0; s < 2; s++) {
        if (!cc_is_exit(&f->block[k->succ[s]]) ||
            (!k->diverges && cc_dominates(g, k->succ[1 - s], b))) /* one branch back does both */
            continue;
        struct cc_insn ret = cc_insn(I_RET, -1);
        ret.guard = c;
        ret.cond = s ? opposite(k->cond) : k->cond;
        ret.place = k->place;
        int to = k->succ[1 - s];
        cc_add(f, b, &ret);
        k->guard = -1;
        k->succ[0] = to;
        k->succ[1] = -1;
        return true;
    }
    int t = k->succ[0], e = k->succ[1];
    int ct = cost(f, g, t, c), ce = cost(f, g, e, c);
    int join;
    if (ct >= 0 && f->block[t].succ[0] == e && ct <= most) {
        take_in(f, l, b, t, (const int[]){e, e}, c, k->cond);
        join = e;
    } else if (ce >= 0 && f->block[e].succ[0] == t && ce <= most) {
        take_in(f, l, b, e, (const int[]){t, t}, c, opposite(k->cond));
        join = t;
    } else if (ct >= 0 && ce >= 0 && f->block[t].succ[0] == f->block[e].succ[0] &&
               ct + ce <= most + 2) {
        join = f->block[t].succ[0];                           /* -1: both end */
        take_in(f, l, b, t, (const int[]){e, e}, c, k->cond); /* what e does not read, e writes */
        take_in(f, l, b, e, (const int[]){join, join}, c, opposite(k->cond));
    } else
        return false;
    k->guard = -1;
    k->succ[0] = join;
    k->succ[1] = -1;
    return true;
}

/* What one block takes in changes nothing that is asked of another: registers that are live where it begins stay so, and
 * blocks only lose predecessors. What is in the way of an outer if goes in this round, the outer one in the next. */
void cc_predicate(struct cc_fn *f)
{
    for (bool again = true; again;) {
        again = false;
        cc_arena_free(f->scratch);
        cc_tidy_flow(f);
        cc_find_divergence(f);
        struct cc_flow g = cc_flow(f);
        struct cc_live l = cc_liveness(f, &g);
        for (int b = 0; b < f->nblocks; b++)
            again |= try_block(f, &g, &l, b);
    }
}
