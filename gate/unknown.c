/* unknown.c -- simulation with three values. See unknown.h. */
#include "unknown.h"

#include <stdlib.h>
#include <string.h>

/* Two bits a machine: may[0], it may be 0; may[1], it may be 1. */
enum { WORDS = 8 };
#if defined GATE_X86 && !defined __SANITIZE_ADDRESS__ && !defined __clang__
#define FAST __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FAST
#endif
#define INSIDE static inline __attribute__((always_inline))
typedef struct {
    uint64_t may[2][WORDS];
} __attribute__((aligned(64))) value;

struct force {
    value mask; /* machines whose value is held at 0, at 1; slow to rise, to fall */
    value last; /* of the site before it is held, in the cycle before */
};

/* A pin as the cell reads it: where its bits are. */
struct pin {
    const uint64_t *may[2];
};

struct gate_unknown {
    const struct gate_netlist *n;
    enum gate_model model;
    bool first;
    value *net, *flop, *held; /* [nets], [flops] what they hold, [most_pins] of the cell at hand */
    struct pin *pin;          /* [most_pins] */
    uint32_t *force_of;       /* [sites] its place in `force` + 1 */
    bool *forced_cell;        /* [nets] some pin of it is held */
    struct force *force;
    uint32_t *site, forces;
    uint32_t force_at[GATE_UNKNOWN_MOST + 1], count; /* of each machine its place in `force` */
};

struct gate_unknown *gate_unknown_new(const struct gate_netlist *n, enum gate_model model)
{
    struct gate_unknown *u = fl_alloc(sizeof *u);
    u->n = n;
    u->model = model;
    u->net = fl_alloc_line(n->nets * sizeof *u->net);
    u->flop = fl_alloc_line(n->flops * sizeof *u->flop);
    u->held = fl_alloc_line(n->most_pins * sizeof *u->held);
    u->pin = fl_alloc(n->most_pins * sizeof *u->pin);
    u->force_of = fl_alloc((n->nets + n->pins + n->ports) * sizeof *u->force_of);
    u->forced_cell = fl_alloc(n->nets * sizeof *u->forced_cell);
    u->force = fl_alloc_line(GATE_UNKNOWN_MOST * sizeof *u->force);
    u->site = fl_alloc(GATE_UNKNOWN_MOST * sizeof *u->site);
    return u;
}

void gate_unknown_free(struct gate_unknown *u)
{
    if (!u)
        return;
    void *const part[] = {u->net,         u->flop,  u->pin,  u->held, u->force_of,
                          u->forced_cell, u->force, u->site, u};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        free(part[i]);
}

/* ---- faults ---------------------------------------------------------------------------------- */

static void forget(struct gate_unknown *u)
{
    for (uint32_t k = 0; k < u->forces; k++) {
        uint32_t at;
        u->force_of[u->site[k]] = 0;
        if (gate_site(u->n, u->site[k], &at) == GATE_AT_PIN)
            u->forced_cell[u->n->pin_cell[at]] = false;
    }
    u->forces = 0;
}

static void hold(struct gate_unknown *u, uint32_t i, uint32_t fault)
{
    uint32_t site = GATE_SITE(fault), at;
    if (!u->force_of[site]) {
        u->site[u->forces] = site;
        memset(&u->force[u->forces], 0, sizeof u->force[u->forces]);
        u->force_of[site] = ++u->forces;
        if (gate_site(u->n, site, &at) == GATE_AT_PIN)
            u->forced_cell[u->n->pin_cell[at]] = true;
    }
    u->force_at[i] = u->force_of[site] - 1;
    u->force[u->force_at[i]].mask.may[gate_stuck_value(u->n, fault)][i / 64] |= (uint64_t)1
                                                                                << i % 64;
}

