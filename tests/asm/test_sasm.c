/* test_sasm.c -- the assembler: each directive, survival of any input, and the tools around it. */
#include "tests/lib/check.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "asm/sasm/sasm.h"
#include "tests/lib/tools.h"
#include "assembled.h"

/* ---- directives ---- */

static void equ_names_an_expression(void)
{
    assembled_gives(".equ A, 3\n.equ B, A * 4 + 1\nMVI R0, B", "MVI R0, 0xd");
}

static void equ_may_refer_to_later_names(void)
{
    assembled_gives(".equ B, A + 1\nMVI R0, B\n.equ A, end - 0\nend:\nNOP", "MVI R0, 0x9");
}

static void reg_names_a_register(void)
{
    assembled_gives(".reg x, R5\n.reg y, x\nIADD y, x, R1", "IADD R5, R5, R1");
}

static void the_last_reg_before_a_line_counts(void)
{
    struct cubin *c = assembled(".reg x, R1\n.kernel k\nMVI x, 1\n.reg x, R2\nMVI x, 2");
    CU_ASSERT_STRING_EQUAL(TEXT(c, 0, 0), "MVI R1, 0x1");
    CU_ASSERT_STRING_EQUAL(TEXT(c, 0, 8), "MVI R2, 0x2");
    cubin_free(c);
}

static void address_and_condition_registers_have_names_too(void)
{
    assembled_gives(".reg base, A2\nMOV R0, s[base+8]", "MOV R0, g[A2+0x2]");
    assembled_gives(".reg flag, C1\nBRA flag.NE, 0", "BRA C1.NE, 0x0");
}

static void macro_arguments_and_defaults_are_substituted(void)
{
    assembled_gives(".macro put a, b=7\nMVI \\a, \\b\n.endm\nput R3", "MVI R3, 0x7");
    assembled_gives(".macro put a, b=7\nMVI \\a, \\b\n.endm\nput R3, (1 + 1)", "MVI R3, 0x2");
}

static void each_use_of_a_macro_has_its_own_labels(void)
{
    struct cubin *c = assembled(
        ".macro skip\nBRA over\\@\nNOP\nover\\@:\n.endm\n.kernel k\nskip\nskip\nNOP.EXIT");
    CU_ASSERT_STRING_EQUAL(TEXT(c, 0, 0), "BRA 0x10");
    CU_ASSERT_STRING_EQUAL(TEXT(c, 0, 0x10), "BRA 0x20");
    CU_ASSERT_EQUAL(c->kernel[0].nsymbols, 2);
    cubin_free(c);
}

static void macros_use_macros(void)
{
    assembled_gives(".macro in r\nMVI \\r, 5\n.endm\n.macro out q\nin \\q\n.endm\nout R9",
                    "MVI R9, 0x5");
}

static void a_label_may_stand_before_a_macro(void)
{
    struct cubin *c = assembled(".macro two\nNOP\nNOP\n.endm\n.kernel k\nNOP\nhere: two\nBRA here");
    CU_ASSERT_STRING_EQUAL(TEXT(c, 0, 0x18), "BRA 0x8");
    cubin_free(c);
}

static void rept_counts_its_turns(void)
{
    struct cubin *c = assembled(".kernel k\n.rept 3\nMVI R\\+, \\+ * 2\n.endr\nNOP.EXIT");
    CU_ASSERT_EQUAL(c->kernel[0].code[0].size, 32);
    CU_ASSERT_STRING_EQUAL(TEXT(c, 0, 16), "MVI R2, 0x4");
    cubin_free(c);
}

static void rept_inside_a_macro_sees_its_arguments(void)
{
    struct cubin *c = assembled(
        ".macro fill v\n.rept 2\nMVI R\\+, \\v\n.endr\n.endm\n.kernel k\nfill 9");
    CU_ASSERT_STRING_EQUAL(TEXT(c, 0, 8), "MVI R1, 0x9");
    cubin_free(c);
}

static void if_chooses_lines(void)
{
    assembled_gives(".equ N, 2\n.if N == 2\nMVI R0, 1\n.else\nMVI R0, 2\n.endif", "MVI R0, 0x1");
    assembled_gives(".equ N, 3\n.if N == 2\nMVI R0, 1\n.else\nMVI R0, 2\n.endif", "MVI R0, 0x2");
    assembled_gives(
        ".if 0\n.if 1\nnonsense\n.else\nmore\n.endif\n.macro x\n.endif\n.endm\n.endif\nMVI R0, 3",
        "MVI R0, 0x3");
}

