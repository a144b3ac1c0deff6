/* verilog.c -- reads structural Verilog. See verilog.h. */
#include "verilog.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* Far beyond what a netlist has; a file of a few bytes must not ask for more. */
enum { MOST_WIDTH = 1 << 20, MOST_BITS = 1 << 27, MOST_NESTING = 100, MOST_PINS = 1000 };

struct reader {
    struct verilog *v;
    struct library *l;
    struct vl_module *m;
    const char *at;
    uint32_t line;
    struct fl_buf word;
    char kind; /* 'w': an identifier; '1': a number; else the character; 0: the end */
    bool escaped;
    int deep;
    struct fl_err *err;
    char **mentioned; /* identifiers in modules that were passed over */
    uint32_t mentions, room;
};

#define fail(r, ...) fl_fail_at((r)->err, (r)->v->path, (r)->line, __VA_ARGS__)

/* ---- words ----------------------------------------------------------------------------------- */

static int skip_to(struct reader *r, const char *from, const char *end)
{
    uint32_t line = r->line;
    const char *stop = strstr(from, end);
    if (!stop)
        return fl_fail(r->err, "%s:%u: the file ends within a comment; %s is missing", r->v->path,
                       line, end);
    for (; r->at < stop; r->at++)
        r->line += *r->at == '\n';
    r->at += strlen(end);
    return 0;
}

static int directive(struct reader *r)
{
    static const char *const known[] = {
        "timescale",         "celldefine",         "endcelldefine",
        "default_nettype",   "resetall",           "line",
        "suppress_faults",   "nosuppress_faults",  "delay_mode_path",
        "enable_portfaults", "disable_portfaults", "delay_mode_distributed",
        "delay_mode_unit",   "delay_mode_zero",    "nounconnected_drive"};
    size_t n = 0;
    while (isalnum((unsigned char)r->at[1 + n]) || r->at[1 + n] == '_')
        n++;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i]) == n && strncmp(known[i], r->at + 1, n) == 0) {
            r->at += strcspn(r->at, "\n");
            return 0;
        }
    return fail(r, "`%.*s is not understood; run the file through a preprocessor first",
                (int)(n < 60 ? n : 60), r->at + 1);
}

static int skip_blanks(struct reader *r)
{
    for (;;) {
        if (*r->at == '\n')
            r->line++;
        if (r->at[0] == '/' && r->at[1] == '/') {
            r->at += strcspn(r->at, "\n");
        } else if (r->at[0] == '/' && r->at[1] == '*') {
            if (skip_to(r, r->at + 2, "*/"))
                return -1;
        } else if (r->at[0] == '(' && r->at[1] == '*' && r->at[2] != ')') {
            if (skip_to(r, r->at + 2, "*)"))
                return -1;
        } else if (*r->at == '`') {
            if (directive(r))
                return -1;
        } else if (*r->at && strchr(" \t\r\n\f", *r->at)) {
            r->at++;
        } else {
            return 0;
        }
    }
}

static int next(struct reader *r)
{
    if (skip_blanks(r))
        return -1;
    size_t n = 0;
    const char *s = r->at;
    r->escaped = false;
    r->word.size = 0;
    if (*s == '\\') {
        r->escaped = true;
        r->kind = 'w';
        s = ++r->at;
        while (s[n] && !strchr(" \t\r\n\f", s[n]))
            n++;
        if (n == 0)
            return fail(r, "a \\ without a name behind it");
    } else if (isalpha((unsigned char)*s) || *s == '_') {
        r->kind = 'w';
        while (isalnum((unsigned char)s[n]) || (s[n] && strchr("_$", s[n])))
            n++;
    } else if (isdigit((unsigned char)*s) || *s == '\'') {
        r->kind = '1';
        while (isdigit((unsigned char)s[n]) || s[n] == '_')
            n++;
        if (s[n] == '\'') {
            n++;
            while (isalnum((unsigned char)s[n]) || (s[n] && strchr("_?", s[n])))
                n++;
        }
    } else {
        r->kind = *s;
        n = *s != 0;
    }
    fl_buf_add(&r->word, s, n);
    fl_buf_add(&r->word, "", 1);
    r->at += n;
    return 0;
}

