/* states.c -- ways that no thread goes: what a register can be where it is compared, if only numbers are written to it.
 *
 * Where a goto or a break leaves the scope of variables, clang notes in a register where to go on, and asks for it behind
 * their end, with a way for each number and one more. No thread goes the last, but threads that part would wait for each other
 * there, behind the barriers that they pass before.
 */
#include "ir.h"

#include <string.h>

enum { MOST_NUMBERS = 32 };

/* A register to which numbers alone are written, and where. */
struct state {
    int reg, n;
    uint32_t number[MOST_NUMBERS];
    uint32_t *in,
        *set; /* of each block: what it can be at its begin and is at its end, a bit for each number; set 0: as before */
};

static const struct cc_operand *number_written(const struct cc_insn *i)
{
    return i->op == I_MOV && i->guard < 0 && i->dc < 0 && i->a[0].kind == K_IMM ? &i->a[0] : NULL;
}

/* The bit of a number; 0: no room. */
static uint32_t bit_of(struct state *s, uint32_t number)
{
    int at = 0;
    while (at < s->n && s->number[at] != number)
        at++;
    if (at == MOST_NUMBERS)
        return 0;
    s->number[at] = number;
    s->n = at < s->n ? s->n : at + 1;
    return UINT32_C(1) << at;
}

static bool find_writes(const struct cc_fn *f, struct state *s)
{
    for (int b = 0; b < f->nblocks; b++)
        for (int i = 0; i < f->block[b].n && !f->block[b].gone; i++) {
            const struct cc_insn *in = &f->block[b].insn[i];
            const struct cc_operand *o = in->d == s->reg ? number_written(in) : NULL;
            if (in->d == s->reg && (!o || !(s->set[b] = bit_of(s, o->imm))))
                return false;
        }
    return s->n > 1;
}

/* What of `now` goes the way succ[way] of a block: all, but where it ends by comparing the register with a number. */
static uint32_t on_way(const struct cc_fn *f, const struct state *s, int b, uint32_t now, int way)
{
    const struct cc_block *k = &f->block[b];
    const struct cc_insn *set = NULL;
    for (int i = 0; i < k->n && k->guard >= 0; i++) {
        if (k->insn[i].dc == k->guard || k->insn[i].d == k->guard)
            set = &k->insn[i];
        else if (set && k->insn[i].d == s->reg)
            return now;
    }
    if (!set || set->op != I_SET || set->guard >= 0 || (set->cmp != P_EQ && set->cmp != P_NE) ||
        set->a[0].kind != K_R || set->a[0].v != s->reg || set->a[0].half || set->a[0].neg ||
        set->a[1].kind != K_IMM || (k->cond != N_EQ && k->cond != N_NE))
        return now;
    bool if_equal = ((set->cmp == P_EQ) == (k->cond == N_NE)) == (way == 0);
    for (int i = 0; i < s->n; i++)
        if ((s->number[i] == set->a[1].imm) != if_equal)
            now &= ~(UINT32_C(1) << i);
    return now;
}

static uint32_t at_end(const struct state *s, int b)
{
    return s->set[b] ? s->set[b] : s->in[b];
}

static void drop_ways(struct cc_fn *f, struct state *s)
{
    for (bool again = true; again;) {
        again = false;
        for (int b = 0; b < f->nblocks; b++)
            for (int way = 0; way < 2 && !f->block[b].gone; way++) {
                int to = f->block[b].succ[way];
                uint32_t more = to < 0 ? 0 : on_way(f, s, b, at_end(s, b), way) & ~s->in[to];
                if (more) {
                    s->in[to] |= more;
                    again = true;
                }
            }
    }
    for (int b = 0; b < f->nblocks; b++) {
        struct cc_block *k = &f->block[b];
        uint32_t now = at_end(s, b);
        for (int way = 0; way < 2 && now && !k->gone && k->guard >= 0; way++)
            if (!on_way(f, s, b, now, way)) {
                k->guard = -1;
                k->succ[0] = k->succ[!way];
                k->succ[1] = -1;
            }
    }
}

void cc_drop_ways(struct cc_fn *f)
{
    size_t n = (size_t)f->nblocks;
    bool *asked = cc_alloc(f->scratch, (size_t)f->nvregs);
    for (int b = 0; b < f->nblocks; b++)
        for (int i = 0; i < f->block[b].n && f->block[b].guard >= 0; i++) {
            const struct cc_insn *in = &f->block[b].insn[i];
            if (in->op == I_SET && in->dc == f->block[b].guard && in->a[0].kind == K_R &&
                in->a[1].kind == K_IMM)
                asked[in->a[0].v] = true;
        }
    for (int v = 0; v < f->nvregs; v++) {
        struct state s = {.reg = v};
        if (!asked[v])
            continue;
        s.in = cc_alloc(f->scratch, n * sizeof *s.in);
        s.set = cc_alloc(f->scratch, n * sizeof *s.set);
        if (find_writes(f, &s))
            drop_ways(f, &s);
    }
    cc_tidy_flow(f);
}
