/* write.c -- fault lists as other tools write them, and their summaries. See lists.h. */
#include <stdlib.h>
#include <string.h>

#include "lists.h"

const char *const gate_form_name[GATE_FORMS] = {"gatesim", "tetramax", "fastscan", "z01x"};

static const char *const code[GATE_STATUSES][GATE_FORMS] = {
    [GATE_IS_DETECTED] = {"", "DS", "DS", "ON"},     [GATE_IS_IMPLIED] = {"", "DI", "DI", "NN"},
    [GATE_IS_POSSIBLE] = {"", "NP", "PT", "PN"},     [GATE_IS_UNTESTABLE] = {"", "UR", "RE", "UR"},
    [GATE_IS_TIED] = {"", "UT", "TI", "UT"},         [GATE_IS_UNUSED] = {"", "UU", "UU", "UU"},
    [GATE_IS_CONSTRAINED] = {"", "AN", "AU", "UR"},  [GATE_IS_UNOBSERVED] = {"", "NO", "UO", "NO"},
    [GATE_IS_UNCONTROLLED] = {"", "NC", "UC", "NC"}, [GATE_IS_UNDECIDED] = {"", "ND", "UC", "NN"}};

/* ---- lists ----------------------------------------------------------------------------------- */

/* A path in a dialect: U1/A as it is, /U1/A, top.U1.A. */
static void path(const struct gate_netlist *n, enum gate_form form, const char *name,
                 struct fl_buf *out)
{
    if (form == GATE_FORM_FASTSCAN)
        fl_buf_printf(out, "/%s", name);
    else if (form == GATE_FORM_TETRAMAX)
        fl_buf_printf(out, "%s", name);
    else {
        fl_buf_printf(out, "%s.", n->model);
        for (const char *c = name; *c; c++)
            fl_buf_add(out, *c == '/' ? "." : c, 1);
    }
}

static void line(const struct gate_netlist *n, enum gate_form form, enum gate_model model,
                 const char *name, int value, const char *class, bool first, struct fl_buf *out)
{
    static const char *const stuck[2][2] = {{"sa0", "sa1"}, {"str", "stf"}};
    static const char *const letter[2][2] = {{"0", "1"}, {"R", "F"}};
    if (form == GATE_FORM_TETRAMAX)
        fl_buf_printf(out, " %s   %s   ", stuck[model][value], first ? class : "--");
    else if (form == GATE_FORM_FASTSCAN)
        fl_buf_printf(out, "  %d    %s       ", value, first ? class : "EQ");
    else
        fl_buf_printf(out, "  %s %s {PORT \"", first ? class : "--", letter[model][value]);
    path(n, form, name, out);
    fl_buf_printf(out, form == GATE_FORM_Z01X ? "\"}\n" : "\n");
}

void gate_lists_write(const struct gate_netlist *n, const struct gate_faults *f,
                      enum gate_form form, bool collapsed, const uint8_t *status,
                      struct fl_buf *out)
{
    struct gate_chains c = gate_chains_of(n, f);
    char name[GATE_ID_ROOM];
    if (form == GATE_FORM_OWN) {
        gate_faults_print(n, f, out);
        gate_chains_free(&c);
        return;
    }
    if (form == GATE_FORM_FASTSCAN)
        fl_buf_printf(out, "    type    code   pin_pathname\n    ----   ------   "
                           "------------------------------------\n");
    if (form == GATE_FORM_Z01X)
        fl_buf_printf(out, "FaultList %s {\n", *n->model ? n->model : "netlist");
    for (uint32_t i = 0; i < f->count; i++)
        for (uint32_t row = c.first[i]; row != UINT32_MAX; row = c.next[row]) {
            line(n, form, f->model, gate_row_name(n, row, name), (int)(row & 1),
                 code[status[i]][form], row == c.first[i], out);
            if (collapsed)
                break;
        }
    if (form == GATE_FORM_Z01X)
        fl_buf_printf(out, "}\n");
    gate_chains_free(&c);
}

/* ---- untestable: why ------------------------------------------------------------------------- */

/* Which nets have one value whatever the inputs and flip-flops are: bit v of values[net]: it may have the value v. */
static uint8_t *possible_values(const struct gate_netlist *n)
{
    uint8_t *values = fl_alloc(n->nets);
    for (uint32_t i = 0; i < n->nets; i++) {
        const struct gate_cell *c = &n->cell[i];
        if (c->kind == GATE_INPUT || c->kind == GATE_FLOP) {
            values[i] = 3;
            continue;
        }
        values[i] = gate_values_of(n, i, values);
    }
    return values;
}

/* Nets that something observed depends on, by connections alone. */
static bool *used_nets(const struct gate_netlist *n)
{
    bool *used = fl_alloc(n->nets);
    for (uint32_t o = 0; o < n->outputs; o++)
        used[n->output[o]] = true;
    for (uint32_t i = n->inputs; i < n->inputs + n->flops; i++)
        used[GATE_NET(n->literal[n->cell[i].first])] = true;
    for (uint32_t i = n->nets; i-- > 0;)
        for (uint32_t p = 0; used[i] && n->cell[i].kind != GATE_FLOP && p < n->cell[i].pins; p++)
            used[GATE_NET(n->literal[n->cell[i].first + p])] = true;
    return used;
}

void gate_lists_refine(const struct gate_netlist *n, const struct gate_faults *f,
                       const uint8_t *values, uint8_t *status)
{
    uint8_t *may = possible_values(n);
    bool *used = used_nets(n);
    for (uint32_t i = 0; i < f->all; i++) {
        uint32_t c = f->class_of[i], at, site = GATE_SITE(i), net = gate_site_net(n, site);
        enum gate_place place = gate_site(n, site, &at);
        if (c == UINT32_MAX)
            continue;
        bool stuck = gate_stuck_value(n, i);
        if (status[c] == GATE_IS_UNTESTABLE || status[c] == GATE_IS_TIED) {
            if (may[net] == 1u << stuck)
                status[c] = GATE_IS_TIED;
            if (place == GATE_AT_NET ? !used[net] : place == GATE_AT_PIN && !used[n->pin_cell[at]])
                status[c] = GATE_IS_UNUSED;
        }
        if (status[c] == GATE_IS_UNOBSERVED && f->fault[c] == i && values &&
            !(values[net] >> !stuck & 1))
            status[c] = GATE_IS_UNCONTROLLED;
    }
    free(may);
    free(used);
}

/* ---- coverage -------------------------------------------------------------------------------- */

struct gate_summary gate_summary_of(const struct gate_faults *f, const uint8_t *status)
{
    struct gate_summary s = {0};
    for (uint32_t c = 0; c < f->count; c++) {
        uint32_t *to = &s.other;
        switch (status[c]) {
        case GATE_IS_DETECTED:
        case GATE_IS_IMPLIED: to = &s.detected; break;
        case GATE_IS_POSSIBLE: to = &s.possible; break;
        case GATE_IS_UNTESTABLE:
        case GATE_IS_TIED:
        case GATE_IS_UNUSED: to = &s.untestable; break;
        case GATE_IS_CONSTRAINED: to = &s.constrained; break;
        default: break;
        }
        *to += f->members[c];
        s.all += f->members[c];
    }
    double credit = s.detected + 0.5 * s.possible;
    s.test = s.all > s.untestable ? 100 * credit / (s.all - s.untestable) : 0;
    s.fault = s.all ? 100 * credit / s.all : 0;
    return s;
}
