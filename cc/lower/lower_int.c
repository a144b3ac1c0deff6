/* lower_int.c -- integers of up to 32 bits. The machine multiplies 16 by 16 or 24 by 24 bits and does not divide: longer
 * products and quotients are sequences. */
#include "lower.h"

#include <string.h>

static bool is(const struct cc_lower *l, const char *op)
{
    return strcmp(l->part[0], op) == 0;
}

static const char *type(const struct cc_lower *l)
{
    return l->part[l->nparts - 1];
}

static bool is_signed(const struct cc_lower *l)
{
    return type(l)[0] == 's';
}

static bool narrow(const struct cc_lower *l) /* 16 bits or 8 */
{
    return strcmp(type(l) + 1, "16") == 0 || strcmp(type(l) + 1, "8") == 0;
}

static int most(int a, int b)
{
    return a > b ? a : b;
}

/* The operand with clean upper bits: PTX registers of 16 bits hold anything there. */
static struct cc_operand clean(struct cc_lower *l, int n, bool sign)
{
    struct cc_operand a = cc_get(l, n);
    if (!narrow(l))
        return a;
    if (a.kind == K_IMM)
        return cc_imm(sign ? (uint32_t)(int16_t)a.imm : a.imm & 0xffff);
    if (!sign && cc_bits(l, a) <= 16)
        return a;
    struct cc_operand r = cc_conv(l, sign ? "I2I.S32.S16" : "I2I.U32.U16", cc_low(a));
    if (!sign)
        l->f->vreg[r.v].bits = 16;
    return r;
}

/* ---- products ---- */

static int log2_of(uint32_t x)
{
    int n = 0;
    while (n < 32 && x != 1u << n)
        n++;
    return n;
}

/* x * c for few set bits of c, by shifts; false: multiply. */
static bool mul_by_shifts(struct cc_lower *l, int d, struct cc_operand x, uint32_t c)
{
    int top = 31;
    while (top && !(c >> top))
        top--;
    uint32_t rest = c - (1u << top);
    if (c == 0 || c == 1 || rest == 0) {
        if (c <= 1)
            cc_emit(l, I_MOV, d, c ? x : cc_imm(0), cc_none(), cc_none());
        else
            cc_emit(l, I_SHL, d, x, cc_imm((uint32_t)top), cc_none());
        return true;
    }
    if (rest == 1) { /* 2^n + 1 */
        cc_emit(l, I_ADD, d, cc_new(l, I_SHL, x, cc_imm((uint32_t)top)), x, cc_none());
        return true;
    }
    int above = log2_of(c + 1);
    if (above < 32) { /* 2^n - 1 */
        cc_emit(l, I_ADD, d, cc_new(l, I_SHL, x, cc_imm((uint32_t)above)), cc_minus(x), cc_none());
        return true;
    }
    return false;
}

/* d = a * b, low 32 bits. */
void cc_mul_lo(struct cc_lower *l, int d, struct cc_operand a, struct cc_operand b)
{
    if (a.kind == K_IMM) {
        struct cc_operand t = a;
        a = b;
        b = t;
    }
    if (a.kind == K_IMM) {
        cc_emit(l, I_MOV, d, cc_imm(a.imm * b.imm), cc_none(), cc_none());
        return;
    }
    if (b.kind == K_IMM && mul_by_shifts(l, d, a, b.imm))
        return;
    if (cc_bits(l, a) <= 24 && cc_bits(l, b) <= 24) {
        cc_emit(l, I_MUL24, d, a, b, cc_none());
        return;
    }
    struct cc_operand cross;
    if (cc_bits(l, b) <= 16)
        cross = cc_new(l, I_MUL16, cc_high(a), cc_low(b));
    else if (cc_bits(l, a) <= 16)
        cross = cc_new(l, I_MUL16, cc_low(a), cc_high(b));
    else {
        int t = cc_temp(l);
        struct cc_operand first = cc_new(l, I_MUL16, cc_low(a), cc_high(b));
        cc_emit(l, I_MAD16, t, cc_high(a), cc_low(b), first);
        cross = cc_r(t);
    }
    cross = cc_new(l, I_SHL, cross, cc_imm(16));
    cc_emit(l, I_MAD16, d, cc_low(a), cc_low(b), cross);
}

