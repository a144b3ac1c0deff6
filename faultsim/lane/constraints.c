/* constraints.c -- control words, enumerated, and written as relations. See constraints.h.
 *
 * For each operation, ports whose values come in all combinations are told apart from those that
 * depend on each other; operations of which the same is true share a line.
 */
#include "constraints.h"

#include <stdlib.h>
#include <string.h>

#include "asm/isa/table.h"
#include "base/random.h"
#include "check.h"

/* What the words of an operand have in common, from narrow to wide. */
enum shape { ZERO, BYTE, EXTENDED, HALF, ANY };

static const struct port {
    const char *name;
    unsigned place, width;
} port[] = {
#define X(name, first, width) {#name, first, width},
    VECTOR_PORTS(X)
#undef X
};
enum { A, B, C, CARRY, OP, PORTS = sizeof port / sizeof *port };
enum { OTHERS = 4 }; /* one random vector in so many is of another unit */

/* Outputs that an instruction writes or does not, together. */
enum written { LOW, HIGH, FLAGS, WRITTEN };
static const struct {
    const char *name;
    uint64_t bits;
} outputs[WRITTEN] = {
    {"d_o[15:0]", 0xffff}, {"d_o[31:16]", 0xffff0000}, {"flags_o[3:0]", 15ull << VECTOR_D_BITS}};

/* The values of control ports; of a, b and c the shape. */
struct word {
    uint8_t v[PORTS];
    /* of the instructions with the word that write these outputs the shapes of operands; UINT8_MAX: none does */
    uint8_t shape[WRITTEN][3];
};

struct words {
    const struct unit *u;
    unsigned width[PORTS]; /* of the unit; 0: it has no such port */
    struct word *word;
    uint32_t count, room;
    struct vectors seen;
};

/* ---- all control words ----------------------------------------------------------------------- */

static enum shape shape_of(const struct isa_operand *o)
{
    switch (o->kind) {
    case ISA_NONE: return ZERO;
    case ISA_RH: return HALF;
    case ISA_I: return o->value >> 16 ? ANY : o->value >> 8 ? HALF : BYTE;
    case ISA_S:
    case ISA_K:
        switch (o->type) {
        case T_U8: return BYTE;
        case T_U16: return HALF;
        case T_S8:
        case T_S16: return EXTENDED;
        default: return ANY;
        }
    default: return ANY;
    }
}

static uint8_t both(uint8_t x, uint8_t y)
{
    uint8_t most = x > y ? x : y;
    return most == HALF && (x == EXTENDED || y == EXTENDED) ? ANY : most;
}

static void add(struct words *w, const struct isa_insn *in, bool flags)
{
    const struct vector v = lane_part(w->u, vector_of(in, lane_which(w->u)));
    bool isnew;
    const uint32_t at = vectors_add(&w->seen, v.w, &isnew);
    if (isnew) {
        FL_ROOM(w->word, w->count, w->room, 256);
        struct word *new = &w->word[w->count++];
        *new = (struct word){.v = {0}};
        memset(new->shape, UINT8_MAX, sizeof new->shape);
        for (int p = OP; p < PORTS; p++)
            for (unsigned b = 0; b < w->width[p]; b++)
                new->v[p] |= (uint8_t)(vector_bit(&v, port[p].place + b) << b);
    }
    uint64_t bits = vector_written(in) | (flags ? outputs[FLAGS].bits : 0);
    for (int o = 0; o < WRITTEN; o++)
        for (int s = 0; s < 3 && bits & outputs[o].bits; s++) {
            uint8_t *shape = &w->word[at].shape[o][s];
            *shape = *shape == UINT8_MAX ? (uint8_t)shape_of(&in->src[s])
                                         : both(*shape, shape_of(&in->src[s]));
        }
    for (int s = 0; s < 3; s++)
        if (w->width[A + s])
            w->word[at].v[A + s] = both(w->word[at].v[A + s], shape_of(&in->src[s]));
}

