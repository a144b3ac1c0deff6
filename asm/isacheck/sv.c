/* sv.c -- rtl/sm_isa_pkg.sv, made from the table: names, numbers and the decoder of the RTL.
 *
 * The decoder is one function, a flat vector out: yosys 0.23 takes no enums of packages, and no call
 * of one package function by another. It finds a row by its form and top nibble, then does for the
 * row's fields what isa_decode does, unrolled: fields that have several alternatives are read once
 * at the top, the others in the row.
 *
 * Each compute capability has a package of its own: without the rows of higher ones, so that the decoder of a 1.0 machine is the
 * same circuit whatever others can do. An instruction has the same bits in all: the operation of GRED and GATOM is in cmp.
 */
#include "check.h"

#include <string.h>

/* Members, from bit 0. They mirror struct isa_insn, but where a name is SystemVerilog's: `cls` is
 * isa_op_class, `ty` and `sty` are type and stype. */
static const struct member {
    const char *name, *text;
    int width;
} insn_members[] = {
    {"valid", "a row matches; all other bits are 0 when none does", 1},
    {"op", "OP_*", 6},
    {"cls", "ISA_CONTROL .. ISA_OTHER", 3},
    {"size", "4 or 8 bytes", 4},
    {"exits", "the executing threads end afterwards", 1},
    {"joins", "the warp pops its divergence stack once afterwards", 1},
    {"pred", "predicate, a function of $c<cc_src>", 5},
    {"cc_src", "number of the $c that pred and carry read", 2},
    {"cc_we", "a $c is written", 1},
    {"cc_dst", "its number", 2},
    {"ty", "T_* of the operation", 4},
    {"sty", "T_* of a conversion's source", 4},
    {"cmp", "CMP_* bits", 4},
    {"subop", "LOP_*, RRO_*, BAR_* bits, CAL_*", 3},
    {"lanes", "MOV: lanes of each quad that move", 4},
    {"rnd", "RND_*", 2},
    {"rint", "F2F: to an integral value", 1},
    {"sat", "clamp", 1},
    {"high", "24-bit multiply: bits 47..16", 1},
    {"carry", "add the C flag of $c<cc_src>", 1},
    {"target",
     "BRA, CAL, SSY, PBK: byte address; TEX: {not built, mask, coordinates - 1, sampler, unit}",
     32},
    {"dst", "", 0},
    {"src0", "", 0},
    {"src1", "", 0},
    {"src2", "", 0},
};

static const struct member opnd_members[] = {
    {"kind", "ISA_NONE .. ISA_SREG", 4},
    {"ty", "T_* of the access", 4},
    {"as", "T_* that the operation takes the value for", 4},
    {"areg", "memory: number of the address register, 0 when none", 3},
    {"bank", "ISA_K, ISA_G: number of the memory space", 4},
    {"neg", "negate", 1},
    {"abs", "absolute value, before neg", 1},
    {"inv", "complement", 1},
    {"postinc", "memory: the address register is added to afterwards", 1},
    {"value", "number of the register, byte offset, immediate", 32},
};

enum { INSN_MEMBERS = sizeof insn_members / sizeof *insn_members };
enum { OPND_MEMBERS = sizeof opnd_members / sizeof *opnd_members };

static int operand_width(void)
{
    int w = 0;
    for (int i = 0; i < OPND_MEMBERS; i++)
        w += opnd_members[i].width;
    return w;
}

static int member_width(int i)
{
    return insn_members[i].width ? insn_members[i].width : operand_width();
}

/* ---- names and numbers ---- */

static void constant(struct fl_buf *b, int width, const char *name, int value)
{
    fl_buf_printf(b, "  localparam logic [%d:0] %s = %d'd%d;\n", width - 1, name, width, value);
}

#define CONSTANT(width, name) constant(b, width, #name, name)

