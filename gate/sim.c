/* sim.c -- simulators made and freed, for any width. The loops are in wide.c. See sim.h. */
#include "sim.h"

#include <stdlib.h>
#include <string.h>

#include "wide.h"

/* ---- widths ---------------------------------------------------------------------------------- */

extern const struct gate_wide gate_wide_64, gate_wide_128, gate_wide_256, gate_wide_512;
#ifdef GATE_X86
extern const struct gate_wide gate_wide_256_avx2, gate_wide_512_avx2, gate_wide_512_avx512;
#define HAVE_AVX2   __builtin_cpu_supports("avx2")
#define HAVE_AVX512 __builtin_cpu_supports("avx512f")
#else
#define gate_wide_256_avx2   gate_wide_256
#define gate_wide_512_avx2   gate_wide_512
#define gate_wide_512_avx512 gate_wide_512
#define HAVE_AVX2            false
#define HAVE_AVX512          false
#endif

const struct gate_wide *gate_wide(int width)
{
    switch (width) {
    case 64: return &gate_wide_64;
    case 128: return &gate_wide_128;
    case 256: return HAVE_AVX2 ? &gate_wide_256_avx2 : &gate_wide_256;
    default:
        return HAVE_AVX512 ? &gate_wide_512_avx512
               : HAVE_AVX2 ? &gate_wide_512_avx2
                           : &gate_wide_512;
    }
}

int gate_width(int wanted, struct fl_err *err)
{
    if (wanted == 0)
        return HAVE_AVX512 ? 512 : HAVE_AVX2 ? 256 : 128;
    if (wanted == 64 || wanted == 128 || wanted == 256 || wanted == 512)
        return wanted;
    return fl_fail(err, "%d bits: words have 64, 128, 256 or 512", wanted);
}

/* ---- plans ----------------------------------------------------------------------------------- */

/* Lists by net: counts in start[net + 1] become where each list starts. */
static uint32_t starts(uint32_t *start, uint32_t nets)
{
    for (uint32_t i = 0; i < nets; i++)
        start[i + 1] += start[i];
    return start[nets];
}

static struct gate_run *find_runs(const struct gate_netlist *n, uint32_t *count)
{
    struct gate_run *run = NULL;
    uint32_t room = 0;
    *count = 0;
    for (uint32_t i = 0; i < n->nets; i++) {
        const struct gate_cell *c = &n->cell[i];
        struct gate_run *last = *count ? &run[*count - 1] : NULL;
        if (last && last->code == c->code && n->cell[i - 1].level == c->level) {
            last->to++;
        } else {
            FL_ROOM(run, *count, room, 64);
            run[(*count)++] = (struct gate_run){c->code, i, i + 1};
        }
    }
    return run;
}

static void find_readers(const struct gate_netlist *n, struct gate_plan *p)
{
    uint32_t *at = fl_alloc((n->nets + 1) * sizeof *at), *seen_at;
    p->reader_start = fl_alloc((n->nets + 1) * sizeof *p->reader_start);
    p->seen_start = fl_alloc((n->nets + 1) * sizeof *p->seen_start);
    p->only_pin = fl_alloc(n->nets * sizeof *p->only_pin);
#define IS_FLOP(pin) (n->cell[n->pin_cell[pin]].kind == GATE_FLOP)
    for (uint32_t i = 0; i < n->pins; i++)
        (IS_FLOP(i) ? p->seen_start : p->reader_start)[GATE_NET(n->literal[i]) + 1]++;
    for (uint32_t i = 0; i < n->outputs; i++)
        p->seen_start[n->output[i] + 1]++;
    p->reader = fl_alloc(starts(p->reader_start, n->nets) * sizeof *p->reader);
    p->seen = fl_alloc(starts(p->seen_start, n->nets) * sizeof *p->seen);
    seen_at = fl_alloc((n->nets + 1) * sizeof *seen_at);
    for (uint32_t i = 0; i < n->outputs; i++) {
        uint32_t net = n->output[i];
        p->seen[p->seen_start[net] + seen_at[net]++] = i;
    }
    for (uint32_t i = 0; i < n->pins; i++) {
        uint32_t net = GATE_NET(n->literal[i]), cell = n->pin_cell[i];
        if (IS_FLOP(i)) {
            p->seen[p->seen_start[net] + seen_at[net]++] = n->outputs + cell - n->inputs;
        } else {
            p->reader[p->reader_start[net] + at[net]++] = cell;
            p->only_pin[net] = i;
        }
    }
#undef IS_FLOP
    free(at);
    free(seen_at);
}

