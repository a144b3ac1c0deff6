/* table.c -- library.c: the library as tables of C99, with the cubin in it, for sbst/runner/runner.c to run. */
#include "internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void put_words(struct fl_buf *out, const char *name, int test, int i, const uint8_t *bytes,
                      uint32_t size)
{
    uint32_t word;
    if (library_uniform(bytes, size, &word))
        return;
    fl_buf_printf(out, "static const unsigned %s%d_%d[] = {", name, test, i);
    for (uint32_t at = 0; at < size; at += 4)
        fl_buf_printf(out, "%s0x%" PRIx32 ",", at % 48 ? "" : "\n    ", library_word(bytes + at));
    fl_buf_printf(out, "\n};\n");
}

/* "0xffffffff, NULL" or "0, init3_1". */
static void refer(struct fl_buf *out, const char *name, int test, int i, const uint8_t *bytes,
                  uint32_t size)
{
    uint32_t word;
    if (library_uniform(bytes, size, &word))
        fl_buf_printf(out, "0x%" PRIx32 ", 0", word);
    else
        fl_buf_printf(out, "0, %s%d_%d", name, test, i);
}

static void put_buffers(struct fl_buf *out, const struct library_test *t, int n)
{
    const struct job *job = t->job;
    for (int i = 0; i < job->nbuffers; i++)
        put_words(out, "init", n, i, job->buffer[i].init, job->buffer[i].size);
    fl_buf_printf(out, "static const struct selftest_buffer buffer%d[] = {\n", n);
    for (int i = 0; i < job->nbuffers; i++) {
        fl_buf_printf(out, "    {\"%s\", %" PRIu32 ", 0x%" PRIx32 ", ", job->buffer[i].name,
                      job->buffer[i].size, job->buffer[i].dictated ? job->buffer[i].addr : 0);
        refer(out, "init", n, i, job->buffer[i].init, job->buffer[i].size);
        fl_buf_printf(out, "},\n");
    }
    fl_buf_printf(out, "};\n");
    uint8_t *bytes;
    uint32_t size = library_constants(job, &bytes);
    if (size) {
        put_words(out, "constants", n, 0, bytes, size);
        fl_buf_printf(out,
                      "static const struct selftest_buffer constants%d = {\"" LIBRARY_CONSTANTS
                      "\", %" PRIu32 ", 0, ",
                      n, size);
        refer(out, "constants", n, 0, bytes, size);
        fl_buf_printf(out, "};\n");
    }
    free(bytes);
}

static void put_outputs(struct fl_buf *out, const struct library_test *t, int n)
{
    const struct job *job = t->job;
    const uint8_t *at = t->out;
    for (int i = 0; i < job->noutputs; at += job->output[i++].size)
        put_words(out, "want", n, i, at, job->output[i].size);
    fl_buf_printf(out, "static const struct selftest_output output%d[] = {\n%s", n,
                  job->noutputs ? "" : "    {0, -1, 0, 0, -1, 0, 0},\n");
    at = t->out;
    for (int i = 0; i < job->noutputs; at += job->output[i++].size) {
        const struct job_output *o = &job->output[i];
        fl_buf_printf(out, "    {\"%s\", %d, %" PRIu32 ", %" PRIu32 ", %d, ", o->name, o->buffer,
                      o->offset, o->size, library_sm(job, i));
        refer(out, "want", n, i, at, o->size);
        fl_buf_printf(out, "},\n");
    }
    fl_buf_printf(out, "};\n");
}

/* Numbers of cuda.h: formats, and the flags of integers that are read as such and of normalized coordinates. */
static void put_textures(struct fl_buf *out, const struct library_test *t, int n)
{
    static const uint8_t number[TEXTURE_FORMATS] = {1, 8, 2, 9, 3, 10, 32, 1, 8, 2, 9};
    const struct job *job = t->job;
    if (job->ntextures)
        fl_buf_printf(out, "static const struct selftest_texture texture%d[] = {\n", n);
    for (int i = 0; i < job->ntextures; i++) {
        const struct job_texture *x = &job->texture[i];
        const struct texture *e = &x->texture;
        char name[LIBRARY_TEXTURE];
        library_texture(x->unit, name);
        fl_buf_printf(out,
                      "    {\"%s\", %d, %" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32
                      ", %d, %d, %d, {%d, %d}, %d},\n",
                      name, x->buffer, x->offset, e->width, e->height, e->pitch, number[e->format],
                      e->channels,
                      !texture_is_float((enum texture_format)e->format) + 2 * e->normalized,
                      !e->wrap[0], !e->wrap[1], e->linear);
    }
    if (job->ntextures)
        fl_buf_printf(out, "};\n");
}

