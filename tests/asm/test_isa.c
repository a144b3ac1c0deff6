/* test_isa.c -- the instruction table: its soundness, NVIDIA's text, and what the decoded form
 * says.
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

/* ---- the table ---- */

static struct isa_table whole(void)
{
    return (struct isa_table){isa_rows, isa_nrows};
}

static void no_complaints(int (*check)(struct isa_table, struct fl_buf *))
{
    struct fl_buf report = {0};
    int bad = check(whole(), &report);
    if (bad)
        printf("\n%s", report.data);
    CU_ASSERT_EQUAL(bad, 0);
    fl_buf_free(&report);
}

static void every_bit_has_one_owner(void)
{
    no_complaints(isa_check_masks);
}

static void no_word_fits_two_rows(void)
{
    no_complaints(isa_check_overlaps);
}

static void every_field_and_operation_is_used(void)
{
    no_complaints(isa_check_fields);
}

static void random_words_survive_text(void)
{
    struct fl_buf report = {0};
    int bad = isa_check_round_trip(20, SANITIZED ? 20 : 50, &report);
    if (bad)
        printf("\n%s", report.data);
    CU_ASSERT_EQUAL(bad, 0);
    fl_buf_free(&report);
}

static int complaints(struct isa_row *rows, int n, int (*check)(struct isa_table, struct fl_buf *))
{
    struct fl_buf report = {0};
    int bad = check((struct isa_table){rows, n}, &report);
    fl_buf_free(&report);
    return bad;
}

static void the_checker_finds_overlapping_rows(void)
{
    struct isa_row rows[2] = {isa_rows[0], isa_rows[1]};
    CU_ASSERT_EQUAL(complaints(rows, 2, isa_check_overlaps), 0);
    rows[1] = isa_rows[0];
    rows[1].lo_mask &= ~0x80000000u;
    rows[1].lo &= rows[1].lo_mask;
    CU_ASSERT_EQUAL(complaints(rows, 2, isa_check_overlaps), 1);
}

static void the_checker_finds_bits_without_an_owner(void)
{
    struct isa_row row = isa_rows[0];
    row.lo_mask &= ~0x80000000u;
    row.lo &= row.lo_mask;
    CU_ASSERT_EQUAL(complaints(&row, 1, isa_check_masks), 1);
}

static void the_checker_finds_bits_with_two_owners(void)
{
    struct isa_row row = isa_rows[0];
    CU_ASSERT_EQUAL(complaints(&row, 1, isa_check_masks), 0);
    row.lo_mask = 0xffffffff;
    CU_ASSERT_EQUAL(complaints(&row, 1, isa_check_masks), 1);
}

static void the_checker_finds_unknown_fields(void)
{
    struct isa_row row = isa_rows[0];
    row.text = "BRA{pb} {target}{nonsense}";
    CU_ASSERT_EQUAL(complaints(&row, 1, isa_check_masks), 1);
}

static void is_fresh(struct fl_buf now, const char *path, const char *option)
{
    struct fl_buf file = {0};
    struct fl_err err;
    char *whole = fl_format(FAULTLINE_SOURCE_DIR "/%s", path);
    CU_ASSERT_EQUAL_FATAL(fl_read_file(whole, &file, &err), 0);
    bool fresh = now.size == file.size && memcmp(now.data, file.data, now.size) == 0;
    if (!fresh)
        printf("\n%s is out of date: run isacheck %s > %s\n", path, option, path);
    CU_ASSERT(fresh);
    fl_buf_free(&now);
    fl_buf_free(&file);
    free(whole);
}

static void docs_isa_md_is_fresh(void)
{
    struct fl_buf now = {0};
    isa_doc(&now);
    is_fresh(now, "docs/isa.md", "--doc");
}

static void rtl_package_is_fresh(void)
{
    struct fl_buf now = {0};
    isa_sv(&now);
    is_fresh(now, "rtl/sm_isa_pkg.sv", "--sv");
}

