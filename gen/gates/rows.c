/* rows.c -- files of witnesses (docs/gates-rows.rng), and a program that executes them.
 *
 * A witness is a word, and perhaps values of its operands and flags, that a solver found for a fault of a unit. Its fields
 * stay as they are, so what the word reads is put where it reads it: an address into its address register, a datum into
 * its place in local memory. What it writes stays in registers, flags and the like in free ones, until one is overwritten:
 * then the signature takes it. A word that no program can hold here is left out and counted: one that traps, jumps or
 * ends threads, or that needs a kept register.
 */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/xml.h"

/* ---- the file ---------------------------------------------------------------------------------------------------- */

static int read_number(const struct xml_file *f, xmlNode *n, const char *name, uint32_t bit,
                       uint32_t *to, uint32_t *has, struct fl_err *err)
{
    if (!xmlHasProp(n, (const xmlChar *)name))
        return 0;
    *has |= bit;
    return xml_attr_u32(f, n, name, 0, UINT32_MAX, to, err);
}

static int read_row(struct gates_rows *r, const struct xml_file *f, xmlNode *n, struct fl_err *err)
{
    static const char *const operand[] = {"a", "b", "c"};
    struct gates_witness w = {0};
    uint32_t words = 0;
    int bad = read_number(f, n, "lo", 1, &w.lo, &words, err);
    bad = bad ? bad : read_number(f, n, "hi", 2, &w.hi, &words, err);
    for (int i = 0; i < 3 && !bad; i++)
        bad = read_number(f, n, operand[i], 1u << i, &w.operand[i], &w.has, err);
    bad = bad ? bad : read_number(f, n, "flags", GATES_FLAGS, &w.flags, &w.has, err);
    FL_ROOM(r->row, r->rows, r->room, 256);
    r->row[r->rows++] = w;
    return bad;
}

int gates_rows_load(const char *path, const char *profile, struct gates_rows *out,
                    struct fl_err *err)
{
    struct xml_file f = {0};
    *out = (struct gates_rows){0};
    if (xml_read(path, "rows", "docs/gates-rows.rng", &f, err) != 0)
        return -1;
    xmlNode *top = xmlDocGetRootElement(f.doc);
    int bad = 0;
    if (strcmp(xml_attr(top, "profile"), profile) != 0)
        bad = xml_fail(&f, top, err,
                       "these rows are for profile %s, and the programs are for %s; give --profile "
                       "%s, or make the rows with the netlists of %s",
                       xml_attr(top, "profile"), profile, xml_attr(top, "profile"), profile);
    for (xmlNode *n = xml_first(top); n && !bad; n = xml_next(n))
        bad = read_row(out, &f, n, err);
    xml_close(&f);
    if (bad)
        gates_rows_free(out);
    return bad;
}

void gates_rows_free(struct gates_rows *r)
{
    free(r->row);
    *r = (struct gates_rows){0};
}

/* ---- what a program can hold ------------------------------------------------------------------------------------- */

static bool is_kept(const struct stream *s, uint32_t reg)
{
    return reg >= (uint32_t)s->kept && reg < (uint32_t)s->kept + GATES_KEPT;
}

static bool is_fetch(const struct isa_insn *in)
{
    return in->op == OP_TEX || in->op == OP_TLD;
}

/* Registers that it writes, from *first on. */
static uint32_t written(const struct isa_insn *in, uint32_t *first)
{
    *first = in->dst.kind == ISA_RH ? in->dst.value >> 1 : in->dst.value;
    if (in->dst.kind != ISA_R && in->dst.kind != ISA_RH)
        return 0;
    if (is_fetch(in))
        return 4;
    return in->op == OP_LLD || in->op == OP_GLD ? (isa_type_bytes(in->type) + 3) / 4 : 1;
}

static bool has_registers(const struct mix *x, const struct stream *s, const struct isa_insn *in)
{
    const struct isa_operand *all[] = {&in->dst, &in->src[0], &in->src[1], &in->src[2]};
    uint32_t first, n = written(in, &first);
    for (int i = 0; i < 4; i++) {
        uint32_t r = all[i]->kind == ISA_RH ? all[i]->value >> 1 : all[i]->value;
        bool store = i == 1 && (in->op == OP_LST || in->op == OP_GST);
        uint32_t more = store ? (isa_type_bytes(in->type) + 3) / 4 - 1 : 0;
        if ((all[i]->kind == ISA_R || all[i]->kind == ISA_RH || all[i]->kind == ISA_G) &&
            r + more >= (uint32_t)x->regs)
            return false;
        if (more && r % (more + 1))
            return false;
    }
    for (uint32_t r = first; r < first + n; r++)
        if (r >= (uint32_t)x->regs || is_kept(s, r))
            return false;
    return !n || is_fetch(in) || first % n == 0;
}

