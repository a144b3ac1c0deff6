/* cells.c -- library cells to gates and flip-flops. See flat.h.
 *
 * A cell with one output is one gate whose pins are the cell's, so its faults are faults of that
 * gate. Where a pin is read at several places inside (two outputs, a reset that acts on the state and
 * on the output), a buffer is the pin. What else is inside of a cell has no name and no faults.
 *
 * A clock is a net "the clock works", which is 1: a flip-flop takes its next state where it is, and
 * keeps its state where it is not. Both values that a clock pin can be stuck at are a 0 there.
 */
#include "flat.h"

#include <stdlib.h>
#include <string.h>

struct maker {
    struct flat *f;
    struct gate_build *b;
    uint32_t *net; /* [f->nets] nets of the build, or LIB_NONE */
    uint32_t constant[2];
    /* the instance at hand */
    uint32_t i;
    const struct lib_cell *c;
    uint32_t *at,
        *tag; /* [pins + 2] nets that pins and states are, and tags of the pins that read them */
    uint8_t *value; /* [pins + 4] */
    uint32_t room;
    /* nets that nothing drives */
    uint32_t undriven, undriven_line;
    char *undriven_name, *undriven_at;
    struct fl_buf text;
};

static uint32_t line_of(const struct maker *k)
{
    return k->f->instance[k->i].line;
}

static const char *path_of(const struct maker *k)
{
    return k->f->instance[k->i].path;
}

#define fail(k, ...) fl_fail_at((k)->f->err, (k)->f->path, line_of(k), __VA_ARGS__)

/* ---- nets ------------------------------------------------------------------------------------ */

static uint32_t constant(struct maker *k, int value)
{
    if (k->constant[value] == LIB_NONE) {
        k->constant[value] = gate_build_net(k->b, value ? "1'b1" : "1'b0", 0);
        gate_build_table(k->b, (uint64_t)value, 0, k->constant[value], 0);
    }
    return k->constant[value];
}

static uint32_t net_of(struct maker *k, uint32_t net)
{
    if (k->net[net] == LIB_NONE)
        k->net[net] = gate_build_net(k->b, flat_net_name(k->f, net, &k->text), 0);
    return k->net[net];
}

/* A net that is read, at `path`/`pin`. */
static uint32_t read_net(struct maker *k, uint32_t net, const char *path, const char *pin,
                         uint32_t line)
{
    const struct flat *f = k->f;
    if (net < VL_UNKNOWN)
        return constant(k, net == VL_ONE);
    if (net >= VL_NETS && (f->driver[net] || f->input[net]))
        return net_of(k, net);
    if (f->how->undriven < 0 && k->undriven++ == 0) {
        k->undriven_line = line;
        k->undriven_name = net == VL_OPEN ? NULL : fl_strdup(flat_net_name(f, net, &k->text));
        k->undriven_at = fl_format("%s%s%s", path, *path ? "/" : "", pin);
    }
    return constant(k, f->how->undriven > 0);
}

static uint32_t inner_net(struct maker *k, const char *what)
{
    char *name = fl_format("%s%s", path_of(k), what);
    uint32_t net = gate_build_net(k->b, name, 0);
    free(name);
    return net;
}

/* The tag of pin p. */
static uint32_t mark_pin(struct maker *k, uint32_t p)
{
    uint32_t net = flat_at(k->f, k->i, p);
    struct gate_mark m = {.name = fl_format("%s/%s", path_of(k), k->c->pin[p].name)};
    m.clock = k->f->clock[net] != 0;
    m.inverted = m.clock && k->f->falling[net];
    return gate_build_mark(k->b, m);
}

/* ---- functions ------------------------------------------------------------------------------- */

static void push(struct maker *k, uint32_t var)
{
    gate_build_pin_at(k->b, GATE_LITERAL(k->at[var], 0), k->tag[var]);
}