/* ---- text ---- */

static const struct {
    uint32_t lo, hi;
    const char *text;
} sample[] = {
    {0x20000201, 0x0400c780, "IADD R0, R1, R3"},
    {0x20018a15, 0x00000003, "IADD32I R5, R5, 0x1"},
    {0x20008200, 0, "IADD32 R0, R1, R0"},
    {0x20400401, 0x04000780, "IADD R0, R2, -R0"},
    {0x30000e21, 0x04024780, "IADD R8, -R7, R9"},
    {0x2000c801, 0x04200500, "IADD R0 (C0.EQU), g[0x4], R0"},
    {0x21000811, 0x04400500, "IADD R4 (C0.EQU), R4, c[0x1][0x0]"},
    {0x3040020d, 0x041f1780, "IADD.CARRY1 R3, R1, R124"},
    {0x10005003, 0x00000280, "BRA C0.NE, 0x28"},
    {0x1000b003, 0x00000780, "BRA 0x58"},
    {0x30000003, 0x00000100, "RET C0.EQ"},
    {0xa0019003, 0x00000000, "SSY 0xc8"},
    {0xa0019003, 0x00000780, "SSY C0.TRUE, 0xc8"},
    {0x2001e003, 0x00000000, "CAL.NOINC 0xf0"},
    {0x861ffe03, 0x00000000, "BAR.ARV.WAIT b0, 0xfff"},
    {0xf0000001, 0xe0000000, "NOP"},
    {0xf0000001, 0xe0000001, "NOP.EXIT"},
    {0xf0000001, 0xe0000002, "NOP.S"},
    {0x1000cc05, 0x0423c780, "MOV R1, g[0x6]"},
    {0x10018005, 0x00000003, "MVI R1, 0x1"},
    {0x10000205, 0x2440e280, "MVC R1 (C2.NE), c[0x1][0x1]"},
    {0x00021405, 0xc0000780, "R2A A1, R10, 0x2"},
    {0x00001609, 0xc0000780, "R2A A2, R11"},
    {0x04081801, 0xe4200780, "R2G.U32.U32 g[A1+0x40c], R0"},
    {0x1a00c21d, 0x0423c780, "MOV R7, g[A2+++0x1]"},
    {0x307c0205, 0x6c008782, "ISET.S.S32 R1, R1, R124, EQ"},
    {0x3000cdfd, 0x6c2147d8, "ISET.S32.C1 o[0x7f], g[0x6], R0, NE"},
    {0x30100c09, 0xec100780, "SHR.S32 R2, R6, 0x10"},
    {0x40034209, 0x00200780, "IMUL.U16.U16 R2, g[0x1].U16, R1H"},
    {0x60014c01, 0x00204780, "IMAD.U16 R0, g[0x6].U16, R0H, R1"},
    {0xa0000025, 0x04114780, "I2I.U32.S32 R9, |R0|"},
    {0xa0000809, 0x04008780, "I2I.U32.U16.BEXT R2, R2L"},
    {0xa0001021, 0x84064780, "F2I.U32.F32.TRUNC R8, R8"},
    {0xb1417204, 0, "FADD32 R1, g[0x9], -R1"},
    {0xc00a1021, 0x0000c7c0, "FMUL.TRUNC.C0 R8, R8, R10"},
    {0xd0030001, 0x0402c500, "LOP.PASS_B R0 (C0.EQU), R0, ~R3"},
    {0xd0800205, 0x00400780, "LOP.AND.U16 R0H, R0H, c[0x1][0x0]"},
    {0xd00e0005, 0xa0c00781, "GST.EXIT.U32 global14[R0], R1"},
    {0xdc010011, 0x20000780, "ADA A4, A3, 0x80"},
    {0xe800c229, 0x00228780, "FMAD R10, g[A2+0x1], R0, R10"},
    {0xb0000009, 0xc0004780, "RRO R2, R0, EX2"},
};