static void constants(struct fl_buf *b, int capability)
{
    fl_buf_printf(b, "  // operations\n"); /* above 1.0 all: rtl/above serves 1.1 and 1.2 */
    for (int i = 0; i < isa_ops_of(capability > ISA_1_0 ? ISA_NEWEST : capability); i++)
        fl_buf_printf(b, "  localparam logic [5:0] OP_%s = 6'd%d; // %s\n",
                      isa_op_name((enum isa_op)i), i, isa_op_text((enum isa_op)i));
    fl_buf_printf(b, "\n  // classes of operations\n");
    CONSTANT(3, ISA_CONTROL);
    CONSTANT(3, ISA_MOVE);
    CONSTANT(3, ISA_INT);
    CONSTANT(3, ISA_FLOAT);
    CONSTANT(3, ISA_CONVERT);
    CONSTANT(3, ISA_SFU);
    CONSTANT(3, ISA_MEMORY);
    CONSTANT(3, ISA_OTHER);
    fl_buf_printf(b, "\n  // kinds of operands\n");
    CONSTANT(4, ISA_NONE);
    CONSTANT(4, ISA_R);
    CONSTANT(4, ISA_RH);
    CONSTANT(4, ISA_OUT);
    CONSTANT(4, ISA_A);
    CONSTANT(4, ISA_CC);
    CONSTANT(4, ISA_S);
    CONSTANT(4, ISA_K);
    CONSTANT(4, ISA_G);
    CONSTANT(4, ISA_L);
    CONSTANT(4, ISA_I);
    CONSTANT(4, ISA_SREG);
    fl_buf_printf(b, "\n  // types\n");
    CONSTANT(4, T_B32);
    CONSTANT(4, T_U8);
    CONSTANT(4, T_S8);
    CONSTANT(4, T_U16);
    CONSTANT(4, T_S16);
    CONSTANT(4, T_U32);
    CONSTANT(4, T_S32);
    CONSTANT(4, T_B64);
    CONSTANT(4, T_B128);
    CONSTANT(4, T_F16);
    CONSTANT(4, T_F32);
    CONSTANT(4, T_F64);
    CONSTANT(4, T_U24);
    CONSTANT(4, T_S24);
    fl_buf_printf(b, "\n  // values of rnd, cmp (bits), subop (of LOP, RRO; bits of BAR), pred, "
                     "special registers\n");
    CONSTANT(2, RND_RN);
    CONSTANT(2, RND_RM);
    CONSTANT(2, RND_RP);
    CONSTANT(2, RND_RZ);
    CONSTANT(4, CMP_LT);
    CONSTANT(4, CMP_EQ);
    CONSTANT(4, CMP_GT);
    CONSTANT(4, CMP_UN);
    CONSTANT(3, LOP_AND);
    CONSTANT(3, LOP_OR);
    CONSTANT(3, LOP_XOR);
    CONSTANT(3, LOP_PASS_B);
    CONSTANT(3, RRO_SINCOS);
    CONSTANT(3, RRO_EX2);
    CONSTANT(3, BAR_ARV);
    CONSTANT(3, BAR_WAIT);
    CONSTANT(3, BAR_ALL);
    if (capability > ISA_1_0)
        CONSTANT(3, VOTE_ANY);
    CONSTANT(5, PRED_NEVER);
    CONSTANT(5, PRED_ALWAYS);
    CONSTANT(4, SREG_PHYSID);
    CONSTANT(4, SREG_CLOCK);
}

/* The first member stands lowest, so it comes last. */
static void structure(struct fl_buf *b, const char *name, const struct member *m, int n)
{
    fl_buf_printf(b, "  typedef struct packed {\n");
    for (int i = n; i-- > 0;) {
        char type[32] = "logic";
        if (!m[i].width)
            strcpy(type, "operand_t");
        else if (m[i].width > 1)
            snprintf(type, sizeof type, "logic [%d:0]", m[i].width - 1);
        fl_buf_printf(b, "    %-12s %s;%s%s\n", type, m[i].name, *m[i].text ? " // " : "",
                      m[i].text);
    }
    fl_buf_printf(b, "  } %s;\n", name);
}

static int insn_width(void)
{
    int w = 0;
    for (int i = 0; i < INSN_MEMBERS; i++)
        w += member_width(i);
    return w;
}

/* ---- fields ---- */

static bool exists(const struct isa_field *f, int alt)
{
    return alt < ISA_MAX_ALTS && f->alt[alt].kind != ISA_NONE;
}

