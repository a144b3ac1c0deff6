/* lower.c -- PTX becomes the machine's instructions: registers, blocks, and each instruction by the file that knows it.
 *
 * A PTX register of 32 bits is one of ours, one of 64 bits two, unless nobody reads the upper one. Registers of 16 and 8 bits have one each, with anything in
 * the upper bits: who needs them clean reads a half (cc_low) or converts. A predicate is a condition register, or a mask of
 * all ones or none, or both, as it is read.
 */
#include "lower.h"

#include <stdlib.h>
#include <string.h>

/* ---- moves ---- */

/* Two halves of a register, into a register each. */
static int split(struct cc_lower *l, int from, const struct ptx_operand *to)
{
    if (to->elements != 2)
        return cc_refuse(l, "'%s' of this form is not supported", l->in->op);
    const int low = l->lo[to->element[0]], high = l->lo[to->element[1]];
    const struct cc_operand word = cc_r(l->lo[from]);
    if (l->k->reg[from].type == PTX_64) {
        cc_emit(l, I_MOV, low, word, cc_none(), cc_none());
        cc_emit(l, I_MOV, high, cc_r(l->hi[from]), cc_none(), cc_none());
    } else {
        cc_emit_text(l, I_CONV, "I2I.U32.U16", low, cc_low(word));
        cc_emit_text(l, I_CONV, "I2I.U32.U16", high, cc_high(word));
    }
    return 0;
}

/* And back. */
static int join(struct cc_lower *l, const struct ptx_operand *from, int to)
{
    if (from->elements != 2)
        return cc_refuse(l, "'%s' of this form is not supported", l->in->op);
    const struct cc_operand low = cc_r(l->lo[from->element[0]]),
                            high = cc_r(l->lo[from->element[1]]);
    if (l->k->reg[to].type == PTX_64) {
        cc_emit(l, I_MOV, cc_dst(l), low, cc_none(), cc_none());
        if (cc_dst_hi(l) >= 0)
            cc_emit(l, I_MOV, cc_dst_hi(l), high, cc_none(), cc_none());
    } else {
        struct cc_operand up = cc_new(l, I_SHL, high, cc_imm(16));
        cc_emit(l, I_OR, cc_dst(l), cc_conv(l, "I2I.U32.U16", cc_low(low)), up, cc_none());
    }
    return 0;
}

static int move(struct cc_lower *l)
{
    const struct ptx_operand *to = &l->in->o[0], *from = &l->in->o[1];
    if (l->in->n == 2 && to->kind == PTX_VEC && from->kind == PTX_REG)
        return split(l, from->reg, to);
    if (l->in->n == 2 && from->kind == PTX_VEC && to->kind == PTX_REG)
        return join(l, from, to->reg);
    struct cc_operand a = cc_get(l, 1);
    if (from->kind == PTX_SYM && l->k->reg[to->reg].type == PTX_32) {
        const struct ptx_var *v = cc_find_var(l, from->name);
        if (v && v->space == PTX_LOCAL && v->size == 0)
            return cc_refuse(l, "an array in local memory needs a constant size");
    }
    cc_bound(l, cc_bits(l, a));
    cc_emit(l, I_MOV, cc_dst(l), a, cc_none(), cc_none());
    if (cc_dst_hi(l) >= 0)
        cc_emit(l, I_MOV, cc_dst_hi(l), cc_get_hi(l, 1), cc_none(), cc_none());
    return 0;
}

/* ---- one instruction ---- */

