/* source.c -- a program as sasm text, and that text as a cubin.
 *
 * The text stands alone: the macros it uses are pasted in, not included, so that the file assembles
 * anywhere.
 */
#include "sbst.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "asm/sasm/sasm.h"

static void mark_used(const struct sbst_program *p, int index, bool *used)
{
    const struct sbst_library *lib = p->lib;
    used[index] = true;
    for (int i = 0; i < lib->routine[index].nuses; i++) {
        const char *name = lib->routine[lib->routine[index].uses[i]].name;
        mark_used(p, sbst_routine_find(lib, name, p->target ? p->target->name : NULL), used);
    }
}

static void write_library(const struct sbst_program *p, struct fl_buf *out)
{
    const struct sbst_library *lib = p->lib;
    bool *used = fl_alloc((size_t)lib->nroutines * sizeof *used);
    for (int i = 0; i < p->nkernels; i++)
        for (int j = 0; j < p->kernel[i].nsteps; j++)
            mark_used(p, (int)(p->kernel[i].step[j].routine - lib->routine), used);
    for (int i = 0; i < lib->nregs; i++)
        fl_buf_printf(out, ".reg %s, R%d  // %s\n", lib->reg[i].name, lib->reg[i].number,
                      lib->reg[i].holds);
    for (int i = 0; i < lib->nroutines; i++)
        if (used[i])
            fl_buf_printf(out, "\n%s", lib->routine[i].text);
    free(used);
}

static bool reads_lane(const struct sbst_step *s, int lane)
{
    char name[24];
    snprintf(name, sizeof name, "c1[LANE%d]", lane);
    for (int a = 0; a < s->routine->nparams; a++) {
        enum sbst_type type = s->routine->param[a].type;
        if ((type == SBST_THREAD || type == SBST_LOWER || type == SBST_UPPER) &&
            s->value[a] == (uint32_t)lane)
            return true;
    }
    return strstr(s->routine->text, name);
}

/* LANE0 to LANE31 hold the numbers 0 to 31. Only those in use where room in c1[] is scarce. */
static void write_lanes(const struct sbst_program *p, const struct sbst_kernel *k,
                        struct fl_buf *out)
{
    for (int lane = 0; lane < SBST_LANES; lane++) {
        bool used = !p->target;
        for (int i = 0; i < k->nsteps && !used; i++)
            used = reads_lane(&k->step[i], lane);
        if (used)
            fl_buf_printf(out, ".const LANE%d, u32, %d\n", lane, lane);
    }
}

static void write_constants(const struct sbst_kernel *k, struct fl_buf *out)
{
    int constants = 0;
    for (int i = 0; i < k->nsteps; i++)
        for (int a = 0; a < k->step[i].routine->nparams; a++)
            if (k->step[i].routine->param[a].type == SBST_CONST)
                fl_buf_printf(out, "%s0x%08x", constants++ ? ", " : ".const CONSTANTS, u32, ",
                              k->step[i].value[a]);
    if (constants)
        fl_buf_printf(out, "\n");
}

static void write_kernel(const struct sbst_program *p, const struct sbst_kernel *k, int number,
                         struct fl_buf *out)
{
    fl_buf_printf(out,
                  "\n// ---- launch %d ----\n.kernel %s\n.param ptr OUT  // u32 spt[32], u32 "
                  "chk[32]\n",
                  number, k->name);
    if (p->target) { /* what is added comes first: only the first words can be */
        write_constants(k, out);
        write_lanes(p, k, out);
    } else {
        write_lanes(p, k, out);
        write_constants(k, out);
    }
    int constants = 0;
    fl_buf_printf(out, "\n");
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
        write_kernel(p, &p->kernel[i], i + 1, out);
}

int sbst_assemble(const struct sbst_program *p, const struct fl_buf *source, struct cubin **out,
                  struct fl_err *err)
{
    char *path = fl_format("%s.sasm", p->name);
    int bad = sasm_assemble(path, (const char *)source->data, out, err);
    free(path);
    return bad;
}
