/* lower_wide.c -- 64-bit integers: two registers, sequences of the machine's 32-bit instructions. */
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
    if (cc_dst_hi(l) >= 0)
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

static struct cc_operand complement(struct cc_lower *l, struct cc_operand x)
{
    return x.kind == K_IMM ? cc_flip(x) : cc_new(l, I_XOR, x, cc_imm(0xffffffff));
}

/* a + b, or a - b: then the carry means "no borrow", and the upper half adds the complement. -1: no carry comes in, none is wanted. */
static struct pair add_carry(struct cc_lower *l, struct pair a, struct pair b, bool minus, int in,
                             int out)
{
    int lo = cc_temp(l), hi = cc_temp(l), c = cc_new_vreg(l->f, CC_C);
    a.lo = reg(l, a.lo);
    b.lo = reg(l, b.lo); /* -0 carries where 0 would not */
    if (minus)
        b.lo = in >= 0 ? complement(l, b.lo) : cc_minus(b.lo);
    struct cc_insn *i = cc_emit(l, I_ADD, lo, a.lo, b.lo, cc_none());
    i->cin = in;
    i->dc = c;
    if (minus)
        b.hi = complement(l, b.hi);
    i = cc_emit(l, I_ADD, hi, reg(l, a.hi), b.hi, cc_none());
    i->cin = c;
    i->dc = out;
    return (struct pair){cc_r(lo), cc_r(hi)};
}

