/* job.c -- job.xml of a program: one launch, one output buffer and two outputs a life, and the
 * digest to expect. With landing pads all lives share the buffer and the outputs. The format:
 * docs/reference/job.md, docs/job.rng.
 */
#include "sbst.h"

#include <libxml/xmlwriter.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

enum { SPT_BYTES = 4 * SBST_LANES };

static void add_outputs(struct sha256_ctx *ctx, const struct sbst_kernel *k)
{
    for (int s = 0; s < SBST_SIGNATURES; s++)
        for (int t = 0; t < SBST_LANES; t++) {
            uint32_t v = k->output[s][t];
            const uint8_t bytes[4] = {(uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16),
                                      (uint8_t)(v >> 24)};
            sha256_update(ctx, sizeof bytes, bytes);
        }
}

void sbst_digest(const struct sbst_program *p, uint8_t digest[32])
{
    struct sha256_ctx ctx;
    sha256_init(&ctx);
    for (int i = p->one_buffer ? p->nkernels - 1 : 0; i < p->nkernels; i++)
        for (int w = 0; w < p->warps; w++)
            add_outputs(&ctx, &p->kernel[i]);
    sha256_digest(&ctx, SHA256_DIGEST_SIZE, digest);
}

char *sbst_portable_profile(const char *profile)
{
    char *path = strchr(profile, '/') || strstr(profile, ".xml") ? realpath(profile, NULL) : NULL;
    if (!path)
        return fl_strdup(profile);
    char *copy = fl_strdup(path);
    free(path);
    return copy;
}

void sbst_begin_job(const char *about, const char *name, const char *profile, struct fl_buf *out)
{
    char *portable = sbst_portable_profile(profile);
    xmlChar *text = xmlEncodeSpecialChars(NULL, (const xmlChar *)portable);
    fl_buf_printf(out,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- %s. Made by sbstgen. -->\n"
                  "<job name=\"%s\" profile=\"%s\" cubin=\"%s.cubin\">\n",
                  about, name, (const char *)text, name);
    xmlFree(text);
    free(portable);
}

/* Writes <name a="b" ...> from a NULL-terminated list; each failure is remembered in `bad`. */
static void open_element(xmlTextWriter *w, bool *bad, const char *name,
                         const char *const *attributes)
{
    *bad |= xmlTextWriterStartElement(w, (const xmlChar *)name) < 0;
    for (int i = 0; attributes[i]; i += 2)
        *bad |= xmlTextWriterWriteAttribute(w, (const xmlChar *)attributes[i],
                                            (const xmlChar *)attributes[i + 1]) < 0;
}

static void close_element(xmlTextWriter *w, bool *bad)
{
    *bad |= xmlTextWriterEndElement(w) < 0;
}

static void element(xmlTextWriter *w, bool *bad, const char *name, const char *const *attributes)
{
    open_element(w, bad, name, attributes);
    close_element(w, bad);
}

#define ATTRIBUTES(...) ((const char *const[]){__VA_ARGS__, NULL})

/* The outputs of one warp: spt1 and chk1 when there is one, else spt1w00 and so on. Outputs of all
 * lives have no number of a life. */
static void write_outputs(xmlTextWriter *w, bool *bad, const struct sbst_program *p,
                          const char *buffer, int kernel, int warp)
{
    for (int s = 0; s < SBST_SIGNATURES; s++) {
        char name[32], offset[32], bytes[32];
        int used = snprintf(name, sizeof name, "%s", s == SBST_SIG ? "spt" : "chk");
        if (!p->one_buffer)
            used += snprintf(name + used, sizeof name - (size_t)used, "%d", kernel);
        if (p->warps > 1)
            snprintf(name + used, sizeof name - (size_t)used, "w%02d", warp);
        snprintf(offset, sizeof offset, "%d", (SBST_SIGNATURES * warp + s) * SPT_BYTES);
        snprintf(bytes, sizeof bytes, "%d", SPT_BYTES);
        element(w, bad, "output",
                ATTRIBUTES("name", name, "buffer", buffer, "offset", offset, "size", bytes));
    }
}

static void write_life(xmlTextWriter *w, bool *bad, const struct sbst_program *p, int index)
{
    const struct sbst_kernel *k = &p->kernel[index];
    int kernel = index + 1, block = sbst_block_warps(p);
    bool first = !p->one_buffer || index == 0, last = !p->one_buffer || kernel == p->nkernels;
    char buffer[32], size[32], grid[32], threads[32];
    if (p->one_buffer)
        snprintf(buffer, sizeof buffer, "lives");
    else
        snprintf(buffer, sizeof buffer, "life%d", kernel);
    snprintf(size, sizeof size, "%d", p->blocks * block * SBST_SIGNATURES * SPT_BYTES);
    snprintf(grid, sizeof grid, "%d", p->blocks);
    snprintf(threads, sizeof threads, "%d", block * SBST_LANES);
    if (first)
        element(w, bad, "buffer", ATTRIBUTES("name", buffer, "size", size, "fill", "0xffffffff"));
    open_element(w, bad, "launch", ATTRIBUTES("kernel", k->name, "grid", grid, "block", threads));
    element(w, bad, "param", ATTRIBUTES("offset", "0x10", "buffer", buffer));
    close_element(w, bad);
    for (int warp = 0; warp < p->warps && last; warp++)
        write_outputs(w, bad, p, buffer, kernel, warp);
}

static void write_document(xmlTextWriter *w, bool *bad, const struct sbst_program *p)
{
    uint8_t digest[32];
    char hex[65];
    sbst_digest(p, digest);
    fl_hex(digest, sizeof digest, hex);
    char *cubin = fl_format("%s.cubin", p->name);
    char *comment = fl_format(" %s. Made by sbstgen. ", p->about);
    char *profile = sbst_portable_profile(p->machine->profile);
    *bad |= xmlTextWriterSetIndent(w, 1) < 0 ||
            xmlTextWriterSetIndentString(w, (const xmlChar *)"  ") < 0;
    *bad |= xmlTextWriterStartDocument(w, "1.0", "UTF-8", NULL) < 0;
    *bad |= xmlTextWriterWriteComment(w, (const xmlChar *)comment) < 0;
    open_element(w, bad, "job", ATTRIBUTES("name", p->name, "profile", profile, "cubin", cubin));
    for (int i = 0; i < p->nkernels; i++)
        write_life(w, bad, p, i);
    element(w, bad, "digest", ATTRIBUTES("sha256", hex));
    close_element(w, bad);
    *bad |= xmlTextWriterEndDocument(w) < 0;
    free(cubin);
    free(comment);
    free(profile);
}

int sbst_write_job(const struct sbst_program *p, struct fl_buf *out, struct fl_err *err)
{
    xmlBuffer *text = xmlBufferCreate();
    xmlTextWriter *w = text ? xmlNewTextWriterMemory(text, 0) : NULL;
    bool bad = !w;
    if (w) {
        write_document(w, &bad, p);
        xmlFreeTextWriter(w); /* flushes into text */
    }
    if (bad)
        fl_fail(err, "%s.job.xml: libxml2 could not write it", p->name);
    else
        fl_buf_add(out, xmlBufferContent(text), (size_t)xmlBufferLength(text));
    xmlBufferFree(text);
    return bad ? -1 : 0;
}
