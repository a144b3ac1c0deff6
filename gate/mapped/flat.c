/* flat.c -- modules to one list of instances, and the clocks among their nets. See flat.h. */
#include "flat.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LEVELS = 100, MOST_NETS = 1 << 27, MOST_CHAIN = 1000 };

/* ---- nets ------------------------------------------------------------------------------------ */

uint32_t flat_net(struct flat *f, uint32_t net)
{
    while (f->parent[net] != net)
        net = f->parent[net] = f->parent[f->parent[net]];
    return net;
}

/* One net of two: a constant or, of two names, that nearer to the top. */
static void join(struct flat *f, uint32_t a, uint32_t b)
{
    a = flat_net(f, a);
    b = flat_net(f, b);
    if (a == b)
        return;
    bool keep = a < VL_NETS ||
                (b >= VL_NETS && f->scope[f->scope_of[a]].deep <= f->scope[f->scope_of[b]].deep);
    f->parent[keep ? b : a] = keep ? a : b;
}

const char *flat_net_name(const struct flat *f, uint32_t net, struct fl_buf *out)
{
    static const char *const constant[] = {"1'b0", "1'b1", "1'bx", "1'bz"};
    out->size = 0;
    if (net < VL_NETS) {
        fl_buf_printf(out, "%s", constant[net]);
    } else {
        const struct flat_scope *s = &f->scope[f->scope_of[net]];
        fl_buf_printf(out, "%s", s->path);
        verilog_net_name(s->module, net - s->base + VL_NETS, out);
    }
    return (const char *)out->data;
}

/* A bit of a module as a net. */
static uint32_t global(const struct flat_scope *s, uint32_t bit)
{
    return bit < VL_NETS ? bit : s->base + bit - VL_NETS;
}

static int add_scope(struct flat *f, const struct vl_module *m, char *path, uint32_t deep)
{
    uint32_t nets = m->nets - VL_NETS;
    FL_ROOM(f->scope, f->scopes, f->room_scopes, 16);
    f->scope[f->scopes++] = (struct flat_scope){m, path, f->nets, deep};
    if (f->nets + nets > MOST_NETS)
        return fl_fail(f->err, "%s: more than %d nets", f->path, MOST_NETS);
    while (f->nets + nets > f->room_nets) {
        f->room_nets = f->room_nets ? 2 * f->room_nets : 1024;
        f->parent = fl_grow(f->parent, f->room_nets, sizeof *f->parent);
        f->scope_of = fl_grow(f->scope_of, f->room_nets, sizeof *f->scope_of);
    }
    for (uint32_t i = 0; i < nets; i++, f->nets++) {
        f->parent[f->nets] = f->nets;
        f->scope_of[f->nets] = f->scopes - 1;
    }
    return 0;
}

/* ---- instances ------------------------------------------------------------------------------- */

#define fail_at(f, line, ...) fl_fail_at((f)->err, (f)->path, line, __VA_ARGS__)

/* Power pins say nothing; inputs of a primitive come behind its output. */
static int connect_cell(struct flat *f, uint32_t scope, const struct vl_instance *x, uint32_t cell,
                        char *path)
{
    const struct lib_cell *c = &f->l.cell[cell];
    const struct vl_module *m = f->scope[scope].module;
    FL_ROOM(f->instance, f->instances, f->room_instances, 256);
    f->instance[f->instances++] = (struct flat_instance){cell, path, f->pins, x->line, LIB_NONE};
    FL_ROOM(f->pin, f->pins, f->room_pins, 1024); /* also of a cell without pins */
    for (uint32_t p = 0; p < c->pins; p++) {
        FL_ROOM(f->pin, f->pins, f->room_pins, 1024);
        f->pin[f->pins++] = VL_OPEN;
    }
    uint32_t *at = &f->pin[f->pins - c->pins], position = 0;
    for (uint32_t k = 0; k < x->pins; k++) {
        const struct vl_pin *from = &m->pin[x->first + k];
        while (
            !from->name && position < c->pins &&
            (c->pin[position].direction == LIB_INTERNAL || c->pin[position].direction == LIB_POWER))
            position++;
        uint32_t p = from->name ? liberty_pin(c, from->name) : position++;
        if (p >= c->pins && from->name)
            return fail_at(f, x->line,
                           "instance %s: cell %s has no pin %.100s; correct the name, or give the "
                           "Liberty file of this netlist",
                           path, c->name, from->name);
        if (p >= c->pins)
            return fail_at(
                f, x->line,
                "instance %s: cell %s has no more than %u pins; connect pins by name: .A(n1)", path,
                c->name, c->pins);
        if (at[p] != VL_OPEN)
            return fail_at(f, x->line,
                           "instance %s: pin %s is connected twice; leave one connection out", path,
                           c->pin[p].name);
        if (from->bits > 1)
            return fail_at(
                f, x->line,
                "instance %s: pin %s of cell %s takes one bit, not %u; select one, as in n[0]",
                path, c->pin[p].name, c->name, from->bits);
        if (from->bits && c->pin[p].direction != LIB_POWER)
            at[p] = global(&f->scope[scope], m->bit[from->first]);
    }
    return 0;
}