static void macros_may_call_themselves_until_a_condition(void)
{
    struct cubin *c = assembled(".macro count n\n.if \\n > 0\nMVI R0, \\n\ncount \\n - "
                                "1\n.endif\n.endm\n.kernel k\ncount 3\nNOP");
    CU_ASSERT_EQUAL(c->kernel[0].code[0].size, 32);
    cubin_free(c);
}

static void include_is_sought_beside_the_file(void)
{
    char *dir = tools_folder();
    char *main_path = fl_format("%s/main.sasm", dir), *inc = fl_format("%s/inc.sasm", dir);
    struct fl_err err;
    static const char main_text[] = ".include \"inc.sasm\"\n.kernel k\nMVI R0, FROM_INC\n";
    static const char inc_text[] = ".equ FROM_INC, 0x77\n";
    CU_ASSERT_EQUAL(fl_write_file(main_path, main_text, strlen(main_text), &err), 0);
    CU_ASSERT_EQUAL(fl_write_file(inc, inc_text, strlen(inc_text), &err), 0);
    struct cubin *c = NULL;
    CU_ASSERT_EQUAL_FATAL(sasm_assemble(main_path, NULL, &c, &err), 0);
    CU_ASSERT_STRING_EQUAL(TEXT(c, 0, 0), "MVI R0, 0x77");
    cubin_free(c);
    tools_remove(dir);
    free(main_path);
    free(inc);
}

static void param_and_shared_follow_the_header(void)
{
    struct cubin *c = assembled(
        ".kernel k\n.param ptr a\n.param u32 n\n.shared x, 6\n.shared y, 8, 16\n"
        "MOV R0, s[n]\nMVI R1, x\nMVI R2, y\nMVI R3, a");
    const struct cubin_kernel *k = &c->kernel[0];
    CU_ASSERT_EQUAL(k->nparams, 2);
    CU_ASSERT_EQUAL(k->param[1].offset, 4);
    CU_ASSERT_EQUAL(k->param[1].size, 4);
    CU_ASSERT_STRING_EQUAL(k->param[1].name, "n");
    CU_ASSERT_STRING_EQUAL(TEXT(c, 0, 0), "MOV R0, g[0x5]");
    CU_ASSERT_STRING_EQUAL(TEXT(c, 0, 8), "MVI R1, 0x18");
    CU_ASSERT_STRING_EQUAL(TEXT(c, 0, 16), "MVI R2, 0x20");
    CU_ASSERT_STRING_EQUAL(TEXT(c, 0, 24), "MVI R3, 0x10");
    CU_ASSERT_EQUAL(k->shared_bytes, 0x28);
    cubin_free(c);
}

static void an_argument_may_fill_the_parameters(void)
{
    struct cubin *c = assembled(".kernel k\n.param u32 a\n.param u32 b\n.argument value x, 0, 8\n"
                                ".argument local y, 8, 0\nNOP");
    const struct cubin_kernel *k = &c->kernel[0];
    CU_ASSERT_EQUAL_FATAL(k->narguments, 2);
    CU_ASSERT(k->argument[0].offset == 0 && k->argument[0].size == 8);
    CU_ASSERT(k->argument[1].offset == 8 && k->argument[1].size == 0);
    cubin_free(c);
}

static void const_fills_c1(void)
{
    struct cubin *c = assembled(
        ".kernel k\n.const a, u8, 1, -1\n.const b, u16, 0x1234\n.const f, f32, "
        "1.5, 2, -3, 0x40000000\n"
        "MVC R0, c1[f]\nMVC.U16 R1, c1[b]");
    static const uint8_t want[] = {1, 255,  0x34, 0x12, 0,    0,    0xc0, 0x3f, 0, 0,
                                   0, 0x40, 0,    0,    0x40, 0xc0, 0,    0,    0, 0x40};
    CU_ASSERT_EQUAL_FATAL(c->kernel[0].const1_size, sizeof want);
    CU_ASSERT_EQUAL(memcmp(c->kernel[0].const1, want, sizeof want), 0);
    CU_ASSERT_STRING_EQUAL(TEXT(c, 0, 0), "MVC R0, c[0x1][0x1]");
    CU_ASSERT_STRING_EQUAL(TEXT(c, 0, 8), "MVC.U16 R1, c[0x1][0x1]");
    cubin_free(c);
}

