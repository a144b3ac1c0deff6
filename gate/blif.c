/* blif.c -- reads flat BLIF: .model, .inputs, .outputs, .names, .latch.
 *
 * Berkeley Logic Interchange Format, University of California, Berkeley, 1992. All flip-flops have
 * one clock, which is no net of the netlist's logic.
 */
#include "build.h"

#include <stdlib.h>
#include <string.h>

struct reader {
    struct gate_build *b;
    const char *at;
    uint32_t line, next; /* of the statement, and of what follows it */
    struct fl_buf text;  /* the statement: words with a zero behind each */
    uint32_t words;
    struct fl_err *err;
    uint32_t clock_line;
    /* the cover that rows are added to */
    bool open;
    uint32_t names_line, name, pins, rows;
    char value; /* of its rows: '0', '1', or 0 before the first */
    uint64_t table;
    bool one_literal; /* of more than GATE_TABLE_PINS: each row has one literal */
    char *literal;    /* [room] */
    uint32_t room;
};

/* A backslash with blanks alone behind it. */
static bool ends_line(const char *s)
{
    if (*s != '\\')
        return false;
    s += 1 + strspn(s + 1, " \t\r");
    return *s == '\n' || !*s;
}

/* The next statement as words; false at the end. A backslash at a line's end joins the next. */
static bool next_statement(struct reader *r)
{
    r->text.size = 0;
    r->words = 0;
    while (*r->at && !r->words) {
        bool joined = true;
        for (r->line = r->next; *r->at && joined; r->next++) {
            joined = false;
            while (*r->at && *r->at != '\n' && *r->at != '#' && !(joined = ends_line(r->at))) {
                size_t n = 0;
                while (!strchr(" \t\r\n#", r->at[n]) && !ends_line(r->at + n))
                    n++;
                if (n) {
                    fl_buf_add(&r->text, r->at, n);
                    fl_buf_add(&r->text, "", 1);
                    r->words++;
                }
                r->at += n ? n : 1;
            }
            r->at += strcspn(r->at, "\n");
            r->at += *r->at == '\n';
        }
    }
    return r->words > 0;
}

static const char *word(const struct reader *r, uint32_t i)
{
    const char *s = (const char *)r->text.data;
    while (i--)
        s += strlen(s) + 1;
    return s;
}

#define fail_at(r, line, ...) fl_fail_at((r)->err, (r)->b->path, line, __VA_ARGS__)
#define FAIL(r, ...)          fail_at(r, (r)->line, __VA_ARGS__)

/* ---- covers ---------------------------------------------------------------------------------- */

static int begin_names(struct reader *r)
{
    if (r->words < 2)
        return FAIL(r, ".names wants nets, the last of which it drives");
    const char *w = word(r, 1);
    r->open = true;
    r->names_line = r->line;
    r->pins = r->words - 2;
    r->rows = 0;
    r->value = 0;
    r->table = 0;
    r->one_literal = true;
    if (r->pins > r->room)
        r->literal = fl_grow(r->literal, r->room = r->pins, 1);
    if (r->room)
        memset(r->literal, '-', r->room);
    for (uint32_t i = 0; i <= r->pins; i++, w += strlen(w) + 1) {
        r->name = gate_build_name(r->b, w, r->line);
        if (i < r->pins)
            gate_build_pin(r->b, GATE_LITERAL(r->name, 0));
    }
    return 0;
}

/* A row of a cover over more pins than a table has. */
static void wide_row(struct reader *r, const char *cube)
{
    uint32_t literals = 0;
    for (uint32_t p = 0; p < r->pins; p++)
        if (cube[p] != '-') {
            r->one_literal &= r->literal[p] == '-';
            r->literal[p] = cube[p];
            literals++;
        }
    r->one_literal &= literals == 1;
}

