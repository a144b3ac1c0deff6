/* lower.c -- PTX becomes the machine's instructions: blocks, moves, memory, special registers.
 *
 * A PTX register of 32 bits is one of ours, one of 64 bits two, unless nobody reads the upper one. Registers of 16 and 8 bits have one each, with anything in
 * the upper bits: who needs them clean reads a half (cc_low) or converts. A predicate is a condition register, or a mask of
 * all ones or none, or both, as it is read.
 *
 * Addresses have 32 bits. Which memory a pointer means is what the PTX says; where it says "constant" or nothing, the
 * pointer is followed back to where it came from.
 */
#include "lower.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cc/ptx/source.h"

/* ---- memory ---- */

/* The memories that an address may mean. */
int cc_spaces(struct cc_lower *l, const struct ptx_operand *o, unsigned *out)
{
    unsigned tag = 0;
    if (o->reg >= 0)
        tag = l->tag[o->reg];
    else if (o->name) {
        const struct ptx_var *v = cc_find_var(l, o->name);
        tag = !v                       ? 0
              : v->space == PTX_CONST  ? TAG_CONST
              : v->space == PTX_GLOBAL ? TAG_GLOBAL
              : v->space == PTX_LOCAL  ? TAG_LOCAL
                                       : TAG_SHARED;
    }
    if (cc_part(l, "param") || cc_part(l, "shared"))
        tag = TAG_SHARED;
    else if (cc_part(l, "global"))
        tag = TAG_GLOBAL;
    else if (cc_part(l, "local"))
        tag = TAG_LOCAL;
    else if (cc_part(l, "const"))
        tag = tag & TAG_CONST ? tag & (TAG_CONST | TAG_GLOBAL) : TAG_GLOBAL;
    unsigned others = tag & ~(unsigned)TAG_GLOBAL; /* one of them at most */
    if (others & (others - 1))
        return cc_refuse(l,
                         "this pointer may point into several memories (shared, local, constant), "
                         "which have instructions of their own; use a pointer for each");
    if (!tag && !l->f->assumed.ptx_line) /* it comes from memory; what nvcc did for this machine */
        l->f->assumed = l->in->place;
    *out = tag ? tag : TAG_GLOBAL;
    return 0;
}

static int size_of(struct cc_lower *l, enum cc_size *size, int *words)
{
    const char *t = l->part[l->nparts - 1];
    static const struct {
        const char *name;
        enum cc_size size;
        int words;
    } types[] = {{"u32", M_32, 1},  {"s32", M_32, 1}, {"b32", M_32, 1}, {"f32", M_32, 1},
                 {"u64", M_32, 2},  {"s64", M_32, 2}, {"b64", M_32, 2}, {"f64", M_32, 2},
                 {"u8", M_U8, 1},   {"b8", M_U8, 1},  {"s8", M_S8, 1},  {"u16", M_U16, 1},
                 {"b16", M_U16, 1}, {"s16", M_S16, 1}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(t, types[i].name) == 0) {
            *size = types[i].size;
            *words = types[i].words;
            return 0;
        }
    return cc_refuse(l, "a load or store of type '%s' is not supported", t);
}

/* Buffers begin behind the first 64 KB (docs/reference/job.md), and the other memories are no larger: what an address means that
 * may mean global memory or another one shows in its upper half. Returns the condition register. */
static int is_far(struct cc_lower *l, struct cc_operand address)
{
    struct cc_insn *i = cc_emit(l, I_SHR, cc_temp(l), address, cc_imm(16), cc_none());
    i->dc = cc_new_vreg(l->f, CC_C);
    return i->dc;
}

void cc_address(struct cc_lower *l, const struct ptx_operand *o, struct cc_operand *base,
                uint32_t *off)
{
    *base = cc_none();
    *off = (uint32_t)o->imm;
    if (o->reg >= 0)
        *base = cc_r(l->lo[o->reg]);
    else if (o->name) {
        *base = cc_symbol(l,
                          &(struct ptx_operand){.kind = PTX_SYM, .name = o->name, .imm = o->imm});
        *off = base->kind == K_IMM ? base->imm : 0;
        if (base->kind == K_IMM)
            *base = cc_none();
    }
}

