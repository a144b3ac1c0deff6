/* stil.c -- reads STIL (IEEE 1450.0-1999) as generators of test patterns write it, scan included.
 *
 * First all blocks of the file are noted: signals, groups, waveforms, scan chains, and where procedures, macros and
 * patterns begin. Then the patterns run: each vector sets the state of all signals and is applied (applied.h).
 *
 *     V { "_pi" = 01P \r3 0; "_po" = LHX; }     Call "load_unload" { "si" = 0110; "so" = LHLL; }     Loop 5 { ... }
 *
 * In a procedure, # takes the next state that the call gives to the signal, % the same one again. Shift repeats its
 * vectors as long as there are states for one of its #. By cycles each of these vectors is applied; of a scan design
 * they are not, and their states are laid to flip-flops by the cells of the chains (ScanStructures).
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "applied.h"
#include "base/nearest.h"

enum { NEAREST_ROOM = 256, MOST_DEPTH = 16, MOST_SIGNALS = 1 << 20, CODES = 128 };

/* What a state of a signal (a letter) does in a vector: bits. */
enum {
    DRIVE_LOW = 1,
    DRIVE_HIGH = 2,
    DRIVE_UNKNOWN = 3, /* the two bits of what the signal is set to; 0: nothing */
    PULSE = 4,         /* and then to the other value, and back */
    SEE_LOW = 8,
    SEE_HIGH = 16, /* what is compared */
    KNOWN = 128    /* the waveform table says so */
};

struct place {
    const char *at;
    uint32_t line;
};

struct signal {
    char *name;
    enum { IN, OUT, BOTH, OTHER } kind;
    uint32_t input, output; /* of the netlist; UINT32_MAX: none */
    bool scan_in;
    bool pulses, low, high;    /* somewhere in the patterns */
    bool moves_clock, falling; /* a clock without pulses: an edge where its level changes */
    uint8_t level;             /* of it, in the last vector */
    char state;                /* 0: none yet */
};

struct group {
    char *name, *domain;
    uint32_t *signal, signals;
};

struct table { /* of waveforms */
    char *name;
    uint8_t **code; /* [signals] of CODES letters; NULL: as usual */
    uint32_t signals;
};

struct body { /* of a procedure, a macro or a pattern: behind its brace */
    char *name, *domain;
    enum { PROCEDURE, MACRO, PATTERN } kind;
    struct place place;
    bool shifts;
};

struct chain {
    char *name, *domain;
    uint32_t in, out, line; /* signals; UINT32_MAX: none */
    uint32_t length;        /* ScanLength; 0: not said */
    struct cell {
        char *name;
        bool inverted; /* an inversion behind it */
        uint32_t flop, line;
    } * cell; /* the first is the one that the scan input feeds */
    uint32_t cells, room;
    bool inverted; /* an inversion before the first cell */
};

struct burst {
    char *name, *domain[4], **pattern;
    uint32_t patterns, room;
};

/* What a call gives to a signal. */
struct given {
    char *states;
    uint32_t length, next;
    uint32_t wait; /* shifts before the first: a chain that is shorter than others */
};

struct reader {
    const char *path, *text;
    const struct gate_netlist *n;
    const struct gate_reading *how;
    struct fl_err *err;
    struct fl_buf *notes;
    /* the token at hand */
    struct place at;
    uint32_t token_line;
    enum { END, NAME, MARK } token;
    bool quoted, apostrophes;
    char *word;
    size_t length, room;
    /* blocks */
    struct signal *signal;
    uint32_t signals, room_signals;
    struct gate_names signal_names;
    struct group *group;
    uint32_t groups, room_groups;
    struct table *table;
    uint32_t tables, room_tables;
    struct body *body;
    uint32_t bodies, room_bodies;
    struct chain *chain;
    uint32_t chains, room_chains;
    struct burst *burst;
    uint32_t bursts, room_bursts;
    char *exec;                 /* the burst that PatternExec names */
    const struct burst *chosen; /* NULL: all patterns of the file */
    /* the block that is being read */
    char *domain;
    struct members *members;
    /* running */
    struct gate_applied a;
    uint32_t wave; /* the table at hand; UINT32_MAX: none yet */
    uint32_t depth, line;
    uint32_t steps;
    bool any_pulse, dry;               /* dry: only looks which signals pulse */
    bool stop, scan, levels, no_clock; /* levels: clocks move without pulses */
    uint64_t async_pulses;
    struct given *given;
};

enum { DOMAIN_GROUPS, DOMAIN_PROCEDURES, DOMAIN_MACROS, DOMAIN_SCAN };

#define fail_at(r, line, ...) fl_fail_at((r)->err, (r)->path, line, __VA_ARGS__)
#define FAIL(r, ...)          fail_at(r, (r)->token_line, __VA_ARGS__)

/* ---- tokens ---------------------------------------------------------------------------------- */

static void skip_blanks(struct place *p)
{
    for (;; p->at++) {
        const char *end = NULL;
        if (p->at[0] == '/' && p->at[1] == '/') {
            end = p->at + strcspn(p->at, "\n");
        } else if (p->at[0] == '/' && p->at[1] == '*') {
            end = strstr(p->at + 2, "*/");
            end = end ? end + 2 : p->at + strlen(p->at);
        }
        for (; end && p->at < end; p->at++)
            p->line += *p->at == '\n';
        if (end && (*p->at == '/' || !*p->at)) { /* another remark, or the end */
            p->at--;
            continue;
        }
        if (!*p->at || !isspace((unsigned char)*p->at))
            return;
        p->line += *p->at == '\n';
    }
}

static void keep(struct reader *r, const char *from, size_t length)
{
    if (length + 1 > r->room)
        r->word = fl_grow(r->word, r->room = 2 * (length + 1), 1);
    memcpy(r->word, from, length);
    r->word[length] = 0;
    r->length = length;
}

static bool is_mark(char c)
{
    return c && strchr("{};:=+-!,()", c) != NULL;
}

/* Reads the next token; -1: a quotation without an end. */
static int next(struct reader *r)
{
    skip_blanks(&r->at);
    const char *s = r->at.at;
    r->token_line = r->at.line;
    r->quoted = r->apostrophes = false;
    if (!*s) {
        r->token = END;
        keep(r, "", 0);
        return 0;
    }
    if (*s == '"' || *s == '\'') {
        const char *end = strchr(s + 1, *s);
        if (!end)
            return FAIL(r, "a quotation that begins here has no end; add the second %c", *s);
        keep(r, s + 1, (size_t)(end - s - 1));
        for (const char *c = s; c < end; c++)
            r->at.line += *c == '\n';
        r->at.at = end + 1;
        r->token = NAME;
        r->quoted = *s == '"';
        r->apostrophes = *s == '\'';
        return 0;
    }
    size_t n = 1;
    r->token = MARK;
    if (!is_mark(*s)) {
        r->token = NAME;
        while (s[n] && !isspace((unsigned char)s[n]) && !is_mark(s[n]) && s[n] != '"' &&
               s[n] != '\'')
            n++;
    }
    keep(r, s, n);
    r->at.at = s + n;
    return 0;
}

static bool is_mark_token(const struct reader *r, char c)
{
    return r->token == MARK && r->word[0] == c;
}

static bool is_word(const struct reader *r, const char *word)
{
    return r->token == NAME && !r->quoted && !r->apostrophes && strcmp(r->word, word) == 0;
}

static int expect(struct reader *r, char c)
{
    if (next(r))
        return -1;
    if (!is_mark_token(r, c))
        return FAIL(r, "'%c' expected, '%.40s' found", c, r->token == END ? "the end" : r->word);
    return 0;
}

