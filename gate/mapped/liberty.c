/* liberty.c -- reads Liberty files. See liberty.h. */
#include "liberty.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

enum { MOST_NESTING = 100, MOST_TEXT = 4000 }; /* of an expression; files have less than ten, 300 */
enum { NEXT, CLOCKED, CLEAR, PRESET, ENABLE };

/* ---- cells by name --------------------------------------------------------------------------- */

static uint32_t *find_slot(const struct library *l, const char *name)
{
    uint64_t at = fl_hash_bytes(FL_HASH_START, name, strlen(name));
    for (at ^= at >> 32;; at++) {
        uint32_t *s = &l->slot[at & (l->slots - 1)];
        if (!*s || strcmp(l->cell[*s - 1].name, name) == 0)
            return s;
    }
}

uint32_t liberty_find(const struct library *l, const char *name)
{
    uint32_t *s = l->slots ? find_slot(l, name) : NULL;
    return s && *s ? *s - 1 : LIB_NONE;
}

/* A new cell, which takes the name. */
static struct lib_cell *add_cell(struct library *l, char *name)
{
    FL_ROOM(l->cell, l->cells, l->room, 64);
    l->cell[l->cells] = (struct lib_cell){.name = name,
                                          .next = LIB_NONE,
                                          .clocked = LIB_NONE,
                                          .clear = LIB_NONE,
                                          .preset = LIB_NONE,
                                          .gate_enable = LIB_NONE,
                                          .both = {false, false}};
    l->cells++;
    if (2 * l->cells >= l->slots) {
        l->slots = l->slots ? 2 * l->slots : 256;
        free(l->slot);
        l->slot = fl_alloc(l->slots * sizeof *l->slot);
        for (uint32_t i = 0; i < l->cells; i++)
            *find_slot(l, l->cell[i].name) = i + 1;
    } else {
        *find_slot(l, name) = l->cells;
    }
    return &l->cell[l->cells - 1];
}

static struct lib_pin *add_pin(struct lib_cell *c, char *name, enum lib_direction direction)
{
    FL_ROOM(c->pin, c->pins, c->room, 8);
    c->pin[c->pins] = (struct lib_pin){
        .name = name, .direction = (uint8_t)direction, .function = LIB_NONE};
    return &c->pin[c->pins++];
}

uint32_t liberty_pin(const struct lib_cell *c, const char *name)
{
    for (uint32_t p = 0; p < c->pins; p++)
        if (strcmp(c->pin[p].name, name) == 0)
            return p;
    return LIB_NONE;
}

static void refuse(struct lib_cell *c, const char *why, const char *pin)
{
    if (!c->why)
        c->why = pin ? fl_format(why, pin) : fl_strdup(why);
}

/* ---- expressions ----------------------------------------------------------------------------- */

static uint32_t add_node(struct library *l, enum lib_op op, uint32_t a, uint32_t b)
{
    FL_ROOM(l->node, l->nodes, l->room_nodes, 256);
    l->node[l->nodes] = (struct lib_node){(uint8_t)op, a, b};
    return l->nodes++;
}

struct expression {
    struct library *l;
    const struct lib_cell *c;
    const char *at;
    int deep;
    const char *wrong; /* NULL: nothing yet */
};

static char peek(struct expression *e)
{
    e->at += strspn(e->at, " \t\r\n\\");
    return *e->at;
}

static bool begins_operand(char c)
{
    return c == '(' || c == '!' || c == '_' || isalnum((unsigned char)c) || c == '\\';
}

static uint32_t parse_or(struct expression *e);

static uint32_t variable(struct expression *e)
{
    size_t n = 0;
    while (isalnum((unsigned char)e->at[n]) || (e->at[n] && strchr("_[]$.", e->at[n])))
        n++;
    char name[256];
    if (n == 0 || n >= sizeof name) {
        e->wrong = "no name where one is expected";
        return 0;
    }
    memcpy(name, e->at, n);
    name[n] = 0;
    e->at += n;
    if (strcmp(name, "0") == 0 || strcmp(name, "1") == 0)
        return add_node(e->l, LIB_CONST, name[0] == '1', 0);
    uint32_t pin = liberty_pin(e->c, name);
    for (uint32_t s = 0; s < 2 && pin == LIB_NONE; s++)
        if (e->c->state[s] && strcmp(e->c->state[s], name) == 0)
            pin = e->c->pins + s;
    if (pin == LIB_NONE)
        e->wrong = "a name that is no pin";
    return add_node(e->l, LIB_VAR, pin, 0);
}

