/* prove.c -- questions to CaDiCaL about one fault. See prove.h.
 *
 * One solver keeps the netlist through many questions, so that what it has learnt of the logic
 * serves the next. What belongs to one fault hangs on a literal that is assumed for the question
 * and given up behind it. When the remains of old questions are as large as the netlist the solver
 * is made anew: it gives a value to them too, each time, which costs more than it has learnt.
 *
 * For each net that the fault reaches there is its value with the fault, and whether the way along
 * which the fault shows goes through it: then both values differ, and the net is watched or the way
 * goes on through a reader of it (T. Larrabee 1992). A net off the way may differ as it likes.
 */
#include "prove.h"

#include <stdlib.h>
#include <string.h>

#include <ccadical.h>

const char *const gate_verdict_name[GATE_VERDICTS] = {
    "testable", "untestable", "untestable under the constraints",
    "unobserved under the constraints", "undecided"};

struct gate_prover {
    const struct gate_netlist *n;
    enum gate_model model;
    const struct gate_constraints *constraints;
    int conflicts;
    CCaDiCaL *solver;
    int vars, start_vars; /* in use; when the solver was new */
    int keep;             /* assumed: the constraints hold */
    int look;             /* assumed: outputs are watched when the constraints say so */
    int *seen;            /* [outputs] variable: it is watched; 0: always */
    int *good, *before;   /* [nets] variable of a net, in the pattern and in the one before it */
    int *bad, *way;       /* [nets] of nets that the fault reaches, else 0 */
    uint32_t *reached, reaches;
    uint32_t *reader_start, *reader;
    bool *watched;                      /* [nets] always */
    uint32_t *output_start, *output_at; /* of each net: outputs that are not always watched */
    int *clause;                        /* room for the longest one */
    int *pin, *at;                      /* [most_pins] of the cell at hand */
};

/* ---- clauses --------------------------------------------------------------------------------- */

static int new_var(struct gate_prover *p)
{
    return ++p->vars;
}

/* Literals up to a 0. */
static void add(struct gate_prover *p, const int *literal)
{
    do
        ccadical_add(p->solver, *literal);
    while (*literal++);
}
#define ADD(p, ...) add(p, (const int[]){__VA_ARGS__, 0})

/* y = a ^ b. */
static void add_xor(struct gate_prover *p, int y, int a, int b)
{
    ADD(p, -y, a, b);
    ADD(p, -y, -a, -b);
    ADD(p, y, -a, b);
    ADD(p, y, a, -b);
}

static void add_and(struct gate_prover *p, int y, const int *pin, uint32_t pins)
{
    uint32_t k = 0;
    for (uint32_t i = 0; i < pins; i++) {
        ADD(p, -y, pin[i]);
        p->clause[k++] = -pin[i];
    }
    p->clause[k++] = y;
    p->clause[k] = 0;
    add(p, p->clause);
}

static void add_mux(struct gate_prover *p, int y, int s, int a, int b)
{
    ADD(p, s, -a, y);
    ADD(p, s, a, -y);
    ADD(p, -s, -b, y);
    ADD(p, -s, b, -y);
    ADD(p, -a, -b, y); /* what the others say together, for propagation */
    ADD(p, a, b, -y);
}

/* A cell with output variable y and these variables at its pins. */
static void add_cell(struct gate_prover *p, uint32_t net, int y, const int *at)
{
    const struct gate_cell *c = &p->n->cell[net];
    const uint32_t *literal = &p->n->literal[c->first];
    int *pin = p->pin;
    for (uint32_t i = 0; i < c->pins; i++)
        pin[i] = GATE_INVERTED(literal[i]) ? -at[i] : at[i];
    if (c->invert)
        y = -y;
    switch (c->kind) {
    case GATE_AND: add_and(p, y, pin, c->pins); break;
    case GATE_XOR:
        for (uint32_t i = 1; i + 1 < c->pins; i++) {
            int part = new_var(p);
            add_xor(p, part, pin[0], pin[i]);
            pin[0] = part;
        }
        add_xor(p, y, pin[0], pin[c->pins - 1]);
        break;
    case GATE_MUX: add_mux(p, y, pin[0], pin[1], pin[2]); break;
    default:
        for (uint32_t row = 0; row < 1u << c->pins; row++) {
            for (uint32_t i = 0; i < c->pins; i++)
                p->clause[i] = row >> i & 1 ? -pin[i] : pin[i];
            p->clause[c->pins] = c->table >> row & 1 ? y : -y;
            p->clause[c->pins + 1] = 0;
            add(p, p->clause);
        }
    }
}

