/* output.c -- what a program becomes: cubin, listing, job.xml with the digest to expect. */
#include "control.h"

#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

#include "asm/sasm/sasm.h"
#include "base/hash.h"

static int threads_of(const struct control_program *p, const struct control_launch *l)
{
    return l->blocks * l->warps * SBST_LANES * p->machine->sms;
}

static int words_of(const struct control_program *p)
{
    int words = 0;
    for (int i = 0; i < p->nlaunches; i++)
        words += threads_of(p, &p->launch[i]);
    return words;
}

/* Bytes of each of the buffers that fill a cache. */
static int buffer_of(const struct control_program *p)
{
    return p->cache ? 2 * p->cache->bytes * (p->cache->shared ? 1 : p->machine->sms) : 0;
}

/* A multiple of the cache's size and of a buffer's alignment. */
static uint32_t address_of(const struct control_program *p, uint32_t bits)
{
    uint32_t to = (uint32_t)p->cache->bytes;
    while (to % 256 != 0)
        to += (uint32_t)p->cache->bytes;
    return bits / to * to;
}

/* SHA-256 of the outputs, in hex. */
static void digest_of(const struct control_program *p, char hex[65])
{
    struct sha256_ctx ctx;
    uint8_t digest[SHA256_DIGEST_SIZE];
    uint32_t v = p->unit->expect;
    const uint8_t bytes[4] = {(uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16),
                              (uint8_t)(v >> 24)};
    sha256_init(&ctx);
    for (int i = 0; i < words_of(p); i++)
        sha256_update(&ctx, sizeof bytes, bytes);
    const uint8_t zero[CONTROL_CHUNK] = {0};
    for (int i = 0; i < 2 * buffer_of(p); i += CONTROL_CHUNK)
        sha256_update(&ctx, sizeof zero, zero);
    sha256_digest(&ctx, sizeof digest, digest);
    fl_hex(digest, sizeof digest, hex);
}

/* ---- job.xml --------------------------------------------------------------------------------- */

static int write_job(const void *program, struct fl_buf *out, struct fl_err *err)
{
    const struct control_program *p = program;
    (void)err;
    char hex[65];
    digest_of(p, hex);
    sbst_begin_job(p->about, p->name, p->machine->profile, out);
    for (int i = 0; i < p->nlaunches; i++)
        fl_buf_printf(out, "  <buffer name=\"out%d\" size=\"%d\" fill=\"0xffffffff\"/>\n", i + 1,
                      4 * threads_of(p, &p->launch[i]));
    if (p->cache)
        fl_buf_printf(out,
                      "  <buffer name=\"low\" size=\"%d\" fill=\"0xff\" address=\"0x%x\"/>\n"
                      "  <buffer name=\"high\" size=\"%d\" fill=\"0xff\" address=\"0x%x\"/>\n",
                      buffer_of(p), address_of(p, 0x55555555), buffer_of(p),
                      address_of(p, 0x2aaaaaaa)); /* global memory ends at 0x60010000 */
    for (int i = 0; i < p->nlaunches; i++)
        fl_buf_printf(out,
                      "  <launch kernel=\"test%d\" grid=\"%d\" block=\"%d\">\n"
                      "    <param offset=\"0x10\" buffer=\"out%d\"/>\n%s  </launch>\n",
                      i + 1, p->launch[i].blocks * p->machine->sms, p->launch[i].warps * SBST_LANES,
                      i + 1,
                      p->cache ? "    <param offset=\"0x14\" buffer=\"low\"/>\n"
                                 "    <param offset=\"0x18\" buffer=\"high\"/>\n"
                               : "");
    for (int i = 0; i < p->nlaunches; i++)
        fl_buf_printf(out, "  <output name=\"out%d\" buffer=\"out%d\"/>\n", i + 1, i + 1);
    if (p->cache)
        fl_buf_printf(out, "  <output name=\"low\" buffer=\"low\"/>\n"
                           "  <output name=\"high\" buffer=\"high\"/>\n");
    fl_buf_printf(out, "  <digest sha256=\"%s\"/>\n</job>\n", hex);
    return 0;
}

/* ---- code ------------------------------------------------------------------------------------ */

static size_t bytes_of(const struct cubin *cubin)
{
    size_t bytes = 0;
    for (int i = 0; i < cubin->nkernels; i++)
        for (int c = 0; c < cubin->kernel[i].ncode; c++)
            bytes += cubin->kernel[i].code[c].size;
    return bytes;
}

/* ---- listing --------------------------------------------------------------------------------- */

static int write_listing(const void *program, const struct cubin *cubin, struct fl_buf *out,
                         struct fl_err *err)
{
    const struct control_program *p = program;
    (void)err;
    char hex[65];
    digest_of(p, hex);
    fl_buf_printf(out,
                  "%s -- %s\nmade by: %s\nprofile: %s\nexpected SHA-256 of the outputs: %s\n"
                  "every thread leaves 0x%x\n%s\n",
                  p->name, p->about, p->command, p->machine->profile, hex, p->unit->expect,
                  p->unit->saves);
    for (int i = 0; i < p->nlaunches; i++) {
        const struct cubin_kernel *k = &cubin->kernel[i];
        fl_buf_printf(out, "\nlaunch %d: kernel %s, %d registers, grid %d, block %d\n", i + 1,
                      k->name, k->regs, p->launch[i].blocks * p->machine->sms,
                      p->launch[i].warps * SBST_LANES);
        for (int c = 0; c < k->ncode; c++)
            sbst_write_code(&k->code[c], out);
    }
    fl_buf_printf(out, "\n%d launch%s: %zu bytes of code, %d bytes of output\n", p->nlaunches,
                  p->nlaunches == 1 ? "" : "es", bytes_of(cubin), 4 * words_of(p));
    return 0;
}

/* ---- files ----------------------------------------------------------------------------------- */

static int write_stage(const void *program, const char *stage, struct fl_err *err)
{
    const struct control_program *p = program;
    struct sbst_texts texts = {p->name, &p->source, p, write_listing, write_job};
    return sbst_write_texts(&texts, stage, err);
}

struct sbst_set control_set(const struct control_program *p)
{
    return (struct sbst_set){p->name, 0, p, write_stage};
}

int control_write_part(const struct control_program *p, int part, struct fl_buf *out,
                       struct fl_err *err)
{
    struct cubin *cubin = NULL;
    char hex[65], *path = fl_format("%s.sasm", p->name);
    int bad = sasm_assemble(path, (const char *)p->source.data, &cubin, err);
    free(path);
    if (bad)
        return -1;
    digest_of(p, hex);
    fl_buf_printf(out, "%d,%s.job.xml,%d,,,%zu,%s\n", part, p->name, p->nlaunches, bytes_of(cubin),
                  hex);
    cubin_free(cubin);
    return 0;
}

int control_write_files(const struct control_program *p, const char *dir,
                        const struct fl_files *read, struct fl_err *err)
{
    struct sbst_set set = control_set(p);
    return sbst_write_sets(&set, 1, NULL, NULL, dir, read, err);
}
