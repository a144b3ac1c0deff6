/* host.c -- a workload's buffers and launches, kept until a job.xml is made of them. */
#include "host.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "sm/arith/sfu.h"
#include "sm/job/job.h"

struct buffer {
    const char *name;
    size_t size;
    uint8_t *first;               /* contents before the first launch */
    uint8_t *last;                /* behind the last one; NULL: no result */
    char *random;                 /* how the contents were drawn; NULL: they were not */
    uint32_t fill;                /* of a result; 0: it is none */
    const char *type, *tolerance; /* of a result; no tolerance: NULL */
};

struct host {
    const struct workload *workload;
    const char *profile;
    bool paper;
    struct buffer *buffer;
    int count, room;
    struct fl_buf launches;
};

uint32_t host_size(const struct host *h, uint32_t small, uint32_t paper)
{
    return h->paper ? paper : small;
}

void host_machine(struct host *h, const char *profile)
{
    h->profile = profile;
}

static struct buffer *find(const struct host *h, const char *name, size_t length)
{
    for (int i = 0; i < h->count; i++)
        if (strncmp(h->buffer[i].name, name, length) == 0 && !h->buffer[i].name[length])
            return &h->buffer[i];
    return NULL;
}

static struct buffer *add(struct host *h, const char *name, size_t size)
{
    assert(!find(h, name, strlen(name)));
    FL_ROOM(h->buffer, h->count, h->room, 8);
    struct buffer *b = &h->buffer[h->count++];
    *b = (struct buffer){.name = name, .size = size, .first = fl_alloc(size)};
    return b;
}

void *host_words(struct host *h, const char *name, size_t count)
{
    return add(h, name, count * sizeof(uint32_t))->first;
}

/* As docs/reference/job.md says of <random>. */
static uint32_t draw(uint64_t *state, uint32_t min, uint32_t max)
{
    uint64_t r = fl_random(state) >> 32;
    return min + (uint32_t)(r * ((uint64_t)max - min + 1) >> 32);
}

uint32_t host_random(uint64_t *state, uint32_t below)
{
    return draw(state, 0, below - 1);
}

static struct buffer *add_random(struct host *h, const char *name, size_t size, const char *type,
                                 uint64_t seed, double min, double max)
{
    struct buffer *b = add(h, name, size);
    b->random = fl_format("<random type=\"%s\" seed=\"%llu\" min=\"%.9g\" max=\"%.9g\"/>", type,
                          (unsigned long long)seed, min, max);
    return b;
}

const uint32_t *host_random_u32(struct host *h, const char *name, size_t count, uint64_t seed,
                                uint32_t min, uint32_t max)
{
    struct buffer *b = add_random(h, name, count * sizeof(uint32_t), "u32", seed, 0, 0);
    free(b->random); /* a double of nine digits does not hold every word */
    b->random = fl_format("<random type=\"u32\" seed=\"%llu\" min=\"%u\" max=\"%u\"/>",
                          (unsigned long long)seed, min, max);
    uint32_t *word = (uint32_t *)b->first;
    for (size_t i = 0; i < count; i++)
        word[i] = draw(&seed, min, max);
    return word;
}

const uint8_t *host_random_u8(struct host *h, const char *name, size_t count, uint64_t seed,
                              uint8_t min, uint8_t max)
{
    struct buffer *b = add_random(h, name, count, "u8", seed, min, max);
    for (size_t i = 0; i < count; i++)
        b->first[i] = (uint8_t)draw(&seed, min, max);
    return b->first;
}

const float *host_random_f32(struct host *h, const char *name, size_t count, uint64_t seed,
                             float min, float max)
{
    struct buffer *b = add_random(h, name, count * sizeof(float), "f32", seed, (double)min,
                                  (double)max);
    float *value = (float *)b->first;
    for (size_t i = 0; i < count; i++)
        value[i] = (float)((double)min + ((double)max - (double)min) *
                                             ((double)(fl_random(&seed) >> 40) / 16777216.0));
    return value;
}

void *host_result(struct host *h, const char *name, const char *type, size_t bytes)
{
    struct buffer *b = add(h, name, bytes);
    /* 123 in a buffer of floats: 0xffffffff is none, and a later launch may read what a fault leaves unwritten */
    b->fill = strcmp(type, "f32") ? 0xffffffff : 0x42f60000;
    for (size_t i = 0; i < bytes; i++)
        b->first[i] = (uint8_t)(b->fill >> 8 * (i % 4));
    return host_output(h, name, type);
}

void *host_output(struct host *h, const char *name, const char *type)
{
    struct buffer *b = find(h, name, strlen(name));
    assert(b && !b->last);
    b->type = type;
    b->last = fl_alloc(b->size);
    memcpy(b->last, b->first, b->size);
    return b->last;
}

void host_tolerate(struct host *h, const char *name, const char *tolerance)
{
    struct buffer *b = find(h, name, strlen(name));
    assert(b && b->last);
    b->tolerance = tolerance;
}

static void add_param(struct host *h, const char *name, const char *value)
{
    size_t n = strlen(value);
    bool number = strchr("-0123456789", value[0]);
    fl_buf_printf(&h->launches, "    <param name=\"%s\" ", name);
    if (!number)
        assert(find(h, value, n));
    if (!number)
        fl_buf_printf(&h->launches, "buffer=\"%s\"/>\n", value);
    else if (value[n - 1] == 'f')
        fl_buf_printf(&h->launches, "f32=\"%.*s\"/>\n", (int)n - 1, value);
    else
        fl_buf_printf(&h->launches, "%s=\"%s\"/>\n", value[0] == '-' ? "s32" : "u32", value);
}

