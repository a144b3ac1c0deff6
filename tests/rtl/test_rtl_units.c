/* test_rtl_units.c -- decoder and lane of the RTL against isa_decode and sm_alu_select, bit for bit; --all: more of it.
 *
 * Words come from the rows of the instruction table with random free bits, operands are random, awkward, or close to
 * one another, which is where floats cancel, clamp and tie. The same comparison then runs on a build of the RTL with
 * mistakes in it (rtl/units/make-mistakes) and must find each.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sm/arith/alu.h"
#include "tests/lib/check.h"
#include "asm/isa/table.h"
#include "rtl_units.h"

enum { LANES = 32 };

static bool all; /* written by main() before anything runs */

/* ---- random words and operands --------------------------------------------------------------- */

static uint32_t next(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    uint64_t x = *seed ^ *seed >> 33;
    return (uint32_t)(x * 0xff51afd7ed558ccdu >> 32);
}

static const uint32_t corners[] = {
    0,          1,          2,          3,          0x7e,       0x7f,       0x80,       0xff,
    0x7fff,     0x8000,     0xffff,     0x10000,    0x7fffff,   0x800000,   0xffffff,   0x1000000,
    0x7fffffff, 0x80000000, 0x80000001, 0xffff8000, 0xfffffffe, 0xffffffff, 0x7fffffe0, 0x7fffffdf,
    0x3f800000, 0xbf800000, 0x3f800001, 0x3f7fffff, 0x40000000, 0x3f000000, 0x3effffff, 0x7f800000,
    0xff800000, 0x7f7fffff, 0xff7fffff, 0x7f800001, 0xffc00000, 0x00800000, 0x80800000, 0x00ffffff,
    0x4b000000, 0x4b000001, 0x4b7fffff, 0x4f000000, 0xcf000000, 0xcf000001, 0x4f7fffff, 0x4f800000,
    0x3c00,     0xbc00,     0x7bff,     0x7c00,     0x7c01,     0xfc00,     0x0400,     0x03ff,
    0x38800000, 0x387fffff, 0x477fe000, 0x477fefff, 0x477ff000, 0x33000000, 0x33000001, 0x2f800000,
    0x2f7fffff, 0x40800000, 0x41000000, 0x43000000, 0xc2fc0000, 0x4afffffe, 0x4afffffd, 31,
    32,         33,         15,         16,         17,
};

static uint32_t operand_value(uint64_t *seed, uint32_t other)
{
    uint32_t r = next(seed), x = next(seed);
    switch (r >> 28) {
    case 0:
    case 1:
    case 2: return corners[x % (sizeof corners / sizeof *corners)];
    case 3: return other ^ (1u << (x & 31));                        /* nearly the same */
    case 4: return other ^ 0x80000000;                              /* the opposite */
    case 5: return other + (x & 7) - 4;                             /* some steps off */
    case 6: return (x & 0x807fffff) | ((other >> 23) & 0xff) << 23; /* the same exponent */
    case 7: return (x & 0x807fffff) | ((((other >> 23) & 0xff) + (r & 63) - 32) & 0xff) << 23;
    case 8: return (x & 0x80ff0000) | 0x3f000000 | (0xffffu >> (r & 15)); /* few bits, long runs */
    case 9: return x >> (r & 31);                                         /* small numbers */
    case 10: return ~(x >> (r & 31));
    case 11: return (x & 0x81ffffff) | 0x3e000000 | (r & 1) << 30; /* around 1 */
    case 12: return (x & 0x807fffff) | (0x6a + (r & 63)) << 23; /* where integers and halves are */
    case 13: return (x & 0x807fffff) | (r & 1 ? 0x00800000 : 0x7f000000); /* the ends */
    case 14: return (x & ~0xffu) | 0x80 | 1u << (r & 7); /* one bit below a half of 24 bits */
    default: return x;
    }
}

/* The free bits of a row, at random; a third of the words has few of them set, since selectors of memory operands must
 * be clear for most others. */
