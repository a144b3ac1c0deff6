/* encode.c -- from text to words: each row's template is held against the text until one fits.
 *
 * A template is matched left to right. Literal text must be there; a field reads its part and sets
 * its bits. Bits set twice must agree: that is how a short IMAD insists on its destination as the
 * addend, and how an operand in constant memory excludes a second one. When several rows fit (-4 is
 * a sign and a number, or a number), the row that took more of the text as its own words wins. When
 * none fits, the complaint that came furthest is the one to show.
 */
#include "encode.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "table.h"

enum { AREGS = 4 }; /* address registers of the machine; its fields can name three more */

struct match {
    const struct isa_env *env;
    const char *s;      /* what is left of the text */
    uint64_t word, set; /* bits, and which of them are decided */
    /* where the literal suffix begins that is being held against the text, or NULL */
    const char *suffix;
    int score; /* characters that the template accounts for */
    struct isa_text_err *err;
};

/* ---- small readers ---- */

static bool word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static const char *skip(const char *s)
{
    while (*s == ' ' || *s == '\t')
        s++;
    return s;
}

static bool fail(struct match *m, const char *at, const char *msg)
{
    if (!m->err->at || at > m->err->at) {
        m->err->at = at;
        snprintf(m->err->msg, sizeof m->err->msg, "%s", msg);
    }
    return false;
}

/* Like fail, but wins over complaints at the same place: it knows better. */
static bool insist(struct match *m, const char *at, const char *msg)
{
    if (!m->err->at || at >= m->err->at) {
        m->err->at = at;
        snprintf(m->err->msg, sizeof m->err->msg, "%s", msg);
    }
    return false;
}

static bool set(struct match *m, uint64_t mask, uint64_t value)
{
    if ((m->word ^ value) & mask & m->set)
        return false;
    m->set |= mask;
    m->word |= value & mask;
    return true;
}

static bool set_value(struct match *m, const struct isa_alt *a, uint64_t v, const char *at)
{
    if (set(m, isa_bits_mask(a), isa_put(a, v)))
        return true;
    return insist(m, at, "must be the same as where the instruction names it before");
}

static size_t word_len(const char *s)
{
    size_t n = 0;
    if (isalpha((unsigned char)*s) || *s == '_')
        while (word_char(s[n]))
            n++;
    return n;
}

/* A register's name at *s, with its letter: "R12" -> 12. The rest of the word (L, H) is left in
 * *tail. */
static bool read_register(struct match *m, char letter, const char **s, uint32_t *number,
                          const char **tail)
{
    const char *at = skip(*s);
    size_t n = word_len(at);
    const char *end = at + n;
    const char *name = m->env->alias && n ? m->env->alias(m->env->ctx, at, n) : NULL;
    const char *p = name ? name : at;
    if (*p != letter || !isdigit((unsigned char)p[1]))
        return false;
    uint32_t v = 0;
    for (p++; isdigit((unsigned char)*p) && v < 10000; p++)
        v = v * 10 + (uint32_t)(*p - '0');
    size_t rest = name ? strlen(p) : (size_t)(end - p);
    *tail = rest == 0 ? "" : rest == 1 && *p == 'L' ? "L" : rest == 1 && *p == 'H' ? "H" : "?";
    *number = v;
    *s = end;
    return **tail != '?';
}

static bool read_expression(struct match *m, const char **s, uint32_t *v, bool *known)
{
    struct isa_text_err why = {0};
    const char *p = skip(*s);
    *known = true;
    if (m->env->eval(m->env->ctx, &p, v, known, &why) != 0)
        return insist(m, why.at ? why.at : p, why.msg);
    *s = p;
    return true;
}

static bool read_char(struct match *m, const char **s, char c)
{
    const char *p = skip(*s);
    if (*p != c) {
        char msg[32];
        snprintf(msg, sizeof msg, "expected '%c'", c);
        return fail(m, p, msg);
    }
    *s = p + 1;
    return true;
}

/* ---- fields ---- */

