/* test_gate_netlist.c -- netlists and fault lists: what is read is what stands there, and what
 * cannot be read is told with its place. */
#include <string.h>

#include "base/random.h"
#include "gate/faults.h"
#include "tests/lib/check.h"
#include "netlists.h"

static uint32_t net_called(const struct gate_netlist *n, const char *name)
{
    for (uint32_t i = 0; i < n->nets; i++)
        if (strcmp(n->name[i], name) == 0)
            return i;
    CU_FAIL_FATAL("no such net");
    return 0;
}

/* What net y is for inputs a, b, c ... with these bits. */
static bool value_for(const struct gate_netlist *n, uint32_t bits)
{
    struct naive m = naive_new(n, GATE_STUCK, UINT32_MAX);
    uint8_t input[8] = {0};
    for (uint32_t i = 0; i < n->inputs; i++)
        input[i] = bits >> (n->name[i][0] - 'a') & 1;
    naive_eval(&m, input);
    bool y = m.net[net_called(n, "y")];
    naive_free(&m);
    return y;
}

static void a_cover_means_what_its_rows_say(void)
{
    uint64_t seed = 1;
    int wrong = 0;
    for (int round = 0; round < 400; round++) {
        uint32_t pins = 1 + (uint32_t)(fl_random(&seed) % 6),
                 rows = (uint32_t)(fl_random(&seed) % (round & 1 ? 3 : 9));
        char row[9][8], value = '0' + (fl_random(&seed) & 1);
        struct fl_buf b = {0};
        fl_buf_printf(&b, ".inputs a b c d e f\n.outputs y\n.names");
        for (uint32_t p = 0; p < pins; p++)
            fl_buf_printf(&b, " %c", 'a' + p);
        fl_buf_printf(&b, " y\n");
        for (uint32_t r = 0; r < rows; r++) {
            for (uint32_t p = 0; p < pins; p++)
                row[r][p] = "01-"[fl_random(&seed) % 3];
            row[r][pins] = 0;
            fl_buf_printf(&b, "%s %c\n", row[r], value);
        }
        struct gate_netlist *n = netlists_read("cover.blif", (const char *)b.data);
        for (uint32_t bits = 0; bits < 1u << pins; bits++) {
            bool in = false;
            for (uint32_t r = 0; r < rows; r++) {
                bool match = true;
                for (uint32_t p = 0; p < pins; p++)
                    match &= row[r][p] == '-' || row[r][p] - '0' == (int)(bits >> p & 1);
                in |= match;
            }
            bool want = rows && value == '0' ? !in : in;
            wrong += value_for(n, bits) != want;
        }
        gate_netlist_free(n);
        fl_buf_free(&b);
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

static void functions_of_bench_are_their_names(void)
{
    static const struct {
        const char *cell, *bits; /* y for ba = 00, 01, 10, 11 */
    } row[] = {{"AND(a, b)", "0001"},
               {"nand(a,b)", "1110"},
               {"OR(a, b)", "0111"},
               {"NOR(a, b)", "1000"},
               {"XOR(a, b)", "0110"},
               {"XNOR(a, b)", "1001"},
               {"NOT(a)", "1010"},
               {"BUFF(b)", "0011"},
               {"OR(a)", "0101"},
               {"NOR(b)", "1100"},
               {"XNOR(a)", "1010"},
               {"MUX(a, b, a)", "0111"},
               {"mux(a, a, b)", "0001"},
               {"LUT 0x2 (a, b)", "0100"},
               {"LUT 0X1(b)", "1100"},
               {"vdd", "1111"},
               {"GND()", "0000"},
               {"AND(a, VDD)", "0101"},
               {"b", "0011"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char *text = fl_format("# x\nINPUT(a)\nINPUT( b )\n\nOUTPUT(y)\n y = %s # z", row[i].cell);
        struct gate_netlist *n = netlists_read("x.bench", text);
        for (uint32_t bits = 0; bits < 4; bits++)
            CU_ASSERT_EQUAL(value_for(n, bits), row[i].bits[bits] == '1');
        gate_netlist_free(n);
        free(text);
    }
}

static void a_gate_of_nine_inputs_is_and_or_or(void)
{
    static const char head[] =
        ".inputs a b c d e f g h i\n.outputs y\n.names a b c d e f g h i y\n";
    char *and = fl_format("%s111101111 1\n", head);
    struct gate_netlist *n = netlists_read("and.blif", and);
    CU_ASSERT(n->cell[n->nets - 1].kind == GATE_AND);
    CU_ASSERT(gate_value_row(n, n->nets - 1, 0x1ef) && !gate_value_row(n, n->nets - 1, 0x1ff));
    gate_netlist_free(n);
    free(and);
    char * or = fl_format("%s1-------- 1\n-0------- 1\n--1------ 1\n---1----- 1\n----1---- 1\n"
                          "-----1--- 1\n------1-- 1\n-------1- 1\n--------1 1\n",
                          head);
    n = netlists_read("or.blif", or);
    CU_ASSERT(gate_value_row(n, n->nets - 1, 0x000) && !gate_value_row(n, n->nets - 1, 0x002));
    CU_ASSERT(gate_value_row(n, n->nets - 1, 0x003));
    gate_netlist_free(n);
    free(or);
}

/* What ABC writes: its flip-flops say what they start with. */
static void a_flip_flop_of_bench_starts_with_what_it_says(void)
{
    struct gate_netlist *n = netlists_read("x.bench", "INPUT(a)\nOUTPUT(q)\nOUTPUT(r)\nOUTPUT(s)\n"
                                                      "q = DFF(a)\nr = DFF1(a)\ns = DFF0(a)\n");
    CU_ASSERT_EQUAL(n->flops, 3);
    CU_ASSERT_EQUAL(n->cell[net_called(n, "q")].table, 0);
    CU_ASSERT_EQUAL(n->cell[net_called(n, "r")].table, 1);
    CU_ASSERT_EQUAL(n->cell[net_called(n, "s")].table, 0);
    gate_netlist_free(n);
}

static void what_cannot_be_read_is_told_with_its_place(void)
{
    static const struct {
        const char *file, *text, *says;
    } row[] = {
        {"x.blif", ".inputs a\n.outputs y\n.gate NAND2 A=a O=y\n",
         "x.blif:3: cell 'NAND2' has no function here"},
        {"x.blif", ".inputs a\n.outputs y\n.subckt adder a=a y=y\n",
         "x.blif:3: cell 'adder' has no function"},
        {"x.bench", "INPUT(a)\nOUTPUT(y)\ny = MAJ(a, a, a)\n", "x.bench:3: cell 'MAJ' has no"},
        {"x.bench", "INPUT(a)\nOUTPUT(y)\ny = NOT(a, a)\n",
         "x.bench:3: NOT takes 1 input, this one has 2"},
        {"x.bench", "INPUT(a)\ny = NOT a\n", "x.bench:2: not understood"},
        {"x.bench", "INPUT(a)\ny = NOT(a\n", "x.bench:2: not understood"},
        {"x.bench", "INPUT(a)\nOUTPUT(y)\ny = AND()\n", "x.bench:3: AND takes 1 or more inputs"},
        {"x.bench", "INPUT(a)\nOUTPUT(y)\ny = MUX(a, a)\n", "x.bench:3: MUX takes 3 inputs"},
        {"x.bench", "INPUT(a)\nOUTPUT(y)\ny = vdd(a)\n", "x.bench:3: vdd takes 0 inputs"},
        {"x.bench", "INPUT(a)\nOUTPUT(y)\ny = DFF(a, a)\n", "x.bench:3: DFF takes 1 input"},
        {"x.bench", "INPUT(a)\nOUTPUT(y)\ny = LUT 0x4 (a)\n", "x.bench:3: LUT takes 1 to 6"},
        {"x.bench", "INPUT(a)\nOUTPUT(y)\ny = LUT 8 (a)\n", "x.bench:3: not understood"},
        {"x.bench", "INPUT(a)\nOUTPUT(y)\ny = LUT 0x1\n", "x.bench:3: LUT takes 1 to 6"},
        {"x.blif", ".inputs a\n.outputs y\n.names a z\n1 1\n", "x.blif:2: nothing drives net 'y'"},
        {"x.blif", ".inputs a\n.outputs y\n.names a y\n1 1\n.names a y\n0 1\n",
         "x.blif:5: net 'y' has a driver already, in line 3"},
        {"x.blif", ".inputs a\n.outputs y\n.names a z y\n11 1\n.names y z\n1 1\n",
         "a loop without a flip-flop: 'y', 'z'; "},
        {"x.blif", ".inputs a\n.outputs y\n.names a y\n1 1\n0 0\n",
         "x.blif:5: rows of 'y' end in 0 and in 1"},
        {"x.blif", ".inputs a\n.outputs y\n.names a y\n11 1\n", "x.blif:4: a row of 'y'"},
        {"x.blif", ".inputs a\n11 1\n", "x.blif:2: '11' belongs to no .names"},
        {"x.blif", ".inputs a b c d e f g\n.outputs y\n.names a b c d e f g y\n1111--- 1\n",
         "x.blif:3: 'y' is a cover of 7 inputs that is neither AND nor OR"},
        {"x.blif", ".inputs a c\n.outputs y\n.latch a y fe c 0\n",
         "x.blif:3: the latch of 'y' is of kind 'fe'"},
        {"x.blif", ".inputs a c d\n.outputs y z\n.latch a y re c 0\n.latch a z re d 0\n",
         "x.blif:4: the flip-flop 'z' has the clock 'd', that of line 3 'c'"},
        {"x.blif", ".inputs a c\n.outputs y z\n.latch a y re c 0\n.names a c z\n11 1\n",
         "x.blif:4: the clock 'c' is used as data"},
        {"x.blif", ".inputs a b\n.outputs y\n.latch a y re c 0\n.names a b c\n11 1\n",
         "x.blif:4: the clock 'c' is no input"},
        {"x.blif", ".model a\n.inputs a\n.outputs a\n.end\n.model b\n", "x.blif:5: text behind"},
        {"x.blif", ".inputs a\n", "x.blif: no outputs"},
        {"x.blif", ".magic\n", "x.blif:1: '.magic' is not understood"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct gate_netlist *n = NULL;
        struct fl_err err = {""};
        CU_ASSERT(gate_read_text(row[i].file, row[i].text, &n, &err) == -1 && !n);
        if (!strstr(err.msg, row[i].says))
            fprintf(stderr, "\n%s\nshould say: %s\n", err.msg, row[i].says);
        CU_ASSERT(strstr(err.msg, row[i].says) != NULL);
    }
}

static void numbers_follow_levels_and_the_digest_follows_logic(void)
{
    static const char text[] = ".inputs a b\n.outputs y\n.latch y q re clk 1\n.names a b n\n11 1\n"
                               ".names n q y\n1- 1\n-1 1\n";
    struct gate_netlist *n = netlists_read("x.blif", text), *m;
    char *copy, *zero = fl_strdup(text);
    CU_ASSERT(n->inputs == 2 && n->flops == 1 && n->nets == 5 && n->depth == 2);
    CU_ASSERT(n->cell[2].kind == GATE_FLOP && n->cell[2].table == 1);
    for (uint32_t i = 0; i < n->nets; i++)
        for (uint32_t p = 0; p < n->cell[i].pins && n->cell[i].kind != GATE_FLOP; p++)
            CU_ASSERT(GATE_NET(n->literal[n->cell[i].first + p]) < i);
    copy = fl_strdup(text);
    *strstr(copy, "-1 1") = '1'; /* other logic */
    m = netlists_read("x.blif", copy);
    CU_ASSERT(strcmp(n->digest, m->digest) != 0);
    gate_netlist_free(m);
    strstr(zero, "clk 1")[4] = '0'; /* starts otherwise */
    struct gate_netlist *k = netlists_read("x.blif", zero);
    m = netlists_read("y.bench", "INPUT(a)\nINPUT(b)\nOUTPUT(y)\nq = DFF(y)\nz = AND(a, b)\n"
                                 "y = OR(z, q)\n");
    CU_ASSERT(strcmp(n->digest, k->digest) != 0);
    CU_ASSERT_STRING_EQUAL(k->digest, m->digest); /* names inside do not count */
    gate_netlist_free(m);
    gate_netlist_free(k);
    free(zero);
    free(copy);
    gate_netlist_free(n);
}

/* The published counts: 22 of c17, 32 of s27. */
static void collapsing_gives_the_published_numbers(void)
{
    static const char c17[] = "INPUT(1)\nINPUT(2)\nINPUT(3)\nINPUT(6)\nINPUT(7)\nOUTPUT(22)\n"
                              "OUTPUT(23)\n10 = NAND(1, 3)\n11 = NAND(3, 6)\n16 = NAND(2, 11)\n"
                              "19 = NAND(11, 7)\n22 = NAND(10, 16)\n23 = NAND(16, 19)\n";
    static const char s27[] =
        "INPUT(G0)\nINPUT(G1)\nINPUT(G2)\nINPUT(G3)\nOUTPUT(G17)\nG5 = DFF(G10)\nG6 = DFF(G11)\n"
        "G7 = DFF(G13)\nG14 = NOT(G0)\nG17 = NOT(G11)\nG8 = AND(G14, G6)\nG15 = OR(G12, G8)\n"
        "G16 = OR(G3, G8)\nG9 = NAND(G16, G15)\nG10 = NOR(G14, G11)\nG11 = NOR(G5, G9)\n"
        "G12 = NOR(G1, G7)\nG13 = NOR(G2, G12)\n";
    const char *const text[] = {c17, s27};
    const uint32_t want[] = {22, 32};
    for (int i = 0; i < 2; i++) {
        struct gate_netlist *n = netlists_read("x.bench", text[i]);
        struct gate_faults *f = gate_faults_new(n, GATE_STUCK);
        CU_ASSERT_EQUAL(f->count, want[i]);
        gate_faults_free(f);
        gate_netlist_free(n);
    }
}

/* y drives an output and an inverter: 4 classes of the AND, 2 of the inverter, 2 of the output. */
static void an_output_that_is_read_inside_too_is_a_branch_of_its_net(void)
{
    struct gate_netlist *n = netlists_read(
        "x.bench", "INPUT(a)\nINPUT(b)\nOUTPUT(z)\nOUTPUT(y)\ny = AND(a, b)\nz = NOT(y)\n");
    struct gate_faults *f = gate_faults_new(n, GATE_STUCK);
    struct fl_err err = {""};
    struct fl_buf list = {0};
    uint32_t number;
    CU_ASSERT_EQUAL(f->count, 8);
    CU_ASSERT_EQUAL(f->all, 2 * (4 + 3 + 1));
    gate_faults_print(n, f, &list);
    CU_ASSERT(strstr((const char *)list.data, "\no1:sa0\no1:sa1\n") != NULL);
    CU_ASSERT_EQUAL(gate_fault_parse(n, GATE_STUCK, "o1:sa1", &number, &err), 0);
    CU_ASSERT_EQUAL(gate_site_net(n, GATE_SITE(number)), 2);
    CU_ASSERT_EQUAL(gate_fault_parse(n, GATE_STUCK, "o0:sa1", &number, &err), -1);
    CU_ASSERT(strstr(err.msg, "its faults are those of n3") != NULL);
    CU_ASSERT_EQUAL(gate_fault_parse(n, GATE_STUCK, "o2:sa1", &number, &err), -1);
    CU_ASSERT(strstr(err.msg, "outputs o0 to o1") != NULL);
    fl_buf_free(&list);
    gate_faults_free(f);
    gate_netlist_free(n);
}

static void an_id_names_the_fault_it_was_made_of(void)
{
    struct gate_netlist *n = netlists_random(3, 6, 40, 3);
    struct gate_faults *f = gate_faults_new(n, GATE_TRANSITION);
    struct fl_err err;
    char id[GATE_ID_ROOM];
    static const char *const bad[] = {"n0",       "n0:str",  "n0:sa2",   "x0:sa0",
                                      "n0.0:sa0", "n99:sa0", "n0:sa0x",  ":sa0",
                                      "n:sa0",    "o:sa0",   "o0.0:sa0", ""};
    for (uint32_t i = 0; i < f->all; i++) {
        uint32_t back = UINT32_MAX;
        gate_fault_id(n, GATE_TRANSITION, i, id);
        CU_ASSERT(gate_fault_parse(n, GATE_TRANSITION, id, &back, &err) == 0 && back == i);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint32_t back;
        CU_ASSERT(gate_fault_parse(n, GATE_STUCK, bad[i], &back, &err) == -1);
        CU_ASSERT(strstr(err.msg, bad[i]) != NULL);
    }
    gate_faults_free(f);
    gate_netlist_free(n);
}

int main(void)
{
    return CHECK_RUN("gate_netlist", CHECK(a_cover_means_what_its_rows_say),
                     CHECK(functions_of_bench_are_their_names),
                     CHECK(a_gate_of_nine_inputs_is_and_or_or),
                     CHECK(a_flip_flop_of_bench_starts_with_what_it_says),
                     CHECK(what_cannot_be_read_is_told_with_its_place),
                     CHECK(numbers_follow_levels_and_the_digest_follows_logic),
                     CHECK(collapsing_gives_the_published_numbers),
                     CHECK(an_output_that_is_read_inside_too_is_a_branch_of_its_net),
                     CHECK(an_id_names_the_fault_it_was_made_of));
}