static void add_cube(struct reader *r, const char *cube)
{
    for (uint32_t i = 0; i < 1u << r->pins; i++) {
        bool in = true;
        for (uint32_t p = 0; p < r->pins; p++)
            in &= cube[p] == '-' || (uint32_t)(cube[p] - '0') == (i >> p & 1);
        r->table |= (uint64_t)in << i;
    }
}

static int add_row(struct reader *r)
{
    const char *cube = r->pins ? word(r, 0) : "", *value = word(r, r->pins ? 1 : 0);
    if (!r->open)
        return FAIL(r,
                    "'%s' belongs to no .names; is it BLIF? The name of Verilog ends in .v, of "
                    ".bench in .bench",
                    word(r, 0));
    if (r->words != (r->pins ? 2 : 1) || strlen(cube) != r->pins ||
        strspn(cube, "01-") != r->pins || strlen(value) != 1 || !strchr("01", *value))
        return FAIL(r,
                    "a row of '%s' has a character 0, 1 or - for each of %u inputs, a blank, "
                    "and 0 or 1",
                    r->b->name[r->name], r->pins);
    if (r->value && r->value != *value)
        return FAIL(r, "rows of '%s' end in 0 and in 1; give one of the two sets",
                    r->b->name[r->name]);
    r->value = *value;
    r->rows++;
    if (r->pins <= GATE_TABLE_PINS)
        add_cube(r, cube);
    else
        wide_row(r, cube);
    return 0;
}

static int end_names(struct reader *r)
{
    struct gate_build *b = r->b;
    if (!r->open)
        return 0;
    r->open = false;
    if (r->pins <= GATE_TABLE_PINS) {
        uint64_t full = (UINT64_MAX >> (64 - (1u << r->pins)));
        gate_build_table(b, r->value == '0' ? ~r->table & full : r->table, r->pins, r->name,
                         r->names_line);
        return 0;
    }
    bool all = !memchr(r->literal, '-', r->pins);
    if (!all || (r->rows != 1 && !(r->one_literal && r->rows == r->pins)))
        return fail_at(r, r->names_line,
                       "'%s' is a cover of %u inputs that is neither AND nor OR; map it to gates "
                       "of at most %d inputs",
                       b->name[r->name], r->pins, GATE_TABLE_PINS);
    /* one row: all its literals hold; a row a literal: not all of the opposite ones do */
    struct gate_cell c = {.kind = GATE_AND, .pins = r->pins, .line = r->names_line};
    bool or = r->rows > 1;
    c.invert = or != (r->value == '0');
    for (uint32_t p = 0; p < r->pins; p++)
        b->pin[b->pins - r->pins + p] ^= (uint32_t)((r->literal[p] == '0') != or);
    gate_build_cell(b, c, r->name);
    return 0;
}

/* ---- other statements ------------------------------------------------------------------------ */

static int add_latch(struct reader *r)
{
    uint32_t extra = r->words < 3 ? 0 : r->words - 3;
    bool clocked = extra >= 2;
    const char *first = word(r, r->words - 1);
    if (r->words < 3 || extra > 3 || (extra & 1 && (strlen(first) != 1 || !strchr("0123", *first))))
        return FAIL(r, ".latch wants: input output [re clock] [0, 1, 2 or 3]");
    if (clocked && strcmp(word(r, 3), "re") != 0)
        return FAIL(r,
                    "the latch of '%s' is of kind '%s'; only flip-flops with a rising edge (re) "
                    "are understood",
                    word(r, 2), word(r, 3));
    if (clocked && r->b->clock && strcmp(r->b->clock, word(r, 4)) != 0)
        return FAIL(r,
                    "the flip-flop '%s' has the clock '%s', that of line %u '%s'; all must "
                    "have the same",
                    word(r, 2), word(r, 4), r->clock_line, r->b->clock);
    if (clocked && !r->b->clock) {
        r->b->clock = fl_strdup(word(r, 4));
        r->clock_line = r->line;
    }
    struct gate_cell c = {.kind = GATE_FLOP, .pins = 1, .line = r->line};
    c.table = extra & 1 && *first == '1'; /* 2 and 3, free or unknown, start with 0 */
    gate_build_pin(r->b, GATE_LITERAL(gate_build_name(r->b, word(r, 1), r->line), 0));
    gate_build_cell(r->b, c, gate_build_name(r->b, word(r, 2), r->line));
    return 0;
}

