/* lower_wide.c -- 64-bit integers: two registers, sequences. */
#include "lower.h"

#include <string.h>

struct pair {
    struct cc_operand lo, hi;
};

static bool is(const struct cc_lower *l, const char *op)
{
    return strcmp(l->part[0], op) == 0;
}

static struct pair get(struct cc_lower *l, int n)
{
    return (struct pair){cc_get(l, n), cc_get_hi(l, n)};
}

static void put(struct cc_lower *l, struct pair x)
{
    cc_emit(l, I_MOV, cc_dst(l), x.lo, cc_none(), cc_none());
    cc_emit(l, I_MOV, cc_dst_hi(l), x.hi, cc_none(), cc_none());
}

static struct cc_operand reg(struct cc_lower *l, struct cc_operand x)
{
    return x.kind == K_R ? x : cc_new(l, I_MOV, x, cc_none());
}

static struct cc_operand signs(struct cc_lower *l, struct cc_operand x)
{
    int t = cc_temp(l);
    cc_emit(l, I_SHR, t, x, cc_imm(31), cc_none())->sign = true;
    return cc_r(t);
}

/* a + b, or a - b: then the carry means "no borrow", and the upper half adds the complement. */
static struct pair add(struct cc_lower *l, struct pair a, struct pair b, bool minus)
{
    int lo = cc_temp(l), hi = cc_temp(l), c = cc_new_vreg(l->f, CC_C);
    a.lo = reg(l, a.lo);
    b.lo = reg(l, b.lo); /* -0 carries where 0 would not */
    cc_emit(l, I_ADD, lo, a.lo, minus ? cc_minus(b.lo) : b.lo, cc_none())->dc = c;
    if (minus)
        b.hi = b.hi.kind == K_IMM ? cc_flip(b.hi) : cc_new(l, I_XOR, b.hi, cc_imm(0xffffffff));
    cc_emit(l, I_ADD, hi, reg(l, a.hi), b.hi, cc_none())->cin = c;
    return (struct pair){cc_r(lo), cc_r(hi)};
}

static struct pair multiply(struct cc_lower *l, struct pair a, struct pair b)
{
    struct pair r;
    struct cc_operand cross[2];
    r.hi = cc_mul_hi(l, a.lo, b.lo, false, &r.lo);
    for (int i = 0; i < 2; i++) {
        int t = cc_temp(l);
        cc_mul_lo(l, t, i ? a.hi : a.lo, i ? b.lo : b.hi);
        cross[i] = cc_r(t);
    }
    r.hi = cc_new(l, I_ADD, cc_new(l, I_ADD, r.hi, cross[0]), cross[1]);
    return r;
}

/* Shifts by 32 and more give 0 in the machine, also by a count that is negative here and huge there. */
static struct pair shift(struct cc_lower *l, struct pair a, struct cc_operand n, bool left,
                         bool sign)
{
    enum cc_op there = left ? I_SHL : I_SHR, back = left ? I_SHR : I_SHL;
    struct cc_operand from = left ? a.lo : a.hi, to = left ? a.hi : a.lo; /* bits go from -> to */
    struct cc_operand x, y;
    int edge = cc_temp(l);
    a.lo = reg(l, a.lo);
    a.hi = reg(l, a.hi);
    from = left ? a.lo : a.hi;
    to = left ? a.hi : a.lo;
    if (n.kind == K_IMM) {
        uint32_t by = n.imm > 64 ? 64 : n.imm;
        if (by == 0)
            return a;
        if (by >= 32) {
            cc_emit(l, there, edge, from, cc_imm(by - 32), cc_none())->sign = sign;
            x = cc_r(edge);
            y = sign ? signs(l, from) : cc_imm(0);
        } else {
            x = cc_new(l, I_OR, cc_new(l, there, to, n), cc_new(l, back, from, cc_imm(32 - by)));
            cc_emit(l, there, edge, from, n, cc_none())->sign = sign;
            y = cc_r(edge);
        }
        return left ? (struct pair){y, x} : (struct pair){x, y};
    }
    struct cc_operand over = cc_new(l, I_ADD, cc_imm(32), cc_minus(n)); /* 32 - n */
    struct cc_operand beyond = cc_new(l, I_ADD, n, cc_imm(0xffffffe0)); /* n - 32 */
    x = cc_new(l, I_OR, cc_new(l, there, to, n), cc_new(l, back, from, over));
    if (sign) { /* the fill of the sign must not get in before n reaches 32 */
        int c = cc_new_vreg(l->f, CC_C), d = cc_temp(l);
        struct cc_insn *i = cc_emit(l, I_SET, -1, n, cc_imm(32), cc_none());
        i->cmp = P_GE;
        i->dc = c;
        cc_emit(l, I_MOV, d, x, cc_none(), cc_none());
        i = cc_emit(l, I_SHR, d, from, beyond, cc_none());
        i->sign = true;
        i->guard = c;
        i->cond = N_NE;
        x = cc_r(d);
    } else
        x = cc_new(l, I_OR, x, cc_new(l, there, from, beyond));
    cc_emit(l, there, edge, from, n, cc_none())->sign = sign;
    y = cc_r(edge);
    return left ? (struct pair){y, x} : (struct pair){x, y};
}

