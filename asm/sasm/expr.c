/* expr.c -- expressions: C's operators on 32-bit values, names, float literals as their bits.
 *
 * Precedence climbing. Comparison, division and remainder are signed, >> fills with zeros
 * (addresses and masks are the usual operands); overflow wraps. Both sides of && || ?: are
 * evaluated: there is nothing that could go wrong in one.
 */
#include "internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct expr {
    const char *s;
    sasm_name_fn name;
    void *ctx;
    bool known;
    int depth;
    struct isa_text_err *err;
};

const char *sasm_skip(const char *s)
{
    while (*s == ' ' || *s == '\t' || *s == '\r')
        s++;
    return s;
}

size_t sasm_name_len(const char *s)
{
    size_t n = 0;
    if (isalpha((unsigned char)*s) || *s == '_' || *s == '$')
        while (isalnum((unsigned char)s[n]) || s[n] == '_' || s[n] == '$')
            n++;
    return n;
}

static int fail(struct expr *e, const char *at, const char *msg)
{
    e->err->at = at;
    snprintf(e->err->msg, sizeof e->err->msg, "%s", msg);
    return -1;
}

/* A decimal literal with a point, an exponent or an f is a float. */
static bool is_float(const char *s)
{
    const char *p = s;
    while (isdigit((unsigned char)*p))
        p++;
    if (p == s && !(*p == '.' && isdigit((unsigned char)p[1])))
        return false;
    if (*p == '.' || *p == 'f')
        return true;
    return (*p == 'e' || *p == 'E') &&
           (isdigit((unsigned char)p[1]) ||
            ((p[1] == '-' || p[1] == '+') && isdigit((unsigned char)p[2])));
}

static int read_float(struct expr *e, uint32_t *v)
{
    char *end;
    float f = strtof(e->s, &end);
    memcpy(v, &f, 4);
    if (*end == 'f' || *end == 'F')
        end++;
    if (isalnum((unsigned char)*end) || *end == '_')
        return fail(e, e->s, "not a number");
    e->s = end;
    return 0;
}

static int read_integer(struct expr *e, uint32_t *v)
{
    const char *s = e->s;
    unsigned base = 10;
    if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
        base = 16;
        s += 2;
    } else if (s[0] == '0' && (s[1] == 'b' || s[1] == 'B')) {
        base = 2;
        s += 2;
    }
    uint64_t n = 0;
    const char *first = s;
    for (;; s++) {
        unsigned d = isdigit((unsigned char)*s)    ? (unsigned)(*s - '0')
                     : isxdigit((unsigned char)*s) ? (unsigned)((*s | 32) - 'a' + 10)
                                                   : 99;
        if (d >= base)
            break;
        n = n * base + d;
        if (n > 0xffffffff)
            return fail(e, e->s, "number larger than 32 bits");
    }
    if ((*s == 'U' || *s == 'u') && s > first)
        s++;
    if (s == first || isalnum((unsigned char)*s) || *s == '_')
        return fail(e, e->s, "not a number");
    e->s = s;
    *v = (uint32_t)n;
    return 0;
}

static int conditional(struct expr *e, uint32_t *v);

static int primary(struct expr *e, uint32_t *v)
{
    e->s = sasm_skip(e->s);
    if (is_float(e->s))
        return read_float(e, v);
    if (isdigit((unsigned char)*e->s))
        return read_integer(e, v);
    if (*e->s == '(') {
        e->s++;
        if (conditional(e, v))
            return -1;
        e->s = sasm_skip(e->s);
        if (*e->s != ')')
            return fail(e, e->s, "expected ')'");
        e->s++;
        return 0;
    }
    size_t n = sasm_name_len(e->s);
    if (!n)
        return fail(e, e->s,
                    *e->s ? "expected a number, a name or '('" : "expected a number or a name");
    bool known = true;
    e->err->at = e->s;
    if (e->name(e->ctx, e->s, n, v, &known, e->err))
        return -1;
    e->known &= known;
    e->s += n;
    return 0;
}

