/* mapped_cells.c -- see mapped_cells.h. */
#include "mapped_cells.h"

#include <string.h>

#include "base/random.h"
#include "tests/lib/check.h"

const char *const mapped_cells =
    "/* cells of the tests */ library (test) {\n"
    " cell (INV) { pin (A) { direction : input; } pin (Y) { direction : output; function : \"A'\"; "
    "} }\n"
    " cell (BUF) { pin (A) { direction : input; } pin (Y) { direction : output; function : \"A\"; "
    "} }\n"
    " cell (NAND2) { area : 1.5; pin (A, B) { direction : input; timing () { x (\"1, 2\"); } }\n"
    "  pin (Y) { direction : output; function : \"!(A&B)\"; } }\n"
    " cell (AOI21) { pin (A) { direction : input } pin (B) { direction : input; } pin (C) {\n"
    "  direction : input; } pin (Y) { direction : output; function : \"((A B) + C)'\"; } }\n"
    " cell (MUX2) { pin (S, A, B) { direction : input; }\n"
    "  pin (Y) { direction : output; function : \"S*B | !S*A\"; } }\n"
    " cell (FA) { pin (A, B, C) { direction : input; }\n"
    "  pin (S) { direction : output; function : \"A^B^C\"; }\n"
    "  pin (CO) { direction : output; function : \"(A*B)+(B*C)+(A*C)\"; } }\n"
    " cell (WIDE) { pin (A, B, C, D, E, F, G, H) { direction : input; }\n"
    "  pin (Y) { direction : output; function : \"(A & B) | (C & D) | (E & F) | (G & H)\"; } }\n"
    " cell (TIE1) { pin (Y) { direction : output; function : \"1\"; } }\n"
    " cell (DFF) { ff (IQ, IQN) { clocked_on : \"CK\"; next_state : \"D\"; }\n"
    "  pin (D, CK) { direction : input; } pin (Q) { direction : output; function : \"IQ\"; }\n"
    "  pin (QN) { direction : output; function : \"IQN\"; } }\n"
    " cell (DFFN) { ff (IQ, IQN) { clocked_on : \"!CK\"; next_state : \"D\"; }\n"
    "  pin (D, CK) { direction : input; } pin (Q) { direction : output; function : \"IQ\"; } }\n"
    " cell (DFFE) { ff (IQ, IQN) { clocked_on : \"CK\"; next_state : \"E D + E' IQ\"; }\n"
    "  pin (D, E, CK) { direction : input; } pin (Q) { direction : output; function : \"IQ\"; } }\n"
    " cell (DFFRS) { ff (IQ, IQN) { clocked_on : \"CK\"; next_state : \"D\"; clear : \"RN'\";\n"
    "   preset : \"SN'\"; clear_preset_var1 : H; clear_preset_var2 : L; }\n"
    "  pin (D, CK, RN, SN) { direction : input; } pin (Q) { direction : output; function : \"IQ\"; "
    "}\n"
    "  pin (QN) { direction : output; function : \"IQN\"; } }\n"
    " cell (SDFFR) { ff (IQ, IQN) { clocked_on : \"CK\"; next_state : \"SE SI + SE' (E D + E' "
    "IQ)\";\n"
    "   clear : \"RN'\"; }\n"
    "  pin (D, E, SI, SE, CK, RN) { direction : input; }\n"
    "  pin (Q) { direction : output; function : \"IQ\"; } }\n"
    " cell (ICG) { clock_gating_integrated_cell : \"latch_posedge_precontrol\";\n"
    "  statetable (\"CK E\", \"IQ\") { table : \"L H : - : H\"; }\n"
    "  pin (IQ) { direction : internal; internal_node : \"IQ\"; }\n"
    "  pin (CK) { direction : input; clock_gate_clock_pin : true; }\n"
    "  pin (E) { direction : input; clock_gate_enable_pin : true; }\n"
    "  pin (TE) { direction : input; clock_gate_test_pin : true; }\n"
    "  pin (GCK) { direction : output; clock_gate_out_pin : true; state_function : \"CK*IQ\"; } }\n"
    " cell (LATCH) { latch (IQ, IQN) { enable : \"G\"; data_in : \"D\"; }\n"
    "  pin (D, G) { direction : input; } pin (Q) { direction : output; function : \"IQ\"; } }\n"
    " cell (TBUF) { pin (A, EN) { direction : input; }\n"
    "  pin (Y) { direction : output; function : \"A\"; three_state : \"EN\"; } }\n"
    " cell (PAD) { pin (P) { direction : inout; } pin (Y) { direction : output; function : \"P\"; "
    "} }\n"
    " cell (RAM) { memory () { type : ram; } pin (A) { direction : input; } }\n"
    "}\n";