static void find_regions(const struct gate_netlist *n, struct gate_plan *p)
{
    p->stem = fl_alloc(n->nets * sizeof *p->stem);
    p->member_start = fl_alloc((n->nets + 1) * sizeof *p->member_start);
    for (uint32_t i = n->nets; i--;) {
        bool stem = p->reader_start[i + 1] - p->reader_start[i] != 1 ||
                    p->seen_start[i + 1] != p->seen_start[i];
        p->stem[i] = stem ? i : p->stem[n->pin_cell[p->only_pin[i]]];
        p->member_start[p->stem[i] + 1] += !stem;
    }
    p->member = fl_alloc(starts(p->member_start, n->nets) * sizeof *p->member);
    uint32_t *at = fl_alloc(n->nets * sizeof *at);
    for (uint32_t i = n->nets; i--;)
        if (p->stem[i] != i)
            p->member[p->member_start[p->stem[i]] + at[p->stem[i]]++] = i;
    free(at);
}

static struct gate_clocks find_clocks(const struct gate_netlist *n)
{
    struct gate_clocks c = {NULL, 0};
    for (uint32_t i = n->inputs + n->flops; i < n->nets && n->clocks; i++)
        if (gate_clock_net(n, i)) {
            c.net = fl_grow(c.net, c.nets + 1, sizeof *c.net);
            c.net[c.nets++] = i;
        }
    return c;
}

/* ---- many patterns, one fault ---------------------------------------------------------------- */

struct gate_sim *gate_sim_new(const struct gate_netlist *n, int width)
{
    struct gate_sim *s = fl_alloc(sizeof *s);
    size_t block = (size_t)width / 8, watched = n->outputs + n->flops;
    s->n = n;
    s->wide = gate_wide(width);
    s->words = width / 64;
    s->plan.run = find_runs(n, &s->plan.runs);
    find_readers(n, &s->plan);
    find_regions(n, &s->plan);
    s->clocks = find_clocks(n);
    s->value = fl_alloc_line(n->nets * block);
    s->before = fl_alloc_line(n->nets * block);
    s->now = fl_alloc_line(n->nets * block);
    s->sight = fl_alloc_line(n->nets * block);
    s->valid = fl_alloc_line(block);
    s->shows = fl_alloc_line(n->nets * block);
    s->shows_of = fl_alloc(n->nets * sizeof *s->shows_of);
    s->sight_of = fl_alloc(n->nets * sizeof *s->sight_of);
    s->stem = UINT32_MAX;
    s->response = fl_alloc_line(watched * block);
    s->response_at = fl_alloc(watched * sizeof *s->response_at);
    s->mask = fl_alloc_line((watched + 1) * block);
    s->diff = fl_alloc((watched + 1) * sizeof *s->diff);
    s->waiting = fl_alloc((n->nets / 64 + 1) * sizeof *s->waiting);
    s->waiting_words = fl_alloc((n->nets / 4096 + 1) * sizeof *s->waiting_words);
    s->changed = fl_alloc(n->nets * sizeof *s->changed);
    return s;
}

void gate_sim_free(struct gate_sim *s)
{
    if (!s)
        return;
    void *const part[] = {s->plan.run,      s->plan.reader_start,
                          s->plan.reader,   s->plan.seen_start,
                          s->plan.seen,     s->plan.stem,
                          s->plan.only_pin, s->plan.member_start,
                          s->plan.member,   s->value,
                          s->before,        s->now,
                          s->sight,         s->valid,
                          s->sight_of,      s->response,
                          s->response_at,   s->mask,
                          s->diff,          s->waiting,
                          s->waiting_words, s->changed,
                          s->shows,         s->shows_of,
                          s->observed,      s->hold,
                          s->clocks.net,    s->way,
                          s->rest,          s};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        free(part[i]);
}