/* A copy of the netlist without a fault. */
static void add_netlist(struct gate_prover *p, int *var)
{
    int *at = p->at;
    for (uint32_t i = 0; i < p->n->nets; i++) {
        const struct gate_cell *c = &p->n->cell[i];
        var[i] = new_var(p);
        if (c->kind == GATE_INPUT || c->kind == GATE_FLOP)
            continue;
        for (uint32_t k = 0; k < c->pins; k++)
            at[k] = var[GATE_NET(p->n->literal[c->first + k])];
        add_cell(p, i, var[i], at);
    }
}

/* The constraints on one copy, when `keep` is assumed. */
static void add_constraints(struct gate_prover *p, const int *var)
{
    const struct gate_constraints *c = p->constraints;
    int *node = fl_alloc(c->nodes * sizeof *node);
    for (uint32_t i = 0; i < c->nodes; i++) {
        const struct gate_relation *r = &c->node[i];
        int pin[2];
        switch (r->kind) {
        case GATE_REL_NET: node[i] = var[r->a]; break;
        case GATE_REL_FREE: node[i] = new_var(p); break;
        case GATE_REL_NOT: node[i] = -node[r->a]; break;
        case GATE_REL_CONST:
            node[i] = new_var(p);
            ADD(p, r->a ? node[i] : -node[i]);
            break;
        case GATE_REL_XOR:
            node[i] = new_var(p);
            add_xor(p, node[i], node[r->a], node[r->b]);
            break;
        default: /* a | b is !(!a & !b) */
            pin[0] = r->kind == GATE_REL_AND ? node[r->a] : -node[r->a];
            pin[1] = r->kind == GATE_REL_AND ? node[r->b] : -node[r->b];
            node[i] = new_var(p);
            add_and(p, r->kind == GATE_REL_AND ? node[i] : -node[i], pin, 2);
        }
    }
    for (uint32_t i = 0; i < c->lines; i++)
        ADD(p, -p->keep, node[c->line[i].node]);
    for (uint32_t o = 0; o < p->n->outputs && var == p->good; o++)
        if (c->watch[o]) {
            p->seen[o] = new_var(p);
            ADD(p, -p->look, -p->seen[o], node[c->watch[o] - 1]);
        }
    free(node);
}

static void renew(struct gate_prover *p)
{
    if (p->solver)
        ccadical_release(p->solver);
    p->solver = ccadical_init();
    ccadical_set_option(p->solver, "quiet", 1);
    ccadical_set_option(p->solver, "lucky", 0);
    ccadical_set_option(p->solver, "walk", 0);
    p->vars = 0;
    p->keep = new_var(p);
    p->look = new_var(p);
    add_netlist(p, p->good);
    if (p->model == GATE_TRANSITION)
        add_netlist(p, p->before);
    if (p->constraints)
        add_constraints(p, p->good);
    if (p->constraints && p->model == GATE_TRANSITION)
        add_constraints(p, p->before);
    p->start_vars = p->vars;
}

/* ---- one fault ------------------------------------------------------------------------------- */

/* The nets behind a fault, in order, with variables; clauses of their cells hang on nothing, since
 * without the demand that something differs they say only what these variables are. */