/* Is the place there, and are its bytes filled? An index adds up to `reach`. */
static bool has_place(const struct mix *x, const struct stream *s, const struct isa_operand *o,
                      bool store)
{
    const uint32_t bytes = isa_type_bytes(o->type);
    if (o->areg > ADDRESSES || (o->postinc && !o->areg))
        return false;
    switch (o->kind) {
    case ISA_S:
        return o->areg || (o->value >= (store || s->number ? s->window : 0) &&
                           o->value % bytes == 0 && o->value + 4 <= s->window + x->size);
    case ISA_K: return o->postinc || o->value % bytes == 0;
    case ISA_L: return o->postinc || (o->value % bytes == 0 && o->value + 64 <= GATES_LOCAL);
    default: return true;
    }
}

static bool has_operands(const struct mix *x, const struct stream *s, const struct isa_insn *in)
{
    static const bool special[] = {[SREG_PHYSID] = 1, [SREG_CLOCK] = 1, [SREG_PM0] = 1,
                                   [SREG_PM1] = 1,    [SREG_PM2] = 1,   [SREG_PM3] = 1};
    if (in->dst.kind == ISA_A && (in->dst.value < 1 || in->dst.value > ADDRESSES))
        return false;
    for (int i = 0; i < 3; i++) {
        const struct isa_operand *o = &in->src[i];
        if (!has_place(x, s, o, false) || (o->kind == ISA_A && o->value > ADDRESSES) ||
            (o->kind == ISA_SREG &&
             (o->value >= sizeof special / sizeof special[0] || !special[o->value])))
            return false;
    }
    return has_place(x, s, &in->dst, true);
}

/* As sm_uop has it: two coordinates at most, one of TLD; texture and sampler are one unit. */
static bool has_texture(const struct isa_insn *in)
{
    const struct isa_texture *t = &in->tex;
    return !is_fetch(in) || (t->coords <= (in->op == OP_TEX ? 2 : 1) && t->unit == t->sampler &&
                             t->unit < GATES_TEXTURES && !t->offset && !t->cube);
}

static bool runs_here(const struct mix *x, const struct stream *s, const struct isa_insn *in)
{
    enum isa_op op = (enum isa_op)in->op;
    return gates_row_runs(&isa_rows[in->row]) &&
           (isa_op_class(op) != ISA_CONTROL || op == OP_NOP) && !in->exit &&
           (!x->hosted || gates_is_hosted(in)) && has_registers(x, s, in) &&
           has_operands(x, s, in) && has_texture(in);
}

/* ---- its surroundings -------------------------------------------------------------------------------------------- */

/* The signature takes results in these registers, since they are to be overwritten. It changes C1. */
static void settle(struct stream *s, uint32_t first, uint32_t n)
{
    for (uint32_t r = first; r < first + n; r++) {
        if (s->used[r])
            mix_fold(s, (int)r);
        s->used[r] = false;
    }
}

/* Registers that now hold something else; `used`: results. */
static void overwrite(struct stream *s, uint32_t first, uint32_t n, bool used)
{
    for (uint32_t r = first; r < first + n; r++) {
        s->used[r] = used;
        s->known[r] = false;
    }
}

/* False: a given operand is in a kept register, which cannot get it. */
static bool load_operands(struct stream *s, const struct isa_insn *in,
                          const struct gates_witness *w)
{
    int t = mix_reg(s, TEMPORARY);
    bool good = true;
    for (int i = 0; i < 3; i++) {
        const struct isa_operand *o = &in->src[i];
        uint32_t r = o->kind == ISA_RH ? o->value >> 1 : o->value, v = w->operand[i];
        if (!(w->has >> i & 1) || (o->kind != ISA_R && o->kind != ISA_RH))
            continue;
        good &= !is_kept(s, r);
        if (is_kept(s, r))
            continue;
        if (o->kind == ISA_RH) /* the other half differs */
            v = o->value & 1 ? v << 16 | (~v & 0xffff) : (~v << 16) | (v & 0xffff);
        if (s->known[r] && s->value[r] == v)
            continue;
        settle(s, r, 1);
        mix_line(s, "MVI R%u, 0x%x", r, v);
        s->known[r] = true;
        s->value[r] = v;
    }
    if (w->has & GATES_FLAGS) {
        mix_line(s, "MVI R%d, 0x%x", t, w->flags & 15);
        mix_line(s, "R2C C%u, R%d", in->cc_src, t);
    }
    return good;
}

/* A register with an address that the offset brings into the window. */
static void load_index(struct mix *x, struct stream *s, const struct isa_operand *o)
{
    int t = mix_reg(s, TEMPORARY), which = o->kind == ISA_K   ? FEW
                                           : o->kind == ISA_L ? LOCAL
                                                              : LINEAR;
    if (o->kind == ISA_S && !o->postinc && o->value) {
        mix_line(s, "MVI R%d, 0x%x", t, -o->value);
        mix_line(s, "IADD R%d, R%d, R%d", t, mix_reg(s, which), t);
        which = TEMPORARY;
    }
    if (which == TEMPORARY || s->pointer[o->areg] != which)
        mix_line(s, "R2A A%u, R%d", o->areg, mix_reg(s, which));
    s->pointer[o->areg] = o->postinc ? 0 : which;
    s->cost.extra += o->kind == ISA_K   ? 3 * x->m->const_conflict
                     : o->kind == ISA_S ? 2 * x->m->shared_conflict
                                        : 0;
}

