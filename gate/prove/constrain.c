/* constrain.c -- reads relations of inputs by recursive descent. See constrain.h. */
#include "constrain.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct gate_constraints *c;
    const struct gate_netlist *n;
    const char *path, *at, *end;
    uint32_t line, depth;
    struct fl_err *err;
    bool bad;
};

enum { DEEPEST = 200 };

static uint32_t wrong(struct reader *r, const char *what, const char *name)
{
    if (!r->bad)
        fl_fail(r->err, "%s:%u: %s%s%s%s", r->path, r->line, name ? "'" : "", name ? name : "",
                name ? "': " : "", what);
    r->bad = true;
    r->at = r->end;
    return 0;
}

static uint32_t node(struct reader *r, int kind, uint32_t a, uint32_t b)
{
    FL_ROOM(r->c->node, r->c->nodes, r->c->room, 64);
    struct gate_relation *n = &r->c->node[r->c->nodes];
    n->kind = kind;
    n->a = a;
    n->b = b;
    return r->c->nodes++;
}

static uint32_t not_of(struct reader *r, uint32_t a)
{
    return node(r, GATE_REL_NOT, a, 0);
}

static void blanks(struct reader *r)
{
    while (r->at < r->end && isspace((unsigned char)*r->at))
        r->at++;
}

static bool sign(struct reader *r, const char *text)
{
    size_t n = strlen(text);
    blanks(r);
    if ((size_t)(r->end - r->at) < n || memcmp(r->at, text, n) != 0)
        return false;
    r->at += n;
    return true;
}

/* The node of an output: of the netlist at hand, or of one that it is joined with. */
static uint32_t find_inner(struct reader *r, const char *name)
{
    uint32_t net = UINT32_MAX;
    if (r->c->join)
        net = gate_join_output(r->c->join, name);
    for (uint32_t o = 0; !r->c->join && o < r->n->outputs; o++)
        if (strcmp(r->n->output_name[o], name) == 0)
            net = r->n->output[o];
    if (net == UINT32_MAX)
        return net;
    r->c->inner = true;
    return node(r, GATE_REL_NET, net, 0);
}

/* The node of an input, a flip-flop or an output, or of a pin of a netlist that is used: UNIT.NAME. */
static uint32_t find_source(struct reader *r, const char *name)
{
    for (uint32_t i = 0; i < r->n->inputs + r->n->flops; i++)
        if (strcmp(r->n->name[i], name) == 0)
            return node(r, GATE_REL_NET, i, 0);
    for (uint32_t u = 0; u < r->c->uses; u++) {
        const struct gate_used *used = &r->c->used[u];
        size_t n = strlen(used->name);
        if (strncmp(name, used->name, n) != 0 || name[n] != '.')
            continue;
        for (uint32_t i = 0; i < used->n->outputs; i++)
            if (strcmp(used->n->output_name[i], name + n + 1) == 0)
                return used->node[used->n->output[i]];
        for (uint32_t i = 0; i < used->n->inputs; i++)
            if (strcmp(used->n->name[i], name + n + 1) == 0)
                return used->node[i];
    }
    return find_inner(r, name);
}

static bool number(struct reader *r, uint64_t *out)
{
    char *end;
    blanks(r);
    char second = r->end - r->at > 2 && r->at[0] == '0' ? r->at[1] : 0;
    int base = second == 'b' ? 2 : second == 'x' ? 16 : 10;
    if (r->at >= r->end || !isdigit((unsigned char)*r->at))
        return false;
    const char *digits = r->at + (base == 10 ? 0 : 2);
    *out = strtoull(digits, &end, base);
    r->at = end;
    return isxdigit((unsigned char)*digits) && end > digits && end <= r->end;
}

/* A row of nodes, the lowest bit first. */
enum { WIDEST = 1024 };
struct row {
    uint32_t node[WIDEST], bits;
};

/* The row is in [from, to]: bit by bit from the top, as long as it equals a border. */
static uint32_t within(struct reader *r, const struct row *row, uint64_t from, uint64_t to)
{
    uint32_t low = node(r, GATE_REL_CONST, 1, 0),
             high = low; /* of the bits below: >= from, <= to */
    if (row->bits > 64)
        return wrong(r, "a row that is compared with a number has 64 bits at most", NULL);
    for (uint32_t i = 0; i < row->bits; i++) {
        uint32_t bit = row->node[i];
        low = node(r, from >> i & 1 ? GATE_REL_AND : GATE_REL_OR, bit, low);
        high = node(r, to >> i & 1 ? GATE_REL_OR : GATE_REL_AND, not_of(r, bit), high);
    }
    return node(r, GATE_REL_AND, low, high);
}