/* What a held site shows. */
INSIDE value held(struct gate_unknown *u, uint32_t site, value v)
{
    if (!u->force_of[site])
        return v;
    struct force *f = &u->force[u->force_of[site] - 1];
    value out = v;
    for (int w = 0; w < WORDS; w++) {
        uint64_t zero = f->mask.may[0][w], one = f->mask.may[1][w];
        if (u->model == GATE_STUCK) {
            out.may[0][w] = (v.may[0][w] | zero) & ~one;
            out.may[1][w] = (v.may[1][w] | one) & ~zero;
        } else if (!u->first) { /* slow to rise: 1 where it was 1 too; slow to fall: 0 so */
            uint64_t was0 = f->last.may[0][w], was1 = f->last.may[1][w];
            out.may[0][w] = (v.may[0][w] | (zero & was0)) & ~(one & ~was0);
            out.may[1][w] = (v.may[1][w] | (one & was1)) & ~(zero & ~was1);
        }
    }
    f->last = v;
    return out;
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* The bits of all machines as one vector, which the processor takes in as few parts as it can. */
typedef uint64_t bits __attribute__((vector_size(8 * WORDS), may_alias));
#define BITS(words) (*(const bits *)(words))

/* A table, one pin after the other: of two rows that differ in a pin, that or those which it may be. Two rows of pin 0 are a
 * constant, the pin, or the pin inverted. */
INSIDE void table(const struct gate_cell *c, const struct pin *pin, value *net)
{
    bits may[2][1 << GATE_TABLE_PINS], none = {0};
    for (uint32_t r = 0; r < 1u << (c->pins - (c->pins > 0)); r++) {
        uint32_t two = c->table >> 2 * r & 3;
        if (c->pins == 0 || two == 0 || two == 3) {
            may[two & 1][r] = ~none;
            may[!(two & 1)][r] = none;
        } else {
            may[0][r] = BITS(pin[0].may[two == 1]);
            may[1][r] = BITS(pin[0].may[two == 2]);
        }
    }
    for (uint32_t p = 1; p < c->pins; p++)
        for (uint32_t r = 0; r < 1u << (c->pins - p - 1); r++)
            for (int v = 0; v < 2; v++)
                may[v][r] = (BITS(pin[p].may[0]) & may[v][2 * r]) |
                            (BITS(pin[p].may[1]) & may[v][2 * r + 1]);
    *(bits *)net->may[0] = may[0][0];
    *(bits *)net->may[1] = may[1][0];
}

INSIDE void cell(const struct gate_cell *c, const struct pin *pin, value *net)
{
    bits zero, one;
    switch (c->kind) {
    case GATE_AND:
        zero = BITS(pin[0].may[0]);
        one = BITS(pin[0].may[1]);
        for (uint32_t p = 1; p < c->pins; p++) {
            zero |= BITS(pin[p].may[0]);
            one &= BITS(pin[p].may[1]);
        }
        break;
    case GATE_XOR:
        zero = BITS(pin[0].may[0]);
        one = BITS(pin[0].may[1]);
        for (uint32_t p = 1; p < c->pins; p++) {
            bits a = BITS(pin[p].may[0]), b = BITS(pin[p].may[1]), was = zero;
            zero = (was & a) | (one & b);
            one = (was & b) | (one & a);
        }
        break;
    case GATE_MUX:
        zero = (BITS(pin[0].may[0]) & BITS(pin[1].may[0])) |
               (BITS(pin[0].may[1]) & BITS(pin[2].may[0]));
        one = (BITS(pin[0].may[0]) & BITS(pin[1].may[1])) |
              (BITS(pin[0].may[1]) & BITS(pin[2].may[1]));
        break;
    default: table(c, pin, net); return;
    }
    *(bits *)net->may[c->invert] = zero;
    *(bits *)net->may[!c->invert] = one;
}

INSIDE value spread(int may)
{
    value v;
    memset(v.may[0], may & 1 ? 0xff : 0, sizeof v.may[0]);
    memset(v.may[1], may & 2 ? 0xff : 0, sizeof v.may[1]);
    return v;
}

void gate_unknown_begin(struct gate_unknown *u, const uint32_t *fault, uint32_t count)
{
    const struct gate_netlist *n = u->n;
    forget(u);
    for (uint32_t i = 0; i < count; i++)
        hold(u, i, fault[i]);
    u->count = count;
    for (uint32_t f = 0; f < n->flops; f++)
        u->flop[f] = spread(n->unknown ? 3 : 1 << (n->cell[n->inputs + f].table & 1));
}

FAST static void eval(struct gate_unknown *u, const struct gate_patterns *p, uint32_t cycle)
{
    const struct gate_netlist *n = u->n;
    for (uint32_t i = 0; i < n->nets; i++) {
        const struct gate_cell *c = &n->cell[i];
        value *net = &u->net[i];
        if (c->kind == GATE_INPUT)
            *net = spread(1 << (p->word[(size_t)(cycle / 64) * p->sources + i] >> cycle % 64 & 1));
        else if (c->kind == GATE_FLOP)
            *net = u->flop[i - n->inputs];
        for (uint32_t k = 0; k < c->pins && c->kind != GATE_FLOP; k++) {
            uint32_t literal = n->literal[c->first + k], turned = GATE_INVERTED(literal);
            const value *at = &u->net[GATE_NET(literal)];
            if (u->forced_cell[i]) {
                u->held[k] = held(u, n->nets + c->first + k, *at);
                at = &u->held[k];
            }
            u->pin[k] = (struct pin){{at->may[turned], at->may[!turned]}};
        }
        if (c->kind != GATE_INPUT && c->kind != GATE_FLOP)
            cell(c, u->pin, net);
        if (c->kind == GATE_CONST && gate_patterns_hold(p, cycle) && gate_clock_net(n, i))
            *net = spread(1); /* it does not work: a 0 */
        if (u->force_of[i])
            *net = held(u, i, *net);
    }
}

FAST static void clock_edge(struct gate_unknown *u, bool hold)
{
    const struct gate_netlist *n = u->n;
    for (uint32_t f = 0; f < n->flops; f++) {
        uint32_t pin = n->cell[n->inputs + f].first;
        value v = held(u, n->nets + pin, u->net[GATE_NET(n->literal[pin])]);
        if (!hold)
            u->flop[f] = v;
    }
}

/* ---- runs ------------------------------------------------------------------------------------ */

static int good_bits(const value *v)
{
    return (int)(v->may[0][WORDS - 1] >> 63 | v->may[1][WORDS - 1] >> 63 << 1);
}

/* Machines whose observed outputs are wrong, and may be wrong. */
FAST static void compare(struct gate_unknown *u, const struct gate_patterns *p, uint32_t cycle,
                         uint64_t wrong[WORDS], uint64_t maybe[WORDS])
{
    const struct gate_netlist *n = u->n;
    memset(wrong, 0, WORDS * sizeof *wrong);
    memset(maybe, 0, WORDS * sizeof *maybe);
    for (uint32_t o = 0; o < n->outputs; o++) {
        value v = u->net[n->output[o]];
        int good = good_bits(&v);
        if (n->port_of[o] != GATE_NO_PORT) /* also where it is not observed: it remembers */
            v = held(u, n->nets + n->pins + n->port_of[o], v);
        if (good == 3 || !gate_patterns_observe(p, cycle, o))
            continue;
        for (int w = 0; w < WORDS; w++) {
            uint64_t same = v.may[good >> 1][w], other = v.may[!(good >> 1)][w];
            wrong[w] |= ~same;
            maybe[w] |= same & other;
        }
    }
}

void gate_unknown_run(struct gate_unknown *u, const struct gate_patterns *p, uint32_t from,
                      uint32_t to, bool drop, const uint32_t *class, struct gate_found *found)
{
    uint64_t wrong[WORDS], maybe[WORDS], seen[WORDS] = {0};
    uint32_t left = u->count;
    for (uint32_t c = from; c < to && (left || !drop); c++) {
        u->first = c == 0;
        eval(u, p, c);
        compare(u, p, c, wrong, maybe);
        for (uint32_t w = 0; w < WORDS; w++) {
            for (uint64_t v = drop ? wrong[w] & ~seen[w] : wrong[w]; v; v &= v - 1) {
                struct gate_found *f = &found[class[64 * w + (uint32_t)__builtin_ctzll(v)]];
                f->first = f->first == GATE_NEVER ? c : f->first;
                f->times++;
                left -= drop;
            }
            for (uint64_t v = maybe[w]; v; v &= v - 1) {
                uint32_t i = 64 * w + (uint32_t)__builtin_ctzll(v);
                if (i < u->count && found[class[i]].possible > c)
                    found[class[i]].possible = c;
            }
            seen[w] |= wrong[w];
        }
        clock_edge(u, gate_patterns_hold(p, c) && !u->n->clocks);
    }
}

static value *state(const struct gate_unknown *u, uint32_t k, uint32_t i)
{
    return k < u->n->flops ? &u->flop[k] : &u->force[u->force_at[i]].last;
}

int gate_unknown_flop(const struct gate_unknown *u, uint32_t k, uint32_t i)
{
    const value *v = state(u, k, i);
    return (int)((v->may[0][i / 64] >> i % 64 & 1) | (v->may[1][i / 64] >> i % 64 & 1) << 1);
}

void gate_unknown_differ(const struct gate_unknown *u, uint64_t differs[WORDS])
{
    memset(differs, 0, WORDS * sizeof *differs);
    for (uint32_t f = 0; f < u->n->flops; f++) {
        int good = good_bits(&u->flop[f]);
        for (int b = 0; b < 2; b++)
            for (int w = 0; w < WORDS; w++)
                differs[w] |= u->flop[f].may[b][w] ^ -(uint64_t)(good >> b & 1);
    }
}

void gate_unknown_set(struct gate_unknown *u, uint32_t k, uint32_t i, int may)
{
    value *v = state(u, k, i);
    for (int b = 0; b < 2; b++) {
        uint64_t bit = (uint64_t)1 << i % 64, *to = &v->may[b][i / 64];
        *to = may >> b & 1 ? *to | bit : *to & ~bit;
    }
}

/* The fault-free machine alone, a cycle a call. */
struct good {
    const struct gate_netlist *n;
    const struct gate_patterns *p;
    uint8_t *net, *flop;
};

static struct good good_new(const struct gate_netlist *n, const struct gate_patterns *p)
{
    struct good g = {n, p, fl_alloc(n->nets), fl_alloc(n->flops)};
    for (uint32_t f = 0; f < n->flops; f++)
        g.flop[f] = (uint8_t)(n->unknown ? 3 : 1 << (n->cell[n->inputs + f].table & 1));
    return g;
}

static void good_free(struct good *g)
{
    free(g->net);
    free(g->flop);
}

/* A pattern that sets flip-flops leaves nothing unknown. */
static void good_cycle(struct good *g, uint32_t c)
{
    const struct gate_netlist *n = g->n;
    for (uint32_t i = 0; i < n->nets; i++) {
        if (i < g->p->sources && i < n->inputs + n->flops)
            g->net[i] = (uint8_t)(1 << (g->p->word[(size_t)(c / 64) * g->p->sources + i] >> c % 64 &
                                        1));
        else if (n->cell[i].kind == GATE_FLOP)
            g->net[i] = g->flop[i - n->inputs];
        else
            g->net[i] = gate_values_of(n, i, g->net);
        if (n->cell[i].kind == GATE_CONST && gate_patterns_hold(g->p, c) && gate_clock_net(n, i))
            g->net[i] = 1;
    }
    bool hold = gate_patterns_hold(g->p, c) && !n->clocks;
    for (uint32_t f = 0; f < n->flops && !hold; f++)
        g->flop[f] = g->net[GATE_NET(n->literal[n->cell[n->inputs + f].first])];
}

static bool all_known(const struct good *g)
{
    for (uint32_t f = 0; f < g->n->flops; f++)
        if (g->flop[f] == 3)
            return false;
    return true;
}

uint32_t gate_unknown_patterns(const struct gate_netlist *n, const struct gate_patterns *p,
                               uint32_t most)
{
    struct good g = good_new(n, p);
    uint32_t c = 0;
    for (; c < most && c < p->count && !all_known(&g); c++)
        good_cycle(&g, c);
    good_free(&g);
    return c;
}

struct gate_unknowns gate_unknowns_of(const struct gate_netlist *n, const struct gate_patterns *p)
{
    struct good g = good_new(n, p);
    struct gate_unknowns s = {.known_from = GATE_NEVER};
    for (uint32_t c = 0; c < p->count; c++) {
        bool unknown = !all_known(&g);
        if (!unknown && s.known_from == GATE_NEVER) /* and so it stays */
            s.known_from = c;
        if (unknown)
            good_cycle(&g, c);
        for (uint32_t o = 0; o < n->outputs; o++) {
            bool observed = gate_patterns_observe(p, c, o);
            s.all += observed;
            s.unknown += observed && unknown && g.net[n->output[o]] == 3;
        }
    }
    good_free(&g);
    return s;
}

uint64_t *gate_unknown_known(const struct gate_netlist *n, const struct gate_patterns *p)
{
    uint64_t *known = fl_alloc((size_t)((p->count + 63) / 64) * n->outputs * sizeof *known);
    struct good g = good_new(n, p);
    for (uint32_t c = 0; c < p->count; c++) {
        good_cycle(&g, c);
        for (uint32_t o = 0; o < n->outputs; o++)
            known[(size_t)(c / 64) * n->outputs + o] |= (uint64_t)(g.net[n->output[o]] != 3)
                                                        << c % 64;
    }
    good_free(&g);
    return known;
}

uint8_t *gate_unknown_values(const struct gate_netlist *n, const struct gate_patterns *p)
{
    struct good g = good_new(n, p);
    uint8_t *values = fl_alloc(n->nets);
    for (uint32_t c = 0; c < p->count; c++) {
        good_cycle(&g, c);
        for (uint32_t i = 0; i < n->nets; i++)
            values[i] |= g.net[i] == 3 ? 0 : g.net[i];
    }
    good_free(&g);
    return values;
}
