/* bench.c -- reads .bench: the form in which the ISCAS and ITC circuits are handed around.
 *
 *     INPUT(a)          OUTPUT(y)          y = NAND(a, b)          q = DFF(d)
 *
 * A multiplexer is MUX(select, value at 0, value at 1), as circuits with locked logic have it; ABC takes the
 * other order. ABC's vdd, gnd, LUT 0x8 (a, b), DFF0 and DFF1 are known too.
 */
#include "build.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct reader {
    struct gate_build *b;
    const char *at;
    uint32_t line;
    char word[256]; /* the last name that was read */
    struct fl_err *err;
};

static void skip_blanks(struct reader *r)
{
    r->at += strspn(r->at, " \t\r");
}

/* A name ends at a blank or at one of (),=# */
static bool name(struct reader *r)
{
    skip_blanks(r);
    size_t n = strcspn(r->at, " \t\r\n(),=#");
    if (n == 0 || n >= sizeof r->word)
        return false;
    memcpy(r->word, r->at, n);
    r->word[n] = 0;
    r->at += n;
    skip_blanks(r);
    return true;
}

static bool sign(struct reader *r, char c)
{
    skip_blanks(r);
    if (*r->at != c)
        return false;
    r->at++;
    return true;
}

static int not_understood(struct reader *r)
{
    return fl_fail(r->err,
                   "%s:%u: not understood; a line is INPUT(net), OUTPUT(net), net = FUNCTION(net, "
                   "...), net = vdd or net = other; names have at most %zu characters",
                   r->b->path, r->line, sizeof r->word - 1);
}

enum { ANY = 1 << 30 };

static const struct function {
    const char *name;
    enum gate_kind kind;
    bool invert, or ;
    uint32_t least, most; /* inputs */
    uint64_t table;       /* a constant; what a flip-flop starts with */
} functions[] = {
    {"AND", GATE_AND, false, false, 1, ANY, 0}, {"NAND", GATE_AND, true, false, 1, ANY, 0},
    {"OR", GATE_AND, true, true, 1, ANY, 0},    {"NOR", GATE_AND, false, true, 1, ANY, 0},
    {"XOR", GATE_XOR, false, false, 1, ANY, 0}, {"XNOR", GATE_XOR, true, false, 1, ANY, 0},
    {"NOT", GATE_AND, true, false, 1, 1, 0},    {"INV", GATE_AND, true, false, 1, 1, 0},
    {"BUF", GATE_AND, false, false, 1, 1, 0},   {"BUFF", GATE_AND, false, false, 1, 1, 0},
    {"MUX", GATE_MUX, false, false, 3, 3, 0},   {"DFF", GATE_FLOP, false, false, 1, 1, 0},
    {"DFF0", GATE_FLOP, false, false, 1, 1, 0}, /* of ABC */
    {"DFF1", GATE_FLOP, false, false, 1, 1, 1}, {"vdd", GATE_CONST, false, false, 0, 0, 1},
    {"gnd", GATE_CONST, false, false, 0, 0, 0},
};

static const struct function *find_function(const char *name)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcasecmp(name, functions[i].name) == 0)
            return &functions[i];
    return NULL;
}

/* "(net, net, ...)" as pins, inverted or not; how many there are, or -1. */
static int64_t pins(struct reader *r, bool inverted)
{
    uint32_t n = 0;
    if (!sign(r, '('))
        return 0;
    if (sign(r, ')'))
        return 0;
    do {
        if (!name(r))
            return not_understood(r);
        gate_build_pin(r->b, GATE_LITERAL(gate_build_name(r->b, r->word, r->line), inverted));
        n++;
    } while (sign(r, ','));
    return sign(r, ')') ? (int64_t)n : not_understood(r);
}

/* net = LUT 0x8 (a, b): bit i of the table, where the first net is bit 0 of i. */
static int add_table(struct reader *r, uint32_t net)
{
    char *end = r->word;
    uint64_t table = name(r) ? strtoull(r->word, &end, 16) : 0;
    bool hex = strncasecmp(r->word, "0x", 2) == 0 && end > r->word + 2 && !*end;
    int64_t n = hex ? pins(r, false) : not_understood(r);
    if (n < 0)
        return -1;
    if (n == 0 || n > GATE_TABLE_PINS || (n < GATE_TABLE_PINS && table >> (1u << n)))
        return fl_fail(r->err,
                       "%s:%u: LUT takes 1 to %d inputs, and a table of a bit for each of their "
                       "values; this one has %d inputs",
                       r->b->path, r->line, GATE_TABLE_PINS, (int)n);
    gate_build_table(r->b, table, (uint32_t)n, net, r->line);
    return 0;
}

