/* profile.c -- reads and checks the description of one machine. See profile.h and docs/reference/profile.md.
 *
 * One table says for every element where it lives and which values the model can take; reading,
 * checking and comparing all walk that table. What only two elements together can get wrong is in
 * contradicts().
 */
#include "profile.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/nearest.h"
#include "base/xml.h"

struct element {
    const char *name;
    size_t at; /* offset of the int in struct profile */
    uint32_t min, max;
    bool rule; /* may be left out: then it is as in the G80 */
    int g80;
    const char *word[3]; /* what stands for 0, 1 (and 2) in the file; NULL: numbers */
};

#define MAX_CYCLES 1000000
#define FIELD(name, min, max)                                                                      \
    {                                                                                              \
#name, offsetof(struct profile, name), min, max, false, 0,                                 \
        {                                                                                          \
            NULL, NULL                                                                             \
        }                                                                                          \
    }
#define SIZE(name, min, max, g80)                                                                  \
    {                                                                                              \
#name, offsetof(struct profile, name), min, max, true, g80,                                \
        {                                                                                          \
            NULL, NULL                                                                             \
        }                                                                                          \
    }
#define RULE(name, max, g80) SIZE(name, 0, max, g80)
#define CHOICE(name, ...)                                                                          \
    {                                                                                              \
#name, offsetof(struct profile, name), 0, 2, true, 0,                                      \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
static const struct element elements[] = {
    FIELD(warps, 1, SM_MAX_WARPS),
    FIELD(threads_per_block, 1, SM_MAX_BLOCK_WARPS *SM_LANES),
    FIELD(threads_per_sm, 1, SM_MAX_WARPS *SM_LANES),
    FIELD(blocks_per_sm, 1, SM_MAX_BLOCKS),
    FIELD(regs, SM_LANES, SM_MAX_REGS),
    FIELD(shared_bytes, 32, SM_MAX_SHARED),
    FIELD(shared_banks, 1, 32),
    FIELD(barriers, 1, SM_MAX_BARRIERS),
    FIELD(sps, 8, 32),
    FIELD(stack_entries, 1, SM_MAX_LE),
    FIELD(stack_spill, 0, SM_MAX_SPILL),
    CHOICE(capability, "1.0", "1.1", "1.2"),
    FIELD(code_bits, 18, 32),
    FIELD(sfu_cycles, 1, MAX_CYCLES),
    FIELD(global_latency, 1, MAX_CYCLES),
    FIELD(global_transaction, 0, MAX_CYCLES),
    FIELD(const_conflict, 0, MAX_CYCLES),
    FIELD(shared_conflict, 0, MAX_CYCLES),
    FIELD(spill_latency, 0, MAX_CYCLES),
    RULE(drops_at, SM_MAX_LE, 0),
    RULE(empty_restores, 1, 0),
    RULE(join_pops, 15, 3),
    RULE(join_jumps, 15, 15),
    RULE(last_jumps, 1, 1),
    RULE(ret_pops, 1, 0),
    RULE(exit_ends, 1, 1),
    SIZE(sms, 1, SM_MAX_SMS, 1),
    CHOICE(ports, "chip", "sm"),
    CHOICE(blocks, "dynamic", "fixed"),
    SIZE(partitions, 1, SM_MAX_PARTITIONS, 1),
    SIZE(interleave, 64, 65536, 256),
    SIZE(clusters, 1, SM_MAX_SMS, 1),
};
enum { ELEMENTS = sizeof elements / sizeof *elements };

static int *field(struct profile *p, const struct element *e)
{
    return (int *)(void *)((char *)p + e->at);
}

static int value_of(const struct profile *p, const struct element *e)
{
    return *(const int *)(const void *)((const char *)p + e->at);
}

/* The element's text without the blanks around it. */
static int trimmed(const struct xml_file *f, const xmlNode *n, char *out, size_t size,
                   struct fl_err *err)
{
    struct fl_buf text = {0};
    int result = xml_text(f, n, &text, err);
    if (result == 0) {
        const char *s = (const char *)text.data + strspn((const char *)text.data, " \t\r\n");
        size_t len = strlen(s);
        while (len && strchr(" \t\r\n", s[len - 1]))
            len--;
        snprintf(out, size, "%.*s", (int)(len < size ? len : size - 1), s);
    }
    fl_buf_free(&text);
    return result;
}

static int read_clock(const struct xml_file *f, const xmlNode *n, struct profile *p,
                      struct fl_err *err)
{
    char text[48];
    uint32_t bits;
    float mhz = 0;
    if (trimmed(f, n, text, sizeof text, err))
        return -1;
    if (xml_f32(text, &bits))
        memcpy(&mhz, &bits, sizeof mhz);
    if (!(mhz >= 0.001f && mhz <= 100000.0f))
        return xml_fail(f, n, err, "<clock_mhz> '%s': write the clock in MHz, from 0.001 to 100000",
                        text);
    p->clock_mhz = (double)mhz;
    return 0;
}

static int read_element(const struct xml_file *f, const xmlNode *n, struct profile *p, bool *seen,
                        struct fl_err *err)
{
    if (xml_is(n, "cache"))
        return profile_read_cache(f, n, p, err);
    if (xml_attrs(f, n, "", "", err))
        return -1;
    int i = 0;
    while (i < ELEMENTS && !xml_is(n, elements[i].name))
        i++;
    bool clock = xml_is(n, "clock_mhz"); /* the one that is no integer: index ELEMENTS of seen[] */
    if (i == ELEMENTS && !clock)
        return xml_fail(
            f, n, err,
            "a profile has no <%.40s>; docs/reference/profile.md lists what it is made of",
            xml_name(n));
    if (seen[i])
        return xml_fail(f, n, err, "<%s> is given twice; keep one", xml_name(n));
    seen[i] = true;
    if (clock)
        return read_clock(f, n, p, err);
    char text[48];
    uint32_t v;
    if (trimmed(f, n, text, sizeof text, err))
        return -1;
    if (elements[i].word[0]) {
        const char *const *word = elements[i].word;
        for (int k = 0; k < 3 && word[k]; k++)
            if (strcmp(text, word[k]) == 0) {
                *field(p, &elements[i]) = k;
                return 0;
            }
        return xml_fail(f, n, err, "<%s> '%s': write %s%s%s or %s", xml_name(n), text, word[0],
                        word[2] ? ", " : "", word[2] ? word[1] : "", word[2] ? word[2] : word[1]);
    }
    if (!xml_u32(text, &v) || v < elements[i].min || v > elements[i].max)
        return xml_fail(f, n, err, "<%s> '%s': write a number from %u to %u", xml_name(n), text,
                        elements[i].min, elements[i].max);
    *field(p, &elements[i]) = (int)v;
    return 0;
}

static int contradicts(const struct xml_file *f, const xmlNode *n, const struct profile *p,
                       struct fl_err *err)
{
    if (p->sps != 8 && p->sps != 16 && p->sps != 32)
        return xml_fail(f, n, err, "<sps> %d: a warp is spread over 8, 16 or 32 processors",
                        p->sps);
    if (p->code_bits != 18 && p->code_bits != 24 && p->code_bits != 32)
        return xml_fail(f, n, err, "<code_bits> %d: code addresses have 18, 24 or 32 bits",
                        p->code_bits);
    if (p->drops_at > p->stack_entries || (p->drops_at && p->stack_spill))
        return xml_fail(f, n, err,
                        "<drops_at> %d: a stack of %d entries that loses pushes has no use for "
                        "more, nor for <stack_spill>",
                        p->drops_at, p->stack_entries);
    if (p->shared_banks & (p->shared_banks - 1))
        return xml_fail(f, n, err, "<shared_banks> %d: write a power of two", p->shared_banks);
    if (p->regs % SM_LANES)
        return xml_fail(f, n, err,
                        "<regs> %d: write a multiple of 32, a row for each warp register", p->regs);
    if (p->shared_bytes % 16)
        return xml_fail(f, n, err, "<shared_bytes> %d: write a multiple of 16", p->shared_bytes);
    if (p->threads_per_sm > p->warps * SM_LANES)
        return xml_fail(f, n, err,
                        "<threads_per_sm> %d contradicts <warps> %d: %d warps hold %d threads",
                        p->threads_per_sm, p->warps, p->warps, p->warps * SM_LANES);
    if (p->threads_per_block > p->threads_per_sm)
        return xml_fail(f, n, err,
                        "<threads_per_block> %d contradicts <threads_per_sm> %d: a block lives on "
                        "one SM, lower the first",
                        p->threads_per_block, p->threads_per_sm);
    if (p->blocks_per_sm > p->warps)
        return xml_fail(f, n, err,
                        "<blocks_per_sm> %d contradicts <warps> %d: a block takes a warp at least",
                        p->blocks_per_sm, p->warps);
    if (p->sms % p->clusters)
        return xml_fail(f, n, err, "<clusters> %d: write a number that divides <sms> %d",
                        p->clusters, p->sms);
    if (p->interleave & (p->interleave - 1))
        return xml_fail(f, n, err, "<interleave> %d: write a power of two", p->interleave);
    if (p->partitions > 1 && p->ports == PORTS_SM)
        return xml_fail(f, n, err,
                        "<partitions> %d contradicts <ports> sm: they are of the way to memory "
                        "that all SMs share, write chip",
                        p->partitions);
    return profile_check_caches(f, n, p, err);
}

static int read_profile(const struct xml_file *f, struct profile *p, struct fl_err *err)
{
    const xmlNode *root = xmlDocGetRootElement(f->doc);
    bool seen[ELEMENTS + 1] = {false};
    if (xml_attrs(f, root, "name", "", err) || xml_no_text(f, root, false, err))
        return -1;
    const char *name = xml_attr(root, "name");
    if (!*name || strlen(name) >= sizeof p->name ||
        strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") !=
            strlen(name))
        return xml_fail(f, root, err,
                        "name=\"%.40s\": write 1 to %zu letters, digits, hyphens or underscores",
                        name, sizeof p->name - 1);
    snprintf(p->name, sizeof p->name, "%s", name);
    for (int i = 0; i < ELEMENTS; i++)
        *field(p, &elements[i]) = elements[i].g80;
    for (const xmlNode *n = xml_first(root); n; n = xml_next(n))
        if (read_element(f, n, p, seen, err))
            return -1;
    for (int i = 0; i <= ELEMENTS; i++)
        if (!seen[i] && (i == ELEMENTS || !elements[i].rule))
            return xml_fail(f, root, err, "<%s> is missing; add it",
                            i == ELEMENTS ? "clock_mhz" : elements[i].name);
    if (contradicts(f, root, p, err))
        return -1;
    return xml_validate(f, "docs/profile.rng", err);
}

char *profile_path(const char *name)
{
    size_t n = strlen(name);
    if (strchr(name, '/') || (n > 4 && !strcmp(name + n - 4, ".xml")))
        return fl_strdup(name);
    char *rel = fl_format("profiles/%s.xml", name);
    char *path = xml_data_file(rel);
    free(rel);
    return path;
}

int profile_load(const char *name, struct profile *out, struct fl_err *err)
{
    *out = (struct profile){0};
    char *path = profile_path(name);
    struct xml_file f;
    struct fl_err why;
    int result = xml_open(path, "profile", &f, &why);
    if (result == 0)
        result = read_profile(&f, out, err);
    else if (access(path, F_OK) == 0 || strchr(name, '/'))
        fl_fail(err, "%s", why.msg);
    else {
        struct fl_nearest meant = {.typed = name};
        char *folder = xml_data_file("profiles");
        fl_nearest_files(&meant, folder, ".xml");
        free(folder);
        fl_fail(
            err,
            "%s: no such profile%s; shipped are g80, flexgripplus, flexgripplus-rtl and tiny, the "
            "chips g80-chip, g92, gt215, tiny-chip, tiny-chip-caches, tiny-chip-constants, "
            "tiny-chip-icache, "
            "gpufi-titan, "
            "gpufi-rtx2060, gpufi-gv100, "
            "and the last three without caches (gpufi-titan-nocache); a path to an .xml file works "
            "too, and FAULTLINE_DATA names the folder that holds "
            "profiles/",
            path, meant.hint);
    }
    xml_close(&f);
    free(path);
    return result;
}

void profile_set_sms(struct profile *p, int sms)
{
    p->clusters = (sms * p->clusters + p->sms - 1) / p->sms;
    p->sms = sms;
}

void profile_print_rules(const struct profile *p, struct fl_buf *out)
{
    for (int i = 0; i < ELEMENTS; i++)
        if (elements[i].rule && value_of(p, &elements[i]) != elements[i].g80) {
            int v = value_of(p, &elements[i]);
            fl_buf_printf(out, " %s=", elements[i].name);
            if (elements[i].word[0])
                fl_buf_printf(out, "%s", elements[i].word[v]);
            else
                fl_buf_printf(out, "%d", v);
        }
    for (int i = 0; i < CACHES; i++) {
        const struct profile_cache *c = &p->cache[i];
        if (c->bytes) /* digests are made of this: whatever caches come, l2 is 3 and memory 4 */
            fl_buf_printf(out, " %s=%u/%u/%u/%d/%d/%d/%d/%u/%u/%d", profile_cache_name(i), c->bytes,
                          c->line, c->ways, c->replacement, c->write, c->allocate, c->on_store,
                          c->spaces, c->latency, c->next == CACHE_MEMORY ? 4 : 3);
    }
    if (p->cache_model == CACHE_MODEL_GPUFI)
        fl_buf_printf(out, " cache-model=gpufi");
}

const char *profile_differs(const struct profile *a, const struct profile *b)
{
    for (int i = 0; i < ELEMENTS; i++)
        if (value_of(a, &elements[i]) != value_of(b, &elements[i]))
            return elements[i].name;
    for (int i = 0; i < CACHES; i++)
        if (memcmp(&a->cache[i], &b->cache[i], sizeof a->cache[i]) != 0)
            return "cache";
    return a->clock_mhz < b->clock_mhz || a->clock_mhz > b->clock_mhz ? "clock_mhz" : NULL;
}
