/* spaces.c -- the memories that an address may mean.
 *
 * The PTX says it; where it says "constant" or nothing, the pointer is followed back to where it came from.
 */
#include "lower.h"

#include <string.h>

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static unsigned tag_of(const struct ptx_var *v)
{
    static const unsigned tags[] = {[PTX_CONST] = TAG_CONST,
                                    [PTX_GLOBAL] = TAG_GLOBAL,
                                    [PTX_SHARED] = TAG_SHARED,
                                    [PTX_LOCAL] = TAG_LOCAL};
    return v && (size_t)v->space < sizeof tags / sizeof *tags ? tags[v->space] : 0;
}

/* ---- pointers in registers ---- */

static bool loads_pointer_parameter(const struct cc_lower *l, const char *op)
{
    const char *type = l->f->module->m64 ? ".u64" : ".u32";
    return begins(op, "ld.param.") && strcmp(op + strlen(op) - 4, type) == 0;
}

static bool passes_address(const char *op)
{
    static const char *const ops[] = {"mov.",  "add.", "sub.", "selp.",
                                      "cvta.", "and.", "or.",  "mad."};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (begins(op, ops[i]))
            return true;
    return false;
}

/* The memories of the result, as far as those of the operands are known. */
static unsigned tag_of_result(const struct cc_lower *l, const struct ptx_insn *in)
{
    unsigned tag = 0;
    if (loads_pointer_parameter(l, in->op) || begins(in->op, "cvta.to.global"))
        return TAG_GLOBAL;
    if (begins(in->op, "cvta.shared"))
        return TAG_SHARED;
    if (begins(in->op, "cvta.local"))
        return TAG_LOCAL;
    if (begins(in->op, "cvta.const"))
        return TAG_CONST;
    if (!passes_address(in->op))
        return 0;
    for (int i = 1; i < in->n; i++)
        tag |= in->o[i].kind == PTX_REG   ? l->tag[in->o[i].reg]
               : in->o[i].kind == PTX_SYM ? tag_of(cc_find_var(l, in->o[i].name))
                                          : 0;
    /* A parameter may be any number: a sum with the address of a variable is an address in that variable's memory. */
    bool sum = begins(in->op, "add.") || begins(in->op, "and.") || begins(in->op, "sub.");
    return sum && tag & ~(unsigned)TAG_GLOBAL ? tag & ~(unsigned)TAG_GLOBAL : tag;
}

void cc_find_spaces(struct cc_lower *l)
{
    const struct ptx_kernel *k = l->k;
    for (bool again = true; again;) {
        again = false;
        for (int i = 0; i < k->ninsns; i++) {
            const struct ptx_insn *in = &k->insn[i];
            if (!in->n || !cc_writes_first(in))
                continue;
            const struct ptx_operand *to = &in->o[0];
            unsigned tag = tag_of_result(l, in);
            for (int e = 0; e < (to->kind == PTX_VEC ? to->elements : to->kind == PTX_REG); e++) {
                int reg = to->kind == PTX_VEC ? to->element[e] : to->reg;
                again |= (tag & ~l->tag[reg]) != 0;
                l->tag[reg] |= tag;
            }
        }
    }
}

/* ---- addresses of an instruction ---- */

int cc_spaces(struct cc_lower *l, const struct ptx_operand *o, unsigned *out)
{
    unsigned tag = o->reg >= 0 ? l->tag[o->reg] : o->name ? tag_of(cc_find_var(l, o->name)) : 0;
    if (cc_part(l, "param") || cc_part(l, "shared"))
        tag = TAG_SHARED;
    else if (cc_part(l, "global"))
        tag = TAG_GLOBAL;
    else if (cc_part(l, "local"))
        tag = TAG_LOCAL;
    else if (cc_part(l, "const"))
        tag = tag & TAG_CONST ? tag & (TAG_CONST | TAG_GLOBAL) : TAG_GLOBAL;
    unsigned others = tag & ~(unsigned)TAG_GLOBAL;
    if (others & (others - 1))
        return cc_refuse(l,
                         "this pointer may point into several memories (shared, local, constant), "
                         "which have instructions of their own; use a pointer for each");
    if (!tag && !l->f->assumed.ptx_line) /* it comes from memory; what nvcc did for this machine */
        l->f->assumed = l->in->place;
    *out = tag ? tag : TAG_GLOBAL;
    return 0;
}

void cc_address(struct cc_lower *l, const struct ptx_operand *o, struct cc_operand *base,
                uint32_t *off)
{
    *base = cc_none();
    *off = (uint32_t)o->imm;
    if (o->reg >= 0)
        *base = cc_r(l->lo[o->reg]);
    else if (o->name) {
        *base = cc_symbol(l,
                          &(struct ptx_operand){.kind = PTX_SYM, .name = o->name, .imm = o->imm});
        *off = base->kind == K_IMM ? base->imm : 0;
        if (base->kind == K_IMM)
            *base = cc_none();
    }
}