static bool match_names(struct match *m, const struct isa_alt *a)
{
    uint64_t best = 0;
    size_t best_len = 0;
    const char *best_at = NULL;
    size_t len;
    for (uint64_t v = 0; v < 1ull << isa_bits_len(a); v++) {
        const char *name = isa_name(a, v, &len);
        if (!name || (m->set & isa_bits_mask(a) & (m->word ^ isa_put(a, v))))
            continue;
        const char *at = len && *name == '.' ? m->s : skip(m->s);
        if (strncmp(at, name, len) != 0 || (len && word_char(name[len - 1]) && word_char(at[len])))
            continue;
        if (!best_at || len > best_len) {
            best = v;
            best_len = len;
            best_at = len ? at : m->s;
        }
    }
    if (!best_at) {
        const char *at = skip(m->s);
        if (*at == '.')
            return fail(m, at, "unknown or misplaced suffix");
        char msg[160] = "expected one of ";
        for (const char *n = a->names; *n && strlen(msg) < 140; n++)
            snprintf(msg + strlen(msg), 3, "%s", *n == '/' ? ", " : (char[2]){*n, 0});
        return fail(m, at, msg);
    }
    m->s = best_at + best_len;
    m->score += (int)best_len;
    return set(m, isa_bits_mask(a), isa_put(a, best));
}

static bool match_condition(struct match *m, const char **s, uint32_t *code, bool any)
{
    size_t n = word_len(*s);
    for (unsigned c = 0; c < 32; c++) {
        const char *name = isa_cond_name(c);
        char spare[8];
        if (!name && any) {
            snprintf(spare, sizeof spare, "P%u", c);
            name = spare;
        }
        if (name && strlen(name) == n && memcmp(name, *s, n) == 0) {
            *code = c;
            *s += n;
            return true;
        }
    }
    return insist(
        m, *s,
        "unknown condition; the common ones are EQ, NE, LT, LE, GT, GE, EQU, NEU, CARRY, SIGN");
}

static bool match_pred(struct match *m, const struct isa_alt *a)
{
    const char *pre = skip(a->pre), *s = skip(m->s), *tail;
    uint32_t cc, code = 0;
    bool there = !*pre || *s == *pre;
    if (there && *pre)
        s = skip(s + 1);
    const char *at = s;
    if (there && read_register(m, 'C', &s, &cc, &tail) && *s == '.' && !*tail) {
        s++;
        if (cc > 3)
            return insist(m, at, "there are four condition registers, C0 to C3");
        if (!match_condition(m, &s, &code, a->ignored))
            return false;
        if (*a->post && !read_char(m, &s, *a->post))
            return false;
        m->score += (int)(s - m->s);
        m->s = s;
        return set_value(m, a, code | cc << 5, at);
    }
    uint64_t mask = isa_bits_mask(a);
    if (a->shared_cc)
        mask &= 31ull << a->bits[0].pos;
    return set(m, mask, isa_put(a, a->canon));
}

static bool fits(uint32_t v, int len)
{
    if (len >= 32 || v >> len == 0)
        return true;
    return len >= 16 && (int32_t)v < 0 && (int32_t)v >= -(1 << (len - 1)); /* -4 as 16 bits */
}

static bool match_number(struct match *m, const struct isa_alt *a)
{
    const char *s = skip(m->s), *at = s, *tail;
    uint32_t v;
    bool known;
    if (a->pre) {
        if (strncmp(s, a->pre, strlen(a->pre)) != 0)
            return fail(m, s, "expected a number with its letter, as in b0");
        s += strlen(a->pre);
    } else {
        uint32_t n;
        const char *r = s;
        if (read_register(m, 'R', &r, &n, &tail) || read_register(m, 'A', &r, &n, &tail))
            return fail(m, s, "expected a number here, not a register");
    }
    if (!read_expression(m, &s, &v, &known))
        return false;
    if (*skip(s) == '[') /* c[0x0][0x4]: `c` alone would be a label that comes later */
        return fail(m, at, "expected a number here, not a place in memory");
    int len = isa_bits_len(a);
    if (known && !fits(v, len)) {
        char msg[80];
        snprintf(msg, sizeof msg, "0x%x does not fit in %d bits", v, len);
        return insist(m, at, msg);
    }
    m->s = s;
    return set_value(m, a, v, at);
}

static bool match_tail(struct match *m, const struct isa_alt *a)
{
    if (*skip(m->s) != ',')
        return set(m, isa_bits_mask(a), 0);
    m->s = skip(m->s) + 1;
    return match_number(m, a);
}

static bool match_target(struct match *m, const struct isa_alt *a)
{
    const char *s = skip(m->s), *at = s;
    uint32_t v;
    bool known;
    if (!read_expression(m, &s, &v, &known))
        return false;
    if (known && v & ((1u << a->scale) - 1))
        return insist(m, at, "a target is a multiple of 4");
    m->s = s;
    return set_value(m, a, v >> a->scale, at);
}

