/* doc.c -- docs/reference/isa.md, made from the table. */
#include "check.h"

#include <string.h>

static const char *const class_name[] = {
    "control", "move", "integer", "float", "conversion", "special function", "memory", "other"};

static const char *const kind_name[] = {[ISA_R] = "register",
                                        [ISA_RH] = "half register (bit 0: high half)",
                                        [ISA_OUT] = "output register",
                                        [ISA_A] = "address register",
                                        [ISA_CC] = "condition register",
                                        [ISA_S] = "shared memory",
                                        [ISA_K] = "constant memory",
                                        [ISA_G] = "global memory, address in a register",
                                        [ISA_L] = "local memory",
                                        [ISA_I] = "number",
                                        [ISA_SREG] = "special register",
                                        [ISA_NAMES] = "",
                                        [ISA_PRED] = "predicate",
                                        [ISA_TARGET] = "code address",
                                        [ISA_TAIL] = "optional number",
                                        [ISA_NUMBER] = "number"};

static void word_bit(struct fl_buf *b, int bit)
{
    fl_buf_printf(b, bit < 32 ? "lo%d" : "hi%d", bit & 31);
}

static void range(struct fl_buf *b, struct isa_bits p)
{
    fl_buf_printf(b, p.pos < 32 ? "lo[" : "hi[");
    if (p.len > 1)
        fl_buf_printf(b, "%d:%d]", (p.pos & 31) + p.len - 1, p.pos & 31);
    else
        fl_buf_printf(b, "%d]", p.pos & 31);
}

/* The value's bits, most significant piece first. */
static void value_bits(struct fl_buf *b, const struct isa_alt *a)
{
    const char *sep = "";
    for (int i = 2; i >= 0; i--)
        if (a->bits[i].len) {
            fl_buf_printf(b, "%s", sep);
            range(b, a->bits[i]);
            sep = ", ";
        }
}

static void names(struct fl_buf *b, const struct isa_alt *a)
{
    size_t n;
    const char *sep = "";
    for (uint64_t v = 0; v < 1ull << isa_bits_len(a); v++) {
        const char *s = isa_name(a, v, &n);
        if (!s)
            continue;
        if (n)
            fl_buf_printf(b, "%s%d `%.*s`", sep, (int)v, (int)n, s);
        else
            fl_buf_printf(b, "%s%d nothing", sep, (int)v);
        sep = ", ";
    }
}

static void condition(struct fl_buf *b, const struct isa_alt *a)
{
    if (!a->sel)
        return;
    fl_buf_printf(b, " when");
    for (int i = 63; i >= 0; i--)
        if (a->sel >> i & 1) {
            fl_buf_printf(b, " ");
            word_bit(b, i);
            fl_buf_printf(b, "=%d", (int)(a->is >> i & 1));
        }
}

static void alternative(struct fl_buf *b, const struct isa_alt *a)
{
    if (a->kind == ISA_NAMES) {
        if (isa_bits_len(a) == 0) {
            fl_buf_printf(b, "otherwise nothing");
            return;
        }
        value_bits(b, a);
        fl_buf_printf(b, ": ");
        names(b, a);
        condition(b, a);
        return;
    }
    fl_buf_printf(b, "%s ", kind_name[a->kind]);
    value_bits(b, a);
    if (a->kind == ISA_S || a->kind == ISA_K || a->kind == ISA_L) {
        static const char *const size[] = {"bytes", "units of 2 bytes", "units of 4 bytes"};
        fl_buf_printf(b, " in %s%s", size[a->scale], isa_mem_suffix(a));
        if (a->areg)
            fl_buf_printf(b, ", address register %slo[27:26]", a->areg == 3 ? "hi[2], " : "");
        if (a->inc)
            fl_buf_printf(b, ", post-increment lo[25]");
    }
    if (a->bank.len) {
        fl_buf_printf(b, ", bank ");
        range(b, a->bank);
    }
    if (a->kind == ISA_PRED) {
        if (a->ignored)
            fl_buf_printf(b, ", ignored by the hardware");
        fl_buf_printf(b, "; %s prints nothing", isa_cond_name(a->canon & 31));
    }
    if (a->kind == ISA_TARGET)
        fl_buf_printf(b, ", times 4; hi[27:20] count only in 32-bit code spaces");
    condition(b, a);
}

