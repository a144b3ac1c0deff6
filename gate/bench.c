/* bench.c -- reads .bench: the form in which the ISCAS and ITC circuits are handed around.
 *
 *     INPUT(a)          OUTPUT(y)          y = NAND(a, b)          q = DFF(d)
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
    return fl_fail(
        r->err,
        "%s:%u: not understood; a line is INPUT(net), OUTPUT(net) or net = FUNCTION(net, "
        "...), names have at most %zu characters",
        r->b->path, r->line, sizeof r->word - 1);
}

static const struct function {
    const char *name;
    enum gate_kind kind;
    bool invert, or ;
    uint32_t least, most;
} functions[] = {
    {"AND", GATE_AND, false, false, 1, GATE_MOST_PINS},
    {"NAND", GATE_AND, true, false, 1, GATE_MOST_PINS},
    {"OR", GATE_AND, true, true, 1, GATE_MOST_PINS},
    {"NOR", GATE_AND, false, true, 1, GATE_MOST_PINS},
    {"XOR", GATE_XOR, false, false, 1, GATE_MOST_PINS},
    {"XNOR", GATE_XOR, true, false, 1, GATE_MOST_PINS},
    {"NOT", GATE_AND, true, false, 1, 1},
    {"INV", GATE_AND, true, false, 1, 1},
    {"BUF", GATE_AND, false, false, 1, 1},
    {"BUFF", GATE_AND, false, false, 1, 1},
    {"DFF", GATE_FLOP, false, false, 1, 1},
};

static int add_cell(struct reader *r, uint32_t net)
{
    const struct function *f = NULL;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcasecmp(r->word, functions[i].name) == 0)
            f = &functions[i];
    if (!f)
        return fl_fail(r->err,
                       "%s:%u: cell '%s' has no function here; AND, NAND, OR, NOR, XOR, XNOR, NOT, "
                       "BUFF and DFF have one",
                       r->b->path, r->line, r->word);
    struct gate_cell c = {.kind = (uint8_t)f->kind, .invert = f->invert, .line = r->line};
    if (!sign(r, '('))
        return not_understood(r);
    do {
        if (!name(r))
            return not_understood(r);
        gate_build_pin(r->b, GATE_LITERAL(gate_build_name(r->b, r->word, r->line), f->or));
        c.pins++;
    } while (sign(r, ','));
    if (!sign(r, ')'))
        return not_understood(r);
    if (c.pins < f->least || c.pins > f->most)
        return fl_fail(r->err, "%s:%u: %s takes %u to %u inputs, this one has %u", r->b->path,
                       r->line, f->name, f->least, f->most, c.pins);
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
    return 0;
}
