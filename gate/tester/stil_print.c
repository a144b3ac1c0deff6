/* stil_print.c -- patterns as STIL, for testers and other simulators. See formats.h.
 *
 * The ends of the scan chain, and a clock that the netlist does not name, are signals with new names.
 */
#include <stdlib.h>
#include <string.h>

#include "applied.h"
#include "gate/unknown.h"

struct writer {
    const struct gate_netlist *n;
    const struct gate_patterns *p;
    struct fl_buf *out;
    bool scan;
    bool falling;            /* the clock's edge; it rests at 1 */
    struct gate_names names; /* of ports */
    uint64_t *known;        /* outputs from power-up, where flip-flops are unknown; NULL: all are */
    char *clock, *in, *end; /* NULL: no flip-flops */
};

static bool bit(const uint64_t *array, uint32_t rows, uint32_t pattern, uint32_t row)
{
    return array[(size_t)(pattern / 64) * rows + row] >> pattern % 64 & 1;
}

/* `wish`, or with underscores behind it until no port has the name. */
static char *new_name(struct writer *w, const char *wish)
{
    char *name = fl_strdup(wish);
    while (gate_names_find(&w->names, name, strlen(name)) != UINT32_MAX) {
        char *longer = fl_format("%s_", name);
        free(name);
        name = longer;
    }
    gate_names_add(&w->names, name, 0);
    return name;
}

static void list(struct writer *w, const char *group, char *const *name, uint32_t count,
                 const char *more)
{
    fl_buf_printf(w->out, "   \"%s\" = '", group);
    for (uint32_t i = 0; i < count; i++)
        fl_buf_printf(w->out, "%s\"%s\"", i == 0 ? "" : i % 8 == 0 ? "\n   + " : " + ", name[i]);
    fl_buf_printf(w->out, "'%s\n", more);
}

static void print_head(struct writer *w)
{
    const struct gate_netlist *n = w->n;
    struct fl_buf *out = w->out;
    fl_buf_printf(out,
                  "STIL 1.0 { Design 2005; }\nHeader {\n   Title \"patterns of gatesim for %s\";\n"
                  "   History { Ann {* netlist digest %s *} }\n}\nSignals {\n",
                  *n->model ? n->model : n->file, n->digest);
    for (uint32_t i = 0; i < n->inputs; i++)
        fl_buf_printf(out, "   \"%s\" In;\n", n->name[i]);
    if (w->clock)
        fl_buf_printf(out, "   \"%s\" In;\n", w->clock);
    if (w->scan)
        fl_buf_printf(out, "   \"%s\" In { ScanIn; }\n", w->in);
    for (uint32_t i = 0; i < n->outputs; i++)
        fl_buf_printf(out, "   \"%s\" Out;\n", n->output_name[i]);
    if (w->scan)
        fl_buf_printf(out, "   \"%s\" Out { ScanOut; }\n", w->end);
    fl_buf_printf(out, "}\nSignalGroups {\n");
    list(w, "_pi", n->name, n->inputs, ";");
    list(w, "_po", n->output_name, n->outputs, ";");
    if (w->scan) {
        list(w, "_si", &w->in, 1, " { ScanIn; }");
        list(w, "_so", &w->end, 1, " { ScanOut; }");
    }
    fl_buf_printf(out, "}\nTiming {\n   WaveformTable \"cycle\" {\n      Period '100ns';\n"
                       "      Waveforms {\n         \"_pi\" { 01 { '0ns' D/U; } }\n"
                       "         \"_po\" { LHX { '0ns' X; '40ns' L/H/X; } }\n");
    if (w->clock)
        fl_buf_printf(out,
                      w->falling ? "         \"%s\" { 1P { '0ns' U; '45ns' U/D; '55ns' U; } }\n"
                                 : "         \"%s\" { 0P { '0ns' D; '45ns' D/U; '55ns' D; } }\n",
                      w->clock);
    if (w->scan)
        fl_buf_printf(out, "         \"_si\" { 01 { '0ns' D/U; } }\n"
                           "         \"_so\" { LHX { '0ns' X; '40ns' L/H/X; } }\n");
    fl_buf_printf(out, "      }\n   }\n}\n");
    if (w->scan) {
        fl_buf_printf(out,
                      "ScanStructures {\n   ScanChain \"1\" {\n      ScanLength %u;\n"
                      "      ScanIn \"%s\";\n      ScanOut \"%s\";\n      ScanInversion 0;\n"
                      "      ScanCells",
                      n->flops, w->in, w->end);
        for (uint32_t f = 0; f < n->flops; f++)
            fl_buf_printf(out, "%s\"%s\"", f % 8 == 0 && f ? "\n      " : " ",
                          n->name[n->inputs + f]);
        fl_buf_printf(out, ";\n      ScanMasterClock \"%s\";\n   }\n}\n", w->clock);
    }
    fl_buf_printf(out, "PatternBurst \"burst\" { PatList { \"pattern\"; } }\n"
                       "PatternExec { PatternBurst \"burst\"; }\n");
    if (w->scan)
        fl_buf_printf(out,
                      "Procedures {\n   \"load_unload\" {\n      W \"cycle\";\n"
                      "      C { \"_po\"=\\r%u X; \"%s\"=%c; }\n"
                      "      Shift { V { \"_si\"=#; \"_so\"=#; \"%s\"=P; } }\n   }\n"
                      "   \"capture\" {\n      W \"cycle\";\n      C { \"%s\"=X; }\n"
                      "      V { \"_pi\"=\\r%u #; \"_po\"=\\r%u #; \"%s\"=#; }\n   }\n}\n",
                      n->outputs, w->clock, w->falling ? '1' : '0', w->clock, w->end, n->inputs,
                      n->outputs, w->clock);
    fl_buf_printf(out, "Pattern \"pattern\" {\n   W \"cycle\";\n");
}

