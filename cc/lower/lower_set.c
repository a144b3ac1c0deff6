/* lower_set.c -- predicates: comparisons, selections, logic, votes of a warp.
 *
 * A comparison writes a condition register, under whose "not equal to zero" the predicate is true, and where the predicate
 * is read as a value its mask as well: one instruction does both. Comparisons of 64 bits are true under other conditions.
 */
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

/* Writes predicate p by an instruction that makes all ones or 0 in its register. */
static struct cc_insn *emit_pred(struct cc_lower *l, int p, enum cc_op op, struct cc_operand a,
                                 struct cc_operand b)
{
    struct cc_insn *i = cc_emit(l, op, l->lo[p], a, b, cc_none());
    i->dc = l->c[p];
    return i;
}

static struct cc_operand clean(struct cc_lower *l, int n, bool sign)
{
    struct cc_operand a = cc_get(l, n);
    bool b16 = strcmp(type(l) + 1, "16") == 0;
    if (!b16 || (!sign && cc_bits(l, a) <= 16))
        return a;
    if (a.kind == K_IMM)
        return cc_imm(sign ? (uint32_t)(int16_t)a.imm : a.imm & 0xffff);
    return cc_conv(l, sign ? "I2I.S32.S16" : "I2I.U32.U16", cc_low(a));
}

static int compare_code(const char *name, bool is_float)
{
    static const struct {
        const char *name;
        enum cc_compare code;
    } codes[] = {{"eq", P_EQ},   {"ne", P_NE},   {"lt", P_LT},   {"le", P_LE},   {"gt", P_GT},
                 {"ge", P_GE},   {"lo", P_LT},   {"ls", P_LE},   {"hi", P_GT},   {"hs", P_GE},
                 {"equ", P_EQU}, {"neu", P_NEU}, {"ltu", P_LTU}, {"leu", P_LEU}, {"gtu", P_GTU},
                 {"geu", P_GEU}, {"num", P_NUM}, {"nan", P_NAN}};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        if (strcmp(name, codes[i].name) == 0)
            return i < 10 || is_float ? (int)codes[i].code : -1;
    return -1;
}

/* Under which condition the last instruction of a 64-bit comparison says yes. */
static uint8_t wide_condition(int code, bool sign)
{
    switch (code) {
    case P_EQ: return N_EQ;
    case P_NE: return N_NE;
    case P_LT:
    case P_GT: return sign ? N_LTU : N_NOT_CARRY;
    default: return sign ? N_GE : N_CARRY;
    }
}

static bool by_flags(const struct cc_lower *l, int p)
{
    return l->defs[p] == 1 && l->lo[p] < 0;
}

/* Who reads predicate p may be lowered before it is written: its condition is settled at the start. */
void cc_settle_condition(struct cc_lower *l, int p)
{
    const struct ptx_insn *set = l->def[p];
    size_t n = set ? strlen(set->op) : 0;
    if (!set || !by_flags(l, p) || strncmp(set->op, "setp.", 5) || n < 11 ||
        strcmp(set->op + n - 2, "64") || set->op[n - 3] == 'f')
        return;
    char code[3] = {set->op[5], set->op[6], 0};
    l->cond[p] = wide_condition(compare_code(code, false), set->op[n - 3] == 's');
}

/* Where the flags of a comparison of p go, and what is done with them when that is not p itself. */
static int flags_of(struct cc_lower *l, int p)
{
    return by_flags(l, p) ? l->c[p] : cc_new_vreg(l->f, CC_C);
}

static void put_flags(struct cc_lower *l, int p, int c, uint8_t cond)
{
    if (by_flags(l, p))
        return;
    int m = l->lo[p] >= 0 ? l->lo[p] : cc_temp(l);
    cc_emit(l, I_MOV, m, cc_imm(0), cc_none(), cc_none());
    struct cc_insn *i = cc_emit(l, I_MOV, m, cc_imm(0xffffffff), cc_none(), cc_none());
    i->guard = c;
    i->cond = cond;
    i = cc_emit(l, I_OR, -1, cc_r(m), cc_r(m), cc_none());
    i->dc = l->c[p];
}

static struct cc_operand in_reg(struct cc_lower *l, struct cc_operand x)
{
    return x.kind == K_R ? x : cc_new(l, I_MOV, x, cc_none());
}

