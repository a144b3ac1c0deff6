/* test_gate_tester.c -- patterns in the formats of testers: STIL is read as its standard says, VCD and extended VCD are
 * sampled as told, and what is written can be read again. */
#include <string.h>

#include "base/random.h"
#include "gate/cover.h"
#include "gate/tester/formats.h"
#include "tests/lib/check.h"
#include "tests/mapped/mapped_cells.h"
#include "tests/gate/netlists.h"

enum { INPUTS = 6, FLOPS = 7, GATES = 60 };

/* A random netlist whose ports have names of their own, as those of hardware have. */
static struct gate_netlist *random_netlist(uint64_t seed, uint32_t flops)
{
    struct fl_buf b = netlists_random_text(seed, INPUTS, GATES, flops), out = {0};
    char *text = (char *)b.data, *line = strstr(text, ".outputs"), *end = strchr(line, '\n');
    fl_buf_add(&out, text, (size_t)(line - text));
    fl_buf_printf(&out, ".outputs");
    for (uint32_t i = INPUTS; i < INPUTS + flops + GATES; i++)
        if (fl_random(&seed) % 6 == 0 || i + 1 == INPUTS + flops + GATES)
            fl_buf_printf(&out, " x%u", i);
    fl_buf_printf(&out, "%s", end);
    struct gate_netlist *n = netlists_read("random.blif", (const char *)out.data);
    fl_buf_free(&b);
    fl_buf_free(&out);
    return n;
}

static int read_stil(const struct gate_netlist *n, const char *text, const struct gate_reading *how,
                     struct gate_patterns *p, struct fl_err *err)
{
    struct fl_buf notes = {0};
    int bad = gate_stil_read("x.stil", text, n, how, p, &notes, err);
    fl_buf_free(&notes);
    return bad;
}

static bool bit(const uint64_t *array, uint32_t rows, uint32_t pattern, uint32_t row)
{
    return array[(size_t)(pattern / 64) * rows + row] >> pattern % 64 & 1;
}

/* ---- written and read again ------------------------------------------------------------------- */

static void check_again(uint64_t seed, uint32_t flops, enum gate_model model, bool scan,
                        bool strobes)
{
    struct gate_netlist *n = random_netlist(seed, flops);
    struct gate_faults *f = gate_faults_new(n, model);
    bool sets = scan && n->flops;
    struct gate_patterns p = gate_patterns_random(n->inputs + (sets ? n->flops : 0), 150, seed), q;
    size_t words = (p.count + 63) / 64;
    if (strobes) {
        p.watched = n->outputs + (sets ? n->flops : 0);
        p.strobe = fl_alloc(words * p.watched * sizeof *p.strobe);
        for (size_t i = 0; i < words * p.watched; i++)
            p.strobe[i] = fl_random(&seed);
        p.hold = fl_alloc(words * sizeof *p.hold);
        for (size_t i = 0; i < words && !scan; i++)
            p.hold[i] = fl_random(&seed) & fl_random(&seed);
    }
    struct fl_buf text = {0};
    struct fl_err err = {""};
    struct gate_found *first = fl_alloc(f->count * sizeof *first),
                      *again = fl_alloc(f->count * sizeof *again);
    struct gate_reading how = {.pairs = model == GATE_TRANSITION};
    struct gate_cover cover = {n->flops == 0 || scan ? GATE_BY_PATTERNS : GATE_MIXED, 64, false};
    CU_ASSERT_FATAL(gate_stil_print(n, &p, &text, &err) == 0);
    if (read_stil(n, (const char *)text.data, &how, &q, &err)) {
        fprintf(stderr, "\n%s\n%s", err.msg, (const char *)text.data);
        CU_FAIL_FATAL("not read");
    }
    struct gate_strobes s = gate_strobes_check(n, &q);
    CU_ASSERT(s.count > 100 && s.differ == 0);
    gate_cover(n, f, &p, cover, first);
    gate_cover(n, f, &q, cover, again);
    uint32_t wrong = 0, found = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        wrong += (first[i].times == 0) != (again[i].times == 0);
        if (!strobes) /* patterns that observe nothing may be left out */
            wrong += first[i].first != again[i].first || first[i].times != again[i].times;
        found += first[i].times > 0;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(found > 10);
    fl_buf_free(&text);
    free(first);
    free(again);
    gate_patterns_free(&p);
    gate_patterns_free(&q);
    gate_faults_free(f);
    gate_netlist_free(n);
}

static void what_is_written_as_stil_detects_the_same_when_it_is_read(void)
{
    for (uint64_t seed = 1; seed <= (check_few() ? 4 : 12); seed++)
        for (int strobes = 0; strobes < 2; strobes++) {
            check_again(seed, 0, GATE_STUCK, false, strobes);
            check_again(seed, 0, GATE_TRANSITION, false, strobes);
            check_again(seed, FLOPS, GATE_STUCK, false, strobes);
            check_again(seed, FLOPS, GATE_TRANSITION, false, strobes);
            check_again(seed, FLOPS, GATE_STUCK, true, strobes);
        }
}

static void ports_that_stil_cannot_name_are_told(void)
{
    static const char *const text[] = {".inputs a\n.outputs a\n", ".inputs a\"b\n.outputs a\"b\n"};
    for (int i = 0; i < 2; i++) {
        struct gate_netlist *n = netlists_read("x.blif", text[i]);
        struct gate_patterns p = gate_patterns_random(1, 3, 1);
        struct fl_buf out = {0};
        struct fl_err err = {""};
        CU_ASSERT(gate_stil_print(n, &p, &out, &err) == -1);
        CU_ASSERT(strncmp(err.msg, "x.blif: ", 8) == 0);
        fl_buf_free(&out);
        gate_patterns_free(&p);
        gate_netlist_free(n);
    }
}

/* ---- STIL: statements ------------------------------------------------------------------------- */