static void random_word(const struct isa_row *row, uint64_t *seed, uint32_t word[2])
{
    uint32_t thin = next(seed) % 3 ? ~0u : next(seed) & next(seed);
    word[0] = row->lo | (next(seed) & thin & ~row->lo_mask);
    word[1] = row->hi | (next(seed) & thin & ~row->hi_mask);
    if ((row->form == ISA_LONG || row->form == ISA_IMM || row->form == ISA_CTRL) &&
        next(seed) % 2) {
        /* an always-true predicate */
        uint32_t p = 31u << 7;
        if (!(row->hi_mask & p))
            word[1] = (word[1] & ~p) | (15u << 7);
    }
}

/* ---- the decoder ----------------------------------------------------------------------------- */

static struct rtl_operand expected_operand(const struct isa_operand *o)
{
    return (struct rtl_operand){o->value, o->kind, o->type, o->as,      o->areg, o->bank,
                                o->neg,   o->abs,  o->inv,  o->postinc, {0}};
}

/* No instruction has a target and a texture. */
static uint32_t texture_fields(const struct isa_texture *t)
{
    uint32_t more = t->cube || t->deriv || t->offset;
    return t->unit | (uint32_t)t->sampler << 8 | (t->coords ? t->coords - 1u : 0) << 16 |
           (uint32_t)t->mask << 18 | more << 22;
}

static struct rtl_insn expected_insn(const uint32_t word[2], bool wide_code)
{
    struct isa_insn in;
    if (!isa_decode(word[0], word[1], wide_code, ISA_1_0, &in))
        return (struct rtl_insn){0};
    return (struct rtl_insn){
        .valid = 1,
        .op = (uint8_t)in.op,
        .op_class = (uint8_t)isa_op_class(in.op),
        .size = in.size,
        .exit = in.exit,
        .join = in.join,
        .pred = in.pred,
        .cc_src = in.cc_src,
        .cc_we = in.cc_dst >= 0,
        .cc_dst = (uint8_t)(in.cc_dst >= 0 ? in.cc_dst : 0),
        .type = in.type,
        .stype = in.stype,
        .cmp = in.cmp,
        .subop = in.subop,
        .lanes = in.lanes,
        .rnd = in.rnd,
        .rint = in.rint,
        .sat = in.sat,
        .high = in.high,
        .carry = in.carry,
        .target = in.target | texture_fields(&in.tex),
        .dst = expected_operand(&in.dst),
        .src = {expected_operand(&in.src[0]), expected_operand(&in.src[1]),
                expected_operand(&in.src[2])},
    };
}

static bool decodes_alike(const struct rtl_units_model *rtl, void *model, const uint32_t word[2],
                          bool wide_code)
{
    static const uint32_t zeros[3];
    struct rtl_insn expected = expected_insn(word, wide_code), got;
    rtl->run(model, word, wide_code, zeros, 0, &got);
    return memcmp(&expected, &got, sizeof got) == 0;
}

static void complain(const uint32_t word[2], const char *what)
{
    char text[128];
    if (isa_print(word[0], word[1], text, sizeof text) < 0)
        snprintf(text, sizeof text, "no instruction");
    printf("\n    %08x %08x (%s): %s", word[0], word[1], text, what);
}

/* Words of every row, legal and not. Adds the differences and the words to the counters of the operation that C
 * decodes, OP_COUNT for none. */
static void compare_rows(const struct rtl_units_model *rtl, int words, bool loud,
                         int wrong[OP_COUNT + 1], int seen[OP_COUNT + 1])
{
    void *model = rtl->make();
    uint64_t seed = 1;
    struct isa_insn in;
    for (int r = 0; r < isa_nrows; r++)
        for (int i = 0; i < words; i++) {
            uint32_t word[2];
            random_word(&isa_rows[r], &seed, word);
            if (next(&seed) % 8 == 0) /* one bit off: another row, or none */
                word[next(&seed) & 1] ^= 1u << (next(&seed) & 31);
            int op = isa_decode(word[0], word[1], false, ISA_1_0, &in) ? in.op : OP_COUNT;
            seen[op]++;
            if (!decodes_alike(rtl, model, word, next(&seed) & 1) && wrong[op]++ < 5 && loud)
                complain(word, "decoded differently");
        }
    rtl->drop(model);
}