static bool constant_claims(const struct isa_field *f)
{
    return !exists(f, 1);
}

static bool is_operand(const struct isa_alt *a)
{
    return a->kind < ISA_NAMES || a->kind == ISA_TAIL;
}

static void bits(struct fl_buf *b, struct isa_bits p)
{
    if (p.len == 1)
        fl_buf_printf(b, "w[%d]", p.pos);
    else
        fl_buf_printf(b, "w[%d:%d]", p.pos + p.len - 1, p.pos);
}

/* The value's pieces, most significant first, as the inside of a concatenation. */
static void pieces(struct fl_buf *b, const struct isa_alt *a)
{
    const char *sep = "";
    for (int i = 2; i >= 0; i--)
        if (a->bits[i].len) {
            fl_buf_printf(b, "%s", sep);
            bits(b, a->bits[i]);
            sep = ", ";
        }
}

static int top_bit(const struct isa_alt *a)
{
    int i = 2;
    while (i && !a->bits[i].len)
        i--;
    return a->bits[i].pos + a->bits[i].len - 1;
}

/* The value in 32 bits: scaled, and sign-extended under a post-increment. */
static void value(struct fl_buf *b, const struct isa_alt *a)
{
    int rest = 32 - isa_bits_len(a) - a->scale;
    fl_buf_printf(b, "{");
    if (rest && a->inc)
        fl_buf_printf(b, "{%d{w[%d] & w[%d]}}, ", rest, a->inc, top_bit(a));
    else if (rest)
        fl_buf_printf(b, "%d'd0, ", rest);
    pieces(b, a);
    if (a->scale)
        fl_buf_printf(b, ", %d'd0", a->scale);
    fl_buf_printf(b, "}");
}

static const char *kind_name(unsigned kind)
{
    static const char *const name[] = {"NONE", "R", "RH", "OUT", "A", "CC",
                                       "S",    "K", "G",  "L",   "I", "SREG"};
    return name[kind == ISA_TAIL ? ISA_I : kind];
}

static const char *type_name(unsigned type)
{
    static const char *const name[] = {"B32", "U8",   "S8",  "U16", "S16", "U32", "S32",
                                       "B64", "B128", "F16", "F32", "F64", "U24", "S24"};
    return name[type];
}

/* {value, postinc, bank, areg, type, kind} of an operand: what one alternative says. */
enum { RAW_WIDTH = 32 + 1 + 4 + 3 + 4 + 4 };

static void raw_operand(struct fl_buf *b, const struct isa_alt *a)
{
    bool memory = a->kind == ISA_S || a->kind == ISA_K || a->kind == ISA_L;
    fl_buf_printf(b, "{");
    value(b, a);
    if (memory && a->inc)
        fl_buf_printf(b, ", w[%d]", a->inc);
    else
        fl_buf_printf(b, ", 1'b0");
    if (a->bank.len) {
        fl_buf_printf(b, ", ");
        if (a->bank.len < 4)
            fl_buf_printf(b, "%d'd0, ", 4 - a->bank.len);
        bits(b, a->bank);
    } else
        fl_buf_printf(b, ", 4'd0");
    fl_buf_printf(b, memory && a->areg == 3   ? ", w[34], w[27:26]"
                     : memory && a->areg == 2 ? ", 1'b0, w[27:26]"
                                              : ", 3'd0");
    fl_buf_printf(b, ", T_%s, ISA_%s}", type_name(a->type), kind_name(a->kind));
}

static void mask(struct fl_buf *b, uint64_t m)
{
    fl_buf_printf(b, "64'h%08x_%08x", (unsigned)(m >> 32), (unsigned)m);
}

/* Fields with several alternatives: ok_x, own_x (the bits it owns) and, for operands, raw_x. */
static void shared_field_declarations(struct fl_buf *b)
{
    for (int i = 0; i < isa_nfields; i++) {
        const struct isa_field *f = &isa_fields[i];
        if (constant_claims(f))
            continue;
        fl_buf_printf(b, "    logic ok_%s;\n    logic [63:0] own_%s;\n", f->name, f->name);
        if (is_operand(&f->alt[0]))
            fl_buf_printf(b, "    logic [%d:0] raw_%s;\n", RAW_WIDTH - 1, f->name);
    }
}