/* The upper 32 bits of a * b; the lower ones too when `low` is not NULL. With every sum below 2^32:
 * p = aL bL, q = aH bL + (p >> 16), r = aL bH + (q & ffff), high = aH bH + (q >> 16) + (r >> 16). */
struct cc_operand cc_mul_hi(struct cc_lower *l, struct cc_operand a, struct cc_operand b, bool sign,
                            struct cc_operand *low)
{
    if (a.kind == K_IMM)
        a = cc_new(l, I_MOV, a, cc_none());
    struct cc_operand p = cc_new(l, I_MUL16, cc_low(a), cc_low(b));
    int q = cc_temp(l), r = cc_temp(l), h = cc_temp(l);
    cc_emit(l, I_MAD16, q, cc_high(a), cc_low(b), cc_new(l, I_SHR, p, cc_imm(16)));
    cc_emit(l, I_MAD16, r, cc_low(a), cc_high(b), cc_conv(l, "I2I.U32.U16", cc_low(cc_r(q))));
    cc_emit(l, I_MAD16, h, cc_high(a), cc_high(b), cc_new(l, I_SHR, cc_r(r), cc_imm(16)));
    struct cc_operand high = cc_new(l, I_ADD, cc_r(h), cc_new(l, I_SHR, cc_r(q), cc_imm(16)));
    if (low) {
        struct cc_operand clean_p = cc_conv(l, "I2I.U32.U16", cc_low(p));
        *low = cc_new(l, I_OR, clean_p, cc_new(l, I_SHL, cc_r(r), cc_imm(16)));
    }
    struct cc_operand x[2] = {a, b}, y[2] = {b, a};
    for (int i = 0; i < 2 && sign; i++) { /* minus the other factor where one is negative */
        if (x[i].kind == K_IMM && !(x[i].imm >> 31))
            continue;
        struct cc_operand t = y[i];
        if (x[i].kind != K_IMM) {
            int m = cc_temp(l);
            cc_emit(l, I_SHR, m, x[i], cc_imm(31), cc_none())->sign = true;
            t = cc_new(l, I_AND, cc_r(m), y[i]);
        }
        high = cc_new(l, I_ADD, high, cc_minus(t));
    }
    return high;
}

/* ---- quotients ---- */

/* n / d and n % d, unsigned. f below is never above 1/d: d is rounded up, the reciprocal errs by less than an ulp (the
 * unit's largest error is 0.98) and loses two. Products are cut off. So each quotient found is at most the true one. The
 * first is short by less than 2^-20 of it, so the second step works on a quotient below 2^12 and is short by one at most. */
static void divide(struct cc_lower *l, struct cc_operand n, struct cc_operand d,
                   struct cc_operand *quotient, struct cc_operand *rest)
{
    if (d.kind == K_IMM)
        d = cc_new(l, I_MOV, d, cc_none());
    if (n.kind == K_IMM)
        n = cc_new(l, I_MOV, n, cc_none());
    bool short_n = cc_bits(l, n) <= 20; /* then the first quotient is short by one at most */
    struct cc_operand r = cc_conv(l, "I2F.F32.U32.CEIL", d);
    int rcp = cc_temp(l);
    cc_emit_text(l, I_SFU, "RCP", rcp, r);
    struct cc_operand f = cc_new(l, I_ADD, cc_r(rcp), cc_imm(0xfffffffe));
    struct cc_operand q = cc_imm(0), left = n;
    for (int step = 0; step < (short_n ? 1 : 2); step++) {
        int m = cc_temp(l), p = cc_temp(l);
        cc_emit(l, I_FMUL, m, cc_conv(l, "I2F.F32.U32.TRUNC", left), f, cc_none())->trunc = true;
        struct cc_operand part = cc_conv(l, "F2I.U32.F32.TRUNC", cc_r(m));
        cc_mul_lo(l, p, part, d);
        left = cc_new(l, I_ADD, left, cc_minus(cc_r(p)));
        q = step ? cc_new(l, I_ADD, q, part) : part;
    }
    int c = cc_new_vreg(l->f, CC_C), q2 = cc_temp(l), left2 = cc_temp(l);
    struct cc_insn *set = cc_emit(l, I_SET, -1, left, d, cc_none());
    set->cmp = P_GE;
    set->dc = c;
    struct cc_insn *i;
    if (quotient) {
        cc_emit(l, I_MOV, q2, q, cc_none(), cc_none());
        i = cc_emit(l, I_ADD, q2, q, cc_imm(1), cc_none());
        i->guard = c;
        i->cond = N_NE;
        *quotient = cc_r(q2);
    }
    if (rest) {
        cc_emit(l, I_MOV, left2, left, cc_none(), cc_none());
        i = cc_emit(l, I_ADD, left2, left, cc_minus(d), cc_none());
        i->guard = c;
        i->cond = N_NE;
        *rest = cc_r(left2);
    }
}