static uint32_t number_in(struct reader *r, const struct row *row, uint64_t *v)
{
    if (!number(r, v))
        return wrong(r, "a number is missing", NULL);
    if (row->bits < 64 && *v >> row->bits)
        return wrong(r, "the number has more bits than the row", NULL);
    return 1;
}

/* A name up to what cannot stand in one; whether there is any. */
static bool word(struct reader *r, char *name, size_t room)
{
    size_t n = 0;
    while (r->at + n < r->end && n < room - 1 && !strchr(" \t\r()!&^|=,{}", r->at[n]) &&
           !(r->at[n] == '-' && r->at[n + 1] == '>'))
        n++;
    memcpy(name, r->at, n);
    name[n] = 0;
    r->at += n;
    return n > 0;
}

/* Whether the name is NAME[high:low]; then its bits, or something is wrong. */
static bool row_of(struct reader *r, const char *name, struct row *row)
{
    char bit[300];
    unsigned high, low;
    int used = 0;
    const char *bracket = strrchr(name, '[');
    if (!bracket || sscanf(bracket, "[%4u:%4u]%n", &high, &low, &used) != 2 || !used)
        return false;
    row->bits = 0;
    if (high < low || high - low >= WIDEST)
        wrong(r, "a row of bits goes from the highest to the lowest, 1024 at most", name);
    for (unsigned i = low; i <= high && !r->bad; i++) {
        snprintf(bit, sizeof bit, "%.*s[%u]", (int)(bracket - name), name, i);
        row->node[row->bits] = find_source(r, bit);
        if (row->node[row->bits++] == UINT32_MAX)
            wrong(r, "no input, flip-flop or output has this name", bit);
    }
    return true;
}

/* The row has the bits of another, which is read here. */
static uint32_t same(struct reader *r, const struct row *row, const char *name)
{
    char text[256];
    struct row other;
    if (!word(r, text, sizeof text) || !row_of(r, text, &other))
        return wrong(r, "a row is compared with a number or with another row", name);
    if (!r->bad && other.bits != row->bits)
        return wrong(r, "these rows differ in width", name);
    uint32_t all = node(r, GATE_REL_CONST, 1, 0);
    for (uint32_t i = 0; i < row->bits && !r->bad; i++)
        all = node(r, GATE_REL_AND, all,
                   not_of(r, node(r, GATE_REL_XOR, row->node[i], other.node[i])));
    return all;
}

static uint32_t compare(struct reader *r, const struct row *row, const char *name)
{
    uint64_t from, to;
    bool is_set = sign(r, "in"), other = !is_set && sign(r, "!=");
    uint32_t all;
    if (!is_set) {
        if (!other && !sign(r, "="))
            return wrong(r, "a row of bits is followed by =, != or in {...}", name);
        blanks(r);
        if (r->at < r->end && !isdigit((unsigned char)*r->at))
            all = same(r, row, name);
        else if (number_in(r, row, &from))
            all = within(r, row, from, from);
        else
            return 0;
        return other ? not_of(r, all) : all;
    }
    if (!sign(r, "{"))
        return wrong(r, "a set is written {1, 4..7}", name);
    all = node(r, GATE_REL_CONST, 0, 0);
    do {
        if (!number_in(r, row, &from))
            return 0;
        to = from;
        if (sign(r, "..") && !number_in(r, row, &to))
            return 0;
        if (to < from)
            return wrong(r, "the range ends before it begins", name);
        all = node(r, GATE_REL_OR, all, within(r, row, from, to));
    } while (sign(r, ","));
    return sign(r, "}") ? all : wrong(r, "the set lacks its }", name);
}

/* NAME, or NAME[high:low] compared. */
static uint32_t named(struct reader *r)
{
    char name[256];
    struct row row = {.bits = 0};
    if (!word(r, name, sizeof name))
        return wrong(r, "a name, a number or ( is missing here", NULL);
    if (row_of(r, name, &row))
        return r->bad ? 0 : compare(r, &row, name);
    uint32_t v = find_source(r, name);
    return v == UINT32_MAX ? wrong(r, "no input, flip-flop or output has this name", name) : v;
}

static uint32_t implied(struct reader *r);

