/* netlist.c -- a netlist from a file, and what one asks of it. See netlist.h. */
#include "netlist.h"

#include <stdlib.h>
#include <string.h>

#include "build.h"

int gate_read_text(const char *path, const char *text, struct gate_netlist **out,
                   struct fl_err *err)
{
    struct gate_build b = {.path = path};
    size_t n = strlen(path);
    bool bench = n > 6 && strcmp(path + n - 6, ".bench") == 0;
    int bad = (bench ? gate_bench : gate_blif)(&b, text, err);
    if (!bad)
        bad = gate_build_end(&b, out, err);
    gate_build_free(&b);
    return bad;
}

int gate_read(const char *path, struct gate_netlist **out, struct fl_err *err)
{
    struct fl_buf text = {0};
    int bad = fl_read_text(path, &text, err);
    if (!bad && strlen((const char *)text.data) != text.size)
        bad = fl_fail(err, "%s: has a zero byte, so it is no text; give a BLIF or .bench file",
                      path);
    if (!bad)
        bad = gate_read_text(path, (const char *)text.data, out, err);
    fl_buf_free(&text);
    return bad;
}

void gate_netlist_free(struct gate_netlist *n)
{
    if (!n)
        return;
    for (uint32_t i = 0; i < n->nets; i++)
        free(n->name[i]);
    for (uint32_t i = 0; i < n->outputs; i++)
        free(n->output_name[i]);
    for (uint32_t i = 0; i < n->places; i++)
        free(n->place[i].name);
    for (uint32_t i = 0; i < n->clocks; i++)
        free(n->clock[i].name);
    free(n->place);
    free(n->place_of);
    free(n->place_slot);
    free(n->stops);
    free(n->clock);
    free(n->name);
    free(n->output_name);
    free(n->file);
    free(n->model);
    free(n->cell);
    free(n->literal);
    free(n->pin_cell);
    free(n->output);
    free(n->port);
    free(n->port_of);
    free(n);
}

static const char *kind_word(const struct gate_cell *c)
{
    static const char *const word[] = {"input", "flop", "const", "and", "xor", "mux", "table"};
    static const char *const inverted[] = {"", "", "", "nand", "xnor", "nmux", ""};
    return c->invert ? inverted[c->kind] : word[c->kind];
}

void gate_map(const struct gate_netlist *n, struct fl_buf *out)
{
    fl_buf_printf(out, "# nets of %s, digest %s\n# net kind name: pin 0, pin 1, ...\n", n->model,
                  n->digest);
    for (uint32_t i = 0; i < n->nets; i++) {
        const struct gate_cell *c = &n->cell[i];
        fl_buf_printf(out, "n%u %s %s", i, kind_word(c), n->name[i]);
        for (uint32_t p = 0; p < c->pins; p++) {
            uint32_t literal = n->literal[c->first + p];
            fl_buf_printf(out, "%s%sn%u", p ? ", " : ": ", GATE_INVERTED(literal) ? "!" : "",
                          GATE_NET(literal));
        }
        fl_buf_printf(out, "\n");
    }
}

bool gate_clock_net(const struct gate_netlist *n, uint32_t net)
{
    for (uint32_t k = 0; k < n->clocks && n->cell[net].kind == GATE_CONST; k++)
        if (strcmp(n->name[net], n->clock[k].name) == 0)
            return true;
    return false;
}

bool gate_value(const struct gate_netlist *n, uint32_t net, const uint8_t *pin)
{
    const struct gate_cell *c = &n->cell[net];
    const uint32_t *literal = &n->literal[c->first];
    uint32_t ones = 0, row = 0;
    for (uint32_t p = 0; p < c->pins; p++) {
        uint32_t v = pin[p] ^ GATE_INVERTED(literal[p]);
        ones += v;
        row |= p < GATE_TABLE_PINS ? v << p : 0;
    }
    switch (c->kind) {
    case GATE_AND: return (ones == c->pins) != c->invert;
    case GATE_XOR: return (ones & 1) != c->invert;
    case GATE_MUX: return (row >> (row & 1 ? 2 : 1) & 1) != c->invert;
    default: return c->table >> row & 1;
    }
}

bool gate_value_row(const struct gate_netlist *n, uint32_t net, uint64_t pins)
{
    uint8_t pin[64];
    for (uint32_t p = 0; p < 64; p++)
        pin[p] = pins >> p & 1;
    return gate_value(n, net, pin);
}

static uint8_t turned(uint32_t may, bool inverted)
{
    return (uint8_t)(inverted ? (may & 1) << 1 | may >> 1 : may);
}

uint8_t gate_values_of(const struct gate_netlist *n, uint32_t net, const uint8_t *values)
{
    const struct gate_cell *c = &n->cell[net];
    const uint32_t *literal = &n->literal[c->first];
    uint32_t zero = 0, one = 1, parity = 1, any = 0; /* a pin may be 0; all may be 1; their sum */
    for (uint32_t p = 0; p < c->pins; p++) {
        uint32_t v = turned(values[GATE_NET(literal[p])], GATE_INVERTED(literal[p]));
        zero |= v & 1;
        one &= v >> 1;
        parity = (v & 1 ? parity : 0) | (v & 2 ? turned(parity, true) : 0u);
    }
    if (c->kind == GATE_AND || c->kind == GATE_XOR)
        return turned(c->kind == GATE_AND ? zero | one << 1 : parity, c->invert);
    uint8_t pin[GATE_TABLE_PINS];
    bool known = true; /* as it mostly is: one row */
    for (uint32_t p = 0; p < c->pins; p++) {
        pin[p] = values[GATE_NET(literal[p])] == 2;
        known &= values[GATE_NET(literal[p])] != 3;
    }
    if (known)
        return (uint8_t)(1 << gate_value(n, net, pin));
    for (uint32_t row = 0; row < 1u << c->pins && any != 3; row++) {
        bool may = true;
        for (uint32_t p = 0; p < c->pins; p++) {
            pin[p] = row >> p & 1;
            may &= values[GATE_NET(literal[p])] >> pin[p] & 1;
        }
        if (may)
            any |= 1u << gate_value(n, net, pin);
    }
    return (uint8_t)any;
}
