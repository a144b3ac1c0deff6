/* uses.c -- through which of its parameters a kernel reads and writes memory. */
#include "ptx.h"

#include <string.h>

/* Bits of the parameters from which the registers of an operand come. */
static uint64_t comes_from(const struct ptx_operand *o, const uint64_t *from)
{
    uint64_t mask = o->reg >= 0 ? from[o->reg] : 0;
    for (int e = 0; o->kind == PTX_VEC && e < o->elements; e++)
        mask |= from[o->element[e]];
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
    for (int i = 0; name && i < k->nparams && i < 64; i++)
        if (strcmp(k->param[i].name, name) == 0)
            return UINT64_C(1) << i;
    return 0;
}

struct ptx_uses ptx_find_uses(struct cc_arena *arena, const struct ptx_kernel *k)
{
    struct ptx_uses uses = {0, 0};
    uint64_t *from = cc_alloc(arena, (size_t)k->nregs * sizeof *from);
    uint64_t kept = 0; /* what stands in memory, to be loaded again */
    for (bool again = true; again;) {
        again = false;
        for (int i = 0; i < k->ninsns; i++) {
            const struct ptx_insn *in = &k->insn[i];
            bool load = strncmp(in->op, "ld", 2) == 0, store = strncmp(in->op, "st.", 3) == 0;
            uint64_t mask = 0;
            for (int o = store ? 0 : 1; o < in->n; o++)
                mask |= comes_from(&in->o[o], from);
            if (store) {
                uint64_t value = in->n > 1 ? comes_from(&in->o[1], from) : 0;
                uint64_t address = comes_from(&in->o[0], from);
                /* from nowhere: a pointer that came out of memory */
                bool unknown = !address && strncmp(in->op, "st.global", 9) == 0;
                uses.written |= unknown ? ~UINT64_C(0) : address;
                again |= (kept | value) != kept;
                kept |= value;
            } else if (load && strncmp(in->op, "ld.param", 8) == 0) {
                again |= in->n > 1 && put(&in->o[0], from, param_bit(k, in->o[1].name));
            } else if (load) {
                uses.read |= mask;
                again |= put(&in->o[0], from, kept);
            } else if (in->n) {
                again |= put(&in->o[0], from, mask);
            }
        }
    }
    return uses;
}