static bool no_such_areg(struct match *m, uint32_t n, const char *at)
{
    char msg[80];
    snprintf(msg, sizeof msg, "there is no address register A%u; there are A1 to A%d", n, AREGS);
    return insist(m, at, msg);
}

static bool match_register(struct match *m, const struct isa_alt *a)
{
    static const char letter[] = {[ISA_R] = 'R', [ISA_RH] = 'R', [ISA_A] = 'A', [ISA_CC] = 'C'};
    static const char *const what[] = {[ISA_R] = "expected a register, R0 to R127",
                                       [ISA_RH] = "expected half a register, as in R5L or R5H",
                                       [ISA_A] = "expected an address register, A1 to A4",
                                       [ISA_CC] = "expected a condition register, C0 to C3"};
    const char *s = skip(m->s), *at = s, *tail;
    uint32_t n;
    if (!read_register(m, letter[a->kind], &s, &n, &tail) || (a->kind == ISA_RH) != (*tail != 0))
        return fail(m, at, what[a->kind]);
    if (a->kind == ISA_A && n > AREGS && !m->env->any_areg)
        return no_such_areg(m, n, at);
    uint32_t v = a->kind == ISA_RH ? n * 2 + (*tail == 'H') : n;
    int len = isa_bits_len(a);
    if (v >> len) {
        char msg[100];
        if (n > 127)
            snprintf(msg, sizeof msg, "unknown register '%.*s'", (int)(s - at), at);
        else
            snprintf(msg, sizeof msg, "%.*s does not fit: this form reaches %c%u%s", (int)(s - at),
                     at, letter[a->kind], a->kind == ISA_RH ? (1u << len) / 2 - 1 : (1u << len) - 1,
                     a->kind == ISA_RH ? "H" : "");
        return insist(m, at, msg);
    }
    m->s = s;
    return set_value(m, a, v, at);
}

static bool match_out(struct match *m, const struct isa_alt *a)
{
    const char *s = skip(m->s), *at = s;
    uint32_t v;
    bool known;
    if (*s != 'o' || word_char(s[1]))
        return fail(m, s, "expected a register, R0 to R127");
    s++;
    if (!read_char(m, &s, '[') || !read_expression(m, &s, &v, &known) || !read_char(m, &s, ']'))
        return false;
    if (a->post) {
        s = skip(s);
        if (strncmp(s, a->post, strlen(a->post)) != 0)
            return fail(m, s, "a half output is written o[0x7f].U16");
        s += strlen(a->post);
    }
    if (v > 127)
        return insist(m, at, "output registers are o[0] to o[0x7f]; o[0x7f] discards the result");
    m->s = s;
    return set_value(m, a, v, at);
}

static bool match_sreg(struct match *m, const struct isa_alt *a)
{
    const char *s = skip(m->s);
    size_t n = word_len(s);
    for (unsigned v = 0; v < 16; v++) {
        char spare[8];
        const char *name = isa_sreg_name(v);
        snprintf(spare, sizeof spare, "SR_%u", v);
        if ((name && strlen(name) == n && memcmp(s, name, n) == 0) ||
            (strlen(spare) == n && memcmp(s, spare, n) == 0)) {
            m->s = s + n;
            return set_value(m, a, v, s);
        }
    }
    return fail(m, s, "expected a special register: SR_CLOCK, SR_PHYSID, SR_PM0 to SR_PM3");
}

/* "global14[" or "g14[" */
static bool match_global(struct match *m, const struct isa_alt *a)
{
    const char *s = skip(m->s), *at = s, *tail;
    size_t n = strncmp(s, "global", 6) == 0 ? 6 : 1;
    uint32_t bank = 0, reg;
    if (*s != 'g' || !isdigit((unsigned char)s[n]))
        return fail(m, s, "expected a place in global memory, as in global14[R1]");
    for (s += n; isdigit((unsigned char)*s) && bank < 100; s++)
        bank = bank * 10 + (uint32_t)(*s - '0');
    if (bank > 15)
        return insist(m, at, "global memory spaces are global0 to global15");
    if (!read_char(m, &s, '['))
        return false;
    const char *r = skip(s);
    if (!read_register(m, 'R', &s, &reg, &tail) || *tail || reg > 127)
        return insist(m, r, "expected the register that holds the address");
    if (!read_char(m, &s, ']'))
        return false;
    m->s = s;
    return set(m, ((1ull << a->bank.len) - 1) << a->bank.pos, (uint64_t)bank << a->bank.pos) &&
           set_value(m, a, reg, at);
}