#define HEAD                                                                                       \
    "STIL 1.0 { Design 2005; }\n"                                                                  \
    "Header { Title \"x\"; History { Ann {* \"it's } *} } }\n"                                     \
    "Signals { a[1..0] In; \"b\" In; \"y\" Out; z Out; \"VDD\" Supply; }\n"                        \
    "SignalGroups { \"_pi\" = 'a[1..0] + \"b\"'; \"_po\" = '\"y\" + z'; all = '_pi + _po - y'; "   \
    "}\n"

static struct gate_netlist *three_inputs(void)
{
    return netlists_read("x.blif", ".inputs b a[0] a[1]\n.outputs y z\n.names a[0] a[1] y\n11 1\n"
                                   ".names b z\n1 1\n");
}

/* Patterns as "b a[0] a[1]/y z", a space between them. */
static void describe(const struct gate_netlist *n, const struct gate_patterns *p,
                     struct fl_buf *out)
{
    for (uint32_t k = 0; k < p->count; k++) {
        fl_buf_printf(out, "%s", k ? " " : "");
        for (uint32_t i = 0; i < p->sources; i++)
            fl_buf_printf(out, "%d", bit(p->word, p->sources, k, i));
        fl_buf_printf(out, "/");
        for (uint32_t w = 0; w < n->outputs; w++)
            fl_buf_printf(out, "%c",
                          !p->strobe                                      ? '?'
                          : !bit(p->strobe, p->watched, k, w)             ? 'X'
                          : p->expect && bit(p->expect, p->watched, k, w) ? 'H'
                                                                          : 'L');
    }
}

static void statements_of_a_pattern_mean_what_the_standard_says(void)
{
    static const struct {
        const char *text, *means;
    } row[] = {
        {"Pattern p { V { _pi = 011; _po = LH; } }", "110/LH"},
        {"Pattern p { V { 'a[1..0]'=10; b=0; y=L; z = L; } V { b=1; z=H; } }", "001/LL 101/LH"},
        {"Pattern p { V { _pi=\\r3 1; _po=\\r2 H; } }", "111/HH"},
        {"Pattern p { C { _pi=111; } V { _po=HX; } V { b=0; _po=XL; } }", "111/HX 011/XL"},
        /* what is observed while nothing moves is one pattern */
        {"Pattern p { C { _pi=111; } V { _po=HX; } V { _po=XH; } }", "111/HH"},
        /* nothing observed: all is, in each vector */
        {"Pattern p { V { _pi=111; } V { _pi=000; } V { } }", "111/?? 000/?? 000/??"},
        {"Pattern p { V { all=101L; } }", "101/XL"},
        {"Pattern p { Loop 2 { V { b=0; z=L; } V { b=1; z=H; } } }", "000/XL 100/XH 000/XL 100/XH"},
        {"Procedures { q { C { _po=XX; } V { _pi=###; } V { _po=##; } } }\n"
         "Pattern p { \"pattern 0\": Call q { _pi=110; _po=LX; } Call q { _pi=001; _po=LH; } }",
         "011/LX 100/LH"},
        /* a procedure leaves the states of its caller, a macro its own */
        {"Procedures { q { V { _pi=###; _po=##; } } }\n"
         "Pattern p { C { _po=XX; } Call q { _pi=110; _po=LH; } V { _pi=000; } V { _po=HL; } }",
         "011/LH 000/HL"},
        {"MacroDefs { q { V { _pi=110; _po=LH; } } }\n"
         "Pattern p { C { _po=XX; } Macro q; V { _pi=000; } V { _po=HL; } }",
         "011/LH 000/LH 000/HL"},
        /* % leaves the state for the next one */
        {"Procedures { q { V { b=%; z=H; } V { b=#; y=L; } } }\nPattern p { Call q { b=1; } }",
         "100/XH 100/LH"},
        {"MacroDefs { m { V { _pi=100; _po=LL; } } }\nPattern p { Macro m; V { b=1; z=H; } }",
         "001/LL 101/LH"},
        {"Pattern p { V { _pi=000; _po=LL; } Stop; V { _pi=111; _po=HH; } }", "000/LL"},
        {"PatternBurst u { PatList { two { } } }\nPatternExec { PatternBurst u; }\n"
         "Pattern one { V { _pi=000; _po=LL; } }\nPattern two { V { _pi=111; _po=HH; } }",
         "111/HH"},
        {"Pattern one { V { _pi=000; _po=LL; } }\nPattern two { V { _pi=111; _po=HH; } }",
         "000/LL 111/HH"},
        /* letters of a waveform table */
        {"Timing { WaveformTable w { Period '10ns'; Waveforms { _pi { ud { '0ns' U/D; } }\n"
         "_po { AB { '0ns' X; '4ns' CompareHigh/L; } } } } }\n"
         "Pattern p { W w; V { _pi=udu; _po=BA; } }",
         "101/LH"},
        {"Timing { WaveformTable w { Waveforms { b { P { '0ns' U; '5ns' D; '8ns' U; } } } } }\n"
         "Pattern p { W w; V { 'a[1..0]'=00; b=P; z=H; } }",
         "100/XH"},
        /* those of another domain are for others */
        {"SignalGroups other { _pi = 'b'; }\nPattern p { V { _pi=111; _po=HH; } }", "111/HH"},
        {"SignalGroups other { _pi = 'b'; }\nPatternBurst u { SignalGroups other; PatList { p; } "
         "}\n"
         "PatternExec { PatternBurst u; } Pattern p { V { _pi=1; _po=XH; } }",
         "100/XH"},
        {"Pattern p { // V { _pi=000; }\n/* V { _pi=000; } */ Ann {* V { } *} V { _pi=111; _po=HH; "
         "} }",
         "111/HH"},
    };
    struct gate_netlist *n = three_inputs();
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char *text = fl_format("%s%s", HEAD, row[i].text);
        struct gate_reading how = {.pairs = false};
        struct gate_patterns p = {0};
        struct fl_err err = {""};
        struct fl_buf means = {0};
        if (read_stil(n, text, &how, &p, &err) == 0)
            describe(n, &p, &means);
        fl_buf_add(&means, "", 1);
        if (strcmp((const char *)means.data, row[i].means) != 0)
            fprintf(stderr, "\n%s\nshould be %s, is %s%s\n", row[i].text, row[i].means,
                    (const char *)means.data, err.msg);
        CU_ASSERT_STRING_EQUAL(means.data, row[i].means);
        fl_buf_free(&means);
        gate_patterns_free(&p);
        free(text);
    }
    gate_netlist_free(n);
}

