/* applied.c -- see applied.h. */
#include "applied.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "gate/unknown.h"

/* ---- names ----------------------------------------------------------------------------------- */

static char same(const struct gate_names *names, char c)
{
    return names->one_slash && c == '/' ? '.' : c;
}

static uint64_t hash(const struct gate_names *names, const char *name, size_t length)
{
    uint64_t h = FL_HASH_START;
    for (size_t i = 0; i < length; i++)
        if (!names->one_slash || name[i] != '\\')
            h = fl_hash(h, (uint8_t)same(names, name[i]));
    return h ^ h >> 32;
}

static bool equal(const struct gate_names *names, const char *a, const char *b, size_t length)
{
    const char *end = b + length;
    for (;; a++, b++) {
        while (names->one_slash && *a == '\\')
            a++;
        while (names->one_slash && b < end && *b == '\\')
            b++;
        if (!*a || b >= end)
            return !*a && b >= end;
        if (same(names, *a) != same(names, *b))
            return false;
    }
}

static struct gate_name *slot_of(const struct gate_names *names, const char *name, size_t length)
{
    uint32_t at = (uint32_t)hash(names, name, length) & (names->slots - 1);
    while (names->slot[at].name && !equal(names, names->slot[at].name, name, length))
        at = (at + 1) & (names->slots - 1);
    return &names->slot[at];
}

void gate_names_add(struct gate_names *names, const char *name, uint32_t number)
{
    if (2 * (names->count + 1) > names->slots) {
        struct gate_names old = *names;
        names->slots = old.slots ? 2 * old.slots : 64;
        names->slot = fl_alloc(names->slots * sizeof *names->slot);
        for (uint32_t i = 0; i < old.slots; i++)
            if (old.slot[i].name)
                *slot_of(names, old.slot[i].name, strlen(old.slot[i].name)) = old.slot[i];
        free(old.slot);
    }
    struct gate_name *s = slot_of(names, name, strlen(name));
    names->count += !s->name;
    *s = (struct gate_name){name, number};
}

uint32_t gate_names_find(const struct gate_names *names, const char *name, size_t length)
{
    const struct gate_name *s = names->slots ? slot_of(names, name, length) : NULL;
    return s && s->name ? s->number : UINT32_MAX;
}

void gate_names_free(struct gate_names *names)
{
    free(names->slot);
    *names = (struct gate_names){0};
}

/* ---- vectors --------------------------------------------------------------------------------- */

void gate_applied_new(struct gate_applied *a, const struct gate_netlist *n, bool scan, bool pairs)
{
    *a = (struct gate_applied){.n = n, .scan = scan, .pairs = pairs};
    a->p.sources = n->inputs + (scan ? n->flops : 0);
    a->p.watched = n->outputs + (scan ? n->flops : 0);
    a->input = fl_alloc(n->inputs);
    a->expect = fl_alloc(n->outputs);
    a->state = fl_alloc(n->flops);
    memset(a->input, GATE_UNKNOWN, n->inputs);
    memset(a->expect, GATE_UNKNOWN, n->outputs);
    for (uint32_t f = 0; f < n->flops; f++)
        a->state[f] = n->cell[n->inputs + f].table & 1;
    a->captured = GATE_NO_PATTERN;
    a->most = GATE_MOST_PATTERNS;
}

static void set(uint64_t *array, uint32_t rows, uint32_t pattern, uint32_t row, bool value)
{
    array[(size_t)(pattern / 64) * rows + row] |= (uint64_t)value << pattern % 64;
}

static bool get(const uint64_t *array, uint32_t rows, uint32_t pattern, uint32_t row)
{
    return array[(size_t)(pattern / 64) * rows + row] >> pattern % 64 & 1;
}

/* An array with zeros for 64 patterns more. */
static uint64_t *longer(uint64_t *array, uint32_t blocks, uint32_t rows)
{
    array = fl_grow(array, (size_t)blocks + 1, (rows ? rows : 1) * sizeof *array);
    memset(array + (size_t)blocks * rows, 0, rows * sizeof *array);
    return array;
}