static int unary(struct expr *e, uint32_t *v)
{
    e->s = sasm_skip(e->s);
    char c = *e->s;
    if (c != '-' && c != '~' && c != '!' && c != '+')
        return primary(e, v);
    if (++e->depth > SASM_MAX_NESTING)
        return fail(e, e->s, "too many operators in a row");
    e->s = sasm_skip(e->s + 1);
    bool literal = is_float(e->s);
    if (unary(e, v))
        return -1;
    e->depth--;
    if (c == '-')
        *v = literal ? *v ^ 0x80000000 : 0 - *v;
    else if (c == '~')
        *v = ~*v;
    else if (c == '!')
        *v = !*v;
    return 0;
}

/* Binary operators; longer spellings first. */
static const struct {
    const char *text;
    int level;
} binary_op[] = {{"||", 1}, {"&&", 2}, {"==", 6}, {"!=", 6}, {"<=", 7}, {">=", 7},
                 {"<<", 8}, {">>", 8}, {"|", 3},  {"^", 4},  {"&", 5},  {"<", 7},
                 {">", 7},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};

static int find_op(const char *s)
{
    for (int i = 0; i < (int)(sizeof binary_op / sizeof binary_op[0]); i++)
        if (strncmp(s, binary_op[i].text, strlen(binary_op[i].text)) == 0)
            return i;
    return -1;
}

static int apply(struct expr *e, const char *at, const char *op, uint32_t a, uint32_t b,
                 uint32_t *v)
{
    int32_t sa = (int32_t)a, sb = (int32_t)b;
    bool twice = op[1] != 0;
    switch (op[0]) {
    case '|': *v = twice ? a || b : a | b; break;
    case '&': *v = twice ? a && b : a & b; break;
    case '^': *v = a ^ b; break;
    case '=': *v = a == b; break;
    case '!': *v = a != b; break;
    case '+': *v = a + b; break;
    case '-': *v = a - b; break;
    case '*': *v = a * b; break;
    case '<': *v = !twice ? sa < sb : op[1] == '=' ? sa <= sb : b < 32 ? a << b : 0; break;
    case '>': *v = !twice ? sa > sb : op[1] == '=' ? sa >= sb : b < 32 ? a >> b : 0; break;
    default:
        if (b == 0 && !e->known) {
            *v = 0;
            break;
        }
        if (b == 0)
            return fail(e, at, "division by zero");
        if (b == 0xffffffff) /* also keeps INT_MIN / -1 out of C's hands */
            *v = op[0] == '/' ? 0 - a : 0;
        else
            *v = (uint32_t)(op[0] == '/' ? sa / sb : sa % sb);
    }
    return 0;
}

static int binary(struct expr *e, int level, uint32_t *v)
{
    if (unary(e, v))
        return -1;
    for (;;) {
        e->s = sasm_skip(e->s);
        int i = find_op(e->s);
        if (i < 0 || binary_op[i].level < level)
            return 0;
        const char *at = e->s;
        e->s += strlen(binary_op[i].text);
        uint32_t right;
        if (binary(e, binary_op[i].level + 1, &right) ||
            apply(e, at, binary_op[i].text, *v, right, v))
            return -1;
    }
}

static int conditional(struct expr *e, uint32_t *v)
{
    if (++e->depth > SASM_MAX_NESTING)
        return fail(e, e->s, "expression nested too deeply");
    if (binary(e, 1, v))
        return -1;
    e->s = sasm_skip(e->s);
    if (*e->s == '?') {
        uint32_t yes, no;
        e->s++;
        if (conditional(e, &yes))
            return -1;
        e->s = sasm_skip(e->s);
        if (*e->s != ':')
            return fail(e, e->s, "expected ':'");
        e->s++;
        if (conditional(e, &no))
            return -1;
        *v = *v ? yes : no;
    }
    e->depth--;
    return 0;
}

int sasm_expr(const char **s, sasm_name_fn name, void *ctx, uint32_t *value, bool *known,
              struct isa_text_err *err)
{
    struct expr e = {.s = *s, .name = name, .ctx = ctx, .known = true, .err = err};
    *value = 0;
    *known = true;
    if (conditional(&e, value))
        return -1;
    *s = e.s;
    *known = e.known;
    if (!e.known)
        *value = 0;
    return 0;
}