static void add_reached(struct gate_prover *p, uint32_t site, int stuck)
{
    const struct gate_netlist *n = p->n;
    uint32_t first = site < n->nets ? site : n->pin_cell[site - n->nets];
    int *at = p->at;
    p->reaches = 0;
    p->bad[first] = new_var(p); /* 0 until here: not reached */
    for (uint32_t i = first; i < n->nets; i++) {
        const struct gate_cell *c = &n->cell[i];
        if (!p->bad[i])
            continue;
        p->reached[p->reaches++] = i;
        if (i == site) {
            ADD(p, stuck ? p->bad[i] : -p->bad[i]);
        } else {
            for (uint32_t k = 0; k < c->pins; k++) {
                uint32_t net = GATE_NET(n->literal[c->first + k]);
                at[k] = p->bad[net] ? p->bad[net] : p->good[net];
                if (n->nets + c->first + k == site) {
                    at[k] = new_var(p);
                    ADD(p, stuck ? at[k] : -at[k]);
                }
            }
            add_cell(p, i, p->bad[i], at);
        }
        p->way[i] = new_var(p);
        ADD(p, -p->way[i], p->bad[i], p->good[i]);
        ADD(p, -p->way[i], -p->bad[i], -p->good[i]);
        for (uint32_t k = p->reader_start[i]; k < p->reader_start[i + 1]; k++)
            if (!p->bad[p->reader[k]])
                p->bad[p->reader[k]] = new_var(p);
    }
}

/* With `ask`: the way begins at the first net, and ends where something is watched. */
static void add_demand(struct gate_prover *p, int ask)
{
    for (uint32_t i = 0; i < p->reaches; i++) {
        uint32_t net = p->reached[i], k = 0;
        if (i == 0)
            ADD(p, -ask, p->way[net]);
        if (p->watched[net])
            continue;
        p->clause[k++] = -ask;
        p->clause[k++] = -p->way[net];
        for (uint32_t r = p->reader_start[net]; r < p->reader_start[net + 1]; r++)
            p->clause[k++] = p->way[p->reader[r]];
        for (uint32_t o = p->output_start[net]; o < p->output_start[net + 1]; o++)
            p->clause[k++] = p->seen[p->output_at[o]];
        p->clause[k] = 0;
        add(p, p->clause);
    }
    for (uint32_t i = 0; i < p->reaches; i++)
        p->bad[p->reached[i]] = p->way[p->reached[i]] = 0;
}

enum { EVERYTHING, KEEPING, WATCHING }; /* which inputs and outputs a question is about */

static int solve(struct gate_prover *p, int ask, int at_net, int before, int how)
{
    ccadical_assume(p->solver, ask);
    ccadical_assume(p->solver, at_net);
    if (before)
        ccadical_assume(p->solver, before);
    if (how >= KEEPING)
        ccadical_assume(p->solver, p->keep);
    if (how == WATCHING)
        ccadical_assume(p->solver, p->look);
    if (p->conflicts)
        ccadical_limit(p->solver, "conflicts", p->conflicts);
    return ccadical_solve(p->solver);
}

enum { SAT = 10, UNSAT = 20 };

static void take(struct gate_prover *p, const int *var, uint8_t *source)
{
    for (uint32_t i = 0; source && i < p->n->inputs + p->n->flops; i++)
        source[i] = ccadical_val(p->solver, var[i]) > 0;
}

enum gate_verdict gate_prove(struct gate_prover *p, uint32_t fault, uint8_t *source,
                             uint8_t *before)
{
    const struct gate_netlist *n = p->n;
    uint32_t site = GATE_SITE(fault), net = gate_site_net(n, site);
    bool stuck = gate_stuck_value(n, fault);
    if (p->vars > 2 * p->start_vars)
        renew(p);
    int ask = new_var(p);
    uint32_t at;
    enum gate_place place = gate_site(n, site, &at);
    if (place == GATE_AT_NET ||
        (place == GATE_AT_PIN && n->cell[n->pin_cell[at]].kind != GATE_FLOP)) {
        add_reached(p, site, stuck);
        add_demand(p, ask);
    } else if (place == GATE_AT_PORT && p->seen[at]) {
        ADD(p, -ask, p->seen[at]);
    } /* else a flip-flop's pin or a port: what it carries is watched */
    int at_net = stuck ? -p->good[net] : p->good[net], was = 0;
    if (p->model == GATE_TRANSITION)
        was = stuck ? p->before[net] : -p->before[net];
    /* without what the proof has not used, it holds as well */
    int how = !p->constraints ? EVERYTHING : p->constraints->watches ? WATCHING : KEEPING;
    int answer = solve(p, ask, at_net, was, how), last = answer;
    enum gate_verdict verdict = answer == SAT     ? GATE_TESTABLE
                                : answer == UNSAT ? GATE_UNTESTABLE
                                                  : GATE_UNDECIDED;
    if (answer == SAT) {
        take(p, p->good, source);
        take(p, p->model == GATE_TRANSITION ? p->before : p->good, before);
    }
    for (; how > EVERYTHING && last == UNSAT; how--)
        if (ccadical_failed(p->solver, how == WATCHING ? p->look : p->keep)) {
            last = solve(p, ask, at_net, was, how - 1);
            if (last != UNSAT)
                verdict = how == WATCHING ? GATE_UNOBSERVABLE : GATE_UNREACHABLE;
        }
    ADD(p, -ask);
    return verdict;
}

