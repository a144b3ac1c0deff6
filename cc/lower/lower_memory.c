/* lower_memory.c -- loads and stores.
 *
 * The machine moves a word at a time, and has other instructions for each memory. An address that may mean global memory or
 * another one gets both, each under the condition that the address is one of its own.
 */
#include "lower.h"

#include <string.h>

struct access {
    unsigned spaces; /* TAG_... */
    enum cc_size size;
    int words, bytes; /* of an element; of a word in memory */
    struct cc_operand base;
    uint32_t offset;
    int far; /* condition register: the address is one of global memory; -1: there is one memory */
    const struct ptx_operand *data;
    int elements;
};

static int unsupported(struct cc_lower *l)
{
    return cc_refuse(l, "'%s' of this form is not supported", l->in->op);
}

static int find_type(struct cc_lower *l, struct access *a)
{
    static const struct {
        const char *name;
        enum cc_size size;
        int words, bytes;
    } types[] = {{"u32", M_32, 1, 4},  {"s32", M_32, 1, 4}, {"b32", M_32, 1, 4},
                 {"f32", M_32, 1, 4},  {"u64", M_32, 2, 4}, {"s64", M_32, 2, 4},
                 {"b64", M_32, 2, 4},  {"f64", M_32, 2, 4}, {"u8", M_U8, 1, 1},
                 {"b8", M_U8, 1, 1},   {"s8", M_S8, 1, 1},  {"u16", M_U16, 1, 2},
                 {"b16", M_U16, 1, 2}, {"s16", M_S16, 1, 2}};
    const char *type = l->part[l->nparts - 1];
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(type, types[i].name) == 0) {
            a->size = types[i].size;
            a->words = types[i].words;
            a->bytes = types[i].bytes;
            return 0;
        }
    return cc_refuse(l, "a load or store of type '%s' is not supported", type);
}

/* Buffers begin behind the first 64 KB (docs/reference/job.md), and the other memories are no larger, so the upper half of an address
 * says whether it is one of global memory. */
static int is_far(struct cc_lower *l, struct cc_operand address)
{
    struct cc_insn *i = cc_emit(l, I_SHR, cc_temp(l), address, cc_imm(16), cc_none());
    i->dc = cc_new_vreg(l->f, CC_C);
    return i->dc;
}

static int find_access(struct cc_lower *l, const struct ptx_operand *address,
                       const struct ptx_operand *data, struct access *a)
{
    *a = (struct access){
        .data = data, .elements = data->kind == PTX_VEC ? data->elements : 1, .far = -1};
    if (address->kind != PTX_MEM || cc_spaces(l, address, &a->spaces) || find_type(l, a))
        return unsupported(l);
    if (data == &l->in->o[1] && a->spaces & TAG_CONST)
        return cc_refuse(l, "a kernel cannot write constant memory; write a buffer");
    cc_address(l, address, &a->base, &a->offset);
    if (a->spaces & TAG_GLOBAL && a->spaces != TAG_GLOBAL) {
        if (a->offset)
            a->base = cc_new(l, I_ADD, a->base, cc_imm(a->offset));
        a->offset = 0;
        a->far = is_far(l, a->base);
    }
    return 0;
}

/* The PTX register of an element, -1: it is none. */
static int register_of(const struct access *a, int element)
{
    return a->data->kind == PTX_VEC ? a->data->element[element] : a->data->reg;
}

/* Word number `word` of the access, in each memory that it may be in: into register d, or from x where d is -1. */
static void emit_word(struct cc_lower *l, const struct access *a, int word, int d,
                      struct cc_operand x)
{
    static const struct {
        unsigned tag;
        enum cc_space space;
    } memories[] = {
        {TAG_CONST, S_CONST}, {TAG_GLOBAL, S_GLOBAL}, {TAG_SHARED, S_SHARED}, {TAG_LOCAL, S_LOCAL}};
    for (size_t m = 0; m < sizeof memories / sizeof memories[0]; m++) {
        if (!(a->spaces & memories[m].tag))
            continue;
        struct cc_insn *i = d < 0 ? cc_emit(l, I_ST, -1, a->base, x, cc_none())
                                  : cc_emit(l, I_LD, d, a->base, cc_none(), cc_none());
        i->space = (uint8_t)memories[m].space;
        i->size = (uint8_t)a->size;
        i->off = a->offset + (uint32_t)(word * a->bytes);
        i->is_volatile = d >= 0 && cc_part(l, "volatile");
        i->guard = a->far;
        i->cond = memories[m].tag == TAG_GLOBAL ? N_NE : N_EQ;
    }
}

static int store(struct cc_lower *l)
{
    struct access a;
    if (find_access(l, &l->in->o[0], &l->in->o[1], &a))
        return -1;
    for (int e = 0; e < a.elements; e++) {
        int reg = register_of(&a, e);
        struct cc_operand x[2];
        if (cc_is_double(l, reg))
            cc_widen(l, cc_r(l->lo[reg]), x);
        for (int w = 0; w < a.words; w++) {
            if (reg < 0)
                x[w] = w ? cc_get_hi(l, 1) : cc_get(l, 1);
            else if (!cc_is_double(l, reg))
                x[w] = cc_r(w ? l->hi[reg] : l->lo[reg]);
            emit_word(l, &a, e * a.words + w, -1, x[w]);
        }
    }
    return *l->f->err->msg ? -1 : 0;
}

static void load_word(struct cc_lower *l, struct access *a, int word, int d)
{
    bool last = word + 1 == a->elements * a->words;
    if (a->base.kind == K_R && a->base.v == d && !last) /* the next words need the address, too */
        a->base = cc_new(l, I_MOV, a->base, cc_none());
    emit_word(l, a, word, d, cc_none());
}

static int load(struct cc_lower *l)
{
    struct access a;
    if (find_access(l, &l->in->o[1], &l->in->o[0], &a))
        return -1;
    for (int e = 0; e < a.elements; e++) {
        const int reg = register_of(&a, e), word = e * a.words;
        if (reg < 0)
            return unsupported(l);
        const int lo = l->lo[reg], hi = l->hi[reg];
        if (cc_is_double(l, reg)) {
            int half[2];
            for (int w = 0; w < 2; w++)
                half[w] = cc_temp(l);
            for (int w = 0; w < 2; w++)
                load_word(l, &a, word + w, half[w]);
            cc_narrow(l, lo, cc_r(half[0]), cc_r(half[1]));
            continue;
        }
        load_word(l, &a, word, lo);
        if (hi >= 0 && a.words == 2)
            load_word(l, &a, word + 1, hi);
        else if (hi >= 0 &&
                 l->part[l->nparts - 1][0] == 's') /* ld.s32 into a register of 64 bits */
            cc_emit(l, I_SHR, hi, cc_r(lo), cc_imm(31), cc_none())->sign = true;
        else if (hi >= 0)
            cc_emit(l, I_MOV, hi, cc_imm(0), cc_none(), cc_none());
    }
    if (a.elements == 1 && (a.size == M_U8 || a.size == M_U16))
        cc_bound(l, a.size == M_U8 ? 8 : 16);
    return *l->f->err->msg ? -1 : 0;
}

int cc_lower_memory(struct cc_lower *l)
{
    const char *op = l->part[0];
    const bool stores = strcmp(op, "st") == 0;
    if (!stores && strcmp(op, "ld") != 0 && strcmp(op, "ldu") != 0)
        return 1;
    return l->in->n != 2 ? unsupported(l) : stores ? store(l) : load(l);
}