static void strobe(struct gate_applied *a, uint32_t pattern, uint32_t watched, uint8_t level)
{
    if (level == GATE_UNKNOWN)
        return;
    a->strobes += !get(a->p.strobe, a->p.watched, pattern, watched);
    set(a->p.strobe, a->p.watched, pattern, watched, true);
    set(a->p.expect, a->p.watched, pattern, watched, level == GATE_HIGH);
}

static uint8_t level_of(struct gate_applied *a, uint8_t level)
{
    a->unknown += level == GATE_UNKNOWN;
    return level == GATE_HIGH;
}

static int append(struct gate_applied *a)
{
    struct gate_patterns *p = &a->p;
    if (p->count == a->most)
        return -1;
    if (p->count % 64 == 0) {
        uint32_t blocks = p->count / 64;
        if (blocks == a->room) { /* room is counted in blocks; each array grows by itself */
            a->room = blocks + 1;
            p->line = fl_grow(p->line, (size_t)a->room * 64, sizeof *p->line);
        }
        p->word = longer(p->word, blocks, p->sources);
        p->strobe = longer(p->strobe, blocks, p->watched);
        p->expect = longer(p->expect, blocks, p->watched);
        p->hold = longer(p->hold, blocks, 1);
    }
    uint32_t k = p->count++;
    p->line[k] = a->line;
    for (uint32_t i = 0; i < a->n->inputs; i++)
        set(p->word, p->sources, k, i, a->input[i] == GATE_HIGH);
    for (uint32_t f = 0; a->scan && f < a->n->flops; f++)
        set(p->word, p->sources, k, a->n->inputs + f, a->state[f] == GATE_HIGH);
    return 0;
}

/* The state behind the edge of the last pattern, of the netlist without a fault. */
static void follow_edge(struct gate_applied *a)
{
    const struct gate_netlist *n = a->n;
    const struct gate_patterns *p = &a->p;
    if (!a->good)
        a->good = gate_group_new(n, 64);
    uint64_t *input = fl_alloc((n->inputs / 64 + 1) * sizeof *input);
    for (uint32_t i = 0; i < n->inputs; i++)
        input[i / 64] |= (uint64_t)get(p->word, p->sources, p->count - 1, i) << i % 64;
    for (uint32_t f = 0; f < n->flops; f++)
        *gate_group_flop(a->good, f) = a->state[f] == GATE_HIGH ? UINT64_MAX : 0;
    bool hold = gate_patterns_hold(p, p->count - 1);
    gate_group_hold(a->good, hold);
    gate_group_eval(a->good, input);
    for (uint32_t f = 0; f < n->flops; f++)
        a->state[f] = *gate_group_watched(a->good, n->outputs + f) & 1 ? GATE_HIGH : GATE_LOW;
    free(input);
    a->moved = false;
    a->several_edges += !hold;
}

/* Does the vector apply what the last pattern does, without an edge between them, and observe other outputs? */
static bool same_as_last(const struct gate_applied *a)
{
    const struct gate_patterns *p = &a->p;
    uint32_t last = p->count - 1;
    if (a->pairs || a->since == 0 || !gate_patterns_hold(p, last))
        return false;
    for (uint32_t i = 0; i < a->n->inputs; i++)
        if (get(p->word, p->sources, last, i) != (a->input[i] == GATE_HIGH))
            return false;
    for (uint32_t o = 0; o < a->n->outputs; o++)
        if (a->expect[o] != GATE_UNKNOWN && get(p->strobe, p->watched, last, o))
            return false;
    return true;
}

