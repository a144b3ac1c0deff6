/* operands.c -- operands of a PTX instruction as those of the machine, and instructions appended: what the files of lower*.c build with. */
#include "lower.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "cc/ptx/source.h"

/* ---- making instructions ---- */

int cc_refuse(struct cc_lower *l, const char *fmt, ...)
{
    char text[400];
    va_list args;
    if (*l->f->err->msg)
        return -1;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return cc_fail(l->f, &l->in->place, "%s", text);
}

bool cc_part(const struct cc_lower *l, const char *name)
{
    for (int i = 1; i < l->nparts; i++)
        if (strcmp(l->part[i], name) == 0)
            return true;
    return false;
}

struct cc_operand cc_none(void)
{
    return (struct cc_operand){.kind = K_NONE, .v = -1};
}

struct cc_operand cc_flip(struct cc_operand o)
{
    if (o.kind == K_IMM)
        o.imm = ~o.imm;
    else
        o.inv = !o.inv;
    return o;
}

struct cc_operand cc_minus(struct cc_operand o)
{
    if (o.kind == K_IMM)
        o.imm = 0 - o.imm;
    else
        o.neg = !o.neg;
    return o;
}

struct cc_operand cc_low(struct cc_operand o)
{
    if (o.kind == K_IMM)
        return cc_imm(o.imm & 0xffff);
    o.half = LOW;
    return o;
}

struct cc_operand cc_high(struct cc_operand o)
{
    if (o.kind == K_IMM)
        return cc_imm(o.imm >> 16);
    o.half = HIGH;
    return o;
}

struct cc_insn *cc_emit(struct cc_lower *l, enum cc_op op, int d, struct cc_operand a,
                        struct cc_operand b, struct cc_operand c)
{
    struct cc_insn i = cc_insn(op, d);
    i.a[0] = a;
    i.a[1] = b;
    i.a[2] = c;
    i.place = l->in->place;
    return cc_add(l->f, l->block, &i);
}

struct cc_insn *cc_emit_text(struct cc_lower *l, enum cc_op op, const char *text, int d,
                             struct cc_operand a)
{
    struct cc_insn *i = cc_emit(l, op, d, a, cc_none(), cc_none());
    i->text = text;
    return i;
}

int cc_temp(struct cc_lower *l)
{
    return cc_new_vreg(l->f, CC_R);
}

struct cc_operand cc_new(struct cc_lower *l, enum cc_op op, struct cc_operand a,
                         struct cc_operand b)
{
    int t = cc_temp(l);
    cc_emit(l, op, t, a, b, cc_none());
    return cc_r(t);
}

struct cc_operand cc_conv(struct cc_lower *l, const char *text, struct cc_operand a)
{
    int t = cc_temp(l);
    cc_emit_text(l, I_CONV, text, t, a);
    return cc_r(t);
}

/* ---- operands ---- */

const struct ptx_var *cc_find_var(const struct cc_lower *l, const char *name)
{
    for (int i = 0; i < l->k->nvars; i++)
        if (strcmp(l->k->var[i].name, name) == 0)
            return &l->k->var[i];
    for (int i = 0; i < l->k->nparams; i++)
        if (strcmp(l->k->param[i].name, name) == 0)
            return &l->k->param[i];
    const struct ptx_module *m = l->f->module;
    for (int i = 0; i < m->nvars; i++)
        if (strcmp(m->var[i].name, name) == 0)
            return &m->var[i];
    return NULL;
}

struct cc_operand cc_symbol(struct cc_lower *l, const struct ptx_operand *o)
{
    const struct ptx_var *v = cc_find_var(l, o->name);
    if (!v) {
        cc_refuse(l, "'%s' is not known", o->name);
        return cc_imm(0);
    }
    if (v->space == PTX_GLOBAL) { /* c14[] has the address of each */
        int t = cc_temp(l);
        struct cc_insn *i = cc_emit(l, I_LD, t, cc_none(), cc_none(), cc_none());
        i->space = S_CONST;
        i->a[0] = (struct cc_operand){.kind = K_C, .bank = 14, .v = -1, .imm = v->address};
        return o->imm ? cc_new(l, I_ADD, cc_r(t), cc_imm((uint32_t)o->imm)) : cc_r(t);
    }
    return cc_imm(v->address + (uint32_t)o->imm);
}

