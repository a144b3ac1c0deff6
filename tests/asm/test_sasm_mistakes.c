/* test_sasm_mistakes.c -- the assembler: each kind of mistake with its place, and what helps. */
#include "tests/lib/check.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "asm/sasm/sasm.h"
#include "tests/lib/tools.h"
#include "assembled.h"

/* The message begins with `where` and holds `what`. */
static void refuses(const char *text, const char *where, const char *what)
{
    struct cubin *c = NULL;
    struct fl_err err = {{0}};
    int bad = sasm_assemble("t.sasm", text, &c, &err);
    CU_ASSERT_EQUAL(bad, -1);
    bool right = strncmp(err.msg, where, strlen(where)) == 0 && strstr(err.msg, what);
    if (!right)
        printf("\nwanted %s ... %s\ngot %s\n", where, what, err.msg);
    CU_ASSERT(right);
    cubin_free(c);
}

static void mistakes_in_instructions_have_a_place(void)
{
    refuses(".kernel k\n    IADD R1, R200, R2\n", "t.sasm:2:14: ", "unknown register 'R200'");
    refuses(".kernel k\nIADDX R1, R2, R3", "t.sasm:2:1: ", "unknown instruction 'IADDX'");
    refuses(".kernel k\nIADD.FOO R1, R2, R3", "t.sasm:2:5: ", "suffix");
    refuses(".kernel k\nIADD R1, R2", "t.sasm:2:12: ", "expected ','");
    refuses(".kernel k\nIADD R1, R2, R3, R4", "t.sasm:2:16: ", "unexpected text");
    refuses(".kernel k\nIADD R1, R2, 5", "t.sasm:2:14: ", "expected");
    refuses(".kernel k\nIADD32 R1, R2, R70", "t.sasm:2:16: ", "this form reaches R63");
    refuses(".kernel k\nIADD R1 (C0.XX), R2, R3", "t.sasm:2:13: ", "unknown condition");
    refuses(".kernel k\nIADD R1 (C7.EQ), R2, R3", "t.sasm:2:10: ", "four condition registers");
    refuses(".kernel k\nMVI R1, nowhere", "t.sasm:2:9: ", "unknown name 'nowhere'");
    refuses(".kernel k\nBRA 6", "t.sasm:2:5: ", "multiple of 4");
    refuses(".kernel k\nBRA 4", "t.sasm:2:1: ", "not a multiple of 8");
    refuses(".kernel k\nMOV R1, s[0x19]", "t.sasm:2:11: ", "not a multiple of 4");
    refuses(".kernel k\nMOV R1, s[0x80]", "t.sasm:2:11: ", "does not fit");
    refuses(".kernel k\nSHL R1, R2, 128", "t.sasm:2:13: ", "does not fit in 7 bits");
    refuses(".kernel k\nIMAD32.U16 R1, R2L, R3L, R4", "t.sasm:2:26: ", "must be the same");
    refuses(".kernel k\nFMAD R1, R2, c1[0], c1[4]", "t.sasm:2:21: ", "beside");
    refuses(".kernel k\nIADD.CARRY1 R1 (C0.EQ), R2, R3", "t.sasm:2:17: ", "must be the same");
    refuses(".kernel k\nFMAD R1, s[A1+4], c1[A2+4], R3", "t.sasm:2:22: ", "address register");
    refuses(".kernel k\nFMUL R1, |R2|, R3", "t.sasm:2:10: ", "expected");
    refuses(".kernel k\nFSET.C0 o[0x7f], |R2, R3, GT", "t.sasm:2:21: ", "expected");
    refuses(".kernel k\nI2I.U32.U16 R1, R2", "t.sasm:2:17: ", "half a register");
}