static int load_store(struct cc_lower *l, bool store)
{
    const struct ptx_insn *in = l->in;
    unsigned spaces = 0;
    enum cc_size size = M_32;
    int words = 1, bytes;
    if (in->n != 2)
        return cc_refuse(l, "'%s' of this form is not supported", in->op);
    const struct ptx_operand *address = &in->o[store ? 0 : 1], *data = &in->o[store ? 1 : 0];
    if (address->kind != PTX_MEM || cc_spaces(l, address, &spaces) || size_of(l, &size, &words))
        return cc_refuse(l, "'%s' of this form is not supported", in->op);
    if (store && spaces & TAG_CONST)
        return cc_refuse(l, "a kernel cannot write constant memory; write a buffer");
    bytes = size == M_32 ? 4 : size == M_U8 || size == M_S8 ? 1 : 2;
    struct cc_operand base;
    uint32_t off;
    cc_address(l, address, &base, &off);
    int n = data->kind == PTX_VEC ? data->elements : 1, far = -1;
    struct cc_operand half[2] = {cc_none(), cc_none()}; /* of a double */
    if (spaces & TAG_GLOBAL && spaces != TAG_GLOBAL) {
        if (off)
            base = cc_new(l, I_ADD, base, cc_imm(off));
        off = 0;
        far = is_far(l, base);
    }
    /* A load into the register of its own address would spoil it for the words behind. */
    for (int e = 0; e < n * words; e++) {
        int reg = data->kind == PTX_VEC ? data->element[e / words] : data->reg;
        struct cc_operand x;
        bool is_double = cc_is_double(l, reg);
        if (!store && e % words && l->hi[reg] < 0 && !is_double)
            continue;
        if (is_double && e % 2 == 0 && store)
            cc_widen(l, cc_r(l->lo[reg]), half);
        else if (is_double && e % 2 == 0)
            half[0] = cc_r(cc_temp(l)), half[1] = cc_r(cc_temp(l));
        if (is_double)
            x = half[e % 2];
        else if (reg >= 0)
            x = cc_r(e % words ? l->hi[reg] : l->lo[reg]);
        else if (data->kind == PTX_IMM && store)
            x = cc_imm((uint32_t)(e % words ? data->imm >> 32 : data->imm));
        else if (store)
            x = cc_get(l, 1);
        else
            return cc_refuse(l, "'%s' of this form is not supported", in->op);
        if (!store && base.kind == K_R && base.v == x.v && e + 1 < n * words)
            base = cc_new(l, I_MOV, base, cc_none());
        for (unsigned tag = TAG_CONST; tag <= TAG_LOCAL; tag *= 2) {
            if (!(spaces & tag))
                continue;
            struct cc_insn *i = store ? cc_emit(l, I_ST, -1, base, x, cc_none())
                                      : cc_emit(l, I_LD, x.v, base, cc_none(), cc_none());
            i->space = tag == TAG_CONST    ? S_CONST
                       : tag == TAG_GLOBAL ? S_GLOBAL
                       : tag == TAG_SHARED ? S_SHARED
                                           : S_LOCAL;
            i->size = (uint8_t)size;
            i->off = off + (uint32_t)(e * bytes);
            i->is_volatile = cc_part(l, "volatile") && !store;
            i->guard = far;
            i->cond = tag == TAG_GLOBAL ? N_NE : N_EQ;
        }
        if (!store && is_double && e % 2)
            cc_narrow(l, l->lo[reg], half[0], half[1]);
        if (!store && words == 1 && l->hi[reg] >= 0) { /* ld.u32 into a register of 64 bits */
            if (l->part[l->nparts - 1][0] == 's')
                cc_emit(l, I_SHR, l->hi[reg], x, cc_imm(31), cc_none())->sign = true;
            else
                cc_emit(l, I_MOV, l->hi[reg], cc_imm(0), cc_none(), cc_none());
        }
        if (!store && n == 1 && (size == M_U8 || size == M_U16))
            cc_bound(l, size == M_U8 ? 8 : 16);
    }
    return *l->f->err->msg ? -1 : 0;
}