/* Ann {* ... *}: its text may hold anything. `at` is behind Ann. */
static int skip_annotation(struct reader *r)
{
    skip_blanks(&r->at);
    uint32_t line = r->at.line;
    const char *end = r->at.at[0] == '{' ? strstr(r->at.at, "*}") : NULL;
    if (!end || r->at.at[1] != '*')
        return fail_at(r, line, "an annotation is Ann {* text *}; this one is not, or has no end");
    for (; r->at.at < end + 2; r->at.at++)
        r->at.line += *r->at.at == '\n';
    return 0;
}

/* To the brace that closes the one just read. */
static int skip_block(struct reader *r)
{
    uint32_t line = r->token_line, depth = 1;
    while (depth) {
        if (next(r))
            return -1;
        if (r->token == END)
            return fail_at(r, line,
                           "the block that begins here is not closed; the file ends in "
                           "it: it is cut off, or lacks a '}'");
        if (is_word(r, "Ann") && skip_annotation(r))
            return -1;
        depth += is_mark_token(r, '{');
        depth -= is_mark_token(r, '}');
    }
    return 0;
}

/* The rest of a statement that means nothing here: to its ';' or over its block. */
static int skip_statement(struct reader *r)
{
    for (;;) {
        if (is_mark_token(r, ';') || r->token == END)
            return 0;
        if (is_mark_token(r, '{'))
            return skip_block(r);
        if (is_mark_token(r, '}'))
            return FAIL(r, "a statement ends with ';', and this one does not");
        if (next(r))
            return -1;
    }
}

/* ---- signals and groups ---------------------------------------------------------------------- */

static uint32_t add_signal(struct reader *r, const char *name)
{
    FL_ROOM(r->signal, r->signals, r->room_signals, 64);
    r->signal[r->signals] = (struct signal){
        .name = fl_strdup(name), .input = UINT32_MAX, .output = UINT32_MAX};
    gate_names_add(&r->signal_names, r->signal[r->signals].name, r->signals);
    return r->signals++;
}

/* name[7..0] is eight names; how many, and the first and the step, or 0: one name. */
static uint32_t range_of(const char *name, size_t *stem, long *from, int *step)
{
    const char *open = strchr(name, '['), *dots = open ? strstr(open, "..") : NULL;
    char *end;
    if (!dots || !isdigit((unsigned char)open[1]) || !isdigit((unsigned char)dots[2]))
        return 0;
    long a = strtol(open + 1, &end, 10), b = end == dots ? strtol(dots + 2, &end, 10) : -1;
    if (b < 0 || strcmp(end, "]") != 0 || a > MOST_SIGNALS || b > MOST_SIGNALS)
        return 0;
    *stem = (size_t)(open - name);
    *from = a;
    *step = a <= b ? 1 : -1;
    return (uint32_t)(labs(a - b) + 1);
}

static int read_signal(struct reader *r)
{
    size_t stem = 0;
    long from = 0;
    int step = 0;
    char *name = fl_strdup(r->word);
    uint32_t count = range_of(name, &stem, &from, &step), first = r->signals;
    if (r->signals + count >= MOST_SIGNALS) {
        free(name);
        return FAIL(r, "more than %d signals; is this a STIL file?", MOST_SIGNALS - 1);
    }
    for (uint32_t i = 0; i < (count ? count : 1); i++) {
        char *one = count ? fl_format("%.*s[%ld]", (int)stem, name, from + step * (long)i)
                          : fl_strdup(name);
        bool twice = gate_names_find(&r->signal_names, one, strlen(one)) != UINT32_MAX;
        if (!twice)
            add_signal(r, one);
        else
            FAIL(r, "signal '%.80s' is here twice; remove one of them", one);
        free(one);
        if (twice) {
            free(name);
            return -1;
        }
    }
    if (count) { /* the name without bits means all of them */
        char *whole = fl_format("%.*s", (int)stem, name);
        FL_ROOM(r->group, r->groups, r->room_groups, 32);
        struct group *g = &r->group[r->groups++];
        *g = (struct group){.name = whole, .domain = fl_strdup("")};
        g->signal = fl_alloc(count * sizeof *g->signal);
        for (uint32_t i = 0; i < count; i++)
            g->signal[g->signals++] = first + i;
    }
    free(name);
    if (next(r))
        return -1;
    static const char *const kind[] = {"In", "Out", "InOut"};
    int k = OTHER;
    for (int i = 0; i < 3; i++)
        if (is_word(r, kind[i]))
            k = i;
    if (k == OTHER && !is_word(r, "Pseudo") && !is_word(r, "Supply"))
        return FAIL(r, "a signal is In, Out, InOut, Supply or Pseudo, not '%.40s': \"NAME\" In;",
                    r->word);
    for (uint32_t i = first; i < r->signals; i++)
        r->signal[i].kind = k == IN ? IN : k == OUT ? OUT : k == BOTH ? BOTH : OTHER;
    if (next(r))
        return -1;
    return skip_statement(r);
}

static int each_in_block(struct reader *r, int (*read)(struct reader *r))
{
    for (;;) {
        if (next(r))
            return -1;
        if (is_mark_token(r, '}'))
            return 0;
        if (r->token == END)
            return FAIL(r, "the file ends in a block: it is cut off, or lacks a '}'");
        if (is_mark_token(r, ';'))
            continue;
        if (is_word(r, "Ann")) {
            if (skip_annotation(r))
                return -1;
            continue;
        }
        if (r->token != NAME)
            return FAIL(r, "a name expected, '%.40s' found", r->word);
        if (read(r))
            return -1;
    }
}

/* Of several with one name: that of the domain which the burst selects, else one without a domain, else the last. */
static int rank(const struct reader *r, int kind, const char *of)
{
    const char *selected = r->chosen ? r->chosen->domain[kind] : NULL;
    return selected && strcmp(of, selected) == 0 ? 2 : !*of;
}

static const struct group *find_group(const struct reader *r, const char *name)
{
    const struct group *best = NULL;
    int most = -1;
    for (uint32_t i = 0; i < r->groups; i++)
        if (strcmp(r->group[i].name, name) == 0 &&
            rank(r, DOMAIN_GROUPS, r->group[i].domain) >= most) {
            best = &r->group[i];
            most = rank(r, DOMAIN_GROUPS, best->domain);
        }
    return best;
}

/* Signals of an expression: names of signals and groups with + and -. */
struct members {
    uint32_t *signal, count, room;
};

static int add_members(struct reader *r, struct members *m, const char *name, size_t length,
                       bool minus)
{
    char *copy = fl_format("%.*s", (int)length, name);
    uint32_t one = gate_names_find(&r->signal_names, copy, length), stem_signals = 0;
    const struct group *g = one == UINT32_MAX ? find_group(r, copy) : NULL;
    const uint32_t *from = g ? g->signal : &one;
    uint32_t count = g ? g->signals : one != UINT32_MAX, bit, step_bits;
    uint32_t *bits = NULL;
    size_t stem = 0;
    long first = 0;
    int step = 0;
    if (!count && !g && (step_bits = range_of(copy, &stem, &first, &step)) > 0) { /* a[3..0] */
        bits = fl_alloc(step_bits * sizeof *bits);
        for (uint32_t i = 0; i < step_bits; i++) {
            char *of = fl_format("%.*s[%ld]", (int)stem, copy, first + step * (long)i);
            bit = gate_names_find(&r->signal_names, of, strlen(of));
            free(of);
            if (bit == UINT32_MAX)
                break;
            bits[stem_signals++] = bit;
        }
        if (stem_signals == step_bits) {
            from = bits;
            count = step_bits;
        }
    }
    int bad = 0;
    if (!count && !g) {
        struct fl_nearest near = {.typed = copy};
        for (uint32_t i = 0; i < r->signals && r->signals < NEAREST_ROOM; i++)
            fl_nearest_try(&near, r->signal[i].name, NULL);
        for (uint32_t i = 0; i < r->groups && r->groups < NEAREST_ROOM; i++)
            fl_nearest_try(&near, r->group[i].name, NULL);
        bad = FAIL(r,
                   "there is no signal and no group '%.80s'%s; declare it in Signals or "
                   "SignalGroups",
                   copy, near.hint);
    }
    if (!bad && m->count + (uint64_t)count > MOST_SIGNALS)
        bad = FAIL(r, "a group has more than %d signals", MOST_SIGNALS);
    for (uint32_t i = 0; i < count && !bad; i++) {
        if (!minus) {
            FL_ROOM(m->signal, m->count, m->room, 16);
            m->signal[m->count++] = from[i];
            continue;
        }
        uint32_t kept = 0;
        for (uint32_t k = 0; k < m->count; k++)
            if (m->signal[k] != from[i])
                m->signal[kept++] = m->signal[k];
        m->count = kept;
    }
    free(bits);
    free(copy);
    return bad;
}