uint64_t constraints_choosers(const struct isa_row *row, uint64_t *immediates)
{
    uint64_t bits = 0;
    *immediates = 0;
    for (const char *t = strchr(row->text, '{'); t; t = strchr(t + 1, '{')) {
        const struct isa_field *f = isa_field(t + 1, strcspn(t + 1, "}"));
        for (const struct isa_alt *a = f->alt; a < f->alt + ISA_MAX_ALTS && a->kind; a++) {
            bits |= a->sel;
            if (a->kind == ISA_I)
                *immediates |= isa_bits_mask(a);
            if (a->kind == ISA_NAMES && a->to != TO_NOTHING && a->to != TO_EXIT_JOIN &&
                a->to != TO_CC_DST)
                bits |= isa_bits_mask(a);
        }
    }
    bits &= ~((uint64_t)row->hi_mask << 32 | row->lo_mask);
    *immediates &= ~bits;
    return bits;
}

/* Whether instructions of the row can write flags. */
static bool has_flags(const struct isa_row *row)
{
    for (const char *t = strchr(row->text, '{'); t; t = strchr(t + 1, '{'))
        if (isa_field(t + 1, strcspn(t + 1, "}"))->alt[0].to == TO_CC_DST)
            return true;
    return false;
}

static int by_value(const void *x, const void *y)
{
    return memcmp(x, y, sizeof(struct word));
}

static int by_op(const void *x, const void *y)
{
    const struct word *a = x, *b = y;
    return a->v[OP] != b->v[OP] ? a->v[OP] - b->v[OP] : by_value(x, y);
}

static struct words all_words(const struct unit *u)
{
    struct words w = {.u = u, .seen.words = VECTOR_WORDS};
    for (int p = 0; p < PORTS; p++)
        for (unsigned b = 0; b < port[p].width; b++)
            w.width[p] += vectors_bit(u->used, (uint32_t)port[p].place + b);
    for (const struct isa_row *row = isa_rows; row < isa_rows + isa_rows_of(ISA_1_0); row++) {
        uint64_t immediates, bits = constraints_choosers(row, &immediates), some = 0;
        do {
            struct isa_insn in;
            uint64_t word = ((uint64_t)row->hi << 32 | row->lo) | immediates | some;
            if (isa_decode((uint32_t)word, (uint32_t)(word >> 32), true, ISA_1_0, &in) &&
                vector_reaches(&in))
                add(&w, &in, has_flags(row));
            some = (some - bits) & bits;
        } while (some);
    }
    qsort(w.word, w.count, sizeof *w.word, by_op);
    return w;
}

/* ---- what is true of an operation ------------------------------------------------------------ */

/* The values of some ports (the others are 0) that come together, each combination once. */
struct relation {
    uint32_t ports; /* a bit a port */
    struct word *word;
    uint32_t count;
    uint64_t ops; /* of which it holds */
};

static struct relation project(const struct word *word, uint32_t count, uint32_t ports)
{
    struct relation r = {ports, fl_alloc(count * sizeof *r.word), 0, 1ull << word->v[OP]};
    for (uint32_t i = 0; i < count; i++)
        for (int p = 0; p < PORTS; p++)
            r.word[i].v[p] = ports >> p & 1 ? word[i].v[p] : 0;
    qsort(r.word, count, sizeof *r.word, by_value);
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 || by_value(&r.word[i], &r.word[r.count - 1]) != 0)
            r.word[r.count++] = r.word[i];
    return r;
}

static uint32_t combinations(const struct word *word, uint32_t count, uint32_t ports)
{
    struct relation r = project(word, count, ports);
    free(r.word);
    return r.count;
}