static int convert(struct cc_lower *l)
{
    const char *to = l->part[l->nparts - 2], *from = l->part[l->nparts - 1];
    struct cc_operand a;
    if (strcmp(from + 1, "64") == 0 && strcmp(to + 1, "64") == 0) {
        put(l, get(l, 1));
        return 0;
    }
    if (strcmp(from + 1, "64") == 0) { /* the lower half, then as from 32 bits */
        if (to[0] == 'f')
            return cc_refuse(l, "conversion of 64-bit integers to float is not supported");
        a = cc_get(l, 1);
        if (to[1] == '8' && to[0] == 's')
            a = cc_conv(l, "I2I.S32.S16.BEXT", cc_low(a));
        else if (to[1] == '8')
            a = cc_new(l, I_AND, a, cc_imm(0xff));
        cc_emit(l, I_MOV, cc_dst(l), a, cc_none(), cc_none());
        return 0;
    }
    if (from[0] == 'f')
        return cc_refuse(l, "conversion of float to 64-bit integers is not supported");
    a = cc_get(l, 1);
    bool sign = from[0] == 's';
    if (from[1] == '1')
        a = cc_conv(l, sign ? "I2I.S32.S16" : "I2I.U32.U16", cc_low(a));
    if (from[1] == '8')
        a = sign ? cc_conv(l, "I2I.S32.S16.BEXT", cc_low(a)) : cc_new(l, I_AND, a, cc_imm(0xff));
    put(l, (struct pair){a, sign ? signs(l, a) : cc_imm(0)});
    return 0;
}

/* min and max by a comparison: its lower and upper halves together. */
static void least(struct cc_lower *l, struct pair a, struct pair b, bool sign, bool max)
{
    int c = cc_new_vreg(l->f, CC_C), c2 = cc_new_vreg(l->f, CC_C);
    struct pair d = {cc_new(l, I_MOV, a.lo, cc_none()), cc_new(l, I_MOV, a.hi, cc_none())};
    cc_emit(l, I_ADD, -1, reg(l, a.lo), cc_minus(reg(l, b.lo)), cc_none())->dc = c;
    struct cc_insn *i = cc_emit(l, I_ADD, -1, reg(l, a.hi),
                                cc_new(l, I_XOR, reg(l, b.hi), cc_imm(0xffffffff)), cc_none());
    i->cin = c;
    i->dc = c2;
    uint8_t below = sign ? N_LTU : N_NOT_CARRY, not_below = sign ? N_GE : N_CARRY;
    for (int h = 0; h < 2; h++) { /* b where a < b for max, where a >= b for min */
        i = cc_emit(l, I_MOV, h ? d.hi.v : d.lo.v, h ? b.hi : b.lo, cc_none(), cc_none());
        i->guard = c2;
        i->cond = max ? below : not_below;
    }
    put(l, d);
}

