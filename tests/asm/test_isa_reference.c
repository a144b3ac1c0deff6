/* test_isa_reference.c -- reference disassemblies: text, words and the decoded form.
 *
 * The decoded form is checked by writing each instruction a second time, from struct isa_insn
 * alone, in the syntax of another disassembler (envytools'), whose output the reference data holds.
 */
#include "tests/lib/check.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "asm/isacheck/check.h"
#include "asm/sasm/sasm.h"

/* ---- the decoded form, written by other rules ---- */

struct line {
    char s[256];
};

static void add(struct line *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void add(struct line *l, const char *fmt, ...)
{
    va_list ap;
    size_t n = strlen(l->s);
    va_start(ap, fmt);
    vsnprintf(l->s + n, sizeof l->s - n, fmt, ap);
    va_end(ap);
}

static const char *type_name(unsigned t)
{
    static const char *const name[] = {"b32", "u8",   "s8",  "u16", "s16", "u32", "s32",
                                       "b64", "b128", "f16", "f32", "f64", "u24", "s24"};
    return name[t];
}

/* For operations that care about the width alone. */
static const char *width_name(unsigned t)
{
    return t == T_U16 ? "b16" : t == T_U8 ? "b8" : "b32";
}

static void place(struct line *l, const struct isa_operand *o)
{
    static const char space[] = {[ISA_S] = 's', [ISA_K] = 'c', [ISA_L] = 'l'};
    add(l, " %c", space[o->kind]);
    if (o->kind == ISA_K)
        add(l, "%u", o->bank);
    add(l, "[");
    if (o->postinc)
        add(l, "$a%u++0x%x", o->areg, o->value);
    else if (o->areg && o->value)
        add(l, "$a%u+0x%x", o->areg, o->value);
    else if (o->areg)
        add(l, "$a%u", o->areg);
    else
        add(l, "0x%x", o->value);
    add(l, "]");
}

static void operand(struct line *l, const struct isa_operand *o)
{
    if (o->neg)
        add(l, " neg");
    if (o->abs)
        add(l, " abs");
    if (o->inv)
        add(l, " not");
    switch (o->kind) {
    case ISA_R:
        add(l, " $r%u%s", o->value, o->type == T_B64 ? "d" : o->type == T_B128 ? "q" : "");
        break;
    case ISA_RH: add(l, " $r%u%c", o->value >> 1, o->value & 1 ? 'h' : 'l'); break;
    case ISA_OUT: add(l, " #"); break;
    case ISA_A:
        if (o->value)
            add(l, " $a%u", o->value);
        else
            add(l, " 0x0");
        break;
    case ISA_CC: add(l, " $c%u", o->value); break;
    case ISA_I: add(l, " 0x%x", o->value); break;
    case ISA_G: add(l, " g%u[$r%u]", o->bank, o->value); break;
    case ISA_SREG:
        add(l, " $%s",
            o->value == SREG_CLOCK    ? "clock"
            : o->value == SREG_PHYSID ? "physid"
                                      : "pm1");
        break;
    case ISA_S: add(l, " %s", type_name(o->type)); /* fall through */
    default: place(l, o);
    }
}

static void results(struct line *l, const struct isa_insn *in)
{
    if (in->cc_dst >= 0)
        add(l, " $c%d", in->cc_dst);
    operand(l, &in->dst);
}

static void unsigned_operand(struct line *l, struct isa_operand o)
{
    o.neg = false; /* the operation's name says it */
    operand(l, &o);
}

static const char *sum_name(const struct isa_insn *in, const struct isa_operand *second)
{
    return in->carry ? "addc" : second->neg ? "sub" : in->src[0].neg ? "subr" : "add";
}

static const char *rounding(unsigned r, bool integral)
{
    static const char *const name[2][4] = {{"rn", "rm", "rp", "rz"}, {"rni", "rmi", "rpi", "rzi"}};
    return name[integral][r];
}

static const char *comparison(const struct isa_insn *in)
{
    static const char *const i[] = {"never", "l", "e", "le", "g", "lg", "ge", "always"};
    static const char *const f[] = {"never", "l",  "e",  "le",  "g",  "lg",  "ge",  "lge",
                                    "u",     "lu", "eu", "leu", "gu", "lgu", "geu", "always"};
    return in->op == OP_ISET ? i[in->cmp] : f[in->cmp];
}

static void conversion(struct line *l, const struct isa_insn *in)
{
    add(l, "cvt");
    if (in->src[0].neg)
        add(l, " neg");
    if (in->src[0].abs)
        add(l, " abs");
    if (in->sat)
        add(l, " sat");
    bool shrinks = in->op == OP_F2F && in->type == T_F16 && in->stype == T_F32;
    if (in->op == OP_F2I || (in->op == OP_F2F && in->rint && !shrinks))
        add(l, " %s", rounding(in->rnd, true));
    else if (in->op == OP_I2F || shrinks)
        add(l, " %s", rounding(in->rnd, false));
    add(l, " %s", type_name(in->type));
    results(l, in);
    struct isa_operand s = in->src[0];
    s.neg = s.abs = false;
    add(l, " %s", type_name(in->stype));
    operand(l, &s);
}

static void product(struct line *l, const struct isa_insn *in)
{
    add(l, "%s%s", sum_name(in, &in->src[2]), in->sat ? " sat" : "");
    results(l, in);
    add(l, " (mul%s %s", in->high ? " high" : "", type_name(in->src[0].as));
    unsigned_operand(l, in->src[0]);
    operand(l, &in->src[1]);
    add(l, ")");
    unsigned_operand(l, in->src[2]);
    if (in->carry)
        add(l, " $c%u", in->cc_src);
}

static void body(struct line *l, const struct isa_insn *in, bool two_words, bool immediate)
{
    const struct isa_operand *s = in->src;
    const char *name = isa_op_name(in->op);
    switch ((enum isa_op)in->op) {
    case OP_BRA: add(l, "bra 0x%x", in->target); break;
    case OP_CAL: add(l, "call %s0x%x", in->subop ? "lim " : "", in->target); break;
    case OP_PBK: add(l, "breakaddr 0x%x", in->target); break;
    case OP_SSY: add(l, "joinat 0x%x", in->target); break;
    case OP_RET: add(l, "ret"); break;
    case OP_BRK: add(l, "break"); break;
    case OP_NOP: add(l, "nop"); break;
    case OP_BAR:
        add(l, "bar%s%s", in->subop & BAR_ARV ? " inc" : "", in->subop & BAR_WAIT ? " wait" : "");
        operand(l, &s[0]);
        operand(l, &s[1]);
        break;
    case OP_MOV:
        add(l, "mov %s", width_name(in->type));
        results(l, in);
        operand(l, &s[0]);
        break;
    case OP_A2R:
    case OP_C2R:
    case OP_R2C:
    case OP_S2R:
        add(l, "mov");
        results(l, in);
        operand(l, &s[0]);
        break;
    case OP_MVC:
        add(l, "ld");
        results(l, in);
        add(l, " %s", type_name(s[0].type));
        operand(l, &s[0]);
        break;
    case OP_R2G:
        add(l, "st %s", width_name(in->dst.type));
        place(l, &in->dst);
        operand(l, &s[0]);
        break;
    case OP_LLD:
    case OP_GLD:
        add(l, "ld %s", type_name(in->type));
        results(l, in);
        operand(l, &s[0]);
        break;
    case OP_LST:
    case OP_GST:
        add(l, "st %s", type_name(in->type));
        operand(l, &in->dst);
        operand(l, &s[0]);
        break;
    case OP_R2A:
        add(l, "shl");
        results(l, in);
        operand(l, &s[0]);
        operand(l, &s[1]);
        break;
    case OP_ADA:
        add(l, "add");
        results(l, in);
        operand(l, &s[0]);
        operand(l, &s[1]);
        break;
    case OP_IADD: {
        const char *sat = in->sat ? " sat" : "";
        add(l, "%s", sum_name(in, &s[1]));
        add(l, two_words && !immediate ? " %s%s" : "%2$s %1$s", width_name(in->type), sat);
        results(l, in);
        unsigned_operand(l, s[0]);
        unsigned_operand(l, s[1]);
        if (in->carry)
            add(l, " $c%u", in->cc_src);
        break;
    }
    case OP_IMUL:
        add(l, "mul");
        results(l, in);
        add(l, "%s %s", in->high ? " high" : "", type_name(s[0].as));
        operand(l, &s[0]);
        if (s[1].as != T_U24 && s[1].as != T_S24)
            add(l, " %s", type_name(s[1].as));
        operand(l, &s[1]);
        break;
    case OP_IMAD: product(l, in); break;
    case OP_ISAD:
        add(l, "sad");
        results(l, in);
        add(l, " %s", type_name(in->type));
        for (int i = 0; i < 3; i++)
            operand(l, &s[i]);
        break;
    case OP_ISET:
    case OP_FSET:
        add(l, "set");
        results(l, in);
        add(l, " %s %s", comparison(in), type_name(in->type));
        operand(l, &s[0]);
        operand(l, &s[1]);
        break;
    case OP_IMIN:
    case OP_IMAX:
    case OP_FMIN:
    case OP_FMAX:
        add(l, "%s %s", name[2] == 'I' ? "min" : "max", type_name(in->type));
        results(l, in);
        operand(l, &s[0]);
        operand(l, &s[1]);
        break;
    case OP_SHL:
    case OP_SHR:
        add(l, "%s %s", name[2] == 'L' ? "shl" : "shr",
            name[2] == 'L' ? width_name(in->type) : type_name(in->type));
        results(l, in);
        operand(l, &s[0]);
        operand(l, &s[1]);
        break;
    case OP_LOP: {
        static const char *const op[] = {"and", "or", "xor", "mov2"};
        add(l, "%s %s", op[in->subop], width_name(in->type));
        results(l, in);
        operand(l, &s[0]);
        operand(l, &s[1]);
        break;
    }
    case OP_FADD:
    case OP_FMUL:
        add(l, "%s%s", name[1] == 'A' ? "add" : "mul", in->sat ? " sat" : "");
        if (two_words && !immediate)
            add(l, " %s", rounding(in->rnd, false));
        add(l, " f32");
        results(l, in);
        operand(l, &s[0]);
        operand(l, &s[1]);
        break;
    case OP_FMAD:
        add(l, "add%s f32", in->sat ? " sat" : "");
        results(l, in);
        add(l, "%s (mul", s[0].neg ? " neg" : "");
        unsigned_operand(l, s[0]);
        operand(l, &s[1]);
        add(l, ")");
        operand(l, &s[2]);
        break;
    case OP_FCMP:
        add(l, "slct b32");
        results(l, in);
        operand(l, &s[0]);
        operand(l, &s[1]);
        add(l, " %s", type_name(s[2].as));
        operand(l, &s[2]);
        break;
    case OP_RRO:
        add(l, "%s f32", in->subop == RRO_EX2 ? "preex2" : "presin");
        results(l, in);
        operand(l, &s[0]);
        break;
    case OP_RCP:
    case OP_RSQ:
    case OP_LG2:
    case OP_SIN:
    case OP_COS:
    case OP_EX2: {
        static const char *const fn[] = {"rcp", "rsqrt", "lg2", "sin", "cos", "ex2"};
        add(l, "%s f32%s", fn[in->op - OP_RCP], in->sat ? " sat" : "");
        results(l, in);
        operand(l, &s[0]);
        break;
    }
    case OP_I2I:
    case OP_I2F:
    case OP_F2I:
    case OP_F2F: conversion(l, in); break;
    default: add(l, "?"); break;
    }
}

static void other_text(const struct isa_insn *in, bool immediate, struct line *l)
{
    static const char *const cond[32] = {
        "never", "l",   "e",   "le", "g", "lg", "ge", "lge", "u",         "lu", "eu", "leu",
        "gu",    "lgu", "geu", NULL, "o", "c",  "a",  "s",   [28] = "ns", "na", "nc", "no"};
    l->s[0] = 0;
    if (in->exit)
        add(l, "exit ");
    if (in->join)
        add(l, "join ");
    if (in->pred == PRED_NEVER)
        add(l, "(never) ");
    else if (in->pred != PRED_ALWAYS)
        add(l, "(%s $c%u) ", cond[in->pred], in->cc_src);
    body(l, in, in->size == 8, immediate);
}

/* ---- the reference data ---- */

struct row {
    uint32_t lo, hi;
    char *column[8];
};

/* Calls `test` for every data line; number of lines. */
static int each_row(const char *name, int (*test)(const struct row *), int *bad)
{
    char *path = fl_format("%s/sm10/%s", FAULTLINE_SHARED_DIR, name);
    struct fl_buf file = {0};
    CU_ASSERT_EQUAL_FATAL(fl_read_file(path, &file, NULL), 0);
    free(path);
    int n = 0;
    *bad = 0;
    char *save = NULL, *line = strtok_r((char *)file.data, "\n", &save);
    while ((line = strtok_r(NULL, "\n", &save)) != NULL) {
        struct row r = {0};
        char *rest = line;
        for (int i = 0; i < 8 && rest; i++)
            r.column[i] = strsep(&rest, "\t");
        r.lo = (uint32_t)strtoul(r.column[0], NULL, 16);
        r.hi = r.column[1][0] == '-' ? 0 : (uint32_t)strtoul(r.column[1], NULL, 16);
        int wrong = test(&r);
        if (wrong && ++*bad <= 10)
            printf("\n%s %s: %s\n", r.column[0], r.column[1],
                   r.column[5] ? r.column[5] : r.column[3]);
        n++;
    }
    fl_buf_free(&file);
    return n;
}

static int round_trip(const struct row *r)
{
    char text[256];
    struct isa_words w;
    struct isa_text_err why;
    int size = r->column[1][0] == '-' ? 4 : 8;
    return isa_print(r->lo, r->hi, text, sizeof text) < 0 || sasm_words(text, &w, &why) ||
           w.lo != r->lo || w.hi != r->hi || w.size != size;
}

static void without_space(char *s)
{
    char *to = s;
    for (; *s; s++)
        if (*s != ' ')
            *to++ = *s;
    *to = 0;
}

static int nvidia_text(const struct row *r)
{
    char text[256], want[256];
    if (r->column[2][0] == '-')
        return 0;
    if (isa_print(r->lo, r->hi, text, sizeof text) < 0)
        return 1;
    char *exit = strstr(text, ".EXIT"); /* NVIDIA hides it */
    if (exit)
        memmove(exit, exit + 5, strlen(exit + 5) + 1);
    snprintf(want, sizeof want, "%s", r->column[2]);
    without_space(text);
    without_space(want);
    return strcmp(text, want) != 0;
}

static int decoded_form(const struct row *r, const char *want)
{
    struct isa_insn in;
    struct line l;
    if (!isa_decode(r->lo, r->hi, false, ISA_NEWEST, &in))
        return 1;
    if (isa_op_class(in.op) == ISA_OTHER || strstr(want, "unknown"))
        return 0;
    other_text(&in, (r->lo & 3) == 1 && (r->hi & 3) == 3 && in.size == 8, &l);
    if (strcmp(l.s, want) == 0)
        return 0;
    printf("\n  decoded: %s", l.s);
    return 1;
}

static int decoded_encoding(const struct row *r)
{
    return decoded_form(r, r->column[3]);
}

static int decoded_variant(const struct row *r)
{
    return decoded_form(r, r->column[5]);
}

static void all_of(const char *file, int (*test)(const struct row *), int want)
{
    char *below = fl_format("sm10/%s", file);
    bool there = check_shared(below);
    free(below);
    if (!there)
        return;
    int bad, n = each_row(file, test, &bad);
    CU_ASSERT_EQUAL(n, want);
    CU_ASSERT_EQUAL(bad, 0);
}

static void compiled_code_survives_text(void)
{
    all_of("encodings.tsv", round_trip, 17594);
}

static void arithmetic_variants_survive_text(void)
{
    all_of("alu-variants.tsv", round_trip, 1618);
}

static void text_is_nvidias_own(void)
{
    all_of("encodings.tsv", nvidia_text, 17594);
}

static void compiled_code_decodes_to_what_it_means(void)
{
    all_of("encodings.tsv", decoded_encoding, 17594);
}

static void arithmetic_variants_decode_to_what_they_mean(void)
{
    all_of("alu-variants.tsv", decoded_variant, 1618);
}

int main(void)
{
    return CHECK_RUN("isa_reference", CHECK(compiled_code_survives_text),
                     CHECK(arithmetic_variants_survive_text), CHECK(text_is_nvidias_own),
                     CHECK(compiled_code_decodes_to_what_it_means),
                     CHECK(arithmetic_variants_decode_to_what_they_mean));
}