int gate_sim_words(const struct gate_sim *s)
{
    return s->words;
}

void gate_sim_load(struct gate_sim *s, const uint64_t *source, int count)
{
    s->wide->load(s, source, count);
}

void gate_sim_load_second(struct gate_sim *s, const uint64_t *source, int count)
{
    void *first = s->value;
    s->value = s->before;
    s->before = first;
    s->wide->load(s, source, count);
}

const uint64_t *gate_sim_value(const struct gate_sim *s, uint32_t net)
{
    return (const uint64_t *)s->value + (size_t)net * (size_t)s->words;
}

void gate_sim_hold(struct gate_sim *s, const uint64_t *hold)
{
    free(s->hold);
    s->hold = NULL;
    if (!hold || !s->clocks.nets)
        return;
    s->hold = fl_alloc_line((size_t)s->words * sizeof *s->hold);
    memcpy(s->hold, hold, (size_t)s->words * sizeof *s->hold);
}

void gate_sim_strobe(struct gate_sim *s, const uint64_t *strobe)
{
    s->block++; /* what is known of stems held for other strobes */
    s->strobe = strobe;
    if (!strobe)
        return;
    size_t words = (size_t)s->words;
    if (!s->observed)
        s->observed = fl_alloc_line(s->n->nets * words * sizeof *s->observed);
    memset(s->observed, 0, s->n->nets * words * sizeof *s->observed);
    for (uint32_t i = 0; i < s->n->nets; i++)
        for (uint32_t k = s->plan.seen_start[i]; k < s->plan.seen_start[i + 1]; k++)
            for (size_t w = 0; w < words; w++)
                s->observed[i * words + w] |= strobe[s->plan.seen[k] * words + w];
}

int gate_sim_fault(struct gate_sim *s, enum gate_model model, uint32_t fault,
                   const struct gate_diff **diff)
{
    *diff = s->diff;
    return s->wide->fault(s, model, fault);
}

void gate_sim_detect(struct gate_sim *s, enum gate_model model, const uint32_t *fault,
                     uint32_t count, struct gate_hit *hit)
{
    s->wide->detect(s, model, fault, count, hit);
}

/* The cell whose output a fault of the site changes; a port is a stem's. */
static uint32_t site_cell(const struct gate_netlist *n, uint32_t site)
{
    uint32_t at;
    enum gate_place place = gate_site(n, site, &at);
    return place == GATE_AT_PIN ? n->pin_cell[at] : gate_site_net(n, site);
}

/* A fault behind the stem of its region. */
struct ordered {
    uint32_t stem, fault;
};

static int by_stem(const void *a, const void *b)
{
    const struct ordered *x = a, *y = b;
    return x->stem != y->stem    ? (x->stem > y->stem) - (x->stem < y->stem)
           : x->fault > y->fault ? 1
                                 : -(x->fault < y->fault);
}

void gate_sim_order(const struct gate_sim *s, uint32_t *fault, uint32_t count)
{
    struct ordered *o = fl_alloc(count * sizeof *o);
    for (uint32_t i = 0; i < count; i++)
        o[i] = (struct ordered){s->plan.stem[site_cell(s->n, GATE_SITE(fault[i]))], fault[i]};
    qsort(o, count, sizeof *o, by_stem);
    for (uint32_t i = 0; i < count; i++)
        fault[i] = o[i].fault;
    free(o);
}

/* ---- many faults, one pattern ---------------------------------------------------------------- */

static void add_run(struct gate_group *g, uint32_t code, uint32_t from, uint32_t to)
{
    FL_ROOM(g->run, g->runs, g->room, 64);
    g->run[g->runs++] = (struct gate_run){code, from, to};
}