static void regs_default_to_the_highest_used(void)
{
    struct cubin *c = assembled(
        ".kernel a\nMVI R9, 0\nIADD R3, R124, R12\n.kernel b\n.regs 20\nNOP\n.kernel c\nNOP\n"
        ".kernel d\nGLD.S128 R4, global14[R2]\n.kernel e\nMOV.U16 R6H, R1L");
    static const int want[] = {13, 20, 1, 8, 7};
    for (int i = 0; i < 5; i++)
        CU_ASSERT_EQUAL(c->kernel[i].regs, want[i]);
    cubin_free(c);
}

static void local_sets_the_local_bytes(void)
{
    struct cubin *c = assembled(".kernel k\n.local 64\nLST.U32 local[0x8], R1");
    CU_ASSERT_EQUAL(c->kernel[0].local_bytes, 64);
    cubin_free(c);
}

static void barriers_are_counted(void)
{
    struct cubin *c = assembled(".kernel k\nBAR.ARV.WAIT b3, 0xfff");
    CU_ASSERT_EQUAL(c->kernel[0].barriers, 4);
    cubin_free(c);
}

static void align_pads_with_instructions_that_change_nothing(void)
{
    struct cubin *c = assembled(".kernel k\nMOV32 R1, R2\n.align 8\n.align 32\nlabel: NOP.EXIT");
    CU_ASSERT_STRING_EQUAL(TEXT(c, 0, 4), "MOV32 R0, R0");
    CU_ASSERT_STRING_EQUAL(TEXT(c, 0, 8), "NOP");
    CU_ASSERT_EQUAL(c->kernel[0].symbol[0].addr, 32);
    CU_ASSERT_EQUAL(c->kernel[0].regs, 3);
    cubin_free(c);
}

static void org_makes_a_section(void)
{
    struct cubin *c = assembled(
        ".kernel k\nBRA far\nback: NOP.EXIT\n.org 0x4000\nfar: BRA back\n.org 0x1000\nNOP");
    const struct cubin_kernel *k = &c->kernel[0];
    CU_ASSERT_EQUAL_FATAL(k->ncode, 3);
    CU_ASSERT_EQUAL(k->code[0].size, 16);
    CU_ASSERT_EQUAL(k->code[1].base, 0x1000);
    CU_ASSERT_EQUAL(k->code[2].base, 0x4000);
    CU_ASSERT_STRING_EQUAL(TEXT(c, 0, 0), "BRA 0x4000");
    CU_ASSERT_STRING_EQUAL(TEXT(c, 0, 0x4000), "BRA 0x8");
    CU_ASSERT_FALSE(c->wide_code);
    cubin_free(c);
}

static void far_code_marks_the_cubin_as_wide(void)
{
    struct cubin *c = assembled(".kernel k\nSSY 0xfffffff8\nNOP.EXIT");
    CU_ASSERT_TRUE(c->wide_code);
    cubin_free(c);
    c = assembled(".kernel k\nNOP.EXIT\n.org 0xfffffff8\nNOP");
    CU_ASSERT_TRUE(c->wide_code);
    cubin_free(c);
    c = assembled(".kernel k\nBRA 0xfffff8\nNOP.EXIT");
    CU_ASSERT_FALSE(c->wide_code);
    cubin_free(c);
}

static void labels_belong_to_their_kernel(void)
{
    struct cubin *c = assembled(".kernel a\nNOP\nx: BRA x\n.kernel b\nx: BRA x");
    CU_ASSERT_EQUAL(c->nkernels, 2);
    CU_ASSERT_STRING_EQUAL(TEXT(c, 0, 8), "BRA 0x8");
    CU_ASSERT_STRING_EQUAL(TEXT(c, 1, 0), "BRA 0x0");
    cubin_free(c);
}

