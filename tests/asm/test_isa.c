/* test_isa.c -- the instruction table: its soundness, and NVIDIA's text. */
#include "tests/lib/check.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "asm/isacheck/check.h"
#include "asm/sasm/sasm.h"
#include "base/random.h"
#include "tests/lib/tools.h"

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

static void rows_of_a_lower_capability_come_first(void)
{
    no_complaints(isa_check_order);
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

static void the_checker_finds_rows_out_of_order(void)
{
    struct isa_row rows[2] = {isa_rows[0], isa_rows[isa_nrows - 1]};
    CU_ASSERT_EQUAL(complaints(rows, 2, isa_check_order), 0);
    rows[0] = isa_rows[isa_nrows - 1];
    rows[1] = isa_rows[0];
    CU_ASSERT_EQUAL(complaints(rows, 2, isa_check_order), 1);
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
    is_fresh(now, "docs/reference/isa.md", "--doc");
}

static void rtl_package_is_fresh(void)
{
    struct fl_buf now = {0};
    isa_sv(&now, ISA_1_0);
    is_fresh(now, "rtl/sm_isa_pkg.sv", "--sv");
}

static void isacheck_prints_the_committed_page_and_package(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        tools_run(FAULTLINE_SOURCE_DIR, &out,
                  "i=" FAULTLINE_BUILD_DIR
                  "/tools/isacheck; $i --doc | cmp - docs/reference/isa.md && "
                  "$i --sv | cmp - rtl/sm_isa_pkg.sv && $i --sv 1.0 | cmp - rtl/sm_isa_pkg.sv && "
                  "! $i --sv 1.1 | cmp -s - rtl/sm_isa_pkg.sv && ! $i --doc 1.0 2>/dev/null"),
        0);
    fl_buf_free(&out);
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
    {0x10000801, 0x4400c780, "G2R.U32 R0, g[0x4]"},
    {0x10000801, 0x4600c780, "G2R.U32.B4 R0, g[0x4]"},
    {0xd00e040d, 0xc0e00780, "GRED.IADD.S32 global14[R2], R3"},
    {0xd7030405, 0xe0c10788, "GATOM.CAS.U32 R1, global14[R2], R3, R4"},
    {0x10000201, 0x600002d0, "VOTE.ANY C1 (C0.NE)"},
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
            CU_ASSERT_EQUAL(isa_decode(bad[i][0], bad[i][1], false, ISA_NEWEST, &in), 0);
            CU_ASSERT_EQUAL(isa_print(bad[i][0], bad[i][1], text, sizeof text), -1);
        }
    CU_ASSERT_EQUAL(isa_decode(0x20000201, 0x0400cf80, false, ISA_NEWEST, &in), 8);
    CU_ASSERT_EQUAL(in.pred, 0x1f);
}

static void upper_target_bits_count_in_wide_code_only(void)
{
    struct isa_insn in;
    struct isa_words w;
    struct isa_text_err why;
    CU_ASSERT_EQUAL(sasm_words("BRA 0x12345678", &w, &why), 0);
    CU_ASSERT_EQUAL(isa_decode(w.lo, w.hi, true, ISA_NEWEST, &in), 8);
    CU_ASSERT_EQUAL(in.target, 0x12345678);
    CU_ASSERT_EQUAL(isa_decode(w.lo, w.hi, false, ISA_NEWEST, &in), 8);
    CU_ASSERT_EQUAL(in.target, 0x00345678);
}

static void one_word_forms_ignore_the_next_word(void)
{
    struct isa_insn a, b;
    CU_ASSERT_EQUAL(isa_decode(0x20008200, 0, false, ISA_NEWEST, &a), 4);
    CU_ASSERT_EQUAL(isa_decode(0x20008200, 0xdeadbeef, false, ISA_NEWEST, &b), 4);
    CU_ASSERT_EQUAL(memcmp(&a, &b, sizeof a), 0);
}

