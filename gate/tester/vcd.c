/* vcd.c -- reads value changes of a simulation, VCD and extended VCD (IEEE 1364-2001, chapter 18), as patterns.
 *
 * Once a period, at the strobe, inputs and outputs are sampled:
 *
 *     $var wire 4 ! a [3:0] $end     #10 b0110 !         VCD
 *     $var port [3:0] <0 a $end      #10 pDUUD 6666 6666 <0   extended: who drives, and how strongly
 *
 * An output that is neither 0 nor 1 then is not observed; nor is one that the file does not have.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "applied.h"
#include "base/nearest.h"

enum { MOST_BITS = 1 << 16 }; /* of a variable that may be a port */
#define NO_BIT INT64_MIN

/* A port is input i of the netlist, or number of inputs + output. */
struct var {
    const char *code; /* in the text */
    uint32_t length, line;
    uint32_t scope, bits;
    char *name;       /* without a range */
    int64_t msb, lsb; /* of the range; msb < 0: none */
    uint32_t *port; /* [bits], the highest first; UINT32_MAX: none; NULL: not of the chosen scope */
    uint32_t next;  /* with the same code, in the scope that was chosen; UINT32_MAX: none */
};

struct reader {
    const char *path, *at;
    uint32_t line;
    const struct gate_netlist *n;
    const struct gate_reading *how;
    struct fl_err *err;
    const char *word; /* the token at hand, in the text */
    size_t length;
    uint32_t word_line;
    uint64_t unit;                      /* femtoseconds */
    char **scope;                       /* full names */
    uint32_t scopes, room_scopes, open; /* the scope that is open */
    uint32_t *parent, *scope_inputs, *scope_outputs;
    struct var *var;
    uint32_t vars, room_vars;
    struct gate_names ports, stems, codes; /* stems: of ports, without their index; how many bits */
    char **stem;
    struct gate_applied a;
    uint8_t *value; /* [inputs + outputs] levels */
    bool *has;      /* [inputs + outputs] in the chosen scope */
    char **code_name;
};

#define fail_at(r, line, ...) fl_fail_at((r)->err, (r)->path, line, __VA_ARGS__)
#define FAIL(r, ...)          fail_at(r, (r)->word_line, __VA_ARGS__)

/* The next word; false: the end. */
static bool next(struct reader *r)
{
    for (; isspace((unsigned char)*r->at); r->at++)
        r->line += *r->at == '\n';
    r->word = r->at;
    r->word_line = r->line;
    while (*r->at && !isspace((unsigned char)*r->at))
        r->at++;
    r->length = (size_t)(r->at - r->word);
    return r->length > 0;
}

static bool is(const struct reader *r, const char *word)
{
    return strlen(word) == r->length && memcmp(r->word, word, r->length) == 0;
}

/* To $end. */
static int skip_section(struct reader *r)
{
    uint32_t line = r->word_line;
    while (next(r))
        if (is(r, "$end"))
            return 0;
    return fail_at(r, line, "a section begins here and has no $end; the file is cut off");
}

/* ---- the head -------------------------------------------------------------------------------- */

static int read_timescale(struct reader *r)
{
    char text[32] = "";
    uint32_t line = r->word_line;
    while (next(r) && !is(r, "$end"))
        if (strlen(text) + r->length < sizeof text)
            strncat(text, r->word, r->length);
    if (gate_time(text, &r->unit) || r->unit == 0)
        return fail_at(
            r, line, "the timescale is '%s'; it is 1, 10 or 100 and s, ms, us, ns, ps or fs", text);
    return 0;
}

static int open_scope(struct reader *r)
{
    if (!next(r) || is(r, "$end") || !next(r) || is(r, "$end"))
        return FAIL(r, "$scope has a kind and a name: $scope module dut $end");
    FL_ROOM(r->scope, r->scopes, r->room_scopes, 16);
    r->parent = fl_grow(r->parent, r->room_scopes, sizeof *r->parent);
    char *name = r->open == UINT32_MAX
                     ? fl_format("%.*s", (int)(r->length > 200 ? 200 : r->length), r->word)
                     : fl_format("%s.%.*s", r->scope[r->open],
                                 (int)(r->length > 200 ? 200 : r->length), r->word);
    if (strlen(name) > 4096) {
        free(name);
        return FAIL(r, "scopes lie too deep in each other");
    }
    r->parent[r->scopes] = r->open;
    r->scope[r->scopes] = name;
    r->open = r->scopes++;
    return skip_section(r);
}

