/* program.c -- a test of sbst/control/ for a profile: its launches, and a kernel for each. */
#include "control.h"

#include <stdlib.h>
#include <string.h>

static void add_launch(struct control_program *p, int blocks, int warps, int tested)
{
    for (int life = 0; life < p->unit->lives; life++)
        p->launch[p->nlaunches++] = (struct control_launch){blocks, warps, tested, life};
}

/* The cache that the unit fills. */
static int find_cache(struct control_program *p, struct fl_err *err)
{
    const struct sbst_machine *m = p->machine;
    const struct sbst_cache *c = strcmp(p->unit->cache, "l2") == 0 ? &m->l2 : &m->l1d;
    if (!c->global)
        return fl_fail(err,
                       "--unit %s: profile %s has no cache %s for global memory%s; choose another "
                       "profile",
                       p->unit->name, m->profile, p->unit->cache,
                       c->bytes ? ", which a test of local memory fills" : "");
    if (c->bytes % CONTROL_CHUNK != 0)
        return fl_fail(
            err,
            "--unit %s: the %s of profile %s has %d bytes, which a warp does not fill in "
            "steps of %d; choose another profile",
            p->unit->name, p->unit->cache, m->profile, c->bytes, CONTROL_CHUNK);
    p->cache = c;
    return 0;
}

/* All warps at once, or as many as there can be. */
static int fewest_blocks(struct control_program *p, struct fl_err *err)
{
    for (int n = p->machine->warps; n > 0; n--)
        for (int blocks = 1; blocks <= p->machine->blocks && blocks <= n; blocks++)
            if (n % blocks == 0 && n / blocks <= sbst_resident_warps(p->machine, blocks)) {
                add_launch(p, blocks, n / blocks, 0);
                return 0;
            }
    return fl_fail(err, "--unit %s: no warp is resident in profile %s; choose another profile",
                   p->unit->name, p->machine->profile);
}

/* Blocks of a launch are alike and take the lowest slots, so slot b has the most warps when b + 1 blocks are
 * resident. A launch of fewer blocks has these warps to test that no block of the next one has. */
static int every_slot(struct control_program *p, struct fl_err *err)
{
    const struct sbst_machine *m = p->machine;
    for (int first = 0; first < m->blocks && sbst_resident_warps(m, first + 1) > 0;) {
        int last = first, warps = sbst_resident_warps(m, first + 1);
        while (last + 1 < m->blocks && sbst_resident_warps(m, last + 2) == warps)
            last++;
        if (p->nlaunches + p->unit->lives > CONTROL_MAX_LAUNCHES)
            return fl_fail(
                err, "--unit %s: profile %s needs more than %d launches; choose another profile",
                p->unit->name, m->profile, CONTROL_MAX_LAUNCHES);
        /* a warp that was alone has been tested for half of its faults only */
        int next = last + 1 < m->blocks ? sbst_resident_warps(m, last + 2) : 0;
        add_launch(p, last + 1, warps, next > 1 ? next : 0);
        first = last + 1;
    }
    return 0;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void write_kernel(struct control_program *p, int i)
{
    const struct sbst_machine *m = p->machine;
    const struct control_launch *l = &p->launch[i];
    const struct {
        const char *name;
        uint32_t value;
        const char *what;
    } names[] = {
        {"BLOCKS", (uint32_t)l->blocks, "of this launch, of each SM"},
        {"SMS", (uint32_t)m->sms, "of the chip; blocks go round them"},
        {"REGS", (uint32_t)m->regs / SBST_LANES, "rows of registers of an SM"},
        {"WARPS", (uint32_t)l->warps, "of a block"},
        {"TESTED", (uint32_t)l->tested, "warps of a block, in a launch of more blocks"},
        {"LIFE", (uint32_t)l->life, "launches of this shape before"},
        {"ENTRIES", (uint32_t)m->stack_entries, "line-entries of a stack"},
        {"SPILL", (uint32_t)m->stack_spill, "entries behind them"},
        {"BARRIERS", (uint32_t)m->barriers, "of a block"},
        {"SPACE", ~0u >> (32 - m->code_bits), "bits of a code address"},
    };
    fl_buf_printf(&p->source, "\n.kernel test%d\n.param ptr OUT // a word of each thread\n", i + 1);
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        fl_buf_printf(&p->source, ".equ %s, 0x%x // %s\n", names[k].name, names[k].value,
                      names[k].what);
    if (p->cache)
        fl_buf_printf(
            &p->source,
            ".param ptr LOW // two buffers, of twice the cache for each SM\n.param ptr HIGH\n"
            ".equ BYTES, 0x%x // of the cache\n.equ ALONE, %d // all SMs share it\n",
            (uint32_t)p->cache->bytes, p->cache->shared);
    fl_buf_printf(&p->source, "%s", p->unit->text);
}

int control_compose(const struct control_library *lib, const struct control_unit *unit,
                    const struct sbst_machine *machine, struct control_program *out,
                    struct fl_err *err)
{
    if (!machine->exit_ends)
        return fl_fail(
            err,
            "--unit %s: on profile %s an exit ends no thread, and the stack has rules of "
            "its own; choose another profile",
            unit->name, machine->profile);
    *out = (struct control_program){.unit = unit, .machine = machine};
    if (unit->cache && find_cache(out, err) != 0)
        return -1;
    if (unit->shapes == CONTROL_ONE)
        add_launch(out, 1, 1, 0);
    else if ((unit->shapes == CONTROL_SLOTS ? every_slot : fewest_blocks)(out, err) != 0)
        return -1;
    out->name = fl_strdup(unit->name);
    out->command = fl_format("sbstgen --unit %s --profile %s", unit->name, machine->profile);
    out->about = fl_format("Self-test of the %s", unit->title);
    fl_buf_printf(&out->source, "// %s.sasm -- %s.\n// Made by: %s\n\n%s", out->name, out->about,
                  out->command, lib->common);
    for (int i = 0; i < out->nlaunches; i++)
        write_kernel(out, i);
    return 0;
}

void control_program_free(struct control_program *p)
{
    free(p->name);
    free(p->command);
    free(p->about);
    fl_buf_free(&p->source);
    *p = (struct control_program){0};
}
