/* trace.c -- the one printer of commit records: what the C model and the RTL write is compared as
 * these lines.
 *
 *     cycle [SM] launch block warp pc words  text  mask  then what it changed, in a fixed order
 */
#include "sm/machine.h"

#include <stdio.h>
#include <string.h>

static void print_stack(const struct sm_commit *c, struct fl_buf *out)
{
    static const char *const id[] = {"SYNC", "DIVERGE", "CALL", "BREAK"};
    for (int i = 0; i < c->nstack; i++) {
        const struct sm_stack_event *e = &c->stack[i];
        fl_buf_printf(out, " %s le%d %s tm=%08x spc=%08x", e->push ? "push" : "pop", e->le,
                      id[e->id & 3], e->tm, e->spc);
    }
}

/* Values of the lanes of `mask`; of lanes outside `shown` not even that they have others. */
static void print_lanes(const uint32_t *v, uint32_t mask, uint32_t shown, struct fl_buf *out)
{
    bool all_same = true;
    uint32_t first = mask ? v[__builtin_ctz(mask)] : 0;
    for (int l = 0; l < SM_LANES; l++)
        all_same = all_same && (!(mask >> l & 1) || v[l] == first);
    if (all_same && (mask & shown) == mask) {
        fl_buf_printf(out, "=%08x", first);
        return;
    }
    mask &= shown;
    if (!mask)
        fl_buf_printf(out, "=same");
    for (int l = 0; l < SM_LANES; l++)
        if (mask >> l & 1)
            fl_buf_printf(out, "%c%d:%x", l == __builtin_ctz(mask) ? '=' : ',', l, v[l]);
}

void sm_commit_print_lanes(const struct sm_commit *c, uint32_t shown, struct fl_buf *out)
{
    fl_buf_printf(out, "%llu ", (unsigned long long)c->cycle);
    if (c->sm)
        fl_buf_printf(out, "sm%d ", c->sm - 1);
    if (c->kind == COMMIT_NONE && c->started >= 0) {
        fl_buf_printf(out, "launch %u block starts in slot %d", c->launch, c->started);
        return;
    }
    fl_buf_printf(out, "l%u b%u,%u w%d %06x ", c->launch, c->block_x, c->block_y, c->warp, c->pc);
    if (c->kind == COMMIT_UNWIND) {
        fl_buf_printf(out, "(unwinds)");
    } else {
        char text[128];
        if (!c->uop || isa_print(c->lo, c->hi, text, sizeof text) < 0)
            snprintf(text, sizeof text, "(no instruction)");
        fl_buf_printf(out, "%08x %08x %-40s mask=%08x", c->lo, c->hi, text, c->active);
        if (c->exec != c->active)
            fl_buf_printf(out, " exec=%08x", c->exec);
    }
    for (int i = 0; i < c->nregs; i++) {
        fl_buf_printf(out, " p%d", c->reg_row + i * SM_LANES);
        print_lanes(c->reg[i], c->reg_mask, shown, out);
    }
    if (c->cc >= 0)
        fl_buf_printf(out, " c%d=z%08x,s%08x,c%08x,o%08x", c->cc, c->flags.z, c->flags.s,
                      c->flags.c, c->flags.o);
    if (c->areg >= 0) {
        uint32_t v[SM_LANES];
        for (int l = 0; l < SM_LANES; l++)
            v[l] = c->a[l];
        fl_buf_printf(out, " a%d", c->areg);
        print_lanes(v, c->exec, shown, out);
    }
    if (c->space) {
        fl_buf_printf(out, " %s%d %c", c->store ? "st" : "ld", 8 * c->bytes,
                      c->space == ISA_S   ? 's'
                      : c->space == ISA_G ? 'g'
                      : c->space == ISA_L ? 'l'
                                          : 'c');
        print_lanes(c->addr, c->exec, shown, out);
        for (int i = 0; c->store && i < (int)sm_words(c->bytes); i++)
            print_lanes(c->data[i], c->exec, shown, out);
    }
    print_stack(c, out);
    if (c->ended)
        fl_buf_printf(out, " ends");
    else if (c->active_after != c->active)
        fl_buf_printf(out, " -> %06x mask=%08x", c->pc_after, c->active_after);
    if (c->trap)
        fl_buf_printf(out, " TRAP %s", sm_trap_name((enum sm_trap)c->trap));
    if (c->started >= 0)
        fl_buf_printf(out, " (block starts in slot %d)", c->started);
}

