/* build.c -- names to numbers, and the checks that every netlist passes. See build.h. */
#include "build.h"

#include <stdlib.h>
#include <string.h>

#include <nettle/sha2.h>

#include "base/hash.h"

/* ---- names ----------------------------------------------------------------------------------- */

static uint32_t *find_slot(struct gate_build *b, const char *name)
{
    uint64_t at = fl_hash_bytes(FL_HASH_START, name, strlen(name));
    for (at ^= at >> 32;; at++) {
        uint32_t *s = &b->slot[at & (b->slots - 1)];
        if (!*s || strcmp(b->name[*s - 1], name) == 0)
            return s;
    }
}

static void grow_slots(struct gate_build *b)
{
    b->slots = b->slots ? 2 * b->slots : 256;
    free(b->slot);
    b->slot = fl_alloc(b->slots * sizeof *b->slot);
    for (uint32_t i = 0; i < b->names; i++)
        *find_slot(b, b->name[i]) = i + 1;
}

uint32_t gate_build_name(struct gate_build *b, const char *name, uint32_t line)
{
    if (2 * b->names >= b->slots)
        grow_slots(b);
    uint32_t *s = find_slot(b, name);
    if (!*s)
        *s = gate_build_net(b, name, line) + 1;
    return *s - 1;
}

uint32_t gate_build_net(struct gate_build *b, const char *name, uint32_t line)
{
    if (b->names >= b->room_names) {
        b->room_names = b->room_names ? 2 * b->room_names : 256;
        b->name = fl_grow(b->name, b->room_names, sizeof *b->name);
        b->line = fl_grow(b->line, b->room_names, sizeof *b->line);
    }
    b->name[b->names] = fl_strdup(name);
    b->line[b->names] = line;
    return b->names++;
}

uint32_t gate_build_mark(struct gate_build *b, struct gate_mark mark)
{
    FL_ROOM(b->mark, b->marks, b->room_marks, 256);
    b->mark[b->marks++] = mark;
    return b->marks;
}

/* ---- cells ----------------------------------------------------------------------------------- */

void gate_build_pin_at(struct gate_build *b, uint32_t literal, uint32_t tag)
{
    if (b->pins >= b->room_pins) {
        b->room_pins = b->room_pins ? 2 * b->room_pins : 1024;
        b->pin = fl_grow(b->pin, b->room_pins, sizeof *b->pin);
        b->tag = fl_grow(b->tag, b->room_pins, sizeof *b->tag);
    }
    b->pin[b->pins] = literal;
    b->tag[b->pins++] = tag;
}

void gate_build_pin(struct gate_build *b, uint32_t literal)
{
    gate_build_pin_at(b, literal, 0);
}

/* NULL when there are none, as there may be no array either. */
static uint32_t *last_pins(struct gate_build *b, uint32_t pins)
{
    return pins ? &b->pin[b->pins - pins] : NULL;
}

static uint32_t *last_tags(struct gate_build *b, uint32_t pins)
{
    return pins ? &b->tag[b->pins - pins] : NULL;
}

static void swap_two(uint32_t *two)
{
    uint32_t first = two[0];
    two[0] = two[1];
    two[1] = first;
}

static enum gate_code code_of(const struct gate_cell *c, uint32_t *pin, uint32_t *tag)
{
    uint32_t inverted = 0;
    for (uint32_t p = 0; p < c->pins; p++)
        inverted += GATE_INVERTED(pin[p]);
    switch (c->kind) {
    case GATE_INPUT:
    case GATE_FLOP: return GATE_DO_SOURCE;
    case GATE_CONST: return GATE_DO_CONST;
    case GATE_AND:
        if (c->pins == 1 && !inverted)
            return c->invert ? GATE_DO_NOT : GATE_DO_BUF;
        if (c->pins != 2)
            return GATE_DO_OTHER;
        if (inverted == 1 && GATE_INVERTED(pin[0])) { /* the inverted one is pin 1 */
            swap_two(pin);
            swap_two(tag);
        }
        return inverted == 0   ? (c->invert ? GATE_DO_NAND : GATE_DO_AND)
               : inverted == 1 ? (c->invert ? GATE_DO_NANDN : GATE_DO_ANDN)
                               : (c->invert ? GATE_DO_OR : GATE_DO_NOR);
    case GATE_XOR: return c->pins != 2 ? GATE_DO_OTHER : c->invert ? GATE_DO_XNOR : GATE_DO_XOR;
    case GATE_MUX: return inverted || c->invert ? GATE_DO_OTHER : GATE_DO_MUX;
    default: return GATE_DO_OTHER;
    }
}