static void every_row_is_decoded_as_in_c(void)
{
    int wrong[OP_COUNT + 1] = {0}, seen[OP_COUNT + 1] = {0};
    compare_rows(&rtl_units, all ? 20000 : 500, true, wrong, seen);
    int words = 0;
    bool known[OP_COUNT + 1] = {[OP_COUNT] = true}; /* to a machine of 1.0 */
    for (int r = 0; r < isa_nrows; r++)
        known[isa_rows[r].preset.op] |= isa_rows[r].preset.min == ISA_1_0;
    for (int op = 0; op <= OP_COUNT; op++) {
        CU_ASSERT_EQUAL(wrong[op], 0);
        CU_ASSERT_EQUAL(seen[op] > 0, known[op]);
        words += seen[op];
    }
    printf("%d rows, %d words, %d of them illegal ", isa_nrows, words, seen[OP_COUNT]);
}

static void any_word_is_decoded_as_in_c(void)
{
    void *model = rtl_units.make();
    uint64_t seed = 2;
    int wrong = 0, words = all ? 3000000 : 50000;
    for (int i = 0; i < words; i++) {
        uint32_t word[2] = {next(&seed), next(&seed)};
        if (!decodes_alike(&rtl_units, model, word, i & 1) && wrong++ < 5)
            complain(word, "decoded differently");
    }
    rtl_units.drop(model);
    CU_ASSERT_EQUAL(wrong, 0);
}

/* ---- the lane -------------------------------------------------------------------------------- */

/* A raw operand as the fetch delivers it. */
static uint32_t fetched(const struct isa_operand *o, uint32_t value)
{
    if (o->kind == ISA_I)
        return o->value;
    if (o->kind == ISA_RH)
        return value & 0xffff;
    switch (o->type) {
    case T_U8: return value & 0xff;
    case T_U16: return value & 0xffff;
    case T_S16: return (uint32_t)(int32_t)(int16_t)value;
    default: return value;
    }
}

/* 32 lanes of one instruction; returns how many differ. */
static int compare_lanes(const struct rtl_units_model *rtl, void *model, const uint32_t word[2],
                         const struct isa_insn *in, sm_alu_fn fn, uint64_t *seed, bool loud)
{
    uint32_t src[3][LANES], d[LANES];
    uint8_t cc[LANES], flags[LANES];
    for (int l = 0; l < LANES; l++) {
        uint32_t value[3];
        value[0] = operand_value(seed, corners[next(seed) % 64]);
        value[1] = operand_value(seed, value[0]);
        value[2] = operand_value(seed, value[next(seed) & 1]);
        for (int k = 0; k < 3; k++)
            src[k][l] = fetched(&in->src[k], value[k]);
        cc[l] = (uint8_t)(next(seed) & 15);
    }
    fn(in, src[0], src[1], src[2], cc, d, flags);
    int wrong = 0;
    for (int l = 0; l < LANES; l++) {
        uint32_t operand[3] = {src[0][l], src[1][l], src[2][l]};
        struct rtl_result r = rtl->run(model, word, 0, operand, cc[l] >> 2 & 1, NULL);
        if (r.d == d[l] && r.flags == flags[l])
            continue;
        if (wrong++ < 2 && loud) {
            complain(word, "");
            printf("%08x %08x %08x, cc %x: rtl %08x %x, c %08x %x", operand[0], operand[1],
                   operand[2], cc[l], r.d, r.flags, d[l], flags[l]);
        }
    }
    return wrong;
}

/* Every arithmetic row `words` times; adds differences and lanes to the counters of the operations. */
static void compare_operations(const struct rtl_units_model *rtl, int words, bool loud,
                               int wrong[OP_COUNT], int lanes[OP_COUNT])
{
    void *model = rtl->make();
    uint64_t seed = 3;
    for (int r = 0; r < isa_nrows; r++) {
        int done = 0;
        for (int i = 0; i < 200 * words && done < words; i++) {
            uint32_t word[2];
            struct isa_insn in;
            random_word(&isa_rows[r], &seed, word);
            sm_alu_fn fn = isa_decode(word[0], word[1], false, ISA_1_0, &in) ? sm_alu_select(&in)
                                                                             : NULL;
            if (!fn)
                continue;
            done++;
            lanes[in.op] += LANES;
            wrong[in.op] += compare_lanes(rtl, model, word, &in, fn, &seed,
                                          loud && wrong[in.op] < 5);
        }
    }
    rtl->drop(model);
}