static int read_expression(struct reader *r, const char *text, struct members *m)
{
    bool minus = false, sign = true;
    for (const char *s = text;;) {
        s += strspn(s, " \t\r\n()");
        if (!*s)
            break;
        if (*s == '+' || *s == '-') {
            minus = *s++ == '-';
            sign = true;
            continue;
        }
        size_t length = *s == '"' ? strcspn(s + 1, "\"") : strcspn(s, " \t\r\n()+-\"");
        if (!sign)
            return FAIL(r, "names of a group are joined by + or -: '%.60s'", s);
        if (add_members(r, m, s + (*s == '"'), length, minus))
            return -1;
        s += length + (*s == '"');
        s += *s == '"';
        sign = minus = false;
    }
    return 0;
}

static int read_group(struct reader *r)
{
    char *name = fl_strdup(r->word);
    struct members m = {0};
    int bad = expect(r, '=') || next(r);
    if (!bad && r->token != NAME)
        bad = FAIL(r, "group '%.80s' is no expression: \"%.80s\" = '\"a\" + \"b\"';", name, name);
    if (!bad) {
        char *text = fl_strdup(r->word);
        bad = r->apostrophes ? read_expression(r, text, &m)
                             : add_members(r, &m, text, strlen(text), false);
        free(text);
    }
    if (!bad) {
        FL_ROOM(r->group, r->groups, r->room_groups, 32);
        r->group[r->groups++] = (struct group){name, fl_strdup(r->domain), m.signal, m.count};
        return next(r) || skip_statement(r) ? -1 : 0;
    }
    free(name);
    free(m.signal);
    return -1;
}

/* ---- waveforms ------------------------------------------------------------------------------- */

/* The letter of an event, also of one written out. */
static char event_letter(const char *word, size_t length)
{
    static const struct {
        const char *word;
        char letter;
    } events[] = {{"ForceDown", 'D'},        {"ForceUp", 'U'},          {"ForceOff", 'Z'},
                  {"ForcePrior", 'P'},       {"ForceUnknown", 'N'},     {"CompareLow", 'L'},
                  {"CompareHigh", 'H'},      {"CompareUnknown", 'X'},   {"CompareOff", 'T'},
                  {"CompareLowWindow", 'L'}, {"CompareHighWindow", 'H'}};
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        if (strlen(events[i].word) == length && memcmp(events[i].word, word, length) == 0)
            return events[i].letter;
    return length == 1 && strchr("DUZPNLHXTlht", *word) ? *word : 0;
}

/* What a row of events does: KNOWN and other bits. */
static uint8_t code_of_events(const char *events, char letter)
{
    uint8_t code = KNOWN;
    char drive[3] = {0};
    int drives = 0;
    for (; *events; events++) {
        char e = *events;
        if (e == 'L' || e == 'l')
            code = (uint8_t)((code & ~(SEE_LOW | SEE_HIGH)) | SEE_LOW);
        if (e == 'H' || e == 'h')
            code = (uint8_t)((code & ~(SEE_LOW | SEE_HIGH)) | SEE_HIGH);
        if (strchr("DUZN", e) && (drives == 0 || drive[drives - 1] != e)) {
            if (drives == 3)
                drive[2] = e;
            else
                drive[drives++] = e;
        }
    }
    bool both = drives >= 2 && strchr("DU", drive[0]) && strchr("DU", drive[1]);
    bool pulse = both && (drives == 3 ? drive[2] == drive[0] : letter != '0' && letter != '1');
    char value = drives ? drive[drives - 1] : 0;
    code |= value == 'D' ? DRIVE_LOW : value == 'U' ? DRIVE_HIGH : value ? DRIVE_UNKNOWN : 0;
    return (uint8_t)(code | (pulse ? PULSE : 0));
}

/* 01Z { '0ns' D/U/Z; } of the signals of r->members. */
static int read_waveform(struct reader *r)
{
    enum { LETTERS = 64, EVENTS = 32 };
    char letters[LETTERS + 1], events[LETTERS][EVENTS + 1] = {{0}};
    size_t count = r->length;
    struct table *t = &r->table[r->tables - 1];
    if (is_word(r, "InheritWaveform") || is_word(r, "SubWaveforms"))
        return next(r) || skip_statement(r) ? -1 : 0;
    for (size_t i = 0; i < count; i++)
        if (count > LETTERS || (uint8_t)r->word[i] >= CODES)
            return FAIL(r, "a waveform begins with its letters, as in 01Z { '0ns' D/U/Z; }");
    memcpy(letters, r->word, count + 1);
    if (expect(r, '{'))
        return -1;
    size_t column = 0; /* of the alternatives of one time */
    for (;;) {
        if (next(r))
            return -1;
        if (is_mark_token(r, '}'))
            break;
        if (is_mark_token(r, ';')) {
            column = 0;
            continue;
        }
        if (r->token == END || is_mark_token(r, '{'))
            return FAIL(r, "the waveform of '%.40s' is not closed", letters);
        if (r->token != NAME || r->apostrophes || r->quoted)
            continue; /* a time, a label's colon */
        for (const char *s = r->word; *s;) {
            size_t n = strcspn(s, "/");
            char e = event_letter(s, n);
            for (size_t k = 0; e && k < count; k++) {
                size_t at = strlen(events[k]);
                /* one event is that of all letters, several are one a letter */
                if (column == 0 ? true : k >= column) {
                    if (column && at)
                        events[k][at - 1] = e;
                    else if (at < EVENTS)
                        events[k][at] = e;
                }
            }
            column += e != 0;
            s += n + (s[n] == '/');
        }
    }
    for (uint32_t i = 0; i < r->members->count; i++) {
        uint8_t **code = &t->code[r->members->signal[i]];
        if (!*code)
            *code = fl_alloc(CODES);
        for (size_t k = 0; k < count; k++)
            (*code)[(uint8_t)letters[k]] = code_of_events(events[k], letters[k]);
    }
    return 0;
}

static int read_waveforms(struct reader *r)
{
    struct members m = {0};
    char *name = fl_strdup(r->word);
    int bad = r->apostrophes ? read_expression(r, name, &m)
                             : add_members(r, &m, name, strlen(name), false);
    free(name);
    r->members = &m;
    if (!bad)
        bad = expect(r, '{') || each_in_block(r, read_waveform);
    free(m.signal);
    return bad;
}

static int read_in_table(struct reader *r)
{
    if (!is_word(r, "Waveforms"))
        return next(r) || skip_statement(r) ? -1 : 0;
    return expect(r, '{') || each_in_block(r, read_waveforms) ? -1 : 0;
}

static int read_timing(struct reader *r)
{
    if (!is_word(r, "WaveformTable"))
        return next(r) || skip_statement(r) ? -1 : 0;
    if (next(r))
        return -1;
    FL_ROOM(r->table, r->tables, r->room_tables, 8);
    struct table *t = &r->table[r->tables++];
    *t = (struct table){fl_strdup(r->word), fl_alloc(r->signals * sizeof *t->code), r->signals};
    return expect(r, '{') || each_in_block(r, read_in_table) ? -1 : 0;
}

/* ---- scan chains ----------------------------------------------------------------------------- */