static uint32_t primary(struct reader *r)
{
    uint32_t v;
    if (++r->depth > DEEPEST)
        return wrong(r, "too many parentheses and ! inside each other", NULL);
    if (sign(r, "!")) {
        v = not_of(r, primary(r));
    } else if (sign(r, "(")) {
        v = implied(r);
        if (!r->bad && !sign(r, ")"))
            wrong(r, "a ) is missing", NULL);
    } else {
        blanks(r);
        bool constant = r->at < r->end && (*r->at == '0' || *r->at == '1') &&
                        (r->at + 1 == r->end || !isalnum((unsigned char)r->at[1]));
        v = constant ? node(r, GATE_REL_CONST, *r->at++ == '1', 0) : named(r);
    }
    r->depth--;
    return v;
}

static uint32_t and_of(struct reader *r)
{
    uint32_t v = primary(r);
    while (!r->bad && sign(r, "&"))
        v = node(r, GATE_REL_AND, v, primary(r));
    return v;
}

static uint32_t xor_of(struct reader *r)
{
    uint32_t v = and_of(r);
    while (!r->bad && sign(r, "^"))
        v = node(r, GATE_REL_XOR, v, and_of(r));
    return v;
}

static uint32_t or_of(struct reader *r)
{
    uint32_t v = xor_of(r);
    while (!r->bad && sign(r, "|"))
        v = node(r, GATE_REL_OR, v, xor_of(r));
    return v;
}

static uint32_t equal(struct reader *r)
{
    uint32_t v = or_of(r);
    for (;;) {
        bool other = !r->bad && sign(r, "!=");
        if (r->bad || (!other && !sign(r, "=")))
            return v;
        v = node(r, GATE_REL_XOR, v, or_of(r));
        v = other ? v : not_of(r, v);
    }
}

/* a -> b -> c is a -> (b -> c). */
static uint32_t implied(struct reader *r)
{
    uint32_t v = equal(r);
    if (++r->depth > DEEPEST)
        return wrong(r, "too many -> in one line", NULL);
    if (!r->bad && sign(r, "->"))
        v = node(r, GATE_REL_OR, not_of(r, v), implied(r));
    r->depth--;
    return v;
}

/* The output called so, or UINT32_MAX. */
static uint32_t find_output(const struct reader *r, const char *name)
{
    for (uint32_t i = 0; i < r->n->outputs; i++)
        if (strcmp(r->n->output_name[i], name) == 0)
            return i;
    return UINT32_MAX;
}

/* watch NAME when RELATION, or watch NAME[high:low] when RELATION: behind the first word. */
static void watch(struct reader *r)
{
    char name[256], bit[300];
    unsigned high = 0, low = 0;
    int used = 0;
    blanks(r);
    size_t n = 0;
    while (r->at + n < r->end && n < sizeof name - 1 && !isspace((unsigned char)r->at[n]))
        n++;
    memcpy(name, r->at, n);
    name[n] = 0;
    r->at += n;
    char *bracket = strrchr(name, '[');
    bool row = bracket && sscanf(bracket, "[%4u:%4u]%n", &high, &low, &used) == 2 && used;
    if (!row) /* NAME[3] is one bit, of which the first number has been read */
        high = low = 0;
    if (high < low) {
        wrong(r, "a row of bits goes from the highest to the lowest", name);
        return;
    }
    if (!sign(r, "when")) {
        wrong(r, "a line is written watch OUTPUT when RELATION", NULL);
        return;
    }
    uint32_t v = implied(r);
    for (unsigned i = low; i <= high && !r->bad; i++) {
        snprintf(bit, sizeof bit, row ? "%.*s[%u]" : "%.*s", (int)(row ? bracket - name : (int)n),
                 name, i);
        uint32_t o = find_output(r, bit);
        if (o == UINT32_MAX || r->c->watch[o]) {
            wrong(r, o == UINT32_MAX ? "no output has this name" : "a second line says when", bit);
            return;
        }
        r->c->watch[o] = v + 1;
        r->c->watches = true;
    }
}

/* ---- netlists that make inputs --------------------------------------------------------------- */

/* Literal `pin` of a cell, as a node. */
static uint32_t literal(struct reader *r, const struct gate_used *u, uint32_t pin)
{
    uint32_t l = u->n->literal[pin], v = u->node[GATE_NET(l)];
    return GATE_INVERTED(l) ? not_of(r, v) : v;
}

