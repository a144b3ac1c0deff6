/* registers.c -- see registers.h. */
#include "registers.h"

#include <stdlib.h>
#include <string.h>

/* Of "x_a_q.q[5]" the length of the register's name; 0: it is none, or not this pin of one. */
static size_t register_in(const char *name, char pin)
{
    const char *dot = strrchr(name, '.');
    return dot && dot[1] == pin && (dot[2] == '[' || !dot[2]) ? (size_t)(dot - name) : 0;
}

/* The first bit of `name`, `length` characters of it, among the outputs; `outputs`: there is none. */
static uint32_t output_of(const struct gate_netlist *n, const char *name, size_t length)
{
    uint32_t o = 0;
    while (o < n->outputs && (register_in(n->output_name[o], 'd') != length ||
                              strncmp(n->output_name[o], name, length) != 0))
        o++;
    return o;
}

static int add_register(struct registers *r, const struct gate_netlist *n, const char *of,
                        uint32_t input, struct fl_err *err)
{
    const char *name = n->name[input];
    const size_t length = register_in(name, 'q');
    struct held_register *to = &r->reg[r->count++];
    *to = (struct held_register){.path = fl_format("%s.%.*s", of, (int)length, name),
                                 .input = input,
                                 .output = output_of(n, name, length)};
    do
        to->bits++;
    while (input + to->bits < n->inputs && register_in(n->name[input + to->bits], 'q') == length &&
           strncmp(n->name[input + to->bits], name, length) == 0);
    for (uint32_t i = 0; i < to->bits; i++) {
        const uint32_t o = to->output + i;
        if (o >= n->outputs || register_in(n->output_name[o], 'd') != length ||
            n->cell[n->output[o]].kind != GATE_MUX ||
            n->literal[n->cell[n->output[o]].first + 1] != GATE_LITERAL(input + i, 0))
            return fl_fail(err,
                           "%s: register %.*s has no multiplexer at its input that holds its "
                           "value; make the netlist again with scripts/gates",
                           n->file, (int)length, name);
        r->taken[input + i - r->input] = o;
        r->input_of[o] = input + i;
    }
    r->bits += to->bits;
    return 0;
}

int registers_find(const struct gate_netlist *n, const char *of, struct registers **out,
                   struct fl_err *err)
{
    uint32_t input = 0;
    *out = NULL;
    while (input < n->inputs && !register_in(n->name[input], 'q'))
        input++;
    if (input == n->inputs)
        return 0;
    struct registers *r = fl_alloc(sizeof *r);
    r->reg = fl_alloc(n->inputs * sizeof *r->reg);
    r->taken = fl_alloc(n->inputs * sizeof *r->taken);
    r->input_of = fl_alloc(n->outputs * sizeof *r->input_of);
    r->input = input;
    for (; input < n->inputs && register_in(n->name[input], 'q');
         input += r->reg[r->count - 1].bits)
        if (add_register(r, n, of, input, err) != 0) {
            registers_free(r);
            return -1;
        }
    *out = r;
    return 0;
}

void registers_free(struct registers *r)
{
    if (!r)
        return;
    for (uint32_t i = 0; i < r->count; i++)
        free(r->reg[i].path);
    free(r->reg);
    free(r->taken);
    free(r->input_of);
    free(r);
}

/* ---- faults ---------------------------------------------------------------------------------- */

bool registers_has(const struct registers *r, const struct gate_netlist *n, uint32_t net)
{
    const struct gate_cell *c = &n->cell[net];
    if (!r || c->kind != GATE_MUX)
        return false;
    const uint32_t bit = GATE_NET(n->literal[c->first + 1]) - r->input;
    return bit < r->bits && n->output[r->taken[bit]] == net;
}

struct gate_faults *registers_faults(const struct registers *r, const struct gate_netlist *n,
                                     const struct gate_faults *f)
{
    bool *inside = fl_alloc(f->all * sizeof *inside), *wanted = fl_alloc(f->count * sizeof *wanted);
    for (uint32_t i = 0; i < r->bits; i++) {
        const uint32_t mux = n->output[r->taken[i]], pin = n->nets + n->cell[mux].first;
        for (uint32_t v = 0; v < 2; v++)
            inside[GATE_FAULT(mux, v)] = inside[GATE_FAULT(pin, v)] =
                inside[GATE_FAULT(pin + 1, v)] = true;
        for (uint32_t v = 0; v < 2 && f->model == GATE_TRANSITION; v++)
            inside[GATE_FAULT(r->input + i, v)] = true;
    }
    for (uint32_t i = 0; i < f->all; i++)
        wanted[f->class_of[i]] |= !inside[i];
    struct gate_faults *part = gate_faults_part(f, wanted);
    free(inside);
    free(wanted);
    return part;
}