static int compare_wide(struct cc_lower *l, int p, int code, bool sign)
{
    struct cc_operand a[2] = {cc_get(l, 1), cc_get_hi(l, 1)},
                      b[2] = {cc_get(l, 2), cc_get_hi(l, 2)};
    if (code == P_EQ || code == P_NE) {
        struct cc_operand x = cc_new(l, I_XOR, a[0], b[0]), y = cc_new(l, I_XOR, a[1], b[1]);
        int c = flags_of(l, p);
        cc_emit(l, I_OR, -1, x, y, cc_none())->dc = c;
        put_flags(l, p, c, wide_condition(code, sign));
        return 0;
    }
    bool swap = code == P_GT || code == P_LE; /* a > b is b < a */
    struct cc_operand *x = swap ? b : a, *y = swap ? a : b;
    int c = cc_new_vreg(l->f, CC_C), c2 = flags_of(l, p);
    cc_emit(l, I_ADD, -1, in_reg(l, x[0]), cc_minus(in_reg(l, y[0])), cc_none())->dc = c;
    struct cc_operand not_y = y[1].kind == K_IMM ? cc_flip(y[1])
                                                 : cc_new(l, I_XOR, y[1], cc_imm(0xffffffff));
    struct cc_insn *i = cc_emit(l, I_ADD, -1, in_reg(l, x[1]), not_y, cc_none());
    i->cin = c;
    i->dc = c2;
    put_flags(l, p, c2, wide_condition(code, sign));
    return 0;
}

static int setp(struct cc_lower *l)
{
    const char *t = type(l);
    bool is_float = strcmp(t, "f32") == 0, wide = strcmp(t + 1, "64") == 0;
    int p = l->in->o[0].kind == PTX_REG ? l->in->o[0].reg : -1;
    int code = compare_code(l->part[1], is_float);
    bool ftz = l->nparts == 4 && strcmp(l->part[2], "ftz") == 0;
    if (p < 0 || code < 0 || l->in->n != 3 || (l->nparts != 3 && !ftz) || strcmp(t, "f64") == 0)
        return 1;
    if (wide)
        return compare_wide(l, p, code, t[0] == 's');
    bool sign = t[0] == 's';
    struct cc_operand a = is_float ? cc_get(l, 1) : clean(l, 1, sign);
    struct cc_operand b = is_float ? cc_get(l, 2) : clean(l, 2, sign);
    struct cc_insn *i = emit_pred(l, p, is_float ? I_FSET : I_SET, a, b);
    i->cmp = (uint8_t)code;
    i->sign = sign;
    return 0;
}

static void guard(struct cc_insn *i, int c, uint8_t cond)
{
    i->guard = c;
    i->cond = cond;
}

static uint8_t opposite(uint8_t cond)
{
    static const uint8_t to[N_CONDS] = {
        [N_NE] = N_EQ,  [N_EQ] = N_NE,           [N_LT] = N_GE,
        [N_GE] = N_LT,  [N_LE] = N_GT,           [N_GT] = N_LE,
        [N_LTU] = N_GE, [N_CARRY] = N_NOT_CARRY, [N_NOT_CARRY] = N_CARRY};
    return to[cond];
}

static bool same(struct cc_operand a, struct cc_operand b)
{
    return a.kind == b.kind && (a.kind == K_R ? a.v == b.v : a.kind == K_IMM && a.imm == b.imm);
}

/* "a < b ? a : b" of integers, where the comparison stands right there: the smaller one. */
static bool least(struct cc_lower *l, int p, struct cc_operand a, struct cc_operand b)
{
    const struct ptx_insn *set = l->defs[p] == 1 ? l->def[p] : NULL;
    if (!set || strncmp(set->op, "setp.", 5) || set->n != 3 || set + 8 < l->in || set > l->in)
        return false;
    size_t n = strlen(set->op);
    bool sign = set->op[n - 3] == 's';
    int code = set->op[5] == 'l' ? -1 : set->op[5] == 'g' ? 1 : 0;
    if (!code || (strcmp(set->op + n - 3, "s32") && strcmp(set->op + n - 3, "u32")))
        return false;
    for (int i = 1; i < 3; i++)
        if (set->o[i].kind != PTX_IMM && (set->o[i].kind != PTX_REG || l->defs[set->o[i].reg] != 1))
            return false;
    const struct ptx_insn *now = l->in;
    l->in = set;
    struct cc_operand x = cc_get(l, 1), y = cc_get(l, 2);
    l->in = now;
    bool straight = same(x, a) && same(y, b);
    if (!straight && !(same(x, b) && same(y, a)))
        return false;
    bool min = (code < 0) == straight;
    cc_emit(l, min ? I_MIN : I_MAX, cc_dst(l), a, b, cc_none())->sign = sign;
    return true;
}