static void mistakes_in_directives_have_a_place(void)
{
    refuses(".kernel k\n.foo 1", "t.sasm:2:1: ", "unknown directive '.foo'");
    refuses(".kernel k\n.kernel k", "t.sasm:2:9: ", "already");
    refuses("NOP", "t.sasm:1:1: ", "needs a kernel");
    refuses("x: NOP", "t.sasm:1:1: ", "needs a kernel");
    refuses(".regs 4", "t.sasm:1:6: ", "no kernel yet");
    refuses(".equ A, 1\n.equ A, 2\n.kernel k\nNOP", "t.sasm:2:6: ", "defined already, at t.sasm:1");
    refuses(".kernel k\nx: NOP\nx: NOP", "t.sasm:3:1: ", "defined already");
    refuses(".equ A, 1 +\n", "t.sasm:1:12: ", "expected");
    refuses(".equ A 1\n", "t.sasm:1:8: ", "expected ','");
    refuses(".equ A, (1\n", "t.sasm:1:11: ", "expected ')'");
    refuses(".equ A, 1 / 0\n", "t.sasm:1:11: ", "division by zero");
    refuses(".equ A, 0x1ffffffff\n", "t.sasm:1:9: ", "larger than 32 bits");
    refuses(".equ A, B\n.equ B, A\n.kernel k\nMVI R0, A", "t.sasm:4:9: ", "itself");
    refuses(".reg x, R200\n", "t.sasm:1:9: ", "unknown register 'R200'");
    refuses(".reg R1, R2\n", "t.sasm:1:6: ", "a register itself");
    refuses(".kernel k\n.regs 200\nNOP", "t.sasm:2:10: ", "1 to 128");
    refuses(".kernel k\n.param u64 x", "t.sasm:2:8: ", "u32, s32, f32 or ptr");
    refuses(".kernel k\n.shared s, 4\n.param u32 x", "t.sasm:3:12: ", "before .shared");
    refuses(".kernel k\n.param u32 x, 0", "t.sasm:2:12: ", "1 byte or more");
    refuses(".kernel k\n.param u32 x, 8, 3", "t.sasm:2:12: ", "its alignment is a power of two");
    refuses(".kernel k\n.param u32 x, 257", "t.sasm:2:12: ", "at most 64 parameters");
    refuses(".kernel k\n.param u32 x\n.argument value y, 0, 5\nNOP",
            "t.sasm:3:17: ", "lies within");
    refuses(".kernel k\n.param u32 x\n.argument value y, 5, 4\nNOP",
            "t.sasm:3:17: ", "lies within");
    refuses(".addresses 48", "t.sasm:1:14: ", "32 or 64 bits");
    refuses(".kernel k\n.shared s, 70000", "t.sasm:2:9: ", "at most");
    refuses(".kernel k\n.shared s, 4, 3", "t.sasm:2:9: ", "power of two");
    refuses(".kernel k\n.const c, u64, 1", "t.sasm:2:11: ", "u32, f32, u16 or u8");
    refuses(".kernel k\n.const c, u8, 256", "t.sasm:2:18: ", "does not fit in 8 bits");
    refuses(".kernel k\n.const c, u8, -129", "t.sasm:2:19: ", "does not fit in 8 bits");
    refuses(".kernel k\nNOP\n.align 3", "t.sasm:3:9: ", "power of two");
    refuses(".kernel k\nNOP\n.org 0x14", "t.sasm:3:10: ", "multiple of 8");
    refuses(".kernel k\n.org 8\nNOP", "t.sasm:1:1: ", "no code at address 0");
    refuses(".kernel k\nNOP\nNOP\n.org 8\nNOP", "t.sasm:4:1: ", "lies inside");
    refuses(".kernel k\nNOP\n.org 0xfffffff8\nNOP\nNOP", "t.sasm:5:1: ", "0xffffffff");
    refuses("// nothing\n", "t.sasm: ", "no kernel");
    refuses(".include \"missing.sasm\"", "t.sasm:1:10: ", "missing.sasm");
    refuses(".include missing", "t.sasm:1:10: ", "quotes");
}

/* Nothing but a remark, of 64 MiB and of one byte more. */
static void a_source_above_64_mib_is_refused_for_its_size(void)
{
    size_t most = 1 << 26;
    char *text = fl_alloc(most + 2);
    memset(text, ' ', most + 1);
    memcpy(text, "//", 2);
    refuses(text, "t.sasm: ", "larger than 67108864 bytes");
    text[most] = 0;
    refuses(text, "t.sasm: ", "no kernel");
    memcpy(text, ".kernel k\n//", 12); /* its lines count once more */
    refuses(text, "t.sasm:1:1: ", "150000 lines or 67108864 bytes after expansion");
    free(text);
}