static void stil_that_cannot_be_read_is_told_with_its_place(void)
{
    static const struct {
        const char *text, *says;
    } row[] = {
        {"Pattern p { V { _pi = 01; } }", "x.stil:5: '_pi' has 3 signals, and 2 states are given"},
        {"Pattern p {\nV { _pj = 011; } }",
         "x.stil:6: there is no signal and no group '_pj' (did you mean _pi?)"},
        {"Pattern p { V { _pi = 01q; } }", "x.stil:5: signal 'b' has the state 'q'"},
        {"Pattern p { V { _pi = 011 } }", "x.stil:5: states end with ';'"},
        {"Pattern p { V { _pi = \\r0", "x.stil:5: 'p' begins here and is not closed"},
        {"Pattern p { V { _pi = \\r; } }", "x.stil:5: '\\r' in states is not supported"},
        {"Pattern p { V { _pi = \\h0; } }", "x.stil:5: '\\h' in states is not supported"},
        {"Pattern p { V { _pi = \\r3 ; } }", "x.stil:5: \\r repeats one state"},
        {"Pattern p { V _pi = 011; }", "x.stil:5: '{' expected, '_pi' found"},
        {"Pattern p { Vec { } }", "x.stil:5: 'Vec' is no statement"},
        {"Pattern p { Call q; }", "x.stil:5: there is no procedure 'q'"},
        {"Procedures { q { Call q; } }\nPattern p { Call q; }",
         "x.stil:5: procedures and macros call each other more than 16 deep"},
        {"Pattern p { W w; V { } }\nTiming { WaveformTable v { } }",
         "x.stil:5: there is no waveform table 'w'"},
        {"Pattern p { Loop Data { } }", "x.stil:5: Loop takes a number"},
        {"Pattern p { MatchLoop 5 { } }", "x.stil:5: MatchLoop depends on the answers"},
        {"Pattern p { Shift { } }", "x.stil:5: Shift belongs into a procedure"},
        {"Pattern p { Loop 99999 { Loop 99999 { } } }", "x.stil:5: the loops of this file run"},
        {"Pattern p { }", "x.stil: no vector"},
        {"", "x.stil: no Pattern block"},
        {"PatternExec { PatternBurst b; }", "PatternExec names the burst 'b', and there is none"},
        {"PatternBurst b { PatList { q; } }", "the burst lists the pattern 'q', and there is none"},
        {"Include \"more.stil\";", "x.stil:5: Include is not followed"},
        {"Signals { b In; }", "x.stil:5: signal 'b' is here twice"},
        {"Signals { c Up; }", "x.stil:5: a signal is In, Out"},
        {"SignalGroups { g = 'b c'; }", "x.stil:5: names of a group are joined by + or -"},
        {"Ann { text }", "x.stil:5: an annotation is Ann {* text *}"},
        {"Header { Title \"open; }", "x.stil:5: a quotation that begins here has no end"},
        {"ScanStructures { ScanChain \"1\" { ScanIn q; } }",
         "x.stil:5: chain '1': 'q' is no signal"},
        {"}", "x.stil:5: a block such as Signals"},
    };
    struct gate_netlist *n = three_inputs();
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char *text = fl_format("%s%s", HEAD, row[i].text);
        struct gate_reading how = {.pairs = false};
        struct gate_patterns p = {0};
        struct fl_err err = {""};
        CU_ASSERT(read_stil(n, text, &how, &p, &err) == -1);
        if (!strstr(err.msg, row[i].says))
            fprintf(stderr, "\n%s\nshould say: %s\nsays:       %s\n", row[i].text, row[i].says,
                    err.msg);
        CU_ASSERT(strstr(err.msg, row[i].says) != NULL);
        free(text);
    }
    struct gate_patterns p = {0};
    struct gate_reading how = {.pairs = false};
    struct fl_err err = {""};
    CU_ASSERT(read_stil(n, "STIL 1.0;\nSignals { a[0] In; b In; y Out; }\nPattern p { }", &how, &p,
                        &err) == -1);
    CU_ASSERT(strstr(err.msg, "x.stil: input 'a[1]' of the netlist is no input of the file "
                              "(did you mean a[0]?)") != NULL);
    gate_netlist_free(n);
}

/* ---- STIL: clocks and scan -------------------------------------------------------------------- */