void gate_build_cell(struct gate_build *b, struct gate_cell cell, uint32_t name)
{
    cell.code = (uint8_t)code_of(&cell, last_pins(b, cell.pins), last_tags(b, cell.pins));
    FL_ROOM(b->raw, b->raws, b->room_raws, 256);
    b->raw[b->raws++] = (struct gate_raw){cell, name, b->pins - cell.pins, 0};
}

void gate_build_output(struct gate_build *b, uint32_t name)
{
    if (b->outputs >= b->room_outputs) {
        b->room_outputs = b->room_outputs ? 2 * b->room_outputs : 64;
        b->output = fl_grow(b->output, b->room_outputs, sizeof *b->output);
        b->output_tag = fl_grow(b->output_tag, b->room_outputs, sizeof *b->output_tag);
    }
    b->output_tag[b->outputs] = 0;
    b->output[b->outputs++] = name;
}

void gate_build_tag_cell(struct gate_build *b, uint32_t tag)
{
    b->raw[b->raws - 1].tag = tag;
}

void gate_build_tag_output(struct gate_build *b, uint32_t tag)
{
    b->output_tag[b->outputs - 1] = tag;
}

static uint64_t table_mask(uint32_t pins)
{
    return pins == GATE_TABLE_PINS ? UINT64_MAX : ((uint64_t)1 << (1u << pins)) - 1;
}

static uint64_t parity_table(uint32_t pins)
{
    uint64_t t = 0;
    for (uint32_t i = 0; i < 1u << pins; i++)
        t |= (uint64_t)(__builtin_popcount(i) & 1) << i;
    return t;
}

/* The pins, select first, for which a table of three is a multiplexer: select may be inverted,
 * and so may the values. */
static bool as_mux(uint64_t table, uint32_t order[3], uint32_t inverted[3])
{
    for (uint32_t s = 0; s < 3; s++) {
        uint32_t p = s == 0, q = s == 2 ? 1 : 2;
        for (uint32_t k = 0; k < 8; k++) { /* bit 0: which pin for 0; the others: inverted values */
            uint32_t a = k & 1 ? q : p, c = k & 1 ? p : q, same = 0;
            for (uint32_t i = 0; i < 8; i++) {
                uint32_t v = i >> s & 1 ? (i >> c ^ k >> 2) & 1 : (i >> a ^ k >> 1) & 1;
                same += v == (table >> i & 1);
            }
            if (same == 8) {
                memcpy(order, (uint32_t[]){s, a, c}, 3 * sizeof *order);
                memcpy(inverted, (uint32_t[]){0, k >> 1 & 1, k >> 2 & 1}, 3 * sizeof *inverted);
                return true;
            }
        }
    }
    return false;
}

void gate_build_table(struct gate_build *b, uint64_t table, uint32_t pins, uint32_t name,
                      uint32_t line)
{
    struct gate_cell c = {.kind = GATE_TABLE, .pins = pins, .line = line, .table = table};
    uint32_t *pin = last_pins(b, pins), *tag = last_tags(b, pins), order[3], inverted[3];
    uint64_t full = table_mask(pins), other = ~table & full;
    if (pins == 0) {
        c.kind = GATE_CONST;
    } else if (__builtin_popcountll(table) == 1 || __builtin_popcountll(other) == 1) {
        c.kind = GATE_AND; /* of the one row: 1 there alone, or 0 there alone */
        c.invert = __builtin_popcountll(table) != 1;
        uint32_t row = (uint32_t)__builtin_ctzll(c.invert ? other : table);
        for (uint32_t p = 0; p < pins; p++)
            pin[p] ^= ~row >> p & 1;
        if (pins == 1 && GATE_INVERTED(pin[0])) { /* one form of NOT */
            pin[0] ^= 1;
            c.invert = !c.invert;
        }
    } else if (table == parity_table(pins) || other == parity_table(pins)) {
        c.kind = GATE_XOR;
        c.invert = other == parity_table(pins);
    } else if (pins == 3 && as_mux(table, order, inverted)) {
        uint32_t old[3] = {pin[0], pin[1], pin[2]}, named[3] = {tag[0], tag[1], tag[2]};
        c.kind = GATE_MUX;
        for (int p = 0; p < 3; p++) {
            pin[p] = old[order[p]] ^ inverted[p];
            tag[p] = named[order[p]];
        }
    }
    if (c.kind != GATE_TABLE && c.kind != GATE_CONST)
        c.table = 0;
    gate_build_cell(b, c, name);
}