static void add_cell(struct chain *c, const char *name, uint32_t line)
{
    FL_ROOM(c->cell, c->cells, c->room, 64);
    c->cell[c->cells++] = (struct cell){fl_strdup(name), false, UINT32_MAX, line};
}

/* Names with ! where the chain inverts, in a block or to a semicolon. */
static int read_cells(struct reader *r, struct chain *c)
{
    bool block = false;
    for (uint32_t line = r->token_line;;) {
        if (next(r))
            return -1;
        if (is_mark_token(r, '{') && !block && !c->cells) {
            block = true;
        } else if (is_mark_token(r, '!')) {
            if (c->cells)
                c->cell[c->cells - 1].inverted ^= true;
            else
                c->inverted ^= true;
        } else if (r->token == NAME) {
            if (c->cells == MOST_SIGNALS)
                return FAIL(r, "a chain has more than %d cells", MOST_SIGNALS);
            size_t stem;
            long from;
            int step;
            uint32_t count = range_of(r->word, &stem, &from, &step);
            if (count + c->cells > MOST_SIGNALS)
                return FAIL(r, "a chain has more than %d cells", MOST_SIGNALS);
            for (uint32_t i = 0; i < count; i++) {
                char *one = fl_format("%.*s[%ld]", (int)stem, r->word, from + step * (long)i);
                add_cell(c, one, r->token_line);
                free(one);
            }
            if (!count)
                add_cell(c, r->word, r->token_line);
        } else if (is_mark_token(r, ';') && block) {
            continue;
        } else if (is_mark_token(r, block ? '}' : ';')) {
            return 0;
        } else {
            return fail_at(r, line,
                           "ScanCells are names, with ! where the chain inverts, up to "
                           "';'; these are not");
        }
    }
}

static int read_in_chain(struct reader *r)
{
    struct chain *c = &r->chain[r->chains - 1];
    bool in = is_word(r, "ScanIn"), out = is_word(r, "ScanOut"), length = is_word(r, "ScanLength");
    if (is_word(r, "ScanCells"))
        return read_cells(r, c);
    if (next(r))
        return -1;
    if ((in || out) && r->token == NAME) {
        uint32_t signal = gate_names_find(&r->signal_names, r->word, r->length);
        if (signal == UINT32_MAX)
            return FAIL(r, "chain '%.80s': '%.80s' is no signal; declare it in Signals", c->name,
                        r->word);
        *(in ? &c->in : &c->out) = signal;
    }
    if (length && r->token == NAME)
        c->length = (uint32_t)strtoul(r->word, NULL, 10);
    return skip_statement(r);
}

static int read_chain(struct reader *r)
{
    if (!is_word(r, "ScanChain"))
        return next(r) || skip_statement(r) ? -1 : 0;
    if (next(r))
        return -1;
    FL_ROOM(r->chain, r->chains, r->room_chains, 8);
    r->chain[r->chains++] = (struct chain){.name = fl_strdup(r->word),
                                           .domain = fl_strdup(r->domain),
                                           .in = UINT32_MAX,
                                           .out = UINT32_MAX,
                                           .line = r->token_line};
    return expect(r, '{') || each_in_block(r, read_in_chain) ? -1 : 0;
}

/* ---- where procedures, macros and patterns begin; bursts ------------------------------------- */

/* Behind the name: the brace is next. */
static int note_body(struct reader *r, const char *name, int kind)
{
    FL_ROOM(r->body, r->bodies, r->room_bodies, 16);
    struct body *b = &r->body[r->bodies++];
    *b = (struct body){.name = fl_strdup(name), .domain = fl_strdup(r->domain), .kind = kind};
    if (expect(r, '{'))
        return -1;
    b->place = r->at;
    uint32_t line = r->token_line;
    for (uint32_t depth = 1; depth;) {
        if (next(r))
            return -1;
        if (r->token == END)
            return fail_at(r, line,
                           "'%.80s' begins here and is not closed; the file ends in it: it "
                           "is cut off, or lacks a '}'",
                           name);
        if (is_word(r, "Ann") && skip_annotation(r))
            return -1;
        b->shifts |= is_word(r, "Shift");
        depth += is_mark_token(r, '{');
        depth -= is_mark_token(r, '}');
    }
    return 0;
}

static int read_procedure(struct reader *r)
{
    char *name = fl_strdup(r->word);
    int bad = note_body(r, name, PROCEDURE);
    free(name);
    return bad;
}

static int read_macro(struct reader *r)
{
    char *name = fl_strdup(r->word);
    int bad = note_body(r, name, MACRO);
    free(name);
    return bad;
}

static int read_listed_pattern(struct reader *r)
{
    struct burst *b = &r->burst[r->bursts - 1];
    FL_ROOM(b->pattern, b->patterns, b->room, 4);
    b->pattern[b->patterns++] = fl_strdup(r->word);
    return next(r) || skip_statement(r) ? -1 : 0;
}

static int read_in_burst(struct reader *r)
{
    static const char *const kind[] = {"SignalGroups", "Procedures", "MacroDefs", "ScanStructures"};
    struct burst *b = &r->burst[r->bursts - 1];
    if (is_word(r, "PatList"))
        return expect(r, '{') || each_in_block(r, read_listed_pattern) ? -1 : 0;
    if (is_word(r, "ParallelPatList") || is_word(r, "PatSet"))
        return FAIL(r, "%s is not supported; list the patterns in PatList", r->word);
    int k = 0;
    while (k < 4 && !is_word(r, kind[k]))
        k++;
    if (next(r))
        return -1;
    if (k < 4 && r->token == NAME) {
        free(b->domain[k]);
        b->domain[k] = fl_strdup(r->word);
    }
    return skip_statement(r);
}

static int read_in_exec(struct reader *r)
{
    bool burst = is_word(r, "PatternBurst");
    if (next(r))
        return -1;
    if (burst && !r->exec && r->token == NAME)
        r->exec = fl_strdup(r->word);
    return skip_statement(r);
}

/* The block of a keyword that has just been read, with the name of its domain or without. */
static int read_block(struct reader *r)
{
    static const struct {
        const char *word;
        int (*read)(struct reader *r);
    } blocks[] = {
        {"Signals", read_signal},       {"SignalGroups", read_group},    {"Timing", read_timing},
        {"ScanStructures", read_chain}, {"Procedures", read_procedure},  {"MacroDefs", read_macro},
        {"PatternExec", read_in_exec},  {"PatternBurst", read_in_burst}, {"Pattern", NULL}};
    size_t k = 0;
    enum { BLOCKS = sizeof blocks / sizeof *blocks };
    while (k < BLOCKS && !is_word(r, blocks[k].word))
        k++;
    if (is_word(r, "Include"))
        return FAIL(r, "Include is not followed; put the text of that file in its place");
    if (is_word(r, "Ann"))
        return skip_annotation(r);
    if (k == BLOCKS)
        return next(r) || skip_statement(r) ? -1 : 0;
    struct place before = r->at;
    if (next(r))
        return -1;
    free(r->domain);
    r->domain = fl_strdup(r->token == NAME ? r->word : "");
    if (r->token != NAME)
        r->at = before;
    if (!blocks[k].read) {
        char *name = r->domain;
        r->domain = fl_strdup("");
        int bad = note_body(r, name, PATTERN);
        free(name);
        return bad;
    }
    if (blocks[k].read == read_in_burst) {
        FL_ROOM(r->burst, r->bursts, r->room_bursts, 4);
        r->burst[r->bursts++] = (struct burst){.name = fl_strdup(r->domain)};
    }
    return expect(r, '{') || each_in_block(r, blocks[k].read) ? -1 : 0;
}