static void only_a_pulse_is_a_clock_edge(void)
{
    static const struct {
        const char *signals, *pattern, *means;
    } row[] = {
        /* q holds what a was at the last pulse */
        {"clk In;",
         "V { a=1; y=L; clk=P; } V { a=0; y=H; clk=0; } V { y=H; clk=P; } V { y=L; clk=0; }",
         "1/L 0/H 0/H 0/L"},
        /* no pulse, no other signal: each vector is a cycle */
        {"", "V { a=1; y=L; } V { a=0; y=H; } V { y=L; }", "1/L 0/H 0/L"},
        /* one that moves without pulses is a clock, and an edge takes what was there before it */
        {"clk In;",
         "V { a=1; y=L; clk=0; } V { a=0; y=H; clk=1; } V { y=H; clk=0; } V { y=L; clk=1; }",
         "1/L 0/H 0/H 0/L"},
        /* of two nobody knows which is the clock */
        {"c1 In; c2 In;", "V { a=1; y=L; c1=0; c2=0; } V { a=0; y=L; c1=1; c2=1; } V { a=1; y=L; }",
         "1/L 0/L 1/L"},
        /* and one that does not move is none */
        {"vdd In;", "V { a=1; y=L; vdd=1; } V { a=0; y=H; } V { y=L; }", "1/L 0/H 0/L"},
    };
    struct gate_netlist *n = netlists_read("x.bench", "INPUT(a)\nOUTPUT(y)\ny = DFF(a)\n");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char *text = fl_format("STIL 1.0;\nSignals { a In; y Out; %s }\nPattern p { %s }\n",
                               row[i].signals, row[i].pattern);
        struct gate_reading how = {.pairs = false};
        struct gate_patterns p = {0};
        struct fl_err err = {""};
        struct fl_buf means = {0};
        CU_ASSERT_FATAL(read_stil(n, text, &how, &p, &err) == 0);
        describe(n, &p, &means);
        fl_buf_add(&means, "", 1);
        CU_ASSERT_STRING_EQUAL(means.data, row[i].means);
        struct gate_strobes s = gate_strobes_check(n, &p);
        CU_ASSERT(s.count == p.count && s.differ == 0);
        fl_buf_free(&means);
        gate_patterns_free(&p);
        free(text);
    }
    gate_netlist_free(n);
}

/* A netlist with two scan chains, 4 and 2 cells long, with inversions here and there, and a STIL file of `count` random
 * patterns for it, whose strobes are those of a machine net by net. */
static const char scan_netlist[] =
    "INPUT(a)\nINPUT(b)\nINPUT(se)\nINPUT(s1)\nINPUT(s2)\nOUTPUT(y)\nOUTPUT(o1)\nOUTPUT(o2)\n"
    "u/p = DFF(m0)\nu/q = DFF(m1)\nu/r = DFF(m2)\nu/s = DFF(m3)\nv = DFF(m4)\nw = DFF(m5)\n"
    "m0 = MUX(se, d0, s1)\nnp = NOT(u/p)\nm1 = MUX(se, d1, np)\nm2 = MUX(se, d2, u/q)\nnr = "
    "NOT(u/r)\n"
    "m3 = MUX(se, d3, nr)\no1 = NOT(u/s)\nns2 = NOT(s2)\nm4 = MUX(se, d4, ns2)\nm5 = MUX(se, d5, "
    "v)\n"
    "o2 = BUFF(w)\nd0 = XOR(a, w)\nd1 = AND(b, u/p)\nd2 = OR(u/q, v)\nd3 = XOR(u/r, b)\nd4 = "
    "NAND(u/s, a)\n"
    "d5 = NOR(u/p, v)\ny = XOR(u/q, w)\n";

static const char scan_head[] =
    "STIL 1.0;\nSignals { a In; b In; se In; s1 In { ScanIn; } s2 In { ScanIn; } ck In; y Out; o1 "
    "Out { ScanOut; }\n"
    "o2 Out { ScanOut; } }\nSignalGroups { _pi='a+b+se+s1+s2+ck'; _po='y+o1+o2'; _si='s1+s2'; "
    "_so='o1+o2'; }\n"
    "ScanStructures { ScanChain \"1\" { ScanLength 4; ScanIn s1; ScanOut o1;\n"
    "ScanCells \"top.u.p.SI\" ! \"top.u.q.SI\" \"top.u.r.SI\" ! \"top.u.s.SI\" !; }\n"
    "ScanChain \"2\" { ScanLength 2; ScanIn s2; ScanOut o2; ScanCells ! { \"v\"; \"w\"; } } }\n"
    "Procedures { load_unload { C { _po=XXX; ck=0; } V { se=1; } Shift { V { _si=##; _so=##; ck=P; "
    "} } }\n"
    "capture { C { _po=XXX; } V { _pi=######; _po=###; } } }\nPattern p {\n";

static void scan_text(const struct gate_netlist *n, uint32_t count, uint64_t seed, struct fl_buf *b,
                      uint8_t (*state)[6])
{
    uint8_t input[5], next[6];
    struct naive m = naive_new(n, GATE_STUCK, UINT32_MAX);
    fl_buf_printf(b, "%s", scan_head);
    for (uint32_t k = 0; k <= count; k++) {
        uint8_t *q = state[k];
        fl_buf_printf(b, "Call load_unload { ");
        if (k) /* the last cell first; inversions behind a cell, in front of the scan output */
            fl_buf_printf(b, "o1=%c%c%c%c; o2=%c%c; ", "HL"[next[3]], "LH"[next[2]], "LH"[next[1]],
                          "HL"[next[0]], "LH"[next[5]], "LH"[next[4]]);
        for (int f = 0; f < 6; f++)
            q[f] = fl_random(&seed) >> 63 & 1;
        if (k < count)
            fl_buf_printf(b, "s1=%d%d%d%d; s2=%d%d; ", q[3], !q[2], !q[1], q[0], !q[5], !q[4]);
        fl_buf_printf(b, "}\n");
        if (k == count)
            break;
        for (int i = 0; i < 5; i++)
            input[i] = fl_random(&seed) >> 63 & 1;
        input[2] = 0;
        bool pulse = k % 5 != 0; /* now and then what was loaded comes out again */
        memcpy(m.flop, q, 6);
        naive_eval(&m, input);
        memcpy(next, pulse ? m.watched + n->outputs : q, 6);
        fl_buf_printf(b, "Call capture { _pi=%d%d%d%d%d%c; _po=%c%c%c; }\n", input[0], input[1],
                      input[2], input[3], input[4], pulse ? 'P' : '0', "LH"[m.watched[0]],
                      "LH"[m.watched[1]], "LH"[m.watched[2]]);
    }
    fl_buf_printf(b, "}\n");
    naive_free(&m);
}

