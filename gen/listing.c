/* listing.c -- the annotated listing: which routine with which arguments lies where, and what it
 * costs.
 *
 * Addresses come from the cubin's symbols, instructions from its code. On the way the costs that
 * the manifest states are checked: a program whose routines are longer than their rows say is
 * refused.
 */
#include "sbst.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/table.h"
#include "asm/isa/isa.h"

/* One kernel being listed. */
struct lister {
    const struct sbst_kernel *kernel;
    const struct cubin_kernel *code;
    bool wide;
    struct fl_buf *out;
    struct fl_err *err;
};

static uint32_t word(const struct cubin_code *c, uint32_t addr)
{
    const uint8_t *b = c->bytes + (addr - c->base);
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static const struct cubin_code *section_at(const struct cubin_kernel *k, uint32_t addr)
{
    int i = k->ncode - 1;
    while (i > 0 && k->code[i].base > addr)
        i--;
    return &k->code[i];
}

/* Steps and symbols are both in the order of addresses, so each search goes on where the last one
 * ended. */
static int find_steps(const struct lister *l, uint32_t *start, uint32_t *end)
{
    int symbol = 0;
    for (int i = 0; i < l->kernel->nsteps; i++) {
        while (symbol < l->code->nsymbols &&
               strcmp(l->code->symbol[symbol].name, l->kernel->step[i].label) != 0)
            symbol++;
        if (symbol == l->code->nsymbols)
            return fl_fail(l->err, "%s: the assembled code has no symbol '%s' in its place",
                           l->kernel->name, l->kernel->step[i].label);
        start[i] = l->code->symbol[symbol].addr;
    }
    /* a step ends where the next one begins, or the section it lies in */
    for (int i = 0; i < l->kernel->nsteps; i++) {
        const struct cubin_code *c = section_at(l->code, start[i]);
        bool last = i + 1 == l->kernel->nsteps || l->kernel->step[i + 1].org;
        end[i] = last ? c->base + c->size : start[i + 1];
    }
    return 0;
}

static void write_step(const struct lister *l, const struct sbst_step *s)
{
    fl_buf_printf(l->out, "\n%s: %s", s->label, s->routine->name);
    for (int a = 0; a < s->routine->nparams; a++) {
        const struct sbst_param *param = &s->routine->param[a];
        switch (param->type) {
        case SBST_LABEL: fl_buf_printf(l->out, " %s=%s", param->name, s->target[a]); break;
        case SBST_THREAD:
        case SBST_COUNT:
        case SBST_LOWER:
        case SBST_UPPER: fl_buf_printf(l->out, " %s=%u", param->name, s->value[a]); break;
        case SBST_CONST:
        case SBST_REGISTER:
        case SBST_U32: fl_buf_printf(l->out, " %s=0x%08x", param->name, s->value[a]); break;
        }
    }
    if (s->le)
        fl_buf_printf(l->out, "  (LE %d)", s->le);
    fl_buf_printf(l->out, "\n");
}

static int write_code(const struct lister *l, const struct sbst_step *s, uint32_t from, uint32_t to)
{
    const struct cubin_code *c = section_at(l->code, from);
    int instructions = 0;
    for (uint32_t at = from; at < to; instructions++) {
        uint32_t lo = word(c, at), hi = at + 8 - c->base <= c->size ? word(c, at + 4) : 0;
        struct isa_insn insn;
        int size = isa_decode(lo, hi, l->wide, ISA_NEWEST, &insn);
        char text[160];
        if (size == 0 || isa_print(lo, hi, text, sizeof text) < 0)
            return fl_fail(l->err, "%s: no instruction at 0x%x, words %08x %08x", l->kernel->name,
                           at, lo, hi);
        char line[200]; /* not fl_buf_printf: these are most of the lines */
        int length = size == 8
                         ? snprintf(line, sizeof line, "  %06x  %08x %08x  %s\n", at, lo, hi, text)
                         : snprintf(line, sizeof line, "  %06x  %08x           %s\n", at, lo, text);
        fl_buf_add(l->out, line, (size_t)length);
        at += (uint32_t)size;
    }
    const struct sbst_routine *r = s->routine;
    if (instructions != s->cost.instructions || to - from != (uint32_t)s->cost.bytes)
        return fl_fail(l->err,
                       "sbst/manifest.xml: routine '%s' states %d instructions, %d bytes; its code "
                       "(%s) has %d, %u; "
                       "correct its <cost>",
                       r->name, s->cost.instructions, s->cost.bytes, s->label, instructions,
                       to - from);
    return 0;
}

static void write_summary(const struct sbst_program *p, const struct sbst_kernel *k,
                          struct fl_buf *out)
{
    struct fl_table t = {0};
    fl_table_title(&t, "summary of %s", k->name);
    fl_table_columns(&t, "*routine|times|instructions|bytes|executed");
    for (int r = 0; r <= p->lib->nroutines; r++) {
        const struct sbst_routine *routine = r < p->lib->nroutines ? &p->lib->routine[r] : NULL;
        int times = 0;
        struct sbst_cost sum = {0};
        for (int i = 0; i < k->nsteps; i++)
            if (!routine || k->step[i].routine == routine) {
                times++;
                sum.instructions += k->step[i].cost.instructions;
                sum.bytes += k->step[i].cost.bytes;
                sum.executed += k->step[i].cost.executed;
            }
        if (!times)
            continue;
        fl_table_cell(&t, "%s", routine ? routine->name : "all");
        fl_table_cell(&t, "%d", times);
        fl_table_cell(&t, "%d", sum.instructions);
        fl_table_cell(&t, "%d", sum.bytes);
        fl_table_cell(&t, "%d", sum.executed);
    }
    fl_table_print(&t, out);
}

static int write_kernel(const struct sbst_program *p, const struct sbst_kernel *k,
                        const struct cubin *cubin, struct fl_buf *out, struct fl_err *err)
{
    int index = cubin_find(cubin, k->name);
    if (index < 0)
        return fl_fail(err, "%s: the assembled code has no kernel '%s'", p->name, k->name);
    int threads = SBST_LANES * sbst_block_warps(p);
    struct lister l = {k, &cubin->kernel[index], cubin->wide_code, out, err};
    fl_buf_printf(out, "\n==== launch %d: kernel %s, %d registers, grid %d, block %d ====\n",
                  (int)(k - p->kernel) + 1, k->name, l.code->regs, p->blocks, threads);
    if (l.code->regs * threads * p->blocks > p->machine->regs)
        return fl_fail(
            err,
            "%s: %d registers for each of %d threads, profile %s has %d; choose a larger profile",
            k->name, l.code->regs, threads * p->blocks, p->machine->profile, p->machine->regs);
    uint32_t *start = fl_alloc(2 * (size_t)k->nsteps * sizeof *start), *end = start + k->nsteps;
    int bad = find_steps(&l, start, end);
    for (int i = 0; i < k->nsteps && !bad; i++) {
        write_step(&l, &k->step[i]);
        bad = write_code(&l, &k->step[i], start[i], end[i]);
    }
    free(start);
    if (!bad)
        write_summary(p, k, out);
    return bad;
}

/* How many landing pads there are, and which addresses they span. */
static void write_span(const struct sbst_program *p, struct fl_buf *out)
{
    int pads = 0, bytes = 0;
    uint64_t first = UINT64_MAX, end = 0;
    for (int i = 0; i < p->nkernels; i++)
        for (int j = 0; j < p->kernel[i].nsteps; j++) {
            const struct sbst_step *s = &p->kernel[i].step[j];
            if (strcmp(s->routine->name, "pad") != 0)
                continue;
            pads++;
            bytes += s->cost.bytes;
            first = s->org < first ? s->org : first;
            end = s->org + (uint64_t)s->cost.bytes > end ? s->org + (uint64_t)s->cost.bytes : end;
        }
    if (pads)
        fl_buf_printf(out,
                      "%d landing pads: %d bytes of that code, at 0x%08llx to 0x%08llx; the rest "
                      "has %d bytes\n",
                      pads, bytes, (unsigned long long)first, (unsigned long long)end - 1,
                      sbst_bytes(p) - bytes);
}

int sbst_write_listing(const struct sbst_program *p, const struct cubin *cubin, struct fl_buf *out,
                       struct fl_err *err)
{
    uint8_t digest[32];
    char hex[65];
    sbst_digest(p, digest);
    fl_hex(digest, sizeof digest, hex);
    fl_buf_printf(out, "%s -- %s\nmade by: %s\nprofile: %s\nexpected SHA-256 of the outputs: %s\n",
                  p->name, p->about, p->command, p->machine->profile, hex);
    int instructions = 0, bytes = 0, executed = 0;
    for (int i = 0; i < p->nkernels; i++) {
        if (write_kernel(p, &p->kernel[i], cubin, out, err) != 0)
            return -1;
        instructions += p->kernel[i].instructions;
        bytes += p->kernel[i].bytes;
        executed += p->kernel[i].executed * p->blocks * sbst_block_warps(p);
    }
    fl_buf_printf(out,
                  "\n%d launch%s: %d static instructions, %d bytes of code, %d warp instructions "
                  "executed, %d bytes of "
                  "output\n",
                  p->nkernels, p->nkernels == 1 ? "" : "es", instructions, bytes, executed,
                  p->warps * (p->one_buffer ? 1 : p->nkernels) * SBST_SIGNATURES * SBST_LANES * 4);
    write_span(p, out);
    return 0;
}