int gate_apply(struct gate_applied *a)
{
    bool observes = a->all;
    for (uint32_t o = 0; o < a->n->outputs && !observes; o++)
        observes = a->expect[o] != GATE_UNKNOWN;
    /* without an edge, clear and preset of a mapped netlist still act */
    bool acts = a->edge || (a->n->clocks && (a->loaded || !a->scan));
    if (!observes && !acts && !a->pairs && !a->keep)
        return 0;
    if (a->scan && a->moved)
        follow_edge(a);
    if (!a->all && !a->apart && same_as_last(a)) {
        a->p.hold[(a->p.count - 1) / 64] ^= (uint64_t)a->edge << (a->p.count - 1) % 64;
    } else {
        /* a load lies between this vector and the last one: they are no pair */
        if (a->pairs && a->scan && a->since == 0 && append(a))
            return -1;
        if (append(a))
            return -1;
        for (uint32_t i = 0; i < a->n->inputs; i++)
            a->unknown += a->input[i] == GATE_UNKNOWN;
        set(a->p.hold, 1, a->p.count - 1, 0, !a->edge);
        a->since++;
    }
    for (uint32_t w = 0; w < a->p.watched; w++) {
        bool flop = w >= a->n->outputs;
        if (!a->all && !flop)
            strobe(a, a->p.count - 1, w, a->expect[w]);
        else if (a->all && (!flop || acts))
            set(a->p.strobe, a->p.watched, a->p.count - 1, w, true);
    }
    if (a->scan && acts) {
        a->captured = a->p.count - 1;
        a->moved = true;
    }
    return 0;
}

void gate_edge(struct gate_applied *a)
{
    if (a->p.count)
        a->p.hold[(a->p.count - 1) / 64] &= ~((uint64_t)1 << (a->p.count - 1) % 64);
}

uint32_t gate_unload(struct gate_applied *a, const uint8_t *expect)
{
    uint32_t wrong = GATE_NO_PATTERN;
    for (uint32_t f = 0; f < a->n->flops; f++) {
        if (a->captured != GATE_NO_PATTERN)
            strobe(a, a->captured, a->n->outputs + f, expect[f]);
        else if (a->loaded && expect[f] != GATE_UNKNOWN && a->state[f] != GATE_UNKNOWN &&
                 expect[f] != a->state[f] && wrong == GATE_NO_PATTERN)
            wrong = f;
    }
    return wrong;
}

void gate_load(struct gate_applied *a, const uint8_t *state)
{
    for (uint32_t f = 0; f < a->n->flops; f++) {
        a->state[f] = state[f];
        level_of(a, state[f]);
    }
    a->loaded = true;
    a->moved = false;
    a->since = 0;
    a->captured = GATE_NO_PATTERN;
}

void gate_applied_free(struct gate_applied *a)
{
    free(a->input);
    free(a->expect);
    free(a->state);
    gate_group_free(a->good);
    gate_patterns_free(&a->p);
}

struct gate_patterns gate_applied_end(struct gate_applied *a)
{
    struct gate_patterns p = a->p;
    bool held = false;
    for (uint32_t k = 0; k < p.count / 64 + (p.count % 64 > 0); k++)
        held |= p.hold[k] != 0;
    if (a->all) { /* nothing is expected */
        free(p.expect);
        p.expect = NULL;
    }
    if (a->all && !a->scan) { /* and all is observed */
        free(p.strobe);
        p.strobe = NULL;
        p.watched = 0;
    }
    if (!held || (a->scan && !a->n->clocks)) { /* its flip-flops are not observed then */
        free(p.hold);
        p.hold = NULL;
    }
    a->p = (struct gate_patterns){0};
    gate_applied_free(a);
    return p;
}

/* ---- what formats share ---------------------------------------------------------------------- */

enum gate_format gate_format_of(const char *text)
{
    const char *s = text;
    for (;;) { /* STIL may begin with remarks */
        s += strspn(s, " \t\r\n\f");
        if (s[0] == '/' && s[1] == '/') {
            s += strcspn(s, "\n");
        } else if (s[0] == '/' && s[1] == '*') {
            const char *end = strstr(s + 2, "*/");
            s = end ? end + 2 : s + strlen(s);
        } else {
            break;
        }
    }
    if (strncmp(s, "STIL", 4) == 0 && (isspace((unsigned char)s[4]) || s[4] == '{'))
        return GATE_STIL;
    return *s == '$' ? GATE_VCD : GATE_LINES;
}

