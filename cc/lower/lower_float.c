/* lower_float.c -- float: the machine's own operations, and what is made of them. */
#include "lower.h"

#include <string.h>

static bool is(const struct cc_lower *l, const char *op)
{
    return strcmp(l->part[0], op) == 0;
}

static struct cc_operand sfu(struct cc_lower *l, const char *text, struct cc_operand x)
{
    int t = cc_temp(l);
    if (x.kind != K_R)
        x = cc_new(l, I_MOV, x, cc_none());
    cc_emit_text(l, I_SFU, text, t, x);
    return cc_r(t);
}

static void put(struct cc_lower *l, struct cc_operand x)
{
    cc_emit(l, I_MOV, cc_dst(l), x, cc_none(), cc_none());
}

static struct cc_operand reg(struct cc_lower *l, struct cc_operand x)
{
    return x.kind == K_R ? x : cc_new(l, I_MOV, x, cc_none());
}

/* From 0 to 1; no number becomes 0, which the machine's own saturation leaves as it is. */
static void put_saturated(struct cc_lower *l, struct cc_operand x)
{
    int t = cc_temp(l);
    cc_emit(l, I_FMAX, t, reg(l, x), cc_imm(0), cc_none());
    cc_emit(l, I_FMIN, cc_dst(l), cc_r(t), cc_imm(0x3f800000), cc_none());
}

/* cvt.rzi.s32.f32 and its kin. */
static int convert(struct cc_lower *l)
{
    const char *to = l->part[l->nparts - 2], *from = l->part[l->nparts - 1];
    static const struct {
        const char *round, *to_int, *to_uint, *to_float, *from_int, *from_uint;
    } by[] = {{"rn", "", "", "F2F.F32.F32", "I2F.F32.S32", "I2F.F32.U32"},
              {"rz", "", "", "", "I2F.F32.S32.TRUNC", "I2F.F32.U32.TRUNC"},
              {"rm", "", "", "", "I2F.F32.S32.FLOOR", "I2F.F32.U32.FLOOR"},
              {"rp", "", "", "", "I2F.F32.S32.CEIL", "I2F.F32.U32.CEIL"},
              {"rni", "F2I.S32.F32", "F2I.U32.F32", "F2F.F32.F32.ROUND", "", ""},
              {"rzi", "F2I.S32.F32.TRUNC", "F2I.U32.F32.TRUNC", "F2F.F32.F32.TRUNC", "", ""},
              {"rmi", "F2I.S32.F32.FLOOR", "F2I.U32.F32.FLOOR", "F2F.F32.F32.FLOOR", "", ""},
              {"rpi", "F2I.S32.F32.CEIL", "F2I.U32.F32.CEIL", "F2F.F32.F32.CEIL", "", ""}};
    bool from_float = strcmp(from, "f32") == 0, to_float = strcmp(to, "f32") == 0;
    struct cc_operand a = cc_get(l, 1);
    if (strcmp(from, "f64") == 0 || strcmp(to, "f64") == 0 || strcmp(from, "f16") == 0 ||
        strcmp(to, "f16") == 0)
        return 1;
    if (cc_part(l, "sat") && from_float && to_float) {
        put_saturated(l, a);
        return 0;
    }
    for (size_t i = 0; i < sizeof by / sizeof by[0]; i++) {
        if (strcmp(l->part[1], by[i].round))
            continue;
        const char *text;
        bool sign = from_float ? to[0] == 's' : from[0] == 's';
        const char *ints = from_float ? to : from;
        if (from_float && to_float)
            text = by[i].to_float;
        else if (from_float)
            text = sign || ints[1] != '3' ? by[i].to_int : by[i].to_uint;
        else {
            text = sign ? by[i].from_int : by[i].from_uint;
            if (ints[1] != '3') { /* 16 and 8 bits, with anything above */
                a = ints[1] == '1' ? cc_conv(l, sign ? "I2I.S32.S16" : "I2I.U32.U16", cc_low(a))
                    : sign         ? cc_conv(l, "I2I.S32.S16.BEXT", cc_low(a))
                                   : cc_new(l, I_AND, a, cc_imm(0xff));
                text = by[i].from_int;
            }
        }
        if (!*text)
            return 1;
        cc_emit_text(l, I_CONV, text, cc_dst(l), reg(l, a));
        return 0;
    }
    return 1;
}

