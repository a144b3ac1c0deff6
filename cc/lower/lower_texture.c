/* lower_texture.c -- fetches from textures: tex.1d and tex.2d of PTX become TEX and TLD.
 *
 * A fetch takes its coordinates out of registers in a row and leaves its results there. They are moved in and out: the
 * row stands behind the registers of the kernel, for all of its fetches.
 */
#include "lower.h"

#include <string.h>

static const struct ptx_var *find_texture(const struct cc_lower *l, const char *name)
{
    const struct ptx_module *m = l->f->module;
    for (int i = 0; name && i < m->ntextures; i++)
        if (strcmp(m->texture[i].name, name) == 0)
            return &m->texture[i];
    return NULL;
}

/* The reference that an operand names, or that was moved into its register. */
static const struct ptx_var *reference(const struct cc_lower *l, const struct ptx_operand *o)
{
    for (int i = 0; o->reg >= 0 && i < 8; i++) { /* copies of copies */
        const struct ptx_insn *def = l->defs[o->reg] == 1 ? l->def[o->reg] : NULL;
        if (!def || strncmp(def->op, "mov.", 4) != 0 || def->n != 2)
            return NULL;
        o = &def->o[1];
    }
    return o->imm ? NULL : find_texture(l, o->name);
}

bool cc_is_read(const struct cc_lower *l, int reg)
{
    for (int i = 0; i < l->k->ninsns; i++) {
        const struct ptx_insn *in = &l->k->insn[i];
        for (int o = 0; o < in->n; o++) {
            const struct ptx_operand *x = &in->o[o];
            bool target = in == l->in && o == 0;
            if (!target && (x->kind == PTX_REG || x->kind == PTX_MEM) && x->reg == reg)
                return true;
            for (int e = 0; !target && e < x->elements; e++)
                if (x->element[e] == reg)
                    return true;
        }
        if (in->guard == reg)
            return true;
    }
    return false;
}

static void emit_fetch(struct cc_lower *l, const char *op, const struct ptx_operand *to,
                       const struct ptx_operand *from, uint32_t unit)
{
    int mask = 0, n = 0;
    for (int c = 0; c < to->elements; c++)
        mask |= cc_is_read(l, to->element[c]) << c;
    if (!mask)
        return;
    for (int i = 0; i < from->elements; i++)
        cc_emit(l, I_TEXIN, -1, cc_r(l->lo[from->element[i]]), cc_none(), cc_none())->off =
            (uint32_t)i;
    struct cc_insn *i = cc_emit_text(l, I_TEX, op, -1, cc_none());
    i->off = unit;
    i->size = (uint8_t)from->elements;
    i->cmp = (uint8_t)mask;
    for (int c = 0; c < to->elements; c++)
        if (mask >> c & 1)
            cc_emit(l, I_TEXOUT, l->lo[to->element[c]], cc_none(), cc_none(), cc_none())->off =
                (uint32_t)n++;
    n = n > from->elements ? n : from->elements;
    if (n > l->f->texture_regs)
        l->f->texture_regs = n;
}

int cc_lower_texture(struct cc_lower *l)
{
    const struct ptx_insn *in = l->in;
    if (strcmp(l->part[0], "mov") == 0 && in->n == 2 && in->o[1].kind == PTX_SYM &&
        find_texture(l, in->o[1].name))
        return 0; /* who reads it looks here */
    if (strcmp(l->part[0], "tex") != 0)
        return 1;
    bool integer = strcmp(l->part[l->nparts - 1], "s32") == 0;
    int axes = cc_part(l, "1d") ? 1 : cc_part(l, "2d") ? 2 : 0;
    if (in->n != 2 || in->o[0].kind != PTX_VEC || in->o[1].kind != PTX_MEM || !axes ||
        !cc_part(l, "v4"))
        return cc_refuse(l, "'%s': of textures, fetches by one and two coordinates are built",
                         in->op);
    if (in->o[1].elements != axes || (integer && axes > 1))
        return cc_refuse(
            l, "'%s': an integer is a coordinate of tex.1d alone; those of tex.2d are floats",
            in->op);
    const struct ptx_var *t = reference(l, &in->o[1]);
    if (!t)
        return cc_refuse(l, "which texture this reads is not known here: name a reference, or an "
                            "argument of the kernel that is a texture object");
    emit_fetch(l, integer ? "TLD" : "TEX", &in->o[0], &in->o[1], t->address);
    return *l->f->err->msg ? -1 : 0;
}
