/* lower_atomic.c -- atomic operations: atom and red of PTX become GATOM, and GRED where nobody reads what was in global memory; in
 * shared memory a loop around the lock of the word.
 *
 * A number of 64 bits lies in a pair of registers, an even one and the next. There are no pairs here, so it is moved into
 * the row that fetches from textures have (lower_texture.c), and out of it.
 */
#include "lower.h"

#include <string.h>

static const struct atomic {
    const char *op, *type, *text;
} atomics[] = {{"add", "u32", "IADD.U32"}, {"add", "s32", "IADD.S32"}, {"exch", "b32", "EXCH.U32"},
               {"cas", "b32", "CAS.U32"},  {"inc", "u32", "INC.U32"},  {"dec", "u32", "DEC.U32"},
               {"min", "u32", "MIN.U32"},  {"min", "s32", "MIN.S32"},  {"max", "u32", "MAX.U32"},
               {"max", "s32", "MAX.S32"},  {"and", "b32", "AND.U32"},  {"or", "b32", "OR.U32"},
               {"xor", "b32", "XOR.U32"},  {"add", "u64", "IADD.U64"}, {"exch", "b64", "EXCH.U64"},
               {"cas", "b64", "CAS.U64"}};

static const struct atomic *find(const char *op, const char *type)
{
    for (size_t i = 0; i < sizeof atomics / sizeof atomics[0]; i++)
        if (strcmp(op, atomics[i].op) == 0 && strcmp(type, atomics[i].type) == 0)
            return &atomics[i];
    return NULL;
}

static int lacks(struct cc_lower *l, const char *op, const char *what, const char *needs)
{
    return cc_refuse(
        l,
        "atomic '%s' %s is unavailable: the machine (compute capability 1.%d) has none, "
        "%s has; let each thread write an element of its own and combine them later",
        op, what, l->f->capability, needs);
}

/* Through the row; `data`: the first operand that is none of the target's and address's. */
static void emit_wide(struct cc_lower *l, const char *text, struct cc_operand base, uint32_t off,
                      int data)
{
    struct cc_fn *f = l->f;
    const struct ptx_operand *to = &l->in->o[0];
    bool result = data == 2 && to->kind == PTX_REG && cc_is_read(l, to->reg);
    int n = 0;
    for (int o = data; o < l->in->n; o++) {
        cc_emit(l, I_TEXIN, -1, cc_get(l, o), cc_none(), cc_none())->off = (uint32_t)n++;
        cc_emit(l, I_TEXIN, -1, cc_get_hi(l, o), cc_none(), cc_none())->off = (uint32_t)n++;
    }
    struct cc_insn *i = cc_emit_text(l, I_ATOM, text, -1, base);
    i->off = off;
    i->row = result || strncmp(text, "IADD", 4) ? 2 : 1;
    if (result && cc_dst(l) >= 0)
        cc_emit(l, I_TEXOUT, cc_dst(l), cc_none(), cc_none(), cc_none())->off = 0;
    if (result && cc_dst_hi(l) >= 0)
        cc_emit(l, I_TEXOUT, cc_dst_hi(l), cc_none(), cc_none(), cc_none())->off = 1;
    f->texture_regs = n > f->texture_regs ? n : f->texture_regs;
    f->pairs = true;
}

/* INC and DEC need a number too: row[0] + 1, row[0] - 1. */
static void emit_locked(struct cc_lower *l, const struct atomic *a, struct cc_operand base,
                        uint32_t off, int data)
{
    struct cc_fn *f = l->f;
    const struct ptx_operand *to = &l->in->o[0];
    struct cc_operand y = l->in->n > data + 1 ? cc_get(l, data + 1) : cc_none();
    if (strncmp(a->op, "inc", 3) == 0 || strncmp(a->op, "dec", 3) == 0) {
        y = cc_r(cc_new_vreg(f, CC_R));
        cc_emit(l, I_MOV, y.v, cc_imm(*a->op == 'i' ? 1 : ~0u), cc_none(), cc_none());
    }
    struct cc_insn *i = cc_emit(l, I_ATOM, -1, base, cc_get(l, data), y);
    i->text = a->text;
    i->off = off;
    i->space = S_SHARED;
    i->dc = cc_new_vreg(f, CC_C);
    if (data == 2 && to->kind == PTX_REG && cc_is_read(l, to->reg) && cc_dst(l) >= 0)
        cc_emit(l, I_TEXOUT, cc_dst(l), cc_none(), cc_none(), cc_none())->off = 0;
    f->texture_regs = f->texture_regs > 3 ? f->texture_regs : 3;
}

int cc_lower_atomic(struct cc_lower *l)
{
    const struct ptx_insn *in = l->in;
    bool red = strcmp(l->part[0], "red") == 0;
    if (!red && strcmp(l->part[0], "atom") != 0)
        return 1;
    if (l->f->capability < 1)
        return cc_refuse(l,
                         "the machine (compute capability 1.0) has no atomic operations, 1.1 has; "
                         "let each thread write an element of its own");
    const char *op = l->nparts > 2 ? l->part[l->nparts - 2] : "", *type = l->part[l->nparts - 1];
    const struct atomic *a = find(op, type);
    int data = red ? 1 : 2;
    unsigned spaces = 0;
    if (!a || in->n != data + 1 + (strcmp(op, "cas") == 0) || in->o[data - 1].kind != PTX_MEM)
        return cc_refuse(l, "'%s' is unavailable: the machine has no such atomic operation",
                         in->op);
    bool wide = strcmp(type + 1, "64") == 0;
    if (wide && l->f->capability < 2)
        return lacks(l, op, "of 64 bits", "1.2");
    if (cc_spaces(l, &in->o[data - 1], &spaces))
        return -1;
    if ((spaces & TAG_SHARED) && (l->f->capability < 2 || wide))
        return lacks(l, op, wide ? "of 64 bits on shared memory" : "on shared memory",
                     wide ? "2.0" : "1.2");
    if (spaces != TAG_GLOBAL && spaces != TAG_SHARED)
        return cc_refuse(l, "atomic '%s' is for buffers: a thread's own memory needs none", op);
    struct cc_operand base;
    uint32_t off;
    cc_address(l, &in->o[data - 1], &base, &off);
    if (spaces == TAG_SHARED)
        emit_locked(l, a, base, off, data);
    else if (wide)
        emit_wide(l, a->text, base, off, data);
    else {
        struct cc_operand x = cc_get(l, data),
                          y = in->n > data + 1 ? cc_get(l, data + 1) : cc_none();
        struct cc_insn *i = cc_emit(l, I_ATOM, red ? -1 : cc_dst(l), base, x, y);
        i->text = a->text;
        i->off = off;
    }
    return *l->f->err->msg ? -1 : 0;
}