static void select(struct cc_lower *l, int d, struct cc_operand a, struct cc_operand b, int c,
                   uint8_t cond)
{
    if (a.kind == K_R && a.v == d) {
        guard(cc_emit(l, I_MOV, d, b, cc_none(), cc_none()), c, opposite(cond));
        return;
    }
    if (!(b.kind == K_R && b.v == d))
        cc_emit(l, I_MOV, d, b, cc_none(), cc_none());
    guard(cc_emit(l, I_MOV, d, a, cc_none(), cc_none()), c, cond);
}

static int selp(struct cc_lower *l)
{
    if (l->in->n != 4 || l->in->o[3].kind != PTX_REG || strcmp(type(l), "f64") == 0)
        return 1;
    int p = l->in->o[3].reg;
    struct cc_operand a = cc_get(l, 1), b = cc_get(l, 2);
    bool wide = cc_dst_hi(l) >= 0;
    if (!wide && least(l, p, a, b))
        return 0;
    /* The mask is there already: one of them is 0. */
    if (!wide && l->lo[p] >= 0 && b.kind == K_IMM && b.imm == 0) {
        cc_emit(l, I_AND, cc_dst(l), cc_r(l->lo[p]), a, cc_none());
        return 0;
    }
    int ba = cc_bits(l, a), bb = cc_bits(l, b);
    if (!wide)
        cc_bound(l, ba > bb ? ba : bb);
    select(l, cc_dst(l), a, b, l->c[p], l->cond[p]);
    if (wide)
        select(l, cc_dst_hi(l), cc_get_hi(l, 1), cc_get_hi(l, 2), l->c[p], l->cond[p]);
    return 0;
}

/* A predicate as a mask: 0 and -1, that is. */
static struct cc_operand mask(struct cc_lower *l, int n)
{
    const struct ptx_operand *o = &l->in->o[n];
    if (o->kind == PTX_IMM)
        return cc_imm(o->imm ? 0xffffffff : 0);
    return o->kind == PTX_REG && l->lo[o->reg] >= 0 ? cc_r(l->lo[o->reg]) : cc_get(l, n);
}

static int vote(struct cc_lower *l)
{
    const struct ptx_operand *o = l->in->o;
    bool any = cc_part(l, "any"), all = cc_part(l, "all");
    if (l->f->capability < 2)
        return cc_refuse(l,
                         "the machine (compute capability 1.%d) has no votes, 1.2 has; combine the "
                         "values in shared memory",
                         l->f->capability);
    if ((!any && !all) || strcmp(type(l), "pred") || l->in->n != 2 || o[0].kind != PTX_REG ||
        o[1].kind != PTX_REG)
        return cc_refuse(
            l, "'%s' is unavailable: of votes, vote.any.pred and vote.all.pred are supported",
            l->in->op);
    int p = o[0].reg, q = o[1].reg, c = flags_of(l, p);
    struct cc_insn *i = cc_emit_text(l, I_VOTE, any ? "ANY" : "ALL", c, cc_none());
    guard(i, l->c[q], o[1].not ? opposite(l->cond[q]) : l->cond[q]);
    i->fresh = true; /* it is written in all threads */
    put_flags(l, p, c, N_NE);
    return 0;
}

int cc_lower_set(struct cc_lower *l)
{
    if (is(l, "setp"))
        return setp(l);
    if (is(l, "selp"))
        return selp(l);
    if (is(l, "vote"))
        return vote(l);
    if (strcmp(type(l), "pred") || l->in->o[0].kind != PTX_REG)
        return 1;
    int p = l->in->o[0].reg;
    if (is(l, "mov"))
        emit_pred(l, p, I_OR, mask(l, 1), mask(l, 1));
    else if (is(l, "not"))
        emit_pred(l, p, I_XOR, mask(l, 1), cc_imm(0xffffffff));
    else if (is(l, "and"))
        emit_pred(l, p, I_AND, mask(l, 1), mask(l, 2));
    else if (is(l, "or"))
        emit_pred(l, p, I_OR, mask(l, 1), mask(l, 2));
    else if (is(l, "xor"))
        emit_pred(l, p, I_XOR, mask(l, 1), mask(l, 2));
    else
        return 1;
    return 0;
}
