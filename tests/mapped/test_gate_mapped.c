/* test_gate_mapped.c -- netlists of library cells: Verilog and Liberty mean what they say, faults
 * have the names of pins and ports, and what is not understood is refused by its name. */
#include <stdlib.h>
#include <string.h>

#include "gate/cover.h"
#include "gate/mapped/mapped.h"
#include "gate/prove/prove.h"
#include "base/random.h"
#include "mapped_cells.h"
#include "tests/gate/netlists.h"
#include "tests/lib/check.h"
#include "tests/lib/tools.h"

/* The outputs for these inputs, the first input and output in the lowest bits, after `cycles` clock
 * edges with the same inputs. */
static uint32_t outputs_of(const struct gate_netlist *n, uint32_t inputs, int cycles)
{
    struct naive m = naive_new(n, GATE_STUCK, UINT32_MAX);
    uint8_t *input = fl_alloc(n->inputs);
    uint32_t out = 0;
    for (uint32_t i = 0; i < n->inputs; i++)
        input[i] = inputs >> i & 1;
    for (naive_eval(&m, input); cycles--; naive_eval(&m, input))
        naive_clock(&m);
    for (uint32_t o = 0; o < n->outputs; o++)
        out |= (uint32_t)m.watched[o] << o;
    free(input);
    naive_free(&m);
    return out;
}

static void functions_of_cells_are_those_of_liberty(void)
{
    struct gate_netlist *n = mapped_read(
        "module t (a, b, c, d, inv, nand_, aoi, mux, s, co, wide, one);\n"
        "input a, b, c, d; output inv, nand_, aoi, mux, s, co, wide, one;\n"
        "INV u1 (.A(a), .Y(inv)); NAND2 u2 (.A(a), .B(b), .Y(nand_));\n"
        "AOI21 u3 (.A(a), .B(b), .C(c), .Y(aoi)); MUX2 u4 (.S(a), .A(b), .B(c), .Y(mux));\n"
        "FA u5 (.A(a), .B(b), .C(c), .S(s), .CO(co)); TIE1 u7 (.Y(one));\n"
        "WIDE u6 (.A(a), .B(b), .C(c), .D(d), .E(a), .F(c), .G(b), .H(d), .Y(wide));\n"
        "endmodule\n");
    for (uint32_t v = 0; v < 16; v++) {
        bool a = v & 1, b = v & 2, c = v & 4, d = v & 8;
        uint32_t want = (uint32_t)!a | (uint32_t) !(a && b) << 1 |
                        (uint32_t) !((a && b) || c) << 2 | (uint32_t)(a ? c : b) << 3 |
                        (uint32_t)(a ^ b ^ c) << 4 | (uint32_t)(a + b + c > 1) << 5 |
                        (uint32_t)((a && b) || (c && d) || (a && c) || (b && d)) << 6 | 1u << 7;
        CU_ASSERT_EQUAL(outputs_of(n, v, 0), want);
    }
    gate_netlist_free(n);
}

/* Each way of writing the same connections. */
static void verilog_means_what_it_says(void)
{
    static const struct {
        const char *text;
        uint32_t inputs, outputs; /* for these inputs these outputs */
    } row[] = {
        {"module t (a, y); input [3:0] a; output [3:0] y; assign y = a; endmodule", 10, 10},
        {"module t (input [3:0] a, output [3:0] y); assign y = {a[0], a[3:1]}; endmodule", 1, 2},
        {"module t (input [3:0] a, output [0:3] y); assign y[0:3] = a; endmodule", 2, 2},
        {"module t (input [3:0] a, output [3:0] y); assign y[3:2] = 2'b10, y[1:0] = a[2:1]; "
         "endmodule",
         4, 9},
        {"module t (input a, output [3:0] y); assign y = {2{a, 1'b0}}; endmodule", 1, 5},
        {"module t (input a, output [7:0] y); assign y = 8'h2_5; endmodule", 0, 0xa4},
        {"module t (input a, output [7:0] y); assign y = 37; endmodule", 0, 0xa4},
        {"module t (input a, output y); wire b = a; INV u (.A(b), .Y(y)); endmodule", 0, 1},
        {"module t (input a, output y); supply0 gnd; NAND2 u (.A(a), .B(gnd), .Y(y)); endmodule", 1,
         1},
        {"module t (input a, output y); nand #(1:2:3) u (y, a, 1'b1); endmodule", 1, 0},
        {"module t (input a, b, c, d, e, f, g, output y); nor u (y, a, b, c, d, e, f, g); "
         "endmodule",
         0, 1},
        {"module t (input a, b, c, d, e, f, g, output y); xnor u (y, a, b, c, d, e, f, g); "
         "endmodule",
         0x15, 0},
        {"module t (\\a[1] , y); input \\a[1] ; output y; INV u(.A(\\a[1] ), .Y(y)); endmodule", 1,
         0},
        {"module s (p, q); input [1:0] p; output q; NAND2 n (.A(p[1]), .B(p[0]), .Y(q)); endmodule "
         "module t (input a, b, output y); s u (.p({a, b}), .q(y)); endmodule",
         3, 0},
        {"module t (input a, b, output y); s u ({a, b}, y); endmodule module s (input [1:0] p, "
         "output q); NAND2 n (p[1], p[0], q); endmodule",
         3, 0},
        {"(* top *) module t (input a, output y); /* a wire of its own */ INV u1 (.A(a), "
         ".Y(implied)), u2 (.A(implied), .Y(y)); endmodule",
         1, 1},
        {"`celldefine\nmodule INV (input A, output Y); not (Y, A); helper h(); endmodule "
         "`endcelldefine\nmodule helper (); endmodule primitive p (o, i); table 0:1; endtable "
         "endprimitive module t (input a, output y); INV u (a, y); endmodule",
         1, 0}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct gate_netlist *n = mapped_read(row[i].text);
        uint32_t out = outputs_of(n, row[i].inputs, 0);
        if (out != row[i].outputs)
            fprintf(stderr, "%s\n: %x\n", row[i].text, out);
        CU_ASSERT_EQUAL(out, row[i].outputs);
        gate_netlist_free(n);
    }
}