int gate_time(const char *text, uint64_t *out)
{
    static const struct {
        const char *unit;
        uint64_t femtoseconds;
    } units[] = {{"fs", 1},          {"ps", 1000},          {"ns", 1000000},
                 {"us", 1000000000}, {"ms", 1000000000000}, {"s", 1000000000000000}};
    const char *end = text + strspn(text, "0123456789.");
    const char *point = memchr(text, '.', (size_t)(end - text));
    end += strspn(end, " ");
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        if (strcmp(end, units[u].unit) != 0 || *text == '.' || *text < '0' || *text > '9')
            continue;
        uint64_t whole = 0, scale = units[u].femtoseconds;
        for (const char *s = text; *s >= '0' && *s <= '9'; s++) {
            if (whole > (UINT64_MAX / scale - 9) / 10)
                return -1;
            whole = 10 * whole + (uint64_t)(*s - '0');
        }
        whole *= scale;
        for (const char *s = point ? point + 1 : ""; *s >= '0' && *s <= '9'; s++) {
            if (scale % 10 && *s != '0')
                return -1; /* finer than a femtosecond */
            scale /= 10;
            whole += scale * (uint64_t)(*s - '0');
            if (s[1] == '.')
                return -1;
        }
        *out = whole;
        return 0;
    }
    return -1;
}

/* ---- strobes --------------------------------------------------------------------------------- */

static void compare(struct gate_strobes *s, const struct gate_patterns *p, uint32_t block,
                    uint32_t watched, uint64_t value, uint64_t of)
{
    size_t at = (size_t)block * p->watched + watched;
    uint64_t strobe = p->strobe[at] & of, differs = strobe & (value ^ p->expect[at]);
    s->count += (uint64_t)__builtin_popcountll(strobe);
    if (!differs)
        return;
    uint32_t first = 64 * block + (uint32_t)__builtin_ctzll(differs);
    if (s->differ == 0 || first < s->pattern) {
        s->pattern = first;
        s->watched = watched;
        s->expected = p->expect[at] >> first % 64 & 1;
    }
    s->differ += (uint64_t)__builtin_popcountll(differs);
}

static void check_scan(const struct gate_netlist *n, const struct gate_patterns *p,
                       struct gate_strobes *s)
{
    struct gate_sim *sim = gate_sim_new(n, 64);
    uint64_t *source = fl_alloc_line(p->sources * sizeof *source);
    for (uint32_t at = 0; at < p->count; at += 64) {
        gate_patterns_block(p, at, 1, source);
        gate_sim_hold(sim, p->hold ? &p->hold[at / 64] : NULL);
        gate_sim_load(sim, source, p->count - at < 64 ? (int)(p->count - at) : 64);
        for (uint32_t w = 0; w < p->watched; w++) {
            uint32_t net = w < n->outputs
                               ? n->output[w]
                               : GATE_NET(n->literal[n->cell[n->inputs + w - n->outputs].first]);
            compare(s, p, at / 64, w, *gate_sim_value(sim, net), UINT64_MAX);
        }
    }
    gate_sim_free(sim);
    free(source);
}

static void check_cycles(const struct gate_netlist *n, const struct gate_patterns *p,
                         struct gate_strobes *s)
{
    struct gate_group *g = gate_group_new(n, 64);
    uint64_t *input = fl_alloc((n->inputs / 64 + 1) * sizeof *input);
    uint64_t *known = n->unknown ? gate_unknown_known(n, p) : NULL;
    for (uint32_t c = 0; c < p->count; c++) {
        memset(input, 0, (n->inputs / 64 + 1) * sizeof *input);
        for (uint32_t i = 0; i < n->inputs; i++)
            input[i / 64] |= (uint64_t)get(p->word, p->sources, c, i) << i % 64;
        gate_group_hold(g, gate_patterns_hold(p, c));
        gate_group_eval(g, input);
        for (uint32_t o = 0; o < n->outputs; o++) {
            uint64_t of = (uint64_t)1 << c % 64, value = *gate_group_watched(g, o);
            if (known && !(known[(size_t)(c / 64) * n->outputs + o] & of)) /* as the file has it */
                value = p->expect[(size_t)(c / 64) * p->watched + o];
            compare(s, p, c / 64, o, value, of);
        }
        gate_group_clock(g);
    }
    gate_group_free(g);
    free(input);
    free(known);
}

struct gate_strobes gate_strobes_check(const struct gate_netlist *n, const struct gate_patterns *p)
{
    struct gate_strobes s = {0};
    if (p->strobe && p->expect)
        (p->sources > n->inputs || n->flops == 0 ? check_scan : check_cycles)(n, p, &s);
    return s;
}