static const char *word(const struct reader *r)
{
    return (const char *)r->word.data;
}

static bool is(const struct reader *r, const char *keyword)
{
    return r->kind == 'w' && !r->escaped && strcmp(word(r), keyword) == 0;
}

static const char *shown(const struct reader *r)
{
    return r->kind ? word(r) : "the end of the file";
}

static int expect(struct reader *r, char c)
{
    if (r->kind != c)
        return fail(r, "%c is expected, not %.60s", c, shown(r));
    return next(r);
}

/* A copy of the identifier at hand, and the word behind it. */
static int take_name(struct reader *r, const char *what, char **name)
{
    if (r->kind != 'w')
        return fail(r, "%s is expected, not %.60s", what, shown(r));
    *name = fl_strdup(word(r));
    if (next(r) == 0)
        return 0;
    free(*name);
    return -1;
}

static int take_number(struct reader *r, int32_t *value)
{
    char *end = NULL;
    long v = r->kind == '1' ? strtol(word(r), &end, 10) : 0;
    if (!end || *end || v < 0 || v > INT32_MAX / 2)
        return fail(r, "an index is expected, not %.60s; a mapped netlist has numbers here",
                    shown(r));
    *value = (int32_t)v;
    return next(r);
}

/* ---- symbols --------------------------------------------------------------------------------- */

static uint32_t *find_slot(const struct vl_module *m, const char *name)
{
    uint64_t at = fl_hash_bytes(FL_HASH_START, name, strlen(name));
    for (at ^= at >> 32;; at++) {
        uint32_t *s = &m->slot[at & (m->slots - 1)];
        if (!*s || strcmp(m->symbol[*s - 1].name, name) == 0)
            return s;
    }
}

static struct vl_symbol *find_symbol(const struct vl_module *m, const char *name)
{
    uint32_t *s = m->slots ? find_slot(m, name) : NULL;
    return s && *s ? &m->symbol[*s - 1] : NULL;
}

/* Numbers for the bits of symbol `number`. */
static int place_bits(struct reader *r, struct vl_symbol *s, uint32_t number)
{
    struct vl_module *m = r->m;
    uint32_t width = vl_width(s);
    if (width > MOST_WIDTH || m->nets + width > MOST_BITS)
        return fail(r, "%.100s has %u bits; at most %d are understood", s->name, width, MOST_WIDTH);
    s->first = m->nets;
    m->nets += width;
    while (m->nets > m->room_nets) {
        m->room_nets = m->room_nets ? 2 * m->room_nets : 256;
        m->net_symbol = fl_grow(m->net_symbol, m->room_nets, sizeof *m->net_symbol);
    }
    for (uint32_t i = 0; i < width; i++)
        m->net_symbol[s->first - VL_NETS + i] = number;
    return 0;
}

static int add_symbol(struct reader *r, const char *name, bool bus, int32_t msb, int32_t lsb)
{
    struct vl_module *m = r->m;
    struct vl_symbol s = {.bus = bus, .msb = msb, .lsb = lsb, .line = r->line};
    s.name = fl_strdup(name);
    if (place_bits(r, &s, m->symbols)) {
        free(s.name);
        return -1;
    }
    FL_ROOM(m->symbol, m->symbols, m->room_symbols, 64);
    m->symbol[m->symbols++] = s;
    if (2 * m->symbols >= m->slots) {
        m->slots = m->slots ? 2 * m->slots : 256;
        free(m->slot);
        m->slot = fl_alloc(m->slots * sizeof *m->slot);
        for (uint32_t i = 0; i < m->symbols; i++)
            *find_slot(m, m->symbol[i].name) = i + 1;
    } else {
        *find_slot(m, name) = m->symbols;
    }
    return 0;
}