static void mistakes_in_macros_have_a_place(void)
{
    refuses(".macro m a\n.kernel k", "t.sasm:1:8: ", "no .endm");
    refuses(".macro m\n.endm\n.macro m\n.endm", "t.sasm:3:8: ", "exists already");
    refuses(".macro m a\n.endm\n.kernel k\nm", "t.sasm:4:1: ", "needs a value for 'a'");
    refuses(".macro m a\n.endm\n.kernel k\nm 1, 2", "t.sasm:4:6: ", "takes 1 argument");
    refuses(".endm", "t.sasm:1:1: ", "without .macro");
    refuses(".endr", "t.sasm:1:1: ", "without .rept");
    refuses(".endif", "t.sasm:1:1: ", "without .if");
    refuses(".else", "t.sasm:1:1: ", "without .if");
    refuses(".kernel k\n.if 1\nNOP", "t.sasm:", "no .endif");
    refuses(".rept 2\nNOP", "t.sasm:1:7: ", "no .endr");
    refuses(".rept later\n.endr", "t.sasm:1:7: ", "defined above");
    refuses(".macro m\nm\n.endm\n.kernel k\nm", "t.sasm:2:1: ", "does 'm' use itself");
    refuses(".macro m\nIADD R1\n.endm\n.kernel k\nNOP\nm",
            "t.sasm:2:8: ", "t.sasm:6: in the expansion of this line");
}

static void odd_runs_of_short_instructions_are_refused(void)
{
    refuses(".kernel k\nMOV32 R1, R2\nMVI R1, 0", "t.sasm:2:1: ", ".align 8");
    refuses(".kernel k\nMOV32 R1, R2\nMOV32 R1, R2\nMOV32 R3, R4", "t.sasm:4:1: ", ".align 8");
    refuses(".kernel k\nMOV32 R1, R2\nhere: MOV32 R1, R2", "t.sasm:3:1: ", "not 8-byte aligned");
    assembled_gives("MOV32 R1, R2\nMOV32 R3, R4", "MOV32 R1, R2");
}

static void address_registers_that_the_machine_lacks_are_refused_and_come_back_from_words(void)
{
    refuses(".kernel k\nR2A A5, R1", "t.sasm:2:5: ", "no address register A5; there are A1 to A4");
    refuses(".kernel k\nMOV R1, g[A7+0x4]", "t.sasm:2:11: ", "no address register A7");
    refuses(".kernel k\n.reg X, A6\nMOV R1, c0[X+4]", "t.sasm:2:9: ", "unknown register 'A6'");
    struct isa_words w, again;
    struct isa_text_err why;
    char text[160];
    CU_ASSERT_EQUAL_FATAL(sasm_words("R2A A5, R1", &w, &why), 0);
    CU_ASSERT_TRUE(isa_print(w.lo, w.hi, text, sizeof text) >= 0 && strstr(text, "A5"));
    CU_ASSERT_EQUAL(sasm_words(text, &again, &why), 0);
    CU_ASSERT_TRUE(w.lo == again.lo && w.hi == again.hi);
}

static void the_message_shows_the_line_and_a_caret(void)
{
    struct cubin *c;
    struct fl_err err;
    CU_ASSERT_EQUAL(sasm_assemble("prog.sasm", ".kernel k\n\tIADD R1, R200, R2 // sum\n", &c, &err),
                    -1);
    CU_ASSERT_STRING_EQUAL(
        err.msg, "prog.sasm:2:11: unknown register 'R200'\n\tIADD R1, R200, R2\n\t         ^");
}

/* The mistakes of the program are these, in this order; each begins with its place and holds the words behind the tab. */
static void mistakes(const char *text, const char *const *want, int count, bool more)
{
    struct cubin *c = NULL;
    struct sasm_errors errors;
    CU_ASSERT_EQUAL(sasm_assemble_with("t.sasm", text, NULL, 0, NULL, &c, &errors), -1);
    CU_ASSERT_PTR_NULL(c);
    bool right = errors.count == count && errors.more == more;
    for (int i = 0; i < errors.count && right; i++) {
        size_t n = strcspn(want[i], "\t");
        right = strncmp(errors.text[i], want[i], n) == 0 && strstr(errors.text[i], want[i] + n + 1);
    }
    for (int i = 0; i < errors.count && !right; i++)
        printf("\ngot %s\n", errors.text[i]);
    CU_ASSERT(right);
    sasm_errors_free(&errors);
}