const struct gate_how mapped_plain = {
    .liberty = (const char *const[]){"cells.lib"}, .liberties = 1, .undriven = -1};

int mapped_try(const char *text, const struct gate_how *how, struct gate_netlist **n,
               struct fl_err *err)
{
    const char *const library[] = {mapped_cells};
    *n = NULL;
    return gate_read_verilog("unit.v", text, how, library, n, err);
}

struct gate_netlist *mapped_read_with(const char *text, const struct gate_how *how)
{
    struct gate_netlist *n;
    struct fl_err err = {""};
    if (mapped_try(text, how, &n, &err))
        fprintf(stderr, "%s\n%s", err.msg, text);
    CU_ASSERT_FATAL(n != NULL);
    return n;
}

struct gate_netlist *mapped_read(const char *text)
{
    return mapped_read_with(text, &mapped_plain);
}

/* A random netlist of all kinds of mapped_cells, in which pin number `fault` is tied to `value`, so that the
 * text is the faulty machine. The name of that pin into `name`; false: there is no such pin. */
enum { CELLS = 14 };
bool mapped_random(uint64_t seed, int fault, int value, struct fl_buf *out, char name[32])
{
    static const struct {
        const char *cell, *in[8], *outs[2];
    } kind[] = {{"INV", {"A"}, {"Y"}},
                {"NAND2", {"A", "B"}, {"Y"}},
                {"AOI21", {"A", "B", "C"}, {"Y"}},
                {"MUX2", {"S", "A", "B"}, {"Y"}},
                {"FA", {"A", "B", "C"}, {"S", "CO"}},
                {"WIDE", {"A", "B", "C", "D", "E", "F", "G", "H"}, {"Y"}},
                {"DFF", {"D"}, {"Q", "QN"}},
                {"DFFE", {"D", "E"}, {"Q"}},
                {"DFFRS", {"D", "RN", "SN"}, {"Q", "QN"}},
                {"SDFFR", {"D", "E", "SI", "SE", "RN"}, {"Q"}}};
    int pin = 0, nets = MAPPED_INPUTS;
    struct fl_buf tied = {0};
    fl_buf_printf(out,
                  "module t (ck, i, o, p); input ck; input [%d:0] i; output [3:0] o; output p;\n"
                  "wire [%d:0] n; assign n[%d:0] = i;\n",
                  MAPPED_INPUTS - 1, MAPPED_INPUTS + 2 * CELLS, MAPPED_INPUTS - 1);
    *name = 0;
    for (int c = 0; c < CELLS; c++) {
        size_t k = fl_random(&seed) % (sizeof kind / sizeof *kind);
        fl_buf_printf(out, "%s u%d (", kind[k].cell, c);
        for (int p = 0; p < 8 && kind[k].in[p]; p++, pin++) {
            int from = (int)(fl_random(&seed) % (uint64_t)nets);
            if (pin == fault) {
                fl_buf_printf(out, ".%s(1'b%d), ", kind[k].in[p], value);
                snprintf(name, 32, "u%d/%s", c, kind[k].in[p]);
            } else {
                fl_buf_printf(out, ".%s(n[%d]), ", kind[k].in[p], from);
            }
        }
        if (strstr(kind[k].cell, "DFF"))
            fl_buf_printf(out, ".CK(ck), ");
        bool second = fl_random(&seed) & 1;
        for (int p = 0; p < 2 && kind[k].outs[p] && (p == 0 || second); p++, pin++, nets++) {
            if (pin == fault) {
                fl_buf_printf(&tied, "assign n[%d] = 1'b%d;\n", nets, value);
                snprintf(name, 32, "u%d/%s", c, kind[k].outs[p]);
                fl_buf_printf(out, "%s.%s()", p ? ", " : "", kind[k].outs[p]);
            } else {
                fl_buf_printf(out, "%s.%s(n[%d])", p ? ", " : "", kind[k].outs[p], nets);
            }
        }
        fl_buf_printf(out, ");\n");
    }
    fl_buf_printf(out, "%sassign o = n[%d:%d], p = n[%d];\nendmodule\n",
                  tied.size ? (const char *)tied.data : "", nets - 1, nets - 4, nets - 6);
    fl_buf_free(&tied);
    return fault < pin;
}