void verilog_net_name(const struct vl_module *m, uint32_t net, struct fl_buf *out)
{
    const struct vl_symbol *s = &m->symbol[m->net_symbol[net - VL_NETS]];
    int32_t at = (int32_t)(net - s->first);
    fl_buf_printf(out, "%s", s->name);
    if (s->bus)
        fl_buf_printf(out, "[%d]", s->msb >= s->lsb ? s->msb - at : s->msb + at);
}

/* [msb:lsb] or, in a select, [index]. */
static int range(struct reader *r, bool *given, int32_t *msb, int32_t *lsb)
{
    *given = r->kind == '[';
    *msb = *lsb = 0;
    if (!*given)
        return 0;
    if (next(r) || take_number(r, msb))
        return -1;
    *lsb = *msb;
    if (r->kind == ':' && (next(r) || take_number(r, lsb)))
        return -1;
    return expect(r, ']');
}

static int declare(struct reader *r, const char *name, enum vl_direction direction, bool bus,
                   int32_t msb, int32_t lsb)
{
    struct vl_symbol *s = find_symbol(r->m, name);
    if (!s) {
        if (add_symbol(r, name, bus, msb, lsb))
            return -1;
        s = find_symbol(r->m, name);
    } else if (s->fresh) { /* its bits are not used yet: others take their place */
        struct vl_symbol as = *s;
        as.bus = bus;
        as.msb = msb;
        as.lsb = lsb;
        if (place_bits(r, &as, (uint32_t)(s - r->m->symbol)))
            return -1;
        as.fresh = false;
        *s = as;
    } else if (bus && (!s->bus || s->msb != msb || s->lsb != lsb)) {
        return fail(r,
                    "%.100s is declared otherwise, or used, in line %u; declare a bus once, "
                    "before it is used",
                    name, s->line);
    }
    if (direction != VL_WIRE)
        s->direction = (uint8_t)direction;
    return 0;
}

/* ---- expressions ----------------------------------------------------------------------------- */

static int add_bit(struct reader *r, uint32_t bit)
{
    struct vl_module *m = r->m;
    if (m->bits >= MOST_BITS)
        return fail(r, "the module connects more than %d bits", MOST_BITS);
    FL_ROOM(m->bit, m->bits, m->room_bits, 1024);
    m->bit[m->bits++] = bit;
    return 0;
}

static int digit_value(char c)
{
    return isdigit((unsigned char)c) ? c - '0'
           : c >= 'a' && c <= 'f'    ? c - 'a' + 10
           : strchr("xz?", c)        ? 16
                                     : 99;
}

/* A constant: its bits from the highest to the lowest. */
static int constant(struct reader *r)
{
    const char *text = word(r), *tick = strchr(text, '\'');
    unsigned long width = 32, shift, base;
    if (tick && tick > text)
        width = strtoul(text, NULL, 10);
    const char *digits = tick ? tick + 1 : text;
    if (tick && tolower((unsigned char)*digits) == 's')
        digits++;
    char letter = tick ? (char)tolower((unsigned char)*digits++) : 'd';
    shift = letter == 'b' ? 1 : letter == 'o' ? 3 : letter == 'h' ? 4 : 0;
    base = shift ? 1ul << shift : 10;
    if ((!shift && letter != 'd') || !*digits || width == 0 || width > MOST_WIDTH)
        return fail(r, "'%.60s' is no constant; write 1'b0, 4'hf or 8'd12", text);
    uint8_t *bit = fl_alloc(width); /* from the lowest */
    unsigned long long value = 0;
    bool bad = false;
    size_t at = 0;
    for (size_t i = strlen(digits); shift && i-- > 0;) {
        int v = digits[i] == '_' ? -1 : digit_value((char)tolower((unsigned char)digits[i]));
        bad |= v >= (int)base && v != 16;
        for (unsigned long k = 0; v >= 0 && k < shift; k++, at++)
            if (at < width)
                bit[at] = (uint8_t)(v == 16 ? VL_UNKNOWN : v >> k & 1);
    }
    for (const char *c = digits; !shift && *c; c++) {
        bad |= *c != '_' && (!isdigit((unsigned char)*c) || value > UINT32_MAX);
        value = *c == '_' ? value : 10 * value + (unsigned)(*c - '0');
    }
    for (; !shift && at < width && at < 64; at++)
        bit[at] = value >> at & 1;
    int fails = bad ? fail(r, "'%.60s' is no constant; write 1'b0, 4'hf or 8'd12", text) : 0;
    for (unsigned long i = width; i-- > 0 && !fails;)
        fails = add_bit(r, bit[i]);
    free(bit);
    return fails ? -1 : next(r);
}

