/* check.c -- what a sound table is, as code: see check.h. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "asm/sasm/sasm.h"

/* Calls visit for every field of a template. */
static int each_field(const struct isa_row *row, const char **t, const struct isa_field **f)
{
    *t = *t ? strchr(*t + 1, '{') : strchr(row->text, '{');
    if (!*t)
        return 0;
    *f = isa_field(*t + 1, strcspn(*t + 1, "}"));
    return 1;
}

static uint64_t field_claims(const struct isa_field *f)
{
    uint64_t m = 0;
    for (int i = 0; i < ISA_MAX_ALTS && f->alt[i].kind != ISA_NONE; i++)
        m |= isa_claims(&f->alt[i]);
    return m;
}

/* The bits that a form fixes, and their value. */
static void form_bits(enum isa_form form, uint64_t *mask, uint64_t *value)
{
    static const uint8_t low[] = {
        [ISA_SHORT] = 0, [ISA_LONG] = 1, [ISA_IMM] = 1, [ISA_CTRL_SHORT] = 2, [ISA_CTRL] = 3};
    *mask = form == ISA_IMM ? 3ull << 32 | 3 : 3;
    *value = form == ISA_IMM ? 3ull << 32 | 1 : low[form];
}

static bool one_word(const struct isa_row *r)
{
    return r->form == ISA_SHORT || r->form == ISA_CTRL_SHORT;
}

static uint64_t row_mask(const struct isa_row *r)
{
    return (uint64_t)r->hi_mask << 32 | r->lo_mask;
}

static uint64_t row_bits(const struct isa_row *r)
{
    return (uint64_t)r->hi << 32 | r->lo;
}

int isa_check_masks(struct isa_table t, struct fl_buf *report)
{
    int bad = 0;
    for (int i = 0; i < t.nrows; i++) {
        const struct isa_row *r = &t.row[i];
        const char *at = NULL;
        const struct isa_field *f;
        uint64_t claims = 0, mask, value;
        while (each_field(r, &at, &f)) {
            if (!f) {
                fl_buf_printf(report, "%s: there is no field '%.*s'\n", r->text,
                              (int)strcspn(at + 1, "}"), at + 1);
                bad++;
            } else
                claims |= field_claims(f);
        }
        uint64_t all = one_word(r) ? 0xffffffff : ~0ull;
        if (row_mask(r) & claims) {
            fl_buf_printf(report, "%s: bits 0x%016llx are fixed and belong to a field\n", r->text,
                          (unsigned long long)(row_mask(r) & claims));
            bad++;
        }
        if ((row_mask(r) | claims) != all) {
            fl_buf_printf(report, "%s: nobody owns bits 0x%016llx\n", r->text,
                          (unsigned long long)((row_mask(r) | claims) ^ all));
            bad++;
        }
        if (row_bits(r) & ~row_mask(r)) {
            fl_buf_printf(report, "%s: bits 0x%016llx are given but not fixed\n", r->text,
                          (unsigned long long)(row_bits(r) & ~row_mask(r)));
            bad++;
        }
        form_bits(r->form, &mask, &value);
        if ((row_mask(r) & mask) != mask || (row_bits(r) & mask) != value) {
            fl_buf_printf(report, "%s: its low bits are not those of the %s form\n", r->text,
                          isa_form_name(r->form));
            bad++;
        }
    }
    return bad;
}

int isa_check_overlaps(struct isa_table t, struct fl_buf *report)
{
    int bad = 0;
    for (int i = 0; i < t.nrows; i++)
        for (int j = i + 1; j < t.nrows; j++) {
            const struct isa_row *a = &t.row[i], *b = &t.row[j];
            uint64_t both = row_mask(a) & row_mask(b);
            if (a->form != b->form || ((row_bits(a) ^ row_bits(b)) & both))
                continue;
            fl_buf_printf(report, "%s overlaps %s\n", a->text, b->text);
            bad++;
        }
    return bad;
}

/* What an operation needs: its first row says it, -1: it has none. */
static int op_needs(struct isa_table t, int op)
{
    for (int i = 0; i < t.nrows; i++)
        if (t.row[i].preset.op == op)
            return t.row[i].preset.min;
    return -1;
}

int isa_check_order(struct isa_table t, struct fl_buf *report)
{
    int bad = 0, highest = ISA_1_0;
    for (int i = 1; i < t.nrows; i++)
        if (t.row[i].preset.min < t.row[i - 1].preset.min) {
            fl_buf_printf(report, "%s: needs a lower compute capability than the row before it\n",
                          t.row[i].text);
            bad++;
        }
    for (int op = 0; op < OP_COUNT; op++) {
        int needs = op_needs(t, op);
        if (needs >= 0 && needs < highest) {
            fl_buf_printf(report, "operation %s: comes after one of a higher compute capability\n",
                          isa_op_name((enum isa_op)op));
            bad++;
        }
        highest = needs > highest ? needs : highest;
    }
    return bad;
}

static int check_names(const struct isa_field *f, const struct isa_alt *a, struct fl_buf *report)
{
    int bad = 0;
    size_t n, m;
    for (uint64_t i = 0; i < 1ull << isa_bits_len(a); i++)
        for (uint64_t j = i + 1; j < 1ull << isa_bits_len(a); j++) {
            const char *x = isa_name(a, i, &n), *y = isa_name(a, j, &m);
            if (!x || !y || n != m || memcmp(x, y, n) != 0)
                continue;
            fl_buf_printf(report, "field %s: values %d and %d are both called '%.*s'\n", f->name,
                          (int)i, (int)j, (int)n, x);
            bad++;
        }
    return bad;
}

