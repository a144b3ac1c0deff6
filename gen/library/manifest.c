/* manifest.c -- library.xml: all that a host, a person and a campaign have to know of a library. */
#include "internal.h"

#include <inttypes.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/xml_out.h"
#include "gen/sbst.h"

void library_sha256(const void *bytes, size_t size, char hex[65])
{
    struct sha256_ctx ctx;
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_init(&ctx);
    sha256_update(&ctx, size, bytes);
    sha256_digest(&ctx, sizeof digest, digest);
    fl_hex(digest, sizeof digest, hex);
}

char *library_seal(const struct fl_buf *manifest, char hex[65])
{
    static const char mark[] = " sha256=\"";
    char *text = (char *)manifest->data, *at = strstr(text, mark), old[65] = {0};
    if (!at || strlen(at) < sizeof mark - 1 + 64)
        return NULL;
    at += sizeof mark - 1;
    memcpy(old, at, 64);
    memset(at, '0', 64);
    library_sha256(text, strlen(text), hex);
    memcpy(at, old, 64);
    return at;
}

uint32_t library_word(const uint8_t *b)
{
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

bool library_uniform(const uint8_t *bytes, uint32_t size, uint32_t *word)
{
    *word = library_word(bytes);
    return size <= 4 || memcmp(bytes, bytes + 4, size - 4) == 0;
}

int library_points(const struct library_test *t, int launch, int param, uint32_t *plus)
{
    const struct job *job = t->job;
    int at = param;
    for (int i = 0; i < launch; i++)
        at += job->launch[i].nparams;
    for (int i = 0; t->points[at] && i < job->nbuffers; i++) {
        *plus = job->launch[launch].param[param].value - job->buffer[i].addr;
        if (*plus <= job->buffer[i].size)
            return i;
    }
    return -1;
}

void library_texture(int unit, char name[LIBRARY_TEXTURE])
{
    snprintf(name, LIBRARY_TEXTURE, "texture%d", unit);
}

int library_sm(const struct job *job, int output)
{
    int compared[JOB_MAX_COMPARED], n = job_compared(job, compared);
    for (int i = 0; i < n; i++)
        if (compared[i] == output)
            return i;
    return job->profile.sms == 1 ? 0 : -1;
}

static void put_hex(xmlTextWriterPtr w, const char *name, uint32_t value)
{
    xmlTextWriterWriteFormatAttribute(w, BAD_CAST name, "0x%" PRIx32, value);
}

/* One word that all are, or all of them. */
static void put_words(xmlTextWriterPtr w, const uint8_t *bytes, uint32_t size)
{
    uint32_t word;
    if (library_uniform(bytes, size, &word)) {
        put_hex(w, "word", word);
        return;
    }
    for (uint32_t at = 0; at < size; at += 4)
        xmlTextWriterWriteFormatString(w, "%s0x%" PRIx32, at ? " " : "", library_word(bytes + at));
}

static void put_launch(xmlTextWriterPtr w, const struct library_test *t, int launch)
{
    const struct job_launch *l = &t->job->launch[launch];
    xml_out_open(w, "launch");
    xml_out_text(w, "kernel", l->kernel);
    xmlTextWriterWriteFormatAttribute(w, BAD_CAST "grid", "%u,%u", l->grid[0], l->grid[1]);
    xmlTextWriterWriteFormatAttribute(w, BAD_CAST "block", "%u,%u,%u", l->block[0], l->block[1],
                                      l->block[2]);
    xml_out_count(w, "shared", l->shared);
    xml_out_count(w, "cycles", t->cycles[launch]);
    if (l->trap) {
        xml_out_text(w, "trap", l->trap);
        xml_out_count(w, "error", (uint64_t)library_error(l));
    }
    for (int i = 0; i < l->nparams; i++) {
        uint32_t plus;
        int buffer = library_points(t, launch, i, &plus);
        xml_out_open(w, "param");
        xml_out_count(w, "offset", l->param[i].offset - JOB_PARAM0);
        if (buffer >= 0) {
            xml_out_text(w, "buffer", t->job->buffer[buffer].name);
            xml_out_count(w, "plus", plus);
        } else {
            put_hex(w, "value", l->param[i].value);
        }
        xml_out_close(w);
    }
    xml_out_close(w);
}

static void put_constants(xmlTextWriterPtr w, const struct library_test *t)
{
    uint8_t *bytes;
    uint32_t size = library_constants(t->job, &bytes);
    if (size) {
        xml_out_open(w, "constants");
        xml_out_text(w, "name", LIBRARY_CONSTANTS);
        xml_out_count(w, "bytes", size);
        put_words(w, bytes, size);
        xml_out_close(w);
    }
    free(bytes);
}

static void put_texture(xmlTextWriterPtr w, const struct job *job, const struct job_texture *x)
{
    static const char *const address[2][2] = {{"clamp", "clamp,wrap"}, {"wrap,clamp", "wrap"}};
    const struct texture *t = &x->texture;
    char name[LIBRARY_TEXTURE];
    library_texture(x->unit, name);
    xml_out_open(w, "texture");
    xml_out_text(w, "name", name);
    xml_out_count(w, "unit", (uint64_t)x->unit);
    xml_out_text(w, "buffer", job->buffer[x->buffer].name);
    xml_out_count(w, "offset", x->offset);
    xml_out_count(w, "width", t->width);
    xml_out_count(w, "height", t->height);
    xml_out_count(w, "pitch", t->pitch);
    xml_out_text(w, "format", texture_format_name((enum texture_format)t->format));
    xml_out_count(w, "channels", t->channels);
    xml_out_text(w, "address", address[t->wrap[0]][t->wrap[1]]);
    xml_out_text(w, "filter", t->linear ? "linear" : "nearest");
    xml_out_text(w, "normalized", t->normalized ? "yes" : "no");
    xml_out_close(w);
}

static void put_outputs(xmlTextWriterPtr w, const struct library_test *t)
{
    const uint8_t *at = t->out;
    for (int i = 0; i < t->job->noutputs; i++) {
        const struct job_output *o = &t->job->output[i];
        xml_out_open(w, "output");
        xml_out_text(w, "name", o->name);
        xml_out_text(w, "buffer", t->job->buffer[o->buffer].name);
        xml_out_count(w, "offset", o->offset);
        xml_out_count(w, "bytes", o->size);
        if (library_sm(t->job, i) >= 0)
            xml_out_count(w, "sm", (uint64_t)library_sm(t->job, i));
        put_words(w, at, o->size);
        xml_out_close(w);
        at += o->size;
    }
}

static void put_test(xmlTextWriterPtr w, const struct library_test *t)
{
    char hex[65];
    char *job = fl_format("%s.job.xml", t->name);
    xml_out_open(w, "test");
    xml_out_text(w, "name", t->name);
    xml_out_text(w, "part", t->part);
    if (t->units)
        xml_out_text(w, "units", t->units);
    xml_out_text(w, "job", job);
    library_sha256(t->text.data, t->text.size, hex);
    xml_out_text(w, "job_sha256", hex);
    xml_out_count(w, "cycles", t->total);
    xml_out_count(w, "limit", 2 * t->total);
    xml_out_count(w, "instructions", t->instructions);
    xml_out_text(w, "outputs_sha256", t->sha256);
    for (int i = 0; i < t->job->nbuffers; i++) {
        const struct job_buffer *b = &t->job->buffer[i];
        xml_out_open(w, "buffer");
        xml_out_text(w, "name", b->name);
        xml_out_count(w, "bytes", b->size);
        if (b->dictated)
            put_hex(w, "address", b->addr);
        put_words(w, b->init, b->size);
        xml_out_close(w);
    }
    put_constants(w, t);
    for (int i = 0; i < t->job->ntextures; i++)
        put_texture(w, t->job, &t->job->texture[i]);
    for (int i = 0; i < t->job->nlaunches; i++)
        put_launch(w, t, i);
    put_outputs(w, t);
    xml_out_close(w);
    free(job);
}

static void put_machine(xmlTextWriterPtr w, const struct profile *p, const char *profile)
{
    char *portable = sbst_portable_profile(profile);
    xml_out_open(w, "machine");
    xml_out_text(w, "profile", portable);
    xmlTextWriterWriteFormatAttribute(w, BAD_CAST "device", LIBRARY_DEVICE, p->name);
    xmlTextWriterWriteFormatAttribute(w, BAD_CAST "capability", "1.%d", p->capability);
    xml_out_count(w, "sms", (uint64_t)p->sms);
    xml_out_count(w, "sps", (uint64_t)p->sps);
    xml_out_count(w, "threads", (uint64_t)p->threads_per_sm);
    xml_out_count(w, "registers", (uint64_t)p->regs);
    xml_out_count(w, "shared", (uint64_t)p->shared_bytes);
    xml_out_close(w);
    free(portable);
}

static void put_file(xmlTextWriterPtr w, const struct library_file *f)
{
    char hex[65];
    library_sha256(f->bytes.data, f->bytes.size, hex);
    xml_out_open(w, "file");
    xml_out_text(w, "name", f->name);
    xml_out_count(w, "bytes", f->bytes.size);
    xml_out_text(w, "digest", hex);
    xml_out_close(w);
}

int library_manifest(const struct library *l, int count, const struct library_options *o,
                     const struct library_file *file, int files, struct fl_buf *out,
                     struct fl_err *err)
{
    struct xml_out x;
    char hex[65];
    if (xml_out_begin(&x, "library", err) != 0)
        return -1;
    xml_out_text(x.w, "version", "1");
    xml_out_text(x.w, "sha256", "0000000000000000000000000000000000000000000000000000000000000000");
    xmlTextWriterWriteFormatAttribute(x.w, BAD_CAST "made", "faultline %s", o->program);
    xml_out_text(x.w, "results", FAULTLINE_RESULTS);
    xml_out_text(x.w, "command", o->command);
    xml_out_count(x.w, "seed", o->seed);
    put_machine(x.w, &l->test[0].job->profile, o->profile);
    for (int i = 0; i < files; i++)
        put_file(x.w, &file[i]);
    for (int i = 0; i < count; i++)
        put_test(x.w, &l->test[i]);
    for (int i = count; i < l->tests; i++) {
        xml_out_open(x.w, "left");
        xml_out_text(x.w, "name", l->test[i].name);
        xml_out_text(x.w, "part", l->test[i].part);
        xmlTextWriterWriteString(x.w, BAD_CAST l->test[i].left);
        xml_out_close(x.w);
    }
    xml_out_end(&x, out);
    fl_buf_add(out, "", 1);
    out->size--;
    char *at = library_seal(out, hex);
    memcpy(at, hex, 64);
    return 0;
}