static int operand(struct reader *r)
{
    char *name = NULL;
    bool selects;
    int32_t msb, lsb;
    if (r->kind == '1')
        return constant(r);
    if (r->kind != 'w')
        return fail(r,
                    "'%.60s': only nets, selects, concatenations and constants are understood; "
                    "synthesize and map the design first",
                    shown(r));
    if (take_name(r, "a net", &name))
        return -1;
    struct vl_symbol *s = find_symbol(r->m, name);
    int bad = 0;
    if (!s) { /* a net that is not declared is a wire of one bit */
        bad = add_symbol(r, name, false, 0, 0);
        s = find_symbol(r->m, name);
    }
    if (s)
        s->fresh = false;
    bad = bad || range(r, &selects, &msb, &lsb);
    if (!bad && !selects) {
        for (uint32_t i = 0, width = vl_width(s); i < width && !bad; i++)
            bad = add_bit(r, s->first + i);
    } else if (!bad) {
        bool down = s->msb >= s->lsb;
        int32_t low = down ? s->lsb : s->msb, high = down ? s->msb : s->lsb;
        if (!s->bus || msb < low || msb > high || lsb < low || lsb > high)
            bad = fail(r, "%.100s has no bit %d%s; correct the index or the declaration (line %u)",
                       name, msb < low || msb > high ? msb : lsb, s->bus ? "" : ", it is no bus",
                       s->line);
        else if (msb != lsb && (msb > lsb) != down)
            bad = fail(
                r, "%.100s[%d:%d] runs against the declaration [%d:%d]; exchange the two numbers",
                name, msb, lsb, s->msb, s->lsb);
        for (int32_t i = msb; !bad; i += msb > lsb ? -1 : 1) {
            bad = add_bit(r, s->first + (uint32_t)(down ? s->msb - i : i - s->msb));
            if (i == lsb)
                break;
        }
    }
    free(name);
    return bad ? -1 : 0;
}

/* Appends the bits of an expression, the highest first. */
static int expression(struct reader *r)
{
    int32_t times = 1;
    if (r->kind != '{')
        return operand(r);
    if (++r->deep > MOST_NESTING)
        return fail(r, "more than %d levels of braces", MOST_NESTING);
    if (next(r))
        return -1;
    struct vl_module *m = r->m;
    uint32_t from = m->bits;
    bool number = r->kind == '1' && !strchr(word(r), '\'');
    if (number && (take_number(r, &times) || r->kind != '{'))
        return r->kind == '{' ? -1 : fail(r, "{ is expected behind the number of repetitions");
    if (expression(r))
        return -1;
    while (r->kind == ',' && !number)
        if (next(r) || expression(r))
            return -1;
    uint32_t bits = m->bits - from;
    if (times == 0)
        m->bits = from;
    if ((uint64_t)bits * (uint32_t)times > MOST_WIDTH)
        return fail(r, "a concatenation of more than %d bits", MOST_WIDTH);
    for (int32_t k = 1; k < times; k++)
        for (uint32_t i = 0; i < bits; i++)
            if (add_bit(r, m->bit[from + i]))
                return -1;
    r->deep--;
    return expect(r, '}');
}

