/* lower_bits.c -- counts of bits, and their order turned round: of 32 and 64 bits, in few steps of words. */
#include "lower.h"

#include <string.h>

static bool is(const struct cc_lower *l, const char *op)
{
    return strcmp(l->part[0], op) == 0;
}

static struct cc_operand in_reg(struct cc_lower *l, struct cc_operand x)
{
    return x.kind == K_R ? x : cc_new(l, I_MOV, x, cc_none());
}

static struct cc_operand ones(struct cc_lower *l, struct cc_operand x)
{
    struct cc_operand a = cc_new(l, I_AND, cc_new(l, I_SHR, x, cc_imm(1)), cc_imm(0x55555555));
    x = cc_new(l, I_ADD, x, cc_minus(a));
    a = cc_new(l, I_AND, cc_new(l, I_SHR, x, cc_imm(2)), cc_imm(0x33333333));
    x = cc_new(l, I_ADD, cc_new(l, I_AND, x, cc_imm(0x33333333)), a);
    x = cc_new(l, I_AND, cc_new(l, I_ADD, x, cc_new(l, I_SHR, x, cc_imm(4))), cc_imm(0x0f0f0f0f));
    x = cc_new(l, I_ADD, x, cc_new(l, I_SHR, x, cc_imm(8)));
    x = cc_new(l, I_ADD, x, cc_new(l, I_SHR, x, cc_imm(16)));
    return cc_new(l, I_AND, x, cc_imm(0x3f));
}

/* What is not set when all bits below the first one are. */
static struct cc_operand leading_zeros(struct cc_lower *l, struct cc_operand x)
{
    for (uint32_t n = 1; n < 32; n *= 2)
        x = cc_new(l, I_OR, x, cc_new(l, I_SHR, x, cc_imm(n)));
    return cc_new(l, I_ADD, cc_imm(32), cc_minus(ones(l, x)));
}

/* Of the upper word, or of the lower one and 32 where the upper one is 0. */
static struct cc_operand leading_zeros_wide(struct cc_lower *l, struct cc_operand lo,
                                            struct cc_operand hi)
{
    int x = cc_temp(l), n = cc_temp(l), c = cc_new_vreg(l->f, CC_C);
    struct cc_insn *i = cc_emit(l, I_SET, -1, hi, cc_imm(0), cc_none());
    i->cmp = P_EQ;
    i->dc = c;
    cc_emit(l, I_MOV, x, hi, cc_none(), cc_none());
    i = cc_emit(l, I_MOV, x, lo, cc_none(), cc_none());
    i->guard = c;
    i->cond = N_NE;
    struct cc_operand zeros = leading_zeros(l, cc_r(x));
    cc_emit(l, I_MOV, n, zeros, cc_none(), cc_none());
    i = cc_emit(l, I_ADD, n, zeros, cc_imm(32), cc_none());
    i->guard = c;
    i->cond = N_NE;
    return cc_r(n);
}

static struct cc_operand reversed(struct cc_lower *l, struct cc_operand x)
{
    static const uint32_t mask[] = {0x55555555, 0x33333333, 0x0f0f0f0f, 0x00ff00ff};
    for (uint32_t i = 0, n = 1; i < 4; i++, n *= 2) {
        struct cc_operand down = cc_new(l, I_AND, cc_new(l, I_SHR, x, cc_imm(n)), cc_imm(mask[i]));
        struct cc_operand up = cc_new(l, I_SHL, cc_new(l, I_AND, x, cc_imm(mask[i])), cc_imm(n));
        x = cc_new(l, I_OR, down, up);
    }
    return cc_new(l, I_OR, cc_new(l, I_SHR, x, cc_imm(16)), cc_new(l, I_SHL, x, cc_imm(16)));
}

int cc_lower_bits(struct cc_lower *l)
{
    const char *t = l->part[l->nparts - 1];
    bool wide = strcmp(t, "b64") == 0;
    if (!wide && strcmp(t, "b32"))
        return 1;
    struct cc_operand n;
    if (is(l, "popc"))
        n = wide ? cc_new(l, I_ADD, ones(l, in_reg(l, cc_get(l, 1))),
                          ones(l, in_reg(l, cc_get_hi(l, 1))))
                 : ones(l, in_reg(l, cc_get(l, 1)));
    else if (is(l, "clz"))
        n = wide ? leading_zeros_wide(l, in_reg(l, cc_get(l, 1)), in_reg(l, cc_get_hi(l, 1)))
                 : leading_zeros(l, in_reg(l, cc_get(l, 1)));
    else if (is(l, "brev")) {
        cc_emit(l, I_MOV, cc_dst(l), reversed(l, in_reg(l, wide ? cc_get_hi(l, 1) : cc_get(l, 1))),
                cc_none(), cc_none());
        if (wide && cc_dst_hi(l) >= 0)
            cc_emit(l, I_MOV, cc_dst_hi(l), reversed(l, in_reg(l, cc_get(l, 1))), cc_none(),
                    cc_none());
        return 0;
    } else
        return 1;
    cc_emit(l, I_MOV, cc_dst(l), n, cc_none(), cc_none());
    cc_bound(l, wide ? 7 : 6);
    return 0;
}