static void sample_prints_and_assembles(void)
{
    for (size_t i = 0; i < sizeof sample / sizeof sample[0]; i++) {
        char text[256];
        struct isa_words w = {0};
        struct isa_text_err why;
        CU_ASSERT(isa_print(sample[i].lo, sample[i].hi, text, sizeof text) > 0);
        CU_ASSERT_STRING_EQUAL(text, sample[i].text);
        CU_ASSERT_EQUAL(sasm_words(sample[i].text, &w, &why), 0);
        CU_ASSERT_EQUAL(w.lo, sample[i].lo);
        CU_ASSERT_EQUAL(w.hi, sample[i].hi);
    }
}

static void other_spellings_mean_the_same(void)
{
    static const char *const pair[][2] = {
        {"MOV R1, s[0x18]", "MOV R1, g[0x6]"},
        {"MOV  R1 ,g [ 6 ] ;", "MOV R1, g[0x6]"},
        {"FMAD R10, s[A2+4], R0, R10", "FMAD R10, g[A2+0x1], R0, R10"},
        {"FMAD R10, s[A2], R0, R10", "FMAD R10, g[A2+0x0], R0, R10"},
        {"MVC R1, c1[4]", "MVC R1, c [0x1] [0x1]"},
        {"GLD.U32 R0, g14[R0]", "GLD.U32 R0, global14 [R0]"},
        {"I2I.U32.U16 R1, s[2].U16", "I2I.U32.U16 R1, g[1].U16"},
        {"IADD32I R0, R1, 2 * (3 + 1)", "IADD32I R0, R1, 0x8"},
        {"FMUL32I R0, R1, 1.5f", "FMUL32I R0, R1, 0x3fc00000"},
        {"MVI R0, -1.0", "MVI R0, 0xbf800000"},
        {"MVI R0, -1", "MVI R0, 0xffffffff"},
        {"ADA A1, A1, -16", "ADA A1, A1, 0xfff0"},
    };
    for (size_t i = 0; i < sizeof pair / sizeof pair[0]; i++) {
        struct isa_words a = {0}, b = {0};
        struct isa_text_err why = {0};
        CU_ASSERT_EQUAL(sasm_words(pair[i][0], &a, &why), 0);
        CU_ASSERT_EQUAL(sasm_words(pair[i][1], &b, &why), 0);
        CU_ASSERT(a.lo == b.lo && a.hi == b.hi && a.size == b.size);
    }
}

static void words_that_are_no_instruction_are_refused(void)
{
    static const uint32_t bad[][2] = {
        {0xffffffff, 0xffffffff},     {0x00000000, 0},
        {0x20000201, 0x0c00c7bf}, /* predicate code 1f exists, ... */
        {0x20000201, 0x0400ca80}, /* ... 15h does not */
        {0x24000201, 0x0400c780}, /* A1, and no memory operand */
        {0x21800201, 0x0400c780}, /* two constant operands */
        {0x30000003, 0x00000781}, /* control with exit */
        {0xd00e0001, 0x80e00780}, /* GLD of type 7 */
        {0x90000002 ^ 0x20000000, 0},
    };
    struct isa_insn in;
    char text[64];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (i != 2) {
            CU_ASSERT_EQUAL(isa_decode(bad[i][0], bad[i][1], false, &in), 0);
            CU_ASSERT_EQUAL(isa_print(bad[i][0], bad[i][1], text, sizeof text), -1);
        }
    CU_ASSERT_EQUAL(isa_decode(0x20000201, 0x0400cf80, false, &in), 8);
    CU_ASSERT_EQUAL(in.pred, 0x1f);
}