/* ---- flip-flops ------------------------------------------------------------------------------ */

/* The first output, cycle by cycle. */
static void check_flop(const char *text, const char *const *cycles, const char *want)
{
    struct gate_netlist *n = mapped_read(text);
    struct naive m = naive_new(n, GATE_STUCK, UINT32_MAX);
    for (int c = 0; cycles[c]; c++) {
        uint8_t input[8];
        for (uint32_t i = 0; i < n->inputs; i++)
            input[i] = (uint8_t)(cycles[c][i] - '0');
        naive_eval(&m, input);
        if (m.watched[0] != want[c] - '0')
            fprintf(stderr, "cycle %d of\n%s\n", c, text);
        CU_ASSERT_EQUAL(m.watched[0], want[c] - '0');
        naive_clock(&m);
    }
    naive_free(&m);
    gate_netlist_free(n);
}

static void flip_flops_clear_at_once_and_take_data_at_the_edge(void)
{
    check_flop("module t (input ck, d, output q); DFF r (.D(d), .CK(ck), .Q(q)); endmodule",
               (const char *const[]){"1", "0", "1", "1", NULL}, "0101");
    check_flop("module t (input ck, d, output q); DFF r (.D(d), .CK(ck), .QN(q)); endmodule",
               (const char *const[]){"1", "0", "1", "1", NULL}, "1010");
    check_flop("module t (input ck, d, e, output q); DFFE r (.D(d), .E(e), .CK(ck), .Q(q)); "
               "endmodule",
               (const char *const[]){"10", "11", "00", "01", "00", NULL}, "00110");
    /* d, clear, preset (both low): at once, and what they leave stays; together, Q is 1 */
    check_flop(
        "module t (input ck, d, rn, sn, output q); DFFRS r (.D(d), .CK(ck), .RN(rn), .SN(sn), "
        ".Q(q)); endmodule",
        (const char *const[]){"111", "111", "101", "011", "010", "011", "000", "011", NULL},
        "01001111");
    check_flop(
        "module t (input ck, d, rn, sn, output q); DFFRS r (.D(d), .CK(ck), .RN(rn), .SN(sn), "
        ".QN(q)); endmodule",
        (const char *const[]){"000", "101", "111", "010", "001", NULL}, "01101");
    check_flop("module t (input ck, en, te, d, output q); wire g; ICG c (.CK(ck), .E(en), .TE(te), "
               ".GCK(g)); DFF r (.D(d), .CK(g), .Q(q)); endmodule",
               (const char *const[]){"001", "101", "000", "010", "011", NULL}, "00110");
}

static void a_clock_reaches_flip_flops_through_buffers_inverters_and_gates(void)
{
    check_flop(
        "module t (input ck, en, d, output q, q2); wire c1, c2, c3; INV u1 (.A(ck), .Y(c1)); "
        "INV u2 (.A(c1), .Y(c2)); and u3 (c3, c2, en); DFF r (.D(d), .CK(c3), .Q(q)); "
        "DFF r2 (.D(d), .CK(ck), .Q(q2)); endmodule",
        (const char *const[]){"01", "11", "00", "10", "01", NULL}, "00110");
    struct gate_netlist *n = mapped_read("module t (input ck, d, output q); wire c; INV u (.A(ck), "
                                         ".Y(c)); DFF r (.D(d), .CK(c), .Q(q)); endmodule");
    CU_ASSERT(n->clocks == 1 && strcmp(n->clock[0].name, "ck") == 0 && n->clock[0].falling);
    CU_ASSERT(n->inputs == 1 && strcmp(n->name[0], "d") == 0 && strcmp(n->name[1], "r") == 0);
    gate_netlist_free(n);
}