static int arithmetic(struct cc_lower *l)
{
    bool trunc = cc_part(l, "rz"), sat = cc_part(l, "sat");
    struct cc_operand a = cc_get(l, 1), b = cc_get(l, 2);
    if (cc_part(l, "rm") || cc_part(l, "rp"))
        return 1;
    enum cc_op op = is(l, "add") || is(l, "sub") ? I_FADD : I_FMUL;
    if (is(l, "sub") && b.kind == K_IMM)
        b.imm ^= 0x80000000;
    else if (is(l, "sub"))
        b.neg = !b.neg;
    int d = sat ? cc_temp(l) : cc_dst(l);
    cc_emit(l, op, d, a, b, cc_none())->trunc = trunc;
    if (sat)
        put_saturated(l, cc_r(d));
    return 0;
}

int cc_lower_float(struct cc_lower *l)
{
    const char *t = l->part[l->nparts - 1];
    if (is(l, "cvt"))
        return convert(l);
    if (strcmp(t, "f32"))
        return 1;
    static const char *const rounded[] = {"rn", "rz", "rm", "rp"};
    bool approximate = is(l, "div") || is(l, "rcp") || is(l, "sqrt");
    for (int r = 0; r < 4 && approximate; r++)
        if (cc_part(l, rounded[r]))
            return cc_refuse(
                l,
                "'%s' promises a rounding that the machine's reciprocal does not give: "
                "call __fdiv_rn, __frcp_rn, __fsqrt_rn and their kin",
                l->in->op);
    if (is(l, "add") || is(l, "sub") || is(l, "mul"))
        return arithmetic(l);
    if (is(l, "fma") || is(l, "mad")) {
        if (!l->f->fmad && is(l, "fma"))
            return cc_refuse(
                l, "fma() rounds once, and the machine's FMAD cuts the product off: write "
                   "a * b + c, or allow the FMAD with --fmad");
        int d = cc_part(l, "sat") ? cc_temp(l) : cc_dst(l);
        if (cc_part(l, "rz") || cc_part(l, "rm") || cc_part(l, "rp"))
            return 1;
        cc_emit(l, I_FMAD, d, cc_get(l, 1), cc_get(l, 2), cc_get(l, 3));
        if (cc_part(l, "sat"))
            put_saturated(l, cc_r(d));
    } else if (is(l, "min") || is(l, "max"))
        cc_emit(l, is(l, "min") ? I_FMIN : I_FMAX, cc_dst(l), cc_get(l, 1), cc_get(l, 2),
                cc_none());
    else if (is(l, "neg"))
        cc_emit(l, I_XOR, cc_dst(l), cc_get(l, 1), cc_imm(0x80000000), cc_none());
    else if (is(l, "abs"))
        cc_emit(l, I_AND, cc_dst(l), cc_get(l, 1), cc_imm(0x7fffffff), cc_none());
    else if (is(l, "div"))
        cc_emit(l, I_FMUL, cc_dst(l), cc_get(l, 1), sfu(l, "RCP", cc_get(l, 2)), cc_none());
    else if (is(l, "rcp"))
        put(l, sfu(l, "RCP", cc_get(l, 1)));
    else if (is(l, "sqrt"))
        put(l, sfu(l, "RCP", sfu(l, "RSQ", cc_get(l, 1))));
    else if (is(l, "rsqrt"))
        put(l, sfu(l, "RSQ", cc_get(l, 1)));
    else if (is(l, "lg2"))
        put(l, sfu(l, "LG2", cc_get(l, 1)));
    else if (is(l, "ex2"))
        put(l, sfu(l, "EX2", cc_conv(l, "RRO.EX2", reg(l, cc_get(l, 1)))));
    else if (is(l, "sin"))
        put(l, sfu(l, "SIN", cc_conv(l, "RRO.SINCOS", reg(l, cc_get(l, 1)))));
    else if (is(l, "cos"))
        put(l, sfu(l, "COS", cc_conv(l, "RRO.SINCOS", reg(l, cc_get(l, 1)))));
    else
        return 1;
    return 0;
}