static struct cc_operand sign_of(struct cc_lower *l, struct cc_operand x)
{
    int t = cc_temp(l);
    cc_emit(l, I_SHR, t, x, cc_imm(31), cc_none())->sign = true;
    return cc_r(t);
}

static struct cc_operand magnitude(struct cc_lower *l, struct cc_operand x)
{
    if (x.kind == K_IMM)
        return cc_imm((int32_t)x.imm < 0 ? 0 - x.imm : x.imm);
    x.abs = true;
    return cc_conv(l, "I2I.U32.S32", x);
}

static int division(struct cc_lower *l)
{
    bool rem = is(l, "rem"), sign = is_signed(l);
    struct cc_operand n = clean(l, 1, sign), d = clean(l, 2, sign), q, r, s;
    if (!sign) {
        divide(l, n, d, rem ? NULL : &q, rem ? &r : NULL);
        cc_emit(l, I_MOV, cc_dst(l), rem ? r : q, cc_none(), cc_none());
        return 0;
    }
    s = n.kind == K_IMM ? cc_imm((uint32_t)((int32_t)n.imm >> 31)) : sign_of(l, n);
    if (!rem)
        s = sign_of(l, cc_new(l, I_XOR, n, d));
    divide(l, magnitude(l, n), magnitude(l, d), rem ? NULL : &q, rem ? &r : NULL);
    cc_emit(l, I_ADD, cc_dst(l), cc_new(l, I_XOR, rem ? r : q, s), cc_minus(s), cc_none());
    return 0;
}

/* ---- conversions ---- */

static int convert(struct cc_lower *l)
{
    const char *to = l->part[l->nparts - 2], *from = type(l);
    int wide_to = to[1] == '3' ? 32 : to[1] == '1' ? 16 : 8;
    int wide_from = from[1] == '3' ? 32 : from[1] == '1' ? 16 : 8;
    struct cc_operand a = cc_get(l, 1);
    if (cc_part(l, "sat"))
        return cc_refuse(l, "'%s' is not supported", l->in->op);
    int least = wide_to < wide_from ? wide_to : wide_from;
    bool sign = wide_to < wide_from ? to[0] == 's' : from[0] == 's';
    if (least == 32 || (!sign && cc_bits(l, a) <= least)) {
        cc_bound(l, cc_bits(l, a));
        cc_emit(l, I_MOV, cc_dst(l), a, cc_none(), cc_none());
    } else if (a.kind == K_IMM) {
        uint32_t x = a.imm << (32 - least);
        x = sign ? (uint32_t)((int32_t)x >> (32 - least)) : x >> (32 - least);
        cc_emit(l, I_MOV, cc_dst(l), cc_imm(x), cc_none(), cc_none());
    } else if (least == 8 && !sign)
        cc_emit(l, I_AND, cc_dst(l), a, cc_imm(0xff), cc_none());
    else
        cc_emit_text(l, I_CONV,
                     least == 8 ? "I2I.S32.S16.BEXT"
                     : sign     ? "I2I.S32.S16"
                                : "I2I.U32.U16",
                     cc_dst(l), cc_low(a));
    if (!sign)
        cc_bound(l, least);
    return 0;
}

/* ---- the rest ---- */

static bool writes(const struct cc_lower *l, int at, const char *name)
{
    const struct ptx_insn *in = at >= 0 && at < l->k->ninsns ? &l->k->insn[at] : NULL;
    return in && in->n == 3 && in->o[0].kind == PTX_REG &&
           strcmp(l->k->reg[in->o[0].reg].name, name) == 0;
}

/* clang writes a rotation of W = 32 or 64 bits by a register as { shl %lhs, x, n; sub %amt2, W, n; shr %rhs, x, %amt2; add }, one
 * to the right with shr and shl, and leaves out that n counts modulo W, which its own form of the program says. Here: the count of
 * the first two instructions. */