/* Ports that depend on each other in the words of an operation get the same set in `with`. */
static void dependent(const struct word *word, uint32_t count, uint32_t with[PORTS])
{
    uint32_t alone[PORTS], product = 1, varied = 0;
    for (int p = 0; p < PORTS; p++) {
        with[p] = 1u << p;
        alone[p] = combinations(word, count, with[p]);
        varied |= alone[p] > 1 ? with[p] : 0;
    }
    for (int p = 0; p < PORTS; p++)
        for (int q = 0; q < p; q++)
            if (!(with[p] >> q & 1) &&
                combinations(word, count, 1u << p | 1u << q) != alone[p] * alone[q]) {
                uint32_t joined = with[p] | with[q];
                for (int i = 0; i < PORTS; i++)
                    with[i] = joined >> i & 1 ? joined : with[i];
            }
    for (int p = 0; p < PORTS; p++)
        if ((with[p] & -with[p]) == 1u << p)
            product *= combinations(word, count, with[p]);
    for (int p = 0; p < PORTS && product != count; p++) /* three that depend, but no two of them */
        with[p] = varied >> p & 1 ? varied : with[p];
}

struct relations {
    struct relation *r;
    uint32_t count, room;
};

static void add_relation(struct relations *all, struct relation r)
{
    for (uint32_t i = 0; i < all->count; i++) {
        struct relation *old = &all->r[i];
        if (old->ports == r.ports && old->count == r.count &&
            memcmp(old->word, r.word, r.count * sizeof *r.word) == 0) {
            old->ops |= r.ops;
            free(r.word);
            return;
        }
    }
    FL_ROOM(all->r, all->count, all->room, 64);
    all->r[all->count++] = r;
}

static int by_ports(const void *x, const void *y)
{
    const struct relation *a = x, *b = y;
    return a->ports != b->ports ? (a->ports < b->ports ? -1 : 1) : a->ops < b->ops ? -1 : 1;
}

static struct relations relations_of(const struct words *w)
{
    struct relations all = {NULL, 0, 0};
    for (uint32_t from = 0, to; from < w->count; from = to) {
        uint32_t with[PORTS];
        for (to = from; to < w->count && w->word[to].v[OP] == w->word[from].v[OP];)
            to++;
        dependent(&w->word[from], to - from, with);
        for (int p = 0; p < PORTS; p++)
            if (w->width[p] && p != OP && p != CARRY && (with[p] & -with[p]) == 1u << p)
                add_relation(&all, project(&w->word[from], to - from, with[p]));
    }
    qsort(all.r, all.count, sizeof *all.r, by_ports);
    return all;
}

/* ---- in words -------------------------------------------------------------------------------- */

static void print_set(const struct words *w, int p, uint64_t set, struct fl_buf *out)
{
    static const char *const shape[] = {[ZERO] = "[31:0] = 0",
                                        [BYTE] = "[31:8] = 0",
                                        [EXTENDED] = "[31:15] in {0, 0x1ffff}",
                                        [HALF] = "[31:16] = 0"};
    const char *name = port[p].name;
    int least = __builtin_ctzll(set), most = 63 - __builtin_clzll(set);
    if (p <= C) {
        fl_buf_printf(out, least == most ? "" : "(");
        for (int v = least; v <= most; v++)
            if (set >> v & 1)
                fl_buf_printf(out, "%s%s_i%s", v == least ? "" : " | ", name, shape[v]);
        fl_buf_printf(out, least == most ? "" : ")");
    } else if (w->width[p] == 1)
        fl_buf_printf(out, "%s%s_i", least ? "" : "!", name);
    else if (least == most)
        fl_buf_printf(out, "%s_i[%u:0] = %d", name, w->width[p] - 1, least);
    else {
        fl_buf_printf(out, "%s_i[%u:0] in {", name, w->width[p] - 1);
        for (int v = least, to; v <= most; v = to + 1) {
            for (to = v; to < most && set >> (to + 1) & 1;)
                to++;
            if (!(set >> v & 1)) {
                to = v;
                continue;
            }
            fl_buf_printf(out, "%s%d", v == least ? "" : ", ", v);
            if (to > v)
                fl_buf_printf(out, "..%d", to);
        }
        fl_buf_printf(out, "}");
    }
}

