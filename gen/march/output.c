/* output.c -- what a program becomes: sasm text, cubin, listing, job.xml with the digest to expect. */
#include "march.h"

#include <libxml/tree.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

#include "asm/isa/isa.h"
#include "asm/sasm/sasm.h"
#include "base/hash.h"

int march_threads(const struct march_program *p)
{
    return p->blocks * p->warps * SBST_LANES;
}

enum { PART_SHIFT = 26 };

/* The number of a part is in its outputs, so that no two parts have one digest. */
uint32_t march_expect(const struct march_program *p, int thread)
{
    return p->request.unit->expect + ((uint32_t)thread << 16) +
           ((uint32_t)p->request.part << PART_SHIFT);
}

/* SHA-256 of the outputs, in hex: a word of each thread, its number above what all leave. */
static void digest_of(const struct march_program *p, char hex[65])
{
    struct sha256_ctx ctx;
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_init(&ctx);
    int threads = march_threads(p);
    for (int i = 0; i < threads * p->machine->sms; i++) {
        uint32_t v = march_expect(p, i % threads);
        const uint8_t bytes[4] = {(uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16),
                                  (uint8_t)(v >> 24)};
        sha256_update(&ctx, sizeof bytes, bytes);
    }
    sha256_digest(&ctx, sizeof digest, digest);
    fl_hex(digest, sizeof digest, hex);
}

/* ---- job.xml --------------------------------------------------------------------------------- */

static void element(xmlNode *parent, const char *name, const char *const *attributes)
{
    xmlNode *n = xmlNewChild(parent, NULL, (const xmlChar *)name, NULL);
    for (int i = 0; attributes[i]; i += 2)
        xmlNewProp(n, (const xmlChar *)attributes[i], (const xmlChar *)attributes[i + 1]);
}

#define ELEMENT(parent, name, ...) element(parent, name, (const char *const[]){__VA_ARGS__, NULL})

/* An output for each SM. */
static void write_sms(xmlNode *job, const struct march_program *p)
{
    int bytes = 4 * march_threads(p);
    char *size = fl_format("%d", bytes);
    for (int i = 0; i < p->machine->sms; i++) {
        char *name = fl_format("sm%d", i), *offset = fl_format("%d", i * bytes);
        ELEMENT(job, "output", "name", name, "buffer", "out", "offset", offset, "size", size,
                "compared", "yes");
        free(name);
        free(offset);
    }
    free(size);
}

static int write_job(const void *program, struct fl_buf *out, struct fl_err *err)
{
    const struct march_program *p = program;
    xmlDoc *doc = xmlNewDoc((const xmlChar *)"1.0");
    char *comment = fl_format(" %s. Made by sbstgen. ", p->about);
    char *cubin = fl_format("%s.cubin", p->name);
    char *profile = sbst_portable_profile(p->machine->profile);
    char *size = fl_format("%d", 4 * march_threads(p) * p->machine->sms);
    char *grid = fl_format("%d", p->blocks * p->machine->sms);
    char *block = fl_format("%d", p->warps * SBST_LANES), hex[65];
    digest_of(p, hex);
    xmlAddChild((xmlNode *)doc, xmlNewDocComment(doc, (const xmlChar *)comment));
    xmlNode *job = xmlNewDocNode(doc, NULL, (const xmlChar *)"job", NULL);
    xmlDocSetRootElement(doc, job);
    xmlNewProp(job, (const xmlChar *)"name", (const xmlChar *)p->name);
    xmlNewProp(job, (const xmlChar *)"profile", (const xmlChar *)profile);
    xmlNewProp(job, (const xmlChar *)"cubin", (const xmlChar *)cubin);
    ELEMENT(job, "buffer", "name", "out", "size", size, "fill", "0xffffffff");
    ELEMENT(job, "launch", "kernel", "test", "grid", grid, "block", block);
    ELEMENT(xmlGetLastChild(job), "param", "offset", "0x10", "buffer", "out");
    if (p->request.compare)
        write_sms(job, p);
    else
        ELEMENT(job, "output", "name", "out", "buffer", "out");
    ELEMENT(job, "digest", "sha256", hex);
    xmlChar *text = NULL;
    int length = 0;
    xmlDocDumpFormatMemoryEnc(doc, &text, &length, "UTF-8", 1);
    if (text)
        fl_buf_add(out, text, (size_t)length);
    int bad = text ? 0 : fl_fail(err, "%s.job.xml: libxml2 could not write it", p->name);
    xmlFree(text);
    xmlFreeDoc(doc);
    free(comment);
    free(cubin);
    free(profile);
    free(size);
    free(grid);
    free(block);
    return bad;
}