static void upper_target_bits_count_in_wide_code_only(void)
{
    struct isa_insn in;
    struct isa_words w;
    struct isa_text_err why;
    CU_ASSERT_EQUAL(sasm_words("BRA 0x12345678", &w, &why), 0);
    CU_ASSERT_EQUAL(isa_decode(w.lo, w.hi, true, &in), 8);
    CU_ASSERT_EQUAL(in.target, 0x12345678);
    CU_ASSERT_EQUAL(isa_decode(w.lo, w.hi, false, &in), 8);
    CU_ASSERT_EQUAL(in.target, 0x00345678);
}

static void one_word_forms_ignore_the_next_word(void)
{
    struct isa_insn a, b;
    CU_ASSERT_EQUAL(isa_decode(0x20008200, 0, false, &a), 4);
    CU_ASSERT_EQUAL(isa_decode(0x20008200, 0xdeadbeef, false, &b), 4);
    CU_ASSERT_EQUAL(memcmp(&a, &b, sizeof a), 0);
}

static void a_short_buffer_is_not_overrun(void)
{
    char text[8] = "1234567";
    int n = isa_print(0x20000201, 0x0400c780, text, 5);
    CU_ASSERT_EQUAL(n, (int)strlen("IADD R0, R1, R3"));
    CU_ASSERT_STRING_EQUAL(text, "IADD");
    CU_ASSERT_EQUAL(text[5], '6');
}

static void any_text_is_survived(void)
{
    uint64_t s = 88172645463325252ull;
    static const char alphabet[] = "IADMOVRFGC0123456789abcxLHg[]+-~|(),. \t;*/<>=&^!?:_\\\"";
    for (int i = 0; i < (SANITIZED ? 6000 : 20000); i++) {
        char text[48];
        strcpy(text, sample[i % (sizeof sample / sizeof sample[0])].text);
        size_t n = strlen(text);
        for (int k = 0; k < 3; k++) {
            s ^= s << 13;
            s ^= s >> 7;
            s ^= s << 17;
            text[s % n] = alphabet[(s >> 32) % (sizeof alphabet - 1)];
        }
        struct isa_words w;
        struct isa_text_err why = {0};
        if (sasm_words(text, &w, &why))
            CU_ASSERT(why.at >= text && why.at <= text + n && why.msg[0]);
    }
}

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

/* Calls `test` for every data line; number of lines, or -1 when the file is not there. */
static int each_row(const char *name, int (*test)(const struct row *), int *bad)
{
    char *path = fl_format("%s/sm10/%s", FAULTLINE_SHARED_DIR, name);
    struct fl_buf file = {0};
    if (access(path, R_OK) != 0 || fl_read_file(path, &file, NULL)) {
        printf(" skipped: no ../shared ");
        free(path);
        return -1;
    }
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
    if (!isa_decode(r->lo, r->hi, false, &in))
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
    int bad, n = each_row(file, test, &bad);
    if (n < 0)
        return;
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
    return CHECK_RUN(
        "isa", CHECK(every_bit_has_one_owner), CHECK(no_word_fits_two_rows),
        CHECK(every_field_and_operation_is_used), CHECK(random_words_survive_text),
        CHECK(the_checker_finds_overlapping_rows), CHECK(the_checker_finds_bits_without_an_owner),
        CHECK(the_checker_finds_bits_with_two_owners), CHECK(the_checker_finds_unknown_fields),
        CHECK(docs_isa_md_is_fresh), CHECK(rtl_package_is_fresh),
        CHECK(sample_prints_and_assembles), CHECK(other_spellings_mean_the_same),
        CHECK(words_that_are_no_instruction_are_refused),
        CHECK(upper_target_bits_count_in_wide_code_only),
        CHECK(one_word_forms_ignore_the_next_word), CHECK(a_short_buffer_is_not_overrun),
        CHECK(any_text_is_survived), CHECK(compiled_code_survives_text),
        CHECK(arithmetic_variants_survive_text), CHECK(text_is_nvidias_own),
        CHECK(compiled_code_decodes_to_what_it_means),
        CHECK(arithmetic_variants_decode_to_what_they_mean));
}