static void shared_field(struct fl_buf *b, const struct isa_field *f)
{
    bool operand = is_operand(&f->alt[0]);
    fl_buf_printf(b, "    // %s\n", f->text);
    fl_buf_printf(b, "    ok_%s = 1'b1;\n    own_%s = 64'd0;\n", f->name, f->name);
    if (operand)
        fl_buf_printf(b, "    raw_%s = %d'd0;\n", f->name, RAW_WIDTH);
    bool always = false;
    for (int i = 0; exists(f, i); i++) {
        const struct isa_alt *a = &f->alt[i];
        fl_buf_printf(b, i ? " else " : "    ");
        if (a->sel) {
            fl_buf_printf(b, "if ((w & ");
            mask(b, a->sel);
            fl_buf_printf(b, ") == ");
            mask(b, a->is);
            fl_buf_printf(b, ") ");
        }
        always |= a->sel == 0;
        fl_buf_printf(b, "begin\n      own_%s = ", f->name);
        mask(b, isa_claims(a));
        fl_buf_printf(b, ";\n");
        if (operand) {
            fl_buf_printf(b, "      raw_%s = ", f->name);
            raw_operand(b, a);
            fl_buf_printf(b, ";\n");
        }
        fl_buf_printf(b, "    end");
    }
    if (!always)
        fl_buf_printf(b, " else ok_%s = 1'b0;", f->name);
    fl_buf_printf(b, "\n");
}

/* ---- rows ---- */

/* Conditions on the value of a field: every name must exist, a predicate must have a meaning. */
static void field_condition(struct fl_buf *b, const struct isa_field *f)
{
    const struct isa_alt *a = &f->alt[0];
    size_t len;
    if (!constant_claims(f)) {
        fl_buf_printf(b, " && ok_%s", f->name);
        return;
    }
    if (a->kind == ISA_NAMES)
        for (uint64_t v = 0; v < 1ull << isa_bits_len(a); v++)
            if (!isa_name(a, v, &len)) {
                fl_buf_printf(b, " && {");
                pieces(b, a);
                fl_buf_printf(b, "} != %d'd%d", isa_bits_len(a), (int)v);
            }
    if (a->kind == ISA_PRED && !a->ignored)
        fl_buf_printf(b, " && pred_ok");
}

/* types[v] of a field, as a chain of choices. */
static void type_of(struct fl_buf *b, const struct isa_alt *a)
{
    size_t len;
    int n = 1 << isa_bits_len(a);
    while (!isa_name(a, (uint64_t)n - 1, &len)) /* values without a name have no type */
        n--;
    for (int v = 0; v < n; v++) {
        if (v + 1 < n) {
            fl_buf_printf(b, "{");
            pieces(b, a);
            fl_buf_printf(b, "} == %d'd%d ? ", isa_bits_len(a), v);
        }
        fl_buf_printf(b, "T_%s%s", type_name(a->types[v]), v + 1 < n ? " : " : "");
    }
}

static void assign_bits(struct fl_buf *b, const char *to, const struct isa_alt *a, int width)
{
    int len = isa_bits_len(a);
    fl_buf_printf(b, " %s = {", to);
    if (len < width)
        fl_buf_printf(b, "%d'd0, ", width - len);
    pieces(b, a);
    fl_buf_printf(b, "};");
}

static void assign_type(struct fl_buf *b, const char *to, const struct isa_alt *a)
{
    fl_buf_printf(b, " %s = ", to);
    type_of(b, a);
    fl_buf_printf(b, ";");
}

/* Signs that stand before the next operand: an expression each, or NULL. */
struct marks {
    const struct isa_alt *neg, *abs, *inv; /* set by a field */
    bool minus, tilde;                     /* set by the template */
};