#define MISTAKES(text, ...)                                                                        \
    mistakes(text, (const char *const[]){__VA_ARGS__},                                             \
             sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *), false)

static const char hint[] = "; with these operands write: ";

static void operands_that_another_form_takes_are_shown_with_it(void)
{
    static const char *const pair[][2] = {
        {"IADD R2, R1, 4", "IADD32I R2, R1, 4"},
        {"IADD R2, R1, -N", "IADD32I R2, R1, -N"},
        {"IADD32 R2, R1, 4", "IADD32I R2, R1, 4"},
        {"IADD32I R2, R1, R3", "IADD R2, R1, R3"},
        {"IADD32 R1, R2, R70", "IADD R1, R2, R70"},
        {"IADD.SAT R2, R1, 4", "IADD32I.SAT R2, R1, 4"},
        {"LOP.AND R2, R1, 0xff", "LOP32I.AND R2, R1, 0xff"},
        {"FADD sum, R1, 1.0", "FADD32I sum, R1, 1.0"},
        {"FMAD R1, R2, 2.0, R1", "FMAD32I R1, R2, 2.0, R1"},
        {"MOV R1, 5", "MVI R1, 5"},
        {"MVI R1, R2", "MOV R1, R2"},
        {"MOV R1, c1[4]", "MVC R1, c1[4]"},
        {"MOV R1, A2", "A2R R1, A2"},
        {"MOV R1, SR_CLOCK", "S2R R1, SR_CLOCK"},
    };
    for (size_t i = 0; i < sizeof pair / sizeof pair[0]; i++) {
        static const char program[] = ".equ N, 4\n.reg sum, R5\n.kernel k\n%s\nNOP.EXIT";
        char *text = fl_format(program, pair[i][0]), *right = fl_format(program, pair[i][1]);
        char *what = fl_format("%s%s\n", hint, pair[i][1]);
        refuses(text, "t.sasm:4:", what);
        cubin_free(assembled(right));
        free(text);
        free(right);
        free(what);
    }
    struct isa_words w;
    struct isa_text_err why = {0};
    CU_ASSERT_EQUAL(sasm_words("IADD R2, R1, 4", &w, &why), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(why.msg, "write: IADD32I R2, R1, 4"));
}

static void nothing_is_shown_that_would_not_assemble_either(void)
{
    static const char *const body[] = {
        "IADD R2, R1, nowhere",     "IADD R2 (C0.EQ), R1, 4", "IADD.EXIT R2, R1, 4",
        "FMAD R1, R2, 2.0, R3",     "IADD R2, R1, R200",      "ISET.S32 R1, R2, 5, LT",
        "IADD R2, R1, 0x1ffffffff", "ADDX R2, R1, 4",         "IADD32 R70, R1, 4",
    };
    for (size_t i = 0; i < sizeof body / sizeof body[0]; i++) {
        char *text = fl_format(".kernel k\n%s", body[i]);
        struct cubin *c = NULL;
        struct fl_err err = {{0}};
        CU_ASSERT_EQUAL(sasm_assemble("t.sasm", text, &c, &err), -1);
        if (strstr(err.msg, hint))
            printf("\n%s\n", err.msg);
        CU_ASSERT_PTR_NULL(strstr(err.msg, hint));
        free(text);
    }
}

static void all_mistakes_are_told_in_the_order_of_the_lines(void)
{
    MISTAKES(".kernel k\nMVI R1, nowhere\nIADD R1, R200, R2\n.regs 200\nNOP\nx: NOP\n"
             "x: BRA 4\nADDX R1\n.kernel l\n.org 8\nNOP",
             "t.sasm:2:9: \tunknown name 'nowhere'", "t.sasm:3:10: \tunknown register 'R200'",
             "t.sasm:4:10: \t1 to 128", "t.sasm:7:1: \tdefined already",
             "t.sasm:7:4: \tnot a multiple of 8", "t.sasm:8:1: \tunknown instruction 'ADDX'",
             "t.sasm:9:1: \tno code at address 0");
}