struct place { /* the inside of a memory operand's brackets */
    bool has_areg, inc;
    uint32_t areg;
    uint32_t offset; /* in bytes, or in elements of the size accessed */
    bool known;
    const char *at;
};

static bool read_place(struct match *m, const char **s, struct place *p)
{
    const char *tail;
    *p = (struct place){.at = skip(*s), .known = true};
    if (read_register(m, 'A', s, &p->areg, &tail) && !*tail) {
        p->has_areg = true;
        const char *q = skip(*s);
        if (q[0] == '+' && q[1] == '+') {
            p->inc = true;
            q = skip(q + 2);
        }
        *s = q;
        if (*q == ']')
            return true;
        if (*q != '+' && *q != '-')
            return fail(m, q, "expected '+', '-' or ']'");
        if (*q == '+')
            *s = q + 1;
    }
    return read_expression(m, s, &p->offset, &p->known);
}

/* The letters in front of the brackets, with the bank; false: a place of another kind. */
static bool read_space(struct match *m, const struct isa_alt *a, const char **s, bool *bytes,
                       uint32_t *bank)
{
    const char *p = skip(*s);
    bool known;
    size_t n = word_len(p);
    *bank = 0;
    if (a->kind == ISA_S && n == 1 && (*p == 'g' || *p == 's'))
        *bytes = *p == 's';
    else if (a->kind == ISA_L && ((n == 5 && strncmp(p, "local", 5) == 0) || (n == 1 && *p == 'l')))
        *bytes = true;
    else if (a->kind == ISA_K && *p == 'c' &&
             (n == 1 || (isdigit((unsigned char)p[1]) && n <= 3))) {
        *bytes = n > 1;
        for (size_t i = 1; i < n; i++) {
            if (!isdigit((unsigned char)p[i]))
                return false;
            *bank = *bank * 10 + (uint32_t)(p[i] - '0');
        }
        if (n == 1) {
            p++;
            n = 0;
            if (!read_char(m, &p, '[') || !read_expression(m, &p, bank, &known) ||
                !read_char(m, &p, ']'))
                return false;
        }
        if (*bank > 15)
            return insist(m, *s, "constant memory has banks c0 to c15");
    } else
        return false;
    *s = p + n;
    return read_char(m, s, '[');
}

static const char *const place_wanted[] = {
    [ISA_S] = "expected a place in shared memory, as in g[0x4] or s[0x10]",
    [ISA_K] = "expected a place in constant memory, as in c[0x1][0x2] or c1[0x8]",
    [ISA_L] = "expected a place in local memory, as in local[0x10]"};

static bool match_memory(struct match *m, const struct isa_alt *a)
{
    const char *s = skip(m->s), *at = s;
    bool bytes;
    uint32_t bank;
    struct place p;
    char msg[120];
    if (!read_space(m, a, &s, &bytes, &bank))
        return fail(m, at, place_wanted[a->kind]);
    if (!read_place(m, &s, &p) || !read_char(m, &s, ']'))
        return false;
    const char *suffix = isa_mem_suffix(a), *q = skip(s);
    size_t n = strlen(suffix);
    if (n ? strncmp(q, suffix, n) != 0 || word_char(q[n]) : a->kind == ISA_S && *q == '.')
        return fail(m, *q == '.' ? q : at,
                    "a place in shared memory has the size .U8, .U16, .S16 or none (32 bits)");
    if (n)
        s = q + n;

    uint32_t size = 1u << a->scale;
    if (bytes && p.offset % size) {
        snprintf(msg, sizeof msg, "byte offset 0x%x is not a multiple of %u", p.offset, size);
        return insist(m, p.at, msg);
    }
    int len = isa_bits_len(a);
    int64_t units = bytes ? (int32_t)p.offset / (int32_t)size : (int32_t)p.offset;
    /* 16-bit offsets wrap, so a negative one is its complement; short ones exist only as
     * increments */
    int64_t low = p.inc || len + a->scale >= 16 ? -(1ll << (len - 1)) : 0;
    int64_t high = p.inc ? (1ll << (len - 1)) - 1 : (1ll << len) - 1;
    if (p.known && (units < low || units > high)) {
        snprintf(msg, sizeof msg, "offset does not fit: this form reaches %s0x%llx to 0x%llx bytes",
                 low ? "-" : "", (unsigned long long)-low * size, (unsigned long long)high * size);
        return insist(m, p.at, msg);
    }
    if (p.has_areg && p.areg > AREGS && !m->env->any_areg)
        return no_such_areg(m, p.areg, p.at);
    if (p.has_areg && (p.areg > 7 || (a->areg == 2 && p.areg > 3)))
        return insist(m, p.at,
                      a->areg == 2 ? "short forms reach A1 to A3"
                                   : "there is no such address register");
    if (p.has_areg && !a->areg)
        return insist(m, p.at, "the address register belongs to the operand in shared memory");
    m->s = s;
    uint64_t areg_mask = (a->areg ? 3ull << 26 : 0) | (a->areg == 3 ? 1ull << 34 : 0);
    uint64_t areg = (uint64_t)(p.areg & 3) << 26 | (uint64_t)(p.areg >> 2) << 34;
    uint64_t inc = a->inc ? 1ull << a->inc : 0;
    if ((p.inc && !inc) || !set(m, areg_mask, areg) || !set(m, inc, p.inc ? inc : 0) ||
        !set(m, ((1ull << a->bank.len) - 1) << a->bank.pos, (uint64_t)bank << a->bank.pos))
        return insist(m, at, "this form cannot have that operand beside the others");
    if (bank >> a->bank.len)
        return insist(m, at, "short forms reach the constant banks c0 and c1");
    return set_value(m, a, (uint64_t)units, at);
}