/* ---- places of faults ------------------------------------------------------------------------ */

static void places_are_connected_pins_of_cells_and_ports(void)
{
    struct gate_netlist *n = mapped_read(
        "module t (input ck, a, b, output q, o); wire x; sub u (.a(a), .b(b), .y(x));\n"
        "DFFRS r (.D(x), .CK(ck), .RN(1'b1), .SN(b), .Q(q)); assign o = x; endmodule\n"
        "module sub (input a, b, output y); NAND2 g (.A(a), .B(b), .Y(y)); INV f (.A(a), .Y()); "
        "endmodule");
    static const char *const want[] = {"ck",    "a",     "b",   "q",    "o",    "u/g/A", "u/g/B",
                                       "u/g/Y", "u/f/A", "r/D", "r/CK", "r/RN", "r/SN",  "r/Q"};
    CU_ASSERT_EQUAL(n->places, sizeof want / sizeof *want);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        CU_ASSERT(gate_find_place(n, want[i]) != GATE_NO_PLACE);
    CU_ASSERT(gate_find_place(n, "u/f/Y") == GATE_NO_PLACE);
    struct gate_faults *f = gate_faults_new(n, GATE_STUCK);
    CU_ASSERT_EQUAL(f->listed, 28);
    uint32_t sum = 0;
    for (uint32_t c = 0; c < f->count; c++)
        sum += f->members[c];
    CU_ASSERT_EQUAL(sum, 28);
    gate_faults_free(f);
    gate_netlist_free(n);
}

static void ids_are_names_and_are_read_again(void)
{
    struct gate_netlist *n = mapped_read(
        "module t (input ck, n1, output q); wire x; INV u (.A(n1), "
        ".Y(x));\nDFF r (.D(x), .CK(ck), .Q(q)); endmodule");
    uint32_t fault;
    struct fl_err err = {""};
    for (int model = 0; model < 2; model++) {
        struct gate_faults *f = gate_faults_new(n, (enum gate_model)model);
        for (uint32_t c = 0; c < f->count; c++) {
            char id[GATE_ID_ROOM];
            gate_fault_id(n, f->model, f->fault[c], id);
            CU_ASSERT(gate_fault_parse(n, f->model, id, &fault, &err) == 0 && fault == f->fault[c]);
        }
        gate_faults_free(f);
    }
    CU_ASSERT_EQUAL(gate_fault_parse(n, GATE_STUCK, "u/A:sa0", &fault, &err), 0);
    CU_ASSERT_EQUAL(gate_fault_parse(n, GATE_STUCK, "n1:sa0", &fault, &err), 0);
    CU_ASSERT_EQUAL(fault, n->place[gate_find_place(n, "n1")].fault[0]);
    CU_ASSERT_EQUAL(gate_fault_parse(n, GATE_STUCK, "u/B:sa0", &fault, &err), -1);
    CU_ASSERT(strstr(err.msg, "'u/B:sa0' is no fault of the netlist") != NULL);
    gate_netlist_free(n);
}

static void numbers_are_no_ids_where_there_are_names(void)
{
    static const char *const id[] = {"n1:sa0", "n2.0:sa1", "o0:sa0"};
    struct gate_netlist *n = mapped_read(
        "module t (input a, b, output y); wire n1; NAND2 u (.A(a), "
        ".B(b), .Y(n1)); INV v (.A(n1), .Y(y)); endmodule");
    for (size_t i = 0; i < sizeof id / sizeof *id; i++) {
        uint32_t fault;
        struct fl_err err = {""};
        CU_ASSERT_EQUAL(gate_fault_parse(n, GATE_STUCK, id[i], &fault, &err), -1);
        CU_ASSERT(strstr(err.msg, "is no fault of the netlist; write v/Y:sa0") != NULL);
    }
    gate_netlist_free(n);
}

static void a_rename_of_instances_leaves_the_digest(void)
{
    static const char *const text[] = {
        "module t (input a, b, output y); wire w; NAND2 u1 (.A(a), .B(b), .Y(w)); INV u2 (.A(w), "
        ".Y(y)); endmodule",
        "module t (input a, b, output y); wire v; NAND2 \\x.y (.A(a), .B(b), .Y(v)); INV z (.A(v), "
        ".Y(y)); endmodule",
        "module t (input a, b, output y); wire w; NAND2 u1 (.A(a), .B(a), .Y(w)); INV u2 (.A(w), "
        ".Y(y)); endmodule"};
    struct gate_netlist *n[3];
    for (int i = 0; i < 3; i++)
        n[i] = mapped_read(text[i]);
    CU_ASSERT_STRING_EQUAL(n[0]->digest, n[1]->digest);
    CU_ASSERT(strcmp(n[0]->digest, n[2]->digest) != 0);
    for (int i = 0; i < 3; i++)
        gate_netlist_free(n[i]);
}