static int wrong_count(struct reader *r, const struct function *f, uint32_t n)
{
    const char *most = f->most == ANY ? " or more" : "";
    return fl_fail(r->err, "%s:%u: %s takes %u%s input%s, this one has %u", r->b->path, r->line,
                   f->name, f->least, most, f->most == 1 ? "" : "s", n);
}

static int add_cell(struct reader *r, uint32_t net)
{
    const struct function *f = find_function(r->word);
    if (strcasecmp(r->word, "LUT") == 0)
        return add_table(r, net);
    if (!f && *r->at != '(') { /* another name of a net */
        gate_build_pin(r->b, GATE_LITERAL(gate_build_name(r->b, r->word, r->line), 0));
        gate_build_cell(r->b, (struct gate_cell){.kind = GATE_AND, .pins = 1, .line = r->line},
                        net);
        return 0;
    }
    if (!f)
        return fl_fail(r->err,
                       "%s:%u: cell '%s' has no function here; AND, NAND, OR, NOR, XOR, XNOR, NOT, "
                       "BUFF, MUX, LUT, DFF, vdd and gnd have one",
                       r->b->path, r->line, r->word);
    int64_t n = *r->at == '(' || f->most == 0 ? pins(r, f->or) : not_understood(r);
    if (n < 0)
        return -1;
    struct gate_cell c = {.kind = (uint8_t)f->kind,
                          .invert = f->invert,
                          .pins = (uint32_t)n,
                          .line = r->line,
                          .table = f->table};
    if (c.pins < f->least || c.pins > f->most)
        return wrong_count(r, f, c.pins);
    if (c.pins == 1 && f->or) { /* OR of one is a buffer: one form of it */
        r->b->pin[r->b->pins - 1] ^= 1;
        c.invert = !c.invert;
    }
    if (c.pins == 1 && c.kind == GATE_XOR)
        c.kind = GATE_AND;
    gate_build_cell(r->b, c, net);
    return 0;
}

static int port(struct reader *r, bool output)
{
    if (!sign(r, '(') || !name(r) || !sign(r, ')'))
        return not_understood(r);
    uint32_t net = gate_build_name(r->b, r->word, r->line);
    if (output)
        gate_build_output(r->b, net);
    else
        gate_build_cell(r->b, (struct gate_cell){.kind = GATE_INPUT, .line = r->line}, net);
    return 0;
}

static int read_line(struct reader *r)
{
    skip_blanks(r);
    if (*r->at == '\n' || *r->at == '#' || !*r->at)
        return 0;
    if (!name(r))
        return not_understood(r);
    bool output = strcasecmp(r->word, "OUTPUT") == 0;
    if (*r->at == '(' && (output || strcasecmp(r->word, "INPUT") == 0))
        return port(r, output);
    uint32_t net = gate_build_name(r->b, r->word, r->line);
    if (!sign(r, '=') || !name(r))
        return not_understood(r);
    return add_cell(r, net);
}

/* vdd and gnd that are read and that nothing drives are constants. */
static void add_constants(struct gate_build *b)
{
    uint32_t names = b->names;
    bool *driven = fl_alloc(names);
    for (uint32_t i = 0; i < b->raws; i++)
        driven[b->raw[i].name] = true;
    for (uint32_t i = 0; i < names; i++) {
        const struct function *f = driven[i] ? NULL : find_function(b->name[i]);
        if (f && f->kind == GATE_CONST)
            gate_build_table(b, f->table, 0, i, b->line[i]);
    }
    free(driven);
}

int gate_bench(struct gate_build *b, const char *text, struct fl_err *err)
{
    struct reader r = {.b = b, .at = text, .err = err};
    while (*r.at) {
        r.line++;
        if (read_line(&r))
            return -1;
        skip_blanks(&r);
        if (*r.at && *r.at != '\n' && *r.at != '#')
            return not_understood(&r);
        r.at += strcspn(r.at, "\n");
        r.at += *r.at == '\n';
    }
    add_constants(b);
    return 0;
}