/* All of the netlist is evaluated and looked at. */
static void find_all(struct gate_group *g)
{
    g->focused = false;
    g->runs = 0;
    for (uint32_t i = 0; i < g->all_runs; i++)
        add_run(g, g->all_run[i].code, g->all_run[i].from, g->all_run[i].to);
    g->inputs = g->n->inputs;
    g->looks = g->n->ports;
    g->showns = g->n->outputs;
    for (uint32_t i = 0; i < g->inputs; i++)
        g->input[i] = i;
    for (uint32_t i = 0; i < g->looks; i++)
        g->look[i] = i;
    for (uint32_t i = 0; i < g->showns; i++)
        g->shown[i] = i;
}

struct gate_group *gate_group_new(const struct gate_netlist *n, int width)
{
    struct gate_group *g = fl_alloc(sizeof *g);
    size_t block = (size_t)width / 8, most = (size_t)width;
    g->n = n;
    g->wide = gate_wide(width);
    g->words = width / 64;
    g->all_run = find_runs(n, &g->all_runs);
    g->mark = fl_alloc(n->nets);
    g->input = fl_alloc(n->inputs * sizeof *g->input);
    g->look = fl_alloc(n->ports * sizeof *g->look);
    g->shown = fl_alloc(n->outputs * sizeof *g->shown);
    g->now = fl_alloc_line(n->nets * block);
    g->flop = fl_alloc_line(n->flops * block);
    g->pin = fl_alloc_line(n->flops * block);
    g->port = fl_alloc_line(n->ports * block);
    g->cell_pin = fl_alloc_line(n->most_pins * block);
    g->forced = fl_alloc(most * sizeof *g->forced);
    g->forced_of = fl_alloc(most * sizeof *g->forced_of);
    g->to_zero = fl_alloc_line(most * block);
    g->to_one = fl_alloc_line(most * block);
    g->last = fl_alloc_line(most * block);
    g->seen = fl_alloc_line(most * block);
    g->clocks = find_clocks(n);
    find_all(g);
    gate_group_reset(g);
    return g;
}

void gate_group_free(struct gate_group *g)
{
    if (!g)
        return;
    void *const part[] = {g->run,    g->all_run,   g->mark,       g->input,  g->look,
                          g->shown,  g->now,       g->flop,       g->pin,    g->port,
                          g->forced, g->forced_of, g->to_zero,    g->to_one, g->last,
                          g->seen,   g->cell_pin,  g->clocks.net, g};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        free(part[i]);
}

int gate_group_words(const struct gate_group *g)
{
    return g->words;
}

/* Cells in order; of a cell, pins before its net. Ports behind all cells. */
static int by_cell(const void *a, const void *b)
{
    const struct gate_forced *x = a, *y = b;
    return x->cell != y->cell   ? (x->cell > y->cell) - (x->cell < y->cell)
           : x->site != y->site ? (x->site < y->site) - (x->site > y->site)
                                : 0;
}

static struct gate_forced forced_at(const struct gate_netlist *n, uint32_t site, uint32_t bit)
{
    uint32_t at;
    bool port = gate_site(n, site, &at) == GATE_AT_PORT;
    return (struct gate_forced){site, port ? n->nets + n->port_of[at] : site_cell(n, site), bit};
}

void gate_group_set(struct gate_group *g, enum gate_model model, const uint32_t *fault,
                    uint32_t count)
{
    if (g->focused)
        find_all(g);
    g->model = model;
    g->forceds = 0;
    uint32_t faults = 0;
    for (uint32_t i = 0; i < count; i++)
        if (fault[i] != GATE_NO_FAULT)
            g->forced[faults++] = forced_at(g->n, GATE_SITE(fault[i]), i);
    qsort(g->forced, faults, sizeof *g->forced, by_cell);
    for (uint32_t i = 0; i < faults; i++) {
        struct gate_forced f = g->forced[i];
        if (g->forceds == 0 || f.site != g->forced[g->forceds - 1].site)
            g->forced[g->forceds++] = f;
        g->forced_of[f.bit] = g->forceds - 1;
    }
    g->wide->group_set(g, fault, count);
    gate_group_reset(g);
}

static bool port_is_forced(const struct gate_group *g, uint32_t output)
{
    const uint32_t port = g->n->port_of[output];
    for (uint32_t k = g->forceds; k-- > 0 && g->forced[k].cell >= g->n->nets;)
        if (g->forced[k].cell - g->n->nets == port)
            return true;
    return false;
}