static int connect_module(struct flat *f, uint32_t scope, const struct vl_instance *x, uint32_t in)
{
    const struct vl_module *m = f->scope[scope].module, *sub = f->scope[in].module;
    for (uint32_t k = 0; k < x->pins; k++) {
        const struct vl_pin *from = &m->pin[x->first + k];
        uint32_t p = k;
        for (p = from->name ? 0 : k; from->name && p < sub->ports; p++)
            if (strcmp(sub->symbol[sub->port[p]].name, from->name) == 0)
                break;
        if (p >= sub->ports)
            return fail_at(
                f, x->line,
                "instance %s%s: module %s has no port %s; correct the instance or the module",
                f->scope[scope].path, x->name, sub->name,
                from->name ? from->name : "of that position");
        const struct vl_symbol *port = &sub->symbol[sub->port[p]];
        uint32_t width = vl_width(port);
        if (from->bits && from->bits != width)
            return fail_at(f, x->line,
                           "instance %s%s: port %s of module %s has %u bits, and %u are connected; "
                           "connect as many, as in {2'b00, n}",
                           f->scope[scope].path, x->name, port->name, sub->name, width, from->bits);
        for (uint32_t i = 0; i < from->bits; i++) {
            uint32_t bit = m->bit[from->first + i];
            if (bit != VL_UNKNOWN)
                join(f, global(&f->scope[in], port->first + i), global(&f->scope[scope], bit));
        }
    }
    return 0;
}

static int walk(struct flat *f, uint32_t scope);

static int add_instance(struct flat *f, uint32_t scope, const struct vl_instance *x)
{
    uint32_t cell = x->primitive != LIB_NONE ? x->primitive : liberty_find(&f->l, x->cell);
    uint32_t module = cell == LIB_NONE ? verilog_find(&f->v, x->cell) : UINT32_MAX;
    uint32_t deep = f->scope[scope].deep + 1;
    if (strlen(f->scope[scope].path) + strlen(x->name) > MOST_PATH)
        return fail_at(f, x->line,
                       "the name of instance %.60s... has more than %d characters, with "
                       "its hierarchy; shorten it",
                       x->name, MOST_PATH);
    if (cell == LIB_NONE && module == UINT32_MAX)
        return fail_at(f, x->line,
                       "instance %s%s: cell %.100s is in no library and no module is "
                       "called so; give its Liberty file with --liberty",
                       f->scope[scope].path, x->name, x->cell);
    if (cell != LIB_NONE)
        return connect_cell(f, scope, x, cell, fl_format("%s%s", f->scope[scope].path, x->name));
    if (deep > MOST_LEVELS)
        return fail_at(f, x->line,
                       "module %.100s contains itself, or hierarchy has more than %d "
                       "levels",
                       x->cell, MOST_LEVELS);
    uint32_t in = f->scopes;
    if (add_scope(f, &f->v.module[module], fl_format("%s%s/", f->scope[scope].path, x->name), deep))
        return -1;
    return connect_module(f, scope, x, in) || walk(f, in) ? -1 : 0;
}