static void a_definition_wins_over_equ(void)
{
    struct cubin *c = NULL;
    struct sasm_errors errors;
    const char *const define[] = {"N=0x20", "M=N+1"};
    static const char text[] =
        ".equ N, 5\n.kernel k\n.if N == 0x20\nMVI R0, N\nMVI R1, M\n.endif\nNOP";
    CU_ASSERT_EQUAL_FATAL(sasm_assemble_with("t.sasm", text, define, 2, NULL, &c, &errors), 0);
    CU_ASSERT_STRING_EQUAL(TEXT(c, 0, 0), "MVI R0, 0x20");
    CU_ASSERT_STRING_EQUAL(TEXT(c, 0, 8), "MVI R1, 0x21");
    cubin_free(c);
    const char *const bad[] = {"N"};
    CU_ASSERT_EQUAL(sasm_assemble_with("t.sasm", text, bad, 1, NULL, &c, &errors), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(errors.text[0], "NAME=VALUE"));
    sasm_errors_free(&errors);
}

static void expressions_are_c(void)
{
    static const struct {
        const char *expr;
        uint32_t value;
    } e[] = {{"1 + 2 * 3", 7},
             {"(1 + 2) * 3", 9},
             {"7 / 2 - -7 / 2", 6},
             {"-7 % 3", 0xffffffff},
             {"1 << 4 | 3", 19},
             {"0xf0 >> 4 & 3 ^ 1", 2},
             {"~0", 0xffffffff},
             {"!5 + !0", 1},
             {"2 < 3 && 3 <= 3", 1},
             {"-1 < 0 ? 10 : 20", 10},
             {"1 == 2 || 1 != 2", 1},
             {"0b101", 5},
             {"0x80000000 >> 31", 1},
             {"1 << 32", 0},
             {"1.0f", 0x3f800000},
             {"-0.5", 0xbf000000},
             {"2f", 0x40000000},
             {"1e1", 0x41200000},
             {".25", 0x3e800000},
             {"0x7fffffff + 1", 0x80000000},
             {"0x80000000 / -1", 0x80000000},
             {"0 ? 1 : 0 ? 2 : 3", 3},
             {"4294967295", 0xffffffff}};
    for (size_t i = 0; i < sizeof e / sizeof e[0]; i++) {
        char *text = fl_format(".kernel k\nMVI R0, %s", e[i].expr);
        struct cubin *c = assembled(text);
        uint32_t v = (assembled_word(c, 0, 0) >> 16 & 63) | (assembled_word(c, 0, 4) >> 2) << 6;
        if (v != e[i].value)
            printf("\n%s = 0x%x", e[i].expr, v);
        CU_ASSERT_EQUAL(v, e[i].value);
        cubin_free(c);
        free(text);
    }
}

static void comments_vanish(void)
{
    assembled_gives("/* a\n .if 0 */ MVI R0, /* b */ 1 // c\n// d", "MVI R0, 0x1");
}

static void subtraction_beats_a_signed_number(void)
{
    assembled_gives("IADD32I R0, R1, -4", "IADD32I R0, R1, -0x4");
    assembled_gives("IADD32I R0, R1, 0 - 4", "IADD32I R0, R1, 0xfffffffc");
}

/* ---- survival ---- */

static char *repeated(const char *unit, int n, const char *end)
{
    struct fl_buf b = {0};
    for (int i = 0; i < n; i++)
        fl_buf_printf(&b, unit, i, i);
    fl_buf_printf(&b, "%s", end);
    return (char *)b.data;
}

static void bombs_are_defused(void)
{
    static const char *const text[] = {
        ".kernel k\n.rept 4000000000\nNOP\n.endr",
        ".kernel k\n.rept 65536\n.rept 65536\nNOP\n.endr\n.endr",
        ".macro a\nb\nb\n.endm\n.macro b\na\na\n.endm\n.kernel k\na",
        ".macro a x\na \\x\\x\\x\\x\\x\\x\\x\\x\n.endm\n.kernel k\na 11111111",
        ".kernel k\n.align 65536\n.align 65536\n.shared x, 0xffffffff",
    };
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
        struct cubin *c = NULL;
        struct fl_err err = {{0}};
        CU_ASSERT_EQUAL(sasm_assemble("t.sasm", text[i], &c, &err), -1);
        CU_ASSERT(err.msg[0] != 0);
        cubin_free(c);
    }
    char *deep[] = {repeated("(", 100000, ""), repeated("-", 100000, "1"),
                    repeated("1?", 100000, "")};
    for (int i = 0; i < 3; i++) {
        char *t = fl_format(".kernel k\nMVI R0, %s", deep[i]);
        struct cubin *c;
        struct fl_err err;
        CU_ASSERT_EQUAL(sasm_assemble("t.sasm", t, &c, &err), -1);
        free(t);
        free(deep[i]);
    }
    char *chain = repeated(".equ a%d, a%d0 + b\n", 300, ".kernel k\nMVI R0, a1");
    struct cubin *c;
    struct fl_err err;
    CU_ASSERT_EQUAL(sasm_assemble("t.sasm", chain, &c, &err), -1);
    free(chain);
    struct fl_buf doubling = {0}; /* each name is twice the next: 2^60 steps without a limit */
    for (int i = 0; i < 60; i++)
        fl_buf_printf(&doubling, ".equ a%d, a%d + a%d\n", i, i + 1, i + 1);
    fl_buf_printf(&doubling, ".kernel k\nMVI R0, a0\na60: NOP");
    CU_ASSERT_EQUAL(sasm_assemble("t.sasm", (char *)doubling.data, &c, &err), -1);
    fl_buf_free(&doubling);
}