static void add_ports(struct reader *r, bool output)
{
    const char *w = word(r, 1);
    for (uint32_t i = 1; i < r->words; i++, w += strlen(w) + 1) {
        uint32_t name = gate_build_name(r->b, w, r->line);
        if (output)
            gate_build_output(r->b, name);
        else
            gate_build_cell(r->b, (struct gate_cell){.kind = GATE_INPUT, .line = r->line}, name);
    }
}

static bool is_remark(const char *w)
{
    static const char *const remark[] = {".attr", ".param", ".cname", ".clock", ".area", ".delay"};
    for (size_t i = 0; i < sizeof remark / sizeof *remark; i++)
        if (strcmp(w, remark[i]) == 0)
            return true;
    return false;
}

static int statement(struct reader *r, bool *end)
{
    const char *w = word(r, 0);
    if (*w != '.')
        return add_row(r);
    if (end_names(r))
        return -1;
    if (strcmp(w, ".names") == 0)
        return begin_names(r);
    if (strcmp(w, ".latch") == 0)
        return add_latch(r);
    if (strcmp(w, ".inputs") == 0 || strcmp(w, ".outputs") == 0) {
        add_ports(r, w[1] == 'o');
        return 0;
    }
    if (strcmp(w, ".gate") == 0 || strcmp(w, ".subckt") == 0 || strcmp(w, ".mlatch") == 0)
        return FAIL(r, "cell '%s' has no function here; flatten the netlist and map it to .names",
                    r->words > 1 ? word(r, 1) : "");
    if (strcmp(w, ".model") == 0) {
        if (r->b->model)
            return FAIL(r, "a second .model; flatten the netlist into one");
        r->b->model = fl_strdup(r->words > 1 ? word(r, 1) : "");
    } else if (strcmp(w, ".end") == 0) {
        *end = true;
    } else if (!is_remark(w)) {
        return FAIL(r,
                    "'%s' is not understood; write flat BLIF with .inputs, .outputs, .names and "
                    ".latch",
                    w);
    }
    return 0;
}

/* A clock is an input, and drives flip-flops alone. */
static int check_clock(struct reader *r)
{
    struct gate_build *b = r->b;
    if (!b->clock)
        return 0;
    for (uint32_t i = 0; i < b->raws; i++) {
        const struct gate_raw *g = &b->raw[i];
        for (uint32_t p = 0; p < g->cell.pins; p++)
            if (strcmp(b->name[GATE_NET(b->pin[g->first + p])], b->clock) == 0)
                return fail_at(r, g->cell.line,
                               "the clock '%s' is used as data; take it out of the logic",
                               b->clock);
        if (g->cell.kind != GATE_INPUT && strcmp(b->name[g->name], b->clock) == 0)
            return fail_at(r, g->cell.line,
                           "the clock '%s' is no input; gated clocks are not supported", b->clock);
    }
    return 0;
}

int gate_blif(struct gate_build *b, const char *text, struct fl_err *err)
{
    struct reader r = {.b = b, .at = text, .next = 1, .err = err};
    bool end = false;
    int bad = 0;
    while (!bad && !end && next_statement(&r))
        bad = statement(&r, &end);
    if (!bad)
        bad = end_names(&r);
    if (!bad && end && next_statement(&r))
        bad = FAIL(&r, "text behind .end; give one flat model");
    if (!bad)
        bad = check_clock(&r);
    fl_buf_free(&r.text);
    free(r.literal);
    return bad;
}