static struct pair add(struct cc_lower *l, struct pair a, struct pair b, bool minus)
{
    return add_carry(l, a, b, minus, -1, -1);
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

/* a, or -a where `mask` is all ones. */
static struct pair with_sign(struct cc_lower *l, struct pair a, struct cc_operand mask)
{
    struct pair x = {cc_new(l, I_XOR, a.lo, mask), cc_new(l, I_XOR, a.hi, mask)};
    return add(l, x, (struct pair){mask, mask}, true);
}

/* The upper 64 bits of a * b, unsigned. No sum on the way is above 2^64 - 1. */
static struct pair multiply_high(struct cc_lower *l, struct pair a, struct pair b)
{
    struct cc_operand zero = cc_imm(0), low, low_a, low_b, low_h;
    struct cc_operand h0 = cc_mul_hi(l, a.lo, b.lo, false, &low);
    struct cc_operand h1 = cc_mul_hi(l, a.lo, b.hi, false, &low_a);
    struct cc_operand h2 = cc_mul_hi(l, a.hi, b.lo, false, &low_b);
    struct cc_operand h3 = cc_mul_hi(l, a.hi, b.hi, false, &low_h);
    struct pair x = add(l, (struct pair){low_a, h1}, (struct pair){h0, zero}, false);
    struct pair y = add(l, (struct pair){low_b, h2}, (struct pair){x.lo, zero}, false);
    struct pair r = add(l, (struct pair){low_h, h3}, (struct pair){x.hi, zero}, false);
    return add(l, r, (struct pair){y.hi, zero}, false);
}

static struct pair multiply_high_signed(struct cc_lower *l, struct pair a, struct pair b)
{
    struct pair r = multiply_high(l, a, b), x[2] = {a, b};
    for (int i = 0; i < 2; i++) { /* minus the other factor where one is negative */
        struct cc_operand s = signs(l, reg(l, x[i].hi));
        struct pair t = {cc_new(l, I_AND, x[1 - i].lo, s), cc_new(l, I_AND, x[1 - i].hi, s)};
        r = add(l, r, t, true);
    }
    return r;
}

/* ---- float, division ---- */

static struct cc_operand float_op(struct cc_lower *l, enum cc_op op, struct cc_operand a,
                                  struct cc_operand b, bool trunc)
{
    int t = cc_temp(l);
    cc_emit(l, op, t, a, b, cc_none())->trunc = trunc;
    return cc_r(t);
}

enum { TWO_32 = 0x4f800000, TWO_MINUS_32 = 0x2f800000 }; /* as float */

/* As float: cut off, or at least as large. */
static struct cc_operand near(struct cc_lower *l, struct pair a, bool ceil)
{
    const char *conv = ceil ? "I2F.F32.U32.CEIL" : "I2F.F32.U32.TRUNC";
    struct cc_operand hi = cc_conv(l, conv, reg(l, a.hi)), lo = cc_conv(l, conv, reg(l, a.lo));
    hi = float_op(l, I_FMUL, hi, cc_imm(TWO_32), false);
    struct cc_operand sum = float_op(l, I_FADD, hi, lo, !ceil);
    return ceil ? cc_new(l, I_ADD, sum, cc_imm(1)) : sum; /* the sum may have been rounded down */
}

/* n / d and n % d, unsigned. f is at most 1/d and short of it by less than 2^-20 of it (docs of the RCP: less than an ulp);
 * quotients are cut off, so each is at most the true one, and short by less than 2^-19 of it and what its last place leaves.
 * Two steps find the upper word, a third in units of two what is left below 2^32 + 2^26; the fourth then has a quotient below
 * 2^14 and is short by one at most. */
static void divide(struct cc_lower *l, struct pair n, struct pair d, struct pair *quotient,
                   struct pair *rest)
{
    struct pair left = {reg(l, n.lo), reg(l, n.hi)};
    struct cc_operand upper = cc_imm(0), part, zero = cc_imm(0);
    int rcp = cc_temp(l);
    d = (struct pair){reg(l, d.lo), reg(l, d.hi)};
    cc_emit_text(l, I_SFU, "RCP", rcp, near(l, d, true));
    struct cc_operand f = cc_new(l, I_ADD, cc_r(rcp), cc_imm(0xfffffffe));
    for (int step = 0; step < 2; step++) {
        struct cc_operand g = float_op(l, I_FMUL, near(l, left, false), f, true);
        int p = cc_temp(l);
        part = cc_conv(l, "F2I.U32.F32.TRUNC", float_op(l, I_FMUL, g, cc_imm(TWO_MINUS_32), false));
        cc_mul_lo(l, p, part, d.lo);
        left.hi = cc_new(l, I_ADD, left.hi, cc_minus(cc_r(p)));
        upper = step ? cc_new(l, I_ADD, upper, part) : part;
    }
    struct pair q = {zero, upper};
    for (int twice = 1; twice >= 0; twice--) {
        struct cc_operand g = float_op(l, I_FMUL, near(l, left, false), f, true);
        if (twice)
            g = float_op(l, I_FMUL, g, cc_imm(0x3f000000), false);
        part = cc_conv(l, "F2I.U32.F32.TRUNC", g);
        struct pair p = {part, zero}, by = twice ? shift(l, d, cc_imm(1), true, false) : d;
        left = add(l, left, multiply(l, p, by), true);
        q = add(l, q, twice ? shift(l, p, cc_imm(1), true, false) : p, false);
    }
    int c = cc_new_vreg(l->f, CC_C), c2 = cc_new_vreg(l->f, CC_C);
    struct pair less = {cc_r(cc_temp(l)), cc_r(cc_temp(l))};
    cc_emit(l, I_ADD, less.lo.v, left.lo, cc_minus(d.lo), cc_none())->dc = c;
    struct cc_insn *i = cc_emit(l, I_ADD, less.hi.v, left.hi,
                                cc_new(l, I_XOR, d.hi, cc_imm(0xffffffff)), cc_none());
    i->cin = c;
    i->dc = c2; /* carries where left >= d */
    if (rest) {
        for (int h = 0; h < 2; h++) {
            struct cc_operand r = cc_new(l, I_MOV, h ? left.hi : left.lo, cc_none());
            i = cc_emit(l, I_MOV, r.v, h ? less.hi : less.lo, cc_none(), cc_none());
            i->guard = c2;
            i->cond = N_CARRY;
            *(h ? &rest->hi : &rest->lo) = r;
        }
    }
    if (quotient) {
        struct cc_operand one = cc_new(l, I_MOV, zero, cc_none());
        i = cc_emit(l, I_MOV, one.v, cc_imm(1), cc_none(), cc_none());
        i->guard = c2;
        i->cond = N_CARRY;
        *quotient = add(l, q, (struct pair){one, zero}, false);
    }
}

static void division(struct cc_lower *l, bool sign)
{
    bool rem = is(l, "rem");
    struct pair n = get(l, 1), d = get(l, 2), r;
    if (!sign) {
        divide(l, n, d, rem ? NULL : &r, rem ? &r : NULL);
        put(l, r);
        return;
    }
    struct cc_operand sn = signs(l, reg(l, n.hi)), sd = signs(l, reg(l, d.hi));
    divide(l, with_sign(l, n, sn), with_sign(l, d, sd), rem ? NULL : &r, rem ? &r : NULL);
    put(l, with_sign(l, r, rem ? sn : cc_new(l, I_XOR, sn, sd)));
}

/* d = x as float, rounded by `conv`, and by `below` where the condition c holds. */
static struct cc_operand rounded(struct cc_lower *l, struct cc_operand x, const char *conv,
                                 const char *below, int c)
{
    int d = cc_temp(l);
    cc_emit_text(l, I_CONV, conv, d, x);
    if (strcmp(conv, below)) {
        struct cc_insn *i = cc_emit_text(l, I_CONV, below, d, x);
        i->guard = c;
        i->cond = N_NE;
    }
    return cc_r(d);
}

/* cvt.rn.f32.u64 and its kin: the upper 32 bits that count, the lowest of them set where something below is, rounded by the
 * machine; then their power of two. A negative number is rounded as its size is, down where it goes up. */
static int to_float(struct cc_lower *l, bool sign)
{
    struct pair a = get(l, 1);
    struct cc_operand s = cc_imm(0);
    const char *conv = cc_part(l, "rz")   ? "I2F.F32.U32.TRUNC"
                       : cc_part(l, "rn") ? "I2F.F32.U32"
                       : cc_part(l, "rm") ? "I2F.F32.U32.FLOOR"
                                          : "I2F.F32.U32.CEIL";
    const char *below = sign && cc_part(l, "rm")   ? "I2F.F32.U32.CEIL"
                        : sign && cc_part(l, "rp") ? "I2F.F32.U32.FLOOR"
                                                   : conv;
    int negative = -1;
    if (sign) {
        s = signs(l, reg(l, a.hi));
        a = with_sign(l, a, s);
    }
    if (strcmp(conv, below)) {
        struct cc_insn *i = cc_emit(l, I_SET, -1, s, cc_imm(0), cc_none());
        i->cmp = P_NE;
        i->dc = negative = cc_new_vreg(l->f, CC_C);
    }
    a = (struct pair){reg(l, a.lo), reg(l, a.hi)};
    /* 158 - the exponent of the upper word: its leading zeros */
    struct cc_operand e = cc_new(l, I_SHR, cc_conv(l, "I2F.F32.U32.TRUNC", a.hi), cc_imm(23));
    struct cc_operand zeros = cc_new(l, I_ADD, cc_imm(158), cc_minus(e));
    struct pair x = shift(l, a, zeros, true, false);
    struct cc_operand top = cc_new(l, I_OR, x.hi, cc_new(l, I_MIN, x.lo, cc_imm(1)));
    struct cc_operand power = cc_new(l, I_SHL, cc_new(l, I_ADD, e, cc_imm((uint32_t)-126)),
                                     cc_imm(23));
    int c = cc_new_vreg(l->f, CC_C), r = cc_temp(l);
    struct cc_operand small = strcmp(conv, below) ? rounded(l, a.lo, conv, below, negative) : a.lo;
    cc_emit(l, I_ADD, r, rounded(l, top, conv, below, negative), power, cc_none());
    struct cc_insn *i = cc_emit(l, I_SET, -1, a.hi, cc_imm(0), cc_none());
    i->cmp = P_EQ;
    i->dc = c;
    i = strcmp(conv, below) ? cc_emit(l, I_MOV, r, small, cc_none(), cc_none())
                            : cc_emit_text(l, I_CONV, conv, r, a.lo);
    i->guard = c;
    i->cond = N_NE;
    if (sign)
        cc_emit(l, I_OR, cc_dst(l), cc_r(r), cc_new(l, I_AND, s, cc_imm(0x80000000)), cc_none());
    else
        cc_emit(l, I_MOV, cc_dst(l), cc_r(r), cc_none(), cc_none());
    return 0;
}

/* cvt.rzi.u64.f32 and its kin: the upper word, and what it leaves; all products and the difference are exact. */
static int from_float(struct cc_lower *l, bool sign)
{
    static const char *const by[][2] = {
        {"rni", "F2F.F32.F32.ROUND"}, {"rmi", "F2F.F32.F32.FLOOR"}, {"rpi", "F2F.F32.F32.CEIL"}};
    struct cc_operand x = reg(l, cc_get(l, 1)), s = x;
    for (size_t i = 0; i < sizeof by / sizeof by[0]; i++)
        if (cc_part(l, by[i][0]))
            x = cc_conv(l, by[i][1], x);
    if (sign) {
        s = signs(l, x);
        x = cc_new(l, I_AND, x, cc_imm(0x7fffffff));
    }
    struct cc_operand scaled = float_op(l, I_FMUL, x, cc_imm(TWO_MINUS_32), false);
    struct cc_operand hi = cc_conv(l, "F2I.U32.F32.TRUNC", scaled);
    struct cc_operand whole = float_op(l, I_FMUL, cc_conv(l, "I2F.F32.U32", hi), cc_imm(TWO_32),
                                       false);
    whole.neg = true;
    struct cc_operand lo = cc_conv(l, "F2I.U32.F32.TRUNC", float_op(l, I_FADD, x, whole, false));
    struct pair r = {lo, hi};
    put(l, sign ? with_sign(l, r, s) : r);
    return 0;
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
            return to_float(l, from[0] == 's');
        a = cc_get(l, 1);
        if (to[1] == '8' && to[0] == 's')
            a = cc_conv(l, "I2I.S32.S16.BEXT", cc_low(a));
        else if (to[1] == '8')
            a = cc_new(l, I_AND, a, cc_imm(0xff));
        cc_emit(l, I_MOV, cc_dst(l), a, cc_none(), cc_none());
        return 0;
    }
    if (from[0] == 'f')
        return from_float(l, to[0] == 's');
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

/* n bits from `at` on. Where they go past the top, clang has written an arithmetic shift and a mask as bfe.u: there are signs,
 * not zeros. Of an unsigned shift it takes such a mask away. */
static struct pair field(struct cc_lower *l, struct pair x, uint32_t at, uint32_t n, bool sign)
{
    if (at + n > 64 && !sign && l->f->module->by_llvm) {
        x = shift(l, x, cc_imm(at), false, true);
        at = 0;
    }
    n = n > 64 - at ? 64 - at : n;
    sign = cc_field_signed(l, at, n, 64);
    return shift(l, shift(l, x, cc_imm(64 - at - n), true, false), cc_imm(64 - n), false, sign);
}

/* addc.u64 and its kin, and products to which they add. */
static int with_carry(struct cc_lower *l)
{
    char first = l->part[0][0];
    bool minus = first == 's', takes = l->part[0][strlen(l->part[0]) - 1] == 'c';
    struct pair a = get(l, 1), b = get(l, 2);
    if (first == 'm') {
        bool sign = l->part[l->nparts - 1][0] == 's';
        a = cc_part(l, "lo") ? multiply(l, a, b)
            : sign           ? multiply_high_signed(l, a, b)
                             : multiply_high(l, a, b);
        b = get(l, 3);
    }
    int in = takes ? cc_carry_in(l, minus) : -1;
    int out = cc_part(l, "cc") ? cc_carry_out(l, minus) : -1;
    put(l, add_carry(l, a, b, minus, in, out));
    return 0;
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
    if (cc_part(l, "cc") || is(l, "addc") || is(l, "subc") || is(l, "madc"))
        return with_carry(l);
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
        put(l, shift(l, get(l, 1), cc_rotation_count(l, cc_get(l, 2)), is(l, "shl"), sign));
    else if (is(l, "min") || is(l, "max"))
        least(l, get(l, 1), get(l, 2), sign, is(l, "max"));
    else if (is(l, "div") || is(l, "rem"))
        division(l, sign);
    else if (is(l, "mul") && cc_part(l, "hi")) {
        struct pair a = get(l, 1), b = get(l, 2);
        put(l, sign ? multiply_high_signed(l, a, b) : multiply_high(l, a, b));
    } else if (is(l, "bfe") && l->in->n == 4 && l->in->o[2].kind == PTX_IMM &&
               l->in->o[3].kind == PTX_IMM) {
        uint32_t at = (uint32_t)l->in->o[2].imm & 255, n = (uint32_t)l->in->o[3].imm & 255;
        if (at > 63 || n == 0)
            return 1;
        put(l, field(l, get(l, 1), at, n, sign));
    } else if (is(l, "abs")) {
        struct pair a = get(l, 1);
        put(l, with_sign(l, a, signs(l, reg(l, a.hi))));
    } else
        return 1;
    return 0;
}