/* ---- checks, levels, numbers ----------------------------------------------------------------- */

enum { NONE = -1 };

struct work {
    int64_t *driver;  /* [names] the raw cell that drives a net, or NONE */
    uint32_t *number; /* [raws] the net's number */
    uint32_t *order;  /* [raws] raw cells by number */
};

/* Constants that nobody reads, of which yosys writes three into each file, are no part of it; nor
 * is the clock, which has no name from here on. */
static void drop_unread(struct gate_build *b)
{
    bool *read = fl_alloc(b->names * sizeof *read);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < b->pins; i++)
        read[GATE_NET(b->pin[i])] = true;
    for (uint32_t i = 0; i < b->outputs; i++)
        read[b->output[i]] = true;
    for (uint32_t i = 0; i < b->raws; i++) {
        const struct gate_raw *r = &b->raw[i];
        bool clock = b->clock && strcmp(b->name[r->name], b->clock) == 0;
        if (read[r->name] || r->tag || (r->cell.kind != GATE_CONST && !clock))
            b->raw[kept++] = *r;
    }
    b->raws = kept;
    for (uint32_t i = 0; i < b->names; i++)
        if (!read[i])
            b->line[i] = 0;
    free(read);
}

static int find_drivers(const struct gate_build *b, struct work *w, struct fl_err *err)
{
    for (uint32_t i = 0; i < b->names; i++)
        w->driver[i] = NONE;
    for (uint32_t i = 0; i < b->raws; i++) {
        const struct gate_raw *r = &b->raw[i];
        int64_t other = w->driver[r->name];
        if (other != NONE)
            return fl_fail(err,
                           "%s:%u: net '%s' has a driver already, in line %u; leave one of them "
                           "out",
                           b->path, r->cell.line, b->name[r->name], b->raw[other].cell.line);
        w->driver[r->name] = i;
    }
    for (uint32_t i = 0; i < b->names; i++)
        if (w->driver[i] == NONE && b->line[i])
            return fl_fail(err,
                           "%s:%u: nothing drives net '%s'; make it an input, or add the cell "
                           "that drives it",
                           b->path, b->line[i], b->name[i]);
    return 0;
}

static bool is_source(const struct gate_raw *r)
{
    return r->cell.kind == GATE_INPUT || r->cell.kind == GATE_FLOP || r->cell.pins == 0;
}

/* A cell that never got a level lies on a loop, or behind one: walk back until one comes again. */
static int refuse_loop(const struct gate_build *b, const struct work *w, const uint32_t *missing,
                       uint32_t at, struct fl_err *err)
{
    struct fl_buf path = {0};
    uint8_t *seen = fl_alloc(b->raws);
    for (int round = 0; round < 2; round++) { /* first into the loop, then once around it */
        uint32_t start = at, steps = 0;
        do {
            seen[at] = 1;
            if (round == 1 && steps < 8)
                fl_buf_printf(&path, "%s'%s'", steps ? ", " : "", b->name[b->raw[at].name]);
            for (uint32_t p = 0; p < b->raw[at].cell.pins; p++) {
                uint32_t from = (uint32_t)w->driver[GATE_NET(b->pin[b->raw[at].first + p])];
                if (missing[from] && !is_source(&b->raw[from])) {
                    at = from;
                    break;
                }
            }
            steps++;
        } while (round == 0 ? !seen[at] : at != start);
        if (round == 1 && steps > 8)
            fl_buf_printf(&path, " and %u more", steps - 8);
    }
    fl_fail(err,
            "%s:%u: a loop without a flip-flop: %s; simulation needs gates in an order, so "
            "break it with a flip-flop or an input",
            b->path, b->raw[at].cell.line, (const char *)path.data);
    fl_buf_free(&path);
    free(seen);
    return -1;
}