static int lower_one(struct cc_lower *l)
{
    const char *op = l->part[0];
    int r;
    l->double_numbers = false;
    if (l->in->guard >= 0)
        return cc_refuse(l, "a predicate on '%s' is not supported", l->in->op);
    if ((r = cc_lower_double(l)) <= 0)
        return r;
    if ((r = cc_lower_memory(l)) <= 0 || (r = cc_lower_set(l)) <= 0 ||
        (r = cc_lower_texture(l)) <= 0 || (r = cc_lower_atomic(l)) <= 0)
        return r;
    if (strcmp(op, "mov") == 0 || strcmp(op, "cvta") == 0)
        return move(l);
    if (strcmp(op, "bar") == 0 || strcmp(op, "barrier") == 0) {
        if (!cc_part(l, "sync") || l->in->n != 1 || l->in->o[0].kind != PTX_IMM ||
            l->in->o[0].imm > 15)
            return cc_refuse(l, "'%s' of this form is not supported", l->in->op);
        cc_emit(l, I_BAR, -1, cc_imm((uint32_t)l->in->o[0].imm), cc_none(), cc_none());
        return 0;
    }
    if (strcmp(op, "membar") == 0 || strcmp(op, "fence") == 0)
        return 0; /* effects happen in program order, all at once */
    if ((r = cc_lower_bits(l)) <= 0 || (r = cc_lower_wide(l)) <= 0 || (r = cc_lower_int(l)) <= 0 ||
        (r = cc_lower_float(l)) <= 0)
        return r;
    return cc_refuse_instruction(l);
}

/* ---- a kernel ---- */

static void note_def(struct cc_lower *l, int reg, const struct ptx_insn *in)
{
    if (l->defs[reg] < 2)
        l->defs[reg]++;
    l->def[reg] = in;
}

/* Who defines each register, which predicates are read as values. */
static void survey(struct cc_lower *l)
{
    const struct ptx_kernel *k = l->k;
    for (int i = 0; i < k->ninsns; i++) {
        const struct ptx_insn *in = &k->insn[i];
        int from = 0;
        if (cc_writes_first(in) && in->n) {
            from = 1;
            if (in->o[0].kind == PTX_REG)
                note_def(l, in->o[0].reg, in);
            for (int e = 0; in->o[0].kind == PTX_VEC && e < in->o[0].elements; e++)
                note_def(l, in->o[0].element[e], in);
        }
        bool selects = strncmp(in->op, "selp", 4) == 0 || strncmp(in->op, "vote", 4) == 0;
        for (int o = from; o < in->n; o++)
            if (in->o[o].kind == PTX_REG && k->reg[in->o[o].reg].type == PTX_PRED && !selects)
                l->mask[in->o[o].reg] = true;
    }
}

static bool is_branch(const struct ptx_insn *in)
{
    return strncmp(in->op, "bra", 3) == 0 && (in->op[3] == 0 || in->op[3] == '.');
}

static bool is_call(const struct ptx_insn *in)
{
    return strncmp(in->op, "call", 4) == 0 && (in->op[4] == 0 || in->op[4] == '.');
}

static bool is_return(const struct ptx_insn *in)
{
    return strcmp(in->op, "ret") == 0 || strcmp(in->op, "exit") == 0 ||
           strcmp(in->op, "ret.uni") == 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct ptx_label *)a)->name, ((const struct ptx_label *)b)->name);
}

static int label_at(const struct cc_lower *l, const struct ptx_insn *branch)
{
    const struct ptx_label wanted = {.name = branch->n ? branch->o[0].name : NULL};
    const struct ptx_label *at = wanted.name ? bsearch(&wanted, l->label, (size_t)l->k->nlabels,
                                                       sizeof wanted, by_name)
                                             : NULL;
    return at ? at->at : -1;
}