static int read_blocks(struct reader *r)
{
    r->at = (struct place){r->text, 1};
    if (next(r) || next(r)) /* STIL 1.0 */
        return -1;
    if (next(r) || skip_statement(r))
        return -1;
    for (;;) {
        if (next(r))
            return -1;
        if (r->token == END)
            break;
        if (is_mark_token(r, ';'))
            continue;
        if (r->token != NAME)
            return FAIL(r, "a block such as Signals, Procedures or Pattern expected, '%.40s' found",
                        r->word);
        if (read_block(r))
            return -1;
    }
    for (uint32_t i = 0; i < r->bursts; i++)
        if (!r->exec || strcmp(r->burst[i].name, r->exec) == 0)
            r->chosen = &r->burst[i];
    if (r->exec && !r->chosen)
        return FAIL(r, "PatternExec names the burst '%.80s', and there is none", r->exec);
    return 0;
}

/* ---- running --------------------------------------------------------------------------------- */

static int run(struct reader *r);

/* The meaning of a letter of a signal in this vector. */
static int code_of(struct reader *r, uint32_t signal, char letter, uint8_t *code)
{
    const struct signal *s = &r->signal[signal];
    const struct table *t = r->wave < r->tables ? &r->table[r->wave] : NULL;
    *code = t && signal < t->signals && t->code[signal] && (uint8_t)letter < CODES
                ? t->code[signal][(uint8_t)letter]
                : 0;
    if (*code & KNOWN || !letter)
        return 0;
    switch (letter) {
    case '0':
    case 'D': *code = DRIVE_LOW; return 0;
    case '1':
    case 'U': *code = DRIVE_HIGH; return 0;
    case 'P': *code = DRIVE_LOW | PULSE; return 0;
    case 'N':
    case 'Z':
    case 'X':
    case 'T': *code = s->kind == IN ? DRIVE_UNKNOWN : 0; return 0;
    case 'L': *code = SEE_LOW; return 0;
    case 'H': *code = SEE_HIGH; return 0;
    default:
        return FAIL(r,
                    "signal '%.80s' has the state '%c', which no waveform of the table at hand "
                    "describes",
                    s->name, letter);
    }
}

/* Is it a clock of flip-flops? */
static bool is_clock(const struct reader *r, const struct signal *s)
{
    return s->kind != OUT && s->input == UINT32_MAX && s->pulses && r->n->flops;
}

static int apply(struct reader *r)
{
    if (gate_apply(&r->a))
        return FAIL(r, "more than %u patterns; split the file", r->a.most);
    return 0;
}

/* What all signals are set to now, for a cycle. */
static int vector(struct reader *r)
{
    bool clock = false, async = false, moved = false;
    uint8_t code;
    r->steps = 0;
    for (uint32_t i = 0; i < r->signals; i++) {
        struct signal *s = &r->signal[i];
        if (code_of(r, i, s->state, &code))
            return -1;
        if (r->dry) {
            s->pulses |= (code & PULSE) != 0;
            s->low |= (code & 3) == DRIVE_LOW;
            s->high |= (code & 3) == DRIVE_HIGH;
            r->any_pulse |= code & PULSE && s->kind != OUT;
            continue;
        }
        clock |= code & PULSE && is_clock(r, s);
        moved |= s->moves_clock && s->level == (s->falling ? DRIVE_HIGH : DRIVE_LOW) &&
                 (code & 3) == (s->falling ? DRIVE_LOW : DRIVE_HIGH);
        s->level = code & 3;
        async |= code & PULSE && s->input != UINT32_MAX;
        if (s->input != UINT32_MAX)
            r->a.input[s->input] = (code & 3) == DRIVE_LOW    ? GATE_LOW
                                   : (code & 3) == DRIVE_HIGH ? GATE_HIGH
                                                              : GATE_UNKNOWN;
        if (s->output != UINT32_MAX)
            r->a.expect[s->output] = code & SEE_LOW    ? GATE_LOW
                                     : code & SEE_HIGH ? GATE_HIGH
                                                       : GATE_UNKNOWN;
    }
    if (r->dry)
        return 0;
    r->a.line = r->line;
    r->a.edge = r->n->flops && (r->any_pulse ? clock : !r->no_clock && !r->levels);
    r->a.keep = r->levels;
    if (moved) /* flip-flops take what the vector before this one applies */
        gate_edge(&r->a);
    if (!async || !r->n->flops)
        return apply(r);
    /* strobes see the value between pulses; the pulse itself acts behind them, at the edge or without one */
    r->async_pulses++;
    r->a.edge = false;
    if (apply(r))
        return -1;
    for (uint32_t i = 0; i < r->signals; i++) {
        const struct signal *s = &r->signal[i];
        if (code_of(r, i, s->state, &code))
            return -1;
        if (s->input != UINT32_MAX && code & PULSE)
            r->a.input[s->input] = (code & 3) == DRIVE_LOW ? GATE_HIGH : GATE_LOW;
    }
    memset(r->a.expect, GATE_UNKNOWN, r->n->outputs);
    r->a.edge = clock;
    return apply(r);
}

/* The states up to a semicolon, repeats written out. */
static int read_states(struct reader *r, struct fl_buf *out)
{
    enum { MOST_STATES = 1 << 24 };
    for (;;) {
        skip_blanks(&r->at);
        char c = *r->at.at;
        r->token_line = r->at.line;
        if (!c || c == '{' || c == '}')
            return FAIL(r, "states end with ';', and these do not");
        r->at.at++;
        uint32_t count = 1;
        if (c == ';')
            return 0;
        if (c == '\\') {
            char kind = *r->at.at++, *end;
            if (kind == 'w')
                continue;
            if (kind != 'r' || !isdigit((unsigned char)*r->at.at))
                return FAIL(r,
                            "'\\%.1s' in states is not supported; of the escapes \\r (repeat) and "
                            "\\w are",
                            kind ? &r->at.at[-1] : "");
            unsigned long n = strtoul(r->at.at, &end, 10);
            r->at.at = end;
            skip_blanks(&r->at);
            c = *r->at.at;
            if (!c || c == ';' || c == '{' || c == '}' || c == '\\')
                return FAIL(r, "\\r repeats one state, which comes next, as in \\r5 X");
            r->at.at++;
            count = n > MOST_STATES ? MOST_STATES : (uint32_t)n;
        }
        if ((uint8_t)c >= CODES || !isgraph((unsigned char)c))
            return FAIL(r, "a state is a letter, a digit, # or %%; a byte 0x%02x is none",
                        (uint8_t)c);
        if (out->size + count > MOST_STATES)
            return FAIL(r, "more than %d states for one name", MOST_STATES);
        while (count--)
            fl_buf_add(out, &c, 1);
    }
}

/* The next state that the call gives to a signal. */
static char take(struct reader *r, uint32_t signal, bool keep_it)
{
    struct given *g = r->given ? &r->given[signal] : NULL;
    char none = r->signal[signal].kind == IN ? 'N' : 'X';
    if (!g || g->next >= g->length)
        return none;
    if (g->wait) {
        g->wait -= !keep_it;
        return none;
    }
    char c = g->states[g->next];
    g->next += !keep_it;
    return c;
}