/* Levels into the raw cells, Kahn's way: a cell is ready when all nets it reads are. */
static int levelize(struct gate_build *b, const struct work *w, struct fl_err *err)
{
    uint32_t *missing = fl_alloc(b->raws * sizeof *missing);
    uint32_t *start = fl_alloc((b->raws + 1) * sizeof *start);
    uint32_t *reader = fl_alloc(b->pins * sizeof *reader);
    uint32_t *queue = fl_alloc(b->raws * sizeof *queue), head = 0, tail = 0;
    int bad = 0;
    for (int pass = 0; pass < 2; pass++) { /* count readers, then list them */
        for (uint32_t i = 0; i < b->raws; i++)
            for (uint32_t p = 0; !is_source(&b->raw[i]) && p < b->raw[i].cell.pins; p++) {
                uint32_t from = (uint32_t)w->driver[GATE_NET(b->pin[b->raw[i].first + p])];
                if (pass == 0)
                    start[from + 1]++;
                else
                    reader[start[from] + missing[from]++] = i;
            }
        for (uint32_t i = 0; pass == 0 && i < b->raws; i++)
            start[i + 1] += start[i];
    }
    for (uint32_t i = 0; i < b->raws; i++) {
        missing[i] = is_source(&b->raw[i]) ? 0 : b->raw[i].cell.pins;
        b->raw[i].cell.level = 0;
        if (!missing[i])
            queue[tail++] = i;
    }
    for (; head < tail; head++) {
        uint32_t i = queue[head];
        for (uint32_t k = start[i]; k < start[i + 1]; k++) {
            struct gate_cell *c = &b->raw[reader[k]].cell;
            if (c->level <= b->raw[i].cell.level)
                c->level = b->raw[i].cell.level + 1;
            if (--missing[reader[k]] == 0)
                queue[tail++] = reader[k];
        }
    }
    for (uint32_t i = 0; i < b->raws && !bad; i++)
        if (missing[i])
            bad = refuse_loop(b, w, missing, i, err);
    free(missing);
    free(start);
    free(reader);
    free(queue);
    return bad;
}

/* Inputs, flip-flops, then by level and code; within these the order of the file. A counting sort. */
static uint32_t bucket(const struct gate_raw *r)
{
    return r->cell.kind == GATE_INPUT  ? 0
           : r->cell.kind == GATE_FLOP ? 1
                                       : 2 + r->cell.level * GATE_CODES + r->cell.code;
}

static void number(const struct gate_build *b, struct work *w)
{
    uint32_t buckets = 2;
    for (uint32_t i = 0; i < b->raws; i++)
        buckets = bucket(&b->raw[i]) >= buckets ? bucket(&b->raw[i]) + 1 : buckets;
    uint32_t *at = fl_alloc((buckets + 1) * sizeof *at);
    for (uint32_t i = 0; i < b->raws; i++)
        at[bucket(&b->raw[i]) + 1]++;
    for (uint32_t k = 0; k < buckets; k++)
        at[k + 1] += at[k];
    for (uint32_t i = 0; i < b->raws; i++) {
        w->number[i] = at[bucket(&b->raw[i])]++;
        w->order[w->number[i]] = i;
    }
    free(at);
}

static void put(struct sha256_ctx *sha, uint64_t v)
{
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(v >> 8 * i);
    sha256_update(sha, sizeof bytes, bytes);
}

static void put_text(struct sha256_ctx *sha, const char *text)
{
    put(sha, strlen(text));
    sha256_update(sha, strlen(text), (const uint8_t *)text);
}