/* A chain of one operator over variables, each once: its operator. */
static bool is_chain(const struct maker *k, uint32_t node, uint32_t vars, enum lib_op *op,
                     bool *invert)
{
    const struct lib_node *n = k->f->l.node;
    uint32_t leaves = 1;
    *invert = false;
    for (; n[node].op == LIB_NOT; node = n[node].a)
        *invert = !*invert;
    for (*op = n[node].op; *op >= LIB_AND && n[node].op == *op && n[n[node].b].op == LIB_VAR;
         leaves++)
        node = n[node].a;
    return *op >= LIB_AND && n[node].op == LIB_VAR && leaves == vars;
}

static void make_chain(struct maker *k, const uint32_t *var, uint32_t vars, enum lib_op op,
                       bool invert, uint32_t net)
{
    struct gate_cell c = {.kind = op == LIB_XOR ? GATE_XOR : GATE_AND,
                          .pins = vars,
                          .invert = invert != (op == LIB_OR),
                          .line = line_of(k)};
    for (uint32_t i = 0; i < vars; i++)
        gate_build_pin_at(k->b, GATE_LITERAL(k->at[var[i]], op == LIB_OR), k->tag[var[i]]);
    gate_build_cell(k->b, c, net);
}

enum { MOST_VARS = 1024 };

/* Can a function be one gate, so that its pins need no buffers? */
static bool is_one_gate(const struct maker *k, uint32_t node, uint32_t *var, uint32_t *vars)
{
    enum lib_op op;
    bool invert;
    *vars = lib_vars(&k->f->l, node, var, MOST_VARS);
    return *vars <= GATE_TABLE_PINS ||
           (*vars <= MOST_VARS && is_chain(k, node, *vars, &op, &invert));
}

static bool make_one_gate(struct maker *k, uint32_t node, uint32_t net)
{
    uint32_t var[MOST_VARS], vars;
    uint64_t table = 0;
    if (!is_one_gate(k, node, var, &vars))
        return false;
    if (vars > GATE_TABLE_PINS) {
        enum lib_op op;
        bool invert;
        is_chain(k, node, vars, &op, &invert);
        make_chain(k, var, vars, op, invert, net);
        return true;
    }
    for (uint32_t row = 0; row < 1u << vars; row++) {
        for (uint32_t i = 0; i < vars; i++)
            k->value[var[i]] = row >> i & 1;
        table |= (uint64_t)lib_value(&k->f->l, node, k->value) << row;
    }
    for (uint32_t i = 0; i < vars; i++)
        push(k, var[i]);
    gate_build_table(k->b, table, vars, net, line_of(k));
    return true;
}

/* A function of pins as gates: as one, or as a tree whose inner nets have no name. */
static void make_function(struct maker *k, uint32_t node, uint32_t net)
{
    static const uint64_t table[] = {
        [LIB_NOT] = 1, [LIB_AND] = 8, [LIB_OR] = 14, [LIB_XOR] = 6}; /* rows of one or two pins */
    const struct lib_node n = k->f->l.node[node];
    uint32_t part[2] = {n.a, n.b}, inner[2], parts = n.op == LIB_NOT ? 1 : 2;
    if (make_one_gate(k, node, net))
        return;
    for (uint32_t i = 0; i < parts; i++) {
        inner[i] = inner_net(k, "$part");
        make_function(k, part[i], inner[i]);
    }
    for (uint32_t i = 0; i < parts; i++)
        gate_build_pin(k->b, GATE_LITERAL(inner[i], 0));
    gate_build_table(k->b, table[n.op], parts, net, line_of(k));
}