static int walk(struct flat *f, uint32_t scope)
{
    const struct vl_module *m = f->scope[scope].module;
    for (uint32_t i = 0; i < m->assigns; i++)
        for (uint32_t k = 0; k < m->assign[i].bits; k++) {
            uint32_t left = m->bit[m->assign[i].left + k], right = m->bit[m->assign[i].right + k];
            if (left < VL_NETS)
                return fail_at(f, m->assign[i].line,
                               "a constant on the left of an assign; exchange the sides, or leave "
                               "the assign out");
            if (right != VL_UNKNOWN)
                join(f, global(&f->scope[scope], left), global(&f->scope[scope], right));
        }
    for (uint32_t i = 0; i < m->instances; i++)
        if (add_instance(f, scope, &m->instance[i]))
            return -1;
    return 0;
}

/* ---- the top and its ports ------------------------------------------------------------------- */

static int find_top(struct flat *f)
{
    uint32_t top = UINT32_MAX, tops = 0;
    struct fl_buf names = {0};
    if (f->how->top) {
        top = verilog_find(&f->v, f->how->top);
        if (top == UINT32_MAX)
            return fl_fail(f->err, "%s: no module is called %.200s; --top names one of the file",
                           f->path, f->how->top);
        f->top = &f->v.module[top];
        return 0;
    }
    for (uint32_t i = 0; i < f->v.modules; i++)
        if (!f->v.module[i].used) {
            fl_buf_printf(&names, "%s%s", tops++ ? ", " : "", f->v.module[i].name);
            top = i;
        }
    int bad = 0;
    if (tops == 0)
        bad = fl_fail(f->err, "%s: each module is used by another one; name the top with --top",
                      f->path);
    else if (tops > 1)
        bad = fl_fail(f->err,
                      "%s: %u modules are used by no other: %.300s; name the top with --top",
                      f->path, tops, (const char *)names.data);
    else
        f->top = &f->v.module[top];
    fl_buf_free(&names);
    return bad;
}

/* Who drives each net: an instance, an input port, or a constant. */
static int find_drivers(struct flat *f)
{
    struct fl_buf name = {0};
    const struct vl_module *m = f->top;
    int bad = 0;
    for (uint32_t p = 0; p < m->ports && !bad; p++) {
        const struct vl_symbol *s = &m->symbol[m->port[p]];
        if (s->direction == VL_INOUT)
            bad = fail_at(f, s->line,
                          "port %.200s is inout; cut the pad ring off, or make it an "
                          "input or an output",
                          s->name);
        for (uint32_t i = 0; i < vl_width(s) && s->direction == VL_INPUT && !bad; i++) {
            uint32_t net = flat_net(f, global(&f->scope[0], s->first + i));
            if (net < VL_NETS || f->input[net])
                bad = fail_at(
                    f, s->line,
                    "input %.200s is connected to %s; leave out the assign that connects them",
                    s->name, net < VL_NETS ? "a constant" : "another input");
            else
                f->input[net] = s->first + i;
        }
    }
    for (uint32_t i = 0; i < f->instances && !bad; i++)
        for (uint32_t p = 0; p < flat_cell(f, i)->pins && !bad; p++) {
            uint32_t net = flat_at(f, i, p), other;
            if (flat_cell(f, i)->pin[p].direction != LIB_OUTPUT || net == VL_OPEN)
                continue;
            if (net < VL_NETS || f->input[net])
                bad = fail_at(f, f->instance[i].line,
                              "%.200s/%s drives net %.200s, which is %s of the module; connect the "
                              "output to a net of its own",
                              f->instance[i].path, flat_cell(f, i)->pin[p].name,
                              flat_net_name(f, net < VL_NETS ? net : f->input[net], &name),
                              net < VL_NETS ? "a constant" : "an input");
            else if ((other = f->driver[net]) != 0)
                bad = fail_at(f, f->instance[i].line,
                              "net %.200s has two drivers, %.200s/%s and %.200s/%s; leave one of "
                              "them out",
                              flat_net_name(f, net, &name), f->instance[other - 1].path,
                              flat_cell(f, other - 1)->pin[f->driver_pin[net]].name,
                              f->instance[i].path, flat_cell(f, i)->pin[p].name);
            if (!bad) {
                f->driver[net] = i + 1;
                f->driver_pin[net] = p;
            }
        }
    fl_buf_free(&name);
    return bad;
}