static void named_field(struct fl_buf *b, const struct isa_alt *a, struct marks *marks)
{
    switch ((enum isa_to)a->to) {
    case TO_NOTHING: break;
    case TO_EXIT_JOIN:
        fl_buf_printf(b, " {join_f, exit_f} = {");
        pieces(b, a);
        fl_buf_printf(b, "};");
        break;
    case TO_CC_DST:
        fl_buf_printf(b, " {cc_we, cc_dst} = {");
        pieces(b, a);
        fl_buf_printf(b, "};");
        break;
    case TO_CARRY: assign_bits(b, "cc_src", a, 2); break; /* the row's preset has carry */
    case TO_NEG: marks->neg = a; break;
    case TO_ABS: marks->abs = a; break;
    case TO_INV: marks->inv = a; break;
    case TO_SAT: assign_bits(b, "sat", a, 1); break;
    case TO_HIGH: assign_bits(b, "high", a, 1); break;
    case TO_RND: assign_bits(b, "rnd", a, 2); break;
    case TO_RND_RINT:
        fl_buf_printf(b, " {rint, rnd} = {");
        pieces(b, a);
        fl_buf_printf(b, "};");
        break;
    case TO_CMP: assign_bits(b, "cmp", a, 4); break;
    case TO_SUBOP: assign_bits(b, "subop", a, 3); break;
    case TO_SUBOP_BIT0: assign_bits(b, "subop[0]", a, 1); break;
    case TO_SUBOP_BIT1: assign_bits(b, "subop[1]", a, 1); break;
    case TO_SUBOP_BIT2: assign_bits(b, "subop[2]", a, 1); break;
    case TO_LANES: assign_bits(b, "lanes", a, 4); break;
    case TO_TYPE: assign_type(b, "ty", a); break;
    case TO_STYPE: assign_type(b, "sty", a); break;
    case TO_AS0: assign_type(b, "as1", a); break;
    case TO_AS1: assign_type(b, "as2", a); break;
    case TO_AS01:
        assign_type(b, "as1", a);
        assign_type(b, "as2", a);
        break;
    case TO_LIVE: break; /* makes no difference */
    case TO_UNIT: assign_bits(b, "target[7:0]", a, 8); break;
    case TO_SAMPLER: assign_bits(b, "target[15:8]", a, 8); break;
    case TO_COORDS: assign_bits(b, "target[17:16]", a, 2); break;
    case TO_MASK: assign_bits(b, "target[21:18]", a, 4); break;
    case TO_DERIV:
    case TO_OFFSET:
        fl_buf_printf(b, " target[22] = target[22] | ({");
        pieces(b, a);
        fl_buf_printf(b, "} != %d'd0);", isa_bits_len(a));
        break;
    }
}

static void mark(struct fl_buf *b, const char *name, int operand, const struct isa_alt *a, bool set)
{
    if (a) {
        fl_buf_printf(b, " %s%d = ", name, operand);
        pieces(b, a);
        fl_buf_printf(b, ";");
    } else if (set)
        fl_buf_printf(b, " %s%d = 1'b1;", name, operand);
}

static void row_operand(struct fl_buf *b, const struct isa_field *f, int operand, struct marks m)
{
    fl_buf_printf(b, " raw%d = ", operand);
    if (constant_claims(f))
        raw_operand(b, &f->alt[0]);
    else
        fl_buf_printf(b, "raw_%s", f->name);
    fl_buf_printf(b, ";");
    mark(b, "neg", operand, m.neg, m.minus);
    mark(b, "abs", operand, m.abs, false);
    mark(b, "inv", operand, m.inv, m.tilde);
}

static void preset(struct fl_buf *b, const struct isa_insn *p)
{
    fl_buf_printf(b, "          op = OP_%s;", isa_op_name((enum isa_op)p->op));
    if (p->type != T_B32)
        fl_buf_printf(b, " ty = T_%s;", type_name(p->type));
    if (p->stype != T_B32)
        fl_buf_printf(b, " sty = T_%s;", type_name(p->stype));
    for (int i = 0; i < 3; i++)
        if (p->src[i].as != T_B32)
            fl_buf_printf(b, " as%d = T_%s;", i + 1, type_name(p->src[i].as));
    if (p->subop)
        fl_buf_printf(b,
                      p->op == OP_GRED || p->op == OP_GATOM ? " cmp = 4'd%d;" : " subop = 3'd%d;",
                      p->subop);
    if (p->sat)
        fl_buf_printf(b, " sat = 1'b1;");
    if (p->high)
        fl_buf_printf(b, " high = 1'b1;");
    if (p->carry)
        fl_buf_printf(b, " carry = 1'b1;");
    if (p->tex.mask)
        fl_buf_printf(b, " target[21:18] = 4'd%d;", p->tex.mask);
    if (p->tex.cube)
        fl_buf_printf(b, " target[22] = 1'b1;");
}