static void chains_are_loaded_and_unloaded_by_their_cells_as_by_shifting(void)
{
    enum { COUNT = 40 };
    struct gate_netlist *n = netlists_read("x.bench", scan_netlist);
    uint8_t state[COUNT + 1][6];
    struct fl_buf text = {0};
    struct fl_err err = {""};
    struct gate_patterns p, q;
    scan_text(n, COUNT, 3, &text, state);
    struct gate_reading how = {.scan = GATE_SCAN_AUTO}, shift = {.scan = GATE_CYCLES};
    CU_ASSERT_FATAL(read_stil(n, (const char *)text.data, &how, &p, &err) == 0);
    CU_ASSERT_FATAL(p.count == COUNT && p.sources == n->inputs + n->flops);
    int wrong = 0;
    for (uint32_t k = 0; k < COUNT; k++)
        for (uint32_t f = 0; f < 6; f++)
            wrong += bit(p.word, p.sources, k, n->inputs + f) != state[k][f];
    CU_ASSERT_EQUAL(wrong, 0);
    struct gate_strobes s = gate_strobes_check(n, &p);
    CU_ASSERT(s.count == COUNT * 3 + COUNT * 4 / 5 * 6 && s.differ == 0);
    /* shifted in and out by the multiplexers of the netlist, whose chain ends are as long as the longest chain */
    CU_ASSERT_FATAL(read_stil(n, (const char *)text.data, &shift, &q, &err) == 0);
    CU_ASSERT(q.sources == n->inputs && q.count >= COUNT * 5);
    s = gate_strobes_check(n, &q);
    CU_ASSERT(s.count == COUNT * 3 + COUNT * 6 && s.differ == 0);
    gate_patterns_free(&p);
    gate_patterns_free(&q);
    fl_buf_free(&text);
    gate_netlist_free(n);
}

static void a_wrong_chain_is_told(void)
{
    static const struct {
        const char *from, *to, *says;
    } row[] = {
        {"\"top.u.q.SI\" \"top", "\"top.u.z.SI\" \"top",
         "x.stil:6: chain '1': the netlist has no flip-flop 'top.u.z.SI'"},
        {"{ \"v\"; \"w\"; }", "{ \"w\"; \"w\"; }",
         "x.stil:7: chain '2': flip-flop 'w' is in a chain already"},
        {"SI\" ! \"top.u.s", "SI\" \"top.u.s", "is loaded with"},
        {"ScanLength 2;", "ScanLength 3;",
         "x.stil:7: chain '2' has ScanLength 3, and ScanCells names 2; correct one"},
        {"ScanCells ! { \"v\"; \"w\"; }", "ScanMasterClock ck;",
         "x.stil:7: chain '2' names no cells"},
    };
    struct gate_netlist *n = netlists_read("x.bench", scan_netlist);
    uint8_t state[12][6];
    struct fl_buf text = {0};
    scan_text(n, 11, 3, &text, state);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char *at = strstr((char *)text.data, row[i].from);
        CU_ASSERT_FATAL(at != NULL);
        char *other = fl_format("%.*s%s%s", (int)(at - (char *)text.data), (char *)text.data,
                                row[i].to, at + strlen(row[i].from));
        struct gate_reading how = {.scan = GATE_SCAN};
        struct gate_patterns p = {0};
        struct fl_err err = {""};
        CU_ASSERT(read_stil(n, other, &how, &p, &err) == -1);
        if (!strstr(err.msg, row[i].says))
            fprintf(stderr, "\nshould say: %s\nsays:       %s\n", row[i].says, err.msg);
        CU_ASSERT(strstr(err.msg, row[i].says) != NULL);
        gate_patterns_free(&p);
        free(other);
    }
    fl_buf_free(&text);
    gate_netlist_free(n);
}

static void cells_in_another_order_differ_in_their_strobes(void)
{
    struct gate_netlist *n = netlists_read("x.bench", scan_netlist);
    uint8_t state[41][6];
    struct fl_buf text = {0};
    struct gate_reading how = {.scan = GATE_SCAN};
    struct gate_patterns p = {0};
    struct fl_err err = {""};
    scan_text(n, 40, 3, &text, state);
    char *at = strstr((char *)text.data, "\"v\"; \"w\"");
    CU_ASSERT_FATAL(at != NULL);
    at[1] = 'w';
    at[6] = 'v';
    CU_ASSERT_FATAL(read_stil(n, (const char *)text.data, &how, &p, &err) == 0);
    struct gate_strobes s = gate_strobes_check(n, &p);
    CU_ASSERT(s.differ > 10 && s.differ < s.count);
    CU_ASSERT(p.line[s.pattern] > 10); /* where its capture is */
    gate_patterns_free(&p);
    fl_buf_free(&text);
    gate_netlist_free(n);
}

static void behind_a_pulse_a_load_goes_on_with_the_state_of_the_good_machine(void)
{
    struct gate_netlist *n = netlists_read("x.bench", scan_netlist);
    char *text = fl_format(
        "%sCall load_unload { s1=0000; s2=00; }\nCall capture { _pi=11000P; _po=XXX; }\n"
        "Call capture { _pi=01000P; _po=XXX; }\nCall load_unload { o1=LXXX; } }\n",
        scan_head);
    struct naive m = naive_new(n, GATE_STUCK, UINT32_MAX);
    struct gate_reading how = {.scan = GATE_SCAN};
    struct gate_patterns p = {0};
    struct fl_err err = {""};
    CU_ASSERT_FATAL(read_stil(n, text, &how, &p, &err) == 0);
    CU_ASSERT_FATAL(p.count == 2);
    memcpy(m.flop, (uint8_t[]){0, 1, 1, 0, 1, 1},
           6); /* what inversions of the chains make of zeros */
    naive_eval(&m, (uint8_t[]){1, 1, 0, 0, 0});
    naive_clock(&m);
    for (uint32_t f = 0; f < 6; f++)
        CU_ASSERT_EQUAL(bit(p.word, p.sources, 1, n->inputs + f), m.flop[f]);
    CU_ASSERT(!bit(p.strobe, p.watched, 0, n->outputs + 3) &&
              bit(p.strobe, p.watched, 1, n->outputs + 3));
    naive_free(&m);
    gate_patterns_free(&p);
    free(text);
    gate_netlist_free(n);
}