/* %tid.x and its kin. */
static struct cc_operand special(struct cc_lower *l, const char *name, int *bits)
{
    static const struct {
        const char *name;
        uint32_t offset; /* in s[], 16 bits */
    } header[] = {{"%ntid.x", 2},    {"%ntid.y", 4},   {"%ntid.z", 6},  {"%nctaid.x", 8},
                  {"%nctaid.y", 10}, {"%ctaid.x", 12}, {"%ctaid.y", 14}};
    const uint32_t *block = l->k->block;
    *bits = 16;
    for (size_t i = 0; i < sizeof header / sizeof header[0]; i++)
        if (strcmp(name, header[i].name) == 0) {
            if (i < 3 && l->k->block_exact)
                return cc_imm(block[i]);
            if (i < 3)
                *bits = 10;
            return cc_s(-1, header[i].offset, M_U16);
        }
    if (strcmp(name, "%ctaid.z") == 0 || strcmp(name, "%nctaid.z") == 0)
        return cc_imm(name[1] == 'n');
    if (strncmp(name, "%tid.", 5) == 0 && name[5] >= 'x' && name[5] <= 'z') {
        int axis = name[5] - 'x';
        *bits = axis == 0 ? 10 : axis == 1 ? 10 : 6;
        if (l->k->block_exact && block[axis] == 1)
            return cc_imm(0);
        if (axis == 0)
            return cc_conv(l, "I2I.U32.U16", cc_low(cc_r(0)));
        if (axis == 2)
            return cc_new(l, I_SHR, cc_r(0), cc_imm(26));
        if (l->k->block_exact && block[2] == 1)
            return cc_conv(l, "I2I.U32.U16", cc_high(cc_r(0)));
        return cc_new(l, I_SHR, cc_new(l, I_SHL, cc_r(0), cc_imm(6)), cc_imm(22));
    }
    bool clock = strcmp(name, "%clock") == 0 || strcmp(name, "%laneid") == 0;
    if (clock) {
        int t = cc_temp(l);
        cc_emit_text(l, I_CLOCK, name[1] == 'c' ? "SR_CLOCK" : "SR_PHYSID", t, cc_none());
        *bits = 32;
        return name[1] == 'c' ? cc_r(t) : cc_new(l, I_AND, cc_r(t), cc_imm(31));
    }
    cc_refuse(l, "the special register %s is not supported", name);
    return cc_imm(0);
}

/* The float nearest to a double; a small one is zero, as cc_narrow has it. */
static uint32_t float_of(uint64_t bits)
{
    double x;
    uint32_t r;
    memcpy(&x, &bits, sizeof x);
    float f = (float)x;
    memcpy(&r, &f, sizeof r);
    uint32_t size = (uint32_t)(bits >> 32) & 0x7fffffff;
    return x != x ? 0x7fffffff : size < CC_LEAST_FLOAT ? (uint32_t)(bits >> 32) & 0x80000000 : r;
}

static struct cc_operand get(struct cc_lower *l, int n, bool upper)
{
    const struct ptx_operand *o = &l->in->o[n];
    if (n >= l->in->n) {
        cc_refuse(l, "'%s' has too few operands", l->in->op);
        return cc_imm(0);
    }
    switch (o->kind) {
    case PTX_REG: {
        int v = upper ? l->hi[o->reg] : l->lo[o->reg];
        if (v >= 0)
            return cc_r(v);
        break;
    }
    case PTX_IMM:
        return cc_imm(l->double_numbers ? float_of(o->imm)
                                        : (uint32_t)(upper ? o->imm >> 32 : o->imm));
    case PTX_SYM: return upper ? cc_imm(0) : cc_symbol(l, o);
    case PTX_SPECIAL: {
        int bits;
        struct cc_operand s = upper ? cc_imm(0) : special(l, o->name, &bits);
        if (s.kind == K_S) { /* a value of its own, which later passes fold where they can */
            int t = cc_temp(l);
            cc_emit(l, I_MOV, t, s, cc_none(), cc_none());
            l->f->vreg[t].bits = bits;
            return cc_r(t);
        }
        if (s.kind == K_R && l->f->vreg[s.v].bits > bits)
            l->f->vreg[s.v].bits = bits;
        return s;
    }
    default: break;
    }
    cc_refuse(l, "operand %d of '%s' is of an unknown form", n + 1, l->in->op);
    return cc_imm(0);
}

struct cc_operand cc_get(struct cc_lower *l, int n)
{
    return get(l, n, false);
}

struct cc_operand cc_get_hi(struct cc_lower *l, int n)
{
    return get(l, n, true);
}

int cc_dst(const struct cc_lower *l)
{
    const struct ptx_operand *o = &l->in->o[0];
    return o->kind == PTX_REG ? l->lo[o->reg] : -1;
}

int cc_dst_hi(const struct cc_lower *l)
{
    const struct ptx_operand *o = &l->in->o[0];
    return o->kind == PTX_REG ? l->hi[o->reg] : -1;
}

int cc_bits(const struct cc_lower *l, struct cc_operand o)
{
    int n = 0;
    if (o.half != WHOLE)
        return 16;
    if (o.kind == K_R)
        return l->f->vreg[o.v].bits;
    while (n < 32 && o.imm >> n)
        n++;
    return o.kind == K_IMM ? n : 32;
}

void cc_bound(struct cc_lower *l, int bits)
{
    const struct ptx_operand *o = &l->in->o[0];
    if (o->kind == PTX_REG && l->defs[o->reg] == 1 && l->lo[o->reg] >= 0 && bits < 32)
        l->f->vreg[l->lo[o->reg]].bits = bits;
}

/* ---- names ---- */

bool cc_writes_first(const struct ptx_insn *in)
{
    static const char *const none[] = {"st.",    "bra",  "bar",  "ret", "exit",
                                       "membar", "call", "red.", "trap"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        if (strncmp(in->op, none[i], strlen(none[i])) == 0)
            return false;
    return true;
}

void cc_split_name(struct cc_lower *l)
{
    char *s = cc_text(l->f->arena, l->in->op, strlen(l->in->op));
    l->nparts = 0;
    for (char *w; l->nparts < 8 && (w = strsep(&s, ".")) != NULL;)
        l->part[l->nparts++] = w;
}