/* An output of a cell that passes the clock on: "it works", where an edge of pin `clock` passes. */
static int make_clock(struct maker *k, uint32_t node, uint32_t clock, uint32_t net)
{
    uint32_t var[GATE_TABLE_PINS], vars = lib_vars(&k->f->l, node, var, GATE_TABLE_PINS);
    uint64_t table = 0;
    if (vars > GATE_TABLE_PINS)
        return fail(k,
                    "the clock passes through %.200s (%s), which has %u inputs; at most %d are "
                    "understood: use an integrated clock gate or a smaller cell",
                    path_of(k), k->c->name, vars, GATE_TABLE_PINS);
    for (uint32_t row = 0; row < 1u << vars; row++) {
        bool works = false, v[2];
        for (uint32_t i = 0; i < vars; i++) {
            k->value[var[i]] = row >> i & 1;
            works |= var[i] == clock && row >> i & 1;
        }
        for (uint8_t edge = 0; edge < 2; edge++) {
            k->value[clock] = edge;
            v[edge] = lib_value(&k->f->l, node, k->value);
        }
        table |= (uint64_t)(works && v[0] != v[1]) << row;
    }
    for (uint32_t i = 0; i < vars; i++)
        push(k, var[i]);
    gate_build_table(k->b, table, vars, net, line_of(k));
    return 0;
}

/* Makes pin p a net of its own, which all of the cell reads. */
static void buffer_pin(struct maker *k, uint32_t p)
{
    uint32_t net = inner_net(k, "/"), tag = k->tag[p];
    gate_build_pin(k->b, GATE_LITERAL(k->at[p], 0));
    gate_build_table(k->b, 2, 1, net, line_of(k));
    gate_build_tag_cell(k->b, tag);
    k->at[p] = net;
    k->tag[p] = 0;
}

/* ---- cells ----------------------------------------------------------------------------------- */

static bool is_output(const struct maker *k, uint32_t p)
{
    return k->c->pin[p].direction == LIB_OUTPUT && flat_at(k->f, k->i, p) >= VL_NETS;
}

static bool is_input(const struct maker *k, uint32_t p)
{
    return k->c->pin[p].direction == LIB_INPUT && flat_at(k->f, k->i, p) != VL_OPEN;
}

static bool among(uint32_t p, const uint32_t *var, uint32_t vars)
{
    for (uint32_t i = 0; i < vars; i++)
        if (var[i] == p)
            return true;
    return false;
}

static int make_gate(struct maker *k)
{
    const struct lib_cell *c = k->c;
    uint32_t outputs = 0, var[MOST_VARS], vars = 0;
    bool one = true;
    for (uint32_t p = 0; p < c->pins; p++)
        if (is_output(k, p)) {
            outputs++;
            one = is_one_gate(k, c->pin[p].function, var, &vars);
        }
    for (uint32_t p = 0; p < c->pins; p++)
        if (is_input(k, p) && !(one && outputs == 1 && among(p, var, vars)))
            buffer_pin(k, p);
    for (uint32_t p = 0; p < c->pins; p++) {
        if (!is_output(k, p))
            continue;
        uint32_t at = flat_at(k->f, k->i, p), net = net_of(k, at);
        if (!k->f->clock[at])
            make_function(k, c->pin[p].function, net);
        else if (make_clock(k, c->pin[p].function, k->f->instance[k->i].clock_pin, net))
            return -1;
        gate_build_tag_cell(k->b, mark_pin(k, p));
    }
    return 0;
}

/* What a flip-flop's clear and preset make of a state. */
static bool forced(const struct maker *k, bool state, bool *both)
{
    const struct lib_cell *c = k->c;
    bool clear = c->clear != LIB_NONE && lib_value(&k->f->l, c->clear, k->value);
    bool preset = c->preset != LIB_NONE && lib_value(&k->f->l, c->preset, k->value);
    *both = clear && preset;
    return *both ? c->both[0] : preset || (state && !clear);
}

/* Adds to var[] what a node reads, each once. */
static uint32_t more_vars(const struct maker *k, uint32_t node, uint32_t *var, uint32_t vars)
{
    uint32_t own[MOST_VARS], owns = 0;
    if (node != LIB_NONE)
        owns = lib_vars(&k->f->l, node, own, MOST_VARS);
    for (uint32_t i = 0; i < owns && i < MOST_VARS && vars < MOST_VARS; i++) {
        uint32_t v = own[i] == k->c->pins + 1 ? k->c->pins : own[i]; /* one state */
        if (!among(v, var, vars))
            var[vars++] = v;
    }
    return vars;
}

enum { NEXT, OUTPUT };