/* ---- netlists of library cells ---------------------------------------------------------------- */

static const char reset_netlist[] =
    "module t (ck, rn, sn, d, q, p);\ninput ck, rn, sn, d; output q, p;\n"
    "DFFRS r (.D(d), .CK(ck), .RN(rn), .SN(1'b1), .Q(q));\nDFFRS s (.D(d), .CK(ck), .RN(1'b1), "
    ".SN(sn), .Q(p));\n"
    "endmodule\n";

static void clear_and_preset_act_without_a_pulse(void)
{
    static const char head[] =
        "STIL 1.0;\nSignals { ck In; rn In; sn In; d In; si In; q Out; p Out; so Out; }\n"
        "SignalGroups { i='rn+sn+d'; o='q+p'; }\n"
        "Timing { WaveformTable w { Waveforms { ck { P { '0ns' D; '5ns' U; '8ns' D; } }\n"
        "rn { P { '0ns' U; '5ns' D; '8ns' U; } } } } }\n"
        "ScanStructures { ScanChain c { ScanIn si; ScanOut so; ScanCells \"t.r.SI\" \"t.s.SI\"; } "
        "}\n";
    static const char *const pattern[] = {
        /* cycle by cycle */
        "V { ck=P; i=111; } V { ck=0; o=HH; } V { i=011; o=LH; } V { i=111; o=LH; } V { ck=P; "
        "i=110; }\n"
        "V { ck=0; o=LL; } V { i=101; o=LH; } V { i=111; o=LH; }",
        /* scan: a load, a reset without and with a pulse, and what comes out; the last cell first */
        "Call load { si=11; } V { ck=0; i=011; o=LH; } Call load { so=HL; si=11; }\n"
        "V { ck=0; i=P11; o=HH; } Call load { so=HL; si=00; } V { ck=0; i=111; o=LL; }\n"
        "Call load { so=LL; si=00; } V { ck=P; i=111; o=LL; } Call load { so=HH; si=10; }\n"
        "V { ck=P; i=P10; o=LH; } Call load { so=LL; }"};
    for (int k = 0; k < 2; k++) {
        struct gate_netlist *n = mapped_read(reset_netlist);
        char *text = fl_format("%s%sPattern p { W w;\n%s }\n", head,
                               k ? "Procedures { load { Shift { V { si=#; so=#; } } } }\n" : "",
                               pattern[k]);
        struct gate_reading how = {.scan = k ? GATE_SCAN : GATE_CYCLES};
        struct gate_patterns p = {0};
        struct fl_err err = {""};
        if (read_stil(n, text, &how, &p, &err))
            fprintf(stderr, "\n%s\n", err.msg);
        struct gate_strobes s = gate_strobes_check(n, &p);
        if (s.differ)
            fprintf(stderr, "\npattern %u, watched %u\n", s.pattern, s.watched);
        CU_ASSERT(s.count == (k ? 20 : 14) && s.differ == 0);
        gate_patterns_free(&p);
        free(text);
        gate_netlist_free(n);
    }
}

static void a_netlist_of_cells_is_written_with_its_clock(void)
{
    for (int falling = 0; falling < 2; falling++)
        for (int scan = 0; scan < 2; scan++) {
            char *verilog = fl_format(
                "module t (ck, d, q);\ninput ck, d; output q; wire m;\n"
                "%s r (.D(d), .CK(ck), .Q(m));\n%s s (.D(m), .CK(ck), .Q(q));\nendmodule\n",
                falling ? "DFFN" : "DFF", falling ? "DFFN" : "DFF");
            struct gate_netlist *n = mapped_read(verilog);
            struct gate_patterns p = gate_patterns_random(scan ? 3 : 1, 70, 4), q = {0};
            struct gate_reading how = {.pairs = false};
            struct fl_buf text = {0};
            struct fl_err err = {""};
            p.hold = fl_alloc(2 * sizeof *p.hold);
            p.hold[0] = 0xf0f;
            CU_ASSERT_FATAL(gate_stil_print(n, &p, &text, &err) == 0);
            CU_ASSERT(strstr((const char *)text.data, "\"ck\" In;") != NULL);
            if (read_stil(n, (const char *)text.data, &how, &q, &err))
                fprintf(stderr, "\n%s\n%s", err.msg, (const char *)text.data);
            struct gate_strobes s = gate_strobes_check(n, &q);
            CU_ASSERT(q.count == 70 && q.hold && q.hold[0] == p.hold[0] && s.differ == 0);
            fl_buf_free(&text);
            gate_patterns_free(&p);
            gate_patterns_free(&q);
            gate_netlist_free(n);
            free(verilog);
        }
}