/* Names of ports count, since they say what an input means; names of nets inside do not. */
static void digest(struct gate_netlist *n)
{
    struct sha256_ctx sha;
    uint8_t bytes[SHA256_DIGEST_SIZE];
    sha256_init(&sha);
    put(&sha, n->inputs);
    put(&sha, n->flops);
    put(&sha, n->nets);
    put(&sha, n->outputs);
    for (uint32_t i = 0; i < n->inputs; i++)
        put_text(&sha, n->name[i]);
    for (uint32_t i = 0; i < n->nets; i++) {
        const struct gate_cell *c = &n->cell[i];
        put(&sha, (uint64_t)c->kind << 1 | c->invert);
        put(&sha, c->table);
        put(&sha, c->pins);
        for (uint32_t p = 0; p < c->pins; p++)
            put(&sha, n->literal[c->first + p]);
    }
    for (uint32_t i = 0; i < n->outputs; i++) {
        put(&sha, n->output[i]);
        put_text(&sha, n->output_name[i]);
    }
    sha256_digest(&sha, sizeof bytes, bytes);
    fl_hex(bytes, sizeof bytes, n->digest);
}

/* Outputs that are a branch of their net: it has another reader, or is another output too. */
static void find_ports(struct gate_netlist *n)
{
    uint32_t *readers = fl_alloc(n->nets * sizeof *readers);
    for (uint32_t p = 0; p < n->pins; p++)
        readers[GATE_NET(n->literal[p])]++;
    for (uint32_t o = 0; o < n->outputs; o++)
        readers[n->output[o]]++;
    n->port = fl_alloc(n->outputs * sizeof *n->port);
    n->port_of = fl_alloc(n->outputs * sizeof *n->port_of);
    for (uint32_t o = 0; o < n->outputs; o++) {
        bool branch = readers[n->output[o]] > 1;
        n->port_of[o] = branch ? n->ports : GATE_NO_PORT;
        if (branch)
            n->port[n->ports++] = o;
    }
    free(readers);
}

/* The place with that tag is this site. */
static void name_site(struct gate_netlist *n, const struct gate_build *b, uint32_t tag,
                      uint32_t site)
{
    if (!tag)
        return;
    const struct gate_mark *m = &b->mark[tag - 1];
    struct gate_place_name *p = &n->place[tag - 1];
    for (uint32_t v = 0; v < 2; v++)
        p->fault[v] = 2 * site + (v ^ m->inverted);
    if (m->clock)
        n->stops[site] = 1;
}

static uint32_t *find_place(const struct gate_netlist *n, const char *name)
{
    uint64_t at = fl_hash_bytes(FL_HASH_START, name, strlen(name));
    for (at ^= at >> 32;; at++) {
        uint32_t *s = &n->place_slot[at & (n->place_slots - 1)];
        if (!*s || strcmp(n->place[*s - 1].name, name) == 0)
            return s;
    }
}

uint32_t gate_find_place(const struct gate_netlist *n, const char *name)
{
    return n->places ? *find_place(n, name) - 1 : GATE_NO_PLACE; /* 0 - 1 is GATE_NO_PLACE */
}

/* Of a netlist of library cells: where each name is. */
static int name_places(struct gate_netlist *n, struct gate_build *b, const struct work *w,
                       struct fl_err *err)
{
    uint32_t sites = n->nets + n->pins + n->ports, pin = n->nets;
    n->clock = b->of_clock;
    n->clocks = b->clocks;
    n->instances = b->instances;
    n->unknown = b->unknown;
    b->of_clock = NULL;
    if (!b->marks)
        return 0;
    n->places = b->marks;
    n->place = fl_alloc(n->places * sizeof *n->place);
    n->stops = fl_alloc(sites);
    for (uint32_t k = 0; k < n->places; k++) {
        n->place[k] = (struct gate_place_name){
            b->mark[k].name, b->mark[k].port, b->mark[k].clock, {GATE_NO_PLACE, GATE_NO_PLACE}};
        b->mark[k].name = NULL;
    }
    for (uint32_t i = 0; i < n->nets; i++) {
        const struct gate_raw *r = &b->raw[w->order[i]];
        name_site(n, b, r->tag, i);
        for (uint32_t p = 0; p < r->cell.pins; p++)
            name_site(n, b, b->tag[r->first + p], pin++);
    }
    for (uint32_t o = 0; o < n->outputs; o++)
        name_site(n, b, b->output_tag[o],
                  n->port_of[o] == GATE_NO_PORT ? n->output[o] : n->nets + n->pins + n->port_of[o]);
    n->place_of = fl_alloc(2 * sites * sizeof *n->place_of);
    memset(n->place_of, 0xff, 2 * sites * sizeof *n->place_of);
    for (uint32_t k = n->places; k-- > 0;) /* the first of several: ports come first */
        for (uint32_t v = 0; v < 2; v++)
            n->place_of[n->place[k].fault[v]] = 2 * k + v;
    for (n->place_slots = 256; n->place_slots < 2 * n->places;)
        n->place_slots *= 2;
    n->place_slot = fl_alloc(n->place_slots * sizeof *n->place_slot);
    for (uint32_t k = 0; k < n->places; k++) {
        uint32_t *s = find_place(n, n->place[k].name);
        if (*s)
            return fl_fail(err, "%s: two places are called %.200s; rename one of them", b->path,
                           n->place[k].name);
        *s = k + 1;
    }
    return 0;
}

