/* output.c -- what programs become: cubin, listing, job.xml, and a manifest of all of them. The digest of the outputs is
 * not there yet: smrun --sign adds it. */
#include "gates.h"

#include <libxml/tree.h>
#include <stdlib.h>

/* ---- job.xml ----------------------------------------------------------------------------------------------------- */

static int write_job(const void *program, struct fl_buf *out, struct fl_err *err)
{
    const struct gates_program *p = program;
    (void)err;
    sbst_begin_job(p->about, p->name, p->machine->profile, out);
    fl_buf_add(out, p->job.data, p->job.size);
    fl_buf_printf(out, "</job>\n");
    return 0;
}

void gates_write_textures(struct fl_buf *job, uint32_t seed, uint32_t units)
{
    static const char *const format[] = {"unorm8", "u8", "snorm8", "s8"};
    fl_buf_printf(job,
                  "  <buffer name=\"texels\" size=\"%d\"><random type=\"u32\" seed=\"%u\"/>"
                  "</buffer>\n",
                  64 * (GATES_TEXTURES + 1), seed);
    for (int unit = 0; unit < GATES_TEXTURES; unit++)
        if (units >> unit & 1)
            fl_buf_printf(job,
                          "  <texture unit=\"%d\" buffer=\"texels\" offset=\"%d\" width=\"%d\" "
                          "height=\"4\" format=\"%s\" channels=\"4\"%s/>\n",
                          unit, 64 * unit, 4 + unit % 4, format[unit / 4 % 4],
                          unit < 16 ? "" : " address=\"wrap\" normalized=\"yes\"");
}

void gates_write_constants(struct fl_buf *job, uint32_t seed, unsigned bank)
{
    fl_buf_printf(job,
                  "  <constant bank=\"%u\" offset=\"0\"><random type=\"u32\" seed=\"%u\" "
                  "count=\"16384\"/></constant>\n",
                  bank, seed + bank + 1);
}

/* ---- listing ----------------------------------------------------------------------------------------------------- */

static int write_listing(const void *program, const struct cubin *cubin, struct fl_buf *out,
                         struct fl_err *err)
{
    const struct gates_program *p = program;
    char *units = gates_unit_list(p->row->units, " ");
    (void)err;
    fl_buf_printf(out, "%s -- %s\nmade by: %s\nprofile: %s\nfor: %s\nseed %u: %d registers, ",
                  p->name, p->about, p->command, p->machine->profile, units, p->seed,
                  cubin->kernel[0].regs);
    fl_buf_printf(out, "%d launch%s\n\n", p->launches, p->launches == 1 ? "" : "es");
    for (int c = 0; c < cubin->kernel[0].ncode; c++)
        sbst_write_code(&cubin->kernel[0].code[c], out);
    free(units);
    return 0;
}

void gates_program_free(struct gates_program *p)
{
    free(p->name);
    free(p->command);
    free(p->about);
    fl_buf_free(&p->source);
    fl_buf_free(&p->job);
    *p = (struct gates_program){0};
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static int write_stage(const void *program, const char *stage, struct fl_err *err)
{
    const struct gates_program *p = program;
    struct sbst_texts texts = {p->name, &p->source, p, write_listing, write_job};
    return sbst_write_texts(&texts, stage, err);
}

static void write_manifest(const struct gates_program *p, int count, uint32_t units,
                           struct fl_buf *out)
{
    char *name = sbst_portable_profile(p->machine->profile), *list = gates_unit_list(units, " ");
    xmlChar *profile = xmlEncodeSpecialChars(NULL, (const xmlChar *)name);
    fl_buf_printf(out,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- Self-test of the gates of the "
                  "control. Made by sbstgen. -->\n<programs version=\"1\" profile=\"%s\" "
                  "seed=\"%u\" units=\"%s\">\n",
                  (const char *)profile, p->seed, list);
    free(list);
    for (int i = 0; i < count; i++) {
        list = gates_unit_list(p[i].row->units, " ");
        fl_buf_printf(out,
                      "  <program job=\"%s.job.xml\" units=\"%s\" instructions=\"%d\" bytes=\"%d\"",
                      p[i].name, list, p[i].instructions, p[i].bytes);
        if (p[i].cycles)
            fl_buf_printf(out, " cycles=\"%ld\"", p[i].cycles);
        if (p[i].trap)
            fl_buf_printf(out, " trap=\"%s\"", p[i].trap);
        fl_buf_printf(out, ">%s</program>\n", p[i].row->title);
        free(list);
    }
    fl_buf_printf(out, "</programs>\n");
    xmlFree(profile);
    free(name);
}

int gates_write(struct gates_program *p, int count, const char *manifest, uint32_t units,
                const char *dir, const struct fl_files *read, struct fl_err *err)
{
    struct sbst_set *set = fl_alloc((size_t)count * sizeof *set);
    struct fl_buf text = {0};
    for (int i = 0; i < count; i++)
        set[i] = (struct sbst_set){p[i].name, 0, &p[i], write_stage};
    write_manifest(p, count, units, &text);
    int bad = sbst_write_sets(set, count, manifest, &text, dir, read, err);
    fl_buf_free(&text);
    free(set);
    return bad;
}