/* NAME = STATES; in a block: into the signals' states, or (give) what a call gives. */
static int read_assignments(struct reader *r, struct given *give)
{
    struct fl_buf states = {0};
    for (int bad = 0;; states.size = 0) {
        struct members m = {0};
        if (next(r) || is_mark_token(r, '}') || r->token == END) {
            bad = r->token == END ? FAIL(r, "a block of states is not closed") : 0;
            fl_buf_free(&states);
            return bad || !is_mark_token(r, '}') ? -1 : 0;
        }
        if (is_mark_token(r, ';'))
            continue;
        uint32_t line = r->token_line;
        char *name = fl_strdup(r->word);
        if (r->token != NAME)
            bad = FAIL(r, "states are given as \"NAME\" = STATES; '%.40s' is no name", name);
        else if (r->apostrophes)
            bad = read_expression(r, name, &m);
        else
            bad = add_members(r, &m, name, strlen(name), false);
        bad = bad || expect(r, '=') || read_states(r, &states);
        if (!bad && m.count && states.size % m.count != 0)
            bad = fail_at(r, line, "'%.80s' has %u signals, and %zu states are given", name,
                          m.count, states.size);
        if (!bad && !give && states.size != m.count)
            bad = fail_at(r, line, "'%.80s' has %u signals, and %zu states are given", name,
                          m.count, states.size);
        size_t each = m.count && !bad ? states.size / m.count : 0;
        for (uint32_t i = 0; i < m.count && !bad; i++) {
            if (!give) {
                char c = (char)states.data[i];
                r->signal[m.signal[i]].state = c == '#'   ? take(r, m.signal[i], false)
                                               : c == '%' ? take(r, m.signal[i], true)
                                                          : c;
                continue;
            }
            struct given *g = &give[m.signal[i]];
            free(g->states);
            *g = (struct given){.states = fl_alloc(each + 1), .length = (uint32_t)each};
            for (size_t k = 0; k < each; k++) {
                char c = (char)states.data[k * m.count + i];
                g->states[k] = c == '#' ? take(r, m.signal[i], false) : c;
            }
        }
        free(name);
        free(m.signal);
        if (bad) {
            fl_buf_free(&states);
            return -1;
        }
    }
}

static const struct body *find_body(const struct reader *r, const char *name, int kind)
{
    const struct body *best = NULL;
    int most = -1, domain = kind == MACRO ? DOMAIN_MACROS : DOMAIN_PROCEDURES;
    for (uint32_t i = 0; i < r->bodies; i++)
        if ((int)r->body[i].kind == kind && strcmp(r->body[i].name, name) == 0 &&
            rank(r, domain, r->body[i].domain) >= most) {
            best = &r->body[i];
            most = rank(r, domain, best->domain);
        }
    return best;
}

static bool chosen_chain(const struct reader *r, const struct chain *c)
{
    int most = 0;
    for (uint32_t i = 0; i < r->chains; i++)
        if (rank(r, DOMAIN_SCAN, r->chain[i].domain) > most)
            most = rank(r, DOMAIN_SCAN, r->chain[i].domain);
    return rank(r, DOMAIN_SCAN, c->domain) == most;
}

/* A call that shifts, in a scan design: what comes out of the chains, and what they hold then. */
static int load_unload(struct reader *r, const struct given *give)
{
    const struct gate_netlist *n = r->n;
    uint8_t *expect = fl_alloc(n->flops), *state = fl_alloc(n->flops);
    bool loads = false;
    memset(expect, GATE_UNKNOWN, n->flops);
    memset(state, GATE_UNKNOWN, n->flops);
    for (uint32_t k = 0; k < r->chains; k++) {
        const struct chain *c = &r->chain[k];
        if (!chosen_chain(r, c))
            continue;
        const struct given *in = c->in != UINT32_MAX ? &give[c->in] : NULL,
                           *out = c->out != UINT32_MAX ? &give[c->out] : NULL;
        bool before = c->inverted, behind = false;
        loads |= in && in->length;
        for (uint32_t i = 0; i < c->cells; i++)
            behind ^= c->cell[i].inverted;
        for (uint32_t i = 0; i < c->cells; i++) {
            const struct cell *cell = &c->cell[i];
            uint32_t from_end = c->cells - 1 - i;
            char v = in && i < in->length ? in->states[in->length - 1 - i] : 0;
            if (v == '0' || v == '1')
                state[cell->flop] = (v == '1') != before ? GATE_HIGH : GATE_LOW;
            v = out && from_end < out->length ? out->states[from_end] : 0;
            if (v == 'L' || v == 'H')
                expect[cell->flop] = (v == 'H') != behind ? GATE_HIGH : GATE_LOW;
            before ^= cell->inverted;
            behind ^= cell->inverted;
        }
    }
    int bad = 0;
    uint32_t wrong = gate_unload(&r->a, expect);
    if (wrong != GATE_NO_PATTERN)
        bad = fail_at(r, r->line,
                      "flip-flop '%.80s' is loaded with %d and, without a clock pulse in between, "
                      "unloaded as %d; ScanCells lacks an inversion (!) or a cell",
                      n->name[n->inputs + wrong], expect[wrong] != GATE_HIGH,
                      expect[wrong] == GATE_HIGH);
    if (loads) {
        gate_load(&r->a, state);
    } else {
        r->a.loaded = r->a.moved = false;
        r->a.captured = GATE_NO_PATTERN;
        r->a.since = 0;
    }
    free(expect);
    free(state);
    return bad;
}

/* One more statement; -1: too many without a vector, in loops that lead to nothing. */
static int step(struct reader *r)
{
    enum { MOST_STEPS = 1 << 20 };
    if (r->steps++ < MOST_STEPS)
        return 0;
    return FAIL(r, "the loops of this file run %d statements without a vector; shorten them",
                MOST_STEPS);
}

static int call(struct reader *r, int kind)
{
    if (next(r))
        return -1;
    uint32_t line = r->token_line;
    const struct body *b = r->token == NAME ? find_body(r, r->word, kind) : NULL;
    if (!b) {
        struct fl_nearest near = {.typed = r->word};
        for (uint32_t i = 0; i < r->bodies && r->bodies < NEAREST_ROOM; i++)
            if ((int)r->body[i].kind == kind)
                fl_nearest_try(&near, r->body[i].name, NULL);
        return FAIL(r, "there is no %s '%.80s'%s", kind == MACRO ? "macro" : "procedure", r->word,
                    near.hint);
    }
    if (next(r))
        return -1;
    struct given *give = fl_alloc(r->signals * sizeof *give), *outer = r->given;
    int bad = 0;
    if (is_mark_token(r, '{'))
        bad = read_assignments(r, give);
    else if (!is_mark_token(r, ';'))
        bad = FAIL(r, "a call ends with ';' or with { NAME = STATES; }");
    struct place back = r->at;
    uint32_t wave = r->wave;
    char *before = fl_alloc(r->signals);
    for (uint32_t i = 0; i < r->signals; i++)
        before[i] = r->signal[i].state;
    if (!bad && r->depth == MOST_DEPTH)
        bad = fail_at(r, line, "procedures and macros call each other more than %d deep",
                      MOST_DEPTH);
    if (!bad && b->shifts && r->scan && !r->dry) {
        bad = load_unload(r, give);
    } else if (!bad) {
        r->given = give;
        r->depth++;
        r->at = b->place;
        bad = run(r);
        r->depth--;
        r->given = outer;
    }
    if (kind == PROCEDURE) { /* it leaves the states of its caller; a macro does not */
        r->wave = wave;
        for (uint32_t i = 0; i < r->signals; i++)
            r->signal[i].state = before[i];
    }
    r->at = back;
    free(before);
    for (uint32_t i = 0; i < r->signals; i++)
        free(give[i].states);
    free(give);
    return bad;
}

static int loop(struct reader *r)
{
    char *end;
    if (next(r))
        return -1;
    unsigned long count = strtoul(r->word, &end, 10);
    if (r->token != NAME || *end || end == r->word || !isdigit((unsigned char)*r->word))
        return FAIL(r, "Loop takes a number, as in Loop 5 { ... }; '%.40s' is none", r->word);
    if (expect(r, '{'))
        return -1;
    struct place from = r->at;
    uint32_t line = r->token_line;
    if (r->dry && count > 1)
        count = 1;
    if (r->depth == MOST_DEPTH)
        return fail_at(r, line, "loops lie in each other more than %d deep", MOST_DEPTH);
    r->depth++;
    for (unsigned long i = 0; i < count && !r->stop; i++) {
        r->at = from;
        if (step(r) || run(r))
            return -1;
    }
    r->depth--;
    r->at = from; /* behind it */
    return skip_block(r);
}

