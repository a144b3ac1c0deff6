/* doubles.c -- doubles that a kernel only moves are 64 bits, nothing else: copies of them stay exact, whatever arithmetic does. */
#include "ptx.h"

#include <string.h>

static bool is_double(const struct ptx_kernel *k, int reg)
{
    return reg >= 0 && k->reg[reg].type == PTX_64 && k->reg[reg].is_float;
}

static bool moves(const struct ptx_insn *in)
{
    static const char *const ops[] = {"ld", "st.", "mov.f64", "mov.b64", "selp.f64"};
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
        if (strncmp(in->op, ops[i], strlen(ops[i])) == 0)
            return true;
    return false;
}

/* The registers of an operand, by turns; -1: no more. */
static int register_of(const struct ptx_operand *o, int turn)
{
    if (o->kind == PTX_VEC)
        return turn < o->elements ? o->element[turn] : -1;
    return turn == 0 && o->kind == PTX_REG ? o->reg : -1;
}

/* Whether all doubles of the instruction are moved only; if not, none is. */
static bool settle(const struct ptx_kernel *k, const struct ptx_insn *in, bool *computed)
{
    bool any = !moves(in), news = false;
    for (int pass = 0; pass < 2; pass++)
        for (int o = 0; o < in->n; o++)
            for (int t = 0, r; (r = register_of(&in->o[o], t)) >= 0; t++) {
                if (!is_double(k, r))
                    continue;
                if (pass == 0)
                    any |= computed[r];
                else if (any && !computed[r])
                    computed[r] = news = true;
            }
    return news;
}

void ptx_settle_doubles(struct cc_arena *arena, struct ptx_kernel *k)
{
    bool *computed = cc_alloc(arena, (size_t)k->nregs + 1), again = true;
    while (again) {
        again = false;
        for (int i = 0; i < k->ninsns; i++)
            again |= settle(k, &k->insn[i], computed);
    }
    for (int i = 0; i < k->ninsns; i++) {
        struct ptx_insn *in = &k->insn[i];
        size_t n = strlen(in->op);
        int data = strncmp(in->op, "st.", 3) == 0 && in->n > 1;
        int reg = in->n ? register_of(&in->o[data], 0) : -1;
        if (n > 4 && strcmp(in->op + n - 4, ".f64") == 0 && is_double(k, reg) && !computed[reg])
            in->op = cc_format(arena, "%.*s.b64", (int)n - 4, in->op);
    }
    for (int r = 0; r < k->nregs; r++)
        k->reg[r].is_float &= !is_double(k, r) || computed[r];
}
