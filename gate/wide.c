/* wide.c -- the loops of both simulators, for words of GATE_BITS bits. Compiled once for each width
 * and kind of processor; GATE_TABLE_NAME is the table of this one.
 *
 * Many patterns, one fault. In a fanout-free region a change has one way to the region's end, the
 * stem, so what a fault does there is an AND of masks: where the fault changes its site, and where
 * the site's change reaches the stem (`sight`). What a change of the stem does is followed once for
 * all faults of the region, cell by cell in the order of their numbers, as far as anything differs.
 * (E. Ulrich and T. Baker 1974; S. Seshu 1965; J. Waicukauski and others 1985.)
 *
 * Many faults, one pattern. All cells in order; those with faults in them get the faults' masks.
 */
#include "wide.h"

#include <stdlib.h>
#include <string.h>

#ifdef __AVX512F__
#include <immintrin.h>
#endif

#define WORDS (GATE_BITS / 64)
#if WORDS == 1
typedef uint64_t word;
#else
typedef uint64_t word __attribute__((vector_size(GATE_BITS / 8), may_alias));
#endif

/* What the processor does at once: a compiler that is given more moves it through memory. */
#if WORDS == 1
typedef word part;
#elif defined(__AVX512F__) || WORDS == 2 || (defined(__AVX2__) && WORDS == 4)
typedef word part;
#elif defined(__AVX2__)
typedef uint64_t part __attribute__((vector_size(32), may_alias));
#else
typedef uint64_t part __attribute__((vector_size(16), may_alias));
#endif
enum { PARTS = sizeof(word) / sizeof(part) };

static inline word all_of(uint64_t v)
{
    return v - (word){0};
}

#if WORDS == 8 && defined(__AVX512F__)
static inline bool any(word w)
{
    return _mm512_test_epi64_mask((__m512i)w, (__m512i)w) != 0;
}
#else
static inline bool any(word w)
{
    uint64_t v = 0;
    for (int i = 0; i < WORDS; i++)
        v |= ((const uint64_t *)&w)[i];
    return v != 0;
}
#endif