struct cc_operand cc_rotation_count(struct cc_lower *l, struct cc_operand n)
{
    int first = (int)(l->in - l->k->insn);
    first -= !writes(l, first, "%lhs");
    if (n.kind != K_R || !l->f->module->by_llvm || !writes(l, first, "%lhs") ||
        !writes(l, first + 1, "%amt2"))
        return n;
    return cc_new(l, I_AND, n, cc_imm((uint32_t)l->k->insn[first + 1].o[1].imm - 1));
}

static int shift(struct cc_lower *l)
{
    bool sign = is(l, "shr") && is_signed(l);
    struct cc_operand a = is(l, "shr") ? clean(l, 1, sign) : cc_get(l, 1), n = cc_get(l, 2);
    if (a.kind == K_IMM && n.kind == K_IMM)
        a = cc_new(l, I_MOV, a, cc_none());
    n = cc_rotation_count(l, n);
    int bits = cc_bits(l, a);
    if (n.kind == K_IMM && !sign) {
        int by = (int)(n.imm > 32 ? 32 : n.imm);
        cc_bound(l, is(l, "shl")    ? (bits + by < 32 ? bits + by : 32)
                    : bits - by > 0 ? bits - by
                                    : 0);
        if (n.imm > 31 && is(l, "shr"))
            n.imm = 32;
    }
    if (n.kind == K_IMM && n.imm > 32)
        n.imm = 32;
    cc_emit(l, is(l, "shl") ? I_SHL : I_SHR, cc_dst(l), a, n, cc_none())->sign = sign;
    return 0;
}

static struct cc_operand in_reg(struct cc_lower *l, struct cc_operand x)
{
    return x.kind == K_R ? x : cc_new(l, I_MOV, x, cc_none());
}

/* PTX's one carry is a register of ours. A subtraction leaves "no borrow" in the machine's, and takes the same, so only who mixes
 * the two would see it. */
int cc_carry_in(struct cc_lower *l, bool minus)
{
    if (l->carry >= 0 && l->carry_block == l->block && l->carry_is_borrow == minus)
        return l->carry;
    cc_refuse(l, "'%s' takes a carry that no %s right before it leaves", l->in->op,
              minus ? "subtraction" : "addition");
    return -1;
}

int cc_carry_out(struct cc_lower *l, bool minus)
{
    l->carry = cc_new_vreg(l->f, CC_C);
    l->carry_block = l->block;
    l->carry_is_borrow = minus;
    return l->carry;
}

/* d = a + b or a - b with the carry that the instruction takes and leaves. */
static int add_with_carry(struct cc_lower *l, struct cc_operand a, struct cc_operand b, bool minus)
{
    size_t n = strlen(l->part[0]);
    int in = l->part[0][n - 1] == 'c' ? cc_carry_in(l, minus) : -1;
    b = in_reg(l, b);
    if (minus)
        b = in >= 0 ? cc_new(l, I_XOR, b, cc_imm(0xffffffff)) : cc_minus(b);
    struct cc_insn *i = cc_emit(l, I_ADD, cc_temp(l), in_reg(l, a), b, cc_none());
    int sum = i->d;
    i->cin = in;
    if (cc_part(l, "cc"))
        i->dc = cc_carry_out(l, minus);
    cc_emit(l, I_MOV, cc_dst(l), cc_r(sum), cc_none(), cc_none());
    return 0;
}