/* Values of watched of one pattern: L, H, or X where the pattern does not observe it. */
static char seen(const struct writer *w, uint32_t pattern, uint32_t watched, bool value)
{
    if (w->p->strobe && !bit(w->p->strobe, w->p->watched, pattern, watched))
        return 'X';
    if (w->known && !bit(w->known, w->n->outputs, pattern, watched))
        return 'X';
    return value ? 'H' : 'L';
}

static void print_inputs(struct writer *w, uint32_t k)
{
    fl_buf_printf(w->out, "\"_pi\"=");
    for (uint32_t i = 0; i < w->n->inputs; i++)
        fl_buf_add(w->out, bit(w->p->word, w->p->sources, k, i) ? "1" : "0", 1);
    fl_buf_printf(w->out, "; ");
}

/* ---- patterns that set flip-flops, or of a netlist without ------------------------------------- */

static uint64_t watched_value(const struct writer *w, const struct gate_sim *sim, uint32_t watched)
{
    const struct gate_netlist *n = w->n;
    uint32_t net = watched < n->outputs
                       ? n->output[watched]
                       : GATE_NET(n->literal[n->cell[n->inputs + watched - n->outputs].first]);
    return *gate_sim_value(sim, net);
}

static void print_load(struct writer *w, uint32_t k, const char *unload)
{
    const struct gate_netlist *n = w->n;
    fl_buf_printf(w->out, "   \"pattern %u\": Call \"load_unload\" { ", k);
    if (k)
        fl_buf_printf(w->out, "\"%s\"=%s; ", w->end, unload);
    fl_buf_printf(w->out, "\"%s\"=", w->in);
    for (uint32_t f = n->flops; f--;)
        fl_buf_add(w->out, bit(w->p->word, w->p->sources, k, n->inputs + f) ? "1" : "0", 1);
    fl_buf_printf(w->out, "; }\n   Call \"capture\" { ");
}

static void print_single(struct writer *w)
{
    const struct gate_netlist *n = w->n;
    const struct gate_patterns *p = w->p;
    struct gate_sim *sim = gate_sim_new(n, 64);
    uint64_t *source = fl_alloc_line(p->sources * sizeof *source);
    char *unload = fl_alloc(n->flops + 1);
    for (uint32_t k = 0; k < p->count; k++) {
        if (k % 64 == 0) {
            gate_patterns_block(p, k, 1, source);
            gate_sim_hold(sim, p->hold ? &p->hold[k / 64] : NULL);
            gate_sim_load(sim, source, p->count - k < 64 ? (int)(p->count - k) : 64);
        }
        if (w->scan)
            print_load(w, k, unload);
        else
            fl_buf_printf(w->out, "   \"pattern %u\": V { ", k);
        print_inputs(w, k);
        fl_buf_printf(w->out, "\"_po\"=");
        for (uint32_t o = 0; o < n->outputs; o++)
            fl_buf_printf(w->out, "%c", seen(w, k, o, watched_value(w, sim, o) >> k % 64 & 1));
        if (w->scan)
            fl_buf_printf(w->out, "; \"%s\"=%c", w->clock,
                          !gate_patterns_hold(p, k) ? 'P'
                          : w->falling              ? '1'
                                                    : '0');
        fl_buf_printf(w->out, "; }\n");
        for (uint32_t f = 0; w->scan && f < n->flops; f++)
            unload[n->flops - 1 - f] = seen(w, k, n->outputs + f,
                                            watched_value(w, sim, n->outputs + f) >> k % 64 & 1);
    }
    if (w->scan)
        fl_buf_printf(w->out, "   \"end unload\": Call \"load_unload\" { \"%s\"=%s; }\n", w->end,
                      unload);
    gate_sim_free(sim);
    free(source);
    free(unload);
}