static uint32_t table_of(struct reader *r, const struct gate_used *u, const struct gate_cell *c)
{
    uint32_t all = node(r, GATE_REL_CONST, 0, 0);
    for (uint32_t row = 0; row < 1u << c->pins; row++)
        if (c->table >> row & 1) {
            uint32_t one = node(r, GATE_REL_CONST, 1, 0);
            for (uint32_t k = 0; k < c->pins; k++) {
                uint32_t v = literal(r, u, c->first + k);
                one = node(r, GATE_REL_AND, one, row >> k & 1 ? v : not_of(r, v));
            }
            all = node(r, GATE_REL_OR, all, one);
        }
    return all;
}

static uint32_t cell_of(struct reader *r, const struct gate_used *u, const struct gate_cell *c)
{
    if (c->kind == GATE_INPUT)
        return node(r, GATE_REL_FREE, 0, 0);
    if (c->kind == GATE_CONST)
        return node(r, GATE_REL_CONST, (uint32_t)c->table & 1, 0);
    if (c->kind == GATE_TABLE)
        return table_of(r, u, c);
    uint32_t v = literal(r, u, c->first);
    if (c->kind == GATE_MUX) {
        uint32_t zero = node(r, GATE_REL_AND, not_of(r, v), literal(r, u, c->first + 1));
        v = node(r, GATE_REL_OR, zero, node(r, GATE_REL_AND, v, literal(r, u, c->first + 2)));
    } else {
        for (uint32_t k = 1; k < c->pins; k++)
            v = node(r, c->kind == GATE_XOR ? GATE_REL_XOR : GATE_REL_AND, v,
                     literal(r, u, c->first + k));
    }
    return c->invert ? not_of(r, v) : v;
}

/* use FILE: behind the first word. */
static void use(struct reader *r)
{
    char name[256];
    struct gate_netlist *n;
    blanks(r);
    if (!word(r, name, sizeof name)) {
        wrong(r, "a line is written use NETLIST", NULL);
        return;
    }
    const char *slash = *name == '/' ? NULL : strrchr(r->n->file, '/');
    char *path = fl_format("%.*s%s", slash ? (int)(slash + 1 - r->n->file) : 0, r->n->file, name);
    r->bad |= gate_read(path, &n, r->err) != 0;
    free(path);
    if (r->bad)
        return;
    char *unit = strrchr(name, '/') ? strrchr(name, '/') + 1 : name, *ending = strrchr(unit, '.');
    if (ending)
        *ending = 0;
    r->c->used = fl_grow(r->c->used, r->c->uses + 1, sizeof *r->c->used);
    struct gate_used *u = &r->c->used[r->c->uses++];
    *u = (struct gate_used){fl_strdup(unit), n, fl_alloc(n->nets * sizeof *u->node)};
    if (n->flops)
        wrong(r, "a netlist that is used has no flip-flops", unit);
    for (uint32_t i = 0; i < n->nets && !r->bad; i++)
        u->node[i] = cell_of(r, u, &n->cell[i]);
}

/* Whether a line begins with this word. */
static bool begins(struct reader *r, const char *first)
{
    size_t n = strlen(first);
    if ((size_t)(r->end - r->at) <= n || memcmp(r->at, first, n) != 0 ||
        !isspace((unsigned char)r->at[n]))
        return false;
    r->at += n;
    return true;
}

/* A line that is not empty, up to its remark. */
static void constraint(struct reader *r, const char *end)
{
    const char *from = r->at;
    bool watches = begins(r, "watch"), uses = !watches && begins(r, "use");
    uint32_t v = 0;
    if (watches) {
        watch(r);
    } else if (uses) {
        use(r);
    } else {
        v = implied(r);
    }
    blanks(r);
    if (!r->bad && r->at < r->end)
        wrong(r, "not understood from here on", (char[2]){r->at[0], 0});
    if (watches || uses)
        return;
    FL_ROOM(r->c->line, r->c->lines, r->c->room_lines, 16);
    r->c->line[r->c->lines++] = (struct gate_line){v, r->line,
                                                   fl_format("%.*s", (int)(end - from), from)};
}