/* The next state (works ? next : state, forced), or an output of the state, forced, as a table over
 * var[]; `next` is the variable of a net that has it already, or LIB_NONE. */
static void make_state(struct maker *k, int what, uint32_t node, uint32_t next, uint32_t clock,
                       const uint32_t *var, uint32_t vars, uint32_t net)
{
    uint32_t s = k->c->pins;
    uint64_t table = 0;
    for (uint32_t row = 0; row < 1u << vars; row++) {
        for (uint32_t i = 0; i < vars; i++)
            k->value[var[i]] = row >> i & 1;
        bool works = what == NEXT && k->value[clock], both, state = k->value[s], v;
        k->value[s + 1] = !state;
        if (what == NEXT) {
            v = !works             ? state
                : next != LIB_NONE ? k->value[next]
                                   : lib_value(&k->f->l, node, k->value);
            v = forced(k, v, &both);
        } else {
            v = forced(k, state, &both);
            k->value[s] = v;
            k->value[s + 1] = both ? k->c->both[1] : !v;
            v = lib_value(&k->f->l, node, k->value);
        }
        table |= (uint64_t)v << row;
    }
    for (uint32_t i = 0; i < vars; i++)
        push(k, var[i]);
    gate_build_table(k->b, table, vars, net, line_of(k));
}

/* Does the clock of a pin pass through more than buffers? Then the state is kept in some cycles, whatever the output shows. */
static bool is_gated(const struct maker *k, uint32_t pin)
{
    struct flat *f = k->f;
    uint32_t net = flat_at(f, k->i, pin), by, var[2];
    for (; f->driver[net]; net = flat_at(f, by, f->instance[by].clock_pin)) {
        by = f->driver[net] - 1;
        uint32_t node = flat_cell(f, by)->pin[f->driver_pin[net]].function;
        if (f->instance[by].clock_pin == LIB_NONE || lib_vars(&f->l, node, var, 2) != 1)
            return true;
    }
    return false;
}

static int make_flop(struct maker *k)
{
    const struct lib_cell *c = k->c;
    uint32_t s = c->pins, clock, var[MOST_VARS], vars, own[MOST_VARS], owns, outputs = 0, only = 0;
    bool inverts, async = c->clear != LIB_NONE || c->preset != LIB_NONE;
    if (flat_clock_pin(k->f, k->i, &clock, &inverts))
        return -1;
    bool one = is_one_gate(k, c->next, own, &owns);
    if (among(clock, own, owns) || owns > MOST_VARS)
        return fail(k,
                    "instance %.200s: next_state of cell %s reads the clock; use another flip-flop",
                    path_of(k), c->name);
    for (uint32_t p = 0; p < c->pins; p++)
        if (is_output(k, p)) {
            outputs++;
            only = p;
        }
    bool reads_state = among(s, own, owns) || among(s + 1, own, owns);
    uint32_t both = more_vars(k, c->preset, var, more_vars(k, c->clear, var, 0));
    for (uint32_t p = 0; p < c->pins; p++)
        if (is_input(k, p) && p != clock && (!one || !among(p, own, owns) || among(p, var, both)))
            buffer_pin(k, p);
    /* a state that is the output as it is needs no net of its own */
    bool direct = !async && outputs == 1 && !reads_state && !is_gated(k, clock) &&
                  k->f->l.node[c->pin[only].function].op == LIB_VAR &&
                  k->f->l.node[c->pin[only].function].a == s;
    uint32_t state = direct ? net_of(k, flat_at(k->f, k->i, only)) : inner_net(k, "");
    k->at[s] = state;
    k->tag[s] = k->tag[s + 1] = 0;
    uint32_t next = inner_net(k, "$next"), inner = LIB_NONE;
    var[0] = clock;
    var[1] = s;
    vars = more_vars(k, c->next, var, 2);
    vars = more_vars(k, c->clear, var, vars);
    vars = more_vars(k, c->preset, var, vars);
    if (vars > GATE_TABLE_PINS) { /* the function of the pins apart */
        inner = s + 2;
        if (reads_state) { /* it may ask for the inverted state */
            k->at[s + 1] = inner_net(k, "$not");
            gate_build_pin(k->b, GATE_LITERAL(state, 0));
            gate_build_table(k->b, 1, 1, k->at[s + 1], line_of(k));
        }
        k->at[inner] = inner_net(k, "$data");
        k->tag[inner] = 0;
        make_function(k, c->next, k->at[inner]);
        var[2] = inner;
        vars = more_vars(k, c->preset, var, more_vars(k, c->clear, var, 3));
    }
    if (vars > GATE_TABLE_PINS)
        return fail(k,
                    "instance %.200s: clear and preset of cell %s read %u pins; at most %d are "
                    "understood: use a flip-flop with fewer",
                    path_of(k), c->name, vars - 3, GATE_TABLE_PINS - 3);
    make_state(k, NEXT, c->next, inner, clock, var, vars, next);
    gate_build_pin(k->b, GATE_LITERAL(next, 0));
    gate_build_cell(k->b, (struct gate_cell){.kind = GATE_FLOP, .pins = 1, .line = line_of(k)},
                    state);
    if (direct) {
        gate_build_tag_cell(k->b, mark_pin(k, only));
        free(k->b->name[state]); /* a flip-flop is called by its instance */
        k->b->name[state] = fl_strdup(path_of(k));
        return 0;
    }
    for (uint32_t p = 0; p < c->pins; p++) {
        if (!is_output(k, p))
            continue;
        vars = more_vars(k, c->pin[p].function, var, 0);
        vars = more_vars(k, c->preset, var, more_vars(k, c->clear, var, vars));
        if (vars > GATE_TABLE_PINS)
            return fail(k,
                        "instance %.200s: output %s of flip-flop %s reads too many pins; use a "
                        "simpler flip-flop",
                        path_of(k), c->pin[p].name, c->name);
        make_state(k, OUTPUT, c->pin[p].function, LIB_NONE, clock, var, vars,
                   net_of(k, flat_at(k->f, k->i, p)));
        gate_build_tag_cell(k->b, mark_pin(k, p));
    }
    return 0;
}