static uint32_t parse_operand(struct expression *e)
{
    uint32_t node = 0;
    char c = peek(e);
    if (++e->deep > MOST_NESTING)
        e->wrong = "too many parentheses";
    if (e->wrong) {
        return 0;
    } else if (c == '!') {
        e->at++;
        node = add_node(e->l, LIB_NOT, parse_operand(e), 0);
    } else if (c == '(') {
        e->at++;
        node = parse_or(e);
        if (!e->wrong && peek(e) != ')')
            e->wrong = "a ) is missing";
        e->at += !e->wrong;
    } else {
        node = variable(e);
    }
    while (!e->wrong && peek(e) == '\'') {
        e->at++;
        node = add_node(e->l, LIB_NOT, node, 0);
    }
    e->deep--;
    return node;
}

static uint32_t parse_xor(struct expression *e)
{
    uint32_t node = parse_operand(e);
    while (!e->wrong && peek(e) == '^') {
        e->at++;
        uint32_t other = parse_operand(e);
        node = add_node(e->l, LIB_XOR, node, other);
    }
    return node;
}

static uint32_t parse_and(struct expression *e)
{
    uint32_t node = parse_xor(e);
    while (!e->wrong && (peek(e) == '&' || *e->at == '*' || begins_operand(*e->at))) {
        e->at += *e->at == '&' || *e->at == '*';
        uint32_t other = parse_xor(e);
        node = add_node(e->l, LIB_AND, node, other);
    }
    return node;
}

static uint32_t parse_or(struct expression *e)
{
    uint32_t node = parse_and(e);
    while (!e->wrong && (peek(e) == '|' || *e->at == '+')) {
        e->at++;
        uint32_t other = parse_and(e);
        node = add_node(e->l, LIB_OR, node, other);
    }
    return node;
}

static int parse(struct library *l, const struct lib_cell *c, const char *what, const char *text,
                 uint32_t *node, struct fl_err *err)
{
    struct expression e = {.l = l, .c = c, .at = text};
    if (strlen(text) > MOST_TEXT)
        return fl_fail(err, "%s:%u: cell %s: %s has more than %d characters", c->file, c->line,
                       c->name, what, MOST_TEXT);
    *node = parse_or(&e);
    if (!e.wrong && peek(&e))
        e.wrong = "a character that is no operator";
    if (e.wrong)
        return fl_fail(err, "%s:%u: cell %s: %s \"%.200s\": %s, at \"%.40s\"", c->file, c->line,
                       c->name, what, text, e.wrong, e.at);
    return 0;
}

/* Chains of operators nest to the left, so the right side is shallow; the depth of the left one is
 * that of the text, in a loop. */
uint32_t lib_vars(const struct library *l, uint32_t node, uint32_t *var, uint32_t most)
{
    uint32_t count = 0, tops = 0, room = 0, *stack = NULL;
    FL_ROOM(stack, tops, room, 32);
    stack[tops++] = node;
    while (tops) {
        struct lib_node n = l->node[stack[--tops]];
        if (n.op == LIB_VAR) {
            bool known = false;
            for (uint32_t i = 0; i < count && i < most; i++)
                known |= var[i] == n.a;
            if (!known && count < most)
                var[count] = n.a;
            count += !known;
        } else if (n.op != LIB_CONST) {
            FL_ROOM(stack, tops + 1, room, 32);
            if (n.op != LIB_NOT)
                stack[tops++] = n.b;
            stack[tops++] = n.a;
        }
    }
    free(stack);
    return count;
}

bool lib_value(const struct library *l, uint32_t node, const uint8_t *value)
{
    struct lib_node n = l->node[node];
    switch (n.op) {
    case LIB_CONST: return n.a;
    case LIB_VAR: return value[n.a];
    case LIB_NOT: return !lib_value(l, n.a, value);
    case LIB_AND: return lib_value(l, n.b, value) && lib_value(l, n.a, value);
    case LIB_OR: return lib_value(l, n.b, value) || lib_value(l, n.a, value);
    default: return lib_value(l, n.b, value) != lib_value(l, n.a, value);
    }
}

/* ---- words ----------------------------------------------------------------------------------- */

struct reader {
    struct library *l;
    const char *path, *at;
    uint32_t line;
    struct fl_buf word; /* the last one, with a zero behind it */
    char kind;          /* 'w': a word or a string; else the character; 0: the end */
    uint32_t word_line;
    bool quoted;
    struct fl_err *err;
};

