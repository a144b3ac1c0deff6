/* faults.c -- fault lists: classes by union-find, ids. See faults.h. */
#include "faults.h"

#include <stdlib.h>
#include <string.h>

/* The smallest number of a class is its root, so that roots are representatives. */
static uint32_t root(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

static void join(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = root(parent, a);
    b = root(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

/* What a cell of at most GATE_TABLE_PINS computes when pin p carries v. */
static uint64_t cofactor(uint64_t table, uint32_t pins, uint32_t p, uint32_t v)
{
    uint64_t t = 0;
    for (uint32_t i = 0; i < 1u << pins; i++)
        t |= (table >> ((i & ~(1u << p)) | v << p) & 1) << i;
    return t;
}

/* Multiplexers and tables: faults of pins that leave the same function, or a constant. */
static void collapse_table(const struct gate_netlist *n, uint32_t net, uint32_t *parent)
{
    const struct gate_cell *c = &n->cell[net];
    uint64_t table = 0, left[2 * GATE_TABLE_PINS], rows = UINT64_MAX >> (64 - (1u << c->pins));
    for (uint32_t i = 0; i < 1u << c->pins; i++)
        table |= (uint64_t)gate_value_row(n, net, i) << i;
    for (uint32_t k = 0; k < 2 * c->pins; k++) {
        uint32_t fault = GATE_FAULT(n->nets + c->first, 0) + k;
        if (gate_stuck_value(n, fault) != GATE_STUCK_AT(fault)) { /* a clock: not another one's */
            left[k] = table;
            continue;
        }
        left[k] = cofactor(table, c->pins, k / 2, k & 1);
        if (left[k] == 0 || left[k] == rows)
            join(parent, fault, GATE_FAULT(net, left[k] != 0));
        for (uint32_t j = 0; j < k; j++)
            if (left[j] == left[k] && left[k] != table)
                join(parent, fault, GATE_FAULT(n->nets + c->first, 0) + j);
    }
}

static void collapse_stuck(const struct gate_netlist *n, uint32_t net, uint32_t *parent)
{
    const struct gate_cell *c = &n->cell[net];
    for (uint32_t p = 0; p < c->pins && c->kind == GATE_AND; p++) {
        uint32_t inverted = GATE_INVERTED(n->literal[c->first + p]), pin = n->nets + c->first + p;
        join(parent, GATE_FAULT(pin, inverted), GATE_FAULT(net, c->invert));
        if (c->pins == 1)
            join(parent, GATE_FAULT(pin, !inverted), GATE_FAULT(net, !c->invert));
    }
    if (c->kind == GATE_MUX || c->kind == GATE_TABLE)
        collapse_table(n, net, parent);
}

static void collapse_transition(const struct gate_netlist *n, uint32_t net, uint32_t *parent)
{
    const struct gate_cell *c = &n->cell[net];
    if (c->kind != GATE_AND || c->pins != 1)
        return;
    for (uint32_t v = 0; v < 2; v++)
        join(parent, GATE_FAULT(n->nets + c->first, v),
             GATE_FAULT(net, v ^ GATE_INVERTED(n->literal[c->first]) ^ c->invert));
}

/* Classes of listed faults by what `parent` says; the first one listed is the representative. */
static void number_classes(const struct gate_netlist *n, struct gate_faults *f, uint32_t *parent)
{
    uint32_t *number = fl_alloc(f->all * sizeof *number);
    f->class_of = fl_alloc(f->all * sizeof *f->class_of);
    f->fault = fl_alloc(f->all * sizeof *f->fault);
    memset(number, 0xff, f->all * sizeof *number);
    for (uint32_t i = 0; i < f->all; i++) {
        uint32_t r = root(parent, i);
        f->class_of[i] = UINT32_MAX;
        if (n->places && n->place_of[i] == GATE_NO_PLACE)
            continue;
        if (number[r] == UINT32_MAX) {
            number[r] = f->count;
            f->fault[f->count++] = i;
        }
        f->class_of[i] = number[r];
    }
    f->members = fl_alloc(f->count * sizeof *f->members);
    f->listed = n->places ? 2 * n->places : f->all;
    for (uint32_t i = 0; !n->places && i < f->all; i++)
        f->members[f->class_of[i]]++;
    for (uint32_t k = 0; k < n->places; k++)
        for (int v = 0; v < 2; v++)
            f->members[f->class_of[n->place[k].fault[v]]]++;
    free(number);
}

/* The pin inside of a flip-flop of a library by which it keeps its state when no clock comes: no reader of the wire. Pins inside
 * of other cells are, since all that a cell reads of a wire is a pin of it. */
static bool keeps_state(const struct gate_netlist *n, uint32_t pin)
{
    uint32_t net = GATE_NET(n->literal[pin]);
    return n->places && n->cell[net].kind == GATE_FLOP &&
           n->place_of[GATE_FAULT(net, 0)] != GATE_NO_PLACE &&
           n->place_of[GATE_FAULT(n->nets + pin, 0)] == GATE_NO_PLACE &&
           n->pin_cell[pin] == GATE_NET(n->literal[n->cell[net].first]);
}

/* Wires with one reader, which may be an output. */
static void collapse_wires(const struct gate_netlist *n, uint32_t *parent)
{
    uint32_t *readers = fl_alloc(n->nets * sizeof *readers);
    for (uint32_t p = 0; p < n->pins; p++)
        readers[GATE_NET(n->literal[p])] += !keeps_state(n, p);
    for (uint32_t o = 0; o < n->outputs; o++)
        readers[n->output[o]]++;
    for (uint32_t v = 0; v < 2; v++) {
        for (uint32_t p = 0; p < n->pins; p++)
            if (readers[GATE_NET(n->literal[p])] == 1 && !keeps_state(n, p))
                join(parent, GATE_FAULT(n->nets + p, v), GATE_FAULT(GATE_NET(n->literal[p]), v));
        for (uint32_t k = 0; k < n->ports; k++)
            if (readers[n->output[n->port[k]]] == 1)
                join(parent, GATE_FAULT(n->nets + n->pins + k, v),
                     GATE_FAULT(n->output[n->port[k]], v));
    }
    free(readers);
}

struct gate_faults *gate_faults_new(const struct gate_netlist *n, enum gate_model model)
{
    struct gate_faults *f = fl_alloc(sizeof *f);
    f->model = model;
    f->all = 2 * (n->nets + n->pins + n->ports);
    uint32_t *parent = fl_alloc(f->all * sizeof *parent);
    for (uint32_t i = 0; i < f->all; i++)
        parent[i] = i;
    collapse_wires(n, parent);
    for (uint32_t i = 0; i < n->nets; i++)
        (model == GATE_STUCK ? collapse_stuck : collapse_transition)(n, i, parent);
    number_classes(n, f, parent);
    free(parent);
    return f;
}

void gate_faults_free(struct gate_faults *f)
{
    if (!f)
        return;
    free(f->fault);
    free(f->members);
    free(f->class_of);
    free(f);
}

/* ---- ids ------------------------------------------------------------------------------------- */

static const char *const word[2][2] = {{"sa0", "sa1"}, {"str", "stf"}};

const char *gate_fault_id(const struct gate_netlist *n, enum gate_model model, uint32_t fault,
                          char out[GATE_ID_ROOM])
{
    uint32_t at, named = n->places ? n->place_of[fault] : GATE_NO_PLACE;
    enum gate_place place = gate_site(n, GATE_SITE(fault), &at);
    const char *w = word[model][GATE_STUCK_AT(fault)];
    if (named != GATE_NO_PLACE)
        snprintf(out, GATE_ID_ROOM, "%s:%s", n->place[named / 2].name, word[model][named % 2]);
    else if (place == GATE_AT_PIN)
        snprintf(out, GATE_ID_ROOM, "n%u.%u:%s", n->pin_cell[at],
                 at - n->cell[n->pin_cell[at]].first, w);
    else
        snprintf(out, GATE_ID_ROOM, "%s%u:%s", place == GATE_AT_NET ? "n" : "o", at, w);
    return out;
}

static int parse_port(const struct gate_netlist *n, const char *id, uint32_t output, int value,
                      uint32_t *fault, struct fl_err *err)
{
    if (output >= n->outputs)
        return fl_fail(err, "'%s': the netlist has outputs o0 to o%u", id, n->outputs - 1);
    if (n->port_of[output] == GATE_NO_PORT)
        return fl_fail(err,
                       "'%s': nothing else reads the net of this output, so its faults are those "
                       "of n%u; name that net",
                       id, n->output[output]);
    *fault = GATE_FAULT(n->nets + n->pins + n->port_of[output], value);
    return 0;
}

int gate_fault_parse(const struct gate_netlist *n, enum gate_model model, const char *id,
                     uint32_t *fault, struct fl_err *err)
{
    uint32_t net, pin;
    int end = 0, value = -1;
    const char *colon = strrchr(id, ':');
    for (int v = 0; v < 2 && colon && n->places; v++)
        if (strcmp(colon + 1, word[model][v]) == 0) {
            char *name = fl_format("%.*s", (int)(colon - id), id);
            uint32_t place = gate_find_place(n, name);
            free(name);
            if (place != GATE_NO_PLACE) {
                *fault = n->place[place].fault[v];
                return 0;
            }
        }
    if (n->places) /* numbers are no names there */
        return fl_fail(err,
                       "'%.200s' is no fault of the netlist; write %.200s:%s, a connected pin or "
                       "a port as gatesim faults lists them",
                       id, n->place[n->places - 1].name, word[model][0]);
    bool has_pin = sscanf(id, "n%9u.%9u:%n", &net, &pin, &end) == 2 && end;
    bool port = !has_pin && sscanf(id, "o%9u:%n", &net, &end) == 1 && end;
    if (!has_pin && !port && (sscanf(id, "n%9u:%n", &net, &end) != 1 || !end))
        end = 0;
    for (int v = 0; v < 2 && end; v++)
        if (strcmp(id + end, word[model][v]) == 0)
            value = v;
    if (value < 0)
        return fl_fail(err, "'%s' is no fault; write n12:%s, n12.1:%s or o3:%s", id, word[model][0],
                       word[model][1], word[model][0]);
    if (port)
        return parse_port(n, id, net, value, fault, err);
    if (net >= n->nets)
        return fl_fail(err, "'%s': the netlist has nets n0 to n%u", id, n->nets - 1);
    if (has_pin && pin >= n->cell[net].pins)
        return fl_fail(err, "'%s': the cell of net n%u has %u pins, the first is 0", id, net,
                       n->cell[net].pins);
    *fault = GATE_FAULT(has_pin ? n->nets + n->cell[net].first + pin : net, value);
    return 0;
}

/* ---- lists ----------------------------------------------------------------------------------- */

const char *const gate_model_name[2] = {"stuck-at", "transition"};

int gate_model_find(const char *name)
{
    for (int m = 0; m < 2; m++)
        if (strcmp(name, gate_model_name[m]) == 0)
            return m;
    return strcmp(name, "transition-delay") == 0 ? GATE_TRANSITION : -1;
}

struct gate_chains gate_chains_of(const struct gate_netlist *n, const struct gate_faults *f)
{
    uint32_t rows = n->places ? 2 * n->places : f->all;
    struct gate_chains c = {fl_alloc(f->count * sizeof *c.first), fl_alloc(rows * sizeof *c.next)};
    memset(c.first, 0xff, f->count * sizeof *c.first);
    for (uint32_t pass = 0; pass < 2; pass++) /* from the last to the first; then representatives */
        for (uint32_t i = rows; i-- > 0;) {
            uint32_t fault = n->places ? n->place[i / 2].fault[i % 2] : i, k = f->class_of[fault];
            bool head = k != UINT32_MAX && f->fault[k] == fault &&
                        (!n->places || n->place_of[fault] == i);
            if (k == UINT32_MAX || head != (pass == 1))
                continue;
            c.next[i] = c.first[k];
            c.first[k] = i;
        }
    return c;
}

void gate_chains_free(struct gate_chains *c)
{
    free(c->first);
    free(c->next);
}

const char *gate_row_name(const struct gate_netlist *n, uint32_t row, char out[GATE_ID_ROOM])
{
    if (n->places)
        return n->place[row / 2].name;
    gate_fault_id(n, GATE_STUCK, row, out);
    *strrchr(out, ':') = 0;
    return out;
}

void gate_faults_print(const struct gate_netlist *n, const struct gate_faults *f,
                       struct fl_buf *out)
{
    char name[GATE_ID_ROOM];
    struct gate_chains c = gate_chains_of(n, f);
    fl_buf_printf(out, "# netlist %s\n# model %s\n# classes %u\n", n->digest,
                  gate_model_name[f->model], f->count);
    for (uint32_t k = 0; k < f->count; k++) {
        for (uint32_t row = c.first[k]; row != UINT32_MAX; row = c.next[row])
            fl_buf_printf(out, "%s%s:%s", row == c.first[k] ? "" : " ", gate_row_name(n, row, name),
                          word[f->model][row % 2]);
        fl_buf_printf(out, "\n");
    }
    gate_chains_free(&c);
}

struct gate_faults *gate_faults_part(const struct gate_faults *f, const bool *wanted)
{
    struct gate_faults *p = fl_alloc(sizeof *p);
    uint32_t *number = fl_alloc(f->count * sizeof *number);
    p->model = f->model;
    p->all = f->all;
    p->listed = f->listed;
    p->fault = fl_alloc(f->count * sizeof *p->fault);
    p->members = fl_alloc(f->count * sizeof *p->members);
    p->class_of = fl_alloc(f->all * sizeof *p->class_of);
    for (uint32_t c = 0; c < f->count; c++) {
        number[c] = wanted[c] ? p->count : UINT32_MAX;
        if (wanted[c]) {
            p->members[p->count] = f->members[c];
            p->fault[p->count++] = f->fault[c];
        }
    }
    for (uint32_t i = 0; i < f->all; i++)
        p->class_of[i] = f->class_of[i] == UINT32_MAX ? UINT32_MAX : number[f->class_of[i]];
    free(number);
    return p;
}

struct gate_faults *gate_faults_of(const struct gate_faults *f, uint32_t fault)
{
    bool *wanted = fl_alloc(f->count * sizeof *wanted);
    if (f->class_of[fault] != UINT32_MAX)
        wanted[f->class_of[fault]] = true;
    struct gate_faults *p = gate_faults_part(f, wanted);
    free(wanted);
    return p;
}

struct list_lines {
    const struct gate_list *l;
    enum gate_model model;
    unsigned long stated; /* classes, by its remarks */
    bool states;
    unsigned long entries;
};

/* `# netlist DIGEST`, `# model NAME` and `# classes N`; other remarks say nothing. */
static int read_remark(struct list_lines *r, const char *line, struct fl_err *err)
{
    char value[80];
    unsigned long n;
    if (sscanf(line, "# netlist %79s", value) == 1)
        return r->l->netlist(r->l->of, value, err);
    if (sscanf(line, "# model %79s", value) == 1 && strcmp(value, gate_model_name[r->model]) != 0)
        return fl_fail(err, "the list is of %s faults, not of %s faults", value,
                       gate_model_name[r->model]);
    if (sscanf(line, "# classes %18lu", &n) == 1) {
        r->states = true;
        r->stated += n;
    }
    return 0;
}

static int read_line(struct list_lines *r, char *line, struct fl_err *err)
{
    char *rest = line, *id;
    bool first = true;
    if (*line == '#')
        return read_remark(r, line, err);
    line[strcspn(line, "#")] = 0;
    while ((id = strsep(&rest, " \t\r"))) {
        if (!*id)
            continue;
        if (r->l->id(r->l->of, id, first, err) != 0)
            return -1;
        r->entries += first;
        first = false;
    }
    return 0;
}

/* An id that is cut is none, but for the last one of a line. */
static int cut_short(const struct list_lines *r, const char *path, uint32_t lines, bool open,
                     struct fl_err *err)
{
    if (open)
        return fl_fail(err, "%s:%u: the last line has no end: the list is cut short", path, lines);
    if (r->states && r->entries != r->stated)
        return fl_fail(
            err,
            "%s:%u: the list ends with %lu of the %lu faults that `# classes` states: it "
            "is cut short; of a part of a list, remove that remark",
            path, lines, r->entries, r->stated);
    if (!r->states && !r->entries)
        return fl_fail(err, "%s: no fault in it; write an id a line", path);
    return 0;
}

int gate_list_read(const char *path, enum gate_model model, const struct gate_list *l,
                   struct fl_err *err)
{
    struct list_lines r = {.l = l, .model = model};
    struct fl_buf text = {0};
    struct fl_err why = {""};
    uint32_t line = 0;
    bool open = false;
    int bad = fl_read_text(path, &text, err);
    for (char *at = (char *)text.data, *end; !bad && at && *at; at = end) {
        end = at + strcspn(at, "\n");
        open = !*end;
        if (!open)
            *end++ = 0;
        line++;
        bad = read_line(&r, at, &why);
        if (bad)
            fl_fail(err, "%s:%u: %s", path, line, why.msg);
    }
    if (!bad)
        bad = cut_short(&r, path, line, open, err);
    fl_buf_free(&text);
    return bad;
}

/* Who reads a list of one netlist. */
struct reader {
    const struct gate_netlist *n;
    const struct gate_faults *f;
    bool *wanted, has_digest;
};

static int same_netlist(void *reader, const char *digest, struct fl_err *err)
{
    struct reader *r = reader;
    r->has_digest = true;
    if (strcmp(digest, r->n->digest) == 0)
        return 0;
    return fl_fail(err,
                   "the list is of the netlist %.16s..., %s is %.16s...; make the list again with "
                   "gatesim faults",
                   digest, r->n->file, r->n->digest);
}

static int want(void *reader, const char *id, bool first, struct fl_err *err)
{
    struct reader *r = reader;
    uint32_t fault;
    if (!first)
        return 0;
    if (!r->has_digest)
        return fl_fail(err, "the list does not say of which netlist it is; its first line is: # "
                            "netlist DIGEST");
    if (gate_fault_parse(r->n, r->f->model, id, &fault, err) != 0)
        return -1;
    r->wanted[r->f->class_of[fault]] = true;
    return 0;
}

int gate_faults_read(const char *path, const struct gate_netlist *n, const struct gate_faults *f,
                     struct gate_faults **out, struct fl_err *err)
{
    struct reader r = {n, f, fl_alloc(f->count * sizeof *r.wanted), false};
    int bad = gate_list_read(path, f->model, &(struct gate_list){&r, same_netlist, want}, err);
    if (!bad)
        *out = gate_faults_part(f, r.wanted);
    free(r.wanted);
    return bad;
}