/* ---- statements ------------------------------------------------------------------------------ */

static const char *const direction_word[] = {"", "input", "output", "inout"};

static int direction_of(const struct reader *r)
{
    for (int d = VL_INPUT; d <= VL_INOUT; d++)
        if (is(r, direction_word[d]))
            return d;
    return VL_WIRE;
}

static int skip_words(struct reader *r)
{
    static const char *const words[] = {"wire", "signed",   "reg",     "logic",
                                        "tri",  "scalared", "vectored"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is(r, words[i])) {
            if (next(r))
                return -1;
            i = (size_t)-1;
        }
    return 0;
}

static int add_assign(struct reader *r, uint32_t left, uint32_t bits, uint32_t right,
                      uint32_t right_bits, uint32_t line)
{
    struct vl_module *m = r->m;
    if (right_bits < bits) { /* zeros above what is too short */
        uint32_t more = bits - right_bits;
        for (uint32_t i = 0; i < more; i++)
            if (add_bit(r, VL_ZERO))
                return -1;
        memmove(&m->bit[right + more], &m->bit[right], right_bits * sizeof *m->bit);
        for (uint32_t i = 0; i < more; i++)
            m->bit[right + i] = VL_ZERO;
        right_bits = bits;
    }
    FL_ROOM(m->assign, m->assigns, m->room_assigns, 64);
    m->assign[m->assigns++] = (struct vl_assign){left, right + right_bits - bits, bits, line};
    return 0;
}

/* left = right, of which `left` is read. */
static int assignment(struct reader *r, uint32_t left)
{
    uint32_t bits = r->m->bits - left, right = r->m->bits, line = r->line;
    if (expect(r, '=') || expression(r))
        return -1;
    return add_assign(r, left, bits, right, r->m->bits - right, line);
}

/* wire, input ...: at the word behind. `value`: of supply nets, or -1. */
static int declaration(struct reader *r, enum vl_direction direction, int value)
{
    bool bus;
    int32_t msb, lsb;
    if (skip_words(r) || range(r, &bus, &msb, &lsb))
        return -1;
    for (;;) {
        char *name = NULL;
        if (take_name(r, "the name of a net", &name))
            return -1;
        int bad = declare(r, name, direction, bus, msb, lsb);
        struct vl_symbol *s = bad ? NULL : find_symbol(r->m, name);
        free(name);
        if (bad)
            return -1;
        if (r->kind == '[')
            return fail(r,
                        "%.100s is an array; memories are not understood: cut it out, or map it "
                        "to flip-flops",
                        s->name);
        uint32_t left = r->m->bits, width = vl_width(s), first = s->first;
        for (uint32_t i = 0; (r->kind == '=' || value >= 0) && i < width; i++)
            if (add_bit(r, first + i))
                return -1;
        if (r->kind == '=' && assignment(r, left))
            return -1;
        if (value >= 0) {
            uint32_t right = r->m->bits;
            for (uint32_t i = 0; i < width; i++)
                if (add_bit(r, value ? VL_ONE : VL_ZERO))
                    return -1;
            if (add_assign(r, left, width, right, width, r->line))
                return -1;
        }
        if (r->kind != ',')
            return expect(r, ';');
        if (next(r))
            return -1;
    }
}

/* #1, #(1:2:3, 4): delays say nothing here. */
static int delay(struct reader *r)
{
    if (r->kind != '#')
        return 0;
    if (next(r))
        return -1;
    if (r->kind != '(')
        return next(r);
    for (int deep = 0;;) {
        deep += (r->kind == '(') - (r->kind == ')');
        if (r->kind == 0)
            return fail(r, "the file ends within a delay");
        if (next(r))
            return -1;
        if (deep == 0)
            return 0;
    }
}