static void make_registers(struct cc_lower *l)
{
    const struct ptx_kernel *k = l->k;
    size_t n = (size_t)k->nregs;
    struct cc_arena *a = l->f->arena;
    l->lo = cc_alloc(a, n * sizeof *l->lo);
    l->hi = cc_alloc(a, n * sizeof *l->hi);
    l->c = cc_alloc(a, n * sizeof *l->c);
    l->cond = cc_alloc(a, n);
    l->defs = cc_alloc(a, n);
    l->mask = cc_alloc(a, n * sizeof *l->mask);
    l->tag = cc_alloc(a, n * sizeof *l->tag);
    l->def = cc_alloc(a, n * sizeof *l->def);
    cc_new_vreg(l->f, CC_R); /* R0 */
    l->f->vreg[0].color = 0;
    survey(l);
    cc_find_upper(l);
    for (int i = 0; i < k->nregs; i++) {
        l->lo[i] = l->hi[i] = l->c[i] = -1;
        if (k->reg[i].type == PTX_PRED) {
            l->c[i] = cc_new_vreg(l->f, CC_C);
            l->cond[i] = N_NE;
            if (l->mask[i])
                l->lo[i] = cc_new_vreg(l->f, CC_R);
            cc_settle_condition(l, i);
            continue;
        }
        l->lo[i] = cc_new_vreg(l->f, CC_R);
        if (l->upper[i])
            l->hi[i] = cc_new_vreg(l->f, CC_R);
    }
    cc_find_spaces(l);
}

/* The block of each instruction: a new one at labels that are jumped to, and behind branches. */
static int *find_blocks(struct cc_lower *l)
{
    const struct ptx_kernel *k = l->k;
    int *of = cc_alloc(l->f->arena, (size_t)(k->ninsns + 1) * sizeof *of);
    bool *starts = cc_alloc(l->f->arena, (size_t)(k->ninsns + 1) * sizeof *starts);
    starts[0] = true;
    for (int i = 0; i < k->ninsns; i++) {
        if (is_branch(&k->insn[i])) {
            int at = label_at(l, &k->insn[i]);
            if (at >= 0)
                starts[at] = true;
        }
        if (is_branch(&k->insn[i]) || is_return(&k->insn[i]))
            starts[i + 1] = true;
    }
    for (int i = 0; i <= k->ninsns; i++)
        of[i] = starts[i] ? cc_new_block(l->f) : of[i - 1];
    return of;
}

int cc_lower(struct cc_fn *f)
{
    struct cc_lower l = {.f = f, .k = f->ptx, .carry = -1};
    const struct ptx_kernel *k = f->ptx;
    for (int i = 0; i < k->ninsns; i++) /* before its parameters are met */
        if (is_call(l.in = &k->insn[i]))
            return cc_refuse_call(&l);
    make_registers(&l);
    l.label = cc_alloc(f->scratch, (size_t)(k->nlabels + 1) * sizeof *l.label);
    if (k->nlabels)
        memcpy(l.label, k->label, (size_t)k->nlabels * sizeof *l.label);
    qsort(l.label, (size_t)k->nlabels, sizeof *l.label, by_name);
    int *of = find_blocks(&l);
    for (int i = 0; i < k->ninsns; i++) {
        l.in = &k->insn[i];
        l.block = of[i];
        struct cc_block *b = &f->block[l.block];
        if (b->n == 0)
            b->place = l.in->place;
        if (is_branch(l.in)) {
            int at = label_at(&l, l.in);
            if (at < 0)
                return cc_refuse(&l, "a jump to an unknown place");
            b->place = l.in->place;
            b->succ[0] = of[at];
            if (l.in->guard >= 0) {
                b->guard = l.c[l.in->guard];
                b->cond = l.cond[l.in->guard];
                b->succ[1] = of[i + 1];
                if (l.in->guard_not) {
                    b->succ[1] = of[at];
                    b->succ[0] = of[i + 1];
                }
            }
        } else if (is_return(l.in)) {
            b->place = l.in->place;
            if (l.in->guard >= 0)
                return cc_refuse(&l, "a predicate on '%s' is not supported", l.in->op);
        } else {
            cc_split_name(&l);
            cc_cut_name(&l);
            if (lower_one(&l) || *f->err->msg)
                return -1;
            if (of[i + 1] != of[i]) {
                f->block[of[i]].succ[0] = of[i + 1];
                f->block[of[i]].place = l.in->place;
            }
        }
    }
    return 0;
}