static int fail(struct reader *r, const char *why)
{
    return fl_fail(r->err, "%s:%u: %s", r->path, r->line, why);
}

static void skip_blanks(struct reader *r)
{
    for (;; r->at++) {
        if (*r->at == '\n') {
            r->line++;
        } else if (r->at[0] == '/' && r->at[1] == '*') {
            for (r->at += 2; *r->at && !(r->at[0] == '*' && r->at[1] == '/'); r->at++)
                r->line += *r->at == '\n';
            if (!*r->at)
                return;
            r->at++;
        } else if (r->at[0] == '/' && r->at[1] == '/') {
            r->at += strcspn(r->at, "\n");
            r->at--;
        } else if (!(*r->at == '\\' && (r->at[1] == '\n' || r->at[1] == '\r')) &&
                   (!*r->at || !strchr(" \t\r\f", *r->at))) {
            return;
        }
    }
}

static void next(struct reader *r)
{
    skip_blanks(r);
    r->word.size = 0;
    r->word_line = r->line;
    r->quoted = *r->at == '"';
    if (!*r->at || strchr("(){};,:", *r->at)) {
        r->kind = *r->at;
        r->at += *r->at != 0;
        return;
    }
    r->kind = 'w';
    if (r->quoted) {
        for (r->at++; *r->at && *r->at != '"'; r->at++) {
            r->line += *r->at == '\n';
            bool joins = *r->at == '\\' && (r->at[1] == '\n' || r->at[1] == '\r');
            if (!joins && *r->at != '\n')
                fl_buf_add(&r->word, r->at, 1);
        }
        r->at += *r->at == '"';
    } else {
        size_t n = strcspn(r->at, " \t\r\n\f(){};,:\"");
        fl_buf_add(&r->word, r->at, n);
        r->at += n;
    }
    fl_buf_add(&r->word, "", 1);
}

static const char *word(const struct reader *r)
{
    return (const char *)r->word.data;
}