/* Whether each value of the port is in the set. */
static bool is_free(const struct words *w, int p, uint64_t set)
{
    return p <= C ? set >> ANY & 1 : set == (1ull << (1u << w->width[p])) - 1;
}

/* Values of each port of which all combinations are meant. */
struct box {
    uint16_t set[PORTS];
};

/* Joins two boxes that differ in one port, if they do. */
static bool join(struct box *x, const struct box *y)
{
    int differs = -1;
    for (int p = 0; p < PORTS; p++)
        if (x->set[p] != y->set[p]) {
            if (differs >= 0)
                return false;
            differs = p;
        }
    x->set[differs] |= y->set[differs];
    return true;
}

static struct box *boxes_of(const struct relation *r, uint32_t *count)
{
    struct box *box = fl_alloc(r->count * sizeof *box);
    for (uint32_t i = 0; i < r->count; i++)
        for (int p = 0; p < PORTS; p++)
            box[i].set[p] = (uint16_t)(1u << r->word[i].v[p]);
    *count = r->count;
    for (uint32_t i = 0; i < *count; i++)
        for (uint32_t k = 0; k < *count; k++)
            if (k != i && join(&box[i], &box[k])) {
                box[k] = box[--*count];
                i = k = 0;
            }
    return box;
}

/* The remark of a line: ports, and the operations that it is about. */
static void print_remark(const struct relation *r, uint64_t all_ops, struct fl_buf *out)
{
    uint64_t rest = all_ops & ~r->ops, named = r->ops;
    const char *before = " ";
    fl_buf_printf(out, "\n#");
    for (int p = 0; p < PORTS; p++)
        if (r->ports >> p & 1) {
            fl_buf_printf(out, "%s%s", before, port[p].name);
            before = " with ";
        }
    fl_buf_printf(out, " of");
    before = " ";
    if (!rest || __builtin_popcountll(rest) < __builtin_popcountll(named)) {
        named = rest;
        fl_buf_printf(out, " all");
        before = " but ";
    }
    for (int op = 0; op < OP_COUNT; op++)
        if (named >> op & 1) {
            fl_buf_printf(out, "%s%s", before, isa_op_name((enum isa_op)op));
            before = ", ";
        }
    fl_buf_printf(out, "\n");
}

static void print_relation(const struct words *w, const struct relation *r, uint64_t all_ops,
                           struct fl_buf *out)
{
    uint32_t count;
    struct box *box = boxes_of(r, &count);
    int only = __builtin_ctz(r->ports);
    bool several = r->ports & (r->ports - 1);
    if (!several && is_free(w, only, box->set[only])) {
        free(box);
        return;
    }
    print_remark(r, all_ops, out);
    if (r->ops != all_ops) {
        print_set(w, OP, r->ops, out);
        fl_buf_printf(out, " -> ");
    }
    for (uint32_t i = 0; i < count; i++) {
        const char *before = i ? " | (" : several ? "(" : "";
        for (int p = 0; p < PORTS; p++)
            if (r->ports >> p & 1 && !is_free(w, p, box[i].set[p])) {
                fl_buf_printf(out, "%s", before);
                print_set(w, p, box[i].set[p], out);
                before = " & ";
            }
        fl_buf_printf(out, several ? ")" : "");
    }
    fl_buf_printf(out, "\n");
    free(box);
}

/* A word with what its operands hold where an instruction writes these outputs; ANY: what they always do. */
static struct word with_shapes(const struct words *w, const struct word *x, enum written o)
{
    struct word y = {.v = {0}};
    memcpy(y.v, x->v, sizeof y.v);
    for (int s = 0; s < 3; s++)
        y.v[A + s] = !w->width[A + s] || x->shape[o][s] == x->v[A + s] ? ANY : x->shape[o][s];
    y.v[CARRY] = y.v[OP] = 0; /* the operation stands before the words */
    return y;
}