static int shift(struct reader *r)
{
    uint32_t most = 0;
    if (expect(r, '{'))
        return -1;
    if (!r->given)
        return FAIL(r, "Shift belongs into a procedure or a macro");
    for (uint32_t i = 0; i < r->signals; i++)
        if (r->given[i].length - r->given[i].next > most)
            most = r->given[i].length - r->given[i].next;
    for (uint32_t i = 0; i < r->signals; i++) {
        struct given *g = &r->given[i];
        if (r->signal[i].kind == IN && g->length > g->next)
            g->wait = most - (g->length - g->next);
    }
    struct place from = r->at;
    bool more = most > 0;
    if (r->depth == MOST_DEPTH)
        return FAIL(r, "Shift lies in more than %d blocks", MOST_DEPTH);
    r->depth++;
    for (uint32_t k = 0; k < most && more; k++) {
        r->at = from;
        if (step(r) || run(r))
            return -1;
        more = false;
        for (uint32_t i = 0; i < r->signals && !more; i++)
            more = r->given[i].next < r->given[i].length;
        more &= !r->dry;
    }
    r->depth--;
    r->at = from;
    return skip_block(r);
}

static int set_wave(struct reader *r)
{
    if (next(r))
        return -1;
    uint32_t t = 0;
    while (t < r->tables && strcmp(r->table[t].name, r->word) != 0)
        t++;
    if (t == r->tables && r->tables)
        return FAIL(r, "there is no waveform table '%.80s' in Timing", r->word);
    r->wave = t;
    return expect(r, ';');
}

static bool is_any(const struct reader *r, const char *a, const char *b)
{
    return is_word(r, a) || is_word(r, b);
}

/* A statement of a pattern or a procedure, whose first word has been read. */
static int statement(struct reader *r)
{
    if (!r->given)
        r->line = r->token_line;
    bool applies = is_any(r, "V", "Vector");
    if (applies || is_any(r, "C", "Condition") || is_any(r, "F", "Fixed")) {
        if (expect(r, '{') || read_assignments(r, NULL))
            return -1;
        return applies ? vector(r) : 0;
    }
    if (is_any(r, "W", "WaveformTable"))
        return set_wave(r);
    if (is_word(r, "Call"))
        return call(r, PROCEDURE);
    if (is_word(r, "Macro"))
        return call(r, MACRO);
    if (is_word(r, "Loop"))
        return loop(r);
    if (is_word(r, "Shift"))
        return shift(r);
    if (is_word(r, "Ann"))
        return skip_annotation(r);
    if (is_word(r, "Stop")) {
        r->stop = true;
        return expect(r, ';');
    }
    if (is_any(r, "IDDQTestPoint", "ScanChain") || is_any(r, "TimeUnit", "BreakPoint") ||
        is_any(r, "X", "Pragma"))
        return next(r) || skip_statement(r) ? -1 : 0;
    if (is_any(r, "MatchLoop", "Goto"))
        return FAIL(r,
                    "%s depends on the answers of a device, so no fixed patterns follow from it; "
                    "write the vectors out",
                    r->word);
    return FAIL(r,
                "'%.40s' is no statement of a pattern that is supported; V, C, F, W, Call, Macro, "
                "Loop, Shift, Stop and Ann are",
                r->word);
}

/* Statements up to the closing brace. */
static int run(struct reader *r)
{
    for (;;) {
        if (next(r) || step(r))
            return -1;
        if (is_mark_token(r, '}') || r->stop)
            return 0;
        if (is_mark_token(r, ';'))
            continue;
        if (r->token != NAME)
            return FAIL(r, "a statement expected, '%.40s' found",
                        r->token == END ? "the end" : r->word);
        struct place behind = r->at;
        skip_blanks(&behind);
        if (*behind.at == ':') { /* a label */
            behind.at++;
            r->at = behind;
            continue;
        }
        if (statement(r))
            return -1;
    }
}

static int run_patterns(struct reader *r)
{
    uint32_t count = r->chosen ? r->chosen->patterns : r->bodies, ran = 0;
    r->wave = UINT32_MAX;
    r->stop = false;
    r->given = NULL;
    r->steps = 0;
    for (uint32_t i = 0; i < r->signals; i++)
        r->signal[i].state = r->signal[i].level = 0;
    for (uint32_t i = 0; i < count && !r->stop; i++) {
        const struct body *b = r->chosen ? find_body(r, r->chosen->pattern[i], PATTERN)
                                         : &r->body[i];
        if (!b)
            return fl_fail(r->err, "%s: the burst lists the pattern '%.80s', and there is none",
                           r->path, r->chosen->pattern[i]);
        if (b->kind != PATTERN)
            continue;
        ran++;
        r->depth = 0;
        r->at = b->place;
        if (run(r))
            return -1;
    }
    if (!ran)
        return fl_fail(r->err, "%s: no Pattern block; give a STIL file with patterns", r->path);
    return 0;
}

/* ---- signals of the file and of the netlist --------------------------------------------------- */

static int match_ports(struct reader *r)
{
    const struct gate_netlist *n = r->n;
    struct gate_names outputs = {0};
    int bad = 0;
    for (uint32_t o = 0; o < n->outputs; o++)
        gate_names_add(&outputs, n->output_name[o], o);
    for (uint32_t i = 0; i < n->inputs; i++) {
        uint32_t s = gate_names_find(&r->signal_names, n->name[i], strlen(n->name[i]));
        if (s == UINT32_MAX || r->signal[s].kind == OUT) {
            struct fl_nearest near = {.typed = n->name[i]};
            for (uint32_t k = 0; k < r->signals && r->signals < NEAREST_ROOM; k++)
                fl_nearest_try(&near, r->signal[k].name, NULL);
            bad = fl_fail(
                r->err,
                "%s: input '%.80s' of the netlist is no input of the file%s; patterns are "
                "those of a netlist with the same ports",
                r->path, n->name[i], near.hint);
            break;
        }
        r->signal[s].input = i;
    }
    for (uint32_t i = 0; i < r->signals; i++)
        if (r->signal[i].kind == OUT || r->signal[i].kind == BOTH)
            r->signal[i].output = gate_names_find(&outputs, r->signal[i].name,
                                                  strlen(r->signal[i].name));
    gate_names_free(&outputs);
    return bad;
}

/* A cell of a chain is "top.a.b.R0.SI", "a/b/R0" or "R0": with the name of the top and of a pin, or without. */
static uint32_t find_flop(const struct gate_names *flops, const char *name)
{
    const char *first = strpbrk(name, "./"), *last = name + strlen(name);
    while (last > name && *last != '.' && *last != '/')
        last--;
    size_t whole = strlen(name), cut = last > name ? (size_t)(last - name) : whole;
    for (int k = 0; k < 4; k++) {
        const char *from = k & 2 ? first ? first + 1 : NULL : name;
        const char *end = name + (k & 1 ? cut : whole);
        uint32_t flop = from && from < end ? gate_names_find(flops, from, (size_t)(end - from))
                                           : UINT32_MAX;
        if (flop != UINT32_MAX)
            return flop;
    }
    return UINT32_MAX;
}

static int match_cells(struct reader *r)
{
    const struct gate_netlist *n = r->n;
    struct gate_names flops = {.one_slash = true};
    bool *taken = fl_alloc(n->flops);
    int bad = 0;
    for (uint32_t f = 0; f < n->flops; f++)
        gate_names_add(&flops, n->name[n->inputs + f], f);
    for (uint32_t k = 0; k < r->chains && !bad; k++) {
        struct chain *c = &r->chain[k];
        if (!chosen_chain(r, c))
            continue;
        if (!c->cells)
            bad = fail_at(r, c->line,
                          "chain '%.80s' names no cells, so its states cannot be laid to "
                          "flip-flops; add ScanCells%s",
                          c->name,
                          r->how->sets_flops ? "" : ", or use --engine mixed, which shifts");
        else if (c->length && c->length != c->cells)
            bad = fail_at(r, c->line,
                          "chain '%.80s' has ScanLength %u, and ScanCells names %u; correct one of "
                          "them",
                          c->name, c->length, c->cells);
        for (uint32_t i = 0; i < c->cells && !bad; i++) {
            uint32_t f = c->cell[i].flop = find_flop(&flops, c->cell[i].name);
            if (f == UINT32_MAX || taken[f])
                bad = fail_at(r, c->cell[i].line,
                              f == UINT32_MAX
                                  ? "chain '%.80s': the netlist has no flip-flop '%.80s'; gatesim "
                                    "map NETLIST prints their names"
                                  : "chain '%.80s': flip-flop '%.80s' is in a chain already",
                              c->name, c->cell[i].name);
            else
                taken[f] = true;
        }
    }
    gate_names_free(&flops);
    free(taken);
    return bad;
}