static void fields(struct fl_buf *b)
{
    fl_buf_printf(b, "\n## Fields\n\n| field | meaning | bits |\n|---|---|---|\n");
    for (int i = 0; i < isa_nfields; i++) {
        const struct isa_field *f = &isa_fields[i];
        struct fl_buf cell = {0};
        for (int k = 0; k < ISA_MAX_ALTS && f->alt[k].kind != ISA_NONE; k++) {
            fl_buf_printf(&cell, k ? "; " : "");
            alternative(&cell, &f->alt[k]);
        }
        fl_buf_printf(b, "| `%s` | %s | ", f->name, f->text);
        for (size_t n = 0; n < cell.size; n++) /* a bar would end the cell */
            fl_buf_printf(b, cell.data[n] == '|' ? "\\|" : "%c", cell.data[n]);
        fl_buf_printf(b, " |\n");
        fl_buf_free(&cell);
    }
}

static void pattern(struct fl_buf *b, uint32_t bits, uint32_t mask)
{
    for (int i = 31; i >= 0; i--)
        fl_buf_printf(b, "%s%s", mask >> i & 1 ? (bits >> i & 1 ? "1" : "0") : ".",
                      i % 4 == 0 && i ? " " : "");
}

static void rows(struct fl_buf *b)
{
    fl_buf_printf(b,
                  "\n## Operations\n\nBits are in the order 31 to 0; a dot belongs to a field.\n");
    for (int op = 0; op < OP_COUNT; op++) {
        fl_buf_printf(b, "\n### %s\n\n%s. Class: %s.\n\n```\n", isa_op_name(op), isa_op_text(op),
                      class_name[isa_op_class(op)]);
        for (int i = 0; i < isa_nrows; i++) {
            const struct isa_row *r = &isa_rows[i];
            if (r->preset.op != op)
                continue;
            fl_buf_printf(b, "%s", r->text);
            if (r->preset.min > ISA_1_0)
                fl_buf_printf(b, "   (from %s)", isa_capability_name[r->preset.min]);
            fl_buf_printf(b, "\n  %-13s lo ", isa_form_name(r->form));
            pattern(b, r->lo, r->lo_mask);
            if (r->form != ISA_SHORT && r->form != ISA_CTRL_SHORT) {
                fl_buf_printf(b, "\n                hi ");
                pattern(b, r->hi, r->hi_mask);
            }
            fl_buf_printf(b, "\n");
        }
        fl_buf_printf(b, "```\n");
    }
}

/* One word as a row of boxes, from the pieces of some fields. */
static void draw_word(struct fl_buf *b, const char *title, int low, const char *const *list)
{
    char top[300] = "", mid[300] = "";
    size_t used = 0;
    for (int bit = low + 31; bit >= low;) {
        const char *name = "";
        int len = 1;
        for (int i = 0; list[i]; i++) {
            const struct isa_field *f = isa_field(list[i], strlen(list[i]));
            for (int p = 0; p < 3; p++) {
                struct isa_bits bits = f->alt[0].bits[p];
                if (bits.len && bits.pos + bits.len - 1 == bit) {
                    name = f->name;
                    len = bits.len;
                }
            }
        }
        int w = 2 * len - 1;
        if (w < (int)strlen(name))
            w = (int)strlen(name);
        for (int i = 0; i <= w; i++) {
            top[used + (size_t)i] = i == 0 ? '+' : '-';
            mid[used + (size_t)i] = i == 0 ? '|' : ' ';
        }
        memcpy(mid + used + 1 + (size_t)(w - (int)strlen(name)) / 2, name, strlen(name));
        used += (size_t)w + 1;
        bit -= len;
    }
    fl_buf_printf(b, "%s\n%s+\n%s|\n%s+\n", title, top, mid, top);
}

static void forms(struct fl_buf *b)
{
    static const char *const s[] = {"ds", "ew", "fw", NULL};
    static const char *const l[] = {"dw", "aw", "bw", NULL}, *const h[] = {"x", "c", "p", "cw",
                                                                           NULL};
    static const char *const i[] = {"ds", "ew", "imm", NULL}, *const j[] = {"imm", NULL};
    static const char *const t[] = {"target", NULL}, *const u[] = {"target", "pb", NULL};
    fl_buf_printf(b, "\n## Forms\n\n"
                     "| form | lo[1:0] | hi[1:0] | size |\n|---|---|---|---|\n"
                     "| short | 0 | - | 4 |\n| long | 1 | 0, 1 (exit), 2 (join) | 8 |\n| immediate "
                     "| 1 | 3 | 8 |\n"
                     "| short control | 2 | - | 4 |\n| control | 3 | 0 | 8 |\n\n"
                     "Bits 31 to 0. A box with a name is a field of the next section; an empty box "
                     "is fixed or a modifier of the operation.\n\n```\n");
    draw_word(b, "short", 0, s);
    draw_word(b, "long, lo", 0, l);
    draw_word(b, "long, hi", 32, h);
    draw_word(b, "immediate, lo", 0, i);
    draw_word(b, "immediate, hi", 32, j);
    draw_word(b, "control, lo", 0, t);
    draw_word(b, "control, hi", 32, u);
    fl_buf_printf(b,
                  "```\n\nThe address of a long instruction is a multiple of 8; short ones come in "
                  "pairs. Targets are multiples of 8. Exit and join do not depend on the "
                  "predicate.\n");
}