static bool match_alt(struct match *m, const struct isa_alt *a)
{
    const char *at = skip(m->s);
    if (!set(m, a->sel, a->is)) {
        bool meant = (a->kind == ISA_K && *at == 'c') ||
                     (a->kind == ISA_S && (*at == 'g' || *at == 's'));
        static const char why[] = "this form cannot have that operand beside the others";
        return meant ? insist(m, at, why) : fail(m, at, why);
    }
    switch (a->kind) {
    case ISA_NAMES: return match_names(m, a);
    case ISA_PRED: return match_pred(m, a);
    case ISA_TARGET: return match_target(m, a);
    case ISA_TAIL: return match_tail(m, a);
    case ISA_NUMBER:
    case ISA_I: return match_number(m, a);
    case ISA_R:
    case ISA_RH:
    case ISA_A:
    case ISA_CC: return match_register(m, a);
    case ISA_OUT: return match_out(m, a);
    case ISA_SREG: return match_sreg(m, a);
    case ISA_G: return match_global(m, a);
    default: return match_memory(m, a);
    }
}

static bool match_field(struct match *m, const struct isa_field *f)
{
    struct match start = *m;
    for (int i = 0; i < ISA_MAX_ALTS && f->alt[i].kind != ISA_NONE; i++) {
        *m = start;
        if (match_alt(m, &f->alt[i]))
            return true;
    }
    return false;
}

/* ---- rows ---- */

static bool match_literal(struct match *m, char c, bool operands)
{
    if (c == ' ') {
        const char *p = skip(m->s);
        if (*p == '.' && !operands)
            return fail(m, p, "unknown or misplaced suffix");
        if (!operands && p == m->s && word_char(*p))
            return fail(m, p, "unknown instruction");
        m->s = p;
        return true;
    }
    const char *p = operands ? skip(m->s) : m->s;
    if (*p != c) {
        char msg[32];
        if (!operands && (m->suffix || *p == '.'))
            return fail(m, m->suffix ? m->suffix : p, "unknown or misplaced suffix");
        snprintf(msg, sizeof msg, "expected '%c'", c);
        return fail(m, p, msg);
    }
    if (c == '.')
        m->suffix = p;
    m->s = p + 1;
    m->score++;
    return true;
}

static bool match_row(struct match *m, const struct isa_row *row)
{
    bool operands = false;
    for (const char *t = row->text; *t; t++) {
        if (*t == '{') {
            size_t len = strcspn(t + 1, "}");
            m->suffix = NULL;
            if (!match_field(m, isa_field(t + 1, len)))
                return false;
            t += len + 1;
        } else {
            if (!match_literal(m, *t, operands))
                return false;
            operands |= *t == ' ';
        }
    }
    const char *p = skip(m->s);
    if (*p == ';')
        p = skip(p + 1);
    if (*p)
        return fail(m, p,
                    *p == '.' ? "unknown or misplaced suffix"
                              : "unexpected text after the instruction");
    return true;
}

static size_t mnemonic_len(const char *s)
{
    size_t n = 0;
    while (isalnum((unsigned char)s[n]))
        n++;
    return n;
}