static void any_program_is_survived(void)
{
    static const char seed_text[] = ".equ N, 4\n.reg x, R5\n.macro m a, b=1\nMVI \\a, \\b + "
                                    "N\nover\\@: BRA over\\@\n.endm\n.kernel k\n.param ptr p\n"
                                    ".shared s, 16, 8\n.const c, f32, 1.0, 2\nm x\n.rept "
                                    "3\nIADD32I x, x, \\+\n.endr\n.if N > 3\nMOV R1, s[p]\n.else\n"
                                    "NOP\n.endif\nMOV32 R1, R2\n.align 8\nlab: FMAD R1, R2, c1[c], "
                                    "R3\n.org 0x1000\nBRA C0.NE, lab\nSSY lab\nNOP.EXIT\n";
    uint64_t s = 0x9e3779b97f4a7c15ull;
    int fine = 0;
    for (int i = 0; i < (SANITIZED ? 1500 : 4000); i++) {
        char text[sizeof seed_text];
        memcpy(text, seed_text, sizeof text);
        for (int k = 0; k < 1 + i % 6; k++) {
            s ^= s << 13;
            s ^= s >> 7;
            s ^= s << 17;
            size_t at = s % (sizeof text - 1), from = (s >> 20) % (sizeof text - 1),
                   n = (s >> 40) % 12;
            if (at + n < sizeof text && from + n < sizeof text)
                memmove(text + at, seed_text + from, n);
            else
                text[at] = (char)(s >> 48);
        }
        struct cubin *c = NULL;
        struct fl_err err = {{0}};
        if (sasm_assemble("t.sasm", text, &c, &err) == 0)
            fine++;
        else if (strncmp(err.msg, "t.sasm", 6) != 0)
            CU_FAIL("a message without a place");
        cubin_free(c);
    }
    CU_ASSERT(fine > 10);
}

/* ---- the tools ---- */

/* The exit status of a shell command in this folder. */
static int run(const char *dir, const char *line)
{
    struct fl_buf out = {0};
    int status = tools_run(dir, &out, "%s", line);
    fl_buf_free(&out);
    return status;
}

static void the_tools_exit_2_for_wrong_usage_and_1_for_a_problem(void)
{
    CU_ASSERT_EQUAL(run(".", "sasm 2>/dev/null"), 2);
    CU_ASSERT_EQUAL(run(".", "sasm x.sasm 2>/dev/null"), 2);
    CU_ASSERT_EQUAL(run(".", "sasm --nonsense 2>/dev/null"), 2);
    CU_ASSERT_EQUAL(run(".", "sasm /nonexistent.sasm -o /dev/null 2>/dev/null"), 1);
    CU_ASSERT_EQUAL(run(".", "sasm --help"), 0);
    CU_ASSERT_EQUAL(run(".", "echo IADD | sasm --words 2>/dev/null"), 1);
    CU_ASSERT_EQUAL(run(".", "echo NOP | sasm --words >/dev/full 2>/dev/null"), 1);
    CU_ASSERT_EQUAL(run(".", "sdis 2>/dev/null"), 2);
    CU_ASSERT_EQUAL(run(".", "sdis /nonexistent.cubin 2>/dev/null"), 1);
    CU_ASSERT_EQUAL(run(".", "echo nonsense | sdis --words 2>&1"), 1);
}