static void predicates(struct fl_buf *b)
{
    static const char *const when[32] = {"never",
                                         "(S and not Z) xor O",
                                         "Z and not S",
                                         "S xor (Z or O)",
                                         "not Z and not (S xor O)",
                                         "not Z",
                                         "not (S xor O)",
                                         "not Z or not S",
                                         "Z and S",
                                         "S xor O",
                                         "Z",
                                         "Z or (S xor O)",
                                         "not S xor (Z or O)",
                                         "not Z or S",
                                         "(not S or Z) xor O",
                                         "always",
                                         "O",
                                         "C",
                                         "not Z and C",
                                         "S",
                                         NULL,
                                         NULL,
                                         NULL,
                                         NULL,
                                         NULL,
                                         NULL,
                                         NULL,
                                         NULL,
                                         "not S",
                                         "Z or not C",
                                         "not C",
                                         "not O"};
    fl_buf_printf(b, "\n## Predicates\n\nA function of the condition register `C0` to `C3`: bit 0 "
                     "Z (zero), 1 S (sign), 2 C "
                     "(carry), 3 O (overflow); for floats Z and S together mean unordered.\n\n"
                     "| code | name | true when |\n|---|---|---|\n");
    for (unsigned c = 0; c < 32; c++)
        if (isa_cond_name(c))
            fl_buf_printf(b, "| %u | `%s` | %s |\n", c, isa_cond_name(c), when[c]);
}

static void atomics(struct fl_buf *b)
{
    static const char *const text[][2] = {
        {"IADD", "old + x"},
        {"EXCH", "x; with a result only"},
        {"CAS", "old = x ? y : old; with a result only; y is the third source"},
        {"INC", "old >= x ? 0 : old + 1; unsigned"},
        {"DEC", "old = 0 or old > x ? x : old - 1; unsigned"},
        {"MAX", "the larger of old and x, by the type"},
        {"MIN", "the smaller of old and x, by the type"},
        {"AND", "old and x"},
        {"OR", "old or x"},
        {"XOR", "old exclusive or x"}};
    fl_buf_printf(
        b,
        "\n## Atomic operations\n\n"
        "GRED and GATOM replace a word of global memory; the result of GATOM is the previous "
        "value. "
        "The lanes take effect one after the other in ascending order, and no other access comes "
        "between them. Traps are those of a load of the same size.\n\n"
        "| operation | new value, from the old one and the operand x |\n|---|---|\n");
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        fl_buf_printf(b, "| %s | %s |\n", text[i][0], text[i][1]);
}

void isa_doc(struct fl_buf *b)
{
    fl_buf_printf(
        b,
        "# The instruction set\n\n"
        "Made from asm/isa/isa.def by `isacheck --doc`; do not edit. %d operations in %d "
        "encodings.\n\n"
        "Text has NVIDIA's syntax. A template has its fields in braces; all other characters are "
        "literal.\n\n"
        "Shared memory `g[...]` and constant memory `c[bank][...]` count elements of the accessed "
        "size: 4 bytes, or the size in the suffix. `g[A1+0x4]` has an address register. "
        "`g[A1+++0x4]` has a post-increment: the address is A1, and the offset is added to A1 "
        "afterwards. The assembler also reads byte offsets: `s[0x10]`, `s[A1+0x10]`, `c1[0x8]`.\n\n"
        "Encodings of [compute capability](../glossary.md#compute-capability) 1.1 or 1.2 are "
        "marked; on a machine below "
        "it (`capability` of its [profile](profile.md)) they are illegal instructions.\n",
        OP_COUNT, isa_nrows);
    forms(b);
    fields(b);
    predicates(b);
    atomics(b);
    rows(b);
}