static void all_engines_find_the_same_where_the_clock_stops(void)
{
    int wrong = 0, found = 0;
    for (uint64_t seed = 1; seed <= (check_few() ? 6 : 30); seed++) {
        struct fl_buf text = {0};
        char name[32];
        uint64_t state = seed;
        mapped_random(seed, -1, 0, &text, name);
        struct gate_netlist *n = mapped_read((const char *)text.data);
        struct gate_faults *f = gate_faults_new(n, GATE_STUCK);
        struct gate_patterns p = gate_patterns_random(n->inputs, 150, seed);
        struct gate_found *have[3];
        p.hold = fl_alloc((p.count + 63) / 64 * sizeof *p.hold);
        for (uint32_t i = 0; i < (p.count + 63) / 64; i++)
            p.hold[i] = fl_random(&state);
        n->unknown = false; /* from the same state */
        for (int e = 0; e < 3; e++) {
            have[e] = fl_alloc(f->count * sizeof *have[e]);
            struct gate_cover how = {e ? GATE_MIXED : GATE_BY_FAULTS, e == 2 ? 256 : 64, false};
            gate_cover(n, f, &p, how, have[e]);
        }
        for (uint32_t i = 0; i < f->count; i++) {
            found += have[0][i].times > 0;
            for (int e = 1; e < 3; e++)
                wrong += have[e][i].first != have[0][i].first ||
                         have[e][i].times != have[0][i].times;
        }
        for (int e = 0; e < 3; e++)
            free(have[e]);
        gate_patterns_free(&p);
        gate_faults_free(f);
        gate_netlist_free(n);
        fl_buf_free(&text);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(found > 100);
}

/* ---- VCD -------------------------------------------------------------------------------------- */

#define VCD                                                                                        \
    "$date today $end\n$timescale 1 ns $end\n$scope module tb $end\n$var reg 1 ! b $end\n"         \
    "$scope module dut $end\n$var wire 2 # a [1:0] $end\n$var wire 1 ! b $end\n"                   \
    "$var wire 1 % y $end\n$var wire 1 & z $end\n$var real 64 ' t $end\n$upscope $end\n$upscope "  \
    "$end\n"                                                                                       \
    "$enddefinitions $end\n"
#define EVCD                                                                                       \
    "$timescale 1ns $end\n$scope module dut $end\n$var port [1:0] <0 a $end\n$var port 1 <1 b "    \
    "$end\n"                                                                                       \
    "$var port 1 <2 y $end\n$var port 1 <3 z $end\n$upscope $end\n$enddefinitions $end\n"

static void values_are_sampled_once_a_period(void)
{
    static const struct {
        const char *text, *means;
    } row[] = {
        {VCD "#0 $dumpvars b10 # 1! 0% 1& $end #10 b11 # 1% #20 0! 0&", "101/LH 111/HH"},
        {VCD "#0 b10 # 1! 0% 1& #9 b01 # #19 b11 # 1% #25",
         "110/LH 111/HH"}, /* at the strobe, too */
        {VCD "#0 b1 # x! z% x& r1.5 ' #40", "010/XX 010/XX 010/XX 010/XX"},
        {VCD "#0 b1 # 1! 0% 1& #9", "110/LH"}, /* the end of the file */
        {EVCD "#0 $dumpports pDU 66 66 <0 pU 0 6 <1 pL 6 0 <2 pH 0 6 <3 $end #10 pUU 66 66 <0 pH 0 "
              "6 <2 #20",
         "110/LH 111/HH"},
        {EVCD "#0 pDD 66 66 <0 pN 0 0 <1 pX 6 6 <2 pT 0 0 <3 #10 pD 6 6 <1 pD 6 6 <2 pl 6 6 <3 #20",
         "000/XX 000/XL"},
    };
    struct gate_netlist *n = three_inputs();
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct gate_reading how = {.period = 10000000, .strobe = 9000000};
        struct gate_patterns p = {0};
        struct fl_err err = {""};
        struct fl_buf means = {0}, notes = {0};
        if (gate_vcd_read("x.vcd", row[i].text, n, &how, &p, &notes, &err) == 0)
            describe(n, &p, &means);
        fl_buf_add(&means, "", 1);
        if (strcmp((const char *)means.data, row[i].means) != 0)
            fprintf(stderr, "\n%s\nshould be %s, is %s%s\n", row[i].text, row[i].means,
                    (const char *)means.data, err.msg);
        CU_ASSERT_STRING_EQUAL(means.data, row[i].means);
        fl_buf_free(&means);
        fl_buf_free(&notes);
        gate_patterns_free(&p);
    }
    gate_netlist_free(n);
}

static void vcd_that_cannot_be_read_is_told_with_its_place(void)
{
    static const struct {
        const char *text, *scope, *says;
    } row[] = {
        {"$timescale 1 day $end", NULL, "x.vcd:1: the timescale is '1day'"},
        {"$scope module $end", NULL, "x.vcd:1: $scope has a kind and a name"},
        {"$upscope $end", NULL, "x.vcd:1: $upscope without a $scope"},
        {"$var wire 0 ! a $end", NULL, "x.vcd:1: the size of a variable is a number from 1"},
        {"$var wire 1 ! a b c $end", NULL, "x.vcd:1: a variable is $var"},
        {"$date\ntoday", NULL, "x.vcd:1: a section begins here and has no $end"},
        {"$comment $end\n0!", NULL, "x.vcd:2: '0!' before $enddefinitions"},
        {"$date $end\n", NULL, "x.vcd:2: the file ends before $enddefinitions"},
        {VCD "#0 2!", NULL, "'2!' is no change of a value"},
        {VCD "#0 b12 #", NULL, "'2' is no state of a VCD"},
        {VCD "#10 #5", NULL, "time goes back here"},
        {VCD "#x", NULL, "a time is # and a number; '#x' is none"},
        {VCD "b01", NULL, "a change without a code; the file is cut off"},
        {VCD "#0 1! #5", NULL, "x.vcd: it ends before the first strobe"},
        {VCD "#0 1! #9000000000000000000", NULL, "a time is # and a number"},
        {VCD "#0 1! #900000000", NULL, "more than 16777216 periods; is --period right?"},
        {VCD, "tb.dot", "x.vcd: there is no scope 'tb.dot' (did you mean tb.dut?)"},
        {VCD, "tb", "x.vcd: scope tb has no variable for input 'a[0]'"},
        {"$scope module d $end $var wire 3 # a [2:0] $end $var wire 1 ! b $end $upscope $end\n"
         "$enddefinitions $end",
         "d", "x.vcd:1: variable a has 3 bits, and the port of the netlist has 2, 2 of them with"},
        {"$scope module a $end $var wire 1 ! b $end $upscope $end $enddefinitions $end", NULL,
         "x.vcd: no scope has all inputs of the netlist"},
    };
    struct gate_netlist *n = three_inputs();
    struct gate_patterns p = {0};
    struct fl_buf notes = {0};
    struct fl_err err = {""};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct gate_reading how = {.period = 10000000, .strobe = 9000000, .scope = row[i].scope};
        CU_ASSERT(gate_vcd_read("x.vcd", row[i].text, n, &how, &p, &notes, &err) == -1);
        if (!strstr(err.msg, row[i].says))
            fprintf(stderr, "\n%s\nshould say: %s\nsays:       %s\n", row[i].text, row[i].says,
                    err.msg);
        CU_ASSERT(strstr(err.msg, row[i].says) != NULL && strncmp(err.msg, "x.vcd:", 6) == 0);
    }
    struct gate_reading how = {.period = 0};
    CU_ASSERT(gate_vcd_read("x.vcd", VCD, n, &how, &p, &notes, &err) == -1);
    CU_ASSERT(strstr(err.msg, "--period 10ns --strobe 9ns") != NULL);
    fl_buf_free(&notes);
    gate_netlist_free(n);
}