/* | op = N & (words): those of an operation for which the outputs are watched. */
static void print_some(const struct words *w, const struct relation *r, struct fl_buf *out)
{
    uint32_t count;
    struct box *box = boxes_of(r, &count);
    fl_buf_printf(out, " | ");
    print_set(w, OP, r->ops, out);
    for (uint32_t i = 0; i < count; i++) {
        const char *before = "(";
        fl_buf_printf(out, i ? " | " : " & (");
        for (int p = 0; p < PORTS; p++)
            if (p != OP && p != CARRY && w->width[p] && !is_free(w, p, box[i].set[p])) {
                fl_buf_printf(out, "%s", before);
                print_set(w, p, box[i].set[p], out);
                before = " & ";
            }
        fl_buf_printf(out, *before == '(' ? "1" : ")");
    }
    fl_buf_printf(out, ")");
    free(box);
}

/* When outputs are watched: of some operations always, of others with some words, or some operands. */
static void print_watch(const struct words *w, enum written o, struct fl_buf *out)
{
    uint64_t always = 0;
    struct fl_buf some = {0};
    for (uint32_t from = 0, to; from < w->count; from = to) {
        struct relation r = {.ports = (1u << PORTS) - 1,
                             .word = fl_alloc(w->count * sizeof *r.word),
                             .ops = 1ull << w->word[from].v[OP]};
        bool all = true;
        for (to = from; to < w->count && w->word[to].v[OP] == w->word[from].v[OP]; to++) {
            struct word x = with_shapes(w, &w->word[to], o);
            bool written = w->word[to].shape[o][0] != UINT8_MAX;
            all &= written && x.v[A] == ANY && x.v[B] == ANY && x.v[C] == ANY;
            if (written)
                r.word[r.count++] = x;
        }
        if (all)
            always |= r.ops;
        else if (r.count)
            print_some(w, &r, &some);
        free(r.word);
    }
    fl_buf_printf(out, "watch %s when ", outputs[o].name);
    if (always)
        print_set(w, OP, always, out);
    else
        fl_buf_printf(out, "0");
    fl_buf_add(out, some.data ? some.data : (const uint8_t *)"", some.size);
    fl_buf_printf(out, "\n");
    fl_buf_free(&some);
}

uint32_t constraints_print(const struct unit *u, struct fl_buf *out)
{
    struct words w = all_words(u);
    struct relations all = relations_of(&w);
    uint64_t ops = 0;
    for (uint32_t i = 0; i < w.count; i++)
        ops |= 1ull << w.word[i].v[OP];
    fl_buf_printf(out,
                  "# What the ports of sm_%s hold when an arithmetic instruction commits, in any "
                  "program:\n# the %u control words that the rows of the instruction table make, "
                  "and no other. An operand that the\n# instruction does not have is 0; half "
                  "registers, and short operands in memory, are extended.\n# Numbers of operations "
                  "and types: rtl/sm_isa_pkg.sv. Made by faultsim gate --constraints.\n",
                  u->name, w.count);
    print_remark(&(struct relation){.ports = 1u << OP, .ops = ops}, ops, out);
    print_set(&w, OP, ops, out);
    fl_buf_printf(out, "\n");
    for (uint32_t i = 0; i < all.count; i++) {
        print_relation(&w, &all.r[i], ops, out);
        free(all.r[i].word);
    }
    fl_buf_printf(out, "\n# Outputs that the instruction writes somewhere\n");
    for (int o = 0; o < WRITTEN; o++)
        print_watch(&w, (enum written)o, out);
    uint32_t count = w.count;
    free(all.r);
    free(w.word);
    vectors_free(&w.seen);
    return count;
}

/* ---- held against instructions --------------------------------------------------------------- */

/* The line that a vector breaks, or NULL. */
static const struct gate_line *broken(const struct unit *u, const struct gate_constraints *c,
                                      const struct vector *v)
{
    uint8_t source[64 * VECTOR_WORDS];
    for (uint32_t i = 0; i < u->netlist->inputs; i++)
        source[i] = vector_bit(v, u->place[i]);
    int line = gate_constraints_broken(c, source);
    return line < 0 ? NULL : &c->line[line];
}