void host_launch(struct host *h, const char *kernel, uint32_t grid_x, uint32_t grid_y,
                 uint32_t block_x, uint32_t block_y, const char *params, ...)
{
    char text[1000], *rest = text;
    va_list ap;
    va_start(ap, params);
    int length = vsnprintf(text, sizeof text, params, ap);
    va_end(ap);
    assert(length < (int)sizeof text);
    fl_buf_printf(&h->launches, "  <launch kernel=\"%s\" grid=\"%u,%u\" block=\"%u,%u\">\n", kernel,
                  grid_x, grid_y, block_x, block_y);
    for (char *word; (word = strtok_r(rest, " ", &rest));) {
        char *value = strchr(word, '=');
        assert(value);
        *value = 0;
        add_param(h, word, value + 1);
    }
    fl_buf_printf(&h->launches, "  </launch>\n");
}

void host_repeat(struct host *h, const char *buffer, uint32_t limit)
{
    assert(find(h, buffer, strlen(buffer)));
    fl_buf_printf(&h->launches, "  <repeat until=\"0\" buffer=\"%s\" limit=\"%u\">\n", buffer,
                  limit);
}

void host_repeat_end(struct host *h)
{
    fl_buf_printf(&h->launches, "  </repeat>\n");
}

struct host *host_new(const struct workload *w, bool paper)
{
    struct host *h = fl_alloc(sizeof *h);
    h->workload = w;
    h->profile = "g80";
    h->paper = paper;
    w->host(h);
    return h;
}

void host_free(struct host *h)
{
    for (int i = 0; i < h->count; i++) {
        free(h->buffer[i].first);
        free(h->buffer[i].last);
        free(h->buffer[i].random);
    }
    free(h->buffer);
    fl_buf_free(&h->launches);
    free(h);
}

static void print_words(const struct buffer *b, struct fl_buf *out)
{
    size_t count = b->size / sizeof(uint32_t), used = count;
    const uint32_t *word = (const uint32_t *)b->first;
    while (used > 0 && !word[used - 1]) /* a buffer has zeros unless it is told */
        used--;
    fl_buf_printf(out, used ? "><u32>" : "/>\n");
    for (size_t i = 0; i < used; i++)
        fl_buf_printf(out, "%s0x%x", i % 16 ? " " : "\n    ", word[i]);
    fl_buf_printf(out, used ? "</u32></buffer>\n" : "");
}

void host_job(const struct host *h, const char *cubin, struct fl_buf *out)
{
    struct job_range *range = fl_alloc((size_t)h->count * sizeof *range);
    uint8_t digest[32];
    int results = 0;
    fl_buf_printf(out,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<!-- Made from bench/%s/%s.c; the digest is that of its reference. -->\n"
                  "<job name=\"%s%s\" profile=\"%s\" cubin=\"%s\">\n",
                  h->workload->name, h->workload->name, h->workload->name, h->paper ? "-paper" : "",
                  h->profile, cubin);
    for (int i = 0; i < h->count; i++) {
        const struct buffer *b = &h->buffer[i];
        fl_buf_printf(out, "  <buffer name=\"%s\" size=\"%zu\"", b->name, b->size);
        if (b->fill)
            fl_buf_printf(out, " fill=\"0x%x\"/>\n", b->fill);
        else if (b->random)
            fl_buf_printf(out, ">%s</buffer>\n", b->random);
        else
            print_words(b, out);
    }
    fl_buf_add(out, h->launches.data, h->launches.size);
    for (int i = 0; i < h->count; i++) {
        const struct buffer *b = &h->buffer[i];
        if (!b->last)
            continue;
        fl_buf_printf(out, "  <output name=\"%s\" buffer=\"%s\" type=\"%s\"", b->name, b->name,
                      b->type);
        if (b->tolerance)
            fl_buf_printf(out, " tolerance=\"%s\"", b->tolerance);
        fl_buf_printf(out, "/>\n");
        range[results++] = (struct job_range){b->last, b->size};
    }
    job_sha256(range, results, digest);
    fl_buf_printf(out, "  <digest sha256=\"");
    for (int i = 0; i < 32; i++)
        fl_buf_printf(out, "%02x", digest[i]);
    fl_buf_printf(out, "\"/>\n</job>\n");
    free(range);
}

int host_check(const struct host *h, const uint8_t *(*after)(void *who, const char *buffer),
               void *who, struct fl_err *err)
{
    for (int i = 0; i < h->count; i++) {
        const struct buffer *b = &h->buffer[i];
        const uint8_t *found = b->last ? after(who, b->name) : NULL;
        for (size_t at = 0; found && at < b->size; at++) {
            if (found[at] == b->last[at])
                continue;
            uint32_t is, must;
            at -= at % sizeof is;
            memcpy(&is, found + at, sizeof is);
            memcpy(&must, b->last + at, sizeof must);
            float fis, fmust;
            memcpy(&fis, &is, sizeof fis);
            memcpy(&fmust, &must, sizeof fmust);
            return fl_fail(err,
                           "%s: word %zu of '%s' is 0x%08x (%.9g as a float), but the reference "
                           "says 0x%08x (%.9g)",
                           h->workload->name, at / sizeof is, b->name, is, (double)fis, must,
                           (double)fmust);
        }
    }
    return 0;
}

static float as_float(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t as_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

float host_div(float x, float y)
{
    return x * as_float(sm_sfu_rcp(as_bits(y)));
}

float host_rsqrt(float x)
{
    return as_float(sm_sfu_rsqrt(as_bits(x)));
}

float host_sqrt(float x)
{
    return host_div(1.0f, host_rsqrt(x));
}

float host_exp2(float x)
{
    return as_float(sm_sfu_ex2(sm_sfu_preex2(as_bits(x))));
}

float host_log2(float x)
{
    return as_float(sm_sfu_lg2(as_bits(x)));
}