static int make_instance(struct maker *k, uint32_t i)
{
    struct flat *f = k->f;
    const struct lib_cell *c = flat_cell(f, i);
    k->i = i;
    k->c = c;
    if (c->pins + 3 > k->room) {
        k->room = 2 * (c->pins + 3);
        k->at = fl_grow(k->at, k->room, sizeof *k->at);
        k->tag = fl_grow(k->tag, k->room, sizeof *k->tag);
        k->value = fl_grow(k->value, k->room, sizeof *k->value);
    }
    uint32_t clock = f->instance[i].clock_pin;
    bool inverts;
    if (c->flop && flat_clock_pin(f, i, &clock, &inverts))
        return -1;
    for (uint32_t p = 0; p < c->pins; p++) {
        uint32_t net = flat_at(f, i, p);
        k->tag[p] = 0;
        if (c->pin[p].direction != LIB_INPUT)
            continue;
        k->at[p] = read_net(k, net, path_of(k), c->pin[p].name, line_of(k));
        if (net != VL_OPEN)
            k->tag[p] = mark_pin(k, p);
        if (f->clock[net] && p != clock)
            return fail(k, "the clock %.200s is data at %.200s/%s (%s); take it out of the logic",
                        flat_net_name(f, net, &k->text), path_of(k), c->pin[p].name, c->name);
    }
    return c->flop ? make_flop(k) : make_gate(k);
}

/* ---- ports ----------------------------------------------------------------------------------- */

static void add_clock(struct maker *k, const char *name, bool falling)
{
    struct gate_build *b = k->b;
    b->of_clock = fl_grow(b->of_clock, b->clocks + 1, sizeof *b->of_clock);
    b->of_clock[b->clocks++] = (struct gate_clock){fl_strdup(name), falling};
}