/* An output that is written and, as the relations say, not watched; or -1. */
static int unwatched(const struct unit *u, const struct gate_constraints *c, const struct vector *v,
                     uint64_t written)
{
    uint64_t source[64 * VECTOR_WORDS], seen[VECTOR_OUTPUTS];
    for (uint32_t i = 0; i < u->netlist->inputs; i++)
        source[i] = vector_bit(v, u->place[i]);
    gate_constraints_watched(c, u->netlist->outputs, source, seen);
    for (uint32_t o = 0; o < u->netlist->outputs; o++)
        if (written >> u->output[o] & 1 && !(seen[o] & 1))
            return (int)o;
    return -1;
}

/* What the machine fetches when memory and registers are random. */
static uint32_t fetched(const struct isa_operand *o, struct check_source *s)
{
    uint32_t x = check_operand(s);
    switch (o->kind) {
    case ISA_NONE: return 0;
    case ISA_I: return o->value;
    case ISA_RH: return x & 0xffff;
    case ISA_S:
    case ISA_K: return isa_type_extend(x, o->type);
    default: return x;
    }
}

int constraints_hold(const struct unit *u, const struct gate_constraints *c, uint64_t count,
                     uint64_t seed, struct vectors *set, struct fl_err *err)
{
    struct check_source s;
    const struct gate_line *line = NULL;
    int bad = 0;
    bool isnew;
    check_source_start(&s, seed);
    if (set)
        set->words = VECTOR_WORDS;
    for (uint64_t i = 0; i < count && !line && !bad; i++) {
        const struct check_insn *insn = check_insn(&s, lane_which(u), i % OTHERS == 0);
        const struct isa_operand *src = insn->in.src;
        uint32_t a = fetched(&src[0], &s), b = fetched(&src[1], &s);
        struct vector v = vector_with_operands(vector_of(&insn->in, lane_which(u)), a, b,
                                               fetched(&src[2], &s), fl_random(&s.seed) & 1);
        v = lane_vector(u, v, 0, 0);
        line = broken(u, c, &v);
        int hidden = line ? -1 : unwatched(u, c, &v, vector_written(&insn->in));
        if (set)
            vectors_add(set, v.w, &isnew);
        if (line) {
            char text[256];
            isa_print(insn->lo, insn->hi, text, sizeof text);
            fl_fail(err, "line %u of the constraints of %s is broken: %s\n  by %s", line->line,
                    u->name, line->text, text);
        }
        if (hidden >= 0) {
            char text[256];
            isa_print(insn->lo, insn->hi, text, sizeof text);
            bad = fl_fail(err, "the constraints of %s do not watch %s, which is written by %s",
                          u->name, u->netlist->output_name[hidden], text);
        }
    }
    check_source_end(&s);
    return line ? -1 : bad;
}

void constraints_patterns(const struct unit *u, const struct vectors *set, struct fl_buf *out)
{
    for (uint32_t k = 0; k < set->count; k++) {
        for (uint32_t i = 0; i < u->netlist->inputs; i++)
            fl_buf_add(out, vectors_bit(vectors_at(set, k), u->place[i]) ? "1" : "0", 1);
        fl_buf_add(out, "\n", 1);
    }
}

int constraints_hold_in(const struct trace *t, const struct gate_constraints *c, struct fl_err *err)
{
    for (uint32_t i = 0; i < t->seen.count; i++) {
        const struct vector *v = lane_seen(t, i);
        const struct gate_line *line = broken(t->unit, c, v);
        if (line)
            return fl_fail(err,
                           "line %u of the constraints of %s is broken: %s\n  by %s a=%08x b=%08x "
                           "c=%08x in cycle %llu",
                           line->line, t->unit->name, line->text, isa_op_name(vector_op(v)),
                           (uint32_t)v->w[0], (uint32_t)(v->w[0] >> 32), (uint32_t)v->w[1],
                           (unsigned long long)t->first[i]);
    }
    return 0;
}