/* Whether all suffixes that the row itself has are somewhere in the text: cheaper than matching. */
static bool has_suffixes(const struct isa_row *row, const char *text)
{
    const char *t = row->text;
    while (*t && *t != ' ') {
        size_t n = strcspn(t, "{ ");
        char suffix[32];
        if (*t == '.' && n < sizeof suffix) {
            memcpy(suffix, t, n);
            suffix[n] = 0;
            if (!strstr(text, suffix))
                return false;
        }
        t += n;
        if (*t == '{')
            t += strcspn(t, "}") + 1;
    }
    return true;
}

static bool has_mnemonic(const struct isa_row *row, const char *s, size_t len)
{
    /* the first test is for speed: there are hundreds of rows */
    return row->text[0] == s[0] && mnemonic_len(row->text) == len && !memcmp(row->text, s, len);
}

static int row_size(const struct isa_row *row)
{
    return row->form == ISA_SHORT || row->form == ISA_CTRL_SHORT ? 4 : 8;
}

static struct match start_match(const struct isa_row *row, const struct isa_env *env, const char *s,
                                struct isa_text_err *err)
{
    return (struct match){.env = env,
                          .s = s,
                          .word = (uint64_t)row->hi << 32 | row->lo,
                          .set = (uint64_t)row->hi_mask << 32 | row->lo_mask,
                          .err = err};
}

static const struct isa_row *first_row(const char *s, size_t len)
{
    for (int i = 0; i < isa_nrows; i++)
        if (has_mnemonic(&isa_rows[i], s, len))
            return &isa_rows[i];
    return NULL;
}

/* Tries the rows of one mnemonic; the score of the best that fits, or -1. */
static int try_rows(const char *s, size_t len, const struct isa_env *env, bool all,
                    struct isa_words *out, struct isa_text_err *why)
{
    int best = -1;
    for (int i = 0; i < isa_nrows; i++) {
        const struct isa_row *r = &isa_rows[i];
        if (!has_mnemonic(r, s, len) || !(all || has_suffixes(r, s)))
            continue;
        struct match m = start_match(r, env, s, why);
        if (!match_row(&m, r) || m.score <= best)
            continue;
        best = m.score;
        out->lo = (uint32_t)m.word;
        out->hi = (uint32_t)(m.word >> 32);
        out->size = row_size(r);
    }
    return best;
}

int isa_encode(const char *text, const struct isa_env *env, struct isa_words *out,
               struct isa_text_err *err)
{
    const char *s = skip(text);
    size_t len = mnemonic_len(s);
    struct isa_text_err why = {0};
    if (try_rows(s, len, env, false, out, &why) >= 0)
        return 0;
    why = (struct isa_text_err){0};
    try_rows(s, len, env, true, out, &why); /* for the message */
    if (!why.at) {
        why.at = s;
        snprintf(why.msg, sizeof why.msg, "unknown instruction '%.*s'", len > 30 ? 30 : (int)len,
                 s);
    }
    *err = why;
    const struct isa_row *row = first_row(s, len);
    out->size = row ? row_size(row) : 8;
    return -1;
}

/* Two names for one thing: forms of an operation, and the copies, which differ in where the value
 * lies. */
static bool means_the_same(uint16_t op, uint16_t other)
{
    return op == other || (isa_op_class(op) == ISA_MOVE && isa_op_class(other) == ISA_MOVE);
}

void isa_encode_hint(const char *text, const struct isa_env *env, struct isa_text_err *err)
{
    const char *s = skip(text);
    size_t len = mnemonic_len(s), used = strlen(err->msg);
    const struct isa_row *named = first_row(s, len);
    for (int i = 0; named && i < isa_nrows; i++) {
        const struct isa_row *r = &isa_rows[i];
        size_t n = mnemonic_len(r->text);
        if (has_mnemonic(r, s, len) || !means_the_same(r->preset.op, named->preset.op))
            continue;
        char hint[sizeof err->msg];
        int size = snprintf(hint, sizeof hint, "; with these operands write: %.*s%s", (int)n,
                            r->text, s + len);
        if (size < 0 || used + (size_t)size >= sizeof err->msg)
            return;
        struct isa_text_err why = {0};
        struct match m = start_match(r, env, strchr(hint, ':') + 2, &why);
        if (match_row(&m, r)) {
            memcpy(err->msg + used, hint, (size_t)size + 1);
            return;
        }
    }
}