/* All cells of the netlist that no netlist of gates can have, each with its instances. */
static int refuse_cells(struct flat *f)
{
    struct fl_buf all = {0};
    uint32_t *count = fl_alloc(f->l.cells * sizeof *count), kinds = 0, line = 0;
    bool latch = false;
    for (uint32_t i = 0; i < f->instances; i++)
        count[f->instance[i].cell]++;
    for (uint32_t i = 0; i < f->instances; i++) {
        const struct lib_cell *c = flat_cell(f, i);
        if (!c->why || !count[f->instance[i].cell])
            continue;
        line = line ? line : f->instance[i].line;
        if (kinds++ < 4)
            fl_buf_printf(&all, "%s%.100s %.150s (%u instance%s%.100s)", kinds > 1 ? "; " : "",
                          c->name, c->why, count[f->instance[i].cell],
                          count[f->instance[i].cell] > 1 ? "s, the first " : ": ",
                          f->instance[i].path);
        latch |= c->latch;
        count[f->instance[i].cell] = 0;
    }
    int bad = 0;
    if (kinds)
        bad = fail_at(f, line,
                      "not understood: %s%s; cut these cells off, or replace them by gates "
                      "and flip-flops%s",
                      (const char *)all.data, kinds > 4 ? "; and further cells" : "",
                      latch ? " (a latch with a gate in the clock path: by one integrated clock "
                              "gate of the library)"
                            : "");
    free(count);
    fl_buf_free(&all);
    return bad;
}

int flat_make(struct flat *f)
{
    f->room_nets = 1024;
    f->parent = fl_grow(NULL, f->room_nets, sizeof *f->parent);
    f->scope_of = fl_grow(NULL, f->room_nets, sizeof *f->scope_of);
    for (; f->nets < VL_NETS; f->nets++) {
        f->parent[f->nets] = f->nets;
        f->scope_of[f->nets] = 0;
    }
    if (find_top(f) || add_scope(f, f->top, fl_strdup(""), 0) || walk(f, 0) || refuse_cells(f))
        return -1;
    f->driver = fl_alloc(f->nets * sizeof *f->driver);
    f->driver_pin = fl_alloc(f->nets * sizeof *f->driver_pin);
    f->input = fl_alloc(f->nets * sizeof *f->input);
    f->clock = fl_alloc(f->nets * sizeof *f->clock);
    f->no_clock = fl_alloc(f->nets);
    f->falling = fl_alloc(f->nets * sizeof *f->falling);
    return find_drivers(f);
}

/* ---- clocks ---------------------------------------------------------------------------------- */

/* Does output `p` of the cell pass edges of input `clock` on? Inverted or not, whatever the other
 * inputs are; false too where it never does. */
static bool passes(const struct flat *f, const struct lib_cell *c, uint32_t p, uint32_t clock,
                   bool *inverts)
{
    enum { MOST = 10 };
    uint32_t var[MOST], vars = lib_vars(&f->l, c->pin[p].function, var, MOST);
    uint8_t *value = fl_alloc(c->pins + 2);
    int rises = 0, falls = 0;
    for (uint32_t row = 0; vars <= MOST && row < 1u << vars; row++) {
        for (uint32_t k = 0; k < vars; k++)
            value[var[k]] = row >> k & 1;
        value[clock] = 0;
        bool low = lib_value(&f->l, c->pin[p].function, value);
        value[clock] = 1;
        bool high = lib_value(&f->l, c->pin[p].function, value);
        rises += high && !low;
        falls += low && !high;
    }
    free(value);
    *inverts = falls > 0;
    return (rises > 0) != (falls > 0);
}

/* Does one input alone decide what the output is? */
static bool is_buffer(const struct flat *f, const struct lib_cell *c, uint32_t p)
{
    uint32_t var[2];
    return !c->flop && lib_vars(&f->l, c->pin[p].function, var, 2) == 1;
}