static uint64_t random_word(const struct isa_row *row, uint64_t *seed)
{
    const uint64_t fixed = (uint64_t)row->hi_mask << 32 | row->lo_mask;
    uint64_t open = fl_random(seed);
    for (uint64_t thin = fl_random(seed) % 4; thin; thin--)
        open &= fl_random(seed);
    return ((uint64_t)row->hi << 32 | row->lo) | (open & ~fixed);
}

static void an_instruction_of_a_higher_capability_is_illegal(void)
{
    uint64_t seed = 48;
    for (int r = isa_rows_of(ISA_1_0); r < isa_nrows; r++) {
        int legal = 0;
        for (int i = 0; i < 20000 && legal < 50; i++) {
            const uint64_t w = random_word(&isa_rows[r], &seed);
            const int needs = isa_rows[r].preset.min;
            struct isa_insn in;
            if (!isa_decode((uint32_t)w, (uint32_t)(w >> 32), true, needs, &in) || in.row != r)
                continue; /* illegal, or of another form */
            legal++;
            CU_ASSERT_EQUAL(in.min, needs);
            for (int less = needs - 1; less >= ISA_1_0; less--)
                CU_ASSERT_EQUAL(isa_decode((uint32_t)w, (uint32_t)(w >> 32), true, less, &in), 0);
        }
        CU_ASSERT_EQUAL(legal, 50);
    }
}

static void a_higher_capability_changes_no_instruction(void)
{
    uint64_t seed = 49;
    for (int r = 0; r < isa_rows_of(ISA_1_0); r++)
        for (int i = 0; i < 400; i++) {
            const uint64_t w = random_word(&isa_rows[r], &seed);
            struct isa_insn a = {0}, b = {0};
            if (isa_decode((uint32_t)w, (uint32_t)(w >> 32), false, ISA_1_0, &a)) {
                isa_decode((uint32_t)w, (uint32_t)(w >> 32), false, ISA_NEWEST, &b);
                CU_ASSERT(a.row == b.row && a.op == b.op && a.size == b.size);
            }
        }
}

static void a_package_decodes_the_operations_of_its_capability(void)
{
    for (int c = ISA_1_0; c <= ISA_NEWEST; c++) {
        struct fl_buf b = {0};
        isa_sv(&b, c);
        CU_ASSERT_EQUAL(strstr((char *)b.data, " OP_GATOM;") != NULL, c >= ISA_1_1);
        CU_ASSERT_EQUAL(strstr((char *)b.data, " OP_VOTE;") != NULL, c >= ISA_1_2);
        CU_ASSERT_EQUAL(strstr((char *)b.data, "GATOM{x}.CAS.U64") != NULL, c >= ISA_1_2);
        fl_buf_free(&b);
    }
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

int main(void)
{
    return CHECK_RUN(
        "isa", CHECK(every_bit_has_one_owner), CHECK(no_word_fits_two_rows),
        CHECK(every_field_and_operation_is_used), CHECK(random_words_survive_text),
        CHECK(rows_of_a_lower_capability_come_first), CHECK(the_checker_finds_rows_out_of_order),
        CHECK(an_instruction_of_a_higher_capability_is_illegal),
        CHECK(a_higher_capability_changes_no_instruction),
        CHECK(a_package_decodes_the_operations_of_its_capability),
        CHECK(the_checker_finds_overlapping_rows), CHECK(the_checker_finds_bits_without_an_owner),
        CHECK(the_checker_finds_bits_with_two_owners), CHECK(the_checker_finds_unknown_fields),
        CHECK(docs_isa_md_is_fresh), CHECK(rtl_package_is_fresh),
        CHECK(isacheck_prints_the_committed_page_and_package), CHECK(sample_prints_and_assembles),
        CHECK(other_spellings_mean_the_same), CHECK(words_that_are_no_instruction_are_refused),
        CHECK(upper_target_bits_count_in_wide_code_only),
        CHECK(one_word_forms_ignore_the_next_word), CHECK(a_short_buffer_is_not_overrun),
        CHECK(any_text_is_survived));
}