uint32_t registers_fault(const struct registers *r, const struct gate_netlist *n, uint32_t fault,
                         uint32_t *bit)
{
    const uint32_t net = GATE_SITE(fault);
    *bit = UINT32_MAX;
    if (!r || fault == GATE_NO_FAULT || net < r->input || net >= r->input + r->bits)
        return fault;
    *bit = net - r->input;
    return GATE_FAULT(n->output[r->taken[*bit]], GATE_STUCK_AT(fault));
}

/* ---- machines -------------------------------------------------------------------------------- */

int register_inputs_open(struct register_inputs *s, const struct registers *of, struct dut *m,
                         struct fl_err *err)
{
    s->of = of;
    s->spot = fl_alloc(of->bits * sizeof *s->spot);
    for (uint32_t i = 0; i < of->count; i++) {
        const struct held_register *g = &of->reg[i];
        int width = 0;
        uint8_t *data = m->engine->bits ? m->engine->bits(m, g->path, &width) : NULL;
        if (!data || (uint32_t)width != g->bits)
            return fl_fail(err,
                           "the %s has no register %s of %u bits whose input gates could override; "
                           "make the netlist again with scripts/gates",
                           m->engine->text, g->path, g->bits);
        for (uint32_t b = 0; b < g->bits; b++)
            s->spot[g->input - of->input + b] = (struct spot){data + b / 8, (uint8_t)(1u << b % 8)};
    }
    return 0;
}

void register_inputs_close(struct register_inputs *s)
{
    free(s->spot);
    free(s->held.slice);
    free(s->pins.slice);
}

/* Input `input` is bit `bit` of that byte, or of that word of the pins. Inputs come in ascending order. */
static void add_bit(struct slices *to, uint32_t input, const uint8_t *byte, uint32_t pins,
                    uint32_t bit)
{
    const struct slice new = {byte, pins, input / 64, (int)(input % 64) - (int)bit, 0};
    struct slice *last = to->count ? &to->slice[to->count - 1] : NULL;
    if (!last || last->byte != new.byte || last->pins != new.pins || last->word != new.word ||
        last->shift != new.shift) {
        if (to->count == to->room) {
            to->room = to->room ? 2 * to->room : 64;
            to->slice = fl_grow(to->slice, to->room, sizeof *to->slice);
        }
        last = &to->slice[to->count++];
        *last = new;
    }
    last->mask |= 1ull << input % 64;
}

void register_inputs_focus(struct register_inputs *s, const struct gate_group *gates)
{
    const struct registers *r = s->of;
    uint32_t n;
    const uint32_t *input = gate_group_inputs(gates, &n);
    s->held.count = s->pins.count = 0;
    memset(s->in, 0, sizeof s->in);
    for (uint32_t i = 0; i < n; i++)
        if (input[i] - r->input < r->bits) {
            const struct spot *at = &s->spot[input[i] - r->input];
            add_bit(&s->held, input[i], at->byte, 0, (uint32_t)__builtin_ctz(at->mask));
        } else {
            const uint32_t pin = input[i] < r->input ? input[i] : input[i] - r->bits;
            add_bit(&s->pins, input[i], NULL, pin / 64, pin % 64);
        }
}

static inline void copy(struct register_inputs *s, const struct slice *to, uint64_t from)
{
    from = to->shift < 0 ? from >> -to->shift : from << to->shift;
    s->in[to->word] = (s->in[to->word] & ~to->mask) | (from & to->mask);
}

void register_inputs_hold(struct register_inputs *s)
{
    for (uint32_t i = 0; i < s->held.count; i++)
        copy(s, &s->held.slice[i], *s->held.slice[i].byte);
}

void register_inputs_see(struct register_inputs *s, const uint64_t *seen)
{
    for (uint32_t i = 0; i < s->pins.count; i++)
        copy(s, &s->pins.slice[i], seen[s->pins.slice[i].pins]);
}