/* [7:0] or [3]; false: it is none. */
static bool range(const char *s, size_t length, int64_t *msb, int64_t *lsb)
{
    char text[48], *end;
    if (length < 3 || length >= sizeof text || s[0] != '[' || s[length - 1] != ']')
        return false;
    memcpy(text, s, length);
    text[length] = 0;
    long a = strtol(text + 1, &end, 10), b = a;
    if (end == text + 1)
        return false;
    if (*end == ':')
        b = strtol(end + 1, &end, 10);
    if (strcmp(end, "]") != 0 || labs(a) > INT32_MAX || labs(b) > INT32_MAX)
        return false;
    *msb = a;
    *lsb = b;
    return true;
}

/* $var KIND SIZE CODE NAME [RANGE] $end; the range of an extended VCD may stand for its size. */
static int read_var(struct reader *r)
{
    uint32_t line = r->word_line;
    struct var v = {
        .line = line, .scope = r->open, .msb = NO_BIT, .lsb = NO_BIT, .next = UINT32_MAX};
    bool ranged = false;
    int64_t size = 0;
    char *end;
    if (!next(r) || is(r, "$end") || !next(r) || is(r, "$end"))
        return fail_at(r, line, "a variable is $var KIND SIZE CODE NAME $end");
    if (range(r->word, r->length, &v.msb, &v.lsb)) {
        ranged = true;
    } else {
        size = strtol(r->word, &end, 10);
        if (end != r->at || size < 1 || size > INT32_MAX)
            return FAIL(r, "the size of a variable is a number from 1, or a range: '%.*s'",
                        (int)(r->length > 40 ? 40 : r->length), r->word);
    }
    if (!next(r) || is(r, "$end"))
        return fail_at(r, line, "a variable is $var KIND SIZE CODE NAME $end");
    v.code = r->word;
    v.length = (uint32_t)r->length;
    if (!next(r) || is(r, "$end"))
        return fail_at(r, line, "a variable is $var KIND SIZE CODE NAME $end");
    const char *name = r->word + (r->word[0] == '\\');
    size_t length = (size_t)(r->at - name);
    if (!next(r))
        return fail_at(r, line, "a variable is $var KIND SIZE CODE NAME $end");
    if (range(r->word, r->length, &v.msb, &v.lsb)) {
        ranged = true;
        if (!next(r))
            return fail_at(r, line, "$var has no $end; the file is cut off");
    }
    if (!is(r, "$end"))
        return FAIL(r, "a variable is $var KIND SIZE CODE NAME [RANGE] $end; '%.*s' is too much",
                    (int)(r->length > 40 ? 40 : r->length), r->word);
    const char *open = memchr(name, '[', length);
    if (!ranged && open && open > name &&
        range(open, (size_t)(name + length - open), &v.msb, &v.lsb)) {
        length = (size_t)(open - name);
        ranged = true;
    }
    if (!ranged && size > 1) {
        v.msb = size - 1;
        v.lsb = 0;
    }
    v.bits = v.msb == NO_BIT ? 1 : (uint32_t)(llabs(v.msb - v.lsb) + 1);
    v.name = fl_format("%.*s", (int)(length > 4096 ? 4096 : length), name);
    FL_ROOM(r->var, r->vars, r->room_vars, 64);
    r->var[r->vars++] = v;
    return 0;
}

static int read_head(struct reader *r)
{
    r->open = UINT32_MAX;
    while (next(r)) {
        int bad = 0;
        if (is(r, "$enddefinitions"))
            return skip_section(r);
        if (is(r, "$timescale"))
            bad = read_timescale(r);
        else if (is(r, "$scope"))
            bad = open_scope(r);
        else if (is(r, "$upscope")) {
            if (r->open == UINT32_MAX)
                return FAIL(r, "$upscope without a $scope");
            r->open = r->parent[r->open];
            bad = skip_section(r);
        } else if (is(r, "$var"))
            bad = read_var(r);
        else if (r->word[0] == '$')
            bad = skip_section(r);
        else
            return FAIL(r, "'%.*s' before $enddefinitions; is this a VCD file?",
                        (int)(r->length > 40 ? 40 : r->length), r->word);
        if (bad)
            return -1;
    }
    return fail_at(r, r->line, "the file ends before $enddefinitions; it is cut off");
}

/* ---- variables of the file and ports of the netlist ------------------------------------------- */

