/* isa.c -- from words to instructions and text: loops over the table of isa.def.
 *
 * A word is decoded by the row whose fixed bits it has; then the row's template is walked once, and
 * each field in it says what its bits mean. Nothing here knows an instruction by name.
 */
#include "table.h"

#include <stdio.h>
#include <string.h>

const struct isa_field isa_fields[] = {
#define FIELD(name, text, ...) {#name, text, {__VA_ARGS__}},
#include "isa.def"
};
const int isa_nfields = sizeof isa_fields / sizeof isa_fields[0];

const struct isa_row isa_rows[] = {
#define ROW(name, form, lo, lo_mask, hi, hi_mask, text, ...)                                       \
    {form,                                                                                         \
     lo,                                                                                           \
     lo_mask,                                                                                      \
     hi,                                                                                           \
     hi_mask,                                                                                      \
     text,                                                                                         \
     {.op = OP_##name, .pred = PRED_ALWAYS, .cc_dst = -1, .lanes = 15, __VA_ARGS__}},
#include "isa.def"
};
const int isa_nrows = sizeof isa_rows / sizeof isa_rows[0];

const char *const isa_capability_name[ISA_CAPABILITIES] = {"1.0", "1.1", "1.2"};

int isa_rows_of(int capability)
{
    int n = isa_nrows;
    while (n && isa_rows[n - 1].preset.min > capability)
        n--;
    return n;
}

int isa_ops_of(int capability)
{
    int n = 0;
    for (int i = isa_rows_of(capability); i-- > 0;)
        n = isa_rows[i].preset.op >= n ? isa_rows[i].preset.op + 1 : n;
    return n;
}

static const struct {
    const char *name, *text;
    enum isa_class class;
} ops[] = {
#define OP(name, class, text) {#name, text, class},
#include "isa.def"
};

const char *isa_op_name(enum isa_op op)
{
    return (unsigned)op < OP_COUNT ? ops[op].name : "?";
}

const char *isa_op_text(enum isa_op op)
{
    return (unsigned)op < OP_COUNT ? ops[op].text : "?";
}

enum isa_class isa_op_class(enum isa_op op)
{
    return (unsigned)op < OP_COUNT ? ops[op].class : ISA_OTHER;
}

const char *isa_form_name(enum isa_form form)
{
    static const char *const name[] = {"short", "long", "immediate", "short control", "control"};
    return name[form];
}

enum isa_form isa_form(uint32_t lo, uint32_t hi)
{
    switch (lo & 3) {
    case 0: return ISA_SHORT;
    case 1: return (hi & 3) == 3 ? ISA_IMM : ISA_LONG;
    case 2: return ISA_CTRL_SHORT;
    default: return ISA_CTRL;
    }
}

/* The names once more, close together: a template's fields are looked up whenever it is walked. */
static const char field_name[][8] = {
#define FIELD(name, text, ...) #name,
#include "isa.def"
};

const struct isa_field *isa_field(const char *name, size_t len)
{
    char padded[8] = {0};
    uint64_t want, have;
    if (len >= sizeof padded)
        return NULL;
    memcpy(padded, name, len);
    memcpy(&want, padded, 8);
    for (int i = 0; i < isa_nfields; i++) {
        memcpy(&have, field_name[i], 8);
        if (have == want)
            return &isa_fields[i];
    }
    return NULL;
}

static bool exists(const struct isa_alt *a)
{
    return a->kind != ISA_NONE;
}

const struct isa_alt *isa_alt(const struct isa_field *f, uint64_t word)
{
    for (int i = 0; i < ISA_MAX_ALTS && exists(&f->alt[i]); i++)
        if ((word & f->alt[i].sel) == f->alt[i].is)
            return &f->alt[i];
    return NULL;
}

static uint64_t piece(struct isa_bits b)
{
    return ((1ull << b.len) - 1) << b.pos;
}

uint64_t isa_bits_mask(const struct isa_alt *a)
{
    return piece(a->bits[0]) | piece(a->bits[1]) | piece(a->bits[2]);
}

int isa_bits_len(const struct isa_alt *a)
{
    return a->bits[0].len + a->bits[1].len + a->bits[2].len;
}

uint64_t isa_claims(const struct isa_alt *a)
{
    uint64_t m = a->sel | isa_bits_mask(a) | piece(a->bank);
    if (a->areg)
        m |= 3ull << 26;
    if (a->areg == 3)
        m |= 1ull << 34;
    if (a->inc)
        m |= 1ull << a->inc;
    return m;
}

uint64_t isa_get(const struct isa_alt *a, uint64_t word)
{
    uint64_t v = 0;
    int at = 0;
    for (int i = 0; i < 3; i++) {
        v |= (word >> a->bits[i].pos & ((1ull << a->bits[i].len) - 1)) << at;
        at += a->bits[i].len;
    }
    return v;
}

uint64_t isa_put(const struct isa_alt *a, uint64_t value)
{
    uint64_t word = 0;
    for (int i = 0; i < 3; i++) {
        word |= (value & ((1ull << a->bits[i].len) - 1)) << a->bits[i].pos;
        value >>= a->bits[i].len;
    }
    return word;
}

const char *isa_name(const struct isa_alt *a, uint64_t value, size_t *len)
{
    const char *s = a->names;
    for (; value; value--) {
        s = strchr(s, '/');
        if (!s)
            return NULL;
        s++;
    }
    *len = strcspn(s, "/");
    return *len == 1 && *s == '?' ? NULL : s;
}

/* The four low bits are a set of outcomes as in FSET; the upper half tests single flags. */
const char *isa_cond_name(unsigned code)
{
    static const char *const name[32] = {
        "FALSE",     "LT",        "EQ",          "LE",    "GT",    "NE",   "GE",
        "NUM",       "NAN",       "LTU",         "EQU",   "LEU",   "GTU",  "NEU",
        "GEU",       "TRUE",      "OVERFLOW",    "CARRY", "ABOVE", "SIGN", [28] = "NOT_SIGN",
        "NOT_ABOVE", "NOT_CARRY", "NOT_OVERFLOW"};
    return code < 32 ? name[code] : NULL;
}

const char *isa_sreg_name(unsigned sreg)
{
    static const char *const name[16] = {"SR_PHYSID", "SR_CLOCK", NULL,     NULL,
                                         "SR_PM0",    "SR_PM1",   "SR_PM2", "SR_PM3"};
    return sreg < 16 ? name[sreg] : NULL;
}

const char *isa_mem_suffix(const struct isa_alt *a)
{
    if (a->untyped || a->kind != ISA_S)
        return "";
    switch (a->type) {
    case T_U8: return ".U8";
    case T_U16: return ".U16";
    case T_S16: return ".S16";
    default: return "";
    }
}

/* ---- finding the row ---- */

static bool field_valid(const struct isa_alt *a, uint64_t word)
{
    size_t len;
    if (a->kind == ISA_NAMES)
        return isa_name(a, isa_get(a, word), &len) != NULL;
    if (a->kind == ISA_PRED)
        return a->ignored || isa_cond_name(word >> 39 & 31) != NULL;
    return true;
}

/* Every field has a meaning, and no bit that no field in force owns is set. */
static bool row_valid(const struct isa_row *row, uint64_t word)
{
    uint64_t owned = (uint64_t)row->hi_mask << 32 | row->lo_mask;
    for (const char *t = strchr(row->text, '{'); t; t = strchr(t + 1, '{')) {
        const struct isa_field *f = isa_field(t + 1, strcspn(t + 1, "}"));
        const struct isa_alt *a = f ? isa_alt(f, word) : NULL;
        if (!a || !field_valid(a, word))
            return false;
        owned |= isa_claims(a);
    }
    return (word & ~owned) == 0;
}

const struct isa_row *isa_find(uint32_t lo, uint32_t hi, int capability)
{
    enum isa_form form = isa_form(lo, hi);
    if (form == ISA_SHORT || form == ISA_CTRL_SHORT)
        hi = 0;
    for (int i = 0; i < isa_nrows && isa_rows[i].preset.min <= capability; i++) {
        const struct isa_row *r = &isa_rows[i];
        if (r->form == form && (lo & r->lo_mask) == r->lo && (hi & r->hi_mask) == r->hi &&
            row_valid(r, (uint64_t)hi << 32 | lo))
            return r;
    }
    return NULL;
}

/* ---- decoding ---- */

static unsigned areg_of(const struct isa_alt *a, uint64_t word)
{
    unsigned n = a->areg ? (unsigned)(word >> 26) & 3 : 0;
    return a->areg == 3 ? n | (unsigned)(word >> 34 & 1) << 2 : n;
}

/* Byte offset of a memory operand; the increment of a post-increment is signed. */
static uint32_t offset_of(const struct isa_alt *a, uint64_t word)
{
    uint64_t v = isa_get(a, word);
    int len = isa_bits_len(a);
    if (a->inc && word >> a->inc & 1 && v >> (len - 1))
        v |= ~0ull << len;
    return (uint32_t)(v << a->scale);
}

static void decode_operand(const struct isa_alt *a, uint64_t word, struct isa_operand *o)
{
    o->kind = a->kind == ISA_TAIL ? ISA_I : a->kind;
    o->type = a->type;
    o->value = (uint32_t)isa_get(a, word);
    o->bank = (uint8_t)(word >> a->bank.pos & ((1u << a->bank.len) - 1));
    if (a->kind == ISA_S || a->kind == ISA_K || a->kind == ISA_L) {
        o->value = offset_of(a, word);
        o->areg = (uint8_t)areg_of(a, word);
        o->postinc = a->inc && word >> a->inc & 1;
    }
}

static void decode_names(const struct isa_alt *a, unsigned v, struct isa_insn *in,
                         struct isa_operand *marks)
{
    uint8_t type = a->types ? a->types[v] : 0;
    switch ((enum isa_to)a->to) {
    case TO_NOTHING: break;
    case TO_EXIT_JOIN:
        in->exit = v & 1;
        in->join = v & 2;
        break;
    case TO_CC_DST: in->cc_dst = (int8_t)(v & 4 ? (int)v & 3 : -1); break;
    case TO_CARRY:
        in->carry = true;
        in->cc_src = (uint8_t)v;
        break;
    case TO_NEG: marks->neg = v; break;
    case TO_ABS: marks->abs = v; break;
    case TO_INV: marks->inv = v; break;
    case TO_SAT: in->sat = v; break;
    case TO_HIGH: in->high = v; break;
    case TO_RND: in->rnd = (uint8_t)v; break;
    case TO_RND_RINT:
        in->rnd = v & 3;
        in->rint = v & 4;
        break;
    case TO_CMP: in->cmp = (uint8_t)v; break;
    case TO_SUBOP: in->subop = (uint8_t)v; break;
    case TO_SUBOP_BIT0: in->subop |= (uint8_t)v; break;
    case TO_SUBOP_BIT1: in->subop |= (uint8_t)(v << 1); break;
    case TO_SUBOP_BIT2: in->subop |= (uint8_t)(v << 2); break;
    case TO_LANES: in->lanes = (uint8_t)v; break;
    case TO_TYPE: in->type = type; break;
    case TO_STYPE: in->stype = type; break;
    case TO_AS0: in->src[0].as = type; break;
    case TO_AS1: in->src[1].as = type; break;
    case TO_AS01: in->src[0].as = in->src[1].as = type; break;
    case TO_LIVE: in->tex.live = v; break;
    case TO_DERIV: in->tex.deriv = v; break;
    case TO_UNIT: in->tex.unit = (uint8_t)v; break;
    case TO_SAMPLER: in->tex.sampler = (uint8_t)v; break;
    case TO_COORDS: in->tex.coords = (uint8_t)(v + 1); break;
    case TO_MASK: in->tex.mask = (uint8_t)v; break;
    case TO_OFFSET: in->tex.offset |= v != 0; break;
    }
}

static bool narrow(unsigned type)
{
    return type == T_U8 || type == T_S8 || type == T_U16 || type == T_S16 || type == T_F16;
}

/* What the template leaves open: types that follow from the operation's. */
static void finish(struct isa_insn *in, bool converts)
{
    if (!converts)
        in->stype = in->type;
    struct isa_operand *all[4] = {&in->dst, &in->src[0], &in->src[1], &in->src[2]};
    bool wide = in->type == T_B64 || in->type == T_B128;
    for (int i = 0; i < 4; i++) {
        struct isa_operand *o = all[i];
        if (o->kind == ISA_NONE)
            continue;
        if (o->kind == ISA_G || o->kind == ISA_L || (o->kind == ISA_R && wide))
            o->type = in->type;
        uint8_t type = i == 0 ? in->type : in->stype;
        if (o->as == T_B32 && !(o->kind == ISA_R && narrow(type) && !converts))
            o->as = type;
    }
}

int isa_decode(uint32_t lo, uint32_t hi, bool wide_code, int capability, struct isa_insn *out)
{
    const struct isa_row *row = isa_find(lo, hi, capability);
    if (!row)
        return 0;
    bool one_word = row->form == ISA_SHORT || row->form == ISA_CTRL_SHORT;
    uint64_t word = one_word ? lo : (uint64_t)hi << 32 | lo;
    *out = row->preset;
    out->row = (uint16_t)(row - isa_rows);
    out->size = one_word ? 4 : 8;

    enum isa_class class = isa_op_class(out->op);
    struct isa_operand *operand[5] = {&out->dst, &out->src[0], &out->src[1], &out->src[2], NULL};
    int next = class == ISA_CONTROL ? 1 : 0;
    struct isa_operand marks = {0}; /* signs in front of the operand that comes next */
    const struct isa_field *closing = NULL;
    for (const char *t = row->text; *t; t++) {
        if (*t == '-' || *t == '~') {
            *(*t == '-' ? &marks.neg : &marks.inv) = true;
            continue;
        }
        if (*t != '{')
            continue;
        size_t len = strcspn(t + 1, "}");
        const struct isa_field *f = isa_field(t + 1, len);
        const struct isa_alt *a = isa_alt(f, word);
        uint64_t v = isa_get(a, word);
        t += len + 1;
        switch (a->kind) {
        case ISA_NAMES:
            if (f == closing) /* the second '|' of |R1| */
                break;
            if (a->to == TO_ABS)
                closing = f;
            decode_names(a, (unsigned)v, out, &marks);
            break;
        case ISA_PRED:
            out->cc_src = (uint8_t)(v >> 5);
            out->pred = a->ignored ? PRED_ALWAYS : (uint8_t)(v & 31);
            break;
        case ISA_TARGET:
            out->target = (uint32_t)v << a->scale;
            if (!wide_code)
                out->target &= 0xffffff;
            break;
        case ISA_NUMBER: decode_names(a, (unsigned)v, out, &marks); break;
        default: {
            struct isa_operand *o = operand[next];
            if (!o)
                break;
            uint8_t as = o->as;
            decode_operand(a, word, o);
            o->as = as;
            o->neg = marks.neg;
            o->abs = marks.abs;
            o->inv = marks.inv;
            marks = (struct isa_operand){0};
            next++;
        }
        }
    }
    if (class != ISA_OTHER)
        finish(out, class == ISA_CONVERT);
    return out->size;
}

/* ---- printing ---- */

struct text {
    char *out;
    size_t size, used;
};

static void put(struct text *x, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++, x->used++)
        if (x->used + 1 < x->size)
            x->out[x->used] = s[i];
}

static void puts_(struct text *x, const char *s)
{
    put(x, s, strlen(s));
}

static void put_number(struct text *x, const char *fmt, uint32_t v)
{
    char b[32];
    int n = snprintf(b, sizeof b, fmt, v);
    put(x, b, (size_t)n);
}

static void print_memory(struct text *x, const struct isa_alt *a, uint64_t word)
{
    struct isa_operand o = {0};
    decode_operand(a, word, &o);
    if (a->kind == ISA_S)
        puts_(x, "g[");
    else if (a->kind == ISA_L)
        puts_(x, "local[");
    else {
        put_number(x, "c[0x%x][", o.bank);
    }
    int32_t units = (int32_t)o.value / (1 << a->scale);
    if (o.postinc) {
        put_number(x, "A%u++", o.areg);
        put_number(x, units < 0 ? "-0x%x" : "+0x%x", (uint32_t)(units < 0 ? -units : units));
    } else {
        if (o.areg)
            put_number(x, "A%u+", o.areg);
        put_number(x, "0x%x", (uint32_t)units);
    }
    puts_(x, "]");
    puts_(x, isa_mem_suffix(a));
}

static void print_field(struct text *x, const struct isa_alt *a, uint64_t word)
{
    uint32_t v = (uint32_t)isa_get(a, word);
    size_t len = 0;
    const char *s;
    switch (a->kind) {
    case ISA_NAMES:
        s = isa_name(a, v, &len);
        if (s)
            put(x, s, len);
        break;
    case ISA_PRED: {
        if ((a->shared_cc ? v & 31 : v) == a->canon)
            break;
        puts_(x, a->pre);
        put_number(x, "C%u.", v >> 5);
        s = isa_cond_name(v & 31);
        if (s)
            puts_(x, s);
        else
            put_number(x, "P%u", v & 31);
        puts_(x, a->post);
        break;
    }
    case ISA_TARGET: put_number(x, "0x%x", v << a->scale); break;
    case ISA_TAIL:
        if (v)
            put_number(x, ", 0x%x", v);
        break;
    case ISA_NUMBER:
        puts_(x, a->pre);
        put_number(x, "0x%x", v);
        break;
    case ISA_R: put_number(x, "R%u", v); break;
    case ISA_RH:
        put_number(x, "R%u", v >> 1);
        puts_(x, v & 1 ? "H" : "L");
        break;
    case ISA_OUT:
        put_number(x, "o[0x%x]", v);
        if (a->post)
            puts_(x, a->post);
        break;
    case ISA_A: put_number(x, "A%u", v); break;
    case ISA_CC: put_number(x, "C%u", v); break;
    case ISA_I:
        if (a->pre) {
            puts_(x, a->pre);
            put_number(x, "%u", v);
        } else
            put_number(x, "0x%x", v);
        break;
    case ISA_SREG:
        s = isa_sreg_name(v);
        if (s)
            puts_(x, s);
        else
            put_number(x, "SR_%u", v);
        break;
    case ISA_G:
        put_number(x, "global%u[", (uint32_t)(word >> a->bank.pos) & ((1u << a->bank.len) - 1));
        put_number(x, "R%u]", v);
        break;
    default: print_memory(x, a, word); break;
    }
}

int isa_print(uint32_t lo, uint32_t hi, char *out, size_t size)
{
    const struct isa_row *row = isa_find(lo, hi, ISA_NEWEST);
    if (!row)
        return -1;
    bool one_word = row->form == ISA_SHORT || row->form == ISA_CTRL_SHORT;
    uint64_t word = one_word ? lo : (uint64_t)hi << 32 | lo;
    struct text x = {out, size, 0};
    for (const char *t = row->text; *t; t++) {
        if (*t != '{') {
            put(&x, t, 1);
            continue;
        }
        size_t len = strcspn(t + 1, "}");
        print_field(&x, isa_alt(isa_field(t + 1, len), word), word);
        t += len + 1;
    }
    if (size)
        out[x.used < size ? x.used : size - 1] = 0;
    return (int)x.used;
}