/* What stops a search: said in the second pass alone, where all clocks are known. */
struct search {
    uint32_t who;
    bool quiet, known; /* known: it has to end at a clock that is one already */
};

static int stop(struct flat *f, const struct search *s, uint32_t net, uint32_t by, const char *why)
{
    struct fl_buf name = {0};
    uint32_t line = f->instance[s->who].line;
    f->no_clock[net] |= s->known ? 2 : 1;
    if (!s->quiet && by == LIB_NONE)
        fail_at(f, line, "the clock of %.200s, net %.200s, %s", f->instance[s->who].path,
                flat_net_name(f, net, &name), why);
    else if (!s->quiet)
        fail_at(f, line, "the clock of %.200s comes from %.200s (%s), %s", f->instance[s->who].path,
                f->instance[by].path, flat_cell(f, by)->name, why);
    fl_buf_free(&name);
    return -1;
}

/* Back from a net to the port where its clock comes in. A cell of several inputs is a gate of the
 * one to which a known clock comes. */
static int trace(struct flat *f, const struct search *s, uint32_t net, int deep)
{
    if (f->clock[net])
        return 0;
    if (f->no_clock[net] & (s->known ? 3 : 1) && s->quiet)
        return -1;
    if (f->input[net] && !s->known) {
        f->clock[net] = net + 1;
        return 0;
    }
    if (net < VL_NETS || !f->driver[net])
        return stop(f, s, net, LIB_NONE,
                    f->input[net] ? "is an input that clocks nothing directly; cut it off"
                                  : "is driven by nothing; connect it to the clock");
    if (deep > MOST_CHAIN)
        return stop(f, s, net, LIB_NONE, "passes through too many cells; is it a loop?");
    uint32_t by = f->driver[net] - 1, p = f->driver_pin[net], from = LIB_NONE, several = 0;
    const struct lib_cell *c = flat_cell(f, by);
    if (c->flop)
        return stop(f, s, net, by,
                    "a flip-flop: divided clocks are not understood; cut the divider off");
    bool inverts = false, one = c->gates_clock || is_buffer(f, c, p);
    for (uint32_t k = 0; k < c->pins; k++) {
        uint32_t at = flat_at(f, by, k);
        bool inverted;
        if (c->pin[k].direction != LIB_INPUT || at < VL_NETS ||
            (c->gates_clock && !c->pin[k].gate_clock) || !passes(f, c, p, k, &inverted))
            continue;
        struct search way = {s->who, s->quiet || !one, s->known || !one};
        if (trace(f, &way, at, deep + 1) == 0) {
            from = k;
            inverts = inverted;
            several++;
        } else if (one) {
            return -1;
        }
    }
    if (several != 1)
        return stop(f, s, net, by,
                    several ? "which several clocks reach; leave one of them"
                            : "none of whose inputs is a clock of other flip-flops; cut it off, or "
                              "take a clock gate of the library");
    uint32_t at = flat_at(f, by, from);
    f->clock[net] = f->clock[at];
    f->falling[net] = f->falling[at] != inverts;
    f->instance[by].clock_pin = from;
    return 0;
}

/* Buffers and gates behind a clock that lead to no flip-flop carry it all the same. */
static void spread(struct flat *f)
{
    bool more = true;
    for (int round = 0; more && round < 100; round++) {
        more = false;
        for (uint32_t i = 0; i < f->instances; i++) {
            const struct lib_cell *c = flat_cell(f, i);
            for (uint32_t p = 0; p < c->pins; p++) {
                uint32_t net = flat_at(f, i, p);
                if (c->pin[p].direction != LIB_OUTPUT || c->flop || net < VL_NETS ||
                    f->clock[net] || !(c->gates_clock || is_buffer(f, c, p)))
                    continue;
                for (uint32_t k = 0; k < c->pins; k++) {
                    uint32_t at = flat_at(f, i, k);
                    bool inverts;
                    if (c->pin[k].direction != LIB_INPUT || !f->clock[at] ||
                        (c->gates_clock && !c->pin[k].gate_clock) || !passes(f, c, p, k, &inverts))
                        continue;
                    f->clock[net] = f->clock[at];
                    f->falling[net] = f->falling[at] != inverts;
                    f->instance[i].clock_pin = k;
                    more = true;
                }
            }
        }
    }
}