static void make_input(struct maker *k, uint32_t net, const char *name, uint32_t line)
{
    struct gate_mark m = {.name = fl_strdup(name), .port = true, .clock = k->f->clock[net] != 0};
    k->net[net] = gate_build_net(k->b, name, 0);
    if (m.clock)
        gate_build_table(k->b, 1, 0, k->net[net], line);
    else
        gate_build_cell(k->b, (struct gate_cell){.kind = GATE_INPUT, .line = line}, k->net[net]);
    gate_build_tag_cell(k->b, gate_build_mark(k->b, m));
}

/* By which edge flip-flops see the clock of a port. */
static int find_edge(struct maker *k, uint32_t root, bool *falling)
{
    struct flat *f = k->f;
    *falling = false;
    for (uint32_t i = 0; i < f->instances; i++) {
        uint32_t pin;
        bool inverts;
        if (!flat_cell(f, i)->flop)
            continue;
        if (flat_clock_pin(f, i, &pin, &inverts))
            return -1;
        uint32_t net = flat_at(f, i, pin);
        if (f->clock[net] == root + 1) {
            *falling = f->falling[net] != inverts;
            return 0;
        }
    }
    return 0;
}

static int make_ports(struct maker *k, enum vl_direction direction)
{
    struct flat *f = k->f;
    const struct vl_module *m = f->top;
    struct fl_buf name = {0};
    int bad = 0;
    for (uint32_t p = 0; p < m->ports && !bad; p++) {
        const struct vl_symbol *s = &m->symbol[m->port[p]];
        for (uint32_t i = 0; s->direction == direction && i < vl_width(s) && !bad; i++) {
            uint32_t net = flat_net(f, s->first + i);
            bool falling;
            name.size = 0;
            verilog_net_name(m, s->first + i, &name);
            const char *text = (const char *)name.data;
            if (direction == VL_INPUT) {
                make_input(k, net, text, s->line);
                bad = f->clock[net] ? find_edge(k, net, &falling) : 0;
                if (!bad && f->clock[net])
                    add_clock(k, text, falling);
                continue;
            }
            uint32_t at = read_net(k, net, "", text, s->line);
            k->b->line[at] = s->line;
            gate_build_output(k->b, at);
            struct gate_mark mark = {.name = fl_strdup(text), .port = true};
            mark.clock = f->clock[net] != 0;
            mark.inverted = mark.clock && f->falling[net];
            gate_build_tag_output(k->b, gate_build_mark(k->b, mark));
        }
    }
    fl_buf_free(&name);
    return bad;
}

static int make_all(struct maker *k)
{
    struct flat *f = k->f;
    if (make_ports(k, VL_INPUT) || make_ports(k, VL_OUTPUT))
        return -1;
    for (uint32_t i = 0; i < f->instances; i++)
        if (make_instance(k, i))
            return -1;
    k->b->instances = f->instances;
    k->b->unknown = true;
    if (k->undriven) {
        char more[40] = "";
        if (k->undriven > 1)
            snprintf(more, sizeof more, ", and %u more", k->undriven - 1);
        return fl_fail(f->err,
                       "%s:%u: nothing drives %s%.200s%s%.200s%s; connect %s, or tie what "
                       "nothing drives with --undriven 0 or --undriven 1",
                       f->path, k->undriven_line, k->undriven_name ? "net " : "the pin ",
                       k->undriven_name ? k->undriven_name : k->undriven_at,
                       k->undriven_name ? ", which is read at " : "",
                       k->undriven_name ? k->undriven_at : "", more,
                       k->undriven > 1 ? "them" : "it");
    }
    return 0;
}

int flat_to_gates(struct flat *f, struct gate_build *b)
{
    struct maker k = {.f = f, .b = b, .constant = {LIB_NONE, LIB_NONE}};
    b->model = fl_strdup(f->top->name);
    k.net = fl_alloc(f->nets * sizeof *k.net);
    memset(k.net, 0xff, f->nets * sizeof *k.net);
    int bad = make_all(&k);
    free(k.net);
    free(k.at);
    free(k.tag);
    free(k.value);
    free(k.undriven_name);
    free(k.undriven_at);
    fl_buf_free(&k.text);
    return bad ? -1 : 0;
}