static const struct {
    enum isa_op op;
    bool broken; /* make-mistakes has something for it */
} operations[] = {
    {OP_MOV, false}, {OP_MVC, false}, {OP_IADD, true}, {OP_IMUL, true}, {OP_IMAD, true},
    {OP_ISAD, true}, {OP_IMIN, true}, {OP_IMAX, true}, {OP_ISET, true}, {OP_SHL, true},
    {OP_SHR, true},  {OP_LOP, true},  {OP_FADD, true}, {OP_FMUL, true}, {OP_FMAD, true},
    {OP_FMIN, true}, {OP_FMAX, true}, {OP_FSET, true}, {OP_FCMP, true}, {OP_I2I, true},
    {OP_I2F, true},  {OP_F2I, true},  {OP_F2F, true},  {OP_RRO, true},  {OP_RCP, true},
    {OP_RSQ, true},  {OP_LG2, true},  {OP_EX2, true},  {OP_SIN, true},  {OP_COS, true},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static void every_operation_computes_as_in_c(void)
{
    int wrong[OP_COUNT] = {0}, lanes[OP_COUNT] = {0}, total = 0;
    compare_operations(&rtl_units, all ? 3000 : 60, true, wrong, lanes);
    for (int i = 0; i < OPERATIONS; i++) {
        enum isa_op op = operations[i].op;
        if (wrong[op])
            printf("\n    %s: %d of %d differ", isa_op_name(op), wrong[op], lanes[op]);
        CU_ASSERT_EQUAL(wrong[op], 0);
        CU_ASSERT(lanes[op] > 0);
        total += lanes[op];
    }
    printf("%d operations, %d results ", OPERATIONS, total);
}

static void every_mistake_in_a_unit_is_found(void)
{
    int wrong[OP_COUNT] = {0}, lanes[OP_COUNT] = {0};
    compare_operations(&rtl_units_broken, 60, false, wrong, lanes);
    for (int i = 0; i < OPERATIONS; i++) {
        enum isa_op op = operations[i].op;
        if (operations[i].broken && !wrong[op])
            printf("\n    %s: %d results, nothing found", isa_op_name(op), lanes[op]);
        CU_ASSERT_EQUAL(wrong[op] > 0, operations[i].broken);
    }
}

static void every_mistake_in_the_decoder_is_found(void)
{
    int wrong[OP_COUNT + 1] = {0}, seen[OP_COUNT + 1] = {0};
    compare_rows(&rtl_units_broken, 500, false, wrong, seen);
    CU_ASSERT(wrong[OP_BRA] > 0); /* bits of the target */
    CU_ASSERT(wrong[OP_GLD] > 0); /* type of a wide register */
    CU_ASSERT(wrong[OP_BAR] > 0); /* a bit of subop */
    CU_ASSERT_EQUAL(wrong[OP_IADD], 0);
}

/* ---- reference vectors ----------------------------------------------------------------------- */

static uint32_t vector_operand(const struct isa_operand *o, const uint32_t src[3])
{
    const uint32_t reg[4] = {src[2], src[0], src[1], src[2]};
    switch (o->kind) {
    case ISA_R: return reg[o->value & 3];
    case ISA_RH: return reg[o->value >> 1 & 3] >> (o->value & 1 ? 16 : 0) & 0xffff;
    case ISA_I: return o->value;
    default: return 0;
    }
}

/* Columns: two words ('-' when there is no second), three operands, cc, result, cc, masks of the last two. */
static void arithmetic_vectors_come_out_bit_for_bit(void)
{
    if (!check_shared("sm10/alu-vectors.tsv"))
        return;
    FILE *f = fopen(FAULTLINE_SHARED_DIR "/sm10/alu-vectors.tsv", "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    void *model = rtl_units.make();
    char line[256];
    int row = 0, run = 0, wrong = 0;
    CU_ASSERT_PTR_NOT_NULL(fgets(line, sizeof line, f)); /* the heading */
    while (fgets(line, sizeof line, f)) {
        uint32_t word[2] = {0, 0}, src[3], cc, d, flags, flags_mask, mask;
        char second[16];
        if (row++ % (all ? 1 : 10))
            continue;
        CU_ASSERT_EQUAL_FATAL(sscanf(line, "%x %15s %x %x %x %x %x %x %x %x", &word[0], second,
                                     &src[0], &src[1], &src[2], &cc, &d, &flags, &flags_mask,
                                     &mask),
                              10);
        if (second[0] != '-')
            word[1] = (uint32_t)strtoul(second, NULL, 16);
        struct isa_insn in;
        CU_ASSERT_FATAL(isa_decode(word[0], word[1], false, ISA_1_0, &in) != 0);
        uint32_t operand[3];
        for (int k = 0; k < 3; k++)
            operand[k] = vector_operand(&in.src[k], src);
        struct rtl_result r = rtl_units.run(model, word, 0, operand, cc >> 2 & 1, NULL);
        run++;
        if (((r.d & mask) != d || (r.flags & flags_mask) != flags) && wrong++ < 5) {
            complain(word, "");
            printf("%08x %08x %08x, cc %x: rtl %08x %x, vector %08x %x", operand[0], operand[1],
                   operand[2], cc, r.d, r.flags, d, flags);
        }
    }
    fclose(f);
    rtl_units.drop(model);
    CU_ASSERT_EQUAL(wrong, 0);
    printf("%d vectors ", run);
}

/* Sections of the file: u32 function, u32 count, inputs, outputs. */
static int run_section(void *model, FILE *f, const uint32_t head[2], int step, int *run)
{
    static const char *const text[][2] = {
        {"RCP", "90000201 00000780"},        {"RSQ", "90000201 40000780"},
        {"LG2", "90000201 60000780"},        {"EX2", "90000201 c0000780"},
        {"SIN", "90000201 80000780"},        {"COS", "90000201 a0000780"},
        {"RRO SINCOS", "b0000201 c0000780"}, {"RRO EX2", "b0000201 c0004780"},
    };
    uint32_t *pairs = calloc(head[1], 2 * sizeof *pairs), word[2];
    CU_ASSERT_FATAL(pairs && fread(pairs, 2 * sizeof *pairs, head[1], f) == head[1]);
    CU_ASSERT_EQUAL(sscanf(text[head[0]][1], "%x %x", &word[0], &word[1]), 2);
    int wrong = 0;
    for (uint32_t i = 0; i < head[1]; i += (uint32_t)step) {
        uint32_t operand[3] = {pairs[i], 0, 0};
        struct rtl_result r = rtl_units.run(model, word, 0, operand, 0, NULL);
        ++*run;
        if (r.d != pairs[head[1] + i] && wrong++ < 5)
            printf("\n    %s(%08x): rtl %08x, vector %08x", text[head[0]][0], pairs[i], r.d,
                   pairs[head[1] + i]);
    }
    free(pairs);
    return wrong;
}

static void special_function_vectors_come_out_bit_for_bit(void)
{
    if (!check_shared("sm10/sfu-vectors.bin.xz"))
        return;
    FILE *f = popen("xz -dc '" FAULTLINE_SHARED_DIR "/sm10/sfu-vectors.bin.xz'", "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    void *model = rtl_units.make();
    uint32_t head[2];
    int run = 0, wrong = 0, sections = 0;
    while (fread(head, sizeof head, 1, f) == 1) {
        CU_ASSERT_FATAL(head[0] < 8 && head[1] < 10000000);
        wrong += run_section(model, f, head, all ? 1 : 37, &run);
        sections++;
    }
    rtl_units.drop(model);
    CU_ASSERT_EQUAL(pclose(f), 0);
    CU_ASSERT_EQUAL(sections, 8);
    CU_ASSERT_EQUAL(wrong, 0);
    printf("%d pairs ", run);
}

int main(int argc, char **argv)
{
    if (argc > 2 || (argc == 2 && strcmp(argv[1], "--all") != 0)) {
        fputs("usage: test_rtl_units [--all]   --all: every vector, and millions of random ones\n",
              stderr);
        return 2;
    }
    all = argc == 2;
    return CHECK_RUN(
        "rtl units", CHECK(every_row_is_decoded_as_in_c), CHECK(any_word_is_decoded_as_in_c),
        CHECK(every_operation_computes_as_in_c), CHECK(arithmetic_vectors_come_out_bit_for_bit),
        CHECK(special_function_vectors_come_out_bit_for_bit),
        CHECK(every_mistake_in_a_unit_is_found), CHECK(every_mistake_in_the_decoder_is_found));
}