void sm_commit_print(const struct sm_image *img, const struct sm_commit *c, struct fl_buf *out)
{
    (void)img;
    sm_commit_print_lanes(c, ~0u, out);
}

/* ---- packed ---------------------------------------------------------------------------------- */

/* One walk over the fields serves both ways, so that they cannot differ. */
struct packer {
    struct fl_buf *out;  /* writing */
    const uint8_t *from; /* reading */
    size_t left;
    bool bad;
};

static void item(struct packer *k, void *p, size_t n)
{
    if (k->out) {
        fl_buf_add(k->out, p, n);
    } else if (n > k->left) {
        k->bad = true;
        memset(p, 0, n);
    } else {
        memcpy(p, k->from, n);
        k->from += n;
        k->left -= n;
    }
}

static void lanes(struct packer *k, uint32_t v[SM_LANES], uint32_t mask)
{
    for (int l = 0; l < SM_LANES; l++)
        if (mask >> l & 1)
            item(k, &v[l], sizeof v[l]);
}

static void walk(struct packer *k, struct sm_commit *c)
{
    static const struct sm_uop some_instruction;
    uint8_t mapped = c->uop != NULL;
#define ITEM(field) item(k, &c->field, sizeof c->field)
    ITEM(kind), ITEM(cycle), ITEM(sm), ITEM(warp), ITEM(launch), ITEM(block_x), ITEM(block_y),
        ITEM(reg_base), ITEM(regs);
    ITEM(pc), ITEM(lo), ITEM(hi), ITEM(active), ITEM(exec), ITEM(pc_after), ITEM(active_after);
    ITEM(ended), ITEM(trap), ITEM(started), ITEM(nregs), ITEM(reg_row), ITEM(reg_mask);
    ITEM(cc), ITEM(areg), ITEM(space), ITEM(bytes), ITEM(store), ITEM(nstack);
    item(k, &mapped, 1);
    c->uop = mapped ? &some_instruction : NULL;
    k->bad = k->bad || c->nregs < 0 || c->nregs > 4 || c->nstack < 0 ||
             c->nstack > SM_MAX_STACK_EVENTS || c->bytes > 16;
    for (int i = 0; !k->bad && i < c->nregs; i++)
        lanes(k, c->reg[i], c->reg_mask);
    if (c->cc >= 0)
        ITEM(flags);
    if (c->areg >= 0)
        ITEM(a);
    if (c->space)
        lanes(k, c->addr, c->exec);
    for (int i = 0; !k->bad && c->space && c->store && i < (int)sm_words(c->bytes); i++)
        lanes(k, c->data[i], c->exec);
    for (int i = 0; !k->bad && i < c->nstack; i++) {
        struct sm_stack_event *e = &c->stack[i];
        item(k, &e->push, 1), item(k, &e->le, 1), item(k, &e->id, 1), item(k, &e->tm, 4),
            item(k, &e->spc, 4);
    }
#undef ITEM
}

void sm_commit_pack(const struct sm_commit *c, struct fl_buf *out)
{
    struct sm_commit copy = *c;
    walk(&(struct packer){.out = out}, &copy);
}

size_t sm_commit_unpack(const uint8_t *bytes, size_t size, struct sm_commit *out)
{
    struct packer k = {.from = bytes, .left = size};
    memset(out, 0, sizeof *out);
    walk(&k, out);
    return k.bad ? 0 : size - k.left;
}