/* All ones when the literal is inverted. */
static inline word flip(uint32_t literal)
{
    return all_of(-(uint64_t)GATE_INVERTED(literal));
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* A part of a word at a time: `value` points at that part of the first word. */
#define PART(value, i) (value)[(size_t)(i)*PARTS]

static inline part every(uint64_t v)
{
    return v - (part){0};
}

static inline __attribute__((always_inline)) part rows_of(uint64_t table, uint32_t pins,
                                                          const part *pin)
{
    part half[1 << (GATE_TABLE_PINS - 1)];
    if (pins == 0)
        return every(-(table & 1));
    for (uint32_t i = 0; i < 1u << (pins - 1); i++) { /* two rows of the table, chosen by pin 0 */
        uint64_t low = -(table >> 2 * i & 1), high = -(table >> (2 * i + 1) & 1);
        half[i] = every(low) ^ (pin[0] & every(low ^ high));
    }
    for (uint32_t p = 1; p < pins; p++)
        for (uint32_t i = 0; i < 1u << (pins - 1 - p); i++)
            half[i] = half[2 * i] ^ (pin[p] & (half[2 * i] ^ half[2 * i + 1]));
    return half[0];
}

/* For each number of pins a loop that is unrolled: flip-flops with a reset read tables of 2 to 4. */
static part table_of(uint64_t table, uint32_t pins, const part *pin)
{
    switch (pins) {
    case 2: return rows_of(table, 2, pin);
    case 3: return rows_of(table, 3, pin);
    case 4: return rows_of(table, 4, pin);
    default: return rows_of(table, pins, pin);
    }
}

/* Any cell: `value` is that of all nets, or, with `pins`, what its pins carry before literals
 * invert it. */
static inline part any_cell(const struct gate_cell *c, const uint32_t *literal, const part *value,
                            bool pins)
{
    part v = every(c->invert ? UINT64_MAX : 0), all = every(UINT64_MAX), pin[GATE_TABLE_PINS] = {0};
#define PIN(p)                                                                                     \
    (PART(value, pins ? (p) : GATE_NET(literal[p])) ^ every(-(uint64_t)GATE_INVERTED(literal[p])))
    switch (c->kind) {
    case GATE_AND:
        for (uint32_t p = 0; p < c->pins; p++)
            all &= PIN(p);
        return v ^ all;
    case GATE_XOR:
        for (uint32_t p = 0; p < c->pins; p++)
            v ^= PIN(p);
        return v;
    case GATE_MUX: return v ^ PIN(1) ^ (PIN(0) & (PIN(1) ^ PIN(2)));
    default:
        for (uint32_t p = 0; p < c->pins; p++)
            pin[p] = PIN(p);
        return table_of(c->table, c->pins, pin);
    }
#undef PIN
}

static part other(const struct gate_cell *c, const uint32_t *literal, const part *value)
{
    return any_cell(c, literal, value, false);
}

#define A PART(value, GATE_NET(in[0]))
#define B PART(value, GATE_NET(in[1]))
#define C PART(value, GATE_NET(in[2]))

static inline part part_of_cell(const struct gate_netlist *n, uint32_t net, const part *value)
{
    const struct gate_cell *c = &n->cell[net];
    const uint32_t *in = &n->literal[c->first];
    switch (c->code) {
    case GATE_DO_CONST: return every(-c->table);
    case GATE_DO_BUF: return A;
    case GATE_DO_NOT: return ~A;
    case GATE_DO_AND: return A & B;
    case GATE_DO_NAND: return ~(A & B);
    case GATE_DO_OR: return A | B;
    case GATE_DO_NOR: return ~(A | B);
    case GATE_DO_ANDN: return A & ~B;
    case GATE_DO_NANDN: return ~(A & ~B);
    case GATE_DO_XOR: return A ^ B;
    case GATE_DO_XNOR: return ~(A ^ B);
    case GATE_DO_MUX: return B ^ (A & (B ^ C));
    default: return other(c, in, value);
    }
}

static inline word of_cell(const struct gate_netlist *n, uint32_t net, const word *value)
{
    word v;
    for (int k = 0; k < PARTS; k++)
        ((part *)&v)[k] = part_of_cell(n, net, (const part *)value + k);
    return v;
}

/* The cell with these values at its pins, before literals invert them. */
static inline word of_pins(const struct gate_cell *c, const uint32_t *literal, const word *pin)
{
    word v;
    for (int k = 0; k < PARTS; k++)
        ((part *)&v)[k] = any_cell(c, literal, (const part *)pin + k, true);
    return v;
}

/* Cells [from, to), all of this code. The pins of one code stand in a row as the cells do. */
static void run_cells(const struct gate_netlist *n, uint32_t code, uint32_t from, uint32_t to,
                      word *words)
{
    const uint32_t *in = from < n->nets ? &n->literal[n->cell[from].first] : NULL;
#define EACH(pins, expression)                                                                     \
    for (uint32_t i = from; i < to; i++, in += (pins))                                             \
        for (int k = 0; k < PARTS; k++) {                                                          \
            part *value = (part *)words + k;                                                       \
            PART(value, i) = (expression);                                                         \
        }                                                                                          \
    break
    switch (code) {
    case GATE_DO_SOURCE: break;
    case GATE_DO_BUF: EACH(1, A);
    case GATE_DO_NOT: EACH(1, ~A);
    case GATE_DO_AND: EACH(2, A & B);
    case GATE_DO_NAND: EACH(2, ~(A & B));
    case GATE_DO_OR: EACH(2, A | B);
    case GATE_DO_NOR: EACH(2, ~(A | B));
    case GATE_DO_ANDN: EACH(2, A & ~B);
    case GATE_DO_NANDN: EACH(2, ~(A & ~B));
    case GATE_DO_XOR: EACH(2, A ^ B);
    case GATE_DO_XNOR: EACH(2, ~(A ^ B));
    case GATE_DO_MUX: EACH(3, B ^ (A & (B ^ C)));
    default: EACH(0, part_of_cell(n, i, value));
    }
#undef EACH
}
#undef A
#undef B
#undef C

/* ---- many patterns, one fault ---------------------------------------------------------------- */

static void load(struct gate_sim *s, const uint64_t *source, int count)
{
    const struct gate_netlist *n = s->n;
    uint64_t *valid = s->valid;
    for (int i = 0; i < WORDS; i++)
        valid[i] = count >= 64 * (i + 1) ? UINT64_MAX
                   : count > 64 * i      ? ((uint64_t)1 << (count - 64 * i)) - 1
                                         : 0;
    memcpy(s->value, source, (size_t)(n->inputs + n->flops) * sizeof(word));
    for (uint32_t i = 0; i < s->plan.runs; i++) {
        run_cells(n, s->plan.run[i].code, s->plan.run[i].from, s->plan.run[i].to, s->value);
        for (uint32_t c = 0; c < s->clocks.nets && s->hold && s->plan.run[i].code == GATE_DO_CONST;
             c++)
            ((word *)s->value)[s->clocks.net[c]] = ~*(const word *)s->hold;
    }
    memcpy(s->now, s->value, (size_t)n->nets * sizeof(word));
    s->block++;
    s->stem = UINT32_MAX;
}

/* Where a change of pin p of the cell changes its output. */
static word sense(const struct gate_netlist *n, uint32_t net, uint32_t p, const word *value)
{
    const struct gate_cell *c = &n->cell[net];
    const uint32_t *in = &n->literal[c->first];
    word pin[GATE_TABLE_PINS], low = all_of(UINT64_MAX);
#define A value[GATE_NET(in[0])]
#define B value[GATE_NET(in[1])]
#define C value[GATE_NET(in[2])]
    switch (c->code) {
    case GATE_DO_BUF:
    case GATE_DO_NOT:
    case GATE_DO_XOR:
    case GATE_DO_XNOR: return low;
    case GATE_DO_AND:
    case GATE_DO_NAND: return value[GATE_NET(in[!p])];
    case GATE_DO_OR:
    case GATE_DO_NOR: return ~value[GATE_NET(in[!p])];
    case GATE_DO_ANDN:
    case GATE_DO_NANDN:
        if (p == 0)
            return ~B;
        return A;
    case GATE_DO_MUX:
        if (p == 0)
            return B ^ C;
        return p == 1 ? ~A : A;
    default:
        if (c->kind == GATE_XOR)
            return low;
        if (c->kind == GATE_AND) { /* the others let it through */
            for (uint32_t i = 0; i < c->pins; i++)
                if (i != p)
                    low &= value[GATE_NET(in[i])] ^ flip(in[i]);
            return low;
        }
        for (uint32_t i = 0; i < c->pins; i++)
            pin[i] = value[GATE_NET(in[i])];
        pin[p] = all_of(0);
        low = of_pins(c, in, pin);
        pin[p] = all_of(UINT64_MAX);
        return low ^ of_pins(c, in, pin);
    }
#undef A
#undef B
#undef C
}

/* `sight` of all nets of a region, from the stem backwards. */
static void look_back(struct gate_sim *s, uint32_t stem)
{
    const struct gate_netlist *n = s->n;
    const word *value = s->value;
    word *sight = s->sight;
    sight[stem] = *(word *)s->valid;
    for (uint32_t i = s->plan.member_start[stem]; i < s->plan.member_start[stem + 1]; i++) {
        uint32_t net = s->plan.member[i], pin = s->plan.only_pin[net], cell = n->pin_cell[pin];
        sight[net] = sight[cell] & sense(n, cell, pin - n->cell[cell].first, value);
    }
    s->sight_of[stem] = s->block;
}

static inline void wait_for(struct gate_sim *s, uint32_t net)
{
    for (uint32_t k = s->plan.reader_start[net]; k < s->plan.reader_start[net + 1]; k++) {
        uint32_t cell = s->plan.reader[k];
        s->waiting[cell / 64] |= (uint64_t)1 << cell % 64;
        s->waiting_words[cell / 4096] |= (uint64_t)1 << cell / 64 % 64;
    }
}

static void add_response(struct gate_sim *s, uint32_t net, word differs)
{
    uint32_t from = s->plan.seen_start[net], to = s->plan.seen_start[net + 1];
    for (; from < to; from++) {
        ((word *)s->response)[s->responses] = differs;
        s->response_at[s->responses++] = s->plan.seen[from];
    }
}

/* The patterns in which something watched at the net is observed. */
static inline word observed(const struct gate_sim *s, uint32_t net)
{
    return s->strobe ? ((const word *)s->observed)[net] : *(const word *)s->valid;
}
static inline word observed_at(const struct gate_sim *s, uint32_t stem)
{
    bool watched = s->plan.seen_start[stem] != s->plan.seen_start[stem + 1];
    return watched ? observed(s, stem) : all_of(0);
}

/* Nobody waits any more. */
static void let_go(struct gate_sim *s, uint32_t from)
{
    for (uint32_t t = from / 4096; t < (s->n->nets + 4095) / 4096; t++)
        for (; s->waiting_words[t]; s->waiting_words[t] &= s->waiting_words[t] - 1)
            s->waiting[64 * t + (uint32_t)__builtin_ctzll(s->waiting_words[t])] = 0;
}

/* Follows a change of the stem in the patterns of `flip`. With `list`, all that differs becomes the
 * response. Else the patterns in which anything does are returned, as far as to the one stem to which
 * the change has come down: there it is left, in the patterns of `rest`. */
static inline word follow(struct gate_sim *s, uint32_t stem, word flip, bool list, uint32_t *left,
                          word *rest)
{
    const struct gate_netlist *n = s->n;
    const word *value = s->value;
    word *now = s->now, seen = all_of(0);
    uint32_t changed = 0, top = (n->nets + 4095) / 4096, only = UINT32_MAX;
    now[stem] = value[stem] ^ flip;
    s->changed[changed++] = stem;
    if (list)
        add_response(s, stem, flip);
    else
        seen = flip & observed_at(s, stem);
    wait_for(s, stem);
    for (uint32_t t = stem / 4096; t < top && only == UINT32_MAX; t++)
        while (s->waiting_words[t]) {
            uint32_t w = 64 * t + (uint32_t)__builtin_ctzll(s->waiting_words[t]);
            if (!s->waiting[w]) {
                s->waiting_words[t] &= s->waiting_words[t] - 1;
                continue;
            }
            uint32_t cell = 64 * w + (uint32_t)__builtin_ctzll(s->waiting[w]);
            s->waiting[w] &= s->waiting[w] - 1; /* who reads it has a higher number */
            word v = of_cell(n, cell, now), differs = v ^ value[cell];
            if (!any(differs))
                continue;
            now[cell] = v;
            s->changed[changed++] = cell;
            bool watched = s->plan.seen_start[cell] != s->plan.seen_start[cell + 1];
            if (list && watched)
                add_response(s, cell, differs);
            if (!list && s->plan.stem[cell] == cell) {
                bool alone = !s->waiting[w] && !(s->waiting_words[t] & (s->waiting_words[t] - 1));
                for (uint32_t u = t + 1; u < top && alone; u++)
                    alone = !s->waiting_words[u];
                if (watched)
                    seen |= differs & observed(s, cell);
                if (!any(flip & ~seen)) {
                    let_go(s, cell);
                    break;
                }
                if (alone && !watched) {
                    s->waiting_words[t] = 0;
                    only = cell;
                    *rest = differs;
                    break;
                }
            }
            wait_for(s, cell);
        }
    while (changed--)
        now[s->changed[changed]] = value[s->changed[changed]];
    *left = only;
    return seen;
}

/* Where the change of a stem is left for another one, as often as there are stems in a row. */
static void push_way(struct gate_sim *s, uint32_t ways, uint32_t stem, word rest)
{
    if (ways == s->room_ways) {
        s->room_ways = s->room_ways ? 2 * s->room_ways : 64;
        s->way = fl_grow(s->way, s->room_ways, sizeof *s->way);
        s->rest = fl_grow(s->rest, s->room_ways, sizeof rest);
    }
    s->way[ways] = stem;
    memcpy(s->rest + ways * sizeof rest, &rest, sizeof rest);
}

/* The patterns in which a change of the stem shows. */
static word shows(struct gate_sim *s, uint32_t stem)
{
    word *known = s->shows, valid = *(word *)s->valid, rest = all_of(0);
    uint32_t ways = 0, next = stem;
    for (; next != UINT32_MAX && s->shows_of[next] != s->block; ways++) {
        stem = next;
        next = UINT32_MAX;
        rest = all_of(0);
        s->shows_of[stem] = s->block;
        known[stem] = any(valid & ~observed_at(s, stem))
                          ? follow(s, stem, valid, false, &next, &rest)
                          : valid;
        push_way(s, ways, stem, rest);
    }
    for (word after = next == UINT32_MAX ? all_of(0) : known[next]; ways--; after = known[stem]) {
        stem = s->way[ways];
        memcpy(&rest, s->rest + ways * sizeof rest, sizeof rest);
        known[stem] |= rest & after;
    }
    return known[stem];
}

/* The same of a change in the patterns of `flip` alone. */
static word shows_in(struct gate_sim *s, uint32_t stem, word flip)
{
    uint32_t next = UINT32_MAX;
    word rest = all_of(0), seen = follow(s, stem, flip, false, &next, &rest);
    if (next != UINT32_MAX)
        seen |= rest & shows(s, next);
    return seen;
}

/* Where a fault reaches the stem of its region; of a flip-flop's pin and of a port, where it
 * reaches that, and UINT32_MAX for a stem. */
static inline word local_of(struct gate_sim *s, enum gate_model model, uint32_t number,
                            uint32_t *stem)
{
    const struct gate_netlist *n = s->n;
    const word *value = s->value;
    uint32_t site = GATE_SITE(number), net = gate_site_net(n, site), cell;
    enum gate_place place = gate_site(n, site, &cell);
    word local = value[net] ^ all_of(-(uint64_t)gate_stuck_value(n, number));
    if (model == GATE_TRANSITION) /* it moves, and away from the value that it keeps */
        local &= value[net] ^ ((const word *)s->before)[net];
    *stem = UINT32_MAX;
    if (place == GATE_AT_PORT)
        return local & *(word *)s->valid;
    if (place == GATE_AT_PIN) {
        uint32_t pin = cell;
        cell = n->pin_cell[pin];
        if (n->cell[cell].kind == GATE_FLOP)
            return local & *(word *)s->valid;
        local &= sense(n, cell, pin - n->cell[cell].first, value);
    }
    *stem = s->plan.stem[cell];
    if (s->sight_of[*stem] != s->block)
        look_back(s, *stem);
    return local & ((word *)s->sight)[cell];
}

/* What a fault of a flip-flop's pin or of a port changes. */
static uint32_t watched_at(const struct gate_netlist *n, uint32_t number)
{
    uint32_t at;
    bool port = gate_site(n, GATE_SITE(number), &at) == GATE_AT_PORT;
    return port ? at : n->outputs + n->pin_cell[at] - n->inputs;
}

static int fault(struct gate_sim *s, enum gate_model model, uint32_t number)
{
    const struct gate_netlist *n = s->n;
    uint32_t stem, left;
    word *mask = s->mask, local = local_of(s, model, number, &stem), rest;
    if (!any(local))
        return 0;
    if (stem == UINT32_MAX) {
        mask[0] = local;
        s->diff[0] = (struct gate_diff){watched_at(n, number), (uint64_t *)&mask[0]};
        return 1;
    }
    if (s->stem != stem) {
        s->stem = stem;
        s->responses = 0;
        follow(s, stem, *(word *)s->valid, true, &left, &rest);
    }
    int diffs = 0;
    for (uint32_t i = 0; i < s->responses; i++) {
        mask[diffs] = ((word *)s->response)[i] & local;
        s->diff[diffs] = (struct gate_diff){s->response_at[i], (uint64_t *)&mask[diffs]};
        diffs += any(mask[diffs]);
    }
    return diffs;
}

static struct gate_hit hit_of(word w)
{
    struct gate_hit h = {-1, 0};
    if (any(w))
        for (int i = 0; i < WORDS; i++) {
            uint64_t v = ((const uint64_t *)&w)[i];
            if (v && h.first < 0)
                h.first = 64 * i + __builtin_ctzll(v);
            h.times += __builtin_popcountll(v);
        }
    return h;
}

/* Faults of one region together: where any of them reaches the stem, the stem's change is followed
 * once. */
static void detect(struct gate_sim *s, enum gate_model model, const uint32_t *number,
                   uint32_t count, struct gate_hit *hit)
{
    enum { TOGETHER = 64 };
    word local[TOGETHER], reach = all_of(0);
    uint32_t stem = UINT32_MAX, from = 0;
    for (uint32_t i = 0; i <= count; i++) {
        uint32_t next = UINT32_MAX;
        word w = i < count ? local_of(s, model, number[i], &next) : all_of(0);
        if (i > from &&
            (next != stem || stem == UINT32_MAX || i - from == TOGETHER || i == count)) {
            word seen = reach; /* a flip-flop's pin is watched, and so is a port */
            if (stem == UINT32_MAX && i > from && s->strobe)
                seen = ((const word *)s->strobe)[watched_at(s->n, number[from])];
            if (stem != UINT32_MAX && any(reach & ~observed_at(s, stem)))
                seen = s->shows_of[stem] == s->block ? shows(s, stem) : shows_in(s, stem, reach);
            for (; from < i; from++)
                hit[from] = hit_of(local[from % TOGETHER] & seen);
            reach = all_of(0);
        }
        stem = next;
        local[i % TOGETHER] = w;
        reach |= w;
    }
}

/* ---- many faults, one pattern ---------------------------------------------------------------- */

static void group_set(struct gate_group *g, const uint32_t *number, uint32_t count)
{
    word *zero = g->to_zero, *one = g->to_one;
    memset(zero, 0, g->forceds * sizeof *zero);
    memset(one, 0, g->forceds * sizeof *one);
    for (uint32_t i = 0; i < count; i++)
        if (number[i] != GATE_NO_FAULT) {
            word *w = (gate_stuck_value(g->n, number[i]) ? one : zero) + g->forced_of[i];
            ((uint64_t *)w)[i / 64] |= (uint64_t)1 << i % 64;
        }
}

static word force(struct gate_group *g, uint32_t k, word v)
{
    const word *zero = g->to_zero, *one = g->to_one;
    if (g->model == GATE_STUCK)
        return (v | one[k]) & ~zero[k];
    ((word *)g->seen)[k] = v;
    if (g->first)
        return v;
    word last = ((word *)g->last)[k];
    return (v | (one[k] & last)) & ~(zero[k] & ~last);
}

/* Forces [k, ...) that belong to this cell, and the cell with them. */
static uint32_t eval_forced(struct gate_group *g, uint32_t k)
{
    const struct gate_netlist *n = g->n;
    uint32_t net = g->forced[k].cell;
    const struct gate_cell *c = &n->cell[net];
    const uint32_t *literal = &n->literal[c->first];
    word *now = g->now, v = now[net], *pin = g->cell_pin;
    bool gate = c->kind != GATE_INPUT && c->kind != GATE_FLOP;
    for (uint32_t p = 0; gate && p < c->pins; p++)
        pin[p] = now[GATE_NET(literal[p])];
    for (; k < g->forceds && g->forced[k].cell == net && g->forced[k].site >= n->nets; k++)
        if (gate) {
            uint32_t p = g->forced[k].site - n->nets - c->first;
            pin[p] = force(g, k, pin[p]);
        }
    if (gate)
        v = of_pins(c, literal, pin);
    if (k < g->forceds && g->forced[k].cell == net) {
        v = force(g, k, v);
        k++;
    }
    now[net] = v;
    return k;
}

static void group_eval(struct gate_group *g, const uint64_t *input, bool each)
{
    const struct gate_netlist *n = g->n;
    word *now = g->now, *pin = g->pin, *port = g->port;
    uint32_t k = 0;
    for (uint32_t q = 0; q < g->inputs && !each; q++) {
        uint32_t i = g->input[q];
        now[i] = all_of(-(input[i / 64] >> i % 64 & 1));
    }
    if (each)
        memcpy(now, input, n->inputs * sizeof *now);
    memcpy(now + n->inputs, g->flop, n->flops * sizeof *now);
    for (uint32_t r = 0; r < g->runs; r++) {
        uint32_t from = g->run[r].from, to = g->run[r].to;
        while (k < g->forceds && g->forced[k].cell < from)
            k++; /* nobody asks for it */
        while (from < to) {
            uint32_t stop = k < g->forceds && g->forced[k].cell < to ? g->forced[k].cell : to;
            run_cells(n, g->run[r].code, from, stop, now);
            if (stop < to)
                k = eval_forced(g, k);
            from = stop + (stop < to);
        }
        for (uint32_t c = 0; c < g->clocks.nets && g->hold && g->run[r].code == GATE_DO_CONST; c++)
            now[g->clocks.net[c]] = all_of(0);
    }
    for (uint32_t q = 0; q < g->looks; q++)
        port[g->look[q]] = now[n->output[n->port[g->look[q]]]];
    for (; k < g->forceds; k++) { /* behind those of all cells */
        if (g->forced[k].cell < n->nets)
            continue;
        uint32_t p = g->forced[k].cell - n->nets;
        port[p] = force(g, k, port[p]);
    }
    for (uint32_t f = 0; f < n->flops; f++)
        pin[f] = now[GATE_NET(n->literal[n->cell[n->inputs + f].first])];
    for (k = 0; k < g->forceds && g->forced[k].cell < n->inputs + n->flops; k++)
        if (g->forced[k].site >= n->nets) {
            uint32_t f = g->forced[k].cell - n->inputs;
            pin[f] = force(g, k, pin[f]);
        }
    if (g->hold && !g->clocks.nets)
        memcpy(pin, g->flop, n->flops * sizeof *pin);
}

static void group_reset(struct gate_group *g)
{
    word *flop = g->flop;
    for (uint32_t f = 0; f < g->n->flops; f++)
        flop[f] = all_of(-g->n->cell[g->n->inputs + f].table);
    g->first = true;
}

static void group_clock(struct gate_group *g)
{
    memcpy(g->flop, g->pin, g->n->flops * sizeof(word));
    if (g->model == GATE_TRANSITION)
        memcpy(g->last, g->seen, g->forceds * sizeof(word));
    g->first = false;
}

extern const struct gate_wide GATE_TABLE_NAME;
const struct gate_wide GATE_TABLE_NAME = {
    GATE_BITS, load, fault, detect, group_set, group_reset, group_eval, group_clock,
};