static void times_have_a_unit(void)
{
    static const struct {
        const char *text;
        uint64_t time; /* 0: none */
    } row[] = {{"10ns", 10000000}, {"5.9ns", 5900000}, {"1 us", 1000000000},
               {"7fs", 7},         {"0.001ps", 1},     {"2s", 2000000000000000},
               {"1.5fs", 0},       {"10", 0},          {"ns", 0},
               {"-1ns", 0},        {"1.2.3ns", 0},     {"99999999999999999999s", 0},
               {".5ns", 0},        {"1e3ns", 0},       {"", 0}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        uint64_t time = 0;
        CU_ASSERT_EQUAL(gate_time(row[i].text, &time), row[i].time ? 0 : -1);
        CU_ASSERT(!row[i].time || time == row[i].time);
    }
}

static void a_format_is_told_by_its_beginning(void)
{
    CU_ASSERT(gate_format_of("STIL 1.0;") == GATE_STIL);
    CU_ASSERT(gate_format_of("\n// made by\n/* x */ STIL 1.0 {") == GATE_STIL);
    CU_ASSERT(gate_format_of("  $date") == GATE_VCD);
    CU_ASSERT(gate_format_of("0101\n") == GATE_LINES);
    CU_ASSERT(gate_format_of("# STIL\n01") == GATE_LINES);
    CU_ASSERT(gate_format_of("/") == GATE_LINES && gate_format_of("") == GATE_LINES);
}

/* ---- damaged files ---------------------------------------------------------------------------- */

/* A text that is read or refused with a message about it. */
static int check_damaged(const struct gate_netlist *n, bool stil, const char *text)
{
    struct gate_reading how = {.period = 10000000, .strobe = 9000000};
    struct gate_patterns p = {0};
    struct fl_buf notes = {0};
    struct fl_err err = {""};
    int bad = stil ? gate_stil_read("x", text, n, &how, &p, &notes, &err)
                   : gate_vcd_read("x", text, n, &how, &p, &notes, &err);
    if (bad && strncmp(err.msg, "x:", 2) != 0) {
        fprintf(stderr, "\n%s\n", err.msg);
        CU_FAIL("a message without a place");
    }
    if (!bad)
        gate_strobes_check(n, &p);
    gate_patterns_free(&p);
    fl_buf_free(&notes);
    return bad;
}

static void a_damaged_file_is_refused_or_read_and_nothing_else(void)
{
    struct gate_netlist *scan = netlists_read("x.bench", scan_netlist), *three = three_inputs();
    struct fl_buf stil = {0};
    uint8_t state[4][6];
    uint64_t seed = 5;
    scan_text(scan, 3, 3, &stil, state);
    const char *text[2] = {
        (const char *)stil.data,
        EVCD "#0 $dumpports pDU 66 66 <0 pU 0 6 <1 pL 6 0 <2 pH 0 6 <3 $end #10 b1 <0 1<1 #20"};
    static const char letters[] = "{}[]();:='\"!#%\\/*$ \nLHXP01.9-+";
    for (int k = 0; k < 2; k++) {
        const struct gate_netlist *n = k ? three : scan;
        size_t size = strlen(text[k]);
        char *copy = fl_alloc(size + 1);
        /* cut off: a STIL file never counts as whole */
        for (size_t i = 0; i < size; i++) {
            memcpy(copy, text[k], size + 1);
            copy[i] = 0;
            int bad = check_damaged(n, k == 0, copy);
            CU_ASSERT(k || bad || i == size - 1);
        }
        for (int i = 0; i < (check_few() ? 1000 : 20000); i++) {
            memcpy(copy, text[k], size + 1);
            for (int m = 1 + (int)(fl_random(&seed) % 3); m--;)
                copy[fl_random(&seed) % size] = letters[fl_random(&seed) % (sizeof letters - 1)];
            check_damaged(n, k == 0, copy);
        }
        free(copy);
    }
    fl_buf_free(&stil);
    gate_netlist_free(scan);
    gate_netlist_free(three);
}

int main(void)
{
    return CHECK_RUN(
        "gate_tester", CHECK(what_is_written_as_stil_detects_the_same_when_it_is_read),
        CHECK(ports_that_stil_cannot_name_are_told),
        CHECK(statements_of_a_pattern_mean_what_the_standard_says),
        CHECK(stil_that_cannot_be_read_is_told_with_its_place), CHECK(only_a_pulse_is_a_clock_edge),
        CHECK(chains_are_loaded_and_unloaded_by_their_cells_as_by_shifting),
        CHECK(a_wrong_chain_is_told), CHECK(cells_in_another_order_differ_in_their_strobes),
        CHECK(behind_a_pulse_a_load_goes_on_with_the_state_of_the_good_machine),
        CHECK(clear_and_preset_act_without_a_pulse),
        CHECK(all_engines_find_the_same_where_the_clock_stops),
        CHECK(a_netlist_of_cells_is_written_with_its_clock),
        CHECK(values_are_sampled_once_a_period),
        CHECK(vcd_that_cannot_be_read_is_told_with_its_place), CHECK(times_have_a_unit),
        CHECK(a_format_is_told_by_its_beginning),
        CHECK(a_damaged_file_is_refused_or_read_and_nothing_else));
}