int cc_lower_wide(struct cc_lower *l)
{
    const char *t = l->part[l->nparts - 1];
    bool ours = strchr("usb", t[0]) && strcmp(t + 1, "64") == 0;
    bool sign = t[0] == 's';
    struct pair r;
    if (is(l, "cvt"))
        return ours || (strchr("us", l->part[l->nparts - 2][0]) &&
                        !strcmp(l->part[l->nparts - 2] + 1, "64"))
                   ? convert(l)
                   : 1;
    if (cc_part(l, "wide") && (strcmp(t, "u32") == 0 || strcmp(t, "s32") == 0)) {
        r.hi = cc_mul_hi(l, cc_get(l, 1), cc_get(l, 2), sign, &r.lo);
        put(l, is(l, "mad") ? add(l, r, get(l, 3), false) : r);
        return 0;
    }
    if (!ours)
        return 1;
    if (is(l, "add") || is(l, "sub"))
        put(l, add(l, get(l, 1), get(l, 2), is(l, "sub")));
    else if (is(l, "neg"))
        put(l, add(l, (struct pair){cc_imm(0), cc_imm(0)}, get(l, 1), true));
    else if (is(l, "mul") && cc_part(l, "lo"))
        put(l, multiply(l, get(l, 1), get(l, 2)));
    else if (is(l, "mad") && cc_part(l, "lo"))
        put(l, add(l, multiply(l, get(l, 1), get(l, 2)), get(l, 3), false));
    else if (is(l, "and") || is(l, "or") || is(l, "xor")) {
        struct pair a = get(l, 1), b = get(l, 2);
        enum cc_op op = is(l, "and") ? I_AND : is(l, "or") ? I_OR : I_XOR;
        r.lo = cc_new(l, op, a.lo, b.lo);
        r.hi = cc_new(l, op, a.hi, b.hi);
        put(l, r);
    } else if (is(l, "not")) {
        struct pair a = get(l, 1);
        r.lo = cc_new(l, I_XOR, a.lo, cc_imm(0xffffffff));
        r.hi = cc_new(l, I_XOR, a.hi, cc_imm(0xffffffff));
        put(l, r);
    } else if (is(l, "shl") || is(l, "shr"))
        put(l, shift(l, get(l, 1), cc_get(l, 2), is(l, "shl"), sign));
    else if (is(l, "popc")) { /* of 32 bits */
        struct pair a = get(l, 1);
        struct cc_operand low = cc_popc(l, reg(l, a.lo));
        cc_emit(l, I_ADD, cc_dst(l), low, cc_popc(l, reg(l, a.hi)), cc_none());
    } else if (is(l, "min") || is(l, "max"))
        least(l, get(l, 1), get(l, 2), sign, is(l, "max"));
    else if (is(l, "div") || is(l, "rem"))
        return cc_refuse(l,
                         "division of 64-bit integers is not supported: use 32 bits, or a shift");
    else if (is(l, "bfe") && l->in->n == 4 && l->in->o[2].kind == PTX_IMM &&
             l->in->o[3].kind == PTX_IMM) {
        uint32_t at = (uint32_t)l->in->o[2].imm & 255, n = (uint32_t)l->in->o[3].imm & 255;
        if (at > 63 || n == 0)
            return 1;
        n = n > 64 - at ? 64 - at : n;
        sign = cc_field_signed(l, at, n, 64);
        put(l, shift(l, shift(l, get(l, 1), cc_imm(64 - at - n), true, false), cc_imm(64 - n),
                     false, sign));
    } else if (is(l, "abs")) {
        struct pair a = get(l, 1);
        struct cc_operand s = signs(l, a.hi);
        r.lo = cc_new(l, I_XOR, a.lo, s);
        r.hi = cc_new(l, I_XOR, a.hi, s);
        put(l, add(l, r, (struct pair){s, s}, true));
    } else
        return 1;
    return 0;
}
