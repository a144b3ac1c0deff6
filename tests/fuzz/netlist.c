/* netlist.c -- fuzz target: a netlist as BLIF (first byte 0), as .bench (1), constraints on the inputs of
 * one (2), its patterns as STIL (3) or VCD (4), a netlist of library cells as Verilog (5), its library as Liberty (6), or a
 * list of its faults (7). What is refused is told with its file; in what is accepted both simulators say the same of every fault,
 * and patterns and lists can be written and read again. */
#include <string.h>

#include "base/random.h"
#include "gate/lists/lists.h"
#include "gate/mapped/mapped.h"
#include "gate/prove/constrain.h"
#include "gate/sim.h"
#include "gate/tester/formats.h"
#include "fuzz.h"

static void check_message(const char *file, const struct fl_err *err)
{
    FUZZ_CHECK(strncmp(err->msg, file, strlen(file)) == 0, "%s", err->msg);
}

/* Each fault in 64 patterns at once, and as one of a group in the first of them. */
static void check_faults(const struct gate_netlist *n, const struct gate_faults *f)
{
    uint64_t seed = 1, *source = fl_alloc((n->inputs + n->flops) * sizeof *source),
             *input = fl_alloc((n->inputs / 64 + 1) * sizeof *input);
    struct gate_sim *s = gate_sim_new(n, 64);
    struct gate_group *g = gate_group_new(n, 64);
    for (uint32_t i = 0; i < n->inputs + n->flops; i++) {
        source[i] = fl_random(&seed);
        if (i < n->inputs)
            input[i / 64] |= (source[i] & 1) << i % 64;
    }
    gate_sim_load(s, source, 64);
    for (uint32_t from = 0; from < f->count && from < 630; from += 63) {
        uint32_t count = f->count - from < 63 ? f->count - from : 63;
        gate_group_set(g, GATE_STUCK, f->fault + from, count);
        for (uint32_t k = 0; k < n->flops; k++)
            *gate_group_flop(g, k) = -(source[n->inputs + k] & 1);
        gate_group_eval(g, input);
        for (uint32_t i = 0; i < count; i++) {
            const struct gate_diff *diff;
            int diffs = gate_sim_fault(s, GATE_STUCK, f->fault[from + i], &diff), seen = 0;
            for (int d = 0; d < diffs; d++)
                seen += diff[d].mask[0] & 1;
            for (uint32_t w = 0; w < n->outputs + n->flops; w++) {
                uint64_t v = *gate_group_watched(g, w);
                seen -= (int)((v >> i ^ v >> 63) & 1);
            }
            FUZZ_CHECK(seen == 0, "fault %u of %s", f->fault[from + i], n->digest);
        }
    }
    gate_sim_free(s);
    gate_group_free(g);
    free(source);
    free(input);
}

static void check_netlist(const char *file, const char *text)
{
    struct gate_netlist *n = NULL;
    struct fl_err err = {""};
    if (gate_read_text(file, text, &n, &err)) {
        check_message(file, &err);
        return;
    }
    struct gate_faults *f = gate_faults_new(n, GATE_STUCK);
    for (uint32_t i = 0; i < f->all; i++) {
        char id[GATE_ID_ROOM];
        uint32_t back;
        gate_fault_id(n, GATE_STUCK, i, id);
        FUZZ_CHECK(gate_fault_parse(n, GATE_STUCK, id, &back, &err) == 0 && back == i, "%s", id);
        FUZZ_CHECK(f->fault[f->class_of[i]] <= i, "%s", id);
    }
    check_faults(n, f);
    gate_faults_free(f);
    gate_netlist_free(n);
}