static int add_pin(struct reader *r, char *name, uint32_t first, uint32_t bits)
{
    struct vl_module *m = r->m;
    FL_ROOM(m->pin, m->pins, m->room_pins, 256);
    m->pin[m->pins++] = (struct vl_pin){name, first, bits};
    return 0;
}

/* (.A(x), .B(y)) or (x, y), at the word behind the parenthesis. */
static int connections(struct reader *r)
{
    struct vl_module *m = r->m;
    while (r->kind != ')') {
        uint32_t from = m->bits;
        char *name = NULL;
        int bad = 0;
        if (r->kind == '.') {
            if (next(r) || take_name(r, "the name of a pin", &name))
                return -1;
            bad = expect(r, '(') || (r->kind != ')' && expression(r)) || expect(r, ')');
        } else if (r->kind != ',') {
            bad = expression(r);
        }
        if (bad) {
            free(name);
            return -1;
        }
        add_pin(r, name, from, m->bits - from);
        if (r->kind == ',') {
            if (next(r))
                return -1;
            if (r->kind == ')') /* (a, ): the last one is open */
                add_pin(r, NULL, m->bits, 0);
        } else if (r->kind != ')') {
            return fail(r, ", or ) is expected, not %.60s", shown(r));
        }
    }
    return next(r);
}

static bool is_primitive(const struct reader *r)
{
    static const char *const words[] = {"and", "nand", "or", "nor", "xor", "xnor", "buf", "not"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is(r, words[i]))
            return true;
    return false;
}

/* One instance, at its name. */
static int instance(struct reader *r, const char *cell, bool primitive)
{
    struct vl_module *m = r->m;
    struct vl_instance x = {.primitive = LIB_NONE, .line = r->line, .first = m->pins};
    if (r->kind != 'w')
        return fail(r, "an instance of %.100s has no name; fault lists need one: %.100s U1 (...)",
                    cell, cell);
    if (take_name(r, "the name of an instance", &x.name))
        return -1;
    if (r->kind == '[') {
        fail(r,
             "instance %.100s is an array, with a range behind its name; write its instances one "
             "by one",
             x.name);
        free(x.name);
        return -1;
    }
    if (expect(r, '(') || connections(r)) {
        free(x.name);
        return -1;
    }
    x.cell = fl_strdup(cell);
    x.pins = m->pins - x.first;
    FL_ROOM(m->instance, m->instances, m->room_instances, 64);
    m->instance[m->instances++] = x;
    if (primitive) {
        struct vl_instance *of = &m->instance[m->instances - 1];
        if (x.pins > 0 && x.pins <= MOST_PINS)
            of->primitive = liberty_primitive(r->l, cell, x.pins - 1);
        if (of->primitive == LIB_NONE)
            return fail(r,
                        "%.100s %.100s has %u connections: its output, then its inputs; a buf "
                        "or not has two, no gate more than %d",
                        cell, x.name, x.pins, MOST_PINS);
    }
    return 0;
}

static int instances(struct reader *r)
{
    bool primitive = is_primitive(r);
    char *cell = NULL;
    if (take_name(r, "a cell", &cell))
        return -1;
    int bad = 0;
    if (primitive)
        bad = delay(r);
    else if (r->kind == '#')
        bad = fail(r, "an instance of %.100s has parameters; a mapped netlist has none", cell);
    while (!bad) {
        bad = instance(r, cell, primitive);
        if (bad || r->kind != ',')
            break;
        bad = next(r);
    }
    free(cell);
    return bad ? -1 : expect(r, ';');
}