static int multiply(struct cc_lower *l)
{
    bool carries = is(l, "madc") || cc_part(l, "cc");
    bool mad = is(l, "mad") || carries, sign = is_signed(l);
    struct cc_operand a = cc_get(l, 1), b = cc_get(l, 2);
    if (carries && (narrow(l) || cc_part(l, "wide")))
        return 1;
    int d = mad ? cc_temp(l) : cc_dst(l);
    if (cc_part(l, "wide")) { /* 16 by 16; 32 by 32 is with the 64 bits */
        if (!narrow(l))
            return 1;
        struct cc_insn *i = cc_emit(l, mad ? I_MAD16 : I_MUL16, cc_dst(l), cc_low(a), cc_low(b),
                                    mad ? cc_get(l, 3) : cc_none());
        i->sign = sign;
        return 0;
    }
    if (narrow(l)) {
        if (cc_part(l, "hi") && !mad) { /* of 16 bits: the upper half of the product */
            int p = cc_temp(l);
            cc_emit(l, I_MUL16, p, cc_low(a), cc_low(b), cc_none())->sign = sign;
            cc_emit(l, I_SHR, cc_dst(l), cc_r(p), cc_imm(16), cc_none())->sign = sign;
            return 0;
        }
        if (!cc_part(l, "lo"))
            return cc_refuse(l, "'%s' is not supported", l->in->op);
        cc_emit(l, mad ? I_MAD16 : I_MUL16, cc_dst(l), cc_low(a), cc_low(b),
                mad ? cc_get(l, 3) : cc_none());
        return 0;
    }
    bool known24 = cc_bits(l, a) <= 24 && cc_bits(l, b) <= 24;
    if (cc_part(l, "hi"))
        cc_emit(l, I_MOV, d, cc_mul_hi(l, a, b, sign, NULL), cc_none(), cc_none());
    else if (mad && known24 && !carries && !(b.kind == K_IMM && log2_of(b.imm) < 32)) {
        cc_emit(l, I_MAD24, cc_dst(l), a, b, cc_get(l, 3));
        return 0;
    } else {
        if (!mad)
            cc_bound(l, cc_bits(l, a) + cc_bits(l, b));
        cc_mul_lo(l, d, a, b);
    }
    if (carries)
        return add_with_carry(l, cc_r(d), cc_get(l, 3), false);
    if (mad)
        cc_emit(l, I_ADD, cc_dst(l), cc_r(d), cc_get(l, 3), cc_none());
    return 0;
}

static int multiply24(struct cc_lower *l)
{
    bool mad = is(l, "mad24");
    if (!cc_part(l, "lo"))
        return cc_refuse(l, "'%s' is not supported", l->in->op);
    cc_emit(l, mad ? I_MAD24 : I_MUL24, cc_dst(l), cc_get(l, 1), cc_get(l, 2),
            mad ? cc_get(l, 3) : cc_none())
        ->sign = is_signed(l);
    return 0;
}

static int logic(struct cc_lower *l)
{
    struct cc_operand a = cc_get(l, 1), b = cc_get(l, 2);
    int x = cc_bits(l, a), y = cc_bits(l, b);
    bool and = is(l, "and");
    cc_bound(l, and? (x < y ? x : y) : most(x, y));
    cc_emit(l, and? I_AND : is(l, "or") ? I_OR : I_XOR, cc_dst(l), a, b, cc_none());
    return 0;
}

static int add(struct cc_lower *l)
{
    struct cc_operand a = cc_get(l, 1), b = cc_get(l, 2);
    if (cc_part(l, "cc") || is(l, "addc") || is(l, "subc"))
        return narrow(l) ? 1 : add_with_carry(l, a, b, l->part[0][0] == 's');
    if (cc_part(l, "sat")) { /* of signed numbers */
        b = in_reg(l, b);
        cc_emit(l, I_ADD, cc_dst(l), in_reg(l, a), is(l, "sub") ? cc_minus(b) : b, cc_none())->sat =
            true;
        return 0;
    }
    if (is(l, "sub"))
        b = cc_minus(cc_rotation_count(l, b));
    else if (!narrow(l))
        cc_bound(l, most(cc_bits(l, a), cc_bits(l, b)) + 1);
    if (b.kind == K_R && b.neg && a.kind == K_IMM && a.imm == 0)
        cc_emit(l, I_ADD, cc_dst(l), cc_imm(0), b, cc_none());
    else
        cc_emit(l, I_ADD, cc_dst(l), a, b, cc_none());
    return 0;
}

/* clang writes an arithmetic shift of a masked value, whose mask holds the sign, as bfe.u: its signed form is meant. Of an
 * unsigned shift it takes such a mask away and writes shr.u, so a field that ends at the top is always of the first kind. */
bool cc_field_signed(const struct cc_lower *l, uint64_t at, uint64_t n, uint64_t width)
{
    return is_signed(l) || (l->f->module->by_llvm && at + n == width);
}