static const struct isa_operand *indexed(const struct isa_insn *in)
{
    const struct isa_operand *all[] = {&in->dst, &in->src[0], &in->src[1], &in->src[2]}, *is = NULL;
    for (int i = 0; i < 4; i++)
        if (all[i]->areg &&
            (all[i]->kind == ISA_S || all[i]->kind == ISA_K || all[i]->kind == ISA_L))
            is = all[i];
    return is;
}

/* A result that is no register gets one, the highest without a result; or the signature takes it at once. */
static void save_result(struct mix *x, struct stream *s, const char *op, const char *from)
{
    int r = x->regs - 1;
    while (r >= 0 && (s->used[r] || is_kept(s, (uint32_t)r)))
        r--;
    mix_line(s, "%s R%d, %s", op, r < 0 ? mix_reg(s, TEMPORARY) : r, from);
    if (r < 0)
        mix_fold(s, mix_reg(s, TEMPORARY));
    else
        overwrite(s, (uint32_t)r, 1, true);
}

/* What it wrote stays; flags first, since the signature's carry is one. */
static void save_results(struct mix *x, struct stream *s, const struct isa_insn *in)
{
    const struct isa_operand *o = indexed(in);
    int t = mix_reg(s, TEMPORARY), flags = in->dst.kind == ISA_CC ? (int)in->dst.value : in->cc_dst;
    uint32_t first, n = written(in, &first);
    char from[16];
    overwrite(s, first, n, true);
    if (in->dst.kind == ISA_OUT && in->dst.value < (uint32_t)x->regs && !is_kept(s, in->dst.value))
        s->used[in->dst.value] = true; /* a fault may write it */
    if (flags >= 0) {
        snprintf(from, sizeof from, "C%d", flags);
        save_result(x, s, "C2R", from);
    }
    if (in->dst.kind == ISA_A)
        s->pointer[in->dst.value] = 0;
    if (in->dst.kind == ISA_A || (o && o->postinc)) {
        snprintf(from, sizeof from, "A%u", in->dst.kind == ISA_A ? in->dst.value : o->areg);
        save_result(x, s, "A2R", from);
    }
    if (in->dst.kind == ISA_S) {
        if (!in->dst.areg)
            mix_line(s, "MVI R%d, 0x%x", t, in->dst.value & ~3u);
        mix_line(s, "R2A A1, R%d", in->dst.areg ? mix_reg(s, LINEAR) : t);
        s->pointer[1] = in->dst.areg ? LINEAR : 0;
        save_result(x, s, "MOV", "g[A1+0x0]");
    }
}

/* The register that holds an address of global memory. */
static bool load_address(struct stream *s, const struct isa_insn *in)
{
    const struct isa_operand *o = in->op == OP_GST ? &in->dst : &in->src[0];
    int scratch = mix_reg(s, SCRATCH);
    if (o->value != (uint32_t)scratch && is_kept(s, o->value))
        return false;
    if (o->value != (uint32_t)scratch) {
        mix_line(s, "MOV R%u, R%d", o->value, scratch);
        overwrite(s, o->value, 1, false);
    }
    return true;
}

bool mix_witness(struct mix *x, struct stream *s, const struct gates_witness *w, bool all)
{
    struct isa_insn in;
    char text[200];
    if (!isa_decode(w->lo, w->hi, false, ISA_1_0, &in) || !runs_here(x, s, &in) ||
        isa_print(w->lo, w->hi, text, sizeof text) < 0)
        return false;
    const struct isa_operand *o = indexed(&in);
    uint32_t first, n = written(&in, &first);
    settle(s, first, n);
    if (in.op == OP_GLD || in.op == OP_GST)
        settle(s, in.op == OP_GST ? in.dst.value : in.src[0].value, 1);
    if ((!load_operands(s, &in, w) && all) ||
        ((in.op == OP_GLD || in.op == OP_GST) && !load_address(s, &in)))
        return false;
    if (o)
        load_index(x, s, o);
    if (in.op == OP_LLD || in.op == OP_LST)
        mix_fill_local(x, s, in.op == OP_LLD ? &in.src[0] : &in.dst);
    if (in.join) {
        mix_line(s, "SSY j%d", x->labels);
        mix_label(s, 'j', x->labels++);
    }
    mix_emit(x, s, text, &in);
    if (in.size ==
        4) /* short ones come in pairs; a second addition to an address would leave the window */
        mix_emit(x, s, o && o->postinc ? "MOV32 R0, R0" : text, &in);
    save_results(x, s, &in);
    if (in.op == OP_LST) {
        settle(s, 0, 4);
        mix_fold_local(x, s, &in.dst);
        overwrite(s, 0, 4, false);
    }
    if (in.op == OP_GST)
        mix_next_step(x, s);
    return true;
}