/* Behind the { of a group: to behind its }. */
static int skip_group(struct reader *r)
{
    for (uint32_t deep = 1; deep; next(r)) {
        if (r->kind == 0)
            return fail(r, "the file ends within a group; a } is missing");
        deep += r->kind == '{';
        deep -= r->kind == '}';
        if (!deep)
            break;
    }
    next(r);
    return 0;
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* What a group holds: its handler gets simple attributes, and groups with their arguments. */
struct group {
    struct reader *r;
    struct lib_cell *c;
    uint32_t first, count; /* pins that a group of pins is about */
    int (*attribute)(struct group *g, const char *name, const char *value);
    int (*group)(struct group *g, const char *name, char *const *arg, uint32_t args);
};

static void free_arguments(char **arg, uint32_t args)
{
    for (uint32_t i = 0; i < args; i++)
        free(arg[i]);
    free(arg);
}

/* Name of a statement is read; at its : or (. */
static int statement(struct group *g, const char *name)
{
    struct reader *r = g->r;
    char **arg = NULL;
    uint32_t args = 0, room = 0, line = r->word_line;
    int bad = 0;
    if (r->kind == ':') {
        struct fl_buf value = {0};
        next(r);
        /* some files end an attribute with its line */
        while (r->kind == 'w' || r->kind == ',' || r->kind == '(' || r->kind == ')') {
            if (value.size && r->word_line != line)
                break;
            if (value.size)
                value.data[value.size - 1] = ' ';
            if (r->kind == 'w')
                fl_buf_add(&value, r->word.data, r->word.size);
            line = r->line;
            next(r);
        }
        if (r->kind == ';')
            next(r);
        else if (r->kind == 0)
            bad = fail(r, "the file ends within an attribute");
        if (!bad && value.size && g->attribute)
            bad = g->attribute(g, name, (const char *)value.data);
        fl_buf_free(&value);
        return bad;
    }
    if (r->kind != '(') {
        return fl_fail(r->err,
                       "%s:%u: '%.60s' is followed by neither : nor (; a Liberty file is "
                       "made of attributes and groups",
                       r->path, line, name);
    }
    for (next(r); r->kind != ')'; next(r)) {
        if (r->kind == 0 || r->kind == '{' || r->kind == '}') {
            free_arguments(arg, args);
            return fail(r, "a ) is missing");
        }
        if (r->kind != 'w')
            continue;
        FL_ROOM(arg, args, room, 4);
        arg[args++] = fl_strdup(word(r));
    }
    next(r);
    if (r->kind == '{') {
        next(r);
        bad = g->group ? g->group(g, name, arg, args) : 1;
        if (bad == 1)
            bad = skip_group(r);
    } else if (r->kind == ';') {
        next(r);
    }
    free_arguments(arg, args);
    return bad;
}

/* Behind its {, to behind its }. */
static int read_group(struct group *g)
{
    struct reader *r = g->r;
    while (r->kind != '}') {
        if (r->kind == ';' || r->kind == ',') {
            next(r);
            continue;
        }
        if (r->kind != 'w')
            return r->kind ? fl_fail(r->err, "%s:%u: '%c' is not understood here", r->path, r->line,
                                     r->kind)
                           : fail(r, "the file ends within a group; a } is missing");
        char *name = fl_strdup(word(r));
        next(r);
        int bad = statement(g, name);
        free(name);
        if (bad)
            return bad;
    }
    next(r);
    return 0;
}

static void set(char **to, const char *text)
{
    free(*to);
    *to = fl_strdup(text);
}

static int pin_attribute(struct group *g, const char *name, const char *value)
{
    static const char *const direction[] = {"input", "output", "inout", "internal"};
    bool yes = strcmp(value, "true") == 0;
    for (uint32_t p = g->first; p < g->first + g->count; p++) {
        struct lib_pin *pin = &g->c->pin[p];
        for (uint8_t d = 0; d < 4; d++)
            if (strcmp(name, "direction") == 0 && strcmp(value, direction[d]) == 0)
                pin->direction = d;
        if (strcmp(name, "function") == 0)
            set(&pin->function_text, value);
        if (strcmp(name, "three_state") == 0)
            pin->three_state = true;
        if (strcmp(name, "clock_gate_clock_pin") == 0)
            pin->gate_clock = yes;
        if (strcmp(name, "clock_gate_enable_pin") == 0 || strcmp(name, "clock_gate_test_pin") == 0)
            pin->gate_enable |= yes;
    }
    return 0;
}

static int flop_attribute(struct group *g, const char *name, const char *value)
{
    static const char *const attribute[] = {"next_state", "clocked_on", "clear", "preset",
                                            "data_in"};
    for (int i = 0; i < 5; i++)
        if (strcmp(name, attribute[i]) == 0)
            set(&g->c->text[i], value);
    if (strncmp(name, "clear_preset_var", 16) == 0 && (name[16] == '1' || name[16] == '2')) {
        g->c->both[name[16] - '1'] = *value == 'H';
        if (*value == 'N' || *value == 'T')
            refuse(g->c, "keeps or toggles its state when clear and preset are on together", NULL);
    }
    if (strcmp(name, "clocked_on_also") == 0)
        refuse(g->c, "has two clocks (clocked_on_also)", NULL);
    return 0;
}

static int cell_attribute(struct group *g, const char *name, const char *value)
{
    (void)value;
    if (strcmp(name, "clock_gating_integrated_cell") == 0)
        g->c->gates_clock = true;
    return 0;
}

static int cell_group(struct group *g, const char *name, char *const *arg, uint32_t args)
{
    static const struct {
        const char *name, *why;
    } refused[] = {{"statetable", "is described by a statetable"},
                   {"ff_bank", "is a bank of flip-flops (ff_bank)"},
                   {"latch_bank", "is a bank of latches"},
                   {"memory", "is a memory"},
                   {"bus", "has a bus of pins"},
                   {"bundle", "has a bundle of pins"}};
    struct lib_cell *c = g->c;
    if (strcmp(name, "pin") == 0) {
        struct group of = {g->r, c, c->pins, args, pin_attribute, NULL};
        for (uint32_t i = 0; i < args; i++) {
            if (liberty_pin(c, arg[i]) != LIB_NONE)
                return fl_fail(g->r->err, "%s:%u: cell %s has two pins called %.100s", g->r->path,
                               g->r->line, c->name, arg[i]);
            add_pin(c, fl_strdup(arg[i]), LIB_INTERNAL);
        }
        return read_group(&of);
    }
    if (strcmp(name, "ff") == 0 || strcmp(name, "latch") == 0) {
        struct group of = {g->r, c, 0, 0, flop_attribute, NULL};
        if (c->flop || c->latch)
            refuse(c, "has two flip-flops or latches", NULL);
        c->flop |= *name == 'f';
        c->latch |= *name == 'l';
        for (uint32_t i = 0; i < 2 && i < args; i++)
            set(&c->state[i], arg[i]);
        return read_group(&of);
    }
    if (strcmp(name, "pg_pin") == 0 && args == 1 && liberty_pin(c, arg[0]) == LIB_NONE)
        add_pin(c, fl_strdup(arg[0]), LIB_POWER);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (strcmp(name, refused[i].name) == 0 && !(c->gates_clock && i == 0))
            refuse(c, refused[i].why, NULL);
    return 1; /* skip it */
}

/* The enable of a clock gate: what its latch takes, or any of the pins that are marked so. */
static int end_clock_gate(struct library *l, struct lib_cell *c, struct fl_err *err)
{
    if (c->text[ENABLE]) {
        if (parse(l, c, "data_in", c->text[ENABLE], &c->gate_enable, err))
            return -1;
    } else {
        for (uint32_t p = 0; p < c->pins; p++) {
            if (!c->pin[p].gate_enable)
                continue;
            uint32_t node = add_node(l, LIB_VAR, p, 0);
            c->gate_enable = c->gate_enable == LIB_NONE ? node
                                                        : add_node(l, LIB_OR, c->gate_enable, node);
        }
    }
    uint32_t clock = LIB_NONE, output = LIB_NONE, clocks = 0, outputs = 0;
    for (uint32_t p = 0; p < c->pins; p++) {
        if (c->pin[p].gate_clock && ++clocks)
            clock = p;
        if (c->pin[p].direction == LIB_OUTPUT && ++outputs)
            output = p;
    }
    if (c->gate_enable == LIB_NONE || clocks != 1 || outputs != 1) {
        refuse(c, "is a clock gate without one clock_gate_clock_pin, an enable and one output",
               NULL);
        return 0;
    }
    uint32_t node = add_node(l, LIB_VAR, clock, 0);
    c->pin[output].function = add_node(l, LIB_AND, node, c->gate_enable);
    return 0;
}

static int end_cell(struct library *l, struct lib_cell *c, struct fl_err *err)
{
    uint32_t *const node[] = {&c->next, &c->clocked, &c->clear, &c->preset};
    static const char *const what[] = {"next_state", "clocked_on", "clear", "preset"};
    for (int i = 0; i < 4 && c->flop; i++)
        if (c->text[i] && parse(l, c, what[i], c->text[i], node[i], err))
            return -1;
    if (c->flop && (c->next == LIB_NONE || c->clocked == LIB_NONE))
        refuse(c, "is a flip-flop without next_state and clocked_on", NULL);
    if (c->gates_clock && end_clock_gate(l, c, err))
        return -1;
    if (c->latch && !c->gates_clock)
        refuse(c, "is a latch", NULL);
    for (uint32_t p = 0; p < c->pins; p++) {
        struct lib_pin *pin = &c->pin[p];
        if (pin->three_state)
            refuse(c, "has the tri-state output %s", pin->name);
        if (pin->direction == LIB_INOUT)
            refuse(c, "has the inout pin %s", pin->name);
        if (pin->direction != LIB_OUTPUT || c->gates_clock || c->why)
            continue;
        if (!pin->function_text)
            refuse(c, "has no function for its output %s", pin->name);
        else if (parse(l, c, "function", pin->function_text, &pin->function, err))
            return -1;
    }
    return 0;
}

/* A function reads inputs, and the state of the flip-flop. */
static void check_inputs(struct library *l, struct lib_cell *c, uint32_t node)
{
    enum { MOST = 64 };
    uint32_t var[MOST], vars = node == LIB_NONE ? 0 : lib_vars(l, node, var, MOST);
    for (uint32_t i = 0; i < vars && i < MOST; i++)
        if (var[i] < c->pins && c->pin[var[i]].direction != LIB_INPUT)
            refuse(c, "has a function of pin %s, which has no direction input",
                   c->pin[var[i]].name);
    if (vars > MOST)
        refuse(c, "has a function of more than 64 pins", NULL);
}

static int library_group(struct group *g, const char *name, char *const *arg, uint32_t args)
{
    struct reader *r = g->r;
    if (strcmp(name, "cell") != 0)
        return 1;
    if (args != 1)
        return fail(r, "a cell has one name, in parentheses");
    uint32_t known = liberty_find(r->l, arg[0]);
    if (known != LIB_NONE)
        return fl_fail(r->err, "%s:%u: cell %s is in %s:%u already; give one library of the two",
                       r->path, r->line, arg[0], r->l->cell[known].file, r->l->cell[known].line);
    struct lib_cell *c = add_cell(r->l, fl_strdup(arg[0]));
    c->file = r->l->file[r->l->files - 1];
    c->line = r->line;
    struct group of = {r, c, 0, 0, cell_attribute, cell_group};
    if (read_group(&of) || end_cell(r->l, c, r->err))
        return -1;
    const uint32_t node[] = {c->next, c->clocked, c->clear, c->preset, c->gate_enable};
    for (size_t i = 0; i < sizeof node / sizeof *node; i++)
        check_inputs(r->l, c, node[i]);
    for (uint32_t p = 0; p < c->pins; p++)
        check_inputs(r->l, c, c->pin[p].function);
    return 0;
}

static int file_group(struct group *g, const char *name, char *const *arg, uint32_t args)
{
    struct group of = {g->r, NULL, 0, 0, NULL, library_group};
    (void)arg;
    (void)args;
    return strcmp(name, "library") == 0 ? read_group(&of) : 1;
}

int liberty_add(struct library *l, const char *path, const char *text, struct fl_err *err)
{
    l->file = fl_grow(l->file, l->files + 1, sizeof *l->file);
    l->file[l->files++] = fl_strdup(path);
    struct reader r = {.l = l, .path = path, .at = text, .line = 1, .err = err};
    struct group top = {&r, NULL, 0, 0, NULL, file_group};
    uint32_t before = l->cells;
    int bad = 0;
    for (next(&r); r.kind && !bad;) {
        if (r.kind == ';') {
            next(&r);
            continue;
        }
        char *name = r.kind == 'w' ? fl_strdup(word(&r)) : NULL;
        next(&r);
        bad = name ? statement(&top, name) : fail(&r, "library (NAME) { is expected");
        free(name);
    }
    if (!bad && l->cells == before)
        bad = fl_fail(
            err, "%s: has no cell; give a Liberty file: library (NAME) { cell (...) ... }", path);
    fl_buf_free(&r.word);
    return bad ? -1 : 0;
}

/* ---- primitives of Verilog ------------------------------------------------------------------- */

uint32_t liberty_primitive(struct library *l, const char *name, uint32_t inputs)
{
    static const struct {
        const char *name;
        enum lib_op op;
        bool invert;
    } row[] = {{"and", LIB_AND, false}, {"nand", LIB_AND, true}, {"or", LIB_OR, false},
               {"nor", LIB_OR, true},   {"xor", LIB_XOR, false}, {"xnor", LIB_XOR, true},
               {"buf", LIB_NOT, false}, {"not", LIB_NOT, true}};
    size_t i = 0;
    while (i < sizeof row / sizeof *row && strcmp(row[i].name, name) != 0)
        i++;
    if (i == sizeof row / sizeof *row || inputs == 0 || (row[i].op == LIB_NOT && inputs != 1))
        return LIB_NONE;
    char *key = fl_format("%s of %u", name, inputs); /* no cell of a file has a blank in its name */
    uint32_t known = liberty_find(l, key), node = LIB_NONE;
    if (known != LIB_NONE) {
        free(key);
        return known;
    }
    struct lib_cell *c = add_cell(l, key);
    c->file = "Verilog";
    add_pin(c, fl_strdup("OUT"), LIB_OUTPUT);
    for (uint32_t k = 0; k < inputs; k++) {
        add_pin(c, row[i].op == LIB_NOT ? fl_strdup("IN") : fl_format("IN%u", k), LIB_INPUT);
        uint32_t v = add_node(l, LIB_VAR, k + 1, 0);
        node = k ? add_node(l, row[i].op, node, v) : v;
    }
    c->pin[0].function = row[i].invert ? add_node(l, LIB_NOT, node, 0) : node;
    return l->cells - 1;
}

void liberty_free(struct library *l)
{
    for (uint32_t i = 0; i < l->cells; i++) {
        struct lib_cell *c = &l->cell[i];
        for (uint32_t p = 0; p < c->pins; p++) {
            free(c->pin[p].name);
            free(c->pin[p].function_text);
        }
        for (int t = 0; t < 5; t++)
            free(c->text[t]);
        free(c->pin);
        free(c->name);
        free(c->why);
        free(c->state[0]);
        free(c->state[1]);
    }
    for (uint32_t i = 0; i < l->files; i++)
        free(l->file[i]);
    free(l->file);
    free(l->cell);
    free(l->node);
    free(l->slot);
    *l = (struct library){0};
}