/* What the row's fields say, in the order of the template; as in isa_decode. */
static void row_fields(struct fl_buf *b, const struct isa_row *r)
{
    int next = isa_op_class(r->preset.op) == ISA_CONTROL ? 1 : 0;
    struct marks marks = {0};
    const struct isa_field *closing = NULL;
    for (const char *t = r->text; *t; t++) {
        marks.minus |= *t == '-';
        marks.tilde |= *t == '~';
        if (*t != '{')
            continue;
        size_t len = strcspn(t + 1, "}");
        const struct isa_field *f = isa_field(t + 1, len);
        const struct isa_alt *a = &f->alt[0];
        t += len + 1;
        if (a->kind == ISA_NAMES) {
            if (f == closing) /* the second '|' of |R1| */
                continue;
            if (a->to == TO_ABS)
                closing = f;
            named_field(b, a, &marks);
        } else if (a->kind == ISA_NUMBER) { /* of a texture */
            named_field(b, a, &marks);
        } else if (a->kind == ISA_PRED) {
            fl_buf_printf(b, a->ignored ? " cc_src = w[45:44];"
                                        : " {cc_src, pred} = {w[45:44], w[43:39]};");
        } else if (a->kind == ISA_TARGET) {
            fl_buf_printf(b, " target = ");
            value(b, a);
            fl_buf_printf(b, ";");
        } else if (is_operand(a) && next < 4) {
            row_operand(b, f, next++, marks);
            marks = (struct marks){0};
        }
    }
}

static void row(struct fl_buf *b, const struct isa_row *r)
{
    uint64_t owned = (uint64_t)r->hi_mask << 32 | r->lo_mask;
    fl_buf_printf(b, "        // %s\n        ", r->text);
    fl_buf_printf(b, "if ((w & ");
    mask(b, owned);
    fl_buf_printf(b, ") == ");
    mask(b, (uint64_t)r->hi << 32 | r->lo);
    for (const char *t = strchr(r->text, '{'); t; t = strchr(t + 1, '{')) {
        const struct isa_field *f = isa_field(t + 1, strcspn(t + 1, "}"));
        if (constant_claims(f))
            owned |= isa_claims(&f->alt[0]);
    }
    fl_buf_printf(b, ") begin\n          valid = (w & ~(");
    mask(b, owned);
    for (const char *t = strchr(r->text, '{'); t; t = strchr(t + 1, '{')) {
        const struct isa_field *f = isa_field(t + 1, strcspn(t + 1, "}"));
        if (!constant_claims(f))
            fl_buf_printf(b, " | own_%s", f->name);
    }
    fl_buf_printf(b, ")) == 64'd0");
    for (const char *t = strchr(r->text, '{'); t; t = strchr(t + 1, '{'))
        field_condition(b, isa_field(t + 1, strcspn(t + 1, "}")));
    fl_buf_printf(b, ";\n");
    preset(b, &r->preset);
    fl_buf_printf(b, "\n         ");
    row_fields(b, r);
    fl_buf_printf(b, "\n        end");
}

/* Rows of one form with the same top nibble become one branch. No two rows of a form have a word in
 * common (isacheck), so the order inside does not matter. */
static void rows(struct fl_buf *b, int capability)
{
    static const struct {
        enum isa_form form;
        const char *when;
    } form[] = {{ISA_SHORT, "3'd0"},
                {ISA_LONG, "3'd1"},
                {ISA_IMM, "3'd2"},
                {ISA_CTRL_SHORT, "3'd3"},
                {ISA_CTRL, "3'd4"}};
    for (int k = 0; k < ISA_FORMS; k++)
        for (unsigned nibble = 0; nibble < 16; nibble++) {
            bool any = false;
            for (int i = 0; i < isa_rows_of(capability); i++) {
                const struct isa_row *r = &isa_rows[i];
                if (r->form != form[k].form || r->lo >> 28 != nibble)
                    continue;
                if (any)
                    fl_buf_printf(b, "\n");
                else
                    fl_buf_printf(b, "      {%s, 4'h%x}: begin // %s\n", form[k].when, nibble,
                                  isa_form_name(r->form));
                row(b, r);
                any = true;
            }
            if (any)
                fl_buf_printf(b, "\n      end\n");
        }
}