static void a_wrong_instruction_keeps_its_room_and_causes_no_other_mistake(void)
{
    MISTAKES(".kernel k\nMOV32 R1, R200\nMOV32 R1, R2\nx: BRA x\nIADD32 R1\nBRA y\ny: NOP.EXIT",
             "t.sasm:2:11: \tR200", "t.sasm:5:10: \texpected");
    MISTAKES(".kernel k\nMOV23 R1, R2\nMOV32 R1, R2\nx: BRA x\nMOV32 R1, R2\nMOVE R1, R2\ny: NOP",
             "t.sasm:2:1: \tunknown instruction", "t.sasm:6:1: \tunknown instruction");
    MISTAKES(".kernel k\nMOV32 R1, R2\nx: MOV32 R1, R2\nBRA x\nMOV32 R3, R4\nBRA x\nNOP.EXIT",
             "t.sasm:3:1: \tnot 8-byte aligned", "t.sasm:5:1: \tcome in pairs");
    MISTAKES(".kernel k\nBRA far\nADDX R1\nNOP\n.org 0x18\nfar: NOP", "t.sasm:3:1: \tADDX");
}

static void a_name_that_a_mistake_kept_from_being_is_not_told_again(void)
{
    MISTAKES(".equ A, 1 +\n.equ B, 0x1ffffffff\n.kernel k\n.shared s, A * 4\nMVI R1, A\n"
             "IADD R1\nMVI R1, s\n.if A\nNOP\n.endif",
             "t.sasm:1:12: \texpected", "t.sasm:2:9: \tlarger than 32 bits",
             "t.sasm:6:8: \texpected ','");
    MISTAKES(".kernel k\nIADD R1\n.marco m a\nMVI R1, \\a\n.endm\nm 1", "t.sasm:2:8: \texpected",
             "t.sasm:3:1: \tunknown directive");
    MISTAKES(".reg x, R200\n.kernel k\nIADD x, x, x", "t.sasm:1:9: \tR200");
    MISTAKES(".kernel k\nIADD R1\n.include \"missing.sasm\"\nm 1", "t.sasm:2:8: \texpected",
             "t.sasm:3:10: \tmissing.sasm");
}

static void a_mistake_in_a_macro_is_told_once(void)
{
    MISTAKES(".macro m a\nIADD R\\a\n.endm\n.kernel k\nm 1\nm 2\n.rept 3\nm 3\nADDX\n.endr",
             "t.sasm:2:8: \tt.sasm:5: in the expansion", "t.sasm:9:1: \tADDX");
}

static void after_twenty_mistakes_there_is_only_more(void)
{
    static const char *want[SASM_MAX_ERRORS];
    struct fl_buf text = {0};
    fl_buf_printf(&text, ".kernel k\n");
    for (int i = 0; i < SASM_MAX_ERRORS; i++) {
        fl_buf_printf(&text, "MVI R1, unknown%d\n", i);
        want[i] = "t.sasm:\tunknown name";
    }
    mistakes((char *)text.data, want, SASM_MAX_ERRORS, false);
    fl_buf_printf(&text, "MVI R1, unknown\n");
    mistakes((char *)text.data, want, SASM_MAX_ERRORS, true);
    fl_buf_free(&text);
}

int main(void)
{
    return CHECK_RUN(
        "sasm_mistakes", CHECK(mistakes_in_instructions_have_a_place),
        CHECK(mistakes_in_directives_have_a_place),
        CHECK(a_source_above_64_mib_is_refused_for_its_size),
        CHECK(mistakes_in_macros_have_a_place), CHECK(odd_runs_of_short_instructions_are_refused),
        CHECK(address_registers_that_the_machine_lacks_are_refused_and_come_back_from_words),
        CHECK(the_message_shows_the_line_and_a_caret),
        CHECK(operands_that_another_form_takes_are_shown_with_it),
        CHECK(nothing_is_shown_that_would_not_assemble_either),
        CHECK(all_mistakes_are_told_in_the_order_of_the_lines),
        CHECK(a_wrong_instruction_keeps_its_room_and_causes_no_other_mistake),
        CHECK(a_name_that_a_mistake_kept_from_being_is_not_told_again),
        CHECK(a_mistake_in_a_macro_is_told_once), CHECK(after_twenty_mistakes_there_is_only_more));
}