/* Do a netlist with a fault and another one without differ at an output within 20 cycles? */
static bool differ(const struct gate_netlist *n, uint32_t fault, const struct gate_netlist *other,
                   uint64_t seed)
{
    struct naive a = naive_new(n, GATE_STUCK, fault), b = naive_new(other, GATE_STUCK, UINT32_MAX);
    bool differs = false;
    for (int c = 0; c < 20; c++) {
        uint8_t input[MAPPED_INPUTS];
        for (int i = 0; i < MAPPED_INPUTS; i++)
            input[i] = fl_random(&seed) & 1;
        naive_eval(&a, input);
        naive_eval(&b, input);
        differs |= memcmp(a.watched, b.watched, n->outputs) != 0;
        naive_clock(&a);
        naive_clock(&b);
    }
    naive_free(&a);
    naive_free(&b);
    return differs;
}

static void a_fault_of_a_pin_is_the_netlist_with_that_pin_tied(void)
{
    int wrong = 0, faults = 0;
    for (uint64_t seed = 1; seed <= (SANITIZED ? 10 : 100); seed++) {
        struct fl_buf good = {0};
        char name[32];
        bool more = true;
        mapped_random(seed, -1, 0, &good, name);
        struct gate_netlist *n = mapped_read((const char *)good.data);
        for (int k = 0; more; k++) {
            struct fl_buf text = {0};
            more = mapped_random(seed, k / 2, k & 1, &text, name);
            if (more) {
                uint32_t place = gate_find_place(n, name);
                CU_ASSERT_FATAL(place != GATE_NO_PLACE);
                struct gate_netlist *tied = mapped_read((const char *)text.data);
                bool differs = differ(n, n->place[place].fault[k & 1], tied, seed + 1000);
                if (differs)
                    fprintf(stderr, "%s %d of\n%s", name, k & 1, (const char *)good.data);
                wrong += differs;
                faults++;
                gate_netlist_free(tied);
            }
            fl_buf_free(&text);
        }
        gate_netlist_free(n);
        fl_buf_free(&good);
    }
    CU_ASSERT(faults > 500);
    CU_ASSERT_EQUAL(wrong, 0);
}

/* Do two faults of a netlist differ within 20 cycles, at an output or in what a scan chain takes out? */
static bool are_apart(const struct gate_netlist *n, uint32_t one, uint32_t other, uint64_t seed)
{
    struct naive a = naive_new(n, GATE_STUCK, one), b = naive_new(n, GATE_STUCK, other);
    bool apart = false;
    for (int c = 0; c < 20; c++) {
        uint8_t input[MAPPED_INPUTS];
        for (uint32_t i = 0; i < n->inputs; i++)
            input[i] = fl_random(&seed) & 1;
        for (uint32_t f = 0; f < n->flops; f++)
            a.flop[f] = b.flop[f] = fl_random(&seed) & 1;
        naive_eval(&a, input);
        naive_eval(&b, input);
        apart |= memcmp(a.watched, b.watched, n->outputs + n->flops) != 0;
    }
    naive_free(&a);
    naive_free(&b);
    return apart;
}

static void faults_of_one_class_do_the_same(void)
{
    uint32_t wrong = 0, pairs = 0;
    for (uint64_t seed = 1; seed <= (SANITIZED ? 40 : 400); seed++) {
        struct fl_buf text = {0};
        char name[32], id[GATE_ID_ROOM];
        mapped_random(seed, -1, 0, &text, name);
        struct gate_netlist *n = mapped_read((const char *)text.data);
        struct gate_faults *f = gate_faults_new(n, GATE_STUCK);
        for (uint32_t k = 0; k < 2 * n->places; k++) {
            uint32_t fault = n->place[k / 2].fault[k & 1], first = f->fault[f->class_of[fault]];
            bool apart = fault != first && are_apart(n, first, fault, seed + 1000);
            if (apart)
                fprintf(stderr, "%s is not %s:%u of\n%s", gate_fault_id(n, GATE_STUCK, first, id),
                        n->place[k / 2].name, k & 1, (const char *)text.data);
            wrong += apart;
            pairs += fault != first;
        }
        gate_faults_free(f);
        gate_netlist_free(n);
        fl_buf_free(&text);
    }
    CU_ASSERT(pairs > 500);
    CU_ASSERT_EQUAL(wrong, 0);
}