static struct gate_netlist *assemble(const struct gate_build *b, const struct work *w)
{
    struct gate_netlist *n = fl_alloc(sizeof *n);
    n->file = fl_strdup(b->path);
    n->model = fl_strdup(b->model ? b->model : "");
    n->nets = b->raws;
    n->outputs = b->outputs;
    n->cell = fl_alloc(n->nets * sizeof *n->cell);
    n->name = fl_alloc(n->nets * sizeof *n->name);
    n->literal = fl_alloc(b->pins * sizeof *n->literal);
    n->pin_cell = fl_alloc(b->pins * sizeof *n->pin_cell);
    n->output = fl_alloc(n->outputs * sizeof *n->output);
    n->output_name = fl_alloc(n->outputs * sizeof *n->output_name);
    for (uint32_t i = 0; i < n->nets; i++) {
        const struct gate_raw *r = &b->raw[w->order[i]];
        struct gate_cell *c = &n->cell[i];
        *c = r->cell;
        c->first = n->pins;
        n->inputs += c->kind == GATE_INPUT;
        n->flops += c->kind == GATE_FLOP;
        n->depth = c->level > n->depth ? c->level : n->depth;
        n->most_pins = c->pins > n->most_pins ? c->pins : n->most_pins;
        n->name[i] = fl_strdup(b->name[r->name]);
        for (uint32_t p = 0; p < c->pins; p++) {
            uint32_t literal = b->pin[r->first + p];
            n->pin_cell[n->pins] = i;
            n->literal[n->pins++] = GATE_LITERAL(w->number[w->driver[GATE_NET(literal)]],
                                                 GATE_INVERTED(literal));
        }
    }
    for (uint32_t i = 0; i < n->outputs; i++) {
        n->output[i] = w->number[w->driver[b->output[i]]];
        uint32_t tag = b->output_tag[i];
        n->output_name[i] = fl_strdup(tag ? b->mark[tag - 1].name : b->name[b->output[i]]);
    }
    find_ports(n);
    digest(n);
    return n;
}

int gate_build_end(struct gate_build *b, struct gate_netlist **out, struct fl_err *err)
{
    drop_unread(b);
    struct work w = {fl_alloc(b->names * sizeof *w.driver), fl_alloc(b->raws * sizeof *w.number),
                     fl_alloc(b->raws * sizeof *w.order)};
    int bad = find_drivers(b, &w, err) || levelize(b, &w, err) ? -1 : 0;
    if (!bad && b->outputs == 0)
        bad = fl_fail(err, "%s: no outputs, so no fault can be detected; declare at least one",
                      b->path);
    if (!bad) {
        number(b, &w);
        struct gate_netlist *n = assemble(b, &w);
        bad = name_places(n, b, &w, err);
        if (bad)
            gate_netlist_free(n);
        else
            *out = n;
    }
    free(w.driver);
    free(w.number);
    free(w.order);
    return bad;
}

void gate_build_free(struct gate_build *b)
{
    for (uint32_t i = 0; i < b->names; i++)
        free(b->name[i]);
    free(b->name);
    free(b->line);
    free(b->slot);
    for (uint32_t i = 0; i < b->marks; i++)
        free(b->mark[i].name);
    for (uint32_t i = 0; b->of_clock && i < b->clocks; i++)
        free(b->of_clock[i].name);
    free(b->of_clock);
    free(b->mark);
    free(b->raw);
    free(b->pin);
    free(b->tag);
    free(b->output);
    free(b->output_tag);
    free(b->model);
    free(b->clock);
    *b = (struct gate_build){0};
}