/* The port that a bit of a variable is; UINT32_MAX: none. */
static uint32_t port_of(const struct reader *r, const struct var *v, uint32_t bit)
{
    char text[4200];
    if (v->msb == NO_BIT)
        return gate_names_find(&r->ports, v->name, strlen(v->name));
    int64_t index = v->msb >= v->lsb ? v->msb - bit : v->msb + bit;
    int length = snprintf(text, sizeof text, "%s[%" PRId64 "]", v->name, index);
    uint32_t port = gate_names_find(&r->ports, text, (size_t)length);
    if (port == UINT32_MAX && v->bits == 1) /* a [0:0] of a port without a range */
        port = gate_names_find(&r->ports, v->name, strlen(v->name));
    return port;
}

/* How many bits of a variable may be ports. */
static uint32_t bits_of(const struct reader *r, const struct var *v)
{
    bool port = v->bits <= MOST_BITS &&
                gate_names_find(&r->stems, v->name, strlen(v->name)) != UINT32_MAX;
    return port ? v->bits : 0;
}

static int choose_scope(struct reader *r, uint32_t *chosen)
{
    const struct gate_netlist *n = r->n;
    uint32_t *ports = fl_alloc((r->scopes + 1) * sizeof *ports), best = UINT32_MAX, equal = 0;
    bool *inputs = fl_alloc((size_t)n->inputs + 1);
    for (uint32_t s = 0; s < r->scopes; s++) {
        if (r->how->scope && strcmp(r->how->scope, r->scope[s]) != 0)
            continue;
        uint32_t found = 0;
        memset(inputs, 0, n->inputs);
        for (uint32_t i = 0; i < r->vars; i++)
            for (uint32_t b = 0; r->var[i].scope == s && b < bits_of(r, &r->var[i]); b++) {
                uint32_t port = port_of(r, &r->var[i], b);
                ports[s] += port != UINT32_MAX;
                if (port < n->inputs && !inputs[port]) {
                    inputs[port] = true;
                    found++;
                }
            }
        if (found < n->inputs && !r->how->scope)
            continue;
        if (best != UINT32_MAX && ports[s] == ports[best])
            equal++;
        if (best == UINT32_MAX || ports[s] > ports[best]) {
            best = s;
            equal = 1;
        }
    }
    free(ports);
    free(inputs);
    *chosen = best;
    if (best == UINT32_MAX && r->how->scope) {
        struct fl_nearest near = {.typed = r->how->scope};
        for (uint32_t s = 0; s < r->scopes && s < 256; s++)
            fl_nearest_try(&near, r->scope[s], NULL);
        return fl_fail(r->err, "%s: there is no scope '%.200s'%s", r->path, r->how->scope,
                       near.hint);
    }
    if (best == UINT32_MAX)
        return fl_fail(r->err,
                       "%s: no scope has all inputs of the netlist; dump the ports of the unit, or "
                       "name its scope with --scope to see what is missing",
                       r->path);
    if (equal > 1)
        return fl_fail(r->err,
                       "%s: %u scopes have the ports of the netlist, %.200s the first; name one "
                       "with --scope",
                       r->path, equal, r->scope[best]);
    return 0;
}

/* Codes of the chosen scope to variables, and all inputs must be there. */
static int lay(struct reader *r, uint32_t scope)
{
    const struct gate_netlist *n = r->n;
    r->code_name = fl_alloc((r->vars + 1) * sizeof *r->code_name);
    for (uint32_t i = 0; i < r->vars; i++) {
        struct var *v = &r->var[i];
        uint32_t bits = bits_of(r, v);
        if (v->scope != scope || !bits)
            continue;
        v->port = fl_alloc(bits * sizeof *v->port);
        uint32_t found = 0, width = gate_names_find(&r->stems, v->name, strlen(v->name));
        for (uint32_t b = 0; b < bits; b++) {
            v->port[b] = port_of(r, v, b);
            found += v->port[b] != UINT32_MAX;
            if (v->port[b] != UINT32_MAX)
                r->has[v->port[b]] = true;
        }
        if (bits > 1 && (found < bits || bits < width))
            return fail_at(r, v->line,
                           "variable %.80s has %u bits, and the port of the netlist has %u, %u of "
                           "them with these numbers; dump the ports of this netlist",
                           v->name, bits, width, found);
        uint32_t first = gate_names_find(&r->codes, v->code, v->length);
        if (first != UINT32_MAX)
            v->next = first;
        r->code_name[i] = fl_format("%.*s", (int)v->length, v->code);
        gate_names_add(&r->codes, r->code_name[i], i);
    }
    for (uint32_t i = 0; i < n->inputs; i++)
        if (!r->has[i])
            return fl_fail(r->err,
                           "%s: scope %.200s has no variable for input '%.80s' of the netlist",
                           r->path, r->scope[scope], n->name[i]);
    return 0;
}