static bool same_class(const char *text, const char *one, const char *other)
{
    struct gate_netlist *n = mapped_read(text);
    struct gate_faults *f = gate_faults_new(n, GATE_STUCK);
    uint32_t a, b;
    struct fl_err err;
    CU_ASSERT_FATAL(gate_fault_parse(n, GATE_STUCK, one, &a, &err) == 0 &&
                    gate_fault_parse(n, GATE_STUCK, other, &b, &err) == 0);
    bool same = f->class_of[a] == f->class_of[b];
    gate_faults_free(f);
    gate_netlist_free(n);
    return same;
}

static void an_output_with_one_reader_is_one_class_with_it(void)
{
    CU_ASSERT(same_class("module t (input ck, d, output y); wire q; DFF r (.D(d), .CK(ck), .Q(q)); "
                         "INV u (.A(q), .Y(y)); endmodule",
                         "r/Q:sa1", "u/A:sa1"));
    CU_ASSERT(same_class("module t (input ck, d, output q); DFF r (.D(d), .CK(ck), .Q(q)); "
                         "endmodule",
                         "r/Q:sa0", "q:sa0"));
}

static void a_pin_of_a_cell_with_two_outputs_is_a_reader(void)
{
    static const char text[] =
        "module t (input ck, d, b, c, output s, co, y); wire q; DFF r (.D(d), .CK(ck), .Q(q)); "
        "FA f (.A(q), .B(b), .C(c), .S(s), .CO(co)); NAND2 u (.A(q), .B(b), .Y(y)); endmodule";
    CU_ASSERT(!same_class(text, "r/Q:sa0", "u/A:sa0"));
    CU_ASSERT(!same_class(text, "r/Q:sa1", "u/A:sa1"));
    CU_ASSERT(!same_class(text, "r/Q:sa1", "f/A:sa1"));
}