static void check_constraints(const char *text)
{
    static const char netlist[] = ".inputs a b[0] b[1] b[2] c\n.outputs y\n.latch y q 0\n"
                                  ".names a q y\n11 1\n";
    struct gate_netlist *n = NULL;
    struct gate_constraints *c = NULL;
    struct fl_err err = {""};
    FUZZ_CHECK(gate_read_text("n", netlist, &n, &err) == 0, "%s", err.msg);
    if (gate_constraints_text("f", text, n, &c, &err))
        check_message("f:", &err);
    for (uint32_t v = 0; c && v < 64; v++) {
        uint8_t source[6];
        for (int i = 0; i < 6; i++)
            source[i] = v >> i & 1;
        FUZZ_CHECK(gate_constraints_broken(c, source) < (int)c->lines, "%u", v);
    }
    gate_constraints_free(c);
    gate_netlist_free(n);
}

static void check_patterns(bool stil, const char *text)
{
    static const char netlist[] =
        "INPUT(a)\nINPUT(se)\nINPUT(si)\nOUTPUT(y)\nOUTPUT(so)\nso = BUFF(r)\n"
        "q = DFF(m)\nm = MUX(se, d, si)\nr = DFF(p)\np = MUX(se, a, q)\n"
        "d = XOR(a, r)\ny = AND(a, q)\n";
    for (int scan = GATE_SCAN_AUTO; scan <= GATE_CYCLES; scan++) {
        struct gate_netlist *n = NULL;
        struct gate_patterns p = {0}, q = {0};
        struct gate_reading how = {.period = 10000000, .strobe = 9000000, .most = 4096};
        struct fl_buf notes = {0}, out = {0};
        struct fl_err err = {""};
        how.scan = scan == GATE_SCAN     ? GATE_SCAN
                   : scan == GATE_CYCLES ? GATE_CYCLES
                                         : GATE_SCAN_AUTO;
        FUZZ_CHECK(gate_read_text("n.bench", netlist, &n, &err) == 0, "%s", err.msg);
        if ((stil ? gate_stil_read : gate_vcd_read)("f", text, n, &how, &p, &notes, &err)) {
            check_message("f:", &err);
        } else {
            struct gate_strobes s = gate_strobes_check(n, &p);
            FUZZ_CHECK(s.differ <= s.count && p.count <= 4096, "%u", p.count);
            FUZZ_CHECK(gate_stil_print(n, &p, &out, &err) == 0, "%s", err.msg);
            how.most = 0;
            FUZZ_CHECK(gate_stil_read("o", (const char *)out.data, n, &how, &q, &notes, &err) == 0,
                       "%s", err.msg);
            FUZZ_CHECK(q.count <= p.count && gate_strobes_check(n, &q).differ == 0, "%u", q.count);
        }
        gate_patterns_free(&p);
        gate_patterns_free(&q);
        fl_buf_free(&notes);
        fl_buf_free(&out);
        gate_netlist_free(n);
    }
}

static const char cells[] =
    "library (l) { cell (NAND2) { pin (A, B) { direction : input; }\n"
    "  pin (Y) { direction : output; function : \"!(A&B)\"; } }\n"
    " cell (FA) { pin (A, B, C) { direction : input; } pin (S) { direction : output; function : "
    "\"A^B^C\"; }\n  pin (CO) { direction : output; function : \"(A*B)+(B*C)+(A*C)\"; } }\n"
    " cell (DFFRS) { ff (IQ, IQN) { clocked_on : \"CK\"; next_state : \"D\"; clear : \"RN'\";\n"
    "   preset : \"SN'\"; clear_preset_var1 : H; clear_preset_var2 : L; } pin (D, CK, RN, SN) {\n"
    "  direction : input; } pin (Q) { direction : output; function : \"IQ\"; } }\n"
    " cell (ICG) { clock_gating_integrated_cell : \"latch_posedge\"; pin (CK) { direction : "
    "input;\n"
    "  clock_gate_clock_pin : true; } pin (E) { direction : input; clock_gate_enable_pin : true; "
    "}\n"
    "  pin (GCK) { direction : output; clock_gate_out_pin : true; } } }\n";