/* ---- changes --------------------------------------------------------------------------------- */

static uint8_t level_of(char c, bool output)
{
    if (output && strchr("DUduNZXT?xz", c)) /* driven from outside alone, or unknown */
        return GATE_UNKNOWN;
    return strchr("0DLdl", c) ? GATE_LOW : strchr("1UHuh", c) ? GATE_HIGH : GATE_UNKNOWN;
}

/* A variable gets these states, the highest bit first; shorter ones are extended. */
static int change(struct reader *r, const char *states, size_t count, const char *code,
                  size_t length)
{
    uint32_t i = gate_names_find(&r->codes, code, length);
    for (size_t k = 0; k < count; k++)
        if (!strchr("01xXzZDUNLHTdulhfFABCabcn?", states[k]) || !states[k])
            return FAIL(r, "'%c' is no state of a VCD", states[k]);
    for (; i != UINT32_MAX; i = r->var[i].next) {
        const struct var *v = &r->var[i];
        for (uint32_t b = 0; b < v->bits; b++) {
            uint32_t port = v->port[b], from_end = v->bits - 1 - b;
            char c = from_end < count   ? states[count - 1 - from_end]
                     : states[0] == '1' ? '0'
                                        : states[0];
            if (port != UINT32_MAX)
                r->value[port] = level_of(c, port >= r->n->inputs);
        }
    }
    return 0;
}

static int sample(struct reader *r)
{
    const struct gate_netlist *n = r->n;
    memcpy(r->a.input, r->value, n->inputs);
    for (uint32_t o = 0; o < n->outputs; o++)
        r->a.expect[o] = r->a.all ? GATE_UNKNOWN : r->value[n->inputs + o];
    r->a.edge = n->flops > 0;
    r->a.line = r->word_line;
    int bad = gate_apply(&r->a);
    if (bad)
        return FAIL(r, "more than %u periods; is --period right?", r->a.most);
    return 0;
}

/* `due`: when the next sample is. */
static int advance(struct reader *r, uint64_t *due, uint64_t *now)
{
    char *end;
    uint64_t t = strtoull(r->word + 1, &end, 10);
    if (end != r->at || r->length < 2 || !isdigit((unsigned char)r->word[1]) ||
        t > UINT64_MAX / 2 / r->unit)
        return FAIL(r, "a time is # and a number; '%.*s' is none",
                    (int)(r->length > 40 ? 40 : r->length), r->word);
    t *= r->unit;
    if (t < *now)
        return FAIL(r, "time goes back here; times of a VCD ascend");
    if (*due < t && (t - *due) / r->how->period >= r->a.most)
        return FAIL(r, "more than %u periods; is --period right?", r->a.most);
    for (*now = t; *due < t; *due += r->how->period)
        if (sample(r))
            return -1;
    return 0;
}

static int read_changes(struct reader *r)
{
    uint64_t due = r->how->strobe, now = 0;
    while (next(r)) {
        const char *word = r->word;
        size_t length = r->length;
        int bad = 0;
        switch (*word) {
        case '#': bad = advance(r, &due, &now); break;
        case '$':
            if (is(r, "$comment") || is(r, "$vcdclose"))
                bad = skip_section(r);
            break; /* $dumpvars, $dumpports, $end: changes as others */
        case 'b':
        case 'B':
            if (!next(r))
                return fail_at(r, r->line, "a change without a code; the file is cut off");
            bad = length < 2 ? FAIL(r, "b without states")
                             : change(r, word + 1, length - 1, r->word, r->length);
            break;
        case 'r':
        case 'R':
        case 's':
        case 'S':
            if (!next(r))
                return fail_at(r, r->line, "a change without a code; the file is cut off");
            break;
        case 'p':
            if (!next(r) || !next(r) || !next(r))
                return fail_at(r, r->line,
                               "a change of a port is pSTATES 6 6 CODE; the file is cut off");
            bad = length < 2 ? FAIL(r, "p without states")
                             : change(r, word + 1, length - 1, r->word, r->length);
            break;
        case '0':
        case '1':
        case 'x':
        case 'X':
        case 'z':
        case 'Z':
            if (length < 2)
                return FAIL(r, "'%c' without a code", *word);
            bad = change(r, word, 1, word + 1, length - 1);
            break;
        default:
            return FAIL(r, "'%.*s' is no change of a value", (int)(length > 40 ? 40 : length),
                        word);
        }
        if (bad)
            return -1;
    }
    /* the end of the file is the time of its last change: a strobe there sees it */
    return due == now && now > 0 ? sample(r) : 0;
}