int isa_check_fields(struct isa_table t, struct fl_buf *report)
{
    int bad = 0;
    for (int i = 0; i < isa_nfields; i++) {
        const struct isa_field *f = &isa_fields[i], *g;
        bool used = false;
        for (int r = 0; r < t.nrows && !used; r++)
            for (const char *at = NULL; each_field(&t.row[r], &at, &g);)
                used |= g == f;
        if (!used) {
            fl_buf_printf(report, "field %s: no row uses it\n", f->name);
            bad++;
        }
        for (int j = 0; j < i; j++)
            if (strcmp(isa_fields[j].name, f->name) == 0) {
                fl_buf_printf(report, "field %s: defined twice\n", f->name);
                bad++;
            }
        for (int k = 0; k < ISA_MAX_ALTS && f->alt[k].kind != ISA_NONE; k++)
            if (f->alt[k].kind == ISA_NAMES)
                bad += check_names(f, &f->alt[k], report);
    }
    for (int op = 0; op < OP_COUNT; op++) {
        int rows = 0;
        for (int r = 0; r < t.nrows; r++)
            rows += t.row[r].preset.op == op;
        if (!rows) {
            fl_buf_printf(report, "operation %s: no row makes it\n", isa_op_name(op));
            bad++;
        }
    }
    return bad;
}

/* The same text in a file, where names may be labels that come later. Address registers from A5 on,
 * and targets outside of the code, are of words alone. */
static bool survives_in_a_file(const char *text, uint32_t lo, uint32_t hi, uint32_t size,
                               struct fl_buf *report)
{
    if (strstr(text, "A5") || strstr(text, "A6") || strstr(text, "A7"))
        return true;
    char *source = fl_format(".kernel k\n%s\n.align 8\n", text);
    struct cubin *c = NULL;
    struct fl_err err = {""};
    struct isa_words back = {0};
    bool read = sasm_assemble("word", source, &c, &err) == 0;
    bool good = !read &&
                (strstr(err.msg, "there is no address register") || strstr(err.msg, ": target 0x"));
    if (read) {
        memcpy(&back.lo, c->kernel[0].code[0].bytes, 4);
        memcpy(&back.hi, c->kernel[0].code[0].bytes + 4, size - 4);
        good = back.lo == lo && back.hi == hi;
    }
    if (!good)
        fl_buf_printf(report, "%08x %08x prints '%s', which in a file is %08x %08x %s\n", lo, hi,
                      text, back.lo, back.hi, err.msg);
    cubin_free(c);
    free(source);
    return good;
}

/* 1 when the word is of the row and survives, 0 when it is no instruction, -1 when it changes. */
static int survives(const struct isa_row *row, uint64_t word, struct fl_buf *report)
{
    char text[256];
    struct isa_words back;
    struct isa_text_err why = {0};
    uint32_t lo = (uint32_t)word, hi = one_word(row) ? 0 : (uint32_t)(word >> 32);
    const struct isa_row *found = isa_find(lo, hi, ISA_NEWEST);
    if (!found || isa_form(lo, hi) != (enum isa_form)row->form)
        return 0;
    if (found != row) {
        fl_buf_printf(report, "%s: %08x %08x decodes as %s\n", row->text, lo, hi, found->text);
        return -1;
    }
    isa_print(lo, hi, text, sizeof text);
    if (sasm_words(text, &back, &why)) {
        fl_buf_printf(report, "%s: %08x %08x prints '%s', which is refused: %s\n", row->text, lo,
                      hi, text, why.msg);
        return -1;
    }
    if (back.lo != lo || back.hi != hi || back.size != (one_word(row) ? 4 : 8)) {
        fl_buf_printf(report, "%s: %08x %08x prints '%s', which is %08x %08x\n", row->text, lo, hi,
                      text, back.lo, back.hi);
        return -1;
    }
    return survives_in_a_file(text, lo, hi, (uint32_t)back.size, report) ? 1 : -1;
}

int isa_check_round_trip(uint64_t seed, int words_per_row, struct fl_buf *report)
{
    int bad = 0;
    for (int i = 0; i < isa_nrows && bad < 20; i++) {
        const struct isa_row *r = &isa_rows[i];
        uint64_t state = seed * FL_RANDOM_STEP + (uint64_t)i + 1, open = ~row_mask(r);
        int valid = 0;
        /* bits that must be zero unless an operand is memory make most random words illegal:
         * draw sparse ones too */
        for (int n = 0; valid < words_per_row && n < 200 * words_per_row && bad < 20; n++) {
            uint64_t random = fl_random(&state);
            if (n % 4)
                random &= fl_random(&state);
            if (n % 4 == 3)
                random &= fl_random(&state);
            if (n % 4 == 0) /* no areg, no post-increment, bank 0 */
                random &= ~(7ull << 25 | 1ull << 34 | 15ull << 54);
            int s = survives(r, row_bits(r) | (random & open), report);
            bad += s < 0;
            valid += s > 0;
        }
        for (int b = 0; b < 64 && bad < 20; b++) /* every bit alone */
            bad += survives(r, row_bits(r) | (1ull << b & open), report) < 0;
        if (valid < words_per_row) {
            fl_buf_printf(report, "%s: only %d random words are instructions\n", r->text, valid);
            bad++;
        }
    }
    return bad;
}