static void a_clock_stuck_at_either_value_stops_what_it_clocks(void)
{
    static const char *const id[] = {"ck:sa0",  "ck:sa1",   "u/A:sa0",
                                     "u/Y:sa0", "r/CK:sa1", "r/CK:sa0"};
    struct gate_netlist *n = mapped_read(
        "module t (input ck, d, rn, output q); wire c; INV u (.A(ck), .Y(c)); "
        "DFFRS r (.D(d), .CK(c), .RN(rn), .SN(1'b1), .Q(q)); endmodule");
    struct gate_faults *f = gate_faults_new(n, GATE_STUCK);
    uint32_t class[6];
    struct gate_prover *p;
    struct fl_err err;
    CU_ASSERT_FATAL(gate_prover_new(n, GATE_STUCK, NULL, 0, &p, &err) == 0);
    for (int i = 0; i < 6; i++) {
        uint32_t fault;
        CU_ASSERT_FATAL(gate_fault_parse(n, GATE_STUCK, id[i], &fault, &err) == 0);
        class[i] = f->class_of[fault];
        CU_ASSERT_EQUAL(gate_prove(p, fault, NULL, NULL), GATE_TESTABLE);
    }
    /* an inverter turns the value; the two values are two classes, as in other tools */
    CU_ASSERT(class[0] == class[2] && class[0] != class[1] && class[3] == class[1] &&
              class[5] == class[3] && class[4] == class[0]);
    struct gate_patterns patterns = gate_patterns_random(n->inputs, 64, 1);
    struct gate_found *found = fl_alloc(f->count * sizeof *found);
    for (int engine = GATE_BY_FAULTS; engine <= GATE_MIXED; engine++) {
        gate_cover(n, f, &patterns, (struct gate_cover){(enum gate_engine)engine, 64, true}, found);
        for (int i = 0; i < 6; i++)
            CU_ASSERT_EQUAL(found[class[i]].times, 1);
    }
    free(found);
    gate_patterns_free(&patterns);
    gate_prover_free(p);
    gate_faults_free(f);
    gate_netlist_free(n);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void what_is_not_understood_is_refused_with_its_name_and_place(void)
{
    static const struct {
        const char *text, *want;
    } row[] = {
        {"module t (input d, g, output q); LATCH l1 (.D(d), .G(g), .Q(q)); endmodule",
         "unit.v:1: not understood: LATCH is a latch (1 instance: l1); cut"},
        {"module t (input d, g, output q, r); TBUF l1 (d, g, q), l2 (d, g, r); endmodule",
         "TBUF has the tri-state output Y (2 instances, the first l1)"},
        {"module t (input d, output q); PAD p (.P(d), .Y(q)); endmodule",
         "PAD has the inout pin P"},
        {"module t (input d, output q); RAM p (.A(d)); INV i (d, q); endmodule", "RAM is a memory"},
        {"module t (inout d, output q); INV i (d, q); endmodule", "port d is inout; cut the pad"},
        {"module t (input a, output q); wire w; NAND2 u (.A(a), .B(w), .Y(q)); endmodule",
         "unit.v:1: nothing drives net w, which is read at u/B; connect it, or tie"},
        {"module t (input a, output q, r); NAND2 u (.A(a), .Y(q)), v (.B(a), .Y(r)); endmodule",
         "nothing drives the pin u/B, and 1 more; connect them"},
        {"module t (input a, output q); NAND2 u (.A(a), .B(1'bx), .Y(q)); endmodule",
         "nothing drives net 1'bx"},
        {"module t (input c1, c2, d, output q, r); DFF a (d, c1, q); DFF b (d, c2, r); endmodule",
         "several clocks or edges: c1 rising (1 flip-flops: a), c2 rising (1 flip-flops: b); "
         "--one-clock"},
        {"module t (input c, d, output q, r); DFF a (d, c, q); DFFN b (d, c, r); endmodule",
         "c falling (1 flip-flops: b)"},
        {"module t (input c, d, output q, r); DFF a (d, c, q); DFF b (d, q, r); endmodule",
         "the clock of b comes from a (DFF), a flip-flop: divided clocks"},
        {"module t (input c, d, e, output q); wire g; nand (g, c, e); DFF a (d, g, q); endmodule",
         "an instance of nand has no name"},
        {"module t (input c, d, e, output q); wire g; nand n (g, c, e); DFF a (d, g, q); endmodule",
         "the clock of a comes from n (nand of 2), none of whose inputs is a clock"},
        {"module t (input c, d, output q); DFF a (d, 1'b1, q); endmodule",
         "the clock of a, net 1'b1, is driven by nothing"},
        {"module t (input c, output q, y); DFF a (c, c, q); endmodule",
         "the clock c is data at a/D (DFF)"},
        {"module t (input a, b, output y); INV u (a, y), v (b, y); endmodule",
         "net y has two drivers, u/Y and v/Y"},
        {"module t (input a, b, output y); INV u (a, b); assign y = b; endmodule",
         "u/Y drives net b, which is an input of the module; connect the output to a net of its "
         "own"},
        {"module t (input a, output y); assign a = 1'b0; INV u (a, y); endmodule",
         "input a is connected to a constant"},
        {"module t (input a, output y); INV u (y, x); INV v (x, y); endmodule",
         "a loop without a flip-flop"},
        {"module t (input a, output y); XYZ u (a, y); endmodule",
         "instance u: cell XYZ is in no library and no module is called so"},
        {"module t (input a, output y); INV u (.A(a), .Z(y)); endmodule",
         "instance u: cell INV has no pin Z"},
        {"module t (input a, output y); INV u (.A(a), .A(a), .Y(y)); endmodule",
         "pin A is connected twice"},
        {"module t (input a, output y); INV u (a, y, a); endmodule", "no more than 2 pins"},
        {"module t (input [1:0] a, output y); INV u (a, y); endmodule", "takes one bit, not 2"},
        {"module t (input a, output y); s u (.b(a)); endmodule module s (input a); endmodule",
         "module s has no port b"},
        {"module t (input [1:0] a, output y); s u (.a(a), .y(y)); endmodule\n"
         "module s (input [2:0] a, output y); INV v (a[0], y); endmodule",
         "instance u: port a of module s has 3 bits, and 2 are connected; connect as many"},
        {"module t (input a, output y); INV u (a, y); endmodule\nmodule t (input a); endmodule",
         "unit.v:2: a second module t, the first in line 1; leave one of them out"},
        {"module t (input c, e, d, output q, r); wire l, g; LATCH u (.D(e), .G(c), .Q(l)); "
         "nand n (g, c, l); DFF a (d, g, q); DFF b (d, c, r); endmodule",
         "in the clock path: by one integrated clock gate"},
        {"module t (input c, d, output q); wire n; DFF a (d, n, q); endmodule",
         "the clock of a, net n, is driven by nothing; connect it to the clock"},
        {"module t (input a, output y); INV u [1:0] (a, y); endmodule",
         "instance u is an array, with a range behind its name"},
        {"module t (input a, output y); t u (a, y); endmodule", "each module is used by another"},
        {"module t (input a, output y); INV u (a, y); endmodule module s (input a); endmodule",
         "2 modules are used by no other: t, s; name the top with --top"},
        {"module t (a, y); input a; output y; reg y; always @(a) y = a; endmodule",
         "unit.v:1: 'reg': behaviour; synthesize"},
        {"module t (a, y); input a; output y;\nassign y = a & 1'b1; endmodule",
         "unit.v:2: ; is expected, not &"},
        {"module t (a, y); input a; output y; assign y = ~a; endmodule",
         "'~': only nets, selects, concatenations"},
        {"module t #(parameter N = 1) (input a, output y); endmodule", "has parameters"},
        {"module t (a, y); input a; output y; wire [3:0] m [7:0]; endmodule", "m is an array"},
        {"module t (a, y); input a; output y; assign y = a[1]; endmodule",
         "a has no bit 1, it is no bus; correct the index or the declaration (line 1)"},
        {"module t (a, y); input [3:0] a; output y; assign y = a[4]; endmodule", "a has no bit 4"},
        {"module t (a, y); output y; endmodule", "port a of module t has no direction"},
        {"module t (a, a); input a; endmodule", "two ports are called a"},
        {"module t (input a, output y); INV u (a, y) endmodule", "; is expected, not endmodule"},
        {"module t (input a, output y); INV u (a, y);", "ends within module t"},
        {"module t (input a, output y); /* INV u (a, y);", "ends within a comment"},
        {"`ifdef X\nmodule t; endmodule", "unit.v:1: `ifdef is not understood"},
        {"always", "'always': module is expected"},
        {"", "has no module"},
        {"module t (input a, output y); bufif1 u (y, a, a); endmodule", "tri-states and switches"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct gate_netlist *n;
        struct fl_err err = {""};
        int bad = mapped_try(row[i].text, &mapped_plain, &n, &err);
        if (!bad || !strstr(err.msg, row[i].want))
            fprintf(stderr, "%s\n  says: %s\n", row[i].text, err.msg);
        CU_ASSERT(bad == -1 && !n && strstr(err.msg, row[i].want) != NULL);
        gate_netlist_free(n);
    }
}

static void undriven_ties_and_one_clock_joins(void)
{
    struct gate_how how = mapped_plain;
    how.undriven = 1;
    struct gate_netlist *n = mapped_read_with(
        "module t (input a, output q); wire w; NAND2 u (.A(a), .B(w), "
        ".Y(q)); endmodule",
        &how);
    CU_ASSERT_EQUAL(outputs_of(n, 1, 0), 0);
    gate_netlist_free(n);
    how.one_clock = true;
    n = mapped_read_with(
        "module t (input c1, c2, d, output q); wire w; DFF a (d, c1, w); DFFN b (w, c2, q); "
        "endmodule",
        &how);
    CU_ASSERT(n->clocks == 2 && !n->clock[0].falling && n->clock[1].falling);
    CU_ASSERT_EQUAL(outputs_of(n, 1, 2), 1);
    gate_netlist_free(n);
    how.top = "s";
    n = mapped_read_with(
        "module t (input a, output y); INV u (a, y); endmodule module s (input a, output y); "
        "assign y = a; endmodule",
        &how);
    CU_ASSERT_STRING_EQUAL(n->model, "s");
    gate_netlist_free(n);
}

/* y is the inverse of a where the undriven pin is 1, and constant where it is 0. */
static void gatesim_takes_0_and_1_for_undriven_pins(void)
{
    static const char unit[] =
        "module t (input a, output y); wire w; NAND2 u (.A(a), .B(w), .Y(y)); endmodule";
    char *dir = tools_folder();
    tools_put(dir, "unit.v", unit, strlen(unit));
    tools_put(dir, "cells.lib", mapped_cells, strlen(mapped_cells));
    tools_expect(dir, "gatesim", "unit.v --liberty cells.lib --random 64 --undriven 0", 0,
                 " 3 detected");
    tools_expect(dir, "gatesim", "unit.v --liberty cells.lib --random 64 --undriven 1", 0,
                 " 9 detected");
    tools_expect(dir, "gatesim", "unit.v --liberty cells.lib --random 64 --undriven 2", 2,
                 "write 0 or 1");
    tools_remove(dir);
}

static void a_pin_without_a_direction_is_no_input(void)
{
    static const char library[] =
        "library (l) { cell (G) { pin (A) { direction : input; } pin (B) { } "
        "pin (Y) { direction : output; function : \"!(A&B)\"; } } }";
    struct gate_netlist *n = NULL;
    struct fl_err err = {""};
    const char *const file[] = {library};
    CU_ASSERT(gate_read_verilog(
                  "unit.v", "module t (input a, output y); G u (.A(a), .B(a), .Y(y)); endmodule",
                  &mapped_plain, file, &n, &err) == -1);
    CU_ASSERT(strstr(err.msg, "G has a function of pin B, which has no direction input") != NULL);
}

static void a_liberty_file_is_refused_with_its_line(void)
{
    static const struct {
        const char *text, *want;
    } row[] = {
        {"", "cells.lib: has no cell"},
        {"library (l) { cell (A) { pin (Y) { direction : output; function : \"(B\"; } } }",
         "cells.lib:1: cell A: function \"(B\": a name that is no pin"},
        {"library (l) { cell (A) { pin (B) { direction : input; } pin (Y) { direction : output; "
         "function : \"(B\"; } } }",
         "a ) is missing"},
        {"library (l) {\n cell (A) { } cell (A) { } }", "cells.lib:2: cell A is in cells.lib:2"},
        {"library (l) { cell (A) { pin (B) { direction : input;", "ends within a group"},
        {"library (l) { cell (A) { pin (B) { } pin (B) { } } }", "two pins called B"},
        {"library (l) { cell A { } }", "'cell' is followed by neither : nor ("},
        {"library (l) { cell (A { } }", "a ) is missing"},
        {"module t; endmodule", "'module' is followed by neither : nor ("}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct gate_netlist *n = NULL;
        struct fl_err err = {""};
        const char *const library[] = {row[i].text};
        int bad = gate_read_verilog("unit.v",
                                    "module t (input a, output y); assign y = a; endmodule",
                                    &mapped_plain, library, &n, &err);
        if (!bad || !strstr(err.msg, row[i].want))
            fprintf(stderr, "%s\n  says: %s\n", row[i].text, err.msg);
        CU_ASSERT(bad == -1 && strstr(err.msg, row[i].want) != NULL);
        gate_netlist_free(n);
    }
}

/* A text that is damaged in one to three places: cut off, a part left out, another character, a part
 * twice. */
static void damage(struct fl_buf *text, uint64_t *seed)
{
    static const char odd[] = "(){};:,.[]'\"\\/*`#=01aAxX\n&|^!";
    for (uint64_t k = fl_random(seed) % 3 + 1; k && text->size > 3; k--) {
        size_t end = text->size - 1, at = fl_random(seed) % end, n = fl_random(seed) % 30;
        n = at + n < end ? n : end - at;
        switch (fl_random(seed) % 4) {
        case 0:
            text->data[at] = 0;
            text->size = at + 1;
            break;
        case 1:
            memmove(text->data + at, text->data + at + n, text->size - at - n);
            text->size -= n;
            break;
        case 2: text->data[at] = (uint8_t)odd[fl_random(seed) % (sizeof odd - 1)]; break;
        default: memmove(text->data + at, text->data + at / 2, n);
        }
    }
}

static void damaged_files_are_read_or_refused_with_a_message(void)
{
    uint64_t seed = 7;
    int refused = 0;
    for (uint64_t round = 0; round < 400; round++) {
        struct fl_buf text = {0}, library = {0};
        char name[32];
        mapped_random(round, -1, 0, &text, name);
        fl_buf_add(&text, "", 1);
        fl_buf_add(&library, mapped_cells, strlen(mapped_cells) + 1);
        damage(round & 1 ? &library : &text, &seed);
        const char *const file[] = {(const char *)library.data};
        struct gate_netlist *n = NULL;
        struct fl_err err = {""};
        int bad = gate_read_verilog("unit.v", (const char *)text.data, &mapped_plain, file, &n,
                                    &err);
        refused += bad != 0;
        CU_ASSERT((bad != 0) == (n == NULL) && (bad != 0) == (err.msg[0] != 0));
        CU_ASSERT(!bad || strncmp(err.msg, "unit.v:", 7) == 0 ||
                  strncmp(err.msg, "cells.lib:", 10) == 0);
        gate_netlist_free(n);
        fl_buf_free(&text);
        fl_buf_free(&library);
    }
    CU_ASSERT(refused > 300);
}

int main(void)
{
    return CHECK_RUN(
        "gate_mapped", CHECK(functions_of_cells_are_those_of_liberty),
        CHECK(verilog_means_what_it_says),
        CHECK(flip_flops_clear_at_once_and_take_data_at_the_edge),
        CHECK(a_clock_reaches_flip_flops_through_buffers_inverters_and_gates),
        CHECK(places_are_connected_pins_of_cells_and_ports),
        CHECK(ids_are_names_and_are_read_again), CHECK(numbers_are_no_ids_where_there_are_names),
        CHECK(a_rename_of_instances_leaves_the_digest),
        CHECK(a_fault_of_a_pin_is_the_netlist_with_that_pin_tied),
        CHECK(faults_of_one_class_do_the_same),
        CHECK(an_output_with_one_reader_is_one_class_with_it),
        CHECK(a_pin_of_a_cell_with_two_outputs_is_a_reader),
        CHECK(a_clock_stuck_at_either_value_stops_what_it_clocks),
        CHECK(what_is_not_understood_is_refused_with_its_name_and_place),
        CHECK(undriven_ties_and_one_clock_joins), CHECK(gatesim_takes_0_and_1_for_undriven_pins),
        CHECK(a_pin_without_a_direction_is_no_input),
        CHECK(a_liberty_file_is_refused_with_its_line),
        CHECK(damaged_files_are_read_or_refused_with_a_message));
}
