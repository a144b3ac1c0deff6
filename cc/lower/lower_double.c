/* lower_double.c -- double, which the machine has not: arithmetic is that of float, as nvcc had it for this machine. In memory and in
 * arguments a double keeps its 8 bytes, as the host has them.
 */
#include "lower.h"

#include <string.h>

/* Upper word of the double 2^128; the one below rounds up to infinity by itself. */
enum { TOO_LARGE = 0x47f00000 };

bool cc_is_double(const struct cc_lower *l, int reg)
{
    return reg >= 0 && l->k->reg[reg].type == PTX_64 && l->k->reg[reg].is_float;
}

/* d = by where a and b compare so, without signs; else it stays. */
static void where(struct cc_lower *l, int d, struct cc_operand by, enum cc_compare cmp,
                  struct cc_operand a, uint32_t b)
{
    struct cc_insn *i = cc_emit(l, I_SET, -1, a, cc_imm(b), cc_none());
    int c = i->dc = cc_new_vreg(l->f, CC_C);
    i->cmp = (uint8_t)cmp;
    i = cc_emit(l, I_MOV, d, by, cc_none(), cc_none());
    i->guard = c;
    i->cond = N_NE;
}

/* The float nearest to a double, the even one of two; below 2^-126 zero, as in all arithmetic here. */
void cc_narrow(struct cc_lower *l, int d, struct cc_operand lo, struct cc_operand hi)
{
    struct cc_operand size = cc_new(l, I_AND, hi, cc_imm(0x7fffffff));
    struct cc_operand rest = cc_new(l, I_AND, lo, cc_imm(0x1fffffff));
    struct cc_operand x = cc_new(l, I_ADD, size, cc_imm(0u - 0x38000000));
    x = cc_new(l, I_OR, cc_new(l, I_SHL, x, cc_imm(3)), cc_new(l, I_SHR, lo, cc_imm(29)));
    rest = cc_new(l, I_ADD, cc_new(l, I_ADD, rest, cc_imm(0x0fffffff)),
                  cc_new(l, I_AND, x, cc_imm(1)));
    int r = cc_temp(l), t = cc_temp(l);
    cc_emit(l, I_ADD, r, x, cc_new(l, I_SHR, rest, cc_imm(29)), cc_none());
    where(l, r, cc_imm(0), P_LT, size, CC_LEAST_FLOAT);
    where(l, r, cc_imm(0x7f800000), P_GE, size, TOO_LARGE);
    cc_emit(l, I_OR, t, cc_r(r), cc_new(l, I_AND, hi, cc_imm(0x80000000)), cc_none());
    size = cc_new(l, I_OR, size, cc_new(l, I_MIN, lo, cc_imm(1)));
    where(l, t, cc_imm(0x7fffffff), P_GT, size, 0x7ff00000);
    cc_emit(l, I_MOV, d, cc_r(t), cc_none(), cc_none());
}

/* Every float is a double; denormals are zero. */
void cc_widen(struct cc_lower *l, struct cc_operand x, struct cc_operand out[2])
{
    struct cc_operand size = cc_new(l, I_AND, x, cc_imm(0x7fffffff));
    struct cc_operand hi = cc_new(l, I_SHR, size, cc_imm(3));
    int lo = cc_temp(l), bias = cc_temp(l), h = cc_temp(l);
    cc_emit(l, I_MOV, bias, cc_imm(0x38000000), cc_none(), cc_none());
    where(l, bias, cc_imm(0x70000000), P_GE, size, 0x7f800000);
    cc_emit(l, I_ADD, h, hi, cc_r(bias), cc_none());
    cc_emit(l, I_SHL, lo, x, cc_imm(29), cc_none());
    where(l, h, cc_imm(0), P_LT, size, 0x00800000);
    where(l, lo, cc_imm(0), P_LT, size, 0x00800000);
    out[0] = cc_r(lo);
    out[1] = cc_new(l, I_OR, cc_r(h), cc_new(l, I_AND, x, cc_imm(0x80000000)));
}

/* mov.b64 between a double and its bits. */
static int move_bits(struct cc_lower *l)
{
    const struct ptx_operand *to = &l->in->o[0], *from = &l->in->o[1];
    struct cc_operand x[2];
    if (to->kind == PTX_REG && cc_is_double(l, to->reg)) {
        bool pair = from->kind == PTX_VEC && from->elements == 2;
        if (!pair && from->kind != PTX_REG)
            return cc_refuse(l, "'%s' of this form is not supported", l->in->op);
        cc_narrow(l, cc_dst(l), pair ? cc_r(l->lo[from->element[0]]) : cc_get(l, 1),
                  pair ? cc_r(l->lo[from->element[1]]) : cc_get_hi(l, 1));
        return 0;
    }
    cc_widen(l, cc_get(l, 1), x);
    bool pair = to->kind == PTX_VEC && to->elements == 2;
    int d[2] = {pair ? l->lo[to->element[0]] : cc_dst(l),
                pair ? l->lo[to->element[1]] : cc_dst_hi(l)};
    for (int h = 0; h < 2; h++)
        if (d[h] >= 0)
            cc_emit(l, I_MOV, d[h], x[h], cc_none(), cc_none());
    return 0;
}

/* 0: done; 1: the instruction is one of float now. */
int cc_lower_double(struct cc_lower *l)
{
    bool is_double = false;
    for (int o = 0; o < l->in->n; o++)
        is_double |= l->in->o[o].kind == PTX_REG && cc_is_double(l, l->in->o[o].reg);
    if (!is_double && !cc_part(l, "f64"))
        return 1;
    if (l->f->no_double)
        return cc_refuse(l, "double: the machine has no f64; use float");
    if (!l->f->demoted.ptx_line)
        l->f->demoted = l->in->place;
    if (strcmp(l->part[0], "mov") == 0 && !cc_part(l, "f64"))
        return move_bits(l);
    if (strcmp(l->part[0], "ld") == 0 || strcmp(l->part[0], "st") == 0)
        return 1;
    bool quotient = strcmp(l->part[0], "div") == 0 || strcmp(l->part[0], "sqrt") == 0 ||
                    strcmp(l->part[0], "rcp") == 0;
    l->double_numbers = strcmp(l->part[l->nparts - 1], "f64") == 0;
    for (int p = 1; p < l->nparts; p++)
        if (strcmp(l->part[p], "f64") == 0)
            l->part[p] = "f32";
        else if (quotient && strcmp(l->part[p], "rn") == 0) /* as the machine has them */
            l->part[p] = "full";
    bool between = strcmp(l->part[0], "cvt") == 0 && strcmp(l->part[l->nparts - 1], "f32") == 0 &&
                   strcmp(l->part[l->nparts - 2], "f32") == 0;
    if (!between || (l->nparts > 3 && l->part[1][2])) /* rounds to an integer, or "sat" */
        return 1;
    if (l->nparts > 3 && strcmp(l->part[1], "rn"))
        return cc_refuse(
            l,
            "'%s' promises a rounding, and a double is the nearest float as soon as it is loaded",
            l->in->op);
    cc_emit(l, I_MOV, cc_dst(l), cc_get(l, 1), cc_none(), cc_none());
    return 0;
}