/* Bits `at` to at + n - 1, which must be numbers. */
static int bit_field(struct cc_lower *l)
{
    const struct ptx_insn *in = l->in;
    int base = is(l, "bfi") ? 3 : 2;
    if (in->n != base + 2 || in->o[base].kind != PTX_IMM || in->o[base + 1].kind != PTX_IMM)
        return cc_refuse(l, "'%s' of this form is not supported", in->op);
    uint32_t at = (uint32_t)in->o[base].imm & 255, n = (uint32_t)in->o[base + 1].imm & 255;
    if (at > 31 || n == 0)
        return cc_refuse(l, "'%s' of this form is not supported", in->op);
    if (n > 32 - at)
        n = 32 - at;
    if (is(l, "bfi")) {
        uint32_t mask = (n == 32 ? 0xffffffff : (1u << n) - 1) << at;
        struct cc_operand a = cc_get(l, 1), b = cc_get(l, 2);
        a = cc_new(l, I_AND, cc_new(l, I_SHL, a, cc_imm(at)), cc_imm(mask));
        cc_emit(l, I_OR, cc_dst(l), cc_new(l, I_AND, b, cc_imm(~mask)), a, cc_none());
        return 0;
    }
    bool sign = cc_field_signed(l, at, n, 32);
    struct cc_operand x = cc_new(l, I_SHL, cc_get(l, 1), cc_imm(32 - at - n));
    cc_emit(l, I_SHR, cc_dst(l), x, cc_imm(32 - n), cc_none())->sign = sign;
    if (!sign)
        cc_bound(l, (int)n);
    return 0;
}

/* |a - b| + c */
static int difference(struct cc_lower *l)
{
    bool sign = is_signed(l);
    struct cc_operand x = clean(l, 1, sign), y = clean(l, 2, sign);
    int least = cc_temp(l), most = cc_temp(l);
    cc_emit(l, I_MIN, least, x, y, cc_none())->sign = sign;
    cc_emit(l, I_MAX, most, x, y, cc_none())->sign = sign;
    x = cc_new(l, I_ADD, cc_r(most), cc_minus(cc_r(least)));
    cc_emit(l, I_ADD, cc_dst(l), x, cc_get(l, 3), cc_none());
    return 0;
}

static int absolute(struct cc_lower *l)
{
    struct cc_operand a = clean(l, 1, true);
    if (a.kind == K_IMM)
        a = cc_new(l, I_MOV, a, cc_none());
    cc_emit(l, I_MOV, cc_dst(l), magnitude(l, a), cc_none(), cc_none());
    return 0;
}

int cc_lower_int(struct cc_lower *l)
{
    const char *t = type(l);
    bool ours = strchr("usb", t[0]) &&
                (!strcmp(t + 1, "32") || !strcmp(t + 1, "16") || !strcmp(t + 1, "8"));
    if (!ours)
        return 1;
    if (is(l, "cvt"))
        return strchr("us", l->part[l->nparts - 2][0]) && strcmp(l->part[l->nparts - 2] + 1, "64")
                   ? convert(l)
                   : 1;
    if (is(l, "add") || is(l, "sub") || is(l, "addc") || is(l, "subc"))
        return add(l);
    if (is(l, "sad"))
        return difference(l);
    if (is(l, "mul") || is(l, "mad") || is(l, "madc"))
        return multiply(l);
    if (is(l, "mul24") || is(l, "mad24"))
        return multiply24(l);
    if (is(l, "div") || is(l, "rem"))
        return division(l);
    if (is(l, "shl") || is(l, "shr"))
        return shift(l);
    if (is(l, "and") || is(l, "or") || is(l, "xor"))
        return logic(l);
    if (is(l, "abs"))
        return absolute(l);
    if (is(l, "bfe") || is(l, "bfi"))
        return bit_field(l);
    if (is(l, "not")) {
        cc_emit(l, I_XOR, cc_dst(l), cc_get(l, 1), cc_imm(0xffffffff), cc_none());
        return 0;
    }
    if (is(l, "neg")) {
        cc_emit(l, I_ADD, cc_dst(l), cc_imm(0), cc_minus(cc_get(l, 1)), cc_none());
        return 0;
    }
    if (is(l, "min") || is(l, "max")) {
        bool sign = is_signed(l);
        struct cc_operand a = clean(l, 1, sign), b = clean(l, 2, sign);
        cc_emit(l, is(l, "min") ? I_MIN : I_MAX, cc_dst(l), a, b, cc_none())->sign = sign;
        return 0;
    }
    return 1;
}