enum {
    CHANGES = 1,
    READ = 2
}; /* what may be known of a net: a fault can change it; somebody asks for it */

/* Marks what the faults can change, a gate reads only nets of lower numbers; and the outputs to look at. */
static void mark_changes(struct gate_group *g, uint32_t from, uint32_t to)
{
    const struct gate_netlist *n = g->n;
    memset(g->mark, 0, n->nets);
    for (uint32_t i = 0; i < g->forceds; i++)
        if (g->forced[i].cell < n->nets)
            g->mark[g->forced[i].cell] = CHANGES;
    for (uint32_t i = n->inputs; i < n->nets; i++)
        for (uint32_t p = 0; p < n->cell[i].pins && !g->mark[i]; p++)
            g->mark[i] = g->mark[GATE_NET(n->literal[n->cell[i].first + p])];
    g->showns = g->looks = 0;
    for (uint32_t o = from; o < to; o++) {
        if (!g->mark[n->output[o]] && !port_is_forced(g, o))
            continue;
        g->shown[g->showns++] = o;
        if (n->port_of[o] != GATE_NO_PORT)
            g->look[g->looks++] = n->port_of[o];
    }
}

/* And what must be known for them. */
static void mark_reads(struct gate_group *g)
{
    const struct gate_netlist *n = g->n;
    for (uint32_t i = 0; i < g->showns; i++)
        g->mark[n->output[g->shown[i]]] |= READ;
    for (uint32_t i = n->nets; i-- > n->inputs;)
        for (uint32_t p = 0; p < n->cell[i].pins && g->mark[i] & READ; p++)
            g->mark[GATE_NET(n->literal[n->cell[i].first + p])] |= READ;
}

void gate_group_focus(struct gate_group *g, uint32_t from, uint32_t to)
{
    mark_changes(g, from, to);
    mark_reads(g);
    g->focused = true;
    g->inputs = g->runs = 0;
    for (uint32_t i = 0; i < g->n->inputs; i++)
        if (g->mark[i] & READ)
            g->input[g->inputs++] = i;
    for (uint32_t r = 0; r < g->all_runs; r++) {
        const struct gate_run *all = &g->all_run[r];
        for (uint32_t i = all->from, end; i < all->to; i = end) {
            for (end = i + 1; end < all->to && g->mark[end] & g->mark[i] & READ; end++)
                continue;
            if (g->mark[i] & READ)
                add_run(g, all->code, i, end);
        }
    }
}

const uint32_t *gate_group_changeable(const struct gate_group *g, uint32_t *count)
{
    *count = g->showns;
    return g->shown;
}

const uint32_t *gate_group_inputs(const struct gate_group *g, uint32_t *count)
{
    *count = g->inputs;
    return g->input;
}

void gate_group_reset(struct gate_group *g)
{
    g->wide->group_reset(g);
}

void gate_group_eval(struct gate_group *g, const uint64_t *input)
{
    g->wide->group_eval(g, input, false);
}

void gate_group_eval_each(struct gate_group *g, const uint64_t *input)
{
    g->wide->group_eval(g, input, true);
}

const uint64_t *gate_group_watched(const struct gate_group *g, uint32_t watched)
{
    const struct gate_netlist *n = g->n;
    const uint64_t *from = g->pin;
    uint32_t at = watched - n->outputs;
    if (watched < n->outputs) {
        bool port = n->port_of[watched] != GATE_NO_PORT;
        from = port ? g->port : g->now;
        at = port ? n->port_of[watched] : n->output[watched];
    }
    return from + (size_t)at * (size_t)g->words;
}

void gate_group_hold(struct gate_group *g, bool hold)
{
    g->hold = hold;
}

void gate_group_clock(struct gate_group *g)
{
    g->wide->group_clock(g);
}

uint64_t *gate_group_flop(struct gate_group *g, uint32_t flop)
{
    return (uint64_t *)g->flop + (size_t)flop * (size_t)g->words;
}