/* ---- a prover -------------------------------------------------------------------------------- */

static void find_readers(struct gate_prover *p)
{
    const struct gate_netlist *n = p->n;
    uint32_t *at = fl_alloc(n->nets * sizeof *at), longest = 0;
    p->reader_start = fl_alloc((n->nets + 1) * sizeof *p->reader_start);
    p->reader = fl_alloc(n->pins * sizeof *p->reader);
    p->watched = fl_alloc(n->nets * sizeof *p->watched);
    p->seen = fl_alloc(n->outputs * sizeof *p->seen);
    p->output_start = fl_alloc((n->nets + 1) * sizeof *p->output_start);
    p->output_at = fl_alloc(n->outputs * sizeof *p->output_at);
    for (uint32_t o = 0; o < n->outputs; o++)
        if (p->constraints && p->constraints->watch[o])
            p->output_start[n->output[o] + 1]++;
        else
            p->watched[n->output[o]] = true;
    for (uint32_t i = 0; i < n->nets; i++)
        p->output_start[i + 1] += p->output_start[i];
    for (uint32_t o = 0; o < n->outputs; o++)
        if (p->constraints && p->constraints->watch[o])
            p->output_at[p->output_start[n->output[o]] + at[n->output[o]]++] = o;
    memset(at, 0, n->nets * sizeof *at);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < n->pins; i++) {
            uint32_t net = GATE_NET(n->literal[i]);
            if (n->cell[n->pin_cell[i]].kind == GATE_FLOP)
                p->watched[net] = true;
            else if (pass == 0)
                p->reader_start[net + 1]++;
            else
                p->reader[p->reader_start[net] + at[net]++] = n->pin_cell[i];
        }
        for (uint32_t i = 0; pass == 0 && i < n->nets; i++) {
            longest = p->reader_start[i + 1] > longest ? p->reader_start[i + 1] : longest;
            p->reader_start[i + 1] += p->reader_start[i];
        }
    }
    p->clause = fl_alloc((longest + n->most_pins + n->outputs + 4) * sizeof *p->clause);
    free(at);
}

int gate_prover_new(const struct gate_netlist *n, enum gate_model model,
                    const struct gate_constraints *c, int conflicts, struct gate_prover **out,
                    struct fl_err *err)
{
    struct gate_prover *p = fl_alloc(sizeof *p);
    p->n = n;
    p->model = model;
    p->constraints = c && (c->lines || c->watches) ? c : NULL;
    p->conflicts = conflicts;
    p->good = fl_alloc(n->nets * sizeof *p->good);
    p->before = fl_alloc(n->nets * sizeof *p->before);
    p->bad = fl_alloc(n->nets * sizeof *p->bad);
    p->pin = fl_alloc(n->most_pins * sizeof *p->pin);
    p->at = fl_alloc(n->most_pins * sizeof *p->at);
    p->way = fl_alloc(n->nets * sizeof *p->way);
    p->reached = fl_alloc(n->nets * sizeof *p->reached);
    find_readers(p);
    renew(p);
    if (p->constraints) {
        ccadical_assume(p->solver, p->keep);
        if (ccadical_solve(p->solver) == UNSAT) {
            gate_prover_free(p);
            return fl_fail(err, "the constraints contradict each other: no input satisfies all of "
                                "them; correct them");
        }
    }
    *out = p;
    return 0;
}

void gate_prover_free(struct gate_prover *p)
{
    if (!p)
        return;
    ccadical_release(p->solver);
    void *const part[] = {p->seen,         p->output_start, p->output_at, p->pin,    p->at,
                          p->good,         p->before,       p->bad,       p->way,    p->reached,
                          p->reader_start, p->reader,       p->watched,   p->clause, p};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        free(part[i]);
}
