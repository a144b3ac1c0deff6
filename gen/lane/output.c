/* output.c -- what a program becomes: sasm text, cubin, listing, job.xml. The digest of the outputs is not there yet:
 * smrun --sign adds it. */
#include "lane.h"

#include <stdlib.h>

#include "asm/sasm/sasm.h"

static int write_job(const void *program, struct fl_buf *out, struct fl_err *err)
{
    const struct lane_program *p = program;
    (void)err;
    sbst_begin_job(p->about, p->name, p->machine->profile, out);
    for (int i = 0; i < p->launches; i++) {
        const struct lane_launch *l = &p->launch[i];
        fl_buf_printf(out, "  <buffer name=\"data%d\" size=\"%d\" address=\"0x%x\">\n    <u32>",
                      i + 1, 4 * l->words, lane_address(i));
        for (int k = 0; k < l->words; k++)
            fl_buf_printf(out, "%s0x%x", k % 12 ? " " : "\n      ", l->data[k]);
        fl_buf_printf(out, "\n    </u32>\n  </buffer>\n");
    }
    for (int i = 0; i < p->launches; i++)
        fl_buf_printf(out,
                      "  <launch kernel=\"test%d\" grid=\"1\" block=\"%d\" shared=\"%d\">\n"
                      "    <param offset=\"0x10\" buffer=\"data%d\"/>\n  </launch>\n",
                      i + 1, p->launch[i].warps * SBST_LANES, lane_shared(&p->launch[i]), i + 1);
    for (int i = 0; i < p->launches; i++)
        fl_buf_printf(out, "  <output name=\"signatures%d\" buffer=\"data%d\" size=\"%d\"/>\n",
                      i + 1, i + 1, 16 * p->launch[i].warps * SBST_LANES);
    fl_buf_printf(out, "</job>\n");
    return 0;
}

static int write_listing(const void *program, const struct cubin *cubin, struct fl_buf *out,
                         struct fl_err *err)
{
    const struct lane_program *p = program;
    (void)err;
    fl_buf_printf(out, "%s -- %s\nmade by: %s\nprofile: %s\n", p->name, p->about, p->command,
                  p->machine->profile);
    for (int i = 0; i < p->launches; i++) {
        const struct lane_launch *l = &p->launch[i];
        fl_buf_printf(
            out,
            "\nlaunch %d: %s, netlist %s\n%d of %d groups, which show %ld faults; %d warps, "
            "%d instructions, %d executed, %d bytes of operands\n",
            i + 1, l->groups->unit, l->groups->netlist, l->count, l->groups->count,
            l->groups->shown, l->warps, l->instructions, l->executed, 4 * l->words);
        sbst_write_code(&cubin->kernel[i].code[0], out);
    }
    return 0;
}

static int write_stage(const void *program, const char *stage, struct fl_err *err)
{
    const struct lane_program *p = program;
    struct sbst_texts texts = {p->name, &p->source, p, write_listing, write_job};
    return sbst_write_texts(&texts, stage, err);
}

int lane_write_files(const struct lane_program *p, const char *dir, const struct fl_files *read,
                     struct fl_err *err)
{
    struct sbst_set set = {p->name, 0, p, write_stage};
    return sbst_write_sets(&set, 1, NULL, NULL, dir, read, err);
}