static void predicate_condition(struct fl_buf *b)
{
    fl_buf_printf(b, "    pred_ok = 1'b1;\n");
    for (unsigned v = 0; v < 32; v++)
        if (!isa_cond_name(v))
            fl_buf_printf(b, "    if (w[43:39] == 5'd%u) pred_ok = 1'b0;\n", v);
}

static const char declarations[] =
    "    logic [63:0] w;\n"
    "    logic [2:0] form;\n"
    "    logic pred_ok, valid, exit_f, join_f, cc_we, rint, sat, high, carry, converts, other, "
    "wide;\n"
    "    logic [5:0] op;\n"
    "    logic [2:0] cls;\n"
    "    logic [4:0] pred;\n"
    "    logic [1:0] cc_src, cc_dst, rnd;\n"
    "    logic [3:0] ty, sty, cmp, lanes, as0, as1, as2, as3;\n"
    "    logic [2:0] subop;\n"
    "    logic [31:0] target;\n"
    "    logic neg0, neg1, neg2, neg3, abs0, abs1, abs2, abs3, inv0, inv1, inv2, inv3;\n";

static const char defaults[] =
    "    valid = 1'b0; exit_f = 1'b0; join_f = 1'b0; cc_we = 1'b0; rint = 1'b0; sat = 1'b0; high = "
    "1'b0;\n"
    "    carry = 1'b0; op = 6'd0; cls = 3'd0; pred = 5'd15; cc_src = 2'd0; cc_dst = 2'd0; rnd = "
    "2'd0;\n"
    "    ty = 4'd0; sty = 4'd0; cmp = 4'd0; lanes = 4'd15; subop = 3'd0; target = 32'd0;\n"
    "    as0 = 4'd0; as1 = 4'd0; as2 = 4'd0; as3 = 4'd0;\n"
    "    neg0 = 1'b0; neg1 = 1'b0; neg2 = 1'b0; neg3 = 1'b0;\n"
    "    abs0 = 1'b0; abs1 = 1'b0; abs2 = 1'b0; abs3 = 1'b0;\n"
    "    inv0 = 1'b0; inv1 = 1'b0; inv2 = 1'b0; inv3 = 1'b0;\n";

/* finish() of isa.c for one operand: `i` is its number, `type` what its `as` is when the row does
 * not say. */
static void finish_operand(struct fl_buf *b, int i, const char *type)
{
    fl_buf_printf(b,
                  "      if (raw%d[3:0] != ISA_NONE) begin\n"
                  "        if (raw%d[3:0] == ISA_G || raw%d[3:0] == ISA_L ||\n"
                  "            (raw%d[3:0] == ISA_R && wide)) raw%d[7:4] = ty;\n"
                  "        if (as%d == T_B32 && !(raw%d[3:0] == ISA_R && !converts "
                  "&& (\n",
                  i, i, i, i, i, i, i);
    static const char *const narrow[] = {"U8", "S8", "U16", "S16", "F16"};
    for (int k = 0; k < 5; k++)
        fl_buf_printf(b, "%s%s == T_%s", k ? " || " : "            ", type, narrow[k]);
    fl_buf_printf(b, "))) as%d = %s;\n      end\n", i, type);
}

static void classes(struct fl_buf *b, int capability)
{
    static const char *const name[] = {"CONTROL", "MOVE", "INT",    "FLOAT",
                                       "CONVERT", "SFU",  "MEMORY", "OTHER"};
    fl_buf_printf(b, "    case (op)\n");
    for (int i = 0; i < isa_ops_of(capability); i++)
        fl_buf_printf(b, "      OP_%s: cls = ISA_%s;\n", isa_op_name((enum isa_op)i),
                      name[isa_op_class((enum isa_op)i)]);
    fl_buf_printf(b, "      default: cls = ISA_OTHER;\n    endcase\n");
}