/* ---- moves ---- */

static int move(struct cc_lower *l)
{
    const struct ptx_insn *in = l->in;
    if (in->n == 2 && in->o[0].kind == PTX_VEC &&
        in->o[1].kind == PTX_REG) { /* split 64 into two */
        int s = in->o[1].reg;
        const int *d = in->o[0].element;
        if (in->o[0].elements != 2)
            return cc_refuse(l, "'%s' of this form is not supported", in->op);
        struct cc_operand low = cc_r(l->lo[s]);
        if (l->k->reg[s].type == PTX_64) {
            cc_emit(l, I_MOV, l->lo[d[0]], low, cc_none(), cc_none());
            cc_emit(l, I_MOV, l->lo[d[1]], cc_r(l->hi[s]), cc_none(), cc_none());
        } else {
            cc_emit_text(l, I_CONV, "I2I.U32.U16", l->lo[d[0]], cc_low(low));
            cc_emit_text(l, I_CONV, "I2I.U32.U16", l->lo[d[1]], cc_high(low));
        }
        return 0;
    }
    if (in->n == 2 && in->o[1].kind == PTX_VEC && in->o[0].kind == PTX_REG) {
        const int *s = in->o[1].element;
        if (in->o[1].elements != 2)
            return cc_refuse(l, "'%s' of this form is not supported", in->op);
        if (l->k->reg[in->o[0].reg].type == PTX_64) {
            cc_emit(l, I_MOV, cc_dst(l), cc_r(l->lo[s[0]]), cc_none(), cc_none());
            if (cc_dst_hi(l) >= 0)
                cc_emit(l, I_MOV, cc_dst_hi(l), cc_r(l->lo[s[1]]), cc_none(), cc_none());
        } else {
            struct cc_operand up = cc_new(l, I_SHL, cc_r(l->lo[s[1]]), cc_imm(16));
            cc_emit(l, I_OR, cc_dst(l), cc_conv(l, "I2I.U32.U16", cc_low(cc_r(l->lo[s[0]]))), up,
                    cc_none());
        }
        return 0;
    }
    struct cc_operand a = cc_get(l, 1);
    if (in->o[1].kind == PTX_SYM && l->k->reg[in->o[0].reg].type == PTX_32) {
        const struct ptx_var *v = cc_find_var(l, in->o[1].name);
        if (v && v->space == PTX_LOCAL && v->size == 0)
            return cc_refuse(l, "an array in local memory needs a constant size");
    }
    cc_bound(l, cc_bits(l, a));
    cc_emit(l, I_MOV, cc_dst(l), a, cc_none(), cc_none());
    if (cc_dst_hi(l) >= 0)
        cc_emit(l, I_MOV, cc_dst_hi(l), cc_get_hi(l, 1), cc_none(), cc_none());
    return 0;
}

/* ---- what is refused by name ---- */