static void note(struct reader *r, uint32_t scope, uint32_t missing, struct fl_buf *notes)
{
    fl_buf_printf(notes, "scope %s\n", r->scope[scope]);
    if (missing && missing < r->n->outputs)
        fl_buf_printf(notes, "%u of %u outputs are not in this scope, and not observed\n", missing,
                      r->n->outputs);
    if (missing == r->n->outputs)
        fl_buf_printf(notes, "no output is in this scope: all are observed in every period\n");
    if (r->a.unknown)
        fl_buf_printf(notes, "%" PRIu64 " values of inputs are neither 0 nor 1, and read as 0\n",
                      r->a.unknown);
}

static void free_reader(struct reader *r)
{
    for (uint32_t i = 0; i < r->vars; i++) {
        free(r->var[i].name);
        free(r->var[i].port);
        if (r->code_name)
            free(r->code_name[i]);
    }
    for (uint32_t i = 0; i < r->scopes; i++)
        free(r->scope[i]);
    gate_names_free(&r->ports);
    gate_names_free(&r->codes);
    gate_names_free(&r->stems);
    for (uint32_t i = 0; i < r->n->inputs + r->n->outputs && r->stem; i++)
        free(r->stem[i]);
    free(r->stem);
    free(r->code_name);
    free(r->scope);
    free(r->parent);
    free(r->var);
    free(r->value);
    free(r->has);
}

int gate_vcd_read(const char *path, const char *text, const struct gate_netlist *n,
                  const struct gate_reading *how, struct gate_patterns *out, struct fl_buf *notes,
                  struct fl_err *err)
{
    struct reader r = {.path = path, .at = text, .line = 1, .n = n, .how = how, .err = err};
    uint32_t scope = 0, missing = 0;
    if (how->period == 0)
        return fl_fail(
            err,
            "%s: a VCD has times and no patterns; say how long a cycle is and when it is "
            "sampled: --period 10ns --strobe 9ns",
            path);
    if (how->period > UINT64_MAX / 4 || how->strobe > UINT64_MAX / 4)
        return fl_fail(err, "%s: --period and --strobe are at most %d s", path, 4000);
    if (how->scan == GATE_SCAN && n->flops)
        return fl_fail(err, "%s: a VCD has values cycle by cycle, and does not set flip-flops; %s",
                       path, how->sets_flops ? "give patterns of full scan" : "use --engine mixed");
    r.unit = 1000000; /* 1 ns, where the file says nothing */
    r.value = fl_alloc((size_t)n->inputs + n->outputs + 1);
    r.has = fl_alloc((size_t)n->inputs + n->outputs + 1);
    memset(r.value, GATE_UNKNOWN, (size_t)n->inputs + n->outputs);
    r.stem = fl_alloc(((size_t)n->inputs + n->outputs) * sizeof *r.stem);
    for (uint32_t i = n->inputs + n->outputs;
         i-- > 0;) { /* an input before an output of its name */
        const char *name = i < n->inputs ? n->name[i] : n->output_name[i - n->inputs];
        r.stem[i] = fl_format("%.*s", (int)strcspn(name, "["), name);
        gate_names_add(&r.ports, name, i);
        uint32_t bits = gate_names_find(&r.stems, r.stem[i], strlen(r.stem[i])); /* so far */
        gate_names_add(&r.stems, r.stem[i], bits == UINT32_MAX ? 1 : bits + 1);
    }
    int bad = read_head(&r) || choose_scope(&r, &scope) || lay(&r, scope);
    for (uint32_t o = 0; o < n->outputs; o++)
        missing += !r.has[n->inputs + o];
    gate_applied_new(&r.a, n, false, how->pairs);
    r.a.all = missing == n->outputs;
    r.a.keep = r.a.apart = true;
    r.a.most = how->most ? how->most : GATE_MOST_PATTERNS;
    if (!bad)
        bad = read_changes(&r);
    if (!bad && r.a.p.count == 0)
        bad = fl_fail(err, "%s: it ends before the first strobe; is --strobe right?", path);
    if (!bad) {
        note(&r, scope, missing, notes);
        *out = gate_applied_end(&r.a);
    } else {
        gate_applied_free(&r.a);
    }
    free_reader(&r);
    return bad ? -1 : 0;
}