static void operand_vector(struct fl_buf *b, int i)
{
    fl_buf_printf(b,
                  "{raw%d[47:16], raw%d[15], inv%d, abs%d, neg%d, raw%d[14:11], raw%d[10:8], as%d, "
                  "raw%d[7:4], raw%d[3:0]}",
                  i, i, i, i, i, i, i, i, i, i);
}

static void decoder(struct fl_buf *b, int capability)
{
    fl_buf_printf(
        b,
        "  // The instruction at lo (hi is ignored by one-word forms). wide_code: control targets "
        "have 32 bits\n"
        "  // and not 24. Mirrors isa_decode; an illegal word gives 0.\n"
        "  function automatic logic [%d:0] decode(input logic [31:0] lo, input logic [31:0] hi,\n"
        "                                         input logic wide_code);\n%s",
        insn_width() - 1, declarations);
    fl_buf_printf(
        b, "    logic [%d:0] raw0, raw1, raw2, raw3; // {value, postinc, bank, areg, type, kind}\n",
        RAW_WIDTH - 1);
    shared_field_declarations(b);
    fl_buf_printf(b, "    case (lo[1:0])\n"
                     "      2'd0: form = 3'd0;\n"
                     "      2'd1: form = hi[1:0] == 2'd3 ? 3'd2 : 3'd1;\n"
                     "      2'd2: form = 3'd3;\n"
                     "      default: form = 3'd4;\n"
                     "    endcase\n"
                     "    w = {lo[0] ? hi : 32'd0, lo};\n");
    predicate_condition(b);
    for (int i = 0; i < isa_nfields; i++)
        if (!constant_claims(&isa_fields[i]))
            shared_field(b, &isa_fields[i]);
    fl_buf_printf(b, "%s", defaults);
    for (int i = 0; i < 4; i++)
        fl_buf_printf(b, "    raw%d = %d'd0;\n", i, RAW_WIDTH);
    fl_buf_printf(b, "    case ({form, lo[31:28]})\n");
    rows(b, capability);
    fl_buf_printf(b, "      default: valid = 1'b0;\n    endcase\n");
    classes(b, capability);
    fl_buf_printf(b, "    if (!wide_code) target[31:24] = 8'd0;\n"
                     "    if (!cc_we) cc_dst = 2'd0;\n"
                     "    converts = cls == ISA_CONVERT;\n"
                     "    other = cls == ISA_OTHER;\n"
                     "    wide = ty == T_B64 || ty == T_B128;\n"
                     "    if (!other) begin // types that follow from the operation's\n"
                     "      if (!converts) sty = ty;\n");
    finish_operand(b, 0, "ty");
    for (int i = 1; i < 4; i++)
        finish_operand(b, i, "sty");
    fl_buf_printf(b, "    end\n    decode = valid ? {\n");
    for (int i = 3; i >= 0; i--) {
        fl_buf_printf(b, "      ");
        operand_vector(b, i);
        fl_buf_printf(b, ",\n");
    }
    fl_buf_printf(
        b,
        "      target, carry, high, sat, rint, rnd, lanes, subop, cmp, sty, ty, cc_dst, cc_we,\n"
        "      cc_src, pred, join_f, exit_f, lo[0] ? 4'd8 : 4'd4, cls, op, 1'b1} : %d'd0;\n"
        "  endfunction\n",
        insn_width());
}

void isa_sv(struct fl_buf *b, int capability)
{
    fl_buf_printf(b, "// sm_isa_pkg -- the instruction set for the RTL: numbers, and the decoder "
                     "as a function.\n"
                     "//\n"
                     "// Made from asm/isa/isa.def by `isacheck --sv`; do not edit.\n"
                     "package sm_isa_pkg;\n");
    constants(b, capability);
    fl_buf_printf(b, "\n  // an operand\n");
    structure(b, "operand_t", opnd_members, OPND_MEMBERS);
    fl_buf_printf(b, "\n  // a decoded instruction\n");
    structure(b, "insn_t", insn_members, INSN_MEMBERS);
    fl_buf_printf(b, "\n");
    decoder(b, capability);
    fl_buf_printf(b, "endpackage\n");
}