int flat_clock_pin(struct flat *f, uint32_t i, uint32_t *pin, bool *inverts)
{
    const struct lib_cell *c = flat_cell(f, i);
    uint32_t var;
    uint8_t *value = fl_alloc(c->pins + 2);
    if (lib_vars(&f->l, c->clocked, &var, 1) != 1 || var >= c->pins) {
        free(value);
        return fail_at(f, f->instance[i].line,
                       "instance %.200s: clocked_on of cell %s is no single "
                       "pin; use another flip-flop",
                       f->instance[i].path, c->name);
    }
    *inverts = lib_value(&f->l, c->clocked, value);
    *pin = var;
    free(value);
    return 0;
}

/* One port and one edge for all flip-flops, or --one-clock. */
static int one_clock(struct flat *f)
{
    struct {
        uint32_t root, count, first;
        bool falling;
    } seen[8] = {{0}};
    uint32_t kinds = 0;
    for (uint32_t i = 0; i < f->instances; i++) {
        uint32_t pin, k = 0;
        bool inverts;
        if (!flat_cell(f, i)->flop)
            continue;
        if (flat_clock_pin(f, i, &pin, &inverts))
            return -1;
        uint32_t net = flat_at(f, i, pin), root = f->clock[net];
        bool falling = f->falling[net] != inverts;
        while (k < kinds && (seen[k].root != root || seen[k].falling != falling))
            k++;
        if (k == kinds && kinds < 8) {
            seen[kinds].root = root;
            seen[kinds].falling = falling;
            seen[kinds++].first = i;
        }
        if (k < 8)
            seen[k].count++;
    }
    if (kinds < 2 || f->how->one_clock)
        return 0;
    struct fl_buf all = {0}, name = {0};
    for (uint32_t k = 0; k < kinds; k++)
        fl_buf_printf(&all, "%s%.100s %s (%u flip-flops: %.100s%s)", k ? ", " : "",
                      flat_net_name(f, seen[k].root - 1, &name),
                      seen[k].falling ? "falling" : "rising", seen[k].count,
                      f->instance[seen[k].first].path, seen[k].count > 1 ? ", ..." : "");
    int bad = fl_fail(f->err,
                      "%s: several clocks or edges: %.700s; --one-clock takes all as one edge "
                      "a cycle, which is right for full scan",
                      f->path, (const char *)all.data);
    fl_buf_free(&all);
    fl_buf_free(&name);
    return bad;
}

int flat_clocks(struct flat *f)
{
    /* first what buffers and clock gates alone lead to: the clocks; then gates among these */
    for (int pass = 0; pass < 2; pass++) {
        memset(f->no_clock, 0, f->nets);
        for (uint32_t i = 0; i < f->instances; i++) {
            uint32_t pin;
            bool inverts;
            if (!flat_cell(f, i)->flop)
                continue;
            if (flat_clock_pin(f, i, &pin, &inverts))
                return -1;
            uint32_t net = flat_at(f, i, pin);
            if (net == VL_OPEN || net == VL_UNKNOWN)
                return fail_at(f, f->instance[i].line,
                               "the clock pin %.200s/%s is not connected; connect it to the clock",
                               f->instance[i].path, flat_cell(f, i)->pin[pin].name);
            struct search s = {i, pass == 0, false};
            if (trace(f, &s, net, 0) && pass == 1)
                return -1;
        }
    }
    spread(f);
    return one_clock(f);
}

void flat_free(struct flat *f)
{
    for (uint32_t i = 0; i < f->scopes; i++)
        free(f->scope[i].path);
    for (uint32_t i = 0; i < f->instances; i++)
        free(f->instance[i].path);
    void *const part[] = {f->scope,      f->parent, f->scope_of, f->instance, f->pin,     f->driver,
                          f->driver_pin, f->input,  f->clock,    f->falling,  f->no_clock};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        free(part[i]);
    liberty_free(&f->l);
    verilog_free(&f->v);
}