/* ---- cycles from the reset -------------------------------------------------------------------- */

static void print_cycles(struct writer *w)
{
    const struct gate_netlist *n = w->n;
    const struct gate_patterns *p = w->p;
    struct gate_group *g = gate_group_new(n, 64);
    uint64_t *input = fl_alloc((n->inputs / 64 + 1) * sizeof *input);
    w->known = n->unknown ? gate_unknown_known(n, p) : NULL;
    for (uint32_t c = 0; c < p->count; c++) {
        bool hold = gate_patterns_hold(p, c);
        memset(input, 0, (n->inputs / 64 + 1) * sizeof *input);
        for (uint32_t i = 0; i < n->inputs; i++)
            input[i / 64] |= (uint64_t)bit(p->word, p->sources, c, i) << i % 64;
        gate_group_hold(g, hold);
        gate_group_eval(g, input);
        fl_buf_printf(w->out, "   \"pattern %u\": V { ", c);
        print_inputs(w, c);
        fl_buf_printf(w->out, "\"_po\"=");
        for (uint32_t o = 0; o < n->outputs; o++)
            fl_buf_printf(w->out, "%c", seen(w, c, o, *gate_group_watched(g, o) & 1));
        fl_buf_printf(w->out, "; \"%s\"=%c; }\n", w->clock, !hold ? 'P' : w->falling ? '1' : '0');
        gate_group_clock(g);
    }
    gate_group_free(g);
    free(input);
    free(w->known);
}

/* Each port is a signal of its own, and its name can be quoted. */
static int take_names(struct writer *w, char *const *name, uint32_t count, struct fl_err *err)
{
    for (uint32_t i = 0; i < count; i++) {
        if (strpbrk(name[i], "\"'"))
            return fl_fail(err,
                           "%s: STIL has no quotation marks in names, and a port is called %.80s; "
                           "rename it, or write patterns as text",
                           w->n->file, name[i]);
        if (gate_names_find(&w->names, name[i], strlen(name[i])) != UINT32_MAX)
            return fl_fail(err,
                           "%s: in STIL each port has a name of its own, and two are called "
                           "'%.80s'; rename one, or write patterns as text",
                           w->n->file, name[i]);
        gate_names_add(&w->names, name[i], 0);
    }
    return 0;
}

int gate_stil_print(const struct gate_netlist *n, const struct gate_patterns *p, struct fl_buf *out,
                    struct fl_err *err)
{
    struct writer w = {.n = n, .p = p, .out = out, .scan = n->flops && p->sources > n->inputs};
    int bad = take_names(&w, n->name, n->inputs, err) ||
              take_names(&w, n->output_name, n->outputs, err);
    for (uint32_t f = 0; f < n->flops && w.scan && !bad; f++)
        if (strpbrk(n->name[n->inputs + f], "\"'"))
            bad = fl_fail(err,
                          "%s: STIL has no quotation marks in names, and a flip-flop is called "
                          "%.80s; rename it, or write patterns as text",
                          n->file, n->name[n->inputs + f]);
    if (!bad && n->flops) {
        bool named = n->clocks == 1 && !strpbrk(n->clock[0].name, "\"'");
        w.clock = new_name(&w, named ? n->clock[0].name : "clock");
        w.falling = named && n->clock[0].falling;
        w.in = new_name(&w, "scan_in");
        w.end = new_name(&w, "scan_out");
    }
    if (!bad) {
        print_head(&w);
        if (w.scan || n->flops == 0)
            print_single(&w);
        else
            print_cycles(&w);
        fl_buf_printf(out, "}\n");
    }
    gate_names_free(&w.names);
    free(w.clock);
    free(w.in);
    free(w.end);
    return bad ? -1 : 0;
}