/* Patterns that set flip-flops, or cycle by cycle? */
static int choose(struct reader *r)
{
    bool cells = false, shifts = false;
    for (uint32_t k = 0; k < r->chains; k++)
        cells |= chosen_chain(r, &r->chain[k]) && r->chain[k].cells;
    for (uint32_t i = 0; i < r->bodies; i++)
        shifts |= r->body[i].shifts;
    r->scan = r->n->flops &&
              (r->how->scan == GATE_SCAN || (r->how->scan == GATE_SCAN_AUTO && cells && shifts));
    if (r->scan && !(r->chains && shifts))
        return fl_fail(r->err,
                       "%s: no scan chain is loaded (ScanStructures and a procedure with Shift), "
                       "so the file does not set flip-flops; %s",
                       r->path,
                       r->how->sets_flops ? "give patterns of full scan" : "use --engine mixed");
    if (r->scan)
        return match_cells(r);
    for (uint32_t k = 0; k < r->chains && shifts && r->n->flops; k++) {
        const struct chain *c = &r->chain[k];
        if (c->in != UINT32_MAX && r->signal[c->in].input == UINT32_MAX)
            return fail_at(r, c->line,
                           "the scan input '%.80s' is no input of the netlist, so nothing can be "
                           "shifted; use --engine patterns, which sets the flip-flops",
                           r->signal[c->in].name);
    }
    return 0;
}

static void note_signals(struct reader *r)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->signals; i++) {
        const struct signal *s = &r->signal[i];
        bool end = false; /* of a chain, whose states were laid to its cells */
        for (uint32_t k = 0; k < r->chains && r->scan; k++)
            end |= r->chain[k].in == i || r->chain[k].out == i;
        if (s->kind == OTHER || s->moves_clock || s->input != UINT32_MAX ||
            s->output != UINT32_MAX || end || is_clock(r, s))
            continue;
        if (count++ < 8)
            fl_buf_printf(r->notes, "%s%s",
                          count == 1 ? "signals that the netlist does not have: " : ", ", s->name);
    }
    if (count)
        fl_buf_printf(r->notes, "%s\n", count > 8 ? ", ..." : "");
}

static void note_rest(struct reader *r)
{
    note_signals(r);
    if (r->levels)
        fl_buf_printf(r->notes,
                      "the clock has no pulses: each change of its level is an edge, for the "
                      "values of the vector before\n");
    if (r->no_clock)
        fl_buf_printf(r->notes,
                      "no clock pulses in this file: flip-flops keep the values with which they "
                      "start\n");
    if (r->a.unknown)
        fl_buf_printf(r->notes,
                      "%" PRIu64 " values of inputs and flip-flops are neither 0 nor 1, and read "
                      "as 0\n",
                      r->a.unknown);
    if (r->a.several_edges)
        fl_buf_printf(r->notes,
                      "%" PRIu64 " patterns follow a clock pulse of the same load: they begin with "
                      "the state of the netlist without a fault\n",
                      r->a.several_edges);
    if (r->async_pulses)
        fl_buf_printf(r->notes,
                      "%" PRIu64 " vectors pulse an input that is no clock: the pulse acts behind "
                      "the strobes, as a cycle of its own\n",
                      r->async_pulses);
}

static void free_reader(struct reader *r)
{
    for (uint32_t i = 0; i < r->signals; i++)
        free(r->signal[i].name);
    for (uint32_t i = 0; i < r->groups; i++) {
        free(r->group[i].name);
        free(r->group[i].domain);
        free(r->group[i].signal);
    }
    for (uint32_t i = 0; i < r->tables; i++) {
        for (uint32_t k = 0; k < r->table[i].signals; k++)
            free(r->table[i].code[k]);
        free(r->table[i].code);
        free(r->table[i].name);
    }
    for (uint32_t i = 0; i < r->bodies; i++) {
        free(r->body[i].name);
        free(r->body[i].domain);
    }
    for (uint32_t i = 0; i < r->chains; i++) {
        for (uint32_t k = 0; k < r->chain[i].cells; k++)
            free(r->chain[i].cell[k].name);
        free(r->chain[i].cell);
        free(r->chain[i].name);
        free(r->chain[i].domain);
    }
    for (uint32_t i = 0; i < r->bursts; i++) {
        for (uint32_t k = 0; k < r->burst[i].patterns; k++)
            free(r->burst[i].pattern[k]);
        for (int k = 0; k < 4; k++)
            free(r->burst[i].domain[k]);
        free(r->burst[i].pattern);
        free(r->burst[i].name);
    }
    gate_names_free(&r->signal_names);
    free(r->signal);
    free(r->group);
    free(r->table);
    free(r->body);
    free(r->chain);
    free(r->burst);
    free(r->exec);
    free(r->domain);
    free(r->word);
}

/* Clocks are what pulses. In a file without pulses, each vector is a cycle, unless a signal moves that is no input of the
 * netlist: then that is its clock, by its level. Of several the netlist must know the clock. */
static void find_clocks(struct reader *r)
{
    const struct gate_netlist *n = r->n;
    uint32_t moving = 0, clocks = 0;
    for (uint32_t i = 0; i < r->signals && !r->any_pulse && n->flops; i++) {
        struct signal *s = &r->signal[i];
        if (s->kind != IN || s->input != UINT32_MAX || !s->low || !s->high)
            continue;
        moving++;
        s->moves_clock = n->clocks == 0;
        for (uint32_t k = 0; k < n->clocks; k++)
            if (strcmp(n->clock[k].name, s->name) == 0) {
                s->moves_clock = true;
                s->falling = n->clock[k].falling;
            }
        clocks += s->moves_clock;
    }
    r->levels = !r->scan && clocks && (n->clocks || clocks == 1);
    r->no_clock = moving && !r->levels;
    for (uint32_t i = 0; i < r->signals && !r->levels; i++)
        r->signal[i].moves_clock = false;
}

int gate_stil_read(const char *path, const char *text, const struct gate_netlist *n,
                   const struct gate_reading *how, struct gate_patterns *out, struct fl_buf *notes,
                   struct fl_err *err)
{
    struct reader r = {.path = path, .text = text, .n = n, .how = how, .err = err, .notes = notes};
    int bad = read_blocks(&r) || match_ports(&r) || choose(&r);
    if (!bad) {
        r.dry = true;
        bad = run_patterns(&r);
        r.dry = false;
    }
    if (!bad)
        find_clocks(&r);
    for (int all = 0; all < 2 && !bad;
         all++) { /* a file without strobes once more, and all is observed */
        gate_applied_new(&r.a, n, r.scan, how->pairs);
        r.a.all = all;
        r.a.most = how->most ? how->most : GATE_MOST_PATTERNS;
        r.async_pulses = 0;
        bad = run_patterns(&r);
        if (!bad && (r.a.strobes || all)) {
            if (!r.a.p.count)
                bad = fl_fail(err, "%s: no vector; write V { ... } into a Pattern block", path);
            if (!bad) {
                note_rest(&r);
                *out = gate_applied_end(&r.a);
                break;
            }
        }
        gate_applied_free(&r.a);
    }
    free_reader(&r);
    return bad ? -1 : 0;
}