static void every_mistake_is_printed_and_nothing_is_written(void)
{
    char *dir = tools_folder();
    CU_ASSERT_EQUAL(run(dir, "printf '.kernel k\\nIADD R2, R1, 4\\nMVI R1, x\\n' >k.sasm; "
                             "sasm k.sasm -o k.cubin 2>k.txt"),
                    1);
    CU_ASSERT_EQUAL(run(dir, "test ! -e k.cubin && grep -q '^k.sasm:2:14: .*: IADD32I' k.txt && "
                             "grep -q '^k.sasm:3:9: ' k.txt && ! grep more k.txt && "
                             "test $(grep -c '^ *^$' k.txt) = 2"),
                    0);
    CU_ASSERT_EQUAL(run(dir, "for i in $(seq 30); do echo MVI R1, x$i; done >>k.sasm; "
                             "sasm k.sasm -o k.cubin 2>k.txt"),
                    1);
    CU_ASSERT_EQUAL(run(dir, "test $(grep -c '^k.sasm:' k.txt) = 20 && tail -1 k.txt | "
                             "grep -qx 'and more'"),
                    0);
    tools_remove(dir);
}

static void words_and_text_are_each_others_inverse(void)
{
    CU_ASSERT_EQUAL(run(".", "echo '20008200 -' | sdis --words | grep -qx 'IADD32 R0, R1, R0'"), 0);
    CU_ASSERT_EQUAL(
        run(".", "echo 'BAR.ARV.WAIT b0, 0xfff' | sasm --words | grep -qx '861ffe03 00000000'"), 0);
}

static void words_end_with_status_0(void)
{
    CU_ASSERT_EQUAL(run(".", "printf 'NOP\\n\\nNOP\\n' | sasm --words"), 0);
}

static void a_disassembly_shows_labels(void)
{
    char *dir = tools_folder();
    CU_ASSERT_EQUAL(run(dir, "printf '.kernel k\\nloop: MVI R0, N\\nBRA loop\\n.org 0x100\\n"
                             "NOP.EXIT\\n' >k.sasm && sasm k.sasm -D N=0x12 -o k.cubin && "
                             "sdis k.cubin >k.txt"),
                    0);
    CU_ASSERT_EQUAL(run(dir, "grep -qx 'loop:' k.txt && grep -q 'MVI R0, 0x12' k.txt"), 0);
    CU_ASSERT_EQUAL(run(dir, "grep -q 'BRA 0x0  // loop' k.txt && grep -qx '.org 0x100' k.txt"), 0);
    tools_remove(dir);
}

int main(void)
{
    return CHECK_RUN(
        "sasm", CHECK(equ_names_an_expression), CHECK(equ_may_refer_to_later_names),
        CHECK(reg_names_a_register), CHECK(the_last_reg_before_a_line_counts),
        CHECK(address_and_condition_registers_have_names_too),
        CHECK(macro_arguments_and_defaults_are_substituted),
        CHECK(each_use_of_a_macro_has_its_own_labels), CHECK(macros_use_macros),
        CHECK(a_label_may_stand_before_a_macro), CHECK(rept_counts_its_turns),
        CHECK(rept_inside_a_macro_sees_its_arguments), CHECK(if_chooses_lines),
        CHECK(macros_may_call_themselves_until_a_condition),
        CHECK(include_is_sought_beside_the_file), CHECK(param_and_shared_follow_the_header),
        CHECK(const_fills_c1), CHECK(regs_default_to_the_highest_used),
        CHECK(local_sets_the_local_bytes), CHECK(barriers_are_counted),
        CHECK(align_pads_with_instructions_that_change_nothing), CHECK(org_makes_a_section),
        CHECK(far_code_marks_the_cubin_as_wide), CHECK(labels_belong_to_their_kernel),
        CHECK(a_definition_wins_over_equ), CHECK(expressions_are_c), CHECK(comments_vanish),
        CHECK(subtraction_beats_a_signed_number),
        CHECK(every_mistake_is_printed_and_nothing_is_written), CHECK(bombs_are_defused),
        CHECK(any_program_is_survived), CHECK(the_tools_exit_2_for_wrong_usage_and_1_for_a_problem),
        CHECK(words_and_text_are_each_others_inverse), CHECK(words_end_with_status_0),
        CHECK(an_argument_may_fill_the_parameters), CHECK(a_disassembly_shows_labels));
}