int gate_constraints_text(const char *path, const char *text, const struct gate_netlist *n,
                          struct gate_constraints **out, struct fl_err *err)
{
    struct gate_constraints *c = fl_alloc(sizeof *c);
    struct reader r = {.c = c, .n = n, .path = path, .err = err};
    r.bad = gate_join_text(path, text, n, &c->join, err) != 0;
    r.n = n = gate_constraints_of(c, n);
    c->sources = n->inputs + n->flops;
    c->watch = fl_alloc(n->outputs * sizeof *c->watch);
    while (*text && !r.bad) {
        size_t length = strcspn(text, "\n"), used = strcspn(text, "#\n");
        r.line++;
        r.depth = 0;
        r.at = text;
        r.end = text + used;
        blanks(&r);
        if (r.at < r.end && !gate_join_line(text, r.end))
            constraint(&r, text + used);
        text += length + (text[length] == '\n');
    }
    if (r.bad)
        gate_constraints_free(c);
    else
        *out = c;
    return r.bad ? -1 : 0;
}

int gate_constraints_read(const char *path, const struct gate_netlist *n,
                          struct gate_constraints **out, struct fl_err *err)
{
    struct fl_buf text = {0};
    int bad = fl_read_text(path, &text, err);
    if (!bad)
        bad = gate_constraints_text(path, (const char *)text.data, n, out, err);
    fl_buf_free(&text);
    return bad;
}

void gate_constraints_free(struct gate_constraints *c)
{
    if (!c)
        return;
    for (uint32_t i = 0; i < c->lines; i++)
        free(c->line[i].text);
    free(c->line);
    for (uint32_t i = 0; i < c->uses; i++) {
        free(c->used[i].name);
        free(c->used[i].node);
        gate_netlist_free(c->used[i].n);
    }
    free(c->used);
    gate_join_free(c->join);
    free(c->watch);
    free(c->node);
    free(c);
}

/* Whether a node hangs on an input of a netlist that is used or, where only sources are known, on another net. */
static bool *hanging(const struct gate_constraints *c, uint32_t known)
{
    bool *open = fl_alloc(c->nodes);
    for (uint32_t i = 0; i < c->nodes; i++) {
        const struct gate_relation *n = &c->node[i];
        open[i] = n->kind == GATE_REL_FREE || (n->kind == GATE_REL_NET && n->a >= known);
        if (n->kind >= GATE_REL_NOT)
            open[i] = open[n->a] || (n->kind != GATE_REL_NOT && open[n->b]);
    }
    return open;
}

int gate_constraints_broken(const struct gate_constraints *c, const uint8_t *source)
{
    uint8_t *v = fl_alloc(c->nodes);
    bool *open = hanging(c, c->sources);
    int broken = -1;
    for (uint32_t i = 0; i < c->nodes; i++) {
        const struct gate_relation *n = &c->node[i];
        switch (n->kind) {
        case GATE_REL_FREE:
        case GATE_REL_CONST: v[i] = n->a & 1; break;
        case GATE_REL_NET: v[i] = n->a < c->sources && source[n->a]; break;
        case GATE_REL_NOT: v[i] = !v[n->a]; break;
        case GATE_REL_AND: v[i] = v[n->a] & v[n->b]; break;
        case GATE_REL_OR: v[i] = v[n->a] | v[n->b]; break;
        case GATE_REL_XOR: v[i] = v[n->a] ^ v[n->b]; break;
        }
    }
    for (uint32_t i = 0; i < c->lines && broken < 0; i++)
        broken = v[c->line[i].node] || open[c->line[i].node] ? -1 : (int)i;
    free(open);
    free(v);
    return broken;
}

void gate_constraints_watched(const struct gate_constraints *c, uint32_t outputs,
                              const uint64_t *value, uint64_t *watched)
{
    uint64_t *v = fl_alloc(c->nodes * sizeof *v);
    bool *open = c->uses ? hanging(c, UINT32_MAX) : NULL;
    for (uint32_t i = 0; i < c->nodes; i++) {
        const struct gate_relation *n = &c->node[i];
        switch (n->kind) {
        case GATE_REL_FREE:
        case GATE_REL_CONST: v[i] = -(uint64_t)(n->a & 1); break;
        case GATE_REL_NET: v[i] = value[n->a]; break;
        case GATE_REL_NOT: v[i] = ~v[n->a]; break;
        case GATE_REL_AND: v[i] = v[n->a] & v[n->b]; break;
        case GATE_REL_OR: v[i] = v[n->a] | v[n->b]; break;
        case GATE_REL_XOR: v[i] = v[n->a] ^ v[n->b]; break;
        }
    }
    for (uint32_t o = 0; o < outputs; o++) {
        watched[o] = c->watch[o] ? v[c->watch[o] - 1] : UINT64_MAX;
        if (open && c->watch[o] && open[c->watch[o] - 1])
            watched[o] = 0;
    }
    free(open);
    free(v);
}
