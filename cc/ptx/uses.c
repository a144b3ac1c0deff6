/* uses.c -- through which of its parameters a kernel reads and writes memory. */
#include "ptx.h"

#include <string.h>

/* Behind the bits of parameters: the address of a variable. */
static const uint64_t VARIABLE = UINT64_C(1) << 63;

/* Bits of what the registers of an operand come from. */
static uint64_t comes_from(const struct ptx_operand *o, const uint64_t *from)
{
    uint64_t mask = o->reg >= 0 ? from[o->reg] : 0;
    for (int e = 0; o->kind == PTX_VEC && e < o->elements; e++)
        mask |= from[o->element[e]];
    if (o->name && (o->kind == PTX_SYM || o->kind == PTX_MEM))
        mask |= VARIABLE;
    return mask;
}

static bool put(const struct ptx_operand *o, uint64_t *from, uint64_t mask)
{
    uint64_t before = comes_from(o, from);
    if (o->kind == PTX_REG)
        from[o->reg] |= mask;
    for (int e = 0; o->kind == PTX_VEC && e < o->elements; e++)
        from[o->element[e]] |= mask;
    return comes_from(o, from) != before;
}

static uint64_t param_bit(const struct ptx_kernel *k, const char *name)
{
    for (int i = 0; name && i < k->nparams && i < 63; i++)
        if (strcmp(k->param[i].name, name) == 0)
            return UINT64_C(1) << i;
    return 0;
}

static bool is_store(const struct ptx_insn *in)
{
    return strncmp(in->op, "st.", 3) == 0 && in->n > 1;
}

/* An atomic operation loads and stores. */
static bool is_atomic(const struct ptx_insn *in)
{
    return strncmp(in->op, "atom.", 5) == 0 || strncmp(in->op, "red.", 4) == 0;
}

static bool is_load(const struct ptx_insn *in)
{
    return (strncmp(in->op, "ld", 2) == 0 || is_atomic(in)) && in->n > 1;
}

static const struct ptx_operand *address_of(const struct ptx_insn *in)
{
    return &in->o[is_store(in) || strncmp(in->op, "red.", 4) == 0 ? 0 : 1];
}

/* What an instruction adds to `from`, and to `kept`: what stands in memory, to be loaded again. Is it anything new? */
static bool follow(const struct ptx_kernel *k, const struct ptx_insn *in, uint64_t *from,
                   uint64_t *kept)
{
    uint64_t mask = 0, before = *kept;
    if (is_store(in) || is_atomic(in)) {
        for (const struct ptx_operand *o = address_of(in) + 1; o < in->o + in->n; o++)
            *kept |= comes_from(o, from);
        if (is_store(in) || *kept != before)
            return *kept != before;
    }
    if (strncmp(in->op, "ld.param", 8) == 0)
        mask = param_bit(k, in->n > 1 ? in->o[1].name : NULL);
    else if (is_load(in))
        mask = *kept;
    else
        for (int o = 1; o < in->n; o++)
            mask |= comes_from(&in->o[o], from);
    return in->n && put(&in->o[0], from, mask);
}

struct ptx_uses ptx_find_uses(struct cc_arena *arena, const struct ptx_kernel *k)
{
    struct ptx_uses uses = {0, 0};
    uint64_t *from = cc_alloc(arena, (size_t)k->nregs * sizeof *from), kept = 0;
    for (bool again = true; again;) {
        again = false;
        for (int i = 0; i < k->ninsns; i++)
            again |= follow(k, &k->insn[i], from, &kept);
    }
    for (int i = 0; i < k->ninsns; i++) {
        const struct ptx_insn *in = &k->insn[i];
        uint64_t address = comes_from(address_of(in), from);
        if (is_store(in) || is_atomic(in)) /* through a pointer from nowhere: it may be any */
            uses.written |= address || strncmp(in->op, "st.global", 9) ? address : ~UINT64_C(0);
        if (is_load(in) && strncmp(in->op, "ld.param", 8))
            uses.read |= address;
    }
    return uses;
}