/* ---- listing --------------------------------------------------------------------------------- */

static uint32_t word(const struct cubin_code *c, uint32_t at)
{
    uint32_t v;
    memcpy(&v, c->bytes + at, sizeof v); /* all machines that run this are little endian */
    return v;
}

static uint32_t write_code(const struct cubin_code *c, uint32_t at, int count, struct fl_buf *out)
{
    for (; count > 0; count--, at += 8) {
        char text[160];
        if (isa_print(word(c, at), word(c, at + 4), text, sizeof text) < 0)
            *text = 0;
        fl_buf_printf(out, "  %06x  %08x %08x  %s\n", at, word(c, at), word(c, at + 4), text);
    }
    return at;
}

static int write_listing(const void *program, const struct cubin *cubin, struct fl_buf *out,
                         struct fl_err *err)
{
    const struct march_program *p = program;
    const struct march_unit *u = p->request.unit;
    const struct cubin_code *c = &cubin->kernel[0].code[0];
    int instructions = march_instructions(p), threads = march_threads(p);
    char hex[65];
    digest_of(p, hex);
    if (c->size != (size_t)(8 * instructions))
        return fl_fail(err,
                       "sbst/units.xml: unit '%s': its code has %zu bytes, %d instructions; "
                       "write a line for each, of 8 bytes",
                       u->name, (size_t)c->size, instructions);
    fl_buf_printf(out,
                  "%s -- %s\nmade by: %s\nprofile: %s\nexpected SHA-256 of the outputs: %s\n"
                  "grid %d, block %d, %d registers: %d warps resident, %d cells each\n"
                  "thread i leaves (i << 16) + 0x%08x\n",
                  p->name, p->about, p->command, p->machine->profile, hex,
                  p->blocks * p->machine->sms, threads / p->blocks, p->regs, p->blocks * p->warps,
                  p->cells, march_expect(p, 0));
    if (p->request.cells)
        fl_buf_printf(out, "a part: %d cells from cell %d on, behind the last comes cell 0\n",
                      p->request.cells, p->request.first_cell);
    if (u->saves)
        fl_buf_printf(out, "%s\n", u->saves);
    fl_buf_printf(out, "\nbegin\n");
    uint32_t at = write_code(c, 0, p->begin, out);
    for (int i = 0; i < p->nelements; i++) {
        fl_buf_printf(out, "\nelement %d: ", i + 1);
        march_element_text(&p->element[i], out);
        fl_buf_printf(out, ", %s\n", u->data[u->pass[p->pass_of[i]].data].name);
        at = write_code(c, at, p->body[i], out);
    }
    fl_buf_printf(out, "\nend\n");
    write_code(c, at, p->end, out);
    fl_buf_printf(out,
                  "\n1 launch: %d static instructions, %d bytes of code, %d warp instructions "
                  "executed, %d bytes of output\n",
                  instructions, 8 * instructions, march_executed(p), 4 * threads * p->machine->sms);
    return 0;
}

/* ---- files ----------------------------------------------------------------------------------- */

static int write_stage(const void *program, const char *stage, struct fl_err *err)
{
    const struct march_program *p = program;
    struct sbst_texts texts = {p->name, &p->source, p, write_listing, write_job};
    return sbst_write_texts(&texts, stage, err);
}

void march_write_schedule(const struct march_program *p, int count, struct fl_buf *out)
{
    fl_buf_printf(out, "part,job,launches,instructions,cycles,bytes,sha256\n");
    for (int i = 0; i < count; i++) {
        char hex[65];
        digest_of(&p[i], hex);
        fl_buf_printf(out, "%d,%s.job.xml,1,%d,%d,%d,%s\n", i + 1, p[i].name, march_executed(&p[i]),
                      march_cycles(&p[i]), march_bytes(&p[i]), hex);
    }
}

struct sbst_set march_set(const struct march_program *p)
{
    return (struct sbst_set){p->name, 0, p, write_stage};
}
