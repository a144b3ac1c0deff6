/* source.c -- a program as sasm text, and that text as a cubin.
 *
 * The text stands alone: the macros it uses are pasted in, not included, so that the file assembles anywhere.
 */
#include "sbst.h"

#include <stdlib.h>
#include <string.h>
#include "../asm/sasm.h"

static void mark_used(const struct sbst_library *lib, int index, bool *used)
{
    used[index] = true;
    for (int i = 0; i < lib->routine[index].nuses; i++)
        mark_used(lib, lib->routine[index].uses[i], used);
}

static void write_library(const struct sbst_program *p, struct fl_buf *out)
{
    const struct sbst_library *lib = p->lib;
    bool *used = fl_alloc((size_t)lib->nroutines * sizeof *used);
    for (int i = 0; i < p->nkernels; i++)
        for (int j = 0; j < p->kernel[i].nsteps; j++)
            mark_used(lib, (int)(p->kernel[i].step[j].routine - lib->routine), used);
    for (int i = 0; i < lib->nregs; i++)
        fl_buf_printf(out, ".reg %s, R%d  // %s\n", lib->reg[i].name, lib->reg[i].number,
                      lib->reg[i].holds);
    for (int i = 0; i < lib->nroutines; i++)
        if (used[i])
            fl_buf_printf(out, "\n%s", lib->routine[i].text);
    free(used);
}

static void write_kernel(const struct sbst_kernel *k, int life, struct fl_buf *out)
{
    fl_buf_printf(out,
                  "\n// ---- launch %d ----\n.kernel %s\n.param ptr OUT  // u32 spt[32], u32 "
                  "chk[32]\n.const LANES, u32",
                  life, k->name);
    for (int t = 0; t < SBST_LANES; t++)
        fl_buf_printf(out, ", %d", t);
    int constants = 0;
    for (int i = 0; i < k->nsteps; i++)
        for (int a = 0; a < k->step[i].routine->nparams; a++)
            if (k->step[i].routine->param[a].type == SBST_CONST)
                fl_buf_printf(out, "%s0x%08x", constants++ ? ", " : "\n.const CONSTANTS, u32, ",
                              k->step[i].value[a]);
    constants = 0;
    fl_buf_printf(out, "\n\n");
    for (int i = 0; i < k->nsteps; i++) {
        const struct sbst_step *s = &k->step[i];
        if (s->org)
            fl_buf_printf(out, "\n.org 0x%08x\n", s->org);
        fl_buf_printf(out, "%s:\n    sbst_%s", s->label, s->routine->name);
        for (int a = 0; a < s->routine->nparams; a++) {
            const char *comma = a ? ", " : " ";
            switch (s->routine->param[a].type) {
            case SBST_LABEL: fl_buf_printf(out, "%s%s", comma, s->target[a]); break;
            case SBST_THREAD:
            case SBST_COUNT:
            case SBST_LOWER:
            case SBST_UPPER: fl_buf_printf(out, "%s%u", comma, s->value[a]); break;
            case SBST_CONST: fl_buf_printf(out, "%sCONSTANTS+%d", comma, 4 * constants++); break;
            case SBST_REGISTER:
            case SBST_U32: fl_buf_printf(out, "%s0x%08x", comma, s->value[a]); break;
            }
        }
        fl_buf_printf(out, "\n");
    }
}

void sbst_write_source(const struct sbst_program *p, struct fl_buf *out)
{
    fl_buf_printf(out, "// %s.sasm -- %s.\n// Made by: %s\n\n", p->name, p->about, p->command);
    write_library(p, out);
    for (int i = 0; i < p->nkernels; i++)
        write_kernel(&p->kernel[i], i + 1, out);
}

int sbst_assemble(const struct sbst_program *p, const struct fl_buf *source, struct cubin **out,
                  struct fl_err *err)
{
    char *path = fl_format("%s.sasm", p->name);
    int bad = sasm_assemble(path, (const char *)source->data, out, err);
    free(path);
    return bad;
}