static int refused(struct reader *r)
{
    static const struct {
        const char *words, *why;
    } row[] = {{"always always_ff always_comb always_latch initial reg integer real function task "
                "generate genvar logic event",
                "behaviour; synthesize the design and map it to cells first"},
               {"parameter localparam defparam", "parameters; let synthesis resolve them"},
               {"specify specparam", "timing of a cell's model; give its Liberty file instead"},
               {"bufif0 bufif1 notif0 notif1 pullup pulldown tri0 tri1 trireg tran tranif0 tranif1 "
                "rtran nmos pmos cmos rnmos rpmos",
                "tri-states and switches; cut the pad ring or the bus off"},
               {"wand wor triand trior", "wired logic; replace it by a gate"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        size_t n = strlen(word(r));
        for (const char *at = row[i].words; (at = strstr(at, word(r))) != NULL; at += n)
            if ((at == row[i].words || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
                return fail(r, "'%s': %s", word(r), row[i].why);
    }
    return 0;
}

static int statement(struct reader *r)
{
    int direction = direction_of(r);
    if (r->kind == ';')
        return next(r);
    if (direction)
        return next(r) || declaration(r, (enum vl_direction)direction, -1) ? -1 : 0;
    if (is(r, "wire") || is(r, "tri"))
        return declaration(r, VL_WIRE, -1);
    if (is(r, "supply0") || is(r, "supply1")) {
        int value = word(r)[6] - '0';
        return next(r) || declaration(r, VL_WIRE, value) ? -1 : 0;
    }
    if (is(r, "assign")) {
        if (next(r) || delay(r))
            return -1;
        for (;;) {
            uint32_t left = r->m->bits;
            if (expression(r) || assignment(r, left))
                return -1;
            if (r->kind != ',')
                return expect(r, ';');
            if (next(r))
                return -1;
        }
    }
    if (r->kind != 'w')
        return fail(r, "'%.60s' is not understood here", shown(r));
    return (!r->escaped && refused(r)) || instances(r) ? -1 : 0;
}

/* ---- modules --------------------------------------------------------------------------------- */

static int header(struct reader *r)
{
    struct vl_module *m = r->m;
    int direction = VL_WIRE;
    bool bus = false;
    int32_t msb = 0, lsb = 0;
    if (r->kind == '#')
        return fail(r, "module %.100s has parameters; let synthesis resolve them", m->name);
    if (r->kind == ';')
        return next(r);
    if (expect(r, '('))
        return -1;
    while (r->kind != ')') {
        char *name = NULL;
        int d = direction_of(r);
        if (d) {
            direction = d;
            if (next(r) || skip_words(r) || range(r, &bus, &msb, &lsb))
                return -1;
        }
        if (r->kind == '.')
            return fail(r, "a port with an inner name (.a(b)) is not understood; name the net like "
                           "the port");
        if (take_name(r, "the name of a port", &name))
            return -1;
        struct vl_symbol *known = find_symbol(m, name);
        FL_ROOM(m->port, m->ports, m->room_ports, 16);
        int bad = known ? fail(r, "two ports are called %.100s; rename one of them", name) : 0;
        if (!bad && direction)
            bad = declare(r, name, (enum vl_direction)direction, bus, msb, lsb);
        if (!bad && !direction) { /* input or output says its width */
            bad = add_symbol(r, name, false, 0, 0);
            if (!bad)
                find_symbol(m, name)->fresh = true;
        }
        if (!bad)
            m->port[m->ports++] = (uint32_t)(find_symbol(m, name) - m->symbol);
        free(name);
        if (bad)
            return -1;
        if (r->kind == ',' && next(r))
            return -1;
    }
    return next(r) || expect(r, ';') ? -1 : 0;
}

/* To behind the end of a module or primitive that is not needed. */
static int pass_over(struct reader *r, const char *end)
{
    while (!is(r, end)) {
        if (r->kind == 0)
            return fail(r, "the file ends before %s", end);
        if (r->kind == 'w') {
            FL_ROOM(r->mentioned, r->mentions, r->room, 64);
            r->mentioned[r->mentions++] = fl_strdup(word(r));
        }
        if (r->kind == '"')
            r->at += strcspn(r->at, "\"\n");
        if (next(r))
            return -1;
    }
    return next(r);
}

static int module(struct reader *r)
{
    struct verilog *v = r->v;
    char *name = NULL;
    uint32_t line = r->line;
    if (next(r) || take_name(r, "the name of a module", &name))
        return -1;
    if (liberty_find(r->l, name) != LIB_NONE) {
        free(name);
        return pass_over(r, "endmodule");
    }
    if (verilog_find(v, name) != UINT32_MAX) {
        fail(r, "a second module %.100s, the first in line %u; leave one of them out", name,
             v->module[verilog_find(v, name)].line);
        free(name);
        return -1;
    }
    FL_ROOM(v->module, v->modules, v->room, 16);
    r->m = &v->module[v->modules++];
    *r->m = (struct vl_module){.name = name, .line = line, .nets = VL_NETS};
    if (header(r))
        return -1;
    while (!is(r, "endmodule")) {
        if (r->kind == 0)
            return fail(
                r, "the file ends within module %.100s; it is cut off, or endmodule is missing",
                name);
        if (statement(r))
            return -1;
    }
    for (uint32_t p = 0; p < r->m->ports; p++)
        if (r->m->symbol[r->m->port[p]].direction == VL_WIRE)
            return fail(r,
                        "port %.100s of module %.100s has no direction; declare it input or "
                        "output",
                        r->m->symbol[r->m->port[p]].name, name);
    return next(r);
}

uint32_t verilog_find(const struct verilog *v, const char *name)
{
    for (uint32_t i = 0; i < v->modules; i++)
        if (strcmp(v->module[i].name, name) == 0)
            return i;
    return UINT32_MAX;
}

static void mark_used(struct reader *r)
{
    struct verilog *v = r->v;
    for (uint32_t i = 0; i < r->mentions; i++) {
        uint32_t m = verilog_find(v, r->mentioned[i]);
        if (m != UINT32_MAX)
            v->module[m].used = true;
    }
    for (uint32_t k = 0; k < v->modules; k++)
        for (uint32_t i = 0; i < v->module[k].instances; i++) {
            uint32_t m = verilog_find(v, v->module[k].instance[i].cell);
            if (m != UINT32_MAX)
                v->module[m].used = true;
        }
}

int verilog_read(struct verilog *v, const char *path, const char *text, struct library *l,
                 struct fl_err *err)
{
    struct reader r = {.v = v, .l = l, .at = text, .line = 1, .err = err};
    v->path = path;
    int bad = next(&r);
    while (!bad && r.kind) {
        if (is(&r, "module") || is(&r, "macromodule"))
            bad = module(&r);
        else if (is(&r, "primitive"))
            bad = pass_over(&r, "endprimitive");
        else
            bad = fail(&r, "'%.60s': module is expected; give a Verilog netlist", shown(&r));
    }
    if (!bad && v->modules == 0)
        bad = fl_fail(err, "%s: has no module besides cells of the library", path);
    if (!bad)
        mark_used(&r);
    for (uint32_t i = 0; i < r.mentions; i++)
        free(r.mentioned[i]);
    free(r.mentioned);
    fl_buf_free(&r.word);
    return bad ? -1 : 0;
}

static void free_module(struct vl_module *m)
{
    for (uint32_t i = 0; i < m->symbols; i++)
        free(m->symbol[i].name);
    for (uint32_t i = 0; i < m->pins; i++)
        free(m->pin[i].name);
    for (uint32_t i = 0; i < m->instances; i++) {
        free(m->instance[i].cell);
        free(m->instance[i].name);
    }
    void *const part[] = {m->symbol, m->slot, m->port,     m->net_symbol, m->bit,
                          m->pin,    m->name, m->instance, m->assign};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        free(part[i]);
}

void verilog_free(struct verilog *v)
{
    for (uint32_t i = 0; i < v->modules; i++)
        free_module(&v->module[i]);
    free(v->module);
    *v = (struct verilog){0};
}