static int unknown(struct cc_lower *l)
{
    static const struct {
        const char *op, *why;
    } known[] = {
        {"suld", "images are not supported; read a buffer"},
        {"sust", "images are not supported; write a buffer"},
        {"shfl", "the machine has no shuffles; exchange the values through shared memory (local "
                 "memory of OpenCL C)"},
        {"trap", "the source has no defined result here (clang compiled it to a trap); correct it"},
        {"prmt", "byte permutation is not supported"},
        {"brx", "computed jumps are not supported; use if and else"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(l->part[0], known[i].op) == 0)
            return cc_refuse(l, "%s", known[i].why);
    if (cc_part(l, "f16"))
        return cc_refuse(l, "half: arithmetic with 16-bit floats is not supported; use float");
    return cc_refuse(l, "the PTX instruction '%s' is not known to smcc", l->in->op);
}

/* A call that clang did not replace by the function. */
static int refuse_call(struct cc_lower *l)
{
    const struct ptx_module *m = l->f->module;
    const char *name = l->in->n ? l->in->o[0].name : "%";
    bool is_kernel = false, has_body = false;
    for (int i = 0; i < m->nkernels; i++)
        is_kernel |= strcmp(m->kernel[i].name, name) == 0;
    for (int i = 0; i < m->nfuncs; i++)
        has_body |= m->func[i].has_body && strcmp(m->func[i].name, name) == 0;
    const char *plain = cc_plain_name(l->f->arena, name);
    if (strncmp(plain, "__translate_sampler", 19) == 0) /* as clang has a sampler of OpenCL C */
        plain = "sampler_t";
    /* of namespace cooperative_groups, and a member of something there */
    static const char groups[] = "_ZN18cooperative_groups",
                      of_groups[] = "_ZNK18cooperative_groups";
    /* '-': what the machine has not */
    static const struct {
        const char *begin, *why;
    } missing[] = {
        {"sampler_t", "a sampler serves only to read an image"},
        {"atomic", "-atomic operations, 1.1 has; let each thread write an element of its own and "
                   "combine them later"},
        {"atom_", "-atomic operations, 1.1 has; let each thread write an element of its own and "
                  "combine them later"},
        {"__shfl", "-shuffles, 3.0 has; exchange the values through shared memory"},
        {"__all", "-votes, 1.2 has; combine the values in shared memory"},
        {"__any", "-votes, 1.2 has; combine the values in shared memory"},
        {"__ballot", "-votes, 2.0 has this one; combine the values in shared memory"},
        {"__syncthreads_", "-votes, 2.0 has these; combine the values in shared memory and call "
                           "__syncthreads()"},
        {"__activemask", "-votes, 2.0 has this one; combine the values in shared memory"},
        {"__match_", "-votes, 7.0 has this one; compare the values through shared memory"},
        {"__reduce_", "-reductions of a warp, 8.0 has; combine the values in shared memory"},
        {"__dp", "-products of four bytes, 6.1 has; add the products one by one"},
        {"__nanosleep", "-such wait, 7.0 has; leave it out"},
        {"__h", "-arithmetic of half, 5.3 has; convert with __half2float, and compute in float"},
        {"_Zn", "a kernel cannot allocate memory; use an array of constant size, or pass a buffer"},
        {"_Zd", "a kernel cannot free memory; use an array of constant size, or pass a buffer"},
        {"tex", "supported are tex1Dfetch, tex1D and tex2D; use one of them, or pass a buffer"},
        {"read_image", "supported are reads of image2d_t; use it, or pass a buffer"},
        {"write_image", "kernels cannot write images; write a buffer"},
        {"get_image", "supported are the width and height of an image2d_t that the kernel reads; "
                      "pass others as arguments"}};
    if (strncmp(name, groups, sizeof groups - 1) == 0 ||
        strncmp(name, of_groups, sizeof of_groups - 1) == 0)
        return cc_refuse(
            l,
            "'%s' is unavailable: of cooperative groups, sync() of blocks and tiles is supported; "
            "exchange values through shared memory, or launch another kernel",
            plain);
    for (size_t i = 0; i < sizeof missing / sizeof missing[0] && !has_body && !is_kernel; i++)
        if (strncmp(plain, missing[i].begin, strlen(missing[i].begin)) == 0) {
            const char *why = missing[i].why;
            if (strncmp(why, "-atomic", 7) == 0 && l->f->capability >= 1)
                why = "-such atomic operation: those of int and unsigned are all, and 1.2 has add, "
                      "exchange and compare-and-swap of 64 bits; build it of these";
            if (*why == '-')
                return cc_refuse(
                    l, "'%s' is unavailable: the machine (compute capability 1.%d) has no %s",
                    plain, l->f->capability, why + 1);
            return cc_refuse(l, "'%s' is unavailable: %s", plain, why);
        }
    if (*name == '%')
        return cc_refuse(l, "a call through a pointer is not supported, since all functions are "
                            "inlined; call the function by name");
    if (is_kernel)
        return cc_refuse(l,
                         "'%s' is a kernel, which a kernel cannot call; move its body into a "
                         "function that both call",
                         plain);
    if (has_body)
        return cc_refuse(
            l, "'%s' calls itself, and the machine has no stack for its variables; write a loop",
            plain);
    return cc_refuse(l,
                     "'%s' is declared and not defined; all functions are inlined, so define it in "
                     "the same source",
                     plain);
}

static bool is_call(const struct ptx_insn *in)
{
    return strncmp(in->op, "call", 4) == 0 && (in->op[4] == 0 || in->op[4] == '.');
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
    if (strcmp(op, "ld") == 0 || strcmp(op, "ldu") == 0)
        return load_store(l, false);
    if (strcmp(op, "st") == 0)
        return load_store(l, true);
    if ((r = cc_lower_set(l)) <= 0 || (r = cc_lower_texture(l)) <= 0 ||
        (r = cc_lower_atomic(l)) <= 0)
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
    return unknown(l);
}

/* ---- a kernel ---- */

static bool writes_first(const char *op)
{
    static const char *const none[] = {"st.",    "bra",  "bar",  "ret", "exit",
                                       "membar", "call", "red.", "trap"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        if (strncmp(op, none[i], strlen(none[i])) == 0)
            return false;
    return true;
}

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
        if (writes_first(in->op) && in->n) {
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

/* Where the addresses in registers come from, until nothing changes. */
static void find_tags(struct cc_lower *l)
{
    const struct ptx_kernel *k = l->k;
    for (bool again = true; again;) {
        again = false;
        for (int i = 0; i < k->ninsns; i++) {
            const struct ptx_insn *in = &k->insn[i];
            if (!writes_first(in->op) || !in->n)
                continue;
            bool moves = false;
            static const char *const ops[] = {"mov.",  "add.", "sub.", "selp.",
                                              "cvta.", "and.", "or.",  "mad."};
            for (size_t o = 0; o < sizeof ops / sizeof ops[0]; o++)
                moves |= strncmp(in->op, ops[o], strlen(ops[o])) == 0;
            unsigned tag = 0;
            for (int o = 1; o < in->n && moves; o++) {
                const struct ptx_operand *x = &in->o[o];
                if (x->kind == PTX_REG)
                    tag |= l->tag[x->reg];
                const struct ptx_var *v = x->kind == PTX_SYM ? cc_find_var(l, x->name) : NULL;
                if (v)
                    tag |= v->space == PTX_CONST    ? TAG_CONST
                           : v->space == PTX_GLOBAL ? TAG_GLOBAL
                           : v->space == PTX_LOCAL  ? TAG_LOCAL
                           : v->space == PTX_SHARED ? TAG_SHARED
                                                    : 0;
            }
            /* A parameter may be any number: a sum with the address of a variable is an address in that variable's memory. */
            if (tag & ~(unsigned)TAG_GLOBAL &&
                (in->op[0] == 'a' || strncmp(in->op, "sub.", 4) == 0))
                tag &= ~(unsigned)TAG_GLOBAL;
            size_t length = strlen(in->op);
            if ((strncmp(in->op, "ld.param.", 9) == 0 &&
                 strcmp(in->op + length - 4, l->f->module->m64 ? ".u64" : ".u32") == 0) ||
                strncmp(in->op, "cvta.to.global", 14) == 0)
                tag = TAG_GLOBAL;
            if (strncmp(in->op, "cvta.shared", 11) == 0)
                tag = TAG_SHARED;
            if (strncmp(in->op, "cvta.local", 10) == 0)
                tag = TAG_LOCAL;
            if (strncmp(in->op, "cvta.const", 10) == 0)
                tag = TAG_CONST;
            const struct ptx_operand *to = &in->o[0];
            for (int e = 0; e < (to->kind == PTX_VEC ? to->elements : to->kind == PTX_REG); e++) {
                int reg = to->kind == PTX_VEC ? to->element[e] : to->reg;
                again |= (tag & ~l->tag[reg]) != 0;
                l->tag[reg] |= tag;
            }
        }
    }
}

static bool is_branch(const struct ptx_insn *in)
{
    return strncmp(in->op, "bra", 3) == 0 && (in->op[3] == 0 || in->op[3] == '.');
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
    find_tags(l);
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
            return refuse_call(&l);
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