static void put_launches(struct fl_buf *out, const struct library_test *t, int n)
{
    const struct job *job = t->job;
    for (int i = 0; i < job->nlaunches; i++) {
        fl_buf_printf(out, "static const struct selftest_param param%d_%d[] = {\n%s", n, i,
                      job->launch[i].nparams ? "" : "    {0, -1, 0},\n"); /* C has no empty array */
        for (int k = 0; k < job->launch[i].nparams; k++) {
            uint32_t plus;
            int buffer = library_points(t, i, k, &plus);
            fl_buf_printf(out, "    {%u, %d, 0x%" PRIx32 "},\n",
                          job->launch[i].param[k].offset - JOB_PARAM0, buffer,
                          buffer < 0 ? job->launch[i].param[k].value : plus);
        }
        fl_buf_printf(out, "};\n");
    }
    fl_buf_printf(out, "static const struct selftest_launch launch%d[] = {\n", n);
    for (int i = 0; i < job->nlaunches; i++) {
        const struct job_launch *l = &job->launch[i];
        fl_buf_printf(
            out, "    {\"%s\", {%u, %u}, {%u, %u, %u}, %u, param%d_%d, %d, %" PRIu64 ", %d},\n",
            l->kernel, l->grid[0], l->grid[1], l->block[0], l->block[1], l->block[2], l->shared, n,
            i, l->nparams, t->cycles[i], library_error(l));
    }
    fl_buf_printf(out, "};\n");
}

static void put_test(struct fl_buf *out, const struct library_test *t, int n)
{
    fl_buf_printf(out, "    {\"%s\", \"%s\", \"%s\", buffer%d, %d, ", t->name, t->part,
                  t->units ? t->units : "", n, t->job->nbuffers);
    if (t->job->nconsts)
        fl_buf_printf(out, "&constants%d, ", n);
    else
        fl_buf_printf(out, "0, ");
    if (t->job->ntextures)
        fl_buf_printf(out, "texture%d, %d, ", n, t->job->ntextures);
    else
        fl_buf_printf(out, "0, 0, ");
    fl_buf_printf(out, "launch%d, %d, output%d, %d, %" PRIu64 ", %" PRIu64 ", \"%s\"},\n", n,
                  t->job->nlaunches, n, t->job->noutputs, t->total, 2 * t->total, t->sha256);
}

void library_table(const struct library *l, int count, const struct library_options *o,
                   struct fl_buf *out)
{
    const struct profile *p = &l->test[0].job->profile;
    fl_buf_printf(out,
                  "/* A self-test library for profile %s. Made by sbstgen of faultline %s; do not "
                  "edit. */\n#include \"library.h\"\n\n",
                  p->name, o->program);
    for (int i = 0; i < count; i++) {
        put_buffers(out, &l->test[i], i);
        put_textures(out, &l->test[i], i);
        put_launches(out, &l->test[i], i);
        put_outputs(out, &l->test[i], i);
    }
    fl_buf_printf(out, "static const struct selftest_test tests[] = {\n");
    for (int i = 0; i < count; i++)
        put_test(out, &l->test[i], i);
    fl_buf_printf(out, "};\nstatic const unsigned char cubin[] = {");
    for (size_t i = 0; i < l->cubin.size; i++)
        fl_buf_printf(out, "%s%d,", i % 32 ? "" : "\n    ", l->cubin.data[i]);
    char hex[65];
    library_sha256(l->cubin.data, l->cubin.size, hex);
    fl_buf_printf(out,
                  "\n};\nconst struct selftest_library selftest_library = {\n    \"%s\", \"" //
                  LIBRARY_DEVICE "\", 1, %d, %d, %d, %d, %d, %d,\n    cubin, sizeof cubin, "
                  "\"%s\", tests, %d};\n",
                  p->name, p->name, p->capability, p->sms, p->sps, p->threads_per_sm, p->regs,
                  p->shared_bytes, hex, count);
}