static const char unit[] =
    "module t (ck, rn, a, q); input ck, rn; input [2:0] a; output [1:0] q; wire g, s, c, n;\n"
    "ICG i (.CK(ck), .E(a[0]), .GCK(g)); FA f (.A(a[0]), .B(a[1]), .C(q[0]), .S(s), .CO(c));\n"
    "NAND2 u (.A(c), .B(a[2]), .Y(n)); DFFRS r0 (.D(s), .CK(g), .RN(rn), .SN(1'b1), .Q(q[0]));\n"
    "DFFRS r1 (.D(n), .CK(ck), .RN(1'b1), .SN(rn), .Q(q[1])); endmodule\n";

static void check_mapped(const char *verilog, const char *liberty)
{
    static const char *const path[] = {"f.lib"};
    for (int ties = -1; ties < 2; ties += 2) { /* as it is, and with all that can be permitted */
        const struct gate_how how = {path, 1, NULL, ties, ties > 0};
        const char *const library[] = {liberty};
        struct gate_netlist *n = NULL;
        struct fl_err err = {""};
        if (gate_read_verilog("f.v", verilog, &how, library, &n, &err)) {
            check_message("f.", &err);
            continue;
        }
        struct gate_faults *f = gate_faults_new(n, GATE_STUCK);
        for (uint32_t i = 0; i < 2 * n->places; i++) {
            char *id = fl_format("%s:sa%u", n->place[i / 2].name, i % 2);
            uint32_t back;
            FUZZ_CHECK(gate_fault_parse(n, GATE_STUCK, id, &back, &err) == 0 &&
                           back == n->place[i / 2].fault[i % 2],
                       "%s", id);
            free(id);
        }
        check_faults(n, f);
        gate_faults_free(f);
        gate_netlist_free(n);
    }
}

static void check_list(const char *text)
{
    static const char *const path[] = {"f.lib"}, *const library[] = {cells};
    const struct gate_how how = {path, 1, NULL, -1, false};
    struct gate_netlist *n = NULL;
    struct gate_listed l, again;
    struct fl_err err = {""};
    FUZZ_CHECK(gate_read_verilog("f.v", unit, &how, library, &n, &err) == 0, "%s", err.msg);
    struct gate_faults *f = gate_faults_new(n, GATE_STUCK);
    const char *file = fuzz_file("list", text, strlen(text));
    if (gate_lists_read(file, n, f, &l, &err)) {
        check_message(file, &err);
    } else {
        struct fl_buf out = {0};
        uint8_t *status = fl_alloc(l.faults->count);
        for (uint32_t c = 0; c < l.faults->count; c++)
            status[c] = l.status ? l.status[c] : GATE_IS_UNOBSERVED;
        gate_lists_write(n, l.faults, l.form, false, status, &out);
        if (l.faults->count) {
            file = fuzz_file("again", (const char *)out.data, out.size);
            FUZZ_CHECK(gate_lists_read(file, n, f, &again, &err) == 0, "%s", err.msg);
            FUZZ_CHECK(again.faults->count == l.faults->count, "%u", again.faults->count);
            gate_listed_free(&again);
        }
        fl_buf_free(&out);
        free(status);
        gate_listed_free(&l);
    }
    gate_faults_free(f);
    gate_netlist_free(n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1 || size > 8192 || memchr(data + 1, 0, size - 1))
        return 0;
    char *text = fl_alloc(size);
    memcpy(text, data + 1, size - 1);
    if (data[0] == 3 || data[0] == 4)
        check_patterns(data[0] == 3, text);
    else if (data[0] == 2)
        check_constraints(text);
    else if (data[0] == 5)
        check_mapped(text, cells);
    else if (data[0] == 6)
        check_mapped(unit, text);
    else if (data[0] == 7)
        check_list(text);
    else
        check_netlist(data[0] ? "f.bench" : "f.blif", text);
    free(text);
    return 0;
}
