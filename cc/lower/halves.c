/* halves.c -- which registers of 64 bits need their upper half.
 *
 * Addresses of the machine have 32 bits, so of an address that PTX computes in 64 nobody reads the upper half, nor of what it
 * is made of: sums and products of 32 bits do. The same holds for any other value that is cut off later.
 */
#include "lower.h"

#include <string.h>

static const char *last(const struct cc_lower *l)
{
    return l->part[l->nparts - 1];
}

static bool is_wide(const char *type)
{
    return strchr("usb", type[0]) && strcmp(type + 1, "64") == 0;
}

static bool is_one_of(const struct cc_lower *l, const char *const *name, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(l->part[0], name[i]) == 0)
            return true;
    return false;
}

/* Has it a result without an upper half, made of lower halves alone? */
static bool carries(const struct cc_lower *l)
{
    const struct ptx_operand *to = &l->in->o[0];
    if (cc_part(l, "cc") || !l->in->n || to->kind != PTX_REG || l->k->reg[to->reg].type != PTX_64 ||
        cc_is_double(l, to->reg) || l->upper[to->reg])
        return false;
    static const char *const always[] = {"add", "sub", "neg", "not",  "and", "or",
                                         "xor", "shl", "mov", "cvta", "selp"};
    if (strcmp(l->part[0], "mul") == 0 || strcmp(l->part[0], "mad") == 0)
        return cc_part(l, "wide") || (cc_part(l, "lo") && is_wide(last(l)));
    if (strcmp(l->part[0], "cvt") == 0)
        return l->nparts == 3 && is_wide(l->part[1]) && last(l)[0] != 'f';
    return is_wide(last(l)) && is_one_of(l, always, sizeof always / sizeof always[0]);
}

static bool mark(struct cc_lower *l, int reg)
{
    bool news = reg >= 0 && l->k->reg[reg].type == PTX_64 && !cc_is_double(l, reg) &&
                !l->upper[reg];
    if (news)
        l->upper[reg] = true;
    return news;
}

/* Marks what the instruction reads upper halves of; is anything new? */
static bool mark_operands(struct cc_lower *l)
{
    const struct ptx_insn *in = l->in;
    bool store = strcmp(l->part[0], "st") == 0, news = false;
    if (carries(l))
        return false;
    const char *type = strcmp(l->part[0], "cvt") == 0 ? l->part[l->nparts - 2] : last(l);
    bool cut = store || l->part[0][0] == 'c'; /* of fewer bits, so of the lower half */
    if (cut && strchr("usb", type[0]) && !is_wide(type))
        return false;
    for (int o = store ? 0 : 1; o < in->n; o++) {
        if (in->o[o].kind == PTX_REG)
            news |= mark(l, in->o[o].reg);
        for (int e = 0; in->o[o].kind == PTX_VEC && e < in->o[o].elements; e++)
            news |= mark(l, in->o[o].element[e]);
    }
    return news;
}

void cc_find_upper(struct cc_lower *l)
{
    l->upper = cc_alloc(l->f->arena, (size_t)l->k->nregs * sizeof *l->upper);
    for (bool again = true; again;) {
        again = false;
        for (int i = l->k->ninsns - 1; i >= 0; i--) {
            l->in = &l->k->insn[i];
            cc_split_name(l);
            again |= mark_operands(l);
        }
    }
}

/* "add.s64" of a register without an upper half is "add.s32". */
void cc_cut_name(struct cc_lower *l)
{
    if (!carries(l))
        return;
    for (int p = 1; p < l->nparts; p++) {
        if (strcmp(l->part[p], "wide") == 0)
            l->part[p] = "lo";
        else if (is_wide(l->part[p]))
            l->part[p] = l->part[p][0] == 's' ? "s32" : l->part[p][0] == 'u' ? "u32" : "b32";
    }
}
